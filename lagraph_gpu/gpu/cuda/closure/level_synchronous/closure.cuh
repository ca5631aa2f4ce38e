// The closure x = x₀ ⊕ (x ⊕.⊗ A) in one launch: every round of the loop in lagraph_gpu/closure.py,
// with the same frontiers, values and rounds, between barriers of the whole grid (see
// level_state.cuh).
//
// Each round reads one generation of the frontier, writes the next and clears the one before:
// there are three of each, and one barrier. A fold takes one more, because the values of the
// frontier are copied first, so that no round reads what it changes itself. With `any` for ⊕ a
// value is written in one round only and needs no copy, but a push of many edges takes two more
// barriers. A push after a round that left only a bitmap also takes one more, because the lists
// are made first.
// See docs/decisions/bfs.md.
#pragma once
#include "closure/level_synchronous/begin.cuh"
#include "core/grid.cuh"
#include "closure/level_synchronous/level_state.cuh"
#include "core/grid_stride.cuh"

// A pull that ends early is followed by pulls until fewer vertices than one in so many change. This
// is beside the planner's rule (`threshold`): after a pull only a bitmap is left, and a push would
// have to make lists first.
constexpr int STAY = 24;

// With `any` a push is of many edges if they are more than a vertex in so many.
constexpr int RACE_EDGES = 16;

constexpr Index NO_ROUND = 0x7fffffff;  // no closure takes so many rounds

// Of the counts of a call, after three of four: the rounds done, the vertices they left, and what
// the barriers count.
constexpr unsigned DONE = CLOSURE_DONE, UNSETTLED = DONE + 1, ARRIVALS = DONE + 2, SLOT = CLOSURE_SLOT;

// Threads of a block at most: an offset or a fold of 64 bits takes registers.
template <class S>
constexpr int threads_of_closure =
    sizeof(typename S::Offset) > 4 || (!S::any && sizeof(typename S::Z) > 4) ? CLOSURE_WIDE_BLOCK
                                                                                : CLOSURE_BLOCK;

