// Closures from many starts at once, in order of value: near and far (see near_far.cuh), but P starts
// make a slice, and a slice belongs to one block, which needs nobody else: no barrier of the grid.
//
// The values of a slice lie side by side, x[v · P + lane], so that one look at an edge serves P starts
// and is one access to memory; P threads, a team, walk the edges of a vertex together, a lane each. For
// each vertex a word says which lanes are pending, changed since the vertex was last pushed, and which
// lists it is in. It is near if some pending lane is as good as the bound. All pending lanes are pushed
// with it: lanes whose waves lie close together, as those of neighbouring starts do, share the work.
//
// ⊕ is the minimum or the maximum and ⊗ never improves on its left operand, which only decides how
// often a vertex is pushed: whatever changes is pushed again.
#pragma once
#include "order.cuh"

constexpr Word NEAR = 1u << 30, FAR = 1u << 31;  // beside the pending lanes
constexpr unsigned LONG = 256;   // a vertex of more edges is walked by all teams of the block
constexpr unsigned ASIDE = 64;   // so many such vertices wait for that in a round

// What a block keeps to itself, in shared memory.
template <class Z> struct Office {
    unsigned near[2], far[2];  // lengths of the lists: one is read, the other appended to
    unsigned aside;
    Index vertices[ASIDE];
    Word lanes[ASIDE];
    __align__(8) Z best[8 / sizeof(Z)];  // among the far; a word of its own
    Z bound;
    Index slice;
    bool strange;
};

