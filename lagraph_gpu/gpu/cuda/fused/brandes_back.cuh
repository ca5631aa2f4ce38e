// Betweenness, the way back: what lies on the shortest paths that brandes_forth.cuh has counted. The
// edges between two levels are read from the one that has fewer. See docs/decisions/betweenness.md.
#pragma once
#include "fused/brandes_items.cuh"

// For each of WIDTH sources s (-1: none), adds to centrality[v], for every v except s, Σ over t of
// the share of the shortest paths from s to t on which v lies, without their ends. With `endpoints`
// it also adds 1 for each t at v, and as many at s. All of this counts counts[i] times for source i.
// `arrivals` is 0 at first. `whole` says that no row is longer than a piece.
template <class Offset, int WIDTH, class Stamp>
__global__ void __launch_bounds__(BRANDES_BLOCK, 4)
    brandes_back(BrandesRows<Offset> out, BrandesRows<Offset> in, BrandesItems<Offset, WIDTH, Stamp> of,
                 BrandesLevels levels, bool whole, const Index* sources, const double* counts, bool endpoints,
                 double* centrality, unsigned* arrivals, const Word* too_deep) {
    using Of = BrandesItems<Offset, WIDTH, Stamp>;
    if (*too_deep != 0) return;
    const Grid grid{arrivals};
    const long long* const items = levels.items;
    const Count *const sizes = levels.sizes, *const edges = levels.edges;
    const Index depth = static_cast<Index>(*levels.depth);
    Count begin = *levels.begin;
    double reached = 0;
    const bool banded = of.banded(depth);
    bool alone = false;
    for (Index d = depth - 1; d > 0; --d) {
        const Count size = sizes[d];
        begin -= size;
        const Count below = sizes[d + 1];
        const bool now = Of::small(size) && Of::small(below);
        if (alone && !now) grid.wait();
        alone = now;
        const auto sum_of = [&](Index v, long long first, long long last) {
            double sum = 0;
            const bool mine = of.level[Of::place(v)] == d;
            of.walk(out, first, last, [&](Index u, Stamp at) {
                if (!mine || at != d + 1) return;
                const long long there = Of::place(u);
                sum += lowered(of.on[there], of.steps(Of::place(v), there, banded));
            });
            return sum;
        };
        // What vertex v adds, with all that is on paths from it.
        const auto finish = [&](bool has, Index v, double sum) {
            const long long place = Of::place(v);
            double share = 0;
            if (has && of.level[place] == d) {
                const double count = of.paths_of(place, banded).times;
                share = counts[Of::source()] * (count * sum + endpoints);
                of.on[place] = sum + 1 / count;
                reached += endpoints;
            }
            share = Of::over_sources(share);
            if (has && Of::source() == 0) centrality[v] += share;
        };
        if (whole) {  // a row's sum is known at once, so that one barrier a level is enough
            of.each_item(out, items + begin, size, [&](bool has, Index v, long long first, long long last) {
                finish(has, v, sum_of(v, first, last));
            });
            meet_all(grid, alone);
            continue;
        }
        if (edges[d] <= edges[d + 1]) {
            of.each_item(out, items + begin, size, [&](bool, Index v, long long first, long long last) {
                const double sum = sum_of(v, first, last);
                if (sum != 0) atomicAdd(of.on + Of::place(v), sum);
            });
        } else {
            of.each_item(in, items + begin + size, below, [&](bool, Index v, long long first, long long last) {
                const bool mine = of.level[Of::place(v)] == d + 1;
                const double share = of.on[Of::place(v)];
                of.walk(in, first, last, [&](Index u, Stamp at) {
                    if (!mine || at != d) return;
                    const long long there = Of::place(u);
                    atomicAdd(of.on + there, lowered(share, of.steps(there, Of::place(v), banded)));
                });
            });
        }
        if (below > 0) meet_all(grid, alone);
        for (Count base : warp_stride<Count>(size * WIDTH, 32)) {
            const Count i = base + lane_id();
            const long long item = i < size * WIDTH ? items[begin + i / WIDTH] : item_of(0, 1);
            const long long place = Of::place(vertex_of(item));
            const bool has = piece_of(item) == 0;
            finish(has, vertex_of(item), has && of.level[place] == d ? of.on[place] : 0);
        }
        meet_all(grid, alone);
    }
    if (endpoints && alone) grid.wait();  // the first block has added to the sources of others, too
    reached = warp_reduce<Sum, 32, WIDTH>(reached);
    if (lane_id() < WIDTH && reached > 0)
        atomicAdd(centrality + sources[lane_id()], counts[lane_id()] * reached);
}
