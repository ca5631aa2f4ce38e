// Parts of matrices, and matrices made of parts: rows gathered, tiles put together, vectors read as
// matrices and the reverse, Kronecker products. One thread for each entry of the result.
//
// Columns are gathered as the rows of the transpose. A negative index is an empty row, so that to
// spread rows over a larger matrix is to gather by the inverse index.
// See docs/decisions/storage.md.
#pragma once
#include "core/grid_stride.cuh"
#include "matrix/entries.cuh"

// --- gather and concatenate -----------------------------------------------------------------

// degrees[r] = entries of row index[r].
template <class Offset>
__global__ void gather_degrees(Index count, const Index* index, const Offset* indptr,
                               long long* degrees) {
    for (unsigned r : grid_stride<unsigned>(count))
        degrees[r] = index[r] < 0 ? 0 : indptr[index[r] + 1] - indptr[index[r]];
}

// Row r of the result is row index[r]; values may be null, for one that serves all.
template <class Out, class Offset, class A>
__global__ void gather_rows(Out nnz, Index count, const Index* index, const Out* out_indptr,
                            const Offset* indptr, const Index* indices, const A* values,
                            Index* out_indices, A* out_values) {
    for (Out e : grid_stride<Out>(nnz)) {
        const Index r = row_of(out_indptr, count, e);
        const Offset from = indptr[index[r]] + static_cast<Offset>(e - out_indptr[r]);
        out_indices[e] = indices[from];
        if (values != nullptr) out_values[e] = values[from];
    }
}

// How many entries the rows have that have one in the vector; 0 for the others.
template <class Offset>
__global__ void lengths_of_rows(Index n, const Word* bits, const Offset* indptr, Offset* lengths) {
    for (unsigned i : grid_stride<unsigned>(n))
        lengths[i] = present(bits, i) ? indptr[i + 1] - indptr[i] : 0;
}

// The length of each row, with an entry where it is not 0.
template <class Offset>
__global__ void vector_of_lengths(Index n, const Offset* indptr, Word* bits, long long* out) {
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index i = (word << 5) + lane_id();
        const long long length = i < n ? indptr[i + 1] - indptr[i] : 0;
        const Word some = __ballot_sync(ALL_LANES, length > 0);
        if (length > 0) out[i] = length;
        if (lane_id() == 0) bits[word] = some;
    }
}

// Selected rows: an entry has the same place within its row in the result and in the matrix.
template <class E>
__global__ void take_rows(typename E::Offset nnz, Index nrows, const typename E::Offset* out_indptr,
                          Csr<typename E::Offset, typename E::A> A, const Word* d_bits,
                          const typename E::D* d, typename E::Thunk thunk, Index* out_indices,
                          typename E::Z* out_values) {
    using Offset = typename E::Offset;
    RowsOfWords<Offset> rows{out_indptr, nrows};
    rows.each(nnz, warp_id(), warp_count(), [&](Offset word) {
        const Index i = rows(word);
        const Offset e = (word << 5) + lane_id();
        if (e >= nnz) return;
        const Offset from = A.indptr[i] + (e - out_indptr[i]);
        out_indices[e] = A.indices[from];
        out_values[e] = E::value(i, A.indices[from], A.values[from * A.stride], Scaling<E>{d_bits, d}, thunk);
    });
}

// room[first + r] += entries of row r of a tile: the sizes of rows, and later where the next tile
// of a band begins in each.
template <class Offset>
__global__ void add_degrees(Index nrows, Index first, const Offset* indptr, long long* room) {
    for (unsigned r : grid_stride<unsigned>(nrows))
        room[first + r] += indptr[r + 1] - indptr[r];
}

template <class Offset, class A, class Z>
__global__ void place_tile(Offset nnz, Index nrows, Index first, Index column, Csr<Offset, A> matrix,
                           const long long* room, Index* out_indices, Z* out_values) {
    for (Offset e : grid_stride<Offset>(nnz)) {
        const Index r = row_of(matrix.indptr, nrows, e);
        const long long to = room[first + r] + (e - matrix.indptr[r]);
        out_indices[to] = column + matrix.indices[e];
        out_values[to] = arithmetic::cast<Z>(matrix.values[e * matrix.stride]);
    }
}

// --- vectors and matrices -------------------------------------------------------------------

// How many entries a vector has in each word of its bitmap.
__global__ void count_bits(Index n, const Word* bits, long long* counts) {
    for (unsigned w : grid_stride<unsigned>(words_of(n)))
        counts[w] = __popc(bits[w]);
}

// An entry at p becomes one at row p·row_step + row, column p·column_step + column: a matrix of one
// row (0, 1), of one column (1, 0), or a diagonal (1, 1). ends: the running sum of count_bits.
template <class Offset, class A>
__global__ void lay_out(Index n, Index nrows, int row_step, Index row, int column_step,
                        Index column, const Word* bits, const A* values, const long long* ends,
                        Offset* indptr, Index* indices, A* out) {
    for (unsigned p : grid_stride<unsigned>(n)) {
        if (!present(bits, p)) continue;
        const long long at = rank<long long>(bits, ends, p);
        indices[at] = p * column_step + column;
        out[at] = values[p];
    }
    for (unsigned r : grid_stride<unsigned>(unsigned(nrows) + 1)) {
        Index before = row_step == 1 ? Index(r) - row : (r > 0 ? n : 0);  // positions in earlier rows
        before = before < 0 ? 0 : before > n ? n : before;
        indptr[r] = static_cast<Offset>(rank<long long>(bits, ends, before));
    }
}

