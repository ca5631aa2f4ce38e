// First-fit colouring: each vertex takes the smallest colour that no neighbour before it in the order
// has, as soon as these neighbours have colours. There are no rounds, and nobody counts missing
// neighbours.
//
// The order is by rank alone, or by degree and then by rank. Vertices with short rows may be taken in no
// order (coloring_short_rows.cuh); by degree long rows come before them.
//
// Others are taken in order from a list for each class of degree, by a block, a warp or a lane,
// which waits for the neighbours before its vertex by reading their words. The first of them without
// a colour waits for none. It has been taken, or it is the next of its class, because some block
// takes vertices of each class until it is empty; so there is always progress. (Triangular systems are
// solved in this way: Liu et al., Euro-Par 2016.)
// See docs/decisions/cores-sets-and-colours.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/groups.cuh"
#include "core/partition_point.cuh"
#include "core/warp_reduce.cuh"
#include "fused/coloring_short_rows.cuh"
#include "vector/formula.cuh"

constexpr int COLORING_WARPS = FIT_BLOCK / 32;

// What a warp needs to find a colour among 32 · Words at a time; a block uses that of all its
// warps.
template <int Words, int Warps = 1> struct ColorStorage {
    static constexpr Index words = Words * Warps;
    static constexpr unsigned room = 2 * Words * Warps;
    Word taken[words < 32 ? 32 : words];  // colours, from the first one on
    Index open[room < 32 ? 32 : room];    // neighbours without a colour
    unsigned opened;                      // the number of neighbours without a colour
};

template <int Words> union ColorStorages {
    ColorStorage<Words, COLORING_WARPS> block;
    ColorStorage<Words> warp[COLORING_WARPS];
    ShortStorage lanes[COLORING_WARPS];
};

// Where their number is counted, after that of each class and of those taken.
constexpr int LISTED_VERTICES = 2 * COLORING_CLASSES;

// The words and the bitmap of the colours, and the colours of vertices without neighbours. Those that are
// coloured in order get keys, which order them by class and within each: if there is a list, vertices
// with more than `most` neighbours in any order; else all in theirs, where -1 stands for a vertex
// without neighbours. counts is 0 at first.
template <class Offset, class Source, class... Given>
__global__ void line_up(Index n, Offset most, Offset longest, int by_degree, const Offset* indptr,
                        Count* known, Word* bits, long long* colour, Index* listed, long long* keys,
                        Count* counts, Given... given) {
    unsigned found[COLORING_CLASSES] = {};
    for (Count base : warp_stride<Count>(n, 32)) {
        const Index v = static_cast<Index>(base) + lane_id();
        const bool there = v < n;
        const Offset degree = there ? indptr[v + 1] - indptr[v] : 0;
        long long rank = 0;
        if (there) Source::at(v, rank, given...);
        const Word all = __ballot_sync(ALL_LANES, there);
        if (lane_id() == 0) bits[base >> 5] = all;
        if (there) known[v] = word_of((by_degree && degree <= most ? Count(degree) << RANK_BITS : 0) | Count(rank), 0);
        if (there && degree == 0) colour[v] = 0;
        if (keys == nullptr) continue;
        const bool mine = degree > (listed == nullptr ? 0 : most);
        const int c = degree > longest ? 0 : degree > most ? 1 : 2;
        for (int k = 0; k < COLORING_CLASSES; ++k) found[k] += mine && c == k;
        const long long key = rank | (by_degree ? static_cast<long long>(degree) << RANK_BITS : (2ll - c) << 61);
        if (listed == nullptr) {
            if (there) keys[v] = mine ? key : -1;
        } else if (__any_sync(ALL_LANES, mine)) {
            const Count at = append(mine, counts + LISTED_VERTICES);
            if (!mine) continue;
            listed[at] = v;
            keys[at] = key;
        }
    }
    for (int k = 0; k < COLORING_CLASSES && keys != nullptr; ++k) {
        const unsigned sum = warp_reduce<Sum>(found[k]);
        if (lane_id() == 0 && sum > 0) atomicAdd(counts + k, Count(sum));
    }
}

