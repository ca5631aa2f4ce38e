// Components over packed rows, as in component_labels.cuh: first columns, which are stored plain, join
// most of a graph whose vertices are numbered by degree. Of vertices outside the tree that is the
// largest by a sample, all rows are decoded. An edge between the two is found from there.
// See docs/decisions/layouts.md.
#pragma once
#include "core/packed_scan.cuh"
#include "fused/component_labels.cuh"

// The smallest neighbour of a vertex, or itself if it has none.
__device__ inline Index smallest_neighbour(const PackedRows& rows, Index v) {
    const bool some = v < rows.n && (v >= rows.n_long || rows.segments[v] < rows.segments[v + 1]);
    return some ? first_column(rows.first[v]) : v;
}

__global__ void start_packed(Index n, PackedRows rows, Index* parent) {
    for (Index v : grid_stride<Index>(n)) parent[v] = smallest_neighbour(rows, v);
}

__global__ void flatten_packed(Index n, Index* parent) {
    ManyTrees{{parent}}.flatten_first(n);
}

// By one block: the most frequent tree.
__global__ void largest_tree(Index n, Index* parent, Index* largest) {
    const Index found = commonest(n, Trees{parent});
    if (threadIdx.x == 0) *largest = found;
}

// bits: of vertices outside the largest tree whose rows have more than a first column.
__global__ void mark_outside(Index n, PackedRows rows, const Index* parent, const Index* largest, Word* bits) {
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index v = (word << 5) + lane_id();
        const Word some = __ballot_sync(ALL_LANES, v < rows.n && parent[v] != *largest && rows.first[v] >= 0);
        if (lane_id() == 0) bits[word] = some;
    }
}

__global__ void join_outside(PackedRows rows, const Word* bits, Index* parent) {
    const Trees trees{parent};
    scan_packed(rows, [&](Index j) { return present(bits, j); }, [](Index, Index) {},
        [&](Index j, Index, const Index (&found)[OF_LANE], int count) {
#pragma unroll
            for (int i = 0; i < OF_LANE; ++i)
                if (i < count && parent[found[i]] != parent[j]) trees.join(found[i], j);
        });
}

// The trees, with a bit for each vertex.
__global__ void label_trees(Index n, Index* parent, Word* bits, long long* label) {
    ManyTrees{{parent}}.label_all(n, bits, label);
}
