// The products along the in-edges of one vertex, or of 32 vertices, that are not final. Used by
// bottom_up.cuh, which explains `least` and `bound`.
// See docs/decisions/hub-first.md.
#pragma once
#include "closure/hub_first/hub_first_state.cuh"

// The best product that a row has had so far, and the best that tails which are not final may still bring.
template <class S> struct Pulled {
    Partial<S> best, open_weight;  // the second: the best weight of their edges
    Index tail;             // the tail of the best product, if that is not what the row held
    int from;               // sorted rows: the number of the first of these edges; whole rows: the edges read
};

// Sorted rows hold their best weights first.
template <class S, class Edges, bool with_parents> struct PullRow : ClosureValues<S> {
    using Z = typename S::Z;
    using Offset = typename S::Offset;
    using A = typename S::A;
    using ClosureValues<S>::by;
    using ClosureValues<S>::is_start;
    using ClosureValues<S>::x;
    static constexpr bool sorted = Edges::sorted;

    Edges stored;  // Aᵀ by rows: the in-edges
    HubFirstBlockState<Z>* block_state;
    PullStorage<Z>* storage;
    Z bound, least;  // values as good as `bound` are final
    Origins<S, with_parents> origins;

    // A tail's value through the first-level cache, since all rows read the same hubs. The value may
    // be older than the memory. Then it is not final, and a changed tail is read again, or pushes.
    __device__ Z seen(Index k) const { return x[k]; }
    __device__ bool final(bool has, Z z) const { return has && this->as_good(z, bound); }
    __device__ static bool improves(Z z, const Partial<S>& own) {
        if (!ClosureValues<S>::start_is_unlike() && !own.has) return true;  // else the start is the worst value
        return ClosureValues<S>::better(z, own.value) || ClosureValues<S>::nan(z);
    }

    // Folds in the product of edge number `at` with its tail's value z, if the tail has one. A tail
    // that is being written may seem to hold what a fold starts from. That does no harm, because
    // such a value is not final. True if there is no order after all: the caller must report that.
    __device__ bool take(Pulled<S>& row, const Edge<A>& edge, Z z, int at) const {
        const Z candidate = by(z, edge.weight);
        const bool has = this->holds(edge.to, z), fits = has && this->follows(z, candidate);
        if (with_parents && fits && improves(candidate, row.best)) row.tail = edge.to;
        if (fits) row.best.fold(candidate);
        if (!final(has, z) && !(sorted && row.open_weight.has)) {
            row.from = at;
            row.open_weight.fold(arithmetic::cast<Z>(edge.weight));
        }
        return has && !fits && !is_start(z);
    }
    // May a row still improve, if no value that is yet to come is better than `bound`?
    __device__ bool may_improve(const Pulled<S>& row) const {
        return row.open_weight.has && improves(by(bound, arithmetic::cast<A>(row.open_weight.value)), row.best);
    }
    // Loads the values of the tails of the edges that `ask` marks, all at once, and passes each to
    // `use`.
    template <int many, class Use>
    __device__ void answers(const bool (&ask)[many], const Edge<A> (&edges)[many], Use use) const {
        Z found[many];
#pragma unroll
        for (int i = 0; i < many; ++i)
            if (ask[i]) found[i] = seen(edges[i].to);
#pragma unroll
        for (int i = 0; i < many; ++i)
            if (ask[i]) use(i, found[i]);
    }

    // Reads the edges first, first + apart, … before last, several at once. True if the row is done:
    // the last edge read has a weight that cannot help, and neither can those after it.
    template <int many>
    __device__ bool probe(Pulled<S>& row, Offset first, Offset last, int apart) const {
        bool ask[many], over = false;
        Edge<A> edges[many];
#pragma unroll
        for (int i = 0; i < many; ++i) {
            ask[i] = first + i * apart < last;
            if (ask[i]) edges[i] = stored.begin(first + i * apart);
            ask[i] = ask[i] && improves(by(least, edges[i].weight), row.best);
            over = over || !ask[i];
        }
#pragma unroll
        for (int i = 0; i < many; ++i)
            if (ask[i]) stored.complete(edges[i], first + i * apart);
        answers(ask, edges, [&](int i, Z z) {
            if (take(row, edges[i], z, 0)) this->report_unordered();
        });
        return over;
    }

    // --- for whole warps ---------------------------------------------------------------------

    // The rows of 32 positions; a lane has one, or none, or one that is done.
    //
    // First each lane reads the lightest edge of its own row. True if no other edge can help.
    __device__ bool probe_first(Pulled<S>& mine, const MinEdge<A>& row) const {
        if (row.degree == 0 || !improves(by(least, row.weight), mine.best)) return true;
        if (take(mine, {row.to, row.weight}, seen(row.to), 0)) this->report_unordered();
        return row.degree == 1 || !improves(by(least, row.next), mine.best);
    }
    // In sorted rows the lane continues along its own row, from edge number `done` up to number
    // `end`. The next edge is loaded together with the value of this edge's tail. True if no other
    // edge can help.
    __device__ bool probe_own(Pulled<S>& mine, Offset first, int degree, int& done, int end) const {
        bool over = done >= degree, unordered = false;
        if (over || done >= end) return over;
        Edge<A> next = stored.begin(first + done);
        do {
            const Edge<A> edge = next;
            const Z z = seen(edge.to);
            if (++done < degree) next = stored.begin(first + done);
            unordered = take(mine, edge, z, done - 1) || unordered;
            over = done >= degree || !improves(by(least, next.weight), mine.best);
        } while (!over && done < end);
        if (unordered) this->report_unordered();
        return over;
    }
    // All lanes share the rest of the rows that are not done, as far as it may help, twice as many
    // edges each time. Returns the number of edges that were read.
    __device__ int probe_more(Pulled<S>& mine, Offset first, int degree, int done, bool over) {
        const Partial<S> before = mine.best;
        if (!over && !mine.open_weight.has) mine.from = done;
        for (int next = LOADS_OF<Z>; __any_sync(ALL_LANES, !over); next += next) {
            const int rest = degree - done;
            share_rows(mine, first + done, over ? 0 : rest < next ? rest : next);
            if (!over) done += rest < next ? rest : next;
            over = over || done >= degree || !improves(by(least, stored.weight(first + done)), mine.best);
        }
        if (with_parents && mine.best.has && improves(mine.best.value, before)) mine.tail = -1;  // it is noted
        return done;
    }
    // In rows that are not sorted all edges are read: the whole warp reads a long row, and shares the
    // other rows.
    __device__ void probe_all(Pulled<S>& mine, Offset first, int degree) {
        const bool wide = degree >= WARP_EDGES;
        const Partial<S> own = mine.best;
        for (Word some = __ballot_sync(ALL_LANES, wide); some != 0; some &= some - 1) {
            const int lane = __ffs(some) - 1;
            const Z value = static_cast<Z>(__shfl_sync(ALL_LANES, own.value, lane));
            const Partial<S> held{value, __shfl_sync(ALL_LANES, int(own.has), lane) != 0};
            const Offset from = __shfl_sync(ALL_LANES, first, lane);
            const Pulled<S> found = whole(held, from, from + __shfl_sync(ALL_LANES, degree, lane));
            if (lane_id() == lane) mine = found;
        }
        if (__any_sync(ALL_LANES, degree > 0 && !wide)) share_rows(mine, first, wide ? 0 : degree);
    }

    // A row, or a piece of one, by all lanes; all get the result.
    __device__ Pulled<S> whole(const Partial<S>& own, Offset first, Offset end) const {
        Pulled<S> row{own, nothing<S>(), -1, 0};
        constexpr int many = sorted && LOADS_OF<Z> > 2 ? 2 : LOADS_OF<Z>;
        Offset e = first;
        bool over = false;
        for (; e < end && !(sorted && __any_sync(ALL_LANES, over)); e += 32 * many)
            over = probe<many>(row, e + lane_id(), end, 32);
        const Partial<S> best = fold_warp(row.best);
        if (with_parents) {
            const Word from = __ballot_sync(ALL_LANES, row.tail >= 0 && row.best.value == best.value);
            row.tail = __shfl_sync(ALL_LANES, row.tail, from == 0 ? 0 : __ffs(from) - 1);
        }
        return {best, fold_warp(row.open_weight), row.tail, static_cast<int>(e < end ? e - first : end - first)};
    }

    __device__ void share_rows(Pulled<S>& mine, Offset first, int degree) {
        constexpr int many = sorted && LOADS_OF<Z> > 2 ? 2 : LOADS_OF<Z>;
        SharedRows<Z>& shared = storage->rows[threadIdx.x >> 5];
        const WarpShare share(degree);
        const Offset origin = first - share.begin;
        const Word holders = __ballot_sync(ALL_LANES, mine.best.has);
        shared.best[lane_id()] = mine.best.value;
        shared.open_weight[lane_id()] = S::start();
        if (lane_id() == 0) {
            shared.has = holders;
            shared.has_open = 0;
        }
        __syncwarp();
#pragma unroll 1
        for (int base = 0; base < share.total; base += 32 * many) {
            Offset places[many];
            Edge<A> edges[many];
            int whose[many];
            bool ask[many];
#pragma unroll
            for (int i = 0; i < many; ++i) {
                const int at = base + 32 * i + lane_id();
                whose[i] = share.owner(at);
                places[i] = __shfl_sync(ALL_LANES, origin, whose[i]) + at;
                ask[i] = at < share.total;
                if (ask[i]) edges[i] = stored.begin(places[i]);
                ask[i] = ask[i] && improves(by(least, edges[i].weight), held(shared, whose[i]));
            }
#pragma unroll
            for (int i = 0; i < many; ++i)
                if (ask[i]) stored.complete(edges[i], places[i]);
            answers(ask, edges, [&](int i, Z z) {
                Pulled<S> one{nothing<S>(), nothing<S>(), -1, 0};
                if (take(one, edges[i], z, 0)) this->report_unordered();
                const int row = whose[i];
                if (with_parents && one.best.has && improves(one.best.value, held(shared, row)))
                    origins.fold(shared.at[row], one.best.value, edges[i].to);
                if (one.best.has) put(shared.best + row, &shared.has, row, one.best.value);
                if (one.open_weight.has) put(shared.open_weight + row, &shared.has_open, row, one.open_weight.value);
            });
            __syncwarp();
        }
        if (degree > 0) {
            mine.best = held(shared, lane_id());
            if (shared.has_open >> lane_id() & 1u) mine.open_weight.fold(shared.open_weight[lane_id()]);
        }
        __syncwarp();
    }
    __device__ static Partial<S> held(const SharedRows<Z>& shared, int row) {
        return {*static_cast<const volatile Z*>(shared.best + row), (peek(&shared.has) >> row & 1u) != 0};
    }
    __device__ static void put(Z* at, Word* which, int row, Z z) {
        fold_into<S>(at, z);
        if (!(peek(which) >> row & 1u)) atomicOr(which, 1u << row);
    }
};
