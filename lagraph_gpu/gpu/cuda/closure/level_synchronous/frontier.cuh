// The frontier of a closure by rounds: a bitmap, which a pull reads, and two lists, which a push
// reads.
//
// A vertex with up to `piece` out-edges is an entry of the list `short_queue`. One with more is an
// entry of `long_queue`, together with the number of its first piece. The pieces of all these
// vertices are numbered in the order of the list, so a thread finds the vertex of a piece by
// bisection, and the pieces are not listed one by one. One counter holds the number of pieces, in
// its upper half, and the number of entries, so that they agree.
// See docs/decisions/bfs.md.
#pragma once
#include "core/append.cuh"
#include "core/grid_stride.cuh"
#include "core/partition_point.cuh"

// One generation of the frontier.
struct Level {
    Word* bits;
    Index* short_queue;
    long long* long_queue;
    Count* counts;  // entries of `short_queue`; pieces and entries of `long_queue`; vertices; the edges that leave them

    __device__ Count read(int which) const { return read_count(counts + which); }

    // Makes room: all threads of the grid empty a generation that nobody reads any more.
    __device__ void clear(Index words) const {
        if (thread_id<Count>() < 4) counts[thread_id<Count>()] = 0;
        for (Count word : grid_stride<Count>(words)) bits[word] = 0;
    }
};

// Three generations of it: words_of(n) words, n and `room` entries each. A call has a slot of the
// counters: four counts for each generation, then the rounds done and the vertices they left, then a
// barrier's arrivals, all 0 at first.
struct Generations {
    Word* bits;
    Index* short_queue;
    long long* long_queue;
    Count room;
    Count* counters;
    Index slot;

    // One of n vertices.
    __device__ Level level(Index generation, Index n) const {
        const Count g = generation % 3;
        return Level{bits + g * words_of(n), short_queue + g * n, long_queue + g * room,
                     counters + CLOSURE_SLOT * slot + 4 * g};
    }
};

// What there is to walk in a level.
struct Items {
    unsigned n_short, pieces;
    Index n_long;

    __device__ explicit Items(const Level& level) : n_short(static_cast<unsigned>(level.read(0))) {
        const Count both = level.read(1);
        pieces = static_cast<unsigned>(both >> 32);
        n_long = static_cast<Index>(both & 0xffffffff);
    }
    __device__ Count all() const { return Count(n_short) + pieces; }

    // Which vertex item `at` is of; `piece` becomes the number of its piece.
    __device__ Index vertex(const Level& level, Count at, Index& piece) const {
        piece = 0;
        if (at < n_short) return level.short_queue[at];
        const long long wanted = static_cast<long long>(at - n_short);
        const Index low =
            last_holding(0, n_long - 1, [&](Index k) { return level.long_queue[k] >> 32 <= wanted; });
        const long long found = level.long_queue[low];
        piece = static_cast<Index>(wanted - (found >> 32));
        return vertex_of(found);
    }

    // The edges of item `at`, at most `piece`: k becomes its vertex, and `first` the first of them.
    template <class Offset>
    __device__ int edges(const Level& level, Count at, const Offset* indptr, Offset piece, Index& k,
                         Offset& first) const {
        Index number = 0;
        k = vertex(level, at, number);
        first = indptr[k] + static_cast<Offset>(number) * piece;
        const Offset rest = indptr[k + 1] - first;
        return static_cast<int>(rest < piece ? rest : piece);
    }
};

// With `any`, a push is one of many edges if there are more of them than one vertex in so many.
constexpr int RACE_EDGES = 16;

constexpr unsigned SET_ASIDE = 1024;  // vertices of a block, before its warps append by themselves

// Appends the vertices of the lanes that have one to `long_queue`. All lanes of a warp must call
// it.
template <class Offset>
__device__ inline void append_long(bool mine, Index vertex, Offset degree, Offset piece,
                                   const Level& level) {
    const Word some = __ballot_sync(ALL_LANES, mine);
    if (some == 0) return;
    const WarpShare pieces(mine ? static_cast<int>((degree - 1) / piece) + 1 : 0);
    const Count at = reserve(Count(pieces.total) << 32 | Count(__popc(some)), level.counts + 1);
    const Count first = (at >> 32) + pieces.begin, place = (at & 0xffffffff) + __popc(some & lanes_below());
    if (mine) level.long_queue[place] = static_cast<long long>(first << 32) | vertex;
}
