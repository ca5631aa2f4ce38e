// Where a closure in several launches pauses, so that a round, or a part of it, is pushed in bins (see
// binned_push.cuh).
//
// It pauses before a round that comes before any pull, if more than `least` edges leave the frontier and if the round
// before found more than a vertex for every two edges: so edges have new targets, and these are spread. All of its
// edges are pushed, or if there are more than `most` those of its first vertices, about `part` of them. The counters
// of a call say where it paused.
// See docs/decisions/bfs.md.
#pragma once
#include "closure/level_synchronous/frontier.cuh"

constexpr unsigned PAUSED = 15;  // in the counters of a call: the round before which it paused, 0 at first
constexpr Count NOT_PAUSED = ~0ull;
// In place of edges: a part of this round has been pushed, and a pull does the rest.
constexpr unsigned HALF_DONE = ~0u;

struct Pause {
    Count least, part, most;
    bool begins;  // is it the first launch?
    bool may;     // may this one pause?
    unsigned* taken;
    Index bins;   // 0 at first, so many

    // The round before which the closure has paused, or 0.
    __device__ static Index round(const Generations& generations) {
        const Count at = peek(generations.counters + CLOSURE_SLOT * generations.slot + PAUSED);
        return at == NOT_PAUSED ? 0 : static_cast<Index>(at);
    }
    // Half of so many edges, which is compared with a number of vertices.
    __device__ static unsigned half(Count edges) {
        return edges >> 1 < HALF_DONE ? static_cast<unsigned>(edges >> 1) : HALF_DONE - 1;
    }
    // Does a frontier suit of so many vertices and edges, after a round that pushed twice `before` edges?
    __device__ bool suits(Count vertices, Count edges, unsigned before) const {
        return edges > least && vertices > before;
    }
    // Are all of its edges pushed in bins?
    __device__ bool whole(Count edges) const { return edges <= most; }
    // How many words of the frontier's bitmap are pushed in bins.
    __device__ Index share(Count edges, Index words) const {
        return whole(edges) ? words : static_cast<Index>(Count(words) * part / edges);
    }
};

// What a kernel with or without a Pause as its last argument asks of it.
__device__ inline const Pause& only(const Pause& pause) { return pause; }
__device__ inline bool begins_now() { return true; }
__device__ inline bool begins_now(const Pause& pause) { return pause.begins; }
