// All rounds of power iterations in one launch: hubs and authorities, eigenvector centrality, and that of
// Katz. A round is one or two products, a sum, and a pass over the vertices that also sums up the changes;
// by a kernel for each it would take the device less time than the host needs to launch them. See
// algorithms/centrality for what the rounds compute, and resident_rounds.cuh for products, and for the end.
//
// Each kernel does the rounds in x. `partial` is that of GridSums, and vectors for products are all 0 at first.
// See docs/decisions/spmv.md.
#pragma once
#include "fused/locally_optimal.cuh"
#include "fused/resident_rounds.cuh"

// x becomes next(v) at each v: the sum of the changes.
template <class Next> __device__ inline double replaced(Index n, double* x, GridSums& sum, Next next) {
    double change = 0;
    for (Index v : grid_stride<Index>(n)) {
        const double now = next(v);
        change += fabs(now - x[v]);
        x[v] = now;
    }
    return sum(change);
}

// x ← α · products + base
template <class A, bool weighted, bool even>
__global__ void __launch_bounds__(POWER_BLOCK, even ? 3 : 4)
    katz_rounds(Index n, ResidentRows<A, weighted> in, double alpha, const double* base, double bound,
                Index rounds, double* x, double* arrived, Carries<double> carries, double* partial,
                unsigned* arrivals, double* outcome) {
    __shared__ double shared[GridSums::ROOM];
    GridSums sum{Grid{arrivals}, partial, shared};
    Rounds{bound, rounds, outcome}.each([&](Index&) {
        multiply<even>(n, in, x, arrived, carries, sum);
        return replaced(n, x, sum, [=](Index v) { return base[v] + alpha * arrived[v]; });
    });
}

// Steps of locally_optimal.cuh between rounds that shrink the changes slowly: their products count as rounds,
// and what ends the rounds is always a round. `few` rounds come before steps, and between them.
struct Between {
    const Rounds& rounds;
    Index few;
    double before = arithmetic::infinity<double>();
    Index from = few;

    // After round `done`, counted from 0, with this change: steps(most), which returns their number, if more
    // than a few rounds are left at the pace of the last two. Returns the change.
    template <class Steps> __device__ double after(Index& done, double change, Steps steps) {
        const Index ran = done + 1;
        const double left = log(change / rounds.bound) / log(before / change);
        const bool slow = rounds.bound >= 0 && ran >= from && rounds.most - ran > few && !(left > 0 && left < few);
        before = change;
        if (slow && !rounds.end_by(change)) {
            done += steps(rounds.most - ran - 1);
            from = done + 1 + few;
        }
        return change;
    }
};

// x ← x + products, scaled to the Euclidean norm 1; with `steps`, for which the matrix is symmetric, steps
// come between. Where the square of a norm is not between these bounds its root says nothing, and outcome[0]
// becomes -1. `next` and `room`, for four vectors, are for the steps.
template <class A, bool weighted, bool steps, bool even>
__global__ void __launch_bounds__(POWER_BLOCK, steps ? 2 : even ? 3 : 4)
    eigenvector_rounds(Index n, ResidentRows<A, weighted> in, Index few, double least, double largest,
                       double bound, Index rounds, double* x, double* arrived, double* next, double* room,
                       Carries<double> carries, double* partial, unsigned* arrivals, double* outcome) {
    __shared__ double shared[GridSums::ROOM];
    GridSums sum{Grid{arrivals}, partial, shared};
    const Rounds all{bound, rounds, outcome};
    Between between{all, few};
    bool moderate = true;
    all.each([&](Index& done) {
        multiply<even>(n, in, x, arrived, carries, sum);
        double square = 0;
        for (Index v : grid_stride<Index>(n)) {
            const double now = x[v] + arrived[v];
            square += now * now;
        }
        square = sum(square);
        moderate = least <= square && square <= largest;
        if (!moderate) return arithmetic::infinity<double>();  // without a bound the next comes to the same
        const double length = sqrt(square);
        const double change = replaced(n, x, sum, [=](Index v) { return (x[v] + arrived[v]) / length; });
        if constexpr (!steps) return change;
        const auto with_b = [&](const double* from, double* to) {
            multiply<even>(n, in, from, arrived, carries, sum);
            for (Index v : grid_stride<Index>(n)) to[v] = from[v] + arrived[v];
        };
        const auto size = [](double square, double) { return sqrt(square); };
        return between.after(done, change, [&](Index most) {
            return optimal_steps(n, x, next, room, bound, most, with_b, size, sum);
        });
    });
    if (!moderate && thread_id<Count>() == 0) outcome[0] = -1;
}

// authorities = x A,   x ← authorities Aᵀ, scaled to the sum 1, with steps between. `room` is for four vectors.
template <class A, bool weighted, bool even>
__global__ void __launch_bounds__(POWER_BLOCK, 2)
    hits_rounds(Index n, ResidentRows<A, weighted> in, ResidentRows<A, weighted> out, Index few, double bound,
                Index rounds, double* x, double* authority, double* next, double* room,
                Carries<double> carries, double* partial, unsigned* arrivals, double* outcome) {
    __shared__ double shared[GridSums::ROOM];
    GridSums sum{Grid{arrivals}, partial, shared};
    const Rounds all{bound, rounds, outcome};
    Between between{all, few};
    const auto with_b = [&](const double* from, double* to) {
        multiply<even>(n, in, from, authority, carries, sum);
        return multiply<even>(n, out, authority, to, carries, sum);
    };
    const auto size = [](double, double total) { return total; };
    all.each([&](Index& done) {
        const double total = with_b(x, next);
        const double change = replaced(n, x, sum, [=](Index v) { return next[v] / total; });
        return between.after(done, change, [&](Index most) {
            return optimal_steps(n, x, next, room, bound, most, with_b, size, sum);
        });
    });
}
