// The best label of a row, and tables in which the entries of a row are added up by label (see
// label_argmax.cuh).
// See docs/decisions/louvain.md.
#pragma once
#include "core/hash_table.cuh"
#include "fused/modularity_gain.cuh"

constexpr Index NO_LABEL = EMPTY<Index>;

// The result of a row. For a row that moves: the best label other than its own, K for that label,
// and the next best score, or 0; a label without a neighbour scores less than 0.
template <class Z, bool MOVE> struct BestLabel {
    Z score = Z(0);
    Index label = NO_LABEL;
    Z own = Z(0);  // the votes for the label that the row has; lanes may have parts of them
    Z second = Z(0);

    __device__ void take(Z other, Index its) {
        if (its == NO_LABEL) return;
        const bool behind = label != NO_LABEL && (other < score || (other == score && its > label));
        if constexpr (MOVE) at_least(behind ? other : score);
        if (behind) return;
        score = other;
        label = its;
    }
    __device__ void at_least(Z next) {
        if (next > second) second = next;
    }
    // Combines this with the result for other labels.
    template <class Other> __device__ void join(const Other& other) {
        const Z theirs = other.score;
        take(theirs, other.label);
        if constexpr (MOVE) {
            own += other.own;
            at_least(other.second);
        }
    }
    // Combines the results of all lanes of the warp, of which no two have the same label, in each lane: what
    // join does lane after lane, in a quarter of the instructions. All lanes must call it.
    __device__ void join_warp() {
        const Count mine = label == NO_LABEL ? 0 : rank(score), top = warp_max(mine);
        const Index best = static_cast<Index>(~warp_max(~static_cast<unsigned>(mine == top ? label : NO_LABEL)));
        const int lane = __ffs(static_cast<int>(__ballot_sync(ALL_LANES, label == best))) - 1;
        if constexpr (MOVE) {
            if (lane_id() != lane) at_least(score);
            second = __longlong_as_double(static_cast<long long>(warp_max(rank(second)) - rank(Z(0))));
            own = warp_reduce<Sum>(own);
        }
        score = from_lane(score, lane);
        label = best;
    }
    // A whole number above 0 that rises with z, and is the same for both zeros.
    static __device__ Count rank(Z z) {
        constexpr Count half = 1ull << 63;
        if constexpr (!is_floating<Z>) {
            return static_cast<Count>(z) ^ half;
        } else {
            const Count bits = static_cast<Count>(__double_as_longlong(z + Z(0)));
            return bits < half ? bits | half : ~bits;
        }
    }
    __device__ BestLabel of_lane_xor(int distance) const {
        BestLabel other;
        other.score = from_lane_xor(score, distance);
        other.label = from_lane_xor(label, distance);
        if constexpr (MOVE) {
            other.own = from_lane_xor(own, distance);
            other.second = from_lane_xor(second, distance);
        }
        return other;
    }
};

static_assert(sizeof(BestLabel<double, true>) == BEST_LABEL_BYTES, "the host has room for them");

// The results of the warps of a block.
template <class Z, bool MOVE> struct BestLabels {
    Z scores[MAX_WARPS], owns[MAX_WARPS], seconds[MAX_WARPS];
    Index labels[MAX_WARPS];

    // The best of all warps, in each lane of the first warp. All threads must call it.
    __device__ BestLabel<Z, MOVE> fold(const BestLabel<Z, MOVE>& best) {
        if (lane_id() == 0) {
            scores[threadIdx.x >> 5] = best.score;
            owns[threadIdx.x >> 5] = best.own;
            seconds[threadIdx.x >> 5] = best.second;
            labels[threadIdx.x >> 5] = best.label;
        }
        __syncthreads();
        BestLabel<Z, MOVE> all;
        if (threadIdx.x >= 32) return all;
        if (threadIdx.x < blockDim.x >> 5)
            all = {scores[threadIdx.x], labels[threadIdx.x], owns[threadIdx.x], seconds[threadIdx.x]};
        all.join_warp();
        return all;
    }
};

