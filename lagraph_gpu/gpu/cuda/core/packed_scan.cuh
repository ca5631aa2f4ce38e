// A walk over all entries of packed rows, or over those of some rows, by warps that decode them.
// See docs/decisions/layouts.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/packed_front.cuh"
#include "core/partition_point.cuh"

template <class First, class Rest> struct ScanRule {
    First& of_first;
    Rest& of_rest;

    __device__ void first(Index j, Index column, bool has) {
        if (has) of_first(j, column);
    }
    __device__ void rest(Index j, Index at, const Index (&columns)[OF_LANE], int count) {
        of_rest(j, at, columns, count);
    }
};

constexpr int SCAN_LANES = PACKED_GAPS / (2 * OF_LANE);  // half a warp, which decodes a block

// The segments of long rows, each by half a warp, which takes the next of 32 when it has done one.
template <class Wants, class Rest>
__device__ inline void scan_segments(const PackedRows& rows, Wants wants, Rest rest) {
    constexpr int many = 2 * OF_LANE;
    const bool upper = lane_id() >= SCAN_LANES;
    const int t = many * (lane_id() % SCAN_LANES);
    LanePlace place(t);
    place.keep();
    const Index segments = rows.n_long == 0 ? 0 : rows.segments[rows.n_long];
    for (Index base : common_stride<Index>(segments, 32)) {
        const Index own = base + lane_id();
        const Index row = last_holding(Index(0), rows.n_long - 1, [&](Index i) { return rows.segments[i] <= own; });
        const Index of_row = (own - rows.segments[row]) * SEGMENT_ENTRIES;
        const unsigned long long stored = own < segments ? rows.segment[own] : 0;
        Word waiting = __ballot_sync(ALL_LANES, own < segments && wants(row));
        const Word* words = rows.words(rows.segment[base] & ((1ull << FROM_COUNT) - 1));
        const Word* head = words;       // what stands before the blocks, from the next one's widths on
        Word from = 0, widths = 0, last = 0;
        Index j = 0, at = 0;            // the row, and this lane's first entry
        int left = -t;                  // the segment's entries from there on
        while (true) {
            const bool asks = left + t <= 0;
            const Word asking = __ballot_sync(ALL_LANES, asks);
            if (asking != 0) {
                if (waiting == 0 && asking == ALL_LANES) break;
                const Word later = waiting & (waiting - 1), mine = upper && (asking & 1u) ? later : waiting;
                const int lane = mine == 0 ? 0 : __ffs(static_cast<int>(mine)) - 1;
                const unsigned long long next = __shfl_sync(ALL_LANES, stored, lane);
                const Index next_row = __shfl_sync(ALL_LANES, row, lane);
                const Index next_at = __shfl_sync(ALL_LANES, of_row, lane);
                if (asks && mine != 0) {
                    j = next_row, at = next_at + t;
                    left = static_cast<int>(next >> FROM_COUNT) - t;
                    head = words = rows.words(static_cast<long long>(next & ((1ull << FROM_COUNT) - 1)));
                    from = static_cast<Word>(32 * (1 + (left + t + PACKED_GAPS - 1) / PACKED_GAPS));
                    last = words[0], widths = words[1];
                    head += 2;
                }
                waiting = asking == ALL_LANES ? later & (later - 1) : later;
            }
            const Word ahead = left + t > PACKED_GAPS ? *head : 0;
            ++head;
            const bool full = __all_sync(ALL_LANES, left >= many);
            Word sums[many];
            const BlockSums here(widths);
            Word low = QUARTER * (here.widths >> 24);
            if (!full) low = here.low_bits(left + t < PACKED_GAPS ? left + t : PACKED_GAPS);
            const LanePart part(here, from, low, place);
            from += here.bits();
            widths = ahead;
            sums_from(words, part, place, true, left, sums);
            const Word end = running_word_sum<SCAN_LANES>(sums[many - 1]), before = last + end - sums[many - 1];
            last += __shfl_sync(ALL_LANES, end, lane_id() | (SCAN_LANES - 1));
            Index four[2][OF_LANE];
#pragma unroll
            for (int i = 0; i < many; ++i) four[i / OF_LANE][i % OF_LANE] = static_cast<Index>(before + sums[i]);
            if (full) {
#pragma unroll
                for (int i = 0; i < 2; ++i) rest(j, at + OF_LANE * i, four[i], OF_LANE);
            } else {
#pragma unroll
                for (int i = 0; i < 2; ++i) {
                    const int some = left - OF_LANE * i, count = some < 0 ? 0 : some < OF_LANE ? some : OF_LANE;
                    rest(j, at + OF_LANE * i, four[i], count);
                }
            }
            left -= PACKED_GAPS, at += PACKED_GAPS;
        }
    }
}

// Calls first(j, column) for the first column of each short row, by one lane, and
// rest(j, at, columns, count) for all other entries: the columns of each lane, of which the first is
// entry `at` of row j. SCAN_LANES lanes have entries of one long row, each four columns and then the next four; short
// rows differ from lane to lane. Rows for which wants(j) is false are left out, and their entries are not decoded. All
// threads of the grid must call it; wants must not change meanwhile.
template <class Wants, class First, class Rest>
__device__ inline void scan_packed(const PackedRows& rows, Wants wants, First first, Rest rest) {
    const Index words_of_long = words_of(rows.n_long);
    ScanRule<First, Rest> rule{first, rest};
    for (Index word : common_stride<Index>(words_of(rows.n) - words_of_long)) {
        const Index group = words_of_long + word, j = (group << 5) + lane_id();
        walk_short(rows, group, __ballot_sync(ALL_LANES, j < rows.n && wants(j)), rule);
    }
    scan_segments(rows, wants, rest);
}
