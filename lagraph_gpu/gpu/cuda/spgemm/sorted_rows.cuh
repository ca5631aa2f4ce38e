// The rows of C = A ⊕.⊗ B that read at most 32 rows of B and have few products (see
// gustavson.cuh), with a warp for each row. The warp sorts the columns of the products in registers
// (bitonic sort: Batcher 1968), so that those of one column are adjacent, in the order of A's row,
// and are folded without a table or atomics. O(p log² p) for a row of p products and pass. See
// docs/decisions/spgemm.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/groups.cuh"
#include "matrix/entries.cuh"

constexpr int SORTED_MOST = 8;  // the most products for each lane

// The products of a row, K for each lane; in sorted order number 32 · t + lane has keys[t].
template <int K, class Offset> struct SortedRow {
    using Key = unsigned long long;  // the column, and below it the number of the product

    static constexpr Key NONE = ~0ull;  // after all products
    static_assert(32 * K <= 256, "a number of 8 bits");

    Offset first;     // the first entry of A's row
    WarpShare share;  // of the row's products among its entries, one for each lane
    Offset begin;     // the first entry of B that this lane's entry of A meets
    Key keys[K];

    static __device__ Index column(Key key) { return static_cast<Index>(key >> 8); }
    static __device__ int number(Key key) { return static_cast<int>(key & 0xff); }

    // Calls body(ea, eb) with the entries of product `at` if it is `live`. All lanes must call it.
    template <class Body> __device__ void entries(int at, bool live, Body body) const {
        const int whose = share.owner(at);
        const Offset from = __shfl_sync(ALL_LANES, begin, whose);
        const int before = __shfl_sync(ALL_LANES, share.begin, whose);
        if (live) body(first + whose, from + (at - before));
    }

    __device__ SortedRow(const Structure<Offset>& A, const Structure<Offset>& B,
                         const MatrixMask<Offset>& mask, Index i)
        : first(A.indptr[i]), share(0), begin(0) {
        int products = 0;
        if (first + lane_id() < A.indptr[i + 1]) {
            const Index k = A.indices[first + lane_id()];
            begin = B.indptr[k];
            products = static_cast<int>(B.indptr[k + 1] - begin);
        }
        share = WarpShare(products);
#pragma unroll
        for (int t = 0; t < K; ++t) {
            const int at = 32 * t + lane_id();
            keys[t] = NONE;
            entries(at, at < share.total, [&](Offset, Offset eb) {
                const Index j = B.indices[eb];
                if (mask.wants(i, j)) keys[t] = static_cast<Key>(j) << 8 | static_cast<Key>(at);
            });
        }
        sort();
    }

    static __device__ Key least(Key x, Key y) { return x < y ? x : y; }
    static __device__ Key greatest(Key x, Key y) { return x < y ? y : x; }

    __device__ void sort() {
#pragma unroll
        for (int size = 2; size <= 32 * K; size *= 2) {
#pragma unroll
            for (int distance = size / 2; distance > 0; distance /= 2) {
#pragma unroll
                for (int t = 0; t < K; ++t) {
                    const bool up = ((32 * t + lane_id()) & size) == 0;
                    if (distance < 32) {
                        const Key other = __shfl_xor_sync(ALL_LANES, keys[t], distance);
                        const bool lower = (lane_id() & distance) == 0;
                        keys[t] = lower == up ? least(keys[t], other) : greatest(keys[t], other);
                    } else if ((t & distance / 32) == 0) {
                        const Key x = keys[t], y = keys[t | distance / 32];
                        keys[t] = up ? least(x, y) : greatest(x, y);
                        keys[t | distance / 32] = up ? greatest(x, y) : least(x, y);
                    }
                }
            }
        }
    }

    // Does the column of keys[t] begin there? All lanes must call it.
    __device__ bool begins(int t) const {
        const Key below = __shfl_up_sync(ALL_LANES, keys[t], 1);
        const Key end = __shfl_sync(ALL_LANES, keys[t > 0 ? t - 1 : 0], 31);
        const bool is_first = t == 0 && lane_id() == 0;
        return keys[t] != NONE && (is_first || column(lane_id() == 0 ? end : below) != column(keys[t]));
    }
};

// Calls body(row) with the sorted products of row i, of which there are `products`.
template <class Offset, class Body>
__device__ inline void sorted_row(const Structure<Offset>& A, const Structure<Offset>& B,
                                  const MatrixMask<Offset>& mask, Index i,
                                  unsigned long long products, Body body) {
    if (products <= 32) body(SortedRow<1, Offset>(A, B, mask, i));
    else if (products <= 64) body(SortedRow<2, Offset>(A, B, mask, i));
    else if (products <= 128) body(SortedRow<4, Offset>(A, B, mask, i));
    else body(SortedRow<SORTED_MOST, Offset>(A, B, mask, i));
}

