// Two matrices of one shape, entry by entry: union, intersection, and the write-back
// C⟨mask, replace⟩ accum= T.
//
// Each stored entry looks its twin up in the other matrix by binary search in the row. Entries that
// stay are marked in one bitmap, the left's words first and then the right's; the running count of
// its words ranks them. An entry's place in the result is its rank among the kept of its own matrix
// plus the rank, among the kept of the other, of the place where it would stand there: so rows stay
// sorted, and no row is walked by one thread. O((a + b) (log n + log d)) for a and b entries, n
// rows, and rows of d entries.
//
// A Merge gives: L, R, Z, Scalar, Offset, keep_left(twin, writes, stays), keep_right(writes),
// left(x, i, j, s), right(y, i, j, s), both(x, y, i, j, writes), where s are the two numbers that may
// stand for a missing operand, `writes` tells whether T may reach the position, and `stays` whether
// C's entry remains if T does not. A right entry whose left twin exists never stays: the left's stands for
// both.
// Offset must hold the entries of both matrices together, and 64 more.
#pragma once
#include "entries.cuh"

// Where a matrix may be written. The mask: null indptr for everywhere; a bitmap over its entries for
// a valued one. The region: bitmaps of the rows and the columns assigned to, null for all of them.
template <class Offset> struct MatrixMask {
    Structure<Offset> entries;
    const Word* truth;
    bool complement;
    const Word* rows;
    const Word* columns;

    __device__ bool reaches(Index i, Index j) const { return present(rows, i) && present(columns, j); }
    __device__ bool wants(Index i, Index j) const {
        if (entries.indptr == nullptr) return true;
        const Offset e = entries.seek(i, j);
        const bool holds = entries.at(e, i, j) && (truth == nullptr || (truth[e >> 5] >> (e & 31) & 1u));
        return holds != complement;
    }
};

template <class S> struct Defaults {
    S first, second;
};

// --- what a merge may be --------------------------------------------------------------------

// op where both have an entry; one that stands alone is converted.
template <class Op, class Out, class O> struct MergeAdd {
    using L = typename Op::Left;
    using R = typename Op::Right;
    using Z = Out;
    using Scalar = typename Op::Scalar;
    using Offset = O;
    using T = typename Op::Z;
    static __device__ bool keep_left(bool, bool, bool) { return true; }
    static __device__ bool keep_right(bool) { return true; }
    static __device__ Z left(L x, Index, Index, Defaults<Scalar>) { return arithmetic::cast<Z>(arithmetic::cast<T>(x)); }
    static __device__ Z right(R y, Index, Index, Defaults<Scalar>) { return arithmetic::cast<Z>(arithmetic::cast<T>(y)); }
    static __device__ Z both(L x, R y, Index i, Index j, bool) { return arithmetic::cast<Z>(Op::apply(x, y, i, j)); }
};

// op where both have an entry.
template <class Op, class Out, class O> struct MergeMult : MergeAdd<Op, Out, O> {
    static __device__ bool keep_left(bool twin, bool, bool) { return twin; }
    static __device__ bool keep_right(bool) { return false; }
};

// op on the union; a missing operand counts as its default.
template <class Op, class Out, class O> struct MergeUnion : MergeAdd<Op, Out, O> {
    using S = Defaults<typename Op::Scalar>;
    static __device__ Out left(typename Op::Left x, Index i, Index j, S s) {
        return arithmetic::cast<Out>(Op::apply(x, s.second, i, j));
    }
    static __device__ Out right(typename Op::Right y, Index i, Index j, S s) {
        return arithmetic::cast<Out>(Op::apply(s.first, y, i, j));
    }
};

// C⟨mask, replace⟩ accum= T, with C on the left and T on the right.
template <class Accum, class T, class O> struct WriteBack {
    using L = typename Accum::W;
    using R = T;
    using Z = L;
    using Scalar = bool;
    using Offset = O;
    static __device__ bool keep_left(bool twin, bool writes, bool stays) {
        return writes ? Accum::given || twin : stays;
    }
    static __device__ bool keep_right(bool writes) { return writes; }
    static __device__ Z left(L c, Index, Index, Defaults<bool>) { return c; }
    static __device__ Z right(R t, Index, Index, Defaults<bool>) { return arithmetic::cast<Z>(t); }
    static __device__ Z both(L c, R t, Index, Index, bool writes) {
        if (!writes) return c;
        return Accum::given ? Accum::join(c, t) : arithmetic::cast<Z>(t);
    }
};

// --- the kernels ----------------------------------------------------------------------------

