// The operands of the pull by entries (see segmented_spmv.cuh): four entries of the matrix at a
// time, and the value of u for each.
//
// Most of the time goes into reading u: each value takes a sector of 32 bytes from the second-level
// cache, of which 4 or 8 bytes are used. Skewed matrices that are multiplied often are handled in
// another way (column_blocked.cuh).
// See docs/decisions/spmv.md.
#pragma once
#include "core/fold.cuh"
#include "core/vector_load.cuh"

static_assert(ROUND == 32 * QUAD, "a round is a quad for each lane of a warp");

// The positions of the four entries of each lane, and the rows that begin among them.
struct Place {
    Index open;  // the row that began last before this lane's entries
    int begins;  // one bit for each entry
    Index all;   // the number of rows that begin in the round
};

__device__ inline Place place_of(uint4 words, Index open) {
    const int own = lane_id() >> 3, shift = (lane_id() & 7) * QUAD;
    const Word mine = own < 2 ? (own == 0 ? words.x : words.y) : (own == 2 ? words.z : words.w);
    const Index x = __popc(words.x), y = x + __popc(words.y), z = y + __popc(words.z);
    const Index before = own < 2 ? (own == 0 ? 0 : x) : (own == 2 ? y : z);
    return {open + before + __popc(mine & ((1u << shift) - 1)),
            static_cast<int>(mine >> shift & 15u), z + __popc(words.w)};
}

// One value that stands for an array.
template <class T> struct Only {
    T value;
    template <class Position> __device__ T operator[](Position) const { return value; }
};

template <class S> struct Operand {
    const typename S::U* u;
    const Word* bits;  // of u; null if it is full
    Mask mask;
    const Index* rows;
};

// u is full and there is no mask: every entry counts, and the result's bitmap is known in advance.
template <class S> struct FullOperand {
    static constexpr bool all = true;
    const typename S::U* u;
    __device__ explicit FullOperand(const Operand<S>& operand) : u(operand.u) {}
    __device__ typename S::U operator[](Index k) const { return u[k]; }
};

// The entries that u has, in rows that the mask wants.
template <class S> struct SparseOperand {
    static constexpr bool all = false;
    const Operand<S> operand;
    bool masked;
    __device__ explicit SparseOperand(const Operand<S>& operand)
        : operand(operand), masked(operand.mask.bits != nullptr || operand.mask.flip != 0) {}

    // A bit for each of a lane's entries that is in a wanted row.
    __device__ int wanted(const Place& place, int entries) const {
        if (!masked) return entries;
        Index row = place.open;
        bool wants = row >= 0 && operand.mask.wants(operand.rows[row]);
        int found = 0;
        for (int i = 0; i < QUAD; ++i) {
            if (place.begins >> i & 1) wants = operand.mask.wants(operand.rows[++row]);
            found |= int(wants) << i;
        }
        return found & entries;
    }
    __device__ bool has(Index k) const { return present(operand.bits, k); }
    __device__ typename S::U operator[](Index k) const { return operand.u[k]; }
};
