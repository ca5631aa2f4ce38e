// Pull by panels: w = A ⊕.⊗ u for a full u, with every value of u read from shared memory.
//
// Columns are numbered by falling entries and cut into panels, each so wide that a block's shared
// memory holds its values of u. The entries lie panel by panel, by rows within each, with 2 bytes for
// a column. What a row has in a panel is a run; its sum is written once, and the sums of a row's runs
// are folded afterwards, by a pull over them (see even.cuh). On skewed graphs runs are few: kron22
// has 128 million entries and 19 million runs. Rounds of entries are independent, for each begins
// with a run, and a panel with a round; so nothing depends on timing or on the number of threads
// (cf. Kiriansky, Zhang and Amarasinghe, Optimizing indirect memory references with milk, PACT 2016;
// Beamer, Asanović and Patterson, Reducing PageRank communication via propagation blocking, 2017).
#pragma once
#include "fold.cuh"
#include "gather.cuh"

constexpr int STRIP = 8;                 // consecutive entries of a lane
constexpr int PANEL_ROUND = 32 * STRIP;  // entries of a warp

// Rounds of one panel.
struct Job { Index panel, first, last; };

// The columns of a lane's entries: as much as one instruction reads.
struct Strip { unsigned short at[STRIP]; };

__device__ inline Strip read_strip(const unsigned short* from) {
    union { uint4 piece; Strip strip; } as{};
    as.piece = *reinterpret_cast<const uint4*>(from);
    return as.strip;
}

// Folds the runs of a round into `sums`, in order: `z` are the products of a lane's entries, and `bits`
// tells which of them begin a run.
template <class S>
__device__ inline void fold_runs(const typename S::Z (&z)[STRIP], int bits, typename S::Z* sums) {
    using Z = typename S::Z;
    const int lane = lane_id();
    const Index begun = __popc(bits);
    const Index open = running_sum(begun) - begun - 1;  // before this lane's entries
    Index own = open + (bits & 1);
    Z mine = z[0], lead = z[0];  // lead: what is left of the run before
#pragma unroll
    for (int i = 1; i < STRIP; ++i) {
        const bool begins = bits >> i & 1, earlier = bits & ((1 << i) - 1);
        if (begins && earlier) sums[own] = mine;
        lead = begins && !earlier ? mine : lead;
        own += begins;
        const Z more = S::add(mine, z[i]);
        mine = begins ? z[i] : more;
    }
    const Word upto = __ballot_sync(ALL_LANES, bits != 0) & ((2u << lane) - 1);
    const int reach = lane + __clz(upto) - 31;  // lanes back to a beginning: lane 0 has one
#pragma unroll
    for (int distance = 1; distance < 32; distance <<= 1) {
        const Z before = static_cast<Z>(__shfl_up_sync(ALL_LANES, mine, distance));
        mine = distance <= reach ? S::add(before, mine) : mine;
    }
    const Z prior = static_cast<Z>(__shfl_up_sync(ALL_LANES, mine, 1));
    if (bits != 0 && lane > 0) sums[open] = bits & 1 ? prior : S::add(prior, lead);
    if (lane == 31) sums[own] = mine;
}

// The sums of all runs. Each block does jobs[jobs_of[b]] … jobs[jobs_of[b + 1] - 1]; `before` counts
// the runs before each round. Dynamic shared memory: `width` values of u, and of sums as many as each
// warp has entries in a round, so that they are written side by side.
template <class S>
__global__ void __launch_bounds__(1024, 1)
    pull_panels(const Index* jobs_of, const Index* jobs, Index used, Index width,
                const unsigned short* columns, const Word* begins, const Index* before,
                const typename S::A* values, int stride, const typename S::U* u,
                typename S::Z* sums) {
    using A = typename S::A;
    using U = typename S::U;
    using Z = typename S::Z;
    extern __shared__ unsigned long long table[];
    U* const held = reinterpret_cast<U*>(table);
    Z* const own = reinterpret_cast<Z*>(table + width) + (threadIdx.x >> 5) * PANEL_ROUND;
    const Index last_job = jobs_of[blockIdx.x + 1];
    for (Index job = jobs_of[blockIdx.x]; job < last_job; ++job) {
        const Job at{jobs[3 * job], jobs[3 * job + 1], jobs[3 * job + 2]};
        const Index left = used - at.panel * width, here = left < width ? left : width;
        __syncthreads();  // until all have read the values of the panel before
#pragma unroll 8
        for (Index k = threadIdx.x; k < here; k += blockDim.x) held[k] = u[at.panel * width + k];
        __syncthreads();
        for (Index round = at.first + (threadIdx.x >> 5); round < at.last; round += blockDim.x >> 5) {
            const long long first = static_cast<long long>(round) * PANEL_ROUND + lane_id() * STRIP;
            const Strip k = read_strip(columns + first);
            const int bits = reinterpret_cast<const unsigned char*>(begins)[first / STRIP];
            const Index run = before[round], runs = before[round + 1] - run;
            Z z[STRIP];
#pragma unroll
            for (int i = 0; i < STRIP; ++i) {
                Only<A> weight{};
                if (S::reads_matrix) weight.value = values[stride != 0 ? first + i : 0];
                z[i] = S::product(held, k.at[i], weight, 0, 0);
            }
            fold_runs<S>(z, bits, own);
            __syncwarp();
            for (Index i = lane_id(); i < runs; i += 32) sums[run + i] = own[i];
            __syncwarp();  // until all have read them
        }
    }
}
