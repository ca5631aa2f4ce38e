// The drawn degrees of the vertices of a Kronecker graph. An atomic addition to memory for each end of an edge is
// what takes longest of all that is done with it, so the ends are put into buckets first, each of which has the
// vertices of a span of numbers, and those of a bucket are counted in shared memory.
//
// How many ends a bucket has is known about, not exactly: what it has no room for, and the ends of buckets to which
// a tile gives hardly one, are counted in memory.
// See docs/decisions/layouts.md.
#pragma once
#include "core/groups.cuh"
#include "generate/kronecker_edges.cuh"

constexpr unsigned NO_END = ~0u;

// The ends of a tile of edges, by bucket.
template <int TILE> struct EndTile {
    unsigned room[TILE];
    unsigned counts[END_BUCKETS + 1];
    unsigned leads[END_BUCKETS];  // from an end's place in the room to that in memory, and TILE; 0: it has none
    unsigned sums[32];

    // Counts become where each bucket begins in the room; their sum is returned. Reserves places in memory, of which
    // bucket b has those from bounds[b] to before bounds[b + 1], and taken[b] of them are taken. Those behind the
    // first ones that do not fit are lost.
    __device__ unsigned reserve(Index buckets, const unsigned* bounds, unsigned* taken, unsigned* lost) {
        const unsigned total = Block::begins(counts, buckets, sums, [](Index, unsigned, unsigned) {});
        if (threadIdx.x == 0) counts[buckets] = total;
        __syncthreads();
        for (Index b = threadIdx.x; b < buckets; b += blockDim.x) {
            leads[b] = 0;
            const unsigned here = counts[b + 1] - counts[b], begin = bounds[b], room_here = bounds[b + 1] - begin;
            if (here == 0 || room_here == 0) continue;
            const unsigned old = atomicAdd(taken + b, here);
            if (old + here <= room_here) leads[b] = begin + old + TILE - counts[b];
            else if (old < room_here) lost[b] = room_here - old;
        }
        __syncthreads();
        return total;
    }
};

// The ends of the edges from `first` to before `last` into buckets, each of 2^shift vertices. Keeps the edges unless
// `kept` is null. `degrees`, `loops`, `taken` and `lost` are 0 at first.
template <int WARPS, int ITEMS, int BLOCKS>
__global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    bucket_ends(long long first, long long last, Drawing drawing, int shift, Index buckets, const unsigned* bounds,
                unsigned* taken, unsigned* lost, unsigned* ends, unsigned* degrees, unsigned* loops, Pair* kept) {
    extern __shared__ unsigned long long memory[];
    constexpr int THREADS = 32 * WARPS, EDGES = ITEMS / 2, TILE = THREADS * ITEMS;
    auto& tile = *reinterpret_cast<EndTile<TILE>*>(memory);
    drawing.begin();
    for (long long base : block_stride<long long>(last - first, THREADS * EDGES)) {
        for (Index b = threadIdx.x; b < buckets; b += THREADS) tile.counts[b] = 0;
        __syncthreads();
        unsigned* const own = tile.room + threadIdx.x;
#pragma unroll 2
        for (int i = 0; i < EDGES; ++i) {
            const long long number = first + base + i * THREADS + static_cast<int>(threadIdx.x);
            unsigned u = NO_END, v = NO_END;
            if (number < last) {
                const Pair edge = drawing.drawn(number);
                if (kept != nullptr) kept[number] = edge;
                u = static_cast<unsigned>(first_end(edge)), v = static_cast<unsigned>(second_end(edge));
                if (u == v) {
                    atomicAdd(loops + u, 1u);
                    u = v = NO_END;
                } else {
                    atomicAdd(tile.counts + (u >> shift), 1u);
                    atomicAdd(tile.counts + (v >> shift), 1u);
                }
            }
            own[2 * i * THREADS] = u;
            own[(2 * i + 1) * THREADS] = v;
        }
        unsigned end[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) end[i] = own[i * THREADS];
        __syncthreads();
        const unsigned total = tile.reserve(buckets, bounds, taken, lost);
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            if (end[i] != NO_END) tile.room[atomicAdd(tile.counts + (end[i] >> shift), 1u)] = end[i];
        __syncthreads();
        for (unsigned at = threadIdx.x; at < total; at += THREADS) {
            const unsigned one = tile.room[at], lead = tile.leads[one >> shift];
            if (lead != 0) ends[lead + at - TILE] = one;
            else atomicAdd(degrees + one, 1u);
        }
    }
}

// Adds what lies in buckets to the degrees: block p counts up to `each` ends of bucket of[p], from number begins[p]
// on, which are among 2^bits vertices. A counter has half a word. As soon as its highest bit is set, the one who set
// it takes that away, long before the rest of the half is full.
__global__ void __launch_bounds__(1024)
    count_bucket(int shift, int bits, unsigned each, const Index* of, const unsigned* begins, const unsigned* bounds,
                 const unsigned* taken, const unsigned* lost, const unsigned* ends, unsigned* degrees) {
    extern __shared__ unsigned long long memory[];
    constexpr int AT_ONCE = 8;
    constexpr unsigned TOP = 1u << 15;
    auto* const table = reinterpret_cast<unsigned*>(memory);
    const int spans = 1 << (shift - bits), part = static_cast<int>(blockIdx.x) / spans;
    const Index bucket = of[part];
    const unsigned lowest = (static_cast<unsigned>(bucket) << shift) + (blockIdx.x % spans << bits);
    const unsigned begin = bounds[bucket], room = bounds[bucket + 1] - begin - lost[bucket];
    const unsigned held = taken[bucket] < room ? taken[bucket] : room, first = begins[part];
    if (first >= held) return;
    const unsigned last = held - first < each ? held : first + each;
    const unsigned words = 1u << (bits - 1);
    for (unsigned w = threadIdx.x; w < words; w += blockDim.x) table[w] = 0;
    __syncthreads();
    for (unsigned at = first + threadIdx.x; at < last; at += AT_ONCE * blockDim.x) {
        unsigned end[AT_ONCE];
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i)
            end[i] = at + i * blockDim.x < last ? ends[begin + at + i * blockDim.x] - lowest : NO_END;
#pragma unroll
        for (int i = 0; i < AT_ONCE; ++i) {
            if (end[i] >> bits != 0) continue;
            const int half = 16 * (end[i] & 1u);
            const unsigned old = atomicAdd(table + (end[i] >> 1), 1u << half);
            if ((old >> half & 0xffff) != TOP - 1) continue;
            atomicAdd(table + (end[i] >> 1), 0u - (TOP << half));
            atomicAdd(degrees + (lowest + end[i]), TOP);
        }
    }
    __syncthreads();
    for (unsigned w = threadIdx.x; w < words; w += blockDim.x) {
        const unsigned both = table[w];
        if ((both & 0xffff) != 0) atomicAdd(degrees + (lowest + 2 * w), both & 0xffff);
        if (both >> 16 != 0) atomicAdd(degrees + (lowest + 2 * w + 1), both >> 16);
    }
}
