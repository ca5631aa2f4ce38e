// The lightest (or heaviest) edges that hold a graph's components together: Borůvka's rounds in one
// launch.
//
// An edge is the entry of its smaller end. Edges of equal weight are ordered by their entries, so
// no two edges are equal, and the trees that choose each other's edges form no cycle. In a round
// each edge between two trees is a candidate for both; then each tree is joined along its best
// candidate. Edges inside a tree are removed during this; the remaining ones are bits over the
// entries.
//
// Most edges are too heavy. The light ones are processed first, until none of them is left; then
// nearly all the others lie inside a tree (Osipov, Sanders, Singler, ALENEX 2009; Fallin,
// Gonzalez, Seo, Burtscher, SC 2023).
// See docs/decisions/components-and-trees.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/operands.cuh"
#include "matrix/weight_order.cuh"
#include "core/grid.cuh"
#include "core/append.cuh"
#include "fused/rows_of_span.cuh"
#include "fused/union_find.cuh"

constexpr Count NO_CANDIDATE = ~Count(0);

// The order of edges. A key is an edge, with its weight in the upper half if both fit.
template <class Offset, class Z> struct EdgeOrder {
    static constexpr bool packed = sizeof(Z) <= 4 && sizeof(Offset) <= 4;

    const Z* values;
    int stride;
    bool heaviest;

    __device__ long long weight(Offset e) const {
        const Z z = values[e * stride];
        const long long w = in_order(z == Z(0) ? Z(0) : z);  // -0 is 0
        return heaviest ? ~w : w;
    }
    __device__ static Offset edge(Count key) { return static_cast<Offset>(key); }  // its low half

    // *best becomes e, if e comes first. The value that is read before may be old.
    __device__ void keep_best(Count* best, Offset e, long long w) const {
        Count seen = *best;
        if constexpr (packed) {
            const Count key = Count(w + (1ll << 31)) << 32 | Word(e);
            if (key < seen) atomicMin(best, key);
        } else {
            while (seen == NO_CANDIDATE || before(e, w, edge(seen))) {
                const Count found = atomicCAS(best, seen, Count(e));
                if (found == seen) return;
                seen = found;
            }
        }
    }
    __device__ bool before(Offset e, long long w, Offset other) const {
        const long long theirs = weight(other);
        return w < theirs || (w == theirs && e < other);
    }
};

template <class Offset, class Z> struct Boruvka {
    Offset nnz;
    Structure<Offset> entries;
    EdgeOrder<Offset, Z> order;
    const Word* begins;
    const Index* ranks;
    const Index* rows;
    Trees trees;
    Count* best;   // of each root
    Word* left;    // edges
    Word* chosen;  // entries

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

    // Selects the edges between two trees: of those up to the limit or, with `beyond`, of the
    // others.
    __device__ void begin(long long limit, bool beyond) const {
        for (long long span : warp_stride<long long>(nnz / SPAN + 1)) {
            const RowsOfSpan row(span, begins, ranks, rows);
            Word mine = 0;
#pragma unroll 4
            for (int word = 0; word < 32; ++word) {
                const Offset e = static_cast<Offset>(span * SPAN) + (word << 5) + lane_id();
                const Index u = row(word, lane_id());
                bool stays = false;
                if (e < nnz) {
                    const Index v = entries.indices[e];
                    stays = u < v && order.weight(e) > limit == beyond && trees.parent[u] != trees.parent[v];
                }
                const Word some = __ballot_sync(ALL_LANES, stays);
                if (word == lane_id()) mine = some;
            }
            left[(span << 5) + lane_id()] = mine;
        }
    }

    // Finds the best edge of each tree among the remaining edges. False if there is none.
    __device__ bool find_best_edges() const {
        bool any = false;
        for (long long span : warp_stride<long long>(nnz / SPAN + 1)) {
            const Word mine = left[(span << 5) + lane_id()];
            const WarpShare share(__popc(mine));
            if (share.total == 0) continue;
            const RowsOfSpan row(span, begins, ranks, rows);
            row.each(static_cast<Offset>(span * SPAN), mine, share, [&](int, Offset e, Index u) {
                const Index a = trees.parent[u], b = trees.parent[entries.indices[e]];
                if (a == b) {
                    atomicAnd(left + (e >> 5), ~(1u << (e & 31)));
                } else {
                    const long long w = order.weight(e);
                    order.keep_best(best + a, e, w);
                    order.keep_best(best + b, e, w);
                    any = true;
                }
            });
        }
        return any;
    }

    __device__ Index row_of(Offset e) const {
        Offset word = e / SPAN * (SPAN / 32);
        Index number = ranks[e / SPAN] - 1;
        for (; word < e >> 5; ++word) number += __popc(begins[word]);
        return rows[number + __popc(begins[word] & ((2u << (e & 31)) - 1))];
    }

    // Chooses the best edge of each tree, if asked for in both directions, and joins the tree along
    // it.
    __device__ void choose(Index n, bool both) const {
        for (Count c : grid_stride<Count>(n)) {
            if (best[c] == NO_CANDIDATE) continue;
            const Offset e = order.edge(best[c]);
            best[c] = NO_CANDIDATE;
            const Index u = row_of(e), v = entries.indices[e];
            mark(chosen, e);
            if (both) mark(chosen, entries.seek(v, u));
            trees.join(u, v);
        }
    }
};

