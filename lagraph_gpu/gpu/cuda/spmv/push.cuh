// Push: w⟨mask⟩ = u ⊕.⊗ A. Each entry of u scatters along its out-edges.
//
// The output's bitmap must be clear. If ⊕ is `any`, the first thread that sets the bit of a
// position writes it. Otherwise products are folded atomically, and the output must hold
// Monoid.start(). Reads 4 bytes for each edge of the frontier, and the value of the matrix only if
// ⊗ does. See docs/decisions/planning.md.
#pragma once
#include "core/fold.cuh"
#include "core/append.cuh"
#include "core/grid_stride.cuh"
#include "core/operands.cuh"

// The vertices that a push discovers, each once; if `vertices` is null, they are not needed.
struct Discovered {
    Index* vertices;
    Count* count;
    BlockAppend<Index>* own;  // the buffer of the block, which is filled first, or null

    __device__ void add(Index j) const {
        if (vertices == nullptr) return;
        if (own != nullptr) own->add(j, vertices, count);
        else vertices[atomicAdd(count, Count(1))] = j;
    }
};

template <class S> struct Scatter {
    const typename S::U* u;
    const Index* indices;
    const typename S::A* values;
    int stride;
    Mask mask;
    Word* out_bits;
    typename S::Z* out;
    Discovered discovered{nullptr, nullptr, nullptr};

    // Adds the product of edge e, which leaves vertex k, to the output.
    __device__ void operator()(Index k, typename S::Offset e) const { add(k, e, indices[e]); }

    __device__ void add(Index k, typename S::Offset e, Index j) const {
        if (!mask.wants(j)) return;
        bool first;
        if constexpr (S::any) {
            first = claim(out_bits, j);
            if (first) out[j] = S::product(u, k, values, e * stride, j);
        } else {
            fold_into<S>(out + j, S::product(u, k, values, e * stride, j));
            first = claim(out_bits, j);
        }
        if (first) discovered.add(j);
    }
};

// From a list of u's entries, or with a thread for each vertex (see Frontier). The discovered
// vertices are queued, if there is room for the queue; with `by_block` in shared memory first.
template <class S, class Rows>
__global__ void push(Index count, const Index* vertices, const Word* bits, const long long* ends,
                     const typename S::U* u, CsrOf<S> A, Mask mask, SparseOutput<typename S::Z> out,
                     Index* queue, Count* queued, bool by_block) {
    __shared__ BlockAppend<Index> own;
    if (threadIdx.x == 0) own.count = 0;
    __syncthreads();
    const Discovered discovered{queue, queued, by_block ? &own : nullptr};
    Rows::each(Frontier<typename S::Offset>{count, vertices, bits, ends, A.indptr},
               Scatter<S>{u, A.indices, A.values, A.stride, mask, out.bits, out.values, discovered});
    if (by_block) own.flush(queue, queued);
}

// A thread for each edge, from tails[e] to heads[e], whether its tail has an entry or not. With
// `both` each edge also stands for its reverse, which has the same value.
template <class S>
__global__ void relax(typename S::Offset edges, bool both, const Index* tails, const Index* heads,
                      const typename S::A* values, int stride, SparseVector<typename S::U> u, Mask mask,
                      SparseOutput<typename S::Z> out) {
    using Offset = typename S::Offset;
    const Scatter<S> scatter{u.values, heads, values, stride, mask, out.bits, out.values};
    for (Offset e : grid_stride<Offset>(edges)) {
        const Index k = tails[e], j = heads[e];
        if (present(u.bits, k)) scatter.add(k, e, j);
        if (both && k != j && present(u.bits, j)) scatter.add(j, e, k);
    }
}

// For rows of at most one entry, as those of a selector: a thread for each. Lanes that write to the
// same position fold their values first, and read before they fold a minimum or maximum, because
// with few positions the whole grid would wait for the same words.
template <class S>
__global__ void push_singles(Index n, const Word* bits, const typename S::U* u, CsrOf<S> A, Mask mask,
                             SparseOutput<typename S::Z> out) {
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index k = (word << 5) + lane_id();
        typename S::Offset e = 0;
        bool has = k < n && present(bits, k);
        if (has) {
            e = A.indptr[k];
            has = e < A.indptr[k + 1];
        }
        const Index j = has ? A.indices[e] : -1;
        has = has && mask.wants(j);
        typename S::Z z = S::start();
        if (has) z = S::product(u, k, A.values, e * A.stride, j);
        const Word peers = __match_any_sync(ALL_LANES, has ? j : -1);
        if (!S::any) z = fold_peers<S>(has ? peers : 0, z);
        if (!has || (peers & lanes_below()) != 0) continue;
        if constexpr (S::any) {
            if (claim(out.bits, j)) out.values[j] = z;
        } else {
            bool better = true;
            if constexpr (sizeof(z) >= 4 && (S::native == Native::min || S::native == Native::max)) {
                const typename S::Z seen = *static_cast<const volatile typename S::Z*>(out.values + j);
                better = !(S::add(seen, z) == seen);
            }
            if (better) fold_into<S>(out.values + j, z);
            claim(out.bits, j);
        }
    }
}

// From u's bitmap: needs no list, no count and no wait before it.
template <class S>
__global__ void push_marked(Index n, const Word* bits, Index piece, Index pieces, const Index* rows,
                            const typename S::Offset* firsts, const typename S::U* u, CsrOf<S> A, Mask mask,
                            SparseOutput<typename S::Z> out) {
    each_marked(Marked<typename S::Offset>{n, bits, A.indptr, piece, pieces, rows, firsts},
                Scatter<S>{u, A.indices, A.values, A.stride, mask, out.bits, out.values});
}

// ⊕ over the columns of a matrix, with a thread for each entry: from a full vector that ⊗ does not
// read.
template <class S>
__global__ void push_entries(typename S::Offset nnz, const Index* indices, const typename S::A* values,
                             int stride, Mask mask, SparseOutput<typename S::Z> out) {
    using Offset = typename S::Offset;
    const Scatter<S> scatter{nullptr, indices, values, stride, mask, out.bits, out.values};
    for (Offset e : grid_stride<Offset>(nnz)) scatter(0, e);
}

// Prepares the output of a push: no entries, and `start` everywhere.
template <class Z> __global__ void prepare(Index n, Z start, Word* bits, Z* values) {
    const unsigned words = words_of(n);
    for (unsigned i : grid_stride<unsigned>(n)) {
        values[i] = start;
        if (i < words) bits[i] = 0;
    }
}
