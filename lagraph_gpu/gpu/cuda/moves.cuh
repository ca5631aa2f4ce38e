// What a row gains by the label that it would move to, and what its move changes (see choice.cuh).
#pragma once
#include "fold.cuh"

constexpr double LEAST = 1e-12;  // what a row has to gain, to move

// The terms of a score, and what becomes of a row that moves.
template <class Z> struct Moves {
    const Z* scale;  // a
    Z unit;          // γ
    const Z* sums;   // S
    const Z* k;      // what v itself adds to it
    const Z* share;  // b, or null: 0
    const Z* more;   // D
    const Z* d;      // what v itself adds to that
    Word* movers;
    Word* looks;     // who has a neighbour that moved

    __device__ Z score(Index v, Z votes, Z sum, Z more_sum) const {
        votes *= scale[v];
        votes -= sum * unit;
        if (share != nullptr) votes -= share[v] * (more_sum * unit);
        return votes;
    }
    __device__ Z score(Index v, Index c, Z votes) const {
        return score(v, votes, sums[c], share == nullptr ? Z(0) : more[c]);
    }
    __device__ Z stay(Index v, Index c, Z votes) const {
        return score(v, votes, sums[c] - k[v], share == nullptr ? Z(0) : more[c] - d[v]);
    }
};

// What v adds to the sum of its label, if that is what it is `there` for. All lanes must call it.
template <class Z> __device__ inline void add_to(Z* sums, Index label, Z x, bool there) {
    const Word peers = __match_any_sync(ALL_LANES, there ? label : -1);
    x = fold_peers<Plus<Z>>(there ? peers : 0, x);
    if (there && (peers & lanes_below()) == 0) fold_into<Plus<Z>>(sums + label, x);
}

// Those that move in this turn take their sums along to the label that they have chosen. Without
// turns all vertices have chosen theirs for the first time.
template <class Z>
__global__ void settle_moves(Index n, const Word* movers, const unsigned char* turns, Index turn,
                             const long long* winner, Index* labels, const Z* k, Z* sums, const Z* d,
                             Z* more) {
    const bool first = turns == nullptr;
    for (Index w = warp_id(); w < words_of(n); w += warp_count()) {
        const Index v = (w << 5) + lane_id();
        bool there = v < n && present(movers, v);
        if (there && !first) there = turns[v] == turn;
        if (!__any_sync(ALL_LANES, there)) continue;
        const Index to = there ? static_cast<Index>(winner[v]) : 0, from = there && !first ? labels[v] : 0;
        const Z x = there ? k[v] : Z(0), y = there && d != nullptr ? d[v] : Z(0);
        add_to(sums, to, x, there);
        if (d != nullptr) add_to(more, to, y, there);
        if (there) labels[v] = to;
        if (first) continue;
        add_to(sums, from, -x, there);
        if (d != nullptr) add_to(more, from, -y, there);
    }
}
