// The second kernel of a push in bins: what lies in them is applied (see binned_push.cuh).
// See docs/decisions/bfs.md.
#pragma once
#include "closure/level_synchronous/binned_push.cuh"
#include "core/warp_reduce.cuh"

// Each block takes what bins hold of 2^OWN targets, a bin or a part of one, and ends the round for these. Counts
// edges of the vertices found only if that `counts`, else takes `mean` for each.
template <class S, int SHIFT, int OWN, int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    apply_bins(Index n, CsrOf<S> A, SparseOutput<typename S::Z> x, int level_bits, Index* rounds,
               Generations generations, Pause pause, Bins bins, bool counts, Count mean) {
    extern __shared__ unsigned long long memory[];
    constexpr int OWNED = 1 << OWN, AT_ONCE = 4, WORDS = OWNED < 1024 ? OWNED / 32 : 32;
    using Offset = typename S::Offset;
    const Index round = pause.round(generations);
    if (round == 0) return;
    auto* const tails = reinterpret_cast<Index*>(memory);
    const PackedLevel packed{level_bits};
    const BinnedRound<S> push{n, A.indptr, A.indices, x, packed.of(round), generations.level(round - 1, n),
                              generations.level(round, n)};
    const Level after = generations.level(round + 1, n);
    const bool dated = rounds != nullptr && round >= packed.last();
    const Index bin = static_cast<Index>(blockIdx.x) >> (SHIFT - OWN), own = static_cast<Index>(blockIdx.x);
    for (int i = threadIdx.x; i < OWNED / 4; i += THREADS) reinterpret_cast<int4*>(tails)[i] = int4{-1, -1, -1, -1};
    __syncthreads();
    const unsigned taken = bins.taken[bin], held = taken < bins.room ? taken : bins.room;
    const BinnedEdge* const edges = bins.edges + Count(bin) * bins.room;
    const auto* const pairs = reinterpret_cast<const uint4*>(edges);
    const auto apply = [&](unsigned tail, unsigned target) {
        if (static_cast<Index>(target >> OWN) == own)
            *static_cast<volatile Index*>(tails + (target & (OWNED - 1))) = static_cast<Index>(tail);
    };
    for (unsigned base = threadIdx.x; base < held / 2; base += AT_ONCE * THREADS) {
        uint4 two[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i)
            if (base + i * THREADS < held / 2) two[i] = __ldcs(pairs + base + i * THREADS);
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) {
            if (base + i * THREADS >= held / 2) continue;
            apply(two[i].x, two[i].y);
            apply(two[i].z, two[i].w);
        }
    }
    if (held % 2 != 0 && threadIdx.x == 0) {
        const BinnedEdge edge = edges[held - 1];
        apply(static_cast<unsigned>(origin_of(edge)), static_cast<unsigned>(target_of(edge)));
    }
    __syncthreads();
    const Index first = own << (OWN - 5), words = words_of(n);
    Count vertices = 0, leaving = 0;
    for (int base = (threadIdx.x >> 5) * WORDS; base < OWNED / 32; base += THREADS / 32 * WORDS) {
        const Index word = first + base + lane_id();
        const bool mine = lane_id() < WORDS && word < words;
        const Word had = mine ? x.bits[word] : 0, pushed = mine ? push.next.bits[word] : 0;
        Word fresh = 0;
#pragma unroll 4
        for (int i = 0; i < WORDS; ++i) {
            const Index j = ((first + base + i) << 5) + lane_id();
            const Index tail = tails[((base + i) << 5) + lane_id()];
            const Word old = __shfl_sync(ALL_LANES, had, i), others = __shfl_sync(ALL_LANES, pushed, i);
            const bool found = tail >= 0 && !((old | others) >> lane_id() & 1u);
            const Word all = __ballot_sync(ALL_LANES, found) | others;
            if (found) push.put(j, tail);
            if (all >> lane_id() & 1u) {
                if (dated) rounds[j] = round;
                if (counts) leaving += A.indptr[j + 1] - A.indptr[j];
            }
            if (lane_id() == i) fresh = all;
        }
        if (mine) {
            push.next.bits[word] = fresh;
            x.bits[word] = had | fresh;
            after.bits[word] = 0;
        }
        vertices += __popc(fresh);
    }
    if (!counts) leaving = vertices * mean;
    vertices = warp_reduce<Sum>(vertices);
    leaving = warp_reduce<Sum>(leaving);
    if (lane_id() == 0 && vertices > 0) {
        atomicAdd(push.next.counts + 2, vertices);
        atomicAdd(push.next.counts + 3, leaving);
    }
    if (thread_id<Count>() < 4) after.counts[thread_id<Count>()] = 0;
}
