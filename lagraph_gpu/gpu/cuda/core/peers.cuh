// Memory of the other processes' devices on the same host, which this process has opened, and the
// flags by which they tell each other that they have stored into it: no host takes part.
//
// Each process has a flag for each, which holds the number of the last exchange for which that process
// has stored all. Numbers rise, so nothing is reset.
// See docs/decisions/cluster.md.
#pragma once
#include "core/append.cuh"
#include "core/grid_stride.cuh"

// Memory of up to MOST_PEERS processes, by their numbers.
template <class T> struct OfPeers {
    T *p0, *p1, *p2, *p3, *p4, *p5, *p6, *p7;

    __device__ T* operator[](Index r) const {
        switch (r) {
            case 0: return p0;
            case 1: return p1;
            case 2: return p2;
            case 3: return p3;
            case 4: return p4;
            case 5: return p5;
            case 6: return p6;
            default: return p7;
        }
    }
};

static_assert(sizeof(OfPeers<int>) == MOST_PEERS * sizeof(int*), "a pointer for each");

// An array of each process that is opened to all, with a slot for each: where the slots of this process
// begin at all, and the array of this process.
template <class T> struct PeerWindow {
    OfPeers<T> there;
    const T* here;
};

using Byte = unsigned char;

// Tells each process that this one has stored everything for an exchange. One block calls it.
__device__ inline void tell(Index parts, const OfPeers<Count>& flags, Count exchange) {
    __threadfence_system();
    for (Index r = threadIdx.x; r < parts; r += blockDim.x) *static_cast<volatile Count*>(flags[r]) = exchange;
}

// Waits until all processes have raised their flags here. Each block calls it for itself, and sees what
// they have stored.
__device__ inline void wait_for_all(Index parts, const Count* own_flags, Count exchange) {
    if (threadIdx.x < unsigned(parts)) {  // a block has more threads than there are processes
        while (read_count(own_flags + threadIdx.x) < exchange) {}
        __threadfence_system();
    }
    __syncthreads();
}

// Copies bytes by all threads of the grid, as many at a time as the addresses allow.
__device__ inline void copy_bytes(Byte* to, const Byte* from, long long bytes) {
    const unsigned long long low = reinterpret_cast<unsigned long long>(to) |
                                   reinterpret_cast<unsigned long long>(from) | static_cast<unsigned long long>(bytes);
    if (low % sizeof(uint4) == 0) {
        for (long long i : grid_stride<long long>(bytes / static_cast<long long>(sizeof(uint4))))
            reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
    } else if (low % sizeof(unsigned) == 0) {
        for (long long i : grid_stride<long long>(bytes / static_cast<long long>(sizeof(unsigned))))
            reinterpret_cast<unsigned*>(to)[i] = reinterpret_cast<const unsigned*>(from)[i];
    } else {
        for (long long i : grid_stride<long long>(bytes)) to[i] = from[i];
    }
}
