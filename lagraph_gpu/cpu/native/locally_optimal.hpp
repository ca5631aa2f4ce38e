// The principal eigenvector of a symmetric matrix B by locally optimal conjugate gradients (Knyazev: Toward
// the optimal preconditioned eigensolver, SIAM Journal on Scientific Computing 23, 2001): each step takes
// the best vector in the space of x, its residual, and the direction of the step before. Where a power
// iteration shrinks the error by the ratio of the two largest eigenvalues, this takes about the root of the
// number of its rounds.
//
// All vectors are polynomials in B times the start, so where the largest eigenvalue is a multiple one, the
// limit is that of the power iteration.
//
// Where x begins without negative numbers, so it ends: with the magnitudes, whose Rayleigh quotient is no
// less, because B has no negative entries. Parts of a graph that hardly touch may have other signs, and the
// one with the largest eigenvalue may be negative.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "rounds.hpp"

namespace lagraph {

using Small = std::array<std::array<double, 3>, 3>;

/// Makes a symmetric matrix of k rows diagonal by rotations (Jacobi); the columns of the result are its
/// eigenvectors.
inline Small diagonalised(Small &a, int k) {
  Small vectors{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  constexpr int SWEEPS = 12;  // it converges quadratically
  for (int sweep = 0; sweep < SWEEPS; ++sweep) {
    for (int p = 0; p < k; ++p) {
      for (int q = p + 1; q < k; ++q) {
        if (a[p][q] == 0) continue;
        const double half = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = std::copysign(1 / (std::abs(half) + std::hypot(half, 1)), half);
        const double c = 1 / std::hypot(t, 1), s = t * c;
        const auto rotate = [&](double &x, double &y) {
          const double old = x;
          x = c * old - s * y;
          y = s * old + c * y;
        };
        for (int i = 0; i < k; ++i) rotate(a[i][p], a[i][q]);
        for (int i = 0; i < k; ++i) rotate(a[p][i], a[q][i]);
        for (int i = 0; i < k; ++i) rotate(vectors[i][p], vectors[i][q]);
      }
    }
  }
  return vectors;
}

/// The coefficients v, with vᵀ `gram` v = 1, for which vᵀ `held` v is largest, and the first is not
/// negative: of k vectors with these products, the one with the largest Rayleigh quotient. None if the
/// vectors nearly depend on each other.
inline std::optional<std::array<double, 3>> largest_quotient(const Small &gram, const Small &held,
                                                             int k) {
  constexpr double LEAST_PIVOT = 1e-10;
  std::array<double, 3> unit{};
  for (int i = 0; i < k; ++i) {
    unit[i] = 1 / std::sqrt(gram[i][i]);
    if (!std::isfinite(unit[i])) return std::nullopt;
  }
  Small lower{}, inner{};
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j <= i; ++j) {
      double rest = gram[i][j] * unit[i] * unit[j];
      for (int l = 0; l < j; ++l) rest -= lower[i][l] * lower[j][l];
      if (i == j && !(rest > LEAST_PIVOT)) return std::nullopt;
      lower[i][j] = i == j ? std::sqrt(rest) : rest / lower[j][j];
    }
  }
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j) inner[i][j] = held[i][j] * unit[i] * unit[j];
  for (int side = 0; side < 2; ++side) {  // lower⁻¹ inner, and the same from the right
    for (int j = 0; j < k; ++j) {
      for (int i = 0; i < k; ++i) {
        double &at = side ? inner[j][i] : inner[i][j];
        for (int l = 0; l < i; ++l) at -= lower[i][l] * (side ? inner[j][l] : inner[l][j]);
        at /= lower[i][i];
      }
    }
  }
  const Small vectors = diagonalised(inner, k);
  int top = 0;
  for (int i = 1; i < k; ++i)
    if (inner[i][i] > inner[top][top]) top = i;
  std::array<double, 3> v{};
  for (int i = k - 1; i >= 0; --i) {
    double rest = vectors[i][top];
    for (int l = i + 1; l < k; ++l) rest -= lower[l][i] * v[l];
    v[i] = rest / lower[i][i];
  }
  const double sign = std::copysign(1.0, v[0]);
  for (int i = 0; i < k; ++i) v[i] *= sign * unit[i];
  return v;
}

/// Steps of several threads, which have ranges of the vertices.
class LocallyOptimal {
 public:
  LocallyOptimal(double *x, double *bx, int64_t n)
      : x(x), bx(bx), positive(std::all_of(x, x + n, [](double v) { return v >= 0; })),
        room(std::make_unique_for_overwrite<double[]>(4 * n)), w(room.get()), bw(w + n), p(bw + n),
        bp(p + n), sums(SUMS, PartSums(n)) {}

