// The best edge of each row of a matrix, stored separately with the best of the other weights: for
// most rows a search by value needs nothing else, so it never reads them.
// See docs/decisions/hub-first.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/operands.cuh"
#include "core/shuffle.cuh"
#include "core/warp_reduce.cuh"
#include "matrix/edge_storage.cuh"

template <class A> struct alignas(sizeof(A) == 4 ? 16 : 8) MinEdge {
    A weight, next;  // next: the best weight of all other entries, or anything if there is none
    Index to;
    int degree;  // how many entries there are; if none, the rest means nothing
};

// The two best weights of some entries.
template <class A> struct BestTwo {
    MinEdge<A> best;
    bool falling;

    __device__ bool before(A x, A y) const { return falling ? y < x : x < y; }
    __device__ void add(A weight, Index to) {
        if (best.degree == 0 || before(weight, best.weight)) {
            best.next = best.weight;
            best.weight = weight;
            best.to = to;
        } else if (best.degree == 1 || before(weight, best.next)) {
            best.next = weight;
        }
        ++best.degree;
    }
    __device__ void join(const MinEdge<A>& other) {
        if (other.degree > 0) add(other.weight, other.to);
        if (other.degree > 1) add(other.next, other.to);
    }
    __device__ MinEdge<A> of_lane(int lane) const {
        return {from_lane(best.weight, lane), from_lane(best.next, lane), from_lane(best.to, lane),
                from_lane(best.degree, lane)};
    }
    __device__ MinEdge<A> of_lane_xor(int distance) const {
        return {from_lane_xor(best.weight, distance), from_lane_xor(best.next, distance),
                from_lane_xor(best.to, distance), from_lane_xor(best.degree, distance)};
    }
};

// The two lightest entries of a row in fewer bytes than MinEdge takes, without the length of the row.
template <class W> struct alignas(sizeof(W) == 4 ? 16 : 8) Lightest {
    Index to;        // the lightest entry; ~column if there is no other, and NONE if there is none at all
    W weight, next;  // its weight, and that of the next lightest

    static constexpr Index NONE = -2147483647 - 1;  // no column's complement

    __device__ bool any() const { return to != NONE; }
    __device__ bool more() const { return to >= 0; }
    __device__ Index column() const { return to < 0 ? ~to : to; }
    static __device__ Lightest of(const MinEdge<W>& best) {
        return {best.degree > 1 ? best.to : best.degree == 1 ? ~best.to : NONE, best.weight, best.next};
    }
};

static_assert(sizeof(Lightest<unsigned char>) == LIGHTEST_BYTES && sizeof(Lightest<unsigned short>) == LIGHTEST_BYTES &&
              sizeof(Lightest<float>) == LIGHTEST_BYTES_32 && sizeof(Lightest<double>) == LIGHTEST_BYTES_64,
              "packed_order.py has room for them");

// Finds the two lightest entries of each row. A warp for each row.
template <class Offset, class A>
__global__ void find_min_edges(Index n, Csr<Offset, A> matrix, bool falling, MinEdge<A>* min_edges) {
    for (Index row : warp_stride<Index>(n)) {
        const Offset first = matrix.indptr[row], last = matrix.indptr[row + 1];
        BestTwo<A> mine{{A(), A(), 0, 0}, falling};
        for (Offset e = first + lane_id(); e < last; e += 32)
            mine.add(matrix.values[e * matrix.stride], matrix.indices[e]);
        warp_join(mine);
        mine.best.degree = static_cast<int>(last - first);
        if (lane_id() == 0) min_edges[row] = mine.best;
    }
}

// Takes the first two entries of each row, which are the lightest where rows are sorted. A thread for each
// row.
template <class Offset, class A, class Edges>
__global__ void first_min_edges(Index n, Csr<Offset, A, typename Edges::Column> matrix,
                                MinEdge<A>* min_edges) {
    const Edges stored{{matrix.indices, matrix.values, matrix.stride}};
    for (unsigned row : grid_stride<unsigned>(n)) {
        const Offset first = matrix.indptr[row];
        const int degree = static_cast<int>(matrix.indptr[row + 1] - first);
        MinEdge<A> found{A(), A(), 0, degree};
        if (degree > 0) {
            const Edge<A> best = stored.begin(first);
            found.weight = best.weight;
            found.to = best.to;
        }
        if (degree > 1) found.next = stored.weight(first + 1);
        min_edges[row] = found;
    }
}
