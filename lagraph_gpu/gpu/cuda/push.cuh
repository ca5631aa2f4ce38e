// Push: w⟨mask⟩ = u ⊕.⊗ A, scattered along the out-edges of u's entries.
//
// The output's bitmap must be clear. With `any` for ⊕ the first thread to claim a position writes
// it; otherwise products are folded in atomically, and the output must hold Monoid.start().
// Reads 4 bytes an edge of the frontier, and the matrix value only if ⊗ does.
#pragma once
#include "balance.cuh"
#include "fold.cuh"

template <class S, class Rows>
__global__ void push(Index count, const Index* vertices, const long long* ends,
                     const typename S::U* u, const typename S::Offset* indptr,
                     const Index* indices, const typename S::A* values, int stride,
                     const Word* mask_bits, Word mask_flip, Word* out_bits, typename S::Z* out) {
    using Offset = typename S::Offset;
    const Mask mask{mask_bits, mask_flip};
    Rows::each(Frontier<Offset>{count, vertices, ends, indptr}, [&](Index k, Offset e) {
        const Index j = indices[e];
        if (!mask.wants(j)) return;
        if constexpr (S::any) {
            if (claim(out_bits, j)) out[j] = S::product(u, k, values, e * stride, j);
        } else {
            fold_into<S>(out + j, S::product(u, k, values, e * stride, j));
            claim(out_bits, j);
        }
    });
}
