// A level of a closure over distributed rows as several kernels, between which the host moves lists
// and bitmaps (see distributed_steps.cuh).
// See docs/decisions/cluster.md.
#pragma once
#include "closure/level_synchronous/distributed_push.cuh"

template <class Z, class Offset>
__global__ void begin_levels(Index n, Start<Z> start, SparseOutput<Z> x, Index* rounds, Word* fresh,
                             Index fresh_words, const Offset* indptr, Count* counts) {
    begin_distributed(n, start, x, rounds, fresh, fresh_words, indptr, counts);
}

__global__ void join_bits(Index n, Index parts, Index words, const Word* gathered, Word* bits, Word* seen) {
    join_parts_of(n, parts, words, gathered, bits, seen);
}

template <class S, class Rows>
__global__ void __launch_bounds__(MAX_THREADS, 3)
    pull_level(DistributedPull<S> pull, const Word* frontier, bool guessed, Index round,
               SparseOutput<typename S::Z> x, Index* rounds, Word* fresh, Count* counts) {
    __shared__ LaterRows<S> pending[MAX_THREADS / 32];
    __shared__ UnsettledRows<MAX_THREADS / 32> rest;
    pull.template level<Rows>(pending, rest, frontier, guessed, true, round, x, rounds, fresh, counts);
}

template <class S, class T>
__global__ void __launch_bounds__(MAX_THREADS, 3)
    push_level(Index n, CyclicRows cyclic, const Word* frontier, CsrOf<S> A, Pieces<typename S::Offset> pieces,
               Word* seen, OwnerLists<T> found) {
    __shared__ Candidates<typename S::Z> pending[MAX_THREADS / 32];
    const DistributedPush<S, OwnerLists<T>> rule{A.indices, A.values, A.stride, CyclicOwner(cyclic.parts), seen, found};
    push_distributed<S>(n, cyclic, frontier, A, pieces, rule, pending[threadIdx.x >> 5]);
}

// The number of entries into the head of each list.
template <class T> __global__ void fill_heads(Index parts, OwnerLists<T> found) {
    for (Index r : grid_stride<Index>(parts))
        found.places[static_cast<long long>(r) * found.stride] = static_cast<Index>(found.counts[r]);
}

// What all processes have found for this one, one list after another without heads.
template <class Z, class T, class Offset>
__global__ void take_found(long long count, const Index* places, const T* values, Index round, SparseOutput<Z> x,
                           Index* rounds, Word* fresh, const Offset* indptr, Count* counts) {
    Receiver<Z, Offset> receiver{round, x, rounds, fresh, indptr, 0, 0};
    for (long long i : grid_stride<long long>(count)) receiver.receive(places[i], static_cast<Z>(values[i]));
    receiver.add_to(counts);
}

// What all processes have found for this one, in lists of `stride` elements. The head of each list is its
// number of entries.
template <class Z, class T, class Offset>
__global__ void take_lists(Index parts, Index stride, const Index* places, const T* values, Index round,
                           SparseOutput<Z> x, Index* rounds, Word* fresh, const Offset* indptr, Count* counts) {
    Receiver<Z, Offset> receiver{round, x, rounds, fresh, indptr, 0, 0};
    for (Index at : grid_stride<Index>(parts * stride)) {
        const Index r = at / stride, i = at - r * stride;
        if (i > 0 && i <= places[r * stride]) receiver.receive(places[at], static_cast<Z>(values[at]));
    }
    receiver.add_to(counts);
}
