// Looks at short rows for a first-fit colouring: which neighbours before a vertex have no colours yet, and the colours
// of the others.
//
// The state of a vertex is one word, which is written at once: where it stands in the order, the greater the
// earlier, and its colour plus one, or 0. A row of few entries has its places in a bitmap, and so have the colours
// that its vertex may take.
// See docs/decisions/cores-sets-and-colours.md.
#pragma once
#include "core/append.cuh"
#include "core/grid_stride.cuh"

constexpr int COLOUR_BITS = 27;  // k colours need k (k - 1) / 2 edges
constexpr int RANK_BITS = 31;

using Places = unsigned long long;  // of the at most 62 neighbours of a vertex, or their colours

__device__ inline Count order_of(Count known) { return known >> COLOUR_BITS; }
__device__ inline Index taken_by(Count known) { return static_cast<Index>(known & ((1u << COLOUR_BITS) - 1)); }
__device__ inline Count word_of(Count order, Index taken) { return order << COLOUR_BITS | Count(taken); }

// The rows, and the words and colours of their vertices. A short row has at most `most` entries.
template <class Offset> struct Coloring {
    Index n;
    Offset most;
    const Offset* indptr;
    const Index* indices;
    Count* known;
    long long* colour;

    __device__ Index colour_of(Index v) const { return taken_by(read_count(known + v)); }
    __device__ void settle(Index v, Count order, Index c) const {
        *static_cast<volatile Count*>(known + v) = word_of(order, c + 1);
        colour[v] = c;
    }
};

// The colours that are taken by neighbours of a lane's vertex.
struct ShortStorage {
    Word low[32], high[32];

    __device__ void take(int lane, Index c) {
        if (c < LONG_DEGREE) atomicOr((c < 32 ? low : high) + lane, 1u << (c & 31));
    }
    __device__ Places all() const { return Places(high[lane_id()]) << 32 | low[lane_id()]; }
};

// A colour plus one as a bit, if a vertex with a short row may take that colour; else 0.
__device__ inline Places colour_bit(Index taken) {
    return taken > 0 && taken <= LONG_DEGREE ? Places(1) << (taken - 1) : 0;
}

// A word of the warp's votes, the first of which is on entry `from` of the lane's row, as places.
__device__ inline Places places(Word votes, int from) {
    if (from <= -32 || from >= 64) return 0;
    return from < 0 ? Places(votes >> -from) : Places(votes) << from;
}

// The first look at the rows of those lanes that have one, from entry `first` on. Finds the places of
// the missing neighbours and the colours that are taken.
template <class Offset>
__device__ inline void look(const Coloring<Offset>& state, Offset first, int degree, Count mine,
                            ShortStorage& lanes, Places& missing, Places& taken) {
    const WarpShare share(degree);
    const Offset origin = first - share.begin;
    lanes.low[lane_id()] = lanes.high[lane_id()] = 0;
    missing = 0;
    __syncwarp();
    for (int base = 0; base < share.total; base += 32 * LOADS) {
        Count seen[LOADS];
        int whose[LOADS];
#pragma unroll
        for (int i = 0; i < LOADS; ++i) {
            const int at = base + 32 * i + lane_id();
            whose[i] = share.owner(at);
            const Offset e = __shfl_sync(ALL_LANES, origin, whose[i]) + at;
            seen[i] = at < share.total ? state.indices[e] : -1;
        }
#pragma unroll
        for (int i = 0; i < LOADS; ++i)
            seen[i] = seen[i] == Count(-1) ? 0 : read_count(state.known + seen[i]);
#pragma unroll
        for (int i = 0; i < LOADS; ++i) {
            const bool before = order_of(seen[i]) > __shfl_sync(ALL_LANES, mine, whose[i]);
            const Index c = taken_by(seen[i]);
            missing |= places(__ballot_sync(ALL_LANES, before && c == 0), base + 32 * i - share.begin);
            if (c > 0) lanes.take(whose[i], c - 1);  // who comes later has none yet
        }
    }
    __syncwarp();
    missing &= (Places(1) << degree) - 1;
    taken = lanes.all();
}

