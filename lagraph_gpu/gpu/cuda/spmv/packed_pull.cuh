// Pull over packed rows: w⟨mask⟩ = A ⊕.⊗ u, where A is symmetric, with one value for all entries or with
// weights beside its rows.
//
// A warp handles a word of short rows: each lane folds a row of few entries, a few lanes fold each of up to QUARTER
// gaps, and the whole warp folds the others. Long rows come afterwards, with a warp for each, or a block if it is a
// hub.
// See docs/decisions/layouts.md.
#pragma once
#include "core/groups.cuh"
#include "core/packed_front.cuh"
#include "core/packed_lookup.cuh"
#include "core/packed_rows.cuh"
#include "core/packed_weights.cuh"
#include "core/vector_load.cuh"
#include "core/warp_reduce.cuh"
#include "spmv/pull.cuh"

constexpr int FEW_GAPS = 8;  // after a first column, for a lane

// What row j gets from column k, which is its entry `at`.
template <class S, class Values> struct PackedGather {
    Values values;
    const Word* u_bits;
    const typename S::U* u;

    __device__ void column(Partial<S>& mine, Index j, Index at, Index k) const {
        if (!present(u_bits, k)) return;
        const typename S::A value = values.of(j, at);
        mine.fold(S::product(u, k, &value, 0, j));
    }
    // Those from entry `at` on, which are looked up together.
    __device__ void columns(Partial<S>& mine, Index j, Index at, const Index (&found)[OF_LANE], int count) const {
        typename S::U x[OF_LANE];
        typename S::A value[OF_LANE];
        Word has[OF_LANE];
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) has[i] = i < count ? ALL_LANES : 0;
        if (u_bits != nullptr) {
#pragma unroll
            for (int i = 0; i < OF_LANE; ++i) has[i] = i < count ? u_bits[static_cast<Word>(found[i]) >> 5] : 0;
            loaded(has);
        }
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) {
            has[i] = has[i] >> (found[i] & 31) & 1u;
            if constexpr (S::reads_vector) x[i] = has[i] ? u[found[i]] : typename S::U{};
            if constexpr (S::reads_matrix) value[i] = has[i] ? values.of(j, at + i) : typename S::A{};
        }
        if constexpr (S::reads_vector) loaded(x);
        if constexpr (S::reads_matrix) loaded(value);
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i)
            if (has[i] && !mine.settled()) mine.fold(S::step(x[i], found[i], value + i, 0, j));
    }
};

// Those rows of a word, of at most QUARTER gaps each, FEW_ROWS at a time, each by FEW_LANES lanes. `first` is the first
// column of a lane's row, and `mine` what has come of it.
template <class S, class Values>
__device__ inline void fold_quarters(const PackedGather<S, Values>& gather, const PackedRows& rows,
                                     const ShortRows& here, Index word, Index first, Word those, Partial<S>& mine) {
    const FewLanes lanes;
    while (those != 0) {
        const auto [owner, live] = FewTurn(those);
        const Tail tail = here.of(rows, owner);
        const int rest = live ? tail.gaps - lanes.at : 0, count = rest < 0 ? 0 : rest < OF_LANE ? rest : OF_LANE;
        Index last = __shfl_sync(ALL_LANES, first, owner), columns[OF_LANE];
        lanes.columns(tail, 0, count, last, columns);
        Partial<S> part = nothing<S>();
        gather.columns(part, (word << 5) + owner, 1 + lanes.at, columns, count);
        part = fold_warp<S, FEW_LANES>(part);
#pragma unroll
        for (int group = 0; group < FEW_ROWS; ++group) {
            const int from = group * FEW_LANES;
            const Partial<S> other{from_lane<typename S::Z>(part.value, from),
                                   __shfl_sync(ALL_LANES, int(part.has), from) != 0};
            if (__shfl_sync(ALL_LANES, owner, from) == lane_id() && other.has) mine.fold(other.value);
        }
    }
}

// The rows of a word, one for each lane, if it is `asked`. All lanes must call it.
template <class S, class Values>
__device__ inline Partial<S> fold_short(const PackedGather<S, Values>& gather, const PackedRows& rows, Index word,
                                        bool asked) {
    const ShortRows here(rows, word);
    const Index j = (word << 5) + lane_id(), first = asked ? first_column(rows.first[j]) : 0;
    const int gaps = gaps_of(here.tail);
    Partial<S> mine = nothing<S>();
    if (asked) gather.column(mine, j, 0, first);
    if (asked && gaps <= FEW_GAPS) {
        const Tail tail = here.mine(rows);
        Index k = first;
        GapsInTurn in_turn(tail);
        for (int t = 0; t < gaps && !mine.settled(); t += OF_LANE) {
            Word steps[OF_LANE];
            Index columns[OF_LANE];
            in_turn.four(t, gaps - t, steps);
#pragma unroll
            for (int i = 0; i < OF_LANE; ++i) columns[i] = k += static_cast<Index>(steps[i] + 1);
            gather.columns(mine, j, 1 + t, columns, gaps - t);
        }
    }
    const bool asks_more = asked && gaps > FEW_GAPS && !mine.settled();
    fold_quarters(gather, rows, here, word, first, __ballot_sync(ALL_LANES, asks_more && gaps <= QUARTER), mine);
    for (Word some = __ballot_sync(ALL_LANES, asks_more && gaps > QUARTER); some != 0; some &= some - 1) {
        const int lane = __ffs(static_cast<int>(some)) - 1;
        const Tail tail = here.of(rows, lane);
        Index columns[OF_LANE];
        const int count = columns_after(__shfl_sync(ALL_LANES, first, lane), tail, columns);
        Partial<S> part = nothing<S>();
        gather.columns(part, (word << 5) + lane, 1 + OF_LANE * lane_id(), columns, count);
        part = fold_warp(part);
        if (lane_id() == lane && part.has) mine.fold(part.value);
    }
    return mine;
}

