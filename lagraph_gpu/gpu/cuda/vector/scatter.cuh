// Entries written into a vector: those of lists, a single one, or those of another vector.
// See docs/decisions/storage.md.
#pragma once
#include "core/bitmap.cuh"
#include "core/grid_stride.cuh"

// The entries (positions[t], given[t]) of a vector without entries.
template <class T>
__global__ void scatter(Index count, const Index* positions, const T* given, Word* bits, T* values) {
    for (unsigned t : grid_stride<unsigned>(count)) {
        values[positions[t]] = given[t];
        claim(bits, positions[t]);
    }
}

// Overwrites an entry with an argument of the launch, which is faster than an upload.
template <class T> __global__ void place(Index position, T given, Word* bits, T* values) {
    if (blockIdx.x > 0 || threadIdx.x > 0) return;
    values[position] = given;
    bits[position >> 5] |= 1u << (position & 31);
}

// Writes the entries of one vector over those of another. *missing, 0 at first, is not 0 if then
// there is not all that is wanted; unless `wanted` is null.
template <class T>
__global__ void overlay(Index n, const Word* given_bits, const T* given, Word* bits, T* values,
                        const Word* wanted, unsigned* missing) {
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index j = (word << 5) + lane_id();
        const Word here = given_bits == nullptr ? inside(word, n) : given_bits[word];
        if (here >> lane_id() & 1u) values[j] = given[j];
        if (lane_id() > 0) continue;
        const Word now = bits[word] | here;
        bits[word] = now;
        if (wanted != nullptr && wanted[word] & ~now) *static_cast<volatile unsigned*>(missing) = 1;
    }
}
