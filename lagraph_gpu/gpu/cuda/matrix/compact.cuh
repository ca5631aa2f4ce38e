// From a bitmap to counts, and to a list: the frontier as a queue, in no particular order.
//
// Each lane takes a word, the warp sums the counts, and one atomic for the warp reserves the room.
// totals[0] counts entries, totals[1] the edges that leave them (0 if indptr is null). There is a
// list only if vertices is not null.
// See docs/decisions/bfs.md.
#pragma once
#include "core/bitmap.cuh"
#include "core/grid_stride.cuh"
#include "core/warp_reduce.cuh"

template <class Offset>
__global__ void compact(Index n, const Word* bits, const Offset* indptr, Index* vertices,
                        unsigned long long* totals) {
    const Index words = words_of(n);
    unsigned long long edges = 0;
    for (Index base : warp_stride<Index>(words, 32)) {
        const Index word = base + lane_id();
        Word left = word < words ? bits[word] : 0;
        const int mine = __popc(left);
        const int running = running_sum(mine);
        Index room = 0;
        if (lane_id() == 31 && running > 0)
            room = static_cast<Index>(atomicAdd(totals, static_cast<unsigned long long>(running)));
        Index at = __shfl_sync(ALL_LANES, room, 31) + running - mine;
        if (vertices == nullptr && indptr == nullptr) continue;
        for (; left != 0; left &= left - 1, ++at) {
            const Index v = (word << 5) + __ffs(left) - 1;
            if (vertices != nullptr) vertices[at] = v;
            if (indptr != nullptr) edges += indptr[v + 1] - indptr[v];
        }
    }
    edges = warp_reduce<Sum>(edges);
    if (lane_id() == 0 && edges > 0) atomicAdd(totals + 1, edges);
}

// The rows of more than `longest` entries in pieces of `longest`, in no particular order: piece t
// begins at entry firsts[t] of row rows[t]. totals[0] counts them; totals[1] is the length of the
// longest row.
template <class Offset>
__global__ void find_pieces(Index n, const Offset* indptr, Index longest, Offset piece, Index* rows,
                            Offset* firsts, unsigned long long* totals) {
    Offset max_degree = 0;
    for (unsigned i : grid_stride<unsigned>(n)) {
        const Offset first = indptr[i], degree = indptr[i + 1] - first;
        max_degree = degree > max_degree ? degree : max_degree;
        if (degree <= longest) continue;
        const unsigned long long count = (degree - 1) / piece + 1;
        unsigned long long at = atomicAdd(totals, count);
        for (Offset p = 0; p < Offset(count); ++p, ++at) {
            rows[at] = i;
            firsts[at] = first + p * piece;
        }
    }
    max_degree = warp_reduce<Maximum>(max_degree);
    if (lane_id() == 0) atomicMax(totals + 1, static_cast<unsigned long long>(max_degree));
}

// The entries (positions[t], given[t]) of a vector without entries.
template <class T>
__global__ void scatter(Index count, const Index* positions, const T* given, Word* bits, T* values) {
    for (unsigned t : grid_stride<unsigned>(count)) {
        values[positions[t]] = given[t];
        claim(bits, positions[t]);
    }
}

// Overwrites an entry with an argument of the launch, which is faster than an upload.
template <class T> __global__ void place(Index position, T given, Word* bits, T* values) {
    if (blockIdx.x > 0 || threadIdx.x > 0) return;
    values[position] = given;
    bits[position >> 5] |= 1u << (position & 31);
}

// Writes the entries of one vector over those of another. *missing, 0 at first, is not 0 if then
// there is not all that is wanted; unless `wanted` is null.
template <class T>
__global__ void overlay(Index n, const Word* given_bits, const T* given, Word* bits, T* values,
                        const Word* wanted, unsigned* missing) {
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index j = (word << 5) + lane_id();
        const Word here = given_bits == nullptr ? inside(word, n) : given_bits[word];
        if (here >> lane_id() & 1u) values[j] = given[j];
        if (lane_id() > 0) continue;
        const Word now = bits[word] | here;
        bits[word] = now;
        if (wanted != nullptr && wanted[word] & ~now) *static_cast<volatile unsigned*>(missing) = 1;
    }
}

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
