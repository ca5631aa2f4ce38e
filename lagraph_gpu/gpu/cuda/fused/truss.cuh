// Trusses: edges in too few triangles are removed, and each takes its triangles with it.
//
// The support of an edge is the number of triangles that it lies in. It is counted once. Each edge
// leads to its end of higher degree (or of lower id), and stands in the row of the other, so that no
// row is longer than sqrt(2m) and each triangle is found once: O(m^1.5). An edge has the number of
// its place in these rows.
//
// Then edges of too little support are removed in rounds. In each triangle that a removed edge still
// lies in, the other two edges lose one of their support, and an edge that falls below the bound
// is removed in the next round. A triangle with two edges that are removed in the same round belongs to
// the lower number. All removals read, for each edge, the neighbours of its end of lower degree:
// O(m^1.5 log m) at most (Chiba and Nishizeki 1985). Small rounds are left to one block.
// See docs/decisions/cores-sets-and-colours.md.
#pragma once
#include "core/append.cuh"
#include "core/grid_stride.cuh"
#include "core/warp_reduce.cuh"
#include "matrix/entries.cuh"

// Does an edge between u and v lead from u to v? `indptr` is of the rows of all neighbours.
template <class Offset> __device__ inline bool leads(const Offset* indptr, Index u, Index v) {
    const Offset du = indptr[u + 1] - indptr[u], dv = indptr[v + 1] - indptr[v];
    return du < dv || (du == dv && v < u);
}

// The first `count` lanes of a warp; none if it is negative.
__device__ inline Word lanes_up_to(int count) { return count <= 0 ? 0 : count >= 32 ? ALL_LANES : (1u << count) - 1; }

// Two rows whose common columns are wanted: the shorter one is read, and looked for in the other.
template <class Offset> struct RowPair {
    Offset read, low, high;  // where the row to read begins; the other row
    int count;               // of entries to read

    __device__ RowPair() : read(0), low(0), high(0), count(0) {}
    __device__ RowPair(const Offset* indptr, Index u, Index v) {
        const Offset u0 = indptr[u], u1 = indptr[u + 1], v0 = indptr[v], v1 = indptr[v + 1];
        const bool swapped = v1 - v0 < u1 - u0;
        read = swapped ? v0 : u0;
        low = swapped ? u0 : v0;
        high = swapped ? u1 : v1;
        count = low == high ? 0 : static_cast<int>(swapped ? v1 - v0 : u1 - u0);
    }

    // Reads the columns of the pairs of all lanes, shared out evenly, and calls body(common, lane, a, b, mine):
    // is a column common to both rows of that lane's pair, and at which places; and which lanes of the warp
    // have columns of this lane's own pair. All lanes must call it. Returns the number of columns read.
    template <class Body> __device__ int each_common(const Index* indices, Body body) const {
        const WarpShare share(count);
        for (int done = 0; done < share.total; done += 32) {
            const int at = done + lane_id(), whose = share.owner(at);
            const Offset a = __shfl_sync(ALL_LANES, read - share.begin, whose) + at;
            const Offset from = __shfl_sync(ALL_LANES, low, whose), end = __shfl_sync(ALL_LANES, high, whose);
            Offset b = end;
            bool common = false;
            if (at < share.total) {
                b = seek_column(indices, from, end, indices[a]);
                common = b < end && indices[b] == indices[a];
            }
            body(common, whose, a, b, lanes_up_to(share.end - done) & ~lanes_up_to(share.begin - done));
        }
        return share.total;
    }
};

// Marks the entries that lead from their row.
template <class Offset>
__global__ void mark_leading(Offset nnz, Index n, const Offset* indptr, const Index* indices, Word* kept,
                             Offset* counts) {
    RowsOfWords<Offset> rows{indptr, n};
    rows.each(nnz, warp_id(), warp_count(), [&](Offset word) {
        const Index i = rows(word);
        const Offset e = (word << 5) + lane_id();
        const Word now = __ballot_sync(ALL_LANES, e < nnz && leads(indptr, i, indices[e]));
        if (lane_id() == 0) {
            kept[word] = now;
            counts[word] = __popc(now);
        }
    });
}

// The support of each edge, 0 at first. `read` is increased by the number of columns read.
template <class Offset>
__global__ void edge_supports(Offset m, Index n, const Offset* indptr, const Index* indices, unsigned* support,
                              Count* read) {
    Count mine = 0;
    RowsOfWords<Offset> rows{indptr, n};
    rows.each(m, warp_id(), warp_count(), [&](Offset word) {
        const Index u = rows(word);
        const Offset e = (word << 5) + lane_id();
        const RowPair<Offset> pair = e < m ? RowPair<Offset>(indptr, u, indices[e]) : RowPair<Offset>();
        unsigned own = 0;
        mine += pair.each_common(indices, [&](bool common, int, Offset a, Offset b, Word lanes) {
            own += __popc(__ballot_sync(ALL_LANES, common) & lanes);
            if (!common) return;
            atomicAdd(support + a, 1u);
            atomicAdd(support + b, 1u);
        });
        if (own > 0) atomicAdd(support + e, own);
    });
    if (lane_id() == 0 && mine > 0) atomicAdd(read, mine);
}

