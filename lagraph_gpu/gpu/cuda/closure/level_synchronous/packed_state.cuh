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
#include "core/packed_front.cuh"
#include "core/vector_load.cuh"
#include "core/warp_reduce.cuh"

// A frontier, and four counts: its vertices; the edges that leave them, after a pull of none; the segments that
// are listed; and the edges that are counted afterwards, of all vertices or of those that a pull does not look for.
struct PackedLevel3 {
    Word* bits;
    Count* counts;

    __device__ Count read(int which) const { return read_count(counts + which); }
    __device__ void clear(Index words) const {
        if (thread_id<Count>() < 4) counts[thread_id<Count>()] = 0;
        for (unsigned word : grid_stride<unsigned>(words)) bits[word] = 0;
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
    unsigned vertices;            // that this thread has found, and their edges
    Count edges;

    __device__ Word front_word(Index k) const { return now.bits[static_cast<Word>(k) >> 5]; }

    // Position j gets what comes from k; others may write there too.
    __device__ void put(Index j, Index k) {
        typename S::U u{};
        if constexpr (S::reads_vector) u = static_cast<typename S::U>(x[k]);
        if (!S::same || x != nullptr) *static_cast<volatile Z*>(x + j) = S::step(u, k, value, 0, j);
    }
    // Position j gets what comes from k, and its round, which is this one or the next. Nobody else writes there.
    __device__ void take(Index j, Index k, bool now = true) {
        put(j, k);
        if (rounds != nullptr) rounds[j] = round + !now;
    }
    __device__ Count edges_of(Index j) const {
        return static_cast<Count>(row_length(rows, j, exact));
    }
    // Counts position j and its edges.
    __device__ void note(Index j) {
        ++vertices;
        edges += edges_of(j);
    }
    // The same of several positions, those of which fresh[i] is true. What is read of them is under way together.
    template <int MANY> __device__ void note(const Index (&j)[MANY], const bool (&fresh)[MANY]) {
        Index tail[MANY], end[MANY];  // of a long row: where its segments begin and end
#pragma unroll
        for (int i = 0; i < MANY; ++i) {
            const bool is_long = fresh[i] && j[i] < rows.n_long;
            tail[i] = is_long ? rows.segments[j[i]] : 0;
            if (fresh[i] && !is_long) tail[i] = rows.tails[j[i] - rows.n_long];
            end[i] = is_long ? rows.segments[j[i] + 1] : 0;
            vertices += fresh[i];
        }
        loaded(tail);
        loaded(end);
#pragma unroll
        for (int i = 0; i < MANY; ++i)
            if (fresh[i])
                edges += static_cast<Count>(
                    row_length(rows, j[i], gaps_of(static_cast<Word>(tail[i])), tail[i], end[i], exact));
    }
    // Counts position j after a pull, and its edges only for a log (see count_edges).
    __device__ void note_pulled(Index j) {
        ++vertices;
        if (exact) edges += edges_of(j);
    }
    // Relaxes up to MANY positions that k reaches. All are looked up before one is claimed, and all are
    // claimed before one is written, because each of these steps waits for memory.
    template <int MANY> __device__ void relax(const Index (&j)[MANY], int count, Index k) {
        bool fresh[MANY];
        Word here[MANY];
#pragma unroll
        for (int i = 0; i < MANY; ++i) here[i] = i < count ? peek(bits + (static_cast<Word>(j[i]) >> 5)) : ALL_LANES;
        loaded(here);
#pragma unroll
        for (int i = 0; i < MANY; ++i) fresh[i] = !(here[i] >> (j[i] & 31) & 1u);
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
        for (int i = 0; i < MANY; ++i)
            here[i] = fresh[i] ? atomicOr(bits + (static_cast<Word>(j[i]) >> 5), 1u << (j[i] & 31)) : ALL_LANES;
        loaded(here);
#pragma unroll
        for (int i = 0; i < MANY; ++i) {
            fresh[i] = !(here[i] >> (j[i] & 31) & 1u);
            if (!fresh[i]) continue;
            take(j[i], k);
            mark(next.bits, j[i]);
        }
        note(j, fresh);
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
            atomicAdd(next.counts, static_cast<Count>(vertices));
            atomicAdd(next.counts + 1, edges);
        }
        vertices = 0;
        edges = 0;
    }

    // --- push ----------------------------------------------------------------------------------
    // Calls body(word, bits) for each word of the frontier from `from` on that is not empty, for a whole warp.
    template <class Body> __device__ void each_word_from(Index from, Body body) const {
        each_word_of<true>(now.bits + from, words_of(rows.n) - from,
                           [&](Index word, Word those) { body(from + word, those); });
    }

    // Counts the edges of a frontier, from a word on.
    __device__ void count_edges(Index from, Count* count) {
        each_word_from(from, [&](Index word, Word those) {
            if (those >> lane_id() & 1u) edges += edges_of((word << 5) + lane_id());
        });
        edges = warp_reduce<Sum>(edges);
        if (lane_id() == 0 && edges > 0) atomicAdd(count, edges);
        edges = 0;
    }

    // Short rows at once, from a word on; the segments of long ones are listed.
    __device__ void push_words(Index from) {
        each_word_from(from, [&](Index word, Word those) {
            if (word << 5 < rows.n_long) list_segments(rows, word, those, listed, now.counts + 2);
            else walk_short(rows, word, those, *this);
        });
    }

    // Before a push of many edges, and after it.
    __device__ void snapshot() const {
        for (unsigned word : grid_stride<unsigned>(words_of(rows.n))) next.bits[word] = peek(bits + word);
    }
    __device__ void compare() {
        for (Index base : common_stride<Index>(words_of(rows.n), 32)) {
            const Index own = base + lane_id();
            const Word fresh = own < words_of(rows.n) ? peek(bits + own) ^ next.bits[own] : 0;
            if (own < words_of(rows.n)) next.bits[own] = fresh;
            for (Word some = __ballot_sync(ALL_LANES, fresh != 0); some != 0;) {
                Index j[IN_FLIGHT];
                bool mine[IN_FLIGHT];
#pragma unroll
                for (int i = 0; i < IN_FLIGHT; ++i, some &= some - 1) {
                    const int lane = some != 0 ? __ffs(static_cast<int>(some)) - 1 : 0;
                    mine[i] = (__shfl_sync(ALL_LANES, fresh, lane) >> lane_id() & 1u) && some != 0;
                    j[i] = ((base + lane) << 5) + lane_id();
                    if (mine[i] && rounds != nullptr) rounds[j[i]] = round;
                }
                note(j, mine);
            }
        }
    }

    __device__ void push_segments() { walk_segments(rows, listed, now.read(2), *this); }

    // For packed_front.cuh.
    __device__ void first(Index k, Index column, bool has) { relax<1>({column}, has, k); }
    __device__ void rest(Index k, Index, const Index (&columns)[OF_LANE], int count) { relax(columns, count, k); }
};
