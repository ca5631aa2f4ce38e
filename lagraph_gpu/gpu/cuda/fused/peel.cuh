// Peeling in one launch: the loop of lagraph_gpu/algorithms/_shared/peeling.py, between barriers
// of the whole grid.
//
// A counter only decreases, so exactly one thread decreases it from above k to k or below, and this
// thread queues the vertex; no other record of removed vertices is needed. A vertex is queued once,
// so the frontiers of all rounds are one list, each after the one before.
//
// When no vertex with k is left, one pass over the remaining vertices removes those with k + 1 and
// lists the others again. If there are none with k + 1, the next pass uses the least counter that was
// found. A vertex remains for at most as many values of k as its level, so all passes together take
// O(n + sum of levels), which is O(n + m) for cores.
//
// A small frontier is not worth a barrier of the grid. The first block then continues alone, round
// after round, until the frontier is empty or large. There a lane goes on at once with a vertex that it
// has removed, if its row is one piece: the order within one k is of no matter. Otherwise a path of 2^20
// vertices would have half as many rounds.
// See docs/decisions/cores-sets-and-colours.md.
#pragma once
#include "closure/level_synchronous/frontier.cuh"
#include "core/grid.cuh"
#include "core/grid_stride.cuh"
#include "core/warp_reduce.cuh"

constexpr long long NOT_LISTED = 0x7fffffffffffffffll;  // the counter of an absent vertex

// What one phase, a pass or a round, gives to the next.
struct PhaseCounts {
    Count* counts;      // of items in the frontier; and of vertices that stay, or of steps of one block
    long long* lowest;  // the lowest counter that stays

    __device__ Count items() const { return read_count(counts); }
    __device__ Count kept() const { return read_count(counts + 1); }
    __device__ Count steps() const { return read_count(counts + 1); }
    __device__ void clear() const {
        if (thread_id<Count>() < 2) counts[thread_id<Count>()] = 0;
        if (thread_id<Count>() == 2) *lowest = NOT_LISTED;
    }
};

template <class Offset> struct Peel {
    Offset piece;
    const Offset* indptr;
    const Index* indices;
    const long long* amounts;  // what a vertex subtracts from each neighbour
    int stride;
    long long* left;   // the counters
    long long* level;  // the level at which each vertex is removed
    BlockAppend<long long>* going;
    BlockAppend<Index, SET_ASIDE>* staying;
    long long k;
    long long* next;  // the frontier that this phase finds
    PhaseCounts found;

    // Queues the vertices of the lanes that have one. All lanes of a warp must call it.
    __device__ void queue(bool goes, Index v) {
        if (!__any_sync(ALL_LANES, goes)) return;
        Offset degree = 0;
        if (goes) {
            level[v] = k;
            degree = indptr[v + 1] - indptr[v];
        }
        going->add_pieces(degree > 0, v, degree, piece, next, found.counts);
    }

    // Removes the vertices with at most k among `count` vertices (null: all). Those with at most
    // `gone` were removed before. Vertices with more than k stay, and are listed.
    __device__ void pass(const Index* vertices, Count count, long long gone, Index* stay) {
        long long lowest = NOT_LISTED;
        for (Count base : warp_stride<Count>(count, 32)) {
            const bool has = base + lane_id() < count;
            const Index at = static_cast<Index>(base) + lane_id();
            const Index v = !has ? 0 : vertices == nullptr ? at : vertices[at];
            const long long c = has ? left[v] : NOT_LISTED;
            const bool stays = c > k && c != NOT_LISTED;
            queue(c > gone && c <= k, v);
            staying->add_each(stays, v, stay, found.counts + 1);
            if (stays && c < lowest) lowest = c;
        }
        lowest = warp_reduce<Minimum>(lowest);
        if (lane_id() == 0 && lowest < *static_cast<volatile long long*>(found.lowest))
            atomicMin(found.lowest, lowest);
        staying->flush(stay, found.counts + 1);
    }

    // Each warp of the grid, or of the block, takes up to 32 items at a time, no two of which are
    // adjacent. Alone it goes on for at most so many steps, and notes how many a warp has taken at most.
    __device__ void round(const long long* now, Count items, bool alone, Count most) {
        const Count first_warp = alone ? threadIdx.x >> 5 : spread_warp_id();
        for (const auto numbers : lanes_apart<Count>(items, first_warp, alone ? blockDim.x >> 5 : warp_count())) {
            const Count at = numbers.own();
            Offset first = 0;
            int degree = at < items ? edges_of_piece(now[at], piece, indptr, first) : 0;
            Count steps = 0;
            for (; __any_sync(ALL_LANES, degree > 0) && steps < most; ++steps) take(first, degree, alone);
            if (alone && lane_id() == 0) atomicMax(found.counts + 1, steps);
        }
    }

    // From the neighbours over `degree` edges, from `first` on, of each lane. With `goes_on` a lane
    // gets the row of a vertex that it has removed, if that is one piece, instead of queueing it.
    __device__ void take(Offset& first, int& degree, bool goes_on) {
        const WarpShare share(degree);
        const Offset origin = first - share.begin;
        degree = 0;
        for (int base = 0; base < share.total; base += 32) {
            const int at = base + lane_id(), whose = share.owner(at);
            const Offset e = __shfl_sync(ALL_LANES, origin, whose) + at;
            Index u = 0;
            bool goes = false;
            if (at < share.total) {
                u = indices[e];
                goes = falls(left + u, amounts[e * stride]);
            }
            if (goes_on && goes && degree == 0) {
                const Offset length = indptr[u + 1] - indptr[u];
                if (length <= piece) {
                    level[u] = k;
                    first = indptr[u];
                    degree = static_cast<int>(length);
                    goes = false;
                }
            }
            queue(goes, u);
        }
    }

    // True if the counter decreases from above k to k or below. The counter of a removed vertex is
    // below already.
    __device__ bool falls(long long* counter, long long amount) const {
        const Count old = atomicAdd(reinterpret_cast<Count*>(counter), Count(0) - Count(amount));
        const long long before = static_cast<long long>(old);
        return before > k && before - amount <= k;
    }
};

