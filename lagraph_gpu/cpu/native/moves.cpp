// Louvain's method: sweeps of moves between communities, and the graph of the communities.
//
// The votes for a vertex are added up in a place for each label, and a list holds the labels that
// occur. The sums of the communities change as vertices move. O(entries of the rows that are
// examined).
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "common.hpp"

namespace lagraph {
namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();

// What a vertex reads is asked for one to four times so many vertices ahead. Of a row so many edges
// are. Other distances are not yet measured.
constexpr int64_t PREFETCH_DISTANCE = 4;

/// What is known of a label: the votes for it, which are 0 between two vertices, and its first sum.
struct Votes {
  double votes = 0, k_sum = 0;
};

/// The terms of the score, for each vertex. `share` and `d` are null where there is no second sum.
struct Terms {
  const double *scale, *k, *share, *d;
  double gamma, min_gain;
};

/// The best label of a vertex, by how much it is better than its own, and the margin.
struct Choice {
  int32_t goal = -1;
  double gain = 0, margin = 0;
};

struct Sweep {
  Rows rows;
  Values<double> value;
  Terms terms;
  int32_t *label;
  double *margin, *d_sum;
  std::vector<Votes> of;
  std::vector<int32_t> met;

  Choice best(int32_t v) {
    const int32_t mine = label[v];
    int64_t used = 0;
    for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
      const int32_t c = label[rows.columns[e]];
      if (of[c].votes == 0) met[used++] = c;
      of[c].votes += value[e];
    }
    const double scale = terms.scale[v], gamma = terms.gamma;
    double stay = of[mine].votes * scale - (of[mine].k_sum - terms.k[v]) * gamma;
    if (terms.share) stay -= terms.share[v] * ((d_sum[mine] - terms.d[v]) * gamma);
    Choice found;
    double top = -INFINITE, second = 0;
    for (int64_t j = 0; j < used; ++j) {
      const int32_t c = met[j];
      double score = of[c].votes * scale - of[c].k_sum * gamma;
      if (terms.share) score -= terms.share[v] * (d_sum[c] * gamma);
      of[c].votes = 0;
      if (c == mine) continue;
      if (score > top || (score == top && c < found.goal)) {
        found.goal = c;
        std::swap(top, score);
      }
      second = std::max(second, score);
    }
    if (top - stay > terms.min_gain)
      found.gain = top - stay;
    const double lead = std::max(top, stay) - std::max(std::min(top, stay), second);
    if (lead > 0) found.margin = scale > 0 ? std::floor(lead / scale) : INFINITE;
    return found;
  }

  /// Moves a vertex, and lets its neighbours know.
  void move(int32_t v, int32_t next) {
    const int32_t old = label[v];
    label[v] = next;
    of[old].k_sum -= terms.k[v];
    of[next].k_sum += terms.k[v];
    if (terms.d) {
      d_sum[old] -= terms.d[v];
      d_sum[next] += terms.d[v];
    }
    for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e)
      margin[rows.columns[e]] -= value[e];
  }

  /// Asks for what the vertices that come next will read, each part of it some vertices after the
  /// part that leads to it.
  void ask_ahead(const int32_t *vertex, int64_t count) const {
    if (count > 4 * PREFETCH_DISTANCE) {
      __builtin_prefetch(rows.begins + vertex[4 * PREFETCH_DISTANCE]);
      __builtin_prefetch(terms.scale + vertex[4 * PREFETCH_DISTANCE]);
      __builtin_prefetch(terms.k + vertex[4 * PREFETCH_DISTANCE]);
    }
    if (count > 3 * PREFETCH_DISTANCE) {
      const int64_t first = rows.begins[vertex[3 * PREFETCH_DISTANCE]];
      __builtin_prefetch(rows.columns + first);
      __builtin_prefetch(value.data + first * value.each);
    }
    if (count > 2 * PREFETCH_DISTANCE)
      few(vertex[2 * PREFETCH_DISTANCE], [this](int32_t u) { __builtin_prefetch(label + u); });
    if (count > PREFETCH_DISTANCE)
      few(vertex[PREFETCH_DISTANCE], [this](int32_t u) { __builtin_prefetch(&of[label[u]]); });
  }

  template <class Ask>
  void few(int32_t v, Ask ask) const {
    const int64_t first = rows.begins[v], last = std::min(rows.begins[v + 1], first + PREFETCH_DISTANCE);
    for (int64_t e = first; e < last; ++e) ask(rows.columns[e]);
  }
};

