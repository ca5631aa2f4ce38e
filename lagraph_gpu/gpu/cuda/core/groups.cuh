// Who works together on one row or one entry: a thread, a warp, or a block; and how a group shares
// out the products of a row of A ⊕.⊗ B.
//
// A Group gives its threads' rank and size, sync(), a vote and a fold over the group; what it folds
// is valid in the lanes of its first warp. All threads of a group must call these together. Groups
// of a block lie side by side: number() of them in a block of per_block().
#pragma once
#include "core/load_balance.cuh"
#include "matrix/entries.cuh"

constexpr int MAX_THREADS = 256;  // of a block whose groups share out products

struct Thread {
    static __device__ int rank() { return 0; }
    static __device__ int size() { return 1; }
    static __device__ bool any(bool one) { return one; }
    template <class M> static __device__ Partial<M> fold(Partial<M> mine) { return mine; }
};

struct Warp {
    static constexpr bool one_warp = true;
    static __device__ int rank() { return lane_id(); }
    static __device__ int size() { return 32; }
    static __device__ int number() { return threadIdx.x >> 5; }
    static __device__ int per_block() { return blockDim.x >> 5; }
    static __device__ void sync() { __syncwarp(); }
    static __device__ bool any(bool one) { return __any_sync(ALL_LANES, one); }
    template <class M> static __device__ Partial<M> fold(Partial<M> mine) { return fold_warp(mine); }

    // The sum of x over the ranks up to this one; `total` becomes that over all. `sums` is shared
    // by the group, one for each of its warps.
    template <class T> static __device__ T running(T x, T& total, T*) {
        x = running_sum(x);
        total = __shfl_sync(ALL_LANES, x, 31);
        return x;
    }
};

struct Block {
    static constexpr bool one_warp = false;
    static __device__ int rank() { return threadIdx.x; }
    static __device__ int size() { return blockDim.x; }
    static __device__ int number() { return 0; }
    static __device__ int per_block() { return 1; }
    static __device__ void sync() { __syncthreads(); }
    static __device__ bool any(bool one) { return __syncthreads_or(one); }
    template <class M> static __device__ Partial<M> fold(Partial<M> mine) { return fold_block(mine); }

    template <class T> static __device__ T running(T x, T& total, T* sums) {
        T warps;
        x = Warp::running(x, warps, sums);
        const int warp = threadIdx.x >> 5, count = blockDim.x >> 5;
        if (lane_id() == 31) sums[warp] = x;
        __syncthreads();
        total = 0;
        for (int w = 0; w < count; ++w) {
            if (w < warp) x += sums[w];
            total += sums[w];
        }
        __syncthreads();  // the next may write
        return x;
    }
};

// What the groups of a block need to share out products; each has its part of it.
struct Walk {
    long long ends[MAX_THREADS];    // running sum of the products of some entries of A's row
    long long starts[MAX_THREADS];  // a product's number plus this is its entry of B
    long long sums[MAX_THREADS / 32];
};

// Calls body(a, b) for the entries a of A and b of B that meet in the products of row i.
//
// As many entries of A's row as the group has threads are taken at a time, and their products are
// numbered: one thread a product, so that a hub's row in B is shared out as evenly as many short
// ones. All threads of the group must call it. What they wrote before is there for every body, and
// what the bodies wrote is there afterwards, if the row has any product.
template <class Group, class Offset, class Body>
__device__ inline void each_product(const Structure<Offset>& A, const Structure<Offset>& B, Index i,
                                    Walk& walk, Body body) {
    long long* ends = walk.ends + Group::number() * Group::size();
    long long* starts = walk.starts + Group::number() * Group::size();
    const Offset last = A.indptr[i + 1];
    for (Offset base = A.indptr[i]; base < last; base += Group::size()) {
        const Offset a = base + Group::rank();
        long long products = 0, first = 0, total;
        if (a < last) {
            const Index k = A.indices[a];
            first = B.indptr[k];
            products = B.indptr[k + 1] - first;
        }
        const long long end = Group::running(products, total, walk.sums);
        ends[Group::rank()] = end;
        starts[Group::rank()] = first - (end - products);
        Group::sync();
        for (long long p = Group::rank(); p < total; p += Group::size()) {
            const int t = first_beyond(ends, 0, Group::size() - 1, p);
            body(base + t, static_cast<Offset>(starts[t] + p));
        }
        Group::sync();  // the next entries may come
    }
}

// The sum of x over the group, for every thread.
template <class Group> __device__ inline long long sum(long long x, Walk& walk) {
    long long total;
    Group::running(x, total, walk.sums);
    return total;
}
