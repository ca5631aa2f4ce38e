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
    using Looks<S, sorted>::board;
    using Looks<S, sorted>::final;
    using Looks<S, sorted>::improves;

    Index n;
    Index longest;  // a row of more in-edges is pulled in pieces
    const Offset* indptr;
    Index pieces;
    const Index* rows;  // of the long rows: piece p begins at entry firsts[p] of row rows[p]
    const Offset* firsts;
    Word* wanted;  // who pulls again
    Onward<S> on;

    // --- for whole warps ---------------------------------------------------------------------

    // Position j, which its lane alone writes, becomes what it has pulled; who it is that changed.
    __device__ bool changed(Index j, const Partial<S>& own, const Partial<S>& now) const {
        if (!now.has || (own.has && !this->better(now.value, own.value))) return false;
        *static_cast<volatile Z*>(x + j) = now.value;
        return true;
    }

    // What position j holds, and where its row is; none where there is nothing to pull.
    __device__ Partial<S> row_of(bool mine, Index j, Offset* first, int* degree) const {
        *first = 0;
        *degree = 0;
        if (!mine) return nothing<S>();
        const Word holders = peek(bits + (j >> 5));
        const Partial<S> own{value_of(j), (holders >> (j & 31) & 1u) != 0};
        *first = indptr[j];
        const Offset length = indptr[j + 1] - *first;
        if (length <= longest && !final(own.has, own.value)) *degree = static_cast<int>(length);
        return own;
    }

    // What has been pulled is written. Whoever hopes for more, when the row is over, pulls again.
    __device__ void settle(bool mine, bool over, Index j, const Partial<S>& own, const Pulled<S>& now,
                           Partial<S>& best) {
        const bool news = mine && changed(j, own, now.best);
        mark_each(bits, news && !own.has, j);
        mark_each(wanted, mine && over && now.hope.has && improves(now.hope.value, now.best), j);
        if (news) best.fold(now.best.value);
        if (board->lists) on.queue(news && on.degree_of(j) > on.leaf, j);
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

    // Up to 32 positions, each lane with one or none. Of sorted rows each lane looks at the first edges
    // only, if they are `fresh`: where its row is not over then, the position waits for others, for it
    // would be a few lanes that the whole warp goes on for.
    __device__ void positions(bool mine, Index j, bool fresh, const Partial<S>& hope,
                              Waiting<Z>& waiting, int& begun, Partial<S>& best) {
        Offset first;
        int degree;
        const Partial<S> own = row_of(mine, j, &first, &degree);
        Pulled<S> now{own, hope};
        bool over = true;
        if constexpr (!sorted) this->all_looks(now, first, degree);
        else if (fresh) over = this->first_looks(now, first, degree);
        else this->more_looks(degree == 0, now, first, degree);
        settle(degree > 0, over, j, own, now, best);
        if (fresh) tally(degree);
        if (!sorted) return;
        const Word some = __ballot_sync(ALL_LANES, !over);
        const int at = begun + __popc(some & lanes_below());
        if (!over) {
            waiting.begun[at] = j;
            waiting.hope[at] = now.hope.value;
            waiting.hopes[at] = now.hope.has;
        }
        begun += __popc(some);
    }

    // One round. All who are not final pull `at_first`, and later those that are wanted, 32 gathered
    // from 32 words. Where there are lists, what has changed is queued for a push.
    __device__ void pull(bool at_first) {
        Partial<S> best = nothing<S>();
        const Index words = words_of(n), apart = warp_count();
        Waiting<Z>& waiting = board->waiting[threadIdx.x >> 5];
        Word mine = 0, some = 0;  // a word for each lane; which of them have positions left
        int count = 0, begun = 0;
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
                        waiting.fresh[count + __popc(which & lanes_below())] = word << 5 | lane_id();
                    count += __popc(which);
                    some &= some - 1;
                }
            }
            const bool fresh = begun < 32 && count > 0;
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
            positions(live, j, fresh, hope, waiting, begun, best);
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
        const Partial<S> found = this->whole({z, this->holds(j, z)}, first, end).best;
        bool news = false;
        if (lane_id() == 0 && found.has) {
            const Z old = fold_into<S>(x + j, found.value);
            const bool fresh = (is_start(old) || is_start(found.value)) && claim(bits, j);
            news = fresh || this->better(found.value, old);
            if (news) best.fold(found.value);
        }
        tally(lane_id() == 0 ? static_cast<int>(end - first) : 0);
        if (board->lists) on.queue(news && on.degree_of(j) > on.leaf, j);
    }

    __device__ void tally(int degree) const {
        if (!board->heard || degree == 0) return;
        atomicAdd(&board->taken, Count(1));
        atomicAdd(&board->walked, Count(degree));
    }
};

// Blocks of a multiprocessor: fewer where 64 registers a thread are too few.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
template <class S> constexpr int blocks_of_pull = 3;
#else
template <class S>
constexpr int blocks_of_pull = sizeof(typename S::Z) + sizeof(typename S::Offset) > 8 ? 3 : 4;
#endif

// One round of pulls, of so many, each a kernel by itself: it needs no barrier, and fills the device
// with more threads than a resident kernel could have. What it takes is as in core_first.cuh.
template <class S, bool sorted>
__global__ void __launch_bounds__(256, blocks_of_pull<S>)
    pull_rest(int round, int pulls, Index n, int leaf, const typename S::Offset* indptr,
              const typename S::Offset* in_indptr, const Index* in_indices, const typename S::A* in_values,
              int in_stride, Index longest, Index pieces, const Index* long_rows,
              const typename S::Offset* firsts, Word* x_bits, typename S::Z* x, long long* items,
              Count room, Word* bits, typename S::Z* bests, Count* counts, Index logged, Count* log) {
    using Z = typename S::Z;
    __shared__ Board<Z> board;
    const Best<Z> before = best_of(bests, counts, CHANGE + (round - 1) % 3);
    const Count rest = read_count(counts + REST), step = rest + round - 1;
    if (rest == 0 || (round > 1 && !before.any())) return;
    const bool leads = threadIdx.x == 0, leads_all = leads && blockIdx.x == 0;
    Count* const line = log == nullptr || step >= Count(logged) ? nullptr : log + 4 * (step + 1);
    const Index words = words_of(n);
    if (leads) {
        board.clear(S::start());
        board.into = Queues{items, room, bits, words, counts}.of(unsigned(step) + 1);
        board.lists = round == pulls;
        board.heard = line != nullptr;
    }
    if (leads_all) {
        counts[PULLS] = round;
        best_of(bests, counts, CHANGE + (round + 1) % 3).clear(S::start());
        if (line != nullptr) {
            line[0] = 1;
            line[3] = clock64();
        }
    }
    __syncthreads();
    const Z least = round == 1 ? best_of(bests, counts, LEAST).read() : before.read();
    const Z bound = round == 1 ? best_of(bests, counts, BOUND).read() : least;
    Remainder<S, sorted> pull{{{{{}, counts + STRANGE}, x, x_bits}, in_indices, in_values, in_stride, &board,
                               bound, least},
                              n, longest, in_indptr, pieces, long_rows, firsts, bits + 2 * words,
                              {indptr, leaf, &board}};
    pull.pull(round == 1);
    __syncthreads();
    board.queued.flush(board.into.items, board.into.count);
    if (!leads) return;
    Values<S>::tell(board.changed, best_of(bests, counts, CHANGE + round % 3));
    board.count_into(line);
}
