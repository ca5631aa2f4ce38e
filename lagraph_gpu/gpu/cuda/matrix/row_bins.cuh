// Rows in lists by their length, so that each list is given to groups of threads of a fitting size.
// See docs/decisions/louvain.md.
#pragma once
#include "core/grid_stride.cuh"

// Lists the rows that have entries, by kind: list k begins at rows[k n], and counts[k], 0 at first,
// is its length. If all rows are listed, `bits` then tells which have entries. Where rows take turns,
// only the rows of this turn are listed whose choice may have changed, and their `margin` begins at 0.
template <class Offset>
__device__ inline void rows_by_length(Index n, const Offset* indptr, const unsigned char* turns, Index turn,
                                      double* margin, Index for_warp, Index for_block, Index for_table,
                                      Word* bits, Index* rows, unsigned* counts) {
    __shared__ unsigned own[ROW_KINDS], begins[ROW_KINDS];
    const unsigned all = n;
    for (unsigned base : block_stride<unsigned>(all, LISTED * blockDim.x)) {
        if (threadIdx.x < ROW_KINDS) own[threadIdx.x] = 0;
        __syncthreads();
        int kinds[LISTED];
        unsigned at[LISTED];
        for (int r = 0; r < LISTED; ++r) {
            const unsigned v = base + r * blockDim.x + threadIdx.x;
            const bool wanted = v < all && (turns == nullptr || (turns[v] == turn && margin[v] < 0));
            const Offset degree = wanted ? indptr[v + 1] - indptr[v] : 0;
            const Word some = __ballot_sync(ALL_LANES, degree > 0);
            if (turns == nullptr && v < all && lane_id() == 0) bits[v >> 5] = some;
            if (turns != nullptr && wanted) margin[v] = 0;
            kinds[r] = degree == 0 ? -1 : degree <= FEW_LABELS ? 0 : degree <= WARP_LABELS ? 1 : degree <= for_warp ? 2
                     : degree <= for_block ? 3 : degree <= for_table ? 4 : 5;
            at[r] = degree == 0 ? 0 : atomicAdd(own + kinds[r], 1u);
        }
        __syncthreads();
        if (threadIdx.x < ROW_KINDS && own[threadIdx.x] > 0)
            begins[threadIdx.x] = atomicAdd(counts + threadIdx.x, own[threadIdx.x]);
        __syncthreads();
        for (int r = 0; r < LISTED; ++r)
            if (kinds[r] >= 0)
                rows[static_cast<long long>(kinds[r]) * n + begins[kinds[r]] + at[r]] =
                    base + r * blockDim.x + threadIdx.x;
    }
}

template <class Offset>
__global__ void list_rows(Index n, const Offset* indptr, const unsigned char* turns, Index turn,
                          double* margin, Index for_warp, Index for_block, Index for_table, Word* bits,
                          Index* rows, unsigned* counts) {
    rows_by_length(n, indptr, turns, turn, margin, for_warp, for_block, for_table, bits, rows, counts);
}
