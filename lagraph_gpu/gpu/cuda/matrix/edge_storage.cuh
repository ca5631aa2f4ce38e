// The storage of a matrix' edges by rows for closures by order of value, which test an edge's
// weight first: `begin` loads the weight and what is loaded with it, `complete` loads the columns
// of those edges that are needed.
// See docs/decisions/hub-first.md.
#pragma once
#include "core/bitmap.cuh"

// Edges of its own row that a lane reads before its warp goes on with the row; and how many if it looks
// for a tight one.
constexpr int ALONE = 8;
constexpr int TIGHT_ALONE = 16;

// Column and weight side by side: a random access of memory brings both.
template <class A> struct alignas(sizeof(A) > 4 ? 16 : 8) Edge {
    Index to;
    A weight;
};

template <class Column_, class A> struct Stored {
    using Column = Column_;
    const Column* columns;
    const A* values;
    int stride;
};

// Apart, as other operations read them. Rows of one weight are in order as they are.
template <class A, bool in_order> struct Apart : Stored<Index, A> {
    static constexpr bool sorted = in_order;

    template <class Offset> __device__ A weight(Offset e) const { return this->values[e * this->stride]; }
    template <class Offset> __device__ Edge<A> begin(Offset e) const {
        return {sorted ? this->columns[e] : 0, weight(e)};  // where they are in order most are of use
    }
    template <class Offset> __device__ void complete(Edge<A>& edge, Offset e) const {
        if (!sorted) edge.to = this->columns[e];
    }
};

// Side by side, the best weights of a row first; of the arrays there is but one.
template <class A> struct Pairs : Stored<Edge<A>, A> {
    static constexpr bool sorted = true;

    template <class Offset> __device__ A weight(Offset e) const { return this->columns[e].weight; }
    template <class Offset> __device__ Edge<A> begin(Offset e) const { return this->columns[e]; }
    template <class Offset> __device__ void complete(Edge<A>&, Offset) const {}
};
