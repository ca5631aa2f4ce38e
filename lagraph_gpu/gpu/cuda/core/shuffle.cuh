// Values of any type from other lanes of the warp; the hardware moves numbers of 4 and 8 bytes.
#pragma once
#include "core/arithmetic.cuh"
#include "core/bitmap.cuh"

// f of the value; of a complex number f of each part. All lanes must call it.
template <class T, class F> __device__ inline T by_parts(T x, F f) {
    if constexpr (arithmetic::is_complex<T>) return T(f(x.re), f(x.im));
    else return static_cast<T>(f(x));
}

// What lane `lane` has.
template <class T> __device__ inline T from_lane(T x, int lane) {
    return by_parts(x, [lane](auto part) { return __shfl_sync(ALL_LANES, part, lane); });
}

// What the lane has whose number differs in the bits of `distance`.
template <class T> __device__ inline T from_lane_xor(T x, int distance) {
    return by_parts(x, [distance](auto part) { return __shfl_xor_sync(ALL_LANES, part, distance); });
}
