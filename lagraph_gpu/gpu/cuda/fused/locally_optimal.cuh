// The principal eigenvector of a symmetric matrix B by locally optimal conjugate gradients (Knyazev:
// Toward the optimal preconditioned eigensolver, SIAM Journal on Scientific Computing 23, 2001): each step
// takes the best vector in the space of x, its residual w, and the direction p of the step before. See
// algorithms/_shared/locally_optimal.py.
#pragma once
#include "core/arithmetic.cuh"
#include "core/grid_stride.cuh"
#include "fused/grid_sums.cuh"

using Small = double[3][3];

// What one thread finds the best coefficients in; in shared memory, since its indices are not known before.
struct SmallProblem {
    Small gram, held;  // the products of k vectors with each other, and with B between them
    Small lower, vectors;
    double unit[3], found[3];
    bool is_found;

    // Makes the matrix `held` of k rows diagonal by rotations (Jacobi); the columns of `vectors` become its
    // eigenvectors.
    __device__ void make_diagonal(int k) {
        constexpr int SWEEPS = 12;  // it converges quadratically
        constexpr double ROUNDING = 1e-18;
        for (int i = 0; i < k; ++i)
            for (int j = 0; j < k; ++j) vectors[i][j] = i == j;
        const auto rotate = [](double c, double s, double& x, double& y) {
            const double old = x;
            x = c * old - s * y;
            y = s * old + c * y;
        };
        bool turned = true;
        for (int sweep = 0; turned && sweep < SWEEPS; ++sweep) {
            turned = false;
            for (int p = 0; p < k; ++p) {
                for (int q = p + 1; q < k; ++q) {
                    const double off = held[p][q];
                    if (fabs(off) <= ROUNDING * (fabs(held[p][p]) + fabs(held[q][q]))) continue;
                    turned = true;
                    const double half = (held[q][q] - held[p][p]) / (2 * off);
                    const double t = copysign(1 / (fabs(half) + sqrt(half * half + 1)), half);
                    const double c = 1 / sqrt(t * t + 1), s = t * c;
                    for (int i = 0; i < k; ++i) rotate(c, s, held[i][p], held[i][q]);
                    for (int i = 0; i < k; ++i) rotate(c, s, held[p][i], held[q][i]);
                    for (int i = 0; i < k; ++i) rotate(c, s, vectors[i][p], vectors[i][q]);
                }
            }
        }
    }

    // Finds the coefficients v, with vᵀ gram v = 1, for which vᵀ held v is largest, and the first is not
    // negative: of the vectors the one with the largest Rayleigh quotient. False if they nearly depend on
    // each other. Overwrites `held`.
    __device__ bool solve(int k) {
        constexpr double LEAST_PIVOT = 1e-10;
        for (int i = 0; i < k; ++i) {
            unit[i] = 1 / sqrt(gram[i][i]);
            if (!(unit[i] < arithmetic::infinity<double>())) return false;
        }
        for (int i = 0; i < k; ++i) {  // gram = lower lowerᵀ, in units (Cholesky)
            for (int j = 0; j <= i; ++j) {
                double rest = gram[i][j] * unit[i] * unit[j];
                for (int l = 0; l < j; ++l) rest -= lower[i][l] * lower[j][l];
                if (i == j && !(rest > LEAST_PIVOT)) return false;
                lower[i][j] = i == j ? sqrt(rest) : rest / lower[j][j];
            }
        }
        for (int i = 0; i < k; ++i)
            for (int j = 0; j < k; ++j) held[i][j] *= unit[i] * unit[j];
        for (int side = 0; side < 2; ++side) {  // lower⁻¹ held, and the same from the right
            for (int j = 0; j < k; ++j) {
                for (int i = 0; i < k; ++i) {
                    double& at = side ? held[j][i] : held[i][j];
                    for (int l = 0; l < i; ++l) at -= lower[i][l] * (side ? held[j][l] : held[l][j]);
                    at /= lower[i][i];
                }
            }
        }
        make_diagonal(k);
        int top = 0;
        for (int i = 1; i < k; ++i)
            if (held[i][i] > held[top][top]) top = i;
        for (int i = k - 1; i >= 0; --i) {
            double rest = vectors[i][top];
            for (int l = i + 1; l < k; ++l) rest -= lower[l][i] * found[l];
            found[i] = rest / lower[i][i];
        }
        const double sign = copysign(1.0, found[0]);
        for (int i = 0; i < k; ++i) found[i] *= sign * unit[i];
        return true;
    }

