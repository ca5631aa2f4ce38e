// A barrier for all threads of a cooperative launch, whose blocks are all on the device at once.
//
// Each wait adds one arrival for each block to a counter that starts at 0 and only grows; a block
// goes on when all arrivals of its own wait are there. The fences make what a block wrote before
// the barrier visible to every block after it, past the caches of each multiprocessor.
#pragma once

struct Grid {
    unsigned* arrivals;

    __device__ void wait() const {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            const unsigned mine = atomicAdd(arrivals, 1u);
            const unsigned all = (mine / gridDim.x + 1) * gridDim.x;
            while (static_cast<int>(*static_cast<volatile unsigned*>(arrivals) - all) < 0) {}
            __threadfence();
        }
        __syncthreads();
    }
};
