// First-fit colouring of vertices with short rows, in no order, without a sort.
//
// Each warp looks at its own vertices, 32 at a time. A look at a row finds the neighbours before the
// vertex: the colours of those that have one are noted in a bitmap, and the places of the others in
// another one. Most of those wait for each other, so they look again at once. A vertex that still misses neighbours
// then waits in a ring of the warp in shared memory, with some of them and
// all else that a later look needs, so that this is one read of their words. If there are too many, those
// that have waited for the longest time are put into the warp's queue, and are looked at anew after all others.
// The first vertex in the order without a colour misses none, and warps take from both in turns, so there is
// always progress. (Jones, Plassmann 1993; the bitmaps as in Alabandi, Powers, Burtscher: Increasing the
// parallelism of graph coloring via shortcutting, PPoPP 2020.)
// See docs/decisions/cores-sets-and-colours.md.
#pragma once
#include "fused/coloring_looks.cuh"

// Vertices of a warp that wait, in the order in which they came.
struct Ring {
    static constexpr unsigned ROOM = 64;

    Index who[ROOM];
    Index missing[LOADS][ROOM];  // neighbours, or -1
    Places rest[ROOM];           // the places of those that are missing besides
    Places taken[ROOM];          // the colours of the others before it
    Count order[ROOM];
};

constexpr int TRIES = 4;      // of a warp at once,
constexpr int FEW_WAIT = 12;  // while more than so many of its vertices wait

