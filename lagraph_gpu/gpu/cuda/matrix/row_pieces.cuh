// Long rows in pieces, so that each piece is one task.
// See docs/decisions/spmv.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/warp_reduce.cuh"

// The rows of more than `longest` entries in pieces of `longest`, in no particular order: piece t
// begins at entry firsts[t] of row rows[t]. totals[0] counts them; totals[1] is the length of the
// longest row.
template <class Offset>
__global__ void find_pieces(Index n, const Offset* indptr, Index longest, Offset piece, Index* rows,
                            Offset* firsts, unsigned long long* totals) {
    Offset max_degree = 0;
    for (unsigned i : grid_stride<unsigned>(n)) {
        const Offset first = indptr[i], degree = indptr[i + 1] - first;
        max_degree = degree > max_degree ? degree : max_degree;
        if (degree <= longest) continue;
        const unsigned long long count = (degree - 1) / piece + 1;
        unsigned long long at = atomicAdd(totals, count);
        for (Offset p = 0; p < Offset(count); ++p, ++at) {
            rows[at] = i;
            firsts[at] = first + p * piece;
        }
    }
    max_degree = warp_reduce<Maximum>(max_degree);
    if (lane_id() == 0) atomicMax(totals + 1, static_cast<unsigned long long>(max_degree));
}
