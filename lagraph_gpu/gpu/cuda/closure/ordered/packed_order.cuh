// What a closure in order of value over packed rows with weights works on, and its steps. ⊕ must be the
// minimum or the maximum, and ⊗ must never improve on its left operand: see near_far.cuh. Near and
// far vertices are bitmaps here, which are walked as in packed_front.cuh.
// See docs/decisions/sssp.md.
#pragma once
#include "closure/ordered/predecessor.cuh"
#include "closure/ordered/value_order.cuh"
#include "core/packed_scan.cuh"
#include "core/packed_weights.cuh"
#include "core/warp_reduce.cuh"

// Places in the counts: the edges that leave the vertices which became near in even and in odd
// epochs, the rows that changed in each round of pulls, and 1 if the first launch of a closure in
// parts has left nothing to do. And places in the best values, behind those of the far lists: those
// of each round of pulls, and where the first launch has stopped.
constexpr unsigned WALKED_EDGES = 18, PULL_CHANGES = 20, PULL_CLOSED = 28, PULL_BESTS = 3, PULL_SETTLED = 11;
static_assert(8 * (PULL_SETTLED + 1) == PACKED_ORDER_BESTS, "each has 8 bytes");

template <class S, class Offset, class W, bool with_parents> struct PackedOrder : Order<S> {
    using Z = typename S::Z;
    using Order<S>::admits;
    using Order<S>::as_good;
    using Order<S>::better;
    using Order<S>::is_start;
    using Order<S>::nan;
    using Order<S>::report_unordered;

    PackedRows rows;
    PackedWeights<typename S::A, Offset, W> edges;
    Word* bits;          // x: the positions with an entry, and the values
    Z* x;
    Word *near, *far;    // vertices that improved: as good as the bound, for the next epoch, or not
    Z bound, best;       // best: of the far values that this thread found
    Count close, away;   // how many vertices this thread has marked as near and as far
    Count walked;        // edges; or, if they count `ahead`, those out of the vertices marked as near
    bool ahead;
    Origins<S, with_parents> origins;

    __device__ void put_near(Index j) {
        if (claim(near, j)) {
            ++close;
            if (ahead) walked += row_length(rows, j, false);
        }
        if (peek(far + (j >> 5)) >> (j & 31) & 1u) atomicAnd(far + (j >> 5), ~(1u << (j & 31)));
    }
    __device__ void put_far(Index j, Z z) {
        if (better(z, best)) best = z;
        if (claim(far, j)) ++away;
    }

    // The entries of x₀ are far; an absent position holds what a fold starts from, and does so before if x
    // is `filled`. A warp reads 32 words of the bitmap at once.
    __device__ void begin(const Start<Z>& start, Index n, bool filled) {
        const Index words = words_of(n);
        for (Index base : common_stride<Index>(words_of(words))) {
            const Index own = (base << 5) + lane_id();
            const Word entries = own < words ? start.entries(own, n) : 0;
            if (own < words) bits[own] = entries;
            const bool has = own < words && (entries != 0 || !filled);
            for (Word some = __ballot_sync(ALL_LANES, has); some != 0; some &= some - 1) {
                const int lane = __ffs(static_cast<int>(some)) - 1;
                const Index j = (((base << 5) + lane) << 5) + lane_id();
                const bool has = __shfl_sync(ALL_LANES, entries, lane) >> lane_id() & 1u;
                if (has) origins.begin(j, true, start.at(j));
                if (has || (j < n && !filled)) x[j] = has ? foldable<S>(start.at(j)) : S::start();
                if (has && j < rows.n) put_far(j, start.at(j));
            }
        }
    }

    // Takes the bits of values that are not as good as `limit`.
    __device__ void keep_within(Z limit) const {
        each_word_of<false>(bits, words_of(rows.n), [&](Index word, Word held) {
            const bool has = held >> lane_id() & 1u;
            const Word kept = __ballot_sync(ALL_LANES, has && as_good(x[(word << 5) + lane_id()], limit));
            __syncwarp();  // another lane has read it
            if (lane_id() == 0 && kept != held) bits[word] = kept;
        });
    }

    // Far vertices that are as good as the bound become near ones, of which there are none before.
    __device__ void sift() {
        each_word_of<false>(far, words_of(rows.n), [&](Index word, Word held) {
            const Index j = (word << 5) + lane_id();
            const bool has = held >> lane_id() & 1u;
            const Z z = has ? peek(x + j) : S::start();
            if (has && nan(z)) report_unordered();
            const bool comes = has && !nan(z) && as_good(z, bound), stays = has && !nan(z) && !comes;
            const Word coming = __ballot_sync(ALL_LANES, comes), staying = __ballot_sync(ALL_LANES, stays);
            close += comes;
            if (ahead && comes) walked += row_length(rows, j, false);
            away += stays;
            if (stays && better(z, best)) best = z;
            __syncwarp();
            if (lane_id() == 0) {
                near[word] = coming;
                far[word] = staying;
            }
        });
    }

    // Relaxes the edge from k, whose value is `from`, to j.
    __device__ void relax(Index j, Index k, Z from, typename S::A weight) {
        const Z z = S::step(from, k, &weight, 0, j);
        if (!admits(from, z) || !(is_start(z) || better(z, peek(x + j)))) return;
        const Z old = fold_into<S>(x + j, z);
        bool improves = better(z, old);
        if (is_start(z)) improves = claim(bits, j);
        else if (is_start(old)) mark(bits, j);
        if (!improves) return;
        origins.fold(j, z, k);
        if (as_good(z, bound)) put_near(j);
        else put_far(j, z);
    }

    // For packed_front.cuh.
    __device__ void first(Index k, Index column, bool has) {
        walked += has && !ahead;
        if (has) relax(column, k, peek(x + k), edges.of(k, 0));
    }
    __device__ void rest(Index k, Index at, const Index (&columns)[OF_LANE], int count) {
        const Z from = peek(x + k);
        walked += ahead ? 0 : count;
        typename S::A weight[OF_LANE];
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i)
            if (i < count) weight[i] = edges.of(k, at + i);
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i)
            if (i < count) relax(columns[i], k, from, weight[i]);
    }

    // Pushes from the near vertices of a word, or lists their segments; the word is empty afterwards.
    __device__ void push_words(Word* now, long long* listed, Count* count) {
        each_word_of<false>(now, words_of(rows.n), [&](Index word, Word those) {
            __syncwarp();  // another lane has read it
            if (lane_id() == 0) now[word] = 0;
            if (word << 5 < rows.n_long) list_segments(rows, word, those, listed, count);
            else walk_short(rows, word, those, *this);
        });
    }

    // Adds what the warp has found to the lists' lengths and to the best far value.
    __device__ void add_up(Count* near_count, Count* far_count, Z* far_best, Count* edges_walked) {
        close = warp_reduce<Sum>(close);
        away = warp_reduce<Sum>(away);
        walked = warp_reduce<Sum>(walked);
        const Partial<S> found = fold_warp(Partial<S>{best, !is_start(best)});
        if (lane_id() == 0) {
            if (close > 0) atomicAdd(near_count, close);
            if (away > 0) atomicAdd(far_count, away);
            if (walked > 0 && edges_walked != nullptr) atomicAdd(edges_walked, walked);
            if (found.has) fold_into<S>(far_best, found.value);
        }
        close = away = walked = 0;
        best = S::start();
    }
};
