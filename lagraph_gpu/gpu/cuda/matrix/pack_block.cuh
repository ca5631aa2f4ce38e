// How a warp packs a block of gaps (packed_blocks.cuh): which widths take the fewest bits, and its words.
// See docs/decisions/layouts.md.
#pragma once
#include "core/packed_blocks.cuh"
#include "core/warp_reduce.cuh"

constexpr int BLOCK_ROOM = 4 * 31 + 12;  // words that a block has a part of
constexpr int MOST_BYTES = 7;            // see more_of
constexpr int MOST_OF_LANE = 28;         // the sum of a lane's quotients

// The gaps of a lane, less 1, of columns that follow `last`; 0 beyond the count. All lanes must call it.
__device__ inline void gaps_between(const Index* columns, Index last, int count, Word (&gaps)[OF_LANE]) {
    const int t = OF_LANE * lane_id();
    Index here[OF_LANE];
#pragma unroll
    for (int i = 0; i < OF_LANE; ++i) here[i] = t + i < count ? columns[t + i] : 0;
    const Index below = __shfl_up_sync(ALL_LANES, here[OF_LANE - 1], 1);
#pragma unroll
    for (int i = 0; i < OF_LANE; ++i) {
        const Index before = i > 0 ? here[i - 1] : t > 0 ? below : last;
        gaps[i] = t + i < count ? static_cast<Word>(here[i] - before - 1) : 0;
    }
}

// Low bits and bytes of quotients for the gaps of a quarter, of which this lane has some: those that take
// the fewest bits, or in a quarter that is not full up to three bits more. `count` gaps are in the block. All
// lanes must call this. Four widths are looked at together: two sums share a word.
__device__ inline Word widths_for(const Word (&gaps)[OF_LANE], int count) {
    constexpr int lanes = QUARTER / OF_LANE, many = 4, most = 64;
    const int quarter = lane_id() / lanes, left = count - QUARTER * quarter;
    const int here = left < 0 ? 0 : left < QUARTER ? left : QUARTER, least = (here + 7) / 8;
    const Word ours = ((1u << lanes) - 1) << lanes * quarter;
    Word all = 0;
#pragma unroll
    for (int i = 0; i < OF_LANE; ++i) all += gaps[i];
    all = warp_reduce<Sum, lanes>(all);
    const int mean = here > 0 ? 31 - __clz(static_cast<int>(all / static_cast<Word>(here) | 1u)) : 0;
    Word best = ~0u, chosen = 0;
    int width = mean > 1 ? mean - 1 : 0;
    for (bool more = here > 0; __any_sync(ALL_LANES, more); width += many) {
        Word own[many] = {}, sums[many / 2];
#pragma unroll
        for (int w = 0; w < many; ++w)
#pragma unroll
            for (int i = 0; i < OF_LANE; ++i) {
                const Word quotient = width + w < 31 ? gaps[i] >> (width + w) : 0;
                own[w] += quotient < most ? quotient : most;
            }
#pragma unroll
        for (int w = 0; w < many; w += 2) sums[w / 2] = warp_reduce<Sum, lanes>(own[w] | own[w + 1] << 16);
#pragma unroll
        for (int w = 0; w < many; ++w) {
            const int sum = static_cast<int>(sums[w / 2] >> 16 * (w % 2) & 0xffffu), bytes = (here + sum + 7) / 8;
            const bool too_many = (__ballot_sync(ALL_LANES, own[w] > MOST_OF_LANE) & ours) != 0;
            const bool fits = !too_many && bytes - least <= MOST_BYTES;
            const Word bits = static_cast<Word>(here * (width + w) + 8 * bytes);
            if (more && fits && bits < best) {
                best = bits;
                chosen = static_cast<Word>(width + w | (bytes - least) << 5);
            }
            more = more && !(fits && sum <= here);
        }
    }
    return warp_reduce<BitOr>(lane_id() % lanes == 0 ? chosen << 8 * quarter : 0);
}

