// The entries of each row in the order of 32-bit keys, from some arrays into others; where keys are
// equal they stay as they were.
//
// Of up to 32 entries each lane of a warp counts those that come before its own. More are sorted in
// shared memory (see block_radix_sort.cuh), by as many warps, up to 32, as there are entries for.
// Rows that have no room there are cut in tiles (see segmented_sort_tiles.cuh).
// See docs/decisions/layouts.md.
#pragma once
#include "core/append.cuh"
#include "core/grid_stride.cuh"
#include "matrix/block_radix_sort.cuh"
#include "matrix/segmented_sort_keys.cuh"

constexpr int NARROW = 8;      // rows of so many entries or less share a warp

// Lists the rows that are not short. List k, from rows[k room] on, has those for 2^k warps;
// counts[k], 0 at first, is its length. Rows for which there is none of the `kinds` of lists are
// listed by tiles: which row each belongs to, and which is the row's first; counts[kinds] is how
// many there are.
template <class Offset>
__global__ void list_long_rows(Index n, int kinds, Index room, const Offset* begins, Index* rows,
                               Index* tile_rows, Index* tile_firsts, unsigned* counts) {
    for (Index base : warp_stride<Index>(n, 32)) {
        const Index row = base + lane_id();
        const Offset degree = row < n ? begins[row + 1] - begins[row] : 0;
        int kind = degree <= SHORT_ROW ? -1 : 0;
        while (kind >= 0 && kind < kinds && degree > WARP_ROOM << kind) ++kind;
        for (int k = 0; k < kinds; ++k) {
            const unsigned at = append(kind == k, counts + k);
            if (kind == k) rows[static_cast<long long>(k) * room + at] = row;
        }
        if (kind != kinds) continue;
        const unsigned tiles = static_cast<unsigned>((degree + SORT_TILE - 1) / SORT_TILE);
        const unsigned at = atomicAdd(counts + kinds, tiles);
        for (unsigned t = at; t < at + tiles; ++t) {
            tile_rows[t] = row;
            tile_firsts[t] = static_cast<Index>(at);
        }
    }
}

// Rows of up to `width` entries, as many at a time as the warp has room for, TOGETHER times.
template <class Order>
__device__ inline void order_in_lanes(const Order& order, int width, typename Order::Offset first,
                                      typename Order::Offset begin, int degree) {
    using Offset = typename Order::Offset;
    constexpr int TOGETHER = LOADS_OF<Offset>;
    const int mine = lane_id() & (width - 1), group = lane_id() - mine, rows = 32 / width;
    for (int base = group / width; base < 32; base += TOGETHER * rows) {  // the row's number in the warp
        unsigned key[TOGETHER];
        Moved<typename Order::T> moved[TOGETHER];
#pragma unroll
        for (int r = 0; r < TOGETHER; ++r) {
            const int count = __shfl_sync(ALL_LANES, degree, base + r * rows);
            const Offset from = __shfl_sync(ALL_LANES, first, base + r * rows);
            key[r] = mine < count ? order.key(from + mine) : 0;
        }
#pragma unroll
        for (int r = 0; r < TOGETHER; ++r) {
            const int count = __shfl_sync(ALL_LANES, degree, base + r * rows);
            const Offset from = __shfl_sync(ALL_LANES, first, base + r * rows);
            if (mine < count) moved[r] = order.entry(from + mine, key[r]);
        }
#pragma unroll
        for (int r = 0; r < TOGETHER; ++r) {
            const int count = __shfl_sync(ALL_LANES, degree, base + r * rows);
            Offset to = __shfl_sync(ALL_LANES, begin, base + r * rows);
            const int others = width < 32 ? width : count;
            for (int i = 0; i < others; ++i) {
                const unsigned other = __shfl_sync(ALL_LANES, key[r], group + i);
                to += i < count && (other < key[r] || (other == key[r] && i < mine));
            }
            if (mine < count) order.put(to, moved[r]);
        }
    }
}

template <class Order>
__global__ void __launch_bounds__(MAX_THREADS, ARCHITECTURE > 900 ? 3 : 4)
    order_short_rows(Index n, const Index* old, const Index* to, const typename Order::Offset* indptr,
                     const Index* indices, const typename Order::T* values, unsigned flip,
                     const typename Order::Offset* begins, typename Order::Column* out_columns,
                     typename Order::T* out_values) {
    using Offset = typename Order::Offset;
    const Order order{{old, to, indptr, indices, values, flip, begins, out_columns, out_values}};
    for (Index base : warp_stride<Index>(n, 32)) {
        const Index row = base + lane_id();
        const Offset length = row < n ? order.degree(row) : 0;
        const int degree = length <= SHORT_ROW ? static_cast<int>(length) : 0;
        if (!__any_sync(ALL_LANES, degree > 0)) continue;
        const Offset first = degree > 0 ? order.first(row) : 0, begin = degree > 0 ? begins[row] : 0;
        if (__any_sync(ALL_LANES, degree > NARROW)) order_in_lanes(order, 32, first, begin, degree);
        else order_in_lanes(order, NARROW, first, begin, degree);
    }
}

template <int WARPS> struct GroupOf { using type = Block; };
template <> struct GroupOf<1> { using type = Warp; };

// Sorts the *count rows of a list, each by WARPS warps. If that is one warp, a block sorts as many
// rows at a time as it has warps. Shared memory holds a BlockRadixSort for each row.
template <class Order, int WARPS>
__global__ void __launch_bounds__(WARPS == 1 ? MAX_THREADS : 32 * WARPS, WARPS == 1 ? 4 : 32 / WARPS)
    order_listed_rows(const Index* rows, const unsigned* count, const Index* old, const Index* to,
                      const typename Order::Offset* indptr, const Index* indices,
                      const typename Order::T* values, unsigned flip,
                      const typename Order::Offset* begins, typename Order::Column* out_columns,
                      typename Order::T* out_values) {
    using Offset = typename Order::Offset;
    using Group = typename GroupOf<WARPS>::type;
    extern __shared__ unsigned long long memory[];
    auto& radix_sort = reinterpret_cast<BlockRadixSort<Group, WARPS>*>(memory)[Group::number()];
    const Order order{{old, to, indptr, indices, values, flip, begins, out_columns, out_values}};
    const unsigned all = *count;
    for (unsigned r : group_stride<Group, unsigned>(all)) {
        const Offset first = order.first(rows[r]), begin = begins[rows[r]];
        const int degree = static_cast<int>(order.degree(rows[r]));
        const unsigned differ = radix_sort.fill(degree, [&](int i) { return order.key(first + i); });
        int side = 0;
        for (int shift = __ffs(static_cast<int>(differ)) - 1; shift >= 0 && shift < 32 && differ >> shift != 0;
             shift += RADIX_BITS, side = 1 - side)
            radix_sort.pass(side, degree, shift);
        for (int base = Group::rank(); base < degree; base += LOADS * Group::size()) {
            Moved<typename Order::T> moved[LOADS];
#pragma unroll
            for (int k = 0; k < LOADS; ++k) {
                const int i = base + k * Group::size();
                if (i >= degree) continue;
                const unsigned short place = radix_sort.places[side][i];
                moved[k] = order.entry(first + place, radix_sort.keys[place]);
            }
#pragma unroll
            for (int k = 0; k < LOADS; ++k) {
                const int i = base + k * Group::size();
                if (i < degree) order.put(begin + i, moved[k]);
            }
        }
        Group::sync();  // the next row may come
    }
}
