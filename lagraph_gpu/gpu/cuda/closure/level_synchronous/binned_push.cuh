// A push of very many edges under `any` in the order of their targets, in two kernels between two parts of a closure.
//
// `bin_edges` reads the edges that leave the frontier, or a part of it, and puts each with its tail into the bin of
// its target: a tile of them in shared memory first, so that what goes to a bin is written together. `apply_bins` has
// the parents of targets in shared memory, where the last edge stays, and writes values, rounds and bitmaps in order.
// So no edge is a random access to memory or to the second-level cache. Edges for which a bin has no room are pushed
// as in push_benign_race.cuh, before the bins are applied. After a part of the frontier has been pushed, few rows are
// left for a pull, which goes on in the same round.
// See docs/decisions/bfs.md.
#pragma once
#include "closure/level_synchronous/frontier.cuh"
#include "closure/level_synchronous/pause.cuh"
#include "core/groups.cuh"
#include "core/operands.cuh"
#include "core/packed_level.cuh"
#include "core/vector_load.cuh"

// An edge in a bin: its target, and below it its tail.
using BinnedEdge = unsigned long long;
__device__ inline BinnedEdge binned_edge(Index tail, Index target) {
    return static_cast<BinnedEdge>(static_cast<unsigned>(target)) << 32 | static_cast<unsigned>(tail);
}
__device__ inline Index target_of(BinnedEdge edge) { return static_cast<Index>(edge >> 32); }
__device__ inline Index origin_of(BinnedEdge edge) { return static_cast<Index>(edge & 0xffffffff); }

// Bin b has the edges from edges[b * room] on; taken[b] is how many there were, of which `room` fit.
struct Bins {
    BinnedEdge* edges;
    unsigned* taken;
    unsigned room;
    Index count;
};

// What both kernels need of the closure.
template <class S> struct BinnedRound {
    Index n;
    const typename S::Offset* indptr;  // A by rows: the out-edges
    const Index* indices;
    SparseOutput<typename S::Z> x;
    Index packed_level;
    Level now, next;

    __device__ void put(Index j, Index tail) const {
        if (!S::same || x.values != nullptr)
            *static_cast<volatile typename S::Z*>(x.values + j) =
                pack_level<S>(S::step(typename S::U{}, tail, nullptr, 0, j), packed_level);
    }
    // An edge that has no place in a bin.
    __device__ void push(Index tail, Index j) const {
        if (present(x.bits, j)) return;
        put(j, tail);
        mark(next.bits, j);
    }
};

// A tile of edges, in shared memory.
template <int TILE, int BINS> struct EdgeTile {
    static constexpr int ROWS = TILE / 8;

    BinnedEdge room[TILE];
    unsigned long long firsts[ROWS];  // the edges of each row: the first, and how many
    Index tails[ROWS];
    int degrees[ROWS];
    unsigned counts[BINS + 1];  // edges by bin, then where they begin in the room, then where they end
    unsigned leads[BINS];   // from a place in the room to that in the bin
    unsigned sums[32];
    unsigned rows, edges;
};

