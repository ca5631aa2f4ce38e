// The rows of C = A ⊕.⊗ B whose products lie in few neighbouring columns, as those of banded
// matrices do (see gustavson.cuh), with LANES lanes of a warp for each row and a dense accumulator
// of 8 · LANES columns in shared memory (Gilbert, Moler, Schreiber: Sparse matrices in MATLAB,
// 1992). The lanes take the entries of A's row one after the other. The columns of one row of B
// differ, so the products are folded without atomics, in the order of A's row. O(products + entries
// of A's row) for a row and pass. See docs/decisions/spgemm.md.
#pragma once
#include "core/grid_stride.cuh"
#include "spgemm/factors.cuh"
#include "spgemm/row_kinds.cuh"

// The accumulators of a block have so many columns together.
constexpr int WINDOWS = WINDOW_COLUMNS * MAX_THREADS;

// The row of these lanes; the other lanes of the warp have others, and all call every function
// together.
template <class Offset, int LANES> struct WindowedRow {
    using Group = Lanes<LANES>;

    const Structure<Offset>& A;
    const Structure<Offset>& B;
    const MatrixMask<Offset>& mask;
    const Index i;  // -1: none
    const RowWindow window;
    bool* const present;  // which columns of the window have a product

    // The row without products, with its part of `present`, which is all windows of a block.
    __device__ WindowedRow(const Structure<Offset>& A, const Structure<Offset>& B,
                           const MatrixMask<Offset>& mask, Index i, bool* present)
        : A(A), B(B), mask(mask), i(i), window(window_of<Group>(A, B, i)), present(present + first_column()) {
        for (int at = Group::rank(); at < window.span(); at += LANES) this->present[at] = false;
        __syncwarp();
    }

    // The first column of these lanes in the arrays of a block.
    static __device__ int first_column() { return threadIdx.x / LANES * (WINDOW_COLUMNS * LANES); }

    // Calls body(at, j, ea, eb) for the entries ea of A and eb of B that meet in each product; its
    // column j is number `at` of the window. The lanes see what was done for earlier entries of A,
    // and at the end for all.
    template <class Body> __device__ void each_product(Body body) const {
        const Offset last = i < 0 ? 0 : A.indptr[i + 1];
        for (Offset base = i < 0 ? 0 : A.indptr[i]; __any_sync(ALL_LANES, base < last); base += LANES) {
            Offset begin = 0, end = 0;  // of the row of B that this lane's entry of A meets
            if (base + Group::rank() < last) {
                const Index k = A.indices[base + Group::rank()];
                begin = B.indptr[k];
                end = B.indptr[k + 1];
            }
            for (int t = 0; t < LANES && __any_sync(ALL_LANES, base + t < last); ++t) {
                const Offset first = __shfl_sync(ALL_LANES, begin, t, LANES);
                const Offset stop = __shfl_sync(ALL_LANES, end, t, LANES);
                for (Offset eb = first + Group::rank(); eb < stop; eb += LANES) {
                    const Index j = B.indices[eb];
                    body(j - window.low, j, base + t, eb);
                }
                __syncwarp();
            }
        }
    }

    // Calls body(at, before) for the columns that are present and that the mask wants, in order,
    // with the number of those before; returns how many there are.
    template <class Body> __device__ int each_column(Body body) const {
        const int first_lane = lane_id() - Group::rank();
        int columns = 0;
        for (int base = 0; __any_sync(ALL_LANES, base < window.span()); base += LANES) {
            const int at = base + Group::rank();
            const bool wanted = at < window.span() && present[at] && mask.wants(i, window.low + at);
            const Word all = __ballot_sync(ALL_LANES, wanted) >> first_lane & ALL_LANES >> (32 - LANES);
            if (wanted) body(at, columns + __popc(all & (1u << Group::rank()) - 1));
            columns += __popc(all);
        }
        return columns;
    }
};

// Calls body(i) for each row in turn, and for -1 in lanes that have none while others have.
template <int LANES, class Body>
__device__ inline void each_windowed_row(unsigned count, const RowsOfKind& rows, Body body) {
    constexpr int EACH = 32 / LANES;
    for (unsigned base : warp_stride<unsigned>(count, EACH)) {
        const unsigned r = base + lane_id() / LANES;
        const Index i = r < count ? rows(r) : -1;
        if (__any_sync(ALL_LANES, i >= 0)) body(i);
    }
}

// rows lists the rows; if it is null, they are those of that kind.
template <class Offset, int LANES>
__global__ void __launch_bounds__(MAX_THREADS)
count_windowed_row(Index count, const long long* rows, const Index* kinds, Structure<Offset> A,
                   Structure<Offset> B, Outside<Offset> outside, Index* counts) {
    __shared__ bool present[WINDOWS];
    const MatrixMask<Offset> mask = outside.mask();
    each_windowed_row<LANES>(count, {rows, kinds, RowKind::WINDOWED}, [&](Index i) {
        const WindowedRow<Offset, LANES> row(A, B, mask, i, present);
        row.each_product([&](int at, Index, Offset, Offset) { row.present[at] = true; });
        const int columns = row.each_column([](int, int) {});
        if (i >= 0 && Lanes<LANES>::rank() == 0) counts[i] = columns;
    });
}

// C must have the places of its rows.
template <class S, int LANES>
__global__ void __launch_bounds__(MAX_THREADS, 4)
multiply_windowed_row(Index count, const long long* rows, const Index* kinds,
                      Outside<typename S::Offset> outside, Factors<S> factors, ProductRows<S> out) {
    using Offset = typename S::Offset;
    using Z = typename S::Z;
    __shared__ bool present[WINDOWS];
    __shared__ __align__(16) Z all_values[WINDOWS];
    Z* const values = all_values + WindowedRow<Offset, LANES>::first_column();
    const Structure<Offset> A = factors.A(), B = factors.B();
    const MatrixMask<Offset> mask = outside.mask();
    each_windowed_row<LANES>(count, {rows, kinds, RowKind::WINDOWED}, [&](Index i) {
        const WindowedRow<Offset, LANES> row(A, B, mask, i, present);
        row.each_product([&](int at, Index j, Offset ea, Offset eb) {
            const bool others = row.present[at];
            if (S::any && others) return;
            const Z z = factors.product(ea, eb, i, j);
            values[at] = others ? S::add(values[at], z) : z;
            row.present[at] = true;
        });
        const Offset place = i < 0 ? 0 : out.indptr[i];
        row.each_column([&](int at, int before) {
            out.indices[place + before] = row.window.low + at;
            out.values[place + before] = values[at];
        });
    });
}
