// Packed rows: the sorted columns of each row as gaps, in blocks that a warp decodes with few branches
// (`packed_blocks.cuh`).
//
// A row's first column is stored plain, so that a pull that ends there decodes nothing.
//
// Rows come in two kinds. The first `n_long` rows are long: they are cut into segments of
// SEGMENT_ENTRIES entries, the first column among them. A segment's words are the column before it
// (-1 for none), the widths of its blocks, and the blocks side by side. The other rows are short, with at
// most PACKED_GAPS gaps after the first column, one block, and begin with any unit of PACKED_UNIT bits. A
// longer row has its widths, 32 bits, before the block, and takes as many bits as some words; one of up to
// QUARTER gaps, which is searched by one thread, has no quotients, and its width in `tails`. `n_long` is a
// multiple of 32, or n.
//
// Where the device has no room for the whole stream, a middle part of it stays in the host's memory,
// and is read there in place. A part of the rows that begins before the middle is whole on the device.
// See docs/decisions/layouts.md.
#pragma once
#include "core/packed_blocks.cuh"

constexpr int UNITS = 32 / PACKED_UNIT;  // of a word
constexpr int LOW_BITS = 12;              // bits of the number of a block's low bits

struct PackedRows {
    Index n, n_long;                       // rows that may have entries, and how many of them are long
    const Index* first;                    // the first column, or ~column if the row has no other
    const unsigned short* tails;           // of short rows: gaps, and above 8 bits their width or their words
    const long long* groups;               // of each 32 short rows: where their words begin
    const Index* segments;                 // of long rows: the first segment; one more than rows
    const unsigned long long* segment;     // where its words begin, and above FROM_COUNT its entries
    const Word* stream;                    // words before `from`, and after a gap those from `to` on
    const Word* host;                      // all words in the host's memory, where those in between are read
    long long from, to, apart;             // `apart`: by how much the words from `to` on come earlier in `stream`

    // Where word `at` of the stream is, at which a segment, or a group of short rows, begins.
    __device__ const Word* words(long long at) const {
        if (at < from) return stream + at;
        return at < to ? host + at : stream + (at - apart);
    }
};

__device__ inline Index first_column(Index first) { return first < 0 ? ~first : first; }

// --- short rows -----------------------------------------------------------------------------

__device__ inline int gaps_of(Word tail) { return static_cast<int>(tail & ((1u << FROM_REST) - 1)); }
__device__ inline int units_of_tail(Word tail) {
    const int gaps = gaps_of(tail), rest = static_cast<int>(tail >> FROM_REST);
    return gaps > QUARTER ? UNITS * rest : (gaps * rest + PACKED_UNIT - 1) / PACKED_UNIT;
}

// The block after a short row's first column.
struct Tail {
    const Word* words;
    Word from;     // the bit of the words with which the block begins
    Word widths;
    int gaps;

    // The row begins `before` units after its group.
    __device__ Tail(const Word* group, Word before, Word tail)
        : words(group + before / UNITS), from(before % UNITS * PACKED_UNIT), widths(tail >> FROM_REST),
          gaps(gaps_of(tail)) {
        if (has_quotients()) widths = bits_from(words++, from);
    }
    __device__ bool has_quotients() const { return gaps > QUARTER; }
    // The part of a lane from gap t on.
    __device__ LanePart part(const LanePlace& place) const {
        return LanePart(widths, from, static_cast<Word>(low_bits(widths, gaps)), place);
    }
};

// The 32 short rows of a word, one for each lane of a warp.
struct ShortRows {
    Word tail;
    int before;          // units in front of the row's own, of its group
    long long group;     // where the group begins