// The vertices with short rows of one warp.
template <class Offset> struct ShortRows {
    Coloring<Offset> state;
    ShortStorage& lanes;
    Ring& ring;
    Index* queue;  // of `room` places, more than the warp has vertices
    Index room;
    Index first = 0, queued = 0;         // of the queue, which is a ring, too
    unsigned oldest = 0, waiting = 0;  // of the ring

    // Appends the vertices of those lanes that have one to the queue.
    __device__ void enqueue(bool has, Index v) {
        const Word all = __ballot_sync(ALL_LANES, has);
        Index at = first + queued + __popc(all & lanes_below());
        if (at >= room) at -= room;
        if (has) queue[at] = v;
        queued += __popc(all);
    }

    // Neighbours that are missing from the row that begins there, as many as there is place for.
    __device__ void take_missing(Offset begin, Places& rest, Index (&who)[LOADS]) const {
#pragma unroll
        for (int i = 0; i < LOADS; ++i) {
            if (who[i] >= 0 || rest == 0) continue;
            who[i] = state.indices[begin + __ffsll(rest) - 1];
            rest &= rest - 1;
        }
    }

    // Those lanes that have a vertex append it to the ring.
    __device__ void wait(bool has, Index v, Count order, const Index (&who)[LOADS], Places rest, Places taken) {
        const Word all = __ballot_sync(ALL_LANES, has);
        const unsigned at = (oldest + waiting + __popc(all & lanes_below())) % Ring::ROOM;
        waiting += __popc(all);
        if (!has) return;
        ring.who[at] = v;
        ring.rest[at] = rest;
        ring.taken[at] = taken;
        ring.order[at] = order;
#pragma unroll
        for (int i = 0; i < LOADS; ++i) ring.missing[i][at] = who[i];
    }

    // Looks again at the neighbours of v that were missing, until some are missing still: false if none is.
    __device__ bool misses(Index v, Index (&who)[LOADS], Places& rest, Places& taken) const {
        for (;;) {
            Count seen[LOADS];
            bool some = false;
#pragma unroll
            for (int i = 0; i < LOADS; ++i) seen[i] = who[i] < 0 ? 0 : read_count(state.known + who[i]);
#pragma unroll
            for (int i = 0; i < LOADS; ++i) {
                const Index c = taken_by(seen[i]);
                taken |= colour_bit(c);
                if (c > 0) who[i] = -1;
                some = some || who[i] >= 0;
            }
            if (rest == 0) return some;
            take_missing(state.indptr[v], rest, who);
            if (some) return true;
        }
    }

    // Looks at the vertices of the lanes, each with its row and its place in the order. Long rows do not
    // count. Vertices that miss neighbours are looked at again at once, a few times; then they go into the ring.
    __device__ void visit(Index v, Offset begin, Offset end, Count order) {
        const bool has = end > begin && end - begin <= state.most;
        const int degree = has ? static_cast<int>(end - begin) : 0;
        Index who[LOADS];
#pragma unroll
        for (int i = 0; i < LOADS; ++i) who[i] = i < degree ? state.indices[begin + i] : -1;
        make_place();  // meanwhile these come
        Places rest, taken;
        if (__any_sync(ALL_LANES, degree > 2 * LOADS)) {
            look(state, begin, degree, order, lanes, rest, taken);
#pragma unroll
            for (int i = 0; i < LOADS; ++i) who[i] = -1;
            take_missing(begin, rest, who);
        } else {
            look_alone(state, begin, degree, order, who, rest, taken);
        }
        bool waits = rest != 0;
#pragma unroll
        for (int i = 0; i < LOADS; ++i) waits = waits || who[i] >= 0;
        if (has && !waits) state.settle(v, order, __ffsll(~taken) - 1);
        for (int i = 0; i < TRIES && __popc(__ballot_sync(ALL_LANES, waits)) > FEW_WAIT; ++i) {
            if (!waits) continue;
            waits = misses(v, who, rest, taken);
            if (!waits) state.settle(v, order, __ffsll(~taken) - 1);
        }
        wait(waits, v, order, who, rest, taken);
    }

    // Looks again at the 32 vertices that have waited in the ring for the longest time. Those that still miss
    // neighbours go back, or into the queue.
    __device__ void turn(bool back) {
        const bool has = lane_id() < waiting;
        const unsigned at = (oldest + lane_id()) % Ring::ROOM;
        Index who[LOADS];
        __syncwarp();
#pragma unroll
        for (int i = 0; i < LOADS; ++i) who[i] = has ? ring.missing[i][at] : -1;
        const Index v = has ? ring.who[at] : 0;
        const Count order = has ? ring.order[at] : 0;
        Places taken = has ? ring.taken[at] : 0, rest = has ? ring.rest[at] : 0;
        const bool waits = misses(v, who, rest, taken);
        if (has && !waits) state.settle(v, order, __ffsll(~taken) - 1);
        const unsigned out = waiting < 32 ? waiting : 32;
        oldest += out;
        waiting -= out;
        __syncwarp();
        if (back) wait(waits, v, order, who, rest, taken);
        else enqueue(waits, v);
    }

    // Makes place in the ring for 32 vertices.
    __device__ void make_place() {
        if (waiting >= 32) turn(true);
        if (waiting > 32) turn(false);
    }

    // Colours the vertices of warp `warp` of so many.
    __device__ void color(Index warp, Index warps) {
        Offset begin = 0, end = 0;
        Count order = 0;
        const auto ask = [&](bool has, Index v) {
            begin = has ? state.indptr[v] : 0;
            end = has ? state.indptr[v + 1] : 0;
            order = has ? order_of(read_count(state.known + v)) : 0;
        };
        const Count n = state.n;
        Count v = (Count(warp) << 5) + lane_id();
        for (ask(v < n, static_cast<Index>(v)); v - lane_id() < n; v += Count(warps) << 5) {
            const Offset from = begin, to = end;
            const Count mine = order;
            const Count next = v + (Count(warps) << 5);
            ask(next < n, static_cast<Index>(next));
            visit(static_cast<Index>(v), from, to, mine);
        }
        while (queued > 0 || waiting > 0) {
            if (queued > 0) {
                const bool has = lane_id() < queued;
                const Index at = first + lane_id(), out = queued < 32 ? queued : 32;
                __syncwarp();
                const Index v = has ? queue[at < room ? at : at - room] : 0;
                first = first + out < room ? first + out : first + out - room;
                queued -= out;
                ask(has, v);
                visit(v, begin, end, order);
            }
            turn(true);
        }
    }
};
