// A number of its own for each position, as if at random.
#pragma once
#include "bitmap.cuh"

// Three steps, each of which takes different numbers of 31 bits to different ones: times a factor, then
// xor itself shifted. All positions get an entry.
constexpr Word BELOW = 0x7fffffff;

__global__ void shuffle(Index n, Word begin, Word a, Word j, Word b, Word k, Word c, Word l, Word* bits,
                        long long* values) {
    const unsigned threads = gridDim.x * blockDim.x;
    for (unsigned v = blockIdx.x * blockDim.x + threadIdx.x; v < unsigned(n); v += threads) {
        Word x = (begin + v) * a & BELOW;
        x = (x ^ x >> j) * b & BELOW;
        x = (x ^ x >> k) * c & BELOW;
        x ^= x >> l;
        values[v] = x;
        if ((v & 31) == 0) bits[v >> 5] = inside(v >> 5, n);
    }
}
