// Betweenness: the number of shortest paths from a few sources through each vertex, by Brandes'
// algorithm in two launches, forth and back (see brandes_back.cuh).
//
// Forth, level by level: a vertex that is found for the first time, or again from the same level,
// adds the paths of the vertex it is found from. If the vertices that some source has not reached
// have fewer than PULLED edges for each edge of a level, they pull: each sums up the paths of its
// neighbours in the level. The lists of all levels are kept.
//
// The numbers of a vertex for WIDTH sources are adjacent in memory, and as many lanes read a row,
// each for its source, so that they access one sector of memory or a few.
//
// A number of paths that FP64 cannot hold is kept as x · 2^(512 b), with a small number b, its band
// (see algorithms/centrality/betweenness.py). Once a number has left band 0, the sums of a level need
// the band of each vertex before they begin, so the edges of the level are read twice. See
// docs/decisions/betweenness.md.
#pragma once
#include "fused/brandes_items.cuh"

// Blocks of a multiprocessor: offsets of 64 bits take more registers.
template <class Offset> constexpr int FORTH_BLOCKS = sizeof(Offset) > 4 ? 3 : 4;

// So many entries may be read by a pull in place of one that is pushed along.
template <bool signs> constexpr Count PULLED = signs ? 2 : 1;

// From each of WIDTH sources (-1: none) the level of each vertex and the number of shortest paths to it,
// and the lists of the levels. It writes the bits of the result. listed has room for n, items for
// WIDTH · (n + (entries of both) / piece), unreached for n + entries / piece, sizes and edges for n + 3.
// `arrivals` and first_banded are 0 at first. If there are more than `deepest` levels, it sets too_deep.
template <class Offset, int WIDTH, class Stamp>
__global__ void __launch_bounds__(BRANDES_BLOCK, FORTH_BLOCKS<Offset>)
    brandes_forth(Index n, BrandesRows<Offset> out, BrandesRows<Offset> in,
                  BrandesItems<Offset, WIDTH, Stamp> of, BrandesLevels levels, Count bulk_edges,
                  Count pull_edges, Index deepest, const Index* sources, Index* listed, long long* unreached,
                  Count* open, Word* bits, unsigned* arrivals, Word* too_deep) {
    using Of = BrandesItems<Offset, WIDTH, Stamp>;
    __shared__ BlockAppend<long long> found;
    const Grid grid{arrivals};
    long long* const items = levels.items;
    Count *const sizes = levels.sizes, *const edges = levels.edges;
    const Offset piece = of.piece;
    const auto longer = [&](Index v) {
        const Offset to = out.degree(v), from = in.degree(v);
        return to < from ? from : to;
    };
    for (Count i : grid_stride<Count>(Count(n) * WIDTH)) {
        of.level[i] = sources[i % WIDTH] < 0 ? Of::NOBODY : Of::UNSEEN;
        of.paths[i] = of.on[i] = 0;
        of.band[i] = 0;
    }
    for (Count v : grid_stride<Count>(n)) {
        listed[v] = -1;
        if ((v & 31) == 0) bits[v >> 5] = inside(static_cast<Index>(v >> 5), n);
    }
    if (threadIdx.x == 0) found.count = 0;
    if (thread_id<Count>() < 2) sizes[thread_id<Count>()] = edges[thread_id<Count>()] = 0;
    if (thread_id<Count>() < 2) open[thread_id<Count>()] = 0;
    grid.wait();
    if (blockIdx.x == 0) {
        if (threadIdx.x < 32) {
            const Index v = lane_id() < WIDTH ? sources[lane_id()] : -1;
            if (v >= 0) {
                of.level[Of::place(v)] = 0;
                of.paths[Of::place(v)] = 1;
            }
            const Offset degree = v >= 0 ? longer(v) : Offset(0);
            found.add_pieces(v >= 0, v, degree, piece, items, sizes);
            if (v >= 0) atomicAdd(edges, Count(degree));
        }
        found.flush(items, sizes);
    }
    grid.wait();

    Index depth = 0;
    Count begin = 0, size = read_count(sizes);
    // Calls add(has, v) for all vertices v of the grid's turns, `has` where wanted(v), and flushes what
    // that has added to a list: in turns, so that room is reserved for many together.
    const auto list_vertices = [&](long long* list, Count* total, auto wanted, auto add) {
        const Count each = Count(LOADS) * blockDim.x;
        for (Count base : block_stride<Count>(n, each)) {
            bool has[LOADS];
#pragma unroll
            for (int i = 0; i < LOADS; ++i) {
                const Count v = base + i * blockDim.x + threadIdx.x;
                has[i] = v < Count(n) && wanted(static_cast<Index>(v));
            }
#pragma unroll
            for (int i = 0; i < LOADS; ++i)
                add(has[i], static_cast<Index>(base + i * blockDim.x + threadIdx.x));
            found.flush(list, total);
            __syncthreads();
        }
    };
    // Lists the rows that some source has not reached. True if they have fewer entries than the level, or than twice
    // as many with signs.
    const auto pull_pays = [&] {
        Count entries = 0;
        list_vertices(unreached, open, [&](Index v) { return in.degree(v) > 0 && of.any_at(v, Of::UNSEEN); },
                      [&](bool has, Index v) {
            const Offset degree = has ? in.degree(v) : Offset(0);
            entries += degree;
            found.add_pieces(has, v, degree, piece, unreached, open);
        });
        entries = running_sum(entries);
        if (lane_id() == 31 && entries > 0) atomicAdd(open + 1, entries);
        grid.wait();
        return read_count(open + 1) < PULLED<Of::signs> * read_count(edges + depth);
    };
    // One level, after which `begin`, `size` and `depth` are those of the next.
    const auto go_on = [&](bool alone, bool many) {
        const bool banded = of.banded(depth);
        const bool lists = !(Of::may_pull && many);
        long long* const next = items + begin + size;
        Count gained = 0;
        const auto add = [&](bool mine, Index v) {
            const Offset degree = mine ? longer(v) : Offset(0);
            gained += degree;
            found.add_pieces(mine, v, degree, piece, next, sizes + depth + 1);
        };
        bool pulls = false;
        if constexpr (Of::may_pull)
            pulls = many && !banded && read_count(edges + depth) > pull_edges && pull_pays();
        if (pulls) {
            of.each_item(in, unreached, read_count(open), [&](bool, Index v, long long first, long long last) {
                of.gather(in, v, first, last, depth);
            });
        } else {
            of.each_item(out, items + begin, size, [&](bool, Index v, long long first, long long last) {
                const bool mine = of.level[Of::place(v)] == depth;
                const BandedPaths count = of.paths_of(Of::place(v), banded);
                of.walk_together(out, first, last, [&](Index (&u)[LOADS], Stamp (&at)[LOADS]) {
                    Word fresh = 0;
#pragma unroll
                    for (int i = 0; i < LOADS; ++i)
                        if (mine && of.meet(u[i], at[i], depth + 1, count, banded, lists, listed)) fresh |= 1u << i;
                    while (!many && __any_sync(ALL_LANES, fresh != 0)) {
                        add(fresh & 1u, u[0]);
                        fresh >>= 1;
#pragma unroll
                        for (int i = 1; i < LOADS; ++i) u[i - 1] = u[i];
                    }
                });
            });
        }
        if (banded) {
            meet_all(grid, alone);
            of.each_item(out, items + begin, size, [&](bool, Index v, long long first, long long last) {
                const bool mine = of.level[Of::place(v)] == depth;
                const BandedPaths count = of.paths_of(Of::place(v), true);
                of.walk(out, first, last, [&](Index u, Stamp at) {
                    if (!mine || at != depth + 1) return;
                    atomicAdd(of.paths + Of::place(u), lowered(count.times, of.band[Of::place(u)] - count.band));
                });
            });
        }
        if (many) {  // otherwise all of them would wait to reserve room
            meet_all(grid, alone);
            if (thread_id<Count>() < 2) open[thread_id<Count>()] = 0;
            list_vertices(next, sizes + depth + 1,
                          [&](Index v) {
                if constexpr (Of::may_pull) return of.any_at(v, static_cast<Stamp>(depth + 1));
                else return listed[v] == depth + 1;
            }, [&](bool mine, Index v) {
                if constexpr (Of::signs)
                    if (mine && pulls) of.settle(v, depth + 1);
                add(mine, v);
            });
        }
        found.flush(next, sizes + depth + 1);
        gained = running_sum(gained);
        if (lane_id() == 31 && gained > 0) atomicAdd(edges + depth + 1, gained);
        if (thread_id<Count>() == 0) sizes[depth + 2] = edges[depth + 2] = 0;
        meet_all(grid, alone);
        begin += size;
        size = read_count(sizes + ++depth);
    };
    const auto tell = [&] {
        if (thread_id<Count>() != 0) return;
        *levels.depth = depth;
        *levels.begin = begin;
    };
    while (size > 0 && depth < deepest) {
        const bool many = read_count(edges + depth) > bulk_edges;
        if (Of::small(size) && !many) {
            while (blockIdx.x == 0 && size > 0 && depth < deepest && Of::small(size) &&
                   read_count(edges + depth) <= bulk_edges)
                go_on(true, false);
            tell();
            grid.wait();
            depth = static_cast<Index>(read_count(levels.depth));
            begin = read_count(levels.begin);
            size = read_count(sizes + depth);
        } else {
            go_on(false, many);
            tell();
        }
    }
    if (size > 0 && thread_id<Count>() == 0) *too_deep = 1;
}
