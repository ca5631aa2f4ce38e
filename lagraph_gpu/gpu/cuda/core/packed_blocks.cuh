// Blocks of gaps, in Rice codes, of packed rows (`packed_rows.cuh`).
//
// A block holds up to 128 gaps, each less 1, in four quarters of 32. Each quarter has a width of its
// own: so many low bits of each gap stand side by side, in the order of the gaps. What is left of a
// gap, its quotient, is written in unary, as so many zeros and a one, behind the low bits of the whole
// block; those of each quarter take whole bytes. All bits begin with the highest of a word. For each
// quarter a byte of one word, the first quarter's lowest, has the width and above it by how many bytes
// the quotients take more than one bit for each gap. The quotients of the four gaps of a lane fit into
// 32 bits. A block may begin with any bit of a word.
//
// A lane finds its quotients by counting ones, and takes them from the highest bit on by counting zeros. It
// has four gaps of a block, or eight where a warp decodes two blocks.
// See docs/decisions/layouts.md.
#pragma once
#include "core/bitmap.cuh"

__device__ inline int width_of(Word widths, int quarter) { return static_cast<int>(widths >> 8 * quarter & 31u); }

// By how many bytes the quotients of a quarter take more than one bit for each.
__device__ inline int more_of(Word widths, int quarter) { return static_cast<int>(widths >> (8 * quarter + 5) & 7u); }

// The sum of the bytes of `each` before byte `which`, up to 4.
__device__ inline int bytes_below(Word each, int which) {
    return static_cast<int>((which < 4 ? each * 0x01010100u >> 8 * which : each * 0x01010101u >> 24) & 255u);
}

// The words of the low bits of the first `quarters` quarters, which are full.
__device__ inline int words_before(Word widths, int quarters) { return bytes_below(widths & 0x1f1f1f1fu, quarters); }

// The bytes of their quotients.
__device__ inline int bytes_before(Word widths, int quarters) {
    return QUARTER / 8 * quarters + bytes_below(widths >> 5 & 0x07070707u, quarters);
}

// All low bits of a block.
__device__ inline int low_bits(Word widths, int gaps) {
    const int full = gaps / QUARTER, rest = gaps % QUARTER;
    return QUARTER * words_before(widths, full) + (rest > 0 ? rest * width_of(widths, full) : 0);
}

// The bits of a block.
__device__ inline int bits_of_block(Word widths, int gaps) {
    const int full = gaps / QUARTER, rest = gaps % QUARTER;
    const int bytes = bytes_before(widths, full) + (rest > 0 ? (rest + 7) / 8 + more_of(widths, full) : 0);
    return low_bits(widths, gaps) + 8 * bytes;
}

// The 32 bits from bit `at` on; bit 0 is the highest of the first word.
__device__ inline Word bits_from(const Word* words, Word at) {
    const Word* const low = words + (at >> 5);
    return __funnelshift_l(low[1], low[0], at);
}

// The quotients of some gaps of a quarter: bit `at` of these words is their first, at most 32. Those of a quarter take
// at most 88 bits, and what is found beyond means nothing.
struct Quotients {
    Word words[3];
    int at;

    // Takes the next four, and returns each above the low bits of one of `found`, which are `width`.
    template <int MANY> __device__ void above(Word (&found)[MANY], int four, int width) {
        Word ahead = at < 32 ? __funnelshift_lc(words[1], words[0], at) : __funnelshift_lc(words[2], words[1], at - 32);
#pragma unroll
        for (int i = four; i < four + OF_LANE; ++i) {
            const int quotient = __clz(static_cast<int>(ahead));
            ahead = ahead << (quotient & 31) << 1;
            at += quotient + 1;
            found[i] = __funnelshift_l(found[i], static_cast<Word>(quotient), width);
        }
    }
};

// Those from gap `t` on, a multiple of 4. The block begins with bit `from`.
__device__ inline Quotients quotients_from(const Word* words, Word from, Word widths, int gaps, int t) {
    const int quarter = t / QUARTER;
    const Word at = from + static_cast<Word>(low_bits(widths, gaps) + 8 * bytes_before(widths, quarter));
    const Word* const begin = words + (at >> 5);
    const Word a = begin[0], b = begin[1], c = begin[2], d = begin[3];
    const Word first = __funnelshift_l(b, a, at), second = __funnelshift_l(c, b, at), third = __funnelshift_l(d, c, at);
    int left = t % QUARTER, rest = 32;    // ones to pass, and bits that are not passed
    const int in_first = __popc(first), in_both = in_first + __popc(second);
    const bool later = left > in_first, last = left > in_both;
    const Word here = last ? third : later ? second : first;
    left -= last ? in_both : later ? in_first : 0;
#pragma unroll
    for (int step = 16; step > 0; step >>= 1)
        if (__popc(here >> (rest - step)) < left) rest -= step;
    return {{here, later ? third : second, third}, 32 - rest + (left > 0)};
}

// Gaps `t` to `t` + MANY - 1, less 1, with `t` a multiple of MANY, which is 4 or 8, of a block with quotients or
// without, which begins with bit `from`. Beyond the last gap what is found means nothing, and of eight `here`
// must say how many there are: at most four words after the block may be read. Low bits and quotients are asked
// for together.
template <int MANY>
__device__ inline void gaps_from(const Word* words, Word from, Word widths, int gaps, int t, bool quotients,
                                 Word (&found)[MANY], int here = MANY) {
    const int quarter = t / QUARTER, width = width_of(widths, quarter);
    const Word low = from + static_cast<Word>(QUARTER * words_before(widths, quarter) + t % QUARTER * width);
#pragma unroll
    for (int i = 0; i < MANY; ++i) found[i] = bits_from(words, low + static_cast<Word>((i < here ? i : 0) * width));
    if (quotients) {
        Quotients ahead = quotients_from(words, from, widths, gaps, t);
#pragma unroll
        for (int four = 0; four < MANY; four += OF_LANE) ahead.above(found, four, width);
    } else {
#pragma unroll
        for (int i = 0; i < MANY; ++i) found[i] = __funnelshift_l(found[i], 0, width);
    }
}

// The gaps of a lane, which are side by side; 0 beyond the last.
__device__ inline void gaps_of_lane(const Word* words, Word from, Word widths, int gaps, bool quotients,
                                    Word (&steps)[OF_LANE]) {
    const int t = OF_LANE * lane_id();
    if (t < gaps) gaps_from(words, from, widths, gaps, t, quotients, steps);
#pragma unroll
    for (int i = 0; i < OF_LANE; ++i) steps[i] = t + i < gaps ? steps[i] + 1 : 0;
}

// How many of a block's gaps this lane has.
__device__ inline int count_of_lane(int gaps) {
    const int left = gaps - OF_LANE * lane_id();
    return left < 0 ? 0 : left < OF_LANE ? left : OF_LANE;
}

// From gaps to columns. `last` is the column before the block, and becomes its last one. All lanes
// must call it.
__device__ inline void columns_of_lane(const Word (&steps)[OF_LANE], Index& last, Index (&columns)[OF_LANE]) {
    Word sum = 0;
#pragma unroll
    for (int i = 0; i < OF_LANE; ++i) columns[i] = static_cast<Index>(sum += steps[i]);
    const Word end = running_sum(sum);
#pragma unroll
    for (int i = 0; i < OF_LANE; ++i) columns[i] += last + static_cast<Index>(end - sum);
    last += static_cast<Index>(__shfl_sync(ALL_LANES, end, 31));
}
