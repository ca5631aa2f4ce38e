// One round of pulls. Each round is a kernel of its own, so it needs no barrier and fills the
// device with more threads than a persistent kernel could have. Its arguments are those of
// hub_first.cuh. Each warp has a part of `left`, in which it lists the vertices that pull again,
// and writes their number to `kept`. All rounds have the same number of warps.
// See docs/decisions/hub-first.md.
#pragma once
#include "closure/hub_first/bottom_up.cuh"

// hub_first.py relies on these.
static_assert(UNORDERED == HUB_FIRST_UNORDERED && FOUND == HUB_FIRST_FOUND && ARRIVALS + 1 == HUB_FIRST_COUNTS &&
              8 * (LEAST + 1) == HUB_FIRST_BESTS, "the places of the counts and of the best values");

// Blocks on a multiprocessor, as far as registers allow: with more blocks, more loads are under way.
template <class S, class Edges>
constexpr int PULL_BLOCKS = !is_large<S> && ARCHITECTURE == 900                    ? 4
                        : is_large<S> && ARCHITECTURE > 900 && !Edges::sorted ? 2
                                                                              : 3;

template <class S, class Edges, bool with_parents, bool at_first>
__global__ void __launch_bounds__(MAX_THREADS, PULL_BLOCKS<S, Edges>)
    bottom_up_round(int round, int pulls, Index n_connected, int leaf_degree,
                    const MinEdge<typename S::A>* min_edges, const MinEdge<typename S::A>* in_min_edges,
                    CsrOf<S, typename Edges::Column> incoming, Index longest, Index pieces,
                    const Index* long_rows, const typename S::Offset* firsts, NextPull<S>* left, Index* kept,
                    SparseOutput<typename S::Z> x, Origin* origins, StepQueues<typename S::Z> queues,
                    KernelLog log) {
    using Z = typename S::Z;
    constexpr bool wide = sizeof(Z) + sizeof(typename S::A) > 8;
    static_assert(sizeof(NextPull<S>) == 8 * (wide ? HUB_FIRST_WIDE_LEFT : HUB_FIRST_LEFT));
    __shared__ HubFirstBlockState<Z> block_state;
    __shared__ PullStorage<Z> storage;
    Count* const counts = queues.counts;
    const GridBest<Z> before = queues.change(round - 1);
    const Count rest = read_count(counts + REST), step = rest + round - 1;
    if (rest == 0 || (!at_first && !before.any())) return;
    const bool leads = threadIdx.x == 0, leads_all = leads && blockIdx.x == 0;
    Count* const line = log.line(unsigned(step), 4);
    if (leads) {
        block_state.clear(S::start());
        block_state.into = queues.queue(unsigned(step) + 1);
    }
    if (leads_all) {
        counts[PULLS] = round;
        queues.change(round + 1).clear(S::start());
        if (line != nullptr) {
            line[0] = 1;
            line[3] = now();
        }
    }
    __syncthreads();
    const Z least = at_first ? peek(word_of(queues.bests, LEAST)) : before.read();
    const Z bound = at_first ? peek(word_of(queues.bests, BOUND)) : least;
    using Pull = BottomUp<S, Edges, with_parents>;
    const long long part = (words_of(n_connected) + warp_count() - 1) / warp_count();  // words of a warp, at most
    Pull pull{{{{{}, counts + UNORDERED}, x.values, x.bits},
               {{incoming.indices, incoming.values, incoming.stride}}, &block_state, &storage, bound, least,
               {origins}},
              n_connected, longest, incoming.indptr, in_min_edges, pieces, long_rows, firsts,
              {min_edges, leaf_degree, &block_state},
              left + part * (warp_id() << 5), round == pulls, line != nullptr};
    if constexpr (at_first) pull.template pull<typename Pull::FirstPull>(warp_id(), words_of(n_connected),
                                                                         warp_count());
    else pull.template pull<NextPull<S>>(0, kept[warp_id()], 32);
    __syncthreads();
    if (lane_id() == 0) kept[warp_id()] = block_state.kept[threadIdx.x >> 5];
    block_state.queued.flush(block_state.into.items, block_state.into.count);
    if (!leads) return;
    ClosureValues<S>::publish(block_state.changed, queues.change(round));
    block_state.count_into(counts, line);
}