// rows lists the rows, or is null for all rows, and bounds has the number of products of each row of C. The mask is as in
// gustavson.cuh.
template <class Offset>
__global__ void __launch_bounds__(MAX_THREADS)
count_sorted_row(Index count, const long long* rows, const unsigned long long* bounds,
                 const Offset* a_indptr, const Index* a_indices, const Offset* b_indptr,
                 const Index* b_indices, const Offset* m_indptr, const Index* m_indices,
                 const Word* truth, Index* counts) {
    const Structure<Offset> A{a_indptr, a_indices}, B{b_indptr, b_indices};
    const MatrixMask<Offset> mask{{m_indptr, m_indices}, truth, true};
    for (unsigned r : group_stride<Warp, unsigned>(count)) {
        const Index i = row_of_list(rows, r);
        sorted_row(A, B, mask, i, bounds[i], [&](const auto& row) {
            Index columns = 0;
#pragma unroll
            for (int t = 0; 32 * t < static_cast<int>(sizeof row.keys / sizeof *row.keys * 32); ++t)
                columns += __popc(__ballot_sync(ALL_LANES, row.begins(t)));
            if (lane_id() == 0) counts[i] = columns;
        });
    }
}

// Folds the values of each column into the one with which it begins. All lanes must call it.
template <class S, int K, class Offset>
__device__ inline void fold_columns(const SortedRow<K, Offset>& row, typename S::Z (&values)[K]) {
    using Row = SortedRow<K, Offset>;
#pragma unroll
    for (int t = K - 1; t >= 0; --t) {
        const auto key = row.keys[t];
        for (int distance = 1; distance < 32; distance *= 2) {
            const auto other = __shfl_down_sync(ALL_LANES, key, distance);
            const auto value = from_lane(values[t], lane_id() + distance & 31);
            if (lane_id() + distance < 32 && Row::column(other) == Row::column(key))
                values[t] = S::add(values[t], value);
        }
        if (t + 1 == K) continue;
        const auto next = __shfl_sync(ALL_LANES, row.keys[t + 1 < K ? t + 1 : t], 0);
        const auto value = from_lane(values[t + 1 < K ? t + 1 : t], 0);
        if (Row::column(next) == Row::column(key)) values[t] = S::add(values[t], value);
    }
}

// out_indptr must hold the places of the rows.
template <class S>
__global__ void __launch_bounds__(MAX_THREADS)
multiply_sorted_row(Index count, const long long* rows, const unsigned long long* bounds,
                    const typename S::Offset* m_indptr, const Index* m_indices, const Word* truth,
                    const typename S::Offset* a_indptr, const Index* a_indices,
                    const typename S::A* a, int a_stride, const typename S::Offset* b_indptr,
                    const Index* b_indices, const typename S::B* b, int b_stride,
                    const typename S::Offset* out_indptr, Index* out_indices,
                    typename S::Z* out_values) {
    using Offset = typename S::Offset;
    const Structure<Offset> A{a_indptr, a_indices}, B{b_indptr, b_indices};
    const MatrixMask<Offset> mask{{m_indptr, m_indices}, truth, true};
    for (unsigned r : group_stride<Warp, unsigned>(count)) {
        const Index i = row_of_list(rows, r);
        sorted_row(A, B, mask, i, bounds[i], [&](const auto& row) {
            constexpr int K = sizeof row.keys / sizeof *row.keys;
            typename S::Z values[K];
            bool begins[K], alone = true;
#pragma unroll
            for (int t = 0; t < K; ++t) {
                const auto key = row.keys[t];
                const bool live = key != row.NONE;
                begins[t] = row.begins(t);
                alone = alone && live == begins[t];
                values[t] = S::start();
                row.entries(live ? row.number(key) : 0, S::any ? begins[t] : live, [&](Offset ea, Offset eb) {
                    values[t] = S::product(a, ea * a_stride, b, eb * b_stride, i, a_indices[ea], row.column(key));
                });
            }
            if (!S::any && !__all_sync(ALL_LANES, alone)) fold_columns<S>(row, values);
            Offset place = out_indptr[i];
#pragma unroll
            for (int t = 0; t < K; ++t) {
                const Word all = __ballot_sync(ALL_LANES, begins[t]);
                if (begins[t]) {
                    const Offset at = place + __popc(all & lanes_below());
                    out_indices[at] = row.column(row.keys[t]);
                    out_values[at] = values[t];
                }
                place += __popc(all);
            }
        });
    }
}
