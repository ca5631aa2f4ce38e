// What a search over packed rows works on, and its steps: all vertices that changed are processed
// at once, by push or by pull (see packed_rows.cuh and packed_search.cuh).
//
// The frontier is a bitmap alone. A push walks it word by word: a warp walks the short rows of a
// word, and lists the segments of its long ones, which all warps then share. A pull looks at the
// first column of each row that has no entry yet. Rows that it does not settle wait until there is
// one for each lane, which decodes a short row, or the beginning of a long one, by itself; what is
// left of the long ones goes to whole warps.
// See docs/decisions/layouts.md.
#pragma once
#include "closure/level_synchronous/frontier.cuh"
#include "core/fold.cuh"
#include "core/operands.cuh"
#include "core/packed_rows.cuh"
#include "core/warp_reduce.cuh"

constexpr int PACKED_WORDS = 8;                           // words of a warp whose first columns are under way
constexpr int SEGMENT_SHARES = SEGMENT_ENTRIES / PACKED_GAPS;
constexpr int PACKED_LATER = 32 + 32 * PACKED_WORDS;       // rows that wait, of a warp

// Rows that wait to be searched, of a warp, and the words before each in its group.
struct WaitingRows {
    Index row[PACKED_LATER];
    unsigned short before[PACKED_LATER];
};

// A frontier, and its vertices, the edges that leave them, and the segments that are listed.
struct PackedLevel3 {
    Word* bits;
    Count* counts;

    __device__ Count read(int which) const { return read_count(counts + which); }
    __device__ void clear(Index words) const {
        if (thread_id<Count>() < 3) counts[thread_id<Count>()] = 0;
        for (Count word : grid_stride<Count>(words)) bits[word] = 0;
    }
};

