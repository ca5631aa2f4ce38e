// Graphs under other numbers: rows and columns of a matrix renumbered, and vectors there and back.
//
// `old` holds for each new number the one before, `to` the reverse. Entries move to their new rows,
// and then each row is sorted (see segmented_sort.cuh).
// See docs/decisions/layouts.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/load_balance.cuh"
#include "core/warp_reduce.cuh"
#include "matrix/entries.cuh"
#include "core/packed_level.cuh"

using Key = long long;

__device__ inline Index lower(Key key) { return static_cast<Index>(key & 0x7fffffff); }

// The entries of vertex i: those of its row and of its column.
template <class Offset>
__device__ inline long long entries_at(const Offset* out, const Offset* in, Index i) {
    return static_cast<long long>(out[i + 1] - out[i]) + (in[i + 1] - in[i]);
}

// Keys that sort vertices by falling entries, ties by number, which is the lower half.
template <class Offset>
__global__ void degree_keys(Index n, const Offset* out, const Offset* in, Key* keys) {
    constexpr long long max_degree = 0x7fffffff;
    for (long long i : grid_stride<long long>(n)) {
        const long long degree = entries_at(out, in, static_cast<Index>(i));
        keys[i] = (max_degree - (degree < max_degree ? degree : max_degree)) << 32 | i;
    }
}

// Leaves of keys the numbers.
__global__ void keep_lower(Index n, Key* keys) {
    for (long long i : grid_stride<long long>(n)) keys[i] = lower(keys[i]);
}

__global__ void renumber(Index n, const Key* ids, Index* old, Index* to) {
    for (long long i : grid_stride<long long>(n)) {
        const Index before = lower(ids[i]);
        old[i] = before;
        to[before] = static_cast<Index>(i);
    }
}

// lengths: of the rows in their new order. facts[0]: beyond the last vertex with an entry;
// facts[1]: does some vertex have more entries than the one before it? Both are 0 at first.
template <class Offset>
__global__ void __launch_bounds__(MAX_THREADS, 4)
    row_lengths(Index n, const Offset* out, const Offset* in, const Index* old,
                            Offset* lengths, unsigned* facts) {
    unsigned n_connected = 0;
    bool rises = false;
    for (long long i : grid_stride<long long>(n)) {
        const Index row = old[i];
        const long long degree = entries_at(out, in, row);
        lengths[i] = out[row + 1] - out[row];
        if (degree > 0) n_connected = static_cast<unsigned>(i) + 1;
        if (i > 0 && entries_at(out, in, old[i - 1]) < degree) rises = true;
    }
    n_connected = warp_reduce<Maximum>(n_connected);
    rises = __any_sync(ALL_LANES, rises);
    if (lane_id() == 0 && n_connected > 0) atomicMax(facts, n_connected);
    if (lane_id() == 0 && rises) atomicOr(facts + 1, 1u);
}

// The first column of each row, as first_hit.cuh wants likely_parent; rows of more than `longest`
// are not a lane's.
template <class Offset>
__global__ void first_columns(Index n, const Offset* indptr, const Index* indices, Index longest,
                              Index* likely_parent) {
    for (long long i : grid_stride<long long>(n)) {
        const Offset first = indptr[i], length = indptr[i + 1] - first;
        const Index head = length > 0 ? indices[first] : static_cast<Index>(i);
        likely_parent[i] = length > 1 && length <= longest ? head : ~head;
    }
}

// --- vectors ---------------------------------------------------------------------------------

// A vector's entries to their new places, in a vector without entries. Null values: each holds its
// own new number.
template <class T>
__global__ void enter(Index n, const Index* to, const Word* bits, const T* values, Word* out_bits,
                      T* out) {
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index v = (word << 5) + lane_id();
        const Word here = bits == nullptr ? inside(word, n) : bits[word];
        if (!(here >> lane_id() & 1u)) continue;
        if (bits != nullptr) mark(out_bits, to[v]);
        else if (lane_id() == 0) out_bits[word] = here;
        out[to[v]] = values == nullptr ? static_cast<T>(to[v]) : values[v];
    }
}

constexpr int UNDER_WAY = 8;  // words of a warp: a vertex waits for memory three times in a row

// And back: a closure x, and the rounds of its entries unless they are null. From `n_connected` on
// nothing has an entry but what the start had: one value at `only`, or, if that is negative,
// `start`, unless that is null. Vertices come in 32 bits and go in 64, with their `old` numbers;
// values of the start never had others. If levels are packed in them (see closure.cuh), no bits are
// read, and few rounds. Where there is no entry 0 is written, for memory takes whole sectors in
// half the time; what is written is not read soon, and must not push x out of the caches.
template <class X, class Z>
__global__ void __launch_bounds__(MAX_THREADS, 4)
    restore(Index n, Index n_connected, const Index* to, const Index* old, const Word* bits, int level_bits,
            const X* x, const Index* rounds, Index only, Z value, const Word* start_bits, const Z* start,
            Word* out_bits, Z* out, Word* out_round_bits, Index* out_rounds) {
    constexpr bool vertices = sizeof(X) != sizeof(Z);
    const PackedLevel packed_level{level_bits};
    const bool asks = !vertices || level_bits == 0;
    const Index words = words_of(n);
    for (Index base : warp_stride<Index>(words, UNDER_WAY)) {
        Index j[UNDER_WAY], when[UNDER_WAY];
        X found[UNDER_WAY];
        bool given[UNDER_WAY], has[UNDER_WAY];
#pragma unroll
        for (int i = 0; i < UNDER_WAY; ++i) {
            const Index v = ((base + i) << 5) + lane_id();
            j[i] = base + i < words && v < n ? __ldcs(to + v) : n;
        }
#pragma unroll
        for (int i = 0; i < UNDER_WAY; ++i) {
            const Index v = ((base + i) << 5) + lane_id();
            const bool starts = start != nullptr && j[i] < n && present(start_bits, v);
            given[i] = only < 0 ? starts : j[i] < n && v == only;
            has[i] = given[i] || (j[i] < n_connected && (!asks || present(bits, j[i])));
            if (has[i] && x != nullptr) found[i] = x[j[i]];
            when[i] = asks && has[i] && rounds != nullptr ? rounds[j[i]] : 0;
        }
#pragma unroll
        for (int i = 0; i < UNDER_WAY; ++i) {
            if constexpr (vertices) {
                has[i] = given[i] || (has[i] && found[i] >= 0);
                if (!asks && has[i] && !given[i]) {
                    when[i] = found[i] >> level_bits;
                    if (when[i] == packed_level.last() && rounds != nullptr) when[i] = rounds[j[i]];
                    found[i] &= (1 << level_bits) - 1;
                }
                if (has[i] && !given[i]) found[i] = old[found[i]];
            }
        }
#pragma unroll
        for (int i = 0; i < UNDER_WAY; ++i) {
            const Index word = base + i, v = (word << 5) + lane_id();
            const Word entries = __ballot_sync(ALL_LANES, has[i]);
            if (lane_id() == 0 && word < words) {
                out_bits[word] = entries;
                if (rounds != nullptr) out_round_bits[word] = entries;
            }
            if (word >= words || v >= n) continue;
            if (rounds != nullptr) __stcs(out_rounds + v, has[i] ? when[i] : 0);
            if (x == nullptr) continue;
            Z z = has[i] ? Z(found[i]) : Z(0);
            if (vertices && given[i]) z = only < 0 ? start[v] : value;
            if constexpr (vertices) __stcs(out + v, z);
            else out[v] = z;
        }
    }
}
