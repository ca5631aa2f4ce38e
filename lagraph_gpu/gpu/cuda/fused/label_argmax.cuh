// For each row v of a square matrix, the label c with the best score, the smallest of several. K(v,
// c) is the sum of the row's entries in columns of label c, so K = B ⊕.⊗ P for the indicator P of
// the labels, but this matrix is never stored. The score is K itself. For rows that move to the
// label if they gain, it is, with S and D, the sums over labels of k and d,
//     score(v, c) = K(v, c) a(v) − γ S(c) − b(v) γ D(c),
//
// where v itself is left out of S and D for the label that it has. There are lists of rows by
// length. The lanes of a warp that have the same label add up first, unless a table is faster. If a
// row is longer than a warp, their sums go into a hash table in shared memory: one of the warp or the
// block that handles the row, or, for the longest rows, of several blocks, each of which handles a
// part of the labels. O(entries). See docs/decisions/louvain.md.
#pragma once
#include "core/grid_stride.cuh"
#include "matrix/row_bins.cuh"
#include "fused/label_choices.cuh"

// Rows of at most LANES entries, with that many lanes for each.
template <int LANES, class Offset, class Z, bool MOVE, int VOTES>
__device__ inline void short_rows(const Choices<Offset, Z, MOVE, VOTES>& choices, Index n, const Index* rows,
                                  const unsigned* counts) {
    constexpr int KIND = LANES == WARP_LABELS, EACH = 32 / LANES;
    const unsigned count = counts[KIND], part = lane_id() / LANES;
    const Word subwarp = (ALL_LANES >> (32 - LANES)) << part * LANES;
    rows += static_cast<long long>(KIND) * n;
    for (unsigned base : warp_stride<unsigned>(count, EACH)) {
        const bool there = base + part < count;
        const Index v = there ? rows[base + part] : 0;
        Offset e = 0, last = 0;
        if (there) {
            e = choices.indptr[v] + lane_id() % LANES;
            last = choices.ends[v];
        }
        const Index mine = choices.labels[v];
        const Z factor = choices.factor(v);
        BestLabel<Z, MOVE> best;
        const Index c = choices.label(e, e < last);
        auto votes = choices.vote(e, e < last);
        if (choices.join(c, votes, subwarp)) choices.see(best, v, factor, mine, c, votes);
        if constexpr (LANES == 32) best.join_warp();
        else warp_join(best, LANES);
        const bool moves = there && lane_id() % LANES == 0 && choices.write(v, mine, best);
        if (MOVE && (__ballot_sync(ALL_LANES, moves) & subwarp) != 0 && e < last)
            choices.leave(choices.indices[e], choices.value(e));
    }
}

template <class Offset, class Z, bool MOVE, int VOTES>
__global__ void
choose_short(Index n, const Index* rows, const unsigned* counts, const Offset* indptr, const Offset* ends,
             const Index* indices, const typename Held<Z, VOTES>::type* values, const Index* labels, Z* top,
             long long* winner, Moves<Z> terms) {
    const Choices<Offset, Z, MOVE, VOTES> choices{indptr, ends, indices, values, labels, top, winner, terms};
    short_rows<FEW_LABELS>(choices, n, rows, counts);
    short_rows<WARP_LABELS>(choices, n, rows, counts);
}

// Adds the votes of entries to the table of a group, which is clear. True if it had room for those of this thread.
template <class Group, class Choices, class Offset, class Table>
__device__ inline bool add_up(const Choices& choices, Offset first, Offset last, const Table& table) {
    bool room = true;
    for (auto base = first; base < last; base += LOADS * Group::size()) {
        Index labels[LOADS];
        typename Choices::Votes votes[LOADS];
        for (int r = 0; r < LOADS; ++r) {
            const auto e = base + r * Group::size() + Group::rank();
            labels[r] = choices.label(e, e < last);
            votes[r] = choices.vote(e, e < last);
            if (!table.part.has(labels[r])) labels[r] = NO_LABEL;
        }
        for (int r = 0; Choices::joins && r < LOADS; ++r) {
            if (base + r * Group::size() + (Group::rank() & ~31) >= last) break;  // nor does its warp have any
            if (!choices.join(labels[r], votes[r], ALL_LANES)) labels[r] = NO_LABEL;
        }
        room &= table.add(labels, votes);
    }
    return room;
}

