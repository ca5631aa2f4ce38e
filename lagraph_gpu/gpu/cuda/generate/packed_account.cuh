// Draws edges again and looks for them in rows that were made of them.
// See docs/decisions/layouts.md.
#pragma once
#include "core/packed_lookup.cuh"
#include "core/packed_rows.cuh"
#include "core/partition_point.cuh"
#include "core/warp_reduce.cuh"
#include "generate/kronecker_edges.cuh"

// How many ends of the first `count` edges are missing in packed rows. A warp for each edge.
__global__ void missing_edges(long long count, Drawing drawing, PackedRows rows, Bits* missing) {
    drawing.begin();
    for (long long number : warp_stride<long long>(count)) {
        const Pair edge = drawing.edge(number);
        const Index u = first_end(edge), v = second_end(edge);
        if (u == v) continue;
        const int lacking = int(position_of(rows, u, v) < 0) + int(position_of(rows, v, u) < 0);
        if (lane_id() == 0 && lacking > 0) atomicAdd(missing, static_cast<Bits>(lacking));
    }
}

// How many ends of the first `count` edges are missing in plain rows, which are rows rank, rank + size, … of the
// matrix. Ends in other rows do not count.
template <class Offset>
__global__ void missing_plain(long long count, Drawing drawing, Index rank, Index size, const Offset* indptr,
                              const Index* indices, Bits* missing) {
    drawing.begin();
    const auto lacks = [&](Index row, Index j) {
        if (row % size != rank) return false;
        const Index i = row / size;
        const Offset end = indptr[i + 1];
        const Offset at = partition_point(indptr[i], end, [&](Offset e) { return indices[e] < j; });
        return at == end || indices[at] != j;
    };
    Bits mine = 0;
    for (long long number : grid_stride<long long>(count)) {
        const Pair edge = drawing.edge(number);
        const Index u = first_end(edge), v = second_end(edge);
        if (u != v) mine += static_cast<Bits>(int(lacks(u, v)) + int(lacks(v, u)));
    }
    mine = warp_reduce<Sum>(mine);
    if (lane_id() == 0 && mine > 0) atomicAdd(missing, mine);
}
