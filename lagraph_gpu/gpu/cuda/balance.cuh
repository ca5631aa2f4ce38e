// Who walks which edges: the one thing that differs between the classical push kernels.
//
// A schedule has one function, each(frontier, body), which calls body(k, e) for every edge e that
// leaves every vertex k of the frontier, shared out over the threads of the grid.
#pragma once
#include "bitmap.cuh"

// The first of sums[low … high], which increase, that is greater than `at`; the last one is.
template <class Sum, class At> __device__ inline At first_beyond(const Sum* sums, At low, At high, Sum at) {
    while (low < high) {
        const At middle = low + (high - low) / 2;
        if (sums[middle] > at) high = middle;
        else low = middle + 1;
    }
    return low;
}

// The same in steps that double from `low`: for one that is likely near.
template <class Sum, class At> __device__ inline At next_beyond(const Sum* sums, At low, At last, Sum at) {
    At high = low, step = 1;
    while (sums[high] <= at) {
        low = high + 1;
        high = step < last - high ? high + step : last;
        step += step;
    }
    return first_beyond(sums, low, high, at);
}

// The things that the lanes of a warp bring, numbered through, so that they can be shared out evenly.
// All lanes must take part in each call.
struct WarpShare {
    int end, begin, total;  // of this lane's things, and of all

    __device__ explicit WarpShare(int count) : end(count) {
        for (int distance = 1; distance < 32; distance <<= 1) {
            const int below = __shfl_up_sync(ALL_LANES, end, distance);
            if (lane_id() >= distance) end += below;
        }
        begin = end - count;
        total = __shfl_sync(ALL_LANES, end, 31);
    }

    // The lane that brought thing `at`: the first whose things end beyond it.
    __device__ int owner(int at) const {
        int whose = 0;
        for (int half = 16; half > 0; half >>= 1)
            if (__shfl_sync(ALL_LANES, end, whose + half - 1) <= at) whose += half;
        return whose;
    }
};

template <class Offset> struct Frontier {
    Index count;
    const Index* vertices;
    const long long* ends;  // running sum of the degrees; only SearchEdges reads it
    const Offset* indptr;
};

// One thread a vertex (Harish, Narayanan 2007): no overhead, but a hub rides on one thread.
struct ThreadPerVertex {
    template <class Offset, class Body>
    static __device__ void each(const Frontier<Offset>& frontier, Body body) {
        const unsigned threads = gridDim.x * blockDim.x, count = frontier.count;
        for (unsigned f = blockIdx.x * blockDim.x + threadIdx.x; f < count; f += threads) {
            const Index k = frontier.vertices[f];
            const Offset end = frontier.indptr[k + 1];
            for (Offset e = frontier.indptr[k]; e < end; ++e) body(k, e);
        }
    }
};

// One warp a vertex (Hong et al. 2011): neighbours are read side by side.
struct WarpPerVertex {
    template <class Offset, class Body>
    static __device__ void each(const Frontier<Offset>& frontier, Body body) {
        for (Index f = warp_id(); f < frontier.count; f += warp_count()) {
            const Index k = frontier.vertices[f];
            const Offset end = frontier.indptr[k + 1];
            for (Offset e = frontier.indptr[k] + lane_id(); e < end; e += 32) body(k, e);
        }
    }
};

// One thread an edge (Mastrostefano, Bernaschi 2013): the frontier's edges are numbered, and a
// binary search in the running sum of degrees finds whose each is. Even at any skew.
struct SearchEdges {
    template <class Offset, class Body>
    static __device__ void each(const Frontier<Offset>& frontier, Body body) {
        if (frontier.count == 0) return;
        const long long edges = frontier.ends[frontier.count - 1];
        const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
        long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
        for (; at < edges; at += threads) {
            const Index f = first_beyond(frontier.ends, 0, frontier.count - 1, at);
            const Index k = frontier.vertices[f];
            const long long before = f == 0 ? 0 : frontier.ends[f - 1];
            body(k, frontier.indptr[k] + static_cast<Offset>(at - before));
        }
    }
};
