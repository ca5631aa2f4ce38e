// C⟨M⟩ = A ⊕.⊗ B with a mask that is not complemented. C's entries are some of M's, so each has its
// place beside M's before anything is computed. `has` marks the places that got a value.
//
// dot: for each wanted entry (i, j) of M, row i of A is compared with row j of Bᵀ; the entries of
// the shorter row are searched in the longer one. It uses no atomics, and stops as soon as nothing
// can change the result.
//
// The other form, saxpy, adds up rows of B (see masked_gustavson.cuh). masked_products and masked_walks
// count what either would do: O(Σ min(degrees) · log(degree)) over M's entries, against O(Σ degree)
// over A's.
// See docs/decisions/spgemm.md.
#pragma once
#include "core/groups.cuh"
#include "matrix/entries.cuh"

template <class Offset> __device__ inline bool is_wanted(const Word* truth, Offset e) {
    return truth == nullptr || (truth[e >> 5] >> (e & 31) & 1u);
}

template <class T> __device__ inline T least(T a, T b) { return b < a ? b : a; }

template <class Offset> __device__ inline Offset length(const Offset* indptr, Index i) {
    return indptr[i + 1] - indptr[i];
}

// The steps of saxpy: counts[e] becomes the number of products of A's entry e, which is 0 if its
// row of M is empty; totals[0] becomes their sum.
template <class Offset>
__global__ void masked_products(Offset a_nnz, Index nrows, const Offset* a_indptr,
                                const Index* a_indices, const Offset* b_indptr,
                                const Offset* m_indptr, Index* counts, unsigned long long* totals) {
    __shared__ unsigned long long sums[MAX_THREADS / 32];
    RowsOfWords<Offset> rows{a_indptr, nrows};
    unsigned long long products = 0, all;
    rows.each(a_nnz, warp_id(), warp_count(), [&](Offset word) {
        const Index i = rows(word);
        const Offset e = (word << 5) + lane_id();
        if (e >= a_nnz) return;
        const Offset count = length(m_indptr, i) == 0 ? 0 : length(b_indptr, a_indices[e]);
        counts[e] = static_cast<Index>(count);
        products += count;
    });
    Block::running(products, all, sums);
    if (threadIdx.x == 0 && all > 0) atomicAdd(totals, all);
}

// The steps of dot: totals[1] becomes the number of entries that it reads, and totals[2] the
// largest number for one entry of M.
template <class Offset>
__global__ void masked_walks(Offset m_nnz, Index nrows, Structure<Offset> M, const Word* truth,
                             const Offset* a_indptr, const Offset* bt_indptr, unsigned long long* totals) {
    __shared__ unsigned long long sums[MAX_THREADS / 32];
    __shared__ unsigned longest;
    if (threadIdx.x == 0) longest = 0;
    RowsOfWords<Offset> rows{M.indptr, nrows};
    unsigned long long walked = 0, all;
    unsigned max_walk = 0;
    rows.each(m_nnz, warp_id(), warp_count(), [&](Offset word) {
        const Index i = rows(word);
        const Offset e = (word << 5) + lane_id();
        if (e >= m_nnz || !is_wanted(truth, e)) return;
        const unsigned both = static_cast<unsigned>(least(length(a_indptr, i), length(bt_indptr, M.indices[e])));
        walked += both;
        max_walk = max_walk < both ? both : max_walk;
    });
    Block::running(walked, all, sums);
    if (max_walk > 0) atomicMax(&longest, max_walk);
    __syncthreads();
    if (threadIdx.x == 0 && all > 0) {
        atomicAdd(totals + 1, all);
        atomicMax(totals + 2, static_cast<unsigned long long>(longest));
    }
}

// --- dot ------------------------------------------------------------------------------------

template <class S> struct DotOperands {
    CsrOf<S> A;
    Csr<typename S::Offset, typename S::B> Bt;

    // The number of entries to read for position (i, j).
    __device__ typename S::Offset walked(Index i, Index j) const {
        return least(length(A.indptr, i), length(Bt.indptr, j));
    }

    // ⊕ over the columns k that row i of A and row j of Bᵀ have in common, by a group.
    template <class Group> __device__ Partial<S> fold(Index i, Index j) const {
        using Offset = typename S::Offset;
        const Offset a_first = A.indptr[i], a_end = A.indptr[i + 1];
        const Offset b_first = Bt.indptr[j], b_end = Bt.indptr[j + 1];
        const bool a_walks = a_end - a_first <= b_end - b_first;
        const Index* walks = a_walks ? A.indices : Bt.indices;
        const Index* other = a_walks ? Bt.indices : A.indices;
        const Offset begin = a_walks ? a_first : b_first, end = a_walks ? a_end : b_end;
        Offset low = a_walks ? b_first : a_first;
        const Offset high = a_walks ? b_end : a_end;
        Partial<S> mine = nothing<S>();
        for (Offset base = begin; base < end; base += Group::size()) {
            const Offset e = base + Group::rank();
            if (e < end) {
                const Index k = walks[e];
                low = seek_column(other, low, high, k);  // the next k is greater
                if (low < high && other[low] == k) {
                    const Offset ea = a_walks ? e : low, eb = a_walks ? low : e;
                    mine.fold(S::product(A.values, ea * A.stride, Bt.values, eb * Bt.stride, i, k, j));
                }
            }
            if ((S::any || S::has_terminal) && Group::any(mine.settled())) break;
        }
        return Group::fold(mine);
    }
};

// Thread and Warp: a warp handles 32 entries, which are one word of `has`, and writes this word.
// Block: a block handles them and adds to the word, so it runs after one of the others. It handles
// the entries for which more than `above` and at most `upto` entries are to be read.
template <class S, class Group>
__global__ void masked_dot(typename S::Offset nnz, Index nrows, Structure<typename S::Offset> M, const Word* truth,
                           DotOperands<S> operands, typename S::Offset above, typename S::Offset upto, Word* has,
                           typename S::Z* out) {
    using Offset = typename S::Offset;
    const bool blocks = Group::size() > 32;
    RowsOfWords<Offset> rows{M.indptr, nrows};
    rows.each(nnz, blocks ? blockIdx.x : warp_id(), blocks ? gridDim.x : warp_count(), [&](Offset word) {
        const Offset e = (word << 5) + lane_id();
        const Index i = rows(word);
        Index j = 0;
        bool mine = e < nnz && is_wanted(truth, e);
        if (mine) {
            j = M.indices[e];
            const Offset walked = operands.walked(i, j);
            mine = walked > above && walked <= upto;
        }
        Partial<S> kept = nothing<S>();
        if (Group::size() == 1) {
            if (mine) kept = operands.template fold<Group>(i, j);
        } else {
            for (Word left = __ballot_sync(ALL_LANES, mine); left != 0; left &= left - 1) {
                const int lane = __ffs(left) - 1;
                const Index row = __shfl_sync(ALL_LANES, i, lane);
                const Index column = __shfl_sync(ALL_LANES, j, lane);
                const Partial<S> whole = operands.template fold<Group>(row, column);
                if (lane_id() == lane) kept = whole;
            }
        }
        const Word found = __ballot_sync(ALL_LANES, kept.has);  // in a block, the first warp has the result
        if (kept.has) out[e] = kept.value;
        if (lane_id() != 0) return;
        if (!blocks) has[word] = found;
        else if (found != 0) has[word] |= found;
    });
}
