// Values of any type from other lanes and blocks; the hardware moves numbers of at most 8 bytes.
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

// The value of the lane whose number differs in the bits of `distance`.
template <class T> __device__ inline T from_lane_xor(T x, int distance) {
    return by_parts(x, [distance](auto part) { return __shfl_xor_sync(ALL_LANES, part, distance); });
}

// The value of the lane whose number is lower by `distance`; the lowest lanes keep their own.
template <class T> __device__ inline T from_lanes_below(T x, int distance) {
    return by_parts(x, [distance](auto part) { return __shfl_up_sync(ALL_LANES, part, distance); });
}

// What memory holds now, which other blocks write to.
template <class T> __device__ inline T as_written(const T* at) {
    if constexpr (arithmetic::is_complex<T>) return T(as_written(&at->re), as_written(&at->im));
    else return *static_cast<const volatile T*>(at);
}
