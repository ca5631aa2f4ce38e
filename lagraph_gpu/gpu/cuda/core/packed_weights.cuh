// The values of packed rows: one for all entries, or weights beside them, as values of the type A.
// See docs/decisions/sssp.md.
#pragma once
#include "core/packed_rows.cuh"

template <class A> struct OneForAll {
    const A* value;

    __device__ A of(Index, Index) const { return *value; }
};

// The weight of entry `at` of row j is weights[begins[j] + at].
template <class A, class Offset, class W> struct PackedWeights {
    const Offset* begins;  // of rows
    const W* weights;

    __device__ A of(Index j, Index at) const {
        return static_cast<A>(weights[begins[j] + static_cast<Offset>(at)]);
    }
};
