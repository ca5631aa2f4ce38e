// What a search by value over packed rows with weights has beside them: the lightest entry of each row,
// the lightest heavy one besides it, and a matrix of the light entries, those with weights of at most
// `most`, in compressed rows.
// See docs/decisions/sssp.md.
#pragma once
#include "core/fold.cuh"
#include "core/packed_scan.cuh"
#include "core/packed_weights.cuh"
#include "core/warp_reduce.cuh"
#include "matrix/min_edge.cuh"

// Which entries of a row count: all; or, if `besides` is not null, those heavier than `most`, without the
// one that it names.
template <class W> struct EntryFilter {
    const Lightest<W>* besides;
    W most;

    __device__ Index left_out(Index j) const { return besides == nullptr ? -1 : besides[j].column(); }
    __device__ bool wants(W weight, Index column, Index left_out) const {
        return besides == nullptr || (weight > most && column != left_out);
    }
};

// A lane's own row, for packed_front.cuh.
template <class Offset, class W> struct LightestRule {
    PackedWeights<W, Offset, W> edges;
    EntryFilter<W> counted;
    BestTwo<W> mine;

    static __device__ BestTwo<W> none() { return {{W(), W(), 0, 0}, false}; }

    __device__ void add(BestTwo<W>& found, Index j, Index at, Index column, Index left_out) const {
        const W weight = edges.of(j, at);
        if (counted.wants(weight, column, left_out)) found.add(weight, column);
    }
    __device__ void first(Index j, Index column, bool has) {
        if (has) add(mine, j, 0, column, counted.left_out(j));
    }
    __device__ void rest(Index j, Index at, const Index (&columns)[OF_LANE], int count) {
        BestTwo<W> found = none();
        add_each(found, j, at, columns, count);
        for (int distance = 1; distance < 32; distance <<= 1) {  // the first lane of a row joins what the others have
            const int lane = lane_id() + distance;
            const MinEdge<W> other = found.of_lane(lane & 31);
            const Index whose = __shfl_sync(ALL_LANES, j, lane & 31);
            if (lane < 32 && whose == j) found.join(other);
        }
        const int own = lane_id(), lane = lane_partition_point(j & 31, [&](Index row) { return row < own; });
        const MinEdge<W> all = found.of_lane(lane);
        if ((__shfl_sync(ALL_LANES, j, lane) & 31) == own) mine.join(all);
    }
    __device__ void add_each(BestTwo<W>& found, Index j, Index at, const Index (&columns)[OF_LANE], int count) const {
        const Index left_out = counted.left_out(j);
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i)
            if (i < count) add(found, j, at + i, columns[i], left_out);
    }

};

// The lightest of the entries that count, of each of the n rows that may have entries.
template <class Offset, class W>
__global__ void packed_lightest(PackedRows rows, PackedWeights<W, Offset, W> edges, W most, const Lightest<W>* besides,
                                Lightest<W>* lightest) {
    using Rule = LightestRule<Offset, W>;
    const Index words_of_long = words_of(rows.n_long);
    for (Index word : common_stride<Index>(words_of(rows.n) - words_of_long)) {
        const Index group = words_of_long + word, j = (group << 5) + lane_id();
        Rule rule{edges, {besides, most}, Rule::none()};
        walk_short(rows, group, inside(group, rows.n), rule);
        if (j < rows.n) lightest[j] = Lightest<W>::of(rule.mine.best);
    }
    for (Index j : common_stride<Index>(rows.n_long)) {
        const Rule rule{edges, {besides, most}, Rule::none()};
        BestTwo<W> found = Rule::none();
        Index from = 0;
        for (Index s = rows.segments[j]; s < rows.segments[j + 1]; ++s, from += SEGMENT_ENTRIES)
            each_four(Segment(rows, s), [&](Index at, const Index (&columns)[OF_LANE], int count) {
                rule.add_each(found, j, from + at, columns, count);
                return false;
            });
        warp_join(found);
        if (lane_id() == 0) lightest[j] = Lightest<W>::of(found.best);
    }
}

// How many light entries each row has. The lengths are 0 at first.
template <class Offset, class W>
__global__ void count_light(PackedRows rows, PackedWeights<W, Offset, W> edges, W most, Index* lengths) {
    scan_packed(
        rows, [](Index) { return true; },
        [&](Index j, Index) {
            if (edges.of(j, 0) <= most) atomicAdd(lengths + j, 1);
        },
        [&](Index j, Index at, const Index (&)[OF_LANE], int count) {
            int mine = 0;
#pragma unroll
            for (int i = 0; i < OF_LANE; ++i) mine += i < count && edges.of(j, at + i) <= most;
            if (j < rows.n_long) mine = warp_reduce<Sum, SCAN_LANES>(mine);
            if (mine > 0 && (j >= rows.n_long || lane_id() % SCAN_LANES == 0)) atomicAdd(lengths + j, mine);
        });
}

// The light entries, in no order within a row. `next` holds where each row begins, and is moved on.
template <class Offset, class W, class To, class A>
__global__ void take_light(PackedRows rows, PackedWeights<W, Offset, W> edges, W most, To* next, Index* columns,
                           A* values) {
    const auto put = [&](To place, Index column, W weight) {
        columns[place] = column;
        values[place] = arithmetic::cast<A>(weight);
    };
    scan_packed(
        rows, [](Index) { return true; },
        [&](Index j, Index column) {
            const W weight = edges.of(j, 0);
            if (weight <= most) put(fold_into<Plus<To>>(next + j, To(1)), column, weight);
        },
        [&](Index j, Index at, const Index (&from)[OF_LANE], int count) {
            W weights[OF_LANE];
            int mine = 0;
#pragma unroll
            for (int i = 0; i < OF_LANE; ++i) {
                weights[i] = i < count ? edges.of(j, at + i) : W();
                mine += i < count && weights[i] <= most;
            }
            const bool whole = j < rows.n_long;  // do several lanes have entries of this row?
            const int first = lane_id() & ~(SCAN_LANES - 1), end = whole ? running_sum<SCAN_LANES>(mine) : mine;
            const int all = whole ? __shfl_sync(ALL_LANES, end, first + SCAN_LANES - 1) : mine;
            To place = 0;
            if (all > 0 && (!whole || lane_id() == first)) place = fold_into<Plus<To>>(next + j, To(all));
            if (whole) place = __shfl_sync(ALL_LANES, place, first) + To(end - mine);
#pragma unroll
            for (int i = 0; i < OF_LANE; ++i)
                if (i < count && weights[i] <= most) put(place++, from[i], weights[i]);
        });
}
