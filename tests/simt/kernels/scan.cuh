// Inclusive prefix sums, block by block: shuffles within a warp, shared memory between warps.
// A kernel of the emulator's own tests; mutants of it must be caught.
#pragma once

template <class T, int BLOCK> __device__ T scan_block(T v) {
  __shared__ T warp_sum[BLOCK / 32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int d = 1; d < 32; d <<= 1) {
    T below = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v += below;
  }
  if (lane == 31) warp_sum[warp] = v;
  __syncthreads();  // the sums of all warps are there
  if (warp == 0) {
    T s = lane < BLOCK / 32 ? warp_sum[lane] : T(0);
    for (int d = 1; d < 32; d <<= 1) {
      T below = __shfl_up_sync(~0u, s, d);
      if (lane >= d) s += below;
    }
    if (lane < BLOCK / 32) warp_sum[lane] = s;
  }
  __syncthreads();  // they are prefix sums
  return v + (warp ? warp_sum[warp - 1] : T(0));
}

template <class T, int BLOCK> __global__ void scan(const T* in, T* out, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  const T sum = scan_block<T, BLOCK>(i < n ? in[i] : T(0));
  if (i < n) out[i] = sum;
}
