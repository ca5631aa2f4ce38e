// First-fit colouring in one launch: each vertex takes the smallest colour that no neighbour before
// it in the order has, as soon as these neighbours have colours.
//
// There are no counters of missing neighbours, and no rounds. Vertices are taken in order from one
// list for each class of degree, by a block, a warp or a lane, which waits for the neighbours
// before its vertex by reading their words. The first vertex without a colour waits for none. It
// has been taken, or it is the next of its class, because some block takes vertices of each class
// until it is empty; so there is always progress. (Triangular systems are solved in this way: Liu
// et al., Euro-Par 2016.)
//
// The state of a vertex is one word, which is written at once: its place in the order, and its
// colour plus one, or 0.
// See docs/decisions/cores-sets-and-colours.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/groups.cuh"
#include "core/append.cuh"
#include "core/warp_reduce.cuh"

constexpr int COLORING_WARPS = FIT_BLOCK / 32;
constexpr int SHORT_ADJACENCY = 32;      // a lane handles rows of fewer entries, and a block those of more than `longest`
constexpr int COLORING_LOADS = 4;       // neighbours that a thread loads together

// What a warp needs to find a colour among 32 · Words at a time; a block uses that of all its
// warps.
template <int Words, int Warps = 1> struct ColorStorage {
    static constexpr Index words = Words * Warps;
    static constexpr unsigned room = 2 * Words * Warps;
    Word taken[words < 32 ? 32 : words];  // colours, from the first one on; or those of each lane
    Index open[room < 32 ? 32 : room];    // neighbours without a colour; or one of each lane
    unsigned opened;                      // the number of neighbours without a colour
};

template <int Words> union ColorStorages {
    ColorStorage<Words, COLORING_WARPS> block;
    ColorStorage<Words> warp[COLORING_WARPS];
};

__device__ inline Count place_of(Count known) { return known >> 32; }
__device__ inline Index taken_by(Count known) { return static_cast<Index>(known & 0xffffffff); }

// For each place of the order: its class, and the number of places in each class. `rising` lists
// the vertices from the last place to the first. A vertex without neighbours gets its colour here.
template <class Offset>
__global__ void line_up(Index n, Offset longest, const Offset* indptr, const long long* rising,
                        Count* known, unsigned char* classes, long long* colour, Count* counts) {
    unsigned found[CLASSES] = {};
    for (Count i : grid_stride<Count>(n)) {
        const Index v = static_cast<Index>(rising[n - 1 - i]);
        const Offset degree = indptr[v + 1] - indptr[v];
        const int c = degree == 0 ? CLASSES : degree < SHORT_ADJACENCY ? 2 : degree <= longest ? 1 : 0;
        known[v] = i << 32;
        classes[i] = static_cast<unsigned char>(c);
        if (c == CLASSES) colour[v] = 0;
        for (int k = 0; k < CLASSES; ++k) found[k] += c == k;
    }
    for (int k = 0; k < CLASSES; ++k) {
        const unsigned all = warp_reduce<Sum>(found[k]);
        if (lane_id() == 0 && all > 0) atomicAdd(counts + k, Count(all));
    }
}

