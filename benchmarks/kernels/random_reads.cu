// Reads `count` words of `data`, each of an element at random: the word element >> shift, times stride.
// Nothing is written, unless the exclusive or of all that a thread reads is not 0.
__device__ inline unsigned long long scrambled(unsigned long long x) {
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdull;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ull;
    return x ^ (x >> 33);
}

__global__ void random_reads(long long count, unsigned elements, int shift, int stride, const unsigned* data,
                             unsigned* found) {
    constexpr int many = 8;
    const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
    unsigned all = 0;
    for (long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; at < count; at += many * threads) {
        unsigned read[many];
#pragma unroll
        for (int i = 0; i < many; ++i) {
            const unsigned long long drawn = scrambled(static_cast<unsigned long long>(at + i * threads)) >> 32;
            const unsigned element = static_cast<unsigned>(drawn * elements >> 32);
            read[i] = at + i * threads < count ? data[static_cast<long long>(element >> shift) * stride] : 0;
        }
#pragma unroll
        for (int i = 0; i < many; ++i) all ^= read[i];
    }
    if (all != 0) atomicOr(found, all);
}
