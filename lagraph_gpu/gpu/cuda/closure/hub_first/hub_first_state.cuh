// The state that a grid keeps in a hub-first closure: the best values, counters, and vertices
// reached.
// See docs/decisions/hub-first.md.
#pragma once
#include "matrix/edge_storage.cuh"
#include "matrix/min_edge.cuh"
#include "closure/ordered/value_order.cuh"
#include "closure/ordered/predecessor.cuh"
#include "spmv/warp_expand.cuh"

template <class S> constexpr bool is_large = sizeof(typename S::Z) + sizeof(typename S::Offset) > 8;

constexpr int HUB_FIRST_WARPS = HUB_FIRST_BLOCK / 32;
constexpr int WARP_EDGES = 64;      // a row of so many edges is walked by a whole warp

// How many items for the queue, and how many vertices reached, a block gathers in a step. Each warp appends what is
// beyond by itself, and all warps of the grid wait for one counter.
constexpr unsigned GATHERED_ITEMS = 1024, GATHERED_VERTICES = 1536;

// The time in ns, for a log that several launches write. clock64() would not do: each multiprocessor
// has its own.
__device__ inline Count now() {
    Count ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

// The best value that a block has noted, if there is one; in shared memory.
template <class Z> struct BlockBest {
    __align__(8) Z best[8 / sizeof(Z)];
    unsigned any;

    __device__ void clear(Z start) {
        any = 0;
        for (Z& each : best) each = start;
    }
};

// The best value that all blocks have noted.
template <class Z> struct GridBest {
    Z* value;
    Count* count;

    __device__ bool any() const { return read_count(count) > 0; }
    __device__ Z read() const { return *static_cast<const volatile Z*>(value); }
    __device__ void clear(Z start) const {
        *value = start;
        *count = 0;
    }
};

// For each lane's row the best product so far, and the best weight of its edges that are still open.
template <class Z> struct SharedRows {
    __align__(8) Z best[32], open_weight[32];
    Index at[32];  // the vertices, if parents are wanted
    Word has, has_open;
};

// The places of a closure's counts. For each of three generations of steps: the vertices queued, the
// vertices reached, their edges, and the blocks that noted something (twice). For each of three
// rounds of pulls: the blocks that noted a change. For the whole closure: 1 if a NaN was met or a sum
// wrapped, the steps, the steps before the pulls begin (0 if nothing is left to pull), the pulls, and
// the entries found. Last, the barriers' counter.
constexpr unsigned REACHED = 1, EDGES = 2, NOTED = 3, GENERATION = 5;
constexpr unsigned CHANGED = 3 * GENERATION, UNORDERED = CHANGED + 3, STEPS = UNORDERED + 1;
constexpr unsigned REST = UNORDERED + 2, PULLS = UNORDERED + 3, FOUND = UNORDERED + 4;
constexpr unsigned ARRIVALS = UNORDERED + 5;

// The noted values, each in 8 bytes: for three generations of steps the best value beyond the bound,
// then the nearest hub; for three rounds of pulls the best value that changed; and the two bounds of
// the first round of pulls.
constexpr unsigned CHANGE = 6, BOUND = 9, LEAST = 10;

// Two generations of a queue, each of `room` items and as many words of bits; and three generations
// of its length and of the other results that a step leaves to the next.
template <class Z> struct StepQueues {
    long long* items;
    Count room;  // items of each generation
    Word* bits;
    Index words;
    Count* counts;
    Z* bests;

    __device__ Count* counts_of(unsigned g) const { return counts + g % 3 * GENERATION; }
    __device__ DedupQueue queue(unsigned g) const {
        return {items + g % 2 * room, bits + g % 2 * words, counts_of(g)};
    }
    __device__ GridBest<Z> beyond(unsigned g) const { return {word_of(bests, g % 3), counts_of(g) + NOTED}; }
    __device__ GridBest<Z> change(unsigned round) const {
        return {word_of(bests, CHANGE + round % 3), counts + CHANGED + round % 3};
    }
    __device__ GridBest<Z> hub(unsigned g) const { return {word_of(bests, 3 + g % 3), counts_of(g) + NOTED + 1}; }
    __device__ void clear(unsigned g, Z start) const {
        for (unsigned i = 0; i < NOTED; ++i) counts_of(g)[i] = 0;
        beyond(g).clear(start);
        hub(g).clear(start);
    }
};

// Positions that wait until there are 32: the number of edges that were read, and the first edge and
// the best weight among the edges whose tails are not final.
template <class Z> struct PendingRows {
    Index begun[64];
    int done[64], from[64];
    Z open_weight[64];
    bool has_open[64];
};

// A vertex that pulls in the next round: its value, if it has one, and the number and weight of the
// edge at which it continues.
template <class S> struct alignas(sizeof(typename S::Z) + sizeof(typename S::A) > 8 ? 8 : 16) NextPull {
    typename S::Z value;
    typename S::A weight;
    Index j;  // the complement of the number if there is no value
    int from;
};

// Shared memory of a pull: the waiting positions, and the rows that the warps of a block share.
template <class Z> struct PullStorage {
    SharedRows<Z> rows[HUB_FIRST_WARPS];
    PendingRows<Z> pending[HUB_FIRST_WARPS];
};

// A block's state while it pulls.
template <class Z> struct HubFirstBlockState {
    BlockAppend<long long, GATHERED_ITEMS> queued;
    Index kept[HUB_FIRST_WARPS];  // the vertices that each warp has listed
    BlockBest<Z> changed;
    DedupQueue into;  // the queue
    Z least;
    bool has_log;
    unsigned found;       // entries
    Count taken, walked;  // vertices and edges, if there is a log

    __device__ void clear(Z start) {
        queued.count = found = 0;
        for (Index& each : kept) each = 0;
        changed.clear(start);
        taken = walked = 0;
    }
    // Adds the block's counts to the closure's counts, and to a line of the log if there is one. One
    // thread calls it.
    __device__ void count_into(Count* counts, Count* line) {
        if (found > 0) atomicAdd(counts + FOUND, Count(found));
        found = 0;
        if (line != nullptr && taken > 0) atomicAdd(line + 1, taken);
        if (line != nullptr && walked > 0) atomicAdd(line + 2, walked);
        taken = walked = 0;
    }
};

// A block's state while it pushes.
template <class Z> struct HubFirstPushState : HubFirstBlockState<Z> {
    BlockAppend<Index, GATHERED_VERTICES> reached;
    Candidates<Z> candidates[HUB_FIRST_WARPS];
    Index tails[HUB_FIRST_WARPS][CANDIDATES<Z>];  // the candidates' tails
    BlockBest<Z> beyond, hub;  // products beyond the bound; values of hubs
    Count degrees;              // of the vertices reached in this step
    DedupQueue from;            // the queue that is read
    Index* all;                 // the vertices reached, and how many there are
    Count* all_count;
    Z bound;
    bool lists;                 // are improved vertices listed?
    bool settles;               // are vertices being settled by value? The vertices reached are listed only then

    // Writes what the block has gathered to the lists. The atomics for both lists are issued together.
    __device__ void flush() {
        __syncthreads();
        const unsigned queues = this->queued.kept(), reaches = reached.kept();
        if (threadIdx.x == 0) {
            const Count at = this->queued.begin_in(this->into.count), there = reached.begin_in(all_count);
            this->queued.begin = at;
            reached.begin = there;
        }
        __syncthreads();
        this->queued.write(this->into.items, queues);
        reached.write(all, reaches);
    }
};

// The values of a closure, for both directions.
template <class S> struct ClosureValues : Order<S> {
    using Z = typename S::Z;

    Z* x;
    Word* bits;  // the positions of x with an entry; the others hold what a fold starts from

    // ⊗ does not depend on positions.
    static __device__ Z by(Z z, typename S::A weight) { return S::step(z, 0, &weight, 0, 0); }
    __device__ Z value_of(Index k) const { return peek(x + k); }
    // True if a fold starts from NaN: no entry is NaN, so the value alone says whether there is one.
    static __device__ bool start_is_unlike() { return Compare<S>::nan(S::start()); }
    __device__ bool holds(Index k, Z z) const {
        if (start_is_unlike()) return !this->is_start(z);
        return !this->is_start(z) || (peek(bits + (k >> 5)) >> (k & 31) & 1u);
    }

    // False if z cannot follow from its tail's value. A tail that holds what a fold starts from may
    // have been read while it was written. If its product wraps, that is not reported, because all
    // entries are checked at the end (hub_first.cuh).
    __device__ bool admits(Z tail, Z z) const {
        return this->is_start(tail) ? S::add(tail, z) == tail : Order<S>::admits(tail, z);
    }

    // All lanes of a warp must call it together.
    static __device__ void note_best(BlockBest<Z>& block_best, Partial<S> mine) {
        if (!__any_sync(ALL_LANES, mine.has)) return;
        mine = fold_warp(mine);
        if (lane_id() > 0) return;
        fold_into<S>(block_best.best, mine.value);
        *static_cast<volatile unsigned*>(&block_best.any) = 1;
    }
    // Counts the lanes that have found an entry. All lanes of a warp must call it together.
    static __device__ void find(HubFirstBlockState<Z>* block_state, bool mine) {
        const Word some = __ballot_sync(ALL_LANES, mine);
        if (lane_id() == 0 && some != 0) atomicAdd(&block_state->found, unsigned(__popc(some)));
    }
    // Folds what the block noted into the value that all blocks read. One thread of the block calls it.
    static __device__ void publish(BlockBest<Z>& block_best, GridBest<Z> to) {
        if (block_best.any == 0) return;
        fold_into<S>(to.value, block_best.best[0]);
        atomicAdd(to.count, Count(1));
        block_best.clear(S::start());
    }
};

// The vertices that are pushed in the next step.
template <class S> struct NextFrontier {
    using Z = typename S::Z;
    const MinEdge<typename S::A>* min_edges;  // of the out-edges
    int leaf_degree;                          // vertices with so many edges, or fewer, improve no others
    HubFirstBlockState<Z>* block_state;

    __device__ void append(bool mine, Index j) const {
        block_state->queued.add_each(mine, item_of(j, 0), block_state->into.items, block_state->into.count);
    }
    __device__ void queue_if(bool changed, Index j) const {
        append(changed && min_edges[j].degree > leaf_degree && claim_unset(block_state->into.bits, j), j);
    }
};
