// Fingerprints of 16 bits of the first columns of rows, and a filter that says which of them some rows may hold
// (Fan and others 2014, "Cuckoo filter"; Bloom 1970).
//
// Fingerprints of a row are those of its first 32 columns below its own number, in order, and 0 in slots that are
// left: 64 bytes, which cost a random read of memory no more than 4 of them do.
// See docs/decisions/spgemm.md.
#pragma once
#include "core/hash_table.cuh"
#include "core/vector_load.cuh"
#include "fused/sampled_entries.cuh"
#include "matrix/entries.cuh"

using Fingerprint = unsigned short;

constexpr int READERS = 4;          // lanes that read the fingerprints of a row together
constexpr int OF_READER = PRINTS / READERS;
constexpr int BITMAP_BITS = 16384;  // of each of the two bitmaps of a warp
static_assert(PRINTS == 32, "a lane makes one of them");

// Of the lower bits one is set: 0 says that a slot is empty, which no filter holds.
__device__ inline unsigned fingerprint(Index w) {
    const unsigned h = hashed(w) >> 16;
    return (h & 511u) == 0 ? h | 1u : h;
}

// The rows from `first` on of which a warp reads some at once. Lane l has where row first + l is.
template <class Offset> struct NeighbouringRows {
    const Index* indices;
    Index first, count;
    Offset begin = 0, end = 0;

    __device__ NeighbouringRows(const Structure<Offset>& rows, Index first, Index count)
        : indices(rows.indices), first(first), count(count) {
        if (lane_id() < count) {
            begin = rows.indptr[first + lane_id()];
            end = rows.indptr[first + lane_id() + 1];
        }
    }

    // The entry that is `past` entries and a lane's number behind the first, of AHEAD rows from `row` on.
    template <int AHEAD> __device__ void read(Index row, Offset past, Index (&columns)[AHEAD]) const {
#pragma unroll
        for (int i = 0; i < AHEAD; ++i) {
            const Offset e = __shfl_sync(ALL_LANES, begin, (row + i) & 31) + past + lane_id();
            const Offset last = __shfl_sync(ALL_LANES, end, (row + i) & 31);
            columns[i] = e < last ? __ldcs(indices + e) : EMPTY<Index>;
        }
        loaded(columns);
    }
};

// The fingerprints of each row: of its first columns below its own number, and 0 in the slots that are left.
template <class Offset>
__global__ void row_fingerprints(Index n, const Offset* indptr, const Index* indices, SampledEntries sampled,
                                 Fingerprint* made) {
    if (sampled.near()) return;
    for (unsigned first : common_stride<unsigned>(n, 32)) {
        const Index begin = static_cast<Index>(first);
        const NeighbouringRows<Offset> rows({indptr, indices}, begin, n - begin < 32 ? n - begin : 32);
        for (Index row = 0; row < rows.count; row += LOADS) {
            Index columns[LOADS];
            rows.read(row, 0, columns);
#pragma unroll
            for (int i = 0; i < LOADS; ++i) {
                const Index v = begin + row + i;
                if (row + i < rows.count)
                    made[static_cast<long long>(v) * PRINTS + lane_id()] =
                        static_cast<Fingerprint>(columns[i] < v ? fingerprint(columns[i]) : 0u);
            }
        }
    }
}

// Two bitmaps for each of ROWS rows, of the lower and of the upper bits of fingerprints. What was marked is held, and
// hardly anything else.
template <int ROWS> struct FingerprintFilter {
    static constexpr int BITS = BITMAP_BITS / ROWS, SHIFT = 6;
    static_assert(BITS == 1 << (16 - SHIFT), "the upper bits of a fingerprint, too, are as many");
    static constexpr int APART = BITS / 32 + 1;  // rows begin in different banks: empty slots ask for the first bit
    static constexpr int HALF = ROWS * APART, WORDS = 2 * HALF;

    Word* words;  // 0 at first

    __device__ void add(Index row, unsigned print) const {
        const unsigned low = print & (BITS - 1), high = print >> SHIFT;
        mark(words + row * APART, low);
        mark(words + HALF + row * APART, high);
    }
    // Bit i says that slot i may be held. Few are in the first bitmap, so the second is asked one by one.
    __device__ unsigned may_hold(Index row, const unsigned (&slots)[OF_READER / 2]) const {
        const Word* const of_row = words + row * APART;
        unsigned passed = 0;
#pragma unroll
        for (int i = 0; i < OF_READER / 2; ++i) {
            passed |= held(of_row, slots[i] & (BITS - 1), 2 * i);
            passed |= held(of_row, slots[i] >> 16 & (BITS - 1), 2 * i + 1);
        }
        for (unsigned left = passed; left != 0; left &= left - 1) {
            const int i = __ffs(static_cast<int>(left)) - 1;
            const unsigned low = i & 4 ? slots[2] : slots[0], high = i & 4 ? slots[3] : slots[1];
            const unsigned print = (i & 2 ? high : low) >> 16 * (i & 1) & 0xffffu;
            if (!holds(of_row + HALF, print >> SHIFT)) passed ^= 1u << i;
        }
        return passed;
    }
    static __device__ bool holds(const Word* of_row, unsigned bit) { return present(of_row[bit >> 5], bit); }
    // The bit as bit `at` of a word.
    static __device__ unsigned held(const Word* of_row, unsigned bit, int at) {
        const Word word = of_row[bit >> 5];
        return __funnelshift_r(word, word, bit - at) & 1u << at;
    }
};