// The type of votes: if all entries have the same value, their number; if all are whole and small, 32
// bits, which shared memory adds by itself.
template <class Z, int VOTES> struct Counted { using type = unsigned; };
template <class Z> struct Counted<Z, VOTES_SUMMED> { using type = Z; };

// The type of the values of entries: whole votes have 32 bits there, too.
template <class Z, int VOTES> struct Held { using type = Z; };
template <class Z> struct Held<Z, VOTES_WHOLE> { using type = unsigned; };

// The slots that are needed for at most n labels.
__device__ inline unsigned slots_for(long long n) { return static_cast<unsigned>(n + n / HASH_LOAD) + 1; }

// The slots for a row of n entries, of which at most so many are free: many more than labels, if there are, so that
// searches are short, but not so many that it takes long to look through them.
constexpr long long SLOTS_PER_ENTRY = 4;
__device__ inline Index roomy_slots(long long n, Index most) {
    return SLOTS_PER_ENTRY * n < most ? static_cast<Index>(SLOTS_PER_ENTRY * n) : most;
}

// One of 2^bits parts of the labels, by their hash.
struct TablePart {
    int bits;
    unsigned which;

    __device__ bool has(Index c) const { return bits == 0 || hashed(c) >> (32 - bits) == which; }
    __device__ int first_slot(Index c, int size) const { return share(hashed(c) << bits, size); }
};

constexpr Index STRIDES = 8;  // steps between the slots that are tried which grow

// The votes for the labels of a part, in the table of a group.
template <class Group, class Votes> struct LabelTable {
    HashTable<Index, Group> labels;
    Votes* sums;
    TablePart part;

    __device__ void clear() const {
        labels.clear();
        for (int t = Group::rank(); t < labels.size; t += Group::size()) sums[t] = 0;
    }
    // Adds the votes of this lane for some labels, which it forgets; false if one of them found no room. A slot is
    // looked at and taken by one access, because most labels of a row differ. The slots that are tried lie ever
    // farther apart at first; then one is tried after another. A lane goes on with its next label when it has a slot
    // for one, so that a warp takes as many steps as the lane with the longest searches. All lanes of the warp must
    // call it, and take each step together: after a loop with an atomic the hardware lets them go on one by one, unless
    // they are held.
    __device__ bool add(Index (&each)[LOADS], Votes (&votes)[LOADS]) const {
        Index at = part.first_slot(each[0], labels.size), step = 1;
        bool room = true;
        while (true) {
            Index all = each[0];
            for (int r = 1; r < LOADS; ++r) all &= each[r];
            if (!__any_sync(ALL_LANES, all != NO_LABEL)) return room;
            bool next = true;
            if (each[0] != NO_LABEL) {
                const Index held = atomicCAS(labels.keys + at, NO_LABEL, each[0]);
                const bool mine = held == NO_LABEL || held == each[0], full = step >= labels.size + STRIDES;
                if (mine) fold_into<Plus<Votes>>(sums + at, votes[0]);
                else room &= !full;
                next = mine || full;
            }
            at += step < STRIDES ? step : 1;
            if (at >= labels.size) at = 0;
            ++step;
            if (!next) continue;
            for (int r = 1; r < LOADS; ++r) {
                each[r - 1] = each[r];
                votes[r - 1] = votes[r];
            }
            each[LOADS - 1] = NO_LABEL;
            at = part.first_slot(each[0], labels.size);
            step = 1;
        }
    }
    // Calls body(label, sum) for each label in the slots of this thread, and clears them.
    template <class Body> __device__ void take(Body body) const {
        for (int t = Group::rank(); t < labels.size; t += Group::size()) {
            const Index c = labels.keys[t];
            if (c == NO_LABEL) continue;
            const Votes x = sums[t];
            labels.keys[t] = NO_LABEL;
            sums[t] = 0;
            body(c, x);
        }
    }
};
