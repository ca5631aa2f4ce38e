// The components of a graph in one launch.
//
// The first parent of a vertex is its smallest neighbour (Jaiganesh, Burtscher, HPDC 2018); if that
// is larger, then the smallest of that one's, which is the vertex or one before it. So all first
// edges are in without a compare-and-swap. On graphs with hubs a few large trees have most vertices
// now, and it takes few of them to join these by their second edges: if all came at once, they
// would meet at the same roots.
//
// The root that a sample of the vertices has most often is that of a component which is likely to
// be by far the largest, and its vertices have nothing more to say: an edge that leads out of it is
// met from its other end. So of those outside first the second, then all edges are looked at
// (Sutton, Ben-Nun, Barak, IPDPS 2018).
// See docs/decisions/components-and-trees.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/load_balance.cuh"
#include "core/grid.cuh"
#include "core/append.cuh"
#include "fused/union_find.cuh"

constexpr int SAMPLE_STRIDE = 31;        // of so many vertices one is early; odd, to meet all columns of a lattice

// The root that is met most often among a vertex for each thread of a block, the smaller of
// several: the same in all blocks, unless trees are joined meanwhile. All threads must call it.
__device__ inline Index commonest(Index n, const Trees& trees) {
    __shared__ Index sample[UNION_FIND_BLOCK];
    __shared__ Count best;
    const Index mine = trees.seek(static_cast<Index>(Count(threadIdx.x) * 2654435761u % n), n);
    sample[threadIdx.x] = mine;
    if (threadIdx.x == 0) best = 0;
    __syncthreads();
    Count alike = 0;
    for (unsigned i = 0; i < blockDim.x; ++i) alike += sample[i] == mine;
    atomicMax(&best, alike << 32 | Word(~mine));
    __syncthreads();
    return static_cast<Index>(~best);
}

// label[v]: the smallest vertex of v's component, over the symmetric matrix A of n > 0 rows by
// rows; those of more than `piece` entries stand in pieces (see load_balance.cuh). parent has room
// for n; bits are those of what is left for a while, then all; arrivals are 0 at first.
template <class Offset>
__global__ void __launch_bounds__(UNION_FIND_BLOCK, 4)
    component_labels(Index n, const Offset* indptr, const Index* indices, Index piece, Index pieces, const Index* rows,
         const Offset* firsts, Index* parent, Word* bits, long long* label, unsigned* arrivals) {
    const Grid grid{arrivals};
    const Trees trees{parent};
    const auto smallest = [&](Index v) { return indptr[v] < indptr[v + 1] ? indices[indptr[v]] : v; };
    const auto join_second = [&](Index v) {
        const Offset second = indptr[v] + 1;
        if (second < indptr[v + 1]) trees.join(v, indices[second]);
    };
    for (Count i : grid_stride<Count>(n)) {
        const Index v = static_cast<Index>(i), u = smallest(v);
        parent[v] = u > v ? smallest(u) : u;
    }
    grid.wait();
    for (Count v : grid_stride<Count>(n)) trees.flatten(static_cast<Index>(v));
    grid.wait();
    for (Count apart = SAMPLE_STRIDE * SAMPLE_STRIDE; apart > 1; apart /= SAMPLE_STRIDE) {
        for (Count v = thread_id<Count>() * apart; v < Count(n); v += thread_count<Count>() * apart)
            join_second(static_cast<Index>(v));
        grid.wait();
    }
    const Index large = commonest(n, trees);
    for (Count i : grid_stride<Count>(n)) {
        const Index v = static_cast<Index>(i);
        if (trees.seek(v, large) != large) join_second(v);
    }
    grid.wait();
    const Index giant = commonest(n, trees);
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index v = (word << 5) + lane_id();
        const bool stays = v < n && trees.flatten(v) != giant && indptr[v + 1] - indptr[v] > 1;
        const Word some = __ballot_sync(ALL_LANES, stays);
        if (lane_id() == 0) bits[word] = some;
    }
    grid.wait();
    each_marked(Marked<Offset>{n, bits, indptr, piece, pieces, rows, firsts}, [&](Index v, Offset e) {
        const Index u = indices[e];
        if (parent[u] != parent[v]) trees.join(u, v);
    });
    grid.wait();
    for (Count i : grid_stride<Count>(n))
        label[i] = trees.flatten(static_cast<Index>(i));
    for (Count word : grid_stride<Count>(words_of(n)))
        bits[word] = inside(static_cast<Index>(word), n);
}
