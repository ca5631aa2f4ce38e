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

// Blocks of a multiprocessor at least: three leave each thread 80 registers, too few for values of 64 bits,
// and for eight values on sm_120.
template <class Row>
constexpr int RESIDENT_BLOCKS =
    sizeof(Row) <= 2 * sizeof(Index) * Row::slots && (ARCHITECTURE < 1200 || sizeof(Row) < 64) ? 3 : 2;

// `width` is negative for a maximum. The lists have room for n items each, as which 2n vertices
// stand there. A block does up to `steps` rounds in an epoch after all of its share is taken; where
// the far list is long, and work costs more than waiting, the width is `narrowing` times as much. The
// log's lines are {items, edges, clock}. Where lists and log are copied by the compiler, some rows take
// more registers. With `many` there are copies of the graph, side by side, and n positions in all.
template <class S, class Row, bool many = false>
__global__ void __launch_bounds__(ASYNC_BLOCK, RESIDENT_BLOCKS<Row>)
    block_async(Index n, Index mask, CsrOf<S> A, const Index* padded, Start<typename S::Z> start,
                SparseOutput<typename S::Z> x, const __grid_constant__ Epochs<typename S::Z> epochs, int steps,
                double narrowing, double width, const __grid_constant__ KernelLog log) {
    using Z = typename S::Z;
    using T = BlockAsync<S, Row, many>;
    __shared__ BlockQueue<Z, Row> block_queue;
    const bool leads = threadIdx.x == 0, leads_all = leads && blockIdx.x == 0;
    if (leads_all && log.wanted()) log.lines[0] = clock64();
    const Grid grid{epochs.arrivals()};
    if (leads) {
        block_queue.nearby.count = block_queue.farther.count = 0;
        block_queue.near = epochs.near(0);
        block_queue.far = epochs.far(0);
        block_queue.walked = 0;
        for (Z& each : block_queue.best) each = S::start();
    }
    __syncthreads();
    T search{{{}, epochs.counts + epochs.UNORDERED}, A, n, {mask}, reinterpret_cast<const Row*>(padded), x.bits,
             x.values, &block_queue, S::start(), S::start(), 0, 0, nullptr};
    search.begin(start.placed());
    search.gather(epochs.best(0), nullptr);
    grid.wait();
    unsigned epoch = 0, distance = 0;  // generations of the near and of the far list
    for (;; ++epoch) {
        const Count close = read_count(epochs.near(epoch).count);
        const Count distant = read_count(epochs.far(distance).count);  // asked for at once
        const Z nearest = peek(epochs.best(distance));
        const bool is_far = close == 0;
        const Count all = is_far ? distant : close;
        if (all == 0) break;
        const bool skips = is_far && distance > 0;
        const Z last_bound = search.bound;
        if (is_far) search.bound = T::beyond(nearest, distant > FAR_PER_BLOCK * gridDim.x ? width * narrowing : width);
        const DedupQueue from = is_far ? epochs.far(distance) : epochs.near(epoch);
        Count* const line = log.line(epoch, 3);
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
    if (leads_all && log.wanted()) log.lines[1] = clock64();
    search.end();
    if (leads_all) epochs.counts[epochs.DONE] = epoch;
    if (leads_all && log.wanted()) log.lines[2] = clock64();
}
