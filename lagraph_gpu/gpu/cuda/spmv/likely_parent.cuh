// For each row the column whose own row is the longest: a search probably finds a vertex from there,
// so first_hit.cuh looks there first. A product under max takes the greatest key of each row.
// See docs/decisions/bfs.md.
#pragma once
#include "core/bitmap.cuh"
#include "core/grid_stride.cuh"

// For each row its length, and its number in the lower half: the greatest of these is of the
// longest.
template <class Offset>
__global__ void length_keys(Index n, const Offset* indptr, long long* keys) {
    for (unsigned i : grid_stride<unsigned>(n))
        keys[i] = static_cast<long long>(indptr[i + 1] - indptr[i]) << 32 | i;
}

// The lower halves of a vector's entries, one for each row that has any, as first_hit.cuh wants
// heads; rows of more than `longest` are not a lane's.
template <class Offset>
__global__ void lower_halves(Index n, const Offset* indptr, Index longest, const Word* bits,
                             const long long* keys, Index* likely_parent) {
    for (unsigned i : grid_stride<unsigned>(n)) {
        const Offset length = indptr[i + 1] - indptr[i];
        const Index head = present(bits, i) ? static_cast<Index>(keys[i] & 0x7fffffff) : Index(i);
        likely_parent[i] = length > 1 && length <= longest ? head : ~head;
    }
}
