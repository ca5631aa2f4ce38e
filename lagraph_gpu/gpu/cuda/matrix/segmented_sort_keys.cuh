// What the entries of a row are put in order by, and what goes where (see segmented_sort.cuh): row
// i comes from `first(i)` on, and goes to out_columns and out_values from begins[i] on.
// See docs/decisions/layouts.md.
#pragma once
#include "matrix/weight_order.cuh"
#include "matrix/edge_storage.cuh"

template <class Offset_, class T_, class Column_ = Index> struct RowArrays {
    using Offset = Offset_;
    using T = T_;
    using Column = Column_;
    const Index* old;  // which row becomes row i, or null: row i itself
    const Index* to;   // the new number of each column, or null
    const Offset* indptr;
    const Index* indices;
    const T* values;  // null: there is one for all
    unsigned flip;    // all ones where keys are to fall
    const Offset* begins;
    Column* out_columns;
    T* out_values;

    __device__ Offset first(Index row) const { return indptr[old == nullptr ? row : old[row]]; }
    __device__ Offset degree(Index row) const { return begins[row + 1] - begins[row]; }
};

template <class T> struct Moved {
    Index column;
    T value;
};

// By the new numbers of columns, which the entries have from then on.
template <class Offset, class T> struct ByColumn : RowArrays<Offset, T> {
    __device__ unsigned key(Offset e) const { return static_cast<unsigned>(this->to[this->indices[e]]); }
    __device__ Moved<T> entry(Offset e, unsigned key) const {
        return {static_cast<Index>(key), this->values == nullptr ? T(0) : this->values[e]};
    }
    __device__ void put(Offset e, const Moved<T>& moved) const {
        this->out_columns[e] = moved.column;
        if (this->values != nullptr) this->out_values[e] = moved.value;
    }
};

// By their values, of which a key has the lower or the upper half where they have 8 bytes. The last
// time columns and values go side by side.
template <class T, bool LAST> struct Beside { using Column = Index; };
template <class T> struct Beside<T, true> { using Column = Edge<T>; };

template <class Offset, class T, bool LAST>
struct ByWeight : RowArrays<Offset, T, typename Beside<T, LAST>::Column> {
    __device__ unsigned key(Offset e) const {
        const unsigned long long value = static_cast<unsigned long long>(in_order(this->values[e]));
        const unsigned half = static_cast<unsigned>(sizeof(T) > 4 && LAST ? value >> 32 : value);
        return (LAST ? half ^ 1u << 31 : half) ^ this->flip;
    }
    __device__ Moved<T> entry(Offset e, unsigned) const { return {this->indices[e], this->values[e]}; }
    __device__ void put(Offset e, const Moved<T>& moved) const {
        if constexpr (LAST) {
            this->out_columns[e] = {moved.column, moved.value};
        } else {
            this->out_columns[e] = moved.column;
            this->out_values[e] = moved.value;
        }
    }
};
