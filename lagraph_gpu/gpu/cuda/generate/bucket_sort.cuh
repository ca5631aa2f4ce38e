// Sorts buckets of entries, which are whole rows, and drops duplicates: a block for each bucket, in shared memory.
//
// A row of so many entries has as many bins, and an entry goes to the bin at the share of all entries whose column
// is smaller than its own. Columns of a Kronecker graph are drawn almost independently of their row, so most bins
// have an entry or two. Each entry then counts the smaller ones of its bin. So a bucket takes one counting pass
// whatever the bits of its keys; a bin of k entries takes k² looks. The share follows from the numbers of entries
// before some columns, KNOTS_OF in each octave: any rising function is right, and this one keeps bins even.
//
// The rows are written one after another: how many entries come before a bucket is found by a decoupled look-back.
// See docs/decisions/layouts.md.
#pragma once
#include "core/groups.cuh"
#include "core/look_back.cuh"
#include "matrix/coordinates.cuh"

constexpr int KNOTS_OF = 8;  // knots in an octave

// The shares of the entries whose columns are smaller than those of the knots, of 2³². Rows are numbered as in
// begins; column j is row j / size.
__global__ void column_knots(Index knots, Index rows, Index size, const long long* begins, unsigned* shares) {
    for (Index k : grid_stride<Index>(knots)) {
        const long long row = (((KNOTS_OF + k % KNOTS_OF) * 1ll << k / KNOTS_OF) - KNOTS_OF) / size;
        const double all = double(begins[rows] > 0 ? begins[rows] : 1);
        const double share = double(begins[row < rows ? row : rows]) / all * 0x1p32;
        shares[k] = share < 4294967295.0 ? static_cast<unsigned>(share) : ~0u;
    }
}

// The share of the entries whose columns are smaller, between two knots a part of the way.
__device__ inline unsigned share_before(const unsigned* shares, Index column) {
    const unsigned x = static_cast<unsigned>(column) + KNOTS_OF, zeros = __clz(static_cast<int>(x)), high = x << zeros;
    const int knot = static_cast<int>((28 - zeros) * KNOTS_OF + (high >> 28) - KNOTS_OF);
    const unsigned low = shares[knot];
    return low + __umulhi(shares[knot + 1] - low, high << 4);
}

// What a block sorts up to ROOM entries with.
template <int ROOM> struct BucketSort {
    static constexpr int WORDS = ROOM / 32;
    Index columns[ROOM + 1];            // at first, where each row begins
    Word counts[ROOM / 2 + 1];          // of two bins each, and then where they begin
    unsigned shares[COLUMN_KNOTS];
    Word starts[WORDS], fresh[WORDS];   // the entries with which a row begins, and those that are no repetitions
    unsigned before[WORDS], sums[32];   // fresh entries before each word
    Index piece;
    long long base;
    unsigned short bins[ROOM];

    __device__ unsigned add(unsigned bin) {
        const unsigned shift = bin % 2 * 16;
        return atomicAdd(counts + bin / 2, 1u << shift) >> shift & 0xffff;
    }
    __device__ unsigned begin_of(unsigned bin) const { return counts[bin / 2] >> bin % 2 * 16 & 0xffff; }

    // Counts of bins become where these begin. Each warp has a stretch of words of its own.
    __device__ void add_up(int count) {
        const int words = count / 2 + 1, warps = blockDim.x / 32, warp = threadIdx.x / 32;
        const int share = (words + warps - 1) / warps, first = warp * share;
        const int last = first + share < words ? first + share : words;
        unsigned own = 0, total;
        for (int w = first + lane_id(); w < last; w += 32) own += (counts[w] & 0xffff) + (counts[w] >> 16);
        const unsigned upto = Block::running(own, total, sums);
        unsigned begin = __shfl_sync(ALL_LANES, upto - own, 0);
        for (int w = first + lane_id(); w - lane_id() < last; w += 32) {
            const Word both = w < last ? counts[w] : 0;
            const unsigned low = both & 0xffff, sum = low + (both >> 16), end = begin + running_sum(sum);
            if (w < last) counts[w] = (end - sum) | (end - sum + low) << 16;
            begin = __shfl_sync(ALL_LANES, end, 31);
        }
        __syncthreads();
    }

    // Marks the entries that are no repetitions, and counts those before each word. Returns how many there are.
    __device__ unsigned mark(int count) {
        for (int base = threadIdx.x & ~31; base < count; base += blockDim.x) {
            const int at = base + lane_id();
            const bool is_first = starts[base / 32] >> lane_id() & 1u;
            const Word now = __ballot_sync(
                ALL_LANES, at < count && (is_first || columns[at] != columns[at - 1]));
            if (lane_id() == 0) fresh[base / 32] = now;
        }
        __syncthreads();
        const int word = threadIdx.x;
        const unsigned own = 32 * word < count ? __popc(fresh[word]) : 0;
        unsigned total;
        const unsigned upto = Block::running(own, total, sums);
        if (32 * word < count) before[word] = upto - own;
        __syncthreads();
        return total;
    }
    __device__ unsigned rank_of(int at) const {
        return before[at / 32] + __popc(fresh[at / 32] & ((1u << at % 32) - 1));
    }
};

