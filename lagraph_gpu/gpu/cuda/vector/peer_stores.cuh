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

using Address = unsigned long long;

// Tells each process that this one has stored everything for an exchange. One block calls it, after
// a fence.
__device__ inline void tell(Index parts, const Address* flags, Count exchange) {
    for (Index r = threadIdx.x; r < parts; r += blockDim.x)
        *reinterpret_cast<volatile Count*>(flags[r]) = exchange;
}

// Stores an array at the address of each process, beginning with the one after this, so that not all
// store to the same one at once. The last block to finish tells them; *done is 0 before and after.
template <class T>
__global__ void store_to_all(long long count, const T* source, Index parts, Index rank, const Address* slots,
                             const Address* flags, Count exchange, unsigned* done) {
    __shared__ bool last;
    for (Index turn = 1; turn <= parts; ++turn) {
        T* to = reinterpret_cast<T*>(slots[(rank + turn) % parts]);
        for (long long i : grid_stride<long long>(count)) to[i] = source[i];
    }
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    if (threadIdx.x == 0) *done = 0;
    __threadfence_system();
    tell(parts, flags, exchange);
}

// The same where copies have stored what there was.
__global__ void tell_all(Index parts, const Address* flags, Count exchange) {
    __threadfence_system();
    tell(parts, flags, exchange);
}

// Waits until all processes have stored, and copies `count` elements from each slot, of which one
// begins every `room` elements, one after another.
template <class T>
__global__ void take_from_all(long long count, Index parts, const Count* told, Count exchange, const T* slots,
                              long long room, T* to) {
    for (Index r = threadIdx.x; r < parts; r += blockDim.x)
        while (read_count(told + r) < exchange) {}
    __threadfence_system();
    __syncthreads();
    for (Index r = 0; r < parts; ++r)
        for (long long i : grid_stride<long long>(count)) to[r * count + i] = slots[r * room + i];
}
