// What kernels of all rounds of an iteration share: a matrix times a full vector, and the end of the rounds.
// All of their threads are resident.
//
// Where all rows are short a thread has a row. Else all warps have equal shares of the entries
// (segmented_spmv.cuh), whatever the lengths of the rows, and a barrier more.
// See docs/decisions/spmv.md.
#pragma once
#include "core/operands.cuh"
#include "fused/grid_sums.cuh"
#include "spmv/segmented_spmv.cuh"

// A matrix as the kernel takes it, of so few entries that offsets have 32 bits. The marks, which
// segmented_spmv.cuh explains, may be null if rows are short.
template <class A_, bool weighted> struct ResidentRows {
    using A = A_;
    static constexpr bool reads_values = weighted;

    const Index* indptr;
    const Index* indices;
    const A* values;
    int stride;
    Index nnz;
    const Word* begins;
    const Index* ranks;
    const Index* rows;
};

// Sums of a vector's values at the columns of rows, times the weights if these count.
template <class Rows, class T> struct RowSums {
    using Offset = Index;
    using A = typename Rows::A;
    using U = T;
    using Z = T;
    static constexpr bool reads_matrix = Rows::reads_values, reads_row = false;
    static __device__ Z start() { return 0; }
    static __device__ Z add(Z x, Z y) { return x + y; }
    template <class Vector, class Values>
    static __device__ Z product(const Vector& u, Index k, const Values& values, Offset at, Index) {
        const Z x = u[k];
        return reads_matrix ? x * arithmetic::cast<T>(values[at]) : x;
    }
};

// `to` becomes the sums of n rows. Rows without an entry are not written: 0 must stand there. Returns the
// sum of them all (FP64). All threads of the grid must call it, and may read the result afterwards.
template <bool even, class Rows, class T>
__device__ inline double multiply(Index n, const Rows& matrix, const T* from, T* to,
                                  const Carries<T>& carries, GridSums& sum) {
    using S = RowSums<Rows, T>;
    double all = 0;
    if constexpr (even) {
        const FullOperand<S> vector(Operand<S>{from, nullptr, {nullptr, 0}, nullptr});
        pull_share<S, Rows::reads_values ? 1 : 2>(
            {matrix.nnz, matrix.begins, matrix.ranks, matrix.rows, matrix.indices, matrix.values, matrix.stride},
            vector, nullptr, to, carries, [&](T z) { all += z; });
        sum.grid.wait();
        fold_carries<S>(warp_count(), carries.rows, carries.carried, carries.values, [&](Index j, T value) {
            const T before = to[j];
            to[j] = before + value;
            all += static_cast<double>(to[j]) - static_cast<double>(before);
        });
    } else {
        constexpr int together = LOADS_OF<Index>;
        for (Index i : grid_stride<Index>(n)) {
            const Index end = matrix.indptr[i + 1];
            T moved = 0;
            for (Index e = matrix.indptr[i]; e < end; e += together) {
                Index tail[together];
                T got[together];
                const auto at = [=](int k) { return e + k < end ? e + k : e; };
#pragma unroll
                for (int k = 0; k < together; ++k) tail[k] = matrix.indices[at(k)];
#pragma unroll
                for (int k = 0; k < together; ++k) {
                    got[k] = from[tail[k]];
                    if (Rows::reads_values) got[k] *= arithmetic::cast<T>(matrix.values[at(k) * matrix.stride]);
                }
#pragma unroll
                for (int k = 0; k < together; ++k) moved += e + k < end ? got[k] : T(0);
            }
            to[i] = moved;
            all += moved;
        }
    }
    return sum(all);
}

// At most so many rounds; fewer if the change of one is at most `bound`, or, with a bound of at least 0, not
// finite. outcome becomes the number of rounds and the change of the last.
struct Rounds {
    double bound;
    Index most;
    double* outcome;

    __device__ bool end_by(double change) const {
        return change <= bound || (bound >= 0 && !(change < arithmetic::infinity<double>()));
    }
    // Calls round(done), which returns the change, and may raise `done`, the number of rounds before it.
    template <class Round> __device__ void each(Round round) const {
        double change = 0;
        Index done = 0;
        while (done < most) {
            change = round(done);
            ++done;
            if (end_by(change)) break;
        }
        if (thread_id<Count>() > 0) return;
        outcome[0] = done;
        outcome[1] = change;
    }
};
