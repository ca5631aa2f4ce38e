// The bottom-up part of a hub-first closure: after most edges have been pushed, the other vertices pull.
//
// A vertex that is not final folds the products of its in-edges, in place and without atomics. All values
// that are still to come are at most as good as `least`, and ⊗ is monotone: the product of `least` and an
// edge's weight bounds the edge's product. If that is no improvement, neither the edge's column is read
// nor the rest of a sorted row. A vertex as good as `bound` is final. A vertex that may still improve
// pulls again in the next round: its warp lists it, with the edge at which it continues.
// See docs/decisions/hub-first.md.
#pragma once
#include "closure/hub_first/pull_row.cuh"

template <class S, class Edges, bool with_parents> struct BottomUp : PullRow<S, Edges, with_parents> {
    using Z = typename S::Z;
    using A = typename S::A;
    using Offset = typename S::Offset;
    using ClosureValues<S>::x;
    using ClosureValues<S>::bits;
    using ClosureValues<S>::is_start;
    using ClosureValues<S>::by;
    using ClosureValues<S>::value_of;
    using PullRow<S, Edges, with_parents>::block_state;
    using PullRow<S, Edges, with_parents>::final;
    using PullRow<S, Edges, with_parents>::improves;
    using PullRow<S, Edges, with_parents>::origins;

    Index n_connected;     // vertices from this number on have no in-edges
    Index longest;  // a row with more in-edges is pulled in pieces
    const Offset* indptr;
    const MinEdge<A>* min_edges;  // of the in-edges
    Index pieces;
    const Index* rows;  // of the long rows: piece p begins at entry firsts[p] of row rows[p]
    const Offset* firsts;
    NextFrontier<S> on;
    NextPull<S>* left;  // the vertices of this warp that pull again
    bool lists;    // no vertex pulls again; changed vertices go to a list
    bool has_log;  // are vertices and edges counted for a log?

    // --- for whole warps ---------------------------------------------------------------------

    // Writes what position j has pulled; only this lane writes it. True if the position changed.
    __device__ bool changed(Index j, const Partial<S>& own, const Partial<S>& now) const {
        if (!now.has || (own.has && !this->better(now.value, own.value))) return false;
        *static_cast<volatile Z*>(x + j) = now.value;
        return true;
    }

    // The content of position j, loaded before it is used.
    struct HeldEntry {
        Z z;
        Word entries;  // the bitmap's word, if the value does not say whether there is an entry
    };
    __device__ HeldEntry ask(Index j) const {
        return {value_of(j), this->start_is_unlike() ? 0 : peek(bits + (j >> 5))};
    }
    __device__ Partial<S> own(const HeldEntry& held, Index j) const {
        return {held.z, this->start_is_unlike() ? !is_start(held.z) : (held.entries >> (j & 31) & 1u) != 0};
    }

    // Writes what has been pulled. A vertex whose row is done but that may still improve pulls again,
    // if there is another round. `together`: the positions are those of one word.
    template <bool together>
    __device__ void settle(bool mine, bool over, Index j, const Partial<S>& own, const Pulled<S>& now,
                           Partial<S>& best) {
        const bool news = mine && changed(j, own, now.best);
        const bool stays = mine && over && !lists && this->may_improve(now);
        Index& kept = block_state->kept[threadIdx.x >> 5];
        Index length = kept;
        const Index at = append_own(stays, length);
        if (stays)
            left[at] = {now.best.value, arithmetic::cast<A>(now.open_weight.value),
                                                       now.best.has ? j : ~j, now.from};
        __syncwarp();
        if (lane_id() == 0) kept = length;
        __syncwarp();
        const Word fresh = __ballot_sync(ALL_LANES, news && !own.has);
        if (fresh != 0) {
            if (!together && news && !own.has) mark(bits, j);
            if (together && lane_id() == 0) atomicOr(bits + (j >> 5), fresh);
            if (lane_id() == 0) atomicAdd(&block_state->found, unsigned(__popc(fresh)));
        }
        if (news && now.tail >= 0) origins.put(j, now.best.value, now.tail);
        if (news) best.fold(now.best.value);
        if (lists) on.queue_if(news, j);
    }

    // A lane's position in the first round, and what was loaded for it.
    struct FirstPull {
        Index j;
        MinEdge<A> row;
        HeldEntry held;
    };
    // Loads the positions of word number `at`.
    __device__ void ask(FirstPull& turn, Index at, Index) const {
        turn.j = (at << 5) + lane_id();
        turn.row.degree = 0;
        if (turn.j >= n_connected) return;
        turn.row = min_edges[turn.j];
        turn.held = ask(turn.j);
    }
    // Tries the lightest edge of each position.
    __device__ void begin(const FirstPull& turn, PendingRows<Z>* pending, int& begun, Partial<S>& best) {
        const MinEdge<A>& row = turn.row;
        const Partial<S> held = row.degree > 0 ? own(turn.held, turn.j) : nothing<S>();
        const bool mine = row.degree > 0 && row.degree <= longest && !final(held.has, held.value);
        Pulled<S> now{held, nothing<S>(), -1, 0};
        const bool over = !mine || this->probe_first(now, row);
        leave<true>(mine, over, turn.j, held, now, 1, pending, begun, best);
        if (mine) count_work(1, 1);
    }

    // In later rounds: loads the vertices kept by the round before, from number `at` on.
    __device__ void ask(NextPull<S>& turn, Index at, Index end) const {
        turn.from = -1;  // no vertex
        if (at + lane_id() < end) turn = left[at + lane_id()];
    }
    // Continues at the first edge whose tail was not final, if that edge may still improve the vertex.
    __device__ void begin(const NextPull<S>& was, PendingRows<Z>* pending, int& begun, Partial<S>& best) {
        const Index j = was.j < 0 ? ~was.j : was.j;
        const Partial<S> held = {was.value, was.j >= 0};
        const bool mine = was.from >= 0 && improves(by(this->least, was.weight), held);
        Pulled<S> now{held, nothing<S>(), -1, 0};
        bool over = !mine;
        int done = was.from + !Edges::sorted;
        const Offset first = Edges::sorted && mine ? indptr[j] : 0;
        if (mine && Edges::sorted) over = this->probe_own(now, first, int(indptr[j + 1] - first), done, done + ALONE);
        if (mine && !Edges::sorted) over = this->probe_first(now, min_edges[j]);
        leave<false>(mine, over, j, held, now, done, pending, begun, best);
        if (mine) count_work(1, done - was.from);
    }

    // Writes the rows that are done. The other positions wait until there are enough for a whole warp.
    template <bool together>
    __device__ void leave(bool mine, bool over, Index j, const Partial<S>& held, const Pulled<S>& now, int done,
                          PendingRows<Z>* pending, int& begun, Partial<S>& best) {
        __syncwarp();
        settle<together>(mine, over, j, held, now, best);
        const int at = append_own(!over, begun);
        if (!over) {
            pending->begun[at] = j;
            pending->done[at] = done;
            pending->from[at] = now.from;
            pending->open_weight[at] = now.open_weight.value;
            pending->has_open[at] = now.open_weight.has;
        }
        __syncwarp();
    }

    // Reads all edges that may help, for up to 32 positions that waited.
    __device__ void go_on(PendingRows<Z>* pending, int& begun, Partial<S>& best) {
        const int at = begun - 1 - lane_id();
        const bool mine = at >= 0;
        Pulled<S> now{nothing<S>(), nothing<S>(), -1, 0};
        Index j = 0;
        Offset first = 0;
        int degree = 0, done = 0;
        if (mine) {
            j = pending->begun[at];
            done = pending->done[at];
            now.from = pending->from[at];
            now.open_weight = {pending->open_weight[at], pending->has_open[at]};
            now.best = own(ask(j), j);
            first = indptr[j];
            degree = static_cast<int>(indptr[j + 1] - first);
        }
        begun = begun > 32 ? begun - 32 : 0;
        const Partial<S> held = now.best;
        int looked = degree;
        if (with_parents) this->storage->rows[threadIdx.x >> 5].at[lane_id()] = j;
        if constexpr (Edges::sorted) {
            looked = -done;
            const bool over = !mine || this->probe_own(now, first, degree, done, done + ALONE);
            __syncwarp();
            looked += this->probe_more(now, first, degree, done, over);
        } else {
            __syncwarp();
            this->probe_all(now, first, degree);
        }
        settle<false>(mine, true, j, held, now, best);
        count_work(0, looked);
    }

    // One round, from `at` to `end`. A turn's data are loaded before the turn that precedes it is
    // processed. With `lists`, changed vertices are queued for a push.
    template <class Turn> __device__ void pull(Index at, Index end, Index apart) {
        Partial<S> best = nothing<S>();
        PendingRows<Z>* const pending = this->storage->pending + (threadIdx.x >> 5);
        constexpr bool ahead = Edges::sorted || !is_large<S>;  // as far as registers allow
        int begun = 0;
        Turn turn{};
        if (at < end) ask(turn, at, end);
        while (at < end || begun > 0) {
            if (begun >= 32 || at >= end) {  // a full warp continues first
                go_on(pending, begun, best);
            } else {
                const Turn now = turn;
                at += apart;
                if (ahead && at < end) ask(turn, at, end);
                begin(now, pending, begun, best);
                if (!ahead && at < end) ask(turn, at, end);
            }
        }
        long_rows(best);
        this->note_best(block_state->changed, best);
    }

    // The long rows in pieces, one warp for a piece. A warp checks 32 pieces at a time and pulls those
    // whose vertex is not final.
    __device__ void long_rows(Partial<S>& best) {
        for (const auto numbers : lanes_apart<Index>(pieces, warp_id())) {
            const Index at = numbers.own();
            bool mine = false;
            if (at < pieces) {
                const Z z = value_of(rows[at]);
                mine = !final(this->holds(rows[at], z), z);
            }
            for (Word some = __ballot_sync(ALL_LANES, mine); some != 0; some &= some - 1)
                long_row(numbers.of(__ffs(some) - 1), best);
        }
    }

    __device__ void long_row(Index p, Partial<S>& best) {
        const Index j = rows[p];
        const Offset first = firsts[p], last = indptr[j + 1];
        const Offset end = last - first > longest ? first + longest : last;
        const Z z = value_of(j);
        const Pulled<S> row = this->whole({z, this->holds(j, z)}, first, end);
        const Partial<S>& found = row.best;
        bool news = false;
        if (lane_id() == 0 && found.has) {
            const Z old = fold_into<S>(x + j, found.value);
            const bool fresh = (is_start(old) || is_start(found.value)) && claim(bits, j);
            news = fresh || this->better(found.value, old);
            if (fresh) atomicAdd(&block_state->found, 1u);
            if (news) origins.fold(j, found.value, row.tail);
            if (news) best.fold(found.value);
        }
        if (lane_id() == 0) count_work(1, row.from);
        if (lists) on.queue_if(news, j);
    }

    __device__ void count_work(int positions, int probes) const {
        if (has_log && positions > 0) atomicAdd(&block_state->taken, Count(positions));
        if (has_log && probes > 0) atomicAdd(&block_state->walked, Count(probes));
    }
};
