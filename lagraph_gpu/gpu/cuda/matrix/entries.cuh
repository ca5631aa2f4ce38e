// Operations on the stored entries of a matrix, one lane an entry: apply, select, scaling by a
// diagonal matrix; and the transpose.
//
// What is kept is marked in a bitmap over the entries. The running count of its words ranks every
// entry, so that the kept ones move up without a count for each row. A warp reads IN_FLIGHT words
// of entries before it looks at the first of them.
//
// An Entry gives: A, Z, D, Thunk, Offset, keep(i, j, a, vector, thunk), value(...), and whether
// these two read i: keep_reads_row, value_reads_row.
// See docs/decisions/storage.md.
#pragma once
#include "core/fold.cuh"
#include "core/grid_stride.cuh"
#include "core/operands.cuh"
#include "core/partition_point.cuh"
#include "core/row_search.cuh"

// The first of the columns indices[low … high), which increase, that is not below j; or high.
template <class Offset>
__device__ inline Offset seek_column(const Index* indices, Offset low, Offset high, Index j) {
    return partition_point(low, high, [&](Offset e) { return indices[e] < j; });
}

// The places of entries: rows of increasing columns.
template <class Offset> struct Structure {
    const Offset* indptr;
    const Index* indices;

    // The first entry of row i whose column is not below j.
    __device__ Offset seek(Index i, Index j) const {
        return seek_column(indices, indptr[i], indptr[i + 1], j);
    }
    // Is the entry that seek(i, j) found at (i, j)?
    __device__ bool at(Offset e, Index i, Index j) const { return e < indptr[i + 1] && indices[e] == j; }
    __device__ bool has(Index i, Index j) const { return at(seek(i, j), i, j); }
};

// Row number r of a list, which is null for all rows in order.
__device__ inline Index row_of_list(const long long* rows, unsigned r) {
    return static_cast<Index>(rows == nullptr ? r : rows[r]);
}

// Where a matrix may be written. The mask: null indptr for everywhere; a bitmap over its entries
// for a valued one. The region: bitmaps of the rows and the columns assigned to, null for all of
// them.
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

// How many marked entries come before e.
template <class Offset>
__device__ inline Offset rank(const Word* kept, const Offset* ends, Offset e) {
    const Offset word = e >> 5;
    const Offset before = word == 0 ? 0 : ends[word - 1];
    const Word below = (1u << (e & 31)) - 1;
    return (e & 31) == 0 ? before : before + __popc(kept[word] & below);
}

template <class E> struct Scaling {  // the vector on the diagonal, or null
    const Word* bits;
    const typename E::D* values;
};

// The columns and values of this lane's entries in IN_FLIGHT words, as far as they are wanted.
template <class E> struct Few {
    Index j[IN_FLIGHT];
    typename E::A x[IN_FLIGHT];

    template <class Wanted>
    __device__ Few(typename E::Offset word, const Index* indices, const typename E::A* values, int stride,
                   Wanted wanted) {
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) {
            if (!wanted(s)) continue;
            const typename E::Offset e = ((word + s) << 5) + lane_id();
            j[s] = indices[e];
            x[s] = values[e * stride];
        }
    }
};

template <class E>
__global__ void mark_entries(typename E::Offset nnz, Index nrows, Csr<typename E::Offset, typename E::A> A,
                             const Word* d_bits, const typename E::D* d, typename E::Thunk thunk, Word* kept,
                             typename E::Offset* counts) {
    using Offset = typename E::Offset;
    RowsOfWords<Offset> rows{A.indptr, nrows};
    rows.template each<IN_FLIGHT>(nnz, warp_id(), warp_count(), [&](Offset word) {
        const auto here = [&](int s) { return ((word + s) << 5) + lane_id() < nnz; };
        const Few<E> entries(word, A.indices, A.values, A.stride, here);
        Word mine = 0;
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) {
            const Index i = E::keep_reads_row ? rows(word + s) : 0;
            const bool keep = here(s) && E::keep(i, entries.j[s], entries.x[s], Scaling<E>{d_bits, d}, thunk);
            const Word now = __ballot_sync(ALL_LANES, keep);
            if (lane_id() == s) mine = now;
        }
        if (lane_id() >= IN_FLIGHT || ((word + lane_id()) << 5) >= nnz) return;
        kept[word + lane_id()] = mine;
        counts[word + lane_id()] = __popc(mine);
    });
}

