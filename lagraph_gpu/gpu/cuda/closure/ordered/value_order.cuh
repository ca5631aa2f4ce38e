// The order of values that an algebra gives, for closures that take the best first: ⊕ is the
// minimum or the maximum, and ⊗ never improves on its left operand.
// See docs/decisions/sssp.md.
#pragma once
#include "core/fold.cuh"
#include "core/operands.cuh"

template <class S> struct Compare {
    using Z = typename S::Z;

    static __device__ bool nan(Z z) { return !(z == z); }
    static __device__ bool is_start(Z z) { return nan(z) || z == S::start(); }
    static __device__ bool as_good(Z z, Z as) { return S::add(z, as) == z; }
    static __device__ bool better(Z z, Z than) { return !(S::add(than, z) == than); }

    // The bound a width beyond z, and never before it: a large integer has no exact double.
    static __device__ Z beyond(Z z, double width) {
        const Z moved = arithmetic::cast<Z>(arithmetic::cast<double>(z) + width);
        return as_good(z, moved) ? moved : z;
    }
};

// For whole grids, which stop where there is no order after all.
template <class S> struct Order : Compare<S> {
    using Z = typename S::Z;
    using Compare<S>::nan;
    using Compare<S>::as_good;

    Count* unordered;  // set if there is no order: a NaN was met, or a sum that wrapped

    __device__ void report_unordered() const { *static_cast<volatile Count*>(unordered) = 1; }

    // False if z cannot follow from its tail's value: an integer that has wrapped is better than its
    // tail's value.
    static __device__ bool follows(Z tail, Z z) { return !nan(z) && (is_floating<Z> || as_good(tail, z)); }
    __device__ bool admits(Z tail, Z z) const {
        if (follows(tail, z)) return true;
        report_unordered();
        return false;
    }
};

// Best values stand in words of 8 bytes.
template <class Z> __device__ inline Z* word_of(Z* bests, unsigned i) { return bests + i * (8 / sizeof(Z)); }

// The near and the far lists of a closure by epochs; an epoch is the time between two barriers of the
// grid. Each list has two generations, one to read and one to append to. Its length and the best far
// value have three, which are cleared an epoch before they are used. At first counts and bitmaps are
// 0, and the best values are what a fold starts from; the bitmaps are 0 again at the end.
template <class Z> struct Epochs {
    // Other places in the counts: 1 if there is no order, the number of epochs, and the barriers'
    // counter, apart from the others.
    static constexpr unsigned UNORDERED = ORDER_UNORDERED, DONE = UNORDERED + 1, ARRIVALS = ORDER_COUNTS / 2;

    long long* items;
    Count room;  // of each list
    Word* bits;
    Index words;
    Z* bests;  // a word each
    Count* counts;

    __device__ DedupQueue near(unsigned g) const { return queue(g % 2, g % 3); }
    __device__ DedupQueue far(unsigned g) const { return queue(2 + g % 2, 3 + g % 3); }
    __device__ DedupQueue queue(Count at, unsigned count) const {
        return {items + at * room, bits + at * words, counts + count};
    }
    __device__ Z* best(unsigned g) const { return bests + g % 3 * (8 / sizeof(Z)); }
    __device__ unsigned* arrivals() const { return reinterpret_cast<unsigned*>(counts + ARRIVALS); }

    // One thread does it: the generations after the next are emptied, of the far ones when they are
    // read.
    __device__ void empty(unsigned epoch, unsigned distance, bool is_far, Z start) const {
        *near(epoch + 2).count = 0;
        if (!is_far) return;
        *far(distance + 2).count = 0;
        *best(distance + 2) = start;
    }
};
