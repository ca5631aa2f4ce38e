// Values that always go together, each such group as one argument of a kernel. The host gives a
// tuple of the fields.
// See docs/decisions/compilation.md.
#pragma once
#include "core/append.cuh"

// A matrix by rows: the entries of row i are those from indptr[i] to before indptr[i + 1]. One value
// serves all where `stride` is 0. In place of a column there may be more (see edge_storage.cuh).
template <class Offset, class A, class Column = Index> struct Csr {
    const Offset* indptr;
    const Column* indices;
    const A* values;
    int stride;
};
template <class S, class Column = Index> using CsrOf = Csr<typename S::Offset, typename S::A, Column>;

// Which positions of a vector hold an entry, and the entries: to read, and to write.
template <class T> struct SparseVector {
    const Word* bits;
    const T* values;
};
template <class T> struct SparseOutput {
    Word* bits;
    T* values;
};

// x₀ of a closure: one value at `only`, or where `to` leads from there if that is not null; or, if
// `only` is negative, the entries of a vector.
template <class Z> struct Start {
    Index only;
    Z value;
    const Index* to;
    const Word* bits;
    const Z* values;

    // This start with `to` followed: `only` is the place where the value is.
    __device__ Start placed() const { return {to == nullptr ? only : to[only], value, nullptr, bits, values}; }
    __device__ bool has(Index j) const { return only < 0 ? present(bits, j) : j == only; }
    __device__ Z at(Index j) const { return only < 0 ? values[j] : value; }
    // Word number `word` of the bitmap of n positions.
    __device__ Word entries(Index word, Index n) const {
        if (only >= 0) return only >> 5 == word ? 1u << (only & 31) : 0;
        return bits == nullptr ? inside(word, n) : bits[word];
    }
};

// The log of a persistent kernel's rounds, unless `lines` is null: a first line, which holds the
// clock at the beginning, after the last round and at the end, and one for each of the first
// `logged` rounds.
struct KernelLog {
    Index logged;
    Count* lines;

    __device__ bool wanted() const { return lines != nullptr; }
    // The line of a round, counted from 0, in a log of `columns` columns; null if there is none.
    __device__ Count* line(unsigned round, int columns) const {
        return lines == nullptr || round >= unsigned(logged) ? nullptr : lines + columns * (round + 1);
    }
};