// Finishes a row, whose best label the first thread of its group has.
template <class Group, class Choices>
__device__ inline void conclude(const Choices& choices, Index v, Index mine, const typename Choices::Found& best) {
    const bool moves = Group::rank() == 0 && choices.write(v, mine, best);
    if constexpr (Choices::moving) {
        if (!Group::any(moves)) return;
        const auto last = choices.ends[v];
        for (auto e = choices.indptr[v] + Group::rank(); e < last; e += 2 * Group::size()) {  // two loads at once
            const auto other = e + Group::size();
            const bool both = other < last;
            const Index column = choices.indices[e], second = both ? choices.indices[other] : 0;
            const auto votes = choices.value(e), its = both ? choices.value(other) : 0;
            choices.leave(column, votes);
            if (both) choices.leave(second, its);
        }
    }
}

// Clears the tables of a block, which have so many slots together.
template <class Votes> __device__ inline void clear_tables(int slots, Votes* sums, Index* keys) {
    LabelTable<Block, Votes>{{keys, slots}, sums, {0, 0}}.clear();
    __syncthreads();
}

// The rows of list KIND, by groups, whose tables divide `slots` among them and are clear before and after.
template <class Group, class Offset, class Z, bool MOVE, int VOTES, class Votes>
__device__ inline void table_rows(const Choices<Offset, Z, MOVE, VOTES>& choices, Index n, const Index* rows,
                                  const unsigned* counts, int slots, Votes* all_sums, Index* all_keys,
                                  BestLabels<Z, MOVE>& bests) {
    const int kind = Group::per_block() > 1 ? 2 : 3;
    const int groups = Group::per_block(), room = slots / groups * Group::number();
    const unsigned count = counts[kind];
    rows += static_cast<long long>(kind) * n;
    for (unsigned r : group_stride<Group, unsigned>(count)) {
        const Index v = rows[r];
        const Offset first = choices.indptr[v], last = choices.ends[v];
        const Index size = roomy_slots(last - first, slots / groups);
        const LabelTable<Group, Votes> table{{all_keys + room, size}, all_sums + room, {0, 0}};
        const Index mine = choices.labels[v];
        add_up<Group>(choices, first, last, table);
        const Z factor = choices.factor(v);
        Group::sync();
        BestLabel<Z, MOVE> best;
        table.take([&](Index c, auto votes) { choices.see(best, v, factor, mine, c, votes); });
        best.join_warp();
        if constexpr (Group::one_warp) Group::sync();  // the table is clear
        else best = bests.fold(best);
        conclude<Group>(choices, v, mine, best);
    }
}

// Where offsets and votes have 32 bits, 32 registers are enough for the rows of a block, so that eight blocks share a
// multiprocessor that holds 2,048 threads.
template <class Group, class Offset, int VOTES>
constexpr bool FEW_REGISTERS = (ARCHITECTURE == 900 || ARCHITECTURE == 1000) && !Group::one_warp &&
                               sizeof(Offset) == 4 && VOTES != VOTES_SUMMED;

template <class Offset, class Z, bool MOVE, int VOTES, class Group, int SLOTS>
__global__ void __launch_bounds__(MAX_THREADS, FEW_REGISTERS<Group, Offset, VOTES> ? 8 : 4)
choose_row(Index n, const Index* rows, const unsigned* counts, const Offset* indptr, const Offset* ends,
           const Index* indices, const typename Held<Z, VOTES>::type* values, const Index* labels, Z* top,
           long long* winner, Moves<Z> terms) {
    using Votes = typename Counted<Z, VOTES>::type;
    __shared__ __align__(8) Votes sums[SLOTS];
    __shared__ Index keys[SLOTS];
    __shared__ BestLabels<Z, MOVE> bests;
    const Choices<Offset, Z, MOVE, VOTES> choices{indptr, ends, indices, values, labels, top, winner, terms};
    clear_tables(SLOTS, sums, keys);
    table_rows<Group>(choices, n, rows, counts, SLOTS, sums, keys, bests);
}