// One entry in each row that has one in the vector, in the column that its value names. totals: how
// many entries there are, and how many values name no column. `ends` as above; null for a full
// vector.
template <class V>
__global__ void choose(Index n, Index ncols, const Word* bits, const V* values,
                       const long long* ends, Index* indptr, Index* indices,
                       unsigned long long* totals) {
    for (unsigned p : grid_stride<unsigned>(unsigned(n) + 1)) {
        const Index at = ends == nullptr ? p : static_cast<Index>(rank<long long>(bits, ends, p));
        indptr[p] = at;
        if (p == unsigned(n)) totals[0] = at;
        if (p == unsigned(n) || !present(bits, p)) continue;
        const long long column = static_cast<long long>(values[p]);
        const bool inside = column >= 0 && column < ncols;
        indices[at] = inside ? static_cast<Index>(column) : 0;
        if (!inside) atomicAdd(totals + 1, 1ull);
    }
}

// For each entry the number of entries before it. `ends` as above.
__global__ void number_entries(Index n, const Word* bits, const long long* ends, long long* numbers) {
    for (unsigned p : grid_stride<unsigned>(n))
        if (present(bits, p)) numbers[p] = rank<long long>(bits, ends, p);
}

// A row as a vector without entries before.
template <class Offset, class A>
__global__ void row_to_vector(Index row, Csr<Offset, A> matrix, Word* bits, A* out) {
    for (Offset e : grid_stride(matrix.indptr[row], matrix.indptr[row + 1])) {
        out[matrix.indices[e]] = matrix.values[e * matrix.stride];
        claim(bits, matrix.indices[e]);
    }
}

// u(p) = A(p + row, p·step + column): a column (step 0) or a diagonal (step 1).
template <class Offset, class A>
__global__ void line_to_vector(Index n, Index row, int step, Index column, Csr<Offset, A> rows, Word* bits,
                               A* out) {
    const Structure<Offset> matrix{rows.indptr, rows.indices};
    for (Index word : warp_stride<Index>(words_of(n))) {
        const Index p = (word << 5) + lane_id();
        bool has = false;
        if (p < n) {
            const Offset e = matrix.seek(p + row, p * step + column);
            has = matrix.at(e, p + row, p * step + column);
            if (has) out[p] = rows.values[e * rows.stride];
        }
        const Word now = __ballot_sync(ALL_LANES, has);
        if (lane_id() == 0) bits[word] = now;
    }
}

// --- blocks ---------------------------------------------------------------------------------

// Rows of the same columns, `width` each: columns[e % width], or 0 … width - 1 if null.
template <class Offset>
__global__ void repeat_columns(Offset nnz, Index width, const Index* columns, Index* indices) {
    for (Offset e : grid_stride<Offset>(nnz)) {
        const Index c = static_cast<Index>(e % width);
        indices[e] = columns == nullptr ? c : columns[c];
    }
}

// The Kronecker product of A and B: row i·p + r holds, for each entry of row i of A, row r of B.
template <class Op, class Offset, class Out>
__global__ void kronecker(Out nnz, Index a_rows, Csr<Offset, typename Op::Left> A, Index b_rows,
                          Index b_columns, Offset b_nnz, Csr<Offset, typename Op::Right> B, Out* indptr,
                          Index* indices, typename Op::Z* values) {
    for (Out e : grid_stride<Out>(nnz)) {
        const Index i = row_of(A.indptr, a_rows, static_cast<Offset>(e / b_nnz));
        const Out degree = A.indptr[i + 1] - A.indptr[i];
        const Out left = e - static_cast<Out>(A.indptr[i]) * b_nnz;  // within A's row i
        const Index r = row_of(B.indptr, b_rows, static_cast<Offset>(left / degree));
        const Out width = B.indptr[r + 1] - B.indptr[r], rest = left - B.indptr[r] * degree;
        const Offset at = A.indptr[i] + static_cast<Offset>(rest / width);
        const Offset bt = B.indptr[r] + static_cast<Offset>(rest % width);
        indices[e] = A.indices[at] * b_columns + B.indices[bt];
        values[e] = Op::apply(A.values[at * A.stride], B.values[bt * B.stride], 0, 0);
    }
    const Out rows = static_cast<Out>(a_rows) * b_rows;
    for (Out row : grid_stride<Out>(rows)) {
        const Index i = static_cast<Index>(row / b_rows), r = static_cast<Index>(row % b_rows);
        const Out degree = A.indptr[i + 1] - A.indptr[i];
        indptr[row] = static_cast<Out>(A.indptr[i]) * b_nnz + degree * B.indptr[r];
    }
    if (thread_id<Out>() == 0) indptr[rows] = nnz;
}

// --- indices --------------------------------------------------------------------------------

// inverse[positions[t]] = t, and the bitmap of the positions; either may be null.
__global__ void locate(Index count, const Index* positions, Index* inverse, Word* bits) {
    for (unsigned t : grid_stride<unsigned>(count)) {
        if (inverse != nullptr) inverse[positions[t]] = t;
        if (bits != nullptr) claim(bits, positions[t]);
    }
}
