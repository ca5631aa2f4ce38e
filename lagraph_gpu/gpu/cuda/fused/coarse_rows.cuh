// The rows of the next level of Louvain's method: the graph B without loops, whose vertices are merged by
// their numbers. A row is the rows of its members one after another, with the numbers of the columns
// and without entries between two members; so a column may come several times. It is only added up,
// in any order, and need not be sorted or merged for that. It has room for as many entries as its members have, and
// ends where the last one has been written; so the entries are read once. Rows may be closed up then.
//
// Members with many more entries than there are numbers would make a long row of few columns. Their
// entries are added up in a dense row first, a place for each number, and the places in use are then
// the row. B is symmetric, so these sums are also the entries of the other rows in the columns of
// dense rows. O(entries). See docs/decisions/louvain.md.
#pragma once
#include "core/append.cuh"
#include "core/operands.cuh"
#include "core/row_search.cuh"
#include "matrix/coordinates.cuh"
#include "fused/modularity_gain.cuh"

// Marks the labels of vertices with edges. The other vertices, whose degree (or its inverse: what is at hand) is 0,
// share the label n.
__global__ void mark_labels(Index n, const long long* labels, const double* degree_or_inverse, unsigned* used) {
    for (Index v : grid_stride<Index>(n)) used[degree_or_inverse[v] > 0 ? labels[v] : n] = 1;
}

// The number of each vertex: that of its label, in the order of labels, of which `ends` are the running
// counts; and for each number the entries and the degrees of its members, which are 0 before.
template <class Offset>
__global__ void number_members(Index n, const Offset* indptr, const Offset* row_ends, const long long* labels,
                               const double* degree, const Index* ends, Index* number, long long* wide,
                               Offset* entries, double* degrees) {
    for (unsigned base : warp_stride<unsigned>(n, 32)) {
        const Index v = static_cast<Index>(base) + lane_id();
        const bool there = v < n;
        const Index mine = there ? ends[degree[v] > 0 ? labels[v] : n] - 1 : 0;
        const Offset its = there ? row_ends[v] - indptr[v] : Offset(0);
        if (there) {
            number[v] = mine;
            wide[v] = mine;
        }
        add_to(entries, mine, its, its > 0);
        const double x = there ? degree[v] : 0;
        add_to(degrees, mine, x, x > 0);
    }
}

// Lists the numbers whose members have more than `most` entries, which get a dense row each: its place,
// or -1 for the others. *count is 0 before. And of each number twice the degree, and the inverse of that.
template <class Offset>
__global__ void list_dense(Index size, const Offset* entries, Offset most, const double* degrees, Index* place,
                           Index* listed, unsigned* count, double* twice, double* inverse) {
    for (unsigned base : warp_stride<unsigned>(size, 32)) {
        const Index c = static_cast<Index>(base) + lane_id();
        const bool many = c < size && entries[c] > most;
        const unsigned at = append(many, count);
        if (c < size) {
            place[c] = many ? static_cast<Index>(at) : -1;
            twice[c] = 2 * degrees[c];
            inverse[c] = degrees[c] > 0 ? 1 / (2 * degrees[c]) : 0;
        }
        if (many) listed[at] = c;
    }
}

// The dense rows, of `size` places each, for the numbers that have one.
struct DenseRows {
    const Index* place;
    double* sums;
    Index size;

    __device__ double* row(Index at) const { return sums + static_cast<long long>(at) * size; }
};

// The number c of a dense row stands as ~c, below 0, so that an entry need not ask whether it is one.
__device__ inline Index plain(Index number) { return number < 0 ? ~number : number; }

__global__ void mark_dense(Index n, const Index* place, Index* number) {
    for (Index v : grid_stride<Index>(n))
        if (place[number[v]] >= 0) number[v] = ~number[v];
}

