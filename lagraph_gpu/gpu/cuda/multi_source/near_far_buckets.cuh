// The near list and the far list of a block that does a search of its own (see
// block_sssp_state.cuh).
//
// The near list holds vertices with values, as many as there is space for; a vertex may be in it
// more than once, with one value that is current. Vertices for which it has no space wait in the
// far list, where a vertex is at most once.
// See docs/decisions/many-sources.md.
#pragma once
#include "core/append.cuh"
#include "closure/ordered/value_order.cuh"

constexpr unsigned ASIDE = 64;  // so many such rows wait for that in a round

// What a block keeps to itself, in shared memory.
template <class Z> struct SsspBlockState {
    unsigned near[3], far[2];  // lengths of the lists, a generation each
    unsigned aside[3];         // rows put aside
    unsigned distance;         // generation of the far list that is appended to,
    Index* list;               // and where it is
    Word* listed;              // which vertices are in it
    Index vertices[ASIDE];
    Z values[ASIDE];
    __align__(8) Z best[8 / sizeof(Z)];  // among the far; a word of its own
    Z best_far;                          // what it was when the far list was last split
    Z bound;
    Index search;
    bool unordered;
};

// A vertex, with a value that it has had.
template <class Z> struct __align__(2 * sizeof(Z)) VertexValue {
    Z value;
    Index vertex;
};

template <class S> struct NearFarBuckets : Compare<S> {
    using Z = typename S::Z;
    using Compare<S>::better;
    using Compare<S>::peek_value;

    SsspBlockState<Z>* block_state;
    unsigned room;   // of the near list
    VertexValue<Z>* near;   // the one that is appended to
    unsigned* n_near;  // how many there are in it

    __device__ void fold_best(Z z) const {
        if (better(z, peek_value(block_state->best))) fold_into<S>(block_state->best, z);
    }

    // Vertices whose values are near: they are listed while there is room, and are far beyond it.
    template <int N>
    __device__ void list_near(bool (&close)[N], bool (&distant)[N], const Index (&v)[N], const Z (&z)[N]) const {
        unsigned at[N];
        append(close, n_near, at);
#pragma unroll
        for (int i = 0; i < N; ++i) {
            if (!close[i]) continue;
            if (at[i] >= room) {
                distant[i] = true;
                continue;
            }
            near[at[i]] = {z[i], v[i]};
        }
    }

    template <int N> __device__ void list_far(const bool (&distant)[N], const Index (&v)[N]) const {
        unsigned at[N];
        append(distant, block_state->far + block_state->distance, at);
#pragma unroll
        for (int i = 0; i < N; ++i)
            if (distant[i]) block_state->list[at[i]] = v[i];
    }

    __device__ void unlist(Index v) const { atomicAnd(block_state->listed + (v >> 5), ~(1u << (v & 31))); }
};
