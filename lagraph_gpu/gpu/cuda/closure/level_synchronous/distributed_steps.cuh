// The steps of a level of a closure under `any` whose rows are distributed over processes, each with
// a device. Of so many parts, number r has the rows r, r + parts, r + 2 · parts, …; columns are not
// divided.
//
// A pull reads the frontier of all processes from a bitmap that each of them has whole. A push lists
// what it finds for each owner, each position once: `seen` marks what this process has sent before
// or knows to be reached. Nothing reads the values of the vector. distributed_level.cuh has a kernel
// for each step, between which the host moves lists and bitmaps; in resident_levels.cuh one kernel
// takes all of them.
// See docs/decisions/cluster.md.
#pragma once
#include "closure/level_synchronous/level_state.cuh"
#include "core/grid_stride.cuh"
#include "core/operands.cuh"

// The number of a position among all, from its place in part `rank`.
struct CyclicRows {
    Index parts, rank;

    __device__ Index position(Index place) const { return place * parts + rank; }
};

// The part of a position among two or more, and its place there. A position is divided by their number
// with a multiplication, which is exact for 31 bits.
struct CyclicOwner {
    Index parts;
    int shift;
    unsigned factor;

    __device__ explicit CyclicOwner(Index parts)
        : parts(parts),
          shift(31 - __clz(parts - 1)),
          factor(static_cast<unsigned>(((1ull << (32 + shift)) - 1) / static_cast<unsigned>(parts)) + 1) {}
    __device__ Index place(Index j) const { return static_cast<Index>(__umulhi(unsigned(j), factor) >> shift); }
    __device__ Index part(Index j, Index place) const { return j - place * parts; }
};

// The entries of x₀ into x, and their rounds, which are 0. counts[2] and counts[3], 0 at first, count
// them and the edges that leave them. Positions of `fresh`, which has so many words, are marked as
// those of x.
template <class Z, class Offset>
__device__ inline void begin_distributed(Index n, const Start<Z>& start, const SparseOutput<Z>& x,
                                         Index* rounds, Word* fresh, Index fresh_words, const Offset* indptr,
                                         Count* counts) {
    Count vertices = 0, edges = 0;
    for (Index word : grid_stride<Index>(words_of(n))) {
        const Word only = word == start.only >> 5 ? 1u << (start.only & 31) : 0;
        const Word any = start.only >= 0 ? only : start.bits == nullptr ? ALL_LANES : start.bits[word];
        const Word here = any & inside(word, n);
        x.bits[word] = here;
        if (word < fresh_words) fresh[word] = here;
        vertices += __popc(here);
        for (Word left = here; left != 0; left &= left - 1) {
            const Index j = (word << 5) + __ffs(static_cast<int>(left)) - 1;
            x.values[j] = start.at(j);
            rounds[j] = 0;
            edges += indptr[j + 1] - indptr[j];
        }
    }
    if (vertices > 0) atomicAdd(counts + 2, vertices);
    if (edges > 0) atomicAdd(counts + 3, edges);
}

// Every second, fourth or eighth bit of a word from its lowest 16, 8 or 4 bits.
__device__ inline Word spread(Word x, Index apart) {
    if (apart == 8) {
        x = (x | x << 14) & 0x00030003u;
        return (x | x << 7) & 0x01010101u;
    }
    if (apart == 4) {
        x = (x | x << 12) & 0x000f000fu;
        x = (x | x << 6) & 0x03030303u;
        return (x | x << 3) & 0x11111111u;
    }
    x = (x | x << 8) & 0x00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u;
    return (x | x << 1) & 0x55555555u;
}

