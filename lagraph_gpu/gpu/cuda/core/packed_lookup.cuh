// Looking for one entry of packed rows, or for the first in a set.
// See docs/decisions/layouts.md.
#pragma once
#include "core/packed_rows.cuh"
#include "core/partition_point.cuh"
#include "core/vector_load.cuh"

// The gaps of a block one after another, by one thread, which reads each word of low bits once.
struct GapsInTurn {
    const Word* block;
    int from;       // the bit with which the block begins
    Word widths;
    bool quotients;
    int low, at;    // where quotients begin, and the next ones

    __device__ GapsInTurn(const Word* words, int begin, Word widths_of, int gaps, bool has_quotients = true)
        : block(words), from(begin), widths(widths_of), quotients(has_quotients),
          low(begin + low_bits(widths_of, gaps)), at(low) {}
    __device__ explicit GapsInTurn(const Tail& tail)
        : GapsInTurn(tail.words, static_cast<int>(tail.from), tail.widths, tail.gaps, tail.has_quotients()) {}
    // The next four, less 1, from `t` on, of which `count` are wanted.
    __device__ void four(int t, int count, Word (&found)[OF_LANE]) {
        const int quarter = t / QUARTER, width = width_of(widths, quarter);
        if (t % QUARTER == 0) at = low + 8 * bytes_before(widths, quarter);
        Word ahead = quotients ? bits_from(block, at) : ~0u;
        int bit = from + t % QUARTER * width;
        const Word* const words = block + words_before(widths, quarter) + (bit >> 5);
        bit &= 31;
        const int end = bit + (count < OF_LANE ? count : OF_LANE) * width;
        Word next[OF_LANE + 1];
#pragma unroll
        for (int i = 0; i <= OF_LANE; ++i) next[i] = 32 * i < end ? words[i] : 0;
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i, bit += width) {
            if (bit >= 32) {
#pragma unroll
                for (int k = 0; k < OF_LANE; ++k) next[k] = next[k + 1];
                bit -= 32;
            }
            const int quotient = __clz(static_cast<int>(ahead));
            ahead = ahead << (quotient & 31) << 1;
            at += quotient + 1;
            found[i] = __funnelshift_l(__funnelshift_l(next[1], next[0], bit), static_cast<Word>(quotient), width);
        }
    }
};

// Which of up to `limit` columns of a block, those before `end`, is the first for which test(column, look(column)); -1
// if none is. `last` is the column before the block, and becomes that one, or the last that was decoded. By one thread,
// which decodes four at a time, so that their looks wait for memory together; beyond the limit it looks at the last one
// again.
template <class Look, class Test>
__device__ inline int find_in_block(GapsInTurn in_turn, int limit, Index& last, Index end, Look look, Test test) {
    for (int t = 0; t < limit && last < end; t += OF_LANE) {
        Index columns[OF_LANE];
        Word steps[OF_LANE], seen[OF_LANE];
        in_turn.four(t, limit - t, steps);
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) {
            if (t + i < limit) last += static_cast<Index>(steps[i] + 1);
            columns[i] = last;
        }
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) seen[i] = look(columns[i]);
        loaded(seen);
        int found = -1;
#pragma unroll
        for (int i = OF_LANE - 1; i >= 0; --i) {
            if (!test(columns[i], seen[i])) continue;
            found = t + i;
            last = columns[i];
        }
        if (found >= 0) return found;
    }
    return -1;
}

// Which entry of row i is in this column: -1 if none is. A warp asks for one entry; all lanes must call it.
template <class Column> __device__ inline Index position_of(const PackedRows& rows, Index i, Column column) {
    Index found = -1;
    const auto equal = [&](Index at, const Index (&columns)[OF_LANE], int count) {
        Index mine = -1;
#pragma unroll
        for (int c = 0; c < OF_LANE; ++c)
            if (c < count && static_cast<Column>(columns[c]) == column) mine = at + c;
        const Word some = __ballot_sync(ALL_LANES, mine >= 0);
        if (some != 0) found = __shfl_sync(ALL_LANES, mine, __ffs(static_cast<int>(some)) - 1);
        return some != 0;
    };
    if (i >= rows.n) return -1;
    if (i >= rows.n_long) {
        const ShortRows here(rows, i >> 5);
        const Tail tail = here.of(rows, i & 31);
        const Index first = first_column(rows.first[i]);
        if (static_cast<Column>(first) == column) return 0;
        Index columns[OF_LANE];
        const int count = columns_after(first, tail, columns);
        equal(1 + OF_LANE * lane_id(), columns, count);
        return found;
    }
    const Index begin = rows.segments[i], end = rows.segments[i + 1];
    if (begin == end) return -1;
    const Index s = last_holding(begin, end - 1, [&](Index s) {
        const Index before = Segment(rows, s).before();
        return before < 0 || static_cast<Column>(before) < column;
    });
    each_four(Segment(rows, s), equal);
    return found < 0 ? found : (s - begin) * SEGMENT_ENTRIES + found;
}
