// A closure under `any` over distributed rows in one launch on each of several devices of a host,
// which store into each other's memory. The rounds are those of distributed_level.cuh, but no host
// takes part: the steps of a round are separated by barriers of the grid and by two exchanges of all
// devices.
//
// In the first exchange of a round each process sends all others the numbers of vertices and edges in
// its frontier, from which all decide the same. In the second one a pull sends to all what each process
// has reached: no neighbour of a position that is not reached was reached before the last round, so the
// bitmap tells the same as that of the frontier, and a push needs it, too. A push has stored what it found
// into the lists of the owners, and sends the lengths of the lists. No process stores into memory that
// another one may still read: it raises the flag of an exchange when all of its blocks have read what came
// in the exchange before.
//
// Edges are counted only where a decision needs their number. After a pull it seldom does: few
// vertices are left then only in the last rounds.
// See docs/decisions/cluster.md.
#pragma once
#include "closure/level_synchronous/distributed_push.cuh"
#include "closure/level_synchronous/exchanges.cuh"

// What a launch goes on from, and until where.
struct Rounds {
    Count* report;  // REPORT_HEAD words about the end, and a line for each round from the one that it goes on from
    long long threshold;  // more edges are pulled
    Index way;            // 1 if edges are known as rows that leave a position, 2 as rows that enter one, 3 as both
    Index round, limit;   // the rounds done, and no more than that
    Index stay;           // after a pull, rounds pull while more vertices than one in so many change
    bool begins;          // from x₀
    bool pulled, guessed, counted;  // the last round: was it a pull, has it guessed, are its edges counted?
};

// The edges that leave the marked positions, added to *count.
template <class Offset>
__device__ inline void count_edges(Index n, const Word* marked, const Offset* indptr, Count* count) {
    Count edges = 0;
    for (Index word : grid_stride<Index>(words_of(n)))
        for (Word left = marked[word]; left != 0; left &= left - 1) {
            const Index j = (word << 5) + __ffs(static_cast<int>(left)) - 1;
            edges += indptr[j + 1] - indptr[j];
        }
    FrontierCounts<Offset>::add_up(count, edges);
}

// The bitmap of what all have reached before the last pull, and of what this process has sent since; three
// bitmaps of its own frontiers; `queue` is for rows of more than `piece` entries (see push_resident).
struct LevelScratch {
    Word *reached, *fresh;
    long long* queue;
    Count* counters;
};

