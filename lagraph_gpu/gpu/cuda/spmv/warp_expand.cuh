// A warp processes the out-edges of up to 32 vertices, divided evenly among its lanes.
//
// A lane loads several edges at once, because most of the time goes into waiting for memory. Few
// products improve a value, so these wait until there is one for each lane.
// See docs/decisions/sssp.md.
#pragma once
#include "core/append.cuh"

template <class Z> constexpr int CANDIDATES = 32 * LOADS_OF<Z> + 32;  // a warp

// The candidates of a warp that are not applied yet, in shared memory: positions and values for them.
template <class Z> struct Candidates {
    Index to[CANDIDATES<Z>];
    Z value[CANDIDATES<Z>];
};

// Reads `degree` edges from `first` on of vertex k, whose value is z. Each lane has one vertex, and
// all lanes must call this.
//
// A Rule has: indices, values and stride; admits(x, z), whether the tail's value x may lead to z;
// helps(j, z), whether z may improve position j, by a value that may be old; and relax(live, j, z),
// which the whole warp calls.
template <class S, class Rule, class Offset>
__device__ inline void walk(Rule& rule, Candidates<typename S::Z>& candidates, Index k, typename S::U z,
                            Offset first, int degree) {
    using Z = typename S::Z;
    constexpr int many = LOADS_OF<Z>;
    const WarpShare share(degree);
    const Offset origin = first - share.begin;
    int pending = 0;
#pragma unroll 1
    for (int base = 0; base < share.total; base += 32 * many) {
        Index to[many];
        Z candidate[many];
#pragma unroll
        for (int i = 0; i < many; ++i) {
            const int at = base + 32 * i + lane_id();
            if (base + 32 * i >= share.total) continue;
            const int whose = share.owner(at);
            const Index tail = __shfl_sync(ALL_LANES, k, whose);
            typename S::U value{};
            if constexpr (S::reads_vector)
                value = from_lane<typename S::U>(z, whose);
            const Offset e = __shfl_sync(ALL_LANES, origin, whose) + at;
            if (at >= share.total) continue;
            to[i] = rule.indices[e];
            candidate[i] = S::step(value, tail, rule.values, e * rule.stride, to[i]);
            if (!rule.admits(value, candidate[i])) to[i] = -1;
        }
#pragma unroll
        for (int i = 0; i < many; ++i) {
            const bool use = base + 32 * i + lane_id() < share.total && to[i] >= 0 &&
                             rule.helps(to[i], candidate[i]);
            const int at = append_own(use, pending);
            if (!use) continue;
            candidates.to[at] = to[i];
            candidates.value[at] = candidate[i];
        }
        __syncwarp();
        const bool last = base + 32 * many >= share.total;
        while (pending >= 32 || (last && pending > 0)) {
            const int now = pending < 32 ? pending : 32;
            pending -= now;
            const bool live = lane_id() < now;
            const int at = pending + (live ? lane_id() : 0);
            rule.relax(live, candidates.to[at], candidates.value[at]);
        }
        __syncwarp();
    }
}
