// The edges of a Kronecker graph, each by its number alone: the formula of kronecker_draw.py to the
// bit, in 64-bit integers, so that a grid of any shape on any machine draws the same edges.
//
// An edge is a Pair (see coordinates.cuh): its first end in the upper half, its second in the lower.
// See docs/decisions/layouts.md.
#pragma once
#include "core/bitmap.cuh"
#include "core/grid_stride.cuh"
#include "core/vector_load.cuh"
#include "matrix/coordinates.cuh"

using Bits = unsigned long long;

// splitmix64: the random number of a counter. Distinct counters have distinct numbers.
__device__ inline Bits random_bits(Bits key, Bits counter) {
    Bits state = counter * 0x9E3779B97F4A7C15ull + key;
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9ull;
    state = (state ^ state >> 27) * 0x94D049BB133111EBull;
    return state ^ state >> 31;
}

// 2 · sum, and 1 more if the draw is at least `bound`, which is not 0: the carry of one addition, which the next
// takes along, where a comparison and a bit would take four instructions.
__device__ inline unsigned doubled(unsigned sum, unsigned draw, unsigned bound) {
    const Bits both = static_cast<Bits>(sum) << 32;
    return static_cast<unsigned>(((both | draw) + (both | (0u - bound))) >> 32);
}

// What an edge follows from: the bounds of three of the four quarters of the adjacency matrix among
// the 32-bit numbers, a key for two levels each, and the names of the vertices, unless null. Edges that
// are kept are not drawn again.
//
// Each bit of an end is one with the same probability, so vertices with few ones have most of the edges. Vertices are
// numbered so that those whose lower bits have as many ones stand together (`gathered`, which is followed by the ones
// of each number): what is looked up of them then lies in fewer lines of a cache.
struct Drawing {
    int scale;
    const Bits* keys;
    unsigned upper_left, upper, all_but_last;
    const unsigned short* gathered;
    const Index* name;
    const Pair* kept;

    // Copies what all threads look up to shared memory. All threads of the block must call this.
    __device__ void begin() {
        __shared__ unsigned short own[2 << GATHERED_BITS];
        __shared__ Bits own_keys[16];    // there are two levels for each, and at most 30
        for (int i = threadIdx.x; i < 2 * (mask() + 1); i += blockDim.x) own[i] = gathered[i];
        for (int i = threadIdx.x; i < (scale + 1) / 2; i += blockDim.x) own_keys[i] = keys[i];
        __syncthreads();
        gathered = own;
        keys = own_keys;
    }
    __device__ int mask() const { return (1 << (scale < GATHERED_BITS ? scale : GATHERED_BITS)) - 1; }
    // The number of the vertex to which the levels lead.
    __device__ Index vertex(unsigned bits) const {
        return static_cast<Index>((bits & ~static_cast<unsigned>(mask())) | gathered[bits & mask()]);
    }
    // The ones in the bits that lead to a vertex, which are its class.
    __device__ int ones(Index vertex) const {
        return __popc(vertex & ~mask()) + gathered[mask() + 1 + (vertex & mask())];
    }

