// The bottom-up part of a hub-first closure: once most edges have been pushed, the rest pulls.
//
// A vertex that is not final folds the products of its in-edges, in place and without atomics. No
// value is better than `least` any more, and ⊗ is monotone: the product of `least` and an edge's
// weight bounds the edge's product. If the bound is no improvement, the edge's column is not read,
// nor the rest of a sorted row. A vertex as good as `bound` is final. One that may still improve
// pulls again: its warp lists it, with the edge at which it continues.
// See docs/decisions/hub-first.md.
#pragma once
#include "closure/hub_first/pull_row.cuh"

constexpr int ALONE = 8;  // so many edges of its own row a lane looks at, before the warp shares it

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

    Index n_connected;     // from there on no vertex has an in-edge
    Index longest;  // a row of more in-edges is pulled in pieces
    const Offset* indptr;
    const MinEdge<A>* min_edges;  // of the in-edges
    Index pieces;
    const Index* rows;  // of the long rows: piece p begins at entry firsts[p] of row rows[p]
    const Offset* firsts;
    NextFrontier<S> on;
    NextPull<S>* left;  // those of this warp's vertices that pull again
    bool lists;     // nobody does, and what changes goes to a list
    bool has_log;     // does anybody listen?

    // --- for whole warps ---------------------------------------------------------------------

    // Position j, which its lane alone writes, becomes what it has pulled; which ones changed.
    __device__ bool changed(Index j, const Partial<S>& own, const Partial<S>& now) const {
        if (!now.has || (own.has && !this->better(now.value, own.value))) return false;
        *static_cast<volatile Z*>(x + j) = now.value;
        return true;
    }

    // What position j holds, asked for before it is looked at.
    struct HeldEntry {
        Z z;
        Word entries;  // of its word, where they cannot be told by the values
    };
    __device__ HeldEntry ask(Index j) const {
        return {value_of(j), this->start_is_unlike() ? 0 : peek(bits + (j >> 5))};
    }
    __device__ Partial<S> own(const HeldEntry& held, Index j) const {
        return {held.z, this->start_is_unlike() ? !is_start(held.z) : (held.entries >> (j & 31) & 1u) != 0};
    }

    // What has been pulled is written. Whoever may improve yet, when the row is over, pulls again,
    // if there is another round. `together`: the positions are those of a word.
    template <bool together>
    __device__ void settle(bool mine, bool over, Index j, const Partial<S>& own, const Pulled<S>& now,
                           Partial<S>& best) {
        const bool news = mine && changed(j, own, now.best);
        const bool stays = mine && over && !lists && this->hopes(now);
        Index& kept = block_state->kept[threadIdx.x >> 5];
        const Index at = kept;
        const Word some = __ballot_sync(ALL_LANES, stays);
        if (stays)
            left[at + __popc(some & lanes_below())] = {now.best.value, arithmetic::cast<A>(now.hope.value),
                                                       now.best.has ? j : ~j, now.from};
        __syncwarp();
        if (lane_id() == 0) kept = at + __popc(some);
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

    // In the first round a lane's position, and what is known of it.
    struct FirstPull {
        Index j;
        MinEdge<A> row;
        HeldEntry held;
    };
    // Of word number `at`.
    __device__ void ask(FirstPull& turn, Index at, Index) const {
        turn.j = (at << 5) + lane_id();
        turn.row.degree = 0;
        if (turn.j >= n_connected) return;
        turn.row = min_edges[turn.j];
        turn.held = ask(turn.j);
    }
    // It looks at its lightest edge.
    __device__ void begin(const FirstPull& turn, PendingRows<Z>* pending, int& begun, Partial<S>& best) {
        const MinEdge<A>& row = turn.row;
        const Partial<S> held = row.degree > 0 ? own(turn.held, turn.j) : nothing<S>();
        const bool mine = row.degree > 0 && row.degree <= longest && !final(held.has, held.value);
        Pulled<S> now{held, nothing<S>(), -1, 0};
        const bool over = !mine || this->probe_first(now, row);
        leave<true>(mine, over, turn.j, held, now, 1, pending, begun, best);
        if (mine) count_work(1, 1);
    }

    // In later rounds those that were kept, from number `at` on.
    __device__ void ask(NextPull<S>& turn, Index at, Index end) const {
        turn.from = -1;  // nobody
        if (at + lane_id() < end) turn = left[at + lane_id()];
    }
    // It goes on from where more may come, if that may still improve it.
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

    // What is over is settled. Where that is not all, the position waits for others, for it would
    // be a few lanes that the whole warp goes on for.
    template <bool together>
    __device__ void leave(bool mine, bool over, Index j, const Partial<S>& held, const Pulled<S>& now, int done,
                          PendingRows<Z>* pending, int& begun, Partial<S>& best) {
        __syncwarp();
        settle<together>(mine, over, j, held, now, best);
        const Word some = __ballot_sync(ALL_LANES, !over);
        const int at = begun + __popc(some & lanes_below());
        if (!over) {
            pending->begun[at] = j;
            pending->done[at] = done;
            pending->from[at] = now.from;
            pending->hope[at] = now.hope.value;
            pending->hopes[at] = now.hope.has;
        }
        begun += __popc(some);
        __syncwarp();
    }

    // Of up to 32 that waited all edges that may help.
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
            now.hope = {pending->hope[at], pending->hopes[at]};
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

    // One round, from `at` to `end`; what is known of a turn is asked for before the one that
    // precedes it is taken. Where there are lists, what has changed is queued for a push.
    template <class Turn> __device__ void pull(Index at, Index end, Index apart) {
        Partial<S> best = nothing<S>();
        PendingRows<Z>* const pending = this->storage->pending + (threadIdx.x >> 5);
        constexpr bool ahead = Edges::sorted || !is_large<S>;  // as registers allow
        int begun = 0;
        Turn turn{};
        if (at < end) ask(turn, at, end);
        while (at < end || begun > 0) {
            if (begun >= 32 || at >= end) {  // a full warp goes on first
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

    // The long rows in pieces, a warp for each: 32 at a time are looked through for those not
    // final.
    __device__ void long_rows(Partial<S>& best) {
        for (Index base = warp_id(); base < pieces; base += warp_count() << 5) {
            const Index at = base + lane_id() * warp_count();
            bool mine = false;
            if (at < pieces) {
                const Z z = value_of(rows[at]);
                mine = !final(this->holds(rows[at], z), z);
            }
            for (Word some = __ballot_sync(ALL_LANES, mine); some != 0; some &= some - 1)
                long_row(base + (__ffs(some) - 1) * warp_count(), best);
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
