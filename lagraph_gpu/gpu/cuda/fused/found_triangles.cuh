// The triangles that a thread has found: their number, or those at each vertex.
#pragma once
#include "core/warp_reduce.cuh"

struct FoundTriangles {
    long long* of_vertex;  // the triangles at each vertex, or null
    unsigned long long count = 0;

    __device__ void add(Index u, Index v, Index w) {
        ++count;
        if (of_vertex == nullptr) return;
        const auto counts = reinterpret_cast<unsigned long long*>(of_vertex);
        atomicAdd(counts + u, 1ull);
        atomicAdd(counts + v, 1ull);
        atomicAdd(counts + w, 1ull);
    }
    // Adds the number to `total`, unless that is null. The whole warp must call it.
    __device__ void add_to(unsigned long long* total) const {
        if (total == nullptr) return;
        const unsigned long long found = warp_reduce<Sum>(count);
        if (lane_id() == 0 && found > 0) atomicAdd(total, found);
    }
};
