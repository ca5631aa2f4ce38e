// The start of a closure by rounds.
// See docs/decisions/bfs.md.
#pragma once
#include "closure/level_synchronous/level_state.cuh"
#include "core/grid_stride.cuh"

// What one word of the bitmaps begins with.
template <class S, int max_warps>
__device__ inline void begin_word(Closure<S, max_warps>& c, Index all, Index word, Word entries) {
    const Count others = words_of(all);
    c.bits[word] = c.next.bits[word] = entries;
    c.next.bits[others + word] = c.next.bits[2 * others + word] = 0;
}

// The first frontier over all vertices: the entries of x₀. An absent position holds what a fold
// starts from; the other generations are emptied.
template <class S, int max_warps>
__device__ inline void begin(Closure<S, max_warps>& c, Index all, const Start<typename S::Z>& start) {
    const Index words = words_of(all), one = start.only >> 5;
    const bool many = start.only < 0;
    if (!many)
        for (unsigned word : grid_stride<unsigned>(words))
            if (word != Count(one)) begin_word(c, all, static_cast<Index>(word), 0);
    if (!many && !S::any)
        for (Count v : grid_stride<Count>(all))
            if (v >> 5 != Count(one)) c.x[v] = S::start();
    Index word = many ? warp_id() : warp_id() == 0 ? one : words;
    for (; word < words; word += many ? warp_count() : words) {
        const Index j = (word << 5) + lane_id();
        const bool has = many ? j < all && present(start.bits, j) : j == start.only;
        const Word entries = __ballot_sync(ALL_LANES, has);
        if (lane_id() == 0) begin_word(c, all, word, entries);
        if (has && c.x != nullptr) c.x[j] = foldable<S>(many ? start.values[j] : start.value);
        else if (!S::any && j < all) c.x[j] = S::start();
        if (!has) continue;
        c.frontier_counts.note(j);
        if (many) continue;
        const auto degree = c.frontier_counts.to - c.frontier_counts.from;
        if (degree <= c.piece) {
            c.next.short_queue[0] = j;
            c.next.counts[0] = 1;
        } else {
            c.next.long_queue[0] = j;
            c.next.counts[1] = Count((degree - 1) / c.piece + 1) << 32 | 1;
        }
    }
}
