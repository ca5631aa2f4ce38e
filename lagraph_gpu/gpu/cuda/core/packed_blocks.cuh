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
#include "core/vector_load.cuh"

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

// running_sum of words, which adds what a shuffle gives by whether it gives something: two instructions a step.
template <int WIDTH = 32> __device__ inline Word running_word_sum(Word x) {
#pragma unroll
    for (Word distance = 1; distance < WIDTH; distance <<= 1)
        asm volatile("{.reg .pred p; .reg .u32 y; shfl.sync.up.b32 y|p, %0, %1, %2, 0xffffffff; @p add.u32 %0, %0, y;}"
                     : "+r"(x) : "r"(distance), "n"((32 - WIDTH) << 8));
    return x;
}

// Byte `which` of a word.
__device__ inline Word byte_of(Word bytes, int which) { return __byte_perm(bytes, 0, 0x4440 + which); }

// The widths and bytes of a block's quarters, and their sums up to each quarter: a byte for each.
struct BlockSums {
    Word width, widths, bytes, more;

    __device__ explicit BlockSums(Word stored)
        : width(stored & 0x1f1f1f1fu), widths(width * 0x01010101u), bytes(stored >> 5 & 0x07070707u),
          more(bytes * 0x01010101u) {}
    // All low bits of so many gaps, at least one.
    __device__ Word low_bits(int gaps) const {
        const int last = (gaps - 1) / QUARTER, missing = QUARTER - 1 - (gaps - 1) % QUARTER;
        return QUARTER * byte_of(widths, last) - static_cast<Word>(missing) * byte_of(width, last);
    }
    // The bits of a full block.
    __device__ Word bits() const { return QUARTER * (widths >> 24) + 8 * (PACKED_GAPS / 8 + (more >> 24)); }
};

// Which gaps of a block a lane has: from gap t on. What follows from t stays in registers where a lane keeps the same
// gaps of many blocks.
struct LanePlace {
    int within, quarter;    // t in its quarter, and which that is
    Word flip;              // -1, which the compiler does not know: a product by it is no work for the adders

    __device__ explicit LanePlace(int t) : within(t % QUARTER), quarter(t / QUARTER), flip(~(blockDim.x >> 31)) {}
    __device__ void keep() { loaded(within); loaded(quarter); loaded(flip); }
};

// Where a lane's part of a block is, of up to 128 gaps that begin with bit `from`.
struct LanePart {
    Word low, codes;    // the bits with which its low bits begin, and the quotients of its quarter
    int width;

    // `low_of_block` is the number of all low bits.
    __device__ LanePart(const BlockSums& sums, Word from, Word low_of_block, const LanePlace& place) {
        const int quarter = place.quarter;
        width = static_cast<int>(byte_of(sums.width, quarter));
        low = from + QUARTER * byte_of(sums.widths - sums.width, quarter) + static_cast<Word>(place.within * width);
        codes = from + low_of_block + QUARTER * quarter + 8 * byte_of(sums.more - sums.bytes, quarter);
    }
    __device__ LanePart(Word widths, Word from, Word low_of_block, const LanePlace& place)
        : LanePart(BlockSums(widths), from, low_of_block, place) {}
};

// The quotients of some gaps of a quarter, of which bit 0 of these words is the first. Those of a quarter take at most
// 88 bits, and what is found beyond means nothing.
struct Quotients {
    Word words[3];

