// What becomes of the vertices that many searches find in a round (see many.cuh): rows of bits, one for
// each source, and the two things that are made of them.
#pragma once
#include "bitmap.cuh"

using Count = unsigned long long;

// Some words of a row.
template <int Q> struct __align__(4 * Q) Bits {
    Word w[Q];

    __device__ bool none() const {
        Word all = 0;
        for (int q = 0; q < Q; ++q) all |= w[q];
        return all == 0;
    }
};

// Writes the round into a dense array, a row of `room` for each vertex, an element a source.
template <class T, int room> struct Levels {
    using First = T;
    static constexpr bool sums = false;
    T* level;
    Count* no_far;
    double* no_near;

    __device__ T* row(Index v, int word) const {
        return level + static_cast<long long>(v) * room + 32 * word;
    }
    // Word `word` of v's row has these new bits, of each lane that has some: the warp writes what lies
    // side by side, one word after another. All lanes must call it.
    __device__ void put(Index v, int word, Word bits, Index round) const {
        for (Word left = __ballot_sync(ALL_LANES, bits != 0); left != 0; left &= left - 1) {
            const int whose = __ffs(static_cast<int>(left)) - 1;
            const Index u = __shfl_sync(ALL_LANES, v, whose);
            T* const there = row(u, __shfl_sync(ALL_LANES, word, whose));
            if (__shfl_sync(ALL_LANES, bits, whose) >> lane_id() & 1u)
                there[lane_id()] = static_cast<T>(round);
        }
    }
    __device__ void sum(Index, int, Index) const {}
};

// Adds up, for each vertex, how many others reach it, from how far in all, and how near.
struct Sums {
    using First = Index;
    static constexpr bool sums = true;
    Index* reached;
    Count* far;
    double* near;

    __device__ Index* row(Index, int) const { return nullptr; }
    __device__ void put(Index, int, Word, Index) const {}
    // `count` sources have reached v; one thread for each v calls it.
    __device__ void sum(Index v, int count, Index round) const {
        reached[v] += count;
        far[v] += Count(count) * Count(round);
        near[v] += double(count) / double(round);
    }
};
