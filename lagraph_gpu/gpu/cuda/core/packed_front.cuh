// The walk over the rows of a frontier of packed rows. The frontier is a bitmap. A warp walks the short
// rows of a word at once, and lists the segments of its long ones, which all warps share afterwards.
//
// A Rule has first(j, column, has), for the first column of each lane's short row if it `has` one, and
// rest(j, at, columns, count), for all other entries: the columns of each lane, of which the first is
// entry `at` of row j. All lanes call both. Short rows differ from lane to lane; those of a lane without
// columns are in the row of the lane before.
// See docs/decisions/layouts.md.
#pragma once
#include "core/append.cuh"
#include "core/grid_stride.cuh"
#include "core/packed_rows.cuh"
#include "core/vector_load.cuh"
#include "core/warp_reduce.cuh"

constexpr int SEGMENT_SHARES = SEGMENT_ENTRIES / PACKED_GAPS;

// Calls body(word, bits) for each word of a bitmap that is not empty, for a whole warp. Words that stand side by
// side go to different warps; or, of large bitmaps, a warp takes whole SECTORS of memory.
template <bool SECTORS, class Body>
__device__ inline void each_word_of(const Word* bits, Index words, Body body) {
    const Index apart = warp_count();
    const int few = SECTORS && Count(words) >= 64 * Count(apart) ? 3 : 0;  // a power of 2 words side by side
    const auto place = [=](Index base, int number) {
        return ((Count(base) + Count(number >> few) * apart) << few) + (number & ((1 << few) - 1));
    };
    for (Index base : Stride<Index>{common_warp_id(), 32 * IN_FLIGHT / (1 << few) * apart, (words - 1 >> few) + 1}) {
        Word mine[IN_FLIGHT];
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; ++i) {
            const Count at = place(base, 32 * i + lane_id());
            mine[i] = at < Count(words) ? bits[at] : 0;
        }
        loaded(mine);
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; ++i)
            for (Word some = __ballot_sync(ALL_LANES, mine[i] != 0); some != 0; some &= some - 1) {
                const int lane = __ffs(static_cast<int>(some)) - 1;
                body(static_cast<Index>(place(base, 32 * i + lane)), __shfl_sync(ALL_LANES, mine[i], lane));
            }
    }
}

// The short rows of a word that `those` names, whose gaps are shared out over the warp: a lane takes four
// of a row, and has the next four on its right.
template <class Rule>
__device__ inline void walk_short(const PackedRows& rows, Index word, Word those, Rule& rule) {
    const ShortRows here(rows, word);
    const Index own = (word << 5) + lane_id();
    const bool has = those >> lane_id() & 1u;
    const Index first = has ? first_column(rows.first[own]) : 0;
    rule.first(own, first, has);
    const int gaps = has ? gaps_of(here.tail) : 0;
    const WarpShare share((gaps + OF_LANE - 1) / OF_LANE);
    const Word* const words = rows.words(here.group);
    // of this lane's row: its widths, and with which bit the block begins, beside the number of its low bits
    const bool codes = gaps > QUARTER;
    const Word begins = PACKED_UNIT * static_cast<Word>(here.before);
    const Word widths = codes ? bits_from(words, begins) : here.tail >> FROM_REST;
    const Word at = (begins + (codes ? 32 : 0)) << LOW_BITS | static_cast<Word>(low_bits(widths, gaps));
    const int span = share.begin << FROM_REST | gaps;
    Index last = 0;  // of the lanes before: the last column
    for (int base = 0; base < share.total; base += 32) {
        const int t = base + lane_id(), item = t < share.total ? t : share.total - 1, lane = share.owner(item);
        const int of_row = __shfl_sync(ALL_LANES, span, lane), begin = of_row >> FROM_REST;
        const Word of_block = __shfl_sync(ALL_LANES, at, lane), of_quarters = __shfl_sync(ALL_LANES, widths, lane);
        const Index before = __shfl_sync(ALL_LANES, first, lane);
        const int gap = OF_LANE * (item - begin), all = gaps_of(static_cast<Word>(of_row)), left = all - gap;
        const int count = t >= share.total ? 0 : left < OF_LANE ? left : OF_LANE;
        Word sums[OF_LANE];
        const LanePlace which(gap);
        const LanePart part(of_quarters, of_block >> LOW_BITS, of_block & ((1u << LOW_BITS) - 1), which);
        sums_from(words, part, which, all > QUARTER, left, sums);
        const Word sum = sums[OF_LANE - 1], end = running_word_sum(sum);
        const Word in_front = __shfl_sync(ALL_LANES, end, begin > base ? begin - base - 1 : 0);
        const Word row = static_cast<Word>(before) - (begin > base ? in_front : 0);
        const Word from = begin < base ? static_cast<Word>(last) : row;
        Index columns[OF_LANE];
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) columns[i] = static_cast<Index>(from + (end - sum) + sums[i]);
        last = __shfl_sync(ALL_LANES, columns[OF_LANE - 1], 31);
        rule.rest((word << 5) + lane, Index(1 + gap), columns, count);
    }
}

