// What pulls over packed rows with weights have in common, after a search over light edges alone: each row
// that this has not settled folds in the products along its edges, and keeps the result in place.
//
// The first round is two kernels. One looks at the lightest edges of all rows, which are stored apart
// (probe_unsettled.cuh), and most rows are done after these; the other decodes the rest (pull_unsettled.cuh),
// and makes the later rounds, in which few rows pull. The rounds end when nothing changed, or leave the
// vertices changed to pushes (packed_delta.cuh).
//
// No value is better than `least`, and those as good as `bound` are final. A row pulls again if a tail
// that is not final may still improve it, which follows from the lightest edge: if its tail is final, no
// tail that is not can bring a better value.
// See docs/decisions/sssp.md.
#pragma once
#include "closure/hub_first/hub_first_state.cuh"
#include "closure/ordered/packed_order.cuh"

// What a row has found: the best product, and its tail; -1 if it is the value that it had.
template <class S> struct BestProduct {
    Partial<S> best;
    Index tail;
};

// The bitmaps of the rows that pull in the next round, and of those that are to be decoded in the first.
struct Unsettled {
    Word *open, *decoded;
};

template <class S> struct UnsettledValues : ClosureValues<S> {
    using Z = typename S::Z;
    using A = typename S::A;
    using ClosureValues<S>::by;

    Z least, bound;

    static __device__ bool improves(Z z, const Partial<S>& own) {
        if (!ClosureValues<S>::start_is_unlike() && !own.has) return true;
        return ClosureValues<S>::better(z, own.value) || ClosureValues<S>::nan(z);
    }
    static __device__ BestProduct<S> none() { return {nothing<S>(), -1}; }

    // The product with the tail's value z. True if that is final.
    __device__ bool take(BestProduct<S>& row, Index tail, A weight, Z z) const {
        const Z candidate = by(z, weight);
        const bool has = this->holds(tail, z), fits = has && this->follows(z, candidate);
        if (fits && improves(candidate, row.best)) {
            row.best = {candidate, true};
            row.tail = tail;
        }
        if (has && !fits && !this->is_start(z)) this->report_unordered();
        return has && this->as_good(z, bound);
    }
    template <class W> __device__ bool helps(W weight, const Partial<S>& own) const {
        return improves(by(least, arithmetic::cast<A>(weight)), own);
    }
};

// A round of pulls. In the first one light edges bring nothing, for they have been searched; none is heavier
// than `most`.
template <class S> struct UnsettledRound {
    using Z = typename S::Z;

    Epochs<Z> epochs;
    int number, rounds;

    __device__ Count* changes() const { return epochs.counts + PULL_CHANGES; }
    __device__ bool over() const {
        return read_count(epochs.counts + PULL_CLOSED) > 0 || (number > 0 && read_count(changes() + number - 1) == 0);
    }
    __device__ UnsettledValues<S> values(const SparseOutput<Z>& x, typename S::A most) const {
        const Z nearest = peek(word_of(epochs.bests, number > 0 ? PULL_BESTS + number - 1 : PULL_SETTLED));
        return {{{{}, epochs.counts + epochs.UNORDERED}, x.values, x.bits}, nearest,
                number > 0 ? nearest : S::step(nearest, 0, &most, 0, 0)};
    }
    // Which rows have changed.
    __device__ Word* changed() const { return epochs.near(0).bits; }
    // Notes how many rows a lane has changed, and the best of their values. The last round leaves the number of
    // the first to packed_delta.
    __device__ void note(Count improved, Partial<S> best) const {
        improved = warp_reduce<Sum>(improved);
        best = fold_warp(best);
        if (lane_id() > 0 || improved == 0) return;
        fold_into<S>(word_of(epochs.bests, PULL_BESTS + number), best.value);
        atomicAdd(changes() + number, improved);
        if (number + 1 == rounds) atomicAdd(epochs.near(0).count, improved);
    }
};
