// The steps of a closure by order of value whose rows are distributed over processes, each with a
// device. Of so many parts, number r has the rows r, r + parts, r + 2 · parts, ….
//
// A process keeps for each position of all the best value that it has found. What improves it goes to
// the owner of the position, at most once in a round, and the owner takes what is better than its own.
// An entry that has changed is near if it is as good as a bound, which is the same for all processes,
// and otherwise far. Near entries are pushed; when no process has any, the bound moves a width beyond
// the best far entry of all. The order affects how often an entry is pushed, and never the fixpoint.
// See docs/decisions/cluster.md.
#pragma once
#include "closure/level_synchronous/distributed_push.cuh"
#include "closure/ordered/value_order.cuh"
#include "core/peers.cuh"

// A value as a word that is sent, and back.
template <class Z> union Sent {
    Count bits;
    Z value;
};

// What this process has found for the owners: the best value for each position of all, and which of
// them it has found in this round.
template <class Z> struct Findings {
    Z* best;
    Word* listed;
};

template <class S> struct OrderedPush : Order<S> {
    using Z = typename S::Z;
    using Order<S>::is_start;
    using Order<S>::better;

    const Index* indices;
    const typename S::A* values;
    int stride;
    const Z* x;  // of this process
    const Findings<Z>& found;

    __device__ typename S::U value_of(Index k) const { return peek(x + k); }
    // z may be the first value there, and equal what a fold starts from.
    __device__ bool helps(Index j, Z z) const { return is_start(z) || better(z, peek(found.best + j)); }
    // Nothing waits for either. What another thread has improved meanwhile is in the list once.
    __device__ void relax(bool live, Index j, Z z) const {
        if (!live) return;
        fold_into<S>(found.best + j, z);
        mark(found.listed, j);
    }
};

constexpr int STAGED = 512;  // positions of an owner in the words of a warp: of two processes or more

// Stores what is listed, places and best values, into the lists of the owners from `begin` on, and
// empties the list. A warp takes 32 words, and puts the places of one owner next to each other first,
// in shared memory of its own. counts[r] counts what is stored for owner r.
template <class Z>
__device__ inline void send_listed(Index n, Index parts, const Findings<Z>& found, const OfPeers<Index>& places,
                                   const OfPeers<Z>& values, Count begin, Count* counts, Index* staged) {
    const Index words = words_of(n), apart = warp_count() << 5;
    Word every = 0;
    for (Index bit = 0; bit < 32; bit += parts) every |= 1u << bit;
    for (Index base : Stride<Index>{warp_id() << 5, IN_FLIGHT * apart, words}) {
        Word listed[IN_FLIGHT];
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; ++i) {
            const Index at = base + i * apart + lane_id();
            listed[i] = at < words ? found.listed[at] : 0;
        }
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; ++i) {
            if (!__any_sync(ALL_LANES, listed[i] != 0)) continue;
            const Index at = base + i * apart + lane_id(), first = at << 5;
            if (listed[i] != 0) found.listed[at] = 0;
            for (Index r = 0; r < parts; ++r) {
                const Word of_part = listed[i] & every << (r + parts - first % parts) % parts;
                const int count = __popc(of_part), end = running_sum(count);
                const int total = __shfl_sync(ALL_LANES, end, 31);
                if (total == 0) continue;
                const Count to = begin + reserve(Count(total), counts + r);
                int slot = end - count;
                for (Word left = of_part; left != 0; left &= left - 1)
                    staged[slot++] = (first + __ffs(static_cast<int>(left)) - 1) / parts;
                __syncwarp();
                for (int k = lane_id(); k < total; k += 32) {
                    places[r][to + k] = staged[k];
                    values[r][to + k] = peek(found.best + (staged[k] * parts + r));
                }
                __syncwarp();
            }
        }
    }
}

// How many far entries there are, and the best of them, in two generations: one is read when the bound
// moves, and the other is added to. After them comes a word that is set if there is no order: in all
// ORDER_ENTRIES words.
template <class S> struct FarEntries {
    using Z = typename S::Z;
    Count* words;

    __device__ Count* count(Index turn) const { return words + turn; }
    __device__ Z* best(Index turn) const { return reinterpret_cast<Z*>(words + 2 + turn); }
    __device__ Count* unordered() const { return words + 4; }
    // One thread does it.
    __device__ void clear(Index turn) const {
        *count(turn) = 0;
        *best(turn) = S::start();
    }
};

// Which entries are near.
template <class S> struct Bound : Compare<S> {
    typename S::Z value;
    bool all;  // then every entry is near

    __device__ bool admits(typename S::Z z) const { return all || Compare<S>::as_good(z, value); }
};

// Sorts entries of this process into near and far ones, and counts them.
template <class S> struct Sorter : Compare<S> {
    using Z = typename S::Z;
    using Offset = typename S::Offset;
    using Compare<S>::is_start;
    using Compare<S>::better;

    Bound<S> bound;
    const Offset* indptr;
    Offset leaf_degree;  // a position with at most so many out-edges improves no other
    SparseOutput<Z> x;
    Word *near, *far;
    Index* when;  // the round in which each entry took its value, or null
    Index round;
    Count vertices, edges, others;  // near ones, the edges that leave them, far ones
    Partial<S> best;                // of the far ones

    // A value that came for a position.
    __device__ void take(Index k, Z z) {
        const Z old = fold_into<S>(x.values + k, z);
        bool improves = better(z, old);
        if (is_start(z)) improves = claim(x.bits, k);
        else if (is_start(old)) mark(x.bits, k);
        if (!improves) return;
        if (when != nullptr) when[k] = round;
        const Offset degree = indptr[k + 1] - indptr[k];
        if (degree <= leaf_degree) return;
        if (!bound.admits(z)) {
            mark(far, k);
            note_far(z);
        } else if (claim(near, k)) {
            note_near(degree);
        }
    }

    // A word of the far ones when the bound moves: which stay far, and which are near now. Those that
    // were near at the bound before have been pushed.
    __device__ Word sort(Index word, bool had_bound, const Bound<S>& before) {
        Word stay = 0, come = 0;
        for (Word left = far[word]; left != 0; left &= left - 1) {
            const Index bit = __ffs(static_cast<int>(left)) - 1, k = (word << 5) + bit;
            const Z z = x.values[k];
            if (had_bound && before.admits(z)) continue;
            if (bound.admits(z)) {
                come |= 1u << bit;
                note_near(indptr[k + 1] - indptr[k]);
            } else {
                stay |= 1u << bit;
                note_far(z);
            }
        }
        near[word] = come;
        return stay;
    }

    __device__ void note_near(Offset degree) {
        ++vertices;
        edges += degree;
    }
    __device__ void note_far(Z z) {
        ++others;
        if (!is_start(z)) best.fold(z);
    }

    // All lanes of a warp must call it.
    __device__ void add_to(Count* counts, const FarEntries<S>& entries, Index turn) {
        vertices = warp_reduce<Sum>(vertices);
        edges = warp_reduce<Sum>(edges);
        others = warp_reduce<Sum>(others);
        const Partial<S> of_warp = fold_warp(best);
        if (lane_id() > 0) return;
        if (vertices > 0) atomicAdd(counts + 2, vertices);
        if (edges > 0) atomicAdd(counts + 3, edges);
        if (others > 0) atomicAdd(entries.count(turn), others);
        if (of_warp.has) fold_into<S>(entries.best(turn), of_warp.value);
    }
};
