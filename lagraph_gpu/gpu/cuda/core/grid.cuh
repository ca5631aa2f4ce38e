// A barrier for all threads of a cooperative launch, whose blocks are all on the device at once.
//
// In each wait the blocks add 2³¹ to a counter together, all but one of them 1, so that its highest
// bit turns when the last one has come, and the others are as they were: however many waits there
// are, and whatever the grid, nothing wraps that matters. The fences make what a block wrote before
// the barrier visible to every block after it, past the caches of each multiprocessor.
#pragma once

struct Grid {
    static constexpr unsigned TURN = 1u << 31;

    unsigned* arrivals;

    __device__ void wait() const {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            const unsigned before = atomicAdd(arrivals, blockIdx.x > 0 ? 1u : TURN - (gridDim.x - 1));
            while (((*static_cast<volatile unsigned*>(arrivals) ^ before) & TURN) == 0) {}
            __threadfence();
        }
        __syncthreads();
    }
};