// At most `max_rounds` rounds; from vertex `n_connected` on none has an edge. The start is one
// value at `only`, or where `to` leads from there if that is not null; or, if `only` is negative,
// the entries of `start`. bits, short_queue and long_queue: three generations of words_of(n) words,
// n and `room` entries; a slot of the strip: three of four counts, then the rounds done and the
// vertices they left, then a barrier's arrivals, all 0 at first. x is written, and rounds unless
// they are null; with level_bits, of those from `n_connected` on only what the start has, -1 where
// the others have no entry, and rounds only where there is no room above a vertex (see
// PackedLevel). A round pulls if more than `threshold` edges leave its frontier. log, if it is not
// null, gets {clock at the beginning, after the last round, at the end}, and from the fifth word on
// {pulled, vertices, edges, clock} of each of the first `logged` rounds.
template <class S, class Rows>
__global__ void __launch_bounds__(threads_of_closure<S>, 2)
    closure(Index max_rounds, Index n, Index n_connected, typename S::Offset piece, Count threshold,
            const typename S::Offset* indptr, const Index* indices, const typename S::A* values,
            int stride, const typename S::Offset* in_indptr, const Index* in_indices,
            const typename S::A* in_values, int in_stride, Index longest, const Index* likely_parent,
            Index hubs, const Index* hub, Index only, typename S::Z value, const Index* to,
            const Word* start_bits, const typename S::Z* start, Word* x_bits, typename S::Z* x,
            int level_bits, typename S::Z* front, Word* round_bits, Index* rounds, Word* bits, Index* short_queue,
            long long* long_queue, Count room, Count* strip, Index slot, Index logged, Count* log) {
    __shared__ BlockAppend<Index, SET_ASIDE> gathered;
    __shared__ LaterRows<S> waiting[CLOSURE_WARPS];
    __shared__ GivenUp<CLOSURE_WARPS> rest;
    Count* const counts = strip + SLOT * slot;
    if (log != nullptr && thread_id<Count>() == 0) log[0] = clock64();
    if (threadIdx.x == 0) gathered.count = 0;
    __syncthreads();
    const Grid grid{reinterpret_cast<unsigned*>(counts + ARRIVALS)};
    const auto level = [=](Index generation) {
        const Count g = generation % 3;
        return Level{bits + g * words_of(n), short_queue + g * n, long_queue + g * room, counts + 4 * g};
    };
    const PackedLevel packed_level{level_bits};
    Closure<S> closure{n_connected, piece, indptr, indices, values, stride,
                       {in_indptr, in_indices, in_values, in_stride, nullptr, front, longest},
                       likely_parent, hubs, hub, x_bits, x, front, &gathered, waiting, &rest, level(0),
                       {indptr, rounds, rounds == nullptr ? NO_ROUND : packed_level.last(), 0, true, 0, 0, 0, 0},
                       0, false, false, {}};
    begin(closure, n, to == nullptr ? only : to[only], value, start_bits, start);
    closure.append();
    grid.wait();
    bool listed = only >= 0, pulled = false;  // is the frontier listed, too? Has a pull found it?
    Index round = 1;
    for (; round <= max_rounds; ++round) {
        const Level now = level(round - 1);
        const bool counted = closure.frontier_counts.counting;
        const Count vertices = now.read(2), edges = counted ? now.read(3) : 0;
        if (vertices == 0) break;
        bool pulls = edges > threshold || (S::any && pulled && vertices > Count(n_connected / STAY));
        const bool races = S::any && !pulls && !pulled && edges > Count(n_connected / RACE_EDGES);
        if (log != nullptr && round <= logged && thread_id<Count>() == 0) {
            Count* const line = log + 4 * round;
            line[0] = pulls;
            line[1] = vertices;
            line[2] = edges;
            line[3] = clock64();
        }
        closure.next = level(round);
        closure.packed_level = packed_level.of(round);
        closure.races = races;
        closure.race_push = {n_connected, indices, values, stride, x_bits, x, closure.next.bits, closure.packed_level};
        if (races) closure.race_push.snapshot();
        if (!pulls && !listed) closure.make_lists(now, counted);
        if (races || (!pulls && !listed)) grid.wait();
        listed = listed || !pulls;
        if (!counted && !pulls) pulls = now.read(3) > threshold;
        closure.frontier_counts.counting = !(S::any && pulls) || log != nullptr;
        if constexpr (!S::any) {
            if (listed) closure.set_aside(now, Items(now));
            else closure.set_aside(now);
            grid.wait();
        }
        level(round + 1).clear(words_of(n_connected));
        closure.frontier_counts.round = round;
        closure.gather.u_bits = now.bits;
        if (pulls) {
            closure.template pull<Rows>();
        } else {
            closure.guessed = false;
            Items items(now);
            if (races) {
                closure.race_push.push(now, items, indptr, piece);
                items.pieces = 0;
            }
            closure.push(now, items);
            if (races) {
                grid.wait();
                closure.race_push.compare([&](Index word, Word those) {
                    closure.frontier_counts.template note_words<BESIDE>(word, those);
                });
            }
        }
        closure.append();
        grid.wait();
        listed = !pulls && !races;
        pulled = pulls;
    }
    if (log != nullptr && thread_id<Count>() == 0) log[1] = clock64();
    if constexpr (has_room<S>)
        if (level_bits > 0) deny_absent(n_connected, x_bits, x);
    if (rounds != nullptr)
        for (Count word : grid_stride<Count>(words_of(n)))
            round_bits[word] = peek(x_bits + word);
    if (thread_id<Count>() == 0) {
        counts[DONE] = round - 1;
        counts[UNSETTLED] = level(round - 1).read(2);
        if (log != nullptr) log[2] = clock64();
    }
}
