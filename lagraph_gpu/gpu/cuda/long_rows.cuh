// The rows of C = A ⊕.⊗ B that are too long for a table in shared memory (see rows.cuh): a block
// has such a row, and a bitmap of all columns in global memory.
//
// The first pass counts the bits that the row's products set. The second sets them again, writes
// them out as the row's columns, in order, with the number of bits before each word, and folds each
// product straight into its place in C. O(products + ncols / 32) for a row and pass.
#pragma once
#include "groups.cuh"

// Sets the bits of row i's columns; how many of them this thread was the first to set.
template <class Offset>
__device__ inline Index mark_columns(const Structure<Offset>& A, const Structure<Offset>& B,
                                     const MatrixMask<Offset>& mask, Index i, Index words,
                                     Word* bits, Walk& walk) {
    for (Index w = threadIdx.x; w < words; w += blockDim.x) bits[w] = 0;
    Index mine = 0;
    each_product<Block>(A, B, i, walk, [&](Offset, Offset eb) {
        const Index j = B.indices[eb];
        if (peek(bits + (j >> 5)) >> (j & 31) & 1u) return;
        if (mask.wants(i, j) && claim(bits, j)) ++mine;
    });
    return mine;
}

// bits: the blocks' bitmaps, side by side.
template <class Offset>
__global__ void
count_long_row(Index count, const long long* rows, Index ncols, const Offset* a_indptr,
               const Index* a_indices, const Offset* b_indptr, const Index* b_indices,
               const Offset* m_indptr, const Index* m_indices, const Word* truth, Word* bits,
               Index* counts) {
    __shared__ Walk walk;
    const Structure<Offset> A{a_indptr, a_indices}, B{b_indptr, b_indices};
    const MatrixMask<Offset> mask{{m_indptr, m_indices}, truth, true};
    const Index words = words_of(ncols);
    bits += static_cast<long long>(blockIdx.x) * words;
    for (unsigned r = blockIdx.x; r < unsigned(count); r += gridDim.x) {
        const Index i = static_cast<Index>(rows[r]);
        const long long found = sum<Block>(mark_columns(A, B, mask, i, words, bits, walk), walk);
        if (threadIdx.x == 0) counts[i] = static_cast<Index>(found);
    }
}

// ranks: as many words as bits; so is `taken`, for `any` only: the columns that have their value.
// Other values must be start() before.
template <class S>
__global__ void
multiply_long_row(Index count, const long long* rows, Index ncols, const typename S::Offset* m_indptr,
                  const Index* m_indices, const Word* truth, const typename S::Offset* a_indptr,
                  const Index* a_indices, const typename S::A* a, int a_stride,
                  const typename S::Offset* b_indptr, const Index* b_indices,
                  const typename S::B* b, int b_stride, Word* bits, Index* ranks, Word* taken,
                  const typename S::Offset* out_indptr, Index* out_indices,
                  typename S::Z* out_values) {
    using Offset = typename S::Offset;
    __shared__ Walk walk;
    const Structure<Offset> A{a_indptr, a_indices}, B{b_indptr, b_indices};
    const MatrixMask<Offset> mask{{m_indptr, m_indices}, truth, true};
    const Index words = words_of(ncols);
    const long long own = static_cast<long long>(blockIdx.x) * words;
    bits += own;
    ranks += own;
    if (S::any) taken += own;
    for (unsigned r = blockIdx.x; r < unsigned(count); r += gridDim.x) {
        const Index i = static_cast<Index>(rows[r]);
        mark_columns(A, B, mask, i, words, bits, walk);
        const Offset first = out_indptr[i];
        Index before = 0;
        for (Index base = 0; base < words; base += blockDim.x) {
            const Index w = base + threadIdx.x;
            Word left = w < words ? bits[w] : 0;
            long long total;
            const long long upto = Block::running<long long>(__popc(left), total, walk.sums);
            Index rank = before + static_cast<Index>(upto) - __popc(left);
            before += static_cast<Index>(total);
            if (w >= words) continue;
            ranks[w] = rank;
            if (S::any) taken[w] = 0;
            for (; left != 0; left &= left - 1, ++rank)
                out_indices[first + rank] = (w << 5) + __ffs(left) - 1;
        }
        each_product<Block>(A, B, i, walk, [&](Offset ea, Offset eb) {
            const Index j = b_indices[eb];
            const Word word = bits[j >> 5], bit = 1u << (j & 31);
            if (!(word & bit)) return;  // the mask does not want it
            const Offset place = first + ranks[j >> 5] + __popc(word & (bit - 1));
            if (S::any && !claim(taken, j)) return;
            const typename S::Z z = S::product(a, ea * a_stride, b, eb * b_stride, i, a_indices[ea], j);
            if constexpr (S::any) out_values[place] = z;
            else fold_into<S>(out_values + place, z);
        });
    }
}
