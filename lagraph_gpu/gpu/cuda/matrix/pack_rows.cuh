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
#include "matrix/plain_rows.cuh"

// --- rows -----------------------------------------------------------------------------------

// The first column of each row, ~column if there is no other; 0 for an empty row.
template <class Offset> __global__ void take_first(Index count, PlainRows<Offset> rows, Index* first) {
    for (long long i : grid_stride<long long>(count)) {
        const Offset length = rows.length(i);
        const Index column = length > 0 ? rows.row(i)[0] : 0;
        first[i] = length > 1 ? column : ~column;
    }
}

// Short rows: what `tails` holds of each, the widths of those of more than QUARTER gaps, and the words of each group of
// 32.
template <class Offset>
__global__ void measure_short(Index count, PlainRows<Offset> rows, unsigned short* tails, Word* widths,
                              long long* words) {
    __shared__ Word any[MAX_THREADS / 32][32];
    Word* const some = any[threadIdx.x >> 5];
    for (Index number : warp_stride<Index>(words_of(count))) {
        const ShortGroup<Offset> group(rows, count, number);
        const Index i = (number << 5) + lane_id();
        some[lane_id()] = 0;
        __syncwarp();
        Word own = 0, wide = 0;
        group.each(
            [&](int lane, const Word (&gaps)[OF_LANE], int all) {
                const Word found = widths_for(gaps, all);
                if (lane_id() != lane) return;
                wide = found;
                own = static_cast<Word>(all | 1 + (bits_of_block(found, all) + 31) / 32 << FROM_REST);
            },
            [&](int lane, const Word (&gaps)[OF_LANE], int, int, int) {
                Word bits = 0;
#pragma unroll
                for (int k = 0; k < OF_LANE; ++k) bits |= gaps[k];
                if (bits != 0) atomicOr(some + lane, bits);
            });
        __syncwarp();
        if (group.gaps <= QUARTER)
            own = static_cast<Word>(group.gaps | 32 - __clz(static_cast<int>(some[lane_id()])) << FROM_REST);
        __syncwarp();
        if (i < count) {
            tails[i] = static_cast<unsigned short>(own);
            if (group.gaps > QUARTER) widths[i] = wide;
        }
        const int units = warp_reduce<Sum>(units_of_tail(own));
        if (lane_id() == 0) words[number] = (units + UNITS - 1) / UNITS;
    }
}

// begins: of the words of each group; what stands there becomes the place in the stream.
template <class Offset>
__global__ void pack_short(Index count, PlainRows<Offset> rows, long long before, const unsigned short* tails,
                           const Word* widths, const long long* begins, long long* groups, Word* stream) {
    __shared__ Word room[MAX_THREADS / 32][BLOCK_ROOM];
    for (Index number : warp_stride<Index>(words_of(count))) {
        const long long place = before + begins[number];
        if (lane_id() == 0) groups[number] = place;
        BlockWriter writer(room[threadIdx.x >> 5], stream + place);
        const ShortGroup<Offset> group(rows, count, number);
        const Index i = (number << 5) + lane_id();
        const Word tail = i < count ? tails[i] : 0, wide = group.gaps > QUARTER ? widths[i] : 0;
        const int units = units_of_tail(tail), begin = PACKED_UNIT * (running_sum(units) - units);
        group.each(
            [&](int lane, const Word (&gaps)[OF_LANE], int all) {
                const Word found = __shfl_sync(ALL_LANES, wide, lane);
                writer.widths_before(found);
                writer.block(gaps, all, found, 32);
            },
            [&](int lane, const Word (&gaps)[OF_LANE], int from, int here, int last) {
                const Word stored = __shfl_sync(ALL_LANES, tail, lane);
                const int all = gaps_of(stored), width = static_cast<int>(stored >> FROM_REST);
                const int of_row = __shfl_sync(ALL_LANES, begin, lane), first = of_row + from * width;
                int end = first + here * width;
                if (from + here == all) end = of_row + PACKED_UNIT * units_of_tail(stored);
                const int at = writer.at;
                writer.append(__shfl_sync(ALL_LANES, end, last) - at, [&](int room) {
                    if (here > 0) writer.low_bits_of(gaps, here, width, room + first - at);
                });
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
                                 Word* widths, long long* words) {
    for (Index s : warp_stride<Index>(segments))
        of_segment(rows, count, begins, s, [&](const Index* columns, Index last, int entries) {
            int bits = 32;
            for (int b = 0; b < entries; b += PACKED_GAPS) {
                const int here = entries - b < PACKED_GAPS ? entries - b : PACKED_GAPS;
                Word gaps[OF_LANE];
                gaps_between(columns + b, b > 0 ? columns[b - 1] : last, here, gaps);
                const Word found = widths_for(gaps, here);
                bits += 32 + bits_of_block(found, here);
                if (lane_id() == 0) widths[SEGMENT_SHARES * static_cast<long long>(s) + b / PACKED_GAPS] = found;
            }
            if (lane_id() == 0) words[s] = (bits + 31) / 32;
        });
}

template <class Offset>
__global__ void pack_segments(Index segments, Index count, PlainRows<Offset> rows, const Index* begins,
                              long long before, const Word* widths, const long long* places,
                              unsigned long long* segment, Word* stream) {
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
            const int blocks = (entries + PACKED_GAPS - 1) / PACKED_GAPS;
            const Word own = lane_id() < blocks ? widths[SEGMENT_SHARES * static_cast<long long>(s) + lane_id()] : 0;
            if (lane_id() < blocks) words[1 + lane_id()] = own;
            for (int b = 0; b < entries; b += PACKED_GAPS) {
                const int here = entries - b < PACKED_GAPS ? entries - b : PACKED_GAPS;
                Word gaps[OF_LANE];
                gaps_between(columns + b, b > 0 ? columns[b - 1] : last, here, gaps);
                writer.block(gaps, here, __shfl_sync(ALL_LANES, own, b / PACKED_GAPS), 1);
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
