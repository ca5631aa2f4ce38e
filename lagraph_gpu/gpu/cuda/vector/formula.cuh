// Several element-wise statements as one: the vector that a formula over stored vectors describes.
//
// A Formula gives: Z, Position, and at(i, z, given…), which tells whether position i holds an entry and puts
// its value into z. What it is given are a bitmap and values for each vector it reads (a null
// bitmap holds every position), then numbers. It is generated (fused_codegen.py), and a Source of
// reduce.cuh, too.
// See docs/decisions/lazy-statements.md.
#pragma once
#include "vector/reduce.cuh"
#include "core/permutation.cuh"

// A warp owns IN_FLIGHT words of the bitmap.
template <class F, class... Given>
__global__ void settle(Index n, Word* bits, typename F::Z* values, Given... given) {
    const Index words = words_of(n);
    for (Index base : warp_stride<Index>(words, IN_FLIGHT)) {
        typename F::Z z[IN_FLIGHT];
        bool has[IN_FLIGHT];
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) {
            // Beyond the end the last one is asked for again: without a branch all loads go out
            // together.
            const Index word = base + s, i = (word << 5) + lane_id();
            const bool inside = word < words && i < n;
            z[s] = {};
            has[s] = F::at(inside ? i : n - 1, z[s], given...) && inside;
        }
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) {
            // Also where there is no entry: a sector that is written in part is read before.
            const Index word = base + s, i = (word << 5) + lane_id();
            if (word < words && i < n) values[i] = z[s];
            const Word now = __ballot_sync(ALL_LANES, has[s]);
            if (lane_id() == 0 && word < words) bits[word] = now;
        }
    }
}
