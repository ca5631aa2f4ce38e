// Groups of threads that work together on one row or one entry: a thread, a warp, or a block.
//
// A Group gives its threads' rank and size, sync(), a vote and a fold over the group; the result
// of a fold is valid in the lanes of its first warp. All threads of a group must call these
// together. The groups of a block are numbered: number() of per_block().
#pragma once
#include "core/fold.cuh"
#include "core/load_balance.cuh"

struct Thread {
    static __device__ int rank() { return 0; }
    static __device__ int size() { return 1; }
    static __device__ bool any(bool one) { return one; }
    template <class M> static __device__ Partial<M> fold(Partial<M> mine) { return mine; }
};

struct Warp {
    static constexpr bool one_warp = true;
    static __device__ int rank() { return lane_id(); }
    static __device__ int size() { return 32; }
    static __device__ int number() { return threadIdx.x >> 5; }
    static __device__ int per_block() { return blockDim.x >> 5; }
    static __device__ void sync() { __syncwarp(); }
    static __device__ bool any(bool one) { return __any_sync(ALL_LANES, one); }
    template <class M> static __device__ Partial<M> fold(Partial<M> mine) { return fold_warp(mine); }

    // The sum of x over the ranks up to this one; `total` becomes that over all. `sums` is shared
    // by the group, one for each of its warps.
    template <class T> static __device__ T running(T x, T& total, T*) {
        x = running_sum(x);
        total = __shfl_sync(ALL_LANES, x, 31);
        return x;
    }
};

struct Block {
    static constexpr bool one_warp = false;
    static __device__ int rank() { return threadIdx.x; }
    static __device__ int size() { return blockDim.x; }
    static __device__ int number() { return 0; }
    static __device__ int per_block() { return 1; }
    static __device__ void sync() { __syncthreads(); }
    static __device__ bool any(bool one) { return __syncthreads_or(one); }
    template <class M> static __device__ Partial<M> fold(Partial<M> mine) { return fold_block(mine); }

    template <class T> static __device__ T running(T x, T& total, T* sums) {
        T warps;
        x = Warp::running(x, warps, sums);
        const int warp = threadIdx.x >> 5, count = blockDim.x >> 5;
        if (lane_id() == 31) sums[warp] = x;
        __syncthreads();
        total = 0;
        for (int w = 0; w < count; ++w) {
            if (w < warp) x += sums[w];
            total += sums[w];
        }
        __syncthreads();  // the next may write
        return x;
    }

    // Each of `count` counters that the block shares becomes the sum of those before it, and `each` gets the number
    // of the counter, what it counted, and that sum. Returns the sum of all. The others see it after a barrier.
    template <class Each>
    static __device__ unsigned begins(unsigned* counters, Index count, unsigned* sums, Each each) {
        const Index share = (count + blockDim.x - 1) / blockDim.x, first = threadIdx.x * share;
        const Index last = first + share < count ? first + share : count;
        unsigned own = 0, total;
        for (Index i = first; i < last; ++i) own += counters[i];
        unsigned before = running(own, total, sums) - own;
        for (Index i = first; i < last; ++i) {
            const unsigned here = counters[i];
            counters[i] = before;
            each(i, here, before);
            before += here;
        }
        return total;
    }
};
