// What a search by value over packed rows with weights has beside them: the lightest entry of each row,
// and a matrix of the light entries, those with weights of at most `most`, in compressed rows.
// See docs/decisions/sssp.md.
#pragma once
#include "core/fold.cuh"
#include "core/packed_scan.cuh"
#include "core/warp_reduce.cuh"
#include "matrix/min_edge.cuh"

// Where the weight of entry `at` of row j is: weights[begins[j] + at].
template <class Offset, class W> struct StoredWeights {
    const Offset* begins;
    const W* weights;

    __device__ W of(Index j, Index at) const { return weights[begins[j] + static_cast<Offset>(at)]; }
};

// The lightest of some heavy weights, those above `most`; 0 if there is none.
template <class W> struct LightestHeavy {
    W most, best;

    __device__ void add(W weight) {
        if (weight > most && (best == W() || weight < best)) best = weight;
    }
    __device__ void fold() {
        for (int distance = 16; distance > 0; distance >>= 1)
            add(static_cast<W>(__shfl_xor_sync(ALL_LANES, best, distance)));
    }
    // Of all entries but the lightest one.
    __device__ W besides(const MinEdge<W>& row) const {
        return row.weight > most ? row.degree > 1 ? row.next : W() : best;
    }
};

// A lane's own row, for packed_front.cuh.
template <class Offset, class W> struct MinEdgeRule {
    StoredWeights<Offset, W> edges;
    BestTwo<W> mine;
    LightestHeavy<W> heavy;

    static __device__ BestTwo<W> none() { return {{W(), W(), 0, 0}, false}; }

    __device__ void first(Index j, Index column, bool has) {
        if (!has) return;
        mine.add(edges.of(j, 0), column);
        heavy.add(edges.of(j, 0));
    }
    __device__ void rest(Index j, Index at, const Index (&columns)[OF_LANE], int count) {
        BestTwo<W> found = none();
        LightestHeavy<W> above{heavy.most, W()};
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i)
            if (i < count) {
                found.add(edges.of(j, at + i), columns[i]);
                above.add(edges.of(j, at + i));
            }
        fold(found);
        above.fold();
        if (lane_id() != (j & 31)) return;
        join(mine, found.best);
        heavy.add(above.best);
    }

    static __device__ void join(BestTwo<W>& into, const MinEdge<W>& other) {
        if (other.degree > 0) into.add(other.weight, other.to);
        if (other.degree > 1) into.add(other.next, other.to);
    }
    // The two best of the warp, in every lane.
    static __device__ void fold(BestTwo<W>& found) {
        for (int distance = 16; distance > 0; distance >>= 1) {
            MinEdge<W> other;
            other.weight = static_cast<W>(__shfl_xor_sync(ALL_LANES, found.best.weight, distance));
            other.next = static_cast<W>(__shfl_xor_sync(ALL_LANES, found.best.next, distance));
            other.to = __shfl_xor_sync(ALL_LANES, found.best.to, distance);
            other.degree = __shfl_xor_sync(ALL_LANES, found.best.degree, distance);
            join(found, other);
        }
    }
};

// The lightest entry of each of the n rows that may have entries, and the lightest heavy weight of the
// others: 0 if there is none.
template <class Offset, class W>
__global__ void packed_min_edges(PackedRows rows, StoredWeights<Offset, W> edges, W most, MinEdge<W>* min_edges,
                                 W* heavy) {
    using Rule = MinEdgeRule<Offset, W>;
    const Index words_of_long = words_of(rows.n_long);
    for (Index word : warp_stride<Index>(words_of(rows.n) - words_of_long)) {
        const Index group = words_of_long + word, j = (group << 5) + lane_id();
        Rule rule{edges, Rule::none(), {most, W()}};
        walk_short(rows, group, inside(group, rows.n), rule);
        if (j >= rows.n) continue;
        rule.mine.best.degree = static_cast<int>(row_length<true>(rows, j));
        min_edges[j] = rule.mine.best;
        heavy[j] = rule.heavy.besides(rule.mine.best);
    }
    for (Index j : warp_stride<Index>(rows.n_long)) {
        BestTwo<W> found = Rule::none();
        LightestHeavy<W> above{most, W()};
        Index at = OF_LANE * lane_id();
        for (Index s = rows.segments[j]; s < rows.segments[j + 1]; ++s)
            each_block(Segment(rows, s), [&](const Index (&columns)[OF_LANE], int count) {
#pragma unroll
                for (int i = 0; i < OF_LANE; ++i)
                    if (i < count) {
                        found.add(edges.of(j, at + i), columns[i]);
                        above.add(edges.of(j, at + i));
                    }
                at += PACKED_GAPS;
                return false;
            });
        Rule::fold(found);
        found.best.degree = static_cast<int>(row_length<true>(rows, j));
        above.fold();
        if (lane_id() > 0) continue;
        min_edges[j] = found.best;
        heavy[j] = above.besides(found.best);
    }
}

// How many light entries each row has. The lengths are 0 at first.
template <class Offset, class W>
__global__ void count_light(PackedRows rows, StoredWeights<Offset, W> edges, W most, Index* lengths) {
    scan_packed(
        rows, [](Index) { return true; },
        [&](Index j, Index) {
            if (edges.of(j, 0) <= most) atomicAdd(lengths + j, 1);
        },
        [&](Index j, Index at, const Index (&)[OF_LANE], int count) {
            int mine = 0;
#pragma unroll
            for (int i = 0; i < OF_LANE; ++i) mine += i < count && edges.of(j, at + i) <= most;
            const int all = warp_reduce<Sum>(mine);
            if (lane_id() == 0 && all > 0) atomicAdd(lengths + j, all);
        });
}

// The light entries, in no order within a row. `next` holds where each row begins, and is moved on.
template <class Offset, class W, class To, class A>
__global__ void take_light(PackedRows rows, StoredWeights<Offset, W> edges, W most, To* next, Index* columns,
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
            const int end = running_sum(mine), all = __shfl_sync(ALL_LANES, end, 31);
            if (all == 0) return;
            To place = 0;
            if (lane_id() == 0) place = fold_into<Plus<To>>(next + j, To(all));
            place = __shfl_sync(ALL_LANES, place, 0) + To(end - mine);
#pragma unroll
            for (int i = 0; i < OF_LANE; ++i)
                if (i < count && weights[i] <= most) put(place++, from[i], weights[i]);
        });
}
