// A pull over packed rows. It reads the first column of each row that has no entry. Rows that this does
// not settle wait until there is one for each lane. A lane decodes a short row, or the beginning of a
// long row; whole warps decode the rest of long rows.
//
// A first column that is not in the frontier is likely to be in the next one. So a pull that `guesses`
// takes it for the next round, and the next pull, which is `guessed`, writes nothing for rows whose guess
// was right: whole sectors are written, and only once (see first_hit.cuh).
// A pull looks for columns before `limit` alone; rows that have none there are left to a push from the others.
// See docs/decisions/layouts.md.
#pragma once
#include "closure/level_synchronous/packed_state.cuh"
#include "core/packed_lookup.cuh"
#include "core/vector_load.cuh"

constexpr int PACKED_WORDS = 8;                           // words of a warp whose first columns are under way
constexpr int PACKED_LATER = 32 + 32 * PACKED_WORDS;       // rows that wait, of a warp

// Rows that wait to be searched, of a warp, their first columns, and of short ones their tails and the units
// before each in its group.
struct WaitingRows {
    Index row[PACKED_LATER], first[PACKED_LATER];
    unsigned short tail[PACKED_LATER], before[PACKED_LATER];
};

// Which rows a warp looks at in a turn: those of `words` words from `first` on, of each the `rows` in a bitmap.
// On small graphs warps have fewer words, or share one, so that all of them take part.
struct PullShare {
    Index words, first, apart;
    Word rows;

    __device__ explicit PullShare(Index all) {
        const Index warps = warp_count(), warp = common_warp_id();
        int sharing = 1;  // so many warps have a word
        while (2 * sharing <= 32 && 2 * sharing * Count(all) <= Count(warps)) sharing *= 2;
        words = all >= PACKED_WORDS * Count(warps) ? PACKED_WORDS : all > warps ? Index(all / warps) : 1;
        apart = warps / sharing * words;
        first = warp / sharing * words;
        rows = ALL_LANES >> (32 - 32 / sharing) << warp % sharing * (32 / sharing);
    }
};

