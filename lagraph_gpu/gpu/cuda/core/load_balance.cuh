// Load balance of the classical push kernels: which threads process which edges. It is the only
// difference between these kernels.
//
// A schedule has one function, each(frontier, body), which calls body(k, e) for every edge e that
// leaves every vertex k of the frontier, divided among the threads of the grid.
#pragma once
#include "core/bitmap.cuh"
#include "core/grid_stride.cuh"
#include "core/partition_point.cuh"

// The first of sums[low … high], which increase, that is greater than `at`; the last one is.
template <class Sum, class At> __device__ inline At first_beyond(const Sum* sums, At low, At high, Sum at) {
    return partition_point(low, high, [&](At i) { return sums[i] <= at; });
}

// The first of sums[low … last], which increase, that is greater than `at`; the last one is. It is likely near
// `low`, and looked for in steps that double.
template <class Sum, class At> __device__ inline At next_beyond(const Sum* sums, At low, At last, Sum at) {
    At high = low, step = 1;
    while (sums[high] <= at) {
        low = high + 1;
        high = step < last - high ? high + step : last;
        step += step;
    }
    return first_beyond(sums, low, high, at);
}

// The items of all lanes of a warp, numbered one after another, so that they can be shared out
// evenly. All lanes must take part in each call.
struct WarpShare {
    int end, begin, total;  // of this lane's items, and of all

    __device__ explicit WarpShare(int count) : end(running_sum(count)) {
        begin = end - count;
        total = __shfl_sync(ALL_LANES, end, 31);
    }

    // The lane whose item number `at` is: the first whose items end beyond it.
    __device__ int owner(int at) const {
        return lane_partition_point(end, [&](int end) { return end <= at; });
    }
};

// Each lane brings a row of `degree` edges from `first` on; calls body(lane, e) for all of them,
// shared out evenly over the warp. All lanes must call it.
template <class Offset, class Body>
__device__ inline void each_of_lanes(Offset first, int degree, Body body) {
    const WarpShare share(degree);
    for (int done = 0; done < share.total; done += 32) {
        const int at = done + lane_id(), whose = share.owner(at);
        const Offset from = __shfl_sync(ALL_LANES, first, whose);
        const int begin = __shfl_sync(ALL_LANES, share.begin, whose);
        if (at < share.total) body(whose, from + (at - begin));
    }
}

// The vertices of a list; or, if that is null, those of 0 … count - 1 that `bits` marks.
template <class Offset> struct Frontier {
    Index count;
    const Index* vertices;
    const Word* bits;
    const long long* ends;  // running sum of the degrees; only SearchEdges reads it
    const Offset* indptr;
};

// One thread a vertex (Harish, Narayanan 2007): no overhead, but one thread does all of a hub. It is
// the only schedule that needs no list: then there is a thread for every vertex of the graph.
struct ThreadPerVertex {
    template <class Offset, class Body>
    static __device__ void each(const Frontier<Offset>& frontier, Body body) {
        for (unsigned f : grid_stride<unsigned>(frontier.count)) {
            if (frontier.vertices == nullptr && !present(frontier.bits, f)) continue;
            const Index k = frontier.vertices == nullptr ? f : frontier.vertices[f];
            const Offset end = frontier.indptr[k + 1];
            for (Offset e = frontier.indptr[k]; e < end; ++e) body(k, e);
        }
    }
};

