// Lists that a whole grid appends to, and what a walk over them needs.
//
// An item is a vertex and the number of a piece of its out-edges, so that a hub is shared by as many
// warps as it has pieces.
#pragma once
#include "bitmap.cuh"

using Count = unsigned long long;

__device__ inline long long item_of(Index vertex, long long piece) { return piece << 32 | vertex; }
__device__ inline Index vertex_of(long long item) { return static_cast<Index>(item & 0xffffffff); }
__device__ inline long long piece_of(long long item) { return item >> 32; }

constexpr int GATHERED = 1024;  // items that a block sets aside before it appends one by one

// A block gathers its appends in shared memory; one atomic reserves their room in the list.
struct Appends {
    long long items[GATHERED];
    unsigned count;
    Count begin;

    __device__ void add(long long item, long long* list, Count* total) {
        const unsigned at = atomicAdd(&count, 1u);
        if (at < GATHERED) items[at] = item;
        else list[atomicAdd(total, Count(1))] = item;
    }

    // What the block has gathered goes to the list. All of its threads must call this, and nothing
    // may be added before a barrier has followed.
    __device__ void flush(long long* list, Count* total) {
        __syncthreads();
        const unsigned gathered = count < GATHERED ? count : GATHERED;
        if (threadIdx.x == 0 && gathered > 0) begin = atomicAdd(total, Count(gathered));
        __syncthreads();
        for (unsigned i = threadIdx.x; i < gathered; i += blockDim.x) list[begin + i] = items[i];
        if (threadIdx.x == 0) count = 0;
    }
};

// A list of which every vertex is an entry once, and the bitmap that sees to it.
struct Pile {
    long long* items;
    Word* bits;
    Count* count;
};

struct Threads {
    Count first = static_cast<Count>(blockIdx.x) * blockDim.x + threadIdx.x;
    Count all = static_cast<Count>(gridDim.x) * blockDim.x;
};

// A count that others may be changing.
__device__ inline Count read_count(const Count* at) {
    return *static_cast<const volatile Count*>(at);
}
