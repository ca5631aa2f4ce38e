// Output of a dense block of values to the rows or the single entries of an answer.
//
// Slices of `width` sources are consecutive; a slice of x has n · width values, and those of a
// vertex are adjacent. A missing entry, which is a NaN or `start`, and a value beyond the limit
// become infinite.
// See docs/decisions/many-sources.md.
#pragma once
#include "core/arithmetic.cuh"
#include "core/bitmap.cuh"
#include "core/grid_stride.cuh"
#include "core/warp_reduce.cuh"

constexpr int OUTPUT_TILE = 32;

// The value as T; infinity if it is missing or beyond the limit.
template <class T, class X> __device__ T entry_of(X value, X start, X limit) {
    const bool none = !(value <= limit) || value == start;
    return none ? arithmetic::infinity<T>() : arithmetic::cast<T>(value);
}

// The position in x of vertex v for source p.
__device__ inline long long spot_of(Index n, Index width, Index p, Index v) {
    return (static_cast<long long>(p / width) * n + v) * width + p % width;
}

// out[place[p], t] = the distance of target[t] from source p, for `count` sources. If `target` is
// null, target t is vertex t. A block moves a tile at a time: 32 sources, and so many targets that
// it writes at least 512 bytes of a row at once. A tile lies within one slice.
template <class X, class T>
__global__ void lay_out_rows(Index n, Index width, Index count, const Index* place, long long targets,
                             const Index* target, X start, X limit, const X* x, T* out) {
    constexpr int ACROSS = 16 / sizeof(X), WIDTH = OUTPUT_TILE * ACROSS;
    __shared__ X tile[WIDTH][OUTPUT_TILE + 1];
    const long long across = (targets + WIDTH - 1) / WIDTH;
    const Index down = count / OUTPUT_TILE + (count % OUTPUT_TILE != 0);
    const int lane = lane_id(), warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    for (long long at : block_stride<long long>(across * down)) {
        const long long t0 = at % across * WIDTH;
        const Index p0 = static_cast<Index>(at / across) * OUTPUT_TILE, p = p0 + lane;
        for (int i = warp; i < WIDTH; i += warps) {
            if (p >= count || t0 + i >= targets) continue;
            const Index v = target == nullptr ? static_cast<Index>(t0 + i) : target[t0 + i];
            tile[i][lane] = x[spot_of(n, width, p, v)];
        }
        __syncthreads();
        for (int i = warp; i < OUTPUT_TILE * ACROSS; i += warps) {
            const int row = i / ACROSS, t = i % ACROSS * OUTPUT_TILE + lane;
            if (p0 + row < count && t0 + t < targets)
                out[place[p0 + row] * targets + t0 + t] = entry_of<T>(tile[t][row], start, limit);
        }
        __syncthreads();
    }
}

// out[place[p], t] = the distance of target[t] from source p, for `count` sources, where a slice of x is one
// source. If `target` is null, target t is vertex t.
template <class X, class T>
__global__ void copy_rows(Index n, Index count, const Index* place, long long targets, const Index* target,
                          X start, X limit, const X* x, T* out) {
    const long long across = (targets + blockDim.x - 1) / blockDim.x;
    for (long long at : block_stride<long long>(across * count)) {
        const Index p = static_cast<Index>(at / across);
        const long long t = at % across * blockDim.x + threadIdx.x;
        if (t >= targets) continue;
        const Index v = target == nullptr ? static_cast<Index>(t) : target[t];
        out[place[p] * targets + t] = entry_of<T>(x[spot_of(n, 1, p, v)], start, limit);
    }
}

// out[place[k]] = the distance of target[k] from source row[k] - first, for `count` pairs.
template <class X, class T>
__global__ void pick_pairs(Index n, Index width, Index first, long long count, const Index* row,
                           const Index* target, const long long* place, X start, X limit, const X* x,
                           T* out) {
    for (long long k : grid_stride<long long>(count))
        out[place[k]] = entry_of<T>(x[spot_of(n, width, row[k] - first, target[k])], start, limit);
}

// For each row of n distances, adds how many are finite, and their sum. A warp adds up 32 · Each of
// them at a time. Sums of whole numbers do not depend on the order.
template <int Each>
__global__ void sum_rows(Index rows, Index n, const double* distances, double* reached, double* sums) {
    const long long parts = (n + 32ll * Each - 1) / (32 * Each);
    for (long long task : warp_stride<long long>(parts * rows)) {
        const long long row = task / parts;
        double number = 0, sum = 0;
#pragma unroll
        for (int i = 0; i < Each; ++i) {
            const long long column = (task % parts * Each + i) * 32 + lane_id();
            const double x = column < n ? distances[row * n + column] : arithmetic::infinity<double>();
            if (x == arithmetic::infinity<double>()) continue;
            number += 1;
            sum += x;
        }
        number = warp_reduce<Sum>(number);
        sum = warp_reduce<Sum>(sum);
        if (lane_id() != 0 || number == 0) continue;
        atomicAdd(reached + row, number);
        atomicAdd(sums + row, sum);
    }
}
