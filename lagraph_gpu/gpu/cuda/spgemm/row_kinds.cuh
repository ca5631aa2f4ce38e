// The kinds of rows of a product by who computes them, and the window of a row: the columns between
// its first product and its last. See docs/decisions/spgemm.md.
#pragma once
#include "core/groups.cuh"
#include "core/warp_reduce.cuh"
#include "matrix/entries.cuh"

// None; a thread (short_rows.cuh); a warp or a part of one (windowed_rows.cuh); a warp that sorts
// (sorted_rows.cuh); a warp with a hash table (gustavson.cuh); a block with a bitmap
// (ranked_rows.cuh) or a hash table; the whole device (long_rows.cuh).
struct RowKind {
    enum Of : Index { NONE, SHORT, WINDOWED, SORTED, WARP, RANKED, BLOCK, LONG, COUNT };
};

// The rows of one kind: those of a list, or, without a list, those of all rows whose kind it is.
struct RowsOfKind {
    const long long* rows;
    const Index* kinds;
    RowKind::Of kind;

    // Row number r; -1 if it is of another kind.
    __device__ Index operator()(unsigned r) const {
        if (rows != nullptr) return static_cast<Index>(rows[r]);
        return kinds[r] == kind ? static_cast<Index>(r) : -1;
    }
};

// A group of LANES neighbouring lanes of a warp.
template <int LANES> struct Lanes {
    static __device__ int rank() { return threadIdx.x % LANES; }
    static __device__ int size() { return LANES; }
};

// The columns low … high. Without any, the span is negative.
struct RowWindow {
    Index low = 0x7fffffff, high = -1;

    __device__ int span() const { return high - low + 1; }
    __device__ void join(Index first, Index last) {
        low = first < low ? first : low;
        high = last > high ? last : high;
    }
    __device__ void join(const RowWindow& other) { join(other.low, other.high); }
    __device__ RowWindow of_lane_xor(int distance) const {
        return {from_lane_xor(low, distance), from_lane_xor(high, distance)};
    }
};

// The window of row i, for all threads of its group, which must call it: a thread, or lanes of a
// warp, whose other lanes must call it for theirs. Row -1 has none. A window of more than `most`
// columns may be larger than what is returned.
template <class Group, class Offset>
__device__ inline RowWindow window_of(const Structure<Offset>& A, const Structure<Offset>& B, Index i,
                                      int most = 0x7fffffff) {
    RowWindow window;
    const Offset last = i < 0 ? 0 : A.indptr[i + 1];
    for (Offset e = i < 0 ? 0 : A.indptr[i] + Group::rank(); e < last; e += Group::size()) {
        const Index k = A.indices[e];
        const Offset begin = B.indptr[k], end = B.indptr[k + 1];
        if (begin < end) window.join(B.indices[begin], B.indices[end - 1]);
        if (window.span() > most) break;
    }
    warp_join(window, Group::size());
    return window;
}
