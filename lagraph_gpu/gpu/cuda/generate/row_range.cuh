// Which rows are made: all of them or a part, and of these a range.
// See docs/decisions/layouts.md.
#pragma once
#include "core/bitmap.cuh"

// All rows, and a part of them: where row i is among them, and whether it is.
struct AllRows {
    Index rank, size;

    __device__ bool has(Index) const { return true; }
    __device__ Index at(Index i) const { return i; }
};
struct PartOfRows {
    Index rank, size;

    __device__ bool has(Index i) const { return unsigned(i) % unsigned(size) == unsigned(rank); }
    __device__ Index at(Index i) const { return Index(unsigned(i) / unsigned(size)); }
};

// The rows from `begin` to before `end`, by their numbers in a part.
template <class Rows> struct RowRange {
    Index begin, end;
    Rows own;

    __device__ bool has(Index i) const {
        if (!own.has(i)) return false;
        const Index at = own.at(i);
        return at >= begin && at < end;
    }
};
