// The entries of each row in the order of their values: keys for a sort, and what it moves.
#pragma once
#include "arithmetic.cuh"
#include "entries.cuh"

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

// A key for each entry: its value, reversed where it is to fall; under its row if both fit.
template <class Offset, class T>
__global__ void weight_keys(Offset nnz, Index nrows, const Offset* indptr, const T* values, bool falling,
                            long long* keys) {
    const Offset threads = static_cast<Offset>(gridDim.x) * blockDim.x;
    for (Offset e = static_cast<Offset>(blockIdx.x) * blockDim.x + threadIdx.x; e < nnz; e += threads) {
        const long long value = falling ? ~in_order(values[e]) : in_order(values[e]);
        if constexpr (sizeof(T) > 4) {
            keys[e] = value;
        } else {
            const long long row = row_of(indptr, nrows, e);
            keys[e] = (row << 32) + value + (1ll << 31);
        }
    }
}

// The row of each entry in the order of a sort.
template <class Offset>
__global__ void row_keys(Offset nnz, Index nrows, const Offset* indptr, const long long* order,
                         long long* keys) {
    const Offset threads = static_cast<Offset>(gridDim.x) * blockDim.x;
    for (Offset e = static_cast<Offset>(blockIdx.x) * blockDim.x + threadIdx.x; e < nnz; e += threads)
        keys[e] = row_of(indptr, nrows, static_cast<Offset>(order[e]));
}

// Entry e comes from order[e], or where there was a sort before it, from before[order[e]].
template <class Offset, class T>
__global__ void move_in_order(Offset nnz, const Index* indices, const T* values, const long long* before,
                              const long long* order, Index* out_indices, T* out_values) {
    const Offset threads = static_cast<Offset>(gridDim.x) * blockDim.x;
    for (Offset e = static_cast<Offset>(blockIdx.x) * blockDim.x + threadIdx.x; e < nnz; e += threads) {
        const Offset from = static_cast<Offset>(before == nullptr ? order[e] : before[order[e]]);
        out_indices[e] = indices[from];
        out_values[e] = values[from];
    }
}

// `count` values at even distances.
template <class T>
__global__ void sample_values(long long nnz, Index count, const T* values, T* sample) {
    const Index threads = static_cast<Index>(gridDim.x * blockDim.x);
    for (Index t = static_cast<Index>(blockIdx.x * blockDim.x + threadIdx.x); t < count; t += threads)
        sample[t] = values[nnz * t / count];
}
