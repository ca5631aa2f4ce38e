// A sweep of moves between communities.
//
// The votes for a vertex are added up in an array with a place for each label, and a list holds the
// labels that occur. The sums of the communities change as vertices move. O(entries of the rows that
// are examined).
#include <algorithm>
#include <cmath>
#include <limits>

#include "common.hpp"

using namespace lagraph;

// Finds for each of these rows whose margin is used up the label with the highest score. Writes the
// label to `goal` and the gain to `gain` if the vertex gains by moving, and the new margin to
// `margin`. `votes` holds zeros, and `met` is room for labels.
int64_t best_moves(const int64_t *begins, int64_t begins_size, const int32_t *columns, int64_t,
                   const double *values, int64_t values_size, const int64_t *rows,
                   int64_t rows_size, const int64_t *label, int64_t, double *margin, int64_t,
                   const double *scale, int64_t, double gamma, const double *k, int64_t,
                   const double *share, int64_t share_size, const double *d, int64_t,
                   const double *k_sums, int64_t, const double *d_sums, int64_t, double min_gain,
                   double *votes, int64_t, int64_t *met, int64_t, int64_t *goal, int64_t,
                   double *gain, int64_t, int64_t *watch, int64_t) {
  constexpr double INFINITE = std::numeric_limits<double>::infinity();
  const Rows graph(begins, begins_size, columns);
  const Values<double> value(values, values_size);
  for (int64_t i = 0; i < rows_size && !Watch(watch).stopped(); ++i) {
    const int64_t v = rows[i];
    if (margin[v] >= 0) continue;
    margin[v] = 0;
    if (graph.degree(v) == 0) continue;
    const int64_t mine = label[v];
    int64_t used = 0;
    for (int64_t e = begins[v]; e < begins[v + 1]; ++e) {
      const int64_t c = label[columns[e]];
      if (votes[c] == 0) met[used++] = c;
      votes[c] += value[e];
    }
    double stay = votes[mine] * scale[v] - (k_sums[mine] - k[v]) * gamma;
    if (share_size) stay -= share[v] * ((d_sums[mine] - d[v]) * gamma);
    int64_t best = -1;
    double top = -INFINITE, second = 0;
    for (int64_t j = 0; j < used; ++j) {
      const int64_t c = met[j];
      double score = votes[c] * scale[v] - k_sums[c] * gamma;
      if (share_size) score -= share[v] * (d_sums[c] * gamma);
      votes[c] = 0;
      if (c == mine) continue;
      if (score > top || (score == top && c < best)) {
        best = c;
        std::swap(top, score);
      }
      second = std::max(second, score);
    }
    if (top - stay > min_gain) {
      goal[v] = best;
      gain[v] = top - stay;
    }
    const double lead = std::max(top, stay) - std::max(std::min(top, stay), second);
    if (lead > 0) margin[v] = scale[v] > 0 ? std::floor(lead / scale[v]) : INFINITE;
  }
  return 0;
}

// Moves these vertices to their goals: changes the labels and the sums of the communities, and
// reduces the margins of the neighbours.
int64_t apply_moves(const int64_t *begins, int64_t, const int32_t *columns, int64_t,
                    const double *values, int64_t values_size, const int64_t *rows,
                    int64_t rows_size, int64_t *label, int64_t, double *margin, int64_t,
                    const double *k, int64_t, const double *d, int64_t d_size, double *k_sums,
                    int64_t, double *d_sums, int64_t, const int64_t *goal, int64_t, int64_t *watch,
                    int64_t) {
  const Values<double> value(values, values_size);
  for (int64_t i = 0; i < rows_size && !Watch(watch).stopped(); ++i) {
    const int64_t v = rows[i];
    const int64_t old = label[v], next = goal[v];
    if (old == next) continue;
    label[v] = next;
    k_sums[old] -= k[v];
    k_sums[next] += k[v];
    if (d_size) {
      d_sums[old] -= d[v];
      d_sums[next] += d[v];
    }
    for (int64_t e = begins[v]; e < begins[v + 1]; ++e) margin[columns[e]] -= value[e];
  }
  return 0;
}