// Moves the entries between numbers without dense rows to their rows: `used` is where the next one of each goes.
// Besides it adds up dense rows, and the weight between members of one number to *within. There are no values if all
// entries have one. A warp takes some words of entries at a time, which mostly go to one row. Rows of B end at `ends`.
template <class Offset, class Held, class Value>
__global__ void coarse_rows(Offset room, Index n, Csr<Offset, Held> B, const Offset* ends, const Index* number,
                           DenseRows dense, Offset* used, double* within, Index* indices, Value* values) {
    using Counter = typename AtomicType<Offset>::type;
    constexpr int STEP = LOADS_OF<Offset>;
    RowsOfWords<Offset> rows{B.indptr, n};
    double inside = 0;
    RowsOfWords<Offset>::template each<STEP>(room, warp_id(), warp_count(), [&](Offset word) {
        const Offset begin = (word << 5) + lane_id();
        Index from[STEP], to[STEP];
        Value x[STEP];
        Word beside[STEP];
        bool there[STEP];
        for (int r = 0; r < STEP; ++r) {
            const Offset e = begin + 32 * r;
            const Index row = ((word + r) << 5) < room ? rows(word + r) : 0;
            there[r] = e < ends[row];
            from[r] = e < room ? number[row] : 0;
        }
        for (int r = 0; r < STEP; ++r) {
            const Offset e = begin + 32 * r;
            to[r] = there[r] ? number[B.indices[e]] : from[r];
            x[r] = there[r] && values != nullptr ? static_cast<Value>(B.values[e * B.stride]) : Value(0);
        }
        const Index first = from_lane(from[0], 0);
        bool alike = true;
        unsigned all = 0;
        for (int r = 0; r < STEP; ++r) {
            alike &= from[r] == first || begin + 32 * r >= room;
            beside[r] = __ballot_sync(ALL_LANES, from[r] != to[r] && from[r] >= 0 && to[r] >= 0);
            all += __popc(beside[r]);
        }
        alike = __all_sync(ALL_LANES, alike);
        Offset next = 0;
        if (alike && all > 0) {
            if (lane_id() == 0)
                next = static_cast<Offset>(atomicAdd(reinterpret_cast<Counter*>(used + first), Counter(all)));
            next = from_lane(next, 0);
        }
        for (int r = 0; r < STEP; ++r) {
            const bool mine = beside[r] >> lane_id() & 1;
            Offset at = next + __popc(beside[r] & lanes_below());
            next += __popc(beside[r]);
            if (!alike) {
                const Word peers = __match_any_sync(ALL_LANES, mine ? from[r] : -1);
                const int leader = __ffs(peers) - 1;
                if (mine && lane_id() == leader)
                    at = static_cast<Offset>(
                        atomicAdd(reinterpret_cast<Counter*>(used + from[r]), Counter(__popc(peers))));
                at = from_lane(at, leader) + __popc(peers & lanes_below());
            }
            if (mine) indices[at] = to[r];
            if (mine && values != nullptr) values[at] = x[r];
            const bool between = from[r] != to[r], far = between && from[r] < 0;
            if (there[r] && values == nullptr && (far || !between)) x[r] = static_cast<Value>(B.values[0]);
            if (there[r] && !between) inside += x[r];
            if (__any_sync(ALL_LANES, far)) {
                const Index row = plain(from[r]), column = plain(to[r]);
                const Word same = __match_any_sync(ALL_LANES, far ? pair_of(row, column) : ~Pair(0));
                const double sum = fold_peers<Plus<double>>(far ? same : 0, static_cast<double>(x[r]));
                if (far && (same & lanes_below()) == 0)
                    fold_into<Plus<double>>(dense.row(dense.place[row]) + column, sum);
            }
        }
    });
    inside = warp_reduce<Sum>(inside);
    if (lane_id() == 0 && inside != 0) fold_into<Plus<double>>(within, inside);
}

