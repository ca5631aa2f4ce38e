// Padded rows: the out-edges of a vertex in one aligned piece of memory, read at once.
//
// In compressed rows three reads follow one another: the row offsets, the columns, and the values.
// Here a row of up to 4 edges (or 8) is one read, of 16 bytes if no values are read, of 32 (a
// sector of the cache) with values of four bytes. A longer row holds its offsets instead.
// See docs/decisions/deep-graphs.md.
#pragma once
#include "core/bitmap.cuh"
#include "core/grid_stride.cuh"
#include "core/operands.cuh"

constexpr Index NOWHERE = -1;    // in a slot that holds no edge
constexpr Index ELSEWHERE = -2;  // in the first slot of a longer row, which is read where it stands

// Targets only: ⊗ does not read the matrix, or all of its entries have one value.
template <int N> struct __align__(16) Bare {
    static constexpr int slots = N;
    Index to[N];

    template <class A> __device__ void put(int, A) {}
    template <class A> __device__ const A* value(int, const A* all) const { return all; }
};

// Targets, and beside them the values.
template <int N, class A> struct __align__(16) Valued {
    static constexpr int slots = N;
    Index to[N];
    A values[N];

    __device__ void put(int slot, A value) { values[slot] = value; }
    __device__ const A* value(int slot, const A*) const { return values + slot; }
};

// A row of a matrix none of whose rows is longer than its slots: what longer ones take is not
// compiled.
template <class Row> struct Short : Row {};

// A row that is read elsewhere: its length and its first entry.
template <class Row> __device__ inline bool is_long(const Row& row) { return row.to[0] == ELSEWHERE; }
template <class Row> __device__ inline bool is_long(const Short<Row>&) { return false; }
template <class Row> __device__ inline Index length_of(const Row& row) { return row.to[1]; }
template <class Row> __device__ inline long long begin_of(const Row& row) {
    return static_cast<long long>(row.to[3]) << 32 | static_cast<unsigned>(row.to[2]);
}
template <class Row> __device__ inline void point_elsewhere(Row& row, long long begin, Index length) {
    row.to[0] = ELSEWHERE;
    row.to[1] = length;
    row.to[2] = static_cast<Index>(begin & 0xffffffff);
    row.to[3] = static_cast<Index>(begin >> 32);
}

// The number of pieces of a row, each of as many edges as it has slots, but for at most so many pieces.
template <class Row> __device__ inline unsigned pieces_of(const Row& row, unsigned most) {
    return is_long(row) ? min((unsigned(length_of(row)) - 1) / Row::slots + 1, most) : 1;
}

template <class Row, class Offset, class A>
__global__ void pad_rows(Index n, Csr<Offset, A> matrix, Index* padded) {
    constexpr int N = Row::slots;
    for (long long i : grid_stride<long long>(n)) {
        const Offset first = matrix.indptr[i], length = matrix.indptr[i + 1] - first;
        Row row;
#pragma unroll
        for (int slot = 0; slot < N; ++slot) {
            const bool has = length <= N && slot < length;
            row.to[slot] = has ? matrix.indices[first + slot] : NOWHERE;
            row.put(slot, has ? matrix.values[(first + slot) * matrix.stride] : A());
        }
        if (length > N) point_elsewhere(row, static_cast<long long>(first), static_cast<Index>(length));
        reinterpret_cast<Row*>(padded)[i] = row;
    }
}
