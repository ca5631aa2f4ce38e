// The components of a graph in one launch.
//
// The first parent of a vertex is its smallest neighbour (Jaiganesh, Burtscher, HPDC 2018); if that
// is larger than the vertex, it is the smallest neighbour of that one, which is the vertex or a
// smaller one. So all first edges are handled without a compare-and-swap. On graphs with hubs, a
// few large trees then contain most vertices, and few second edges join these trees. If all second
// edges were handled at once, they would contend for the same roots.
//
// The root that occurs most often in a sample of the vertices probably belongs to the largest
// component by far. The edges of its vertices need not be read, because an edge that leaves the
// component is found from its other end. So for the vertices outside it the second edges are read,
// and then all edges (Sutton, Ben-Nun, Barak, IPDPS 2018). See
// docs/decisions/components-and-trees.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/load_balance.cuh"
#include "core/grid.cuh"
#include "core/append.cuh"
#include "fused/union_find.cuh"

constexpr int SAMPLE_STRIDE = 31;  // one vertex in so many is early; odd, to have them in all columns of a lattice

// The most frequent root of a sample with a vertex for each thread of a block, or the smallest of
// several. It is the same in all blocks, unless trees are joined at the same time. All threads must
// call it.
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

// label[v]: the smallest vertex of v's component, in the symmetric matrix A of n > 0 rows, by rows;
// those of more than `piece` entries are divided into pieces (see load_balance.cuh). parent has
// room for n. bits: at first those of the vertices that remain, in the end all. arrivals are 0 at
// first.
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
        for (Count v : Stride<Count>{thread_id<Count>() * apart, thread_count<Count>() * apart, Count(n)})
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
