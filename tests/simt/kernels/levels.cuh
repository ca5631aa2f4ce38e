// All levels of a breadth-first search in one launch whose blocks are all resident: one warp a
// vertex, appends of a warp together, a grid barrier between levels.
// A kernel of the emulator's own tests; mutants of it must be caught.
#pragma once

struct Grid {
  unsigned* arrived;
  __device__ void sync() const {
    __syncthreads();  // this block has done its part
    if (threadIdx.x == 0) {
      __threadfence();  // and shows it
      const unsigned step = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1u;
      const unsigned before = atomicAdd(arrived, step);
      while (((before ^ *(volatile unsigned*)arrived) & 0x80000000u) == 0) {}
      __threadfence();  // it sees what others did
    }
    __syncthreads();  // and so does the rest of the block
  }
};

// Appends v of the lanes that take part; all 32 lanes must call it.
__device__ inline void append(bool take, int v, int* queue, int* tail) {
  const unsigned lanes = __ballot_sync(~0u, take);
  if (lanes == 0) return;
  const int lane = threadIdx.x & 31, leader = __ffs(lanes) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(tail, __popc(lanes));
  base = __shfl_sync(~0u, base, leader);
  if (take) queue[base + __popc(lanes & ((1u << lane) - 1))] = v;
}

// level: -1, and 0 at the source; queues of n; tail: lengths of three successive queues: 1, 0, 0.
template <int BLOCK>
__global__ void __launch_bounds__(BLOCK)
    levels(const int* row, const int* col, int* level, int* front, int* next, int* tail,
           unsigned* arrived) {
  const Grid grid{arrived};
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int warp = thread >> 5, warps = gridDim.x * blockDim.x >> 5, lane = threadIdx.x & 31;
  for (int depth = 1;; depth++) {
    const int n = __ldcg(&tail[(depth - 1) % 3]);
    if (n == 0) break;
    for (int f = warp; f < n; f += warps) {
      const int u = front[f], end = row[u + 1];
      for (int begin = row[u]; begin < end; begin += 32) {
        const int e = begin + lane;
        int v = -1;
        bool take = false;
        if (e < end) {
          v = col[e];
          take = __ldcg(&level[v]) < 0 && atomicCAS(&level[v], -1, depth) == -1;
        }
        append(take, v, next, &tail[depth % 3]);
      }
    }
    if (thread == 0) __stcg(&tail[(depth + 1) % 3], 0);
    grid.sync();
    int* t = front;
    front = next;
    next = t;
  }
}
