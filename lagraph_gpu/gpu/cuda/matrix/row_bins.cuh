// Rows in lists by their length, so that each list is given to groups of threads of a fitting size.
// See docs/decisions/louvain.md.
#pragma once
#include "core/grid_stride.cuh"

// List k begins at rows[k n], and counts[k], 0 at first, is its length. A row of list 2 has at most so many
// entries as fit `for_warp`, and so on.
struct RowLists {
    Index n, for_warp, for_block, for_table;
    Index* rows;
    unsigned* counts;

    template <class Offset> __device__ int kind(Offset degree) const {
        return degree == 0 ? -1 : degree <= FEW_LABELS ? 0 : degree <= WARP_LABELS ? 1 : degree <= for_warp ? 2
             : degree <= for_block ? 3 : degree <= for_table ? 4 : 5;
    }

    // Lists the rows of each thread: row(r) is of the kind kinds[r], or none if that is -1. All threads of the
    // block must call it.
    template <class Row> __device__ void append(const int (&kinds)[LISTED], Row row) const {
        __shared__ unsigned own[ROW_KINDS], begins[ROW_KINDS];
        if (threadIdx.x < ROW_KINDS) own[threadIdx.x] = 0;
        __syncthreads();
        unsigned at[LISTED];
        for (int r = 0; r < LISTED; ++r)
            at[r] = kinds[r] < 0 ? 0 : atomicAdd(own + kinds[r], 1u);
        __syncthreads();
        if (threadIdx.x < ROW_KINDS && own[threadIdx.x] > 0)
            begins[threadIdx.x] = atomicAdd(counts + threadIdx.x, own[threadIdx.x]);
        __syncthreads();
        for (int r = 0; r < LISTED; ++r)
            if (kinds[r] >= 0) rows[static_cast<long long>(kinds[r]) * n + begins[kinds[r]] + at[r]] = row(r);
    }
};

// Lists the rows that have entries; `bits` then tells which have.
template <class Offset> __global__ void list_rows(const Offset* indptr, Word* bits, RowLists lists) {
    const unsigned all = lists.n;
    for (unsigned base : block_stride<unsigned>(all, LISTED * blockDim.x)) {
        int kinds[LISTED];
        for (int r = 0; r < LISTED; ++r) {
            const unsigned v = base + r * blockDim.x + threadIdx.x;
            const Offset degree = v < all ? indptr[v + 1] - indptr[v] : 0;
            const Word some = __ballot_sync(ALL_LANES, degree > 0);
            if (v < all && lane_id() == 0) bits[v >> 5] = some;
            kinds[r] = lists.kind(degree);
        }
        lists.append(kinds, [&](int r) { return static_cast<Index>(base + r * blockDim.x + threadIdx.x); });
    }
}

// By block number `block` of `blocks`: lists the rows of a turn whose choice may have changed, and their `margin`
// begins at 0. Rows of other turns are many, so those of this one are gathered before they are looked at.
template <class Offset>
__device__ inline void rows_of_turn(unsigned block, unsigned blocks, const Offset* indptr, const Offset* ends,
                                    const unsigned char* turns, Index turn, double* margin, const RowLists& lists) {
    __shared__ unsigned short gathered[ROWS_ASKED * MAX_THREADS];  // where they are
    __shared__ unsigned many;
    const unsigned all = lists.n, scanned = ROWS_ASKED * blockDim.x;
    for (unsigned base = block * scanned; base < all; base += blocks * scanned) {
        if (threadIdx.x == 0) many = 0;
        __syncthreads();
        bool wanted[ROWS_ASKED];
        for (int r = 0; r < ROWS_ASKED; ++r) {
            const unsigned v = base + r * blockDim.x + threadIdx.x;
            wanted[r] = v < all && turns[v] == turn;
        }
        for (int r = 0; r < ROWS_ASKED; ++r)
            if (wanted[r])
                gathered[atomicAdd(&many, 1u)] = static_cast<unsigned short>(r * blockDim.x + threadIdx.x);
        __syncthreads();
        for (unsigned first = 0; first < many; first += LISTED * blockDim.x) {
            int kinds[LISTED];
            Index rows[LISTED];
            for (int r = 0; r < LISTED; ++r) {
                const unsigned i = first + r * blockDim.x + threadIdx.x;
                const Index v = i < many ? static_cast<Index>(base + gathered[i]) : 0;
                const bool wanted = i < many && margin[v] < 0;
                if (wanted) margin[v] = 0;
                rows[r] = v;
                kinds[r] = lists.kind(wanted ? ends[v] - indptr[v] : Offset(0));
            }
            lists.append(kinds, [&](int r) { return rows[r]; });
        }
        __syncthreads();  // before the next rows are gathered
    }
}
