// The lightest (or heaviest) edges that hold a graph's components together: Borůvka's rounds in one
// launch.
//
// An edge is the entry of its smaller end. Edges of equal weight are ordered by their entries, so
// no two edges are equal, and the trees that choose each other's edges form no cycle. In a round
// each edge between two trees is a candidate for both; then each tree is joined along its best
// candidate. Edges inside a tree are removed during this; the remaining ones are bits over the
// entries. A tree that had no candidate will never have one, so later rounds go through a list of those that had.
//
// Most edges are too heavy. The light ones are processed first, until none of them is left; then
// nearly all the others lie inside a tree (Osipov, Sanders, Singler, ALENEX 2009; Fallin,
// Gonzalez, Seo, Burtscher, SC 2023).
// See docs/decisions/components-and-trees.md.
#pragma once
#include "core/grid.cuh"
#include "fused/boruvka_rounds.cuh"

// Chooses among the entries of the symmetric matrix A, by rows: the entries of a spanning forest
// are marked in `chosen`, and counted for each of its words; each edge twice if `both`, else in the row of its
// smaller end. begins, ranks and rows: A's marks. parent and best have room for n, lists for three quarters of that
// and two more, and left and before for as many words as begins has. lengths is 0 at first: of the lists, by rounds,
// and two words more.
template <class Offset, class Z>
__global__ void __launch_bounds__(UNION_FIND_BLOCK, 4)
    boruvka(Index n, Offset nnz, Csr<Offset, Z> A, bool heaviest, bool both, Count few,
            const Word* begins, const Index* ranks, const Index* rows, Index* parent, Count* best, Word* left,
            Index* before, Index* lists, Word* chosen, Offset* counts, unsigned* lengths) {
    unsigned* const open = lengths + FOREST_ROUNDS;
    const Grid grid{open + 1};
    const Boruvka<Offset, Z> forest{nnz, {A.indptr, A.indices}, {A.values, A.stride, heaviest}, begins, ranks, rows,
                                   {parent}, best, left, before, chosen};
    for (Count v : grid_stride<Count>(n)) {
        parent[v] = static_cast<Index>(v);
        best[v] = NO_CANDIDATE;
    }
    for (Offset word : grid_stride<Offset>((nnz - 1) / 32 + 1)) chosen[word] = 0;
    const bool is_split = few < Count(nnz);
    const long long limit = is_split ? forest.light(few) : arithmetic::highest<long long>;
    unsigned round = 0;
    grid.wait();
    for (int beyond = 0; beyond <= is_split; ++beyond) {
        bool any = forest.begin(limit, beyond);
        // From the second round on they are half of all at most, and are listed; from then on half of these.
        TreeList trees{nullptr, Count(n)};
        for (int turn = 0;; ++turn) {
            ++round;
            any = __syncthreads_or(any);  // thousands of stores to one word would take longer than the round
            if (any && threadIdx.x == 0 && peek(open) != round) *static_cast<volatile unsigned*>(open) = round;
            grid.wait();
            if (*static_cast<volatile unsigned*>(open) != round) break;
            Index* const list = turn == 0 ? nullptr : lists + (turn & 1 ? 0 : n / 2 + 1);
            forest.choose(trees, list, lengths + round);
            grid.wait();
            for (Count i : grid_stride<Count>(trees.count)) forest.trees.flatten(trees.at(i));
            if (list != nullptr) trees = {list, peek(lengths + round)};
            any = forest.find_best_edges();
        }
    }
    if (both) {
        forest.choose_others();
        grid.wait();
    }
    for (Offset word : grid_stride<Offset>((nnz - 1) / 32 + 1)) counts[word] = __popc(peek(chosen + word));
}

// A vector that a kernel fills.
template <class T> struct Filled {
    Word* bits;
    T* values;
};

// The rows, the columns and the values of the chosen entries of A, one after another. ends: the
// running count of chosen's words.
template <class Offset, class Z>
__global__ void list_edges(Offset nnz, Csr<Offset, Z> A, const Word* begins, const Index* ranks,
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
    const Index total = static_cast<Index>(ends[(nnz - 1) >> 5]);
    for (Index word : grid_stride<Index>(words_of(total)))
        source.bits[word] = target.bits[word] = weight.bits[word] = inside(word, total);
}
