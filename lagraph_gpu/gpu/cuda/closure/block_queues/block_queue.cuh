// The shared memory of a block with a queue of its own: the queue, and the vertices that it sets
// aside for the lists that all blocks share (see block_async_state.cuh).
// See docs/decisions/deep-graphs.md.
#pragma once
#include "core/append.cuh"
#include "core/vector_load.cuh"
#include "matrix/padded_rows.cuh"

constexpr unsigned QUEUE_BYTES = 40960;  // of the 48 KiB that a block may have without asking

// The largest power of 2 that is not above x.
__device__ constexpr unsigned floor_power(unsigned x) { return x < 2 ? 1 : 2 * floor_power(x / 2); }

template <class Z, class Row> struct BlockQueue {
    // The largest number of vertices in the queue.
    static constexpr unsigned QUEUE =
        floor_power(QUEUE_BYTES / unsigned(sizeof(Row) + sizeof(Z) + sizeof(Index)));
    // A long row waits in at most so many pieces.
    static constexpr unsigned PIECES = QUEUE / 4;
    // The largest number of far vertices that are set aside; more are listed one by one.
    static constexpr unsigned FARTHER = 2 * GATHERED;

    Row rows[QUEUE];  // the queue, which is a ring: vertices with all that it takes to relax them
    Z values[QUEUE];
    Index vertices[QUEUE];
    unsigned queued[3];  // in this round, and the rounds before and after it
    DedupQueue near, far;      // of this epoch: appended to
    BlockAppend<Index> nearby;
    BlockAppend<Index, FARTHER> farther;
    __align__(8) Z best[8 / sizeof(Z)];  // the best far value that the block found
    Count walked;                        // edges, if there is a log

    // Item `at` of the queue; what is returned becomes its row.
    __device__ Row& put(unsigned at, Index j, Z z) {
        const unsigned place = at % QUEUE;
        vertices[place] = j;
        values[place] = z;
        return rows[place];
    }

    // A long row as so many items. They have the same number of edges, but for the last ones, which may
    // have none.
    __device__ void put_pieces(unsigned at, unsigned pieces, Index j, Z z, const Row& row, const Index* indices) {
        Index length = length_of(row);
        long long begin = begin_of(row);
        const Index each = static_cast<Index>((unsigned(length) - 1) / pieces) + 1;
        for (const unsigned end = at + pieces; at != end; ++at) {
            point_elsewhere(put(at, j, z), begin, min(each, length));
            prefetch(indices + begin, length > 0);
            begin += each;
            length = max(length - each, 0);
        }
    }
};
