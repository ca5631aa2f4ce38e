// Several element-wise statements as one: the vector that a formula over stored vectors describes.
//
// A Formula gives: Z, and at(i, z, given…), which tells whether position i holds an entry and puts
// its value into z. What it is given are a bitmap and values for each vector it reads (a null bitmap
// holds every position), then numbers. It is generated (forms.py), and a Source of reduce.cuh, too.
#pragma once
#include "reduce.cuh"

// A warp owns IN_FLIGHT words of the bitmap.
template <class F, class... Given>
__global__ void settle(Index n, Word* bits, typename F::Z* values, Given... given) {
    const Index words = words_of(n);
    for (Index base = IN_FLIGHT * warp_id(); base < words; base += IN_FLIGHT * warp_count()) {
        typename F::Z z[IN_FLIGHT];
        bool has[IN_FLIGHT];
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) {
            const Index word = base + s, i = (word << 5) + lane_id();
            z[s] = {};
            has[s] = (word < n >> 5 || (word < words && i < n)) && F::at(i, z[s], given...);
        }
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) {
            const Index word = base + s;
            if (has[s]) values[(word << 5) + lane_id()] = z[s];
            const Word now = __ballot_sync(ALL_LANES, has[s]);
            if (lane_id() == 0 && word < words) bits[word] = now;
        }
    }
}
