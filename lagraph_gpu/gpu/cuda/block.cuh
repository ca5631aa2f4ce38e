// A dense block of values, as kernels have it, into the rows or the single entries that users get.
//
// Slices of `width` sources lie one behind the other; a slice of x has n · width values, those of a
// vertex side by side. No entry, which is a NaN or `start`, and what is beyond the limit become infinite.
#pragma once
#include "arithmetic.cuh"
#include "bitmap.cuh"

constexpr int TILE = 32;

// What is known of vertex v from source p.
template <class T, class X>
__device__ T entry_of(const X* x, Index n, Index width, Index p, Index v, X start, X limit) {
    const X value = x[(static_cast<long long>(p / width) * n + v) * width + p % width];
    const bool none = !(value <= limit) || value == start;
    return none ? arithmetic::infinity<T>() : arithmetic::cast<T>(value);
}

// out[place[p], t] = what is known of target[t] from source p, for `count` sources. A null target is t
// itself. A block moves a tile of 32 × 32 at a time.
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
            tile[i][lane] = entry_of<T>(x, n, width, p, v, start, limit);
        }
        __syncthreads();
        for (int i = warp; i < TILE; i += warps)
            if (p0 + i < count && t0 + lane < targets)
                out[place[p0 + i] * targets + t0 + lane] = tile[lane][i];
        __syncthreads();
    }
}

// out[place[k]] = what is known of target[k] from source row[k] - first, for `count` pairs.
template <class X, class T>
__global__ void pick_pairs(Index n, Index width, Index first, long long count, const Index* row,
                           const Index* target, const long long* place, X start, X limit, const X* x,
                           T* out) {
    const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
    for (long long k = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; k < count; k += step)
        out[place[k]] = entry_of<T>(x, n, width, row[k] - first, target[k], start, limit);
}
