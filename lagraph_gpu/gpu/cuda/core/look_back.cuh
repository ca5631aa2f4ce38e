// Pieces of work that blocks take in order, and the prefix sum of their counts, in the same kernel
// that computes the counts (decoupled look-back: Merrill and Garland, Single-pass parallel prefix
// scan, 2016).
//
// There are as many blocks as pieces. Each takes the next free piece, so every earlier piece
// belongs to a running block. It publishes the count of its piece and then looks back at the
// pieces before it, until one has published the sum up to its end. A word holds number and state
// together, so no fence is needed. Words must be 0 at first: one for each piece and one more,
// which counts the pieces taken.
// See docs/decisions/components-and-trees.md.
#pragma once
#include "core/bitmap.cuh"
#include "core/warp_reduce.cuh"

struct LookBack {
    unsigned long long* words;
    Index pieces;

    static constexpr unsigned long long OWN = 1, SUM = 2;  // the count of the piece, or of all up to it

    // Takes the next free piece for a block, and returns its number; called by one thread.
    __device__ Index take() const { return static_cast<Index>(atomicAdd(words + pieces, 1ull)); }

    // Stores a number for a piece together with what it is, OWN or SUM.
    __device__ void publish(Index piece, long long number, unsigned long long state) const {
        static_cast<volatile unsigned long long*>(words)[piece] = static_cast<unsigned long long>(number) << 2 | state;
    }

    // Publishes the piece's count; called by one thread.
    __device__ void publish_count(Index piece, long long own) const { publish(piece, own, OWN); }

    // Returns the sum of the counts of all pieces before this one; called by a warp, after the count is
    // published.
    __device__ long long before(Index piece, long long own) const {
        long long sum = 0;
        Word whole = 0;
        for (Index last = piece - 1; whole == 0; last -= 32) {
            // Each lane looks at one piece, lane 0 at the nearest. Before the first piece the sum is 0.
            const Index at = last - lane_id();
            unsigned long long word;
            Word missing;
            do {
                word = at < 0 ? SUM : static_cast<const volatile unsigned long long*>(words)[at];
                missing = __ballot_sync(ALL_LANES, word == 0);
                whole = __ballot_sync(ALL_LANES, (word & 3) == SUM);
            } while ((missing & ((whole & -whole) - 1)) != 0);  // a nearer piece is unpublished
            if (whole == 0 || lane_id() < __ffs(whole)) sum += word >> 2;
        }
        sum = warp_reduce<Sum>(sum);
        if (lane_id() == 0) publish(piece, sum + own, SUM);
        return sum;
    }
};
