// The order of the vertices of a Kronecker graph whose rows are made in a memory that holds little more than them:
// every edge follows from its number, so all are drawn once to count the degrees (see end_buckets.cuh), once to
// order ties, and once more for each group of rows (see row_buckets.cuh). Where there is room, all edges are kept from
// the first time on.
//
// Vertices are numbered by falling drawn degree: the edges at a vertex that are no loops, duplicates
// counted. Those of equal degree with short rows are numbered by their least neighbour, so that rows whose first
// columns are equal stand together. Ends are looked up by the numbers that the levels of an edge give, before any
// names.
// A process may make a part of the rows alone: those with the numbers rank, rank + size, and so on.
// See docs/decisions/layouts.md.
#pragma once
#include "core/partition_point.cuh"
#include "generate/kronecker_edges.cuh"

// Keys that sort vertices by falling degree, ties by name.
__global__ void drawn_keys(long long n, const unsigned* degrees, const Index* name, Pair* keys) {
    for (long long u : grid_stride<long long>(n)) keys[u] = pair_of(static_cast<Index>(~degrees[u]), name[u]);
}

// For each vertex that has edges its place among the sorted keys, and beside it, in the lower half, no neighbour yet.
__global__ void begin_least(long long n, const unsigned* degrees, const Index* name, const Index* place, Pair* ends) {
    const Index none = static_cast<Index>(n);
    for (long long u : grid_stride<long long>(n)) ends[u] = pair_of(degrees[u] > 0 ? place[name[u]] : none, none);
}

// The least neighbour of each vertex with a short row, both as sorted by the keys so far: of both ends of an edge one
// word has the place and the least so far. Vertices that are not of the classes `shorter` have long rows.
__global__ void least_neighbours(long long count, Drawing drawing, Word shorter, Pair* ends) {
    drawing.begin();
    const auto least = [=](Index u) { return reinterpret_cast<Index*>(ends + u); };
    for (long long number : grid_stride<long long>(count)) {
        const Pair edge = drawing.quarters(number);
        const Index u = first_end(edge), v = second_end(edge);
        const bool first = shorter >> drawing.ones(u) & 1u, second = shorter >> drawing.ones(v) & 1u;
        if (u == v || (!first && !second)) continue;
        const Pair of_u = peek(ends + u), of_v = peek(ends + v);
        if (first && first_end(of_v) < second_end(of_u)) atomicMin(least(u), first_end(of_v));
        if (second && first_end(of_u) < second_end(of_v)) atomicMin(least(v), first_end(of_u));
    }
}

// By place, of those from `begin` to before `end`.
__global__ void take_least(long long n, const Pair* ends, Index begin, Index end, Index* least) {
    for (long long u : grid_stride<long long>(n)) {
        const Pair found = ends[u];
        const Index at = first_end(found);
        if (at >= begin && at < end) least[at - begin] = second_end(found);
    }
}

// Keys that sort the sorted vertices with short rows by falling degree, and then by their least neighbour.
__global__ void tie_keys(long long n, const Pair* keys, const Index* least, Pair* ties) {
    for (long long i : grid_stride<long long>(n)) ties[i] = pair_of(first_end(keys[i]), least[i]);
}

// The keys in another order, in which those from `begin` to before `end` are sorted.
__global__ void take_ties(long long n, const Pair* keys, long long begin, long long end, const long long* order,
                          Pair* sorted) {
    for (long long i : grid_stride<long long>(n))
        sorted[i] = keys[i < begin || i >= end ? i : begin + order[i - begin]];
}

// How many of the sorted keys have a degree above each of some bounds.
__global__ void count_above(long long n, const Pair* keys, Index bounds, const unsigned* bound, Index* counts) {
    for (Index b : grid_stride<Index>(bounds))
        counts[b] = static_cast<Index>(partition_point(0ll, n, [&](long long i) {
            return ~static_cast<unsigned>(keys[i] >> 32) > bound[b];
        }));
}

// From the sorted keys: the place of each name of the first `connected`, which have edges, and of the rows of a part
// the names and the drawn degrees, twice: `ends` are those without loops.
__global__ void take_order(long long n, const Pair* keys, Index connected, Index rank, Index size, long long* ids,
                           Index* place, unsigned* degrees, unsigned* ends) {
    for (long long i : grid_stride<long long>(n)) {
        const Index name = second_end(keys[i]);
        if (i < connected) place[name] = static_cast<Index>(i);
        if (i % size != rank) continue;
        ids[i / size] = name;
        degrees[i / size] = ends[i / size] = ~static_cast<unsigned>(keys[i] >> 32);
    }
}

// The place of each vertex that has edges or loops, n of the others, which nobody looks up, and the ends of edges at
// those of a part with loops, which count twice. The keys from `connected` on, of vertices with loops at most, stand in
// the order of names.
__global__ void take_places(long long n, Index connected, const Pair* keys, const Index* name, const Index* place,
                            const unsigned* degrees, const unsigned* loops, Index rank, Index size, Index* to,
                            unsigned* ends) {
    for (long long u : grid_stride<long long>(n)) {
        Index at = static_cast<Index>(n);
        const unsigned looped = loops[u];
        if (degrees[u] > 0) at = place[name[u]];
        else if (looped > 0)
            at = partition_point(connected, at, [&](Index i) { return second_end(keys[i]) < name[u]; });
        to[u] = at;
        if (looped > 0 && at % size == rank) ends[at / size] += 2 * looped;
    }
}

// For each of some counts, the last multiple of 32 rows before which at most so many entries lie.
__global__ void cut_rows(Index n, const long long* begins, Index cuts, const long long* most, Index* rows) {
    for (Index c : grid_stride<Index>(cuts))
        rows[c] = partition_point(Index(0), n, [&](Index i) { return begins[i + 1] <= most[c]; }) & ~31;
}

// The least and the most of some values of the vertices of each class, of those below a bound. Before, the least are
// as large as can be, and the most 0.
__global__ void class_bounds(long long n, Drawing drawing, const unsigned* values, unsigned below, unsigned* least,
                             unsigned* most) {
    __shared__ unsigned low[32], high[32];
    drawing.begin();
    if (threadIdx.x < 32) {
        low[threadIdx.x] = ~0u;
        high[threadIdx.x] = 0;
    }
    __syncthreads();
    for (long long u : grid_stride<long long>(n)) {
        const unsigned value = values[u];
        const int of = drawing.ones(static_cast<Index>(u));
        if (value >= below) continue;
        if (value < peek(low + of)) atomicMin(low + of, value);
        if (value > peek(high + of)) atomicMax(high + of, value);
    }
    __syncthreads();
    if (threadIdx.x >= 32) return;
    atomicMin(least + threadIdx.x, low[threadIdx.x]);
    atomicMax(most + threadIdx.x, high[threadIdx.x]);
}

// The values at some positions.
__global__ void pick_begins(Index count, const Index* rows, const long long* begins, long long* found) {
    for (Index c : grid_stride<Index>(count)) found[c] = begins[rows[c]];
}

// Kept edges from now on have the places of their ends.
__global__ void place_kept(long long count, const Index* to, Pair* kept) {
    for (long long e : grid_stride<long long>(count))
        kept[e] = pair_of(to[first_end(kept[e])], to[second_end(kept[e])]);
}

// The columns of the marked pairs.
__global__ void keep_columns(long long count, const Pair* pairs, const Word* kept, const long long* ends,
                             Index* columns) {
    for (long long e : grid_stride<long long>(count))
        if (kept[e >> 5] >> (e & 31) & 1u) columns[rank(kept, ends, e)] = second_end(pairs[e]);
}