constexpr int FEW_LANES = QUARTER / OF_LANE, FEW_ROWS = 32 / FEW_LANES;

// The row of a word that FEW_LANES lanes decode: its number there, which is that of a lane; if there is none for
// them, it is not `live` and one that others decode.
struct FewTurn {
    int owner;
    bool live;

    // Takes FEW_ROWS rows out of `those`, of which there is one at least. All lanes of the warp must call it.
    __device__ explicit FewTurn(Word& those) {
        Word left = those;
#pragma unroll
        for (int i = 1; i < FEW_ROWS; ++i)
            if (i <= lane_id() / FEW_LANES) left &= left - 1;
        live = left != 0;
        owner = __ffs(static_cast<int>(live ? left : those)) - 1;
#pragma unroll
        for (int i = 0; i < FEW_ROWS; ++i) those &= those - 1;
    }
};

// FEW_LANES lanes that decode a short row, while the others of their warp decode other rows, so that all wait
// for memory together. All lanes of the warp must call each function.
struct FewLanes {
    int at;  // this lane's first gap of a quarter

    __device__ FewLanes() : at(OF_LANE * (lane_id() % FEW_LANES)) {}

    // The block of row j.
    __device__ Tail tail_of(const PackedRows& rows, Index j) const {
        const Index own = j - rows.n_long, group = own >> 5;
        int before = 0;
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) {
            const Index other = (group << 5) + at + i;
            if (other < own) before += units_of_tail(rows.tails[other]);
        }
        return Tail(rows.words(rows.groups[group]), warp_reduce<Sum, FEW_LANES>(before), rows.tails[own]);
    }
    // `count` columns of this lane, from gap `quarter` on, with which a quarter begins. `last` is the column
    // before the quarter, and becomes its last one.
    __device__ void columns(const Tail& tail, int quarter, int count, Index& last, Index (&columns)[OF_LANE]) const {
        Word sum = 0, sums[OF_LANE];
        const LanePlace place(quarter + at);
        sums_from(tail.words, tail.part(place), place, tail.has_quotients(), count, sums);
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) {
            if (i < count) sum = sums[i];
            columns[i] = static_cast<Index>(sum);
        }
        const Word end = running_word_sum<FEW_LANES>(sum);
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) columns[i] += last + static_cast<Index>(end - sum);
        last += static_cast<Index>(__shfl_sync(ALL_LANES, end, lane_id() | (FEW_LANES - 1)));
    }
};

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

// The segments that are listed. If there are fewer than warps, several share one: each decodes all of it and
// visits a part.
template <class Rule>
__device__ inline void walk_segments(const PackedRows& rows, const long long* listed, Count all, Rule& rule) {
    int shares = 1;
    while (shares < SEGMENT_SHARES && 2 * shares * all <= Count(warp_count())) shares *= 2;
    for (Count i : common_stride<Count>(all * shares)) {
        const long long item = listed[i / shares];
        const Index k = vertex_of(item), s = static_cast<Index>(piece_of(item));
        const Index from = (s - rows.segments[k]) * SEGMENT_ENTRIES;
        int turn = static_cast<int>(i % shares);
        each_four(Segment(rows, s), [&](Index at, const Index (&columns)[OF_LANE], int count) {
            if (turn == 0) rule.rest(k, from + at, columns, count);
            turn = turn == 0 ? shares - 1 : turn - 1;
            return false;
        });
    }
}
