// Rows of a matrix product that are computed as products of a vector: the row of the mask as a
// bitmap, and the row of the result.
// See docs/decisions/spgemm.md.
#pragma once
#include "core/grid_stride.cuh"
#include "matrix/entries.cuh"

// The columns of a row as bits; if truth is not null, only those of entries that are true.
template <class Offset>
__global__ void row_columns(Index row, const Offset* indptr, const Index* indices, const Word* truth,
                            Word* bits) {
    for (Offset e : grid_stride(indptr[row], indptr[row + 1]))
        if (truth == nullptr || (truth[e >> 5] >> (e & 31) & 1u)) mark(bits, indices[e]);
}

// Appends a vector's entries as a row after those that are there. ends: the running sum of the bits
// of its words; no words for an empty row.
template <class Offset, class Z>
__global__ void append_row(Index row, Index n, const Word* bits, const Z* values, const long long* ends,
                           Offset* indptr, Index* indices, Z* out) {
    const Offset begin = indptr[row];
    if (thread_id<unsigned>() == 0)
        indptr[row + 1] = begin + (bits == nullptr ? 0 : static_cast<Offset>(ends[words_of(n) - 1]));
    if (bits == nullptr) return;
    for (unsigned j : grid_stride<unsigned>(n)) {
        if (!present(bits, j)) continue;
        const Offset at = begin + static_cast<Offset>(rank<long long>(bits, ends, j));
        indices[at] = j;
        out[at] = values[j];
    }
}
