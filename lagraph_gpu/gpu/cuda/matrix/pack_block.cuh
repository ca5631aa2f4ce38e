// How a warp packs a block of gaps (packed_blocks.cuh): which widths take the fewest bits, and its words.
// See docs/decisions/layouts.md.
#pragma once
#include "core/packed_blocks.cuh"
#include "core/warp_reduce.cuh"

constexpr int BLOCK_ROOM = 4 * 31 + 12;  // words that a block has a part of
constexpr int MOST_BYTES = 7;            // see more_of
constexpr int MOST_OF_LANE = 28;         // the sum of a lane's quotients

// The gaps of a lane, less 1, of columns that follow `last`; 0 beyond the count.
__device__ inline void gaps_between(const Index* columns, Index last, int count, Word (&gaps)[OF_LANE]) {
#pragma unroll
    for (int i = 0; i < OF_LANE; ++i) {
        const int t = OF_LANE * lane_id() + i;
        gaps[i] = t < count ? static_cast<Word>(columns[t] - (t > 0 ? columns[t - 1] : last) - 1) : 0;
    }
}

// Low bits and bytes of quotients for the gaps of a quarter, of which this lane has some: those that take
// the fewest bits, or in a quarter that is not full up to three bits more. `count` gaps are in the block. All
// lanes must call this, and the next two.
__device__ inline Word widths_for(const Word (&gaps)[OF_LANE], int count) {
    constexpr int lanes = QUARTER / OF_LANE;
    const int quarter = lane_id() / lanes, left = count - QUARTER * quarter;
    const int here = left < 0 ? 0 : left < QUARTER ? left : QUARTER, least = (here + 7) / 8;
    Word all = 0;
#pragma unroll
    for (int i = 0; i < OF_LANE; ++i) all += gaps[i];
    all = warp_reduce<Sum, lanes>(all);
    const int mean = here > 0 ? 31 - __clz(static_cast<int>(all / static_cast<Word>(here) | 1u)) : 0;
    Word best = ~0u, chosen = 0;
    int width = mean > 1 ? mean - 1 : 0;
    for (bool more = here > 0; __any_sync(ALL_LANES, more); ++width) {
        int own = 0;
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) {
            const Word quotient = width < 31 ? gaps[i] >> width : 0;
            own += static_cast<int>(quotient < 64 ? quotient : 64);
        }
        const int sum = warp_reduce<Sum, lanes>(own), most = warp_reduce<Maximum, lanes>(own);
        const int bytes = (here + sum + 7) / 8;
        const bool fits = most <= MOST_OF_LANE && bytes - least <= MOST_BYTES;
        const Word bits = static_cast<Word>(here * width + 8 * bytes);
        if (more && fits && bits < best) {
            best = bits;
            chosen = static_cast<Word>(width | (bytes - least) << 5);
        }
        more = more && !(fits && sum <= here);
    }
    return warp_reduce<BitOr>(lane_id() % lanes == 0 ? chosen << 8 * quarter : 0);
}

// The width of a block without quotients.
__device__ inline Word width_for(const Word (&gaps)[OF_LANE]) {
    Word any = 0;
#pragma unroll
    for (int i = 0; i < OF_LANE; ++i) any |= gaps[i];
    return static_cast<Word>(32 - __clz(static_cast<int>(warp_reduce<BitOr>(any))));
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

    // A block, with quotients or without, of whole units of so many bits.
    __device__ void block(const Word (&gaps)[OF_LANE], int count, Word widths, bool quotients, int unit) {
        const int bits = quotients ? bits_of_block(widths, count) : low_bits(widths, count);
        const int begin = at & 31, end = begin + (bits + unit - 1) / unit * unit, here = (end + 31) / 32;
        for (int i = 1 + lane_id(); i < here; i += 32) room[i] = 0;
        __syncwarp();
        fill(gaps, count, widths, quotients, begin);
        __syncwarp();
        for (int i = lane_id(); i < here; i += 32) words[(at >> 5) + i] = room[i];
        __syncwarp();
        if (lane_id() == 0) room[0] = end % 32 > 0 ? room[here - 1] : 0;
        __syncwarp();
        at += end - begin;
    }

    // The low bits and the quotients of a block that begins with bit `begin` of the room.
    __device__ void fill(const Word (&gaps)[OF_LANE], int count, Word widths, bool quotients, int begin) {
        const int quarter = OF_LANE * lane_id() / QUARTER;
        const int width = width_of(widths, quarter), here = count_of_lane(count);
        int ends = here;
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i)
            if (i < here) ends += static_cast<int>(gaps[i] >> width);
        int end = begin + low_bits(widths, count) + 8 * bytes_before(widths, quarter) - ends;
        end += running_sum<QUARTER / OF_LANE>(ends);
#pragma unroll
        for (int i = 0; i < OF_LANE; ++i) {
            if (i >= here) continue;
            const int of_quarter = (OF_LANE * lane_id() + i) % QUARTER * width;
            const int at = begin + QUARTER * words_before(widths, quarter) + of_quarter;
            const unsigned long long low = gaps[i] & ((1u << width) - 1), bits = low << (64 - width - (at & 31)) % 64;
            if (bits >> 32 != 0) atomicOr(room + (at >> 5), static_cast<Word>(bits >> 32));
            if (static_cast<Word>(bits) != 0) atomicOr(room + (at >> 5) + 1, static_cast<Word>(bits));
            if (!quotients) continue;
            end += static_cast<int>(gaps[i] >> width);
            atomicOr(room + (end >> 5), 0x80000000u >> (end & 31));
            ++end;
        }
    }
};
