// For each row v of a square matrix the label c with the best score, the smallest of several:
//
//     score(v, c) = K(v, c) a(v) − p(c) − b(v) q(c),
//
// where K(v, c) is the sum of the row's entries in columns of label c. So K = B ⊕.⊗ P for the
// indicator P of the labels, but it is nowhere in memory. Rows lie in lists by their length. The
// lanes of a warp that hold one label add up first; where a row is longer than a warp, their sums go
// into a hash table: of the warp or the block that has the row, in shared memory, or for the longest
// of a block in global memory. O(entries).
#pragma once
#include "groups.cuh"
#include "slots.cuh"

constexpr Index EMPTY = VACANT<Index>;
constexpr int KINDS = 5;  // rows of at most 8 entries, at most 32, for a warp, a block, a larger table

// Lists the rows that the mask wants and that have entries, by kind: list k begins at rows[k n], and
// counts[k], 0 at first, is its length. bits tells which they are.
template <class Offset>
__global__ void sort_rows(Index n, const Offset* indptr, const Word* mask_bits, Index for_warp,
                          Index for_block, Word* bits, Index* rows, unsigned* counts) {
    __shared__ unsigned own[KINDS], begins[KINDS];
    const Mask mask{mask_bits, 0};
    const unsigned threads = gridDim.x * blockDim.x, all = n;
    for (unsigned base = blockIdx.x * blockDim.x; base < all; base += threads) {
        if (threadIdx.x < KINDS) own[threadIdx.x] = 0;
        __syncthreads();
        const unsigned v = base + threadIdx.x;
        Offset degree = 0;
        if (v < all && mask.wants(v)) degree = indptr[v + 1] - indptr[v];
        const Word some = __ballot_sync(ALL_LANES, degree > 0);
        if (v < all && lane_id() == 0) bits[v >> 5] = some;
        const int kind = degree <= 8 ? 0 : degree <= 32 ? 1 : degree <= for_warp ? 2 : degree <= for_block ? 3 : 4;
        unsigned at = 0;
        if (degree > 0) at = atomicAdd(own + kind, 1u);
        __syncthreads();
        if (threadIdx.x < KINDS && own[threadIdx.x] > 0)
            begins[threadIdx.x] = atomicAdd(counts + threadIdx.x, own[threadIdx.x]);
        __syncthreads();
        if (degree > 0) rows[static_cast<long long>(kind) * n + begins[kind] + at] = v;
    }
}

template <class Z> struct Best {
    Z score;
    Index label;

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
        }
    }
};

template <class Offset, class Z> struct Choices {
    const Offset* indptr;
    const Index* indices;
    const Z* values;
    int stride;
    const Index* labels;
    const Z* scale;  // a, or null: 1
    const Z* price;  // p, or null: 0
    const Z* share;  // b, or null: 0
    const Z* more;   // q
    Z* top;
    long long* winner;
    Z* own;  // K at the row's own label

    __device__ Z score(Index v, Index c, Z sum) const {
        if (scale != nullptr) sum *= scale[v];
        if (price != nullptr) sum -= price[c];
        if (share != nullptr) sum -= share[v] * more[c];
        return sum;
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

    __device__ void write(Index v, const Best<Z>& best) const {
        top[v] = best.score;
        winner[v] = best.label;
    }
};

// Rows of at most LANES entries, so many lanes for each.
template <class Offset, class Z, int LANES>
__global__ void
choose_short(Index n, const Index* rows, const unsigned* counts, const Offset* indptr,
             const Index* indices, const Z* values, int stride, const Index* labels, const Z* scale,
             const Z* price, const Z* share, const Z* more, Z* top, long long* winner, Z* own) {
    const Choices<Offset, Z> choices{indptr, indices, values, stride, labels, scale, price, share, more, top, winner, own};
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
        Best<Z> best{Z(0), EMPTY};
        bool met = false;
        choices.joined(c, choices.value(e, e < last), team, [&](Index label, Z sum) {
            best.take(choices.score(v, label, sum), label);
            met = label == mine;
            if (met) own[v] = sum;
        });
        const Word any = __ballot_sync(ALL_LANES, met) & team;
        best.fold(LANES);
        if (!there || lane_id() % LANES != 0) continue;
        if (any == 0) own[v] = 0;
        choices.write(v, best);
    }
}

