// The order in which edges come into a spanning forest: by weight, and among equal weights by their entries.
// See docs/decisions/components-and-trees.md.
#pragma once
#include "core/append.cuh"
#include "matrix/weight_order.cuh"

constexpr Count NO_CANDIDATE = ~Count(0);

// What a weight in order takes.
template <bool narrow> struct InOrder {
    using Weight = int;
};
template <> struct InOrder<false> {
    using Weight = long long;
};

// The order of edges. A key is an edge, with its weight in the upper half if both fit.
template <class Offset, class Z> struct EdgeOrder {
    static constexpr bool packed = sizeof(Z) <= 4 && sizeof(Offset) <= 4;
    using Weight = typename InOrder<sizeof(Z) <= 4>::Weight;

    const Z* values;
    int stride;
    bool heaviest;

    __device__ Weight weight(Offset e) const {
        const Z z = values[e * stride];
        const Weight w = static_cast<Weight>(in_order(z == Z(0) ? Z(0) : z));  // -0 is 0
        return heaviest ? ~w : w;
    }
    __device__ static Offset edge(Count key) { return static_cast<Offset>(key); }  // its low half

    // *best becomes e, if e comes first. What was seen there may be old.
    __device__ void keep_best(Count* best, Offset e, Weight w, Count seen) const {
        if constexpr (packed) {
            const Count key = Count(Word(w) ^ 1u << 31) << 32 | Word(e);
            if (key < seen) atomicMin(best, key);
        } else {
            while (seen == NO_CANDIDATE || before(e, w, edge(seen))) {
                const Count found = atomicCAS(best, seen, Count(e));
                if (found == seen) return;
                seen = found;
            }
        }
    }
    __device__ bool before(Offset e, Weight w, Offset other) const {
        const Weight theirs = weight(other);
        return w < theirs || (w == theirs && e < other);
    }
};
