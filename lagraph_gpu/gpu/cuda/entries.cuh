// Operations on the stored entries of a matrix, one thread an entry: apply, select, scaling by a
// diagonal matrix; and the transpose.
//
// What is kept is marked in a bitmap over the entries. The running count of its words ranks every
// entry, so that the kept ones move up without a count for each row.
//
// An Entry gives: A, Z, Offset, reads_row, keep(i, j, a, vector, thunk), value(...).
#pragma once
#include "fold.cuh"

// The row that holds entry e: the last whose first entry is not beyond it.
template <class Offset> __device__ inline Index row_of(const Offset* indptr, Index nrows, Offset e) {
    Index low = 0, high = nrows - 1;
    while (low < high) {
        const Index middle = low + (high - low + 1) / 2;
        if (indptr[middle] <= e) low = middle;
        else high = middle - 1;
    }
    return low;
}

// The rows that hold 32 consecutive entries, a word of them, one for each lane of a warp. A warp takes
// some words at a time, and only for the first of them it searches: the next begins in the row in
// which the last ended, or a later one.
template <class Offset> struct RowsOfWords {
    static constexpr int MOST = 16;  // words that are taken at a time; fewer, if so there would not be
    static constexpr int TURNS = 8;  // so many turns for each, for words are uneven work

    const Offset* indptr;
    Index nrows;
    Offset beside = -1;  // the last word that was asked for,
    Index row = 0;       // and the row of its last entry

    // Calls body(word) for the words of group number `group` of so many.
    template <class Body> static __device__ void each(Offset nnz, Index group, Index groups, Body body) {
        const Offset words = (nnz + 31) >> 5, even = words / groups / TURNS;
        const Offset some = even < 1 ? 1 : even < MOST ? even : MOST;
        for (Offset base = group * some; base < words; base += groups * some)
            for (Offset word = base; word < words && word < base + some; ++word) body(word);
    }

    // The row of this lane's entry, if there is one. All lanes must call this.
    __device__ Index operator()(Offset word) {
        const Offset e = (word << 5) + lane_id();
        if (word != beside + 1) row = row_of(indptr, nrows, word << 5);
        const Index end = row + lane_id() + 1;  // lane l knows where the row that is l further ends
        const Offset ends = indptr[end < nrows ? end : nrows];
        int passed = 0;  // of 31 rows, those that end before
        for (int half = 16; half > 0; half >>= 1)
            if (__shfl_sync(ALL_LANES, ends, passed + half - 1) <= e) passed += half;
        const bool beyond = __shfl_sync(ALL_LANES, ends, passed) <= e;
        const Index mine = beyond ? row_of(indptr, nrows, e) : row + passed;  // many rows are empty
        beside = word;
        row = __shfl_sync(ALL_LANES, mine, 31);
        return mine;
    }
};

