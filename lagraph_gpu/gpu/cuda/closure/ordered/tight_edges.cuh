// A pull along tight edges, each of which explains the value of the vertex that it leads to (see
// lower.tight_struct). For most vertices the lightest in-edge is tight, and their rows are never
// read.
// See docs/decisions/sssp.md.
#pragma once
#include "core/grid_stride.cuh"
#include "matrix/min_edge.cuh"
#include "spmv/pull.cuh"

template <class S> struct Tight {
    using A = typename S::A;

    const MinEdge<A>* min_edges;
    const Word* u_bits;
    const typename S::U* u;

    // Folds what edge (k, j) of this weight carries, if it is tight.
    __device__ void take(Partial<S>& found, Index k, A weight, Index j) const {
        if (present(u_bits, k) && S::joins(u, k, &weight, 0, j)) found.fold(S::product(u, k, &weight, 0, j));
    }
    // By the lightest edge of position j, if there is one; and must others be looked at?
    __device__ Partial<S> first(Index j, Index n, bool& more) const {
        Partial<S> found = nothing<S>();
        more = false;
        if (j >= n || !present(u_bits, j)) return found;
        const MinEdge<A> row = min_edges[j];
        if (row.degree > 0) take(found, row.to, row.weight, j);
        more = row.degree > 1 && !found.has;
        return found;
    }
    // All lanes of a warp call it.
    static __device__ void write(const Partial<S>& found, Index word, Word* out_bits, typename S::Z* out) {
        const Word has = __ballot_sync(ALL_LANES, found.has);
        if (found.has) out[(word << 5) + lane_id()] = found.value;
        if (lane_id() == 0) out_bits[word] = has;
    }
};

// For each position that u has, a vertex from which one edge gives exactly its value: first by the lightest edge,
// and then by a pull along the others.
template <class S, class Rows>
__global__ void pull_tight(Index n, const MinEdge<typename S::A>* min_edges, CsrOf<S> A,
                           SparseVector<typename S::U> u, SparseOutput<typename S::Z> out, Index longest) {
    const Tight<S> tight{min_edges, u.bits, u.values};
    const Gather<S> gather{A, u.bits, u.values, longest};
    for (Index word : warp_stride<Index>(words_of(n))) {
        bool more;
        Partial<S> found = tight.first((word << 5) + lane_id(), n, more);
        const Partial<S> there = Rows::fold(gather, word << 5, __ballot_sync(ALL_LANES, more));
        if (there.has) found = there;
        tight.write(found, word, out.bits, out.values);
    }
}

// In sorted rows a tight edge comes early: each lane searches its own row, and the warp searches the
// rest of the rows that have none so far.
template <class S, class Edges>
__global__ void seek_tight(Index n, const MinEdge<typename S::A>* min_edges,
                           CsrOf<S, typename Edges::Column> A, SparseVector<typename S::U> u,
                           SparseOutput<typename S::Z> out) {
    using Offset = typename S::Offset;
    const Tight<S> tight{min_edges, u.bits, u.values};
    const Edges stored{{A.indices, A.values, A.stride}};
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index j = (word << 5) + lane_id();
        bool more;
        Partial<S> found = tight.first(j, n, more);
        Offset first = more ? A.indptr[j] + 1 : 0;  // after the lightest
        const Offset last = more ? A.indptr[j + 1] : 0, alone = first + TIGHT_ALONE;
        for (; first < last && first < alone && !found.has; ++first) {
            const Edge<typename S::A> edge = stored.begin(first);
            tight.take(found, edge.to, edge.weight, j);
        }
        for (Word some = __ballot_sync(ALL_LANES, first < last && !found.has); some != 0; some &= some - 1) {
            const int lane = __ffs(some) - 1;
            const Offset end = __shfl_sync(ALL_LANES, last, lane);
            const Index head = (word << 5) + lane;
            Partial<S> there = nothing<S>();
            for (Offset e = __shfl_sync(ALL_LANES, first, lane) + lane_id();
                 __any_sync(ALL_LANES, e < end) && !__any_sync(ALL_LANES, there.has); e += 32) {
                if (e >= end) continue;
                const Edge<typename S::A> edge = stored.begin(e);
                tight.take(there, edge.to, edge.weight, head);
            }
            there = fold_warp(there);
            if (lane_id() == lane) found = there;
        }
        tight.write(found, word, out.bits, out.values);
    }
}
