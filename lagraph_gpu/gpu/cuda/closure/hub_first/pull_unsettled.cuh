// Pulls over packed rows with weights, after a search over light edges alone: each row that this has not
// settled folds in the products along its edges, and keeps the result in place.
//
// No value is better than `least`, and those as good as `bound` are final. A row pulls again if a tail
// that is not final may still improve it, which follows from the lightest edge: if its tail is final, no
// tail that is not can bring a better value. Most rows are done after this edge, and are not decoded. The
// rounds end when nothing changed, or leave the vertices changed to pushes (packed_delta.cuh).
// See docs/decisions/sssp.md.
#pragma once
#include "closure/hub_first/core_state.cuh"
#include "closure/ordered/packed_order.cuh"

// What a row has found: the best product, and its tail.
template <class S> struct Found {
    Partial<S> best;
    Index tail;
};

template <class S, class Offset, class W, bool with_parents> struct PackedPull : ClosureValues<S> {
    using Z = typename S::Z;
    using A = typename S::A;
    using ClosureValues<S>::by;
    using ClosureValues<S>::x;

    PackedRows rows;
    PackedWeights<S, Offset, W> edges;
    Z least, bound;
    Found<S> mine;  // of the lane's own row, with the value that it had

    __device__ static bool improves(Z z, const Partial<S>& own) {
        if (!ClosureValues<S>::start_is_unlike() && !own.has) return true;
        return ClosureValues<S>::better(z, own.value) || ClosureValues<S>::nan(z);
    }
    __device__ static Found<S> none() { return {nothing<S>(), -1}; }

    // The product with the tail's value z. True if that is final.
    __device__ bool take(Found<S>& row, Index tail, A weight, Z z) {
        const Z candidate = by(z, weight);
        const bool has = this->holds(tail, z), fits = has && this->follows(z, candidate);
        if (fits && improves(candidate, row.best)) {
            row.best = {candidate, true};
            row.tail = tail;
        }
        if (has && !fits && !this->is_start(z)) this->report_unordered();
        return has && this->as_good(z, bound);
    }
    __device__ bool helps(A weight, const Partial<S>& own) const { return improves(by(least, weight), own); }

    // For packed_front.cuh.
    __device__ void first(Index j, Index column, bool has) {
        if (!has) return;
        const A weight = edges.of(j, 0);
        if (helps(weight, mine.best)) take(mine, column, weight, x[column]);
    }
    __device__ void rest(Index j, Index at, const Index (&columns)[OF_LANE], int count) {
        const int owner = j & 31;
        Found<S> found = none();
        if (!__any_sync(ALL_LANES, looks(found, j, at, columns, count))) return;
        const Partial<S> best = fold_warp(found.best);
        const Word whose = __ballot_sync(ALL_LANES, found.tail >= 0 && found.best.value == best.value);
        const Index tail = __shfl_sync(ALL_LANES, found.tail, whose == 0 ? 0 : __ffs(static_cast<int>(whose)) - 1);
        if (lane_id() == owner && best.has && improves(best.value, mine.best)) mine = {best, tail};
    }
    __device__ void few(Index j, Index at, const Index (&columns)[OF_LANE], int count) {
        Found<S> found = none();
        if (!__any_sync(ALL_LANES, looks(found, j, at, columns, count))) return;
#pragma unroll
        for (int distance = 1; distance < FEW_LANES; distance *= 2) {
            const Z value = from_lane_xor<Z>(found.best.value, distance);
            const Index tail = __shfl_xor_sync(ALL_LANES, found.tail, distance);
            if (tail >= 0 && improves(value, found.best)) found = {{value, true}, tail};
        }
        const int owner = j & 31;
#pragma unroll
        for (int group = 0; group < FEW_ROWS; ++group) {
            const int from = group * FEW_LANES;
            const Z value = from_lane<Z>(found.best.value, from);
            const Index tail = __shfl_sync(ALL_LANES, found.tail, from);
            if (__shfl_sync(ALL_LANES, owner, from) == lane_id() && tail >= 0 && improves(value, mine.best))
                mine = {{value, true}, tail};
        }
    }
    // Takes the products of a lane's columns of row j. True if there was one that may help.
    __device__ bool looks(Found<S>& found, Index j, Index at, const Index (&columns)[OF_LANE], int count) {
        const int owner = j & 31;
        const Partial<S> own{from_lane<Z>(mine.best.value, owner),
                             __shfl_sync(ALL_LANES, int(mine.best.has), owner) != 0};
        A weight[OF_LANE];
        Z z[OF_LANE];
        bool ask[OF_LANE];
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i)
            if (i < count) weight[i] = edges.of(j, at + i);
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) {
            ask[i] = i < count && helps(weight[i], own);
            if (ask[i]) z[i] = x[columns[i]];
        }
        bool some = false;
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) {
            if (ask[i]) take(found, columns[i], weight[i], z[i]);
            some |= ask[i];
        }
        return some;
    }

    // The rows of a word that `more` names.
    __device__ void walk(Index word, Word more) {
        if (word << 5 >= rows.n_long) {
            walk_short_by_few(rows, word, more, *this);
            return;
        }
        for (Word some = more; some != 0; some &= some - 1) {
            const Index j = (word << 5) + __ffs(static_cast<int>(some)) - 1;
            Index at = OF_LANE * lane_id();
            for (Index s = rows.segments[j]; s < rows.segments[j + 1]; ++s)
                each_block(Segment(rows, s), [&](const Index (&columns)[OF_LANE], int count) {
                    rest(j, at, columns, count);
                    at += PACKED_GAPS;
                    return false;
                });
        }
    }
};

