// The steps of the kernel of betweenness for a list of vertices: it reads their rows, counts paths,
// and compares the bands of the numbers of paths (see brandes.cuh).
#pragma once
#include "core/grid.cuh"
#include "core/append.cuh"
#include "core/grid_stride.cuh"
#include "core/warp_reduce.cuh"

constexpr Index UNSEEN = -1, NOBODY = -2;
constexpr double BAND = 0x1p512;            // the factor between one band and the next

// The number of shortest paths: `times` in this band.
struct BandedPaths {
    double times;
    Index band;
};

// A number of one band, expressed in a band that is `steps` bands higher.
__device__ inline double lowered(double x, Index steps) {
    for (; steps > 0 && x != 0; --steps) x *= 1 / BAND;
    return x;
}

template <class Offset> struct BrandesRows {
    const Offset* indptr;
    const Index* indices;

    __device__ Offset degree(Index v) const { return indptr[v + 1] - indptr[v]; }
};

template <class Offset, int WIDTH> struct BrandesItems {
    Index* level;
    double* paths;  // the number of shortest paths from the source
    Index* band;    // of the paths, of which there may be one more
    double* on;     // Σ 1/paths(t) × (those from here on to t), over all t below; in the end with t = v
    Offset piece;
    unsigned* first_banded;  // level, 0 if there is none

    static __device__ int source() { return lane_id() % WIDTH; }
    static __device__ long long place(Index v) { return static_cast<long long>(v) * WIDTH + source(); }

    // For the items of a list, with WIDTH lanes for each: calls body(has, v, first, last), where
    // [first, last) are the entries of a piece of row v. Lanes for which there is no item take part
    // without entries.
    template <class Body>
    __device__ void each_item(const BrandesRows<Offset>& rows, const long long* items, Count size, Body body) const {
        constexpr int EACH = 32 / WIDTH;
        for (Count base : warp_stride<Count>(size, EACH)) {
            const Count i = base + lane_id() / WIDTH;
            const long long item = i < size ? items[i] : 0;
            const Index v = vertex_of(item);
            const long long first = rows.indptr[v] + piece_of(item) * piece, end = rows.indptr[v + 1];
            body(i < size, v, first, i >= size ? first : end < first + piece ? end : first + piece);
        }
    }

    // Calls body(u, level) for each entry u; u is NOBODY if another lane has more entries.
    template <class Body>
    __device__ void walk(const BrandesRows<Offset>& rows, long long first, long long last, Body body) const {
        for (long long e = first; __any_sync(ALL_LANES, e < last); e += LOADS) {
            Index u[LOADS], at[LOADS];
#pragma unroll
            for (int i = 0; i < LOADS; ++i) u[i] = e + i < last ? rows.indices[e + i] : NOBODY;
#pragma unroll
            for (int i = 0; i < LOADS; ++i)
                at[i] = u[i] == NOBODY ? NOBODY : *static_cast<volatile Index*>(level + place(u[i]));
#pragma unroll
            for (int i = 0; i < LOADS; ++i) body(u[i], at[i]);
        }
    }

    // True if the paths of this level are in bands. Only the level before it may still set this.
    __device__ bool banded(Index depth) const {
        const unsigned first = *static_cast<volatile unsigned*>(first_banded);
        return first != 0 && first <= unsigned(depth);
    }

    __device__ BandedPaths paths_of(long long at, bool banded) const {
        const double all = paths[at];
        if (!banded) return {all, 0};
        return all < BAND ? BandedPaths{all, band[at]} : BandedPaths{all * (1 / BAND), band[at] + 1};
    }

    // The number of bands from `low` to `high`.
    __device__ Index steps(long long low, long long high, bool banded) const {
        return banded ? paths_of(high, true).band - paths_of(low, true).band : 0;
    }

    // u has been reached from a vertex of the level before `next` with these paths: they are added,
    // or, with bands, only the highest band is recorded. True for the first thread that reached u
    // from any source in this level.
    __device__ bool meet(Index u, Index at, Index next, BandedPaths more, bool banded, Index* listed) const {
        if (at == UNSEEN) at = atomicCAS(level + place(u), UNSEEN, next);
        if (at != UNSEEN && at != next) return false;
        if (banded) atomicMax(band + place(u), more.band);
        else if (atomicAdd(paths + place(u), more.times) + more.times >= BAND) atomicMax(first_banded, unsigned(next));
        return at == UNSEEN && atomicExch(listed + u, next) != next;
    }

    // The sum over the sources of an item.
    static __device__ double over_sources(double x) {
        return warp_reduce<Sum, WIDTH>(x);
    }
};
