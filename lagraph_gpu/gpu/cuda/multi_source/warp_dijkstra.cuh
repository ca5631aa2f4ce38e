// Closures from many starts at once, in order of value, a warp for each with a heap of its own:
// Dijkstra's algorithm, with several of the best items taken at a time.
//
// Of the items from the heap, all within a width of the best are processed together, up to 32, and
// the lanes divide their edges. The best of them is final, because ⊗ never improves on its left
// operand; the others are inserted into the heap again if they improve later. So the fixpoint is
// the same, after at most n steps. The search is over when no target can improve any more, or when
// nothing is left within the limit.
//
// Dijkstra: A note on two problems in connexion with graphs (1959). Crosetto: CUPQ (2019).
// See docs/decisions/many-sources.md.
#pragma once
#include "core/append.cuh"
#include "multi_source/warp_heap.cuh"
#include "closure/ordered/value_order.cuh"
#include "spmv/warp_expand.cuh"

constexpr int EDGES_PER_BATCH = 128;  // edges that a warp reads before it inserts into the heap what they improved

// What a warp has for itself, in shared memory.
template <class Z> struct DijkstraWarpState {
    Candidates<Z> candidates;
    Root<Z> root;
    Z keys[EDGES_PER_BATCH];  // of the items that are to be inserted into the heap
    Index vertices[EDGES_PER_BATCH];
};

template <class S> struct WarpDijkstra : Compare<S> {
    using Z = typename S::Z;
    using Offset = typename S::Offset;
    using Compare<S>::as_good;

    const Offset* indptr;
    const Index* indices;
    const typename S::A* values;
    int stride;
    Z limit;  // a value that is worse does not count
    double width;
    unsigned wanted;  // targets; 0: all vertices are
    const Index* target;
    DijkstraWarpState<Z>* warp_state;
    Heap<S> heap;
    Z* x;
    int pending;  // items that are to be inserted into the heap
    bool odd;     // an integer has wrapped, or reached what stands for "no entry"

    static __device__ bool ahead(Z a, Z b) { return Run<S>::ahead(a, b); }
    __device__ Z value_of(Index v) const { return peek(x + v); }

    // --- the rule of a walk: see warp_expand.cuh ------------------------------------------------

    __device__ bool admits(Z tail, Z z) {
        if (is_floating<Z> || (z != S::start() && S::add(tail, z) == tail)) return true;
        odd = true;
        return false;
    }

    __device__ bool helps(Index j, Z z) const { return ahead(z, value_of(j)) && as_good(z, limit); }

    __device__ void relax(bool live, Index j, Z z) {
        const bool better = live && ahead(z, fold_into<S>(x + j, z));
        const int at = append_own(better, pending);
        if (!better) return;
        warp_state->keys[at] = z;
        warp_state->vertices[at] = j;
    }

    // --- the search -----------------------------------------------------------------------------

    // Inserts the pending items into the heap.
    __device__ void put() {
        for (int base = 0; base < pending; base += 32) {
            const int at = base + lane_id();
            Run<S> some = Run<S>::empty();
            if (at < pending) some = {warp_state->keys[at], warp_state->vertices[at]};
            heap.put(some, x);
        }
        pending = 0;
    }

    // Reads the edges from first to last of each lane's vertex, a share of each at a time.
    __device__ void push(const Run<S>& item, Offset first, Offset last) {
        while (const Word some = __ballot_sync(ALL_LANES, first < last)) {
            const int share = EDGES_PER_BATCH / __popc(some);
            const int degree = last - first < share ? static_cast<int>(last - first) : share;
            walk<S>(*this, warp_state->candidates, item.vertex, item.key, first, degree);
            first += degree;
            put();
        }
    }

    // True if no target can improve any more. `known` of them cannot, because no item is better.
    __device__ bool over(Z best, unsigned* known) const {
        while (*known < wanted) {
            const unsigned mine = *known + lane_id();
            const bool open = mine < wanted && ahead(best, value_of(target[mine]));
            if (__any_sync(ALL_LANES, open)) return false;
            *known += 32;
        }
        return wanted > 0;
    }

    __device__ void run(Index source, Z value) {
        Run<S> start = Run<S>::empty();
        if (lane_id() == 0 && as_good(value, limit)) {
            x[source] = value;
            start = {value, source};
        }
        heap.begin(start);
        __syncwarp();  // the source may be a target
        for (unsigned known = 0;;) {
            const Run<S> item = heap.refill();
            const Z best = item.best();
            if (Run<S>::none(best) || over(best, &known)) break;
            const bool near = item.here() && as_good(item.key, this->beyond(best, width));
            heap.drop(__popc(__ballot_sync(ALL_LANES, near)));
            const bool live = near && item.key == value_of(item.vertex);
            push(item, live ? indptr[item.vertex] : 0, live ? indptr[item.vertex + 1] : 0);
        }
    }
};

// Computes a closure from each of `count` sources, which start with `value`. x has n values for
// each, which are at first the start of a fold. Each warp has `room` nodes for its heap. `taken` is
// 0 at first; `width` is negative for a maximum. *odd becomes SEARCHES_WRAPPED if a sum wraps; the answer
// is then of no use.
template <class S>
__global__ void __launch_bounds__(32 * DIJKSTRA_WARPS, 16)
    warp_dijkstra(Index n, Index count, CsrOf<S> A, const Index* sources, typename S::Z value,
                  typename S::Z limit, double width, typename S::Z* x, unsigned wanted, const Index* target,
                  unsigned room, typename S::Z* keys, Index* vertices, unsigned* taken, unsigned* odd) {
    using Z = typename S::Z;
    __shared__ DijkstraWarpState<Z> warp_states[DIJKSTRA_WARPS];
    DijkstraWarpState<Z>* const warp_state = warp_states + (threadIdx.x >> 5);
    if (lane_id() == 0) {
        const long long before = static_cast<long long>(room) * warp_id();
        warp_state->root.keys = keys + 33 * before;
        warp_state->root.vertices = vertices + 32 * before;
        warp_state->root.room = room;
    }
    __syncwarp();
    WarpDijkstra<S> search{{}, A.indptr, A.indices, A.values, A.stride, limit, width, wanted, target, warp_state,
                         {&warp_state->root, 0}, nullptr, 0, false};
    while (true) {
        const unsigned turn = reserve(1u, taken);
        if (turn >= static_cast<unsigned>(count)) break;
        search.x = x + static_cast<long long>(n) * turn;
        search.run(sources[turn], value);
    }
    if (search.odd) *static_cast<volatile unsigned*>(odd) = SEARCHES_WRAPPED;
}