// One warp a vertex (Hong et al. 2011): neighbours are read side by side.
struct WarpPerVertex {
    template <class Offset, class Body>
    static __device__ void each(const Frontier<Offset>& frontier, Body body) {
        for (Index f : warp_stride<Index>(frontier.count)) {
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
        for (long long at : grid_stride<long long>(frontier.ends[frontier.count - 1])) {
            const Index f = first_beyond(frontier.ends, 0, frontier.count - 1, at);
            const Index k = frontier.vertices[f];
            const long long before = f == 0 ? 0 : frontier.ends[f - 1];
            body(k, frontier.indptr[k] + static_cast<Offset>(at - before));
        }
    }
};

constexpr int LARGEST_BLOCK = 1024;

// A block, a warp or a thread a vertex, by its degree (Merrill, Garland, Grimshaw 2012). A block
// takes a vertex for each of its threads and sorts them into these three; all of its threads must
// call it.
struct BucketsByDegree {
    template <class Offset, class Body>
    static __device__ void each(const Frontier<Offset>& frontier, Body body) {
        __shared__ Index hubs[LARGEST_BLOCK];
        __shared__ unsigned found;
        const unsigned count = frontier.count;
        for (unsigned base : block_stride<unsigned>(count, blockDim.x)) {
            if (threadIdx.x == 0) found = 0;
            __syncthreads();
            Index k = 0;
            Offset first = 0, degree = 0;
            if (base + threadIdx.x < count) {
                k = frontier.vertices[base + threadIdx.x];
                first = frontier.indptr[k];
                degree = frontier.indptr[k + 1] - first;
            }
            if (degree >= Offset(blockDim.x)) {
                hubs[atomicAdd(&found, 1u)] = k;
                degree = 0;
            }
            for (Word some = __ballot_sync(ALL_LANES, degree >= 32); some != 0; some &= some - 1) {
                const int lane = __ffs(some) - 1;
                const Index whole = __shfl_sync(ALL_LANES, k, lane);
                const Offset from = __shfl_sync(ALL_LANES, first, lane);
                const Offset all = __shfl_sync(ALL_LANES, degree, lane);
                for (Offset e = lane_id(); e < all; e += 32) body(whole, from + e);
            }
            if (degree < 32)
                for (Offset e = 0; e < degree; ++e) body(k, first + e);
            __syncthreads();
            for (unsigned h = 0; h < found; ++h) {
                const Offset end = frontier.indptr[hubs[h] + 1];
                for (Offset e = frontier.indptr[hubs[h]] + threadIdx.x; e < end; e += blockDim.x)
                    body(hubs[h], e);
            }
            __syncthreads();
        }
    }
};

// A frontier without a list: a bitmap marks the vertices. Rows of more than `piece` entries are listed in a table
// of the matrix in pieces of `piece` entries: piece p begins at entry firsts[p] of row rows[p].
template <class Offset> struct Marked {
    Index n;
    const Word* bits;
    const Offset* indptr;
    Index piece, pieces;
    const Index* rows;
    const Offset* firsts;

    // Calls body(k, e) for the edges of a word's vertices, long rows excepted. All lanes must call
    // it.
    template <class Body> __device__ void word(Index word, Word marks, Body body) const {
        const Index base = word << 5;
        Offset first = 0;
        int degree = 0;
        if (marks >> lane_id() & 1u) {
            first = indptr[base + lane_id()];
            const Offset all = indptr[base + lane_id() + 1] - first;
            degree = all > piece ? 0 : static_cast<int>(all);
        }
        each_of_lanes(first, degree, [&](int lane, Offset e) { body(base + lane, e); });
    }

    template <class Body> __device__ void long_row(Index p, Body body) const {
        const Index k = rows[p];
        const Offset first = firsts[p], last = indptr[k + 1];
        const Offset end = last - first > piece ? first + piece : last;
        for (Offset e = first + lane_id(); e < end; e += 32) body(k, e);
    }
};

// Calls body(k, e) for every edge e that leaves every marked vertex k. A warp looks at 32 words,
// and then at 32 pieces, that lie a grid apart, so that marked vertices which lie close together are
// shared out.
template <class Offset, class Body>
__device__ inline void each_marked(const Marked<Offset>& marked, Body body) {
    const Index words = words_of(marked.n);
    for (const auto numbers : lanes_apart<Index>(words, warp_id())) {
        const Index at = numbers.own();
        const Word mine = at < words ? marked.bits[at] : 0;
        for (Word some = __ballot_sync(ALL_LANES, mine != 0); some != 0; some &= some - 1) {
            const int lane = __ffs(some) - 1;
            marked.word(numbers.of(lane), __shfl_sync(ALL_LANES, mine, lane), body);
        }
    }
    for (const auto numbers : lanes_apart<Index>(marked.pieces, warp_id())) {
        const Index at = numbers.own();
        const bool mine = at < marked.pieces && present(marked.bits, marked.rows[at]);
        for (Word some = __ballot_sync(ALL_LANES, mine); some != 0; some &= some - 1)
            marked.long_row(numbers.of(__ffs(some) - 1), body);
    }
}
