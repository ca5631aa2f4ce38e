// Longest paths in a graph without cycles, in one launch: Kahn's algorithm with counters, where
// lagraph_gpu/algorithms/traversal/topological.py has a round for each generation.
//
// The counter of a vertex says how many of its in-edges have not been looked at. Whoever looks at
// an edge first raises the length at its end and then lowers the counter there. So whoever takes the
// last one off knows that the length is final, and that nobody else will take the vertex. It is
// queued once, and the frontiers of all rounds are one list, each behind the one before.
//
// A warp takes up to 32 items at a time, and queues what becomes ready. If there is one item, one warp
// goes on with what becomes ready as long as that is one vertex again, so that a path is one round.
// (A warp that went on with one of several would leave the others to a later round: a lattice then
// took as long as a path of all its vertices.)
// See docs/decisions/deep-graphs.md.
#pragma once
#include "core/append.cuh"
#include "core/bitmap.cuh"
#include "core/fold.cuh"
#include "core/grid.cuh"
#include "core/grid_stride.cuh"

template <class T> __device__ inline void raise(T* at, T z) {
    if constexpr (is_floating<T>) native_extremum(at, z, false);
    else atomicMax(at, z);
}

template <class Offset, class Weight, class Length> struct LongestPaths {
    Offset piece;
    const Offset* indptr;
    const Index* indices;
    const Weight* weights;
    int stride;
    Count* left;  // in-edges that nobody has looked at
    Length* length;
    BlockAppend<long long>* ready;
    long long* next;  // the frontier that this round finds
    Count* found;     // items in it

    // Looks at the edge e, which leaves a vertex of this length: its end if it has become ready, or -1.
    __device__ Index relax(Offset e, Length source_length) const {
        const Index u = indices[e];
        raise(length + u, static_cast<Length>(source_length + static_cast<Length>(weights[e * stride])));
        __threadfence();
        if (atomicAdd(left + u, ~Count(0)) != 1) return -1;
        __threadfence();
        return u;
    }

    // Queues the vertices of the lanes that have one. All lanes of a warp must call it.
    __device__ void queue(Index u) {
        const Offset degree = u < 0 ? 0 : indptr[u + 1] - indptr[u];
        ready->add_pieces(degree > 0, u, degree, piece, next, found);
    }

    // A warp looks at the edges of an item, and goes on as long as one vertex becomes ready, for at most
    // so many vertices. Returns how many there were.
    __device__ Count follow(long long item, Count most) {
        Index only = 0;
        Count steps = 0;
        for (; only >= 0; ++steps) {
            Offset first = 0;
            const int degree = edges_of_piece(item, piece, indptr, first);
            const Length source_length = peek(length + vertex_of(item));
            bool several = false;
            only = -1;
            for (int base = 0; base < degree; base += 32) {
                Index u = base + lane_id() < degree ? relax(first + base + lane_id(), source_length) : -1;
                const Offset row = u < 0 ? 0 : indptr[u + 1] - indptr[u];
                const Word some = __ballot_sync(ALL_LANES, row > 0);
                const int lane = __ffs(some) - 1;
                const bool one = only < 0 && __popc(some) == 1 &&
                                 __shfl_sync(ALL_LANES, row, lane & 31) <= piece;
                several = several || (some != 0 && !one);
                if (one) only = __shfl_sync(ALL_LANES, u, lane);
                if (one && lane_id() == lane) u = -1;
                queue(u);
            }
            if (several || steps == most) {
                queue(lane_id() == 0 ? only : -1);
                return steps;
            }
            item = item_of(only, 0);
        }
        return steps;
    }

    // A warp looks at the edges of 32 items.
    __device__ void share_out(long long item) {
        Offset first = 0;
        const int degree = item < 0 ? 0 : edges_of_piece(item, piece, indptr, first);
        const WarpShare share(degree);
        const Offset origin = first - share.begin;
        for (int base = 0; base < share.total; base += 32) {
            const int at = base + lane_id(), whose = share.owner(at);
            const Offset e = __shfl_sync(ALL_LANES, origin, whose) + at;
            const Index v = __shfl_sync(ALL_LANES, vertex_of(item), whose);
            queue(at < share.total ? relax(e, peek(length + v)) : -1);
        }
    }

    // Returns how many vertices the first warp has followed.
    __device__ Count round(const long long* now, Count items, Count most) {
        if (items == 1) return warp_id() == 0 ? follow(now[0], most) : 0;
        for (const auto numbers : lanes_apart<Count>(items)) {
            const Count at = numbers.own();
            share_out(at < items ? now[at] : -1);
        }
        return 0;
    }
};

// The largest lengths of paths over A by rows, with an entry where all in-edges were looked at.
// `entering` has the in-degrees that are not 0. bits and length are written; left has room for n,
// frontier for n and the pieces of all long rows; counts: the items of three rounds, the arrivals of
// a barrier, the levels before each of two rounds, and the items that are left after `most` levels, all 0
// at first. A level is a round, or a vertex that a warp follows alone.
template <class Offset, class Weight, class Length>
__global__ void __launch_bounds__(PEEL_BLOCK, 2)
    longest_paths(Index n, Offset piece, const Offset* indptr, const Index* indices, const Weight* weights,
                  int stride, const Word* entering_bits, const long long* entering, Count* left, Word* bits,
                  Length* length, long long* frontier, Count most, Count* counts) {
    __shared__ BlockAppend<long long> ready;
    if (threadIdx.x == 0) ready.count = 0;
    const Grid grid{reinterpret_cast<unsigned*>(counts + 3)};
    LongestPaths<Offset, Weight, Length> paths{piece, indptr, indices, weights, stride, left,
                                               length, &ready, frontier, counts};
    __syncthreads();
    for (Count base : warp_stride<Count>(n, 32)) {
        const Index v = static_cast<Index>(base) + lane_id();
        const bool waits = v < n && present(entering_bits, v);
        if (v < n) {
            left[v] = waits ? Count(entering[v]) : 0;
            length[v] = 0;
        }
        paths.queue(v < n && !waits ? v : -1);
    }
    Count* const levels_before = counts + LONGEST_LEVELS;
    Index round = 0;
    Count items = 0, levels = 0;
    do {
        if (thread_id<Count>() == 0) counts[(round + 1) % 3] = 0;
        ready.flush(paths.next, counts + round % 3);
        grid.wait();
        items = read_count(counts + round % 3);
        levels = read_count(levels_before + round % 2);
        const long long* const now = paths.next;
        paths.next += items;
        paths.found = counts + ++round % 3;
        const Count followed = paths.round(now, items, most);
        if (thread_id<Count>() == 0) levels_before[round % 2] = levels + 1 + followed;
    } while (items > 0 && levels < most);
    for (Count base : warp_stride<Count>(n, 32)) {
        const Index v = static_cast<Index>(base) + lane_id();
        const Word word = __ballot_sync(ALL_LANES, v < n && peek(left + (v < n ? v : 0)) == 0);
        if (lane_id() == 0) bits[base >> 5] = word;
    }
    if (thread_id<Count>() == 0) counts[LONGEST_LEFT] = items;
}