// The vertices with keys from the first to the last, from all keys in rising order, of which the first belong
// to no vertex. If the order is by degree, each gets a word with its place, before all that have no key.
__global__ void list_in_order(Index room, int by_degree, const long long* keys, const long long* rising,
                              const Index* listed, Index* list, Count* known, const Count* counts) {
    const Index all = listed == nullptr ? room : static_cast<Index>(counts[LISTED_VERTICES]);
    for (Index i : grid_stride<Index>(all)) {
        const long long key = keys[i];
        if (key < 0) continue;
        const Index v = listed == nullptr ? i : listed[i];
        const Index at = partition_point(0, room, [&](Index k) { return rising[k] < key; });
        list[room - 1 - at] = v;
        if (by_degree) known[v] = word_of(Count(LONG_DEGREE) << RANK_BITS | Count(at), 0);
    }
}

template <class Offset> struct LongRows {
    Coloring<Offset> state;

    // Finds the colour of v; all threads of the group call it.
    template <class Group, class Room> __device__ void fit(Index v, Room& storage) const {
        constexpr Index words = Room::words, window = 32 * words;
        constexpr unsigned room = Room::room;
        const Count mine = order_of(read_count(state.known + v));
        const Offset end = state.indptr[v + 1];
        Index from = 0, c = -1;
        const auto take = [&](Index one_more) {
            const Index at = one_more - 1 - from;
            if (at >= 0 && at < window) atomicOr(storage.taken + (at >> 5), 1u << (at & 31));
        };
        const auto look = [&](Index u, Count seen) {
            if (order_of(seen) <= mine) return;
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
                for (Offset e = state.indptr[v] + Group::rank(); e < end; e += LOADS * Group::size()) {
                    Index u[LOADS];
                    Count seen[LOADS];
#pragma unroll
                    for (int i = 0; i < LOADS; ++i)
                        u[i] = end - e > i * Group::size() ? state.indices[e + i * Group::size()] : v;
#pragma unroll
                    for (int i = 0; i < LOADS; ++i) seen[i] = read_count(state.known + u[i]);
#pragma unroll
                    for (int i = 0; i < LOADS; ++i) look(u[i], seen[i]);
                }
                Group::sync();
                opened = storage.opened;
                for (unsigned i = Group::rank(); i < opened && i < room; i += Group::size()) {
                    Index other = 0;
                    while ((other = state.colour_of(storage.open[i])) == 0) {}
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
        if (Group::rank() == 0) state.settle(v, mine, c);
    }
};

// Colours the listed vertices. counts: for each class its length, and the number of vertices that have been
// taken, which is 0 at first. Needs as many blocks as classes.
template <class Offset, int Words>
__global__ void __launch_bounds__(FIT_BLOCK, 2)
    color_in_order(Coloring<Offset> state, const Index* list, Count* counts) {
    __shared__ ColorStorages<Words> storages;
    __shared__ Count ticket;
    const LongRows<Offset> rows{state};
    const int warp = threadIdx.x >> 5;
    for (int turn = 0; turn < COLORING_CLASSES; ++turn) {
        const int c = (blockIdx.x + turn) % COLORING_CLASSES;
        Count begin = 0;
        for (int k = 0; k < c; ++k) begin += counts[k];
        const Count end = begin + counts[c];
        Count* const taken = counts + COLORING_CLASSES + c;
        __syncthreads();
        if (c == 0) {
            for (;;) {
                if (threadIdx.x == 0) ticket = begin + atomicAdd(taken, Count(1));
                __syncthreads();
                const Count at = ticket;
                if (at >= end) break;
                rows.template fit<Block>(list[at], storages.block);
            }
            continue;
        }
        const int some = c == 1 ? 1 : 32;
        for (;;) {
            const Count at = begin + reserve(Count(some), taken);
            if (at >= end) break;
            if (c == 1) {
                rows.template fit<Warp>(list[at], storages.warp[warp]);
            } else {
                const bool has = at + lane_id() < end;
                color_at_once(state, has, has ? list[at + lane_id()] : 0, storages.lanes[warp]);
            }
        }
    }
}

// Colours all vertices with short rows. queues has room for n vertices, and for 64 more for each warp.
template <class Offset>
__global__ void __launch_bounds__(SHORT_BLOCK, 4)
    color_short_rows(Coloring<Offset> state, Index* queues) {
    __shared__ ShortStorage lanes[SHORT_BLOCK / 32];
    __shared__ Ring rings[SHORT_BLOCK / 32];
    const int warp = threadIdx.x >> 5;
    const Index room = (words_of(state.n) / warp_count() + 1) << 5;
    ShortRows<Offset> rows{state, lanes[warp], rings[warp], queues + Count(warp_id()) * room, room};
    rows.color(warp_id(), warp_count());
}
