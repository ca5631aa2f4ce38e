// What the kernels of a product of matrices, C = A ⊕.⊗ B, take as one argument each. Two of them,
// multiply_short_row and multiply_sorted_row, take the fields one by one, because as structs they
// were slower (docs/decisions/spgemm.md, 0160).
#pragma once
#include "core/operands.cuh"
#include "matrix/entries.cuh"

template <class S> struct Factors {
    using Offset = typename S::Offset;

    CsrOf<S> a;
    Csr<Offset, typename S::B> b;

    __device__ Structure<Offset> A() const { return {a.indptr, a.indices}; }
    __device__ Structure<Offset> B() const { return {b.indptr, b.indices}; }
    // What the entries ea of A and eb of B give to row i and column j of C.
    __device__ typename S::Z product(Offset ea, Offset eb, Index i, Index j) const {
        return S::product(a.values, ea * a.stride, b.values, eb * b.stride, i, a.indices[ea], j);
    }
};

// Where a complemented mask lets C have entries: outside of these entries, or if `truth` has a
// bitmap over them outside of the true ones. Without a mask indptr is null.
template <class Offset> struct Outside {
    const Offset* indptr;
    const Index* indices;
    const Word* truth;

    __device__ MatrixMask<Offset> mask() const { return {{indptr, indices}, truth, true}; }
};

// The rows of C, whose places are known, and whose entries are to be written.
template <class S> struct ProductRows {
    const typename S::Offset* indptr;
    Index* indices;
    typename S::Z* values;
};