// The edges of vertices of the frontier into bins of 2^SHIFT targets.
template <class S, int SHIFT, int BINS, int TILE, int THREADS, int BLOCKS, int AT_ONCE>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    bin_edges(Index n, CsrOf<S> A, SparseOutput<typename S::Z> x, int level_bits, Generations generations,
              Pause pause, Bins bins) {
    extern __shared__ unsigned long long memory[];
    using Offset = typename S::Offset;
    using Tile = EdgeTile<TILE, BINS>;
    constexpr int WARPS = THREADS / 32, EACH = (BINS + THREADS - 1) / THREADS;
    auto& tile = *reinterpret_cast<Tile*>(memory);
    const Index round = pause.round(generations);
    if (round == 0) return;
    const BinnedRound<S> push{n, A.indptr, A.indices, x, PackedLevel{level_bits}.of(round),
                              generations.level(round - 1, n), generations.level(round, n)};
    const Count edges = push.now.read(3);
    const Index words = words_of(n), share = pause.share(edges, words);
    // So many words that their edges are likely to fit
    const Count fitting = Count(TILE - TILE / 8) * static_cast<Count>(words) / edges;
    const Index each = fitting < 1 ? 1 : fitting > Count(words) ? words : static_cast<Index>(fitting);
    const int warp = threadIdx.x >> 5;
    for (unsigned base : block_stride<unsigned>(share, each)) {
        for (Index b = threadIdx.x; b < bins.count; b += THREADS) tile.counts[b] = 0;
        if (threadIdx.x == 0) tile.rows = tile.edges = 0;
        __syncthreads();
        const unsigned last = base + each < unsigned(share) ? base + each : share;
        for (unsigned word = base + threadIdx.x; word < last; word += THREADS) {
            Word left = push.now.bits[word];
            if (left == 0) continue;
            unsigned at = atomicAdd(&tile.rows, static_cast<unsigned>(__popc(left)));
            for (; left != 0; left &= left - 1, ++at) {
                const Index k = static_cast<Index>(word << 5) + __ffs(static_cast<int>(left)) - 1;
                if (at < Tile::ROWS) {
                    tile.tails[at] = k;
                } else {
                    for (Offset e = A.indptr[k]; e < A.indptr[k + 1]; ++e) push.push(k, A.indices[e]);
                }
            }
        }
        __syncthreads();
        const int rows = tile.rows < Tile::ROWS ? tile.rows : Tile::ROWS;
        for (int at = threadIdx.x; at < rows; at += THREADS) {
            const Index k = tile.tails[at];
            const Offset first = A.indptr[k], degree = A.indptr[k + 1] - first;
            bool fits = degree <= TILE;
            const unsigned some = static_cast<unsigned>(degree);
            if (fits) fits = atomicAdd(&tile.edges, some) + some <= TILE;
            tile.firsts[at] = static_cast<unsigned long long>(first);
            tile.degrees[at] = fits ? static_cast<int>(degree) : -1;
        }
        __syncthreads();
        // Calls body(k, j) for the edges of rows that fit, and others(own) for other rows.
        const auto each_edge = [&](auto body, auto others) {
            for (int at = warp; at < rows; at += AT_ONCE * WARPS) {
                Index to[2 * AT_ONCE];
                int longest = 0;
#pragma unroll
                for (int i = 0; i < AT_ONCE; ++i) {
                    const int own = at + i * WARPS, degree = own < rows ? tile.degrees[own] : 0;
                    const Index* const first = own < rows ? A.indices + tile.firsts[own] : A.indices;
#pragma unroll
                    for (int half = 0; half < 2; ++half) {
                        const int e = 32 * half + lane_id();
                        to[2 * i + half] = e < degree ? first[e] : -1;
                    }
                    longest = degree > longest ? degree : longest;
                    if (degree < 0) others(own);
                }
                loaded(to);
#pragma unroll
                for (int i = 0; i < 2 * AT_ONCE; ++i)
                    if (to[i] >= 0) body(at + i / 2 * WARPS, to[i]);
                if (longest <= 64) continue;
#pragma unroll 1
                for (int own = at; own < rows && own < at + AT_ONCE * WARPS; own += WARPS)
                    for (int e = 64 + lane_id(); e < tile.degrees[own]; e += 32)
                        body(own, A.indices[tile.firsts[own] + e]);
            }
        };
        each_edge([&](int, Index j) { atomicAdd(tile.counts + (j >> SHIFT), 1u); }, [](int) {});
        __syncthreads();
        const unsigned total = Block::begins(tile.counts, bins.count, tile.sums, [](Index, unsigned, unsigned) {});
        if (threadIdx.x == 0) tile.counts[bins.count] = total;
        __syncthreads();
        unsigned before[EACH], begin[EACH];
#pragma unroll
        for (int i = 0; i < EACH; ++i) {
            const Index b = threadIdx.x + i * THREADS;
            begin[i] = b < bins.count ? tile.counts[b] : 0;
            const unsigned here = b < bins.count ? tile.counts[b + 1] - begin[i] : 0;
            before[i] = here > 0 ? atomicAdd(bins.taken + b, here) : 0;
        }
        __syncthreads();
        each_edge(
            [&](int own, Index j) {
                tile.room[atomicAdd(tile.counts + (j >> SHIFT), 1u)] = binned_edge(tile.tails[own], j);
            },
            [&](int own) {
                const Index k = tile.tails[own];
                for (Offset e = A.indptr[k] + lane_id(); e < A.indptr[k + 1]; e += 32) push.push(k, A.indices[e]);
            });
#pragma unroll
        for (int i = 0; i < EACH; ++i) {
            const Index b = threadIdx.x + i * THREADS;
            if (b < bins.count) tile.leads[b] = before[i] - begin[i];
        }
        __syncthreads();
        for (unsigned at = threadIdx.x; at < total; at += THREADS) {
            const BinnedEdge edge = tile.room[at];
            const Index b = target_of(edge) >> SHIFT;
            const unsigned place = tile.leads[b] + at;
            if (place < bins.room) bins.edges[Count(b) * bins.room + place] = edge;
            else push.push(origin_of(edge), target_of(edge));
        }
    }
}
