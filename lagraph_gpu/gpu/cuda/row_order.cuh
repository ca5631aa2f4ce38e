// The columns of each row in increasing order, from one array into another.
//
// Up to 32 columns in the registers of a warp, by a bitonic sort (Batcher 1968); more in shared memory, of
// a warp or a block, digit by digit from the lowest (Knuth, TAOCP 3, 5.2.5); and where there is no room
// for all of them they are marked in a bitmap, a window at a time, for the columns of a row differ.
// O(entries · digits), and for the longest rows O(entries · windows).
#pragma once
#include "groups.cuh"

constexpr int WARP_ROOM = 512, BLOCK_ROOM = 4096;  // columns of a row in shared memory
constexpr int KINDS = 3;                           // rows for a warp, for a block, longer ones
constexpr int RADIX = 256, RADIX_BITS = 8;
constexpr int TOGETHER = 4;  // columns that a lane ranks together
constexpr int AHEAD = 8;     // columns of a long row that a thread asks for together

// Sorts rows of up to 32 columns, and lists the others by kind: list k begins at rows[k n], and
// counts[k], 0 at first, is its length.
template <class Offset>
__global__ void sort_short_rows(Index n, const Offset* indptr, const Index* columns, Index* sorted,
                                Index* rows, unsigned* counts) {
    for (Index base = warp_id() << 5; base < n; base += warp_count() << 5) {
        const Index row = base + lane_id();
        const Offset first = row < n ? indptr[row] : 0, degree = row < n ? indptr[row + 1] - first : 0;
        const int kind = degree <= 32 ? -1 : degree <= WARP_ROOM ? 0 : degree <= BLOCK_ROOM ? 1 : 2;
        for (int k = 0; k < KINDS; ++k) {
            const Word some = __ballot_sync(ALL_LANES, kind == k);
            if (some == 0) continue;
            unsigned at = 0;
            if (lane_id() == 0) at = atomicAdd(counts + k, unsigned(__popc(some)));
            at = __shfl_sync(ALL_LANES, at, 0) + __popc(some & lanes_below());
            if (kind == k) rows[static_cast<long long>(k) * n + at] = row;
        }
        for (Word left = __ballot_sync(ALL_LANES, kind < 0 && degree > 0); left != 0; left &= left - 1) {
            const int whose = __ffs(static_cast<int>(left)) - 1;
            const Offset from = __shfl_sync(ALL_LANES, first, whose);
            const int count = static_cast<int>(__shfl_sync(ALL_LANES, degree, whose));
            Index own = lane_id() < count ? columns[from + lane_id()] : 0x7fffffff;
            for (int width = 2; width < 2 * count; width += width) {
                for (int gap = width / 2; gap > 0; gap /= 2) {
                    const Index other = __shfl_xor_sync(ALL_LANES, own, gap);
                    const bool lesser = ((lane_id() & gap) == 0) == ((lane_id() & width) == 0);
                    own = (other < own) == lesser ? other : own;
                }
            }
            if (lane_id() < count) sorted[from + lane_id()] = own;
        }
    }
}

// What a group sorts a row with: the columns before and after a pass, and a count for each digit and warp.
template <class Group, int ROOM> struct Desk {
    static constexpr int WARPS = Group::one_warp ? 1 : MAX_THREADS / 32;
    Index columns[2][ROOM];
    unsigned counts[RADIX * WARPS], sums[WARPS];

    // One pass of a stable sort, by the digit at `shift`. Each warp has a stretch of columns of its own.
    __device__ void pass(int side, int count, int shift) {
        const int warps = Group::size() / 32, warp = Group::rank() / 32;
        const int share = (count + Group::size() - 1) / Group::size() * 32;
        const int first = warp * share, last = first + share < count ? first + share : count;
        const auto of = [=](Index column) { return (column >> shift & (RADIX - 1)) * warps + warp; };
        for (int t = Group::rank(); t < RADIX * warps; t += Group::size()) counts[t] = 0;
        Group::sync();
        for (int i = first + lane_id(); i < last; i += 32) atomicAdd(counts + of(columns[side][i]), 1u);
        Group::sync();
        constexpr int each = RADIX / 32;
        unsigned* const mine = counts + Group::rank() * each;
        unsigned own = 0, total;
        for (int t = 0; t < each; ++t) own += mine[t];
        unsigned before = Group::running(own, total, sums) - own;
        for (int t = 0; t < each; ++t) {
            const unsigned here = mine[t];
            mine[t] = before;
            before += here;
        }
        Group::sync();
        for (int base = first + lane_id(); base - lane_id() < last; base += 32 * TOGETHER) {
            Index column[TOGETHER];
            int at[TOGETHER];
            Word peers[TOGETHER];
#pragma unroll
            for (int i = 0; i < TOGETHER; ++i) {
                const bool has = base + 32 * i < last;
                column[i] = has ? columns[side][base + 32 * i] : 0;
                at[i] = has ? of(column[i]) : -1;
                peers[i] = __match_any_sync(ALL_LANES, at[i]);
            }
#pragma unroll
            for (int i = 0; i < TOGETHER; ++i) {
                const Word before = peers[i] & lanes_below();
                const unsigned place = at[i] < 0 ? 0 : counts[at[i]] + __popc(before);
                __syncwarp();
                if (at[i] >= 0) columns[1 - side][place] = column[i];
                if (at[i] >= 0 && before == 0) counts[at[i]] += __popc(peers[i]);
                __syncwarp();
            }
        }
        Group::sync();
    }
};

