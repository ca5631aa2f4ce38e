// Loops whose turns are shared out over the threads, warps or blocks of the grid.
//
//     for (unsigned i : grid_stride<unsigned>(n)) …
//
// gives thread t of the grid the numbers t, t + threads, t + 2 · threads, … below n. Neighbouring
// threads get neighbouring numbers, and any grid covers all of them. T must be able to hold
// n + threads. The count is computed once, before the first turn.
// See docs/decisions/compilation.md.
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

// One number for each thread: first, …, last - 1.
template <class T> __device__ inline Stride<T> grid_stride(T first, T last) {
    return {first + thread_id<T>(), thread_count<T>(), last};
}

// One number for each warp; or the first of `each` consecutive ones. All lanes of the warp get it, so
// that they take the same turns and may vote. Some of the `each` may be count or more.
template <class T> __device__ inline Stride<T> warp_stride(T count, T each = 1) {
    return {static_cast<T>(warp_id()) * each, static_cast<T>(warp_count()) * each, count};
}

// One number for each warp, or the first of `each`, by common_warp_id(): all lanes must call it.
template <class T> __device__ inline Stride<T> common_stride(T count, T each = 1) {
    return {static_cast<T>(common_warp_id()) * each, static_cast<T>(warp_count()) * each, count};
}

// One number for each block, or the first of `each` consecutive ones.
template <class T> __device__ inline Stride<T> block_stride(T count, T each = 1) {
    return {static_cast<T>(blockIdx.x) * each, static_cast<T>(gridDim.x) * each, count};
}

// The numbers of a warp's lanes in a turn of `lanes_apart`.
template <class T> struct LaneNumbers {
    T first, apart;

    __device__ T of(int lane) const { return first + lane * apart; }
    __device__ T own() const { return of(lane_id()); }
};

template <class T> struct LanesApart {
    struct Iterator : Stride<T>::Iterator {
        T apart;
        __device__ LaneNumbers<T> operator*() const { return {this->at, apart}; }
    };

    Stride<T> firsts;
    T apart;

    __device__ Iterator begin() const { return {firsts.begin(), apart}; }
    __device__ typename Stride<T>::End end() const { return firsts.end(); }
};

// 32 numbers for each warp, one for each lane, that lie `warps` apart, so that neighbours, which may
// be alike, go to different warps: `first` is the warp's own number of so many. All lanes of the
// warp take the same turns, and some of their numbers may be count or more.
//
//     for (const auto numbers : lanes_apart<Count>(n)) …
template <class T>
__device__ inline LanesApart<T> lanes_apart(T count, T first = spread_warp_id(), T warps = warp_count()) {
    return {{first, 32 * warps, count}, warps};
}

// One number for each group of threads (see groups.cuh).
template <class Group, class T> __device__ inline Stride<T> group_stride(T count) {
    const T groups = static_cast<T>(Group::per_block());
    return {static_cast<T>(blockIdx.x) * groups + static_cast<T>(Group::number()),
            static_cast<T>(gridDim.x) * groups, count};
}
