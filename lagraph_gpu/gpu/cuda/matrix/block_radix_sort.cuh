// A stable sort of keys in shared memory, by a warp or a block: digit by digit from the lowest
// (Knuth, TAOCP 3, 5.2.5). Places move, keys stay. O(entries · digits).
// See docs/decisions/layouts.md.
#pragma once
#include "core/groups.cuh"
#include "core/warp_reduce.cuh"

constexpr int RADIX = 1 << RADIX_BITS;

// What a group of at most so many warps sorts with: the key of each entry, their places before and
// after a pass, and a count for each digit and warp.
template <class Group, int WARPS> struct BlockRadixSort {
    static constexpr int ROOM = WARP_ROOM * WARPS;
    unsigned keys[ROOM];
    unsigned short places[2][ROOM];
    unsigned counts[WARPS][RADIX + RADIX / 32], sums[WARPS], differ;

    // Takes the keys of `count` entries, key(i), when all threads of the group have come; yields
    // the bits in which some differ.
    template <class Key> __device__ unsigned fill(int count, Key key) {
        const unsigned one = key(0);
        unsigned own = 0;
        if (Group::rank() == 0) differ = 0;
        Group::sync();
        for (int base = Group::rank(); base < count; base += LOADS * Group::size()) {
            unsigned mine[LOADS];
#pragma unroll
            for (int r = 0; r < LOADS; ++r) {
                const int i = base + r * Group::size();
                mine[r] = i < count ? key(i) : one;
            }
#pragma unroll
            for (int r = 0; r < LOADS; ++r) {
                const int i = base + r * Group::size();
                own |= mine[r] ^ one;
                if (i >= count) continue;
                keys[i] = mine[r];
                places[0][i] = static_cast<unsigned short>(i);
            }
        }
        own = warp_reduce<BitOr>(own);
        if (lane_id() == 0) atomicOr(&differ, own);
        Group::sync();
        return differ;
    }

    __device__ static int digit(unsigned key, int shift) { return static_cast<int>(key >> shift & (RADIX - 1)); }
    // Counts are apart so that the lanes' digits, one after another or `each` apart, meet in no
    // bank.
    __device__ unsigned& count_of(int warp, int digit) { return counts[warp][digit + digit / 32]; }

    // Counts become how many places come before those of each digit and warp.
    __device__ void add_up() {
        const int warps = Group::size() / 32, each = Group::size() < RADIX ? RADIX / Group::size() : 1;
        const int begin = Group::rank() * each, end = begin < RADIX ? begin + each : begin;
        unsigned own = 0, total;
        for (int d = begin; d < end; ++d)
            for (int w = 0; w < warps; ++w) own += count_of(w, d);
        unsigned before = Group::running(own, total, sums) - own;
        for (int d = begin; d < end; ++d) {
            for (int w = 0; w < warps; ++w) {
                const unsigned here = count_of(w, d);
                count_of(w, d) = before;
                before += here;
            }
        }
        Group::sync();
    }

    // One pass of a stable sort, by the digit at `shift`. Each warp has a stretch of places of its
    // own. Afterwards counts are where each digit of each warp ends.
    __device__ void pass(int side, int count, int shift) {
        const int warps = Group::size() / 32, warp = Group::rank() / 32;
        const int share = (count + Group::size() - 1) / Group::size() * 32;
        const int first = warp * share, last = first + share < count ? first + share : count;
        for (int d = Group::rank(); d < RADIX; d += Group::size())
            for (int w = 0; w < warps; ++w) count_of(w, d) = 0;
        Group::sync();
        for (int i = first + lane_id(); i < last; i += 32)
            atomicAdd(&count_of(warp, digit(keys[places[side][i]], shift)), 1u);
        Group::sync();
        add_up();
        for (int base = first + lane_id(); base - lane_id() < last; base += 32 * LOADS) {
            unsigned short place[LOADS];
            int own[LOADS];
            Word peers[LOADS];
#pragma unroll
            for (int r = 0; r < LOADS; ++r) {
                const bool has = base + 32 * r < last;
                place[r] = has ? places[side][base + 32 * r] : 0;
                own[r] = has ? digit(keys[place[r]], shift) : -1;
                peers[r] = __match_any_sync(ALL_LANES, own[r]);
            }
#pragma unroll
            for (int r = 0; r < LOADS; ++r) {
                const Word below = peers[r] & lanes_below();
                const unsigned to = own[r] < 0 ? 0 : count_of(warp, own[r]) + __popc(below);
                __syncwarp();
                if (own[r] >= 0) places[1 - side][to] = place[r];
                if (own[r] >= 0 && below == 0) count_of(warp, own[r]) += __popc(peers[r]);
                __syncwarp();
            }
        }
        Group::sync();
    }

    // Where the places of a digit begin, after a pass.
    __device__ unsigned begin_of(int digit) {
        return digit == 0 ? 0 : count_of(Group::size() / 32 - 1, digit - 1);
    }
};
