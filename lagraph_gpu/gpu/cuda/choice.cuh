// For each row v of a square matrix the label c with the best score, the smallest of several. K(v, c)
// is the sum of the row's entries in columns of label c, so K = B ⊕.⊗ P for the indicator P of the
// labels, but it is nowhere in memory. The score is K itself, or for rows that move to the label if
// they gain, with S the sums over labels of k, and D of d,
//
//     score(v, c) = K(v, c) a(v) − γ S(c) − b(v) γ D(c),
//
// where v itself is left out of S and D for the label that it has. Rows lie in lists by their length.
// The lanes of a warp that hold one label add up first; where a row is longer than a warp, their sums
// go into a hash table: of the warp or the block that has the row, in shared memory, or for the
// longest of a block in global memory. O(entries).
#pragma once
#include "groups.cuh"
#include "moves.cuh"
#include "row_kinds.cuh"
#include "slots.cuh"

constexpr Index EMPTY = VACANT<Index>;

template <class Z> struct Best {
    Z score;
    Index label;
    Z own;  // K at the label that the row has, in one of the lanes; 0 in others

    __device__ void take(Z other, Index its) {
        if (its == EMPTY) return;
        if (label != EMPTY && (other < score || (other == score && its > label))) return;
        score = other;
        label = its;
    }

    // The best of as many lanes side by side, for each of them.
    __device__ void fold(int lanes) {
        for (int distance = lanes / 2; distance > 0; distance >>= 1) {
            const Z other = __shfl_xor_sync(ALL_LANES, score, distance);
            take(other, __shfl_xor_sync(ALL_LANES, label, distance));
            own += __shfl_xor_sync(ALL_LANES, own, distance);
        }
    }
};

template <class Offset, class Z, bool MOVE> struct Choices {
    const Offset* indptr;
    const Index* indices;
    const Z* values;
    int stride;
    const Index* labels;
    Z* top;            // the best score, or what a mover gains
    long long* winner;
    Z* own;            // K at the row's own label
    Moves<Z> moves;
    static constexpr bool moving = MOVE;

    __device__ Z score(Index v, Index c, Z sum) const {
        if constexpr (MOVE) return moves.score(v, c, sum);
        else return sum;
    }

    // The label of entry e's column, and its value; of none if there is no such entry.
    __device__ Index label(Offset e, bool there) const { return there ? labels[indices[e]] : EMPTY; }
    __device__ Z value(Offset e, bool there) const { return there ? values[e * stride] : Z(0); }

    // Of all entries that the warp's lanes hold, those of one label as one: calls body(label, sum) in
    // one lane for each label. Lanes are only joined if they are of one `team`.
    template <class Body> __device__ void joined(Index c, Z x, Word team, Body body) const {
        const Word peers = __match_any_sync(ALL_LANES, c) & team;
        if (stride == 0) x *= static_cast<Z>(__popc(peers));
        else x = fold_peers<Plus<Z>>(c == EMPTY ? 0 : peers, x);
        if (c != EMPTY && (peers & lanes_below()) == 0) body(c, x);
    }

    // Does the row move?
    __device__ bool write(Index v, const Best<Z>& best) const {
        Z score = best.score;
        if constexpr (MOVE) {
            score -= moves.stay(v, labels[v], best.own);
            if (!(score > LEAST)) return false;
            mark(moves.movers, v);
        } else {
            own[v] = best.own;
        }
        top[v] = score;
        winner[v] = best.label;
        return MOVE;
    }
};

// Rows of at most LANES entries, so many lanes for each.
template <class Offset, class Z, bool MOVE, int LANES>
__global__ void
choose_short(Index n, const Index* rows, const unsigned* counts, const Offset* indptr,
             const Index* indices, const Z* values, int stride, const Index* labels, Z* top,
             long long* winner, Z* own, const Z* scale, Z unit, const Z* sums, const Z* k,
             const Z* share, const Z* more, const Z* d, Word* movers, Word* looks) {
    const Choices<Offset, Z, MOVE> choices{indptr, indices, values, stride, labels, top, winner, own,
                                           {scale, unit, sums, k, share, more, d, movers, looks}};
    constexpr int KIND = LANES == 32, EACH = 32 / LANES;
    const unsigned count = counts[KIND], part = lane_id() / LANES;
    const Word team = (ALL_LANES >> (32 - LANES)) << part * LANES;
    rows += static_cast<long long>(KIND) * n;
    for (unsigned base = warp_id() * EACH; base < count; base += warp_count() * EACH) {
        const bool there = base + part < count;
        const Index v = there ? rows[base + part] : 0;
        Offset e = 0, last = 0;
        if (there) {
            e = indptr[v] + lane_id() % LANES;
            last = indptr[v + 1];
        }
        const Index c = choices.label(e, e < last), mine = labels[v];
        Best<Z> best{Z(0), EMPTY, Z(0)};
        choices.joined(c, choices.value(e, e < last), team, [&](Index label, Z sum) {
            best.take(choices.score(v, label, sum), label);
            if (label == mine) best.own = sum;
        });
        best.fold(LANES);
        const bool moves = there && lane_id() % LANES == 0 && choices.write(v, best);
        if (MOVE && (__ballot_sync(ALL_LANES, moves) & team) != 0 && e < last) claim(looks, indices[e]);
    }
}

// Room for what the warps of a block find.
template <class Z> struct Bests {
    Z scores[MAX_WARPS], owns[MAX_WARPS];
    Index labels[MAX_WARPS];
};

