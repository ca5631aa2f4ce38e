// All rounds of PageRank in one launch, if rows are short (see pagerank_round.cuh for a
// round): then a round takes the device less time than the host takes to launch it.
//
// A thread has a row, and each round has two barriers, at which a sum is needed: of what the edges
// carry, and of the changes. Each block adds up the parts of all blocks in the same order, so all of
// them go on alike. Vectors are of type T, these sums are FP64.
// See docs/decisions/spmv.md.
#pragma once
#include "core/arithmetic.cuh"
#include "core/grid.cuh"
#include "core/grid_stride.cuh"
#include "core/groups.cuh"
#include "core/operands.cuh"
#include "core/warp_reduce.cuh"

// Sums over all threads of a grid, which each thread gets. Two sums in turn, `which` 0 and 1, have
// memory of their own, so that a block may begin one while others still read the other.
struct GridSum {
    Grid grid;
    double* partial;  // room for two numbers of each block
    double* warps;    // shared memory for one of each warp

    // The sum over the block; all threads must call it.
    __device__ double of_block(double x) const {
        x = warp_reduce<Sum>(x);
        if (lane_id() == 0) warps[threadIdx.x >> 5] = x;
        __syncthreads();
        double all = 0;
        for (unsigned w = 0; w < blockDim.x >> 5; ++w) all += warps[w];
        __syncthreads();  // the next may write
        return all;
    }
    __device__ double operator()(double x, unsigned which) const {
        x = of_block(x);
        if (threadIdx.x == 0) partial[2 * blockIdx.x + which] = x;
        grid.wait();
        double mine = 0;
        for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) mine += peek(partial + 2 * b + which);
        return of_block(mine);
    }
};

// At most `rounds` rounds from `now` and from share = now · rate; fewer if the change of one is at
// most `bound`, or, with a bound of at least 0, not finite. Each round writes to the other one of
// `now` and `next`. outcome becomes the number of rounds and the change of the last. partial has room
// for two numbers of each block.
template <class Offset, class A, bool Weighted, class T>
__global__ void __launch_bounds__(PAGERANK_BLOCK, 4)
    pagerank_rounds(Index n, Csr<Offset, A> incoming, double whole, const T* sink,
                    const T* teleport, const T* rate, double bound, Index rounds, T* now, T* next,
                    T* share, double* partial, unsigned* arrivals, double* outcome) {
    __shared__ double warps[PAGERANK_BLOCK / 32];
    const GridSum sum{Grid{arrivals}, partial, warps};
    constexpr int together = LOADS_OF<Offset>;
    double change = 0;
    Index done = 0;
    while (done < rounds) {
        double carried = 0;
        for (Index i : grid_stride<Index>(n)) {
            const Offset end = incoming.indptr[i + 1];
            T moved = 0;
            for (Offset e = incoming.indptr[i]; e < end; e += together) {
                Index tail[together];
                T got[together];
                const auto at = [=](int k) { return e + k < end ? e + k : e; };
#pragma unroll
                for (int k = 0; k < together; ++k) tail[k] = incoming.indices[at(k)];
#pragma unroll
                for (int k = 0; k < together; ++k) {
                    got[k] = share[tail[k]];
                    if (Weighted) got[k] *= arithmetic::cast<T>(incoming.values[at(k) * incoming.stride]);
                }
#pragma unroll
                for (int k = 0; k < together; ++k) moved += e + k < end ? got[k] : T(0);
            }
            next[i] = moved;
            carried += moved;
        }
        const double left = whole - sum(carried, 0);
        const T remainder = static_cast<T>(left > 0 ? left : 0.0);
        double mine = 0;
        for (Index i : grid_stride<Index>(n)) {
            T value = next[i] + sink[i] * remainder;
            if (teleport != nullptr) value += teleport[i];
            mine += fabs(static_cast<double>(value) - static_cast<double>(now[i]));
            next[i] = value;
            share[i] = value * rate[i];
        }
        change = sum(mine, 1);
        ++done;
        T* const other = now;
        now = next;
        next = other;
        if (change <= bound || (bound >= 0 && !(change < arithmetic::infinity<double>()))) break;
    }
    if (thread_id<Count>() != 0) return;
    outcome[0] = done;
    outcome[1] = change;
}
