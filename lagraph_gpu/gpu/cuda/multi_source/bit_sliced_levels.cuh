// Output of the rounds of many searches, which are recorded in binary digits (see source_bits.cuh),
// to rows or single entries of a table, or to sums for each source.
//
// `seen` has a row of `words` words for each vertex, with a bit for each source that has reached
// it. Each plane of `planes` has such a row, too; as many planes are used as *rounds has digits. A
// vertex that was not reached is at infinite distance.
// See docs/decisions/many-sources.md.
#pragma once
#include "core/arithmetic.cuh"
#include "core/bitmap.cuh"
#include "core/grid_stride.cuh"

constexpr int FEW_DIGITS = 4, SOME_DIGITS = 8, MOST_DIGITS = 31;
constexpr int MOST_WORDS = 32;  // of a row

// Rows of the sources of one word, for ABREAST targets of each lane, which are 32 apart.
template <int ABREAST, int DIGITS, class T>
__device__ inline void write_rows(long long plane, int digits, long long (&at)[ABREAST],
                                  const bool (&has)[ABREAST], const Word* seen, const Word* planes,
                                  int sources, long long targets, T* out) {
    Word here[ABREAST], digit[ABREAST][DIGITS];
#pragma unroll
    for (int i = 0; i < ABREAST; ++i) {
        here[i] = has[i] ? seen[at[i]] : 0;
#pragma unroll
        for (int p = 0; p < DIGITS; ++p)
            digit[i][p] = has[i] && p < digits ? planes[p * plane + at[i]] : 0;
    }
    for (int s = 0; s < sources; ++s, out += targets) {
#pragma unroll
        for (int i = 0; i < ABREAST; ++i) {
            unsigned round = 0;
#pragma unroll
            for (int p = 0; p < DIGITS; ++p) round |= (digit[i][p] >> s & 1u) << p;
            if (has[i]) __stcs(out + 32 * i, here[i] >> s & 1u ? T(round) : arithmetic::infinity<T>());
        }
    }
}

// out[source, t] = the round in which the source reached target[t], or vertex t if `target` is
// null; the first of `count` sources has row `first`. A warp handles a word of sources and some
// targets. The neighbouring warps handle the other words of these targets, which are adjacent in
// memory.
template <class T, int ABREAST, int DIGITS>
__device__ inline void each_word(Index n, Index words, const unsigned* rounds, Index first, Index count,
                                 long long targets, const Index* target, const Word* seen,
                                 const Word* planes, T* out) {
    constexpr int WIDTH = 32 * ABREAST;
    const Index used = words_of(count);
    const int digits = 32 - __clz(static_cast<int>(*rounds));
    const long long all = (targets + WIDTH - 1) / WIDTH * used, plane = static_cast<long long>(n) * words;
    for (long long unit : warp_stride<long long>(all)) {
        const Index word = static_cast<Index>(unit % used), left = count - (word << 5);
        const long long t0 = unit / used * WIDTH + lane_id();
        long long at[ABREAST];
        bool has[ABREAST];
#pragma unroll
        for (int i = 0; i < ABREAST; ++i) {
            const long long t = t0 + 32 * i;
            has[i] = t < targets;
            const long long v = !has[i] ? 0 : target == nullptr ? t : target[t];
            at[i] = v * words + word;
        }
        write_rows<ABREAST, DIGITS>(plane, digits, at, has, seen, planes, left < 32 ? left : 32, targets,
                                    out + (static_cast<long long>(first) + (word << 5)) * targets + t0);
    }
}

template <class T>
__global__ void __launch_bounds__(MAX_THREADS, 4)
    bit_sliced_rows(Index n, Index words, const unsigned* rounds, Index first, Index count, long long targets,
                   const Index* target, const Word* seen, const Word* planes, T* out) {
    if (*rounds >> FEW_DIGITS == 0)
        each_word<T, 4, FEW_DIGITS>(n, words, rounds, first, count, targets, target, seen, planes, out);
    else if (*rounds >> SOME_DIGITS == 0)
        each_word<T, 4, SOME_DIGITS>(n, words, rounds, first, count, targets, target, seen, planes, out);
    else
        each_word<T, 1, MOST_DIGITS>(n, words, rounds, first, count, targets, target, seen, planes, out);
}

// out[place[k]] = the round in which source row[k] - first reached target[k], for `count` pairs.
template <class T>
__global__ void bit_sliced_pairs(Index n, Index words, const unsigned* rounds, Index first, long long count,
                                const Index* row, const Index* target, const long long* place,
                                const Word* seen, const Word* planes, T* out) {
    const int digits = 32 - __clz(static_cast<int>(*rounds));
    for (long long k : grid_stride<long long>(count)) {
        const Index source = row[k] - first;
        const long long at = static_cast<long long>(target[k]) * words + (source >> 5);
        unsigned round = 0;
        for (int p = 0; p < digits; ++p)
            round |= (planes[p * static_cast<long long>(n) * words + at] >> (source & 31) & 1u) << p;
        out[place[k]] = seen[at] >> (source & 31) & 1u ? T(round) : arithmetic::infinity<T>();
    }
}

// Counts the bits of words by their place in a word, in bytes that are filled by way of half bytes
// (positional population count: Mula, Kurz and Lemire, The Computer Journal 61, 2018).
struct PlaceCounts {
    static constexpr int HALVES = 15, BYTES = 255 / HALVES;  // so many additions fill them

    Word half[4] = {}, byte[8] = {};
    int in_halves = 0, in_bytes = 0;

    // True if the bytes are full, and must be taken.
    __device__ bool add(Word bits) {
#pragma unroll
        for (int j = 0; j < 4; ++j) half[j] += bits >> j & 0x11111111u;
        if (++in_halves == HALVES) widen();
        return in_bytes == BYTES;
    }
    __device__ void widen() {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            byte[2 * j] += half[j] & 0x0F0F0F0Fu;
            byte[2 * j + 1] += half[j] >> 4 & 0x0F0F0F0Fu;
            half[j] = 0;
        }
        in_halves = 0;
        ++in_bytes;
    }
    // Adds all that was counted to 32 counters.
    __device__ void take(unsigned* counts) {
        widen();
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            for (int k = 0; k < 4; ++k)
                if (const unsigned more = byte[j] >> 8 * k & 0xFFu)
                    atomicAdd(counts + 8 * k + 4 * (j & 1) + j / 2, more);
            byte[j] = 0;
        }
        in_bytes = 0;
    }
};

// count[s] += the number of vertices whose row has the bit of source s. `size` is the number of
// words of all rows, and a row has `words`, a power of two up to MOST_WORDS.
__global__ void __launch_bounds__(MAX_THREADS)
    count_sources(long long size, Index words, const Word* rows, unsigned long long* count) {
    __shared__ unsigned shared[32 * MOST_WORDS];
    const int sources = 32 * static_cast<int>(words);
    for (int s = threadIdx.x; s < sources; s += blockDim.x) shared[s] = 0;
    __syncthreads();
    PlaceCounts mine;
    unsigned* const to = shared + 32 * (threadIdx.x % words);  // a block is a multiple of a row
    for (long long i : grid_stride<long long>(size))
        if (mine.add(rows[i])) mine.take(to);
    mine.take(to);
    __syncthreads();
    for (int s = threadIdx.x; s < sources; s += blockDim.x)
        if (shared[s] != 0) atomicAdd(count + s, static_cast<unsigned long long>(shared[s]));
}