template <class S> struct PackedSearch {
    using Z = typename S::Z;

    PackedRows rows;
    const typename S::A* value;   // of all entries
    Word* bits;                   // which positions hold an entry, and the entries
    Z* x;
    Index* rounds;                // in which each took its value, unless null
    long long* listed;            // segments and whose they are
    WaitingRows* waiting;         // of this warp
    bool exact;                   // is every edge counted, for a log?
    PackedLevel3 now, next;
    Index round;
    Count vertices, edges;

    __device__ bool in_front(Index k) const { return now.bits[k >> 5] >> (k & 31) & 1u; }
    __device__ bool held(Index j) const { return peek(bits + (j >> 5)) >> (j & 31) & 1u; }

    // Position j, which nobody else settles, takes what comes from k.
    __device__ void take(Index j, Index k) {
        typename S::U u{};
        if constexpr (S::reads_vector) u = static_cast<typename S::U>(x[k]);
        if (!S::same || x != nullptr) x[j] = S::step(u, k, value, 0, j);
        if (rounds != nullptr) rounds[j] = round;
    }
    __device__ void note(Index j) {
        ++vertices;
        edges += static_cast<Count>(exact ? row_length<true>(rows, j) : row_length<false>(rows, j));
    }
    // Up to MANY positions that k reaches. All are looked up before one is claimed, and claimed before
    // one is taken, for each is a wait for memory.
    template <int MANY> __device__ void offer(const Index (&j)[MANY], int count, Index k) {
        bool fresh[MANY];
#pragma unroll
        for (int i = 0; i < MANY; ++i) fresh[i] = i < count && !held(j[i]);
#pragma unroll
        for (int i = 0; i < MANY; ++i) fresh[i] = fresh[i] && claim_unset(bits, j[i]);
#pragma unroll
        for (int i = 0; i < MANY; ++i) {
            if (!fresh[i]) continue;
            take(j[i], k);
            mark(next.bits, j[i]);
            note(j[i]);
        }
    }
    __device__ void settle(Index j, Index k) {
        take(j, k);
        mark(bits, j);
        mark(next.bits, j);
        note(j);
    }

    // Adds what the warp has found to the next level.
    __device__ void add_up() {
        vertices = warp_reduce<Sum>(vertices);
        edges = warp_reduce<Sum>(edges);
        if (lane_id() == 0 && vertices > 0) {
            atomicAdd(next.counts, vertices);
            atomicAdd(next.counts + 1, edges);
        }
        vertices = edges = 0;
    }

    // --- push ----------------------------------------------------------------------------------
    // Short rows at once; the segments of long ones are listed.
    __device__ void push_words() {
        const Index words = words_of(rows.n), apart = warp_count();
        for (Index base = warp_id(); base < words; base += apart << 5) {
            const Index at = base + lane_id() * apart;
            const Word mine = at < words ? now.bits[at] : 0;
            for (Word some = __ballot_sync(ALL_LANES, mine != 0); some != 0; some &= some - 1) {
                const int lane = __ffs(static_cast<int>(some)) - 1;
                const Index word = base + lane * apart;
                const Word those = __shfl_sync(ALL_LANES, mine, lane);
                if (word << 5 < rows.n_long) list_segments(word, those);
                else push_short(word, those);
            }
        }
    }
    __device__ void push_short(Index word, Word those) {
        const ShortRows here(rows, word);
        const Index own = (word << 5) + lane_id();
        const bool has = those >> lane_id() & 1u;
        const Index first = has ? first_column(rows.first[own]) : 0;
        offer<1>({first}, has, own);
        for (Word some = __ballot_sync(ALL_LANES, has && gaps_of(here.tail) > 0); some != 0; some &= some - 1) {
            const int lane = __ffs(static_cast<int>(some)) - 1;
            const Tail tail = here.of(rows, lane);
            Index last = __shfl_sync(ALL_LANES, first, lane), columns[OF_LANE];
            Word steps[OF_LANE];
            gaps_of_lane(tail.block, tail.widths, tail.gaps, steps);
            columns_of_lane(steps, last, columns);
            offer(columns, count_of_lane(tail.gaps), (word << 5) + lane);
        }
    }
    __device__ void list_segments(Index word, Word those) {
        const Index own = (word << 5) + lane_id();
        const bool has = those >> lane_id() & 1u;
        const Index first = has ? rows.segments[own] : 0, count = has ? rows.segments[own + 1] - first : 0;
        const WarpShare share(count);
        const Count at = reserve(static_cast<Count>(share.total), now.counts + 2);
        for (int base = 0; base < share.total; base += 32) {
            const int t = base + lane_id(), owner = share.owner(t);
            const Index whose = __shfl_sync(ALL_LANES, own, owner);
            const Index from = __shfl_sync(ALL_LANES, first - share.begin, owner);
            if (t < share.total) listed[at + t] = item_of(whose, from + t);
        }
    }
    __device__ void push_segments() {
        const Count all = now.read(2);
        // Few segments are shared by several warps, which decode all of it and offer a part each.
        const int shares = all * SEGMENT_SHARES <= Count(warp_count()) ? SEGMENT_SHARES : 1;
        for (Count i : warp_stride<Count>(all * shares)) {
            const long long item = listed[i / shares];
            const Index k = vertex_of(item);
            int turn = static_cast<int>(i % shares);
            each_block(Segment(rows, static_cast<Index>(piece_of(item))),
                       [&](const Index (&columns)[OF_LANE], int count) {
                           if (turn == 0) offer(columns, count, k);
                           turn = turn == 0 ? shares - 1 : turn - 1;
                           return false;
                       });
        }
    }

    // --- pull ----------------------------------------------------------------------------------
    __device__ void pull() {
        constexpr int many = PACKED_WORDS;
        const Index words = words_of(rows.n);
        int pending = 0;
        for (Index base = warp_id() * many;; base += warp_count() * many) {
            const bool over = base >= words;
            const Index own = base + lane_id();
            const Word mine = lane_id() < many && own < words ? ~peek(bits + own) & inside(own, rows.n) : 0;
            if (__any_sync(ALL_LANES, mine != 0)) look_at_first(base, mine, pending);
            while (pending >= 32 || (over && pending > 0)) {
                const int count = pending < 32 ? pending : 32;
                pending -= count;
                search(pending, count);
            }
            if (over) break;
        }
    }

    // The rows of some words that have no entry, by their first columns.
    __device__ void look_at_first(Index base, Word mine, int& pending) {
        constexpr int many = PACKED_WORDS;
        Index first[many];
        Word asks = 0, hits = 0, fresh = 0;
#pragma unroll
        for (int i = 0; i < many; ++i) {
            const Word asked = __shfl_sync(ALL_LANES, mine, i) >> lane_id() & 1u;
            asks |= asked << i;
            first[i] = asked ? rows.first[((base + i) << 5) + lane_id()] : 0;
        }
#pragma unroll
        for (int i = 0; i < many; ++i) hits |= Word(asks >> i & 1u && in_front(first_column(first[i]))) << i;
#pragma unroll
        for (int i = 0; i < many; ++i) {
            const Index j = ((base + i) << 5) + lane_id();
            const bool hit = hits >> i & 1u, missed = (asks & ~hits) >> i & 1u && first[i] >= 0;
            if (hit) {
                take(j, first_column(first[i]));
                note(j);
            }
            const Word some = __ballot_sync(ALL_LANES, hit), rest = __ballot_sync(ALL_LANES, missed);
            if (lane_id() == i) fresh = some;
            if (rest == 0) continue;
            const int before = (base + i) << 5 < rows.n_long ? 0 : ShortRows(rows, base + i).before;
            if (missed) {
                const int at = pending + __popc(rest & lanes_below());
                waiting->row[at] = j;
                waiting->before[at] = static_cast<unsigned short>(before);
            }
            pending += __popc(rest);
        }
        if (fresh != 0) {
            atomicOr(bits + base + lane_id(), fresh);
            atomicOr(next.bits + base + lane_id(), fresh);
        }
        __syncwarp();
    }

    // So many waiting rows from `from` on, one for each lane.
    __device__ void search(int from, int count) {
        const bool has = lane_id() < count;
        const Index j = has ? waiting->row[from + lane_id()] : 0;
        const auto test = [&](Index k) { return in_front(k); };
        Index k = -1;
        if (has && j >= rows.n_long) {
            const Index at = j - rows.n_long;
            const Tail tail(rows.stream + rows.groups[at >> 5] + waiting->before[from + lane_id()], rows.tails[at]);
            k = find_in_block(tail.block, tail.widths, tail.gaps, tail.gaps, rows.first[j], test);
        } else if (has) {
            const Segment segment(rows, rows.segments[j]);
            const int gaps = segment.entries < PACKED_GAPS ? segment.entries : PACKED_GAPS;
            k = find_in_block(segment.words + 1 + segment.blocks(), segment.words[1], gaps,
                              gaps < QUARTER ? gaps : QUARTER, segment.before(), test);
        }
        if (k >= 0) settle(j, k);
        for (Word some = __ballot_sync(ALL_LANES, has && k < 0 && j < rows.n_long); some != 0; some &= some - 1)
            search_long(__shfl_sync(ALL_LANES, j, __ffs(static_cast<int>(some)) - 1));
        __syncwarp();
    }

    // A long row by the whole warp.
    __device__ void search_long(Index j) {
        const Index end = rows.segments[j + 1];
        for (Index s = rows.segments[j]; s < end; ++s) {
            const bool found = each_block(Segment(rows, s), [&](const Index (&columns)[OF_LANE], int count) {
                Index k = -1;
#pragma unroll
                for (int i = OF_LANE - 1; i >= 0; --i)
                    if (i < count && in_front(columns[i])) k = columns[i];
                const Word hits = __ballot_sync(ALL_LANES, k >= 0);
                if (hits != 0 && lane_id() == __ffs(static_cast<int>(hits)) - 1) settle(j, k);
                return hits != 0;
            });
            if (found) return;
        }
    }
};
