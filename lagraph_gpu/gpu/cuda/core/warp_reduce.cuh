// Reductions over the lanes of a warp, in registers.
//
// warp_reduce<Op>(x) folds x over all 32 lanes; warp_reduce<Op, WIDTH>(x) over each WIDTH
// neighbouring lanes, and warp_reduce<Op, 32, STEP>(x) over the lanes that are a multiple of STEP
// apart. Every lane gets the result, and all lanes must call it. Op::apply must be commutative and
// associative; where a sum of floating-point numbers must not depend on the lane, see fold_warp.
//
// warp_join does so for a struct with several numbers: mine.of_lane_xor(distance) is that of another
// lane, and mine.join(other) takes it in.
// See docs/decisions/compilation.md.
#pragma once
#include "core/bitmap.cuh"

struct Sum {
    template <class T> static __device__ T apply(T x, T y) { return x + y; }
};
struct Minimum {
    template <class T> static __device__ T apply(T x, T y) { return y < x ? y : x; }
};
struct Maximum {
    template <class T> static __device__ T apply(T x, T y) { return y > x ? y : x; }
};
struct BitOr {
    template <class T> static __device__ T apply(T x, T y) { return x | y; }
};

template <class Op, int WIDTH = 32, int STEP = 1, class T> __device__ inline T warp_reduce(T x) {
    for (int distance = WIDTH / 2; distance >= STEP; distance >>= 1)
        x = Op::apply(x, static_cast<T>(__shfl_xor_sync(ALL_LANES, x, distance)));
    return x;
}

// The largest word of the warp, in every lane; one instruction where the hardware has it.
__device__ inline unsigned warp_max(unsigned x) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    return __reduce_max_sync(ALL_LANES, x);
#else
    return warp_reduce<Maximum>(x);
#endif
}
__device__ inline unsigned long long warp_max(unsigned long long x) {
    const unsigned mine = static_cast<unsigned>(x >> 32), high = warp_max(mine);
    return static_cast<unsigned long long>(high) << 32 | warp_max(mine == high ? static_cast<unsigned>(x) : 0u);
}

template <class T> __device__ inline void warp_join(T& mine, int width = 32) {
    for (int distance = width / 2; distance > 0; distance >>= 1) {
        const auto other = mine.of_lane_xor(distance);
        mine.join(other);
    }
}