// The bitmap of x goes to `dated` as well.
template <class S, class Rows, class T>
__global__ void __launch_bounds__(LEVELS_BLOCK, 2)
    resident_levels(Rounds rounds, Extent extent, Start<typename S::Z> start, CsrOf<S> outgoing, Index piece,
                    DistributedPull<S> pull, SparseOutput<typename S::Z> x, Word* dated, Index* when,
                    LevelScratch scratch, PeerWindows<T> windows) {
    using Z = typename S::Z;
    __shared__ LaterRows<S> pending[LEVELS_BLOCK / 32];
    __shared__ UnsettledRows<LEVELS_BLOCK / 32> rest;
    __shared__ AllCounts all;
    const auto [size, n, connected, each, cyclic] = extent;
    const auto [reached, fresh, queue, counters] = scratch;
    const typename S::Offset* const ends = pull.outgoing;
    const Index parts = cyclic.parts;
    const OwnCounts own{counters, parts};
    const Grid grid{own.arrivals()};
    const bool first = thread_id<Count>() == 0;
    const long long begun = clock64();
    const RoundLines lines{rounds.report + REPORT_HEAD, parts};
    Exchanges exchanges{parts, windows.flags, windows.counts, all, windows.exchange, 0};
    Index round = rounds.round;
    bool pulled = rounds.pulled, guessed = rounds.guessed, counted = rounds.counted;
    Count needed = 0;
    if (rounds.begins) {
        own.clear();
        for (Index word : grid_stride<Index>(3 * each)) fresh[word] = 0;
        for (Index word : grid_stride<Index>(words_of(connected))) reached[word] = 0;
        grid.wait();
        begin_distributed(size, start, x, when, fresh, each, ends, own.of(0));
        grid.wait();
    }
    for (;;) {
        const Index line = round - rounds.round;
        needed = 0;
        Word* const now = fresh + static_cast<long long>(round % 3) * each;
        const auto frontier = [&](Index, int which) { return read_count(own.of(round) + 2 + which); };
        exchanges.send(frontier);
        const Count vertices = all.total(parts, 0);
        if (first) {
            Count sent = 0;  // in lists, which only a push has
            for (Index r = 0; r < parts; ++r)
                sent += r == cyclic.rank ? 0 : read_count(own.of(round) + OWN_COUNTS + r);
            lines.write(line, sent, exchanges, pulled, begun);
            for (Index r = 0; r < parts; ++r) lines.found(line)[r] = all.of[r][0];
        }
        exchanges.waited = 0;
        if (vertices == 0 || round >= rounds.limit) break;
        bool pulls = rounds.way == 2 || (rounds.way == 3 && pulled && vertices > Count(connected / rounds.stay));
        if (!counted && !pulls) {
            count_edges(n, now, ends, own.of(round) + 3);
            grid.wait();
            exchanges.send(frontier);
            counted = true;
        }
        if (!pulls) pulls = rounds.way == 3 && static_cast<long long>(all.total(parts, 1)) > rounds.threshold;
        const Count most = all.most(parts, 1), enough = Count(each) << 5;
        needed = pulls ? 0 : most < enough ? most : enough;
        if (needed > windows.room) break;
        ++round;
        Word* const next = fresh + static_cast<long long>(round % 3) * each;
        Word* const cleared = fresh + static_cast<long long>((round + 1) % 3) * each;
        for (Index word : grid_stride<Index>(each)) cleared[word] = 0;
        own.clear(round + 1);
        Count* const counts = own.of(round);
        counted = !pulls;
        if (pulls) {
            for (Index turn = 1; turn <= parts; ++turn)
                copy_bytes(reinterpret_cast<Byte*>(windows.bits.there[(cyclic.rank + turn) % parts]),
                           reinterpret_cast<const Byte*>(x.bits), static_cast<long long>(words_of(n)) * sizeof(Word));
            __threadfence_system();
            grid.wait();
            exchanges.meet();
            join_reached(connected, parts, each, windows.bits.here, reached);
            grid.wait();
            guessed = pull.template level<Rows>(pending, rest, reached, guessed && pulled, false, round, x, when, next,
                                                counts);
        } else {
            const PeerLists<T> found{windows.places.there, windows.values.there, counts + OWN_COUNTS};
            const DistributedPush<S, PeerLists<T>> rule{outgoing.indices, outgoing.values, outgoing.stride,
                                                        CyclicOwner(parts), reached, found};
            push_resident<S>(n, cyclic, now, outgoing, piece, read_count(own.of(round - 1) + 3), queue, counts, grid,
                             rule, pending[threadIdx.x >> 5].candidates);
            __threadfence_system();
            grid.wait();
            exchanges.send([&](Index r, int which) { return which == 0 ? read_count(found.counts + r) : 0; });
            Receiver<Z, typename S::Offset> receiver{round, x, when, next, ends, 0, 0};
            for (Index r = 0; r < parts; ++r) {
                const Count count = all.of[r][0], begin = r * windows.room;
                for (Count i : grid_stride<Count>(count))
                    receiver.receive(windows.places.here[begin + i], static_cast<Z>(windows.values.here[begin + i]));
            }
            receiver.add_to(counts);
            guessed = false;
        }
        pulled = pulls;
        grid.wait();
    }
    for (Index word : grid_stride<Index>(words_of(size))) dated[word] = x.bits[word];
    if (first) {
        const Count end[] = {Count(round), Count(pulled), Count(guessed), Count(counted), exchanges.number, needed,
                             static_cast<Count>(clock64() - begun)};
        for (int i = 0; i < REPORT_HEAD; ++i) rounds.report[i] = end[i];
    }
}
