// A hash table of columns or labels, or of pairs of them in one word, in shared or global memory,
// which a group fills together: open addressing with linear probing (Knuth, The Art of Computer
// Programming 3, 6.4).
// See docs/decisions/compilation.md.
#pragma once
#include "core/groups.cuh"

// The content of a slot without a key: no column, and greater than all columns; or no pair.
template <class Key> constexpr Key EMPTY = sizeof(Key) == sizeof(Index) ? Key(0x7fffffff) : Key(~0ull);

// Multiples of the golden ratio, modulo 1, lie far apart: here in units of 2⁻³² or 2⁻⁶⁴. The search
// for a key begins at its share of the table.
__device__ inline unsigned hashed(Index j) { return static_cast<unsigned>(j) * 0x9e3779b1u; }
__device__ inline unsigned long long hashed(unsigned long long pair) { return pair * 0x9e3779b97f4a7c15ull; }
__device__ inline Index share(unsigned hash, Index size) { return __umulhi(hash, size); }
__device__ inline unsigned long long share(unsigned long long hash, unsigned long long size) {
    return __umul64hi(hash, size);
}

// The slots for n keys, a power of two. The host sees to it that the group has as many.
__device__ inline int table_size(long long n) {
    int size = 32;
    while (size - size / (HASH_LOAD + 1) < n) size += size;
    return size;
}

// Keys lie STRIDE words apart, so that a value can be stored next to each.
template <class Key, class Group, int STRIDE = 1> struct HashTable {
    Key* keys;
    Key size;

    __device__ Key* slot(Key at) const { return keys + STRIDE * at; }
    __device__ Key next(Key at) const { return at + 1 < size ? at + 1 : 0; }

    __device__ void clear() const {
        for (Key at = Group::rank(); at < size; at += Group::size()) *slot(at) = EMPTY<Key>;
    }

    // A key's slot, the first from `at` on, or `size` if others have all; `fresh` for the one
    // thread that put it there.
    __device__ Key insert(Key key, Key at, bool& fresh) const {
        fresh = false;
        for (Key left = size; left > 0; --left, at = next(at)) {
            Key held = *static_cast<volatile Key*>(slot(at));
            if (held == EMPTY<Key>) {
                held = atomicCAS(slot(at), EMPTY<Key>, key);
                fresh = held == EMPTY<Key>;
            }
            if (fresh || held == key) return at;
        }
        return size;
    }
    __device__ Key insert(Key key, bool& fresh) const { return insert(key, share(hashed(key), size), fresh); }

    // A key's slot; -1 if it has none. Some slot must be empty.
    __device__ Key find(Key key) const {
        for (Key at = share(hashed(key), size);; at = next(at)) {
            const Key held = *slot(at);
            if (held == key) return at;
            if (held == EMPTY<Key>) return -1;
        }
    }

    // Sorts a table of a power of two of slots, and a value for each, by key (bitonic; Batcher
    // 1968), so that its entries come first.
    template <class Z> __device__ void sort(Z* values) const {
        for (int width = 2; width <= size; width += width) {
            for (int gap = width / 2; gap > 0; gap /= 2) {
                for (int t = Group::rank(); t < size / 2; t += Group::size()) {
                    const int low = 2 * t - (t & (gap - 1)), high = low + gap;
                    const bool rising = (low & width) == 0;
                    const Key below = keys[low], above = keys[high];
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
};