constexpr int AT_ONCE = 4;  // entries that a thread loads before it adds the first

// One row, by a group, in a table.
template <class Group, class Choices, class Z>
__device__ inline void choose(const Choices& choices, Index v, Index* keys, Z* sums, int size,
                              Bests<Z>& bests) {
    const auto first = choices.indptr[v], last = choices.indptr[v + 1];
    for (int t = Group::rank(); t < size; t += Group::size()) {
        keys[t] = EMPTY;
        sums[t] = 0;
    }
    Group::sync();
    for (auto base = first; base < last; base += AT_ONCE * Group::size()) {
        Index labels[AT_ONCE];
        Z values[AT_ONCE];
        for (int r = 0; r < AT_ONCE; ++r) {
            const auto e = base + r * Group::size() + Group::rank();
            labels[r] = choices.label(e, e < last);
            values[r] = choices.value(e, e < last);
        }
        for (int r = 0; r < AT_ONCE; ++r) {
            if (base + r * Group::size() + (Group::rank() & ~31) >= last) break;  // nor has its warp any
            choices.joined(labels[r], values[r], ALL_LANES, [&](Index c, Z sum) {
                bool fresh;
                fold_into<Plus<Z>>(sums + slot_of(keys, size, c, fresh), sum);
            });
        }
    }
    Group::sync();
    Best<Z> best{Z(0), EMPTY, Z(0)};
    const Index mine = choices.labels[v];
    for (int t = Group::rank(); t < size; t += Group::size()) {
        if (keys[t] == EMPTY) continue;
        best.take(choices.score(v, keys[t], sums[t]), keys[t]);
        if (keys[t] == mine) best.own = sums[t];
    }  // for the next row a thread clears the slots that it has just read
    best.fold(32);
    if (Group::size() > 32) {
        if (lane_id() == 0) {
            bests.scores[threadIdx.x >> 5] = best.score;
            bests.owns[threadIdx.x >> 5] = best.own;
            bests.labels[threadIdx.x >> 5] = best.label;
        }
        Group::sync();
        const bool one = threadIdx.x < blockDim.x >> 5;
        if (threadIdx.x < 32) {
            best = {Z(0), EMPTY, Z(0)};
            if (one) best = {bests.scores[threadIdx.x], bests.labels[threadIdx.x], bests.owns[threadIdx.x]};
            best.fold(32);
        }
    }
    const bool moves = Group::rank() == 0 && choices.write(v, best);
    if (!Choices::moving || !Group::any(moves)) return;
    for (auto e = first + Group::rank(); e < last; e += Group::size()) claim(choices.moves.looks, choices.indices[e]);
}

// The slots for n labels at most.
__device__ inline int slots_for(long long n) { return static_cast<int>(n + n / 3) + 1; }

// Rows of list KIND, by groups, whose tables share SLOTS out.
template <class Offset, class Z, bool MOVE, class Group, int SLOTS>
__global__ void
choose_row(Index n, const Index* rows, const unsigned* counts, const Offset* indptr,
           const Index* indices, const Z* values, int stride, const Index* labels, Z* top,
           long long* winner, Z* own, const Z* scale, Z unit, const Z* sums, const Z* k,
           const Z* share, const Z* more, const Z* d, Word* movers, Word* looks) {
    __shared__ __align__(8) Z all_sums[SLOTS];
    __shared__ Index all_keys[SLOTS];
    __shared__ Bests<Z> bests;
    const Choices<Offset, Z, MOVE> choices{indptr, indices, values, stride, labels, top, winner, own,
                                           {scale, unit, sums, k, share, more, d, movers, looks}};
    const int kind = Group::per_block() > 1 ? 2 : 3;
    const int groups = Group::per_block(), room = SLOTS / groups * Group::number();
    const unsigned count = counts[kind], step = gridDim.x * groups;
    rows += static_cast<long long>(kind) * n;
    for (unsigned r = blockIdx.x * groups + Group::number(); r < count; r += step) {
        const Index v = rows[r];
        const int size = slots_for(indptr[v + 1] - indptr[v]);
        choose<Group>(choices, v, all_keys + room, all_sums + room, size, bests);
    }
}

// The longest rows, each by the next block that is free; a block has `room` slots in global memory.
template <class Offset, class Z, bool MOVE>
__global__ void
choose_long_row(Index n, const Index* rows, const unsigned* counts, const Offset* indptr,
                const Index* indices, const Z* values, int stride, const Index* labels, Z* top,
                long long* winner, Z* own, const Z* scale, Z unit, const Z* sums, const Z* k,
                const Z* share, const Z* more, const Z* d, Word* movers, Word* looks, unsigned* next,
                long long room, Index* keys, Z* table) {
    __shared__ Bests<Z> bests;
    __shared__ unsigned taken;
    const Choices<Offset, Z, MOVE> choices{indptr, indices, values, stride, labels, top, winner, own,
                                           {scale, unit, sums, k, share, more, d, movers, looks}};
    rows += static_cast<long long>(KINDS - 1) * n;
    while (true) {
        if (threadIdx.x == 0) taken = atomicAdd(next, 1u);
        __syncthreads();
        const unsigned r = taken;
        if (r >= counts[KINDS - 1]) return;
        const Index v = rows[r];
        const int size = slots_for(indptr[v + 1] - indptr[v]);
        choose<Block>(choices, v, keys + blockIdx.x * room, table + blockIdx.x * room, size, bests);
    }
}
