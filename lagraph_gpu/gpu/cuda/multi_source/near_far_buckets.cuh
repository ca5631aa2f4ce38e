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

constexpr unsigned ASIDE = 64;  // the number of rows that wait for the whole block in a round

// What a block has for itself, in shared memory.
template <class Z> struct SsspBlockState {
    unsigned near[3], far[2];  // lengths of the lists, one for each generation
    unsigned aside[3];         // numbers of rows that wait for the whole block
    unsigned distance;         // the generation of the far list that is appended to,
    Index* list;               // its list of vertices,
    Word* listed;              // and a bit for each vertex in it
    Index vertices[ASIDE];
    Z values[ASIDE];
    __align__(8) Z best[8 / sizeof(Z)];  // the best value in the far list; a word of its own
    Z best_far;                          // that value when the far list was last divided
    Z bound;
    Index search;
    bool unordered;
};

// A vertex with a value that it has or had.
template <class Z> struct __align__(2 * sizeof(Z)) VertexValue {
    Z value;
    Index vertex;
};

template <class S> struct NearFarBuckets : Compare<S> {
    using Z = typename S::Z;
    using Compare<S>::better;

    SsspBlockState<Z>* block_state;
    unsigned room;   // of the near list
    VertexValue<Z>* near;   // the near list that is appended to
    unsigned* n_near;  // its length

    __device__ void fold_best(Z z) const {
        if (better(z, peek(block_state->best))) fold_into<S>(block_state->best, z);
    }

    // Appends vertices whose values are near to the near list, and to the far list if it is full.
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
