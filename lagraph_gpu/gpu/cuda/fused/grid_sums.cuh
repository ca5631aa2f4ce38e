// Sums over all threads of a grid, which each thread gets: the barrier of a round and its sums in one.
//
// Each block adds up the parts of all blocks in the same order, so that all of them go on alike, and
// sums do not depend on timing.
// See docs/decisions/spmv.md.
#pragma once
#include "core/grid.cuh"
#include "core/warp_reduce.cuh"

struct GridSums {
    static constexpr int MOST = GRID_SUMS;  // at a time
    static constexpr int ROOM = MOST * POWER_BLOCK / 32;

    Grid grid;
    double* partial;  // room for twice so many of each block: one may be read while the next is written
    double* shared;   // shared memory for so many of each warp
    unsigned turn = 0;

    // Each x becomes its sum. All threads must call it; what one wrote before is visible to all of them
    // afterwards.
    template <int count> __device__ void all(double (&x)[count]) {
        static_assert(count <= MOST, "there is no room for more");
        const int warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
        double* const parts = partial + turn * MOST * gridDim.x;
        turn ^= 1;
#pragma unroll
        for (int k = 0; k < count; ++k) {
            const double of_warp = warp_reduce<Sum>(x[k]);
            if (lane_id() == 0) shared[k * warps + warp] = of_warp;
        }
        __syncthreads();
        for (int k = threadIdx.x; k < count; k += blockDim.x) {
            double part = 0;
            for (int w = 0; w < warps; ++w) part += shared[k * warps + w];
            parts[k * gridDim.x + blockIdx.x] = part;
        }
        grid.wait();
        for (int k = warp; k < count; k += warps) {
            double part = 0;
            for (unsigned b = lane_id(); b < gridDim.x; b += 32) part += peek(parts + k * gridDim.x + b);
            part = warp_reduce<Sum>(part);
            if (lane_id() == 0) shared[k] = part;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < count; ++k) x[k] = shared[k];
        __syncthreads();  // the next may write
    }
    __device__ double operator()(double x) {
        double one[1] = {x};
        all(one);
        return one[0];
    }
};
