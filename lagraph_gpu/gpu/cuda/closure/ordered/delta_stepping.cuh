// The closure x = x₀ ⊕ (x ⊕.⊗ A) in order of value, in one launch (delta-stepping: Meyer, Sanders
// 2003; near and far: Davidson, Baxter, Garland, Owens 2014): see near_far.cuh.
//
// An epoch is the time between two barriers of the grid. In each, the near list is processed, or
// the far list if there is no near vertex. Vertices that improve go to the next near list, which
// is divided among all blocks again. Where steps are short and there are thousands of them, as on
// road networks, see block_async.cuh.
// See docs/decisions/sssp.md.
#pragma once
#include "core/grid.cuh"
#include "closure/ordered/near_far.cuh"

// `width` is negative for a maximum; it is doubled whenever the far list becomes shorter, but
// slowly: the remaining vertices then have few edges. The log's lines are {items, edges, clock}.
template <class S>
__global__ void __launch_bounds__(DELTA_BLOCK, 2)
    delta_stepping(Index n, typename S::Offset piece, typename S::Offset leaf_degree, CsrOf<S> A,
                   typename S::Z* pushed, Start<typename S::Z> start, SparseOutput<typename S::Z> x,
                   Epochs<typename S::Z> epochs, double width, KernelLog log) {
    using Z = typename S::Z;
    __shared__ NearFarBlockState<Z, typename S::Offset> block_state;
    const bool leads = threadIdx.x == 0, leads_all = leads && blockIdx.x == 0;
    if (leads_all && log.wanted()) log.lines[0] = clock64();
    const Grid grid{epochs.arrivals()};
    NearFar<S> closure{{{}, epochs.counts + epochs.UNORDERED}, A, n, piece, leaf_degree, x.bits, x.values, pushed,
                       &block_state};
    if (leads) {
        block_state.nearby.count = block_state.farther.count = 0;
        block_state.has_log = false;
        for (Z& each : block_state.best) each = S::start();
        block_state.near = epochs.near(0);
        block_state.far = epochs.far(0);
    }
    __syncthreads();
    closure.begin(start.placed());
    closure.append(epochs.best(0), nullptr);
    grid.wait();
    unsigned epoch = 0, distance = 0;  // generations of the near and of the far list
    Count before = 0;                  // how long the far list was
    for (;; ++epoch) {
        const Count close = read_count(epochs.near(epoch).count);
        const bool is_far = close == 0;
        const Count all = is_far ? read_count(epochs.far(distance).count) : close;
        if (all == 0) break;
        if (is_far) {
            if (all < before && 2 * all > before) width += width;
            before = all;
        }
        Count* const line = log.line(epoch, 3);
        if (leads) {
            block_state.is_far = is_far;
            if (is_far) block_state.bound = closure.beyond(peek(epochs.best(distance)), width);
            block_state.has_log = line != nullptr;
            block_state.from = is_far ? epochs.far(distance) : epochs.near(epoch);
            block_state.near = epochs.near(epoch + 1);
            block_state.far = epochs.far(distance + is_far);
        }
        if (leads_all) {
            if (line != nullptr) {
                line[0] = all;
                line[2] = clock64();
            }
            epochs.empty(epoch, distance, is_far, S::start());
        }
        distance += is_far;
        closure.work(all);
        closure.append(epochs.best(distance), line == nullptr ? nullptr : line + 1);
        grid.wait();
    }
    if (leads_all) epochs.counts[epochs.DONE] = epoch;
    if (leads_all && log.wanted()) log.lines[1] = log.lines[2] = clock64();
}
