// A push of a closure whose rows are distributed over processes (see distributed_steps.cuh): it lists
// what it finds for each owner. The rule under `any` is here; that by order of value is in
// distributed_order.cuh.
// See docs/decisions/cluster.md.
#pragma once
#include "closure/level_synchronous/distributed_steps.cuh"
#include "core/grid.cuh"

// The lists that a push makes, one for each owner, `stride` elements apart: a head, for the number of
// entries, and then the places and the values, as a type that holds them.
template <class T> struct OwnerLists {
    using Value = T;

    Index stride;
    Index* places;
    T* values;
    Count* counts;

    __device__ Index* places_of(Index r) const { return places + static_cast<long long>(r) * stride + 1; }
    __device__ T* values_of(Index r) const { return values + static_cast<long long>(r) * stride + 1; }
};

template <class S, class Lists> struct DistributedPush {
    using Z = typename S::Z;

    const Index* indices;
    const typename S::A* values;
    int stride;
    CyclicOwner owner;
    Word* seen;
    const Lists& found;

    __device__ bool admits(typename S::U, Z) const { return true; }
    __device__ bool helps(Index j, Z) const { return !(peek(seen + (j >> 5)) >> (j & 31) & 1u); }
    __device__ typename S::U value_of(Index) const { return {}; }
    // Lanes whose positions are of one part reserve places together, and all parts at the same time.
    __device__ void relax(bool live, Index j, Z z) const {
        const bool mine = live && claim_unset(seen, j);
        if (!__any_sync(ALL_LANES, mine)) return;
        const Index place = owner.place(j), part = mine ? owner.part(j, place) : owner.parts;
        const Word alike = __match_any_sync(ALL_LANES, part);
        const int leader = __ffs(static_cast<int>(alike)) - 1;
        Count at = 0;
        if (mine && lane_id() == leader) at = atomicAdd(found.counts + part, Count(__popc(alike)));
        at = __shfl_sync(ALL_LANES, at, leader) + __popc(alike & lanes_below());
        if (!mine) return;
        found.places_of(part)[at] = place;
        found.values_of(part)[at] = static_cast<typename Lists::Value>(z);
    }
};

// A push along those rows of the marked positions of this process that have up to `longest` entries. A
// lane takes the positions of a word of its own, one after another, so that a warp walks rows of 32
// words together where each marks few. All lanes call longer(mine, k, degree) for the other rows.
template <class S, class Rule, class Longer>
__device__ inline void push_words(Index n, const CyclicRows& cyclic, const Word* frontier, const CsrOf<S>& A,
                                  typename S::Offset longest, Rule& rule, Candidates<typename S::Z>& own,
                                  Longer longer) {
    using Offset = typename S::Offset;
    const Index words = words_of(n);
    for (const auto numbers : lanes_apart<Index>(words, warp_id())) {
        const Index at = numbers.own();
        Word left = at < words ? frontier[at] : 0;
        for (; __any_sync(ALL_LANES, left != 0); left &= left - 1) {
            Index k = 0;
            Offset first = 0, degree = 0;
            typename S::U z{};
            if (left != 0) {
                k = (at << 5) + __ffs(static_cast<int>(left)) - 1;
                first = A.indptr[k];
                degree = A.indptr[k + 1] - first;
                z = rule.value_of(k);
            }
            longer(degree > longest, k, degree);
            walk<S>(rule, own, cyclic.position(k), z, first,
                    degree > longest ? 0 : static_cast<int>(degree));
        }
    }
}

// Rows of more than `piece` entries, in pieces of so many: piece p begins at entry firsts[p] of row
// rows[p].
template <class Offset> struct Pieces {
    Index piece, count;
    const Index* rows;
    const Offset* firsts;
};

// A push along all rows of the marked positions.
template <class S, class Rule>
__device__ inline void push_distributed(Index n, const CyclicRows& cyclic, const Word* frontier, const CsrOf<S>& A,
                                        const Pieces<typename S::Offset>& pieces, Rule rule,
                                        Candidates<typename S::Z>& own) {
    using Offset = typename S::Offset;
    push_words<S>(n, cyclic, frontier, A, static_cast<Offset>(pieces.piece), rule, own, [](bool, Index, Offset) {});
    for (const auto numbers : lanes_apart<Index>(pieces.count)) {
        const Index at = numbers.own();
        const bool mine = at < pieces.count && present(frontier, pieces.rows[at]);
        if (!__any_sync(ALL_LANES, mine)) continue;
        const Index k = mine ? pieces.rows[at] : 0;
        const Offset first = mine ? pieces.firsts[at] : 0, left = mine ? A.indptr[k + 1] - first : 0;
        walk<S>(rule, own, cyclic.position(k), typename S::U{}, first,
                left > static_cast<Offset>(pieces.piece) ? pieces.piece : static_cast<int>(left));
    }
}

constexpr int LEAST_PIECE = 64;  // entries that a warp reads at a time

// A push along all rows of the marked positions by a resident grid, without a table of pieces. Rows of more than a
// piece are queued, and then all warps share their pieces, which are the shorter the fewer edges there are: one
// vertex with many edges must not keep a few warps busy while all others wait. The queue has room for as many rows
// as there can be with more than `most` entries, and for twice as many as warps. `counts` counts what is queued in
// counts[1], which is 0 at first. The grid waits in between, if `edges`, those of the frontier, may be in long rows.
template <class S, class Rule>
__device__ inline void push_resident(Index n, const CyclicRows& cyclic, const Word* frontier, const CsrOf<S>& A,
                                     Index most, Count edges, long long* queue, Count* counts, const Grid& grid,
                                     Rule rule, Candidates<typename S::Z>& own) {
    using Offset = typename S::Offset;
    const Count share = edges / static_cast<Count>(warp_count());
    const Count least = most < LEAST_PIECE ? most : LEAST_PIECE;
    const Offset piece = static_cast<Offset>(share < least ? least : share < Count(most) ? share : Count(most));
    const Level long_rows{nullptr, nullptr, queue, counts};
    push_words<S>(n, cyclic, frontier, A, piece, rule, own,
                  [&](bool mine, Index k, Offset degree) { append_long(mine, k, degree, piece, long_rows); });
    if (edges <= Count(piece)) return;
    grid.wait();
    const Items items(long_rows);
    for (const auto numbers : lanes_apart<Count>(items.pieces)) {
        const Count at = numbers.own();
        Index k = 0;
        Offset first = 0;
        int degree = 0;
        typename S::U z{};
        if (at < items.pieces) {
            degree = items.edges(long_rows, at, A.indptr, piece, k, first);
            z = rule.value_of(k);
        }
        walk<S>(rule, own, cyclic.position(k), z, first, degree);
    }
}