/// The vertices of each turn in increasing order, one turn after another, and where each begins.
std::pair<std::vector<int32_t>, std::vector<int64_t>> by_turns(const uint8_t *turn, int64_t n,
                                                               int64_t count) {
  std::vector<int64_t> begins(count + 1);
  std::vector<int32_t> order(n);
  for (int64_t v = 0; v < n; ++v) ++begins[turn[v] + 1];
  for (int64_t t = 0; t < count; ++t) begins[t + 1] += begins[t];
  std::vector<int64_t> next(begins.begin(), begins.end() - 1);
  for (int64_t v = 0; v < n; ++v) order[next[turn[v]]++] = v;
  return {std::move(order), std::move(begins)};
}

}  // namespace
}  // namespace lagraph

using namespace lagraph;

// A sweep in `count` turns. In a turn the vertices whose margin is used up find their best label,
// and then all that gain by it move. Writes the labels, the margins, the sums of the labels, and the
// gain of each vertex that moved to `gain`, which holds zeros.
int64_t moving_sweep(const int64_t *begins, int64_t begins_size, const int32_t *columns, int64_t,
                     const double *values, int64_t values_size, const uint8_t *turn, int64_t,
                     int64_t count, int32_t *label, int64_t, double *margin, int64_t,
                     const double *scale, int64_t, const double *k, int64_t, const double *share,
                     int64_t share_size, const double *d, int64_t, double gamma, double min_gain,
                     double *k_sums, int64_t, double *d_sums, int64_t, double *gain, int64_t,
                     int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(begins, begins_size, columns);
    const int64_t n = rows.n;
    const Terms terms{scale, k, share_size ? share : nullptr, share_size ? d : nullptr, gamma,
                      min_gain};
    Sweep sweep{rows,   Values<double>(values, values_size), terms, label, margin, d_sums,
                std::vector<Votes>(n), std::vector<int32_t>(n)};
    for (int64_t c = 0; c < n; ++c) sweep.of[c].k_sum = k_sums[c];
    const auto [order, starts] = by_turns(turn, n, count);
    std::vector<int32_t> examined;
    std::vector<std::pair<int32_t, int32_t>> movers;
    for (int64_t t = 0; t < count && !Watch(watch).stopped(); ++t) {
      examined.clear();
      movers.clear();
      for (int64_t i = starts[t]; i < starts[t + 1]; ++i)
        if (margin[order[i]] < 0) examined.push_back(order[i]);
      const int64_t size = examined.size();
      for (int64_t i = 0; i < size && !Watch(watch).stopped(); ++i) {
        sweep.ask_ahead(examined.data() + i, size - i);
        const int32_t v = examined[i];
        const Choice choice = sweep.best(v);
        margin[v] = choice.margin;
        if (choice.gain == 0) continue;
        gain[v] = choice.gain;
        movers.emplace_back(v, choice.goal);
      }
      const int64_t moved = movers.size();
      for (int64_t i = 0; i < moved; ++i) {
        if (i + 2 * PREFETCH_DISTANCE < moved)
          __builtin_prefetch(columns + begins[movers[i + 2 * PREFETCH_DISTANCE].first]);
        if (i + PREFETCH_DISTANCE < moved)
          sweep.few(movers[i + PREFETCH_DISTANCE].first, [&](int32_t u) { __builtin_prefetch(margin + u); });
        sweep.move(movers[i].first, movers[i].second);
      }
    }
    for (int64_t c = 0; c < n; ++c) k_sums[c] = sweep.of[c].k_sum;
    return 0;
  });
}

// A random turn for each vertex from its rank below 2^31: the highest bits of the rank times an odd
// number.
int64_t turns_of_ranks(const int64_t *rank, int64_t n, int64_t factor, int64_t width, uint8_t *turn,
                       int64_t) {
  constexpr int64_t MASK = (int64_t{1} << 31) - 1;
  for (int64_t v = 0; v < n; ++v) turn[v] = (rank[v] * factor & MASK) / width;
  return 0;
}