template <class E>
__global__ void move_entries(typename E::Offset nnz, Index nrows, Csr<typename E::Offset, typename E::A> A,
                             const Word* d_bits, const typename E::D* d, typename E::Thunk thunk,
                             const Word* kept, const typename E::Offset* ends, typename E::Offset* out_indptr,
                             Index* out_indices, typename E::Z* out_values) {
    using Offset = typename E::Offset;
    RowsOfWords<Offset> rows{A.indptr, nrows};
    rows.template each<IN_FLIGHT>(nnz, warp_id(), warp_count(), [&](Offset word) {
        Word marks[IN_FLIGHT];
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) marks[s] = ((word + s) << 5) < nnz ? kept[word + s] : 0;
        const auto stays = [&](int s) { return marks[s] >> lane_id() & 1u; };
        const Few<E> entries(word, A.indices, A.values, A.stride, stays);
        Offset before = word == 0 ? 0 : ends[word - 1];
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) {
            const Index i = E::value_reads_row && marks[s] != 0 ? rows(word + s) : 0;
            const Offset at = before + __popc(marks[s] & lanes_below());
            before += __popc(marks[s]);
            if (!stays(s)) continue;
            out_indices[at] = entries.j[s];
            out_values[at] = E::value(i, entries.j[s], entries.x[s], Scaling<E>{d_bits, d}, thunk);
        }
    });
    for (Offset i : grid_stride<Offset>(Offset(nrows) + 1)) out_indptr[i] = rank(kept, ends, A.indptr[i]);
}

// The values of a matrix whose entries are all kept.
template <class E>
__global__ void map_entries(typename E::Offset nnz, Index nrows, Csr<typename E::Offset, typename E::A> A,
                            const Word* d_bits, const typename E::D* d, typename E::Thunk thunk,
                            typename E::Z* out_values) {
    using Offset = typename E::Offset;
    RowsOfWords<Offset> rows{A.indptr, nrows};
    rows.template each<IN_FLIGHT>(nnz, warp_id(), warp_count(), [&](Offset word) {
        const auto here = [&](int s) { return ((word + s) << 5) + lane_id() < nnz; };
        const Few<E> entries(word, A.indices, A.values, A.stride, here);
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) {
            const Index i = E::value_reads_row ? rows(word + s) : 0;
            if (!here(s)) continue;
            out_values[((word + s) << 5) + lane_id()] =
                E::value(i, entries.j[s], entries.x[s], Scaling<E>{d_bits, d}, thunk);
        }
    });
}

// The bitmap of a valued mask over its entries: not zero.
template <class Offset, class A>
__global__ void entry_truth(Offset nnz, const A* values, int stride, Word* out) {
    const Offset words = (nnz + 31) >> 5;
    for (Offset word : warp_stride<Offset>(words)) {
        const Offset e = (word << 5) + lane_id();
        const Word now = __ballot_sync(ALL_LANES, e < nnz && values[e * stride] != A(0));
        if (lane_id() == 0) out[word] = now;
    }
}

// Row offsets of 32 bits as such of 64.
__global__ void widen(Index n, const int* narrow, long long* wide) {
    for (Index i : grid_stride<Index>(n)) wide[i] = narrow[i];
}

// How many entries each word of a bitmap marks: for bits that another kernel has set.
template <class Offset> __global__ void count_marked(Offset words, const Word* kept, Offset* counts) {
    for (Offset word : grid_stride<Offset>(words)) counts[word] = __popc(kept[word]);
}

// The row of each entry.
template <class Offset>
__global__ void rows_of_entries(Offset nnz, Index nrows, const Offset* indptr, Index* out) {
    RowsOfWords<Offset> rows{indptr, nrows};
    rows.each(nnz, warp_id(), warp_count(), [&](Offset word) {
        const Index i = rows(word);
        const Offset e = (word << 5) + lane_id();
        if (e < nnz) out[e] = i;
    });
}

// --- transpose ------------------------------------------------------------------------------

// Lanes whose entries are in one column add together, so that they do not wait for each other.
template <class Offset>
__global__ void count_columns(Offset nnz, const Index* indices, Offset* counts) {
    using A = typename AtomicType<Offset>::type;
    const Offset words = (nnz + 31) >> 5;
    for (Offset word : warp_stride<Offset>(words)) {
        const Offset e = (word << 5) + lane_id();
        const Index j = e < nnz ? indices[e] : -1;
        const Word alike = __match_any_sync(ALL_LANES, j);
        if (j >= 0 && (alike & lanes_below()) == 0) atomicAdd(reinterpret_cast<A*>(counts + j), A(__popc(alike)));
    }
}

// order lists the entries by column, then by row; the entry at e comes from order[e].
template <class Offset, class A>
__global__ void move_transposed(Offset nnz, const Index* rows, const A* values, const long long* order,
                                Index* out_indices, A* out_values) {
    for (Offset e : grid_stride<Offset>(nnz)) {
        const Offset from = static_cast<Offset>(order[e]);
        out_indices[e] = rows[from];
        if (values != nullptr) out_values[e] = values[from];
    }
}