// The blocks of a multiprocessor for which registers are spared. Fewer, where they would be spilled.
template <class Z> constexpr int UNSETTLED_BLOCKS = sizeof(Z) > 4 ? 1 : ARCHITECTURE < 900 ? 2 : 3;

// Round number `round` of `rounds`, from 0 on. No light edge is heavier than `most`. In the first round
// light edges bring nothing, for they have been searched, and a row is decoded only if `heavy` may help,
// the lightest heavy weight besides the lightest edge (0 for none). Bits of near(0) say
// which rows changed, and `open` which pull again. The last round leaves the number of the first to
// packed_delta. `begun` and `earlier` are the values and their tails before the search over light edges:
// those values that it has not improved count now.
template <class S, class Offset, class W, bool with_parents>
__global__ void __launch_bounds__(256, UNSETTLED_BLOCKS<typename S::Z>)
    pull_unsettled(int round, int rounds, PackedRows rows, PackedWeights<S, Offset, W> edges,
                const MinEdge<W>* min_edges, const W* heavy, typename S::A most, SparseOutput<typename S::Z> x, Origin* origins,
                const typename S::Z* begun, const Origin* earlier, Word* open, Epochs<typename S::Z> epochs) {
    using Z = typename S::Z;
    Count* const changes = epochs.counts + PULL_CHANGES;
    const bool again = round > 0;
    if (read_count(epochs.counts + PULL_CLOSED) > 0 || (again && read_count(changes + round - 1) == 0)) return;
    const auto noted = [&](unsigned at) { return peek(word_of(epochs.bests, at)); };
    const Z nearest = noted(again ? PULL_BESTS + round - 1 : PULL_SETTLED);
    PackedPull<S, Offset, W, with_parents> pull{
        {{{}, epochs.counts + epochs.UNORDERED}, x.values, x.bits}, rows, edges, nearest,
        again ? nearest : S::step(nearest, 0, &most, 0, 0), {}};
    const Origins<S, with_parents> tails{origins};
    Word* const changed = epochs.near(0).bits;
    Count improved = 0;
    Partial<S> best = nothing<S>();
    for (Index word : warp_stride<Index>(words_of(rows.n))) {
        const Word asked = again ? open[word] : inside(word, rows.n);
        Word which = 0, next = 0;
        if (asked != 0) {
            const Index j = (word << 5) + lane_id();
            const Word entries = peek(x.bits + word);
            const bool has = entries >> lane_id() & 1u;
            const Partial<S> own{j < rows.n ? x.values[j] : S::start(), has};
            pull.mine = {own, -1};
            if (!again && j < rows.n) {
                const Z before = begun[j];
                const bool had = !pull.is_start(before);
                if (had && pull.improves(before, own)) pull.mine = {{before, true}, with_parents ? tail_of(earlier[j]) : j};
                else if (with_parents && has && tail_of(origins[j]) == j) origins[j] = earlier[j];
            }
            bool more = false, open_tail = false;
            auto weight = typename S::A();
            if ((asked >> lane_id() & 1u) && !(has && pull.as_good(own.value, pull.bound))) {
                const MinEdge<W> row = min_edges[j];
                weight = arithmetic::cast<typename S::A>(row.weight);
                if (row.degree > 0 && pull.helps(weight, pull.mine.best)) {
                    open_tail = !pull.take(pull.mine, row.to, weight, x.values[row.to]);
                    const W next = again ? row.next : heavy[j];
                    more = (again ? row.degree > 1 : next != W()) &&
                           pull.helps(arithmetic::cast<typename S::A>(next), pull.mine.best);
                }
            }
            if (const Word rest = __ballot_sync(ALL_LANES, more)) pull.walk(word, rest);
            const bool changes_now = pull.mine.tail >= 0;
            if (changes_now) {
                *static_cast<volatile Z*>(x.values + j) = pull.mine.best.value;
                tails.put(j, pull.mine.best.value, pull.mine.tail);
                best.fold(pull.mine.best.value);
                ++improved;
            }
            which = __ballot_sync(ALL_LANES, changes_now);
            next = __ballot_sync(ALL_LANES, open_tail && pull.improves(pull.by(pull.bound, weight), pull.mine.best));
            if (lane_id() == 0 && which != 0) *static_cast<volatile Word*>(x.bits + word) = entries | which;
        }
        __syncwarp();  // all lanes have read what they pull
        if (lane_id() == 0) {
            changed[word] = which;
            open[word] = next;
        }
    }
    improved = warp_reduce<Sum>(improved);
    best = fold_warp(best);
    if (lane_id() > 0 || improved == 0) return;
    fold_into<S>(word_of(epochs.bests, PULL_BESTS + round), best.value);
    atomicAdd(changes + round, improved);
    if (round + 1 == rounds) atomicAdd(epochs.near(0).count, improved);
}
