// The closure x = x₀ ⊕ (x ⊕.⊗ A) in one launch: every round of the loop in lagraph_gpu/closure.py,
// with the same frontiers, values and rounds, between barriers of the whole grid (see
// level_state.cuh).
//
// Each round reads one generation of the frontier, writes the next and clears the one before:
// there are three of each, and one barrier. A fold takes one more, because the values of the
// frontier are copied first, so that no round reads values that it changes. With `any` for ⊕ a
// value is written in one round only and needs no copy, but a push of many edges takes two more
// barriers. A push after a round that left only a bitmap also takes one more, because the lists
// are made first.
// See docs/decisions/bfs.md.
#pragma once
#include "closure/level_synchronous/begin.cuh"
#include "core/grid.cuh"
#include "core/operands.cuh"
#include "closure/level_synchronous/level_state.cuh"
#include "closure/level_synchronous/pause.cuh"
#include "core/grid_stride.cuh"

// After a pull that ends early, rounds pull until fewer than one vertex in STAY changes. This rule
// comes in addition to the planner's (`threshold`): after a pull there is only a bitmap, and a push
// would have to make lists first.

constexpr Index NO_ROUND = 0x7fffffff;  // no closure takes so many rounds

// In the counts of a call, after three times four: the rounds done, the vertices that they left, and
// the barriers' counter.
constexpr unsigned DONE = CLOSURE_DONE, UNSETTLED = DONE + 1, ARRIVALS = DONE + 2, SLOT = CLOSURE_SLOT;

// Threads of a block at most: an offset or a fold of 64 bits takes registers.
template <class S>
constexpr int threads_of_closure =
    (sizeof(typename S::Offset) > 4 || (!S::any && sizeof(typename S::Z) > 4) ? CLOSURE_WIDE_BLOCK
                                                                                 : CLOSURE_BLOCK) +
    MORE_THREADS_HERE;

// In parts they hold more.
template <class S, class... Parts>
constexpr int threads_of_launch = sizeof...(Parts) == 0 ? threads_of_closure<S> : CLOSURE_WIDE_BLOCK;

