// Arrays stored into the memory of other processes' devices on the same host (see core/peers.cuh).
// Each process has a slot for what comes from each other one. Slots are used in turn with others of
// the next exchange (see store_peers.py).
// See docs/decisions/cluster.md.
#pragma once
#include "core/peers.cuh"

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

// Tells each process that this one has stored its array, where copies have done so.
__global__ void tell_all(Index parts, OfPeers<Count> flags, Count exchange) { tell(parts, flags, exchange); }

// Waits until all processes have stored, and copies so many bytes from each slot, of which one begins
// every `room` bytes, one after another.
template <class T>
__global__ void take_from_all(long long bytes, Index parts, const Count* own_flags, Count exchange, const Byte* slots,
                              long long room, T* to) {
    wait_for_all(parts, own_flags, exchange);
    if (bytes == 0) return;
    for (Index r = 0; r < parts; ++r) copy_bytes(reinterpret_cast<Byte*>(to) + r * bytes, slots + r * room, bytes);
}
