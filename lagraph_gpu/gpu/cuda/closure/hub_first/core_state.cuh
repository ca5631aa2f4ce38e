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

constexpr int HUB_FIRST_WARPS = 8;  // of a block, at most
constexpr int WIDE = 64;       // so many edges have a warp to themselves

// When it is, in ns, for a log that several launches write: each multiprocessor has a clock64() of
// its own.
__device__ inline Count now() {
    Count ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

// Of what a block notes, the best, if it noted anything; in shared memory.
template <class Z> struct BlockBest {
    __align__(8) Z best[8 / sizeof(Z)];
    unsigned any;

    __device__ void clear(Z start) {
        any = 0;
        for (Z& each : best) each = start;
    }
};

// The same of all blocks.
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

// For each lane's row the best of what it was offered, and of what it may be offered yet.
template <class Z> struct SharedRows {
    __align__(8) Z best[32], hope[32];
    Index at[32];  // whose they are, if anybody asks
    Word has, hopes;
};

// Where the counts of a closure stand: of each of three generations of steps how many were queued
// and reached, their edges, and how many blocks noted something; the same of three rounds of pulls;
// and for the whole 1 if a NaN was met or a sum wrapped, the number of steps, of those before the
// rest pulls (0 if none is left), of pulls, and of entries that were found; and what the barriers
// count.
constexpr unsigned REACHED = 1, EDGES = 2, NOTED = 3, GENERATION = 5;
constexpr unsigned CHANGED = 3 * GENERATION, STRANGE = CHANGED + 3, STEPS = STRANGE + 1;
constexpr unsigned REST = STRANGE + 2, PULLS = STRANGE + 3, FOUND = STRANGE + 4;
constexpr unsigned ARRIVALS = STRANGE + 5;

// The values that were noted, each in 8 bytes: the best beyond the bound and the nearest hub, of
// three generations of steps; the best that a round of pulls changed, of three; and the bounds of
// the first.
constexpr unsigned CHANGE = 6, BOUND = 9, LEAST = 10;

template <class Z> __device__ inline Z* word_of(Z* bests, unsigned i) { return bests + i * (8 / sizeof(Z)); }

// Two generations of a queue, of `room` items and of as many words of bits, and three of its length,
// and of what else a step leaves to the next.
template <class Z> struct StepQueues {
    long long* items;
    Count room;  // of each
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

// Positions that wait until there are 32: how many edges have been looked at, and from which on,
// and by which weight at best, more may come.
template <class Z> struct PendingRows {
    Index begun[64];
    int done[64], from[64];
    Z hope[64];
    bool hopes[64];
};

// A vertex that pulls in the next round: what it holds, if anything, and from which edge on, of which weight,
// more may come.
template <class S> struct alignas(sizeof(typename S::Z) + sizeof(typename S::A) > 8 ? 8 : 16) NextPull {
    typename S::Z value;
    typename S::A weight;
    Index j;  // its complement if it holds nothing
    int from;
};

// Where they wait, and where the warps of a block share rows, in shared memory.
template <class Z> struct PullStorage {
    SharedRows<Z> rows[HUB_FIRST_WARPS];
    PendingRows<Z> pending[HUB_FIRST_WARPS];
};

// What a block keeps to itself while it pulls.
template <class Z> struct HubFirstBlockState {
    BlockAppend<long long> queued;
    Index kept[HUB_FIRST_WARPS];  // how many each warp has listed
    BlockBest<Z> changed;
    DedupQueue into;  // the queue
    Z least;
    bool has_log;
    unsigned found;       // entries
    Count taken, walked;  // vertices and edges, if anybody listens

    __device__ void clear(Z start) {
        queued.count = found = 0;
        for (Index& each : kept) each = 0;
        changed.clear(start);
        taken = walked = 0;
    }
    // One thread does it: what the block counted goes to the counts, and to a line of the log, if
    // there is one.
    __device__ void count_into(Count* counts, Count* line) {
        if (found > 0) atomicAdd(counts + FOUND, Count(found));
        found = 0;
        if (line != nullptr && taken > 0) atomicAdd(line + 1, taken);
        if (line != nullptr && walked > 0) atomicAdd(line + 2, walked);
        taken = walked = 0;
    }
};

// And while it pushes.
template <class Z> struct HubFirstPushState : HubFirstBlockState<Z> {
    BlockAppend<long long> reached;
    Offers<Z> offers[HUB_FIRST_WARPS];
    Index tails[HUB_FIRST_WARPS][OFFERS<Z>];  // where these come from, if anybody asks
    BlockBest<Z> beyond, hub;  // products beyond the bound; values of hubs
    Count degrees;         // of the vertices reached in this step
    DedupQueue from, all;        // the queue that is read; what is reached
    Z bound;
    bool lists;            // does what improves go to a list?
    bool settles;          // the core; else nobody lists what is reached

    // What the block has gathered goes to the lists, the atomics for both under way together.
    __device__ void flush() {
        __syncthreads();
        const unsigned queues = this->queued.kept(), reaches = reached.kept();
        if (threadIdx.x == 0) {
            const Count at = this->queued.begin_in(this->into.count), there = reached.begin_in(all.count);
            this->queued.begin = at;
            reached.begin = there;
        }
        __syncthreads();
        this->queued.write(this->into.items, queues);
        reached.write(all.items, reaches);
    }
};

// The values of a closure, for both directions.
template <class S> struct ClosureValues : Order<S> {
    using Z = typename S::Z;

    Z* x;
    Word* bits;  // which positions of x hold an entry; the others hold what a fold starts from

    // ⊗ asks for no positions.
    static __device__ Z by(Z z, typename S::A weight) { return S::step(z, 0, &weight, 0, 0); }
    __device__ Z value_of(Index k) const { return this->peek_value(x + k); }
    // Where a fold starts from NaN nothing but that looks so, and no NaN is ever an entry.
    static __device__ bool start_is_unlike() { return Compare<S>::nan(S::start()); }
    __device__ bool holds(Index k, Z z) const {
        if (start_is_unlike()) return !this->is_start(z);
        return !this->is_start(z) || (peek(bits + (k >> 5)) >> (k & 31) & 1u);
    }

    // May z come of its tail's value? A tail that holds what a fold starts from may have been seen
    // while it was written: no complaint if that wraps, for at the end all entries are asked
    // (hub_first.cuh).
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
    // Whose bits are set now is found. All lanes of a warp must call it together.
    static __device__ void find(HubFirstBlockState<Z>* block_state, bool mine) {
        const Word some = __ballot_sync(ALL_LANES, mine);
        if (lane_id() == 0 && some != 0) atomicAdd(&block_state->found, unsigned(__popc(some)));
    }
    // One thread of a block: what it noted goes where all blocks read it.
    static __device__ void publish(BlockBest<Z>& block_best, GridBest<Z> to) {
        if (block_best.any == 0) return;
        fold_into<S>(to.value, block_best.best[0]);
        atomicAdd(to.count, Count(1));
        block_best.clear(S::start());
    }
};

// Vertices that go on, by a push.
template <class S> struct NextFrontier {
    using Z = typename S::Z;
    const MinEdge<typename S::A>* min_edges;  // of the out-edges
    int leaf;                                 // no more improve nothing
    HubFirstBlockState<Z>* block_state;

    __device__ void append(bool mine, Index j) const {
        block_state->queued.add_each(mine, item_of(j, 0), block_state->into.items, block_state->into.count);
    }
    __device__ void queue_if(bool changed, Index j) const {
        append(changed && min_edges[j].degree > leaf && claim_unset(block_state->into.bits, j), j);
    }
};
