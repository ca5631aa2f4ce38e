// Entries of a range of rows in buckets: groups of whole rows, in order, of which a block sorts one in shared
// memory (see bucket_sort.cuh). How many entries a row has is known beforehand, duplicates counted, so each bucket
// has its exact place, and nothing is counted first.
//
// There are two turns: from the kept edges to groups of buckets, and from each group to its buckets. A block takes
// a tile of entries, puts them together by bucket in shared memory, reserves places for all entries of a bucket
// with one atomic, and writes them side by side. Entries of a bucket come in any order.
// See docs/decisions/layouts.md.
#pragma once
#include "core/groups.cuh"
#include "generate/row_range.cuh"

constexpr unsigned NO_SLOT = ~0u;

// The first row of each bucket of the rows from `begin` to before `end`: of those whose entries begin in the same
// multiple of `apart` entries, or, if that is 0, of each row. Rows are counted from the range's first.
__global__ void bucket_rows(Index buckets, Index begin, Index end, long long apart, const long long* begins,
                            Index* first_rows) {
    for (Index b : grid_stride<Index>(buckets))
        first_rows[b] = apart == 0 ? begin + b : partition_point(begin, end, [&](Index i) {
            return begins[i] - begins[begin] < b * apart;
        });
}

// Where every `each`-th bucket begins among the entries of the range.
__global__ void bucket_places(Index count, Index each, const Index* first_rows, const long long* begins,
                              Count* places) {
    for (Index b : grid_stride<Index>(count))
        places[b] = static_cast<Count>(begins[first_rows[static_cast<long long>(b) * each]] - begins[0]);
}

// What a block puts entries together with.
template <int TILE> struct Partition {
    Pair room[TILE];
    Count leads[ROW_BUCKETS];     // from an entry's place in the room to that in the list
    unsigned counts[ROW_BUCKETS];
    Index bounds[ROW_BUCKETS];    // the first row of each bucket
    unsigned sums[32];
    unsigned short buckets[TILE];  // of each entry in the room

    // Takes the bounds of `count` buckets, every `each`-th of a list. All threads of the block must call this, and
    // the next one.
    __device__ void begin(Index count, Index each, const Index* first_rows) {
        __syncthreads();
        for (Index b = threadIdx.x; b < ROW_BUCKETS; b += blockDim.x)
            bounds[b] = b < count ? first_rows[static_cast<long long>(b) * each] : Index(0x7fffffff);
    }

    // The last bucket that begins with this row or before it, of up to 2 · half.
    __device__ unsigned bucket_of(Index row, int half) const {
        int bucket = 0;
        for (int step = half; step > 0; step >>= 1)
            if (bounds[bucket + step] <= row) bucket += step;
        return static_cast<unsigned>(bucket);
    }

    // Moves the entries of a tile, entry(i) of each thread where has(i), to the places from ends[bucket] on.
    template <int ITEMS, class Has, class Entry>
    __device__ void move(Index count, Has has, Entry entry, Count* ends, Pair* list) {
        const int half = count > 1 ? 1 << (31 - __clz(count - 1)) : 0;
        for (Index b = threadIdx.x; b < count; b += blockDim.x) counts[b] = 0;
        __syncthreads();
        unsigned slots[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) {
            slots[i] = NO_SLOT;
            if (!has(i)) continue;
            const unsigned bucket = bucket_of(first_end(entry(i)), half);
            slots[i] = bucket << 16 | atomicAdd(counts + bucket, 1u);
        }
        __syncthreads();
        const unsigned total = reserve(count, ends);
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) {
            if (slots[i] == NO_SLOT) continue;
            const unsigned bucket = slots[i] >> 16, at = counts[bucket] + (slots[i] & 0xffff);
            room[at] = entry(i);
            buckets[at] = static_cast<unsigned short>(bucket);
        }
        __syncthreads();
        for (unsigned at = threadIdx.x; at < total; at += blockDim.x) list[leads[buckets[at]] + at] = room[at];
    }

    // Counts become where each bucket begins in the room. Returns their sum.
    __device__ unsigned reserve(Index count, Count* ends) {
        const Index each = (count + blockDim.x - 1) / blockDim.x, first = threadIdx.x * each;
        const Index last = first + each < count ? first + each : count;
        unsigned own = 0, total;
        for (Index b = first; b < last; ++b) own += counts[b];
        unsigned before = Block::running(own, total, sums) - own;
        for (Index b = first; b < last; ++b) {
            const unsigned here = counts[b];
            counts[b] = before;
            if (here > 0) leads[b] = atomicAdd(ends + b, static_cast<Count>(here)) - before;
            before += here;
        }
        __syncthreads();
        return total;
    }
};

// The entries of some rows among kept edges, to groups of `each` buckets.
template <class Rows, int WARPS, int ITEMS>
__global__ void __launch_bounds__(32 * WARPS, 32 / WARPS)
    take_groups(long long count, const Pair* edges, RowRange<Rows> rows, Index groups, Index each,
                const Index* first_rows, Count* ends, Pair* pairs) {
    extern __shared__ unsigned long long memory[];
    constexpr int EDGES = ITEMS / 2, THREADS = 32 * WARPS;
    auto& partition = *reinterpret_cast<Partition<THREADS * ITEMS>*>(memory);
    partition.begin(groups, each, first_rows);
    for (long long base : block_stride<long long>(count, THREADS * EDGES)) {
        Pair edge[EDGES];
#pragma unroll
        for (int i = 0; i < EDGES; ++i) {
            const long long number = base + i * THREADS + threadIdx.x;
            edge[i] = number < count ? edges[number] : 0;
        }
        const auto row = [&](int i) { return i % 2 == 0 ? first_end(edge[i / 2]) : second_end(edge[i / 2]); };
        const auto column = [&](int i) { return i % 2 == 0 ? second_end(edge[i / 2]) : first_end(edge[i / 2]); };
        partition.template move<ITEMS>(
            groups, [&](int i) { return row(i) != column(i) && rows.has(row(i)); },
            [&](int i) { return rows.entry(row(i), column(i)); }, ends, pairs);
    }
}

// The entries of each group to its buckets, of which there are `buckets` in all. A group takes at most `tiles`
// tiles.
template <int WARPS, int ITEMS>
__global__ void __launch_bounds__(32 * WARPS, 32 / WARPS)
    split_groups(Index groups, Index tiles, Index buckets, Index each, const Index* first_rows,
                 const long long* begins, const Pair* pairs, Count* ends, Pair* sorted) {
    extern __shared__ unsigned long long memory[];
    constexpr int TILE = 32 * WARPS * ITEMS;
    auto& partition = *reinterpret_cast<Partition<TILE>*>(memory);
    for (long long turn : block_stride<long long>(static_cast<long long>(groups) * tiles)) {
        const Index first = static_cast<Index>(turn / tiles) * each;
        const Index here = buckets - first < each ? buckets - first : each;
        const long long begin = begins[first_rows[first]] - begins[0] + turn % tiles * TILE;
        const long long left = begins[first_rows[first + here]] - begins[0] - begin;
        if (left <= 0) continue;
        const int count = static_cast<int>(left < TILE ? left : TILE);
        partition.begin(here, 1, first_rows + first);
        Pair entry[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) {
            const int at = i * 32 * WARPS + threadIdx.x;
            if (at < count) entry[i] = pairs[begin + at];
        }
        partition.template move<ITEMS>(
            here, [&](int i) { return i * 32 * WARPS + static_cast<int>(threadIdx.x) < count; },
            [&](int i) { return entry[i]; }, ends + first, sorted);
    }
}
