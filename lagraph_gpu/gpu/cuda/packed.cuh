// Short rows packed: the out-edges of a vertex in one aligned piece of memory, read in one go.
//
// In compressed rows three reads follow one another: where the row begins, whom it leads to, and with
// which value. Here a row of up to 4 edges (or 8) is one read, of 16 bytes where no values are read or
// all are small, of 32 (a sector of the cache) with values of four bytes. A longer row holds instead
// where it begins.
#pragma once
#include "bitmap.cuh"

constexpr Index NOWHERE = -1;    // in a slot that holds no edge
constexpr Index ELSEWHERE = -2;  // in the first slot of a longer row, which is read where it stands

// Asks for what is there to be fetched into the second-level cache, without a branch.
__device__ inline void prefetch(const void* at, bool wanted) {
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p prefetch.global.L2 [%0]; }" ::"l"(at), "r"(int(wanted)));
}

template <class A> __device__ inline bool same_bits(A x, A y) {
    union Bits { A value; unsigned char bytes[sizeof(A)]; } a{x}, b{y};
    bool same = true;
#pragma unroll
    for (int i = 0; i < int(sizeof(A)); ++i) same = same && a.bytes[i] == b.bytes[i];
    return same;
}

// Targets only: ⊗ does not read the matrix, or all of its entries have one value.
template <int N> struct __align__(16) Bare {
    static constexpr int slots = N;
    Index to[N];

    template <class A> static __device__ bool holds(Index, A) { return true; }
    template <class A> __device__ void put(int, A) {}
    __device__ bool has(int slot) const { return to[slot] != NOWHERE; }
    __device__ Index target(int slot) const { return to[slot]; }
    template <class A> __device__ A value(int, const A* all) const { return *all; }
};

// Targets, and beside them the values.
template <int N, class A> struct __align__(16) Valued {
    static constexpr int slots = N;
    Index to[N];
    A values[N];

    static __device__ bool holds(Index, A) { return true; }
    __device__ void put(int slot, A value) { values[slot] = value; }
    __device__ bool has(int slot) const { return to[slot] != NOWHERE; }
    __device__ Index target(int slot) const { return to[slot]; }
    __device__ A value(int slot, const A*) const { return values[slot]; }
};

// Targets below 2^24, and above them, in the same word, values that are whole numbers below 2^8.
template <int N> struct __align__(16) Narrow {
    static constexpr int slots = N;
    Index to[N];

    // Would the edge come back as it is, to the last bit, and is it no sign for something else?
    template <class A> static __device__ bool holds(Index to, A value) {
        if (!(value >= 0 && value <= 255) || to > 0xffffff) return false;
        const unsigned small = static_cast<unsigned>(value);
        return same_bits(static_cast<A>(small), value) && (small < 255 || to < 0xfffffe);
    }
    template <class A> __device__ void put(int slot, A value) {
        to[slot] |= static_cast<Index>(static_cast<unsigned>(value) << 24);
    }
    __device__ bool has(int slot) const { return to[slot] != NOWHERE; }
    __device__ Index target(int slot) const { return to[slot] & 0xffffff; }
    template <class A> __device__ A value(int slot, const A*) const {
        return static_cast<A>(static_cast<unsigned>(to[slot]) >> 24);
    }
};

// A row that is read elsewhere: its length and its first entry.
template <class Row> __device__ inline bool is_long(const Row& row) { return row.to[0] == ELSEWHERE; }
template <class Row> __device__ inline Index length_of(const Row& row) { return row.to[1]; }
template <class Row> __device__ inline long long begin_of(const Row& row) {
    return static_cast<long long>(row.to[3]) << 32 | static_cast<unsigned>(row.to[2]);
}

// *odd becomes 1, and what is packed is of no use, if a row of this type does not hold each edge as it is.
template <class Row, class Offset, class A>
__global__ void pack(Index n, const Offset* indptr, const Index* indices, const A* values, int stride,
                     Index* packed, Word* odd) {
    constexpr int N = Row::slots;
    const Index threads = gridDim.x * blockDim.x;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        const Offset first = indptr[i], length = indptr[i + 1] - first;
        Row row;
#pragma unroll
        for (int slot = 0; slot < N; ++slot) {
            const bool has = length <= N && slot < length;
            const Index to = has ? indices[first + slot] : NOWHERE;
            const A value = has ? values[(first + slot) * stride] : A();
            if (has && !Row::holds(to, value)) {
                *static_cast<volatile Word*>(odd) = 1;
                return;
            }
            row.to[slot] = to;
            row.put(slot, value);
        }
        if (length > N) {
            row.to[0] = ELSEWHERE;
            row.to[1] = static_cast<Index>(length);
            row.to[2] = static_cast<Index>(static_cast<long long>(first) & 0xffffffff);
            row.to[3] = static_cast<Index>(static_cast<long long>(first) >> 32);
        }
        reinterpret_cast<Row*>(packed)[i] = row;
    }
}
