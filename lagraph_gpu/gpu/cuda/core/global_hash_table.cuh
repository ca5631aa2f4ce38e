// Hash tables of any size, of columns or of pairs of them in one word, which threads fill together:
// open addressing, in shared or global memory.
#pragma once
#include "core/bitmap.cuh"

// What a slot without a key holds: no column, and behind all of them; or no pair.
template <class Key> constexpr Key VACANT = sizeof(Key) == sizeof(Index) ? Key(0x7fffffff) : Key(~0ull);

// Multiples of the golden ratio, modulo 1, lie far apart (Knuth, The Art of Computer Programming 3,
// 6.4): here in units of 2⁻³² or 2⁻⁶⁴. The search for a key begins at its share of the table.
__device__ inline unsigned scattered(Index j) { return static_cast<unsigned>(j) * 0x9e3779b1u; }
__device__ inline unsigned long long scattered(unsigned long long pair) { return pair * 0x9e3779b97f4a7c15ull; }

// A key's slot, the first from `at` on, or `size` if others have all; `fresh` for the one thread
// that put it there.
template <class Keys, class Key, class Size>
__device__ inline Size slot_from(Keys keys, Size size, Size at, Key key, bool& fresh) {
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

// A pair's slot, where there is one for each.
template <class Pairs, class Pair> __device__ inline Pair slot_of(Pairs pairs, Pair size, Pair pair, bool& fresh) {
    return slot_from(pairs, size, __umul64hi(scattered(pair), size), pair, fresh);
}
