// Several element-wise statements as one: the vector that a formula over stored vectors describes.
//
// A Formula gives: Z, and at(i, z, given…), which tells whether position i holds an entry and puts
// its value into z. What it is given are a bitmap and values for each vector it reads (a null bitmap
// holds every position), then numbers. It is generated (forms.py), and a Source of reduce.cuh, too.
#pragma once
#include "reduce.cuh"

// A warp owns a word of the bitmap.
template <class F, class... Given>
__global__ void settle(Index n, Word* bits, typename F::Z* values, Given... given) {
    for (Index word = warp_id(); word < words_of(n); word += warp_count()) {
        const Index i = (word << 5) + lane_id();
        typename F::Z z{};
        const bool has = (word < n >> 5 || i < n) && F::at(i, z, given...);  // most words are whole
        if (has) values[i] = z;
        const Word now = __ballot_sync(ALL_LANES, has);
        if (lane_id() == 0) bits[word] = now;
    }
}
