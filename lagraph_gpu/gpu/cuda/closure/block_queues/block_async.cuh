// The closure x = x₀ ⊕ (x ⊕.⊗ A) in order of value, asynchronously, where searches are deep and
// rows are short, as on road networks: thousands of small steps in one launch.
//
// Near vertices go first, as in delta_stepping.cuh. But an epoch, the time between two barriers of
// the grid, consists of many rounds, in which each block follows a queue of its own (see
// block_async_state.cuh).
// See docs/decisions/deep-graphs.md.
#pragma once
#include "core/grid.cuh"
#include "closure/block_queues/block_async_state.cuh"

constexpr Count FAR_PER_BLOCK = 64;  // far vertices for each block of the grid

// The start is one value at `only`, or where `to` leads from there if that is not null; or, if
// `only` is negative, the entries of `start`. `width` is negative for a maximum. Of the near and of
// the far list there are two generations, each with the room of n items for 2n vertices, and of
// words_of(n) words in `clear`, which are 0 at first and afterwards; of what is best among the far
// ones three, a word each, which hold what a fold starts from. counts: three for each list, then 1
// if a NaN was met or a sum wrapped, the number of epochs, and what the barriers count (see
// Epochs); all are 0 at first. A block does up to `steps` rounds in an epoch after all of its share
// is taken; where the far list is long, and work costs more than waiting, the width is `slim` times
// as much. log, if it is not null, gets {clock at the beginning, after the last epoch, at the end},
// and then {items, edges, clock} of each of the first `logged` epochs.
template <class S, class Row>
__global__ void __launch_bounds__(ASYNC_BLOCK, 2)
    block_async(Index n, const Index* indices, const typename S::A* values, int stride,
         const Index* packed, Index only, typename S::Z value, const Index* to, const Word* start_bits,
         const typename S::Z* start, Word* bits, typename S::Z* x, long long* items, Word* clear,
         typename S::Z* bests, Count* counts, int steps, double slim, double width, Index logged, Count* log) {
    using Z = typename S::Z;
    using T = BlockAsync<S, Row>;
    __shared__ BlockQueue<Z, Row> block_queue;
    const bool leads = threadIdx.x == 0, leads_all = leads && blockIdx.x == 0;
    if (leads_all && log != nullptr) log[0] = clock64();
    const Epochs<Z> epochs{items, Count(n), clear, words_of(n), bests, counts};
    const Grid grid{epochs.arrivals()};
    if (leads) {
        block_queue.nearby.count = block_queue.farther.count = 0;
        block_queue.near = epochs.near(0);
        block_queue.far = epochs.far(0);
        block_queue.walked = 0;
        for (Z& each : block_queue.best) each = S::start();
    }
    __syncthreads();
    T search{{{}, counts + epochs.STRANGE}, n, indices, values, stride,
            reinterpret_cast<const Row*>(packed), bits, x, &block_queue, S::start(), S::start(), 0, 0, nullptr};
    search.begin({to == nullptr ? only : to[only], value, start_bits, start});
    search.gather(epochs.best(0), nullptr);
    grid.wait();
    unsigned epoch = 0, distance = 0;  // generations of the near and of the far list
    for (;; ++epoch) {
        const Count close = read_count(epochs.near(epoch).count);
        const Count distant = read_count(epochs.far(distance).count);  // asked for at once
        const Z nearest = T::peek_value(epochs.best(distance));
        const bool is_far = close == 0;
        const Count all = is_far ? distant : close;
        if (all == 0) break;
        const bool skips = is_far && distance > 0;
        const Z last_bound = search.bound;
        if (is_far) search.bound = T::beyond(nearest, distant > FAR_PER_BLOCK * gridDim.x ? width * slim : width);
        const DedupQueue from = is_far ? epochs.far(distance) : epochs.near(epoch);
        Count* const line = line_of(log, epoch, logged);
        if (leads_all) {
            if (line != nullptr) {
                line[0] = all;
                line[2] = clock64();
            }
            epochs.empty(epoch, distance, is_far, S::start());
        }
        distance += is_far;
        if (leads) {
            block_queue.near = epochs.near(epoch + 1);
            block_queue.far = epochs.far(distance);
            block_queue.queued[0] = block_queue.queued[1] = 0;
        }
        __syncthreads();
        search.work(from, all, steps, is_far, skips, last_bound, line != nullptr);
        search.gather(epochs.best(distance), line == nullptr ? nullptr : line + 1);
        grid.wait();
    }
    if (leads_all && log != nullptr) log[1] = clock64();
    search.end();
    if (leads_all) counts[epochs.DONE] = epoch;
    if (leads_all && log != nullptr) log[2] = clock64();
}
