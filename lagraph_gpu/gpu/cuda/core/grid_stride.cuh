// Loops whose turns are shared out over the threads, warps or blocks of the grid.
//
//     for (unsigned i : grid_stride<unsigned>(n)) …
//
// gives thread t of the grid the numbers t, t + threads, t + 2 · threads, … below n. Neighbouring
// threads get neighbouring numbers, and any grid covers all of them. T must be able to hold
// n + threads. The count is computed once, before the first turn.
#pragma once
#include "core/bitmap.cuh"

template <class T> struct Stride {
    struct End {
        T count;
    };
    struct Iterator {
        T at, step;
        __device__ T operator*() const { return at; }
        __device__ void operator++() { at += step; }
        __device__ bool operator!=(End end) const { return at < end.count; }
    };

    T first, step, count;

    __device__ Iterator begin() const { return {first, step}; }
    __device__ End end() const { return {count}; }
};

// The number of this thread in the grid, and how many threads the grid has.
template <class T> __device__ inline T thread_id() { return static_cast<T>(blockIdx.x) * blockDim.x + threadIdx.x; }
template <class T> __device__ inline T thread_count() { return static_cast<T>(gridDim.x) * blockDim.x; }

// One number for each thread: 0, …, count - 1.
template <class T> __device__ inline Stride<T> grid_stride(T count) {
    return {thread_id<T>(), thread_count<T>(), count};
}

// The same for the numbers first, …, last - 1.
template <class T> __device__ inline Stride<T> grid_stride(T first, T last) {
    return {first + thread_id<T>(), thread_count<T>(), last};
}

// All lanes of a warp get the number of its first lane, so that they take the same turns and may
// vote. A lane adds lane_id() to it, and the sum may be count or more.
template <class T> __device__ inline Stride<T> warp_aligned_stride(T count) {
    return {thread_id<T>() & ~static_cast<T>(31), thread_count<T>(), count};
}

// One number for each warp.
template <class T> __device__ inline Stride<T> warp_stride(T count) {
    return {static_cast<T>(warp_id()), static_cast<T>(warp_count()), count};
}

// One number for each block.
template <class T> __device__ inline Stride<T> block_stride(T count) {
    return {static_cast<T>(blockIdx.x), static_cast<T>(gridDim.x), count};
}

// One number for each group of threads (see groups.cuh).
template <class Group, class T> __device__ inline Stride<T> group_stride(T count) {
    const T groups = static_cast<T>(Group::per_block());
    return {static_cast<T>(blockIdx.x) * groups + static_cast<T>(Group::number()),
            static_cast<T>(gridDim.x) * groups, count};
}