// Writes the sum of each row, and the sum of the loops. The number of loops.
int64_t row_sums(const int64_t *begins, int64_t begins_size, const int32_t *columns, int64_t,
                 const double *values, int64_t values_size, double *sums, int64_t, double *loops,
                 int64_t) {
  const Rows rows(begins, begins_size, columns);
  const Values<double> value(values, values_size);
  int64_t count = 0;
  *loops = 0;
  for (int64_t v = 0; v < rows.n; ++v) {
    double sum = 0;
    for (int64_t e = begins[v]; e < begins[v + 1]; ++e) {
      sum += value[e];
      if (columns[e] != v) continue;
      ++count;
      *loops += value[e];
    }
    sums[v] = sum;
  }
  return count;
}

// Numbers the labels in use from 0 in their order, and writes its number for each vertex. How many
// there are.
int64_t number_labels(const int32_t *label, int64_t n, int32_t *number, int64_t) {
  return guarded([&]() -> int64_t {
    std::vector<int32_t> given(n);
    for (int64_t v = 0; v < n; ++v) given[label[v]] = 1;
    int32_t count = 0;
    for (int64_t c = 0; c < n; ++c) {
      const int32_t used = given[c];
      given[c] = count;
      count += used;
    }
    for (int64_t v = 0; v < n; ++v) number[v] = given[label[v]];
    return count;
  });
}

// Adds up the edges between communities, whose numbers are in `number` and below the number of rows
// that `sums` has room for: writes the rows of their graph without loops, what lies within
// communities to `within`, the sum of `k` over each community, and the smallest rank in it. `ranks`
// holds the largest number. The columns of a row are in no order. The number of edges.
int64_t merge_rows(const int64_t *begins, int64_t begins_size, const int32_t *columns, int64_t,
                   const double *values, int64_t values_size, const int32_t *number, int64_t,
                   const double *k, int64_t, const int64_t *rank, int64_t, int64_t *offsets,
                   int64_t, int32_t *made, int64_t, double *sum_of, int64_t, double *within,
                   int64_t, double *sums, int64_t sums_size, int64_t *ranks, int64_t,
                   int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(begins, begins_size, columns);
    const Values<double> value(values, values_size);
    std::vector<int64_t> first(sums_size + 1);
    std::vector<int32_t> members(rows.n), met(sums_size), met_by(sums_size, -1);
    std::vector<double> total(sums_size);
    for (int64_t v = 0; v < rows.n; ++v) ++first[number[v] + 1];
    for (int64_t c = 0; c < sums_size; ++c) first[c + 1] += first[c];
    std::vector<int64_t> next(first.begin(), first.end() - 1);
    for (int64_t v = 0; v < rows.n; ++v) members[next[number[v]]++] = v;
    int64_t count = 0;
    offsets[0] = *within = 0;
    for (int32_t c = 0; c < sums_size && !Watch(watch).stopped(); ++c) {
      int64_t used = 0;
      for (int64_t i = first[c]; i < first[c + 1]; ++i) {
        const int32_t v = members[i];
        sums[c] += k[v];
        ranks[c] = std::min(ranks[c], rank[v]);
        for (int64_t e = begins[v]; e < begins[v + 1]; ++e) {
          const int32_t other = number[columns[e]];
          if (std::exchange(met_by[other], c) != c) met[used++] = other;
          total[other] += value[e];
        }
      }
      *within += total[c];
      for (int64_t j = 0; j < used; ++j) {
        if (met[j] != c) {
          made[count] = met[j];
          sum_of[count++] = total[met[j]];
        }
        total[met[j]] = 0;
      }
      offsets[c + 1] = count;
    }
    return count;
  });
}

// The sum of the values between equal labels goes to `within`.
int64_t weight_within(const int64_t *begins, int64_t begins_size, const int32_t *columns, int64_t,
                      const double *values, int64_t values_size, const int32_t *label, int64_t,
                      double *within, int64_t) {
  const Rows rows(begins, begins_size, columns);
  const Values<double> value(values, values_size);
  *within = 0;
  for (int64_t v = 0; v < rows.n; ++v) {
    double sum = 0;
    for (int64_t e = begins[v]; e < begins[v + 1]; ++e)
      if (label[columns[e]] == label[v]) sum += value[e];
    *within += sum;
  }
  return 0;
}
