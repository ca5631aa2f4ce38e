// The closure x = x₀ ⊕ (x ⊕.⊗ A) over packed rows in one launch, where ⊕ is `any` and A symmetric
// with one value for all entries: the rounds of closure.cuh, with barriers of the whole grid between
// them.
//
// Each round reads one generation of the frontier, writes the next and clears the one before. A pull
// takes one barrier, a push two, because segments are listed first. A push of many edges takes two
// more (see push_benign_race.cuh), and one after a pull one, for its edges are counted first.
//
// Where few vertices have many edges, most rows miss, and decode all of their columns. So a first pull from
// few vertices counts the edges out of those from `pulled_below` on. If they are few, the round is mixed: it
// looks for the vertices before `pulled_below` alone, at which the columns of a row end early, and the others
// push after it, which takes four barriers.
// See docs/decisions/layouts.md.
#pragma once
#include "closure/level_synchronous/packed_bottom_up.cuh"
#include "core/grid.cuh"

// Values of 8 bytes need more registers.
template <class S>
constexpr int threads_of_packed = PACKED_BLOCK + (sizeof(typename S::Z) <= 4 ? MORE_THREADS_HERE : 0);

// At most `max_rounds` rounds over n positions. A round pulls if more than `threshold` edges leave its
// frontier, or more segments than `room` might be listed. `pulled_below` is a multiple of 32; in a mixed round
// at most `most_pushed` edges leave the others. The log's lines are {pulled, vertices, edges, clock}. counters:
// four counts for each of three generations, then as for closure.cuh.
template <class S>
__global__ void __launch_bounds__(threads_of_packed<S>, 2)
    packed_search(Index max_rounds, Index n, Count threshold, Index pulled_below, Count most_pushed, PackedRows rows,
                  const typename S::A* value, Start<typename S::Z> start, SparseOutput<typename S::Z> x,
                  Word* round_bits, Index* rounds, Word* fronts, long long* listed, Count room, Count* counters,
                  Index slot, KernelLog log) {
    __shared__ WaitingRows waiting[threads_of_packed<S> / 32];
    Count* const counts = counters + CLOSURE_SLOT * static_cast<Count>(slot);
    if (log.wanted() && thread_id<Count>() == 0) log.lines[0] = clock64();
    const Grid grid{reinterpret_cast<unsigned*>(counts + CLOSURE_DONE + 2)};
    const Index words = words_of(rows.n);
    const auto level = [=](Index generation) {
        const unsigned g = static_cast<unsigned>(generation) % 3;
        return PackedLevel3{fronts + g * static_cast<Count>(static_cast<unsigned>(words)), counts + 4 * g};
    };
    const Start<typename S::Z> begin = start.placed();
    PackedSearch<S> search{rows, value, x.bits, x.values, rounds, listed,
                           log.wanted(), false, level(2), level(0), 0, 0, 0};
    for (unsigned at : grid_stride<unsigned>(words_of(n))) {
        const Index word = static_cast<Index>(at);
        Word entries = inside(word, n);
        if (begin.only >= 0) entries = begin.only >> 5 == word ? 1u << (begin.only & 31) : 0;
        else if (begin.bits != nullptr) entries = begin.bits[word];
        x.bits[word] = entries;
        if (word < words) {
            search.next.bits[word] = entries & inside(word, rows.n);
            level(1).bits[word] = level(2).bits[word] = 0;
        }
        for (; entries != 0; entries &= entries - 1) {
            const Index j = (word << 5) + __ffs(static_cast<int>(entries)) - 1;
            if (x.values != nullptr) x.values[j] = begin.at(j);
            if (rounds != nullptr) rounds[j] = 0;
            if (j < rows.n) search.note(j);
        }
    }
    search.add_up();
    grid.wait();
    // A count of the frontier, through a shuffle, by which the compiler knows that all lanes have the same.
    const auto read = [&](int which) { return __shfl_sync(ALL_LANES, search.now.read(which), 0); };
    bool pulled = false, guessed = false;  // the last round: was it a pull, and has it guessed?
    Index round = 1;
    for (; round <= max_rounds; ++round) {
        search.now = level(round - 1);
        search.next = level(round);
        search.now.bits = one_address(search.now.bits);
        search.round = round;
        const Count vertices = read(0);
        if (vertices == 0) break;
        const bool stays = pulled && vertices > Count(rows.n / PACKED_STAY);
        const bool uncounted = pulled && !log.wanted();  // are the edges not known?
        const auto many = [=](Count edges) { return edges > threshold || edges / SEGMENT_ENTRIES + vertices > room; };
        Count edges = uncounted ? 0 : read(1), pushed_edges = most_pushed + 1;
        if (uncounted ? !stays : !pulled && many(edges) && vertices <= Count(pulled_below)) {
            search.count_edges(uncounted ? 0 : pulled_below >> 5, search.now.counts + 3);
            grid.wait();
            (uncounted ? edges : pushed_edges) = read(3);
        }
        const bool pulls = stays || many(edges);
        // Do the first vertices alone count in a pull, and the others push?
        const bool mixed = pushed_edges <= most_pushed && pushed_edges / SEGMENT_ENTRIES + vertices <= room;
        search.races = !pulls && edges > Count(rows.n / RACE_EDGES);
        Count* const line = log.line(round - 1, 4);
        if (line != nullptr && thread_id<Count>() == 0) {
            line[0] = pulls;
            line[1] = vertices;
            line[2] = edges;
            line[3] = clock64();
        }
        level(round + 1).clear(words);
        const bool guesses = pulls && !S::reads_vector && !guessed;
        const Index end = mixed ? pulled_below : rows.n;
        if (pulls) PackedPull<S>{search, waiting + (threadIdx.x >> 5), guesses, guessed, end}.pull();
        guessed = guesses;
        if (mixed) grid.wait();
        if (mixed || !pulls) {
            if (search.races) {
                search.snapshot();
                grid.wait();
            }
            search.push_words(mixed ? pulled_below >> 5 : 0);
            grid.wait();
            search.push_segments();
            if (search.races) {
                grid.wait();
                search.compare();
            }
        }
        search.add_up();
        grid.wait();
        pulled = pulls;
    }
    if (log.wanted() && thread_id<Count>() == 0) log.lines[1] = clock64();
    if (rounds != nullptr)
        for (unsigned word : grid_stride<unsigned>(words_of(n))) round_bits[word] = peek(x.bits + word);
    if (thread_id<Count>() == 0) {
        counts[CLOSURE_DONE] = round - 1;
        counts[CLOSURE_DONE + 1] = level(round - 1).read(0);
        if (log.wanted()) log.lines[2] = clock64();
    }
}
