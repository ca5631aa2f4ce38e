// What a pull by entries (see even.cuh) knows of a matrix beforehand, made once for each matrix.
//
// Rows with entries are numbered in order, and each marks the entry that it begins with: one bit for
// each entry. So the number of the row that an entry is in is the number of marks up to it, and rows
// without entries are not met at all. Every SPAN entries that number is kept: no search is needed.
//
// And the columns that are met most often: each has a slot, its number modulo `slots`, and the one
// met most often has the slot. A sample of the entries tells.
#pragma once
#include "bitmap.cuh"

constexpr int SPAN = 1024;  // entries from one known number to the next

// bits: which rows have entries; counts: how many of each word of 32.
template <class Offset>
__global__ void mark_rows(Index n, const Offset* indptr, Word* bits, Index* counts) {
    for (Index word = warp_id(); word < words_of(n); word += warp_count()) {
        const Index i = (word << 5) + lane_id();
        const Word has = __ballot_sync(ALL_LANES, i < n && indptr[i + 1] > indptr[i]);
        if (lane_id() == 0) {
            bits[word] = has;
            counts[word] = __popc(has);
        }
    }
}

// rows: the rows with entries; begins: the marks, clear before; ranks: the marks before every SPAN
// entries; ends: running sum of mark_rows' counts.
template <class Offset>
__global__ void mark_begins(Index n, const Offset* indptr, const Word* bits, const Index* ends,
                            Index* rows, Word* begins, Index* ranks) {
    if (warp_id() == 0 && lane_id() == 0) ranks[0] = 0;
    for (Index word = warp_id(); word < words_of(n); word += warp_count()) {
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

// counts[j]: the entries of column j among every step-th entry.
template <class Offset>
__global__ void sample_columns(Offset nnz, Offset step, const Index* indices, unsigned* counts) {
    const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
    long long e = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) * step;
    for (; e < nnz; e += threads * step) atomicAdd(counts + indices[e], 1u);
}

// hubs: the column of each slot, -1 if none was met; totals[0]: how often they were met in all.
__global__ void choose_hubs(Index ncols, Index slots, const unsigned* counts, Index* hubs,
                            unsigned long long* totals) {
    const Index threads = gridDim.x * blockDim.x;
    unsigned long long met = 0;
    for (Index slot = blockIdx.x * blockDim.x + threadIdx.x; slot < slots; slot += threads) {
        unsigned most = 0;
        Index hub = -1;
        for (long long j = slot; j < ncols; j += slots) {
            if (counts[j] <= most) continue;
            most = counts[j];
            hub = static_cast<Index>(j);
        }
        hubs[slot] = hub;
        met += most;
    }
    for (int distance = 16; distance > 0; distance >>= 1)
        met += __shfl_xor_sync(ALL_LANES, met, distance);
    if (lane_id() == 0 && met > 0) atomicAdd(totals, met);
}
