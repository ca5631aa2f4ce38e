// A matrix in other orders than by rows, for schedules that ask for one: as a list of edges,
// grouped by the segments of a vector that they touch, and with the rows of a warp interleaved.
// See docs/decisions/spmv.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/warp_reduce.cuh"
#include "matrix/entries.cuh"
#include "core/append.cuh"

// The group of each edge: the segment of 2^shift vertices that its head is in; where edges are by
// rows, those of a group stay so, and their tails change segments seldom. If the matrix is
// symmetric, the later of an edge and its reverse is left out: its group is `last`. totals[0]
// counts the others.
template <class Offset>
__global__ void groups_of_edges(Offset nnz, bool symmetric, int shift, Index last, const Index* tails,
                                const Index* heads, Index* groups, Count* totals) {
    Count kept = 0;
    for (Offset e : grid_stride<Offset>(nnz)) {
        const bool stays = !symmetric || tails[e] <= heads[e];
        kept += stays;
        groups[e] = stays ? heads[e] >> shift : last;
    }
    kept = warp_reduce<Sum>(kept);
    if (lane_id() == 0 && kept > 0) atomicAdd(totals, kept);
}

// The room of 32 rows that are interleaved: 32 times the longest of those that have at most
// `longest` entries, for longer ones are left out.
template <class Offset>
__global__ void slice_sizes(Index n, const Offset* indptr, Index longest, long long* sizes) {
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index i = (word << 5) + lane_id();
        const Offset degree = i < n ? indptr[i + 1] - indptr[i] : 0;
        int longest_row = degree > longest ? 0 : static_cast<int>(degree);
        longest_row = warp_reduce<Maximum>(longest_row);
        if (lane_id() == 0) sizes[word] = 32ll * longest_row;
    }
}

// Entry t of the row at lane l of a slice goes to t * 32 + l from where the slice begins. `ends` is
// the running sum of the sizes; `values` may be null, for one that serves all.
template <class Offset, class A>
__global__ void interleave(Index n, const Offset* indptr, const Index* indices, const A* values,
                           Index longest, const long long* ends, Offset* slices, Index* out_indices,
                           A* out_values) {
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Offset begin = word == 0 ? 0 : static_cast<Offset>(ends[word - 1]);
        if (lane_id() == 0) slices[word] = begin;
        const Index i = (word << 5) + lane_id();
        if (i >= n || indptr[i + 1] - indptr[i] > longest) continue;
        Offset to = begin + lane_id();
        for (Offset e = indptr[i]; e < indptr[i + 1]; ++e, to += 32) {
            out_indices[to] = indices[e];
            if (values != nullptr) out_values[to] = values[e];
        }
    }
}
