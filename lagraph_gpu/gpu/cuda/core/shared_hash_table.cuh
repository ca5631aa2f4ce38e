// A hash table of columns in shared memory, which a group has: linear probing, a power of two of
// slots.
#pragma once
#include "core/groups.cuh"

constexpr Index EMPTY = 0x7fffffff;  // no column, and behind all of them

// The slots for n columns, a power of two. The host sees to it that the group has as many.
__device__ inline int table_size(long long n) {
    int size = 32;
    while (size - size / 4 < n) size += size;
    return size;
}

template <class Group> __device__ inline void clear(Index* keys, int size) {
    for (int t = Group::rank(); t < size; t += Group::size()) keys[t] = EMPTY;
}

// Where the search for column j begins.
__device__ inline unsigned hashed(Index j) { return static_cast<unsigned>(j) * 0x9e3779b1u >> 15; }

// Column j's slot; `fresh` for the one thread that put it there.
__device__ inline int find_slot(Index* keys, int size, Index j, bool& fresh) {
    fresh = false;
    for (unsigned at = hashed(j);; ++at) {
        Index* key = keys + (at & (size - 1));
        Index held = *static_cast<volatile Index*>(key);
        if (held == EMPTY) {
            held = atomicCAS(key, EMPTY, j);
            fresh = held == EMPTY;
        }
        if (fresh || held == j) return at & (size - 1);
    }
}

// Column j's slot; -1 if it has none. Some slot must be empty.
__device__ inline int find(const Index* keys, int size, Index j) {
    for (unsigned at = hashed(j);; ++at) {
        const Index held = keys[at & (size - 1)];
        if (held == j) return at & (size - 1);
        if (held == EMPTY) return -1;
    }
}

// Sorts a table by column (bitonic; Batcher 1968), so that its entries come first.
template <class Group, class Z> __device__ inline void sort_table(Index* keys, Z* values, int size) {
    for (int width = 2; width <= size; width += width) {
        for (int gap = width / 2; gap > 0; gap /= 2) {
            for (int t = Group::rank(); t < size / 2; t += Group::size()) {
                const int low = 2 * t - (t & (gap - 1)), high = low + gap;
                const bool rising = (low & width) == 0;
                const Index below = keys[low], above = keys[high];
                if (below == above || (below > above) != rising) continue;
                keys[low] = above;
                keys[high] = below;
                const Z value = values[low];
                values[low] = values[high];
                values[high] = value;
            }
            Group::sync();
        }
    }
}
