// The steps after the product in a round of PageRank: the rest is distributed, and the change of
// the round is summed up (see algorithms/centrality/pagerank.py).
//
//     x = moved + max(0, whole - mass) · sink + teleport,   share = x · rate,   change = Σ |x - old|
//
// `moved` has no entry at vertices without in-edges. mass[0] is its sum, if mass[1] is not 0.
// `teleport` may be null. It needs one pass over n positions instead of four. Vectors are of type T,
// the two sums are FP64. See docs/decisions/spmv.md.
#pragma once
#include "vector/reduce.cuh"

template <class M, class T>
__global__ void share_remainder(Index n, const Word* bits, const T* moved, const double* mass,
                                double whole, const T* sink, const T* teleport, const T* rate,
                                const T* old, T* x, T* share, double* partial, unsigned char* has,
                                unsigned* ended, double* change) {
    const double left = whole - (mass[1] != 0 ? mass[0] : 0.0);
    const T remainder = static_cast<T>(left > 0 ? left : 0.0);
    Partial<M> mine = nothing<M>();
    for (Index i : grid_stride(n)) {
        T value = (present(bits, i) ? moved[i] : T(0)) + sink[i] * remainder;
        if (teleport != nullptr) value += teleport[i];
        mine.fold(fabs(static_cast<double>(value) - static_cast<double>(old[i])));
        x[i] = value;
        share[i] = value * rate[i];
    }
    fold_grid(mine, partial, has, ended, change);
}