// The first of the columns indices[low … high), which increase, that is not below j; or high.
template <class Offset>
__device__ inline Offset seek_column(const Index* indices, Offset low, Offset high, Index j) {
    while (low < high) {
        const Offset middle = low + (high - low) / 2;
        if (indices[middle] < j) low = middle + 1;
        else high = middle;
    }
    return low;
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

// Where a matrix may be written. The mask: null indptr for everywhere; a bitmap over its entries for
// a valued one. The region: bitmaps of the rows and the columns assigned to, null for all of them.
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

template <class E>
__global__ void mark_entries(typename E::Offset nnz, Index nrows, const typename E::Offset* indptr,
                             const Index* indices, const typename E::A* values, int stride,
                             const Word* d_bits, const typename E::D* d, typename E::Thunk thunk,
                             Word* kept, typename E::Offset* counts) {
    using Offset = typename E::Offset;
    const Offset words = (nnz + 31) >> 5;
    for (Offset word = warp_id(); word < words; word += warp_count()) {
        const Offset e = (word << 5) + lane_id();
        bool keep = false;
        if (e < nnz) {
            const Index i = E::reads_row ? row_of(indptr, nrows, e) : 0;
            keep = E::keep(i, indices[e], values[e * stride], Scaling<E>{d_bits, d}, thunk);
        }
        const Word now = __ballot_sync(ALL_LANES, keep);
        if (lane_id() == 0) {
            kept[word] = now;
            counts[word] = __popc(now);
        }
    }
}

template <class E>
__global__ void move_entries(typename E::Offset nnz, Index nrows, const typename E::Offset* indptr,
                             const Index* indices, const typename E::A* values, int stride,
                             const Word* d_bits, const typename E::D* d, typename E::Thunk thunk,
                             const Word* kept, const typename E::Offset* ends,
                             typename E::Offset* out_indptr, Index* out_indices,
                             typename E::Z* out_values) {
    using Offset = typename E::Offset;
    const Offset threads = static_cast<Offset>(gridDim.x) * blockDim.x;
    const Offset first = static_cast<Offset>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (Offset e = first; e < nnz; e += threads) {
        if (!(kept[e >> 5] >> (e & 31) & 1u)) continue;
        const Index i = E::reads_row ? row_of(indptr, nrows, e) : 0;
        const Offset at = rank(kept, ends, e);
        out_indices[at] = indices[e];
        out_values[at] = E::value(i, indices[e], values[e * stride], Scaling<E>{d_bits, d}, thunk);
    }
    for (Offset i = first; i <= nrows; i += threads) out_indptr[i] = rank(kept, ends, indptr[i]);
}

// The values of a matrix of which all entries are kept.
template <class E>
__global__ void map_entries(typename E::Offset nnz, Index nrows, const typename E::Offset* indptr,
                            const Index* indices, const typename E::A* values, int stride,
                            typename E::Thunk thunk, typename E::Z* out_values) {
    using Offset = typename E::Offset;
    RowsOfWords<Offset> rows{indptr, nrows};
    rows.each(nnz, warp_id(), warp_count(), [&](Offset word) {
        const Index i = E::reads_row ? rows(word) : 0;
        const Offset e = (word << 5) + lane_id();
        if (e >= nnz) return;
        out_values[e] = E::value(i, indices[e], values[e * stride], Scaling<E>{nullptr, nullptr}, thunk);
    });
}

// The bitmap of a valued mask over its entries: not zero.
template <class Offset, class A>
__global__ void entry_truth(Offset nnz, const A* values, int stride, Word* out) {
    const Offset words = (nnz + 31) >> 5;
    for (Offset word = warp_id(); word < words; word += warp_count()) {
        const Offset e = (word << 5) + lane_id();
        const Word now = __ballot_sync(ALL_LANES, e < nnz && values[e * stride] != A(0));
        if (lane_id() == 0) out[word] = now;
    }
}

// Row offsets of 32 bits as such of 64.
__global__ void widen(Index n, const int* narrow, long long* wide) {
    const Index threads = gridDim.x * blockDim.x;
    for (Index i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) wide[i] = narrow[i];
}

// How many entries each word of a bitmap marks: for bits that another kernel has set.
template <class Offset> __global__ void count_marked(Offset words, const Word* kept, Offset* counts) {
    const Offset threads = static_cast<Offset>(gridDim.x) * blockDim.x;
    Offset word = static_cast<Offset>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; word < words; word += threads) counts[word] = __popc(kept[word]);
}

// --- transpose ------------------------------------------------------------------------------

template <class Offset>
__global__ void count_columns(Offset nnz, const Index* indices, Offset* counts) {
    const Offset threads = static_cast<Offset>(gridDim.x) * blockDim.x;
    for (Offset e = static_cast<Offset>(blockIdx.x) * blockDim.x + threadIdx.x; e < nnz; e += threads) {
        using A = typename AtomicType<Offset>::type;
        atomicAdd(reinterpret_cast<A*>(counts + indices[e]), A(1));
    }
}

// order lists the entries by column, then by row; the entry at e comes from order[e].
template <class Offset, class A>
__global__ void move_transposed(Offset nnz, Index nrows, const Offset* indptr, const A* values,
                                const long long* order, Index* out_indices, A* out_values) {
    const Offset threads = static_cast<Offset>(gridDim.x) * blockDim.x;
    for (Offset e = static_cast<Offset>(blockIdx.x) * blockDim.x + threadIdx.x; e < nnz; e += threads) {
        const Offset from = static_cast<Offset>(order[e]);
        out_indices[e] = row_of(indptr, nrows, from);
        if (values != nullptr) out_values[e] = values[from];
    }
}
