// Pull by panels: w = A ⊕.⊗ u for a full u, with nearly every value of u read from shared memory.
//
// Columns are numbered by falling numbers of entries and divided into panels, each so wide that the
// shared memory of a block holds its values of u. The entries that a row has in a panel, up to CUT
// of them, are a run. The sum of a run is written once, and the sums of the runs of a row are
// folded afterwards, by a pull over them (see segmented_spmv.cuh). Skewed graphs have few runs:
// kron22 has 128 million entries and 16 million runs. Half of these are single entries. If values of
// the matrix do not matter, the fold reads those of frequent columns from u itself, and copies of the
// others, which have the order of rows in each panel.
//
// The runs of a panel are in the order of falling lengths, 32 of the same length in a slice. Each
// lane has a run, and their entries are interleaved in pairs, with 2 bytes for a column. So lanes
// fold independently, and no result depends on timing (cf. Kreutzer, Hager, Wellein, Fehske and
// Bishop, A unified sparse matrix data format, SISC 2014; Kiriansky, Zhang and Amarasinghe,
// Optimizing indirect memory references with milk, PACT 2016; Beamer, Asanović and Patterson,
// Reducing PageRank communication via propagation blocking, 2017).
// See docs/decisions/spmv.md.
#pragma once
#include "core/fold.cuh"
#include "spmv/segmented_operands.cuh"

constexpr int PANEL_LOADS = 10;  // values of a panel that a thread loads together

// Two entries of a lane: columns of 16 bits, and values if they are read.
template <class S> struct Pair {
    unsigned columns;
    Only<typename S::A> values[2];

    __device__ void read(Index pair, const unsigned short* from, const typename S::A* weights) {
        const long long at = static_cast<long long>(pair) * 32 + lane_id();
        columns = __ldcs(reinterpret_cast<const unsigned*>(from) + at);
        if (S::reads_matrix) {
            values[0].value = weights[2 * at];
            values[1].value = weights[2 * at + 1];
        }
    }
    __device__ typename S::Z product(int i, const typename S::U* held) const {
        return S::product(held, static_cast<Index>(i == 0 ? columns & 0xffffu : columns >> 16), values[i], 0, 0);
    }
};

// The sums of consecutive slices of a warp. begins: twice the number of pairs of a lane before each
// slice, plus 1 if the last pair before it is only half filled.
template <class S> struct SliceSums {
    using Z = typename S::Z;
    const Index* begins;
    Index slice, last;
    Index window, seen;  // each lane has read the beginning of a slice from `window` on
    Index end;           // of the slice
    bool odd, fresh;
    Z sum;

    __device__ SliceSums(const Index* begins, Index first, Index last)
        : begins(begins), slice(first), last(last), fresh(true), sum() { look(); }
    __device__ void look() {
        window = slice;
        const Index mine = slice + lane_id();
        seen = begins[mine < last ? mine : last];
        next();
    }
    __device__ void next() {
        odd = __shfl_sync(ALL_LANES, seen, slice - window) & 1;
        end = __shfl_sync(ALL_LANES, seen, slice - window + 1) >> 1;
    }
    __device__ void fold(Index pair, const Pair<S>& entries, const typename S::U* held, Z* sums) {
        const Z one = entries.product(0, held);
        sum = fresh ? one : S::add(sum, one);
        fresh = pair + 1 == end;
        if (!fresh || !odd) sum = S::add(sum, entries.product(1, held));
        if (!fresh) return;
        sums[static_cast<long long>(slice) * 32 + lane_id()] = sum;
        if (++slice - window == 31) look();
        else next();
    }
};

// The values of single entries, in the slices from `slice` to `end`. `first` is the panel's first such slice.
template <class S, int AHEAD>
__device__ inline void copy_entries(const unsigned short* columns, const Index* begins, Index first, Index slice,
                                    Index end, const typename S::U* held, typename S::Z* sums) {
    const unsigned short* const own = columns + 64 * static_cast<long long>(begins[first] >> 1) + lane_id();
    for (; slice < end; slice += AHEAD) {
        unsigned short k[AHEAD];
#pragma unroll
        for (int i = 0; i < AHEAD; ++i)
            k[i] = __ldcs(own + 32 * static_cast<long long>((slice + i < end ? slice + i : slice) - first));
#pragma unroll
        for (int i = 0; i < AHEAD; ++i)
            if (slice + i < end)
                sums[32 * static_cast<long long>(slice + i) + lane_id()] =
                    S::product(held, static_cast<Index>(k[i]), Only<typename S::A>{}, 0, 0);
    }
}

// The sums of all runs. Block b does the jobs jobs_of[b] … jobs_of[b + 1] - 1, each of one panel.
// In job j its warp w does the slices from cuts[j · warps + w] to the next cut, and loads AHEAD
// pairs of each lane in advance. copied: for each panel its first slice of single entries, which come
// last; null if these are runs like others. Dynamic shared memory: `width` values of u.
template <class S, int AHEAD>
__global__ void __launch_bounds__(1024, 1)
    column_blocked_spmv(const Index* jobs_of, const Index* panels, const Index* cuts, Index used, Index width,
                const unsigned short* columns, const Index* begins, const Index* copied,
                const typename S::A* values, const typename S::U* u, typename S::Z* sums) {
    using U = typename S::U;
    extern __shared__ unsigned long long table[];
    U* const held = reinterpret_cast<U*>(table);
    const Index last_job = jobs_of[blockIdx.x + 1], warps = blockDim.x >> 5;
    for (Index job = jobs_of[blockIdx.x]; job < last_job; ++job) {
        const Index panel = panels[job], left = used - panel * width, here = left < width ? left : width;
        const Index* const cut = cuts + job * warps + (threadIdx.x >> 5);
        Index runs = cut[1];  // the end of the slices of runs
        if (copied != nullptr) runs = copied[panel] < cut[0] ? cut[0] : copied[panel] < cut[1] ? copied[panel] : cut[1];
        const Index first = begins[cut[0]] >> 1, last = begins[runs] >> 1;
        __syncthreads();  // until all have read the values of the previous panel
        for (Index at = threadIdx.x; at < here; at += PANEL_LOADS * blockDim.x) {
            U x[PANEL_LOADS];
#pragma unroll
            for (int i = 0; i < PANEL_LOADS; ++i) {  // beyond the end the first again, so that all are issued together
                const Index k = at + i * blockDim.x;
                x[i] = u[panel * width + (k < here ? k : at)];
            }
#pragma unroll
            for (int i = 0; i < PANEL_LOADS; ++i)
                if (at + i * blockDim.x < here) held[at + i * blockDim.x] = x[i];
        }
        __syncthreads();
        if (runs < cut[1]) copy_entries<S, AHEAD>(columns, begins, copied[panel], runs, cut[1], held, sums);
        if (first == last) continue;
        SliceSums<S> mine(begins, cut[0], runs);
        Pair<S> now[AHEAD], then[AHEAD];
#pragma unroll
        for (int i = 0; i < AHEAD; ++i) now[i].read(first + i < last ? first + i : last - 1, columns, values);
        for (Index pair = first; pair < last; pair += AHEAD) {
#pragma unroll
            for (int i = 0; i < AHEAD; ++i) {
                const Index later = pair + AHEAD + i;
                then[i].read(later < last ? later : last - 1, columns, values);
            }
#pragma unroll
            for (int i = 0; i < AHEAD; ++i)
                if (pair + i < last) mine.fold(pair + i, now[i], held, sums);
#pragma unroll
            for (int i = 0; i < AHEAD; ++i) now[i] = then[i];
        }
    }
}
