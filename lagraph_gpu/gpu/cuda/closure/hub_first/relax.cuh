// What a push of a hub-first closure does with the vertices that it reaches.
//
// A vertex that improves is pushed in the next step, if the lightest of its out-edges has a
// product within the bound. Otherwise that product lies beyond the bound, and the vertex waits
// until the bound has moved. An edge back to where the value came from does not count, because it
// brings nothing: between vertices of few edges it often is the lightest.
// See docs/decisions/hub-first.md.
#pragma once
#include "closure/hub_first/hub_first_state.cuh"
#include "core/grid_stride.cuh"

template <class S, class Edges, bool with_parents> struct Relax : ClosureValues<S>, NextFrontier<S> {
    using Z = typename S::Z;
    using ClosureValues<S>::x;
    using ClosureValues<S>::bits;
    using ClosureValues<S>::by;
    using ClosureValues<S>::nan;
    using ClosureValues<S>::is_start;
    using NextFrontier<S>::leaf_degree;
    using NextFrontier<S>::min_edges;
    using NextFrontier<S>::append;

    Index n;
    int hub;         // a vertex with so many out-edges is a hub
    Index* cursors;  // the edges of each sorted row that have been walked; unused for other rows
    HubFirstPushState<Z>* push_state;
    Index n_connected;  // vertices from this number on have no edges
    Origins<S, with_parents> origins;

    __device__ bool near(Z z) const { return this->as_good(z, push_state->bound); }

    // --- for whole warps, each lane with an entry of its own or none -------------------------

    // The entries of x₀ are reached, whatever their values. If they may be `many`, a warp reads up to 32 words of
    // their bitmap at once.
    template <bool many> __device__ void begin(const Start<Z>& start) {
        const Index words = words_of(n);
        if constexpr (!many) {
            for (Index word : warp_stride<Index>(words)) {
                const Index j = (word << 5) + lane_id();
                begin_word<many>(start, word, j < n && start.has(j));
            }
            return;
        }
        const Index share = words / warp_count() / 4, each = share < 1 ? 1 : share < 32 ? share : 32;
        for (Index base : warp_stride<Index>(words, each)) {
            const Index own = base + lane_id();
            const Word entries = lane_id() < each && own < words ? start.entries(own, n) : 0;
            for (Index i = 0; i < each && base + i < words; ++i)
                begin_word<many>(start, base + i, __shfl_sync(ALL_LANES, entries, i) >> lane_id() & 1u);
        }
    }
    template <bool many> __device__ void begin_word(const Start<Z>& start, Index word, bool has) {
        const Index j = (word << 5) + lane_id();
        const Z z = has ? start.at(j) : S::start();
        const Word entries = __ballot_sync(ALL_LANES, has);
        Partial<S> mine = nothing<S>();
        if (has || (j < n && word < words_of(n_connected))) {  // a fold needs whole words of small values
            x[j] = foldable<S>(z);
            origins.begin(j, has, z);
        }
        if (lane_id() == 0) bits[word] = entries;
        if (many && entries == 0) return;
        if (has && nan(z)) this->report_unordered();
        else if (has) mine.fold(z);
        const int degree = mine.has ? min_edges[j].degree : 0;
        this->find(push_state, has);
        if (mine.has && degree >= hub) near_hub(z);
        reach(mine.has, j, degree);
        this->note_best(push_state->beyond, mine);
    }

    __device__ void reach(bool mine, Index j, int degree) {
        if (!__any_sync(ALL_LANES, mine)) return;
        if (mine && Edges::sorted) cursors[j] = 0;
        const Count edges = running_sum(Count(mine ? degree : 0));
        if (lane_id() == 31) atomicAdd(&push_state->degrees, edges);
        push_state->reached.add_each(mine, j, push_state->all, push_state->all_count);
    }
    __device__ void near_hub(Z z) {
        fold_into<S>(push_state->hub.best, z);
        *static_cast<volatile unsigned*>(&push_state->hub.any) = 1;
    }

    // Relaxes position j, which other threads may be changing too, with a value within the bound, from `tail`.
    // What improves is pushed on, if any of its edges leads to a value within the bound, too.
    __device__ void relax(bool live, Index j, Z z, Index tail) {
        bool improves = false, first = false, goes = false;
        MinEdge<typename S::A> edges{};
        Partial<S> beyond = nothing<S>();
        if (live) {
            edges = min_edges[j];  // loaded while the fold is under way
            const Z old = fold_into<S>(x + j, z);
            if (is_start(z)) {
                improves = first = claim(bits, j);
            } else {
                improves = this->better(z, old);
                first = is_start(old);
            }
            if (improves) origins.fold(j, z, tail);
            improves = improves && edges.degree > leaf_degree;
        }
        if (improves && push_state->lists) {
            const bool back = edges.to == tail, helps = !back || edges.degree > 1;
            const Z next = by(z, back && helps ? edges.next : edges.weight);
            goes = helps && near(next);
            if (helps && !goes) beyond.fold(next);
        }
        // Both bits are requested before either is used.
        const bool listed = goes && claim_unset(push_state->into.bits, j);
        if (first && !is_start(z)) {
            if (this->start_is_unlike()) mark(bits, j);
            else first = claim_unset(bits, j);
        }
        this->find(push_state, first);
        if (!push_state->lists) return;
        append(listed, j);
        this->note_best(push_state->beyond, beyond);
        if (improves && edges.degree >= hub) near_hub(z);
        if (push_state->settles) reach(improves && first, j, edges.degree);
    }
};
