// Moves of rows where few labels are in use and votes have 32 bits. The labels are numbered, so each has a
// place of its own in shared memory, where its votes are added up without a search; and no row is too long
// for that. Lanes with the same label are not joined, because shared memory adds such votes by itself.
// Votes for a row's own label are added up in registers. O(entries + rows times labels).
// See docs/decisions/louvain.md.
#pragma once
#include "fused/label_argmax.cuh"

// The number of each vertex's label among those in use, of which `ends` are the running counts, and for
// each number the label and its sums. Vertices without edges, whose inverse of the degree is 0, share the
// number of a label n.
template <class Z>
__global__ void number_labels(Index n, const long long* winner, const Z* inverse, const Index* ends,
                              const Z* all_k_sums, const Z* all_d_sums, Index* labels, Index* names,
                              Z* k_sums, Z* d_sums) {
    for (Index v : grid_stride<Index>(n)) {
        labels[v] = ends[inverse[v] > 0 ? winner[v] : n] - 1;
        const Index at = v > 0 ? ends[v - 1] : 0;
        if (ends[v] == at) continue;
        names[at] = v;
        k_sums[at] = all_k_sums[v];
        if (d_sums != nullptr) d_sums[at] = all_d_sums[v];
    }
}

// The labels of numbers, and their sums, in place of those before.
template <class Z>
__global__ void name_labels(Index n, const Index* labels, const Z* inverse, const Index* ends, const Index* names,
                            const Z* k_sums, const Z* d_sums, long long* winner, Z* all_k_sums, Z* all_d_sums) {
    const Index used = ends[n - 1];
    for (Index v : grid_stride<Index>(n)) {
        if (inverse[v] > 0) winner[v] = names[labels[v]];
        if (v >= used) continue;
        all_k_sums[names[v]] = k_sums[v];
        if (d_sums != nullptr) all_d_sums[names[v]] = d_sums[v];
    }
}

// A row by a group. `votes` has a place for each of the `used` labels, all of which are 0, before and after.
template <class Group, class Offset, class Z, int VOTES, class Votes>
__device__ inline void counted_row(const Choices<Offset, Z, true, VOTES>& choices, Index v, Index used,
                                   Votes* votes, BestLabels<Z, true>& bests) {
    const Offset first = choices.indptr[v], last = choices.ends[v];
    const Index mine = choices.labels[v];
    Votes own = 0;
    for (auto base = first; base < last; base += LOADS * Group::size()) {
        Index labels[LOADS];
        Votes each[LOADS];
        for (int r = 0; r < LOADS; ++r) {
            const auto e = base + r * Group::size() + Group::rank();
            labels[r] = choices.label(e, e < last);
            each[r] = choices.vote(e, e < last);
        }
        for (int r = 0; r < LOADS; ++r) {
            if (labels[r] == mine) own += each[r];
            else if (labels[r] != NO_LABEL) fold_into<Plus<Votes>>(votes + labels[r], each[r]);
        }
    }
    const Z factor = choices.factor(v);
    Group::sync();
    BestLabel<Z, true> best;
    best.own = static_cast<Z>(own);
    for (Index c = Group::rank(); c < used; c += Group::size()) {
        const Votes x = votes[c];
        if (x == 0) continue;
        votes[c] = 0;
        choices.see(best, v, factor, mine, c, x);
    }
    best.join_warp();
    if constexpr (Group::one_warp) Group::sync();  // all places are 0
    else best = bests.fold(best);
    conclude<Group>(choices, v, mine, best);
}

// A place for each label in dynamic shared memory, for each group of the block.
template <class Group, class Votes> __device__ inline Votes* cleared_places(Index used) {
    extern __shared__ unsigned long long shared[];
    Votes* const votes = reinterpret_cast<Votes*>(shared) + Group::number() * static_cast<long long>(used);
    for (Index c = Group::rank(); c < used; c += Group::size()) votes[c] = 0;
    Group::sync();
    return votes;
}

// 32 registers are enough for them.
template <class Offset, class Z, int VOTES, class Group>
__global__ void
__launch_bounds__(MAX_THREADS, ARCHITECTURE == 900 && FEW_REGISTERS<Group, Offset, VOTES> ? 8 : 4)
count_row(Index n, const Index* rows, const unsigned* counts, const Offset* indptr, const Offset* ends,
          const Index* indices, const typename Held<Z, VOTES>::type* values, const Index* labels, Z* top,
          long long* winner, Moves<Z> terms, Index used) {
    using Votes = typename Counted<Z, VOTES>::type;
    __shared__ BestLabels<Z, true> bests;
    const Choices<Offset, Z, true, VOTES> choices{indptr, ends, indices, values, labels, top, winner, terms};
    Votes* const votes = cleared_places<Group, Votes>(used);
    const int kind = Group::one_warp ? 2 : 3;
    for (unsigned r : group_stride<Group, unsigned>(counts[kind]))
        counted_row<Group>(choices, rows[static_cast<long long>(kind) * n + r], used, votes, bests);
}

// The longest rows, each handled by the next block that is free.
template <class Offset, class Z, int VOTES>
__global__ void
count_long_row(Index n, const Index* rows, const unsigned* counts, const Offset* indptr, const Offset* ends,
               const Index* indices, const typename Held<Z, VOTES>::type* values, const Index* labels, Z* top,
               long long* winner, Moves<Z> terms, unsigned* next, Index used) {
    using Votes = typename Counted<Z, VOTES>::type;
    __shared__ BestLabels<Z, true> bests;
    __shared__ unsigned taken;
    const Choices<Offset, Z, true, VOTES> choices{indptr, ends, indices, values, labels, top, winner, terms};
    Votes* const votes = cleared_places<Block, Votes>(used);
    const unsigned longest = counts[5], all = longest + counts[4];
    while (true) {
        if (threadIdx.x == 0) taken = atomicAdd(next, 1u);
        __syncthreads();
        const unsigned item = taken;
        if (item >= all) return;
        const Index v = item < longest ? rows[5ll * n + item] : rows[4ll * n + (item - longest)];
        counted_row<Block>(choices, v, used, votes, bests);  // waits before the next row is taken
    }
}
