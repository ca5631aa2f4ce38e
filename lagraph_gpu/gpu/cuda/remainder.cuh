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

template <class S, bool sorted> struct Remainder : Looks<S, sorted> {
    using Z = typename S::Z;
    using Offset = typename S::Offset;
    using Values<S>::x;
    using Values<S>::bits;
    using Values<S>::is_start;
    using Values<S>::value_of;
    using Looks<S, sorted>::desk;
    using Looks<S, sorted>::final;
    using Looks<S, sorted>::improves;

    Index n;
    Index longest;  // a row of more in-edges is pulled in pieces
    const Offset* indptr;
    Index pieces;
    const Index* rows;  // of the long rows: piece p begins at entry firsts[p] of row rows[p]
    const Offset* firsts;
    Word* wanted;  // who pulls again

    // --- for whole warps ---------------------------------------------------------------------

    // Position j, which its lane alone writes, becomes what it has pulled; who it is that changed.
    __device__ bool changed(Index j, const Partial<S>& own, const Partial<S>& now) const {
        if (!now.has || (own.has && !this->better(now.value, own.value))) return false;
        *static_cast<volatile Z*>(x + j) = now.value;
        return true;
    }

    // Up to 32 positions, each lane with one or none.
    template <class Push>
    __device__ void positions(bool mine, Index j, Partial<S>& best, Push& push) {
        Offset first = 0;
        int degree = 0;
        Partial<S> own = nothing<S>();
        if (mine) {
            const Word holders = peek(bits + (j >> 5));
            own = {value_of(j), (holders >> (j & 31) & 1u) != 0};
            first = indptr[j];
            degree = static_cast<int>(indptr[j + 1] - first);
            if (degree > longest || final(own.has, own.value)) degree = 0;
        }
        const Pulled<S> now = this->short_rows(own, first, degree);
        const bool news = degree > 0 && changed(j, own, now.best);
        if (news && !own.has) mark(bits, j);
        if (degree > 0 && now.hope.has && improves(now.hope.value, now.best)) mark(wanted, j);
        if (news) best.fold(now.best.value);
        tally(degree);
        if (desk->lists) push.queue(news && push.degree_of(j) > push.leaf, j);
    }

    // One round. All who are not final pull `at_first`, and later those that are wanted, 32 gathered
    // from 32 words. Where there are lists, what has changed is queued for a push.
    template <class Push> __device__ void pull(bool at_first, Z final_bound, Push& push) {
        this->bound = final_bound;
        Partial<S> best = nothing<S>();
        const Index words = words_of(n), apart = warp_count();
        Index* const gathered = desk->gathered[threadIdx.x >> 5];
        Word mine = 0, some = 0;  // a word for each lane; which of them have positions left
        int count = 0;
        for (Index base = warp_id(), at = 0; true;) {
            while (count < 32 && (some != 0 || base < words)) {
                if (some == 0) {
                    at = base + lane_id() * apart;
                    mine = at < words ? (at_first ? inside(at, n) : wanted[at]) : 0;
                    if (!at_first && mine != 0) wanted[at] = 0;
                    some = __ballot_sync(ALL_LANES, mine != 0);
                    base += apart << 5;
                } else {
                    const int lane = __ffs(some) - 1;
                    const Word which = __shfl_sync(ALL_LANES, mine, lane);
                    const Index word = __shfl_sync(ALL_LANES, at, lane);
                    if (which >> lane_id() & 1u)
                        gathered[count + __popc(which & lanes_below())] = word << 5 | lane_id();
                    count += __popc(which);
                    some &= some - 1;
                }
            }
            if (count == 0) break;
            const int now = count < 32 ? count : 32;
            count -= now;
            __syncwarp();
            positions(lane_id() < now, lane_id() < now ? gathered[count + lane_id()] : 0, best, push);
            __syncwarp();
        }
        long_rows(best, push);
        this->note(desk->changed, best);
    }

    // The long rows in pieces, a warp for each: 32 at a time are looked through for those not final.
    template <class Push> __device__ void long_rows(Partial<S>& best, Push& push) {
        for (Index base = warp_id(); base < pieces; base += warp_count() << 5) {
            const Index at = base + lane_id() * warp_count();
            bool mine = false;
            if (at < pieces) {
                const Z z = value_of(rows[at]);
                mine = !final(this->holds(rows[at], z), z);
            }
            for (Word some = __ballot_sync(ALL_LANES, mine); some != 0; some &= some - 1)
                long_row(base + (__ffs(some) - 1) * warp_count(), best, push);
        }
    }

    template <class Push> __device__ void long_row(Index p, Partial<S>& best, Push& push) {
        const Index j = rows[p];
        const Offset first = firsts[p], last = indptr[j + 1];
        const Offset end = last - first > longest ? first + longest : last;
        const Z z = value_of(j);
        const Partial<S> found = this->whole({z, this->holds(j, z)}, first, end).best;
        bool news = false;
        if (lane_id() == 0 && found.has) {
            const Z old = fold_into<S>(x + j, found.value);
            const bool fresh = (is_start(old) || is_start(found.value)) && claim(bits, j);
            news = fresh || this->better(found.value, old);
            if (news) best.fold(found.value);
        }
        tally(lane_id() == 0 ? static_cast<int>(end - first) : 0);
        if (desk->lists) push.queue(news && push.degree_of(j) > push.leaf, j);
    }

    __device__ void tally(int degree) const {
        if (!desk->heard || degree == 0) return;
        atomicAdd(&desk->taken, Count(1));
        atomicAdd(&desk->walked, Count(degree));
    }
};
