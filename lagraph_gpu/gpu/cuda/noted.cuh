// What a grid notes of values that have an order: for closures by order of value that pull, too.
#pragma once
#include "order.cuh"
#include "walk.cuh"

constexpr int CORE_WARPS = 8;  // of a block, at most
constexpr int WIDE = 64;       // so many edges have a warp to themselves

// Of what a block notes, the best, if it noted anything; in shared memory.
template <class Z> struct Noted {
    __align__(8) Z best[8 / sizeof(Z)];
    unsigned any;

    __device__ void clear(Z start) {
        any = 0;
        for (Z& each : best) each = start;
    }
};

// The same of all blocks.
template <class Z> struct Best {
    Z* value;
    Count* count;

    __device__ bool any() const { return read_count(count) > 0; }
    __device__ Z read() const { return *static_cast<const volatile Z*>(value); }
    __device__ void clear(Z start) const {
        *value = start;
        *count = 0;
    }
};

// For each lane's row the best of what it was offered, and of what it may be offered yet.
template <class Z> struct Rows {
    __align__(8) Z best[32], hope[32];
    Word has, hopes;
};

// Where the words and the counts of a closure stand.
constexpr unsigned HUB_BEST = 2, CHANGE = 3, BOUND = 6, LEAST = 7;
constexpr unsigned BEST_COUNTS = 3, REACHED = 9, EDGES = 10, STRANGE = 11, STEPS = 12, REST = 13, PULLS = 14;

template <class Z> __device__ inline Best<Z> best_of(Z* bests, Count* counts, unsigned i) {
    return {bests + i * (8 / sizeof(Z)), counts + BEST_COUNTS + i};
}

// Two generations of a queue, and three of its length.
struct Queues {
    long long* items;
    Count room;  // of each
    Word* bits;
    Index words;
    Count* counts;

    __device__ Pile of(unsigned g) const {
        return {items + g % 2 * room, bits + g % 2 * words, counts + g % 3};
    }
};

// Positions that wait until there are 32: new ones, and those of whose rows some edges have been looked
// at, with what these may offer yet.
template <class Z> struct Waiting {
    Index fresh[64], begun[64];
    Z hope[64];
    bool hopes[64];
};

// What a block keeps to itself while it pulls, in shared memory.
template <class Z> struct Board {
    Appends queued;
    Rows<Z> rows[CORE_WARPS];
    Waiting<Z> waiting[CORE_WARPS];
    Noted<Z> changed;
    Pile into;  // the queue
    Z least;
    bool lists;  // does what improves go to a list?
    bool heard;
    Count taken, walked;  // vertices and edges, if anybody listens

    __device__ void clear(Z start) {
        queued.count = 0;
        changed.clear(start);
        taken = walked = 0;
    }
    // One thread does it: what the block counted goes to a line of the log, if there is one.
    __device__ void count_into(Count* line) {
        if (line != nullptr && taken > 0) atomicAdd(line + 1, taken);
        if (line != nullptr && walked > 0) atomicAdd(line + 2, walked);
        taken = walked = 0;
    }
};

// And while it pushes.
template <class Z> struct Bench : Board<Z> {
    Appends reached;
    Offers<Z> offers[CORE_WARPS];
    Noted<Z> beyond, hub;  // products beyond the bound; values of hubs
    Count degrees;         // of the vertices reached in this step
    Pile from, all;        // the queue that is read; all that was reached
    Z bound;
};

// The values of a closure, for both directions.
template <class S> struct Values : Order<S> {
    using Z = typename S::Z;

    Z* x;
    Word* bits;  // which positions of x hold an entry; the others hold what a fold starts from

    __device__ Z value_of(Index k) const { return this->peek_value(x + k); }
    __device__ bool holds(Index k, Z z) const {
        return !this->is_start(z) || (peek(bits + (k >> 5)) >> (k & 31) & 1u);
    }

    // All lanes of a warp must call it together.
    static __device__ void note(Noted<Z>& noted, Partial<S> mine) {
        if (!__any_sync(ALL_LANES, mine.has)) return;
        mine = fold_warp(mine);
        if (lane_id() > 0) return;
        fold_into<S>(noted.best, mine.value);
        *static_cast<volatile unsigned*>(&noted.any) = 1;
    }
    // One thread of a block: what it noted goes where all blocks read it.
    static __device__ void tell(Noted<Z>& noted, Best<Z> to) {
        if (noted.any == 0) return;
        fold_into<S>(to.value, noted.best[0]);
        atomicAdd(to.count, Count(1));
        noted.clear(S::start());
    }
};

// Vertices that go on, by a push.
template <class S> struct Onward {
    using Z = typename S::Z;
    using Offset = typename S::Offset;

    const Offset* indptr;  // A by rows: the out-edges
    int leaf;              // no more improve nothing
    Board<Z>* board;

    __device__ int degree_of(Index j) const { return static_cast<int>(indptr[j + 1] - indptr[j]); }
    __device__ void queue(bool mine, Index j) const {
        mine = mine && claim(board->into.bits, j);
        board->queued.add(mine, j, 1, 1, board->into.items, board->into.count);
    }
};
