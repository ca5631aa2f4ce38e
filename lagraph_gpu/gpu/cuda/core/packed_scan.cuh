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

// Calls first(j, column) for the first column of each short row, by one lane, and
// rest(j, at, columns, count) for all other entries: the columns of each lane, of which the first is
// entry `at` of row j. Rows for which wants(j) is false are left out, and their entries are not
// decoded. All threads of the grid must call it; wants must not change meanwhile.
template <class Wants, class First, class Rest>
__device__ inline void scan_packed(const PackedRows& rows, Wants wants, First first, Rest rest) {
    const Index words_of_long = words_of(rows.n_long);
    ScanRule<First, Rest> rule{first, rest};
    for (Index word : common_stride<Index>(words_of(rows.n) - words_of_long)) {
        const Index group = words_of_long + word, j = (group << 5) + lane_id();
        walk_short(rows, group, __ballot_sync(ALL_LANES, j < rows.n && wants(j)), rule);
    }
    const Index segments = rows.n_long == 0 ? 0 : rows.segments[rows.n_long];
    for (Index base : common_stride<Index>(segments, 32)) {
        const Index own = base + lane_id();
        const Index row = last_holding(Index(0), rows.n_long - 1, [&](Index i) { return rows.segments[i] <= own; });
        const Index from = (own - rows.segments[row]) * SEGMENT_ENTRIES;
        for (Word some = __ballot_sync(ALL_LANES, own < segments && wants(row)); some != 0; some &= some - 1) {
            const int lane = __ffs(static_cast<int>(some)) - 1;
            const Index j = __shfl_sync(ALL_LANES, row, lane), begin = __shfl_sync(ALL_LANES, from, lane);
            each_four(Segment(rows, base + lane), [&](Index at, const Index (&columns)[OF_LANE], int count) {
                rest(j, begin + at, columns, count);
                return false;
            });
        }
    }
}
