// Rows of bits, one for each source, with the vertices that many searches find in a round (see
// ms_bfs.cuh), and the two kinds of output that are made of them.
// See docs/decisions/many-sources.md.
#pragma once
#include "core/bitmap.cuh"

using Count = unsigned long long;

// Some words of a row.
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

// Notes the round of each bit as a binary number: digit p of all of them is a plane of its own, a
// row of bits for each vertex. A plane holds nothing until the first round that has its digit, in
// which each vertex gets its row; so there is nothing to clear.
struct BitSlicedLevels {
    using First = Word;
    static constexpr bool sums = false;
    First* planes;
    Count* no_far;
    double* no_near;

    // The thread's part of a vertex, `at` of so many in a plane, has these new bits. Each vertex
    // comes once a round, whether it has any or not.
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

// Adds up, for each vertex, how many others reach it, from how far in all, and how near.
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
