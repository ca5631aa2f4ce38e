// From a bitmap to counts, and to a list: the frontier as a queue, in no particular order.
//
// Each lane takes a word, the warp sums the counts, and one atomic for the warp reserves the room.
// totals[0] counts entries, totals[1] the edges that leave them (0 if indptr is null). There is a
// list only if vertices is not null.
// See docs/decisions/bfs.md.
#pragma once
#include "core/bitmap.cuh"
#include "core/grid_stride.cuh"
#include "core/warp_reduce.cuh"

template <class Offset>
__global__ void compact(Index n, const Word* bits, const Offset* indptr, Index* vertices,
                        unsigned long long* totals) {
    const Index words = words_of(n);
    unsigned long long edges = 0;
    for (Index base : warp_stride<Index>(words, 32)) {
        const Index word = base + lane_id();
        Word left = word < words ? bits[word] : 0;
        const int mine = __popc(left);
        const int running = running_sum(mine);
        Index room = 0;
        if (lane_id() == 31 && running > 0)
            room = static_cast<Index>(atomicAdd(totals, static_cast<unsigned long long>(running)));
        Index at = __shfl_sync(ALL_LANES, room, 31) + running - mine;
        if (vertices == nullptr && indptr == nullptr) continue;
        for (; left != 0; left &= left - 1, ++at) {
            const Index v = (word << 5) + __ffs(left) - 1;
            if (vertices != nullptr) vertices[at] = v;
            if (indptr != nullptr) edges += indptr[v + 1] - indptr[v];
        }
    }
    edges = warp_reduce<Sum>(edges);
    if (lane_id() == 0 && edges > 0) atomicAdd(totals + 1, edges);
}
