// Checks packed rows that come from outside (see convert/packed_arrays.py, which says the same on the
// host): first where parts begin and how long they are, which makes every later read one of the arrays;
// then the columns.
// See docs/decisions/layouts.md.
#pragma once
#include "core/packed_scan.cuh"
#include "core/warp_reduce.cuh"

// The words that parts have, and where the next part begins.
struct PackedBounds {
    Index n, segments;        // vertices, and stored segments
    long long words;          // of the stream

    __device__ long long start(const PackedRows& rows, Index s) const {
        return static_cast<long long>(rows.segment[s] & ((1ull << FROM_COUNT) - 1));
    }
    // Where group g of short rows begins, or the stream ends.
    __device__ long long group(const PackedRows& rows, Index g) const {
        return g < words_of(rows.n - rows.n_long) ? rows.groups[g] : words;
    }
    __device__ bool holds(long long at, long long count) const { return at >= 0 && at <= words - count; }
};

// Whether each quarter of a block has a one for each of its gaps, and the codes of four gaps take at most
// 32 bits: then a thread that decodes them in turn stays in the block, which begins with bit `from`, and finds
// what a warp finds. All of the block's words must be in the stream.
__device__ inline bool right_quotients(const Word* block, int from, Word widths, int gaps) {
    int at = from + low_bits(widths, gaps);
    for (int quarter = 0; QUARTER * quarter < gaps; ++quarter) {
        const int left = gaps - QUARTER * quarter, here = left < QUARTER ? left : QUARTER;
        const int end = at + 8 * ((here + 7) / 8 + more_of(widths, quarter));
        for (int t = 0; t < here; t += OF_LANE) {
            Word ahead = bits_from(block, at);
            for (int i = t; i < here && i < t + OF_LANE; ++i) {
                if (ahead == 0) return false;
                const int quotient = __clz(static_cast<int>(ahead));
                ahead = ahead << quotient << 1;
                at += quotient + 1;
            }
            if (at > end) return false;
        }
        for (; at < end; ++at)
            if (bits_from(block, at) >> 31 != 0) return false;
    }
    return true;
}

// Whether segment s begins and ends where it should, and is full unless it is the last of its row.
__device__ inline bool right_segment(const PackedRows& rows, const PackedBounds& bounds, Index s) {
    const long long at = bounds.start(rows, s);
    const int entries = static_cast<int>(rows.segment[s] >> FROM_COUNT);
    const int blocks = (entries + PACKED_GAPS - 1) / PACKED_GAPS;
    if (entries < 1 || entries > SEGMENT_ENTRIES || !bounds.holds(at, 1 + blocks) || (s == 0 && at != 0)) return false;
    const Word* const words = rows.words(at);
    int bits = 32 * (1 + blocks);
    for (int b = 0; b < blocks; ++b) {
        const int left = entries - b * PACKED_GAPS;
        const int gaps = left < PACKED_GAPS ? left : PACKED_GAPS, end = bits + bits_of_block(words[1 + b], gaps);
        if (!bounds.holds(at, (end + 31) / 32) || !right_quotients(words, bits, words[1 + b], gaps)) return false;
        bits = end;
    }
    const Index j = last_holding(Index(0), rows.n_long - 1, [&](Index i) { return rows.segments[i] <= s; });
    const bool last = rows.segments[j + 1] == s + 1;
    return at + (bits + 31) / 32 == (s + 1 < bounds.segments ? bounds.start(rows, s + 1) : bounds.group(rows, 0)) &&
           (last || entries == SEGMENT_ENTRIES);
}

// Whether a long row has segments, and its first column says whether others follow.
__device__ inline bool right_first(const PackedRows& rows, const PackedBounds& bounds, Index i) {
    const Index begin = rows.segments[i], end = rows.segments[i + 1];
    if (begin < 0 || begin >= end || begin >= bounds.segments) return false;
    return (rows.first[i] < 0) == (rows.segment[begin] >> FROM_COUNT == 1);  // all segments but the last are full
}

