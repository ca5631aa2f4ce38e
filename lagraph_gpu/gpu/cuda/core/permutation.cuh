// A pseudo-random permutation of positions.
// See docs/decisions/components-and-trees.md.
#pragma once
#include "core/bitmap.cuh"

constexpr Word BELOW = 0x7fffffff;

// Three steps, each of which is a bijection of the numbers of 31 bits: multiplication by a factor, then
// xor with the number itself, shifted.
__device__ inline long long shuffled(Index v, Word begin, Word a, Word j, Word b, Word k, Word c, Word l) {
    Word x = (begin + static_cast<Word>(v)) * a & BELOW;
    x = (x ^ x >> j) * b & BELOW;
    x = (x ^ x >> k) * c & BELOW;
    return x ^ x >> l;
}