// Sorts the rows of a list of which *count are there, by columns of so many bits.
template <class Offset, class Group, int ROOM>
__global__ void __launch_bounds__(MAX_THREADS)
    sort_listed_rows(const Index* rows, const unsigned* count, int bits, const Offset* indptr,
                     const Index* columns, Index* sorted) {
    __shared__ Desk<Group, ROOM> desks[Group::one_warp ? MAX_THREADS / 32 : 1];
    Desk<Group, ROOM>& desk = desks[Group::number()];
    const unsigned groups = gridDim.x * Group::per_block(), all = *count;
    for (unsigned r = blockIdx.x * Group::per_block() + Group::number(); r < all; r += groups) {
        const Offset first = indptr[rows[r]];
        const int degree = static_cast<int>(indptr[rows[r] + 1] - first);
        for (int i = Group::rank(); i < degree; i += Group::size()) desk.columns[0][i] = columns[first + i];
        Group::sync();
        int side = 0;
        for (int shift = 0; shift < bits; shift += RADIX_BITS, side = 1 - side) desk.pass(side, degree, shift);
        // No barrier: each thread overwrites what it has read itself.
        for (int i = Group::rank(); i < degree; i += Group::size()) sorted[first + i] = desk.columns[side][i];
    }
}

// The longest rows: a block takes a window of `span` columns of one, which is as many bits of shared
// memory, a multiple of 32.
template <class Offset>
__global__ void __launch_bounds__(1024)
    sort_long_rows(const Index* rows, const unsigned* count, Index windows, Index span,
                   const Offset* indptr, const Index* columns, Index* sorted) {
    extern __shared__ unsigned long long window[];
    __shared__ Offset sums[32];
    Word* const marks = reinterpret_cast<Word*>(window);
    const int words = span / 32, warps = blockDim.x / 32, warp = threadIdx.x / 32;
    const int share = (words + blockDim.x - 1) / blockDim.x * 32;
    const int begin = warp * share, end = begin + share < words ? begin + share : words;
    const long long tasks = static_cast<long long>(*count) * windows;
    for (long long task = blockIdx.x; task < tasks; task += gridDim.x) {
        const Index row = rows[task / windows], low = static_cast<Index>(task % windows) * span;
        const Offset first = indptr[row], last = indptr[row + 1];
        for (int w = threadIdx.x; w < words; w += blockDim.x) marks[w] = 0;
        __syncthreads();
        Offset before = 0, total, own = 0;
        for (Offset at = threadIdx.x; at < last - first; at += AHEAD * blockDim.x) {
            Index column[AHEAD];
#pragma unroll
            for (int i = 0; i < AHEAD; ++i) {
                const Offset e = at + i * blockDim.x;
                column[i] = e < last - first ? columns[first + e] : -1;
            }
#pragma unroll
            for (int i = 0; i < AHEAD; ++i) {
                if (column[i] >= low && column[i] - low < span) mark(marks, column[i] - low);
                else if (column[i] >= 0 && column[i] < low) ++before;
            }
        }
        Block::running(before, total, sums);
        const Offset place = first + total;
        for (int w = begin + lane_id(); w < end; w += 32) own += __popc(marks[w]);
        // Each warp writes its words' columns behind those of the warps before it.
        Offset ahead = Block::running(own, total, sums) - own;
        ahead = place + __shfl_sync(ALL_LANES, ahead, 0);
        for (int base = begin; base < end; base += 32) {
            const int w = base + lane_id();
            Word left = w < end ? marks[w] : 0;
            const int mine = __popc(left), up_to = running_sum(mine);
            for (Offset at = ahead + (up_to - mine); left != 0; left &= left - 1)
                sorted[at++] = low + 32 * w + __ffs(static_cast<int>(left)) - 1;
            ahead += __shfl_sync(ALL_LANES, up_to, 31);
        }
        __syncthreads();
    }
}
