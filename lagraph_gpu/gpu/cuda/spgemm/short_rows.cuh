// The rows of C = A ⊕.⊗ B that have few rows of B and few products (see gustavson.cuh), with a
// thread for each row. A thread merges the rows of B and reads one column of each at a time, so the
// columns of C come in order, each with all of its products, without a table, a sort or atomics.
// O(products + columns · WAYS) for a row and pass. See docs/decisions/spgemm.md.
#pragma once
#include "core/grid_stride.cuh"
#include "spgemm/factors.cuh"
#include "spgemm/row_kinds.cuh"

// Calls product(j, ea, eb) for the entries ea of A and eb of B that meet in the products of row i,
// column by column, and column(j) after those of column j. Row i of A has at most WAYS entries, and
// at most 255 products.
template <int WAYS, class Offset, class Product, class Column>
__device__ inline void each_column(const Structure<Offset>& A, const Structure<Offset>& B, Index i,
                                   Product product, Column column) {
    constexpr Index NONE = 0x7fffffff;  // no column, and greater than all columns
    const Offset first = A.indptr[i];
    const int ways = static_cast<int>(A.indptr[i + 1] - first);
    Offset at[WAYS];                 // the next entry of each row of B,
    Index next[WAYS];                // its column,
    Word left[(WAYS + 3) / 4] = {};  // and the number of entries from it on, one byte each
#pragma unroll
    for (int w = 0; w < WAYS; ++w) {
        at[w] = 0;
        if (w < ways) {
            const Index k = A.indices[first + w];
            at[w] = B.indptr[k];
            left[w / 4] |= static_cast<Word>(B.indptr[k + 1] - at[w]) << w % 4 * 8;
        }
    }
    const auto column_of = [&](int w) { return left[w / 4] >> w % 4 * 8 & 0xff ? B.indices[at[w]] : NONE; };
#pragma unroll
    for (int w = 0; w < WAYS; ++w) next[w] = column_of(w);
    while (true) {
        Index j = NONE;
#pragma unroll
        for (int w = 0; w < WAYS; ++w) j = next[w] < j ? next[w] : j;
        if (j == NONE) return;
#pragma unroll
        for (int w = 0; w < WAYS; ++w) {
            if (next[w] != j) continue;
            product(j, first + w, at[w]);
            ++at[w];
            left[w / 4] -= 1u << w % 4 * 8;
            next[w] = column_of(w);
        }
        column(j);
    }
}

// kinds: of all rows; those that are not RowKind::SHORT are skipped.
template <class Offset, int WAYS>
__global__ void count_short_row(Index nrows, const Index* kinds, Structure<Offset> A, Structure<Offset> B,
                                Outside<Offset> outside, Index* counts) {
    const MatrixMask<Offset> mask = outside.mask();
    for (unsigned i : grid_stride<unsigned>(nrows)) {
        if (kinds[i] != RowKind::SHORT) continue;
        Index count = 0;
        each_column<WAYS>(A, B, i, [](Index, Offset, Offset) {},
                          [&](Index j) { count += mask.wants(i, j); });
        counts[i] = count;
    }
}

// out_indptr must hold the places of the rows. A warp has 32 rows. If these are all the rows that C
// has there, their entries, at most EACH of a row, are collected in shared memory and written
// together.
template <class S, int WAYS, int EACH>
__global__ void __launch_bounds__(MAX_THREADS, 4)
multiply_short_row(Index nrows, const Index* kinds, const typename S::Offset* m_indptr,
                   const Index* m_indices, const Word* truth, const typename S::Offset* a_indptr,
                   const Index* a_indices, const typename S::A* a, int a_stride,
                   const typename S::Offset* b_indptr, const Index* b_indices,
                   const typename S::B* b, int b_stride, const typename S::Offset* out_indptr,
                   Index* out_indices, typename S::Z* out_values) {
    using Offset = typename S::Offset;
    using Z = typename S::Z;
    constexpr int ROOM = 32 * EACH;  // the entries of a warp
    __shared__ Index all_columns[MAX_THREADS / 32 * ROOM];
    __shared__ __align__(16) Z all_values[MAX_THREADS / 32 * ROOM];
    Index* const columns = all_columns + Warp::number() * ROOM;
    Z* const values = all_values + Warp::number() * ROOM;
    const Structure<Offset> A{a_indptr, a_indices}, B{b_indptr, b_indices};
    const MatrixMask<Offset> mask{{m_indptr, m_indices}, truth, true};
    const unsigned rows = nrows;
    for (unsigned base : warp_stride<unsigned>(rows, 32)) {
        const unsigned i = base + lane_id();
        const Index kind = i < rows ? kinds[i] : 0;
        const Offset begin = out_indptr[base];
        const Offset entries = out_indptr[rows - base < 32 ? rows : base + 32] - begin;
        const bool together = __all_sync(ALL_LANES, kind <= RowKind::SHORT);
        if (kind == RowKind::SHORT) {
            Offset place = out_indptr[i] - begin;
            Partial<S> sum = nothing<S>();
            each_column<WAYS>(
                A, B, i,
                [&](Index j, Offset ea, Offset eb) {
                    if (S::any && sum.has) return;
                    sum.fold(S::product(a, ea * a_stride, b, eb * b_stride, i, a_indices[ea], j));
                },
                [&](Index j) {
                    if (mask.wants(i, j)) {
                        *(together ? columns + place : out_indices + (begin + place)) = j;
                        *(together ? values + place : out_values + (begin + place)) = sum.value;
                        ++place;
                    }
                    sum = nothing<S>();
                });
        }
        if (!together) continue;
        __syncwarp();
        for (int t = lane_id(); t < entries; t += 32) {
            out_indices[begin + t] = columns[t];
            out_values[begin + t] = values[t];
        }
        __syncwarp();  // before the next rows
    }
}
