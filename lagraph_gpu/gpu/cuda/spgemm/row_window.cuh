// The columns between the first and the last product of a row of A ⊕.⊗ B.
// See docs/decisions/spgemm.md.
#pragma once
#include "core/groups.cuh"
#include "matrix/entries.cuh"

// The columns low … high. Without any, the span is negative.
struct RowWindow {
    Index low = 0x7fffffff, high = -1;

    __device__ int span() const { return high - low + 1; }
    __device__ void join(Index first, Index last) {
        low = first < low ? first : low;
        high = last > high ? last : high;
    }
};

// The window of row i, for all threads of its group, which must call it: a thread or a warp. One of
// more than `most` columns may be smaller than it is.
template <class Group, class Offset>
__device__ inline RowWindow of_row(const Structure<Offset>& A, const Structure<Offset>& B, Index i,
                                   int most = 0x7fffffff) {
    RowWindow window;
    const Offset last = A.indptr[i + 1];
    for (Offset e = A.indptr[i] + Group::rank(); e < last; e += Group::size()) {
        const Index k = A.indices[e];
        const Offset begin = B.indptr[k], end = B.indptr[k + 1];
        if (begin < end) window.join(B.indices[begin], B.indices[end - 1]);
        if (window.span() > most) break;
    }
    for (int distance = Group::size() / 2; distance > 0; distance /= 2) {
        const Index first = __shfl_xor_sync(ALL_LANES, window.low, distance);
        window.join(first, __shfl_xor_sync(ALL_LANES, window.high, distance));
    }
    return window;
}