// A word of the bitmap of all positions from those of the parts, which lie one after another in
// `words` words each.
__device__ inline Word joined_word(Index word, Index parts, Index words, const Word* gathered) {
    Word joined = 0;
    if (parts == 2 || parts == 4 || parts == 8) {  // it has as many positions of each part, all in one word there
        const Index each = 32 / parts, place = word * each;
        for (Index r = 0; r < parts; ++r) {
            const Word own = gathered[static_cast<long long>(r) * words + (place >> 5)] >> (place & 31);
            joined |= spread(own & ((1u << each) - 1), parts) << r;
        }
        return joined;
    }
    Index part = (word << 5) % parts, place = (word << 5) / parts;
    for (int bit = 0; bit < 32; ++bit) {
        const Word* own = gathered + static_cast<long long>(part) * words;
        if ((place >> 5) < words) joined |= (own[place >> 5] >> (place & 31) & 1u) << bit;
        if (++part == parts) {
            part = 0;
            ++place;
        }
    }
    return joined;
}

// The bitmap of all n positions. What it marks is seen.
__device__ inline void join_parts_of(Index n, Index parts, Index words, const Word* gathered, Word* bits, Word* seen) {
    for (Index word : grid_stride<Index>(words_of(n))) {
        const Word joined = joined_word(word, parts, words, gathered) & inside(word, n);
        bits[word] = joined;
        seen[word] |= joined;
    }
}

// Writes the bitmap of all n positions to `reached`, which has room for a multiple of four words. A thread joins
// four words.
__device__ inline void join_reached(Index n, Index parts, Index words, const Word* gathered, Word* reached) {
    for (Index quad : grid_stride<Index>((words_of(n) + 3) >> 2)) {
        Word four[4];
#pragma unroll
        for (Index i = 0; i < 4; ++i) {
            const Index word = (quad << 2) + i;
            four[i] = word < words_of(n) ? joined_word(word, parts, words, gathered) & inside(word, n) : 0;
        }
        reinterpret_cast<uint4*>(reached)[quad] = {four[0], four[1], four[2], four[3]};
    }
}

// A pull into the rows of this process, of which those before `connected` may have entries; all but
// the arguments of a level.
template <class S> struct DistributedPull {
    Index connected;
    CsrOf<S> incoming;
    const typename S::Offset* outgoing;
    Index longest;
    const Index* likely_parent;
    Index hubs;
    const Index* hub;

    // Counts of the vertices that take a value go to counts[2], and if `counting` of the edges that
    // leave them to counts[3]. True if it has guessed for the next pull (see first_hit.cuh).
    template <class Rows, int max_warps>
    __device__ bool level(LaterRows<S>* pending, UnsettledRows<max_warps>& rest, const Word* frontier, bool guessed,
                          bool counting, Index round, const SparseOutput<typename S::Z>& x, Index* rounds, Word* fresh,
                          Count* counts) const {
        Closure<S, max_warps> closure{connected, 0, outgoing, incoming.indices, incoming.values, incoming.stride,
                                      {incoming, frontier, nullptr, longest}, likely_parent, nullptr, hubs, hub,
                                      x.bits, x.values, nullptr, nullptr, pending, &rest,
                                      {fresh, nullptr, nullptr, counts}, {outgoing, rounds, 0, round, counting},
                                      0, guessed};
        closure.template pull<Rows>([] {});
        closure.frontier_counts.add_to(closure.next);
        return closure.guessed;
    }
};

// Receives values of vertices that others have found: a vertex keeps the first. Counts the vertices that had
// none, and the edges that leave them.
template <class Z, class Offset> struct Receiver {
    Index round;
    SparseOutput<Z> x;
    Index* rounds;
    Word* fresh;
    const Offset* indptr;
    Count vertices, edges;

    __device__ void receive(Index j, Z z) {
        if (!claim(x.bits, j)) return;
        x.values[j] = z;
        rounds[j] = round;
        mark(fresh, j);
        ++vertices;
        edges += indptr[j + 1] - indptr[j];
    }
    // All lanes of a warp must call it.
    __device__ void add_to(Count* counts) {
        vertices = warp_reduce<Sum>(vertices);
        edges = warp_reduce<Sum>(edges);
        if (lane_id() > 0) return;
        if (vertices > 0) atomicAdd(counts + 2, vertices);
        if (edges > 0) atomicAdd(counts + 3, edges);
    }
};
