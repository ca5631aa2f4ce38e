// Components as trees of parents, which threads join without waiting for each other.
//
// A parent is no larger than its child, and only a root's parent is ever changed by compare-and-swap;
// so there are no cycles, and the root of a tree is its smallest vertex. Who looks for a root to join
// lets each vertex on the way have its grandparent as parent: writes that meet are all of ancestors, and
// any of them will do (Jayanti, Tarjan: A randomized concurrent algorithm for disjoint set union, PODC
// 2016). But the last of them may be an older one: so to make trees flat is a phase of its own.
#pragma once
#include "bitmap.cuh"

struct Trees {
    Index* parent;

    __device__ Index above(Index v) const { return *static_cast<volatile Index*>(parent + v); }
    __device__ void put(Index v, Index up) const { *static_cast<volatile Index*>(parent + v) = up; }

    __device__ Index root(Index v) const {
        for (Index up = above(v);;) {
            const Index next = above(up);
            if (next == up) return up;
            put(v, next);
            v = up;
            up = next;
        }
    }

    // v's parent becomes its root, which is returned, while nobody joins and nobody but v's thread writes
    // it. Whether a vertex is a root may be read from the first-level cache, for it stays so.
    __device__ Index flatten(Index v) const {
        Index up = parent[v];
        while (parent[up] != up) put(v, up = above(up));
        return up;
    }

    // The trees of u and v become one.
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
