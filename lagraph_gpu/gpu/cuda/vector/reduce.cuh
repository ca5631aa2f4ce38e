// ⊕ over all entries of a source, in one launch. Each block folds its share to at most one entry;
// the block that ends last folds these. totals[0] is the answer if totals[1] is not 0. The count of
// blocks that have ended is 0 before, and again afterwards.
//
// A Source gives Position, the type of one, and at(i, z, given…): is there an entry at position i,
// and with which value?
// See docs/decisions/spmv.md.
#pragma once
#include "core/fold.cuh"
#include "core/grid_stride.cuh"

// The entries of an array; stride 0 reads one value for all positions (an iso-valued array).
struct StoredValues {
    using Position = long long;  // the array may be a matrix' values

    template <class Z>
    static __device__ bool at(Position i, Z& z, const Word* bits, const Z* values, int stride) {
        if (!present(bits, static_cast<Index>(i))) return false;
        z = values[i * stride];
        return true;
    }
};

// ⊕ over what all threads of the grid have, which all must call.
template <class M>
__device__ inline void fold_grid(Partial<M> mine, typename M::Z* partial, unsigned char* has,
                                 unsigned* ended, typename M::Z* totals) {
    using Z = typename M::Z;
    __shared__ int last;
    mine = fold_block(mine);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = mine.value;
        has[blockIdx.x] = mine.has;
        __threadfence();  // before this block is counted, what it wrote is visible
        last = atomicInc(ended, gridDim.x - 1) == gridDim.x - 1;  // which sets it back to 0
        __threadfence();
    }
    __syncthreads();
    if (!last) return;
    mine = nothing<M>();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        if (static_cast<volatile unsigned char*>(has)[b])
            mine.fold(as_written(partial + b));
    mine = fold_block(mine);
    if (threadIdx.x == 0) {
        totals[0] = mine.value;
        totals[1] = mine.has ? Z(1) : Z(0);
    }
}

template <class M, class Source, class... Given>
__global__ void reduce(long long n, typename M::Z* partial, unsigned char* has, unsigned* ended,
                       typename M::Z* totals, Given... given) {
    using Z = typename M::Z;
    Partial<M> mine = nothing<M>();
    const long long threads = thread_count<long long>();
    for (long long i = thread_id<long long>(); i < n && !mine.settled(); i += IN_FLIGHT * threads) {
        Z z[IN_FLIGHT];
        bool here[IN_FLIGHT];
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s) {  // beyond the end the last one again (see formula.cuh)
            const long long at = i + s * threads;
            const auto inside = static_cast<typename Source::Position>(at < n ? at : n - 1);
            z[s] = {};
            here[s] = Source::at(inside, z[s], given...) && at < n;
        }
#pragma unroll
        for (int s = 0; s < IN_FLIGHT; ++s)
            if (here[s]) mine.fold(z[s]);
    }
    fold_grid(mine, partial, has, ended, totals);
}
