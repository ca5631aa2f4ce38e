// C = A ⊕.⊗ B by rows, without a mask or under a complemented one (Gustavson 1978; in two passes
// and with hash tables in shared memory, as Nagasaka, Nukada, Matsuoka, ICPP 2017).
//
// The first pass counts the distinct columns of each row of C, and the second computes them. Both
// use a hash table of the group that handles the row: a warp for small rows, and a block for
// middling ones. (Long rows: long_rows.cuh; few products: short_rows.cuh and sorted_rows.cuh; few columns:
// windowed_rows.cuh.) The table of a
// row is the smallest that will be at most three quarters full, by an upper bound: in the first
// pass the number of its products, in the second the number of its entries. O(products) for each
// pass, and O(n log² n) in shared memory to sort a row of n entries. See docs/decisions/spgemm.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/hash_table.cuh"
#include "spgemm/row_products.cuh"
#include "spgemm/row_window.cuh"

constexpr unsigned long long WINDOW_WIDTH = 4;  // fewer entries of a row of B are no work for a warp

// bounds[i] becomes the number of products of a row of at most `ways` entries, which one thread
// adds up. `rest` becomes 1 if there are longer rows.
template <class Offset>
__global__ void short_products(Index nrows, const Offset* a_indptr, const Index* a_indices, Index ways,
                               const Offset* b_indptr, unsigned long long* bounds,
                               unsigned long long* rest) {
    const unsigned rows = nrows;
    for (unsigned base : warp_aligned_stride<unsigned>(rows)) {
        const unsigned i = base + lane_id();
        Offset first = 0, last = 0;
        if (i < rows) {
            first = a_indptr[i];
            last = a_indptr[i + 1];
        }
        const bool is_long = last - first > ways;
        if (i < rows && !is_long) {
            unsigned long long mine = 0;
            for (Offset e = first; e < last; ++e) {
                const Index k = a_indices[e];
                mine += b_indptr[k + 1] - b_indptr[k];
            }
            bounds[i] = mine;
        }
        const Word more = __ballot_sync(ALL_LANES, is_long);
        if (lane_id() == 0 && more != 0) *rest = 1;
    }
}

// bounds[i] += the number of products of row i, for the other rows. A thread for each entry of A; a
// warp within one row adds once.
template <class Offset>
__global__ void row_products(Offset a_nnz, Index nrows, const Offset* a_indptr, const Index* a_indices,
                             Index ways, const Offset* b_indptr, const unsigned long long* rest,
                             unsigned long long* bounds) {
    if (*rest == 0) return;
    RowsOfWords<Offset> rows{a_indptr, nrows};
    rows.each(a_nnz, warp_id(), warp_count(), [&](Offset word) {
        const Offset e = (word << 5) + lane_id();
        const Index i = rows(word);
        unsigned long long mine = 0;
        if (e < a_nnz && a_indptr[i + 1] - a_indptr[i] > ways) {
            const Index k = a_indices[e];
            mine = b_indptr[k + 1] - b_indptr[k];
        }
        if (__all_sync(ALL_LANES, i == __shfl_sync(ALL_LANES, i, 0))) {
            unsigned long long total;
            Warp::running(mine, total, &total);
            mine = lane_id() == 0 ? total : 0;
        }
        if (mine > 0) atomicAdd(bounds + i, mine);
    });
}

// classes[i]: 0 for an empty row; 1 for one of at most `ways` entries in A and `few` products,
// which are in bounds; 2 for products in a window of at most `window` columns, if the rows of B
// that are read have at least WINDOW_WIDTH entries each on average; 3 for at most 32 entries in A
// and `sorted` products; else 4, 5 or 6 for a size of at most `small`, of at most `middling`, and
// of more, or of more products than a group may have. totals[0 … 6] count the classes; totals[7] is
// the sum of all sizes, none of which exceeds ncols; totals[8] is the number of entries in A of
// class 6. A block adds to them once, because all blocks add to the same words.
template <class T, class Offset>
__global__ void classify(Index nrows, const T* sizes, Index ncols, const Offset* a_indptr,
                         const Index* a_indices, const Offset* b_indptr, const Index* b_indices, Index ways,
                         const unsigned long long* bounds, unsigned long long few, int window,
                         unsigned long long sorted, Index small, Index middling, unsigned long long of_warp,
                         unsigned long long of_block, Index* classes, unsigned long long* totals) {
    constexpr int CLASSES = 7, LONG = CLASSES - 1;
    const Structure<Offset> A{a_indptr, a_indices}, B{b_indptr, b_indices};
    __shared__ unsigned long long sums[CLASSES + 2];
    if (threadIdx.x < CLASSES + 2) sums[threadIdx.x] = 0;
    __syncthreads();
    const unsigned rows = nrows;
    unsigned long long mine = 0;     // the first lanes count the classes of the warp's rows
    long long all = 0, entries = 0;  // of this lane's rows
    for (unsigned base : warp_aligned_stride<unsigned>(rows)) {
        const unsigned i = base + lane_id();
        int kind = -1;
        if (i < rows) {
            const Index size = sizes[i] < T(ncols) ? static_cast<Index>(sizes[i]) : ncols;
            const Offset length = a_indptr[i + 1] - a_indptr[i];
            const bool brief = length <= ways && bounds[i] <= few;
            const bool narrow = !brief && length <= window && bounds[i] >= length * WINDOW_WIDTH
                && of_row<Thread>(A, B, i, window).span() <= window;
            const bool few_keys = length <= 32 && bounds[i] <= sorted;
            const bool warp = size <= small && bounds[i] <= of_warp;
            const bool block = size <= middling && bounds[i] <= of_block;
            kind = size == 0 ? 0 : brief ? 1 : narrow ? 2 : few_keys ? 3 : warp ? 4 : block ? 5 : LONG;
            classes[i] = kind;
            all += size;
            if (kind == LONG) entries += length;
        }
        for (int one = 0; one < CLASSES; ++one) {
            const Word same = __ballot_sync(ALL_LANES, kind == one);
            if (lane_id() == one) mine += __popc(same);
        }
    }
    if (lane_id() < CLASSES && mine > 0) atomicAdd(sums + lane_id(), mine);
    Warp::running(all, all, &all);
    Warp::running(entries, entries, &entries);
    if (lane_id() == 0) {
        atomicAdd(sums + CLASSES, static_cast<unsigned long long>(all));
        atomicAdd(sums + CLASSES + 1, static_cast<unsigned long long>(entries));
    }
    __syncthreads();
    if (threadIdx.x < CLASSES + 2 && sums[threadIdx.x] > 0) atomicAdd(totals + threadIdx.x, sums[threadIdx.x]);
}

