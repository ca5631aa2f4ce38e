// Binary searches for the place at which a condition stops being true.
// See docs/decisions/compilation.md.
#pragma once
#include "core/bitmap.cuh"

// The first of low, …, high - 1 for which before(at) is false, as it must be for all behind it; or
// high. By one thread.
template <class At, class Before> __device__ inline At partition_point(At low, At high, Before before) {
    while (low < high) {
        const At middle = low + (high - low) / 2;
        if (before(middle)) low = middle + 1;
        else high = middle;
    }
    return low;
}

// The last of low, …, high for which holds(at), which must also hold for all before that one; low
// if it holds for none.
template <class At, class Holds> __device__ inline At last_holding(At low, At high, Holds holds) {
    while (low < high) {
        const At middle = low + (high - low + 1) / 2;
        if (holds(middle)) low = middle;
        else high = middle - 1;
    }
    return low;
}

// The first place from `low` on for which `before` is false, or `high`. LOOKS conditions are tested at a time, so
// that their waits for memory overlap.
template <int LOOKS, class At, class Before>
__device__ inline At partition_point(At low, At high, Before before) {
    while (low < high) {
        const At start = low, step = (high - low) / (LOOKS + 1);
        bool found[LOOKS];
#pragma unroll
        for (int i = 0; i < LOOKS; ++i) found[i] = before(start + step * (i + 1));
#pragma unroll
        for (int i = 0; i < LOOKS; ++i) {
            const At at = start + step * (i + 1);
            if (found[i]) low = at + 1;
            else high = at < high ? at : high;
        }
    }
    return low;
}

// The first place from `low` on for which `before` is false, or `high`, where all lanes of a warp look for one
// place together.
template <class At, class Before> __device__ inline At warp_partition_point(At low, At high, Before before) {
    while (low < high) {
        const At step = (high - low + 31) / 32, mine = low + lane_id() * step;
        const int holds = __popc(__ballot_sync(ALL_LANES, mine < high && before(mine)));
        if (holds == 0) return low;
        const At end = low + holds * step;
        low = end - step + 1;
        high = end < high ? end : high;
    }
    return low;
}

// In a sequence that the lanes of a warp hold, an x each: the first lane for whose x `before` is false, or
// the last lane. Lanes may look for different places, and all of them must call it.
template <class T, class Before> __device__ inline int lane_partition_point(T x, Before before) {
    int lane = 0;
    for (int half = 16; half > 0; half >>= 1)
        if (before(__shfl_sync(ALL_LANES, x, lane + half - 1))) lane += half;
    return lane;
}
