// Several searches of one graph in one launch, each in a copy of the graph.
//
// The copies have the rows in common, and each has values of its own. In the number of a vertex the
// bits of `mask` are its number in the graph, and those above are the number of its copy.
// See docs/decisions/many-sources.md.
#pragma once
#include "core/bitmap.cuh"

template <bool many> struct GraphCopies {
    Index mask;

    __device__ Index vertex(Index k) const { return many ? k & mask : k; }
    // Vertex j of the graph, in the copy of k.
    __device__ Index beside(Index k, Index j) const { return many ? (k & ~mask) | j : j; }
};
