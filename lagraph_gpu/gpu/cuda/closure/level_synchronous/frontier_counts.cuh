// The changes that a thread finds in a round of a closure: the number of vertices, the number of
// edges that leave them, and the round in which each took its value.
// See docs/decisions/bfs.md.
#pragma once
#include "closure/level_synchronous/frontier.cuh"
#include "core/warp_reduce.cuh"

template <class Offset> struct FrontierCounts {
    const Offset* indptr;  // the out-edges
    Index* rounds;         // in which each entry took its value; if that is `late` or later
    Index late, round = 0;
    bool counting = true;  // are edges counted?
    Count vertices = 0, edges = 0;
    Offset from = 0, to = 0;  // the last one's edges: added later, so that nothing waits for them

    __device__ void date(Index j, Index when) const {
        if (when >= late) rounds[j] = when;
    }

    // Vertex j, which is in the next bitmap, changed; this comes once a round.
    __device__ void note(Index j) {
        date(j, round);
        ++vertices;
        if (!counting) return;
        edges += to - from;
        from = indptr[j];
        to = indptr[j + 1];
    }

    // Notes the vertices of this lane in so many words from `word` on: bit i of `those` says whether the vertex in
    // the i-th changed.
    template <int words> __device__ void note_words(Index word, Word those) {
#pragma unroll
        for (int i = 0; i < words; ++i)
            if (those >> i & 1u) date(((word + i) << 5) + lane_id(), round);
        count_words<words>(word, those);
    }

    // Counts them, without their rounds. All of their rows are requested before one is awaited.
    template <int words> __device__ void count_words(Index word, Word those) {
        vertices += __popc(those);
        if (!counting) return;
        Offset begin[words], end[words];
#pragma unroll
        for (int i = 0; i < words; ++i) {
            const Index j = ((word + i) << 5) + lane_id();
            const bool mine = those >> i & 1u;
            begin[i] = mine ? indptr[j] : 0;
            end[i] = mine ? indptr[j + 1] : 0;
        }
#pragma unroll
        for (int i = 0; i < words; ++i) edges += end[i] - begin[i];
    }

    // Adds what the warp has found to a level's counts, and starts again from 0.
    __device__ void add_to(const Level& level) {
        edges += to - from;
        from = to;
        add_up(level.counts + 2, vertices);
        add_up(level.counts + 3, edges);
    }
    __device__ static void add_up(Count* total, Count& count) {
        count = warp_reduce<Sum>(count);
        if (lane_id() == 0 && count > 0) atomicAdd(total, count);
        count = 0;
    }
};
