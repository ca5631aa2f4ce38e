// Packs rows of sorted columns, a range of rows at a time, and unpacks them (see packed_rows.cuh).
//
// Each kind of rows is measured first, and its words are then written one after another from `before`
// on. Short rows are packed by a warp for each 32 of them, long ones by a warp for each segment.
// See docs/decisions/layouts.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/packed_rows.cuh"
#include "core/packed_scan.cuh"
#include "core/partition_point.cuh"
#include "core/warp_reduce.cuh"
#include "matrix/pack_block.cuh"

// The rows of a range: those from indptr[i] - origin on.
template <class Offset> struct PlainRows {
    const Offset* indptr;
    Offset origin;
    const Index* columns;

    __device__ Offset length(long long i) const { return indptr[i + 1] - indptr[i]; }
    __device__ const Index* row(long long i) const { return columns + (indptr[i] - origin); }
};

// --- rows -----------------------------------------------------------------------------------

// The first column of each row, ~column if there is no other; 0 for an empty row.
template <class Offset> __global__ void take_first(Index count, PlainRows<Offset> rows, Index* first) {
    for (long long i : grid_stride<long long>(count)) {
        const Offset length = rows.length(i);
        const Index column = length > 0 ? rows.row(i)[0] : 0;
        first[i] = length > 1 ? column : ~column;
    }
}

// Calls body(lane, gaps, count, widths) for each row of a group, for the whole warp.
template <class Offset, class Body>
__device__ inline void each_short_row(const PlainRows<Offset>& rows, Index count, Index group, Body body) {
    for (int r = 0; r < 32 && (group << 5) + r < count; ++r) {
        const Index i = (group << 5) + r;
        const int tail = static_cast<int>(rows.length(i)) - 1;
        const Index* const columns = rows.row(i);
        Word gaps[OF_LANE];
        gaps_between(columns + 1, tail > 0 ? columns[0] : 0, tail, gaps);
        body(r, gaps, tail > 0 ? tail : 0, tail > QUARTER ? widths_for(gaps, tail) : width_for(gaps));
    }
}

// Short rows: what `tails` holds of each, and the words of each group of 32.
template <class Offset>
__global__ void measure_short(Index count, PlainRows<Offset> rows, unsigned short* tails, long long* words) {
    for (Index group : warp_stride<Index>(words_of(count))) {
        Word own = 0;
        each_short_row(rows, count, group, [&](int r, const Word (&)[OF_LANE], int gaps, Word widths) {
            const int rest = gaps > QUARTER ? 1 + (bits_of_block(widths, gaps) + 31) / 32 : static_cast<int>(widths);
            if (lane_id() == r) own = static_cast<Word>(gaps | rest << FROM_REST);
        });
        const Index i = (group << 5) + lane_id();
        if (i < count) tails[i] = static_cast<unsigned short>(own);
        const int units = warp_reduce<Sum>(units_of_tail(own));
        if (lane_id() == 0) words[group] = (units + UNITS - 1) / UNITS;
    }
}

// begins: of the words of each group; what stands there becomes the place in the stream.
template <class Offset>
__global__ void pack_short(Index count, PlainRows<Offset> rows, long long before, const long long* begins,
                           long long* groups, Word* stream) {
    __shared__ Word room[MAX_THREADS / 32][BLOCK_ROOM];
    for (Index group : warp_stride<Index>(words_of(count))) {
        const long long place = before + begins[group];
        if (lane_id() == 0) groups[group] = place;
        BlockWriter writer(room[threadIdx.x >> 5], stream + place);
        each_short_row(rows, count, group, [&](int, const Word (&gaps)[OF_LANE], int length, Word widths) {
            const bool quotients = length > QUARTER;
            if (quotients) writer.widths_before(widths);
            writer.block(gaps, length, widths, quotients, quotients ? 32 : PACKED_UNIT);
        });
    }
}

// --- segments -------------------------------------------------------------------------------

template <class Offset> __global__ void count_segments(Index count, PlainRows<Offset> rows, Index* counts) {
    for (long long i : grid_stride<long long>(count))
        counts[i] = static_cast<Index>((rows.length(i) + SEGMENT_ENTRIES - 1) / SEGMENT_ENTRIES);
}

