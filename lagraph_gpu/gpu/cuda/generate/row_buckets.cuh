// Entries of rows in buckets: groups of whole rows, in order, of which a block sorts one in shared memory (see
// bucket_sort.cuh). How many entries a row has is known beforehand, duplicates counted, so each bucket has its exact
// place, and nothing is counted first.
//
// There are two turns: from the edges to sections, which are a number of buckets, and from each section to its
// buckets. A block takes a tile of entries, puts them together by bucket in shared memory, reserves places for all
// entries of a bucket with one atomic, and writes them side by side. Entries of a bucket come in any order.
// See docs/decisions/layouts.md.
#pragma once
#include "core/append.cuh"
#include "core/groups.cuh"
#include "core/partition_point.cuh"
#include "generate/kronecker_edges.cuh"
#include "generate/row_range.cuh"

constexpr unsigned NO_PLACE = ~0u;

// The first row of each bucket of the rows from `begin` to before `end`: of those whose entries begin in the same
// multiple of `apart` entries, counted from the first, or, if that is 0, of each row.
__global__ void bucket_rows(Index buckets, Index begin, Index end, long long apart, const long long* begins,
                            Index* first_rows) {
    for (Index b : grid_stride<Index>(buckets))
        first_rows[b] = apart == 0 ? begin + b : partition_point(begin, end, [&](Index i) {
            return begins[i] - begins[begin] < b * apart;
        });
}

// Where parts of a list of buckets begin, part p with bucket first[p], or p itself if there is no list: their first
// rows, unless there is no room for these, and how many entries come before them.
__global__ void begin_parts(Index parts, const Index* first, const Index* first_rows, const long long* before,
                            Index* bounds, Count* places) {
    const long long all = before[first == nullptr ? 0 : first[0]];
    for (Index p : grid_stride<Index>(parts)) {
        const Index bucket = first == nullptr ? p : first[p];
        if (bounds != nullptr) bounds[p] = first_rows[bucket];
        places[p] = static_cast<Count>(before[bucket] - all);
    }
}

// The rows from `first` to before `end` in slots at even distances, each of which has few buckets if rows are about as
// long.
struct RowSlots {
    Index first;
    int shift = 0;

    __device__ RowSlots(Index first, Index end) : first(first) {
        while ((end - first) >> shift > ROW_SLOTS - 2) ++shift;
    }
    __device__ int of(Index row) const { return (row - first) >> shift; }
    __device__ long long begin_of(int slot) const { return first + (static_cast<long long>(slot) << shift); }
};

// All rows in slots, of which each octave of rows has OCTAVE_SLOTS: rows that are longer come first.
constexpr int FROM_OCTAVE = 5, OCTAVE_SLOTS = 1 << FROM_OCTAVE;
struct OctaveSlots {
    static_assert(OCTAVE_SLOTS * (31 - FROM_OCTAVE + 1) < ROW_SLOTS, "there is one slot more than rows have");

    __device__ int of(Index row) const {
        if (row < OCTAVE_SLOTS) return row;
        const int octave = 31 - __clz(row) - FROM_OCTAVE;
        return OCTAVE_SLOTS * octave + (row >> octave);
    }
    __device__ long long begin_of(int slot) const {
        if (slot < OCTAVE_SLOTS) return slot;
        const int octave = slot / OCTAVE_SLOTS - 1;
        return static_cast<long long>(slot - OCTAVE_SLOTS * octave) << octave;
    }
};

// What a block puts entries together with.
template <int TILE> struct Partition {
    Pair room[TILE];
    Count leads[ROW_BUCKETS];      // from an entry's place in the room to that in the list
    unsigned counts[ROW_BUCKETS];
    Index bounds[ROW_BUCKETS];     // the first row of each bucket
    unsigned sums[32];
    unsigned short buckets[TILE];     // of each entry in the room
    unsigned short slots[ROW_SLOTS];  // the bucket with which each slot of rows begins

    // Takes the first rows of `count` buckets. All threads of the block must call this, and the next ones.
    template <class Slots> __device__ void begin(Index count, const Index* first_rows, const Slots& rows) {
        __syncthreads();
        for (Index b = threadIdx.x; b < count; b += blockDim.x) bounds[b] = first_rows[b];
        __syncthreads();
        for (int slot = threadIdx.x; slot < ROW_SLOTS; slot += blockDim.x)
            slots[slot] = static_cast<unsigned short>(last_bucket(0, count - 1, rows.begin_of(slot)));
    }

    // The last bucket from low to high that begins with this row or before it, or `low`.
    __device__ int last_bucket(int low, int high, long long row) const {
        return last_holding(low, high, [&](int bucket) { return bounds[bucket] <= row; });
    }
    template <class Slots> __device__ int bucket_of(Index row, const Slots& rows) const {
        const int slot = rows.of(row);
        return last_bucket(slots[slot], slots[slot + 1], row);
    }

    // Moves the entries of a tile, entry(i) of each thread where has(i), to the places from ends[bucket] on, by
    // put(place, entry). There are `count` buckets, and a row belongs to bucket_of(row).
    template <int ITEMS, class BucketOf, class Has, class Entry, class Put>
    __device__ void move(Index count, BucketOf bucket_of, Has has, Entry entry, Count* ends, Put put) {
        for (Index b = threadIdx.x; b < count; b += blockDim.x) counts[b] = 0;
        __syncthreads();
        unsigned places[ITEMS];  // the bucket, and the place in it
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) {
            places[i] = NO_PLACE;
            if (!has(i)) continue;
            const unsigned bucket = static_cast<unsigned>(bucket_of(first_end(entry(i))));
            places[i] = bucket << 16 | atomicAdd(counts + bucket, 1u);
        }
        __syncthreads();
        const unsigned total = reserve(count, ends);
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) {
            if (places[i] == NO_PLACE) continue;
            const unsigned bucket = places[i] >> 16, at = counts[bucket] + (places[i] & 0xffff);
            room[at] = entry(i);
            buckets[at] = static_cast<unsigned short>(bucket);
        }
        __syncthreads();
        for (unsigned at = threadIdx.x; at < total; at += blockDim.x) put(leads[buckets[at]] + at, room[at]);
    }

    // Counts become where each bucket begins in the room. Returns their sum.
    __device__ unsigned reserve(Index count, Count* ends) {
        const unsigned total = Block::begins(counts, count, sums, [&](Index b, unsigned here, unsigned before) {
            if (here > 0) leads[b] = atomicAdd(ends + b, static_cast<Count>(here)) - before;
        });
        __syncthreads();
        return total;
    }
};

