// Which row of a matrix holds an entry.
#pragma once
#include "core/bitmap.cuh"
#include "core/partition_point.cuh"

// The row that holds entry e: the last whose first entry is not beyond it.
template <class Offset> __device__ inline Index row_of(const Offset* indptr, Index nrows, Offset e) {
    return last_holding(0, nrows - 1, [&](Index row) { return indptr[row] <= e; });
}

// The rows that hold 32 consecutive entries, a word of them, one for each lane of a warp. A warp
// takes some words at a time, and searches only for the first of them: the next one begins in the
// row in which the one before ended, or in a later row.
template <class Offset> struct RowsOfWords {
    static constexpr int MAX_STEPS = 16;  // steps that a warp takes at a time, or fewer, so that each has at least
    static constexpr int TURNS = 8;  // so many turns, because words are unequal work

    const Offset* indptr;
    Index nrows;
    Offset beside = -1;  // the last word that was asked for,
    Index row = 0;       // the row of its last entry,
    Offset end = 0;      // and where that ends

    // Calls body(word) for the words of group number `group` of so many; for every STEP-th, if body
    // takes those up to the next as well, which may lie behind the last.
    template <int STEP = 1, class Body>
    static __device__ void each(Offset nnz, Index group, Index groups, Body body) {
        const Offset words = (nnz + 31) >> 5, even = words / groups / TURNS;
        const Offset some = even < STEP ? STEP : even < MAX_STEPS * STEP ? even - even % STEP : MAX_STEPS * STEP;
        for (Offset base = group * some; base < words; base += groups * some)
            for (Offset word = base; word < words && word < base + some; word += STEP) body(word);
    }

    // The row of this lane's entry, if there is one. All lanes must call this.
    __device__ Index operator()(Offset word) {
        const Offset first = word << 5, e = first + lane_id();
        if (word != beside + 1) {
            row = row_of(indptr, nrows, first);
            end = indptr[row + 1];
        }
        beside = word;
        if (first + 31 < end) return row;
        const Index next = row + lane_id() + 1;  // lane l knows where the row that is l further ends
        const Offset ends = indptr[next < nrows ? next : nrows];
        // of 31 rows, those that end before
        const int passed = lane_partition_point(ends, [&](Offset end) { return end <= e; });
        const bool beyond = __shfl_sync(ALL_LANES, ends, passed) <= e;
        const Index mine = beyond ? row_of(indptr, nrows, e) : row + passed;  // many rows are empty
        row = __shfl_sync(ALL_LANES, mine, 31);
        end = indptr[row + 1];
        return mine;
    }
};