// Short rows; the words of all other rows are cleared.
template <class S, class Values>
__global__ void packed_pull(Index n, PackedRows rows, Values values, SparseVector<typename S::U> u, Mask mask,
                            SparseOutput<typename S::Z> out) {
    const PackedGather<S, Values> gather{values, u.bits, u.values};
    for (Index word : common_stride<Index>(words_of(n))) {
        const Index j = (word << 5) + lane_id();
        Partial<S> found = nothing<S>();
        if (word << 5 >= rows.n_long && word << 5 < rows.n)
            found = fold_short(gather, rows, word, j < rows.n && (mask.word(word) >> lane_id() & 1u));
        const Word has = __ballot_sync(ALL_LANES, found.has);
        if (found.has) out.values[j] = found.value;
        if (lane_id() == 0) out.bits[word] = has;
    }
}

// Long rows from `begin` to before `end`, after the short ones, a warp or a block for each.
template <class S, class Values, class Group>
__global__ void packed_pull_long(Index begin, Index end, PackedRows rows, Values values,
                                 SparseVector<typename S::U> u, Mask mask, SparseOutput<typename S::Z> out) {
    const PackedGather<S, Values> gather{values, u.bits, u.values};
    const int warp = Group::rank() >> 5, warps = Group::size() >> 5;
    for (Index i : group_stride<Group, Index>(end - begin)) {
        const Index j = begin + i;
        if (!mask.wants(j)) continue;
        const Index start = rows.segments[j], last = rows.segments[j + 1];
        Partial<S> mine = nothing<S>();
        for (Index s = start + warp; s < last; s += warps)
            if (each_four(Segment(rows, s), [&](Index at, const Index (&columns)[OF_LANE], int count) {
                    gather.columns(mine, j, (s - start) * SEGMENT_ENTRIES + at, columns, count);
                    return (S::any || S::has_terminal) && __any_sync(ALL_LANES, mine.settled());
                }))
                break;
        mine = Group::fold(mine);
        if (Group::rank() == 0 && mine.has) {
            out.values[j] = mine.value;
            mark(out.bits, j);
        }
    }
}

// Calls found(v, has, at) for each position v, 32 of them at once: `has` says whether it has a parent,
// and `at` which entry of row v is in the parent's column, -1 for none. Long rows are searched by warps.
template <class T, class Found>
__device__ inline void each_tree_edge(Index n, const PackedRows& rows, const SparseVector<T>& parent, Found found) {
    for (Index word : common_stride<Index>(words_of(n))) {
        const Index j = (word << 5) + lane_id();
        const bool has = j < n && present(parent.bits, j);
        const T wanted = has ? parent.values[j] : T(0);
        const bool is_long = word << 5 < rows.n_long, is_short = !is_long && word << 5 < rows.n;
        Index at = -1;
        if (is_short) {
            const ShortRows here(rows, word);
            if (has && j < rows.n) {
                const Tail tail = here.mine(rows);
                Index column = first_column(rows.first[j]);
                const auto found = [=](Index k, Word = 0) { return static_cast<T>(k) == wanted; };
                at = found(column) ? -1 : find_in_block(GapsInTurn(tail), tail.gaps, column, rows.n,
                                                        [](Index) { return Word(0); }, found);
                at = found(column) ? at + 1 : -1;
            }
        }
        for (Word some = __ballot_sync(ALL_LANES, has && is_long && j < rows.n); some != 0; some &= some - 1) {
            const int lane = __ffs(static_cast<int>(some)) - 1;
            const T k = __shfl_sync(ALL_LANES, wanted, lane);
            const Index there = position_of(rows, (word << 5) + lane, k);
            if (lane_id() == lane) at = there;
        }
        found(j, has, at);
    }
}

// Counts the positions v with a parent that have no entry in the column of the parent.
template <class T>
__global__ void count_missing(Index n, PackedRows rows, SparseVector<T> parent, Count* missing) {
    Count mine = 0;
    each_tree_edge(n, rows, parent, [&](Index, bool has, Index at) { mine += has && at < 0; });
    mine = warp_reduce<Sum>(mine);
    if (lane_id() == 0 && mine > 0) atomicAdd(missing, mine);
}

// The value of the entry in the parent's column, of each position with a parent that has one.
template <class T, class Values, class A>
__global__ void tree_edge_values(Index n, PackedRows rows, SparseVector<T> parent, Values values,
                                 SparseOutput<A> out) {
    each_tree_edge(n, rows, parent, [&](Index j, bool, Index at) {
        const Word has = __ballot_sync(ALL_LANES, at >= 0);
        if (at >= 0) out.values[j] = values.of(j, at);
        if (lane_id() == 0) out.bits[j >> 5] = has;
    });
}
