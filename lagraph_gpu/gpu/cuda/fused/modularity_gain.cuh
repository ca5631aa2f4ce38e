// The gain of a row that moves to a label, and what its move changes (see label_argmax.cuh).
// See docs/decisions/louvain.md.
#pragma once
#include "core/append.cuh"
#include "core/fold.cuh"
#include "core/grid_stride.cuh"
#include "core/warp_reduce.cuh"
#include "matrix/row_bins.cuh"

// The terms of a score, and the outputs for a row that moves.
template <class Z> struct Moves {
    const Z* scale;   // a
    Z unit;           // γ
    const Z* k_sums;  // S
    const Z* k;       // v's own part of it
    const Z* share;   // b, or null: 0
    const Z* d_sums;  // D
    const Z* d;       // v's own part of that
    Word* movers;
    Z* margin;        // for each row the votes by which its choice is ahead
    Z min_gain;       // the least gain with which a row moves

    // `factor` is a of v.
    __device__ Z score(Index v, Z factor, Z votes, Z sum, Z more_sum) const {
        votes *= factor;
        votes -= sum * unit;
        if (share != nullptr) votes -= share[v] * (more_sum * unit);
        return votes;
    }
    __device__ Z score(Index v, Z factor, Index c, Z votes) const {
        return score(v, factor, votes, k_sums[c], share == nullptr ? Z(0) : d_sums[c]);
    }
    __device__ Z stay(Index v, Index c, Z votes) const {
        return score(v, scale[v], votes, k_sums[c] - k[v], share == nullptr ? Z(0) : d_sums[c] - d[v]);
    }

    // Adds the margin of v's choice, in whole votes; the votes that have left by then are
    // subtracted already.
    __device__ void stand(Index v, Z stay, Z top, Z second) const {
        const Z ahead = top > stay ? top : stay, behind = top > stay ? stay : top;
        const Z votes = ::floor((ahead - (behind > second ? behind : second)) / scale[v]);
        if (votes > 0) fold_into<Plus<Z>>(margin + v, votes);
    }
};

// Adds x, v's part, to the sum of its label, in the lanes that are `there`. All lanes must call it.
template <class Z> __device__ inline void add_to(Z* sums, Index label, Z x, bool there) {
    const Word peers = __match_any_sync(ALL_LANES, there ? label : -1);
    x = fold_peers<Plus<Z>>(there ? peers : 0, x);
    if (there && (peers & lanes_below()) == 0) fold_into<Plus<Z>>(sums + label, x);
}

// The labels as indices.
__global__ void narrow_labels(Index n, const long long* winner, Index* labels) {
    for (unsigned v : grid_stride<unsigned>(n))
        labels[v] = static_cast<Index>(winner[v]);
}

// By block number `block` of `blocks`: listed rows that move take their parts of the sums to the label that they
// have chosen.
template <class Z>
__device__ inline void settle_rows(unsigned block, unsigned blocks, Index n, const Index* rows, const unsigned* counts,
                                   const Word* movers, const long long* winner, Index* labels, const Z* k, Z* k_sums,
                                   const Z* d, Z* d_sums) {
    const unsigned first = block * blockDim.x + threadIdx.x - lane_id(), step = blocks * blockDim.x;
    unsigned ends[ROW_KINDS], all = 0;
    for (int kind = 0; kind < ROW_KINDS; ++kind)
        ends[kind] = all += counts[kind];
    for (unsigned base = first; base < all; base += step) {
        const unsigned i = base + lane_id();
        int kind = 0;
        unsigned begin = 0;
        for (int before = 0; before < ROW_KINDS - 1; ++before) {
            if (i < ends[before]) break;
            kind = before + 1;
            begin = ends[before];
        }
        const Index v = i < all ? rows[static_cast<long long>(kind) * n + (i - begin)] : 0;
        const bool there = i < all && present(movers, v);
        if (!__any_sync(ALL_LANES, there)) continue;
        const Index to = there ? static_cast<Index>(winner[v]) : 0, from = there ? labels[v] : 0;
        const Z x = there ? k[v] : Z(0), y = there && d != nullptr ? d[v] : Z(0);
        add_to(k_sums, to, x, there);
        add_to(k_sums, from, -x, there);
        if (d != nullptr) add_to(d_sums, to, y, there);
        if (d != nullptr) add_to(d_sums, from, -y, there);
        if (there) labels[v] = to;
    }
}

// Between two turns: the first blocks list the rows of the next one, and the others settle those of the last one.
template <class Offset, class Z>
__global__ void next_turn(unsigned listing, const Offset* indptr, const Offset* ends, const unsigned char* turns,
                          Index turn, Z* margin, RowLists next, const Index* rows, const unsigned* counts,
                          const Word* movers, const long long* winner, Index* labels, const Z* k, Z* k_sums,
                          const Z* d, Z* d_sums) {
    if (blockIdx.x < listing) rows_of_turn(blockIdx.x, listing, indptr, ends, turns, turn, margin, next);
    else
        settle_rows(blockIdx.x - listing, gridDim.x - listing, next.n, rows, counts, movers, winner, labels, k, k_sums,
                    d, d_sums);
}

// A turn for each vertex that has a rank, by the highest bits of its rank times a factor, modulo 2³¹.
__global__ void turns_of_ranks(Index n, const Word* ranked, const long long* ranks, long long factor,
                               long long width, Word* bits, unsigned char* turns) {
    for (unsigned base : warp_stride<unsigned>(n, 32)) {
        const Index v = static_cast<Index>(base) + lane_id();
        const bool there = v < n && present(ranked, v);
        const Word some = __ballot_sync(ALL_LANES, there);
        if (lane_id() == 0) bits[base >> 5] = some;
        if (there) turns[v] = static_cast<unsigned char>((ranks[v] * factor & 0x7fffffff) / width);
    }
}

// *largest becomes the largest of all values, or infinity if one of them is not a whole number from 0
// on; as the bits of a double, which are 0 before.
// The values times a factor as `votes` of 32 bits. *largest becomes the largest of them, or infinity if one is not a
// whole number from 0 on, or has no room; as the bits of a double, which are 0 before.
template <class Offset, class A>
__global__ void narrow_votes(Offset nnz, const A* values, double factor, unsigned* votes, Count* largest) {
    double most = 0;
    for (Count e : grid_stride<Count>(nnz)) {
        const double z = static_cast<double>(values[e]) * factor;
        const double whole = z >= 0 && z < 4294967296.0 && z == ::floor(z) ? z : arithmetic::infinity<double>();
        votes[e] = whole < 4294967296.0 ? static_cast<unsigned>(whole) : 0;
        if (whole > most) most = whole;
    }
    most = warp_reduce<Maximum>(most);
    if (lane_id() == 0 && most > 0) atomicMax(largest, static_cast<Count>(__double_as_longlong(most)));
}