// The longest rows, each handled by the next block that is free, with a table of `slots` in dynamic
// shared memory. If a row has more entries than fit there, 2^bits blocks handle a part of its
// labels each, with at most `most` bits; the last of these blocks combines their results. If a part
// has more labels than expected, its block halves it until it fits.
template <class Offset, class Z, bool MOVE, int VOTES>
__global__ void __launch_bounds__(4 * MAX_THREADS, 1)
choose_long_row(Index n, const Index* rows, const unsigned* counts, const Offset* indptr, const Offset* ends,
                const Index* indices, const typename Held<Z, VOTES>::type* values, const Index* labels, Z* top,
                long long* winner, Moves<Z> terms, unsigned* next, int slots, int part_bits,
                BestLabel<Z, MOVE>* found, unsigned* arrived) {
    using Votes = typename Counted<Z, VOTES>::type;
    extern __shared__ unsigned long long shared[];
    Votes* const table_sums = reinterpret_cast<Votes*>(shared);
    Index* const keys = reinterpret_cast<Index*>(table_sums + slots);
    __shared__ BestLabels<Z, MOVE> bests;
    __shared__ unsigned taken[2];  // so that one can be read while the next one is written
    const Choices<Offset, Z, MOVE, VOTES> choices{indptr, ends, indices, values, labels, top, winner, terms};
    const unsigned apart = counts[5] << part_bits, all = apart + counts[4];
    clear_tables(slots, table_sums, keys);
    unsigned ahead = 0;  // the number of the row after this one, which is not waited for
    if (threadIdx.x == 0) ahead = atomicAdd(next, 1u);
    for (int half = 0;; half ^= 1) {
        if (threadIdx.x == 0) taken[half] = ahead;
        __syncthreads();
        const unsigned item = taken[half];
        if (item >= all) return;
        if (threadIdx.x == 0) ahead = atomicAdd(next, 1u);
        const Index v = item < apart ? rows[5ll * n + (item >> part_bits)] : rows[4ll * n + (item - apart)];
        const Offset first = indptr[v], last = ends[v];
        const unsigned need = slots_for(last - first);
        int bits = 0;
        while (need >> bits > unsigned(slots)) ++bits;
        const unsigned which = item < apart ? item & ((1u << part_bits) - 1) : 0;
        if (which >> bits != 0) continue;
        BestLabel<Z, MOVE> best;
        const Index mine = labels[v];
        const Z factor = choices.factor(v);
        for (TablePart part{bits, which}; part.which >> (part.bits - bits) == which;) {
            const Index room = bits == 0 ? roomy_slots(last - first, slots) : slots;
            const LabelTable<Block, Votes> table{{keys, room}, table_sums, part};
            if (__syncthreads_or(!add_up<Block>(choices, first, last, table))) {
                clear_tables(slots, table_sums, keys);
                part = {part.bits + 1, part.which * 2};
                continue;
            }
            table.take([&](Index c, auto votes) { choices.see(best, v, factor, mine, c, votes); });
            if (++part.which >> (part.bits - bits) == which) __syncthreads();  // the table is clear
        }
        best.join_warp();
        best = bests.fold(best);
        if (bits > 0) {
            bool complete = false;
            if (threadIdx.x == 0) {
                found[item] = best;
                __threadfence();
                complete = atomicAdd(arrived + (item >> part_bits), 1u) == (1u << bits) - 1;
                if (complete) atomicExch(arrived + (item >> part_bits), 0u);  // for the next launch
                __threadfence();
            }
            if (!__syncthreads_or(complete)) continue;
            best = {};
            if (threadIdx.x < 32) {
                for (unsigned p = threadIdx.x; p < 1u << bits; p += 32) best.join(found[item - which + p]);
                best.join_warp();
            }
        }
        conclude<Block>(choices, v, mine, best);
    }
}
