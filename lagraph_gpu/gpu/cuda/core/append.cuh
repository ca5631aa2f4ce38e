// Lists to which a whole grid appends, and the items in them.
//
// An item is a vertex and the number of a piece of its out-edges, so that a hub is shared by as
// many warps as it has pieces.
// See docs/decisions/compilation.md.
#pragma once
#include "core/load_balance.cuh"

using Count = unsigned long long;

__device__ inline long long item_of(Index vertex, long long piece) { return piece << 32 | vertex; }
__device__ inline Index vertex_of(long long item) { return static_cast<Index>(item & 0xffffffff); }
__device__ inline long long piece_of(long long item) { return item >> 32; }

// The number of edges of an item, whose row is cut into pieces of so many, and the first of them.
template <class Offset>
__device__ inline int edges_of_piece(long long item, Offset piece, const Offset* indptr, Offset& first) {
    const Index v = vertex_of(item);
    first = indptr[v] + static_cast<Offset>(piece_of(item)) * piece;
    const Offset rest = indptr[v + 1] - first;
    return static_cast<int>(rest < piece ? rest : piece);
}

// A queue in which every vertex is at most once, and the bitmap of the vertices that are in it.
struct DedupQueue {
    long long* items;
    Word* bits;
    Count* count;
};

// The queue as a list of vertices without pieces: there is room for twice as many.
__device__ inline Index* entries_of(const DedupQueue& queue) { return reinterpret_cast<Index*>(queue.items); }

// --- appending to a list of a warp alone, whose length each of its lanes has: without an atomic. All of
// them must call it.

// The place of the item of each lane in `some`; `length` becomes the length with all of them.
template <class C> __device__ inline C append_own_lanes(Word some, C& length) {
    const C at = length + static_cast<C>(__popc(some & lanes_below()));
    length += __popc(some);
    return at;
}

// The place of the item of each lane that has one.
template <class C> __device__ inline C append_own(bool mine, C& length) {
    return append_own_lanes(__ballot_sync(ALL_LANES, mine), length);
}

// --- appending with one atomic for a warp. All of its lanes must call each of these.

// Reserves places for `items` items of the warp, the same number in every lane: where they begin.
template <class C> __device__ inline C reserve(C items, C* count) {
    C at = 0;
    if (lane_id() == 0) at = atomicAdd(count, items);
    return __shfl_sync(ALL_LANES, at, 0);
}

// The place of the item of each lane in `some`, which is not empty.
template <class C> __device__ inline C append_lanes(Word some, C* count) {
    return reserve(C(__popc(some)), count) + __popc(some & lanes_below());
}

// The place of the item of each lane that has one.
template <class C> __device__ inline C append(bool mine, C* count) {
    const Word some = __ballot_sync(ALL_LANES, mine);
    return some == 0 ? C(0) : append_lanes(some, count);
}

// The places of up to N items of each lane: at[i] is that of the item which it has if mine[i].
template <int N, class C> __device__ inline void append(const bool (&mine)[N], C* count, C (&at)[N]) {
    C all = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) at[i] = append_own(mine[i], all);
    if (all == 0) return;
    const C begin = reserve(all, count);
#pragma unroll
    for (int i = 0; i < N; ++i) at[i] += begin;
}

constexpr unsigned GATHERED = 512;  // items that a block sets aside before its warps append by themselves

// A block gathers its items in shared memory, and one atomic reserves places in the list for all of
// them, because the whole grid waits for the list's only counter. `count` is 0 at first.
template <class Item, unsigned ROOM = GATHERED> struct BlockAppend {
    Item items[ROOM];
    unsigned count;
    Count begin;

    // Appends one item. If the block has no room for it, it goes to the list at once.
    __device__ void add(Item item, Item* list, Count* total) {
        const unsigned at = atomicAdd(&count, 1u);
        if (at < ROOM) items[at] = item;
        else list[atomicAdd(total, Count(1))] = item;
    }

    // Appends the items of the lanes that have one. All lanes of a warp must call it together.
    // Both atomics come before the first shuffle: with two calls of append_lanes() the kernel
    // hub_first takes 20 more registers.
    __device__ void add_each(bool mine, Item item, Item* list, Count* total) {
        const Word some = __ballot_sync(ALL_LANES, mine);
        if (some == 0) return;
        const unsigned all = __popc(some), below = __popc(some & lanes_below());
        unsigned at = 0;
        Count beyond = 0;
        if (lane_id() == 0) {
            at = atomicAdd(&count, all);
            const unsigned fit = at >= ROOM ? 0 : ROOM - at < all ? ROOM - at : all;
            if (fit < all) beyond = atomicAdd(total, Count(all - fit)) - fit;
        }
        at = __shfl_sync(ALL_LANES, at, 0) + below;
        beyond = __shfl_sync(ALL_LANES, beyond, 0) + below;
        if (mine && at < ROOM) items[at] = item;
        else if (mine) list[beyond] = item;
    }

    // Appends the vertices of the lanes that have one, each in pieces of so many of its out-edges,
    // numbered from `number`. All lanes of a warp must call it together.
    template <class Offset>
    __device__ void add_pieces(bool mine, Index vertex, Offset degree, Offset piece, long long* list,
                               Count* total, int number = 0) {
        if (!__any_sync(ALL_LANES, mine)) return;
        const WarpShare pieces(!mine ? 0 : degree <= piece ? 1 : int((degree - 1) / piece) + 1);
        const unsigned at = reserve(unsigned(pieces.total), &count), room = at < ROOM ? ROOM - at : 0;
        Count beyond = 0;
        if (room < unsigned(pieces.total)) beyond = reserve(Count(pieces.total) - room, total);
        for (int base = 0; base < pieces.total; base += 32) {
            const int t = base + lane_id(), owner = pieces.owner(t);
            const Index whole = __shfl_sync(ALL_LANES, vertex, owner);
            const int first = __shfl_sync(ALL_LANES, pieces.begin - number, owner);
            if (t >= pieces.total) continue;
            if (unsigned(t) < room) items[at + t] = item_of(whole, t - first);
            else list[beyond + t - room] = item_of(whole, t - first);
        }
    }

    __device__ unsigned kept() const { return count < ROOM ? count : ROOM; }
    // One thread: where in the list the items go.
    __device__ Count begin_in(Count* total) const {
        return kept() > 0 ? atomicAdd(total, Count(kept())) : 0;
    }
    // Writes the gathered items to the list. All threads of the block must call it.
    __device__ void write(Item* list, unsigned gathered) {
        for (unsigned i = threadIdx.x; i < gathered; i += blockDim.x) list[begin + i] = items[i];
        if (threadIdx.x == 0) count = 0;
    }

    // Writes the gathered items to the list. All threads of the block must call this, and nothing may
    // be added before a barrier has followed.
    __device__ void flush(Item* list, Count* total) {
        __syncthreads();
        const unsigned gathered = kept();
        if (threadIdx.x == 0) begin = begin_in(total);
        __syncthreads();
        write(list, gathered);
    }
};

// A count that others may be changing.
__device__ inline Count read_count(const Count* at) {
    return *static_cast<const volatile Count*>(at);
}
