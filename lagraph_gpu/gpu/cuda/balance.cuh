// Who walks which edges: the one thing that differs between the classical push kernels.
//
// A schedule has one function, each(frontier, body), which calls body(k, e) for every edge e that
// leaves every vertex k of the frontier, shared out over the threads of the grid.
#pragma once
#include "bitmap.cuh"

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
            Index low = 0, high = frontier.count - 1;  // the first vertex whose end lies beyond
            while (low < high) {
                const Index middle = low + (high - low) / 2;
                if (frontier.ends[middle] > at) high = middle;
                else low = middle + 1;
            }
            const Index k = frontier.vertices[low];
            const long long before = low == 0 ? 0 : frontier.ends[low - 1];
            body(k, frontier.indptr[k] + static_cast<Offset>(at - before));
        }
    }
};
