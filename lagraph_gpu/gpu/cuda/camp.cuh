// What the warps of a block on trails of their own have in shared memory: a queue each, and what they
// set aside for the lists that all blocks share (see trail.cuh).
#pragma once
#include "lists.cuh"
#include "packed.cuh"

constexpr int TRAILS = 4;        // warps of a block, at most
constexpr unsigned ASIDE = 512;  // vertices that a block sets aside before its warps list them

// Sets position j, which is likely not set; true for the one thread that changed it.
__device__ inline bool enter(Word* bits, Index j) {
    const Word bit = 1u << (j & 31);
    return !(atomicOr(bits + (j >> 5), bit) & bit);
}

// The vertices that a warp will relax, in the order in which they came, with all that it takes.
template <class Z, class Row, unsigned QUEUE> struct Queue {
    Row rows[QUEUE];
    Z values[QUEUE];
    Index vertices[QUEUE];
};

// Vertices that a block sets aside for the two lists: near ones as they are, far ones inverted.
struct Aside {
    Index vertices[ASIDE];
    unsigned count, kept[2];
    Count begin[2];

    // Adds the vertices of the lanes that have one; where there is no room they are listed at once.
    __device__ void add(bool mine, bool distant, Index j, const Pile* piles) {
        const Word some = __ballot_sync(ALL_LANES, mine);
        unsigned at = 0;
        if (lane_id() == 0) at = atomicAdd(&count, unsigned(__popc(some)));
        at = __shfl_sync(ALL_LANES, at, 0) + __popc(some & lanes_below());
        if (mine && at < ASIDE) vertices[at] = distant ? ~j : j;
        if (mine && at >= ASIDE && enter(piles[distant].bits, j))
            piles[distant].items[atomicAdd(piles[distant].count, Count(1))] = j;
    }

    // What the block has set aside goes to the lists, each vertex once. All of its threads call this.
    __device__ void list(const Pile* piles) {
        __syncthreads();
        const unsigned all = count < ASIDE ? count : ASIDE;
        for (unsigned base = 0; base < all; base += blockDim.x) {
            const unsigned at = base + threadIdx.x;
            const Index given = at < all ? vertices[at] : 0;
            const bool distant = given < 0;
            const Index j = distant ? ~given : given;
            const bool mine = at < all && enter(piles[distant].bits, j);
            unsigned place = 0;
            if (mine) place = atomicAdd(kept + distant, 1u);
            __syncthreads();
            if (threadIdx.x < 2 && kept[threadIdx.x] > 0) {
                begin[threadIdx.x] = atomicAdd(piles[threadIdx.x].count, Count(kept[threadIdx.x]));
                kept[threadIdx.x] = 0;
            }
            __syncthreads();
            if (mine) piles[distant].items[begin[distant] + place] = j;
        }
        __syncthreads();
        if (threadIdx.x == 0) count = 0;
    }
};

// What a block keeps to itself, in shared memory.
template <class Z, class Row, unsigned QUEUE> struct Camp {
    Queue<Z, Row, QUEUE> queues[TRAILS];
    Pile lists[2];  // of this epoch, near and far: appended to
    Aside aside;
    __align__(8) Z best[8 / sizeof(Z)];  // of what the block found far; a word of its own
    Count walked;                        // edges
};