// Writes blocks one after another, by a warp.
struct BlockWriter {
    Word* room;     // BLOCK_ROOM words of shared memory; the first has what is written of the word that comes next
    Word* words;
    int at = 0;     // the bit that comes next

    __device__ BlockWriter(Word* of_warp, Word* begin) : room(of_warp), words(begin) {
        if (lane_id() == 0) room[0] = 0;
        __syncwarp();
    }

    // The widths of a block.
    __device__ void widths_before(Word widths) {
        const int begin = at & 31;
        if (lane_id() == 0) {
            words[at >> 5] = room[0] | widths >> begin;
            room[0] = begin > 0 ? widths << (32 - begin) : 0;
        }
        __syncwarp();
        at += 32;
    }

    // So many bits, which fill(begin) adds to the room, where they begin with bit `begin`.
    template <class Fill> __device__ void append(int bits, Fill fill) {
        const int begin = at & 31, end = begin + bits, here = (end + 31) / 32;
        for (int i = 1 + lane_id(); i < here; i += 32) room[i] = 0;
        __syncwarp();
        fill(begin);
        __syncwarp();
        for (int i = lane_id(); i < here; i += 32) words[(at >> 5) + i] = room[i];
        __syncwarp();
        if (lane_id() == 0) room[0] = end % 32 > 0 ? room[here - 1] : 0;
        __syncwarp();
        at += bits;
    }

    // A block with quotients, of whole units of so many bits.
    __device__ void block(const Word (&gaps)[OF_LANE], int count, Word widths, int unit) {
        const int bits = (bits_of_block(widths, count) + unit - 1) / unit * unit;
        append(bits, [&](int begin) { fill(gaps, count, widths, begin); });
    }

    // Adds up to 64 bits, the highest of `bits`, from bit `from` of the room on.
    __device__ void add(unsigned long long bits, int from) const {
        const Word high = static_cast<Word>(bits >> 32), low = static_cast<Word>(bits);
        Word* const to = room + (from >> 5);
        const Word three[3] = {high >> (from & 31), __funnelshift_r(low, high, from), __funnelshift_r(0, low, from)};
        const bool apart = (from & 31) != 0;
        if (three[0] != 0) atomicOr(to, three[0]);
        if (const Word second = apart ? three[1] : low; second != 0) atomicOr(to + 1, second);
        if (apart && three[2] != 0) atomicOr(to + 2, three[2]);
    }
    // The `width` low bits of up to four gaps.
    __device__ void low_bits_of(const Word (&gaps)[OF_LANE], int here, int width, int from) const {
        if (width == 0) return;
#pragma unroll
        for (int i = 0; i < OF_LANE; i += 2) {
            if (i >= here) continue;
            const unsigned long long mask = (1u << width) - 1, second = i + 1 < here ? gaps[i + 1] & mask : 0;
            add((gaps[i] & mask) << (64 - width) | second << (64 - 2 * width), from + i * width);
        }
    }

    // The low bits and the quotients of a block that begins with bit `begin` of the room.
    __device__ void fill(const Word (&gaps)[OF_LANE], int count, Word widths, int begin) {
        const int quarter = OF_LANE * lane_id() / QUARTER;
        const int width = width_of(widths, quarter), here = count_of_lane(count);
        int ends = 0;
        Word codes = 0;
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) {
            if (i >= here) continue;
            ends += static_cast<int>(gaps[i] >> width);
            codes |= 0x80000000u >> ends;
            ++ends;
        }
        int end = begin + low_bits(widths, count) + 8 * bytes_before(widths, quarter) - ends;
        end += running_sum<QUARTER / OF_LANE>(ends);
        const int of_quarter = OF_LANE * lane_id() % QUARTER * width;
        low_bits_of(gaps, here, width, begin + QUARTER * words_before(widths, quarter) + of_quarter);
        add(static_cast<unsigned long long>(codes) << 32, end);
    }
};
