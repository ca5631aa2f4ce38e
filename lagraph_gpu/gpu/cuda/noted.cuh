// What a grid notes of values that have an order: for closures by order of value that pull, too.
#pragma once
#include "order.cuh"
#include "walk.cuh"

constexpr int CORE_WARPS = 8;  // of a block, at most

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

// What a block keeps to itself, in shared memory.
template <class Z> struct Bench {
    Appends queued, reached;
    Offers<Z> offers[CORE_WARPS];
    Rows<Z> rows[CORE_WARPS];
    Index gathered[CORE_WARPS][64];  // positions that wait until there are 32
    Noted<Z> beyond, hub, changed;  // products beyond the bound; values of hubs; what a pull changed
    Count degrees;                  // of the vertices reached in this step
    Pile from, into, all;           // the queue that is read, and the next; all that was reached
    Z bound, least;
    bool lists;  // does what improves go to a list?
    bool heard;
    Count taken, walked;  // vertices and edges, if anybody listens
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
    static __device__ void tell(Noted<Z>& noted, Best<Z> to) {
        if (noted.any == 0) return;
        fold_into<S>(to.value, noted.best[0]);
        atomicAdd(to.count, Count(1));
        noted.clear(S::start());
    }
};