    // The edge before its ends have names. At each level the first end has a bit from `upper` on, the second one
    // from `upper_left` to before `upper` and from `all_but_last` on.
    __device__ Pair quarters(long long number) const { return kept != nullptr ? kept[number] : drawn(number); }
    __device__ Pair drawn(long long number) const {
        unsigned first = 0, second = 0, third = 0;  // for each level, is its draw at least the bound?
        const auto level = [&](unsigned draw) {
            first = doubled(first, draw, upper_left);
            second = doubled(second, draw, upper);
            third = doubled(third, draw, all_but_last);
        };
        for (int two = 0; two < scale / 2; ++two) {
            const Bits bits = random_bits(keys[two], number);
            level(static_cast<unsigned>(bits));
            level(static_cast<unsigned>(bits >> 32));
        }
        if (scale % 2 != 0) level(static_cast<unsigned>(random_bits(keys[scale / 2], number)));
        const auto reached = [=](unsigned sum, unsigned bound) { return bound == 0 ? (1u << scale) - 1 : sum; };
        const unsigned u = reached(second, upper);
        const unsigned v = reached(first, upper_left) - u + reached(third, all_but_last);
        return pair_of(vertex(u), vertex(v));
    }
    __device__ Pair edge(long long number) const { return named(quarters(number)); }
    // Names the ends of edges, all of which are looked up together. An edge of which neither end is of one of the
    // classes becomes a loop.
    template <int MANY> __device__ void name_those(Pair (&edge)[MANY], Word classes) const {
        Index u[MANY], v[MANY];
#pragma unroll
        for (int i = 0; i < MANY; ++i) {
            u[i] = first_end(edge[i]), v[i] = second_end(edge[i]);
            if (classes != ALL_LANES && ((1u << ones(u[i]) | 1u << ones(v[i])) & classes) == 0) u[i] = v[i] = 0;
        }
        if (name != nullptr) {
#pragma unroll
            for (int i = 0; i < MANY; ++i) u[i] = name[u[i]], v[i] = name[v[i]];
            loaded(u);
            loaded(v);
        }
#pragma unroll
        for (int i = 0; i < MANY; ++i) edge[i] = pair_of(u[i], v[i]);
    }
    __device__ Pair named(Pair ends) const {
        if (name == nullptr) return ends;
        const Index u = first_end(ends), v = second_end(ends);
        return pair_of(name[u], name[v]);
    }
};

// Numbers whose order is a random permutation of what they count, which replaces their lower bits: `upper` are the
// bits that stay.
__global__ void random_numbers(long long n, Bits key, Bits upper, Bits* numbers) {
    for (long long i : grid_stride<long long>(n)) numbers[i] = (random_bits(key, i) & upper) | static_cast<Bits>(i);
}

// The vertex to which the levels lead in the i-th of the sorted numbers is named i. Those whose upper bits are alike
// are told apart by what the lower bits were.
__global__ void name_vertices(long long n, Drawing drawing, Bits key, Bits upper, const Bits* numbers, Index* name) {
    drawing.begin();
    for (long long i : grid_stride<long long>(n)) {
        const Bits own = numbers[i];
        const auto alike = [&](long long other) { return ((numbers[other] ^ own) & upper) == 0; };
        const auto before = [&](long long other) { return random_bits(key, numbers[other] & ~upper); };
        long long at = i;
        for (long long j = i; j > 0 && alike(j - 1); --j) at -= before(j - 1) > before(i);
        for (long long j = i + 1; j < n && alike(j); ++j) at += before(j) < before(i);
        name[drawing.vertex(static_cast<unsigned>(own & ~upper))] = static_cast<Index>(at);
    }
}

__global__ void draw_edges(long long count, Drawing drawing, Pair* edges) {
    drawing.begin();
    for (long long e : grid_stride<long long>(count)) edges[e] = drawing.edge(e);
}

// How many ends of edges lie at each vertex: two of a loop.
__global__ void count_ends(long long count, const Pair* edges, long long* ends) {
    unsigned long long* counters = reinterpret_cast<unsigned long long*>(ends);
    for (long long e : grid_stride<long long>(count)) {
        atomicAdd(counters + first_end(edges[e]), 1ull);
        atomicAdd(counters + second_end(edges[e]), 1ull);
    }
}

// --- weights --------------------------------------------------------------------------------

// A weight is made of the hash of its edge's ends, the smaller one first: duplicates and both
// directions agree. 24 bits of it are exact in a float.
struct Uniform {
    using T = float;
    static __device__ T of(Bits bits) { return static_cast<T>((bits >> 40) + 1) * 0x1p-24f; }
};

struct Ones {
    using T = int;
    static __device__ T of(Bits) { return 1; }
};

struct Integer {  // 1 … 255
    using T = float;
    static __device__ T of(Bits bits) { return static_cast<T>(((bits >> 32) * 255 >> 32) + 1); }
};

template <class Weight> __device__ inline typename Weight::T weight_of(Pair pair, Bits n, Bits key) {
    const Bits u = first_end(pair), v = second_end(pair);
    return Weight::of(random_bits(key, (u < v ? u : v) * n + (u < v ? v : u)));
}
