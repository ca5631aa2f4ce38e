// Looking for one entry of packed rows, or for the first in a set.
// See docs/decisions/layouts.md.
#pragma once
#include "core/packed_rows.cuh"
#include "core/partition_point.cuh"

// Gaps `t` to `t` + 3, less 1, of a block of `gaps` gaps, of which `count` are wanted; `t` is a multiple of
// 4. Those of a quarter that is not full lie side by side, and each word is read once.
__device__ inline void four_gaps(const Word* block, Word widths, int gaps, int t, int count, Word (&found)[OF_LANE]) {
    const int quarter = t / QUARTER, width = width_of(widths, quarter);
    if (gaps >= (t | (QUARTER - 1)) + 1) {
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i)
            if (i < count) found[i] = gap_at(block, widths, gaps, t + i);
        return;
    }
    int at = t % QUARTER * width;
    const int end = (at & 31) + (count < OF_LANE ? count : OF_LANE) * width;
    const Word* const low = block + words_before(widths, quarter) + (at >> 5);
    at &= 31;
    Word words[OF_LANE + 1];
#pragma unroll
    for (int i = 0; i <= OF_LANE; ++i) words[i] = 32 * i < end ? low[i] : 0;
#pragma unroll
    for (int i = 0; i < OF_LANE; ++i, at += width) {
        if (at >= 32) {
#pragma unroll
            for (int k = 0; k < OF_LANE; ++k) words[k] = words[k + 1];
            at -= 32;
        }
        found[i] = __funnelshift_r(words[0], words[1], at) & ((1u << width) - 1);
    }
}

// The first of up to `limit` columns of a block for which test(column); -1 if there is none. By one
// thread, which decodes four at a time, so that their tests wait for memory together.
template <class Test>
__device__ inline Index find_in_block(const Word* block, Word widths, int gaps, int limit, Index last, Test test) {
    for (int t = 0; t < limit; t += OF_LANE) {
        Index columns[OF_LANE], found = -1;
        Word steps[OF_LANE];
        four_gaps(block, widths, gaps, t, limit - t, steps);
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) {
            if (t + i < limit) last += static_cast<Index>(steps[i] + 1);
            columns[i] = last;
        }
        bool hits[OF_LANE];
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) hits[i] = t + i < limit && test(columns[i]);
#pragma unroll
        for (int i = OF_LANE - 1; i >= 0; --i)
            if (hits[i]) found = columns[i];
        if (found >= 0) return found;
    }
    return -1;
}

// Has row i an entry in this column? A warp asks for one entry; all lanes must call it.
template <class Column> __device__ inline bool holds(const PackedRows& rows, Index i, Column column) {
    const auto equal = [&](const Index (&columns)[OF_LANE], int count) {
        bool found = false;
#pragma unroll
        for (int c = 0; c < OF_LANE; ++c) found |= c < count && static_cast<Column>(columns[c]) == column;
        return __any_sync(ALL_LANES, found) != 0;
    };
    if (i >= rows.n) return false;
    if (i >= rows.n_long) {
        const ShortRows here(rows, i >> 5);
        const Tail tail = here.of(rows, i & 31);
        const Index first = first_column(rows.first[i]);
        if (static_cast<Column>(first) == column) return true;
        Index columns[OF_LANE];
        return equal(columns, columns_after(first, tail, columns));
    }
    const Index begin = rows.segments[i], end = rows.segments[i + 1];
    if (begin == end) return false;
    const Index s = last_holding(begin, end - 1, [&](Index s) {
        const Index before = Segment(rows, s).before();
        return before < 0 || static_cast<Column>(before) < column;
    });
    return each_block(Segment(rows, s), equal);
}
