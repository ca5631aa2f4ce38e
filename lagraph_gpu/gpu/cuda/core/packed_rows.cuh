// Packed rows: the sorted columns of each row as gaps, in blocks of fixed width that a warp decodes
// without branches.
//
// A row's first column is stored plain. A block holds up to 128 gaps, each less 1, in four quarters
// of 32 gaps with a width (in bits) of their own; the four widths are one word, the first quarter's
// lowest. A full quarter of width w takes w words, and its gaps lie in such an order that four loads
// of eight lanes are side by side (`slot_of`); only a block's last quarter may be shorter, and it is
// padded to a word.
//
// Rows come in two kinds. The first `n_long` rows are long: they are cut into segments of
// SEGMENT_ENTRIES entries, the first column among them. A segment's words are the column before it
// (-1 for none), the widths of its blocks, and the blocks. The other rows are short, with at most
// PACKED_GAPS gaps after the first column, one block. A row of up to 32 gaps has its only width in
// `tails`, a longer one has its widths before the block. `n_long` is a multiple of 32, or n.
//
// Where the device has no room for the whole stream, a middle part of it stays in the host's memory,
// and is read there in place. A part of the rows that begins before the middle is whole on the device.
// See docs/decisions/layouts.md.
#pragma once
#include "core/bitmap.cuh"

constexpr int QUARTER = 32;          // gaps of one width
constexpr int OF_LANE = 4;           // gaps of a lane in a block
constexpr int FROM_COUNT = 48;       // a segment's entries stand above this bit, its first word below

struct PackedRows {
    Index n, n_long;                       // rows that may have entries, and how many of them are long
    const Index* first;                    // the first column, or ~column if the row has no other
    const unsigned short* tails;           // of short rows: gaps, and above 8 bits their width or their words
    const long long* groups;               // of each 32 short rows: where their words begin
    const Index* segments;                 // of long rows: the first segment; one more than rows
    const unsigned long long* segment;     // where its words begin, and above FROM_COUNT its entries
    const Word* stream;                    // words before `from`, and after a gap those from `to` on
    const Word* behind;                    // all words in the host's memory, where those in between are read
    long long from, to, apart;             // `apart`: by how much the words from `to` on come earlier in `stream`

    // Where word `at` of the stream is, at which a segment, or a group of short rows, begins.
    __device__ const Word* words(long long at) const {
        if (at < from) return stream + at;
        return at < to ? behind + at : stream + (at - apart);
    }
};

__device__ inline Index first_column(Index first) { return first < 0 ? ~first : first; }

// --- blocks ---------------------------------------------------------------------------------

__device__ inline int width_of(Word widths, int quarter) { return static_cast<int>(widths >> 8 * quarter & 255u); }

// The words of the first `quarters` quarters, which are full.
__device__ inline int words_before(Word widths, int quarters) {
    return static_cast<int>(widths * 0x0101010100ull >> 8 * quarters & 255u);
}

// The words of a block.
__device__ inline int words_of_block(Word widths, int gaps) {
    const int full = gaps / QUARTER, rest = gaps % QUARTER;
    return words_before(widths, full) + (rest > 0 ? (rest * width_of(widths, full) + 31) / 32 : 0);
}

// Where gap `t` lies in its quarter.
__device__ inline int slot_of(int t, int gaps) {
    const int at = t % QUARTER;
    return gaps >= (t | (QUARTER - 1)) + 1 ? (at & 3) << 3 | at >> 2 : at;
}

__device__ inline Word bits_at(const Word* words, int at, int width) {
    const Word* const low = words + (at >> 5);
    return __funnelshift_r(low[0], low[1], at & 31) & ((1u << width) - 1);
}

// Gap `t`, less 1, of a block of `gaps` gaps. The word after the block may be read.
__device__ inline Word gap_at(const Word* block, Word widths, int gaps, int t) {
    const int quarter = t / QUARTER, width = width_of(widths, quarter);
    return bits_at(block + words_before(widths, quarter), slot_of(t, gaps) * width, width);
}

// The gaps of a lane, which are side by side; 0 beyond the last.
__device__ inline void gaps_of_lane(const Word* block, Word widths, int gaps, Word (&steps)[OF_LANE]) {
#pragma unroll
    for (int i = 0; i < OF_LANE; ++i) {
        const int t = OF_LANE * lane_id() + i;
        steps[i] = t < gaps ? gap_at(block, widths, gaps, t) + 1 : 0;
    }
}

// How many of a block's gaps this lane has.
__device__ inline int count_of_lane(int gaps) {
    const int left = gaps - OF_LANE * lane_id();
    return left < 0 ? 0 : left < OF_LANE ? left : OF_LANE;
}

// From gaps to columns. `last` is the column before the block, and becomes its last one. All lanes
// must call it.
__device__ inline void columns_of_lane(const Word (&steps)[OF_LANE], Index& last, Index (&columns)[OF_LANE]) {
    Word sum = 0;
#pragma unroll
    for (int i = 0; i < OF_LANE; ++i) columns[i] = static_cast<Index>(sum += steps[i]);
    const Word end = running_sum(sum);
#pragma unroll
    for (int i = 0; i < OF_LANE; ++i) columns[i] += last + static_cast<Index>(end - sum);
    last += static_cast<Index>(__shfl_sync(ALL_LANES, end, 31));
}

