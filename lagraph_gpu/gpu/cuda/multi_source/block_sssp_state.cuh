// Closures from many starts at once, in order of value: near and far (see near_far.cuh), but each
// start belongs to one block, which depends on no other; there is no barrier of the grid.
//
// An item of the near list is a vertex with a value. It is current as long as the vertex has no
// better value, so only one of the items of a vertex is pushed, and no record of pending vertices
// is needed. A vertex is in the far list at most once. Values that have been pushed were as good as
// the bound. Values in the far list are not; they are at most as good as the best value that was
// found to be far.
//
// ⊕ is the minimum or the maximum, and ⊗ never improves on its left operand. The order only
// affects how often a vertex is pushed: every vertex that changes is pushed again.
// See docs/decisions/many-sources.md.
#pragma once
#include "multi_source/near_far_buckets.cuh"
#include "matrix/padded_rows.cuh"

constexpr Index LANE_ROW = 32;    // a longer row is read by the whole warp,
constexpr Index WARP_ROW = 256;  // and one longer than this by the whole block
template <class S, class Row> struct BlockSssp : NearFarBuckets<S> {
    using Z = typename S::Z;
    using U = typename S::U;
    using Offset = typename S::Offset;
    using NearFarBuckets<S>::as_good;
    using NearFarBuckets<S>::better;
    using NearFarBuckets<S>::block_state;
    using NearFarBuckets<S>::fold_best;
    using NearFarBuckets<S>::unlist;
    static constexpr int EDGES = LOADS_OF<Z>;  // that a lane loads at a time

    const Index* indices;
    const typename S::A* values;
    int stride;
    const Row* rows;
    Z limit;  // a value that is worse does not count
    Z* x;
    unsigned* aside;

    // The value that it reads may be old, and worse than the present one. It only avoids folds that
    // would not help.
    static __device__ Z look(const Z* at) { return __ldca(at); }

    // An integer may wrap, or become the value that stands for "no entry". Then there is no order,
    // or no answer.
    static __device__ bool unordered(Z tail, Z z) {
        if (is_floating<Z>) return false;
        return z == S::start() || !(S::add(tail, z) == tail);
    }

    // Relaxes each lane's vertices `to`, except missing ones, with the candidates from `tail`. All
    // lanes of the warp must call it. The reads of all edges are issued together.
    template <int N> __device__ void relax(Z tail, const Index (&to)[N], const Z (&candidate)[N]) {
        Z seen[N];
        bool close[N], distant[N], some = false;
#pragma unroll
        for (int i = 0; i < N; ++i)
            if (to[i] >= 0) seen[i] = look(x + to[i]);
#pragma unroll
        for (int i = 0; i < N; ++i) {
            close[i] = to[i] >= 0 && better(candidate[i], seen[i]) && as_good(candidate[i], limit);
            if (to[i] >= 0 && unordered(tail, candidate[i])) {
                *static_cast<volatile bool*>(&block_state->unordered) = true;
                close[i] = false;
            }
            if (close[i]) seen[i] = fold_into<S>(x + to[i], candidate[i]);
        }
#pragma unroll
        for (int i = 0; i < N; ++i) {
            const bool improves = close[i] && better(candidate[i], seen[i]);
            close[i] = improves && as_good(candidate[i], block_state->bound);
            distant[i] = improves && !close[i];
        }
        this->list_near(close, distant, to, candidate);
#pragma unroll
        for (int i = 0; i < N; ++i) some = some || distant[i];
        if (!__any_sync(ALL_LANES, some)) return;
#pragma unroll
        for (int i = 0; i < N; ++i) {
            if (!distant[i]) continue;
            fold_best(candidate[i]);
            distant[i] = claim(block_state->listed, to[i]);
        }
        this->list_far(distant, to);
    }

    // The edges first, first + step, … of vertex u. All lanes of the warp must call it.
    __device__ void stride_over(Index u, Z z, long long first, long long last, int step) {
        for (long long e = first; __any_sync(ALL_LANES, e < last); e += EDGES * step) {
            Index to[EDGES];
            Z candidate[EDGES];
#pragma unroll
            for (int i = 0; i < EDGES; ++i) {
                const long long edge = e + static_cast<long long>(i) * step;
                to[i] = edge < last ? indices[edge] : NOWHERE;
                candidate[i] = z;
                if (to[i] >= 0) candidate[i] = S::step(static_cast<U>(z), u, values, Offset(edge * stride), to[i]);
            }
            relax(z, to, candidate);
        }
    }

    // --- for the whole block, with barriers before and after ------------------------------------

    // Starts a search: the start vertex is put into the far list. One thread calls it.
    __device__ void begin(Index v, Z value) {
        x[v] = value;
        fold_best(value);
        mark(block_state->listed, v);
        block_state->list[block_state->far[0]++] = v;
    }

    // Pushes the near vertices. Rows that are too long for a warp are kept for the whole block.
    __device__ void push(const VertexValue<Z>* list, unsigned count) {
        for (unsigned base = threadIdx.x & ~31u; base < count; base += blockDim.x) {
            const unsigned i = base + lane_id();
            bool live = i < count;
            const VertexValue<Z> item = live ? list[i] : VertexValue<Z>{S::start(), 0};
            const Index u = item.vertex;
            const Z z = item.value;
            const Row& row = rows[u];
            Index lead = NOWHERE;
            if (live) {
                lead = row.to[0];
                live = as_good(z, look(x + u));
            }
            bool wide = live && lead == ELSEWHERE;
#pragma unroll 1
            for (int slot = 0; slot < Row::slots; slot += EDGES) {
                Index to[EDGES];
                Z candidate[EDGES];
#pragma unroll
                for (int s = 0; s < EDGES; ++s) {
                    to[s] = live && !wide ? row.to[slot + s] : NOWHERE;
                    candidate[s] = z;
                    if (to[s] >= 0)
                        candidate[s] = S::step(static_cast<U>(z), u, row.value(slot + s, values), 0, to[s]);
                }
                relax(z, to, candidate);
            }
            if (!__any_sync(ALL_LANES, wide)) continue;
            const Index length = wide ? length_of(row) : 0;
            if (__any_sync(ALL_LANES, wide && length <= LANE_ROW)) {
                const long long begin = wide ? begin_of(row) : 0;
                stride_over(u, z, begin, length <= LANE_ROW ? begin + length : begin, 1);
            }
            wide = length > LANE_ROW;
            if (length > WARP_ROW) {
                const unsigned at = atomicAdd(aside, 1u);
                wide = at >= ASIDE;
                if (!wide) {
                    block_state->vertices[at] = u;
                    block_state->values[at] = z;
                }
            }
            for (Word left = __ballot_sync(ALL_LANES, wide); left != 0; left &= left - 1) {
                const int whose = __ffs(static_cast<int>(left)) - 1;
                const Index v = __shfl_sync(ALL_LANES, u, whose);
                const long long first = begin_of(rows[v]);
                stride_over(v, __shfl_sync(ALL_LANES, z, whose), first + lane_id(),
                            first + length_of(rows[v]), 32);
            }
        }
    }

    // Pushes the rows that were kept for the whole block.
    __device__ void push_aside() {
        const unsigned pending = *aside < ASIDE ? *aside : ASIDE;
        for (unsigned i = 0; i < pending; ++i) {
            const Index u = block_state->vertices[i];
            const long long first = begin_of(rows[u]);
            stride_over(u, block_state->values[i], first + threadIdx.x, first + length_of(rows[u]), blockDim.x);
        }
    }

    // Called if nothing is near. True if no target can improve any more: `known` of them cannot,
    // because all vertices that wait are far, and none of their values is better.
    __device__ bool over(unsigned wanted, const Index* target, unsigned* known) const {
        for (; *known < wanted; *known += blockDim.x) {
            const unsigned mine = *known + threadIdx.x;
            const bool open = mine < wanted && better(block_state->best[0], peek(x + target[mine]));
            if (__syncthreads_or(open)) return false;
        }
        return wanted > 0;
    }

    // Empties the far list.
    __device__ void forget(const Index* list, unsigned count) const {
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) unlist(list[i]);
    }

    // Vertices of the far list whose values are as good as the bound become near. The others stay
    // in the list, if they still have that value.
    __device__ void split(const Index* list, unsigned count) {
        for (unsigned base = threadIdx.x & ~31u; base < count; base += blockDim.x) {
            const unsigned i = base + lane_id();
            const Index v[1] = {i < count ? list[i] : 0};
            const Z z[1] = {i < count ? peek(x + v[0]) : S::start()};
            const bool waits = i < count && !better(z[0], block_state->best_far);
            bool close[1] = {waits && as_good(z[0], block_state->bound)}, distant[1] = {waits && !close[0]};
            this->list_near(close, distant, v, z);
            if (distant[0]) fold_best(z[0]);
            else if (i < count) unlist(v[0]);
            this->list_far(distant, v);
        }
    }
};
