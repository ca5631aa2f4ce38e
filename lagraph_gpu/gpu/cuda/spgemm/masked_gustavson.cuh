// C⟨M⟩ = A ⊕.⊗ B within a mask that is not complemented, as sums of rows of B (Gustavson 1978).
//
// The columns that row i of M wants are in a hash table in shared memory, each with the value that
// was folded for it. A warp reads rows of B from adjacent addresses, and most products need only
// one read of the table, because most pairs of edges of a graph are not closed by a third edge.
// When a row is finished, its values are written to the places beside M's entries. If a row is too
// long for the table, each column leaves a mark in a filter instead (Bloom 1970). A column that
// passes the filter is searched for in the row itself, and the product is folded directly into C.
//
// O(products) reads of the table or filter, and O(log) of the row's length for each hit in a long
// row. See docs/decisions/spgemm.md.
#pragma once
#include "spgemm/factors.cuh"
#include "spgemm/mask_lookup.cuh"

// product_tiles.cuh says which thread handles which row. `has` must be clear, and `out` must hold
// start().
template <class S, class Group, int SLOTS>
__global__ void masked_gustavson(Index nrows, Structure<typename S::Offset> M, const Word* truth,
                                 Factors<S> factors, const long long* ends, Index columns, Index few,
                                 Index tile, const long long* tiles, Word* has, typename S::Z* out) {
    using Offset = typename S::Offset;
    using Memory = TableMemory<S, SLOTS>;
    __shared__ Memory memory;
    const Structure<Offset> A = factors.A(), B = factors.B();
    const int slots = SLOTS / Group::per_block(), own = Group::number() * slots;
    Folded<S, Group> folded{memory.sums + own, memory.taken + (S::counts ? 0 : own / 32)};
    each_tile<Group>(nrows, M.indptr, A.indptr, ends, columns, few, tile, tiles,
                     [&](Index i, long long begin, long long end, bool whole) {
        const Offset first = M.indptr[i], last = M.indptr[i + 1];
        const Index least_column = M.indices[first], last_column = M.indices[last - 1];
        const ProductShare<Group, Offset> share(begin, end);
        const auto look_up = [&](auto find, auto fold) {
            share.each(A, i, B.indptr, ends, [&](Offset ea, Offset from, int count) {
                look_through(B.indices, from, count, last_column, find, [&](Offset eb, Index j, Offset place) {
                    fold(place, [&] { return factors.product(ea, eb, i, j); });
                });
            });
            Group::sync();
        };
        const auto in_shared_memory = [&](auto held) {
            folded.clear(held.slots);
            held.enter(M.indices, truth, first, last, memory.warps);
            look_up([&](Index j) { return held.find(j); },
                    [&](Offset slot, auto product) { folded.fold(static_cast<int>(slot), product); });
            folded.leave(held, M.indices, truth, first, last, whole, has, out);
        };
        if (!Group::one_warp && last - first <= SLOTS && (last_column - least_column) / 32 < SLOTS) {
            in_shared_memory(Window{reinterpret_cast<Word*>(memory.keys), memory.ranks, least_column,
                                    (last_column - least_column) / 32 + 1, static_cast<int>(last - first)});
        } else if (Group::one_warp || last - first <= slots / 2) {
            in_shared_memory(Hashed<Group>{{memory.keys + own, roomy_size(last - first, slots)}});
        } else {
            Marks marks{reinterpret_cast<Word*>(memory.keys), SLOTS};
            marks.enter(M.indices, truth, first, last);
            const auto find = [&](Index j) {
                if (!marks.may_hold(j)) return Offset(-1);
                const Offset place = M.seek(i, j);
                return M.at(place, i, j) && is_wanted(truth, place) ? place : Offset(-1);
            };
            look_up(find, [&](Offset place, auto product) {
                if constexpr (S::any) {
                    if (claim(has, place)) out[place] = product();
                } else {
                    fold_into<S>(out + place, product());
                    claim(has, place);
                }
            });
        }
        Group::sync();  // before the next row
    });
}