    // The same for x, w and p, of which p counts if there are three; if they nearly depend on each other
    // for x and w. `of` are the products of x and w with w, those with B between them, and then those of
    // each with p.
    __device__ void solve_for(double square, double product, const double (&of)[10], int k) {
        is_found = false;
        for (; !is_found && k > 1; --k) {
            gram[0][0] = square;
            gram[1][0] = of[0];
            gram[1][1] = of[1];
            gram[2][0] = of[4];
            gram[2][1] = of[5];
            gram[2][2] = of[6];
            held[0][0] = product;
            held[0][1] = held[1][0] = of[2];
            held[1][1] = of[3];
            held[0][2] = held[2][0] = of[7];
            held[1][2] = held[2][1] = of[8];
            held[2][2] = of[9];
            found[2] = 0;
            is_found = solve(k);
        }
    }
};

// Steps until one round of the power iteration would change x by no more than half the bound, or until so
// many products with B, which `with_b(from, to)` writes. Returns their number, and leaves x with the size 1,
// which `size` gives of the sum of the squares of x and the sum of x. bx and `room`, four times as long, are
// overwritten. All threads of the grid must call it.
template <class WithB, class Size>
__device__ inline Index optimal_steps(Index n, double* x, double* bx, double* room, double bound, Index most,
                                      WithB with_b, Size size, GridSums& sum) {
    constexpr int PATIENCE = 16;  // steps without a smaller residual, where only rounding is left
    __shared__ SmallProblem step;
    double *const w = room, *const bw = w + n, *const p = bw + n, *const bp = p + n;
    double unit = 1, square = 0, product = 0, best = arithmetic::infinity<double>();
    Index products = 0, since_best = 0;
    int vectors = 2;  // the direction of the step before is not there yet
    bool positive = false;
    while (true) {
        const bool first = products == 0;
        with_b(first ? x : w, first ? bx : bw);
        ++products;
        double a = 1, b = 0, c = 0;
        if (!first) {
            double s[10] = {};
            for (Index v : grid_stride<Index>(n)) {
                s[0] += x[v] * w[v];
                s[1] += w[v] * w[v];
                s[2] += x[v] * bw[v];
                s[3] += w[v] * bw[v];
                if (vectors == 2) continue;
                s[4] += x[v] * p[v];
                s[5] += w[v] * p[v];
                s[6] += p[v] * p[v];
                s[7] += x[v] * bp[v];
                s[8] += w[v] * bp[v];
                s[9] += p[v] * bp[v];
            }
            sum.all(s);
            if (threadIdx.x == 0) step.solve_for(square, product, s, vectors);
            __syncthreads();
            if (!step.is_found) break;
            a = step.found[0];
            b = step.found[1];
            c = step.found[2];
        }
        double now[4] = {};
        for (Index v : grid_stride<Index>(n)) {
            if (!first) {
                p[v] = b * w[v] + (vectors == 3 ? c * p[v] : 0);
                bp[v] = b * bw[v] + (vectors == 3 ? c * bp[v] : 0);
                x[v] = a * x[v] + p[v];
                bx[v] = a * bx[v] + bp[v];
            }
            now[0] += x[v] * x[v];
            now[1] += x[v] * bx[v];
            now[2] += x[v];
            now[3] += x[v] < 0;
        }
        sum.all(now);
        if (first) positive = now[3] == 0;
        else vectors = 3;
        square = now[0];
        product = now[1];
        unit = size(square, now[2]);
        double change = 0;
        for (Index v : grid_stride<Index>(n)) {
            w[v] = bx[v] / (product / square) - x[v];
            change += fabs(w[v]);
        }
        change = sum(change) / unit;
        since_best = change < best ? 0 : since_best + 1;
        best = change < best ? change : best;
        if (!(change > bound / 2) || products >= most || since_best >= PATIENCE) break;
    }
    double whole[2] = {};
    for (Index v : grid_stride<Index>(n)) {
        if (positive) x[v] = fabs(x[v]);
        whole[0] += x[v] * x[v];
        whole[1] += x[v];
    }
    sum.all(whole);
    unit = size(whole[0], whole[1]);
    for (Index v : grid_stride<Index>(n)) x[v] /= unit;
    sum.grid.wait();
    return products;
}
