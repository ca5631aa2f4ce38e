// The rows of C = A ⊕.⊗ B that are too long for a table in shared memory, or have too many products
// for one group (see gustavson.cuh): all warps of the grid have equal shares of their products.
//
// The entries of A in the listed rows are numbered row by row, and their products entry by entry:
// `row_ends` and `product_ends` are the running sums of the lengths of the rows and of the products
// of the entries. A warp takes consecutive products, and finds the row and the entry of the first
// of them by searching the two sums. As many rows as memory allows are computed at a time; each of
// these has a bitmap of all columns.
//
// The first pass sets the bits of the columns that have products and that the mask wants, and
// counts them. The second pass sets them again, writes them as the columns of the rows, in order,
// together with the number of bits before each word, and folds each product directly into its place
// in C. O(products · log(entries) + ncols / 32) for a row and pass. See docs/decisions/spgemm.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/load_balance.cuh"
#include "spgemm/factors.cuh"

constexpr int PRODUCT_TILE = 256;  // consecutive numbers that a warp takes

// Calls body(number) for the numbers of [from, to), which increase from call to call in a thread.
template <class Body> __device__ inline void each_number(long long from, long long to, Body body) {
    for (long long tile : warp_stride<long long>(to - from, PRODUCT_TILE)) {
        const long long base = from + tile;
        const long long stop = base + PRODUCT_TILE < to ? base + PRODUCT_TILE : to;
        for (long long at = base + lane_id(); at < stop; at += 32) body(at);
    }
}

// Some rows of a matrix, whose entries are numbered in order.
template <class Offset> struct Listed {
    Index count;
    const long long* rows;
    const long long* ends;  // the running sum of their lengths
    const Offset* indptr;

    // The number of the first entry of the r-th row, or of the end.
    __device__ long long begin(Index r) const { return r == 0 ? 0 : ends[r - 1]; }
    // The row that holds entry number `at`. The search begins with the r-th row, which is not
    // beyond it.
    __device__ Index seek(Index r, long long at) const { return next_beyond(ends, r, count - 1, at); }
    __device__ Offset entry(Index r, long long at) const {
        return indptr[rows[r]] + static_cast<Offset>(at - begin(r));
    }
};

template <class Offset>
__global__ void listed_lengths(Index count, const long long* rows, const Offset* indptr, long long* lengths) {
    for (unsigned r : grid_stride<unsigned>(count))
        lengths[r] = indptr[rows[r] + 1] - indptr[rows[r]];
}

// counts[at] = the number of products of A's entry number `at`.
template <class Offset>
__global__ void entry_products(Index count, const long long* rows, const long long* row_ends,
                               const Offset* a_indptr, const Index* a_indices,
                               const Offset* b_indptr, Index* counts) {
    const Listed<Offset> A{count, rows, row_ends, a_indptr};
    Index r = 0;
    each_number(0, A.begin(count), [&](long long at) {
        r = A.seek(r, at);
        const Index k = a_indices[A.entry(r, at)];
        counts[at] = static_cast<Index>(b_indptr[k + 1] - b_indptr[k]);
    });
}

// Calls body(r, ea, eb) for the entries ea of A and eb of B that meet in the products of the rows
// [first, last) of the list; r is the place of the row in the list.
template <class Offset, class Body>
__device__ inline void each_shared_product(const Listed<Offset>& A, Index first, Index last,
                                           const Index* a_indices, const long long* product_ends,
                                           const Offset* b_indptr, Body body) {
    const auto begin = [&](long long at) { return at == 0 ? 0 : product_ends[at - 1]; };
    long long at = A.begin(first);
    Index r = first;
    const long long entries = A.begin(last);
    if (at == entries) return;
    each_number(begin(at), begin(entries), [&](long long p) {
        at = next_beyond(product_ends, at, entries - 1, p);
        r = A.seek(r, at);
        const Offset ea = A.entry(r, at);
        body(r, ea, b_indptr[a_indices[ea]] + static_cast<Offset>(p - begin(at)));
    });
}

// bits: a bitmap of so many words for each of the rows [first, last).
__device__ inline long long bitmap_of(Index r, Index first, Index words) {
    return static_cast<long long>(r - first) * words;
}

// Changes the bits of the columns that a complemented mask excludes in the rows [first, last). They
// are set before the products are marked, so that no product has to search the mask, and cleared
// afterwards.
template <class Offset>
__global__ void flip_excluded(Index count, const long long* rows, const long long* m_ends, Index first,
                              Index last, Outside<Offset> outside, Index words, Word* bits) {
    const Listed<Offset> M{count, rows, m_ends, outside.indptr};
    const Word* const truth = outside.truth;
    Index r = first;
    each_number(M.begin(first), M.begin(last), [&](long long at) {
        r = M.seek(r, at);
        const Offset e = M.entry(r, at);
        if (truth != nullptr && !(truth[e >> 5] >> (e & 31) & 1u)) return;
        const Index j = outside.indices[e];
        atomicXor(bits + bitmap_of(r, first, words) + (j >> 5), 1u << (j & 31));
    });
}

