// C = Pᵀ ⊕.⊗ A ⊕.⊗ P, the quotient of a graph, for a selector P with an entry in each row: entries
// of A whose rows and columns have the same numbers are added up. This is done in a hash table of
// pairs of numbers in global memory. The lanes of a warp that have the same pair add up first,
// because with few numbers all of them would wait for the same slots. If a matrix is its own
// transpose, only the entries of one HALF are read, and both orders of a pair have the same slot.
// O(entries). See docs/decisions/louvain.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/partition_point.cuh"
#include "generate/kronecker_edges.cuh"
#include "matrix/entries.cuh"
#include "core/append.cuh"
#include "core/hash_table.cuh"

// A table in which each pair is stored next to its sum, so that one sector of memory brings both.
template <class Z> struct PairTable : HashTable<Pair, Thread, 2> {
    static_assert(sizeof(Z) == sizeof(Pair), "a slot is two words");
    __device__ Z* sum(Count at) const { return reinterpret_cast<Z*>(this->slot(at) + 1); }
};

// Empties it.
template <class Z> __global__ void clear_pairs(Count slots, Pair* words) {
    const PairTable<Z> table{{words, slots}};
    for (Count at : grid_stride<Count>(slots)) {
        *table.slot(at) = EMPTY<Pair>;
        *table.sum(at) = 0;
    }
}

__device__ inline Pair turned(Pair pair) { return pair_of(second_end(pair), first_end(pair)); }

// The table is empty before. *found becomes the number of pairs; with a HALF both orders of a pair
// count.
template <class Offset, class Z, bool HALF>
__global__ void add_pairs(Offset nnz, Index n, Csr<Offset, Z> A, const Index* numbers, Count slots,
                          Pair* words, Count* found) {
    const PairTable<Z> table{{words, slots}};
    RowsOfWords<Offset> rows{A.indptr, n};
    Count mine = 0;
    RowsOfWords<Offset>::each(nnz, warp_id(), warp_count(), [&](Offset word) {
        const Offset e = (word << 5) + lane_id();
        const Index row = rows(word);
        Pair pair = EMPTY<Pair>;
        Z z = 0;
        const bool there = e < nnz && (!HALF || row <= A.indices[e]);
        if (HALF && !__any_sync(ALL_LANES, there)) return;
        if (there) {
            pair = pair_of(numbers[row], numbers[A.indices[e]]);
            z = A.values[e * A.stride];
            if (HALF && turned(pair) == pair && row != A.indices[e]) z += z;
            if (HALF && turned(pair) < pair) pair = turned(pair);
        }
        const Word peers = __match_any_sync(ALL_LANES, pair);
        z = fold_peers<Plus<Z>>(there ? peers : 0, z);
        if (!there || (peers & lanes_below()) != 0) return;
        bool fresh;
        fold_into<Plus<Z>>(table.sum(table.insert(pair, fresh)), z);
        if (fresh) mine += HALF && turned(pair) != pair ? 2 : 1;
    });
    mine = running_sum(mine);
    if (lane_id() == 31 && mine > 0) atomicAdd(found, mine);
}

// A pair and its sum in one word, ordered as the pair: both ends in `bits` bits each, and in those left
// the sum, if it is a whole number that they can hold, or else their largest number. So most sums need not
// be looked up again when the words have been sorted.
struct Packed {
    int bits;

    __device__ int rest() const { return 64 - 2 * bits; }
    __device__ Pair none() const { return (Pair(1) << rest()) - 1; }
    template <class Z> __device__ Pair word(Pair pair, Z sum) const {
        const bool held = sum >= 0 && sum < static_cast<Z>(none());
        const Pair whole = held ? static_cast<Pair>(sum) : none();
        return (Pair(first_end(pair)) << bits | Pair(second_end(pair))) << rest() |
               (static_cast<Z>(whole) == sum ? whole : none());
    }
    __device__ Pair pair(Pair word) const {
        const Pair ends = word >> rest();
        return pair_of(static_cast<Index>(ends >> bits), static_cast<Index>(ends & ((Pair(1) << bits) - 1)));
    }
    __device__ Pair sum(Pair word) const { return word & none(); }
};

constexpr int WORDS = 8;  // of 32 slots that a warp lists at a time

// The pairs of the table in any order, with their sums, with a HALF also in the other order. *count is 0
// before.
template <class Z, bool HALF>
__global__ void list_pairs(Count slots, Pair* words, int bits, Pair* listed, Count* count) {
    const Packed packed{bits};
    const PairTable<Z> table{{words, slots}};
    for (Count base : warp_stride<Count>(slots, WORDS * 32)) {
        Pair held[WORDS];
        Z sums[WORDS];
        Count all = 0;
        for (int w = 0; w < WORDS; ++w) {
            const Count at = base + w * 32 + lane_id();
            held[w] = at < slots ? *table.slot(at) : EMPTY<Pair>;
            sums[w] = at < slots ? *table.sum(at) : 0;
            all += __popc(__ballot_sync(ALL_LANES, held[w] != EMPTY<Pair>));
            if (HALF) all += __popc(__ballot_sync(ALL_LANES, held[w] != turned(held[w])));
        }
        Count to = all > 0 ? reserve(all, count) : 0;
        for (int w = 0; w < WORDS; ++w) {
            Pair pair = held[w];
            for (int order = 0; order < (HALF ? 2 : 1); ++order) {
                const bool has = pair != EMPTY<Pair>;
                const Count at = append_own(has, to);
                if (has) listed[at] = packed.word(pair, sums[w]);
                pair = turned(pair) == pair ? EMPTY<Pair> : turned(pair);
            }
        }
    }
}

// Compressed rows of the pairs of the table, which are given in order with their sums. The table has the
// sums that a word cannot hold, with a HALF those of one order of each pair.
template <class Offset, class Z, bool HALF>
__global__ void lay_out_pairs(Index nrows, Offset count, const Pair* listed, int bits, Count slots, Pair* words,
                              Offset* indptr, Index* indices, Z* values) {
    const PairTable<Z> table{{words, slots}};
    const Packed packed{bits};
    for (long long e : grid_stride<long long>(count)) {
        const Pair word = listed[e], pair = packed.pair(word), sum = packed.sum(word);
        indices[e] = second_end(pair);
        values[e] = sum != packed.none() ? static_cast<Z>(sum)
                  : *table.sum(table.find(HALF && turned(pair) < pair ? turned(pair) : pair));
    }
    for (long long row : grid_stride<long long>(nrows + 1ll)) {
        indptr[row] = partition_point(
            Offset(0), count, [&](Offset at) { return first_end(packed.pair(listed[at])) < row; });
    }
}