// The same by each lane alone, where all of these rows are very short. `who` are the first neighbours, or -1;
// of them those that are missing remain, and `rest` are the places of the others.
template <class Offset>
__device__ inline void look_alone(const Coloring<Offset>& state, Offset first, int degree, Count mine,
                                  Index (&who)[LOADS], Places& rest, Places& taken) {
    const Count least = word_of(mine + 1, 0);
    Word colours = 0, places = 0;
    const auto is_missing = [&](Count seen) {
        const Index c = taken_by(seen);
        if (c > 0 && c <= 32) colours |= 1u << (c - 1);
        return c == 0 && seen >= least;
    };
    Count seen[LOADS];
#pragma unroll
    for (int i = 0; i < LOADS; ++i) seen[i] = who[i] < 0 ? 0 : read_count(state.known + who[i]);
#pragma unroll
    for (int i = 0; i < LOADS; ++i)
        if (!is_missing(seen[i])) who[i] = -1;
    if (degree > LOADS) {
        Index more[LOADS];
#pragma unroll
        for (int i = 0; i < LOADS; ++i) more[i] = LOADS + i < degree ? state.indices[first + LOADS + i] : -1;
#pragma unroll
        for (int i = 0; i < LOADS; ++i) seen[i] = more[i] < 0 ? 0 : read_count(state.known + more[i]);
#pragma unroll
        for (int i = 0; i < LOADS; ++i) places |= Word(is_missing(seen[i])) << (LOADS + i);
    }
    rest = places;
    taken = colours;
}

// A later look of one lane at all missing neighbours. Returns the one that comes last in the order, or -1 if none
// is missing any more.
template <class Offset>
__device__ inline Index look_again(const Coloring<Offset>& state, Offset first, Places& missing, Places& taken) {
    Index awaited = -1;
    Count least = ~Count(0);
    for (Places rest = missing; rest != 0;) {
        Count seen[LOADS];
        Index who[LOADS];
        int place[LOADS];
#pragma unroll
        for (int i = 0; i < LOADS; ++i) {
            place[i] = __ffsll(rest) - 1;
            rest &= rest - 1;
            who[i] = place[i] < 0 ? -1 : state.indices[first + place[i]];
        }
#pragma unroll
        for (int i = 0; i < LOADS; ++i) seen[i] = who[i] < 0 ? 0 : read_count(state.known + who[i]);
#pragma unroll
        for (int i = 0; i < LOADS; ++i) {
            if (who[i] < 0) continue;
            const Index c = taken_by(seen[i]);
            if (c > 0) missing &= ~(Places(1) << place[i]);
            taken |= colour_bit(c);
            if (c == 0 && order_of(seen[i]) < least) {
                least = order_of(seen[i]);
                awaited = who[i];
            }
        }
    }
    return awaited;
}

// The neighbour in the last of these places of a row, or -1.
template <class Offset>
__device__ inline Index last_of(const Coloring<Offset>& state, Offset first, Places missing) {
    return missing == 0 ? -1 : state.indices[first + 63 - __clzll(static_cast<long long>(missing))];
}

// Colours the vertices of the lanes that have one, each with a short row, and waits for those before them,
// which may be those of other lanes.
template <class Offset>
__device__ inline void color_at_once(const Coloring<Offset>& state, bool has, Index v, ShortStorage& lanes) {
    const Offset first = has ? state.indptr[v] : 0;
    const int degree = has ? static_cast<int>(state.indptr[v + 1] - first) : 0;
    const Count order = has ? order_of(read_count(state.known + v)) : 0;
    Places missing, taken;
    look(state, first, degree, order, lanes, missing, taken);
    Index awaited = last_of(state, first, missing);
    while (__any_sync(ALL_LANES, has)) {
        if (has && awaited >= 0 && state.colour_of(awaited) != 0)
            awaited = look_again(state, first, missing, taken);
        if (has && awaited < 0) {
            state.settle(v, order, __ffsll(~taken) - 1);
            has = false;
        }
    }
}
