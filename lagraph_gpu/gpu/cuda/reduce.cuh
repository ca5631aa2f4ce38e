// ⊕ over all entries. Each block folds its share to one entry of the output, so a second launch
// of one block finishes. stride 0 reads one value for all positions (an iso-valued array).
#pragma once
#include "fold.cuh"

constexpr int MAX_WARPS = 32;

template <class M>
__global__ void reduce(long long n, const Word* bits, const typename M::Z* values, int stride,
                       Word* out_bits, typename M::Z* out) {
    __shared__ typename M::Z shared_value[MAX_WARPS];
    __shared__ int shared_has[MAX_WARPS];
    Partial<M> mine = nothing<M>();
    const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
    long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i < n && !mine.settled(); i += threads)
        if (bits == nullptr || present(bits, static_cast<Index>(i))) mine.fold(values[i * stride]);

    mine = fold_warp(mine);
    const int warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    if (lane_id() == 0) {
        shared_value[warp] = mine.value;
        shared_has[warp] = mine.has;
    }
    __syncthreads();
    if (warp != 0) return;
    mine = nothing<M>();
    if (lane_id() < warps && shared_has[lane_id()]) mine.fold(shared_value[lane_id()]);
    mine = fold_warp(mine);
    if (lane_id() == 0 && mine.has) {
        out[blockIdx.x] = mine.value;
        claim(out_bits, blockIdx.x);
    }
}
