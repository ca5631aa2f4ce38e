// The products along the in-edges of one vertex, or of 32, that are not final yet: for
// bottom_up.cuh, which explains `least` and `bound`.
// See docs/decisions/hub-first.md.
#pragma once
#include "closure/hub_first/core_state.cuh"

// What a row has been offered, and may be offered yet by tails that are not final.
template <class S> struct Pulled {
    Partial<S> best, hope;  // hope: the best weight of their edges
    Index tail;             // where the best comes from, if it is not what the row held
    int from;               // in sorted rows the number of the first of them; of a whole row the edges looked at
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
    Z bound, least;  // values as good as this are final
    Origins<S, with_parents> origins;

    // A tail's value by the first-level cache, for all ask for the same hubs. One that is changing
    // may be read as it was: it is not final then, and a changed tail is read again, or pushes.
    __device__ Z seen(Index k) const { return x[k]; }
    __device__ bool final(bool has, Z z) const { return has && this->as_good(z, bound); }
    __device__ static bool improves(Z z, const Partial<S>& own) {
        if (!ClosureValues<S>::start_is_unlike() && !own.has) return true;  // else the start is worse than all
        return ClosureValues<S>::better(z, own.value) || ClosureValues<S>::nan(z);
    }

    // Edge number `at` offers its product with what its tail holds, z, if that is anything. A tail
    // that is being written may seem to hold what a fold starts from: no harm is done by that, for
    // it is not final. True if there is no order after all: then somebody must complain.
    __device__ bool take(Pulled<S>& row, const Edge<A>& edge, Z z, int at) const {
        const Z offer = by(z, edge.weight);
        const bool has = this->holds(edge.to, z), fits = has && this->follows(z, offer);
        if (with_parents && fits && improves(offer, row.best)) row.tail = edge.to;
        if (fits) row.best.fold(offer);
        if (!final(has, z) && !(sorted && row.hope.has)) {
            row.from = at;
            row.hope.fold(arithmetic::cast<Z>(edge.weight));
        }
        return has && !fits && !is_start(z);
    }
    // May a row improve yet, when nothing that is left to come is better than `bound`?
    __device__ bool hopes(const Pulled<S>& row) const {
        return row.hope.has && improves(by(bound, arithmetic::cast<A>(row.hope.value)), row.best);
    }
    // The tails of the edges that are asked for, all of them at once: what each holds goes to
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

    // Looks at edges first, first + apart, … before last, several at once. True if the row is over:
    // then the edges looked at end with one whose weight cannot help, as all after it cannot.
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
            if (take(row, edges[i], z, 0)) this->complain();
        });
        return over;
    }

    // --- for whole warps ---------------------------------------------------------------------

    // The rows of 32 positions, each lane with one or none, or with one that is over.
    //
    // First each lane looks at the lightest edge of its own row. True if no other can help.
    __device__ bool probe_first(Pulled<S>& mine, const MinEdge<A>& row) const {
        if (row.degree == 0 || !improves(by(least, row.weight), mine.best)) return true;
        if (take(mine, {row.to, row.weight}, seen(row.to), 0)) this->complain();
        return row.degree == 1 || !improves(by(least, row.next), mine.best);
    }
    // Where rows are sorted it goes on along its own row, from edge number `done` on, up to number
    // `end`: the next edge is asked for beside what the tail of this one holds. True if no other
    // can help.
    __device__ bool probe_own(Pulled<S>& mine, Offset first, int degree, int& done, int end) const {
        bool over = done >= degree, strange = false;
        if (over || done >= end) return over;
        Edge<A> next = stored.begin(first + done);
        do {
            const Edge<A> edge = next;
            const Z z = seen(edge.to);
            if (++done < degree) next = stored.begin(first + done);
            strange = take(mine, edge, z, done - 1) || strange;
            over = done >= degree || !improves(by(least, next.weight), mine.best);
        } while (!over && done < end);
        if (strange) this->complain();
        return over;
    }
    // What is left of rows that are not over all lanes share, where it may help, twice as much each
    // time. Up to which edge.
    __device__ int probe_more(Pulled<S>& mine, Offset first, int degree, int done, bool over) {
        const Partial<S> before = mine.best;
        if (!over && !mine.hope.has) mine.from = done;
        for (int next = EDGES_PER_LANE<Z>; __any_sync(ALL_LANES, !over); next += next) {
            const int rest = degree - done;
            share_rows(mine, first + done, over ? 0 : rest < next ? rest : next);
            if (!over) done += rest < next ? rest : next;
            over = over || done >= degree || !improves(by(least, stored.weight(first + done)), mine.best);
        }
        if (with_parents && mine.best.has && improves(mine.best.value, before)) mine.tail = -1;  // it is noted
        return done;
    }
    // Of others all edges are looked at: long rows have the warp to themselves, the rest share it.
    __device__ void probe_all(Pulled<S>& mine, Offset first, int degree) {
        const bool wide = degree >= WIDE;
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
        constexpr int many = sorted && EDGES_PER_LANE<Z> > 2 ? 2 : EDGES_PER_LANE<Z>;
        Offset e = first;
        bool over = false;
        for (; e < end && !(sorted && __any_sync(ALL_LANES, over)); e += 32 * many)
            over = probe<many>(row, e + lane_id(), end, 32);
        const Partial<S> best = fold_warp(row.best);
        if (with_parents) {
            const Word from = __ballot_sync(ALL_LANES, row.tail >= 0 && row.best.value == best.value);
            row.tail = __shfl_sync(ALL_LANES, row.tail, from == 0 ? 0 : __ffs(from) - 1);
        }
        return {best, fold_warp(row.hope), row.tail, static_cast<int>(e < end ? e - first : end - first)};
    }

    __device__ void share_rows(Pulled<S>& mine, Offset first, int degree) {
        constexpr int many = sorted && EDGES_PER_LANE<Z> > 2 ? 2 : EDGES_PER_LANE<Z>;
        SharedRows<Z>& shared = storage->rows[threadIdx.x >> 5];
        const WarpShare share(degree);
        const Offset origin = first - share.begin;
        const Word holders = __ballot_sync(ALL_LANES, mine.best.has);
        shared.best[lane_id()] = mine.best.value;
        shared.hope[lane_id()] = S::start();
        if (lane_id() == 0) {
            shared.has = holders;
            shared.hopes = 0;
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
                if (take(one, edges[i], z, 0)) this->complain();
                const int row = whose[i];
                if (with_parents && one.best.has && improves(one.best.value, held(shared, row)))
                    origins.fold(shared.at[row], one.best.value, edges[i].to);
                if (one.best.has) put(shared.best + row, &shared.has, row, one.best.value);
                if (one.hope.has) put(shared.hope + row, &shared.hopes, row, one.hope.value);
            });
            __syncwarp();
        }
        if (degree > 0) {
            mine.best = held(shared, lane_id());
            if (shared.hopes >> lane_id() & 1u) mine.hope.fold(shared.hope[lane_id()]);
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
