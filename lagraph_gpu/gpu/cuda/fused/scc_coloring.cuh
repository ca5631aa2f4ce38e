// The strongly connected components among few vertices, in one launch.
//
// The colour of a vertex is the least rank among the vertices that reach it. A pivot, whose colour
// is its own rank, and the vertices of its colour that reach it are a component. Edges between
// different colours are removed, and the remaining vertices are coloured again (see
// algorithms/structure/scc.py). All threads process the list of edges until nothing changes: if
// there are few edges, that takes less time than a record of the changes.
// See docs/decisions/components-and-trees.md.
#pragma once
#include "core/grid.cuh"
#include "core/append.cuh"
#include "core/grid_stride.cuh"

constexpr Count SETTLED = ~Count(0);  // the group of a vertex whose component is known

// The counters of a launch; all words are 0 at first.
struct Progress {
    Count* words;

    __device__ Count* vertices() const { return words; }     // listed vertices
    __device__ Count* entries() const { return words + 1; }  // entries in their rows
    __device__ Count* edges() const { return words + 2; }    // listed edges
    __device__ Count* rounds() const { return words + SCC_ROUNDS; }  // rounds that it took; 0 if it gave up
    __device__ volatile Count* changed(unsigned sweep) const { return words + 4 + (sweep & 1); }
    __device__ unsigned* arrivals() const { return reinterpret_cast<unsigned*>(words + 6); }
};

// Passes over the edges, each up to a barrier.
struct Passes {
    Progress progress;
    unsigned max_passes, number = 0;

    // Called by all threads at the end of a pass. True if any of them has changed something; false
    // also if there have been enough passes. One of the two words holds the last even pass that
    // changed something, the other one the last odd pass.
    __device__ bool again(bool changed) {
        ++number;
        if (changed) *progress.changed(number) = number;
        Grid{progress.arrivals()}.wait();
        return *progress.changed(number) == number && !enough();
    }
    __device__ bool enough() const { return number >= max_passes; }
};

// The data of the listed vertices, by their numbers in the list.
struct Vertices {
    Count* rank;
    Count* colour;
    Count* group;  // its colour in the round before, 0 at first; an edge counts only inside a group
    Word* seen;    // whether it is known to reach its pivot

    __device__ bool joins(Index a, Index b) const { return group[a] == group[b] && group[a] != SETTLED; }
    __device__ bool reaches(Index a) const { return colour[a] == rank[a] || peek(seen + a); }
    // Passes the colour of a along the edge to b. True if b's colour changes.
    __device__ bool colours(Index a, Index b) const {
        const Count mine = read_count(colour + a);
        return mine < read_count(colour + b) && atomicMin(colour + b, mine) > mine;
    }
    // Passes back that b reaches its pivot, which is also a's. True if this was not known of a.
    __device__ bool leads(Index a, Index b) const {
        if (colour[a] != colour[b] || reaches(a) || !reaches(b)) return false;
        *static_cast<volatile Word*>(seen + a) = 1;
        return true;
    }
};

// Works on those of n vertices that have a bit in `left`, and a row in A. pivot[v] becomes the
// rank, modulo 2³¹, of one vertex of v's component, which is the same for the whole component;
// `bits` says for which v it is set. Ranks are not negative. It gives up if the rows have more than
// `max_edges` entries together, and after so many passes. `listed` and `edges` have room for
// `max_edges`, `number` for n.
template <class Offset>
__global__ void __launch_bounds__(SCC_BLOCK, 2)
    scc_coloring(Index n, const Word* left, const long long* ranks, const Offset* indptr, const Index* indices,
           unsigned max_edges, unsigned passes, Index* number, Index* listed, Count* rank, Count* colour,
           Count* group, Word* seen, long long* edges, Word* bits, long long* pivot, Count* words) {
    const Progress progress{words};
    const Vertices of{rank, colour, group, seen};
    for (Index base : warp_stride<Index>(words_of(n), 32)) {
        if (__any_sync(ALL_LANES, read_count(progress.entries()) > max_edges)) break;
        const Index word = base + lane_id();
        Word mine = 0;
        Count entries = 0;
        for (Word rest = word < words_of(n) ? left[word] : 0; rest != 0; rest &= rest - 1) {
            const Index v = (word << 5) + __ffs(rest) - 1;
            const Offset degree = indptr[v + 1] - indptr[v];
            if (degree > 0) mine |= rest & -rest;
            entries += degree;
        }
        if (word < words_of(n)) bits[word] = mine;
        entries = running_sum(entries);
        const int running = running_sum(__popc(mine));
        Count at = 0;
        bool room = false;
        if (lane_id() == 31 && running > 0) {
            room = atomicAdd(progress.entries(), entries) + entries <= max_edges;
            if (room) at = atomicAdd(progress.vertices(), Count(running));
        }
        if (!__any_sync(ALL_LANES, room)) continue;
        at = __shfl_sync(ALL_LANES, at, 31) + running - __popc(mine);
        for (; mine != 0; mine &= mine - 1, ++at) {
            const Index v = (word << 5) + __ffs(mine) - 1;
            number[v] = static_cast<Index>(at);
            listed[at] = v;
            rank[at] = colour[at] = static_cast<Count>(ranks[v]);
            group[at] = seen[at] = 0;
        }
    }
    Passes pass{progress, passes};
    Grid{progress.arrivals()}.wait();
    if (read_count(progress.entries()) > max_edges) return;
    const Index count = static_cast<Index>(*progress.vertices());
    for (Index a : warp_stride<Index>(count)) {
        const Index v = listed[a];
        const Offset end = indptr[v + 1];
        for (Offset base = indptr[v] + lane_id(); base - lane_id() < end; base += 32 * LOADS) {
            Index w[LOADS];
#pragma unroll
            for (int i = 0; i < LOADS; ++i) w[i] = base + 32 * i < end ? indices[base + 32 * i] : -1;
#pragma unroll
            for (int i = 0; i < LOADS; ++i) {
                const bool counts = w[i] >= 0 && present(bits, w[i]);
                const Count to = append(counts, progress.edges());
                if (counts) edges[to] = item_of(a, number[w[i]]);
            }
        }
    }
    Grid{progress.arrivals()}.wait();
    const Count all = *progress.edges();
    bool open;
    Count round = 0;
    do {
        ++round;
        do {
            open = false;
            for (Count e : grid_stride<Count>(all)) {
                const Index a = vertex_of(edges[e]), b = static_cast<Index>(piece_of(edges[e]));
                if (of.joins(a, b) && of.colours(a, b)) open = true;
            }
        } while (pass.again(open));
        do {
            open = false;
            for (Count e : grid_stride<Count>(all)) {
                const Index a = vertex_of(edges[e]), b = static_cast<Index>(piece_of(edges[e]));
                if (of.joins(a, b) && of.leads(a, b)) open = true;
            }
        } while (pass.again(open));
        open = false;
        for (Index a : grid_stride<Index>(count)) {
            if (group[a] == SETTLED) continue;
            const bool settled = of.reaches(a);
            if (settled) pivot[listed[a]] = static_cast<long long>(colour[a] & 0x7fffffff);
            group[a] = settled ? SETTLED : colour[a];
            colour[a] = rank[a];
            open = open || !settled;
        }
    } while (pass.again(open));
    if (thread_id<Count>() == 0 && !pass.enough()) *progress.rounds() = round;
}
