// The steps of the kernels of betweenness for a list of vertices: they read their rows, count paths,
// and compare the bands of the numbers of paths (see brandes_forth.cuh).
// See docs/decisions/betweenness.md.
#pragma once
#include "core/grid.cuh"
#include "core/append.cuh"
#include "core/grid_stride.cuh"
#include "core/vector_load.cuh"
#include "core/warp_reduce.cuh"

constexpr int SUMMED_TOGETHER = 8;          // entries whose numbers are read at once
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

// The lists of all levels one after another, how many items each has, and how many edges leave it,
// or enter it if these are more. At the end `depth` is the number of levels, and `begin` where the
// list of the last one would end.
struct BrandesLevels {
    long long* items;
    Count *sizes, *edges, *depth, *begin;
};

// In a small part of the levels the first block has all items, and its threads wait for each other.
__device__ inline void meet_all(const Grid& grid, bool alone) {
    if (alone) __syncthreads();
    else grid.wait();
}

// Stamp is the type of levels: bytes, or Index where there may be more levels than these hold.
template <class Offset, int WIDTH, class Stamp> struct BrandesItems {
    static constexpr Stamp UNSEEN = static_cast<Stamp>(-1), NOBODY = static_cast<Stamp>(-2);
    static constexpr int ROW = WIDTH * sizeof(Stamp);
    static constexpr bool may_pull = sizeof(Stamp) == 1;  // with many levels no frontier has most edges
    // The numbers of a vertex take a sector, as its levels do: they are read without these. What a round adds up is
    // negative until its end, so that others can tell it from what was known before.
    static constexpr bool signs = may_pull && WIDTH * sizeof(double) <= 32;
    static constexpr int FINISHED = LOADS / 2;  // items that a lane finishes together

    // Those of a vertex, which a thread reads together.
    struct alignas(ROW < 16 ? ROW : 16) Levels {
        Stamp at[WIDTH];
    };

    // For n · WIDTH each.
    Stamp* level;
    double* paths;  // the number of shortest paths from the source
    double* on;     // Σ 1/paths(t) × (those from here on to t), over all t below; in the end with t = v
    Index* band;    // of the paths, of which there may be one more
    unsigned* first_banded;  // level, 0 if there is none
    Offset piece;

    static __device__ int source() { return lane_id() % WIDTH; }
    static __device__ long long place(Index v) { return static_cast<long long>(v) * WIDTH + source(); }

    static __device__ bool small(Count items) { return items * WIDTH <= Count(blockDim.x); }

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

    // Calls body(u, at) for several entries u and their levels `at` together. The level is NOBODY if
    // another lane has more entries.
    template <class Body>
    __device__ void walk_together(const BrandesRows<Offset>& rows, long long first, long long last, Body body) const {
        for (long long e = first; __any_sync(ALL_LANES, e < last); e += LOADS) {
            Index u[LOADS];
            Stamp at[LOADS];
#pragma unroll
            for (int i = 0; i < LOADS; ++i) u[i] = e + i < last ? rows.indices[e + i] : -1;
#pragma unroll
            for (int i = 0; i < LOADS; ++i)
                at[i] = u[i] < 0 ? NOBODY : peek(level + place(u[i]));
            body(u, at);
        }
    }
    // Calls body(u, level) for each entry u.
    template <class Body>
    __device__ void walk(const BrandesRows<Offset>& rows, long long first, long long last, Body body) const {
        walk_together(rows, first, last, [&](Index (&u)[LOADS], Stamp (&at)[LOADS]) {
#pragma unroll
            for (int i = 0; i < LOADS; ++i) body(u[i], at[i]);
        });
    }

    // The sum of those of the entries' numbers that are positive.
    __device__ double sum_known(const BrandesRows<Offset>& rows, const double* numbers, bool wanted, long long first,
                                long long last) const {
        double sum = 0;
        for (long long e = first; __any_sync(ALL_LANES, e < last); e += SUMMED_TOGETHER) {
            Index u[SUMMED_TOGETHER];
            double x[SUMMED_TOGETHER];
#pragma unroll
            for (int i = 0; i < SUMMED_TOGETHER; ++i) u[i] = e + i < last ? rows.indices[e + i] : -1;
            loaded(u);
#pragma unroll
            for (int i = 0; i < SUMMED_TOGETHER; ++i) x[i] = wanted && u[i] >= 0 ? peek(numbers + place(u[i])) : 0;
            loaded(x);
#pragma unroll
            for (int i = 0; i < SUMMED_TOGETHER; ++i) sum += x[i] > 0 ? x[i] : 0;
        }
        return sum;
    }

    // After a pull to `depth`: its numbers become positive.
    __device__ void settle(Index v, Index depth) const {
        double* const of_vertex = paths + static_cast<long long>(v) * WIDTH;
        double x[WIDTH];
#pragma unroll
        for (int s = 0; s < WIDTH; ++s) x[s] = of_vertex[s];
#pragma unroll
        for (int s = 0; s < WIDTH; ++s) {
            if (x[s] < 0) of_vertex[s] = -x[s];
            if (x[s] <= -BAND) atomicMax(first_banded, unsigned(depth));
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
    // from any source in this level, if it is to be listed.
    __device__ bool meet(Index u, Stamp at, Index next, BandedPaths more, bool banded, bool lists,
                         Index* listed) const {
        const Stamp stamp = static_cast<Stamp>(next);
        const bool fresh = at == UNSEEN;
        if (!fresh && at != stamp) return false;
        if (fresh) *static_cast<volatile Stamp*>(level + place(u)) = stamp;
        if (banded) atomicMax(band + place(u), more.band);
        else add_paths(place(u), more.times, next);
        return fresh && lists && peek(listed + u) != next && atomicExch(listed + u, next) != next;
    }
    __device__ void add_paths(long long at, double more, Index next) const {
        if (atomicAdd(paths + at, more) + more >= BAND) atomicMax(first_banded, unsigned(next));
    }

    // A source that has not reached the item's vertex sums up the paths of those of its entries that
    // are at this depth, and so reaches it. Pieces of a row may be summed at the same time.
    __device__ void gather(const BrandesRows<Offset>& rows, Index v, long long first, long long last,
                           Index depth) const {
        const Stamp from = static_cast<Stamp>(depth), next = static_cast<Stamp>(depth + 1);
        const Stamp was = peek(level + place(v));
        const bool open = was == UNSEEN || was == next;
        double sum = 0;
        if constexpr (signs) {
            sum = sum_known(rows, paths, open, first, last);
            if (sum == 0) return;
            atomicAdd(paths + place(v), -sum);
        } else {
            walk(rows, first, last, [&](Index u, Stamp at) {
                if (open && at == from) sum += paths[place(u)];
            });
            if (sum == 0) return;
            add_paths(place(v), sum, depth + 1);
        }
        *static_cast<volatile Stamp*>(level + place(v)) = next;
    }

    // Has any source the vertex at this level?
    __device__ bool any_at(Index v, Stamp wanted) const {
        const Levels all = reinterpret_cast<const Levels*>(level)[v];
        bool any = false;
#pragma unroll
        for (int s = 0; s < WIDTH; ++s) any |= all.at[s] == wanted;
        return any;
    }

    // The sum over the sources of an item.
    static __device__ double over_sources(double x) {
        return warp_reduce<Sum, WIDTH>(x);
    }
};
