// ⊕ over all entries. Each block folds its share to one entry of the output, so a second launch
// of one block finishes. stride 0 reads one value for all positions (an iso-valued array).
#pragma once
#include "fold.cuh"

template <class M>
__global__ void reduce(long long n, const Word* bits, const typename M::Z* values, int stride,
                       Word* out_bits, typename M::Z* out) {
    Partial<M> mine = nothing<M>();
    const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
    long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i < n && !mine.settled(); i += threads)
        if (bits == nullptr || present(bits, static_cast<Index>(i))) mine.fold(values[i * stride]);

    mine = fold_block(mine);
    if (threadIdx.x == 0 && mine.has) {
        out[blockIdx.x] = mine.value;
        claim(out_bits, blockIdx.x);
    }
}
