// What is left of a closure by order of value pulls, once the vertices that most edges leave are final.
//
// Whoever is not final yet folds what its in-edges offer, in place and without atomics. Nothing that
// may still be offered is better than `least`, and ⊗ is monotone: so the product of `least` and an
// edge's weight bounds what may come by it, and where that would not improve the vertex, the edge's
// column is never asked for. If rows are sorted, best weights first, the rest of the row is not
// either. Whoever is as good as `bound` is final. Only vertices that met an edge from one that is not,
// and that might improve them yet, need to pull again.
#pragma once
#include "looks.cuh"

template <class S, class Edges, bool traced, int ALONE> struct Remainder : Looks<S, Edges, traced> {
    using Z = typename S::Z;
    using A = typename S::A;
    using Offset = typename S::Offset;
    using Values<S>::x;
    using Values<S>::bits;
    using Values<S>::is_start;
    using Values<S>::value_of;
    using Looks<S, Edges, traced>::board;
    using Looks<S, Edges, traced>::final;
    using Looks<S, Edges, traced>::improves;
    using Looks<S, Edges, traced>::origins;

    Index used;     // from there on no vertex has an in-edge
    Index longest;  // a row of more in-edges is pulled in pieces
    const Offset* indptr;
    const Lightest<A>* lightest;  // of the in-edges
    Index pieces;
    const Index* rows;  // of the long rows: piece p begins at entry firsts[p] of row rows[p]
    const Offset* firsts;
    Word* again;  // who pulls in the next round
    Onward<S> on;

    // --- for whole warps ---------------------------------------------------------------------

    // Position j, which its lane alone writes, becomes what it has pulled; who it is that changed.
    __device__ bool changed(Index j, const Partial<S>& own, const Partial<S>& now) const {
        if (!now.has || (own.has && !this->better(now.value, own.value))) return false;
        *static_cast<volatile Z*>(x + j) = now.value;
        return true;
    }

    // What position j holds, asked for before it is looked at.
    struct Held {
        Z z;
        Word entries;  // of its word, where they cannot be told by the values
    };
    __device__ Held ask(Index j) const {
        return {value_of(j), this->start_is_unlike() ? 0 : peek(bits + (j >> 5))};
    }
    __device__ Partial<S> own(const Held& held, Index j) const {
        return {held.z, this->start_is_unlike() ? !is_start(held.z) : (held.entries >> (j & 31) & 1u) != 0};
    }

    // What has been pulled is written, from `tail` unless that is negative. Whoever hopes for more, when
    // the row is over, pulls again. In the first round the 32 positions are those of a word.
    __device__ void settle(bool mine, bool over, Index j, const Partial<S>& own, const Pulled<S>& now,
                           Index tail, bool at_first, Partial<S>& best) {
        const bool news = mine && changed(j, own, now.best);
        const bool wants = over && now.hope.has && improves(now.hope.value, now.best);
        mark_each(bits, news && !own.has, j);
        this->find(board, news && !own.has);
        if (at_first) {
            const Word some = __ballot_sync(ALL_LANES, wants);
            if (lane_id() == 0) again[j >> 5] = some;
        } else {
            mark_each(again, wants, j);
        }
        if (news && tail >= 0) origins.put(j, now.best.value, tail);
        if (news) best.fold(now.best.value);
        on.queue_if(news, j);
    }
    // One atomic for the positions of one word, if they stand as their bits do, as in the first round.
    static __device__ void mark_each(Word* bits, bool mine, Index j) {
        const Word some = __ballot_sync(ALL_LANES, mine);
        if (some == 0) return;
        const Index word = __shfl_sync(ALL_LANES, j >> 5, __ffs(some) - 1);
        if (__all_sync(ALL_LANES, !mine || j == (word << 5 | lane_id()))) {
            if (lane_id() == 0) atomicOr(bits + word, some);
        } else if (mine) {
            mark(bits, j);
        }
    }

    // Whose turn it is: a position for each lane, or none, and what is known of it.
    struct Turn {
        int count;
        Index j;
        Lightest<A> row;
        Held held;
        Offset first;
    };

    // Up to 32 positions look at their lightest edge, and where rows are sorted at some more. Where that is
    // not all, the position waits for others, for it would be a few lanes that the whole warp goes on for.
    __device__ void begin(const Turn& turn, bool at_first, Waiting<Z>& waiting, int& begun,
                          Partial<S>& best) {
        const Index j = turn.j;
        const Lightest<A>& row = turn.row;
        const Partial<S> held = row.degree > 0 ? own(turn.held, j) : nothing<S>();
        const bool open = row.degree > 0 && !final(held.has, held.value);
        Pulled<S> now{held, nothing<S>(), -1};
        const bool mine = open && row.degree <= longest;
        bool over = !mine || this->first_look(now, row);
        int done = 1;
        if (Edges::sorted && !over) over = this->own_looks(now, turn.first, row.degree, done, ALONE);
        __syncwarp();
        if (open && !mine) now.hope.fold(this->least);  // pulled in pieces, by others
        settle(mine, over, j, held, now, now.tail, at_first, best);
        tally(mine ? row.degree : 0);
        const Word some = __ballot_sync(ALL_LANES, !over);
        const int at = begun + __popc(some & lanes_below());
        if (!over) {
            waiting.begun[at] = j;
            waiting.done[at] = done;
            waiting.hope[at] = now.hope.value;
            waiting.hopes[at] = now.hope.has;
        }
        begun += __popc(some);
    }

    // And of those that waited all edges that may help.
    __device__ void go_on(int waits, Waiting<Z>& waiting, Partial<S>& best) {
        __syncwarp();
        const int at = waits - 1 - lane_id();
        const bool mine = at >= 0;
        const Index j = mine ? waiting.begun[at] : 0;
        const int done = mine ? waiting.done[at] : 0;
        Partial<S> hope = nothing<S>();
        if (mine) hope = {waiting.hope[at], waiting.hopes[at]};
        __syncwarp();

        Partial<S> held = nothing<S>();
        Offset first = 0;
        int degree = 0;
        if (mine) {
            held = own(ask(j), j);
            first = indptr[j];
            degree = static_cast<int>(indptr[j + 1] - first);
        }
        Pulled<S> now{held, hope, -1};
        if (traced) board->rows[threadIdx.x >> 5].at[lane_id()] = j;
        if constexpr (Edges::sorted) this->more_looks(now, first, degree, done);
        else this->all_looks(now, first, degree);
        settle(mine, true, j, held, now, now.tail, false, best);
    }

    // Where a warp stands in the words of those that pull: one for each lane, and who of them has some left.
    struct Words {
        Index base, at;
        Word mine, some;
        int count;  // of the positions that are gathered
    };

    // The next 32, gathered from as many words as that takes. What is known of them is asked for a turn ahead.
    __device__ Turn next(Words& from, bool at_first, Waiting<Z>& waiting) const {
        const Index words = words_of(used), apart = warp_count();
        while (from.count < 32 && (from.some != 0 || from.base < words)) {
            if (from.some == 0) {
                from.at = from.base + lane_id() * apart;
                from.mine = from.at >= words ? 0 : at_first ? inside(from.at, used) : this->wanting[from.at];
                if (!at_first && from.at < words) again[from.at] = 0;
                from.some = __ballot_sync(ALL_LANES, from.mine != 0);
                from.base += apart << 5;
            } else {
                const int lane = __ffs(from.some) - 1;
                const Word which = __shfl_sync(ALL_LANES, from.mine, lane);
                const Index word = __shfl_sync(ALL_LANES, from.at, lane);
                if (which >> lane_id() & 1u)
                    waiting.fresh[from.count + __popc(which & lanes_below())] = word << 5 | lane_id();
                from.count += __popc(which);
                from.some &= from.some - 1;
            }
        }
        Turn turn{from.count < 32 ? from.count : 32, 0, Lightest<A>{}, Held{}, 0};
        from.count -= turn.count;
        __syncwarp();
        if (lane_id() < turn.count) {
            turn.j = waiting.fresh[from.count + lane_id()];
            turn.row = lightest[turn.j];
            turn.held = ask(turn.j);
            if (Edges::sorted) turn.first = indptr[turn.j];
        }
        __syncwarp();
        return turn;
    }

    // One round. All who are not final pull `at_first`, and later those that are wanted. Where there are lists,
    // what has changed is queued for a push.
    __device__ void pull(bool at_first) {
        Partial<S> best = nothing<S>();
        Waiting<Z>& waiting = board->waiting[threadIdx.x >> 5];
        Words from{warp_id(), 0, 0, 0, 0};
        int begun = 0;
        for (Turn turn = next(from, at_first, waiting); turn.count > 0 || begun > 0;) {
            if (begun >= 32 || turn.count == 0) {  // a full warp goes on first
                go_on(begun, waiting, best);
                begun = begun > 32 ? begun - 32 : 0;
            } else {
                const Turn now = turn;
                if (Edges::sorted || ALONE > 0) turn = next(from, at_first, waiting);
                begin(now, at_first, waiting, begun, best);
                if (!(Edges::sorted || ALONE > 0)) turn = next(from, at_first, waiting);
            }
        }
        long_rows(best);
        this->note(board->changed, best);
    }

    // The long rows in pieces, a warp for each: 32 at a time are looked through for those not final.
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
            if (fresh) atomicAdd(&board->found, 1u);
            if (news) origins.fold(j, found.value, row.tail);
            if (news) best.fold(found.value);
        }
        tally(lane_id() == 0 ? static_cast<int>(end - first) : 0);
        on.queue_if(news, j);
    }

    __device__ void tally(int degree) const {
        if (!board->heard || degree == 0) return;
        atomicAdd(&board->taken, Count(1));
        atomicAdd(&board->walked, Count(degree));
    }
};