template <class M>
__global__ void mark_merge(Index nrows, typename M::Offset left_nnz,
                           const typename M::Offset* left_indptr, const Index* left_indices,
                           typename M::Offset right_nnz, const typename M::Offset* right_indptr,
                           const Index* right_indices, const typename M::Offset* mask_indptr,
                           const Index* mask_indices, const Word* truth, int complement,
                           const Word* rows, const Word* columns, int replace, Word* kept, typename M::Offset* counts) {
    using Offset = typename M::Offset;
    const Structure<Offset> left{left_indptr, left_indices}, right{right_indptr, right_indices};
    const MatrixMask<Offset> mask{{mask_indptr, mask_indices}, truth, complement != 0, rows,
                                  columns};
    const Offset left_words = (left_nnz + 31) >> 5;
    const Offset words = left_words + ((right_nnz + 31) >> 5);
    for (Offset word = warp_id(); word < words; word += warp_count()) {
        const bool mine = word < left_words;  // the left's word
        const Offset e = ((mine ? word : word - left_words) << 5) + lane_id();
        bool keep = false;
        if (e < (mine ? left_nnz : right_nnz)) {
            const Structure<Offset> own = mine ? left : right, other = mine ? right : left;
            const Index i = row_of(own.indptr, nrows, e), j = own.indices[e];
            const bool wanted = mask.wants(i, j), writes = wanted && mask.reaches(i, j);
            if (mine) keep = M::keep_left(other.has(i, j), writes, wanted || !replace);
            else keep = M::keep_right(writes) && !other.has(i, j);
        }
        const Word now = __ballot_sync(ALL_LANES, keep);
        if (lane_id() == 0) {
            kept[word] = now;
            counts[word] = __popc(now);
        }
    }
}

// How many kept entries of either matrix come before its entry e.
template <class Offset> struct Ranks {
    const Word* kept;
    const Offset* ends;
    Offset start;  // the position of the right's first entry in the bitmap

    __device__ Offset left(Offset e) const { return rank(kept, ends, e); }
    __device__ Offset right(Offset e) const {
        return rank(kept, ends, start + e) - rank(kept, ends, start);
    }
    __device__ bool stays(Offset position) const { return kept[position >> 5] >> (position & 31) & 1u; }
};

template <class M>
__global__ void move_merge(Index nrows, typename M::Offset left_nnz,
                           const typename M::Offset* left_indptr, const Index* left_indices,
                           const typename M::L* left_values, int left_stride,
                           typename M::Offset right_nnz, const typename M::Offset* right_indptr,
                           const Index* right_indices, const typename M::R* right_values,
                           int right_stride, const typename M::Offset* mask_indptr,
                           const Index* mask_indices, const Word* truth, int complement,
                           const Word* rows, const Word* columns, typename M::Scalar first_default, typename M::Scalar second_default,
                           const Word* kept, const typename M::Offset* ends,
                           typename M::Offset* out_indptr, Index* out_indices,
                           typename M::Z* out_values) {
    using Offset = typename M::Offset;
    const Structure<Offset> left{left_indptr, left_indices}, right{right_indptr, right_indices};
    const MatrixMask<Offset> mask{{mask_indptr, mask_indices}, truth, complement != 0, rows,
                                  columns};
    const Defaults<typename M::Scalar> defaults{first_default, second_default};
    const Ranks<Offset> ranks{kept, ends, ((left_nnz + 31) >> 5) << 5};
    const Offset threads = static_cast<Offset>(gridDim.x) * blockDim.x;
    const Offset first = static_cast<Offset>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (Offset e = first; e < left_nnz; e += threads) {
        if (!ranks.stays(e)) continue;
        const Index i = row_of(left_indptr, nrows, e), j = left_indices[e];
        const Offset twin = right.seek(i, j);
        const Offset place = ranks.left(e) + ranks.right(twin);
        const typename M::L x = left_values[e * left_stride];
        out_indices[place] = j;
        out_values[place] = right.at(twin, i, j)
            ? M::both(x, right_values[twin * right_stride], i, j, mask.reaches(i, j) && mask.wants(i, j))
            : M::left(x, i, j, defaults);
    }
    for (Offset e = first; e < right_nnz; e += threads) {
        if (!ranks.stays(ranks.start + e)) continue;
        const Index i = row_of(right_indptr, nrows, e), j = right_indices[e];
        const Offset place = ranks.right(e) + ranks.left(left.seek(i, j));
        out_indices[place] = j;
        out_values[place] = M::right(right_values[e * right_stride], i, j, defaults);
    }
    for (Offset i = first; i <= nrows; i += threads)
        out_indptr[i] = ranks.left(left_indptr[i]) + ranks.right(right_indptr[i]);
}

// --- what they need -------------------------------------------------------------------------

// The bitmap of a valued mask over its entries: not zero.
template <class Offset, class A>
__global__ void entry_truth(Offset nnz, const A* values, int stride, Word* out) {
    const Offset words = (nnz + 31) >> 5;
    for (Offset word = warp_id(); word < words; word += warp_count()) {
        const Offset e = (word << 5) + lane_id();
        const Word now = __ballot_sync(ALL_LANES, e < nnz && values[e * stride] != A(0));
        if (lane_id() == 0) out[word] = now;
    }
}

// Row offsets of 32 bits as such of 64.
__global__ void widen(Index n, const int* narrow, long long* wide) {
    const Index threads = gridDim.x * blockDim.x;
    for (Index i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) wide[i] = narrow[i];
}
