// Whether the entries of a matrix lie near its diagonal, by a sample: one entry of each of some rows.
// See docs/decisions/spgemm.md.
#pragma once
#include "core/hash_table.cuh"

struct SampledEntries {
    static constexpr int NEAR = 6;  // an entry is near if its column and its row differ by less than n / 2⁶

    Index rows;   // that are looked at
    Word* counts;  // of the entries that were looked at, and of those that are near

    __device__ bool near() const { return 2 * counts[1] > counts[0]; }
};

// Row i · n / rows for each i. Both counts are 0 at first.
template <class Offset>
__global__ void sample_entries(Index n, const Offset* indptr, const Index* indices, SampledEntries sampled) {
    for (Index i : grid_stride<Index>(sampled.rows)) {
        const Index row = static_cast<Index>(static_cast<long long>(i) * n / sampled.rows);
        const Offset begin = indptr[row], size = indptr[row + 1] - begin;
        if (size == 0) continue;
        const Index column = indices[begin + share(hashed(row), static_cast<Index>(size))];
        atomicAdd(sampled.counts, 1u);
        const Index apart = column < row ? row - column : column - row;
        if (apart < n >> SampledEntries::NEAR) atomicAdd(sampled.counts + 1, 1u);
    }
}