// Sets the bits of the columns that have products.
template <class Offset>
__global__ void mark_products(Index count, const long long* rows, const long long* row_ends,
                              const long long* product_ends, Index first, Index last,
                              Structure<Offset> A, Structure<Offset> B, Index words, Word* bits) {
    const Listed<Offset> listed{count, rows, row_ends, A.indptr};
    each_shared_product(listed, first, last, A.indices, product_ends, B.indptr,
                        [&](Index r, Offset, Offset eb) {
                            claim(bits + bitmap_of(r, first, words), B.indices[eb]);
                        });
}

// --- bits by groups of BITMAP_GROUP words: four words for each lane, read together. A row has
// whole groups.

__device__ inline uint4 words_of_lane(const Word* bits, long long group) {
    return reinterpret_cast<const uint4*>(bits)[group * 32 + lane_id()];
}

__device__ inline int count_bits(uint4 w) { return __popc(w.x) + __popc(w.y) + __popc(w.z) + __popc(w.w); }

// counts[g] = the number of bits of group g.
__global__ void count_groups(long long groups, const Word* bits, Index* counts) {
    for (long long g : warp_stride<long long>(groups)) {
        const int upto = running_sum(count_bits(words_of_lane(bits, g)));
        if (lane_id() == 31) counts[g] = upto;
    }
}

// counts[rows[r]] = the number of bits of row r. ends: the running sum of count_groups.
__global__ void count_columns_of(Index first, Index last, const long long* rows, Index groups,
                                 const long long* ends, Index* counts) {
    for (unsigned t : grid_stride<unsigned>(last - first)) {
        const long long end = (t + 1ll) * groups, begin = end - groups;
        const long long before = begin == 0 ? 0 : ends[begin - 1];
        counts[rows[first + t]] = static_cast<Index>(ends[end - 1] - before);
    }
}

// Writes the columns of the rows [first, last) to their places in C. ranks[w] = the number of bits
// of the row before word w. For `any` only, taken[w] = 0 where word w has bits.
template <class Offset>
__global__ void place_bits(Index first, Index last, const long long* rows, Index groups,
                           const long long* ends, const Word* bits, Index* ranks, Word* taken,
                           const Offset* out_indptr, Index* out_indices) {
    const long long all = static_cast<long long>(last - first) * groups;
    for (long long g : warp_stride<long long>(all)) {
        const long long before = g == 0 ? 0 : ends[g - 1];
        if (ends[g] == before) continue;
        const Index t = static_cast<Index>(g / groups);
        const long long begin = static_cast<long long>(t) * groups;
        const uint4 mine = words_of_lane(bits, g);
        const Word four[4] = {mine.x, mine.y, mine.z, mine.w};
        const int count = count_bits(mine);
        const long long of_row = begin == 0 ? 0 : ends[begin - 1];
        Index rank = static_cast<Index>(before - of_row) + running_sum(count) - count;
        const Offset place = out_indptr[rows[first + t]];
        const Index word = static_cast<Index>(g - begin) * BITMAP_GROUP + lane_id() * 4;  // of the row
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            if (four[i] == 0) continue;
            const long long w = begin * BITMAP_GROUP + word + i;
            ranks[w] = rank;
            if (taken != nullptr) taken[w] = 0;
            for (Word left = four[i]; left != 0; left &= left - 1, ++rank)
                out_indices[place + rank] = ((word + i) << 5) + __ffs(left) - 1;
        }
    }
}

// Folds the products of the rows [first, last) into their places in C, which must hold start(),
// except for `any`.
template <class S>
__global__ void fold_products(Index count, const long long* rows, const long long* row_ends,
                              const long long* product_ends, Index first, Index last, Factors<S> factors,
                              Index words, const Word* bits, const Index* ranks, Word* taken,
                              ProductRows<S> out) {
    using Offset = typename S::Offset;
    const Listed<Offset> listed{count, rows, row_ends, factors.a.indptr};
    const auto fold = [&](Index r, Offset ea, Offset eb) {
        const Index j = factors.b.indices[eb];
        const long long own = bitmap_of(r, first, words), w = own + (j >> 5);
        const Word word = bits[w], bit = 1u << (j & 31);
        if (!(word & bit)) return;  // the mask excludes it
        if (S::any && !claim(taken + own, j)) return;
        const Index i = static_cast<Index>(rows[r]);
        typename S::Z* const at = out.values + out.indptr[i] + ranks[w] + __popc(word & (bit - 1));
        const typename S::Z z = factors.product(ea, eb, i, j);
        if constexpr (S::any) *at = z;
        else fold_into<S>(at, z);
    };
    each_shared_product(listed, first, last, factors.a.indices, product_ends, factors.b.indptr, fold);
}
