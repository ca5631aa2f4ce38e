// A run: up to 32 sorted items, best first, one in each lane of a warp. A missing item is the
// value that a fold starts from, which comes after all others.
//
// Runs are sorted and merged by Batcher's bitonic networks, in registers: a lane compares its item
// with that of a lane 16, 8, 4, 2 and 1 places away. All lanes must take part in each call.
//
// Batcher: Sorting networks and their applications (1968).
// See docs/decisions/many-sources.md.
#pragma once
#include "core/bitmap.cuh"

template <class S> struct Run {
    using Z = typename S::Z;

    Z key;
    Index vertex;

    static __device__ Run empty() { return {S::start(), 0}; }
    // True if a is better than b. ⊕ is the minimum or the maximum, and its start may be a NaN.
    static __device__ bool ahead(Z a, Z b) { return S::add(a, b) == a && !(a == b); }
    static __device__ bool none(Z z) { return !ahead(z, S::start()); }

    __device__ bool here() const { return !none(key); }  // true if this lane has an item
    __device__ int size() const { return __popc(__ballot_sync(ALL_LANES, here())); }
    __device__ Z best() const { return __shfl_sync(ALL_LANES, key, 0); }
    __device__ Z worst() const { return __shfl_sync(ALL_LANES, key, 31); }
    __device__ Run of(int lane) const {
        return {static_cast<Z>(__shfl_sync(ALL_LANES, key, lane)), __shfl_sync(ALL_LANES, vertex, lane)};
    }

    // The better item goes to the lower of two lanes, or with `rising` false to the higher.
    __device__ void compare(int distance, bool rising) {
        const Run other = of(lane_id() ^ distance);
        const bool lower = !(lane_id() & distance);
        if (lower == rising ? ahead(other.key, key) : ahead(key, other.key)) *this = other;
    }

    // Sorts the items of the run.
    __device__ void sort() {
#pragma unroll 1
        for (int size = 2; size <= 32; size <<= 1)
#pragma unroll 1
            for (int distance = size >> 1; distance > 0; distance >>= 1)
                compare(distance, !(lane_id() & size));
    }

    // Keeps the best 32 items of both runs; the rest is left in the other. False if nothing moved.
    __device__ bool merge(Run& other) {
        if (!ahead(other.best(), worst())) return false;
        const Run turned = other.of(31 - lane_id());
        const bool swap = ahead(turned.key, key);
        other = swap ? *this : turned;
        if (swap) *this = turned;
#pragma unroll 1
        for (int distance = 16; distance > 0; distance >>= 1) {
            compare(distance, true);
            other.compare(distance, true);
        }
        return true;
    }
};
