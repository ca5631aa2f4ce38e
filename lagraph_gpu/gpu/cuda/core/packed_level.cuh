// A vertex, and the round in which it was found, in one word of 31 bits, so that a gather of both
// waits for memory once.
// See docs/decisions/layouts.md.
#pragma once
#include "core/fold.cuh"

// If x holds vertices of `bits` bits, the round in which an entry was found may be stored above these
// bits; the value `last` means that round or a later one. With 0 bits no round is stored.
struct PackedLevel {
    int bits;

    __device__ Index last() const { return bits == 0 ? 0 : (1 << (31 - bits)) - 1; }
    __device__ Index of(Index round) const { return (round < last() ? round : last()) << bits; }
};

// Is there room for a level above an entry?
template <class S>
constexpr bool has_room =
    S::any && !S::reads_vector && !is_floating<typename S::Z> && sizeof(typename S::Z) == 4;

template <class S> __device__ inline typename S::Z pack_level(typename S::Z z, Index packed_level) {
    if constexpr (has_room<S>) return z | static_cast<typename S::Z>(packed_level);
    else return z;
}

// Writes -1 to the positions of x without an entry, so that a gather need not read the bitmap.
template <class Z> __device__ inline void deny_absent(Index n, const Word* bits, Z* x) {
    for (Index base : warp_stride<Index>(words_of(n), 32)) {
        const Index own = base + lane_id();
        const Word absent = own < words_of(n) ? ~peek(bits + own) & inside(own, n) : 0;
        for (Word some = __ballot_sync(ALL_LANES, absent != 0); some != 0; some &= some - 1) {
            const int lane = __ffs(static_cast<int>(some)) - 1;
            if (__shfl_sync(ALL_LANES, absent, lane) >> lane_id() & 1u)
                x[((base + lane) << 5) + lane_id()] = static_cast<Z>(-1);
        }
    }
}
