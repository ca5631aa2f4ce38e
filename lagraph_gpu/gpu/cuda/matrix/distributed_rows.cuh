// Rows of a matrix on their way between the root, which has the whole, and the processes that own them
// (see parts.cuh). The entries of all parts lie one part after another, and each row keeps its order.
// See docs/decisions/cluster.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/parts.cuh"
#include "core/row_search.cuh"

// How many entries each row of n has, part by part.
template <class Offset>
__global__ void deal_lengths(Index n, Parts parts, const Offset* indptr, Index* lengths) {
    for (unsigned i : grid_stride<unsigned>(n))
        lengths[parts.at(i)] = static_cast<Index>(indptr[i + 1] - indptr[i]);
}

// The reverse: the lengths of the parts in the order of the whole.
__global__ void join_lengths(Index n, Parts parts, const Index* dealt, Index* lengths) {
    for (unsigned i : grid_stride<unsigned>(n)) lengths[i] = dealt[parts.at(i)];
}

// The first entry of each part, and how many there are in all. `dealt` says where each row begins among
// the parts.
template <class Offset>
__global__ void first_entries(Parts parts, const Offset* dealt, long long* first) {
    for (unsigned part : grid_stride<unsigned>(unsigned(parts.count) + 1)) first[part] = dealt[parts.begin(part)];
}

// The entries of the whole, whose rows begin at `indptr`, to the parts, or if DEALS is false from there.
// Values may be null, for one that serves all.
template <class Offset, class T, bool DEALS>
__global__ void move_rows(Offset nnz, Index n, Parts parts, const Offset* indptr, const Offset* dealt,
                          const Index* columns, const T* values, Index* out_columns, T* out_values) {
    RowsOfWords<Offset> rows{indptr, n};
    rows.each(nnz, warp_id(), warp_count(), [&](Offset word) {
        const Index i = rows(word);
        const Offset e = (word << 5) + lane_id();
        if (e >= nnz) return;
        const Offset there = dealt[parts.at(i)] + (e - indptr[i]);
        const Offset from = DEALS ? e : there, to = DEALS ? there : e;
        out_columns[to] = columns[from];
        if (values != nullptr) out_values[to] = values[from];
    });
}
