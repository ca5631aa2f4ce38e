// A sweep of local moving in one cooperative kernel, for graphs without rows that need a large block: in
// each turn the rows are listed by their length, choose, and those that move change the sums of their
// labels. The next turn is listed while a turn is settled, so that it has two barriers. A launch for
// each step would take longer than the step. See docs/decisions/louvain.md.
#pragma once
#include "core/grid.cuh"
#include "core/operands.cuh"
#include "fused/label_argmax.cuh"

// `rows` has two sets of lists, which the turns use in turn, and `counts`, 0 before, one for each turn.
template <class Offset, class Z, int VOTES, int WARP_SLOTS, int BLOCK_SLOTS>
__global__ void __launch_bounds__(MAX_THREADS, 4)
sweep_turns(Index n, int count, const unsigned char* turns, Index for_warp, Index for_block, Index* rows,
            unsigned* counts, Csr<Offset, typename Held<Z, VOTES>::type> B, const Offset* ends, Index* labels, Z* top,
            long long* winner, Moves<Z> terms, Z* k_sums, Z* d_sums, unsigned* arrivals) {
    using Votes = typename Counted<Z, VOTES>::type;
    constexpr int SLOTS = WARP_SLOTS > BLOCK_SLOTS ? WARP_SLOTS : BLOCK_SLOTS;
    __shared__ __align__(8) Votes votes[SLOTS];
    __shared__ Index keys[SLOTS];
    __shared__ BestLabels<Z, true> bests;
    const Choices<Offset, Z, true, VOTES> choices{B.indptr, ends, B.indices, B.values, labels, top, winner, terms};
    const Grid grid{arrivals};
    clear_tables(SLOTS, votes, keys);
    for (int t = 0; t <= count; ++t) {
        Index* const listed = rows + (t & 1) * static_cast<long long>(ROW_KINDS) * n;
        unsigned* const lengths = counts + t * (ROW_KINDS + 1);
        if (t < count)
            rows_of_turn(blockIdx.x, gridDim.x, B.indptr, ends, turns, t, terms.margin,
                         {n, for_warp, for_block, for_block, listed, lengths});
        if (t > 0)
            settle_rows(blockIdx.x, gridDim.x, n, rows + ((t - 1) & 1) * static_cast<long long>(ROW_KINDS) * n,
                        lengths - (ROW_KINDS + 1), terms.movers, winner, labels, terms.k, k_sums, terms.d, d_sums);
        if (t == count) return;
        grid.wait();
        short_rows<FEW_LABELS>(choices, n, listed, lengths);
        short_rows<WARP_LABELS>(choices, n, listed, lengths);
        table_rows<Warp>(choices, n, listed, lengths, WARP_SLOTS, votes, keys, bests);
        __syncthreads();  // the whole block takes the tables of its warps
        table_rows<Block>(choices, n, listed, lengths, BLOCK_SLOTS, votes, keys, bests);
        grid.wait();
    }
}