// Peels n vertices from the counters `start`, where start_bits has an entry, over A by rows. bits
// and level are written; left has room for n, frontier for n and the pieces of all long rows, stay
// for 2 n; counts: three times the counts of PhaseCounts, then the rounds, the passes, a barrier's arrivals,
// 4 numbers that a block which continued alone leaves to the others, and the vertices that the last pass
// has left, if there were `most` steps; all 0 at first. A step is a round of the grid, or in a block that
// continues alone, as it does while there are at most `few` items, what a warp does before it goes on with
// vertices.
template <class Offset>
__global__ void __launch_bounds__(PEEL_BLOCK, 2)
    peel(Index n, Offset piece, Count few, Count most, const Offset* indptr, const Index* indices,
         const long long* amounts, int stride, const Word* start_bits, const long long* start, long long* left,
         Word* bits, long long* level, long long* frontier, Index* stay, Count* counts) {
    __shared__ BlockAppend<long long> going;
    __shared__ BlockAppend<Index, SET_ASIDE> staying;
    if (threadIdx.x == 0) going.count = staying.count = 0;
    const Grid grid{reinterpret_cast<unsigned*>(counts + PEEL_ROUNDS + 2)};
    Count* const published = counts + PEEL_ROUNDS + 3;
    static_assert(PEEL_ROUNDS == 3 * 3 && PEEL_STEPS == PEEL_ROUNDS + 6 && PEEL_LEFT == PEEL_STEPS + 1,
                  "as said above");
    Index phase = 0, rounds = 0, passes = 0;
    Count left_over = n, items = 0, steps = 0;
    const auto found_in = [&](Index p) {
        Count* const some = counts + 3 * (p % 3);
        return PhaseCounts{some, reinterpret_cast<long long*>(some + 2)};
    };
    Peel<Offset> peel{piece, indptr, indices, amounts, stride, left, level, &going, &staying, 0,
                      frontier, found_in(0)};
    for (Count v : grid_stride<Count>(n))
        left[v] = present(start_bits, static_cast<Index>(v)) ? start[v] : NOT_LISTED;
    for (Count word : grid_stride<Count>(words_of(n)))
        bits[word] = start_bits == nullptr ? inside(static_cast<Index>(word), n) : start_bits[word];
    found_in(1).clear();
    grid.wait();
    const auto begin_phase = [&] {
        ++phase;
        found_in(phase + 1).clear();
        peel.found = found_in(phase);
    };
    // the number of items that the phase has found; those of the next phase go after them
    const auto end_phase = [&](bool alone) {
        going.flush(peel.next, peel.found.counts);
        if (alone) __syncthreads();
        else grid.wait();
        const Count items = peel.found.items();
        peel.next += items;
        return items;
    };
    const auto finish = [&] {
        if (thread_id<Count>() != 0) return;
        counts[PEEL_ROUNDS] = rounds;
        counts[PEEL_ROUNDS + 1] = passes;
        counts[PEEL_LEFT] = left_over;
    };
    long long gone = -NOT_LISTED - 1;
    const Index* who = nullptr;
    while (left_over > 0) {
        begin_phase();
        Index* const to = stay + (passes & 1) * Count(n);
        peel.pass(who, left_over, gone, to);
        items = end_phase(false);
        ++passes;
        who = to;
        left_over = peel.found.kept();
        gone = peel.k;
        peel.k = items > 0 ? peel.k : *peel.found.lowest;
        while (items > 0) {
            const bool alone = items <= few;
            if (alone) grid.wait();  // until all have read the words that are overwritten after two phases
            do {
                if (alone && blockIdx.x > 0) break;
                begin_phase();
                peel.round(peel.next - items, items, alone, most);
                items = end_phase(alone);
                steps += alone ? peel.found.steps() : 1;
                ++rounds;
            } while (alone && items > 0 && items <= few && steps < most);
            if (alone) {
                if (thread_id<Count>() == 0) {
                    published[0] = phase;
                    published[1] = peel.next - frontier;
                    published[2] = items;
                    published[3] = steps;
                }
                grid.wait();
                phase = static_cast<Index>(read_count(published));
                peel.next = frontier + read_count(published + 1);
                items = read_count(published + 2);
                steps = read_count(published + 3);
            }
            if (steps >= most) return finish();
            if (items == 0) ++peel.k;
        }
    }
    finish();
}
