// From a list of undirected edges to compressed rows: symmetric, sorted, without loops and
// duplicates. Edges are words (see kronecker_edges.cuh), so that sorting needs keys alone.
//
// Each edge once with its smaller end first, sorted and without repetitions, is the part of the
// matrix above the diagonal, row by row ("forth"). The same edges turned and sorted again are the
// part below it ("back"). A row is its back part, whose columns are smaller than the row, and then
// its forth part; so where an entry goes follows from how many of either list come before its row.
// Half as many keys are sorted at a time as if both directions were sorted together.
// See docs/decisions/layouts.md.
#pragma once
#include "core/grid_stride.cuh"
#include "generate/kronecker_edges.cuh"

// The smaller end first, NO_EDGE for a loop.
__global__ void order_ends(long long count, Pair* edges) {
    for (long long e : grid_stride<long long>(count)) {
        const Index u = first_end(edges[e]), v = second_end(edges[e]);
        edges[e] = u == v ? NO_EDGE : u < v ? pair_of(u, v) : pair_of(v, u);
    }
}

// The marked edges, as they are and turned.
__global__ void keep_new(long long count, const Pair* edges, const Word* kept, const long long* ends,
                         Pair* forth, Pair* back) {
    for (long long e : grid_stride<long long>(count)) {
        if (!(kept[e >> 5] >> (e & 31) & 1u)) continue;
        const long long at = rank(kept, ends, e);
        forth[at] = edges[e];
        back[at] = pair_of(second_end(edges[e]), first_end(edges[e]));
    }
}

// forth_before[i] edges of the list `forth` come before row i.
template <class Offset>
__global__ void begin_rows(Index n, long long count, const Pair* forth, const Pair* back,
                           Offset* forth_before, Offset* indptr) {
    for (long long i : grid_stride<long long>(n + 1ll)) {
        const Index row = static_cast<Index>(i);
        const Offset before = static_cast<Offset>(before_row(forth, count, row));
        forth_before[i] = before;
        indptr[i] = before + static_cast<Offset>(before_row(back, count, row));
    }
}

// Entries of one of the two lists: to the places left by the other.
template <class Offset>
__device__ inline Offset place_of(long long e, Index i, bool back, const Offset* forth_before,
                                  const Offset* indptr) {
    return static_cast<Offset>(e) + (back ? forth_before[i] : indptr[i + 1] - forth_before[i + 1]);
}

template <class Offset>
__global__ void place_columns(long long count, const Pair* edges, bool back,
                              const Offset* forth_before, const Offset* indptr, Index* indices) {
    for (long long e : grid_stride<long long>(count))
        indices[place_of(e, first_end(edges[e]), back, forth_before, indptr)] = second_end(edges[e]);
}

template <class Weight, class Offset>
__global__ void place_weights(long long count, const Pair* edges, bool back,
                              const Offset* forth_before, const Offset* indptr, Bits n, Bits key,
                              typename Weight::T* values) {
    for (long long e : grid_stride<long long>(count))
        values[place_of(e, first_end(edges[e]), back, forth_before, indptr)] =
            weight_of<Weight>(edges[e], n, key);
}

// --- the judge ------------------------------------------------------------------------------

// Draws every edge again and looks for it in the rows. totals[0] counts ends of edges that are not
// there or have another weight, totals[1] the entries that some edge accounts for, each once.
template <class Weight, class Offset>
__global__ void account(long long count, Drawing drawing, Csr<Offset, typename Weight::T> A, Bits n,
                        Bits key, Word* found, Bits* totals) {
    drawing.begin();
    const Structure<Offset> entries{A.indptr, A.indices};
    Bits missing = 0, accounted = 0;
    for (long long number : grid_stride<long long>(count)) {
        const Pair edge = drawing.edge(number);
        const Index u = first_end(edge), v = second_end(edge);
        if (u == v) continue;
        for (int turn = 0; turn < 2; ++turn) {
            const Index i = turn == 0 ? u : v, j = turn == 0 ? v : u;
            const Offset e = entries.seek(i, j);
            if (!entries.at(e, i, j) || A.values[e * A.stride] != weight_of<Weight>(edge, n, key)) ++missing;
            else if (claim(found, e)) ++accounted;
        }
    }
    if (missing > 0) atomicAdd(totals, missing);
    if (accounted > 0) atomicAdd(totals + 1, accounted);
}
