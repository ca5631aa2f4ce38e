// The rows of C = A ⊕.⊗ B whose products lie in at most 32 · WORDS neighbouring columns, with a
// block for each row (see gustavson.cuh). A bitmap of these columns in shared memory says which have
// a product, and the number of bits below one is its place in the row of C (its rank; Jacobson:
// Space-efficient static trees and graphs, 1989). So there is neither a table nor a sort. O(products
// + columns / 32) for a row and pass. See docs/decisions/spgemm.md.
#pragma once
#include "core/grid_stride.cuh"
#include "spgemm/factors.cuh"
#include "spgemm/row_kinds.cuh"
#include "spgemm/row_products.cuh"

// The columns of a row's products, as bits from `low` on.
struct ColumnBits {
    Word* const bits;
    Index low, words;

    // Those of row i of `ncols` columns, in a bitmap with room for `most` words.
    template <class Offset>
    __device__ ColumnBits(const Structure<Offset>& A, const Structure<Offset>& B,
                          const MatrixMask<Offset>& mask, Index i, Index ncols, Word* bits, int most, Walk& walk)
        : bits(bits), low(0), words(words_of(ncols)) {
        if (words > most) {
            const RowWindow window = window_of<Warp>(A, B, i);
            low = window.low;
            words = words_of(window.span());
        }
        for (Index w = threadIdx.x; w < words; w += blockDim.x) bits[w] = 0;
        each_product<Block>(A, B, i, walk, [&](Offset, Offset eb) {
            const Index j = B.indices[eb];
            if (mask.wants(i, j)) mark(bits, j - low);
        });
    }
};

// rows lists the rows, or is null for all rows.
template <class Offset, int WORDS>
__global__ void __launch_bounds__(MAX_THREADS)
count_ranked_row(Index count, const long long* rows, Index ncols, Structure<Offset> A, Structure<Offset> B,
                 Outside<Offset> outside, Index* counts) {
    __shared__ Word bits[WORDS];
    __shared__ Walk walk;
    const MatrixMask<Offset> mask = outside.mask();
    for (unsigned r : group_stride<Block, unsigned>(count)) {
        const Index i = row_of_list(rows, r);
        const ColumnBits columns(A, B, mask, i, ncols, bits, WORDS, walk);
        long long mine = 0;
        for (Index w = threadIdx.x; w < columns.words; w += blockDim.x) mine += __popc(bits[w]);
        const long long found = sum<Block>(mine, walk);
        if (threadIdx.x == 0) counts[i] = static_cast<Index>(found);
    }
}

// A row has at most ROOM entries, a multiple of four. C must have the places of its rows.
template <class S, int WORDS, int ROOM>
__global__ void __launch_bounds__(MAX_THREADS)
multiply_ranked_row(Index count, const long long* rows, Index ncols, Outside<typename S::Offset> outside,
                    Factors<S> factors, ProductRows<S> out) {
    using Offset = typename S::Offset;
    using Z = typename S::Z;
    __shared__ Word bits[WORDS];
    __shared__ Index ranks[WORDS];  // the number of bits of earlier words
    __shared__ __align__(16) Z values[ROOM];
    __shared__ Walk walk;
    const Structure<Offset> A = factors.A(), B = factors.B();
    const MatrixMask<Offset> mask = outside.mask();
    for (unsigned r : group_stride<Block, unsigned>(count)) {
        const Index i = row_of_list(rows, r);
        const Offset first = out.indptr[i];
        const Index entries = static_cast<Index>(out.indptr[i + 1] - first);
        const ColumnBits columns(A, B, mask, i, ncols, bits, WORDS, walk);
        long long before = 0, total;
        for (Index base = 0; base < columns.words; base += blockDim.x) {
            const Index w = base + threadIdx.x;
            const Word word = w < columns.words ? bits[w] : 0;
            const long long end = before + Block::running<long long>(__popc(word), total, walk.sums);
            Index place = static_cast<Index>(end) - __popc(word);
            before += total;
            if (w < columns.words) ranks[w] = place;
            for (Word left = word; left != 0; left &= left - 1)
                out.indices[first + place++] = columns.low + 32 * w + __ffs(left) - 1;
        }
        const Index whole = entries + 3 & ~3;  // small types are folded a word at a time
        for (Index t = threadIdx.x; t < whole; t += blockDim.x) values[t] = S::start();
        each_product<Block>(A, B, i, walk, [&](Offset ea, Offset eb) {
            const Index j = B.indices[eb];
            if (!mask.wants(i, j)) return;
            const Index at = j - columns.low, w = at >> 5;
            const Z z = factors.product(ea, eb, i, j);
            fold_into<S>(values + (ranks[w] + __popc(bits[w] & (1u << (at & 31)) - 1)), z);
        });
        for (Index t = threadIdx.x; t < entries; t += blockDim.x) out.values[first + t] = values[t];
        // each_product waits before others use what a thread has set.
    }
}
