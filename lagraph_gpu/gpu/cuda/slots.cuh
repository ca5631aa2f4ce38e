// Hash tables of any size, of columns or of pairs of them in one word, which threads fill together:
// open addressing, in shared or global memory. 
#pragma once
#include "bitmap.cuh"

// What a slot without a key holds: no column, and behind all of them; or no pair.
template <class Key> constexpr Key VACANT = sizeof(Key) == sizeof(Index) ? Key(0x7fffffff) : Key(~0ull);

// Multiples of the golden ratio, modulo 1, lie far apart (Knuth, The Art of Computer Programming 3, 6.4):
// here in units of 2⁻³² or 2⁻⁶⁴. The search for a key begins at its share of the table.
__device__ inline unsigned scattered(Index j) { return static_cast<unsigned>(j) * 0x9e3779b1u; }
__device__ inline int first_slot(Index j, int size) { return __umulhi(scattered(j), size); }
__device__ inline unsigned long long first_slot(unsigned long long pair, unsigned long long size) {
    return __umul64hi(pair * 0x9e3779b97f4a7c15ull, size);
}

// A key's slot, the first from `at` on, or `size` if others have all; `fresh` for the one thread that put
// it there.
template <class Key, class Size>
__device__ inline Size slot_from(Key* keys, Size size, Size at, Key key, bool& fresh) {
    fresh = false;
    for (Size left = size; left > 0; --left, at = at + 1 < size ? at + 1 : 0) {
        Key held = *static_cast<volatile Key*>(keys + at);
        if (held == VACANT<Key>) {
            held = atomicCAS(keys + at, VACANT<Key>, key);
            fresh = held == VACANT<Key>;
        }
        if (fresh || held == key) return at;
    }
    return size;
}

// A key's slot, where there is one for each key.
template <class Key, class Size>
__device__ inline Size slot_of(Key* keys, Size size, Key key, bool& fresh) {
    return slot_from(keys, size, first_slot(key, size), key, fresh);
}
