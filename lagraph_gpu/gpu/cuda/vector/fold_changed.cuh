// A level's candidates folded into what is known, for a closure that goes level by level:
// known = known ⊕ candidate, and the positions at which that changed something.
//
// A warp owns a word, so that the bitmaps are written without atomics.
// See docs/decisions/cluster.md.
#pragma once
#include "core/append.cuh"
#include "core/fold.cuh"
#include "core/grid_stride.cuh"
#include "core/warp_reduce.cuh"

// `fresh` is the bitmap of these positions. Unless they are null, `levels` and its bitmap get `round`
// there. totals[0] and totals[1], 0 at first, count them and the entries in their rows (null indptr:
// no rows).
template <class M, class Offset>
__global__ void fold_changed(Index n, const Word* candidate_bits, const typename M::Z* candidate, Word* known_bits,
                          typename M::Z* known, int round, Word* level_bits, int* levels, Word* fresh,
                          const Offset* indptr, Count* totals) {
    Count count = 0, edges = 0;
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Word here = candidate_bits == nullptr ? inside(word, n) : candidate_bits[word];
        const Word before = __shfl_sync(ALL_LANES, lane_id() == 0 ? known_bits[word] : 0, 0);
        const Index j = (word << 5) + lane_id();
        bool mine = here >> lane_id() & 1u;
        const bool was = before >> lane_id() & 1u;
        if (mine) {
            typename M::Z z = candidate[j];
            if (was) {
                const typename M::Z old = known[j];
                z = M::add(old, z);
                mine = !(z == old);
            }
            if (mine) known[j] = z;
            if (mine && levels != nullptr) levels[j] = round;
            if (mine && indptr != nullptr) edges += indptr[j + 1] - indptr[j];
        }
        const Word changed = __ballot_sync(ALL_LANES, mine);
        if (lane_id() > 0) continue;
        fresh[word] = changed;
        if (changed == 0) continue;
        count += __popc(changed);
        known_bits[word] = before | changed;
        if (level_bits != nullptr) level_bits[word] |= changed;
    }
    edges = warp_reduce<Sum>(edges);
    if (lane_id() > 0) return;
    if (count > 0) atomicAdd(totals, count);
    if (edges > 0) atomicAdd(totals + 1, edges);
}
