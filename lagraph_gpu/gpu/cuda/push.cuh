// Push: w⟨mask⟩ = u ⊕.⊗ A, scattered along the out-edges of u's entries.
//
// The output's bitmap must be clear. With `any` for ⊕ the first thread to claim a position writes
// it; otherwise products are folded in atomically, and the output must hold Monoid.start().
// Reads 4 bytes an edge of the frontier, and the matrix value only if ⊗ does.
#pragma once
#include "balance.cuh"
#include "fold.cuh"

template <class S> struct Scatter {
    const typename S::U* u;
    const Index* indices;
    const typename S::A* values;
    int stride;
    Mask mask;
    Word* out_bits;
    typename S::Z* out;

    // What edge e, which leaves vertex k, adds to the output.
    __device__ void operator()(Index k, typename S::Offset e) const {
        const Index j = indices[e];
        if (!mask.wants(j)) return;
        if constexpr (S::any) {
            if (claim(out_bits, j)) out[j] = S::product(u, k, values, e * stride, j);
        } else {
            fold_into<S>(out + j, S::product(u, k, values, e * stride, j));
            claim(out_bits, j);
        }
    }
};

// From a list of u's entries.
template <class S, class Rows>
__global__ void push(Index count, const Index* vertices, const long long* ends,
                     const typename S::U* u, const typename S::Offset* indptr,
                     const Index* indices, const typename S::A* values, int stride,
                     const Word* mask_bits, Word mask_flip, Word* out_bits, typename S::Z* out) {
    const Mask mask{mask_bits, mask_flip};
    Rows::each(Frontier<typename S::Offset>{count, vertices, ends, indptr},
               Scatter<S>{u, indices, values, stride, mask, out_bits, out});
}

// From u's bitmap: no list, no count and no wait come before it.
template <class S>
__global__ void push_marked(Index n, const Word* bits, Index piece, Index pieces, const Index* rows,
                            const typename S::Offset* firsts, const typename S::U* u,
                            const typename S::Offset* indptr, const Index* indices,
                            const typename S::A* values, int stride, const Word* mask_bits,
                            Word mask_flip, Word* out_bits, typename S::Z* out) {
    const Mask mask{mask_bits, mask_flip};
    each_marked(Marked<typename S::Offset>{n, bits, indptr, piece, pieces, rows, firsts},
                Scatter<S>{u, indices, values, stride, mask, out_bits, out});
}

// The output of a push before it: no entries, and `start` everywhere.
template <class Z> __global__ void prepare(Index n, Z start, Word* bits, Z* values) {
    const unsigned threads = gridDim.x * blockDim.x, words = words_of(n);
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n); i += threads) {
        values[i] = start;
        if (i < words) bits[i] = 0;
    }
}