// The removal of edges.
template <class Offset> struct Removal {
    const Offset* indptr;  // the rows of all neighbours
    const Index* indices;
    const Offset* begins;  // the rows of the edges, each in that of the vertex from which it leads
    const Index* ends;
    unsigned* support;
    unsigned* gone;  // the round in which an edge was removed, or 0
    Offset* queue;   // the removed edges, round after round
    Count* counts;   // of edges in the queue; and see the kernels
    Index n;
    unsigned least;  // support that an edge needs

    // The number of the edge between a and b.
    __device__ Offset number(Index a, Index b) const {
        const Structure<Offset> edges{begins, ends};
        return leads(indptr, a, b) ? edges.seek(a, b) : edges.seek(b, a);
    }

    // Takes one from the support of an edge: true if it falls below the bound.
    __device__ bool falls(Offset edge) const { return atomicSub(support + edge, 1u) == least; }

    // The rows at the ends of this lane's edge, of which it has one if `has`; u leads to v.
    __device__ RowPair<Offset> pair_of(bool has, Offset edge, Index& u, Index& v) const {
        if (!has) return RowPair<Offset>();
        u = row_of(begins, n, edge);
        v = ends[edge];
        return RowPair<Offset>(indptr, u, v);
    }

    // The triangles of `items` edges, which are marked as gone in this round, by some warps.
    __device__ void round(const Offset* now, Count items, unsigned number_of_round, Count warp, Count warps) const {
        for (const auto numbers : lanes_apart<Count>(items, warp, warps)) {
            const Count at = numbers.own();
            const Offset edge = at < items ? now[at] : 0;
            Index u = 0, v = 0;
            pair_of(at < items, edge, u, v).each_common(indices, [&](bool common, int lane, Offset a, Offset, Word) {
                const Offset own = __shfl_sync(ALL_LANES, edge, lane);
                const Index x = __shfl_sync(ALL_LANES, u, lane), y = __shfl_sync(ALL_LANES, v, lane);
                Offset sides[2] = {0, 0};
                bool fallen[2] = {false, false};
                if (common) {
                    const Index w = indices[a];
                    sides[0] = number(x, w);
                    sides[1] = number(y, w);
                    take_triangle(own, sides, number_of_round, fallen);
                }
                Count places[2];
                append<2>(fallen, counts, places);
                for (int i = 0; i < 2; ++i)
                    if (fallen[i]) queue[places[i]] = sides[i];
            });
        }
    }

    // A triangle of `own` and two sides, unless it went in an earlier round or is another edge's. A side that
    // goes in this round too is below the bound, so that it cannot fall again.
    __device__ void take_triangle(Offset own, const Offset (&sides)[2], unsigned now, bool (&fallen)[2]) const {
        for (int i = 0; i < 2; ++i) {
            const unsigned when = gone[sides[i]];
            if (when != 0 && (when < now || sides[i] < own)) return;
        }
        for (int i = 0; i < 2; ++i) fallen[i] = falls(sides[i]);
    }
};

// Queues the edges that are in some triangles, but too few. `counts`: of edges in the queue; of edges in
// too few triangles, or none; of the columns that the removal of the first will read.
template <class Offset> __global__ void queue_weak(Offset m, Removal<Offset> removal) {
    Count weak = 0, columns = 0;
    for (Offset base : warp_stride<Offset>(m, 32)) {
        const Offset e = base + lane_id();
        const unsigned support = e < m ? removal.support[e] : removal.least;
        const bool few = support < removal.least, queued = few && support > 0;
        weak += few;
        const Count at = append(queued, removal.counts);
        Index u, v;
        if (queued) removal.queue[at] = e;
        columns += removal.pair_of(queued, e, u, v).count;
    }
    weak = warp_reduce<Sum>(weak);
    columns = warp_reduce<Sum>(columns);
    if (lane_id() != 0 || weak == 0) return;
    atomicAdd(removal.counts + 1, weak);
    atomicAdd(removal.counts + 2, columns);
}

// Marks the edges of a round as gone.
template <class Offset> __global__ void mark_gone(Count begin, Count end, unsigned round, Removal<Offset> removal) {
    for (Count i : grid_stride<Count>(end - begin)) removal.gone[removal.queue[begin + i]] = round;
}

template <class Offset>
__global__ void remove_edges(Count begin, Count end, unsigned round, Removal<Offset> removal) {
    removal.round(removal.queue + begin, end - begin, round, warp_id(), warp_count());
}

// Round after round by one block, until no edge is left to remove, or more than `few`. counts[1] becomes
// where the next round's edges begin, counts[2] the next round.
template <class Offset>
__global__ void __launch_bounds__(TRUSS_BLOCK)
    small_truss_rounds(Count begin, Count end, unsigned round, Count few, Removal<Offset> removal) {
    while (begin < end && end - begin <= few) {
        for (Count i = begin + threadIdx.x; i < end; i += blockDim.x) removal.gone[removal.queue[i]] = round;
        __syncthreads();
        removal.round(removal.queue + begin, end - begin, round, threadIdx.x >> 5, blockDim.x >> 5);
        __syncthreads();
        begin = end;
        end = read_count(removal.counts);  // which nobody changes before the next barrier
        ++round;
    }
    if (threadIdx.x != 0) return;
    removal.counts[1] = begin;
    removal.counts[2] = round;
}

// Marks the entries whose edges have enough support, in both directions. `leading` are the marked entries
// that mark_leading found, with their number up to the end of each word.
template <class Offset>
__global__ void mark_strong(Offset nnz, const Word* leading, const Offset* ranks, Removal<Offset> removal,
                            Word* kept, Offset* counts) {
    RowsOfWords<Offset> rows{removal.indptr, removal.n};
    rows.each(nnz, warp_id(), warp_count(), [&](Offset word) {
        const Index i = rows(word);
        const Offset e = (word << 5) + lane_id();
        bool stays = false;
        if (e < nnz) {
            const bool first = leading[word] >> lane_id() & 1u;
            const Offset edge = first ? rank(leading, ranks, e) : removal.number(removal.indices[e], i);
            stays = removal.support[edge] >= removal.least;
        }
        const Word now = __ballot_sync(ALL_LANES, stays);
        if (lane_id() == 0) {
            kept[word] = now;
            counts[word] = __popc(now);
        }
    });
}
