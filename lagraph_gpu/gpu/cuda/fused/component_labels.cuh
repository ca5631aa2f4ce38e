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
// and then all edges (Sutton, Ben-Nun, Barak, IPDPS 2018). A vertex of one edge has no other: which
// have more is noted at first.
//
// Most steps read a parent and then that one's parent, and wait for memory. So a warp works on
// several words of vertices at once. See docs/decisions/components-and-trees.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/load_balance.cuh"
#include "core/grid.cuh"
#include "core/append.cuh"
#include "fused/union_find.cuh"

constexpr int SAMPLE_STRIDE = 31;  // one vertex in so many is early; odd, to have them in all columns of a lattice
constexpr int AT_ONCE = 4;         // words of vertices that a warp works on

// Vertices of some words, one of each word for a lane, and which of them are asked for.
struct SomeVertices {
    Index v[AT_ONCE];
    bool asked[AT_ONCE];
};

// Calls body(base, some) for AT_ONCE words from `base` on, for all words of n vertices. `bits`, unless null,
// says which vertices are asked for.
template <class Body> __device__ inline void each_words(Index n, const Word* bits, Body body) {
    const Index words = words_of(n);
    for (Index base : warp_stride<Index>(words, AT_ONCE)) {
        Word mine = 0;
        if (lane_id() < AT_ONCE && base + lane_id() < words)
            mine = bits != nullptr ? bits[base + lane_id()] : inside(base + lane_id(), n);
        if (!__any_sync(ALL_LANES, mine != 0)) continue;
        SomeVertices some;
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) {
            some.asked[i] = __shfl_sync(ALL_LANES, mine, i) >> lane_id() & 1u;
            some.v[i] = some.asked[i] ? ((base + i) << 5) + lane_id() : 0;
        }
        body(base, some);
    }
}

// Writes a bit for each of these vertices, where `body(i)` holds.
template <class Body> __device__ inline void write_words(Index n, Index base, Word* bits, Body body) {
    Word mine = 0;
#pragma unroll
    for (int i = 0; i < AT_ONCE; ++i) {
        const Word held = __ballot_sync(ALL_LANES, body(i));
        if (lane_id() == i) mine = held;
    }
    if (lane_id() < AT_ONCE && base + lane_id() < words_of(n)) bits[base + lane_id()] = mine;
}

// Trees, and searches for the roots of some vertices at once.
struct ManyTrees : Trees {
    // Where parents may still be smallest neighbours that are larger: the parent, or else that one's.
    __device__ Index lower(Index v) const {
        const Index up = parent[v];
        return up > v ? parent[up] : up;
    }

    // Makes the roots of vertices their parents, from an ancestor of each on. Meanwhile no thread may join
    // trees, and only the threads of these vertices may write their parents.
    __device__ void rise(const SomeVertices& some, Index (&up)[AT_ONCE]) const {
        for (bool again = true; again;) {
            Index next[AT_ONCE];
            again = false;
#pragma unroll
            for (int i = 0; i < AT_ONCE; ++i) next[i] = lower(up[i]);
#pragma unroll
            for (int i = 0; i < AT_ONCE; ++i) {
                if (next[i] == up[i]) continue;
                up[i] = next[i];
                if (some.asked[i]) put(some.v[i], up[i]);
                again = true;
            }
        }
    }

    // From smallest neighbours to flat trees, where no parent is larger than its child.
    __device__ void flatten_first(Index n) const {
        each_words(n, nullptr, [&](Index, const SomeVertices& some) {
            Index up[AT_ONCE];
            bool larger[AT_ONCE];
#pragma unroll
            for (int i = 0; i < AT_ONCE; ++i) {
                up[i] = parent[some.v[i]];
                larger[i] = up[i] > some.v[i];
            }
#pragma unroll
            for (int i = 0; i < AT_ONCE; ++i) {
                if (larger[i]) up[i] = parent[up[i]];
                if (larger[i] && some.asked[i]) put(some.v[i], up[i]);
            }
            rise(some, up);
        });
    }

    // The root of each vertex, and a bit for it.
    __device__ void label_all(Index n, Word* bits, long long* label) const {
        each_words(n, nullptr, [&](Index base, const SomeVertices& some) {
            Index up[AT_ONCE];
#pragma unroll
            for (int i = 0; i < AT_ONCE; ++i) up[i] = parent[some.v[i]];
#pragma unroll
            for (int i = 0; i < AT_ONCE; ++i) up[i] = parent[up[i]];  // nobody gains if this step is stored
            rise(some, up);
#pragma unroll
            for (int i = 0; i < AT_ONCE; ++i)
                if (some.asked[i]) label[some.v[i]] = up[i];
            write_words(n, base, bits, [&](int i) { return some.asked[i]; });
        });
    }

    // As seek, for those of the vertices that are asked for.
    __device__ void seek_some(const SomeVertices& some, Index near, Index (&up)[AT_ONCE]) const {
        Index next[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) up[i] = some.asked[i] ? parent[some.v[i]] : near;
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) next[i] = up[i] != near ? parent[up[i]] : near;
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i)
            for (; up[i] != near && next[i] != up[i]; next[i] = parent[up[i]]) up[i] = next[i];
    }
};

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
    const ManyTrees trees{{parent}};
    each_words(n, nullptr, [&](Index base, const SomeVertices& some) {
        Offset begin[AT_ONCE], length[AT_ONCE];
        Index first[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) {
            begin[i] = indptr[some.v[i]];
            length[i] = some.asked[i] ? indptr[some.v[i] + 1] - begin[i] : 0;
        }
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) first[i] = length[i] > 0 ? indices[begin[i]] : some.v[i];
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i)
            if (some.asked[i]) parent[some.v[i]] = first[i];
        write_words(n, base, bits, [&](int i) { return length[i] > 1; });
    });
    grid.wait();
    trees.flatten_first(n);
    grid.wait();
    for (Count apart = SAMPLE_STRIDE * SAMPLE_STRIDE; apart > 1; apart /= SAMPLE_STRIDE) {
        for (Count i : Stride<Count>{thread_id<Count>() * apart, thread_count<Count>() * apart, Count(n)}) {
            const Index v = static_cast<Index>(i);
            if (present(bits, v)) trees.join(v, indices[indptr[v] + 1]);
        }
        grid.wait();
    }
    const Index large = commonest(n, trees);
    each_words(n, bits, [&](Index, const SomeVertices& some) {
        Index up[AT_ONCE], second[AT_ONCE];
        trees.seek_some(some, large, up);
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) second[i] = up[i] != large ? indices[indptr[some.v[i]] + 1] : 0;
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i)
            if (up[i] != large) trees.join(some.v[i], second[i]);
    });
    grid.wait();
    const Index giant = commonest(n, trees);
    each_words(n, bits, [&](Index base, const SomeVertices& some) {
        Index up[AT_ONCE];
        trees.seek_some(some, giant, up);
        write_words(n, base, bits, [&](int i) { return up[i] != giant; });
    });
    grid.wait();
    each_marked(Marked<Offset>{n, bits, indptr, piece, pieces, rows, firsts}, [&](Index v, Offset e) {
        const Index u = indices[e];
        if (parent[u] != parent[v]) trees.join(u, v);
    });
    grid.wait();
    trees.label_all(n, bits, label);
}
