// Closures from many starts at once, in order of value, with a block for each: see
// block_sssp_state.cuh.
//
// Blocks take starts until none is left, and never wait for each other. In a round a block pushes
// the near vertices or, if there is none, moves the bound and divides the far list. A search is
// over when no vertex is left, or when no target can improve any more. It is given up when it has
// pushed more than `most` vertices.
// See docs/decisions/many-sources.md.
#pragma once
#include "multi_source/block_sssp_state.cuh"

// Computes `starts` closures. sources: the vertex at which each starts, with the value `value`. x
// holds n values for each, which are at first the start of a fold. padded: the rows of A. Each
// block has two near lists of `room` items and two far lists of n vertices; `listed` has
// words_of(n) words for each of these. `listed` and `taken` are 0 at first and afterwards. There
// are `wanted` targets; 0 means that all vertices are. `width` is negative for a maximum. *odd gets
// SEARCHES_WRAPPED if a sum wraps, and SEARCHES_UNFINISHED if a search was given up; the answer is then
// of no use, and `listed` is not 0 afterwards.
template <class S, class Row>
__global__ void __launch_bounds__(1024, 1)
    block_sssp(Index n, Index starts, CsrOf<S> A, const Index* sources, typename S::Z value,
               typename S::Z limit, double width, typename S::Z* x, unsigned wanted, const Index* target,
               const Index* padded, unsigned room, typename S::Z* items, Index* far, Word* listed,
               unsigned* taken, unsigned* odd, Count most) {
    using Z = typename S::Z;
    __shared__ SsspBlockState<Z> block_state;
    const long long size = n;
    VertexValue<Z>* const near_lists = reinterpret_cast<VertexValue<Z>*>(items) + 2ll * room * blockIdx.x;
    far += 2 * size * blockIdx.x;
    const bool leads = threadIdx.x == 0;
    Count pushed = 0;  // by this search, the same in all threads
    if (leads) {
        block_state.unordered = false;
        block_state.listed = listed + static_cast<long long>(words_of(n)) * blockIdx.x;
    }
    for (;;) {
        if (leads) {
            block_state.search = static_cast<Index>(atomicAdd(taken, 1u));
            for (int g = 0; g < 3; ++g) block_state.near[g] = block_state.aside[g] = 0;
            block_state.far[0] = block_state.far[1] = block_state.distance = 0;
            block_state.list = far;
            block_state.best[0] = S::start();
        }
        __syncthreads();
        if (block_state.search >= starts) break;
        pushed = 0;
        unsigned known = 0;  // targets that are settled
        BlockSssp<S, Row> search{{{}, &block_state, room, nullptr, nullptr}, A.indices, A.values, A.stride,
                          reinterpret_cast<const Row*>(padded), limit, x + size * block_state.search, nullptr};
        if (leads) search.begin(sources[block_state.search], value);
        __syncthreads();
        for (unsigned round = 0;; ++round) {
            const unsigned count = block_state.near[round % 3], near = count < room ? count : room;
            search.near = near_lists + (round + 1) % 2 * room;
            search.n_near = block_state.near + (round + 1) % 3;
            search.aside = block_state.aside + round % 3;
            if (leads) block_state.near[(round + 2) % 3] = block_state.aside[(round + 1) % 3] = 0;
            pushed += near;
            if (pushed > most) break;
            if (near != 0) {
                search.push(near_lists + round % 2 * room, near);
                __syncthreads();
                if (*search.aside == 0) continue;
                search.push_aside();
                __syncthreads();
                continue;
            }
            const Index* const list = block_state.list;
            const unsigned distant = block_state.far[block_state.distance];
            if (distant == 0) break;
            if (search.over(wanted, target, &known)) {
                search.forget(list, distant);
                break;
            }
            __syncthreads();
            if (leads) {
                block_state.best_far = block_state.best[0];
                block_state.bound = search.beyond(block_state.best_far, width);
                block_state.best[0] = S::start();
                block_state.far[block_state.distance] = 0;
                block_state.distance ^= 1;
                block_state.list = far + size * block_state.distance;
            }
            __syncthreads();
            search.split(list, distant);
            __syncthreads();
        }
        if (pushed > most) break;
        __syncthreads();
    }
    if (leads && block_state.unordered) atomicOr(odd, SEARCHES_WRAPPED);
    if (leads && pushed > most) atomicOr(odd, SEARCHES_UNFINISHED);
}
