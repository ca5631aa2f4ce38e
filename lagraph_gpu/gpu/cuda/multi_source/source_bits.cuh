// Rows of bits, one for each source, with the vertices that many searches find in a round (see
// ms_bfs.cuh), and the two kinds of output that are made of them.
// See docs/decisions/many-sources.md.
#pragma once
#include "core/bitmap.cuh"

using Count = unsigned long long;

// Q words of a row.
template <int Q> struct __align__(4 * Q) Bits {
    Word w[Q];

    __device__ bool none() const {
        Word all = 0;
        for (int q = 0; q < Q; ++q) all |= w[q];
        return all == 0;
    }
    __device__ Bits with(const Bits& more) const {
        Bits all;
        for (int q = 0; q < Q; ++q) all.w[q] = w[q] | more.w[q];
        return all;
    }
};

// Records the round of each bit as a binary number: digit p of all of them is a plane, which has a
// row of bits for each vertex. A plane is not used before the first round that has its digit. In
// this round each vertex writes its row, so no plane has to be cleared.
struct BitSlicedLevels {
    using First = Word;
    static constexpr bool sums = false;
    First* planes;
    Count* no_far;
    double* no_near;

    // The thread's part of a vertex, which is part `at` of those in a plane, has these new bits. It
    // is called once for each vertex in each round, even if there are none.
    template <class Row>
    __device__ void put(const Row& got, long long at, long long parts, Index round) const {
        for (int p = 0; round >> p != 0; ++p) {
            Row* const there = reinterpret_cast<Row*>(planes) + p * parts + at;
            if (round == 1 << p) *there = got;
            else if ((round >> p & 1) && !got.none()) *there = there->with(got);
        }
    }
    __device__ void sum(Index, int, Index) const {}
};

// For each vertex, sums up how many other vertices reach it, their distances, and the reciprocals
// of these.
struct DistanceSums {
    using First = Index;
    static constexpr bool sums = true;
    Index* reached;
    Count* far;
    double* near;

    template <class Row> __device__ void put(const Row&, long long, long long, Index) const {}
    // `count` sources have reached v; one thread for each v calls it.
    __device__ void sum(Index v, int count, Index round) const {
        reached[v] += count;
        far[v] += Count(count) * Count(round);
        near[v] += double(count) / double(round);
    }
};
