// The independent set of a greedy pass by falling rank, in one launch: a vertex is in the set if no
// neighbour of higher rank is.
//
// Each warp has a queue of its own of undecided vertices, and processes it until it is empty;
// there are no rounds and only one barrier. A vertex stops at the first neighbour of higher rank
// that is not excluded, and continues from there at its next turn, unless it is excluded itself by
// then. A vertex that stops nowhere is chosen and excludes its neighbours. The undecided vertex of
// highest rank stops nowhere, so there is always progress.
//
// If ranks are random, the probability that a row is read beyond x neighbours, none of them of
// higher rank, is less than 1 / x. So a lane begins with each row, and its warp helps if that does
// not end soon, however long the row.
//
// The state of a vertex is one word: its rank, and whether it is excluded.
// See docs/decisions/cores-sets-and-colours.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/warp_reduce.cuh"
#include "vector/formula.cuh"
#include "core/grid.cuh"
#include "core/append.cuh"

constexpr int MIS_TRIES = 2;         // this often, before its warp helps

constexpr int MAX_WALK = 1 << 24;    // entries of a row that are read at a time

using Rank = Word;
constexpr Rank OUT = 1;  // the lowest bit

template <class Offset> struct GreedyMis {
    const Offset* indptr;
    const Index* indices;
    Rank* known;

    // True if v stops at one of the entries e, e + apart, … of its row; `at` becomes the first of
    // them.
    __device__ bool stops(Index v, Rank mine, Offset e, Offset end, int apart, Offset& at) const {
        Index u[LOADS];
        Rank seen[LOADS];
#pragma unroll
        for (int i = 0; i < LOADS; ++i) u[i] = end - e > i * apart ? indices[e + i * apart] : v;
#pragma unroll
        for (int i = 0; i < LOADS; ++i) seen[i] = peek(known + u[i]);
        bool one = false;
#pragma unroll
        for (int i = LOADS - 1; i >= 0; --i) {
            if (seen[i] <= mine || (seen[i] & OUT)) continue;
            one = true;
            at = e + i * apart;
        }
        return one;
    }

    // The vertices of those lanes that have one continue from entry e of their rows, until they
    // stop or their rows end.
    __device__ void turn(bool has, Index v, Rank mine, Offset& e, Offset end) const {
        bool goes = has;
        for (int i = 0; i < MIS_TRIES && goes && e < end; ++i) {
            Offset at = e + LOADS;
            goes = !stops(v, mine, e, end, 1, at);
            e = at;
        }
        for (Word some = __ballot_sync(ALL_LANES, goes && e < end); some != 0; some &= some - 1) {
            const int lane = __ffs(some) - 1;
            const Rank rank = __shfl_sync(ALL_LANES, mine, lane);
            const Index whole = __shfl_sync(ALL_LANES, v, lane);
            const Offset last = __shfl_sync(ALL_LANES, end, lane);
            Offset from = __shfl_sync(ALL_LANES, e, lane);
            for (bool one = false; !one && from < last;) {
                Offset at = last;
                const Offset own = from + lane_id();
                one = __any_sync(ALL_LANES, own < last && stops(whole, rank, own, last, 32, at));
                from = one ? least(at) : from + 32 * LOADS;
            }
            if (lane_id() == lane) e = from;
        }
    }

    // Excludes the neighbours of the vertices that are chosen.
    __device__ void put_out(bool chosen, Index v) const {
        Offset first = chosen ? indptr[v] : 0;
        const Offset end = chosen ? indptr[v + 1] : 0;
        while (__any_sync(ALL_LANES, first < end)) {
            const int some = static_cast<int>(end - first < MAX_WALK ? end - first : MAX_WALK);
            const WarpShare share(some);
            const Offset origin = first - share.begin;
            for (int base = 0; base < share.total; base += 32 * LOADS) {
                Index u[LOADS];
#pragma unroll
                for (int i = 0; i < LOADS; ++i) {
                    const int at = base + 32 * i + lane_id(), whose = share.owner(at);
                    const Offset e = __shfl_sync(ALL_LANES, origin, whose) + at;
                    u[i] = at < share.total ? indices[e] : -1;
                }
#pragma unroll
                for (int i = 0; i < LOADS; ++i)
                    if (u[i] >= 0) atomicOr(known + u[i], OUT);
            }
            first += some;
        }
    }

    static __device__ Offset least(Offset x) {
        return warp_reduce<Minimum>(x);
    }
};

// Chooses among n vertices of different ranks, from 0 to below 2³¹, which a Source has (see
// reduce.cuh). bits and chosen are written. known has room for n; who and at have room for n, and
// for 64 more for each warp. arrivals[slot] is 0 at first.
template <class Offset, class Source, class... Given>
__global__ void __launch_bounds__(MIS_BLOCK, 4)
    greedy_mis(Index n, const Offset* indptr, const Index* indices, Rank* known, Index* who, Offset* at,
               Word* bits, bool* chosen, unsigned* arrivals, Index slot, Given... given) {
    const Grid grid{arrivals + slot};
    const GreedyMis<Offset> come{indptr, indices, known};
    for (Count v : grid_stride<Count>(n)) {
        long long rank = 0;
        Source::at(static_cast<Index>(v), rank, given...);
        known[v] = Rank(rank) << 1;
    }
    grid.wait();
    const Count room = (Count(words_of(n)) / warp_count() + 1) << 5;
    who += warp_id() * room;
    at += warp_id() * room;
    Index open = 0;
    // Decides a group of 32 vertices. Those that have to wait stay in the queue.
    const auto turn = [&](bool has, Index v, Offset e) {
        const Rank mine = has ? peek(known + v) : 0;
        has = has && !(mine & OUT);
        const Offset end = has ? indptr[v + 1] : 0;
        come.turn(has, v, mine, e, end);
        const bool first = has && e >= end, waits = has && e < end;
        come.put_out(first, v);
        if (first) chosen[v] = true;
        const Index place = append_own(waits, open);
        if (waits) {
            who[place] = v;
            at[place] = e;
        }
        return first;
    };
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index v = (word << 5) + lane_id();
        const Word some = __ballot_sync(ALL_LANES, turn(v < n, v, v < n ? indptr[v] : 0));
        if (lane_id() == 0) bits[word] = some;
    }
    while (open > 0) {
        const Index all = open;
        open = 0;
        for (Index base = 0; base < all; base += 32) {
            __syncwarp();
            const bool has = base + lane_id() < all;
            const Index v = has ? who[base + lane_id()] : 0;
            const Offset e = has ? at[base + lane_id()] : 0;
            __syncwarp();
            if (turn(has, v, e)) mark(bits, v);
        }
    }
}
