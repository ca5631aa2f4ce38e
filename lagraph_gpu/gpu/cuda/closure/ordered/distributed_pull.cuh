// A round of a closure by order of value over distributed rows in which each position looks for better
// values along the edges that enter it, where those that have changed have many out-edges.
//
// Rows hold their best weights first, and ⊗ is monotone: the product of an edge's weight with the best
// value that has changed bounds what this edge and all after it can bring. Few edges are read so.
// See docs/decisions/cluster.md.
#pragma once
#include "closure/ordered/distributed_order.cuh"
#include "matrix/edge_storage.cuh"

constexpr int PULLED_ALONE = 8;  // edges of its own row that a lane reads before the warp goes on

// Stores the values of this process into the memory of all, which begin so far from where its lists do.
template <class Z>
__device__ inline void send_values(Index parts, const Z* values, Index count, const OfPeers<Z>& there, Count begin) {
    for (Index r = 0; r < parts; ++r)
        copy_bytes(reinterpret_cast<Byte*>(there[r] + begin), reinterpret_cast<const Byte*>(values),
                   static_cast<long long>(sizeof(Z)) * count);
}

// The values of all positions, from those of each process, which are `apart` from each other.
template <class Z> __device__ inline void join_values(Index n, Index parts, const Z* came, Count apart, Z* known) {
    for (Index j : grid_stride<Index>(n)) known[j] = came[unsigned(j) % unsigned(parts) * apart + unsigned(j) / unsigned(parts)];
}

template <class S, class Edges> struct OrderedPull : Order<S> {
    using Z = typename S::Z;
    using A = typename S::A;
    using Offset = typename S::Offset;
    using Order<S>::admits;
    using Order<S>::better;
    using Order<S>::is_start;

    Edges stored;          // the edges that enter positions of this process
    const Offset* indptr;
    const Z* known;  // of all positions; those without an entry hold what a fold starts from
    Z least;         // no value that has changed is better

    // ⊗ does not depend on positions.
    static __device__ Z by(Z z, A weight) { return S::step(z, 0, &weight, 0, 0); }
    __device__ static bool improves(Z z, const Partial<S>& own) { return !own.has || better(z, own.value); }
    // False if neither this edge nor one after it can improve the position that has `own`. Tails whose
    // value is what a fold starts from are pushed instead: they look as those without a value.
    __device__ bool take(Partial<S>& own, Offset e) const {
        Edge<A> edge = stored.begin(e);
        if (!improves(by(least, edge.weight), own)) return false;
        const Z tail = known[edge.to];
        if (is_start(tail)) return true;
        const Z z = by(tail, edge.weight);
        if (admits(tail, z) && improves(z, own)) own = {z, true};
        return true;
    }
    // For the positions of a word; a lane has one, or no edges. All lanes of a warp call it.
    __device__ void pull(Partial<S>& own, Offset first, Offset last) const {
        bool over = first >= last;
        for (int looks = 0; looks < PULLED_ALONE && !over; ++looks) {
            over = !take(own, first);
            over = over || ++first >= last;
        }
        for (Word some = __ballot_sync(ALL_LANES, !over); some != 0; some &= some - 1) {
            const int lane = __ffs(static_cast<int>(some)) - 1;
            const Offset end = __shfl_sync(ALL_LANES, last, lane);
            Partial<S> there{from_lane<Z>(own.value, lane), __shfl_sync(ALL_LANES, int(own.has), lane) != 0};
            bool more = true;
            for (Offset e = __shfl_sync(ALL_LANES, first, lane) + lane_id(); __all_sync(ALL_LANES, more); e += 32) {
                more = e < end && take(there, e);
                there = fold_warp(there);
            }
            if (lane_id() == lane) own = there;
        }
    }
    // A pull of all positions. Afterwards those are near, and none is far, that have changed, and those
    // before that are pushed instead.
    __device__ void pull_all(Index size, const SparseOutput<Z>& x, Word* now, Word* next, Word* far,
                             Sorter<S>& sorter) const {
        for (Index word : warp_stride<Index>(words_of(size))) {
            const Index k = (word << 5) + lane_id();
            const Word held = x.bits[word], pending = now[word] | far[word];
            Partial<S> own = nothing<S>();
            Offset first = 0, last = 0;
            if (k < size) {
                first = indptr[k];
                last = indptr[k + 1];
                if (held >> lane_id() & 1u) own = {x.values[k], true};
            }
            const Partial<S> before = own;
            pull(own, first, last);
            const bool news = own.has && improves(own.value, before);
            if (news) x.values[k] = own.value;
            const Word reached = __ballot_sync(ALL_LANES, own.has);
            const Offset degree = k < size ? sorter.indptr[k + 1] - sorter.indptr[k] : 0;
            const bool waits = (pending >> lane_id() & 1u) != 0 && is_start(before.value);
            const Word fresh = __ballot_sync(ALL_LANES, (news && degree > sorter.leaf) || waits);
            if (fresh >> lane_id() & 1u) {
                sorter.note_near(degree);
                if (!is_start(own.value)) sorter.best.fold(own.value);
            }
            __syncwarp();  // all have read the words
            if (lane_id() > 0) continue;
            x.bits[word] = reached;
            next[word] = fresh;
            now[word] = far[word] = 0;
        }
    }
};
