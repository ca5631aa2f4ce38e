// A pull along tight edges, each of which accounts for the value of the vertex that it leads to (see
// lower.tight_struct): for most vertices the lightest in-edge does, and their rows are never touched.
#pragma once
#include "lightest.cuh"
#include "pull.cuh"

// As `pull`, for the positions that u has.
template <class S, class Rows>
__global__ void pull_tight(Index n, const Lightest<typename S::A>* lightest, const typename S::Offset* indptr,
                           const Index* indices, const typename S::A* values, int stride,
                           const Word* u_bits, const typename S::U* u, Word* out_bits,
                           typename S::Z* out, Index longest) {
    const Gather<S> gather{indptr, indices, values, stride, u_bits, u, longest};
    for (Index word = warp_id(); word < words_of(n); word += warp_count()) {
        const Index j = (word << 5) + lane_id();
        Partial<S> found = nothing<S>();
        bool more = false;
        if (j < n && present(u_bits, j)) {
            const Lightest<typename S::A> row = lightest[j];
            if (row.degree > 0 && present(u_bits, row.to) && S::joins(u, row.to, &row.weight, 0, j))
                found.fold(S::product(u, row.to, &row.weight, 0, j));
            more = row.degree > 1 && !found.has;
        }
        const Partial<S> there = Rows::fold(gather, word << 5, __ballot_sync(ALL_LANES, more));
        if (there.has) found = there;
        const Word has = __ballot_sync(ALL_LANES, found.has);
        if (found.has) out[j] = found.value;
        if (lane_id() == 0) out_bits[word] = has;
    }
}