template <class Offset> struct GreedyColoring {
    const Offset* indptr;
    const Index* indices;
    Count* known;
    long long* colour;

    __device__ Index colour_of(Index v) const { return taken_by(read_count(known + v)); }

    __device__ void settle(Index v, Count place, Index c) const {
        *static_cast<volatile Count*>(known + v) = place << 32 | Count(c + 1);
        colour[v] = c;
    }

    // Finds the colour of v; all threads of the group call it.
    template <class Group, class Room> __device__ void fit(Index v, Room& storage) const {
        constexpr Index words = Room::words, window = 32 * words;
        constexpr unsigned room = Room::room;
        const Count place = place_of(read_count(known + v));
        const Offset end = indptr[v + 1];
        Index from = 0, c = -1;
        const auto take = [&](Index one_more) {
            const Index at = one_more - 1 - from;
            if (at >= 0 && at < window) atomicOr(storage.taken + (at >> 5), 1u << (at & 31));
        };
        const auto look = [&](Index u, Count seen) {
            if (place_of(seen) >= place) return;
            if (taken_by(seen) != 0) return take(taken_by(seen));
            const unsigned at = atomicAdd(&storage.opened, 1u);
            if (at < room) storage.open[at] = u;
        };
        for (; c < 0; from += window) {
            Group::sync();
            for (int i = Group::rank(); i < words; i += Group::size()) storage.taken[i] = 0;
            for (unsigned opened = room + 1; opened > room;) {  // not all of them had room: look again
                if (Group::rank() == 0) storage.opened = 0;
                Group::sync();
                for (Offset e = indptr[v] + Group::rank(); e < end; e += COLORING_LOADS * Group::size()) {
                    Index u[COLORING_LOADS];
                    Count seen[COLORING_LOADS];
#pragma unroll
                    for (int i = 0; i < COLORING_LOADS; ++i)
                        u[i] = end - e > i * Group::size() ? indices[e + i * Group::size()] : v;
#pragma unroll
                    for (int i = 0; i < COLORING_LOADS; ++i) seen[i] = read_count(known + u[i]);
#pragma unroll
                    for (int i = 0; i < COLORING_LOADS; ++i) look(u[i], seen[i]);
                }
                Group::sync();
                opened = storage.opened;
                for (unsigned i = Group::rank(); i < opened && i < room; i += Group::size()) {
                    Index other = 0;
                    while ((other = colour_of(storage.open[i])) == 0) {}
                    take(other);
                }
                Group::sync();
            }
            for (int base = 0; c < 0 && base < words; base += 32) {
                const Word free = base + lane_id() < words ? ~storage.taken[base + lane_id()] : 0;
                const Word some = __ballot_sync(ALL_LANES, free != 0);
                if (some == 0) continue;
                const int lane = __ffs(some) - 1;
                c = from + ((base + lane) << 5) + __ffs(__shfl_sync(ALL_LANES, free, lane)) - 1;
            }
        }
        if (Group::rank() == 0) settle(v, place, c);
    }

    // The same for the vertices of those lanes that have one, each with a short row. A vertex that
    // has to wait tries again, because it may wait for another lane of the warp.
    __device__ void fit_short(bool has, Index v, Word* taken, Index* open) const {
        const Count place = has ? place_of(read_count(known + v)) : 0;
        const Offset first = has ? indptr[v] : 0;
        const int degree = has ? static_cast<int>(indptr[v + 1] - first) : 0;
        taken[lane_id()] = 0;
        while (__any_sync(ALL_LANES, has)) {
            open[lane_id()] = -1;
            __syncwarp();
            const WarpShare share(has ? degree : 0);
            const Offset origin = first - share.begin;
            for (int done = 0; done < share.total; done += 32) {
                const int at = done + lane_id(), whose = share.owner(at);
                const Offset e = __shfl_sync(ALL_LANES, origin, whose) + at;
                const Count here = __shfl_sync(ALL_LANES, place, whose);
                if (at >= share.total) continue;
                const Index u = indices[e];
                const Count seen = read_count(known + u);
                const Index other = taken_by(seen);
                if (place_of(seen) >= here) continue;
                if (other == 0) atomicExch(open + whose, u);
                else if (other <= SHORT_ADJACENCY) atomicOr(taken + whose, 1u << (other - 1));
            }
            __syncwarp();
            const Index missing = open[lane_id()];
            if (has && missing < 0) {
                settle(v, place, __ffs(~taken[lane_id()]) - 1);
                has = false;
            }
            while (__any_sync(ALL_LANES, has) &&
                   !__any_sync(ALL_LANES, has && colour_of(missing) != 0)) {}
        }
    }
};

// Colours n vertices over A by rows, after line_up. list: the places by class, each class in order.
// counts: for each class its length and the number of places that have been taken, which is 0 at
// first. Needs as many blocks as classes.
template <class Offset, int Words>
__global__ void __launch_bounds__(32 * COLORING_WARPS, 2)
    greedy_coloring(Index n, const Offset* indptr, const Index* indices, const long long* rising,
              const long long* list, Count* known, long long* colour, Count* counts) {
    __shared__ ColorStorages<Words> storages;
    __shared__ Count ticket;
    const GreedyColoring<Offset> fit{indptr, indices, known, colour};
    ColorStorage<Words>& storage = storages.warp[threadIdx.x >> 5];
    for (int turn = 0; turn < CLASSES; ++turn) {
        const int c = (blockIdx.x + turn) % CLASSES;
        Count begin = 0;
        for (int k = 0; k < c; ++k) begin += counts[k];
        const Count end = begin + counts[c];
        const auto vertex = [&](Count at) { return static_cast<Index>(rising[n - 1 - list[at]]); };
        Count* const taken = counts + CLASSES + c;
        __syncthreads();
        if (c == 0) {
            for (;;) {
                if (threadIdx.x == 0) ticket = begin + atomicAdd(taken, Count(1));
                __syncthreads();
                const Count at = ticket;
                if (at >= end) break;
                fit.template fit<Block>(vertex(at), storages.block);
            }
        } else {
            const int some = c == 1 ? 1 : 32;
            for (;;) {
                const Count at = begin + reserve(Count(some), taken);
                if (at >= end) break;
                if (c == 1) fit.template fit<Warp>(vertex(at), storage);
                else {
                    const bool has = at + lane_id() < end;
                    fit.fit_short(has, has ? vertex(at + lane_id()) : 0, storage.taken, storage.open);
                }
            }
        }
    }
}
