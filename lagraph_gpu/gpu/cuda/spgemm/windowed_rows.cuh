// The rows of C = A ⊕.⊗ B whose products lie in at most WINDOW neighbouring columns, as those of
// banded matrices do (see gustavson.cuh), with a warp for each row and a dense accumulator of these
// columns in shared memory (Gilbert, Moler, Schreiber: Sparse matrices in MATLAB, 1992). The warp
// takes the entries of A's row one after the other. The columns of one row of B differ, so the
// products are folded without atomics, in the order of A's row. O(products + entries of A's row)
// for a row and pass. See docs/decisions/spgemm.md.
#pragma once
#include "core/grid_stride.cuh"
#include "core/groups.cuh"
#include "spgemm/row_window.cuh"

// The accumulator of a warp: which columns of the window have a product.
template <class Offset> struct Window {
    const Structure<Offset>& A;
    const Structure<Offset>& B;
    const MatrixMask<Offset>& mask;
    const Index i;
    const RowWindow window;
    bool* const present;

    // The window of row i, without a product. All lanes must call it.
    __device__ Window(const Structure<Offset>& A, const Structure<Offset>& B,
                      const MatrixMask<Offset>& mask, Index i, bool* present)
        : A(A), B(B), mask(mask), i(i), window(of_row<Warp>(A, B, i)), present(present) {
        for (int at = lane_id(); at < window.span(); at += 32) present[at] = false;
        __syncwarp();
    }

    // Calls body(at, j, ea, eb) for the entries ea of A and eb of B that meet in each product; its
    // column j is present[at]. The lanes see what was done for earlier entries of A, at the end for
    // all. All lanes must call it.
    template <class Body> __device__ void each_product(Body body) const {
        const Offset last = A.indptr[i + 1];
        for (Offset base = A.indptr[i]; base < last; base += 32) {
            Offset begin = 0, end = 0;  // of the row of B that this lane's entry of A meets
            if (base + lane_id() < last) {
                const Index k = A.indices[base + lane_id()];
                begin = B.indptr[k];
                end = B.indptr[k + 1];
            }
            for (int t = 0; t < 32 && base + t < last; ++t) {
                const Offset first = __shfl_sync(ALL_LANES, begin, t), stop = __shfl_sync(ALL_LANES, end, t);
                for (Offset eb = first + lane_id(); eb < stop; eb += 32) {
                    const Index j = B.indices[eb];
                    body(j - window.low, j, base + t, eb);
                }
                __syncwarp();
            }
        }
    }

    // Calls body(at, place, wanted) for the columns in order, 32 at a time, with the number of
    // columns before that are present and that the mask wants; returns their number. All lanes must
    // call it.
    template <class Body> __device__ int each_column(Body body) const {
        int columns = 0;
        for (int base = 0; base < window.span(); base += 32) {
            const int at = base + lane_id();
            const bool wanted = at < window.span() && present[at] && mask.wants(i, window.low + at);
            const Word all = __ballot_sync(ALL_LANES, wanted);
            if (wanted) body(at, columns + __popc(all & lanes_below()));
            columns += __popc(all);
        }
        return columns;
    }
};

// rows lists the rows, or is null for all rows. The mask is as in gustavson.cuh.
template <class Offset, int WINDOW>
__global__ void __launch_bounds__(MAX_THREADS)
count_windowed_row(Index count, const long long* rows, const Offset* a_indptr, const Index* a_indices,
                   const Offset* b_indptr, const Index* b_indices, const Offset* m_indptr,
                   const Index* m_indices, const Word* truth, Index* counts) {
    __shared__ bool present[MAX_THREADS / 32][WINDOW];
    const Structure<Offset> A{a_indptr, a_indices}, B{b_indptr, b_indices};
    const MatrixMask<Offset> mask{{m_indptr, m_indices}, truth, true};
    for (unsigned r : group_stride<Warp, unsigned>(count)) {
        const Index i = row_of_list(rows, r);
        const Window<Offset> row(A, B, mask, i, present[Warp::number()]);
        row.each_product([&](int at, Index, Offset, Offset) { row.present[at] = true; });
        const int columns = row.each_column([](int, int) {});
        if (lane_id() == 0) counts[i] = columns;
    }
}

// out_indptr must hold the places of the rows.
template <class S, int WINDOW>
__global__ void __launch_bounds__(MAX_THREADS)
multiply_windowed_row(Index count, const long long* rows, const typename S::Offset* m_indptr,
                      const Index* m_indices, const Word* truth, const typename S::Offset* a_indptr,
                      const Index* a_indices, const typename S::A* a, int a_stride,
                      const typename S::Offset* b_indptr, const Index* b_indices,
                      const typename S::B* b, int b_stride, const typename S::Offset* out_indptr,
                      Index* out_indices, typename S::Z* out_values) {
    using Offset = typename S::Offset;
    using Z = typename S::Z;
    __shared__ bool present[MAX_THREADS / 32][WINDOW];
    __shared__ __align__(16) Z all_values[MAX_THREADS / 32 * WINDOW];
    Z* const values = all_values + Warp::number() * WINDOW;
    const Structure<Offset> A{a_indptr, a_indices}, B{b_indptr, b_indices};
    const MatrixMask<Offset> mask{{m_indptr, m_indices}, truth, true};
    for (unsigned r : group_stride<Warp, unsigned>(count)) {
        const Index i = row_of_list(rows, r);
        const Window<Offset> row(A, B, mask, i, present[Warp::number()]);
        row.each_product([&](int at, Index j, Offset ea, Offset eb) {
            const bool others = row.present[at];
            if (S::any && others) return;
            const Z z = S::product(a, ea * a_stride, b, eb * b_stride, i, a_indices[ea], j);
            values[at] = others ? S::add(values[at], z) : z;
            row.present[at] = true;
        });
        const Offset place = out_indptr[i];
        row.each_column([&](int at, int before) {
            out_indices[place + before] = row.window.low + at;
            out_values[place + before] = values[at];
        });
    }
}