// The next bucket of a range, by a block of WARPS warps, ITEMS entries to a thread. Bucket b has the rows from
// first_rows[b] to before first_rows[b + 1] and the entries from before[b] to before[b + 1]; those of the range begin
// in `pairs` with the first. `begins` counts the entries before each of its rows.
template <class Offset, int WARPS, int ITEMS>
__global__ void __launch_bounds__(32 * WARPS, 32 / WARPS)
    sort_buckets(LookBack buckets, const Index* first_rows, const long long* before, const long long* begins,
                 const unsigned* shares, const Pair* pairs, Offset* indptr, Index* columns) {
    extern __shared__ unsigned long long memory[];
    constexpr int THREADS = 32 * WARPS, ROOM = THREADS * ITEMS;
    auto& sort = *reinterpret_cast<BucketSort<ROOM>*>(memory);
    if (threadIdx.x == 0) sort.piece = buckets.take();
    __syncthreads();
    const Index bucket = sort.piece, first = first_rows[bucket], rows = first_rows[bucket + 1] - first;
    const long long origin = before[bucket] - before[0];
    const int count = static_cast<int>(before[bucket + 1] - before[bucket]);
    const Pair* const entries = pairs + origin;
    begins += first - first_rows[0];
    indptr += first - first_rows[0];
    for (Index r = threadIdx.x; r <= rows; r += THREADS) sort.columns[r] = static_cast<Index>(begins[r] - origin);
    for (int w = threadIdx.x; w <= count / 2; w += THREADS) sort.counts[w] = 0;
    for (int w = threadIdx.x; 32 * w < count; w += THREADS) sort.starts[w] = 0;
    for (int k = threadIdx.x; k < COLUMN_KNOTS; k += THREADS) sort.shares[k] = shares[k];
    __syncthreads();

    Index column[ITEMS];
    unsigned slot[ITEMS];  // the row; the bin, and the number in it; the place
#pragma unroll
    for (int few = 0; few < ITEMS; few += LOADS) {
#pragma unroll
        for (int i = few; i < few + LOADS && i < ITEMS; ++i) {
            const int at = i * THREADS + threadIdx.x;
            if (at >= count) continue;
            column[i] = second_end(entries[at]);
            slot[i] = static_cast<unsigned>(first_end(entries[at]) - first);
        }
#pragma unroll
        for (int i = few; i < few + LOADS && i < ITEMS; ++i) {
            if (i * THREADS + static_cast<int>(threadIdx.x) >= count) continue;
            const unsigned begin = sort.columns[slot[i]], end = sort.columns[slot[i] + 1];
            const unsigned bin = begin + __umulhi(share_before(sort.shares, column[i]), end - begin);
            slot[i] = bin << 16 | sort.add(bin);
        }
    }
    for (Index r = threadIdx.x; r < rows; r += THREADS)
        atomicOr(sort.starts + sort.columns[r] / 32, 1u << sort.columns[r] % 32);
    __syncthreads();
    sort.add_up(count);
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        if (i * THREADS + static_cast<int>(threadIdx.x) >= count) continue;
        const unsigned at = sort.begin_of(slot[i] >> 16) + (slot[i] & 0xffff);
        sort.columns[at] = column[i];
        sort.bins[at] = static_cast<unsigned short>(slot[i] >> 16);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const int at = i * THREADS + threadIdx.x;
        if (at >= count) continue;
        const unsigned bin = sort.bins[at], begin = sort.begin_of(bin), end = sort.begin_of(bin + 1);
        column[i] = sort.columns[at];
        slot[i] = begin;
#pragma unroll 1  // most bins have an entry or two
        for (unsigned other = begin; other < end; ++other)
            slot[i] += sort.columns[other] < column[i] || (sort.columns[other] == column[i] && other < at);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (i * THREADS + static_cast<int>(threadIdx.x) < count) sort.columns[slot[i]] = column[i];
    __syncthreads();

    const unsigned own = sort.mark(count);
    if (threadIdx.x == 0) buckets.publish_count(bucket, own);
    if (threadIdx.x < 32) {
        const long long sum = buckets.before(bucket, own);
        if (threadIdx.x == 0) sort.base = sum;
    }
    __syncthreads();
    const long long base = sort.base;
    for (int at = threadIdx.x; at < count; at += THREADS)
        if (sort.fresh[at / 32] >> at % 32 & 1u) columns[base + sort.rank_of(at)] = sort.columns[at];
    for (Index r = threadIdx.x; r < rows; r += THREADS)
        indptr[r] = static_cast<Offset>(base + sort.rank_of(static_cast<int>(begins[r] - origin)));
    if (threadIdx.x == 0 && bucket == buckets.pieces - 1) indptr[rows] = static_cast<Offset>(base + own);
}
