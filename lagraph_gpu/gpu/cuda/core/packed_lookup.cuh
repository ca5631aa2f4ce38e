// Looking up one entry of packed rows.
// See docs/decisions/layouts.md.
#pragma once
#include "core/packed_rows.cuh"
#include "core/partition_point.cuh"

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