// --- the two passes -------------------------------------------------------------------------
// rows lists the rows of the class, or is null for all rows. The mask is a complemented one, or there is none if its indptr
// is null. The groups of a block divide SLOTS among them.

template <class Offset, class Group, int SLOTS>
__global__ void
count_row(Index count, const long long* rows, const unsigned long long* bounds, Index ncols,
          const Offset* a_indptr, const Index* a_indices, const Offset* b_indptr,
          const Index* b_indices, const Offset* m_indptr, const Index* m_indices, const Word* truth,
          Index* counts) {
    __shared__ Index all_keys[SLOTS];
    __shared__ Walk walk;
    const Structure<Offset> A{a_indptr, a_indices}, B{b_indptr, b_indices};
    const MatrixMask<Offset> mask{{m_indptr, m_indices}, truth, true};
    const int groups = Group::per_block();
    Index* keys = all_keys + Group::number() * (SLOTS / groups);
    for (unsigned r : group_stride<Group, unsigned>(count)) {
        const Index i = row_of_list(rows, r);
        const HashTable<Index, Group> table{keys, table_size(bounds[i] < ncols ? bounds[i] : ncols)};
        table.clear();
        Index mine = 0;
        each_product<Group>(A, B, i, walk, [&](Offset, Offset eb) {
            const Index j = b_indices[eb];
            if (!mask.wants(i, j)) return;
            bool fresh;
            table.insert(j, fresh);
            mine += fresh;
        });
        const long long found = sum<Group>(mine, walk);
        if (Group::rank() == 0) counts[i] = static_cast<Index>(found);
    }
}

// out_indptr must hold the places of the rows.
template <class S, class Group, int SLOTS>
__global__ void
multiply_row(Index count, const long long* rows, const typename S::Offset* m_indptr,
             const Index* m_indices, const Word* truth, const typename S::Offset* a_indptr,
             const Index* a_indices, const typename S::A* a, int a_stride,
             const typename S::Offset* b_indptr, const Index* b_indices, const typename S::B* b,
             int b_stride, const typename S::Offset* out_indptr, Index* out_indices,
             typename S::Z* out_values) {
    using Offset = typename S::Offset;
    using Z = typename S::Z;
    __shared__ Index all_keys[SLOTS];
    __shared__ __align__(16) Z all_values[SLOTS];
    __shared__ Walk walk;
    const Structure<Offset> A{a_indptr, a_indices}, B{b_indptr, b_indices};
    const MatrixMask<Offset> mask{{m_indptr, m_indices}, truth, true};
    const int groups = Group::per_block();
    Index* keys = all_keys + Group::number() * (SLOTS / groups);
    Z* values = all_values + Group::number() * (SLOTS / groups);
    for (unsigned r : group_stride<Group, unsigned>(count)) {
        const Index i = row_of_list(rows, r);
        const Offset first = out_indptr[i];
        const Index entries = static_cast<Index>(out_indptr[i + 1] - first);
        const HashTable<Index, Group> table{keys, table_size(entries)};
        table.clear();
        for (int t = Group::rank(); t < table.size; t += Group::size()) values[t] = S::start();
        each_product<Group>(A, B, i, walk, [&](Offset ea, Offset eb) {
            const Index j = b_indices[eb];
            if (!mask.wants(i, j)) return;
            bool fresh;
            const int at = table.insert(j, fresh);
            if (S::any && !fresh) return;
            const Z z = S::product(a, ea * a_stride, b, eb * b_stride, i, a_indices[ea], j);
            if constexpr (S::any) values[at] = z;
            else fold_into<S>(values + at, z);
        });
        table.sort(values);
        for (Index t = Group::rank(); t < entries; t += Group::size()) {
            out_indices[first + t] = keys[t];
            out_values[first + t] = values[t];
        }  // for the next row; a thread clears the slots that it has just read
    }
}
