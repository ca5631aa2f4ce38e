// The closure x = x₀ ⊕ (x ⊕.⊗ A) in one launch: every round of the loop in lagraph_gpu/closure.py,
// with the same frontiers, values and rounds, between barriers of the whole grid: see rounds.cuh.
//
// Each round reads one generation of the frontier, writes the next and clears the one before: three
// of each, one barrier. A fold takes one more, because the values of the frontier are set aside first,
// so that no round sees what it changes itself; with `any` for ⊕ a value is written once and needs
// none. A push after a pull takes one more, too, for the queue is made first.
#pragma once
#include "grid.cuh"
#include "rounds.cuh"

// A pull that ends early is followed by pulls until fewer vertices than one in so many change.
constexpr int STAY = 24;

// At most `most` rounds. bits and queue: three generations of words_of(n) words and of `room` items;
// counts: three of three, then the rounds done and the vertices they left; bits, counts and arrivals
// are 0 at first; x and rounds are written. A round pulls if more than `threshold` edges leave its
// frontier. log, if it is not null, gets {clock at the beginning, after the last round, at the end},
// and from the fifth word on {pulled, vertices, edges, clock} of each of the first `logged` rounds.
template <class S, class Rows>
__global__ void __launch_bounds__(448, 2)
    closure(Index n, typename S::Offset piece, Index most, Count threshold,
            const typename S::Offset* indptr, const Index* indices, const typename S::A* values,
            int stride, const typename S::Offset* in_indptr, const Index* in_indices,
            const typename S::A* in_values, int in_stride, Index longest, const Index* heads,
            Index hubs, const Index* hub, const Word* start_bits, const typename S::Z* start,
            Word* x_bits, typename S::Z* x, typename S::Z* front, Word* round_bits, Index* rounds,
            Word* bits, long long* queue, Count room, Count* counts, unsigned* arrivals,
            Index logged, Count* log) {
    __shared__ Appends appends;
    __shared__ Offers<typename S::Z> offers[CLOSURE_WARPS];
    __shared__ GivenUp<CLOSURE_WARPS> rest;
    if (log != nullptr && Threads().first == 0) log[0] = clock64();
    if (threadIdx.x == 0) appends.count = 0;
    __syncthreads();
    const Grid grid{arrivals};
    const auto level = [=](Index generation) {
        const Count g = generation % 3;
        return Level{queue + g * room, bits + g * words_of(n), counts + 3 * g};
    };
    Closure<S> closure{n, piece, indptr, indices, values, stride,
                       {in_indptr, in_indices, in_values, in_stride, nullptr, front, longest},
                       heads, hubs, hub, x_bits, x, front, rounds, &appends, offers, &rest,
                       level(0), 0, 0, 0, 0, 0};
    closure.begin(start_bits, start);
    closure.append();
    grid.wait();
    Count before = 0;    // items of the generation before; words_of(n) if it was not listed
    bool listed = true;  // is the frontier queued, too?
    Index round = 1;
    for (; round <= most; ++round) {
        const Level now = level(round - 1), old = level(round + 1);
        const Count edges = now.read(2);
        if (now.read(1) == 0) break;
        const bool pulls = edges > threshold || (S::any && !listed && now.read(1) > Count(n / STAY));
        if (log != nullptr && round <= logged && Threads().first == 0) {
            Count* const line = log + 4 * round;
            line[0] = pulls;
            line[1] = now.read(1);
            line[2] = edges;
            line[3] = clock64();
        }
        if (!pulls && !listed) {
            closure.list(now);
            grid.wait();
            listed = true;
        }
        const Count items = listed ? now.read(0) : words_of(n);
        if constexpr (!S::any) {
            if (listed) closure.set_aside(now, items);
            else closure.set_aside(now);
            grid.wait();
        }
        closure.clear(old, before);
        closure.next = level(round);
        closure.round = round;
        closure.gather.u_bits = now.bits;
        if (pulls) closure.template pull<Rows>();
        else closure.push(now, items);
        closure.append();
        grid.wait();
        before = items;
        listed = !pulls;
    }
    const Threads thread;
    if (log != nullptr && thread.first == 0) log[1] = clock64();
    for (Count word = thread.first; word < Count(words_of(n)); word += thread.all)
        round_bits[word] = peek(x_bits + word);
    if (thread.first == 0) {
        counts[9] = round - 1;
        counts[10] = level(round - 1).read(1);
        if (log != nullptr) log[2] = clock64();
    }
}