    // All lanes must call it, with one word of short rows.
    __device__ ShortRows(const PackedRows& rows, Index word) {
        const Index j = (word << 5) + lane_id();
        tail = j < rows.n ? rows.tails[j - rows.n_long] : 0;
        const int own = units_of_tail(tail);
        before = running_sum(own) - own;
        group = rows.groups[word - (rows.n_long >> 5)];
    }
    __device__ Tail mine(const PackedRows& rows) const { return Tail(rows.words(group), before, tail); }
    // The tail of a lane's row, for all lanes.
    __device__ Tail of(const PackedRows& rows, int lane) const {
        return Tail(rows.words(group), __shfl_sync(ALL_LANES, before, lane), __shfl_sync(ALL_LANES, tail, lane));
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

// The blocks of a segment: lane 1 + b has the widths of block b, and where it begins. All lanes must call it.
struct SegmentBlocks {
    Word own, begins;   // the column before the segment or widths; the bit with which a block begins, and its low bits

    __device__ explicit SegmentBlocks(const Segment& segment) {
        const int blocks = segment.blocks(), left = segment.entries - PACKED_GAPS * (lane_id() - 1);
        own = lane_id() <= blocks ? segment.words[lane_id()] : 0;
        const Word widths = lane_id() > 0 ? own : 0;
        const int gaps = left < 0 ? 0 : left < PACKED_GAPS ? left : PACKED_GAPS;
        const Word bits = lane_id() > 0 ? static_cast<Word>(bits_of_block(widths, PACKED_GAPS)) : 32 * (1 + blocks);
        begins = (running_sum(bits) - bits) << LOW_BITS | static_cast<Word>(low_bits(widths, gaps));
    }
    // The part of a lane in block b, from gap t on. All lanes must call it.
    __device__ LanePart part(int b, const LanePlace& place) const {
        const Word widths = __shfl_sync(ALL_LANES, own, 1 + b), at = __shfl_sync(ALL_LANES, begins, 1 + b);
        return LanePart(widths, at >> LOW_BITS, at & ((1u << LOW_BITS) - 1), place);
    }
};

// Calls visit(at, columns, count) for all entries of a segment, until it returns true: up to four columns of
// each lane, of which the first is entry `at`. A warp decodes two blocks at once, eight gaps by a lane; it
// visits four of each lane, and then the four after them. All lanes must call it, and visit must return the
// same in all of them.
template <class Visit> __device__ inline bool each_four(const Segment& segment, Visit visit) {
    constexpr int many = 2 * OF_LANE, lanes = PACKED_GAPS / many;
    const int blocks = segment.blocks(), which = lane_id() / lanes, t = many * (lane_id() % lanes);
    const SegmentBlocks here(segment);
    const LanePlace place(t);
    Word last = __shfl_sync(ALL_LANES, here.own, 0);
    for (int b = 0; b < blocks; b += 2) {
        const int left = segment.entries - PACKED_GAPS * (b + which) - t;  // from this lane's first on
        Word sums[many];
        sums_from(segment.words, here.part(b + which, place), place, true, left, sums);
        const Word end = running_word_sum(sums[many - 1]), before = last + end - sums[many - 1];
        last += __shfl_sync(ALL_LANES, end, 31);
        Index columns[OF_LANE];
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) columns[i] = static_cast<Index>(before + sums[i]);
#pragma unroll 1
        for (int part = 0; part < many; part += OF_LANE) {
            const int rest = left - part, count = rest < 0 ? 0 : rest < OF_LANE ? rest : OF_LANE;
            if (visit(Index(PACKED_GAPS * (b + which) + t + part), columns, count)) return true;
#pragma unroll
            for (int i = 0; i < OF_LANE; ++i) columns[i] = static_cast<Index>(before + sums[OF_LANE + i]);
        }
    }
    return false;
}

// The columns after the first one of a short row, those of this lane, and how many these are. All lanes
// must call it.
__device__ inline int columns_after(Index first, const Tail& tail, Index (&columns)[OF_LANE]) {
    const int t = OF_LANE * lane_id();
    Word sums[OF_LANE];
    const LanePlace place(t);
    sums_from(tail.words, tail.part(place), place, tail.has_quotients(), tail.gaps - t, sums);
    const Word before = running_word_sum(sums[OF_LANE - 1]) - sums[OF_LANE - 1];
#pragma unroll
    for (int i = 0; i < OF_LANE; ++i) columns[i] = first + static_cast<Index>(before + sums[i]);
    return count_of_lane(tail.gaps);
}

// The number of entries of row j, which has `gaps` if it is short, and else the segments from `begin` to before
// `end`. If it is not to be exact, the last segment of a long row, which is not read, counts as a quarter: where all
// of a graph's rows have a few hundred entries it is about so long.
__device__ inline long long row_length(const PackedRows& rows, Index j, int gaps, Index begin, Index end, bool exact) {
    if (j >= rows.n_long) return gaps + 1;
    long long length = static_cast<long long>(end - begin) * SEGMENT_ENTRIES;
    if (end > begin) length += (exact ? Segment(rows, end - 1).entries : SEGMENT_ENTRIES / 4) - SEGMENT_ENTRIES;
    return length;
}
__device__ inline long long row_length(const PackedRows& rows, Index j, bool exact) {
    if (j >= rows.n) return 0;
    if (j >= rows.n_long) return gaps_of(rows.tails[j - rows.n_long]) + 1;
    return row_length(rows, j, 0, rows.segments[j], rows.segments[j + 1], exact);
}