// Room for what the warps of a block find.
template <class Z> struct Bests {
    Z scores[MAX_WARPS];
    Index labels[MAX_WARPS];
};

constexpr int AT_ONCE = 4;  // entries that a thread loads before it adds the first

// One row, by a group, in a table.
template <class Group, class Offset, class Z>
__device__ inline void choose(const Choices<Offset, Z>& choices, Index v, Index* keys, Z* sums, int size,
                              Bests<Z>& bests) {
    const Offset first = choices.indptr[v], last = choices.indptr[v + 1];
    for (int t = Group::rank(); t < size; t += Group::size()) {
        keys[t] = EMPTY;
        sums[t] = 0;
    }
    if (Group::rank() == 0) choices.own[v] = 0;
    Group::sync();
    for (Offset base = first; base < last; base += AT_ONCE * Group::size()) {
        Index labels[AT_ONCE];
        Z values[AT_ONCE];
        for (int r = 0; r < AT_ONCE; ++r) {
            const Offset e = base + r * Group::size() + Group::rank();
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
    Best<Z> best{Z(0), EMPTY};
    const Index mine = choices.labels[v];
    for (int t = Group::rank(); t < size; t += Group::size()) {
        if (keys[t] == EMPTY) continue;
        best.take(choices.score(v, keys[t], sums[t]), keys[t]);
        if (keys[t] == mine) choices.own[v] = sums[t];
    }  // for the next row a thread clears the slots that it has just read
    best.fold(32);
    if (Group::size() > 32) {
        if (lane_id() == 0) {
            bests.scores[threadIdx.x >> 5] = best.score;
            bests.labels[threadIdx.x >> 5] = best.label;
        }
        Group::sync();
        const bool one = threadIdx.x < blockDim.x >> 5;
        if (threadIdx.x < 32) {
            best = {one ? bests.scores[threadIdx.x] : Z(0), one ? bests.labels[threadIdx.x] : EMPTY};
            best.fold(32);
        }
    }
    if (Group::rank() == 0) choices.write(v, best);
}

// The slots for n labels at most.
__device__ inline int slots_for(long long n) { return static_cast<int>(n + n / 3) + 1; }

// Rows of list KIND, by groups, whose tables share SLOTS out.
template <class Offset, class Z, class Group, int SLOTS>
__global__ void
choose_row(Index n, const Index* rows, const unsigned* counts, const Offset* indptr,
           const Index* indices, const Z* values, int stride, const Index* labels, const Z* scale,
           const Z* price, const Z* share, const Z* more, Z* top, long long* winner, Z* own) {
    __shared__ __align__(8) Z all_sums[SLOTS];
    __shared__ Index all_keys[SLOTS];
    __shared__ Bests<Z> bests;
    const Choices<Offset, Z> choices{indptr, indices, values, stride, labels, scale, price, share, more, top, winner, own};
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
template <class Offset, class Z>
__global__ void
choose_long_row(Index n, const Index* rows, const unsigned* counts, const Offset* indptr,
                const Index* indices, const Z* values, int stride, const Index* labels,
                const Z* scale, const Z* price, const Z* share, const Z* more, Z* top,
                long long* winner, Z* own, unsigned* next, long long room, Index* keys, Z* sums) {
    __shared__ Bests<Z> bests;
    __shared__ unsigned taken;
    const Choices<Offset, Z> choices{indptr, indices, values, stride, labels, scale, price, share, more, top, winner, own};
    rows += static_cast<long long>(KINDS - 1) * n;
    while (true) {
        if (threadIdx.x == 0) taken = atomicAdd(next, 1u);
        __syncthreads();
        const unsigned r = taken;
        if (r >= counts[KINDS - 1]) return;
        const Index v = rows[r];
        const int size = slots_for(indptr[v + 1] - indptr[v]);
        choose<Block>(choices, v, keys + blockIdx.x * room, sums + blockIdx.x * room, size, bests);
    }
}
