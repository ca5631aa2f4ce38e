// The steps of Borůvka's rounds (see boruvka.cuh): the order of edges, the best edge of each tree, and joining trees
// along them.
//
// All of these are short chains of accesses, each of which waits for the one before. So where there are few
// entries several warps share those of a span.
// See docs/decisions/components-and-trees.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/operands.cuh"
#include "fused/edge_order.cuh"
#include "fused/rows_of_span.cuh"
#include "fused/union_find.cuh"

// Trees in a list, or all vertices if it is null.
struct TreeList {
    const Index* list;
    Count count;

    __device__ Index at(Count i) const { return i >= count ? -1 : list == nullptr ? static_cast<Index>(i) : list[i]; }
};

template <class Offset, class Z> struct Boruvka {
    using Weight = typename EdgeOrder<Offset, Z>::Weight;

    Offset nnz;
    Structure<Offset> entries;
    EdgeOrder<Offset, Z> order;
    const Word* begins;
    const Index* ranks;
    const Index* rows;
    Trees trees;
    Count* best;    // of each root
    Word* left;     // edges
    Index* before;  // the number of rows up to each word of entries
    Word* chosen;   // entries

    // A weight that about `few` of the entries do not exceed, where `few` is less than their
    // number. It is the same in all blocks; all threads of a block must call it.
    __device__ long long light(Count few) const {
        __shared__ long long sample[UNION_FIND_BLOCK];
        __shared__ long long limit;
        const Count threads = blockDim.x, wanted = few * threads / Count(nnz);
        const long long mine = order.weight(static_cast<Offset>(Count(nnz) * threadIdx.x / threads));
        sample[threadIdx.x] = mine;
        __syncthreads();
        Count below = 0;
        for (unsigned i = 0; i < blockDim.x; ++i)
            below += sample[i] < mine || (sample[i] == mine && i < threadIdx.x);
        if (below == wanted) limit = mine;
        __syncthreads();
        return limit;
    }

    // Calls body(span, first, words) for each span of entries, of which the warp has so many words from the first
    // on. All lanes get the same.
    template <class Body> __device__ void each_share(Body body) const {
        const long long spans = nnz / SPAN + 1;
        int halvings = 0;
        while (halvings < 5 && spans << halvings < warp_count()) ++halvings;
        const int words = 32 >> halvings;
        for (long long share : warp_stride<long long>(spans << halvings))
            body(share >> halvings, static_cast<int>(share << 5 >> halvings) & 31, words);
    }

    // True if an edge lies between two trees: then it is considered for both. `joined`: if some trees have more than
    // one vertex.
    __device__ bool consider(Offset e, Index u, Index v, Weight w, bool joined) const {
        const Index a = joined ? trees.root(u) : u, b = joined ? trees.root(v) : v;
        if (a == b) return false;
        const Count of_a = best[a], of_b = best[b];
        order.keep_best(best + a, e, w, of_a);
        order.keep_best(best + b, e, w, of_b);
        return true;
    }

    // Selects the edges between two trees, of those up to the limit or, with `beyond`, of the others; and finds the
    // best of them for each tree. False if there is none.
    __device__ bool begin(long long limit, bool beyond) const {
        bool any = false;
        each_share([&](long long span, int first, int words) {
            const RowsOfSpan row(span, begins, ranks, rows);
            Word mine = 0;
            for (int word = first; word < first + words; ++word) {
                const Offset e = static_cast<Offset>(span * SPAN) + (word << 5) + lane_id();
                const Index u = row(word, lane_id()), v = e < nnz ? entries.indices[e] : -1;
                bool stays = u < v;
                if (stays) {
                    const Weight w = order.weight(e);
                    stays = w > limit == beyond && consider(e, u, v, w, beyond);
                }
                const Word some = __ballot_sync(ALL_LANES, stays);
                if (word == lane_id()) mine = some;
                any = any || stays;
            }
            if (lane_id() < first || lane_id() >= first + words) return;
            left[(span << 5) + lane_id()] = mine;
            before[(span << 5) + lane_id()] = row.before;
        });
        return any;
    }

    // Finds the best edge of each tree among the remaining edges. False if there is none.
    __device__ bool find_best_edges() const {
        bool any = false;
        each_share([&](long long span, int first, int words) {
            const bool has = lane_id() >= first && lane_id() < first + words;
            const Word mine = has ? left[(span << 5) + lane_id()] : 0;
            const WarpShare share(__popc(mine));
            if (share.total == 0) return;
            const RowsOfSpan row(span, begins, ranks, rows);
            row.each(static_cast<Offset>(span * SPAN), mine, share, [&](int, Offset e, Index u) {
                const Index v = entries.indices[e];
                if (consider(e, u, v, order.weight(e), true)) any = true;
                else atomicAnd(left + (e >> 5), ~(1u << (e & 31)));
            });
        });
        return any;
    }

    // Chooses the best edge of each of the trees that have one, and joins the tree along it. These trees are appended
    // to `list`, unless that is null.
    __device__ void choose(const TreeList& of, Index* list, unsigned* length) const {
        for (Count base : warp_stride<Count>(of.count, 32)) {
            const Index c = of.at(base + lane_id());
            const Count key = c < 0 ? NO_CANDIDATE : best[c];
            const bool has = key != NO_CANDIDATE;
            const unsigned at = list == nullptr ? 0 : append(has, length);
            if (!has) continue;
            if (list != nullptr) list[at] = c;
            best[c] = NO_CANDIDATE;
            const Offset e = order.edge(key);
            const Word marks = begins[e >> 5] & ((2u << (e & 31)) - 1);
            const Index u = rows[before[e >> 5] + __popc(marks) - 1], v = entries.indices[e];
            mark(chosen, e);
            trees.join(u, v);
        }
    }

    // Chooses the entries of the chosen edges' larger ends, too.
    __device__ void choose_others() const {
        each_share([&](long long span, int first, int words) {
            const long long word = (span << 5) + lane_id();
            const bool has = lane_id() >= first && lane_id() < first + words && word <= (nnz - 1) >> 5;
            const Word mine = has ? peek(chosen + word) : 0;
            const WarpShare share(__popc(mine));
            if (share.total == 0) return;
            const RowsOfSpan row(span, begins, ranks, rows);
            row.each(static_cast<Offset>(span * SPAN), mine, share, [&](int, Offset e, Index u) {
                const Index v = entries.indices[e];
                if (v > u) mark(chosen, entries.seek(v, u));  // others may be marked already
            });
        });
    }
};