// Counts the parts that do not begin where the one before ends or do not have the words of their widths, and
// first columns that are no vertices. Adds up the entries.
__global__ void check_parts(PackedRows rows, PackedBounds bounds, unsigned long long* wrong,
                            unsigned long long* entries) {
    long long mine = 0, found = 0;
    for (Index i : grid_stride<Index>(rows.n)) {
        const Index column = first_column(rows.first[i]);
        mine += column < 0 || column >= bounds.n;
        if (i < rows.n_long) mine += !right_first(rows, bounds, i);
    }
    for (Index s : grid_stride<Index>(bounds.segments)) {
        mine += !right_segment(rows, bounds, s);
        found += static_cast<long long>(rows.segment[s] >> FROM_COUNT);
    }
    for (Index g : warp_stride<Index>(words_of(rows.n - rows.n_long))) {
        const Index i = (g << 5) + lane_id();
        const bool has = rows.n_long + i < rows.n;
        const Word tail = has ? rows.tails[i] : 0, rest = tail >> FROM_REST;
        const int gaps = gaps_of(tail), own = units_of_tail(tail), end = running_sum(own);
        const long long begin = bounds.group(rows, g);
        bool right = gaps <= PACKED_GAPS;
        if (gaps <= QUARTER) right &= rest <= PACKED_WIDEST;
        else if (right && bounds.holds(begin, (end + UNITS - 1) / UNITS)) {
            const Tail block(rows.words(begin), end - own, tail);
            right = own == UNITS * (1 + (bits_of_block(block.widths, gaps) + 31) / 32) &&
                    right_quotients(block.words, static_cast<int>(block.from), block.widths, gaps);
        } else right = false;
        if (has) right &= (rows.first[rows.n_long + i] < 0) == (gaps == 0);
        const int all = (__shfl_sync(ALL_LANES, end, 31) + UNITS - 1) / UNITS;
        if (lane_id() == 0)
            right &= bounds.holds(begin, all) && begin + all == bounds.group(rows, g + 1) &&
                     (g > 0 || bounds.segments > 0 || begin == 0);
        mine += !right;
        found += has ? gaps + 1 : 0;
    }
    mine = warp_reduce<Sum>(mine), found = warp_reduce<Sum>(found);
    if (lane_id() > 0) return;
    if (mine != 0) atomicAdd(wrong, static_cast<unsigned long long>(mine));
    if (found != 0) atomicAdd(entries, static_cast<unsigned long long>(found));
}

// Counts the columns that are none of n, or do not rise in a row. The parts must be right. Of a long row a lane
// has four columns and then the next four, so the first of eight is compared with the lane before once that has
// its last. What comes before the first of the lanes of a long row is the last of their last in the turn before, or
// what stands before a segment.
__global__ void count_wrong(Index n, PackedRows rows, unsigned long long* wrong) {
    int mine = 0;
    Index eight = 0, four = 0;  // the first of eight columns of a long row, and the last of the first four
    Index turn = 0;             // the last column of the last of these lanes in the turn before
    scan_packed(rows, [](Index) { return true; }, [&](Index, Index column) { mine += column < 0 || column >= n; },
        [&](Index j, Index at, const Index (&found)[OF_LANE], int count) {
            const bool is_long = j < rows.n_long, later = is_long && at % (2 * OF_LANE) != 0;
            const Index left = __shfl_up_sync(ALL_LANES, found[OF_LANE - 1], 1);
            const int place = is_long ? lane_id() % SCAN_LANES : lane_id();
            if (later) mine += place > 0 && eight >= 0 && eight <= left;
            Index last = later ? four : place > 0 ? left : turn;
            if (is_long && !later) {
                if (place > 0) last = -1;
                else if (count > 0 && at % SEGMENT_ENTRIES == 0)
                    last = at == 0 ? -1 : Segment(rows, rows.segments[j] + at / SEGMENT_ENTRIES).before();
            } else if (!is_long && at == 1) {
                last = first_column(rows.first[j]);
            }
            turn = __shfl_sync(ALL_LANES, found[OF_LANE - 1], is_long ? lane_id() | (SCAN_LANES - 1) : 31);
#pragma unroll
            for (int i = 0; i < OF_LANE; ++i) {
                mine += i < count && (found[i] < 0 || found[i] >= n || found[i] <= last);
                last = found[i];
            }
            if (!is_long) return;
            if (!later) eight = count > 0 ? found[0] : -1;
            if (count <= 0) return;
            four = last;
            if (at == 0) mine += found[0] != first_column(rows.first[j]);
            const Index next = rows.segments[j] + (at + OF_LANE) / SEGMENT_ENTRIES;      // after a last entry
            if ((at + OF_LANE) % SEGMENT_ENTRIES == 0 && next < rows.segments[j + 1])
                mine += Segment(rows, next).before() != found[OF_LANE - 1];
        });
    if (mine != 0) atomicAdd(wrong, static_cast<unsigned long long>(mine));
}