// The entries of some rows, which are of some classes of vertices, to sections, of all edges. The first `spare`
// of them go to a list of their own.
template <class Rows, int WARPS, int ITEMS>
__global__ void __launch_bounds__(32 * WARPS, 32 / WARPS)
    take_sections(long long count, Drawing drawing, Word classes, RowRange<Rows> rows, Index sections,
                  const Index* bounds, Count* ends, Count spare, Pair* in_spare, Pair* pairs) {
    extern __shared__ unsigned long long memory[];
    constexpr int EDGES = ITEMS / 2, THREADS = 32 * WARPS;
    auto& partition = *reinterpret_cast<Partition<THREADS * ITEMS>*>(memory);
    drawing.begin();
    partition.begin(sections, bounds, OctaveSlots{});
    for (long long base : block_stride<long long>(count, THREADS * EDGES)) {
        Pair edge[EDGES];
        const auto number = [&](int i) { return base + i * THREADS + static_cast<int>(threadIdx.x); };
        if (drawing.kept != nullptr) {
#pragma unroll
            for (int i = 0; i < EDGES; ++i) edge[i] = number(i) < count ? drawing.kept[number(i)] : 0;
            loaded(edge);
        } else {
#pragma unroll
            for (int i = 0; i < EDGES; ++i) edge[i] = number(i) < count ? drawing.drawn(number(i)) : 0;
        }
        drawing.name_those(edge, classes);
        const auto row = [&](int i) { return i % 2 == 0 ? first_end(edge[i / 2]) : second_end(edge[i / 2]); };
        const auto column = [&](int i) { return i % 2 == 0 ? second_end(edge[i / 2]) : first_end(edge[i / 2]); };
        partition.template move<ITEMS>(
            sections, [&](Index own) { return partition.bucket_of(own, OctaveSlots{}); },
            [&](int i) { return row(i) != column(i) && rows.has(row(i)); },
            [&](int i) { return pair_of(rows.own.at(row(i)), column(i)); }, ends,
            [&](Count at, Pair entry) { *(at < spare ? in_spare + at : pairs + (at - spare)) = entry; });
    }
}

// The entries of sections of `each` buckets to their buckets, of which there are `buckets` in all. A section
// takes at most `tiles` tiles.
template <int WARPS, int ITEMS>
__global__ void __launch_bounds__(32 * WARPS, 32 / WARPS)
    split_sections(Index sections, Index tiles, Index buckets, Index each, const Index* first_rows,
                   const long long* before, const Pair* pairs, Count* ends, Pair* moved) {
    extern __shared__ unsigned long long memory[];
    constexpr int TILE = 32 * WARPS * ITEMS;
    auto& partition = *reinterpret_cast<Partition<TILE>*>(memory);
    for (long long turn : block_stride<long long>(static_cast<long long>(sections) * tiles)) {
        const Index first = static_cast<Index>(turn / tiles) * each;
        const Index here = buckets - first < each ? buckets - first : each;
        const long long begin = before[first] - before[0] + turn % tiles * TILE;
        const long long left = before[first + here] - before[0] - begin;
        if (left <= 0) continue;
        const int count = static_cast<int>(left < TILE ? left : TILE);
        const RowSlots slots(first_rows[first], first_rows[first + here]);
        partition.begin(here, first_rows + first, slots);
        Pair entry[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) {
            const int at = i * 32 * WARPS + threadIdx.x;
            if (at < count) entry[i] = pairs[begin + at];
        }
        partition.template move<ITEMS>(
            here, [&](Index own) { return partition.bucket_of(own, slots); },
            [&](int i) { return i * 32 * WARPS + static_cast<int>(threadIdx.x) < count; },
            [&](int i) { return entry[i]; }, ends + first, [&](Count at, Pair own) { moved[at] = own; });
    }
}
