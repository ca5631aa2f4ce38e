// All rounds of PageRank in one launch (see pagerank_round.cuh for a round): then a round takes the
// device less time than the host takes to launch it.
//
// Each round has two sums: of what the edges carry, and of the changes. Vectors are of type T, these sums
// are FP64.
// See docs/decisions/spmv.md.
#pragma once
#include "fused/resident_rounds.cuh"

// Rounds in x, from share = x · rate. `moved` is all 0 at first, and `partial` is that of GridSums.
// Where all rows are short each round puts its ranks over what has moved: to write them to x, too, makes a
// round of 4 million vertices three times as long. By even shares `moved` must stay 0 at rows without an entry.
template <class A, bool weighted, class T, bool even>
__global__ void __launch_bounds__(POWER_BLOCK, even ? 3 : 4)
    pagerank_rounds(Index n, ResidentRows<A, weighted> incoming, double whole, const T* sink,
                    const T* teleport, const T* rate, double bound, Index rounds, T* x, T* moved, T* share,
                    Carries<T> carries, double* partial, unsigned* arrivals, double* outcome) {
    __shared__ double shared[GridSums::ROOM];
    GridSums sum{Grid{arrivals}, partial, shared};
    T *now = x, *next = moved;
    Rounds{bound, rounds, outcome}.each([&](Index&) {
        const double left = whole - multiply<even>(n, incoming, share, next, carries, sum);
        const T remainder = static_cast<T>(left > 0 ? left : 0.0);
        double change = 0;
        for (Index i : grid_stride<Index>(n)) {
            T value = next[i] + sink[i] * remainder;
            if (teleport != nullptr) value += teleport[i];
            change += fabs(static_cast<double>(value) - static_cast<double>(now[i]));
            (even ? now : next)[i] = value;
            share[i] = value * rate[i];
        }
        if constexpr (!even) {
            T* const before = now;
            now = next;
            next = before;
        }
        return sum(change);
    });
    if (now != x)
        for (Index i : grid_stride<Index>(n)) x[i] = now[i];
}
