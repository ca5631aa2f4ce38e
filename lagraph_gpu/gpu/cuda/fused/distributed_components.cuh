// Components of a graph whose rows are distributed over processes, each with a device: of so many
// parts, number r has the rows r, r + parts, ….
//
// Each process joins trees over all vertices (see union_find.cuh), along edges of its own rows: first
// a few of each row. The trees of all processes are then joined, so that all have the same ones. The
// other edges follow only for vertices outside the largest tree: an edge between that tree and another
// vertex is in the row of that vertex, too. They join few trees, so only the roots of these are sent.
// See docs/decisions/cluster.md.
#pragma once
#include "core/append.cuh"
#include "core/grid_stride.cuh"
#include "fused/union_find.cuh"

// Every vertex is a tree.
__global__ void start_trees(Index n, Index* parent) {
    for (Index v : grid_stride<Index>(n)) parent[v] = v;
}

// Joins the ends of the first `few` edges of each own row.
template <class Offset>
__global__ void join_first(Index own, Index parts, Index rank, Index few, const Offset* indptr, const Index* indices,
                           Index* parent) {
    const Trees trees{parent};
    for (Index row : grid_stride<Index>(own)) {
        const Offset begin = indptr[row], all = indptr[row + 1];
        const Offset end = all - begin > static_cast<Offset>(few) ? begin + few : all;
        for (Offset e = begin; e < end; ++e) trees.join(row * parts + rank, indices[e]);
    }
}

// Joins vertex i and labels[i] for the labels of all parts, of n each, but those of this process.
__global__ void join_labels(Index n, Index parts, Index rank, const Index* labels, Index* parent) {
    const Trees trees{parent};
    for (Index r = 0; r < parts; ++r) {
        if (r == rank) continue;
        const Index* of_part = labels + static_cast<long long>(r) * n;
        for (Index v : grid_stride<Index>(n))
            if (of_part[v] != v) trees.join(v, of_part[v]);
    }
}

__global__ void flatten_trees(Index n, Index* parent) {
    const Trees trees{parent};
    for (Index v : grid_stride<Index>(n)) trees.flatten(v);
}

__global__ void copy_trees(Index n, const Index* parent, Index* to) {
    for (Index v : grid_stride<Index>(n)) to[v] = parent[v];
}

// The trees of some vertices.
__global__ void sample_trees(Index count, Index apart, const Index* parent, Index* sampled) {
    for (Index i : grid_stride<Index>(count)) sampled[i] = parent[i * apart];
}

// Joins the ends of the other edges of own rows that are not in the tree `largest`. `before` has the
// trees as they were, flattened. A warp shares out the edges of 32 rows.
template <class Offset>
__global__ void join_rest(Index own, Index parts, Index rank, Index few, Index largest, const Offset* indptr,
                          const Index* indices, const Index* before, Index* parent) {
    const Trees trees{parent};
    for (Index word : warp_stride<Index>(words_of(own))) {
        const Index row = (word << 5) + lane_id();
        Offset first = 0, left = 0;
        if (row < own && before[row * parts + rank] != largest) {
            first = indptr[row] + few;
            const Offset end = indptr[row + 1];
            left = end > first ? end - first : 0;
        }
        constexpr Offset most = 1 << 20;  // that a lane brings at a time
        while (__any_sync(ALL_LANES, left > 0)) {
            const int now = static_cast<int>(left < most ? left : most);
            each_of_lanes(first, now, [&](int lane, Offset e) {
                trees.join(((word << 5) + lane) * parts + rank, indices[e]);
            });
            first += now;
            left -= now;
        }
    }
}

// The roots of before that are none any more, with a vertex that they are joined to. *count is 0 at
// first; more than `room` are counted, but not listed.
__global__ void list_joined(Index n, const Index* before, const Index* parent, Index room, Index* roots, Index* ups,
                            Count* count) {
    for (Index first : warp_stride<Index>(n, 32)) {
        const Index v = first + lane_id();
        const bool mine = v < n && before[v] == v && parent[v] != v;
        const Count at = append(mine, count);
        if (!mine || at >= static_cast<Count>(room)) continue;
        roots[at] = v;
        ups[at] = parent[v];
    }
}

__global__ void join_pairs(Index count, const Index* roots, const Index* ups, Index* parent) {
    const Trees trees{parent};
    for (Index i : grid_stride<Index>(count)) trees.join(roots[i], ups[i]);
}

// The trees of own vertices.
__global__ void own_trees(Index own, Index parts, Index rank, const Index* parent, long long* label) {
    for (Index row : grid_stride<Index>(own)) label[row] = parent[row * parts + rank];
}