// The sum of the entries between vertices with equal labels, a part of it by each warp.
template <class Offset, class Value>
__global__ void add_within(Offset nnz, Index n, Csr<Offset, Value> B, const long long* labels, double* parts) {
    constexpr int STEP = LOADS_OF<Offset>;
    RowsOfWords<Offset> rows{B.indptr, n};
    double mine = 0;
    RowsOfWords<Offset>::template each<STEP>(nnz, warp_id(), warp_count(), [&](Offset word) {
        const Offset begin = (word << 5) + lane_id();
        long long there[STEP];
        for (int r = 0; r < STEP; ++r) {
            const Offset e = begin + 32 * r;
            there[r] = e < nnz ? labels[B.indices[e]] : -1;
        }
        for (int r = 0; r < STEP; ++r) {
            if ((word + r) << 5 >= nnz) break;
            const Offset e = begin + 32 * r;
            const Index row = rows(word + r);
            if (labels[row] == there[r]) mine += B.values[e * B.stride];
        }
    });
    mine = warp_reduce<Sum>(mine);
    if (lane_id() == 0) parts[warp_id()] = mine;
}

// The places in use of the listed dense rows, which are also entries of the rows of their columns, if
// these are not dense: moves them to their rows.
template <class Offset, class Value>
__global__ void compact_rows(unsigned count, const Index* listed, DenseRows dense, Offset* used, Index* indices,
                             Value* values) {
    using Counter = typename AtomicType<Offset>::type;
    const unsigned words = (dense.size + 31u) >> 5;
    const Count all = Count(words) * count;
    for (Count item : warp_stride<Count>(all)) {
        const Index row = static_cast<Index>(item / words), c = listed[row];
        const Index to = static_cast<Index>(item % words) * 32 + lane_id();
        const double x = to < dense.size ? dense.row(row)[to] : 0;
        const Word some = __ballot_sync(ALL_LANES, x != 0);
        if (some == 0) continue;
        Offset at = 0;
        if (lane_id() == 0)
            at = static_cast<Offset>(atomicAdd(reinterpret_cast<Counter*>(used + c), Counter(__popc(some))));
        at = __shfl_sync(ALL_LANES, at, 0) + __popc(some & lanes_below());
        if (x == 0) continue;
        indices[at] = to;
        values[at] = static_cast<Value>(x);
        if (dense.place[to] >= 0) continue;
        const Offset turned = static_cast<Offset>(atomicAdd(reinterpret_cast<Counter*>(used + to), Counter(1)));
        indices[turned] = c;
        values[turned] = static_cast<Value>(x);
    }
}

// The lengths of rows between their begins and ends, the sum of them and the longest: found[0] and found[1], which
// are 0 before.
template <class Offset>
__global__ void measure_rows(Index size, const Offset* begins, const Offset* ends, Offset* lengths, Count* found) {
    Count all = 0, longest = 0;
    for (Index c : grid_stride<Index>(size)) {
        const Offset its = ends[c] - begins[c];
        lengths[c] = its;
        all += its;
        if (longest < Count(its)) longest = its;
    }
    all = warp_reduce<Sum>(all);
    longest = warp_reduce<Maximum>(longest);
    if (lane_id() != 0 || all == 0) return;
    atomicAdd(found, all);
    atomicMax(found + 1, longest);
}

// The same rows one after another, without room between them: they begin at `closed`. A row may have most of the
// entries, so a warp takes a word of them at a time.
template <class Offset, class Value>
__global__ void close_rows(Offset nnz, Index size, const Offset* begins, const Index* indices, const Value* values,
                           const Offset* closed, Index* to_indices, Value* to_values) {
    RowsOfWords<Offset> rows{closed, size};
    RowsOfWords<Offset>::each(nnz, warp_id(), warp_count(), [&](Offset word) {
        const Offset e = (word << 5) + lane_id();
        const Index row = rows(word);
        if (e >= nnz) return;
        const Offset from = begins[row] + (e - closed[row]);
        to_indices[e] = indices[from];
        if (values != nullptr) to_values[e] = values[from];
    });
}
