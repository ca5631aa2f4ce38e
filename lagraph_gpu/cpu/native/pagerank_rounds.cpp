// The rounds of PageRank: a round is two passes, one over the edges that enter each vertex and
// one over the vertices. Sums are added up in parts, so that they are as exact for many vertices as
// for few.
#include <algorithm>
#include <cmath>

#include "common.hpp"

namespace lagraph {
namespace {

/// A sum in parts of 1,024 numbers.
struct Sum {
  double total = 0, part = 0;

  void add(int64_t v, double x) {
    part += x;
    if ((v & 1023) == 1023) {
      total += part;
      part = 0;
    }
  }
  double value() const { return total + part; }
};

/// What arrives at a vertex. Four sums, because each addition waits for the one before it.
double arriving(Rows rows, Values<double> factor, const double *share, int64_t v) {
  double sums[4] = {0, 0, 0, 0};
  const auto term = [&](int64_t e) { return share[rows.columns[e]] * factor[e]; };
  const int64_t last = rows.begins[v + 1];
  int64_t e = rows.begins[v];
  for (; e + 4 <= last; e += 4)
    for (int64_t i = 0; i < 4; ++i) sums[i] += term(e + i);
  for (; e < last; ++e) sums[0] += term(e);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double gather(Rows rows, Values<double> factor, const double *share, double *y, int64_t first,
              int64_t last) {
  Sum sum;
  for (int64_t v = first; v < last; ++v) {
    const double t = arriving(rows, factor, share, v);
    y[v] = t;
    sum.add(v, t);
  }
  return sum.value();
}

double update(const double *y, double left, const double *sink, Values<double> teleport,
              const double *rate, double *x, double *share, int64_t first, int64_t last) {
  Sum change;
  for (int64_t v = first; v < last; ++v) {
    const double now = y[v] + left * sink[v] + teleport[v];
    change.add(v, std::abs(now - x[v]));
    x[v] = now;
    share[v] = now * rate[v];
  }
  return change.value();
}

}  // namespace
}  // namespace lagraph

using namespace lagraph;

// Writes to `y`, from `first` to `last`, what arrives along the edges, and the sum to `total`.
int64_t gather_ranks(const int64_t *begins, int64_t begins_size, const int32_t *columns, int64_t,
                     const double *factors, int64_t factors_size, const double *share, int64_t,
                     double *y, int64_t, int64_t first, int64_t last, double *total, int64_t) {
  *total = gather(Rows(begins, begins_size, columns), Values<double>(factors, factors_size), share,
                  y, first, last);
  return 0;
}

// Adds the remainder, and what is added in each round, and writes the ranks and what leaves each
// vertex. The sum of the changes goes to `total`.
int64_t update_ranks(const double *y, int64_t, double left, const double *sink, int64_t,
                     const double *teleport, int64_t teleport_size, const double *rate, int64_t,
                     double *x, int64_t, double *share, int64_t, int64_t first, int64_t last,
                     double *total, int64_t) {
  *total = update(y, left, sink, Values<double>(teleport, teleport_size), rate, x, share, first,
                  last);
  return 0;
}

// Rounds in one thread, at most so many, until the changes of a round are at most `bound` or not
// finite. The changes of the last go to `change`.
int64_t iterate_ranks(const int64_t *begins, int64_t begins_size, const int32_t *columns,
                      int64_t, const double *factors, int64_t factors_size, const double *sink,
                      int64_t, const double *teleport, int64_t teleport_size, const double *rate,
                      int64_t, double *x, int64_t x_size, double *share, int64_t, double *y,
                      int64_t, double whole, double bound, int64_t most, double *change, int64_t,
                      int64_t *watch, int64_t) {
  const Rows rows(begins, begins_size, columns);
  const Values<double> factor(factors, factors_size), anew(teleport, teleport_size);
  int64_t round = 0;
  while (round < most) {
    Watch(watch).done(++round);
    const double left = std::max(0.0, whole - gather(rows, factor, share, y, 0, x_size));
    *change = update(y, left, sink, anew, rate, x, share, 0, x_size);
    if (*change <= bound || !std::isfinite(*change) || Watch(watch).stopped()) break;
  }
  return round;
}