template <class S, int P> struct Slice : Compare<S> {
    using Z = typename S::Z;
    using Offset = typename S::Offset;
    using Compare<S>::as_good;
    using Compare<S>::better;
    using Compare<S>::peek_value;
    static constexpr int EDGES = sizeof(Z) > 4 ? 2 : 4;  // that a team asks for at once
    static constexpr int PLACES = EDGES > P ? EDGES / P : 1;  // those that a lane files

    const Offset* indptr;
    const Index* indices;
    const typename S::A* values;
    int stride;
    Z limit;      // what is not as good does not count
    Z* x;         // of this slice
    Word* state;  // of each vertex: pending lanes, NEAR, FAR
    Office<Z>* office;
    Index *near, *far;  // the lists that are appended to
    unsigned *near_count, *far_count;

    static __device__ int lane() { return threadIdx.x % P; }
    static __device__ int team() { return lane_id() / P; }  // within the warp
    static __device__ Word lanes_of(Word vote) { return vote >> (team() * P) & ((1u << P) - 1); }
    // An integer may wrap, or reach what stands for "no entry". Then there is no order, or no answer.
    static __device__ bool strange(Z tail, Z z) {
        if (is_floating<Z>) return false;
        return z == S::start() || !(S::add(tail, z) == tail);
    }

    __device__ Z* at(Index v) const { return x + static_cast<long long>(v) * P + lane(); }

    __device__ void hear_of(Z z) const {
        if (better(z, peek_value(office->best))) fold_into<S>(office->best, z);
    }

    // Appends v of each lane that has one to a list. All lanes of the warp must call it.
    static __device__ void append(bool mine, Index v, Index* list, unsigned* count) {
        const Word some = __ballot_sync(ALL_LANES, mine);
        if (some == 0) return;
        unsigned base = 0;
        if (lane_id() == 0) base = atomicAdd(count, static_cast<unsigned>(__popc(some)));
        base = __shfl_sync(ALL_LANES, base, 0);
        if (mine) list[base + __popc(some & lanes_below())] = v;
    }

    // Vertices that `lanes` of the team have changed, at most one of a lane in each of its places: they
    // wait in a list, unless they do so already. All lanes of the warp must call it.
    __device__ void file(const Index (&v)[PLACES], const Word (&lanes)[PLACES], const bool (&close)[PLACES]) {
        Word before[PLACES];
        __threadfence_block();  // whoever takes the lanes must see their values
#pragma unroll
        for (int i = 0; i < PLACES; ++i)
            before[i] = lanes[i] == 0 ? NEAR | FAR
                                      : atomicOr(state + v[i], lanes[i] | (close[i] ? NEAR : FAR));
#pragma unroll
        for (int i = 0; i < PLACES; ++i) {
            append(close[i] && !(before[i] & NEAR), v[i], near, near_count);
            append(!close[i] && !(before[i] & FAR), v[i], far, far_count);
        }
    }

    // Walks the edges first, first + step, … of vertex u, whose values are z, where `mine`. All lanes
    // of the warp must call it. What an edge waits for, all wait for together; then each edge has a
    // lane of the team.
    __device__ void relax(bool mine, Index u, Z z, Offset first, Offset last, Offset step) {
        bool odd = false;
        for (Offset e = first; __any_sync(ALL_LANES, e < last); e += EDGES * step) {
            Index to[EDGES];
            Z offered[EDGES], seen[EDGES];
            bool improves[EDGES];
#pragma unroll
            for (int i = 0; i < EDGES; ++i) {
                const Offset edge = e + i * step;
                to[i] = e < last && edge < last ? indices[edge] : -1;
                if (to[i] >= 0) offered[i] = S::step(z, u, values, edge * stride, to[i]);
            }
#pragma unroll
            for (int i = 0; i < EDGES; ++i)
                if (to[i] >= 0) seen[i] = peek_value(at(to[i]));
#pragma unroll
            for (int i = 0; i < EDGES; ++i) {
                improves[i] = mine && to[i] >= 0;
                if (improves[i] && strange(z, offered[i])) {
                    odd = true;
                    improves[i] = false;
                }
                improves[i] = improves[i] && better(offered[i], seen[i]) && as_good(offered[i], limit);
                if (improves[i]) seen[i] = fold_into<S>(at(to[i]), offered[i]);
            }
            Index v[PLACES]{};
            Word lanes[PLACES]{};
            bool close[PLACES]{}, some = false;
#pragma unroll
            for (int i = 0; i < EDGES; ++i) {
                improves[i] = improves[i] && better(offered[i], seen[i]);
                const bool good = improves[i] && as_good(offered[i], office->bound);
                const Word changed = lanes_of(__ballot_sync(ALL_LANES, improves[i]));
                const bool soon = lanes_of(__ballot_sync(ALL_LANES, good)) != 0;
                if (improves[i] && !soon) hear_of(offered[i]);
                if (lane() != i % P) continue;
                v[i / P] = to[i];
                lanes[i / P] = changed;
                close[i / P] = soon;
                some = some || changed != 0;
            }
            if (__any_sync(ALL_LANES, some)) file(v, lanes, close);
        }
        if (odd) *static_cast<volatile bool*>(&office->strange) = true;
    }

    // --- for the whole block, with barriers before and after -----------------------------------------

    // The start of each lane, which lists it as far.
    __device__ void begin(const Index* sources, Z value) {
        for (int l = threadIdx.x; l < P; l += blockDim.x) {
            const Index v = sources[l];
            if (v < 0 || !as_good(value, limit)) continue;
            x[static_cast<long long>(v) * P + l] = value;
            hear_of(value);
            if (!(atomicOr(state + v, 1u << l | FAR) & FAR)) far[atomicAdd(far_count, 1u)] = v;
        }
    }

    // Pushes what is near.
    __device__ void push(const Index* list, unsigned count) {
        const unsigned teams = blockDim.x / P;
        for (unsigned base = (threadIdx.x >> 5) * (32 / P); base < count; base += teams) {
            const unsigned i = base + team();
            const Index u = i < count ? list[i] : 0;
            Word pending = 0;
            Offset first = 0, last = 0;
            if (i < count) {
                first = indptr[u];
                last = indptr[u + 1];
                if (lane() == 0) pending = atomicAnd(state + u, FAR) & ~(NEAR | FAR);
                __threadfence_block();
            }
            pending = __shfl_sync(ALL_LANES, pending, team() * P);
            if (pending == 0) last = first;
            const bool mine = pending >> lane() & 1u;
            const Z z = mine ? peek_value(at(u)) : S::start();
            bool aside = lane() == 0 && last - first > Offset(LONG);
            if (aside) {
                const unsigned at = atomicAdd(&office->aside, 1u);
                aside = at < ASIDE;
                if (aside) {
                    office->vertices[at] = u;
                    office->lanes[at] = pending;
                }
            }
            if (lanes_of(__ballot_sync(ALL_LANES, aside)) != 0) last = first;
            relax(mine, u, z, first, last, 1);
        }
        __syncthreads();
        const unsigned waiting = office->aside < ASIDE ? office->aside : ASIDE;
        for (unsigned i = 0; i < waiting; ++i) {
            const Index u = office->vertices[i];
            const bool mine = office->lanes[i] >> lane() & 1u;
            const Z z = mine ? peek_value(at(u)) : S::start();
            relax(mine, u, z, indptr[u] + threadIdx.x / P, indptr[u + 1], teams);
        }
    }

    // When nothing is near: can no target improve any more? `known` of them cannot, for all that waits is
    // far, and no better.
    __device__ bool over(unsigned wanted, const Index* target, unsigned* known) const {
        for (; *known < wanted; *known += blockDim.x / P) {
            const unsigned mine = *known + threadIdx.x / P;
            const bool open = mine < wanted && better(office->best[0], peek_value(at(target[mine])));
            if (__syncthreads_or(open)) return false;
        }
        return wanted > 0;
    }

    // Empties the far list.
    __device__ void forget(const Index* list, unsigned count) const {
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) state[list[i]] = 0;
    }

    // What of the far list is as good as the bound becomes near; the rest stays far.
    __device__ void part(const Index* list, unsigned count) {
        const unsigned teams = blockDim.x / P;
        for (unsigned base = (threadIdx.x >> 5) * (32 / P); base < count; base += teams) {
            const unsigned i = base + team();
            const Index u = i < count ? list[i] : 0;
            const bool leads = i < count && lane() == 0;
            Word pending = leads ? state[u] & ~(NEAR | FAR) : 0;
            pending = __shfl_sync(ALL_LANES, pending, team() * P);
            const bool mine = pending >> lane() & 1u;
            const Z z = mine ? peek_value(at(u)) : S::start();
            const bool close =
                lanes_of(__ballot_sync(ALL_LANES, mine && as_good(z, office->bound))) != 0;
            if (mine && !close) hear_of(z);
            const Word list_of = pending == 0 ? 0 : close ? NEAR : FAR;
            if (leads) state[u] = pending | list_of;
            append(leads && list_of == NEAR, u, near, near_count);
            append(leads && list_of == FAR, u, far, far_count);
        }
    }
};
