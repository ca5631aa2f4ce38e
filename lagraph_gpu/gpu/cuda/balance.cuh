// Who walks which edges: the one thing that differs between the classical push kernels.
//
// A schedule has one function, each(frontier, body), which calls body(k, e) for every edge e that
// leaves every vertex k of the frontier, shared out over the threads of the grid.
#pragma once
#include "bitmap.cuh"

// The first of sums[low … high], which increase, that is greater than `at`; the last one is.
template <class Sum, class At> __device__ inline At first_beyond(const Sum* sums, At low, At high, Sum at) {
    while (low < high) {
        const At middle = low + (high - low) / 2;
        if (sums[middle] > at) high = middle;
        else low = middle + 1;
    }
    return low;
}

// The same in steps that double from `low`: for one that is likely near.
template <class Sum, class At> __device__ inline At next_beyond(const Sum* sums, At low, At last, Sum at) {
    At high = low, step = 1;
    while (sums[high] <= at) {
        low = high + 1;
        high = step < last - high ? high + step : last;
        step += step;
    }
    return first_beyond(sums, low, high, at);
}

// The things that the lanes of a warp bring, numbered through, so that they can be shared out evenly.
// All lanes must take part in each call.
struct WarpShare {
    int end, begin, total;  // of this lane's things, and of all

    __device__ explicit WarpShare(int count) : end(count) {
        for (int distance = 1; distance < 32; distance <<= 1) {
            const int below = __shfl_up_sync(ALL_LANES, end, distance);
            if (lane_id() >= distance) end += below;
        }
        begin = end - count;
        total = __shfl_sync(ALL_LANES, end, 31);
    }

    // The lane that brought thing `at`: the first whose things end beyond it.
    __device__ int owner(int at) const {
        int whose = 0;
        for (int half = 16; half > 0; half >>= 1)
            if (__shfl_sync(ALL_LANES, end, whose + half - 1) <= at) whose += half;
        return whose;
    }
};

template <class Offset> struct Frontier {
    Index count;
    const Index* vertices;
    const long long* ends;  // running sum of the degrees; only SearchEdges reads it
    const Offset* indptr;
};

// One thread a vertex (Harish, Narayanan 2007): no overhead, but a hub rides on one thread.
struct ThreadPerVertex {
    template <class Offset, class Body>
    static __device__ void each(const Frontier<Offset>& frontier, Body body) {
        const unsigned threads = gridDim.x * blockDim.x, count = frontier.count;
        for (unsigned f = blockIdx.x * blockDim.x + threadIdx.x; f < count; f += threads) {
            const Index k = frontier.vertices[f];
            const Offset end = frontier.indptr[k + 1];
            for (Offset e = frontier.indptr[k]; e < end; ++e) body(k, e);
        }
    }
};

// One warp a vertex (Hong et al. 2011): neighbours are read side by side.
struct WarpPerVertex {
    template <class Offset, class Body>
    static __device__ void each(const Frontier<Offset>& frontier, Body body) {
        for (Index f = warp_id(); f < frontier.count; f += warp_count()) {
            const Index k = frontier.vertices[f];
            const Offset end = frontier.indptr[k + 1];
            for (Offset e = frontier.indptr[k] + lane_id(); e < end; e += 32) body(k, e);
        }
    }
};

// One thread an edge (Mastrostefano, Bernaschi 2013): the frontier's edges are numbered, and a
// binary search in the running sum of degrees finds whose each is. Even at any skew.
struct SearchEdges {
    template <class Offset, class Body>
    static __device__ void each(const Frontier<Offset>& frontier, Body body) {
        if (frontier.count == 0) return;
        const long long edges = frontier.ends[frontier.count - 1];
        const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
        long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
        for (; at < edges; at += threads) {
            const Index f = first_beyond(frontier.ends, 0, frontier.count - 1, at);
            const Index k = frontier.vertices[f];
            const long long before = f == 0 ? 0 : frontier.ends[f - 1];
            body(k, frontier.indptr[k] + static_cast<Offset>(at - before));
        }
    }
};

// The same without a list: a bitmap marks the vertices. Rows of more than `piece` entries stand in a
// table of the matrix in pieces of so many: piece p begins at entry firsts[p] of row rows[p].
template <class Offset> struct Marked {
    Index n;
    const Word* bits;
    const Offset* indptr;
    Index piece, pieces;
    const Index* rows;
    const Offset* firsts;

    // Calls body(k, e) for the edges of a word's vertices, long rows excepted. All lanes must call it.
    template <class Body> __device__ void word(Index word, Word marks, Body body) const {
        const Index base = word << 5;
        Offset first = 0;
        int degree = 0;
        if (marks >> lane_id() & 1u) {
            first = indptr[base + lane_id()];
            const Offset all = indptr[base + lane_id() + 1] - first;
            degree = all > piece ? 0 : static_cast<int>(all);
        }
        const WarpShare share(degree);
        for (int done = 0; done < share.total; done += 32) {
            const int at = done + lane_id(), whose = share.owner(at);
            const Offset from = __shfl_sync(ALL_LANES, first, whose);
            const int begin = __shfl_sync(ALL_LANES, share.begin, whose);
            if (at < share.total) body(base + whose, from + (at - begin));
        }
    }

    template <class Body> __device__ void long_row(Index p, Body body) const {
        const Index k = rows[p];
        const Offset first = firsts[p], last = indptr[k + 1];
        const Offset end = last - first > piece ? first + piece : last;
        for (Offset e = first + lane_id(); e < end; e += 32) body(k, e);
    }
};

// Calls body(k, e) for every edge e that leaves every marked vertex k. A warp looks at 32 words, and
// then at 32 pieces, that lie a grid apart, so that what is crowded in one place is shared out; where
// nothing is marked it passes on.
template <class Offset, class Body>
__device__ inline void each_marked(const Marked<Offset>& marked, Body body) {
    const Index words = words_of(marked.n), apart = warp_count();
    for (Index base = warp_id(); base < words; base += apart << 5) {
        const Index at = base + lane_id() * apart;
        const Word mine = at < words ? marked.bits[at] : 0;
        for (Word some = __ballot_sync(ALL_LANES, mine != 0); some != 0; some &= some - 1) {
            const int lane = __ffs(some) - 1;
            marked.word(base + lane * apart, __shfl_sync(ALL_LANES, mine, lane), body);
        }
    }
    for (Index base = warp_id(); base < marked.pieces; base += apart << 5) {
        const Index at = base + lane_id() * apart;
        const bool mine = at < marked.pieces && present(marked.bits, marked.rows[at]);
        for (Word some = __ballot_sync(ALL_LANES, mine); some != 0; some &= some - 1)
            marked.long_row(base + (__ffs(some) - 1) * apart, body);
    }
}
