// The rows of entries that are bits of a bitmap, a warp for SPAN entries.
// See docs/decisions/components-and-trees.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/load_balance.cuh"
#include "matrix/row_starts.cuh"

// The position of bit number k, counted from 0, of a word that has more than k bits.
__device__ inline int place_of_bit(Word word, int k) {
    int at = 0;
    for (int half = 16; half > 0; half >>= 1) {
        const int below = __popc(word >> at & ((1u << half) - 1));
        if (k < below) continue;
        k -= below;
        at += half;
    }
    return at;
}

// The rows of SPAN entries (see row_starts.cuh), of which each lane of a warp has a word.
struct RowsOfSpan {
    const Index* rows;
    Word begins;   // the rows that begin in this lane's word
    Index before;  // the number of rows up to it

    __device__ RowsOfSpan(long long span, const Word* all, const Index* ranks, const Index* rows)
        : rows(rows), begins(all[(span << 5) + lane_id()]) {
        const Index here = __popc(begins);
        before = ranks[span] + running_sum(here) - here;
    }
    // The row of an entry in this lane's word. All lanes must call it.
    __device__ Index operator()(int lane, int bit) const {
        const Word marks = __shfl_sync(ALL_LANES, begins, lane) & ((2u << bit) - 1);
        return rows[__shfl_sync(ALL_LANES, before, lane) + __popc(marks) - 1];
    }
    // body(at, e, u) for the entries e, of row u, that are bits of the lanes' words `mine`: they are
    // numbered by `at` and shared out evenly. All lanes must call it.
    template <class Offset, class Body>
    __device__ void each(Offset first, Word mine, const WarpShare& share, Body body) const {
        for (int done = 0; done < share.total; done += 32) {
            const int at = done + lane_id(), whose = share.owner(at);
            const Word word = __shfl_sync(ALL_LANES, mine, whose);
            const int bit = place_of_bit(word, at - __shfl_sync(ALL_LANES, share.begin, whose)) & 31;
            const Index u = (*this)(whose, bit);
            if (at < share.total) body(at, first + (whose << 5) + bit, u);
        }
    }
};
