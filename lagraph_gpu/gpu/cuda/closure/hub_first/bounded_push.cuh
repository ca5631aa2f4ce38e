// The push of a hub-first closure, edge by edge: products within a bound come first.
//
// It resembles near_far.cuh, for a ⊗ that is monotone in both operands and reads the matrix: a vertex
// within the bound pushes only along those out-edges whose products are within it too. Their
// targets are final when the queue is empty. The heavier edges wait until the bound has moved, or
// until the vertices at their other ends pull (bottom_up.cuh), and most are never read again. The
// product of an edge is computed from its weight first: the column is read only if the product is
// within the bound.
// See docs/decisions/hub-first.md.
#pragma once
#include "closure/hub_first/relax.cuh"

constexpr int PROBES = 4;     // edges that a lane tests at a time to find the last one within the bound
constexpr int FARTHEST = 64;  // the widest stride between them

// Sorted rows hold their best weights first, and a walk ends at the first product beyond the bound.
template <class S, class Edges, bool with_parents> struct BoundedPush : Relax<S, Edges, with_parents> {
    using Z = typename S::Z;
    using Offset = typename S::Offset;
    using ClosureValues<S>::by;
    using ClosureValues<S>::is_start;
    using ClosureValues<S>::value_of;
    using NextFrontier<S>::min_edges;
    using Relax<S, Edges, with_parents>::cursors;
    using Relax<S, Edges, with_parents>::push_state;
    using Relax<S, Edges, with_parents>::near;

    static constexpr bool sorted = Edges::sorted;
    int piece;  // edges of a piece
    const Offset* indptr;  // A by rows: the out-edges
    Edges stored;

    // The product of edge e.
    __device__ Z product(Z z, Offset e) const { return by(z, stored.weight(e)); }

    // --- for whole warps, each lane with an entry of its own or none -------------------------

    // The number of successive groups of `apart` edges, from `low` on, that lie within the bound. The
    // last edge of each group decides; these edges are loaded together.
    __device__ int groups_within(Z z, Offset row, int low, int apart, int degree) const {
        bool within[PROBES];
#pragma unroll
        for (int i = 0; i < PROBES; ++i) {
            const int last = low + (i + 1) * apart - 1;
            within[i] = last < degree && near(product(z, row + last));
        }
        int count = 0;
#pragma unroll
        for (int i = 0; i < PROBES; ++i) count += within[i];
        return count;
    }

    // For each lane's sorted row, the first edge from `low` on whose product is beyond the bound. A
    // lane searches in strides that grow and then shrink again. If very many edges are within the
    // bound, as a hub may have, the whole warp searches, for one lane after another.
    __device__ int end_within(Z z, Offset row, int low, int degree) const {
        bool grows = true;
        int apart = 1;
        while (apart > 0 && apart <= FARTHEST && low < degree) {
            const int count = groups_within(z, row, low, apart, degree);
            low += count * apart;
            grows = grows && count == PROBES;
            apart = grows ? apart * PROBES : apart / PROBES;
        }
        const bool open = apart > FARTHEST && low < degree;
        for (Word some = __ballot_sync(ALL_LANES, open); some != 0; some &= some - 1) {
            const int lane = __ffs(some) - 1;
            const Z value = static_cast<Z>(__shfl_sync(ALL_LANES, z, lane));
            const Offset first = __shfl_sync(ALL_LANES, row, lane);
            int from = __shfl_sync(ALL_LANES, low, lane), to = __shfl_sync(ALL_LANES, degree, lane);
            while (from < to) {
                const int apart = (to - from + 31) / 32, at = from + lane_id() * apart;
                const Word inner = __ballot_sync(ALL_LANES, at < to && near(product(value, first + at)));
                const int count = __popc(inner);  // edges within the bound come before those beyond it
                to = from + count * apart < to ? from + count * apart : to;
                if (count > 0) from += (count - 1) * apart + 1;
                else to = from;
            }
            if (lane_id() == lane) low = from;
        }
        return low;
    }

    // Walks piece `part` of a vertex' out-edges. Part 0 means all edges: the first piece is walked and
    // the others are queued. For a vertex reached before (`again`) the edges not walked so far. If
    // nothing is listed, only vertices better than `least` walk, along all edges that are left. A vertex that
    // improved just before the bound moved may be taken by two warps at once, as one of the queue and again.
    __device__ void take(bool live, Index k, int part, bool again) {
        const Z z = live ? value_of(k) : S::start();
        if (!push_state->lists)  // otherwise the row is loaded together with the value
            live = __ballot_sync(ALL_LANES, live && this->better(z, push_state->least)) >> lane_id() & 1u;
        const Offset row = live ? indptr[k] : 0;
        const int degree = live ? static_cast<int>(indptr[k + 1] - row) : 0;
        const int walked = sorted && again && live ? peek(cursors + k) : 0;
        bool late = live && push_state->lists && !near(z);
        Partial<S> beyond = nothing<S>();
        if (late) beyond.fold(z);
        if (!sorted && again && live && !late && degree > 0) {
            const Z next = by(z, min_edges[k].weight);
            late = !near(next);
            if (late) beyond.fold(next);
        }
        const bool whole = live && !late && part == 0;
        int begin = whole ? walked : part * piece;
        int end = whole ? degree : begin + piece < degree ? begin + piece : degree;
        if (sorted && push_state->settles) end = end_within(z, row, whole ? begin : end, end);
        if (sorted && whole) {
            *static_cast<volatile Index*>(cursors + k) = end;
            if (end < degree) beyond.fold(product(z, row + end));
        }
        if (whole) part = begin / piece + 1;
        const int more = whole && push_state->lists && end > part * piece ? end - part * piece : 0;
        end -= more;
        if (!live || late) end = begin;
        this->note_best(push_state->beyond, beyond);
        push_state->queued.add_pieces(more > 0, k, more, piece, push_state->into.items, push_state->into.count, part);
        if (push_state->has_log && end > begin) atomicAdd(&push_state->walked, Count(end - begin));
        walk(k, z, row + begin, end - begin);
    }

    // Walks `degree` edges from `first` of vertex k, whose value is z. The whole warp walks rows with
    // many edges, one vertex at a time; the edges of the other rows, last, are shared out evenly. The
    // few candidates that are useful wait until there is one for each lane.
    __device__ void walk(Index k, Z z, Offset first, int degree) {
        Partial<S> beyond = nothing<S>();
        int pending = 0;
        const bool wide = degree >= WARP_EDGES;
        for (Word some = __ballot_sync(ALL_LANES, wide); some != 0; some &= some - 1) {
            const int lane = __ffs(some) - 1;
            const Z value = static_cast<Z>(__shfl_sync(ALL_LANES, z, lane));
            const Offset from = __shfl_sync(ALL_LANES, first, lane);
            const Index tail = __shfl_sync(ALL_LANES, k, lane);
            edges_of(__shfl_sync(ALL_LANES, degree, lane), pending, beyond,
                     [&](int at) { return Step{from + at, tail, value}; });
        }
        const WarpShare share(wide ? 0 : degree);
        const Offset origin = first - share.begin;
        edges_of(share.total, pending, beyond, [&](int at) {
            const int whose = share.owner(at);
            const Offset from = __shfl_sync(ALL_LANES, origin, whose);
            const Index tail = __shfl_sync(ALL_LANES, k, whose);
            return Step{from + at, tail, static_cast<Z>(__shfl_sync(ALL_LANES, z, whose))};
        });
        relax_candidates(pending, 1);
        if (!sorted) this->note_best(push_state->beyond, beyond);
    }

    // An edge, its tail, and the tail's value.
    struct Step {
        Offset edge;
        Index tail;
        Z value;
    };

    // Walks `total` edges by the whole warp, several at once for each lane; `step(at)` is edge number
    // `at`.
    template <class Numbered>
    __device__ void edges_of(int total, int& pending, Partial<S>& beyond, Numbered step) {
        constexpr int many = LOADS_OF<Z>;
        Candidates<Z>& candidates = push_state->candidates[threadIdx.x >> 5];
        Index* const tails = push_state->tails[threadIdx.x >> 5];
#pragma unroll 1
        for (int base = 0; base < total; base += 32 * many) {
            Step steps[many];
            Edge<typename S::A> edges[many];
            Z candidate[many], held[many];
            bool use[many], any = false;
#pragma unroll
            for (int i = 0; i < many; ++i) {  // all lanes load, so that no load waits for another
                const int at = base + 32 * i + lane_id();
                use[i] = at < total;
                steps[i] = step(use[i] ? at : total - 1);
                edges[i] = stored.begin(steps[i].edge);
            }
#pragma unroll
            for (int i = 0; i < many; ++i) {
                candidate[i] = by(steps[i].value, edges[i].weight);
                use[i] = use[i] && this->admits(steps[i].value, candidate[i]);
                const bool within = near(candidate[i]);
                if (!sorted && use[i] && !within) beyond.fold(candidate[i]);
                use[i] = use[i] && within;
                any = any || use[i];
            }
            if (!__any_sync(ALL_LANES, any)) continue;
#pragma unroll
            for (int i = 0; i < many; ++i)
                if (use[i]) stored.complete(edges[i], steps[i].edge);
#pragma unroll
            for (int i = 0; i < many; ++i)
                if (use[i]) held[i] = value_of(edges[i].to);
#pragma unroll
            for (int i = 0; i < many; ++i) {
                if (use[i] && !is_start(candidate[i])) use[i] = this->better(candidate[i], held[i]);
                const int at = append_own(use[i], pending);
                if (use[i]) {
                    candidates.to[at] = edges[i].to;
                    candidates.value[at] = candidate[i];
                    tails[at] = steps[i].tail;
                }
            }
            __syncwarp();
            relax_candidates(pending, 32);
        }
    }

    // Relaxes the waiting candidates, as long as at least `least` wait.
    __device__ void relax_candidates(int& pending, int least) {
        Candidates<Z>& candidates = push_state->candidates[threadIdx.x >> 5];
        while (pending >= least) {
            const int now = pending < 32 ? pending : 32;
            pending -= now;
            const bool live = lane_id() < now;
            const int at = pending + (live ? lane_id() : 0);
            this->relax(live, candidates.to[at], candidates.value[at], push_state->tails[threadIdx.x >> 5][at]);
        }
        __syncwarp();
    }

    // --- for whole blocks ------------------------------------------------------------------------

    // Walks `items` items of a list, shared out over the grid: of the queue or, with `again`, of the
    // vertices reached before. A warp takes items far apart, because neighbours may be pieces of one
    // hub.
    template <bool again, class Item> __device__ void work(const Item* list, unsigned items) {
        for (const auto numbers : lanes_apart<unsigned>(items)) {
            const unsigned at = numbers.own();
            const long long item = at < items ? list[at] : 0;
            const Index k = vertex_of(item);
            if (at < items && !again) *static_cast<volatile Word*>(push_state->from.bits + (k >> 5)) = 0;
            take(at < items, k, static_cast<int>(piece_of(item)), again);
        }
    }
};
