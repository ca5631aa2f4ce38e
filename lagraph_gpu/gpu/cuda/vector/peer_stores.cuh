// Arrays stored into the memory of other processes' devices on the same host, which this process has
// opened, and a flag after them: no host takes part.
//
// Each process has a slot for what comes from each other one, and a flag for each, which holds the
// number of the last exchange for which that process has stored all. Numbers rise, so nothing is
// reset. Slots are used in turn with others of the next exchange (see store_peers.py).
// See docs/decisions/cluster.md.
#pragma once
#include "core/append.cuh"
#include "core/grid_stride.cuh"

// Memory of up to so many processes, by their numbers.
constexpr Index MOST_PEERS = 8;
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

using Byte = unsigned char;

// Tells each process that this one has stored everything for an exchange. One block calls it.
__device__ inline void tell(Index parts, const OfPeers<Count>& flags, Count exchange) {
    __threadfence_system();
    for (Index r = threadIdx.x; r < parts; r += blockDim.x) *static_cast<volatile Count*>(flags[r]) = exchange;
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

// Stores so many bytes of an array at the slot of each process, beginning with the one after this, so
// that not all store to the same one at once. The last block to finish tells them; *done is 0 before
// and after.
template <class T>
__global__ void store_to_all(long long bytes, const T* source, Index parts, Index rank, OfPeers<Byte> slots,
                             OfPeers<Count> flags, Count exchange, unsigned* done) {
    __shared__ bool last;
    for (Index turn = 1; turn <= parts; ++turn)
        copy_bytes(slots[(rank + turn) % parts], reinterpret_cast<const Byte*>(source), bytes);
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last) tell(parts, flags, exchange);
}

// The same where copies have stored what there was.
__global__ void tell_all(Index parts, OfPeers<Count> flags, Count exchange) { tell(parts, flags, exchange); }

// Waits until all processes have stored, and copies so many bytes from each slot, of which one begins
// every `room` bytes, one after another.
template <class T>
__global__ void take_from_all(long long bytes, Index parts, const Count* told, Count exchange, const Byte* slots,
                              long long room, T* to) {
    for (Index r = threadIdx.x; r < parts; r += blockDim.x)
        while (read_count(told + r) < exchange) {}
    __threadfence_system();
    __syncthreads();
    if (bytes == 0) return;
    for (Index r = 0; r < parts; ++r) copy_bytes(reinterpret_cast<Byte*>(to) + r * bytes, slots + r * room, bytes);
}