// Calls body(columns, last, entries) for a segment, which of all those that begin at begins[row].
template <class Offset, class Body>
__device__ inline void of_segment(const PlainRows<Offset>& rows, Index count, const Index* begins, Index which,
                                  Body body) {
    const Index row = last_holding(Index(0), count - 1, [&](Index i) { return begins[i] <= which; });
    const Offset from = static_cast<Offset>(which - begins[row]) * SEGMENT_ENTRIES, left = rows.length(row) - from;
    const Index* const columns = rows.row(row) + from;
    body(columns, from > 0 ? columns[-1] : Index(-1),
         static_cast<int>(left < SEGMENT_ENTRIES ? left : Offset(SEGMENT_ENTRIES)));
}

template <class Offset>
__global__ void measure_segments(Index segments, Index count, PlainRows<Offset> rows, const Index* begins,
                                 long long* words) {
    for (Index s : warp_stride<Index>(segments))
        of_segment(rows, count, begins, s, [&](const Index* columns, Index last, int entries) {
            int bits = 32;
            for (int b = 0; b < entries; b += PACKED_GAPS) {
                const int here = entries - b < PACKED_GAPS ? entries - b : PACKED_GAPS;
                Word gaps[OF_LANE];
                gaps_between(columns + b, b > 0 ? columns[b - 1] : last, here, gaps);
                bits += 32 + bits_of_block(widths_for(gaps, here), here);
            }
            if (lane_id() == 0) words[s] = (bits + 31) / 32;
        });
}

template <class Offset>
__global__ void pack_segments(Index segments, Index count, PlainRows<Offset> rows, const Index* begins,
                              long long before, const long long* places, unsigned long long* segment,
                              Word* stream) {
    __shared__ Word room[MAX_THREADS / 32][BLOCK_ROOM];
    for (Index s : warp_stride<Index>(segments))
        of_segment(rows, count, begins, s, [&](const Index* columns, Index last, int entries) {
            const long long place = before + places[s];
            Word* const words = stream + place;
            BlockWriter writer(room[threadIdx.x >> 5], words + 1 + (entries + PACKED_GAPS - 1) / PACKED_GAPS);
            if (lane_id() == 0) {
                segment[s] = static_cast<unsigned long long>(place) |
                             static_cast<unsigned long long>(entries) << FROM_COUNT;
                words[0] = static_cast<Word>(last);
            }
            for (int b = 0; b < entries; b += PACKED_GAPS) {
                const int here = entries - b < PACKED_GAPS ? entries - b : PACKED_GAPS;
                Word gaps[OF_LANE];
                gaps_between(columns + b, b > 0 ? columns[b - 1] : last, here, gaps);
                const Word widths = widths_for(gaps, here);
                if (lane_id() == 0) words[1 + b / PACKED_GAPS] = widths;
                writer.block(gaps, here, widths, true, 1);
            }
        });
}

// to[i] = from[i] + more
template <class T, class Z> __global__ void copy_raised(long long count, const T* from, Z more, Z* to) {
    for (long long i : grid_stride<long long>(count)) to[i] = static_cast<Z>(from[i]) + more;
}

// The number of rows, of falling length, with more than `longest` entries, and of those with any.
template <class Offset> __global__ void count_long(Index n, const Offset* indptr, Index longest, Index* counts) {
    if (thread_id<Index>() >= 2) return;
    const Offset least = thread_id<Index>() == 0 ? static_cast<Offset>(longest) : Offset(0);
    counts[thread_id<Index>()] =
        partition_point(Index(0), n, [&](Index i) { return indptr[i + 1] - indptr[i] > least; });
}

// --- and back -------------------------------------------------------------------------------

template <class Offset> __global__ void packed_lengths(Index n, PackedRows rows, Offset* lengths) {
    for (long long i : grid_stride<long long>(n))
        lengths[i] = static_cast<Offset>(row_length(rows, static_cast<Index>(i), true));
}

template <class Offset> __global__ void unpack(PackedRows rows, const Offset* indptr, Index* columns) {
    scan_packed(rows, [](Index) { return true; }, [&](Index j, Index column) { columns[indptr[j]] = column; },
        [&](Index j, Index at, const Index (&found)[OF_LANE], int count) {
#pragma unroll
            for (int i = 0; i < OF_LANE; ++i)
                if (i < count) columns[indptr[j] + at + i] = found[i];
        });
}
