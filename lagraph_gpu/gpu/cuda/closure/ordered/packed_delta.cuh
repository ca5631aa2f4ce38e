// The closure x = x₀ ⊕ (x ⊕.⊗ A) in order of value over packed rows with weights, in one launch, where A is
// symmetric: the epochs of delta_stepping.cuh. And a pull along tight edges (see lower.tight_struct).
// See docs/decisions/sssp.md.
#pragma once
#include "closure/ordered/packed_order.cuh"
#include "core/grid.cuh"

// An epoch pushes from the near vertices, in two steps, because segments are listed first; or, if there
// are none, it moves the bound. `width` is negative for a maximum, and grows as in delta_stepping.cuh.
// The log's lines are {items, edges, clock}. Behind the counts of the lists stand three of segments.
//
// A closure may go in parts: a launch that begins it, and ends before `budget` edges are walked; a search
// over light edges, and pulls (pull_unsettled.cuh); and a launch that finishes it. The first one leaves,
// for the pulls, the best value of which the edges may not have been walked, and takes the bits of those
// that lie beyond it by more than a light edge (`weight`, the heaviest). x is filled before. To the last
// one near(0) gives the vertices that changed last, and all that improve are near. Sums along edges that
// were not walked might have wrapped: if so, the heaviest edge (`weight`) from the farthest vertex wraps.
enum class Part { all, begin, finish };

// A block is alone on a multiprocessor where registers would be spilled otherwise.
template <bool with_parents, Part part>
constexpr int DELTA_BLOCKS = with_parents || (part == Part::begin && ARCHITECTURE < 900 && ARCHITECTURE != 800) ? 1 : 2;

template <class S, class Offset, class W, bool with_parents, Part part>
__global__ void __launch_bounds__(DELTA_BLOCK, DELTA_BLOCKS<with_parents, part>)
    packed_delta(Count budget, Index n, PackedRows rows, PackedWeights<typename S::A, Offset, W> edges,
                 typename S::A weight, Start<typename S::Z> start, SparseOutput<typename S::Z> x,
                 Epochs<typename S::Z> epochs, Origin* origins, double width, KernelLog log) {
    using Z = typename S::Z;
    const bool leads = thread_id<Count>() == 0;
    if (leads && log.wanted()) log.lines[0] = clock64();
    const Grid grid{epochs.arrivals()};
    const auto segments = [=](unsigned epoch) { return epochs.counts + epochs.DONE + 1 + epoch % 3; };
    PackedOrder<S, Offset, W, with_parents> order{
        {{}, epochs.counts + epochs.UNORDERED}, rows, edges, x.bits, x.values, epochs.near(0).bits,
        epochs.far(0).bits, S::start(), S::start(), 0, 0, 0, part == Part::begin, {origins}};
    if constexpr (part != Part::finish) {
        order.begin(start.placed(), n, part == Part::begin);
        order.add_up(epochs.near(0).count, epochs.far(0).count, epochs.best(0), nullptr);
        grid.wait();
    }
    Count* const done = epochs.counts + WALKED_EDGES;
    Count even = 0, odd = 0;           // the edges that such epochs have found, if there is a budget
    bool closed = false;               // is nothing left to do?
    unsigned epoch = 0, distance = 0;  // generations of the near and of the far vertices
    Count before = 0;                  // how many far vertices there were
    for (;; ++epoch) {
        const Count close = read_count(epochs.near(epoch).count);
        const bool is_far = close == 0;
        const Count all = is_far ? read_count(epochs.far(distance).count) : close;
        if constexpr (part == Part::begin) {
            closed = all == 0;
            if (leads && closed) epochs.counts[PULL_CLOSED] = 1;
            (epoch % 2 == 0 ? odd : even) = read_count(done + (epoch + 1) % 2);
            if (even + odd >= budget) break;
        }
        if (all == 0) break;
        Count* const line = log.line(epoch, 3);
        if (is_far) {
            if (all < before && 2 * all > before) width += width;
            before = all;
            const Z best = peek(epochs.best(distance));
            order.bound = order.beyond(best, width);
            if (part == Part::begin && leads) *word_of(epochs.bests, PULL_SETTLED) = best;
        }
        if (leads) {
            if (line != nullptr) {
                line[0] = all;
                line[2] = clock64();
            }
            epochs.empty(epoch, distance, is_far, S::start());
            *segments(epoch + 2) = 0;
        }
        distance += is_far;
        order.near = epochs.near(epoch + 1).bits;
        if (is_far) {
            order.sift();
        } else {
            order.push_words(epochs.near(epoch).bits, epochs.items, segments(epoch));
            grid.wait();
            walk_segments(rows, epochs.items, read_count(segments(epoch)), order);
        }
        order.add_up(epochs.near(epoch + 1).count, epochs.far(distance).count, epochs.best(distance),
                     part == Part::begin ? done + epoch % 2 : line == nullptr ? nullptr : line + 1);
        grid.wait();
    }
    if constexpr (part == Part::begin) {
        for (Index word : grid_stride<Index>(4 * epochs.words)) epochs.bits[word] = 0;
        const Z settled = peek(word_of(epochs.bests, PULL_SETTLED));
        const Z limit = S::step(settled, 0, &weight, 0, 0);
        if (!closed && order.follows(settled, limit)) order.keep_within(limit);
    }
    if constexpr (part == Part::finish && !is_floating<Z>) {
        for (Index word : common_stride<Index>(words_of(n))) {
            const Index j = (word << 5) + lane_id();
            if (j < n && present(x.bits, j)) order.admits(x.values[j], S::step(x.values[j], 0, &weight, 0, 0));
        }
    }
    if (leads) epochs.counts[epochs.DONE] = epoch;
    if (leads && log.wanted()) log.lines[1] = log.lines[2] = clock64();
}

// For each position of u what a tight edge into it carries; nothing if there is none. If there are
// several, the last one that is written stays. The bits of out must be 0.
template <class S, class Offset, class W>
__global__ void __launch_bounds__(MAX_THREADS, 768 / MAX_THREADS)
    packed_tight(PackedRows rows, PackedWeights<typename S::A, Offset, W> edges, SparseVector<typename S::U> u,
                 SparseOutput<typename S::Z> out) {
    const auto take = [&](Index j, Index k, typename S::A weight) {
        if (!present(u.bits, k) || !S::joins(u.values, k, &weight, 0, j)) return;
        *static_cast<volatile typename S::Z*>(out.values + j) = S::product(u.values, k, &weight, 0, j);
        mark(out.bits, j);
    };
    scan_packed(
        rows, [&](Index j) { return present(u.bits, j); },
        [&](Index j, Index k) { take(j, k, edges.of(j, 0)); },
        [&](Index j, Index at, const Index (&columns)[OF_LANE], int count) {
#pragma unroll
            for (int i = 0; i < OF_LANE; ++i)
                if (i < count) take(j, columns[i], edges.of(j, at + i));
        });
}
