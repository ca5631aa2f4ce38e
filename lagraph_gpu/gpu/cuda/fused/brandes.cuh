// Betweenness: the number of shortest paths from a few sources through each vertex, by Brandes'
// algorithm in one launch.
//
// Forwards, level by level: a vertex that is found for the first time, or again from the same
// level, adds the paths of the vertex it is found from. The lists of all levels are kept.
// Backwards, the edges between two levels are read from the one that has fewer.
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

// For each of WIDTH sources s (-1: none), adds to centrality[v], for every v except s, Σ over t of
// the share of the shortest paths from s to t on which v lies, without their ends. With `endpoints`
// it also adds 1 for each t at v, and as many at s. All of this counts counts[i] times for source i.
// It writes the bits. level, paths, band and on
// have room for n · WIDTH, listed for n, items for WIDTH · (n + (entries of both) / piece), sizes
// and edges for n + 3, reached_by_one for 2. The two numbers of `arrivals` are 0 at first; the second becomes the first
// level in bands. `whole` says that no row is longer than `piece`.
template <class Offset, int WIDTH>
__global__ void __launch_bounds__(BRANDES_BLOCK, 4)
    brandes(Index n, const Offset* out_indptr, const Index* out_indices, const Offset* in_indptr,
            const Index* in_indices, Offset piece, bool whole, Count bulk_edges, const Index* sources,
            const double* counts, bool endpoints,
            Index* level, double* paths, double* on, Index* band, Index* listed, long long* items, Count* sizes,
            Count* edges, Count* reached_by_one, Word* bits, double* centrality, unsigned* arrivals) {
    using Of = BrandesItems<Offset, WIDTH>;
    __shared__ BlockAppend<long long> found;
    const Grid grid{arrivals};
    const BrandesRows<Offset> out{out_indptr, out_indices}, in{in_indptr, in_indices};
    const Of of{level, paths, band, on, piece, arrivals + 1};
    const auto longer = [&](Index v) {
        const Offset to = out.degree(v), from = in.degree(v);
        return to < from ? from : to;
    };
    for (Count i : grid_stride<Count>(Count(n) * WIDTH)) {
        level[i] = UNSEEN;
        paths[i] = on[i] = 0;
        band[i] = 0;
    }
    for (Count v : grid_stride<Count>(n)) {
        listed[v] = UNSEEN;
        if ((v & 31) == 0) bits[v >> 5] = inside(static_cast<Index>(v >> 5), n);
    }
    if (threadIdx.x == 0) found.count = 0;
    if (thread_id<Count>() < 2) sizes[thread_id<Count>()] = edges[thread_id<Count>()] = 0;
    grid.wait();
    if (blockIdx.x == 0) {
        if (threadIdx.x < 32) {
            const Index v = lane_id() < WIDTH ? sources[lane_id()] : UNSEEN;
            if (v >= 0) {
                level[Of::place(v)] = 0;
                paths[Of::place(v)] = 1;
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
    // The first block has all items of a small level, and goes on alone: its threads wait for each
    // other in a small part of the time.
    const auto small = [&](Count items) { return items * WIDTH <= Count(blockDim.x); };
    const auto meet_all = [&](bool alone) {
        if (alone) __syncthreads();
        else grid.wait();
    };
    // One level, after which `begin`, `size` and `depth` are those of the next.
    const auto go_on = [&](bool alone, bool many) {
        const bool banded = of.banded(depth);
        long long* const next = items + begin + size;
        Count gained = 0;
        const auto add = [&](bool mine, Index v) {
            const Offset degree = mine ? longer(v) : Offset(0);
            gained += degree;
            found.add_pieces(mine, v, degree, piece, next, sizes + depth + 1);
        };
        of.each_item(out, items + begin, size, [&](bool, Index v, long long first, long long last) {
            const bool mine = level[Of::place(v)] == depth;
            const BandedPaths count = of.paths_of(Of::place(v), banded);
            of.walk(out, first, last, [&](Index u, Index at) {
                const bool fresh = mine && of.meet(u, at, depth + 1, count, banded, listed);
                if (!many) add(fresh, u);
            });
        });
        if (banded) {
            meet_all(alone);
            of.each_item(out, items + begin, size, [&](bool, Index v, long long first, long long last) {
                const bool mine = level[Of::place(v)] == depth;
                const BandedPaths count = of.paths_of(Of::place(v), true);
                of.walk(out, first, last, [&](Index u, Index at) {
                    if (!mine || at != depth + 1) return;
                    atomicAdd(paths + Of::place(u), lowered(count.times, band[Of::place(u)] - count.band));
                });
            });
        }
        if (many) {  // otherwise all of them would wait to reserve room
            meet_all(alone);
            const Count each = Count(LOADS) * blockDim.x;
            for (Count base : block_stride<Count>(n, each)) {
                Index at[LOADS];
#pragma unroll
                for (int i = 0; i < LOADS; ++i) {
                    const Count v = base + i * blockDim.x + threadIdx.x;
                    at[i] = v < Count(n) ? listed[v] : UNSEEN;
                }
#pragma unroll
                for (int i = 0; i < LOADS; ++i)
                    add(at[i] == depth + 1, static_cast<Index>(base + i * blockDim.x + threadIdx.x));
                found.flush(next, sizes + depth + 1);
                __syncthreads();
            }
        }
        found.flush(next, sizes + depth + 1);
        gained = running_sum(gained);
        if (lane_id() == 31 && gained > 0) atomicAdd(edges + depth + 1, gained);
        if (thread_id<Count>() == 0) sizes[depth + 2] = edges[depth + 2] = 0;
        meet_all(alone);
        begin += size;
        size = read_count(sizes + ++depth);
    };
    while (size > 0) {
        const bool many = read_count(edges + depth) > bulk_edges;
        if (small(size) && !many) {
            while (blockIdx.x == 0 && size > 0 && small(size) && read_count(edges + depth) <= bulk_edges)
                go_on(true, false);
            if (thread_id<Count>() == 0) {
                reached_by_one[0] = depth;
                reached_by_one[1] = begin;
            }
            grid.wait();
            depth = static_cast<Index>(read_count(reached_by_one));
            begin = read_count(reached_by_one + 1);
            size = read_count(sizes + depth);
        } else {
            go_on(false, many);
        }
    }

    double reached = 0;
    const bool banded = of.banded(depth);
    bool alone = false;
    for (Index d = depth - 1; d > 0; --d) {
        size = sizes[d];
        begin -= size;
        const Count below = sizes[d + 1];
        const bool now = small(size) && small(below);
        if (alone && !now) grid.wait();
        alone = now;
        const auto sum_of = [&](Index v, long long first, long long last) {
            double sum = 0;
            const bool mine = level[Of::place(v)] == d;
            of.walk(out, first, last, [&](Index u, Index at) {
                if (!mine || at != d + 1) return;
                const long long there = Of::place(u);
                sum += lowered(on[there], of.steps(Of::place(v), there, banded));
            });
            return sum;
        };
        // What vertex v adds, with all that is on paths from it.
        const auto finish = [&](bool has, Index v, double sum) {
            const long long place = Of::place(v);
            double share = 0;
            if (has && level[place] == d) {
                const double count = of.paths_of(place, banded).times;
                share = counts[Of::source()] * (count * sum + endpoints);
                on[place] = sum + 1 / count;
                reached += endpoints;
            }
            share = Of::over_sources(share);
            if (has && Of::source() == 0) centrality[v] += share;
        };
        if (whole) {  // a row's sum is known at once, so that one barrier a level is enough
            of.each_item(out, items + begin, size, [&](bool has, Index v, long long first, long long last) {
                finish(has, v, sum_of(v, first, last));
            });
            meet_all(alone);
            continue;
        }
        if (edges[d] <= edges[d + 1]) {
            of.each_item(out, items + begin, size, [&](bool, Index v, long long first, long long last) {
                const double sum = sum_of(v, first, last);
                if (sum != 0) atomicAdd(on + Of::place(v), sum);
            });
        } else {
            of.each_item(in, items + begin + size, below, [&](bool, Index v, long long first, long long last) {
                const bool mine = level[Of::place(v)] == d + 1;
                const double share = on[Of::place(v)];
                of.walk(in, first, last, [&](Index u, Index at) {
                    if (!mine || at != d) return;
                    const long long there = Of::place(u);
                    atomicAdd(on + there, lowered(share, of.steps(there, Of::place(v), banded)));
                });
            });
        }
        if (below > 0) meet_all(alone);
        for (Count base : warp_stride<Count>(size * WIDTH, 32)) {
            const Count i = base + lane_id();
            const long long item = i < size * WIDTH ? items[begin + i / WIDTH] : item_of(0, 1);
            const long long place = Of::place(vertex_of(item));
            const bool has = piece_of(item) == 0;
            finish(has, vertex_of(item), has && level[place] == d ? on[place] : 0);
        }
        meet_all(alone);
    }
    if (endpoints && alone) grid.wait();  // the first block has added to the sources of others, too
    reached = warp_reduce<Sum, 32, WIDTH>(reached);
    if (lane_id() < WIDTH && reached > 0)
        atomicAdd(centrality + sources[lane_id()], counts[lane_id()] * reached);
}
