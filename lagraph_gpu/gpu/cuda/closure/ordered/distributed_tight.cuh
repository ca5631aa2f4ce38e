// Tight edges into the rows of one process (see lower.tight_struct): of so many parts, number r has
// the rows r, r + parts, …. The values are of all positions, so no process asks another one.
// See docs/decisions/cluster.md.
#pragma once
#include "core/grid_stride.cuh"
#include "matrix/edge_storage.cuh"
#include "spmv/pull.cuh"

// For each row with a value what its first tight edge carries, which comes early where rows are
// sorted by weight. A lane searches its own row, and the warp searches the rest of the rows that have
// none so far.
template <class S, class Edges>
__global__ void first_tight(Index own, Index parts, Index rank, CsrOf<S, typename Edges::Column> A,
                            SparseVector<typename S::U> u, SparseOutput<typename S::Z> out) {
    using Offset = typename S::Offset;
    const Edges stored{{A.indices, A.values, A.stride}};
    const auto take = [&](Partial<S>& found, Offset e, Index j) {
        Edge<typename S::A> edge = stored.begin(e);
        stored.complete(edge, e);
        if (!present(u.bits, edge.to) || !S::joins(u.values, edge.to, &edge.weight, 0, j)) return;
        found.fold(S::product(u.values, edge.to, &edge.weight, 0, j));
    };
    for (Index word : warp_stride<Index>(words_of(own))) {
        const Index row = (word << 5) + lane_id(), j = row * parts + rank;
        Partial<S> found = nothing<S>();
        Offset first = 0, last = 0;
        if (row < own && present(u.bits, j)) {
            first = A.indptr[row];
            last = A.indptr[row + 1];
        }
        for (int looks = 0; looks < TIGHT_ALONE && first < last && !found.has; ++looks, ++first) take(found, first, j);
        for (Word some = __ballot_sync(ALL_LANES, first < last && !found.has); some != 0; some &= some - 1) {
            const int lane = __ffs(static_cast<int>(some)) - 1;
            const Offset end = __shfl_sync(ALL_LANES, last, lane);
            const Index head = __shfl_sync(ALL_LANES, j, lane);
            Partial<S> there = nothing<S>();
            for (Offset begin = __shfl_sync(ALL_LANES, first, lane); begin < end; begin += 32) {
                if (begin + lane_id() < end) take(there, begin + lane_id(), head);
                const Word hits = __ballot_sync(ALL_LANES, there.has);
                if (hits == 0) continue;
                const auto value = __shfl_sync(ALL_LANES, there.value, __ffs(static_cast<int>(hits)) - 1);
                if (lane_id() == lane) {
                    found.has = true;
                    found.value = value;
                }
                break;
            }
        }
        const Word has = __ballot_sync(ALL_LANES, found.has);
        if (found.has) out.values[row] = found.value;
        if (lane_id() == 0) out.bits[word] = has;
    }
}
