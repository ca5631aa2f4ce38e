// A round of a closure by order of value over distributed rows in which each position looks for better
// values along the edges that enter it, where those that have changed have many out-edges.
//
// Rows hold their best weights first, and ⊗ is monotone: the product of an edge's weight with the best
// value that has changed bounds what this edge and all after it can bring. Few edges are read so.
// See docs/decisions/cluster.md.
#pragma once
#include "closure/ordered/distributed_order.cuh"
#include "matrix/min_edge.cuh"

template <class S> constexpr int PULLED_TOGETHER = sizeof(typename S::Z) > 4 ? 1 : LOADS;  // positions of a lane

// Stores the values of this process into the memory of all, which begin so far from where its lists do.
template <class Z>
__device__ inline void send_values(Index parts, const Z* values, Index count, const OfPeers<Z>& there, Count begin) {
    for (Index r = 0; r < parts; ++r)
        copy_bytes(reinterpret_cast<Byte*>(there[r] + begin), reinterpret_cast<const Byte*>(values),
                   static_cast<long long>(sizeof(Z)) * count);
}

// The values of all positions, from those of each process, which are `apart` from each other.
template <class Z>
__device__ inline void join_values(Index n, Index parts, const Z* came, Count apart, Z* known) {
    constexpr unsigned many = sizeof(Z) > 4 ? 1 : IN_FLIGHT;
    const unsigned threads = thread_count<unsigned>(), size = static_cast<unsigned>(parts), all = unsigned(n);
    for (unsigned base = thread_id<unsigned>(); base < all; base += many * threads) {
        Z z[many];
#pragma unroll
        for (unsigned i = 0; i < many; ++i) {
            const unsigned j = base + i * threads;
            if (j < all) z[i] = came[j % size * apart + j / size];
        }
#pragma unroll
        for (unsigned i = 0; i < many; ++i)
            if (base + i * threads < all) known[base + i * threads] = z[i];
    }
}

// Positions of a warp whose lightest edges were not enough.
template <class Z> struct Unfinished {
    Index position[64];
    Z value[64];
    unsigned char state[64];

    template <class S> __device__ void put(int at, Index k, const Partial<S>& own, bool news, bool waits) {
        position[at] = k;
        value[at] = own.value;
        state[at] = static_cast<unsigned char>(int(own.has) | int(news) << 1 | int(waits) << 2);
    }
    __device__ bool has(int at) const { return (state[at] & 1) != 0; }
    __device__ bool changed(int at) const { return (state[at] & 2) != 0; }
    __device__ bool waits(int at) const { return (state[at] & 4) != 0; }
};

template <class S, class Edges> struct OrderedPull : Order<S> {
    using Z = typename S::Z;
    using A = typename S::A;
    using Offset = typename S::Offset;
    static constexpr int TOGETHER = PULLED_TOGETHER<S>;
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
        follow(own, known[edge.to], edge.weight);
        return true;
    }
    __device__ void follow(Partial<S>& own, Z tail, A weight) const {
        if (is_start(tail)) return;
        const Z z = by(tail, weight);
        if (admits(tail, z) && improves(z, own)) own = {z, true};
    }
    // For the positions of a word; a lane has one, or no edges. All lanes of a warp call it.
    __device__ void pull(Partial<S>& own, Offset first, Offset last) const {
        bool over = first >= last;
        for (int looks = 0; looks < ALONE && !over; ++looks) {
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
    // before that are pushed instead. The lightest edges of several positions are under way together.
    // Positions that need more edges are set aside until a warp has one for each lane.
    __device__ void pull_all(Index size, const MinEdge<A>* min_edges, const SparseOutput<Z>& x, Word* now, Word* next,
                             Word* far, Unfinished<Z>& aside, Sorter<S>& sorter) const {
        const Index words = words_of(size), apart = warp_count();
        int waiting = 0;
        for (Index base : Stride<Index>{warp_id(), TOGETHER * apart, words}) {
            MinEdge<A> row[TOGETHER];
            Partial<S> own[TOGETHER];
            Z tail[TOGETHER];
            bool asks[TOGETHER];
#pragma unroll
            for (int i = 0; i < TOGETHER; ++i) {
                const Index word = base + i * apart, k = (word << 5) + lane_id();
                row[i].degree = 0;
                own[i] = nothing<S>();
                if (word >= words || k >= size) continue;
                row[i] = min_edges[k];
                const Z held = x.values[k];
                if (present(x.bits, k)) own[i] = {held, true};
            }
#pragma unroll
            for (int i = 0; i < TOGETHER; ++i) {
                asks[i] = row[i].degree > 0 && improves(by(least, row[i].weight), own[i]);
                if (asks[i]) tail[i] = known[row[i].to];
            }
#pragma unroll
            for (int i = 0; i < TOGETHER; ++i) {
                const Index word = base + i * apart, k = (word << 5) + lane_id();
                if (word >= words) break;
                const Partial<S> before = own[i];
                if (asks[i]) follow(own[i], tail[i], row[i].weight);
                const bool more = asks[i] && row[i].degree > 1 && improves(by(least, row[i].next), own[i]);
                const bool listed = ((now[word] | far[word]) >> lane_id() & 1u) != 0;
                const bool waits = before.has && is_start(before.value) && listed;
                const bool news = own[i].has && improves(own[i].value, before);
                if (news) x.values[k] = own[i].value;
                const bool pushes = !more && turns_near(k, news, waits, own[i], sorter);
                const Word reached = __ballot_sync(ALL_LANES, own[i].has), fresh = __ballot_sync(ALL_LANES, pushes);
                __syncwarp();  // all have read the words
                if (lane_id() == 0) {
                    x.bits[word] = reached;
                    next[word] = fresh;
                    now[word] = far[word] = 0;
                }
                const int at = append_own(more, waiting);
                if (more) aside.put(at, k, own[i], news, waits);
                __syncwarp();
                if (waiting >= 32) finish(aside, waiting -= 32, 32, x, next, sorter);
            }
        }
        if (waiting > 0) finish(aside, 0, waiting, x, next, sorter);
    }
    // Whether a position is near now: it has changed or waits.
    __device__ bool turns_near(Index k, bool news, bool waits, const Partial<S>& own, Sorter<S>& sorter) const {
        if (!news && !waits) return false;
        const Offset degree = sorter.indptr[k + 1] - sorter.indptr[k];
        if (degree <= sorter.leaf_degree && !waits) return false;
        sorter.note_near(degree);
        if (!is_start(own.value)) sorter.best.fold(own.value);
        return true;
    }
    // The other edges of so many positions that were set aside.
    __device__ void finish(const Unfinished<Z>& aside, int begin, int count, const SparseOutput<Z>& x, Word* next,
                           Sorter<S>& sorter) const {
        const bool mine = lane_id() < count;
        const int at = begin + (mine ? lane_id() : 0);
        const Index k = aside.position[at];
        Partial<S> own{aside.value[at], aside.has(at)};
        const Partial<S> before = own;
        pull(own, mine ? indptr[k] + 1 : 0, mine ? indptr[k + 1] : 0);
        const bool improved = mine && own.has && improves(own.value, before);
        if (improved) x.values[k] = own.value;
        if (improved && !before.has) mark(x.bits, k);
        if (mine && turns_near(k, improved || aside.changed(at), aside.waits(at), own, sorter)) mark(next, k);
        __syncwarp();
    }
};
