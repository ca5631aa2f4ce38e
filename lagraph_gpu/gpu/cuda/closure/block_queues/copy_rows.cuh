// The results of searches in copies of a graph (graph_copies.cuh) as the rows of a matrix.
//
// The bitmaps of all copies follow one another, and the running sum of their entries tells where
// each entry goes: all rows are written in one launch.
// See docs/decisions/many-sources.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/fold.cuh"
#include "core/operands.cuh"

constexpr int LONG_FOR_A_LANE = 64;  // a longer row is read by its warp

// Where the entry of a lane is among all entries, from the bits of its word and the number of
// entries up to the end of the word.
__device__ inline long long place_of_entry(Word held, long long end, int lane) {
    return end - __popc(held) + __popc(held & ((1u << lane) - 1));
}

// The offsets of so many rows, each of so many words.
template <class Offset>
__global__ void row_offsets(Index rows, Index words_each, const long long* ends, Offset* indptr) {
    for (long long r : grid_stride<long long>(rows + 1ll))
        indptr[r] = r == 0 ? Offset(0) : static_cast<Offset>(ends[r * words_each - 1]);
}

// Writes the entries of copies of mask + 1 positions. `ends` begins with their first word.
template <class Z>
__global__ void lay_out_copies(Index words, Index mask, const Word* bits, const Z* values,
                               const long long* ends, Index* indices, Z* out) {
    for (Index w : warp_stride<Index>(words)) {
        const Word held = bits[w];
        if ((held >> lane_id() & 1u) == 0) continue;
        const Index p = (w << 5) + lane_id();
        const long long at = place_of_entry(held, ends[w], lane_id());
        indices[at] = p & mask;
        out[at] = values[p];
    }
}

// For each entry of the closures u in copies of a graph, a product of S along a tight in-edge (see
// lower.tight_struct) in the place of the entry. Nothing is written for an entry without such an edge,
// as at the start. Where there is no entry u has the worst value, from which no edge is tight.
template <class S>
__global__ void follow_tight(Index words, Index mask, CsrOf<S> A, const Word* bits, const typename S::U* u,
                             const long long* ends, typename S::Z* out) {
    using Offset = typename S::Offset;
    for (Index w : warp_stride<Index>(words)) {
        const Word held = bits[w];
        if (held == 0) continue;
        const Index copy = (w << 5) & ~mask;
        const typename S::U* const x = u + copy;
        const auto tight = [&](Index j, Offset e, Index k) { return S::joins(x, k, A.values, e * A.stride, j); };
        const auto write = [&](int lane, Index j, Offset e, Index k) {
            out[place_of_entry(held, ends[w], lane)] = S::product(x, k, A.values, e * A.stride, j);
        };
        const Index first = (w << 5) & mask, j = first + lane_id();
        const bool has = held >> lane_id() & 1u;
        const Offset begin = has ? A.indptr[j] : Offset(0), end = has ? A.indptr[j + 1] : Offset(0);
        const bool apart = end - begin > LONG_FOR_A_LANE;
        bool found = apart;
        for (Offset e = begin; e < end && !found; e += LOADS) {
            Index k[LOADS];
#pragma unroll
            for (int i = 0; i < LOADS; ++i) k[i] = A.indices[e + i < end ? e + i : e];
#pragma unroll
            for (int i = 0; i < LOADS; ++i) {
                if (found || !tight(j, e + i, k[i])) continue;  // the first once more is not tight either
                write(lane_id(), j, e + i, k[i]);
                found = true;
            }
        }
        for (Word left = __ballot_sync(ALL_LANES, apart); left != 0; left &= left - 1) {
            const int lane = __ffs(left) - 1;
            const Index row = first + lane;
            const Offset last = A.indptr[row + 1];
            for (Offset e = A.indptr[row] + lane_id();; e += 32) {
                const Index k = e < last ? A.indices[e] : 0;
                const bool hit = e < last && tight(row, e, k);
                const Word hits = __ballot_sync(ALL_LANES, hit);
                if (hit && (hits & lanes_below()) == 0) write(lane, row, e, k);
                if (hits != 0 || !__any_sync(ALL_LANES, e < last)) break;
            }
        }
    }
}

// Writes the given values in the places of the entries at these positions.
template <class Z>
__global__ void set_starts(Index count, const Index* positions, const Z* given, const Word* bits,
                           const long long* ends, Z* out) {
    for (unsigned i : grid_stride<unsigned>(count)) {
        const Index p = positions[i];
        out[place_of_entry(bits[p >> 5], ends[p >> 5], p & 31)] = given[i];
    }
}
