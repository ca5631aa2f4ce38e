// Lists that a whole grid appends to, and what a walk over them needs.
//
// An item is a vertex and the number of a piece of its out-edges, so that a hub is shared by as
// many warps as it has pieces.
#pragma once
#include "core/load_balance.cuh"

using Count = unsigned long long;

__device__ inline long long item_of(Index vertex, long long piece) { return piece << 32 | vertex; }
__device__ inline Index vertex_of(long long item) { return static_cast<Index>(item & 0xffffffff); }
__device__ inline long long piece_of(long long item) { return item >> 32; }

// A list of which every vertex is an entry once, and the bitmap that sees to it.
struct Pile {
    long long* items;
    Word* bits;
    Count* count;
};

// The same list where items are vertices alone: there is room for twice as many.
__device__ inline Index* entries_of(const Pile& pile) { return reinterpret_cast<Index*>(pile.items); }

constexpr unsigned GATHERED = 512;  // items that a block sets aside before its warps append by themselves

// A block gathers its appends in shared memory; one atomic reserves their room in the list, for
// there is only one counter, and the whole grid waits in line for it. `count` is 0 at first.
template <class Item, unsigned room = GATHERED> struct Gathered {
    Item items[room];
    unsigned count;
    Count begin;

    // Appends one item. What the block has no room for goes to the list at once.
    __device__ void add(Item item, Item* list, Count* total) {
        const unsigned at = atomicAdd(&count, 1u);
        if (at < room) items[at] = item;
        else list[atomicAdd(total, Count(1))] = item;
    }

    // Appends the items of the lanes that have one. All lanes of a warp must call it together.
    __device__ void add_each(bool mine, Item item, Item* list, Count* total) {
        const Word some = __ballot_sync(ALL_LANES, mine);
        if (some == 0) return;
        const unsigned all = __popc(some), below = __popc(some & lanes_below());
        unsigned at = 0;
        Count beyond = 0;
        if (lane_id() == 0) {
            at = atomicAdd(&count, all);
            const unsigned fit = at >= room ? 0 : room - at < all ? room - at : all;
            if (fit < all) beyond = atomicAdd(total, Count(all - fit)) - fit;
        }
        at = __shfl_sync(ALL_LANES, at, 0) + below;
        beyond = __shfl_sync(ALL_LANES, beyond, 0) + below;
        if (mine && at < room) items[at] = item;
        else if (mine) list[beyond] = item;
    }

    __device__ unsigned kept() const { return count < room ? count : room; }
    // One thread: where in the list the items go.
    __device__ Count reserve(Count* total) const {
        return kept() > 0 ? atomicAdd(total, Count(kept())) : 0;
    }
    // All threads of the block: so many go there.
    __device__ void write(Item* list, unsigned gathered) {
        for (unsigned i = threadIdx.x; i < gathered; i += blockDim.x) list[begin + i] = items[i];
        if (threadIdx.x == 0) count = 0;
    }

    // What the block has gathered goes to the list. All of its threads must call this, and nothing
    // may be added before a barrier has followed.
    __device__ void flush(Item* list, Count* total) {
        __syncthreads();
        const unsigned gathered = kept();
        if (threadIdx.x == 0) begin = reserve(total);
        __syncthreads();
        write(list, gathered);
    }
};

// Of items with their pieces.
struct Appends : Gathered<long long> {
    // Appends the vertices of the lanes that have one, each in pieces of so many of its out-edges,
    // numbered from `number`. All lanes of a warp must call it together.
    template <class Offset>
    __device__ void add(bool mine, Index vertex, Offset degree, Offset piece, long long* list,
                        Count* total, int number = 0) {
        if (!__any_sync(ALL_LANES, mine)) return;
        const WarpShare pieces(!mine ? 0 : degree <= piece ? 1 : int((degree - 1) / piece) + 1);
        unsigned at = 0;
        Count beyond = 0;
        if (lane_id() == 0) at = atomicAdd(&count, unsigned(pieces.total));
        at = __shfl_sync(ALL_LANES, at, 0);
        const unsigned room = at < GATHERED ? GATHERED - at : 0;
        if (room < unsigned(pieces.total)) {
            if (lane_id() == 0) beyond = atomicAdd(total, Count(pieces.total) - room);
            beyond = __shfl_sync(ALL_LANES, beyond, 0);
        }
        for (int base = 0; base < pieces.total; base += 32) {
            const int t = base + lane_id(), owner = pieces.owner(t);
            const Index whole = __shfl_sync(ALL_LANES, vertex, owner);
            const int first = __shfl_sync(ALL_LANES, pieces.begin - number, owner);
            if (t >= pieces.total) continue;
            if (unsigned(t) < room) items[at + t] = item_of(whole, t - first);
            else list[beyond + t - room] = item_of(whole, t - first);
        }
    }
};

// A count that others may be changing.
__device__ inline Count read_count(const Count* at) {
    return *static_cast<const volatile Count*>(at);
}
