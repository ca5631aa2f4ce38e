// What a pull by entries (see segmented_spmv.cuh) needs to know of a matrix, made once for each
// matrix.
//
// Rows with entries are numbered in order, and each marks the entry that it begins with: one bit
// for each entry. So the number of the row that an entry is in is the number of marks up to it, and
// rows without entries are not met at all. Every SPAN entries that number is kept: no search is
// needed.
//
// And where a matrix is multiplied often, numbers of its columns by falling entries (see
// column_blocked.cuh).
// See docs/decisions/spmv.md.
#pragma once
#include "core/bitmap.cuh"
#include "core/grid_stride.cuh"
#include "core/warp_reduce.cuh"


// bits: which rows have entries; counts: how many of each word of 32, unless it is null.
template <class Offset>
__global__ void mark_rows(Index n, const Offset* indptr, Word* bits, Index* counts) {
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index i = (word << 5) + lane_id();
        const Word has = __ballot_sync(ALL_LANES, i < n && indptr[i + 1] > indptr[i]);
        if (lane_id() == 0) {
            bits[word] = has;
            if (counts != nullptr) counts[word] = __popc(has);
        }
    }
}

// rows: the rows with entries; begins: the marks, clear before; ranks: the marks before every SPAN
// entries; ends: running sum of mark_rows' counts.
template <class Offset>
__global__ void mark_begins(Index n, const Offset* indptr, const Word* bits, const Index* ends,
                            Index* rows, Word* begins, Index* ranks) {
    if (warp_id() == 0 && lane_id() == 0) ranks[0] = 0;
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Word has = bits[word];
        if (!(has >> lane_id() & 1u)) continue;
        const Index i = (word << 5) + lane_id();
        const Index rank = ends[word] - __popc(has >> lane_id());
        const Offset first = indptr[i], end = indptr[i + 1];
        rows[rank] = i;
        atomicOr(begins + (first >> 5), 1u << (first & 31));
        for (Offset span = first / SPAN + 1; span <= end / SPAN; ++span) ranks[span] = rank + 1;
    }
}

// Keys that sort columns by falling entries, ties by number, which is the lower half. `begins` are
// the offsets of the transpose's rows.
template <class Offset>
__global__ void column_keys(Index ncols, const Offset* begins, long long* keys) {
    for (long long j : grid_stride<long long>(ncols)) {
        const long long entries = begins[j + 1] - begins[j];
        keys[j] = (0x7fffffff - (entries < 0x7fffffff ? entries : 0x7fffffff)) << 32 | j;
    }
}

// to: of each column its place in the order of keys. totals[0]: how many columns have entries;
// totals[1]: how many have a place that differs from their number; totals[2 + p]: the entries of
// panel p, which has `width` columns, a multiple of 32.
__global__ void rank_columns(Index ncols, Index width, const long long* keys, Index* to,
                             unsigned long long* totals) {
    unsigned long long used = 0, moved = 0;
    for (long long base : warp_stride<unsigned>(ncols, 32)) {
        const long long i = base + lane_id();
        unsigned long long entries = 0;
        bool moves = false;
        if (i < ncols) {
            entries = 0x7fffffff - (keys[i] >> 32);
            to[keys[i] & 0x7fffffff] = static_cast<Index>(i);
            moves = (keys[i] & 0x7fffffff) != i;
        }
        moved += __popc(__ballot_sync(ALL_LANES, moves));
        used += __popc(__ballot_sync(ALL_LANES, entries > 0));
        entries = warp_reduce<Sum>(entries);
        if (lane_id() == 0 && entries > 0) atomicAdd(totals + 2 + base / width, entries);
    }
    if (lane_id() == 0 && used > 0) atomicAdd(totals, used);
    if (lane_id() == 0 && moved > 0) atomicAdd(totals + 1, moved);
}
