// Components as trees of parents, which threads join without waiting for each other (union-find).
//
// A parent is no larger than its child, and only a root's parent is changed by compare-and-swap;
// so there are no cycles, and the root of a tree is its smallest vertex. A search for a root
// replaces the parent of each vertex on the way by its grandparent. Concurrent writes are all of
// ancestors, and any of them is correct (Jayanti, Tarjan: A randomized concurrent algorithm for
// disjoint set union, PODC 2016). But the last write may be of an older ancestor, so flattening
// the trees is a phase of its own.
//
// A value that is read need not be new either: an old parent is still an ancestor, and a
// compare-and-swap that fails returns the new one. So parents are read through the L1 cache,
// because thousands of threads read the same few.
// See docs/decisions/components-and-trees.md.
#pragma once
#include "core/bitmap.cuh"

struct Trees {
    Index* parent;

    __device__ void put(Index v, Index up) const { *static_cast<volatile Index*>(parent + v) = up; }

    // The root of v's tree, or a vertex that was its root shortly before.
    __device__ Index root(Index v) const {
        Index up = parent[v];
        for (Index next = parent[up]; next != up; next = parent[up]) {
            put(v, next);
            v = up;
            up = next;
        }
        return up;
    }

    // The root of v's tree, or a vertex that was its root shortly before; or `near`, if that comes first on the
    // way there. Writes nothing.
    __device__ Index seek(Index v, Index near) const {
        Index up = parent[v];
        while (up != near && parent[up] != up) up = parent[up];
        return up;
    }

    // Makes v's root its parent, and returns it. Meanwhile no thread may join trees, and only v's
    // thread may write v's parent.
    __device__ Index flatten(Index v) const {
        Index up = parent[v];
        for (Index next = parent[up]; next != up; next = parent[up]) put(v, up = next);
        return up;
    }

    // Joins the trees of u and v.
    __device__ void join(Index u, Index v) const {
        Index low = root(u), high = root(v);
        while (low != high) {
            if (low > high) {
                const Index other = low;
                low = high;
                high = other;
            }
            const Index found = atomicCAS(parent + high, high, low);
            high = found == high ? low : root(found);
        }
    }
};
