// The rows of C = A ⊕.⊗ B that read at most 32 rows of B and have few products (see
// gustavson.cuh), with a warp for each row. The warp sorts the columns of the products in registers
// (bitonic sort: Batcher 1968), so that those of one column are adjacent, in the order of A's row,
// and are folded without a table or atomics. O(p log² p) for a row of p products and pass. See
// docs/decisions/spgemm.md.
#pragma once
#include "core/append.cuh"
#include "spgemm/factors.cuh"
#include "spgemm/row_kinds.cuh"

constexpr int SORTED_MOST = SORTED_PRODUCTS / 32;  // for each lane

// The columns of the products of a row, K for each lane; in sorted order number 32 · t + lane has keys[t].
// A key is the column, and below it the number of the product.
template <int K, class Key> struct SortedRow {
    static constexpr Key NONE = ~Key(0);  // after all products: greater than the key of any column
    static_assert(32 * K <= 256, "a number of 8 bits");

    Key keys[K];

    static __device__ Index column(Key key) { return static_cast<Index>(key >> 8); }
    static __device__ int number(Key key) { return static_cast<int>(key & 0xff); }

    // Sorts the products of row i that the mask wants, and calls body(number, ea, eb, j) for the
    // entries of A and B that meet in each. All lanes must call it.
    template <class Offset, class Body>
    __device__ SortedRow(const Structure<Offset>& A, const Structure<Offset>& B,
                         const MatrixMask<Offset>& mask, Index i, Body body) {
        const Offset first = A.indptr[i];
        Offset begin = 0;  // the first entry of B that this lane's entry of A meets
        int products = 0;
        if (first + lane_id() < A.indptr[i + 1]) {
            const Index k = A.indices[first + lane_id()];
            begin = B.indptr[k];
            products = static_cast<int>(B.indptr[k + 1] - begin);
        }
        const WarpShare share(products);
#pragma unroll
        for (int t = 0; t < K; ++t) {
            const int at = 32 * t + lane_id(), whose = share.owner(at);
            const Offset from = __shfl_sync(ALL_LANES, begin, whose);
            const int before = __shfl_sync(ALL_LANES, share.begin, whose);
            keys[t] = NONE;
            if (at >= share.total) continue;
            const Offset eb = from + (at - before);
            const Index j = B.indices[eb];
            if (!mask.wants(i, j)) continue;
            keys[t] = static_cast<Key>(j) << 8 | static_cast<Key>(at);
            body(at, first + whose, eb, j);
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

// Calls product as SortedRow does, and then body(row) with the sorted products of row i, of which
// there are `products`.
template <class Key, class Offset, class Product, class Body>
__device__ inline void sorted_row(const Structure<Offset>& A, const Structure<Offset>& B,
                                  const MatrixMask<Offset>& mask, Index i,
                                  unsigned long long products, Product product, Body body) {
    if (products <= 32) body(SortedRow<1, Key>(A, B, mask, i, product));
    else if (products <= 64) body(SortedRow<2, Key>(A, B, mask, i, product));
    else if (products <= 128) body(SortedRow<4, Key>(A, B, mask, i, product));
    else body(SortedRow<SORTED_MOST, Key>(A, B, mask, i, product));
}

// rows lists the rows; if it is null, they are those of that kind. bounds has the number of products
// of each row of C. A key of 32 bits has room for fewer than 2²⁴ columns.
template <class Offset, class Key>
__global__ void __launch_bounds__(MAX_THREADS)
count_sorted_row(Index count, const long long* rows, const Index* kinds, const unsigned long long* bounds,
                 Structure<Offset> A, Structure<Offset> B, Outside<Offset> outside, Index* counts) {
    const MatrixMask<Offset> mask = outside.mask();
    const RowsOfKind mine{rows, kinds, RowKind::SORTED};
    for (unsigned r : group_stride<Warp, unsigned>(count)) {
        const Index i = mine(r);
        if (i < 0) continue;
        const auto nothing = [](int, Offset, Offset, Index) {};
        sorted_row<Key>(A, B, mask, i, bounds[i], nothing, [&](const auto& row) {
            Index columns = 0;
#pragma unroll
            for (int t = 0; 32 * t < static_cast<int>(sizeof row.keys / sizeof *row.keys * 32); ++t)
                columns += __popc(__ballot_sync(ALL_LANES, row.begins(t)));
            if (lane_id() == 0) counts[i] = columns;
        });
    }
}

// Folds the values of each column into the one with which it begins. All lanes must call it.
template <class S, int K, class Key>
__device__ inline void fold_columns(const SortedRow<K, Key>& row, typename S::Z (&values)[K]) {
    using Row = SortedRow<K, Key>;
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

// out_indptr must hold the places of the rows. The values of the products wait in shared memory.
template <class S, class Key>
__global__ void __launch_bounds__(MAX_THREADS)
multiply_sorted_row(Index count, const long long* rows, const Index* kinds, const unsigned long long* bounds,
                    const typename S::Offset* m_indptr, const Index* m_indices, const Word* truth,
                    const typename S::Offset* a_indptr, const Index* a_indices,
                    const typename S::A* a, int a_stride, const typename S::Offset* b_indptr,
                    const Index* b_indices, const typename S::B* b, int b_stride,
                    const typename S::Offset* out_indptr, Index* out_indices,
                    typename S::Z* out_values) {
    using Offset = typename S::Offset;
    using Z = typename S::Z;
    __shared__ __align__(16) Z all_products[MAX_THREADS * SORTED_MOST];
    Z* const products = all_products + Warp::number() * 32 * SORTED_MOST;
    const Structure<Offset> A{a_indptr, a_indices}, B{b_indptr, b_indices};
    const MatrixMask<Offset> mask{{m_indptr, m_indices}, truth, true};
    const RowsOfKind mine{rows, kinds, RowKind::SORTED};
    for (unsigned r : group_stride<Warp, unsigned>(count)) {
        const Index i = mine(r);
        if (i < 0) continue;
        const auto keep = [&](int number, Offset ea, Offset eb, Index j) {
            products[number] = S::product(a, ea * a_stride, b, eb * b_stride, i, a_indices[ea], j);
        };
        sorted_row<Key>(A, B, mask, i, bounds[i], keep, [&](const auto& row) {
            constexpr int K = sizeof row.keys / sizeof *row.keys;
            Z values[K];
            bool begins[K], alone = true;
            __syncwarp();
#pragma unroll
            for (int t = 0; t < K; ++t) {
                const auto key = row.keys[t];
                const bool live = key != row.NONE;
                begins[t] = row.begins(t);
                alone = alone && live == begins[t];
                values[t] = live ? products[row.number(key)] : S::start();
            }
            __syncwarp();  // before the products of the next row
            if (!S::any && !__all_sync(ALL_LANES, alone)) fold_columns<S>(row, values);
            Offset place = out_indptr[i];
#pragma unroll
            for (int t = 0; t < K; ++t) {
                const Offset at = append_own(begins[t], place);
                if (!begins[t]) continue;
                out_indices[at] = row.column(row.keys[t]);
                out_values[at] = values[t];
            }
        });
    }
}