template <class S> struct PackedPull {
    PackedSearch<S>& c;
    WaitingRows* waiting;  // of this warp
    bool guesses, guessed;
    Index limit;           // the columns before it are looked for

    // The words from `base` on, a word for a lane: which rows have an entry, as it is loaded; and of these, which rows
    // have none. Between both are the turns in which the load is under way.
    __device__ Word held(Index base, PullShare share) const {
        const Index own = base + lane_id();
        return lane_id() < share.words && own < words_of(c.rows.n) ? peek(c.bits + own) : ALL_LANES;
    }
    __device__ Word open(Index base, Word held, PullShare share) const {
        const Index own = base + lane_id();
        return own < words_of(c.rows.n) ? ~held & inside(own, c.rows.n) & share.rows : 0;
    }
    // Asks for the first columns of these rows, a sector of memory by each lane.
    __device__ void prefetch_first(Index base, Word mine) const {
        static_assert(PACKED_WORDS == 8, "lanes for the sectors of a word: 4");
        const Word word = __shfl_sync(ALL_LANES, mine, lane_id() >> 2);
        prefetch(c.rows.first + ((base << 5) + 8 * lane_id()), word >> 8 * (lane_id() & 3) & 255u);
    }

    __device__ void pull() {
        const Index words = words_of(c.rows.n);
        const PullShare share(words);
        Index base = share.first;
        Word held_here = held(base, share), held_next = held(base + share.apart, share);
        int pending = 0;
        for (;; base += share.apart) {
            const bool over = base >= words;
            if (!over) {
                prefetch_first(base + share.apart, open(base + share.apart, held_next, share));
                const Word held_then = held(base + 2 * share.apart, share), mine = open(base, held_here, share);
                if (__any_sync(ALL_LANES, mine != 0)) look_at_first(base, mine, pending);
                held_here = held_next;
                held_next = held_then;
            }
            while (pending >= 32 || (over && pending > 0)) {
                const int count = pending < 32 ? pending : 32;
                pending -= count;
                search(pending, count);
            }
            if (over) break;
        }
    }

    // The rows of some words that have no entry, by their first columns. No shuffle or vote stands between loads that
    // wait for memory together. For a row that is not asked column 0 is looked at, and does not count.
    __device__ void look_at_first(Index base, Word mine, int& pending) {
        constexpr int many = PACKED_WORDS;
        const Index own = (base << 5) + lane_id();
        Index first[many];
        Word word[many], asks = 0, hits = 0, misses = 0, fresh = 0;
#pragma unroll
        for (int i = 0; i < many; ++i) asks |= (__shfl_sync(ALL_LANES, mine, i) >> lane_id() & 1u) << i;
#pragma unroll
        for (int i = 0; i < many; ++i) first[i] = asks >> i & 1u ? c.rows.first[own + 32 * i] : -1;
        loaded(first);
#pragma unroll
        for (int i = 0; i < many; ++i) {
            word[i] = c.front_word(first_column(first[i]));
            misses |= Word(static_cast<Word>(first[i]) < static_cast<Word>(limit)) << i;
        }
        loaded(word);
#pragma unroll
        for (int i = 0; i < many; ++i) hits |= (word[i] >> (first_column(first[i]) & 31) & 1u) << i;
        hits &= asks;
        misses &= ~hits;
        const Word taken = guesses ? asks : guessed ? 0 : hits;
#pragma unroll
        for (int i = 0; i < many; ++i)
            if (taken >> i & 1u) c.take(own + 32 * i, first_column(first[i]), hits >> i & 1u);
        if (c.exact)
            for (Word some = hits; some != 0; some &= some - 1)
                c.note_pulled(own + 32 * (__ffs(static_cast<int>(some)) - 1));
#pragma unroll
        for (int i = 0; i < many; ++i) {
            const Word some = __ballot_sync(ALL_LANES, hits >> i & 1u);
            if (lane_id() == i) fresh = some;
        }
        if (__any_sync(ALL_LANES, misses != 0)) wait(base, misses, first, pending);
        if (!c.exact) c.vertices += __popc(fresh);
        if (fresh != 0) {
            atomicOr(c.bits + base + lane_id(), fresh);
            atomicOr(c.next.bits + base + lane_id(), fresh);
        }
        __syncwarp();
    }

    // Lets the rows of some words wait that have missed, and may have a column that is looked for after the first.
    __device__ void wait(Index base, Word misses, const Index (&first)[PACKED_WORDS], int& pending) {
        Word rest[PACKED_WORDS], tail[PACKED_WORDS];
#pragma unroll
        for (int i = 0; i < PACKED_WORDS; ++i) rest[i] = __ballot_sync(ALL_LANES, misses >> i & 1u);
#pragma unroll
        for (int i = 0; i < PACKED_WORDS; ++i) {
            const Index j = ((base + i) << 5) + lane_id();
            tail[i] = rest[i] != 0 && j >= c.rows.n_long && j < c.rows.n ? c.rows.tails[j - c.rows.n_long] : 0;
        }
#pragma unroll
        for (int i = 0; i < PACKED_WORDS; i += 2) {  // the sums of two words together: each has at most 16 bits
            if ((rest[i] | rest[i + 1]) == 0) continue;
            const Word units = units_of_tail(tail[i]) | units_of_tail(tail[i + 1]) << 16;
            const Word before = running_sum(units) - units;
            wait(base + i, rest[i], first[i], tail[i], before, pending);
            wait(base + i + 1, rest[i + 1], first[i + 1], tail[i + 1], before >> 16, pending);
        }
    }
    __device__ void wait(Index word, Word missed, Index first, Word tail, Word before, int& pending) {
        const int at = append_own_lanes(missed, pending);
        if (!(missed >> lane_id() & 1u)) return;
        waiting->row[at] = (word << 5) + lane_id();
        waiting->first[at] = first;
        waiting->tail[at] = static_cast<unsigned short>(tail);
        waiting->before[at] = static_cast<unsigned short>(before);
    }

    // Searches `count` waiting rows from `from` on, one for each lane.
    __device__ void search(int from, int count) {
        const bool has = lane_id() < count;
        const int at = from + lane_id();
        const Index j = has ? waiting->row[at] : 0;
        const auto look = [&](Index column) { return c.front_word(column); };
        const auto test = [](Index column, Word seen) { return seen >> (column & 31) & 1u; };
        bool found = false;
        Index last = 0;
        if (has && j >= c.rows.n_long) {
            const Word* const group = c.rows.words(c.rows.groups[(j - c.rows.n_long) >> 5]);
            const Tail tail(group, waiting->before[at], waiting->tail[at]);
            last = waiting->first[at];
            found = find_in_block(GapsInTurn(tail), tail.gaps, last, limit, look, test) >= 0;
        } else if (has) {
            const Segment segment(c.rows, c.rows.segments[j]);
            const int gaps = segment.entries < PACKED_GAPS ? segment.entries : PACKED_GAPS;
            const GapsInTurn in_turn(segment.words + 1 + segment.blocks(), 0, segment.words[1], gaps);
            last = segment.before();
            found = find_in_block(in_turn, gaps < QUARTER ? gaps : QUARTER, last, limit, look, test) >= 0;
        }
        if (found) c.settle(j, last);
        const bool goes_on = has && !found && last < limit && j < c.rows.n_long;
        for (Word some = __ballot_sync(ALL_LANES, goes_on); some != 0; some &= some - 1)
            search_long(__shfl_sync(ALL_LANES, j, __ffs(static_cast<int>(some)) - 1));
        __syncwarp();
    }

    // A long row by the whole warp.
    __device__ void search_long(Index j) {
        const Index end = c.rows.segments[j + 1];
        for (Index s = c.rows.segments[j]; s < end; ++s) {
            const bool found = each_four(Segment(c.rows, s), [&](Index at, const Index (&columns)[OF_LANE], int count) {
                Index k = -1;
                Word seen[OF_LANE];
#pragma unroll
                for (int i = 0; i < OF_LANE; ++i) seen[i] = i < count ? c.front_word(columns[i]) : 0;
                loaded(seen);
#pragma unroll
                for (int i = OF_LANE - 1; i >= 0; --i)
                    if (seen[i] >> (columns[i] & 31) & 1u) k = columns[i];
                const Word hits = __ballot_sync(ALL_LANES, k >= 0);
                if (hits != 0 && lane_id() == __ffs(static_cast<int>(hits)) - 1) c.settle(j, k);
                const bool later = at % (2 * OF_LANE) != 0;  // have all columns before these been visited?
                const bool beyond = later && columns[OF_LANE - 1] >= limit;
                return hits != 0 || __any_sync(ALL_LANES, beyond);
            });
            if (found) return;
        }
    }
};
