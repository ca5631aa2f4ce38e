// The walk over the rows of a frontier of packed rows. The frontier is a bitmap. A warp walks the short
// rows of a word at once, and lists the segments of its long ones, which all warps share afterwards.
//
// A Rule has first(j, column, has), for the first column of each lane's short row if it `has` one, and
// rest(j, at, columns, count), for all other entries: the columns of each lane, of which the first is
// entry `at` of row j. All lanes call both.
// See docs/decisions/layouts.md.
#pragma once
#include "core/append.cuh"
#include "core/grid_stride.cuh"
#include "core/packed_rows.cuh"

constexpr int SEGMENT_SHARES = SEGMENT_ENTRIES / PACKED_GAPS;

// Calls body(word, bits) for each word of a bitmap that is not empty, for a whole warp: words that stand
// side by side go to different ones.
template <class Body> __device__ inline void each_word_of(const Word* bits, Index words, Body body) {
    const Index apart = warp_count();
    for (Index base = warp_id(); base < words; base += apart * 32 * IN_FLIGHT) {
        Word mine[IN_FLIGHT];
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; ++i) {
            const Count at = Count(base) + Count(32 * i + lane_id()) * apart;
            mine[i] = at < Count(words) ? bits[at] : 0;
        }
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; ++i)
            for (Word some = __ballot_sync(ALL_LANES, mine[i] != 0); some != 0; some &= some - 1) {
                const int lane = __ffs(static_cast<int>(some)) - 1;
                body(base + (32 * i + lane) * apart, __shfl_sync(ALL_LANES, mine[i], lane));
            }
    }
}

// The blocks of the short rows of a word that `those` names; `first` is the first column of a lane's row.
template <class Rule>
__device__ inline void walk_blocks(const PackedRows& rows, const ShortRows& here, Index word, Index first, Word those,
                                   Rule& rule) {
    for (Word some = those; some != 0; some &= some - 1) {
        const int lane = __ffs(static_cast<int>(some)) - 1;
        const Tail tail = here.of(rows, lane);
        Index columns[OF_LANE];
        const int count = columns_after(__shfl_sync(ALL_LANES, first, lane), tail, columns);
        rule.rest((word << 5) + lane, Index(1 + OF_LANE * lane_id()), columns, count);
    }
}

// The short rows of a word that `those` names.
template <class Rule>
__device__ inline void walk_short(const PackedRows& rows, Index word, Word those, Rule& rule) {
    const ShortRows here(rows, word);
    const Index own = (word << 5) + lane_id();
    const bool has = those >> lane_id() & 1u;
    const Index first = has ? first_column(rows.first[own]) : 0;
    rule.first(own, first, has);
    walk_blocks(rows, here, word, first, __ballot_sync(ALL_LANES, has && gaps_of(here.tail) > 0), rule);
}

constexpr int FEW_LANES = QUARTER / OF_LANE, FEW_ROWS = 32 / FEW_LANES;

// The same, but rows of at most QUARTER gaps are decoded FEW_ROWS at a time, each by FEW_LANES lanes, so
// that they wait for memory together. A Rule has few(j, at, columns, count), too, which all lanes call: it
// is `rest` for the row of each group of lanes, or nothing if the count is 0 in all of them.
template <class Rule>
__device__ inline void walk_short_by_few(const PackedRows& rows, Index word, Word those, Rule& rule) {
    const ShortRows here(rows, word);
    const Index own = (word << 5) + lane_id();
    const bool has = those >> lane_id() & 1u;
    const Index first = has ? first_column(rows.first[own]) : 0;
    rule.first(own, first, has);
    const int held = gaps_of(here.tail), at = OF_LANE * (lane_id() % FEW_LANES);
    Word few = __ballot_sync(ALL_LANES, has && held > 0 && held <= QUARTER);
    while (few != 0) {
        Word mine = few;
#pragma unroll
        for (int i = 1; i < FEW_ROWS; ++i)
            if (i <= lane_id() / FEW_LANES) mine &= mine - 1;
        const int lane = mine == 0 ? 0 : __ffs(static_cast<int>(mine)) - 1;
        const Tail tail = here.of(rows, lane);
        const int gaps = mine == 0 ? 0 : tail.gaps, width = width_of(tail.widths, 0);
        Index columns[OF_LANE];
        Word sum = 0;
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) {
            if (at + i < gaps) sum += bits_at(tail.block, slot_of(at + i, gaps) * width, width) + 1;
            columns[i] = static_cast<Index>(sum);
        }
        Word end = sum;
#pragma unroll
        for (int distance = 1; distance < FEW_LANES; distance *= 2) {
            const Word before = __shfl_up_sync(ALL_LANES, end, distance);
            if (lane_id() % FEW_LANES >= distance) end += before;
        }
        const Index last = __shfl_sync(ALL_LANES, first, lane) + static_cast<Index>(end - sum);
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) columns[i] += last;
        const int left = gaps - at;
        rule.few((word << 5) + lane, Index(1 + at), columns, left < 0 ? 0 : left < OF_LANE ? left : OF_LANE);
#pragma unroll
        for (int i = 0; i < FEW_ROWS; ++i) few &= few - 1;
    }
    walk_blocks(rows, here, word, first, __ballot_sync(ALL_LANES, has && held > QUARTER), rule);
}

// Lists the segments of the long rows of a word that `those` names.
__device__ inline void list_segments(const PackedRows& rows, Index word, Word those, long long* listed, Count* count) {
    const Index own = (word << 5) + lane_id();
    const bool has = those >> lane_id() & 1u;
    const Index first = has ? rows.segments[own] : 0, segments = has ? rows.segments[own + 1] - first : 0;
    const WarpShare share(segments);
    const Count at = reserve(static_cast<Count>(share.total), count);
    for (int base = 0; base < share.total; base += 32) {
        const int t = base + lane_id(), owner = share.owner(t);
        const Index whose = __shfl_sync(ALL_LANES, own, owner);
        const Index from = __shfl_sync(ALL_LANES, first - share.begin, owner);
        if (t < share.total) listed[at + t] = item_of(whose, from + t);
    }
}

// The segments that are listed. If there are few, several warps share one: each decodes all of it and
// visits a part.
template <class Rule>
__device__ inline void walk_segments(const PackedRows& rows, const long long* listed, Count all, Rule& rule) {
    const int shares = all * SEGMENT_SHARES <= 4 * Count(warp_count()) ? SEGMENT_SHARES : 1;
    for (Count i : warp_stride<Count>(all * shares)) {
        const long long item = listed[i / shares];
        const Index k = vertex_of(item), s = static_cast<Index>(piece_of(item));
        Index at = (s - rows.segments[k]) * SEGMENT_ENTRIES + OF_LANE * lane_id();
        int turn = static_cast<int>(i % shares);
        each_block(Segment(rows, s), [&](const Index (&columns)[OF_LANE], int count) {
            if (turn == 0) rule.rest(k, at, columns, count);
            turn = turn == 0 ? shares - 1 : turn - 1;
            at += PACKED_GAPS;
            return false;
        });
    }
}
