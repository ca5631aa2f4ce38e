// The vector of a pull by column panels, in the order of its columns (see column_blocked.cuh).
// See docs/decisions/spmv.md.
#pragma once
#include "core/grid_stride.cuh"
#include "vector/formula.cuh"

// z[to[i]] = the product of position i, for the positions below `used`, which are the columns with
// entries. Without `to` the columns are in this order already. `values` is the one value of the
// matrix, if ⊗ reads it. The Source has an entry at each of the n positions.
template <class S, class Source, class... Given>
__global__ void rank_products(Index n, Index used, const Index* to, const typename S::A* values,
                              typename S::Z* z, Given... given) {
    const Index threads = thread_count<unsigned>();
    for (long long first = thread_id<unsigned>(); first < n; first += IN_FLIGHT * threads) {
        typename S::U x[IN_FLIGHT];
        Index at[IN_FLIGHT];
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) {
            const long long i = first + static_cast<long long>(s) * threads;
            const bool inside = i < n;
            x[s] = {};
            Source::at(static_cast<Index>(inside ? i : first), x[s], given...);
            at[s] = !inside ? used : to == nullptr ? static_cast<Index>(i) : to[i];
        }
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s)
            if (at[s] < used) z[at[s]] = S::step(x[s], 0, values, 0, 0);
    }
}