// Chooses among the entries of the symmetric matrix A, by rows: the entries of a spanning forest
// are marked in `chosen`, which is clear before; each edge twice if `both`, else in the row of its
// smaller end. begins, ranks and rows: A's marks. parent and best
// have room for n, and left for as many words as begins has. open and arrivals are 0 at first.
template <class Offset, class Z>
__global__ void __launch_bounds__(UNION_FIND_BLOCK, 4)
    boruvka(Index n, Offset nnz, Csr<Offset, Z> A, bool heaviest, bool both, Count few,
            const Word* begins, const Index* ranks, const Index* rows, Index* parent, Count* best, Word* left,
            Word* chosen, unsigned* open, unsigned* arrivals) {
    const Grid grid{arrivals};
    const Boruvka<Offset, Z> forest{nnz, {A.indptr, A.indices}, {A.values, A.stride, heaviest}, begins, ranks, rows,
                                   {parent}, best, left, chosen};
    for (Count v : grid_stride<Count>(n)) {
        parent[v] = static_cast<Index>(v);
        best[v] = NO_CANDIDATE;
    }
    const bool is_split = few < Count(nnz);
    const long long limit = is_split ? forest.light(few) : arithmetic::highest<long long>;
    unsigned round = 0;
    for (int beyond = 0; beyond <= is_split; ++beyond) {
        grid.wait();
        forest.begin(limit, beyond);
        grid.wait();
        while (true) {
            ++round;
            if (forest.find_best_edges()) *static_cast<volatile unsigned*>(open) = round;
            grid.wait();
            if (*static_cast<volatile unsigned*>(open) != round) break;
            forest.choose(n, both);
            grid.wait();
            for (Count v : grid_stride<Count>(n))
                forest.trees.flatten(static_cast<Index>(v));
            grid.wait();
        }
    }
}

// A vector that a kernel fills.
template <class T> struct Filled {
    Word* bits;
    T* values;
};

// The rows, the columns and the values of the chosen entries of A, one after another. ends: the
// running count of chosen's words; total: the last of it.
template <class Offset, class Z>
__global__ void list_edges(Offset nnz, Index total, Csr<Offset, Z> A, const Word* begins, const Index* ranks,
                           const Index* rows, const Word* chosen, const Offset* ends, Filled<long long> source,
                           Filled<long long> target, Filled<Z> weight) {
    for (long long span : warp_stride<long long>((nnz - 1) / SPAN + 1)) {
        const long long word = (span << 5) + lane_id();
        const Word mine = word <= (nnz - 1) >> 5 ? chosen[word] : 0;
        const WarpShare share(__popc(mine));
        if (share.total == 0) continue;
        const Offset before = span == 0 ? 0 : ends[(span << 5) - 1];
        const RowsOfSpan row(span, begins, ranks, rows);
        row.each(static_cast<Offset>(span * SPAN), mine, share, [&](int at, Offset e, Index u) {
            source.values[before + at] = u;
            target.values[before + at] = A.indices[e];
            weight.values[before + at] = A.values[e * A.stride];
        });
    }
    for (Index word : grid_stride<Index>(words_of(total)))
        source.bits[word] = target.bits[word] = weight.bits[word] = inside(word, total);
}