// At most `max_rounds` rounds; vertices from `n_connected` on have no edges. A by rows are the
// out-edges, `incoming` the in-edges. x and rounds are written unless they are null. With level_bits,
// of the vertices from `n_connected` on only the entries of the start are written; -1 marks a missing
// entry of the others, and rounds are written only if they do not fit above a vertex (see PackedLevel).
// A round pulls if more than `threshold` edges leave its frontier; if these leave fewer than `hub_frontier`
// vertices, they are hubs, and it guesses (see first_hit.cuh). The log's lines are {pulled,
// vertices, edges, clock}.
// With a Pause it may pause, and a later launch goes on (see pause.cuh).
template <class S, class Rows, class... Parts>
__global__ void __launch_bounds__(threads_of_launch<S, Parts...>, 2)
    closure(Index max_rounds, Index n, Index n_connected, typename S::Offset piece, Count threshold,
            CsrOf<S> A, CsrOf<S> incoming, Index longest, const Index* likely_parent,
            const Word* nonempty, Index hubs, const Index* hub, Index hub_frontier, Start<typename S::Z> start,
            SparseOutput<typename S::Z> x, int level_bits, typename S::Z* front, Word* round_bits, Index* rounds,
            Generations generations, KernelLog log, Parts... parts) {
    constexpr bool in_parts = sizeof...(Parts) > 0;
    __shared__ BlockAppend<Index, SET_ASIDE> gathered;
    __shared__ LaterRows<S> pending[threads_of_closure<S> / 32];
    __shared__ UnsettledRows<threads_of_closure<S> / 32> rest;
    Count* const counts = generations.counters + SLOT * generations.slot;
    if (log.wanted() && begins_now(parts...) && thread_id<Count>() == 0) log.lines[0] = clock64();
    if (threadIdx.x == 0) gathered.count = 0;
    __syncthreads();
    const Grid grid{reinterpret_cast<unsigned*>(counts + ARRIVALS)};
    const auto level = [=](Index generation) {
        const Count g = generation % 3;
        return Level{generations.bits + g * words_of(n), generations.short_queue + g * n,
                     generations.long_queue + g * generations.room, counts + 4 * g};
    };
    const PackedLevel packed_level{level_bits};
    Closure<S, threads_of_closure<S> / 32> closure{
        n_connected, piece, A.indptr, A.indices, A.values, A.stride, {incoming, nullptr, front, longest},
        likely_parent, nonempty, hubs, hub, x.bits, x.values, front, &gathered, pending, &rest, level(0),
        {A.indptr, rounds, rounds == nullptr ? NO_ROUND : packed_level.last()}};
    Index round = 1;
    bool resumed = false;  // after a pause?
    unsigned before = 0;   // half of the edges that the round before has pushed, or HALF_DONE
    if constexpr (in_parts) {
        const Pause& pause = only(parts...);
        resumed = !pause.begins;
        if (resumed) {
            const Count at = peek(counts + PAUSED);
            if (at == NOT_PAUSED) return;
            round = static_cast<Index>(at);
            const Count edges = level(round - 1).read(3);
            before = pause.whole(edges) ? Pause::half(edges) : HALF_DONE;
            if (before != HALF_DONE) ++round;
        }
        for (Count b : grid_stride<Count>(pause.bins)) pause.taken[b] = 0;
    }
    if (!in_parts || !resumed) begin(closure, n, start.placed());
    closure.append();
    grid.wait();
    bool listed = start.only >= 0 && !resumed, pulled = false;  // is the frontier listed, too? Has a pull found it?
    for (; round <= max_rounds; ++round) {
        const Level now = level(round - 1);
        const bool counted = closure.frontier_counts.counting;
        const Count vertices = now.read(2), edges = counted ? now.read(3) : 0;
        if (vertices == 0) break;
        bool pulls = edges > threshold || (S::any && pulled && vertices > Count(n_connected / STAY));
        bool pauses = false;
        if constexpr (in_parts) {
            const Pause& pause = only(parts...);
            pauses = pause.may && !pulled && pause.suits(vertices, edges, before);
            pulls = before == HALF_DONE || (pulls && !(pauses && pause.whole(edges)));
            before = Pause::half(edges);
        }
        const bool races = S::any && !pulls && !pulled && edges > Count(n_connected / RACE_EDGES);
        Count* const line = log.line(round - 1, 4);
        if (line != nullptr && thread_id<Count>() == 0) {
            line[0] = pulls;
            line[1] = vertices;
            line[2] = edges;
            line[3] = clock64();
        }
        if (pauses) {
            if (thread_id<Count>() == 0) counts[PAUSED] = round;
            return;
        }
        closure.next = level(round);
        closure.packed_level = packed_level.of(round);
        closure.races = races;
        closure.by_hubs = edges > threshold && vertices < Count(hub_frontier);
        closure.race_push = {n_connected, A.indices, A.values, A.stride, x.bits, x.values, closure.next.bits,
                             closure.packed_level};
        if (races) closure.race_push.snapshot();
        if (!pulls && !listed) closure.make_lists(now, counted);
        if (races || (!pulls && !listed)) grid.wait();
        listed = listed || !pulls;
        if (!counted && !pulls) pulls = now.read(3) > threshold;
        closure.frontier_counts.counting = !(S::any && pulls) || log.wanted();
        if constexpr (!S::any) {
            if (listed) closure.set_aside(now, Items(now));
            else closure.set_aside(now);
            grid.wait();
        }
        level(round + 1).clear(words_of(n_connected));
        closure.frontier_counts.round = round;
        closure.gather.u_bits = now.bits;
        if (pulls) {
            closure.template pull<Rows>([&] { grid.wait(); });
        } else {
            closure.guessed = false;
            Items items(now);
            if (races) {
                closure.race_push.push(now, items, A.indptr, piece);
                items.pieces = 0;
            }
            closure.push(now, items);
            if (races) {
                grid.wait();
                closure.race_push.compare([&](Index word, Word those) {
                    closure.frontier_counts.template note_words<IN_FLIGHT>(word, those);
                });
            }
        }
        closure.append();
        grid.wait();
        listed = !pulls && !races;
        pulled = pulls;
    }
    if (log.wanted() && thread_id<Count>() == 0) log.lines[1] = clock64();
    if constexpr (has_room<S>)
        if (level_bits > 0) deny_absent(n_connected, x.bits, x.values);
    if (rounds != nullptr)
        for (unsigned word : grid_stride<unsigned>(words_of(n)))
            round_bits[word] = peek(x.bits + word);
    if (thread_id<Count>() == 0) {
        if constexpr (in_parts) counts[PAUSED] = NOT_PAUSED;
        counts[DONE] = round - 1;
        counts[UNSETTLED] = level(round - 1).read(2);
        if (log.wanted()) log.lines[2] = clock64();
    }
}