    // Those after the first `left` of a quarter, of which bit `at` of four words is the first.
    __device__ Quotients(const Word (&from)[4], Word at, int left) {
        const Word first = __funnelshift_l(from[1], from[0], at), second = __funnelshift_l(from[2], from[1], at),
                   third = __funnelshift_l(from[3], from[2], at);
        const int in_first = __popc(first), in_both = in_first + __popc(second);
        const bool later = left > in_first, last = left > in_both;
        const Word here = last ? third : later ? second : first, next = later ? third : second;
        left -= last ? in_both : later ? in_first : 0;
        int rest = 32;    // bits that are not passed, of which there are `left` ones
#pragma unroll
        for (int step = 16; step > 0; step >>= 1)
            if (__popc(here >> (rest - step)) < left) rest -= step;
        const int passed = 32 - rest + (left > 0);
        words[0] = here, words[1] = next, words[2] = third;
        pass(static_cast<Word>(passed));
    }
    // Goes on after so many bits, at most 32.
    __device__ void pass(Word bits) {
        words[0] = __funnelshift_lc(words[1], words[0], bits);
        words[1] = __funnelshift_lc(words[2], words[1], bits);
        words[2] = __funnelshift_lc(0, words[2], bits);
    }
};

// The words of MANY gaps of a lane, 4 or 8, that are asked for together.
template <int MANY> struct GapWords {
    Word low[MANY / 2][3], codes[4], at[MANY / 2];

    // Of a lane's part, of which `here` gaps are wanted; of none the first words are read, which must be there.
    __device__ GapWords(const Word* words, const LanePart& part, bool quotients, int here) {
        const int last = here > 0 ? here - 1 : 0;
        const Word begin = here > 0 ? part.low : 0, end = begin + static_cast<Word>(last * part.width);
#pragma unroll
        for (int i = 0; i < MANY / 2; ++i) {
            at[i] = begin + static_cast<Word>(2 * i * part.width);
            if (i > 0 && at[i] > end) at[i] = end;
            const Word* const from = words + (at[i] >> 5);
#pragma unroll
            for (int k = 0; k < 3; ++k) low[i][k] = from[k];
        }
        const Word* const from = words + (here > 0 && quotients ? part.codes >> 5 : 0);
#pragma unroll
        for (int k = 0; k < 4; ++k) codes[k] = from[k];
    }
    // The low bits of two gaps, from the highest bits on.
    __device__ void pair(int i, int width, Word* found) const {
        found[0] = __funnelshift_l(low[i][1], low[i][0], at[i]);
        found[1] = __funnelshift_l(__funnelshift_l(low[i][2], low[i][1], at[i]), found[0], width);
    }
};

// The place of the highest one of a word, from the lowest bit on; ~0 of none.
__device__ inline Word bit_of_first(Word x) { return static_cast<Word>(31 - __clz(static_cast<int>(x))); }

// The sums of gaps `t` to each of `t` + MANY - 1, with `t` a multiple of MANY, which is 4 or 8, of a block with
// quotients or without, of which `here` are wanted. Beyond the last gap what is found means nothing. At most four words
// after the block may be read. All lanes must call it.
template <int MANY>
__device__ inline void sums_from(const Word* words, const LanePart& part, const LanePlace& place, bool quotients,
                                 int here, Word (&sums)[MANY]) {
    const GapWords<MANY> read(words, part, quotients, here);
    Quotients ahead(read.codes, part.codes, place.within);
    if (!quotients) ahead.words[0] = ~0u;
    Word sum = 0;
    const Word less = 1u - (1u << part.width);
#pragma unroll
    for (int four = 0; four < MANY; four += OF_LANE) {
        Word codes = ahead.words[0], passed = 0, low[OF_LANE];
        read.pair(four / 2, part.width, low);
        read.pair(four / 2 + 1, part.width, low + 2);
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) {
            const Word code = bit_of_first(codes) * place.flip + 32;  // a quotient and 1
            codes = __funnelshift_lc(0, codes, code);
            passed += code;
            sums[four + i] = sum += __funnelshift_l(low[i], code, part.width) + less;
        }
        ahead.pass(passed);
    }
}

// How many of a block's gaps this lane has.
__device__ inline int count_of_lane(int gaps) {
    const int left = gaps - OF_LANE * lane_id();
    return left < 0 ? 0 : left < OF_LANE ? left : OF_LANE;
}
