// A dense block of values, as kernels have it, into the rows that users get.
#pragma once
#include "arithmetic.cuh"
#include "bitmap.cuh"

constexpr int TILE = 32;

// out[place[p], t] = x[p / width, target[t], p % width] for the `count` places p, where a slice of x
// has n · width values; no entry, which is a NaN or `start`, and what is beyond the limit becomes
// infinite. A null target is t itself. A block moves a tile of 32 × 32 at a time.
template <class X, class T>
__global__ void lay_out_rows(Index n, Index width, Index count, const Index* place, long long targets,
                             const Index* target, X start, X limit, const X* x, T* out) {
    __shared__ T tile[TILE][TILE + 1];
    const long long across = (targets + TILE - 1) / TILE;
    const Index down = count / TILE + (count % TILE != 0);
    const int lane = lane_id(), warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    for (long long at = blockIdx.x; at < across * down; at += gridDim.x) {
        const long long t0 = at % across * TILE;
        const Index p0 = static_cast<Index>(at / across) * TILE, p = p0 + lane;
        for (int i = warp; i < TILE; i += warps) {
            if (p >= count || t0 + i >= targets) continue;
            const Index v = target == nullptr ? static_cast<Index>(t0 + i) : target[t0 + i];
            const X value = x[(static_cast<long long>(p / width) * n + v) * width + p % width];
            const bool none = !(value <= limit) || value == start;
            tile[i][lane] = none ? arithmetic::infinity<T>() : arithmetic::cast<T>(value);
        }
        __syncthreads();
        for (int i = warp; i < TILE; i += warps)
            if (p0 + i < count && t0 + lane < targets)
                out[place[p0 + i] * targets + t0 + lane] = tile[lane][i];
        __syncthreads();
    }
}
