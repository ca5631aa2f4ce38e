// What a search over packed rows works on, and its steps: all vertices that changed are processed
// at once (see packed_rows.cuh and packed_search.cuh).
//
// The frontier is a bitmap alone. A push walks it word by word: a warp walks the short rows of a
// word, and lists the segments of its long ones, which all warps then share. For pulls see
// packed_bottom_up.cuh.
// See docs/decisions/layouts.md.
#pragma once
#include "closure/level_synchronous/frontier.cuh"
#include "core/fold.cuh"
#include "core/operands.cuh"
#include "core/packed_rows.cuh"
#include "core/warp_reduce.cuh"

constexpr int SEGMENT_SHARES = SEGMENT_ENTRIES / PACKED_GAPS;

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
    bool exact;                   // is every edge counted, for a log?
    bool races;                   // is this push of many edges?
    PackedLevel3 now, next;
    Index round;
    Count vertices, edges;

    __device__ bool in_front(Index k) const { return now.bits[k >> 5] >> (k & 31) & 1u; }
    __device__ bool held(Index j) const { return peek(bits + (j >> 5)) >> (j & 31) & 1u; }

    // Position j gets what comes from k; others may write there too.
    __device__ void put(Index j, Index k) {
        typename S::U u{};
        if constexpr (S::reads_vector) u = static_cast<typename S::U>(x[k]);
        if (!S::same || x != nullptr) *static_cast<volatile Z*>(x + j) = S::step(u, k, value, 0, j);
    }
    // The same for one who is alone.
    __device__ void take(Index j, Index k) {
        put(j, k);
        if (rounds != nullptr) rounds[j] = round;
    }
    __device__ Count edges_of(Index j) const {
        return static_cast<Count>(exact ? row_length<true>(rows, j) : row_length<false>(rows, j));
    }
    __device__ void note(Index j) {
        ++vertices;
        edges += edges_of(j);
    }
    // The same in a pull, after which edges are counted only if it is to be known (see count_edges).
    __device__ void note_pulled(Index j) {
        ++vertices;
        if (exact) edges += edges_of(j);
    }
    // Relaxes up to MANY positions that k reaches. All are looked up before one is claimed, and all are
    // claimed before one is written, because each of these steps waits for memory.
    template <int MANY> __device__ void relax(const Index (&j)[MANY], int count, Index k) {
        bool fresh[MANY];
#pragma unroll
        for (int i = 0; i < MANY; ++i) fresh[i] = i < count && !held(j[i]);
        if (races) {  // the last write stays, and a comparison finds the new vertices
#pragma unroll
            for (int i = 0; i < MANY; ++i) {
                if (!fresh[i]) continue;
                put(j[i], k);
                mark(bits, j[i]);
            }
            return;
        }
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
        note_pulled(j);
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
    // Calls body(word, bits) for each word of the frontier that is not empty, for a whole warp: words
    // that stand side by side go to different ones.
    template <class Body> __device__ void each_word(Body body) const {
        const Index words = words_of(rows.n), apart = warp_count();
        for (Index base = warp_id(); base < words; base += apart * 32 * IN_FLIGHT) {
            Word mine[IN_FLIGHT];
#pragma unroll
            for (int i = 0; i < IN_FLIGHT; ++i) {
                const Count at = Count(base) + Count(32 * i + lane_id()) * apart;
                mine[i] = at < Count(words) ? now.bits[at] : 0;
            }
#pragma unroll
            for (int i = 0; i < IN_FLIGHT; ++i)
                for (Word some = __ballot_sync(ALL_LANES, mine[i] != 0); some != 0; some &= some - 1) {
                    const int lane = __ffs(static_cast<int>(some)) - 1;
                    body(base + (32 * i + lane) * apart, __shfl_sync(ALL_LANES, mine[i], lane));
                }
        }
    }

    // Counts the edges of a frontier that a pull has left.
    __device__ void count_edges() {
        each_word([&](Index word, Word those) {
            if (those >> lane_id() & 1u) edges += edges_of((word << 5) + lane_id());
        });
        edges = warp_reduce<Sum>(edges);
        if (lane_id() == 0 && edges > 0) atomicAdd(now.counts + 1, edges);
        edges = 0;
    }

    // Short rows at once; the segments of long ones are listed.
    __device__ void push_words() {
        each_word([&](Index word, Word those) {
            if (word << 5 < rows.n_long) list_segments(word, those);
            else push_short(word, those);
        });
    }

    // Before a push of many edges, and after it.
    __device__ void snapshot() const {
        for (Count word : grid_stride<Count>(words_of(rows.n))) next.bits[word] = peek(bits + word);
    }
    __device__ void compare() {
        for (Index base = warp_id() << 5; base < words_of(rows.n); base += warp_count() << 5) {
            const Index own = base + lane_id();
            const Word fresh = own < words_of(rows.n) ? peek(bits + own) ^ next.bits[own] : 0;
            if (own < words_of(rows.n)) next.bits[own] = fresh;
            for (Word some = __ballot_sync(ALL_LANES, fresh != 0); some != 0; some &= some - 1) {
                const int lane = __ffs(static_cast<int>(some)) - 1;
                if (!(__shfl_sync(ALL_LANES, fresh, lane) >> lane_id() & 1u)) continue;
                const Index j = ((base + lane) << 5) + lane_id();
                if (rounds != nullptr) rounds[j] = round;
                note(j);
            }
        }
    }

    __device__ void push_short(Index word, Word those) {
        const ShortRows here(rows, word);
        const Index own = (word << 5) + lane_id();
        const bool has = those >> lane_id() & 1u;
        const Index first = has ? first_column(rows.first[own]) : 0;
        relax<1>({first}, has, own);
        for (Word some = __ballot_sync(ALL_LANES, has && gaps_of(here.tail) > 0); some != 0; some &= some - 1) {
            const int lane = __ffs(static_cast<int>(some)) - 1;
            const Tail tail = here.of(rows, lane);
            Index last = __shfl_sync(ALL_LANES, first, lane), columns[OF_LANE];
            Word steps[OF_LANE];
            gaps_of_lane(tail.block, tail.widths, tail.gaps, steps);
            columns_of_lane(steps, last, columns);
            relax(columns, count_of_lane(tail.gaps), (word << 5) + lane);
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
        // If there are few segments, several warps share one: each decodes all of it and relaxes a part.
        const int shares = all * SEGMENT_SHARES <= 4 * Count(warp_count()) ? SEGMENT_SHARES : 1;
        for (Count i : warp_stride<Count>(all * shares)) {
            const long long item = listed[i / shares];
            const Index k = vertex_of(item);
            int turn = static_cast<int>(i % shares);
            each_block(Segment(rows, static_cast<Index>(piece_of(item))),
                       [&](const Index (&columns)[OF_LANE], int count) {
                           if (turn == 0) relax(columns, count, k);
                           turn = turn == 0 ? shares - 1 : turn - 1;
                           return false;
                       });
        }
    }
};
