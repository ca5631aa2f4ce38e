// Where a closure in several launches pauses, so that a round, or a part of it, is pushed in bins (see
// binned_push.cuh).
//
// It pauses before a round whose frontier is no pull's, if more than `least` edges leave it and if the round before it
// found a vertex for every two edges or more: so edges have new targets, and these are spread. Of its vertices the first
// ones are pushed, so many that `most` edges leave them. The counters of a call say where it paused.
// See docs/decisions/bfs.md.
#pragma once
#include "closure/level_synchronous/frontier.cuh"

constexpr unsigned PAUSED = 15;  // in the counters of a call: the round before which it paused, 0 at first
constexpr Count NOT_PAUSED = ~0ull;

struct Pause {
    Count least, most;
    bool begins;  // is it the first launch?
    bool may;     // may this one pause?
    unsigned* taken;
    Index bins;   // 0 at first, so many

    // The round before which the closure has paused, or 0.
    __device__ static Index round(const Generations& generations) {
        const Count at = peek(generations.counters + CLOSURE_SLOT * generations.slot + PAUSED);
        return at == NOT_PAUSED ? 0 : static_cast<Index>(at);
    }
    // A frontier of which so many vertices and edges are, after a round that pushed `before` edges.
    __device__ bool suits(Count vertices, Count edges, Count before) const {
        return edges > least && 2 * vertices > before;
    }
    // Are all of its edges pushed in bins?
    __device__ bool whole(Count edges) const { return edges <= most; }
    // How many words of the frontier's bitmap are pushed in bins.
    __device__ Index share(Count edges, Index words) const {
        return whole(edges) ? words : static_cast<Index>(Count(words) * most / edges);
    }
};

// What a kernel with or without a Pause as its last argument asks of it.
__device__ inline const Pause& only(const Pause& pause) { return pause; }
__device__ inline bool begins_now() { return true; }
__device__ inline bool begins_now(const Pause& pause) { return pause.begins; }
