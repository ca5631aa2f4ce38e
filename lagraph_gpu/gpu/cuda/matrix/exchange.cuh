// Arrays that come from elsewhere and arrays for elsewhere: they are checked, converted and
// gathered here, without a copy on the host.
// See docs/decisions/storage.md.
#pragma once
#include "core/arithmetic.cuh"
#include "core/bitmap.cuh"
#include "core/grid_stride.cuh"
#include "core/partition_point.cuh"

// Does a row begin at entry e? A binary search: few entries ask, and offsets that are out of order
// (which is reported anyway) only make the answer wrong.
template <class Offset>
__device__ inline bool begins_row(const Offset* indptr, Index nrows, long long e) {
    return indptr[partition_point(0, nrows, [&](Index row) { return indptr[row] < e; })] == e;
}

// Which of the five faults (BEGINS_ELSEWHERE to UNSORTED) compressed rows have. Nothing that is read
// here is used as an address, so that any input may be checked.
template <class Offset, class Id>
__global__ void check_rows(Index nrows, Index ncols, long long nnz, const Offset* indptr,
                           const Id* indices, unsigned* wrong) {
    unsigned found = 0;
    if (thread_id<long long>() == 0) {
        if (indptr[0] != 0) found |= BEGINS_ELSEWHERE;
        if (indptr[nrows] != nnz) found |= ENDS_ELSEWHERE;
    }
    for (long long i : grid_stride<long long>(nrows))
        if (indptr[i + 1] < indptr[i]) found |= FALLS;
    for (long long e : grid_stride<long long>(nnz)) {
        const Id j = indices[e];
        if (j < Id(0) || j >= static_cast<Id>(ncols)) found |= OUTSIDE;
        if (e > 0 && j <= indices[e - 1] && !begins_row(indptr, nrows, e)) found |= UNSORTED;
    }
    if (found != 0) atomicOr(wrong, found);
}

// Writes values in another type, as GraphBLAS casts them. A stride of 0 repeats one value.
template <class From, class To>
__global__ void convert(long long n, const From* from, int stride, To* to) {
    for (long long i : grid_stride<long long>(n))
        to[i] = arithmetic::cast<To>(from[i * stride]);
}

// The positions of a dense array that hold an entry: all of them, or those that are not `missing`. NaN,
// which is not equal to itself, is the same as a `missing` of NaN.
template <class T>
__global__ void find_present(Index n, const T* values, bool all, T missing, Word* bits) {
    const bool nan = arithmetic::isnan(missing);
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index i = (word << 5) + lane_id();
        const Word now = __ballot_sync(
            ALL_LANES, i < n && (all || (nan ? !arithmetic::isnan(values[i]) : values[i] != missing)));
        if (lane_id() == 0) bits[word] = now;
    }
}

// A dense array of a vector: its values in another type, and `fill` where there is no entry.
template <class T, class To>
__global__ void fill_gaps(Index n, const Word* bits, const T* values, To fill, To* to) {
    for (long long i : grid_stride<long long>(n))
        to[i] = present(bits, static_cast<Index>(i)) ? arithmetic::cast<To>(values[i]) : fill;
}

// The values at the given places, in their order. A thread asks for IN_FLIGHT at once.
template <class T, class Id>
__global__ void pick(long long n, const Id* where, const T* from, T* to) {
    const long long threads = thread_count<long long>();
    for (long long first = thread_id<long long>(); first < n; first += IN_FLIGHT * threads) {
        T found[IN_FLIGHT];
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) {
            const long long t = first + s * threads;
            found[s] = from[where[t < n ? t : first]];
        }
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s)
            if (first + s * threads < n) to[first + s * threads] = found[s];
    }
}

// Increasing positions in a dense array of ncols columns, as compressed rows: the column of each,
// and how many come before each row.
__global__ void split_rows(Index nrows, Index ncols, Index n, const Index* where, Index* indices,
                           Index* indptr) {
    for (long long e : grid_stride<long long>(n)) indices[e] = where[e] % ncols;
    for (long long row : grid_stride<long long>(nrows + 1ll)) {
        indptr[row] = partition_point(0, n, [&](Index at) { return where[at] < row * ncols; });
    }
}

// The position `from` and its ancestors in a forest of parents, up to one that is its own parent, and before
// them their number: 0 if `from` has no parent, and -1 if a parent is missing or no position, or if there are
// more than `room`. One thread.
__global__ void list_ancestors(Index n, const Word* bits, const long long* parent, Index from, Index room,
                               Index* found) {
    if (thread_id<long long>() != 0) return;
    long long at = from;
    Index count = 0;
    while (at >= 0 && at < n && count < room) {
        if (!present(bits, static_cast<Index>(at))) break;
        const long long above = parent[at];
        if (count == 0 && above < 0) break;
        found[++count] = static_cast<Index>(at);
        if (above == at) {
            found[0] = count;
            return;
        }
        at = above;
    }
    found[0] = count == 0 ? 0 : -1;
}

// Where the entry (row, column) is stored, or -1. One thread.
template <class Offset>
__global__ void find_entry(Index row, Index column, const Offset* indptr, const Index* indices,
                           long long* at) {
    if (thread_id<long long>() != 0) return;
    const Offset end = indptr[row + 1];
    const Offset e = partition_point(indptr[row], end, [&](Offset e) { return indices[e] < column; });
    *at = e < end && indices[e] == column ? static_cast<long long>(e) : -1;
}
