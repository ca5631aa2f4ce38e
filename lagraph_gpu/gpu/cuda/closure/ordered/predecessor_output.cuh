// The predecessors of a closure's values as its caller gets them: tails as numbers of 64 bits, and
// for a closure that ran under other numbers (see relabel.cuh) everything in the original numbers.
// See docs/decisions/sssp.md.
#pragma once
#include "closure/ordered/predecessor.cuh"
#include "core/grid_stride.cuh"

// Words to tails, in the same memory; of the closure `bits` says what has any.
__global__ void unpack_predecessors(Index n, const Word* bits, Origin* origins, Word* tail_bits) {
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index j = (word << 5) + lane_id();
        const Word entries = bits[word];
        if (lane_id() == 0) tail_bits[word] = entries;
        if (j >= n) continue;
        const bool has = entries >> lane_id() & 1u;
        __stcs(origins + j, has ? Origin(tail_of(origins[j])) : 0);
    }
}

// From `n_connected` on no vertex has an edge, and none a word but that which was `only` before, if
// that is one. `ways` words of a bitmap are under way at a time; see also `restore`.
template <class Z, int ways>
__global__ void __launch_bounds__(MAX_THREADS, 4)
    restore_with_predecessors(Index n, Index n_connected, const Index* to, const Index* old, const Origin* origins,
                   Index only, Word* x_bits, Z* x, Word* tail_bits, long long* tails) {
    const Index words = words_of(n);
    for (Index base : warp_stride<Index>(words, ways)) {
        Index j[ways], tail[ways];
        Origin from[ways];
#pragma unroll
        for (int i = 0; i < ways; ++i) {
            const Index v = ((base + i) << 5) + lane_id();
            j[i] = base + i < words && v < n ? __ldcs(to + v) : n;
        }
#pragma unroll
        for (int i = 0; i < ways; ++i) {
            const Index v = ((base + i) << 5) + lane_id();
            from[i] = j[i] < n_connected || (v == only && j[i] < n) ? origins[j[i]] : NO_ORIGIN;
        }
#pragma unroll
        for (int i = 0; i < ways; ++i) tail[i] = from[i] == NO_ORIGIN ? 0 : old[tail_of(from[i])];
#pragma unroll
        for (int i = 0; i < ways; ++i) {
            const Index word = base + i, v = (word << 5) + lane_id();
            const bool has = from[i] != NO_ORIGIN;
            const Word entries = __ballot_sync(ALL_LANES, has);
            if (lane_id() == 0 && word < words) x_bits[word] = tail_bits[word] = entries;
            if (word >= words || v >= n) continue;
            __stcs(x + v, has ? OriginOf<Z>::value(from[i]) : Z(0));
            __stcs(tails + v, static_cast<long long>(tail[i]));
        }
    }
}
