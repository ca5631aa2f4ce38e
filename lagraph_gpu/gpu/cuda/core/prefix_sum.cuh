// The prefix sum of an array in one pass: each block adds a piece, and learns the sum of all
// pieces before from what their blocks have published (see look_back.cuh).
// See docs/decisions/components-and-trees.md.
#pragma once
#include "core/groups.cuh"
#include "core/look_back.cuh"

// ends[i] = x[0] + … + x[i], of numbers that are not negative; each block has a piece of blockDim.x
// · STEPS. *first becomes 0, unless it is null. The tickets and *ended are clear before, and again
// afterwards.
template <class X, class Y, int STEPS>
__global__ void __launch_bounds__(MAX_THREADS, 4)
    prefix_sum(long long n, const X* x, Y* first, Y* ends, unsigned long long* words, unsigned* ended) {
    __shared__ Index taken;
    __shared__ long long sums[MAX_THREADS / 32], before;
    const LookBack tickets{words, static_cast<Index>(gridDim.x)};
    if (threadIdx.x == 0) taken = tickets.take();
    __syncthreads();
    const Index piece = taken;
    const long long warp = static_cast<long long>(piece) * (blockDim.x >> 5) + (threadIdx.x >> 5);
    const long long begin = warp * 32 * STEPS + lane_id();
    Y mine[STEPS], own = 0;  // own: of the warp
#pragma unroll
    for (int s = 0; s < STEPS; ++s) mine[s] = begin + 32 * s < n ? static_cast<Y>(x[begin + 32 * s]) : Y(0);
#pragma unroll
    for (int s = 0; s < STEPS; ++s) {
        mine[s] = own + running_sum(mine[s]);
        own = __shfl_sync(ALL_LANES, mine[s], 31);
    }
    long long total;
    const long long warps = Block::running(lane_id() == 0 ? static_cast<long long>(own) : 0, total, sums);
    if (threadIdx.x < 32) {
        if (lane_id() == 0) tickets.publish_count(piece, total);
        const long long sum = tickets.before(piece, total);
        if (lane_id() == 0) before = sum;
    }
    __syncthreads();
    const Y up = static_cast<Y>(before + warps) - own;
#pragma unroll
    for (int s = 0; s < STEPS; ++s)
        if (begin + 32 * s < n) ends[begin + 32 * s] = up + mine[s];
    if (threadIdx.x >= 32) return;
    bool last = false;
    if (lane_id() == 0) {
        if (piece == 0 && first != nullptr) *first = 0;
        __threadfence();  // before this block is counted, what it does to the tickets is visible
        last = atomicInc(ended, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    if (!__any_sync(ALL_LANES, last)) return;
    __syncwarp();
    for (unsigned at = lane_id(); at <= gridDim.x; at += 32) words[at] = 0;
}
