// A push of many edges under `any`, in three parts with a barrier between them.
//
// First the present entries are copied. Then all threads set bits and write values without testing
// which was first, and the last value stays. Then new entries are found by comparison, word by
// word, so that nothing else of a vertex is accessed at random. Nothing is counted or listed
// meanwhile.
// See docs/decisions/bfs.md.
#pragma once
#include "closure/level_synchronous/frontier.cuh"
#include "core/grid_stride.cuh"
#include "core/packed_level.cuh"

template <class S> struct BenignRacePush {
    Index n;
    const Index* indices;
    const typename S::A* values;
    int stride;
    Word* bits;  // the positions with an entry; x: their values
    typename S::Z* x;
    Word* next;  // a copy of the bits, and at the end the new positions
    Index packed_level;

    __device__ void snapshot() const {
        for (unsigned word : grid_stride<unsigned>(words_of(n)))
            next[word] = peek(bits + word);
    }

    __device__ bool helps(Index j) const { return !(peek(bits + (j >> 5)) >> (j & 31) & 1u); }
    __device__ void relax(Index j, typename S::Z z) const {
        if (!S::same || x != nullptr)
            *static_cast<volatile typename S::Z*>(x + j) = pack_level<S>(z, packed_level);
        mark(bits, j);
    }

    // The pieces of vertices with many out-edges, one warp for each, so the tail of each edge is known.
    template <class Offset>
    __device__ void push(const Level& now, const Items& items, const Offset* indptr, Offset piece) const {
        for (const auto numbers : lanes_apart<Count>(items.pieces)) {
            const Count at = numbers.own();
            Index k = 0;
            Offset first = 0;
            int degree = 0;
            if (at < items.pieces) degree = items.edges(now, items.n_short + at, indptr, piece, k, first);
            for (Word left = __ballot_sync(ALL_LANES, degree > 0); left != 0; left &= left - 1) {
                const int whose = __ffs(left) - 1;
                walk_piece(__shfl_sync(ALL_LANES, k, whose), __shfl_sync(ALL_LANES, first, whose),
                           __shfl_sync(ALL_LANES, degree, whose));
            }
        }
    }
    template <class Offset> __device__ void walk_piece(Index k, Offset first, int degree) const {
        typename S::U value{};
        if constexpr (S::reads_vector) value = x[k];
        for (int base = lane_id(); base < degree; base += 32 * LOADS) {
            Index to[LOADS];
            bool of_use[LOADS];
#pragma unroll
            for (int i = 0; i < LOADS; ++i)
                to[i] = base + 32 * i < degree ? indices[first + base + 32 * i] : -1;
#pragma unroll
            for (int i = 0; i < LOADS; ++i) of_use[i] = to[i] >= 0 && helps(to[i]);
#pragma unroll
            for (int i = 0; i < LOADS; ++i)
                if (of_use[i])
                    relax(to[i], S::step(value, k, values, (first + base + 32 * i) * stride, to[i]));
        }
    }

    // Calls note(word, those) with the new vertices of this lane in IN_FLIGHT words from `word` on.
    template <class Note> __device__ void compare(Note note) const {
        const Index words = words_of(n);
        for (Index base : warp_stride<Index>(words, IN_FLIGHT)) {
            const Index own = base + lane_id();
            const bool mine = lane_id() < IN_FLIGHT && own < words;
            const Word changed = mine ? peek(bits + own) ^ next[own] : 0;
            if (mine) next[own] = changed;
            if (!__any_sync(ALL_LANES, changed != 0)) continue;
            Word those = 0;
#pragma unroll
            for (int i = 0; i < IN_FLIGHT; ++i)
                those |= (__shfl_sync(ALL_LANES, changed, i) >> lane_id() & 1u) << i;
            note(base, those);
        }
    }
};
