// Sorted lists of ids of 64 bits, and rows and columns that are numbered by their ranks in such lists.
//
// A matrix of few entries for its rows is stored under the ranks of the rows and the columns in use
// (see gpu/hypersparse). Before a statement its operands are brought under common lists: the row offsets
// and the column of each entry are looked up by a binary search, and values stay where they are. So
// the time is that of the entries and of the ids in use, not of the positions.
// See docs/decisions/storage.md.
#pragma once
#include "core/bitmap.cuh"
#include "core/grid_stride.cuh"
#include "core/partition_point.cuh"

using Id = unsigned long long;

// A sorted list of ids; a null list holds every position, so that an id is its own rank.
struct Ids {
    const Id* ids;
    Index count;

    __device__ Id at(Index rank) const { return ids == nullptr ? static_cast<Id>(rank) : ids[rank]; }

    // How many ids are below this one.
    __device__ Index below(Id id) const {
        if (ids == nullptr) return static_cast<Index>(id < static_cast<Id>(count) ? id : static_cast<Id>(count));
        return partition_point(Index(0), count, [&](Index i) { return ids[i] < id; });
    }
};

// Two lists in one order; an id of both lists stands there twice.
__global__ void merge_ids(Ids one, Ids other, Id* merged) {
    const long long both = static_cast<long long>(one.count) + other.count;
    for (long long e : grid_stride<long long>(both)) {
        const bool first = e < one.count;
        const Index i = static_cast<Index>(first ? e : e - one.count);
        const Id id = first ? one.ids[i] : other.ids[i];
        const long long before = first ? other.below(id) : one.below(id + 1);
        merged[i + before] = id;
    }
}

// The marked ids of a list, or the marked numbers if it is null, in order; and for each of them its
// number in the list, and the length of the list behind them, unless `begins` is null. ends: the
// running count of marks at the end of each word.
template <class Offset>
__global__ void keep_ids(long long count, const Id* ids, const Word* kept, const long long* ends, Id* out,
                         Offset* begins) {
    const long long words = (count + 31) >> 5;
    for (long long word : grid_stride<long long>(words)) {
        Word left = kept[word];
        long long at = ends[word] - __popc(left);
        for (; left != 0; left &= left - 1, ++at) {
            const long long e = (word << 5) + __ffs(left) - 1;
            out[at] = ids == nullptr ? static_cast<Id>(e) : ids[e];
            if (begins != nullptr) begins[at] = static_cast<Offset>(e);
        }
        if (begins != nullptr && word == words - 1) begins[at] = static_cast<Offset>(count);
    }
}

// The rank of each wanted id in a list, or -1 if it is not there.
__global__ void rank_ids(Index count, const Id* wanted, Ids list, Index* ranks) {
    for (unsigned i : grid_stride<unsigned>(count)) {
        const Index at = list.below(wanted[i]);
        ranks[i] = at < list.count && list.at(at) == wanted[i] ? at : -1;
    }
}

// The ids at these ranks as values, and what is added to each.
template <class T>
__global__ void ids_of_entries(long long nnz, const Index* ranks, Ids list, long long first, T* out) {
    for (long long e : grid_stride<long long>(nnz))
        out[e] = static_cast<T>(static_cast<long long>(list.at(ranks[e])) + first);
}

// Rows and columns under other lists, in which all ids with entries are. What is null stays.
template <class Offset>
__global__ void rename(Ids rows, Ids new_rows, const Offset* indptr, Offset* new_indptr, Offset nnz, Ids columns,
                       Ids new_columns, const Index* indices, Index* new_indices) {
    if (new_indptr != nullptr)
        for (long long r : grid_stride<long long>(new_rows.count + 1ll)) {
            const bool end = r == new_rows.count;
            new_indptr[r] = indptr[end ? rows.count : rows.below(new_rows.at(static_cast<Index>(r)))];
        }
    if (new_indices != nullptr)
        for (long long e : grid_stride<long long>(nnz)) new_indices[e] = new_columns.below(columns.at(indices[e]));
}

// Which rows have entries, and which columns; bits of columns are 0 at first.
template <class Offset> __global__ void mark_rows(Index n, const Offset* indptr, Word* bits) {
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index r = (word << 5) + lane_id();
        const Word used = __ballot_sync(ALL_LANES, r < n && indptr[r] < indptr[r + 1]);
        if (lane_id() == 0) bits[word] = used;
    }
}

__global__ void mark_columns(long long nnz, const Index* indices, Word* bits) {
    for (long long e : grid_stride<long long>(nnz)) claim(bits, indices[e]);
}

// The two ends of pairs (see coordinates.cuh), as ids.
__global__ void split_pairs(long long count, const Id* pairs, Id* rows, Id* columns) {
    for (long long e : grid_stride<long long>(count)) {
        rows[e] = pairs[e] >> 32;
        columns[e] = pairs[e] & 0xffffffffull;
    }
}

// The entries of a vector at their new positions, in a vector without entries.
template <class T>
__global__ void spread(Index n, const Id* ids, const Word* bits, const T* values, Word* out_bits, T* out) {
    for (unsigned i : grid_stride<unsigned>(n)) {
        if (!present(bits, i)) continue;
        const Index at = static_cast<Index>(ids[i]);
        out[at] = values[i];
        mark(out_bits, at);
    }
}
