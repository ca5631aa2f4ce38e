// How many products of A and B fall on entries of M: the sum of C⟨M⟩ = A ⊕.⊗ B under plus_pair,
// without C (see masked_gustavson.cuh, which has the same tiles).
//
// Only whether a column is in the row of M matters, not where, so shared memory has one bit for a
// column where the row lies within a window, and no sums. The windows are wide enough for the hubs
// of a graph whose vertices are numbered by falling degree, in whose rows most products are. Other
// rows are hash tables, or marks with a search in the row itself. A hit costs a register.
//
// O(products) reads of shared memory. See docs/decisions/spgemm.md.
#pragma once
#include "core/warp_reduce.cuh"
#include "spgemm/mask_lookup.cuh"

// WORDS are the shared memory of a block, a power of two. `total` is 0 at first.
template <class Offset, class Group, int WORDS>
__global__ void closed_wedges(Index nrows, Structure<Offset> M, Structure<Offset> A, Structure<Offset> B,
                              const long long* ends, Index columns, Index few, Index tile,
                              const long long* tiles, unsigned long long* total) {
    __shared__ __align__(16) Word memory[WORDS];
    const int words = WORDS / Group::per_block();
    Word* const own = memory + Group::number() * words;
    unsigned long long hits = 0;
    each_tile<Group>(nrows, M.indptr, A.indptr, ends, columns, few, tile, tiles,
                     [&](Index i, long long begin, long long end, bool) {
        const Offset first = M.indptr[i], last = M.indptr[i + 1];
        const Index least_column = M.indices[first], last_column = M.indices[last - 1];
        const ProductShare<Group, Offset> share(begin, end);
        const auto look_up = [&](auto holds) {
            share.each(A, i, B.indptr, ends, [&](Offset, Offset from, int count) {
                look_through(B.indices, from, count, last_column, [&](Index j) { return holds(j) ? 0 : -1; },
                             [&](Offset, Index, Offset) { ++hits; });
            });
        };
        const Index span = (last_column - least_column) / 32 + 1;
        if (span <= words) {
            for (int w = Group::rank(); w < span; w += Group::size()) own[w] = 0;
            Group::sync();
            for (Offset e = first + Group::rank(); e < last; e += Group::size())
                mark(own, M.indices[e] - least_column);
            Group::sync();
            look_up([&](Index j) { return j >= least_column && present(own, j - least_column); });
        } else if (Group::one_warp || last - first <= words / 2) {
            Hashed<Group> held{{reinterpret_cast<Index*>(own), roomy_size(last - first, words)}};
            held.enter(M.indices, nullptr, first, last, nullptr);
            look_up([&](Index j) { return held.find(j) >= 0; });
        } else {
            Marks marks{own, WORDS};
            marks.enter(M.indices, nullptr, first, last);
            look_up([&](Index j) { return marks.may_hold(j) && M.at(M.seek(i, j), i, j); });
        }
        Group::sync();  // before the next row
    });
    hits = warp_reduce<Sum>(hits);
    if (lane_id() == 0 && hits > 0) atomicAdd(total, hits);
}
