// Compressed rows of entries that come as coordinates, in any order, and perhaps several times.
//
// An entry is a Pair in one word, its row in the upper half and its column in the lower, so that
// entries are sorted by keys alone. Where they have values, a stable sort gives an order: the number
// of each entry in the list as it came.
// See docs/decisions/storage.md.
#pragma once
#include "core/bitmap.cuh"
#include "core/grid_stride.cuh"
#include "core/partition_point.cuh"
#include "core/warp_reduce.cuh"
#include "matrix/entries.cuh"

using Pair = unsigned long long;

constexpr Pair NO_EDGE = ~0ull;  // sorts after every pair

__device__ inline Pair pair_of(Index u, Index v) { return static_cast<Pair>(u) << 32 | static_cast<unsigned>(v); }
__device__ inline Index first_end(Pair pair) { return static_cast<Index>(pair >> 32); }
__device__ inline Index second_end(Pair pair) { return static_cast<Index>(pair & 0xffffffffull); }

// Ids of any integer type as pairs; with `upper` the smaller id is the row. found: whether an id is
// outside its range, and the largest row and column.
template <class Row, class Column>
__global__ void pack_pairs(long long count, const Row* rows, const Column* columns, Pair nrows, Pair ncols,
                           bool upper, Pair* pairs, Pair* found) {
    Pair outside = 0, last_row = 0, last_column = 0;
    for (long long e : grid_stride<long long>(count)) {
        const Pair i = static_cast<Pair>(rows[e]), j = static_cast<Pair>(columns[e]);
        outside |= i >= nrows || j >= ncols;  // a negative id is a large number
        last_row = i > last_row ? i : last_row;
        last_column = j > last_column ? j : last_column;
        const Index u = static_cast<Index>(i), v = static_cast<Index>(j);
        pairs[e] = upper && v < u ? pair_of(v, u) : pair_of(u, v);
    }
    last_row = warp_reduce<Maximum>(last_row);
    last_column = warp_reduce<Maximum>(last_column);
    if (outside) atomicOr(found, outside);
    if (lane_id() == 0) atomicMax(found + 1, last_row);
    if (lane_id() == 0) atomicMax(found + 2, last_column);
}

// Marks the first of equal pairs in a sorted list, 32 to a word, and counts the marks of each word.
__global__ void mark_new(long long count, const Pair* pairs, Word* kept, long long* counts) {
    const long long words = (count + 31) >> 5;
    for (long long word : warp_stride<long long>(words)) {
        const long long e = (word << 5) + lane_id();
        const bool is_new = e < count && pairs[e] != NO_EDGE && (e == 0 || pairs[e] != pairs[e - 1]);
        const Word now = __ballot_sync(ALL_LANES, is_new);
        if (lane_id() == 0) {
            kept[word] = now;
            counts[word] = __popc(now);
        }
    }
}

// How many pairs of a sorted list come before row i.
__device__ inline long long before_row(const Pair* pairs, long long count, Index i) {
    const Pair bound = static_cast<Pair>(i) << 32;
    return partition_point(0ll, count, [&](long long e) { return pairs[e] < bound; });
}

// The offsets of the rows, from `first` on, of the marked pairs.
template <class Offset>
__global__ void begin_kept_rows(Index nrows, Index first, long long count, const Pair* pairs, const Word* kept,
                                const long long* ends, Offset* indptr) {
    for (long long i : grid_stride<long long>(nrows + 1ll)) {
        indptr[i] = static_cast<Offset>(rank(kept, ends, before_row(pairs, count, first + static_cast<Index>(i))));
    }
}

// The offsets of the rows of sorted entries, which are few for that many rows.
template <class Offset>
__global__ void begin_few_rows(Index nrows, long long count, const Index* rows, Offset* indptr) {
    for (long long i : grid_stride<long long>(nrows + 1ll))
        indptr[i] = static_cast<Offset>(partition_point(0ll, count, [&](long long e) { return rows[e] < i; }));
}

// What values of one type have to be, and how much work may lie in one thread's hands.
struct Folding {
    long long longest;  // as many values of one entry are folded, one after another as they came
    bool finite;        // no value may be NaN or infinite
    bool sums;          // the fold is a sum that its type has to hold
};

// The column and the value of each marked pair. The value is the fold of all values of the pair, in
// the order in which they came; `order` is null if one value stands for all. Without `folded` there
// are only columns. wrong: something was not as Folding says, and the result is not complete.
template <class Accum>
__global__ void fold_pairs(long long count, const Pair* pairs, const long long* order,
                           const typename Accum::W* values, const Word* kept, const long long* ends,
                           Folding folding, Index* columns, typename Accum::W* folded, Word* wrong) {
    using W = typename Accum::W;
    constexpr bool is_float = W(0.5) != W(0) && W(0.5) != W(1), is_bool = W(2) == W(1);
    bool is_wrong = false;
    for (long long e : grid_stride<long long>(count)) {
        if (!(kept[e >> 5] >> (e & 31) & 1u)) continue;
        const long long at = rank(kept, ends, e);
        columns[at] = second_end(pairs[e]);
        if (folded == nullptr) continue;
        W total = values[order == nullptr ? 0 : order[e]];
        double exact = static_cast<double>(total);
        is_wrong |= folding.finite && total - total != W(0);
        for (long long f = e + 1; f < count && pairs[f] == pairs[e]; ++f) {
            if (f - e > folding.longest) {
                is_wrong = true;
                break;
            }
            const W value = values[order == nullptr ? 0 : order[f]];
            is_wrong |= folding.finite && value - value != W(0);
            if (Accum::given) total = Accum::join(total, value);
            exact += static_cast<double>(value);
        }
        if (folding.sums && is_float) is_wrong |= total - total != W(0);
        if (folding.sums && !is_float && !is_bool)
            is_wrong |= fabs(static_cast<double>(total) - exact) > static_cast<double>(1ull << (8 * sizeof(W) - 1));
        folded[at] = total;
    }
    if (is_wrong) atomicOr(wrong, 1u);
}
