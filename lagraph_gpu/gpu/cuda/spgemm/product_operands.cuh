// What the kernels of a product C = A ⊕.⊗ B take as one argument each. The host gives a tuple of the
// fields. See docs/decisions/spgemm.md.
#pragma once
#include "matrix/entries.cuh"

// The places of the entries of A, B and the mask M. Without a mask m_indptr is null; `truth` is a
// bitmap over the entries of a mask by value, else null.
template <class Offset> struct ProductOperands {
    const Offset* a_indptr;
    const Index* a_indices;
    const Offset* b_indptr;
    const Index* b_indices;
    const Offset* m_indptr;
    const Index* m_indices;
    const Word* truth;

    __device__ Structure<Offset> A() const { return {a_indptr, a_indices}; }
    __device__ Structure<Offset> B() const { return {b_indptr, b_indices}; }
    __device__ Structure<Offset> M() const { return {m_indptr, m_indices}; }

    // Is (i, j) outside the mask, which is a complemented one?
    __device__ bool wants(Index i, Index j) const {
        return MatrixMask<Offset>{M(), truth, true}.wants(i, j);
    }
};

// The values of A and B, for a semiring S. One value serves all entries where a stride is 0.
template <class S> struct ProductValues {
    using Offset = typename S::Offset;

    const typename S::A* a;
    const typename S::B* b;
    int a_stride, b_stride;

    // a(i, k) ⊗ b(k, j) of the entries ea of A and eb of B.
    __device__ typename S::Z product(Offset ea, Offset eb, Index i, Index k, Index j) const {
        return S::product(a, ea * a_stride, b, eb * b_stride, i, k, j);
    }
};

// C: where its rows begin, which must be known, and room for its entries.
template <class S> struct ProductOutput {
    const typename S::Offset* indptr;
    Index* indices;
    typename S::Z* values;
};
