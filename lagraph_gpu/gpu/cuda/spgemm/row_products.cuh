// Load balance of the products of a row of A ⊕.⊗ B within a group of threads.
// See docs/decisions/spgemm.md.
#pragma once
#include "core/groups.cuh"
#include "matrix/entries.cuh"

// What the groups of a block need to divide products among their threads; each group has its part
// of it.
struct Walk {
    long long ends[MAX_THREADS];    // the running sum of the products of some entries of A's row
    long long starts[MAX_THREADS];  // the number of a product plus this is its entry of B
    long long sums[MAX_THREADS / 32];
};

// Calls body(a, b) for the entries a of A and b of B that meet in the products of row i.
//
// It takes as many entries of A's row at a time as the group has threads, and numbers their
// products: a thread for each product, so that the products of a hub's row in B are divided as
// evenly as those of many short rows. All threads of the group must call it. Every body sees what
// the threads wrote before, and after the call all threads see what the bodies wrote, if the row
// has any product.
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
        Group::sync();  // before the next entries
    }
}

// The sum of x over the group, for every thread.
template <class Group> __device__ inline long long sum(long long x, Walk& walk) {
    long long total;
    Group::running(x, total, walk.sums);
    return total;
}