  /// Steps until one round of the power iteration would change x by no more than half the bound, at most
  /// so many products with B, or until `stopped()`, which all threads answer alike behind a meeting.
  /// `multiply(from, to)` writes the product of the thread's own vertices; the size of x is `size` of the
  /// sum of `counted` of its elements. Returns the number of products, and leaves x with the size 1.
  template <class Meeting, class Multiply, class Counted, class Size, class Stopped>
  int64_t run(int64_t first, int64_t last, Meeting meet, Multiply multiply, Counted counted, Size size,
              double bound, int64_t most, Stopped stopped) {
    const auto measure = [&](int64_t begin, int64_t end) {
      double square = 0, product = 0, count = 0;
      for (int64_t v = begin; v < end; ++v) {
        square += x[v] * x[v];
        product += x[v] * bx[v];
        count += counted(x[v]);
      }
      set(begin, {square, product, count});
    };
    multiply(x, bx);
    for_parts(first, last, measure);
    meet();
    int64_t products = 1, since_best = 0;
    int vectors = 2;  // the direction of the step before is not there yet
    double best = std::numeric_limits<double>::infinity();
    for (;;) {
      const double square = sums[0].total(), product = sums[1].total(), unit = size(sums[2].total());
      const double eigenvalue = product / square;
      for_parts(first, last, [&](int64_t begin, int64_t end) {
        double change = 0;
        for (int64_t v = begin; v < end; ++v) {
          w[v] = bx[v] / eigenvalue - x[v];
          change += std::abs(w[v]);
        }
        sums[RESIDUAL].from(begin) = change;
      });
      const bool ends = stopped();  // meets
      const double change = sums[RESIDUAL].total() / unit;
      since_best = change < best ? 0 : since_best + 1;
      best = std::min(best, change);
      std::optional<std::array<double, 3>> step;
      if (!ends && change > bound / 2 && products < most && since_best < PATIENCE) {
        multiply(w, bw);
        ++products;
        for_parts(first, last, [&](int64_t begin, int64_t end) { multiply_out(begin, end, vectors); });
        meet();
        const auto [gram, held] = matrices(square, product);
        step = largest_quotient(gram, held, vectors);
        if (!step) step = largest_quotient(gram, held, vectors = 2);
      }
      if (!step) {
        for_parts(first, last, [&](int64_t begin, int64_t end) {
          double count = 0;
          for (int64_t v = begin; v < end; ++v) {
            if (positive) x[v] = std::abs(x[v]);
            count += counted(x[v]);
          }
          sums[2].from(begin) = count;
        });
        meet();
        const double whole = size(sums[2].total());
        for_parts(first, last, [&](int64_t begin, int64_t end) {
          for (int64_t v = begin; v < end; ++v) x[v] /= whole;
        });
        meet();
        return products;
      }
      const auto [a, b, c] = *step;
      for_parts(first, last, [&](int64_t begin, int64_t end) {
        for (int64_t v = begin; v < end; ++v) {
          p[v] = b * w[v] + (vectors == 3 ? c * p[v] : 0);
          bp[v] = b * bw[v] + (vectors == 3 ? c * bp[v] : 0);
          x[v] = a * x[v] + p[v];
          bx[v] = a * bx[v] + bp[v];
        }
        measure(begin, end);
      });
      vectors = 3;
      meet();
    }
  }

 private:
  static constexpr int SUMS = 15, RESIDUAL = 14;
  static constexpr int64_t PATIENCE = 16;  // steps without a smaller residual, where rounding is left

  double *const x, *const bx;
  const bool positive;
  const std::unique_ptr<double[]> room;
  double *const w, *const bw, *const p, *const bp;
  std::vector<PartSums> sums;

  void set(int64_t begin, std::array<double, 3> values, int at = 0) {
    for (const double value : values) sums[at++].from(begin) = value;
  }

  /// The products of x, w and p with each other, and with their products with B.
  void multiply_out(int64_t begin, int64_t end, int vectors) {
    double xw = 0, ww = 0, xbw = 0, wbw = 0, xp = 0, wp = 0, pp = 0, xbp = 0, wbp = 0, pbp = 0;
    for (int64_t v = begin; v < end; ++v) {
      xw += x[v] * w[v];
      ww += w[v] * w[v];
      xbw += x[v] * bw[v];
      wbw += w[v] * bw[v];
    }
    for (int64_t v = begin; v < end && vectors == 3; ++v) {
      xp += x[v] * p[v];
      wp += w[v] * p[v];
      pp += p[v] * p[v];
      xbp += x[v] * bp[v];
      wbp += w[v] * bp[v];
      pbp += p[v] * bp[v];
    }
    set(begin, {xw, ww, xbw}, 3);
    set(begin, {wbw, xp, wp}, 6);
    set(begin, {pp, xbp, wbp}, 9);
    sums[12].from(begin) = pbp;
  }

  /// Of all vertices, with the products of x, which are known.
  std::pair<Small, Small> matrices(double square, double product) const {
    std::array<double, 13> s{square, product};
    for (int i = 3; i < 13; ++i) s[i] = sums[i].total();
    return {{{{s[0], s[3], s[7]}, {s[3], s[4], s[8]}, {s[7], s[8], s[9]}}},
            {{{s[1], s[5], s[10]}, {s[5], s[6], s[11]}, {s[10], s[11], s[12]}}}};
  }
};

}  // namespace lagraph
