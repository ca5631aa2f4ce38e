// A closure by order of value over distributed rows in one launch on each of several devices of a host,
// which store into each other's memory: see distributed_order.cuh. No host takes part.
//
// A round has one exchange: each process stores what it has found into the lists of the owners, and
// tells them how long these are and how long its lists are in all. If all lists are empty no entry is
// near, and another exchange moves the bound. Lists have two halves, used in turn, since an owner may
// still read one when a process stores what it has found in the round after.
//
// If many edges leave the near entries, all pull (distributed_pull.cuh): the values of all go to all,
// and whatever has changed before is done. Then all that has changed is near, since few edges are left.
// See docs/decisions/cluster.md.
#pragma once
#include "closure/ordered/distributed_pull.cuh"
#include "closure/ordered/order_report.cuh"

// With pulls threads need more registers.
template <class Edges> constexpr int THREADS_OF_ORDER = Edges::sorted ? ORDER_PULL_BLOCK : ORDER_BLOCK;

// `near` are two bitmaps of the near entries, `far` is one; `queue` is for rows of more than `piece`
// entries (see push_resident).
template <class Z> struct OrderScratch {
    Word *near, *far;
    Findings<Z> found;
    long long* queue;
    Count *entries, *counters;
};

template <class S, class Edges>
__global__ void __launch_bounds__(THREADS_OF_ORDER<Edges>, 2)
    resident_order(OrderRounds rounds, Extent extent, Start<typename S::Z> start, CsrOf<S> A, Index piece,
                   typename S::Offset leaf_degree, CsrOf<S, typename Edges::Column> into,
                   const MinEdge<typename S::A>* lightest, SparseOutput<typename S::Z> x, Index* when,
                   OrderScratch<typename S::Z> scratch, PeerWindows<typename S::Z> windows) {
    using Z = typename S::Z;
    __shared__ Candidates<Z> pending[THREADS_OF_ORDER<Edges> / 32];
    __shared__ Index staged[THREADS_OF_ORDER<Edges> / 32][STAGED];
    __shared__ Unfinished<Z> aside[Edges::sorted ? THREADS_OF_ORDER<Edges> / 32 : 1];
    __shared__ AllCounts all;
    const auto [size, n, connected, each, cyclic] = extent;
    const auto [near, far, found, queue, entries, counters] = scratch;
    const Index parts = cyclic.parts;
    const OwnCounts own{counters, parts};
    const Grid grid{own.arrivals()};
    const bool first = thread_id<Count>() == 0;
    const long long begun = clock64();
    Exchanges exchanges{parts, windows.flags, windows.counts, all, windows.exchange, 0};
    const FarEntries<S> farther{entries};
    const Order<S> order{{}, farther.unordered()};
    const auto nothing_yet = nothing<S>();

    own.clear();
    for (Index word : grid_stride<Index>(2 * each)) near[word] = 0;
    for (Index word : grid_stride<Index>(words_of(connected))) found.listed[word] = 0;
    for (Index j : grid_stride<Index>(connected)) found.best[j] = S::start();
    if (first) {
        farther.clear(0);
        farther.clear(1);
        *farther.unordered() = 0;
        rounds.report[ORDER_SENT] = rounds.report[ORDER_PUSHED] = rounds.report[ORDER_PULLS] = 0;
    }
    grid.wait();
    {
        Count some = 0;
        Partial<S> best = nothing_yet;
        for (Index word : warp_stride<Index>(words_of(size))) {
            const Index k = (word << 5) + lane_id();
            const bool has = k < size && start.has(k);
            const Word here = __ballot_sync(ALL_LANES, has);
            if (k < size) {
                const Z z = has ? start.at(k) : S::start();
                if (has && order.nan(z)) order.report_unordered();
                x.values[k] = foldable<S>(z);
                if (when != nullptr) when[k] = 0;
                if (has && !order.is_start(z)) best.fold(z);
            }
            if (lane_id() == 0) {
                x.bits[word] = here;
                if (word < each) far[word] = here & (word < words_of(n) ? inside(word, n) : 0);
                some += __popc(here);
            }
        }
        if (some > 0) atomicAdd(farther.count(0), some);
        const Partial<S> of_warp = fold_warp(best);
        if (lane_id() == 0 && of_warp.has) fold_into<S>(farther.best(0), of_warp.value);
    }
    grid.wait();

    Bound<S> bound{{}, S::start(), rounds.by_rounds};
    bool had_bound = false, had_many = false, stops = false, unordered = false, at_rest = true;
    double width = rounds.width;
    Index round = 0, turn = 0;
    Count walked = 0, threshold = rounds.first_pull;
    const OrderLog log{rounds, parts, first};
    Partial<S> front = nothing_yet;  // no near or far value is better
    for (;;) {
        // no entry of any process is near
        exchanges.send([&](Index, int which) {
            Sent<Z> word{};
            word.value = peek(farther.best(turn));
            const Count known = read_count(farther.unordered()) << 1 | (read_count(farther.count(turn)) > 0);
            return which == 0 ? word.bits : walked << 3 | Count(rounds.first_pull == NEVER_PULLS) << 2 | known;
        });
        Count of_all = 0;
        bool some = false;
        Partial<S> best = nothing_yet;
        for (Index r = 0; r < parts; ++r) {
            Sent<Z> word{};
            word.bits = all.of[r][0];
            const Count known = all.of[r][1];
            if (!order.is_start(word.value)) best.fold(word.value);
            some = some || (known & 1) != 0;
            unordered = unordered || (known & 2) != 0;
            if ((known & 4) != 0) threshold = NEVER_PULLS;
            of_all += known >> 3;
        }
        if (!some || unordered) break;
        const bool many = static_cast<double>(of_all) >= rounds.share;
        if (had_many && !many) width += width;
        had_many = had_many || many;
        const Bound<S> before = bound;
        front = best;
        bound.all = bound.all || !best.has;
        if (!bound.all) bound.value = order.beyond(best.value, width);
        if (first) farther.clear(turn);
        turn ^= 1;
        walked = 0;
        {
            Sorter<S> sorter{{}, bound, A.indptr, leaf_degree, x, near + (round & 1) * each, far, when, round, 0, 0, 0,
                             nothing_yet};
            for (Index word : grid_stride<Index>(words_of(n))) far[word] = sorter.sort(word, had_bound, before);
            sorter.add_to(own.of(round), farther, turn);
        }
        had_bound = true;
        grid.wait();
        for (bool more = true; more;) {
            stops = round >= rounds.limit ||
                    (round == rounds.look && read_count(rounds.report + ORDER_PUSHED) < rounds.few);
            if (stops) break;
            Word* const now = near + (round & 1) * each;
            Word* const next = near + ((round + 1) & 1) * each;
            const Count vertices = read_count(own.of(round) + 2), edges = read_count(own.of(round) + 3);
            walked += edges;
            const bool asks = Edges::sorted && threshold != NEVER_PULLS && front.has;
            if (asks) exchanges.send([&](Index, int which) { return which == 0 ? edges : vertices; });
            const bool pulls = asks && all.total(parts, 0) > threshold;
            ++round;
            Count* const counts = own.of(round);
            own.clear(round + 1);
            const Index half = (round & 1) * static_cast<Index>(windows.room >> 1);
            more = false;
            if (pulls) {
                if constexpr (Edges::sorted) {
                    log.near(round, all, 0);
                    send_values(parts, x.values, n, windows.values.there, half);
                    if (first) farther.clear(turn);
                    __threadfence_system();
                    grid.wait();
                    exchanges.meet();
                    join_values(connected, parts, windows.values.here + half, windows.room, found.best);
                    grid.wait();
                    const OrderedPull<S, Edges> pull{{{}, order.unordered}, {{into.indices, into.values, into.stride}},
                                                     into.indptr, found.best, front.value};
                    Sorter<S> sorter{{}, bound, A.indptr, leaf_degree, x, next, far, when, round, 0, 0, 0, nothing_yet};
                    pull.pull_all(n, lightest, x, now, next, far, aside[threadIdx.x >> 5], sorter);
                    sorter.add_to(counts, farther, turn);
                    grid.wait();
                    exchanges.send([&](Index, int which) {
                        Sent<Z> word{};
                        word.value = peek(farther.best(turn));
                        return which == 0 ? word.bits : read_count(counts + 2);
                    });
                    front = nothing_yet;
                    for (Index r = 0; r < parts; ++r) {
                        Sent<Z> word{};
                        word.bits = all.of[r][0];
                        if (!order.is_start(word.value)) front.fold(word.value);
                        more = more || all.of[r][1] != 0;
                    }
                    bound.all = true;
                    threshold = rounds.later_pulls;
                    if (first) farther.clear(turn);
                    log.end(round, exchanges, Count(parts - 1) * Count(n) * sizeof(Z), true, begun);
                }
            } else {
                const OrderedPush<S> rule{order, A.indices, A.values, A.stride, x.values, found};
                push_resident<S>(n, cyclic, now, A, piece, edges, queue, counts, grid, rule, pending[threadIdx.x >> 5]);
                grid.wait();
                send_listed(connected, parts, found, windows.places.there, windows.values.there, half,
                            counts + OWN_COUNTS, staged[threadIdx.x >> 5]);
                __threadfence_system();
                grid.wait();
                exchanges.send([&](Index r, int which) {
                    Count listed = 0;
                    for (Index to = 0; to < parts; ++to) listed += read_count(counts + OWN_COUNTS + to);
                    return which == 0 ? read_count(counts + OWN_COUNTS + r) : vertices << 32 | listed;
                });
                log.near(round, all, 32);
                for (Index r = 0; r < parts; ++r) more = more || (all.of[r][1] & 0xffffffff) != 0;
                Sorter<S> sorter{{}, bound, A.indptr, leaf_degree, x, next, far, when, round, 0, 0, 0, nothing_yet};
                for (Index r = 0; r < parts; ++r) {
                    const Count count = all.of[r][0], begin = r * windows.room + half;
                    for (Count i : grid_stride<Count>(count))
                        sorter.take(windows.places.here[begin + i], windows.values.here[begin + i]);
                }
                for (Index word : grid_stride<Index>(each)) now[word] = 0;
                sorter.add_to(counts, farther, turn);
                Count of_others = 0;
                if (first)
                    for (Index r = 0; r < parts; ++r)
                        of_others += r == cyclic.rank ? 0 : read_count(counts + OWN_COUNTS + r);
                log.end(round, exchanges, of_others * (sizeof(Index) + sizeof(Z)), false, begun);
            }
            grid.wait();
        }
        if (stops) break;
    }
    if (stops) {
        exchanges.send([&](Index, int which) {
            return read_count(which == 0 ? own.of(round) + 2 : farther.unordered());
        });
        at_rest = bound.all && all.total(parts, 0) == 0;  // else far ones may be left
        unordered = all.total(parts, 1) > 0;
    }
    if (first) {
        const Count end[] = {Count(round), exchanges.number, Count(unordered), Count(at_rest),
                             exchanges.number - windows.exchange, static_cast<Count>(clock64() - begun)};
        for (int i = 0; i < ORDER_SENT; ++i) rounds.report[i] = end[i];
    }
}
