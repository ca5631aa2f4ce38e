// The predecessors of a closure's values: for each position one word of 64 bits with its value
// and, in the lower half, the tail of the edge that brought it. The least word has the least
// value, so one atomic minimum updates both, and a gather of both waits for memory once.
//
// Values are at least 0, so that their bits have the same order. A word is changed only if the
// value improves, so it holds the position's own value. When an edge's head took its last value,
// the tail had its own: a tail's value is better, or as good and older. So there are no cycles,
// and the tails form a tree, whatever the weights.
// See docs/decisions/sssp.md.
#pragma once
#include "core/fold.cuh"

using Origin = long long;
constexpr Origin NO_ORIGIN = -1;

template <class Z> struct OriginOf {
    static_assert(sizeof(Z) == sizeof(unsigned), "value and tail fill a word");

    static __device__ Origin word(Z value, Index tail) {
        union { Z value; unsigned bits; } as{value};
        return static_cast<Origin>(static_cast<unsigned long long>(as.bits) << 32 | static_cast<unsigned>(tail));
    }
    static __device__ Z value(Origin origin) {
        union { unsigned bits; Z value; } as{static_cast<unsigned>(origin >> 32)};
        return as.value;
    }
};

__device__ inline Index tail_of(Origin origin) { return static_cast<Index>(origin); }

// Those of a closure under a minimum, if they are `kept`.
template <class S, bool kept> struct Origins {
    using Z = typename S::Z;

    Origin* words;

    // A vertex that has a value at the start is its own predecessor.
    __device__ void begin(Index j, bool has, Z z) const {
        if constexpr (kept) words[j] = has ? OriginOf<Z>::word(z, j) : NO_ORIGIN;
    }
    // Position j has improved: `put` if only this thread writes it, `fold` if others may.
    __device__ void put(Index j, Z z, Index tail) const {
        if constexpr (kept) words[j] = OriginOf<Z>::word(z, tail);
    }
    __device__ void fold(Index j, Z z, Index tail) const {
        using Word64 = unsigned long long;
        if constexpr (kept)
            atomicMin(reinterpret_cast<Word64*>(words + j), static_cast<Word64>(OriginOf<Z>::word(z, tail)));
    }
};