// --- short rows -----------------------------------------------------------------------------

__device__ inline int gaps_of(Word tail) { return static_cast<int>(tail & 255u); }
__device__ inline int words_of_tail(Word tail) {
    const int gaps = gaps_of(tail), rest = static_cast<int>(tail >> 8);
    return gaps > QUARTER ? rest : (gaps * rest + 31) / 32;
}

// The block after a short row's first column.
struct Tail {
    const Word* block;
    Word widths;
    int gaps;

    __device__ Tail(const Word* words, Word tail) : block(words), widths(tail >> 8), gaps(gaps_of(tail)) {
        if (gaps > QUARTER) widths = *block++;
    }
};

// The 32 short rows of a word, one for each lane of a warp.
struct ShortRows {
    Word tail;
    int before;          // words in front of the row's own, of its group
    long long group;     // where the group begins

    // All lanes must call it, with one word of short rows.
    __device__ ShortRows(const PackedRows& rows, Index word) {
        const Index j = (word << 5) + lane_id();
        tail = j < rows.n ? rows.tails[j - rows.n_long] : 0;
        const int own = words_of_tail(tail);
        before = running_sum(own) - own;
        group = rows.groups[word - (rows.n_long >> 5)];
    }
    __device__ Tail mine(const PackedRows& rows) const { return Tail(rows.words(group) + before, tail); }
    // The tail of a lane's row, for all lanes.
    __device__ Tail of(const PackedRows& rows, int lane) const {
        return Tail(rows.words(group) + __shfl_sync(ALL_LANES, before, lane), __shfl_sync(ALL_LANES, tail, lane));
    }
};

// --- long rows ------------------------------------------------------------------------------

struct Segment {
    const Word* words;
    int entries;

    __device__ Segment(const PackedRows& rows, Index number) {
        const unsigned long long stored = rows.segment[number];
        entries = static_cast<int>(stored >> FROM_COUNT);
        words = rows.words(static_cast<long long>(stored & ((1ull << FROM_COUNT) - 1)));
    }
    __device__ int blocks() const { return (entries + PACKED_GAPS - 1) / PACKED_GAPS; }
    __device__ Index before() const { return static_cast<Index>(words[0]); }
};

// Calls visit(columns, count) for the blocks of a segment, with the columns of each lane, until it
// returns true. All lanes must call it, and visit must return the same in all of them. The next
// block's gaps are asked for before a block is visited.
template <class Visit> __device__ inline bool each_block(const Segment& segment, Visit visit) {
    const int blocks = segment.blocks();
    const Word own = lane_id() <= blocks ? segment.words[lane_id()] : 0;
    Index last = static_cast<Index>(__shfl_sync(ALL_LANES, own, 0));
    const Word* block = segment.words + 1 + blocks;
    Word widths = __shfl_sync(ALL_LANES, own, 1), next[OF_LANE];
    int left = segment.entries;
    gaps_of_lane(block, widths, left < PACKED_GAPS ? left : PACKED_GAPS, next);
    for (int b = 0; b < blocks; ++b, left -= PACKED_GAPS) {
        Word steps[OF_LANE];
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) steps[i] = next[i];
        const int gaps = left < PACKED_GAPS ? left : PACKED_GAPS, then = left - gaps;
        block += words_before(widths, 4);
        widths = __shfl_sync(ALL_LANES, own, b + 2 <= blocks ? b + 2 : 0);
        gaps_of_lane(block, widths, then < PACKED_GAPS ? then : PACKED_GAPS, next);
        Index columns[OF_LANE];
        columns_of_lane(steps, last, columns);
        if (visit(columns, count_of_lane(gaps))) return true;
    }
    return false;
}

// The columns after the first one of a short row, those of this lane, and how many these are. All lanes
// must call it.
__device__ inline int columns_after(Index first, const Tail& tail, Index (&columns)[OF_LANE]) {
    Word steps[OF_LANE];
    gaps_of_lane(tail.block, tail.widths, tail.gaps, steps);
    columns_of_lane(steps, first, columns);
    return count_of_lane(tail.gaps);
}

// The number of entries of a row; for a long one at most SEGMENT_ENTRIES - 1 too many if it is not
// to be exact.
template <bool exact> __device__ inline long long row_length(const PackedRows& rows, Index j) {
    if (j >= rows.n) return 0;
    if (j >= rows.n_long) return gaps_of(rows.tails[j - rows.n_long]) + 1;
    const Index begin = rows.segments[j], end = rows.segments[j + 1];
    long long length = static_cast<long long>(end - begin) * SEGMENT_ENTRIES;
    if constexpr (exact)
        if (end > begin) length += Segment(rows, end - 1).entries - SEGMENT_ENTRIES;
    return length;
}
