// The entries of each row in the order of their values: keys for a sort, and what it moves.
// See docs/decisions/hub-first.md.
#pragma once
#include "core/arithmetic.cuh"
#include "core/grid_stride.cuh"
#include "matrix/entries.cuh"

// A number of the same order; of no more than 32 bits, with a sign, if the value has no more.
template <class T> __device__ inline long long in_order(T value) { return static_cast<long long>(value); }
__device__ inline long long in_order(unsigned value) { return static_cast<int>(value ^ 1u << 31); }
__device__ inline long long in_order(unsigned long long value) {
    return static_cast<long long>(value ^ 1ull << 63);
}
__device__ inline long long in_order(float value) {
    union { float value; int bits; } as{value};
    return as.bits < 0 ? as.bits ^ 0x7fffffff : as.bits;
}
__device__ inline long long in_order(double value) {
    union { double value; long long bits; } as{value};
    return as.bits < 0 ? as.bits ^ 0x7fffffffffffffffll : as.bits;
}

// `count` values at even distances.
template <class T>
__global__ void sample_values(long long nnz, Index count, const T* values, T* sample) {
    for (Index t : grid_stride<Index>(count))
        sample[t] = values[nnz * t / count];
}
