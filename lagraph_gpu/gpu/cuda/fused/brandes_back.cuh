// Betweenness, the way back: what lies on the shortest paths that brandes_forth.cuh has counted. The
// edges between two levels are read from the one that has fewer. See docs/decisions/betweenness.md.
#pragma once
#include "fused/brandes_items.cuh"

template <int count> struct Few {
    static constexpr int value = count;
};

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
        // What some vertices v add, with all that is on paths from them.
        const auto finish = [&](auto few, const bool* has, const Index* v, const double* sum) {
            constexpr int FEW = decltype(few)::value;
            double share[FEW], count[FEW], before[FEW];
            bool mine[FEW];
#pragma unroll
            for (int i = 0; i < FEW; ++i) {
                mine[i] = has[i] && of.level[Of::place(v[i])] == d;
                before[i] = has[i] && Of::source() == 0 ? centrality[v[i]] : 0;
            }
#pragma unroll
            for (int i = 0; i < FEW; ++i) count[i] = mine[i] ? of.paths_of(Of::place(v[i]), banded).times : 1;
#pragma unroll
            for (int i = 0; i < FEW; ++i) {
                share[i] = mine[i] ? counts[Of::source()] * (count[i] * sum[i] + endpoints) : 0;
                if (mine[i]) of.on[Of::place(v[i])] = sum[i] + 1 / count[i];
                if (mine[i]) reached += endpoints;
            }
#pragma unroll
            for (int i = 0; i < FEW; ++i) {
                share[i] = Of::over_sources(share[i]);
                if (has[i] && Of::source() == 0) centrality[v[i]] = before[i] + share[i];
            }
        };
        if (whole) {  // a row's sum is known at once, so that one barrier a level is enough
            of.each_item(out, items + begin, size, [&](bool has, Index v, long long first, long long last) {
                const double sum = sum_of(v, first, last);
                finish(Few<1>{}, &has, &v, &sum);
            });
            meet_all(grid, alone);
            continue;
        }
        if (edges[d] <= edges[d + 1]) {
            of.each_item(out, items + begin, size, [&](bool, Index v, long long first, long long last) {
                if constexpr (Of::signs) {
                    if (!banded) {
                        const bool mine = of.level[Of::place(v)] == d;
                        const double sum = of.sum_known(out, of.on, mine, first, last);
                        if (sum != 0) atomicAdd(of.on + Of::place(v), -sum);
                        return;
                    }
                }
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
        for (Count base : warp_stride<Count>(size * WIDTH, 32 * Of::FINISHED)) {
            long long item[Of::FINISHED];
            Index v[Of::FINISHED];
            double sum[Of::FINISHED];
            bool has[Of::FINISHED];
#pragma unroll
            for (int i = 0; i < Of::FINISHED; ++i) {
                const Count at = base + 32 * i + lane_id();
                item[i] = at < size * WIDTH ? items[begin + at / WIDTH] : item_of(0, 1);
            }
#pragma unroll
            for (int i = 0; i < Of::FINISHED; ++i) {
                v[i] = vertex_of(item[i]);
                has[i] = piece_of(item[i]) == 0;
                sum[i] = has[i] ? fabs(of.on[Of::place(v[i])]) : 0;  // of no use at other levels
            }
            finish(Few<Of::FINISHED>{}, has, v, sum);
        }
        meet_all(grid, alone);
    }
    if (endpoints && alone) grid.wait();  // the first block has added to the sources of others, too
    reached = warp_reduce<Sum, 32, WIDTH>(reached);
    if (lane_id() < WIDTH && reached > 0)
        atomicAdd(centrality + sources[lane_id()], counts[lane_id()] * reached);
}
