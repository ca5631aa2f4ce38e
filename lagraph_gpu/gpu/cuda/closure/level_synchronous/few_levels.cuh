// Small rounds of a closure, many in one launch, by one block: its queue stays in shared memory,
// and between two rounds there is only a barrier of the block. Each round is that of the loop of
// statements in lagraph_gpu/closure.py.
//
// A round is too large if the queue has no space for its vertices, or if too many edges leave
// them; it is then left to the whole device. ⊕ must be idempotent, or `any`.
// See docs/decisions/bfs.md.
#pragma once
#include "core/fold.cuh"
#include "core/operands.cuh"
#include "core/grid_stride.cuh"


// Prepares x for folds: positions without an entry get what a fold starts from.
template <class S>
__global__ void make_foldable(Index n, const Word* bits, typename S::Z* x) {
    for (Count v : grid_stride<Count>(n))
        x[v] = present(bits, static_cast<Index>(v)) ? foldable<S>(x[v]) : S::start();
}

// Continues after `round` rounds, up to `max_rounds`. The frontier is given as a list and as a vector
// (bits, front); the next frontier is left in both. x and the rounds in which entries took their
// values are updated. For a fold, `make_foldable` runs first. done: the last round, and the number of
// vertices in the frontier that it left. log, unless it is null, gets the vertices and edges of each
// round.
template <class S>
__global__ void few_levels(Index round, Index max_rounds, Count edges_room, CsrOf<S> A,
                           SparseOutput<typename S::Z> x, Index* rounds, Index count, Index* vertices,
                           Word* bits, typename S::Z* front, Index* done, Count* log) {
    using Z = typename S::Z;
    using Offset = typename S::Offset;
    __shared__ Index queues[2][LEVEL_ROOM];
    __shared__ Z before[LEVEL_ROOM];  // the frontier's values as a round begins
    __shared__ unsigned found[2];
    __shared__ Count edges;
    int side = 0;
    for (unsigned i = threadIdx.x; i < unsigned(count); i += blockDim.x) queues[0][i] = vertices[i];
    if (threadIdx.x == 0) {
        found[0] = count;
        edges = 0;
    }
    __syncthreads();
    for (;;) {
        const unsigned now = found[side];
        if (now == 0 || now > LEVEL_ROOM) break;
        Index* const queue = queues[side];
        Count mine = 0;
        for (unsigned i = threadIdx.x; i < now; i += blockDim.x) {
            before[i] = x.values[queue[i]];
            mine += A.indptr[queue[i] + 1] - A.indptr[queue[i]];
        }
        if (mine > 0) atomicAdd(&edges, mine);
        if (threadIdx.x == 0) found[1 - side] = 0;
        __syncthreads();
        if (edges > edges_room || round == max_rounds) break;
        ++round;
        if (log != nullptr && threadIdx.x == 0) {
            *log++ = now;
            *log++ = edges;
        }
        for (unsigned i = threadIdx.x; i < now; i += blockDim.x) bits[queue[i] >> 5] = 0;
        __syncthreads();
        if (threadIdx.x == 0) edges = 0;
        side = 1 - side;
        const auto append = [&](Index j) {
            rounds[j] = round;
            const unsigned at = atomicAdd(&found[side], 1u);
            if (at < LEVEL_ROOM) queues[side][at] = j;
            else vertices[at] = j;
        };
        const auto relax = [&](unsigned i, Offset e) {
            const Index j = A.indices[e];
            const Z z = S::step(before[i], queue[i], A.values, e * A.stride, j);
            if constexpr (S::any) {
                if (!claim(x.bits, j)) return;
                x.values[j] = z;
                mark(bits, j);
                append(j);
            } else {
                const Z old = fold_into<S>(x.values + j, z);
                const bool fresh = claim(x.bits, j);
                if ((fresh || !(S::add(old, z) == old)) && claim(bits, j)) append(j);
            }
        };
        for (unsigned base = threadIdx.x & ~31u; base < now; base += blockDim.x) {
            const unsigned i = base + lane_id();
            const Offset first = i < now ? A.indptr[queue[i]] : 0;
            const int degree = i < now ? static_cast<int>(A.indptr[queue[i] + 1] - first) : 0;
            each_of_lanes(first, degree, [&](int lane, Offset e) { relax(base + lane, e); });
        }
        __syncthreads();
    }
    for (unsigned i = threadIdx.x; i < found[side]; i += blockDim.x) {
        const Index k = i < LEVEL_ROOM ? queues[side][i] : vertices[i];
        vertices[i] = k;
        front[k] = x.values[k];
    }
    if (threadIdx.x == 0) {
        done[0] = round;
        done[1] = found[side];
    }
}
