// Where each value of a closure came from: for a position its value, and above what tail the edge left that
// brought it, in one word. So a minimum of words keeps both, and who gathers them waits for memory once.
//
// Only what improves a value in x notes it, so the word of a position holds what x holds. And an edge's tail
// had its last value before the head had: where each value is better than its tail's, or as good and later,
// there are no cycles. So the tails are a forest, whatever the weights.
#pragma once
#include "fold.cuh"

using Origin = long long;
constexpr Origin NO_ORIGIN = 0x7fffffffffffffff;

template <class Z> struct OriginOf {
    static_assert(sizeof(Z) == 4, "value and tail fill a word");

    // Bits of the same order as values have, and back.
    static __device__ int turned(int bits) {
        if constexpr (is_floating<Z>) return bits < 0 ? bits ^ 0x7fffffff : bits;
        else return Z(-1) < Z(0) ? bits : bits ^ static_cast<int>(1u << 31);
    }
    static __device__ Origin word(Z value, Index tail) {
        union { Z value; int bits; } as{value};
        return turned(as.bits) * (Origin(1) << 32) + tail;
    }
    static __device__ Z value(Origin origin) {
        union { int bits; Z value; } as{turned(static_cast<int>(origin >> 32))};
        return as.value;
    }
    static __device__ Index tail(Origin origin) { return static_cast<Index>(origin & 0x7fffffff); }
};

// Those of a closure under a minimum, if they are `kept`.
template <class S, bool kept> struct Origins {
    using Z = typename S::Z;

    Origin* words;

    // Who starts with a value is its own.
    __device__ void begin(Index j, bool has, Z z) const {
        if constexpr (kept) words[j] = has ? OriginOf<Z>::word(z, j) : NO_ORIGIN;
    }
    // z has improved position j, which nobody else is writing, or others may be.
    __device__ void put(Index j, Z z, Index tail) const {
        if constexpr (kept) words[j] = OriginOf<Z>::word(z, tail);
    }
    __device__ void fold(Index j, Z z, Index tail) const {
        if constexpr (kept) atomicMin(words + j, OriginOf<Z>::word(z, tail));
    }
};
