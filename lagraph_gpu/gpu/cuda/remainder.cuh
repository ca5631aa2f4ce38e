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

template <class S, bool sorted, bool traced> struct Remainder : Looks<S, sorted, traced> {
    using Z = typename S::Z;
    using A = typename S::A;
    using Offset = typename S::Offset;
    using Values<S>::x;
    using Values<S>::bits;
    using Values<S>::is_start;
    using Values<S>::value_of;
    using Looks<S, sorted, traced>::board;
    using Looks<S, sorted, traced>::final;
    using Looks<S, sorted, traced>::improves;
    using Looks<S, sorted, traced>::origins;

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

    // What position j holds.
    __device__ Partial<S> own(Index j) const {
        const Z z = value_of(j);
        if (this->start_is_unlike()) return {z, !is_start(z)};
        return {z, (peek(bits + (j >> 5)) >> (j & 31) & 1u) != 0};  // not after the value
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

    // Up to 32 positions, each lane with one or none, that look at their lightest edge. Where that is not
    // all, the position waits for others, for it would be a few lanes that the whole warp goes on for.
    __device__ void begin(bool mine, Index j, bool at_first, Waiting<Z>& waiting, int& begun,
                          Partial<S>& best) {
        Lightest<A> row{};
        Partial<S> held = nothing<S>();
        if (mine) {
            row = lightest[j];
            held = own(j);
        }
        const bool open = row.degree > 0 && !final(held.has, held.value);
        Pulled<S> now{held, nothing<S>(), -1};
        mine = open && row.degree <= longest;
        const bool over = !mine || this->first_look(now, row);
        if (open && !mine) now.hope.fold(this->least);  // pulled in pieces, by others
        settle(mine, over, j, held, now, row.to, at_first, best);
        tally(mine ? row.degree : 0);
        const Word some = __ballot_sync(ALL_LANES, !over);
        const int at = begun + __popc(some & lanes_below());
        if (!over) {
            waiting.begun[at] = j;
            waiting.hope[at] = now.hope.value;
            waiting.hopes[at] = now.hope.has;
        }
        begun += __popc(some);
    }

    // And of those that waited all edges that may help.
    __device__ void go_on(bool mine, Index j, const Partial<S>& hope, Partial<S>& best) {
        Partial<S> held = nothing<S>();
        Offset first = 0;
        int degree = 0;
        if (mine) {
            held = own(j);
            first = indptr[j];
            degree = static_cast<int>(indptr[j + 1] - first);
        }
        Pulled<S> now{held, hope, -1};
        if (traced) board->rows[threadIdx.x >> 5].at[lane_id()] = j;
        if constexpr (sorted) this->more_looks(now, first, degree);
        else this->all_looks(now, first, degree);
        settle(mine, true, j, held, now, now.tail, false, best);
    }

    // One round. All who are not final pull `at_first`, and later those that are wanted, 32 gathered
    // from 32 words. Where there are lists, what has changed is queued for a push.
    __device__ void pull(bool at_first) {
        Partial<S> best = nothing<S>();
        const Index words = words_of(used), apart = warp_count();
        Waiting<Z>& waiting = board->waiting[threadIdx.x >> 5];
        Word mine = 0, some = 0;  // a word for each lane; which of them have positions left
        int count = 0, begun = 0;
        for (Index base = warp_id(), at = 0; true;) {
            while (count < 32 && (some != 0 || base < words)) {
                if (some == 0) {
                    at = base + lane_id() * apart;
                    mine = at >= words ? 0 : at_first ? inside(at, used) : this->wanting[at];
                    if (!at_first && at < words) again[at] = 0;
                    some = __ballot_sync(ALL_LANES, mine != 0);
                    base += apart << 5;
                } else {
                    const int lane = __ffs(some) - 1;
                    const Word which = __shfl_sync(ALL_LANES, mine, lane);
                    const Index word = __shfl_sync(ALL_LANES, at, lane);
                    if (which >> lane_id() & 1u)
                        waiting.fresh[count + __popc(which & lanes_below())] = word << 5 | lane_id();
                    count += __popc(which);
                    some &= some - 1;
                }
            }
            const bool fresh = begun < 32 && count > 0;  // a full warp goes on first
            const int waits = fresh ? count : begun, now = waits < 32 ? waits : 32;
            if (now == 0) break;
            (fresh ? count : begun) -= now;
            __syncwarp();
            const int at_list = waits - now + lane_id();
            const bool live = lane_id() < now;
            Partial<S> hope = nothing<S>();
            if (live && !fresh) hope = {waiting.hope[at_list], waiting.hopes[at_list]};
            const Index j = !live ? 0 : fresh ? waiting.fresh[at_list] : waiting.begun[at_list];
            __syncwarp();
            if (fresh) begin(live, j, at_first, waiting, begun, best);
            else go_on(live, j, hope, best);
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
