// Rows that are too long for shared memory, in the order of keys (see segmented_sort.cuh): a digit
// at a time, by all blocks of the grid.
//
// A row is cut in tiles. For each digit the tiles are counted, a table of counts is added up, by
// row, digit and tile, and then the items of each tile are sorted by the digit in shared memory and
// go to where the sums say: first from the entries to a list of items, then from list to list, and
// last to the entries' places.
// See docs/decisions/layouts.md.
#pragma once
#include "core/grid_stride.cuh"
#include "matrix/segmented_sort.cuh"

struct SortItem {  // of a row: the key of an entry, and its place in the row as it was
    unsigned key;
    Index place;
};

// A tile of a row, and its part of the items that are there.
template <class Order> struct SortTile {
    using Offset = typename Order::Offset;
    const Order& order;
    const SortItem* items;  // of all rows that have tiles, one after another; null: the entries themselves
    Index row, first, number, tiles;
    Offset item, entry;  // the first ones of the row
    int count;

    __device__ SortTile(const Order& order, const SortItem* items, const Index* rows, const Index* firsts,
                    const Offset* ends, Index t)
        : order(order), items(items), row(rows[t]), first(firsts[t]), number(t - firsts[t]) {
        const Offset degree = order.degree(row), begin = static_cast<Offset>(number) * SORT_TILE;
        tiles = static_cast<Index>((degree + SORT_TILE - 1) / SORT_TILE);
        entry = order.first(row);
        item = first == 0 || ends == nullptr ? 0 : ends[static_cast<long long>(first) * RADIX - 1];
        count = static_cast<int>(degree - begin < SORT_TILE ? degree - begin : SORT_TILE);
    }
    // Where the tile's count of a digit is in the table.
    __device__ long long cell(int digit) const {
        return static_cast<long long>(first) * RADIX + static_cast<long long>(digit) * tiles + number;
    }
    __device__ unsigned key(int i) const {
        const Index place = number * SORT_TILE + i;
        return items == nullptr ? order.key(entry + place) : items[item + place].key;
    }
    __device__ Index place(int i) const {
        const Index place = number * SORT_TILE + i;
        return items == nullptr ? place : items[item + place].place;
    }
};

// counts: of each digit in each tile, in the order of the table.
template <class Order>
__global__ void __launch_bounds__(MAX_THREADS)
    count_digits(Index tiles, const Index* rows, const Index* firsts, int shift, const SortItem* items,
                 const typename Order::Offset* ends, const Index* old, const Index* to,
                 const typename Order::Offset* indptr, const Index* indices,
                 const typename Order::T* values, unsigned flip, const typename Order::Offset* begins,
                 unsigned* counts) {
    __shared__ unsigned own[MAX_THREADS / 32][RADIX];
    const Order order{{old, to, indptr, indices, values, flip, begins, nullptr, nullptr}};
    const int warps = blockDim.x / 32;
    for (Index t : block_stride<Index>(tiles)) {
        const SortTile<Order> tile(order, items, rows, firsts, ends, t);
        for (int d = threadIdx.x; d < RADIX; d += blockDim.x)  // which the thread itself has added up
            for (int w = 0; w < warps; ++w) own[w][d] = 0;
        __syncthreads();
        for (int base = threadIdx.x; base < tile.count; base += LOADS * blockDim.x) {
            unsigned key[LOADS];
#pragma unroll
            for (int r = 0; r < LOADS; ++r) {
                const int i = base + r * blockDim.x;
                if (i < tile.count) key[r] = tile.key(i);
            }
#pragma unroll
            for (int r = 0; r < LOADS; ++r)
                if (base + r * static_cast<int>(blockDim.x) < tile.count)
                    atomicAdd(&own[threadIdx.x / 32][key[r] >> shift & (RADIX - 1)], 1u);
        }
        __syncthreads();
        for (int d = threadIdx.x; d < RADIX; d += blockDim.x) {
            unsigned sum = 0;
            for (int w = 0; w < warps; ++w) sum += own[w][d];
            counts[tile.cell(d)] = sum;
        }
    }
}

// Moves the items of each tile to where `ends`, the running sum of the counts, says; to out_items,
// or, if that is null, to the places of their entries.
template <class Order>
__global__ void __launch_bounds__(MAX_THREADS, 4)
    move_digits(Index tiles, const Index* rows, const Index* firsts, int shift, const SortItem* items,
                const typename Order::Offset* ends, const unsigned* counts, SortItem* out_items,
                const Index* old, const Index* to, const typename Order::Offset* indptr,
                const Index* indices, const typename Order::T* values, unsigned flip,
                const typename Order::Offset* begins, typename Order::Column* out_columns,
                typename Order::T* out_values) {
    using Offset = typename Order::Offset;
    __shared__ BlockRadixSort<Block, SORT_TILE / WARP_ROOM> radix_sort;
    __shared__ unsigned leads[RADIX];  // from an item's place in the sorted tile to that in the row
    const Order order{{old, to, indptr, indices, values, flip, begins, out_columns, out_values}};
    for (Index t : block_stride<Index>(tiles)) {
        const SortTile<Order> tile(order, items, rows, firsts, ends, t);
        radix_sort.fill(tile.count, [&](int i) { return tile.key(i); });
        radix_sort.pass(0, tile.count, shift);
        for (int d = threadIdx.x; d < RADIX; d += blockDim.x) {
            const long long cell = tile.cell(d);
            leads[d] = static_cast<unsigned>(ends[cell] - tile.item) - counts[cell] - radix_sort.begin_of(d);
        }
        __syncthreads();
        const Offset begin = begins[tile.row];
        for (int base = threadIdx.x; base < tile.count; base += LOADS * blockDim.x) {
            SortItem item[LOADS];
            unsigned where[LOADS];
            Moved<typename Order::T> moved[LOADS];
#pragma unroll
            for (int r = 0; r < LOADS; ++r) {
                const int i = base + r * blockDim.x;
                if (i >= tile.count) continue;
                const int place = radix_sort.places[1][i];
                item[r] = {radix_sort.keys[place], tile.place(place)};
                where[r] = leads[radix_sort.digit(item[r].key, shift)] + i;
            }
#pragma unroll
            for (int r = 0; r < LOADS; ++r)
                if (base + r * static_cast<int>(blockDim.x) < tile.count && out_items == nullptr)
                    moved[r] = order.entry(tile.entry + item[r].place, item[r].key);
#pragma unroll
            for (int r = 0; r < LOADS; ++r) {
                if (base + r * static_cast<int>(blockDim.x) >= tile.count) continue;
                if (out_items != nullptr) out_items[tile.item + where[r]] = item[r];
                else order.put(begin + where[r], moved[r]);
            }
        }
    }
}
