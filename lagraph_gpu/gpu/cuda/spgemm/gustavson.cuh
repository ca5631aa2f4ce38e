// C = A ⊕.⊗ B by rows, without a mask or under a complemented one (Gustavson 1978; in two passes
// and with hash tables in shared memory, as Nagasaka, Nukada, Matsuoka, ICPP 2017).
//
// The first pass counts the distinct columns of each row of C, and the second computes them. Both
// use a hash table of the group that handles the row: a warp for small rows, and a block for
// medium ones. (Long rows: long_rows.cuh; few products: short_rows.cuh and sorted_rows.cuh; few
// columns: windowed_rows.cuh and ranked_rows.cuh.) The table of a row is the smallest that will be
// at most three quarters full, by an upper bound: in the first pass the number of its products, in
// the second the number of its entries. O(products) for each pass, and O(n log² n) in shared memory
// to sort a row of n entries. See docs/decisions/spgemm.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/hash_table.cuh"
#include "spgemm/factors.cuh"
#include "spgemm/row_kinds.cuh"
#include "spgemm/row_products.cuh"

// bounds[i] becomes the number of products of a row of at most `ways` entries, which one thread
// adds up. `rest` becomes 1 if there are longer rows.
template <class Offset>
__global__ void short_products(Index nrows, const Offset* a_indptr, const Index* a_indices, Index ways,
                               const Offset* b_indptr, unsigned long long* bounds,
                               unsigned long long* rest) {
    const unsigned rows = nrows;
    for (unsigned base : warp_stride<unsigned>(rows, 32)) {
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

constexpr unsigned long long WINDOW_WIDTH = 4;  // the entries of a row of B that are work for lanes
constexpr unsigned long long SCANNED = 1024;    // the entries of A's row that a thread looks at

// The largest row of each kind. A size is a bound on the entries of a row.
struct RowLimits {
    unsigned long long few, sorted, of_warp, of_block;  // products: SHORT, SORTED, WARP, BLOCK
    unsigned long long of_ranked;                       // RANKED
    Index ways, brief;                                  // entries in A, size: SHORT
    Index window;                                       // columns from the first to the last: WINDOWED
    Index small;                                        // size: WARP
    Index columns, ranked;                              // columns, size: RANKED
    Index middling;                                     // size: BLOCK

    // The kind of row i of that many entries in A, products, and size.
    template <class Offset>
    __device__ RowKind::Of kind(const Structure<Offset>& A, const Structure<Offset>& B, Index i, Index ncols,
                            unsigned long long length, unsigned long long products, Index size) const {
        if (size == 0) return RowKind::NONE;
        if (length <= ways && products <= few && size <= brief) return RowKind::SHORT;
        if (length <= window && products >= length * WINDOW_WIDTH
            && window_of<Thread>(A, B, i, window).span() <= window) return RowKind::WINDOWED;
        if (length <= 32 && products <= sorted) return RowKind::SORTED;
        if (size <= small && products <= of_warp) return RowKind::WARP;
        if (size <= ranked && products <= of_ranked && (ncols <= columns || (length <= SCANNED
            && window_of<Thread>(A, B, i, columns).span() <= columns))) return RowKind::RANKED;
        if (size <= middling && products <= of_block) return RowKind::BLOCK;
        return RowKind::LONG;
    }
};

// kinds[i] becomes the kind of row i, from its products in bounds. totals[0 … 7] count the kinds;
// the next is the sum of all sizes, none of which exceeds ncols; and the next the number of entries
// in A of long rows. A block adds to them once, because all blocks add to the same words.
template <class T, class Offset>
__global__ void classify(Index nrows, const T* sizes, Index ncols, Structure<Offset> A, Structure<Offset> B,
                         const unsigned long long* bounds, RowLimits limits, Index* kinds,
                         unsigned long long* totals) {
    __shared__ unsigned long long sums[RowKind::COUNT + 2];
    if (threadIdx.x < RowKind::COUNT + 2) sums[threadIdx.x] = 0;
    __syncthreads();
    const unsigned rows = nrows;
    unsigned long long mine = 0;     // the first lanes count the classes of the warp's rows
    long long all = 0, entries = 0;  // of this lane's rows
    for (unsigned base : warp_stride<unsigned>(rows, 32)) {
        const unsigned i = base + lane_id();
        int kind = -1;
        if (i < rows) {
            const Index size = sizes[i] < T(ncols) ? static_cast<Index>(sizes[i]) : ncols;
            const Offset length = A.indptr[i + 1] - A.indptr[i];
            kind = limits.kind(A, B, i, ncols, length, bounds[i], size);
            kinds[i] = kind;
            all += size;
            if (kind == RowKind::LONG) entries += length;
        }
        for (int one = 0; one < RowKind::COUNT; ++one) {
            const Word same = __ballot_sync(ALL_LANES, kind == one);
            if (lane_id() == one) mine += __popc(same);
        }
    }
    if (lane_id() < RowKind::COUNT && mine > 0) atomicAdd(sums + lane_id(), mine);
    Warp::running(all, all, &all);
    Warp::running(entries, entries, &entries);
    if (lane_id() == 0) {
        atomicAdd(sums + RowKind::COUNT, static_cast<unsigned long long>(all));
        atomicAdd(sums + RowKind::COUNT + 1, static_cast<unsigned long long>(entries));
    }
    __syncthreads();
    if (threadIdx.x < RowKind::COUNT + 2 && sums[threadIdx.x] > 0) atomicAdd(totals + threadIdx.x, sums[threadIdx.x]);
}

// --- the two passes -------------------------------------------------------------------------
// rows lists the rows of the class, or is null for all rows. The groups of a block divide SLOTS among them.

template <class Offset, class Group, int SLOTS>
__global__ void
count_row(Index count, const long long* rows, const unsigned long long* bounds, Index ncols,
          Structure<Offset> A, Structure<Offset> B, Outside<Offset> outside, Index* counts) {
    __shared__ Index all_keys[SLOTS];
    __shared__ Walk walk;
    const MatrixMask<Offset> mask = outside.mask();
    const int groups = Group::per_block();
    Index* keys = all_keys + Group::number() * (SLOTS / groups);
    for (unsigned r : group_stride<Group, unsigned>(count)) {
        const Index i = row_of_list(rows, r);
        const HashTable<Index, Group> table{keys, table_size(bounds[i] < ncols ? bounds[i] : ncols)};
        table.clear();
        Index mine = 0;
        each_product<Group>(A, B, i, walk, [&](Offset, Offset eb) {
            const Index j = B.indices[eb];
            if (!mask.wants(i, j)) return;
            bool fresh;
            table.insert(j, fresh);
            mine += fresh;
        });
        const long long found = sum<Group>(mine, walk);
        if (Group::rank() == 0) counts[i] = static_cast<Index>(found);
    }
}

// C must have the places of its rows.
template <class S, class Group, int SLOTS>
__global__ void
multiply_row(Index count, const long long* rows, Outside<typename S::Offset> outside, Factors<S> factors,
             ProductRows<S> out) {
    using Offset = typename S::Offset;
    using Z = typename S::Z;
    __shared__ Index all_keys[SLOTS];
    __shared__ __align__(16) Z all_values[SLOTS];
    __shared__ Walk walk;
    const Structure<Offset> A = factors.A(), B = factors.B();
    const MatrixMask<Offset> mask = outside.mask();
    const int groups = Group::per_block();
    Index* keys = all_keys + Group::number() * (SLOTS / groups);
    Z* values = all_values + Group::number() * (SLOTS / groups);
    for (unsigned r : group_stride<Group, unsigned>(count)) {
        const Index i = row_of_list(rows, r);
        const Offset first = out.indptr[i];
        const Index entries = static_cast<Index>(out.indptr[i + 1] - first);
        const HashTable<Index, Group> table{keys, table_size(entries)};
        table.clear();
        for (int t = Group::rank(); t < table.size; t += Group::size()) values[t] = S::start();
        each_product<Group>(A, B, i, walk, [&](Offset ea, Offset eb) {
            const Index j = B.indices[eb];
            if (!mask.wants(i, j)) return;
            bool fresh;
            const int at = table.insert(j, fresh);
            if (S::any && !fresh) return;
            const Z z = factors.product(ea, eb, i, j);
            if constexpr (S::any) values[at] = z;
            else fold_into<S>(values + at, z);
        });
        table.sort(values);
        for (Index t = Group::rank(); t < entries; t += Group::size()) {
            out.indices[first + t] = keys[t];
            out.values[first + t] = values[t];
        }  // for the next row; a thread clears the slots that it has just read
    }
}
