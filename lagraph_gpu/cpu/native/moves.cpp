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
// are. Twice as many are no better (record 0457).
constexpr int64_t PREFETCH_DISTANCE = 4;

/// What is known of a label: the votes for it, which are 0 between two vertices, and its first sum.
struct Votes {
  double votes = 0, k_sum = 0;
};

/// The best label of a vertex, by how much it is better than its own, and the margin.
struct Choice {
  int32_t goal = -1;
  double gain = 0, margin = 0;
};

struct Sweep {
  const Rows rows;
  const Values<double> value;
  const Scores terms;
  const bool second_sum;
  int32_t *const label;
  double *const margin, *const d_sum;
  std::vector<Votes> of;
  std::vector<int32_t> met;

  Sweep(Rows rows, Values<double> value, const Scores &terms, const Communities &state)
      : rows(rows), value(value), terms(terms), second_sum(terms.share_size > 0),
        label(state.label), margin(state.margin), d_sum(state.d_sums), of(rows.n), met(rows.n + 1) {
    for (int64_t c = 0; c < rows.n; ++c) of[c].k_sum = state.k_sums[c];
  }

  Choice best(int32_t v) {
    const int32_t mine = label[v];
    int64_t used = 0;
    for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
      const int32_t c = label[rows.columns[e]];
      met[used] = c;
      used += of[c].votes == 0;
      of[c].votes += value[e];
    }
    const double scale = terms.scale[v], gamma = terms.gamma;
    double stay = of[mine].votes * scale - (of[mine].k_sum - terms.k[v]) * gamma;
    if (second_sum) stay -= terms.share[v] * ((d_sum[mine] - terms.d[v]) * gamma);
    Choice found;
    double top = -INFINITE, second = 0;
    for (int64_t j = 0; j < used; ++j) {
      const int32_t c = met[j];
      double score = of[c].votes * scale - of[c].k_sum * gamma;
      if (second_sum) score -= terms.share[v] * (d_sum[c] * gamma);
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
    if (second_sum) {
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

// In a turn the vertices whose margin is used up find their best label, and then all that gain by it
// move.
int64_t moving_sweep(const CompressedRows *of, const double *values, int64_t values_size,
                     const Turns *turns, const Scores *scores, const Communities *state,
                     double *gain, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*of);
    const int64_t count = turns->turns;
    double *const margin = state->margin;
    Sweep sweep(rows, Values<double>(values, values_size), *scores, *state);
    const auto [order, starts] = by_turns(turns->turn, rows.n, count);
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
          __builtin_prefetch(rows.columns + rows.begins[movers[i + 2 * PREFETCH_DISTANCE].first]);
        if (i + PREFETCH_DISTANCE < moved)
          sweep.few(movers[i + PREFETCH_DISTANCE].first, [&](int32_t u) { __builtin_prefetch(margin + u); });
        sweep.move(movers[i].first, movers[i].second);
      }
    }
    for (int64_t c = 0; c < rows.n; ++c) state->k_sums[c] = sweep.of[c].k_sum;
    return 0;
  });
}

// The highest bits of the rank times an odd number.
int64_t turns_of_ranks(const int64_t *rank, int64_t n, uint64_t factor, int64_t width,
                       uint8_t *turn, int64_t) {
  constexpr int64_t MASK = (int64_t{1} << 31) - 1;
  for (int64_t v = 0; v < n; ++v) turn[v] = (rank[v] * factor & MASK) / width;
  return 0;
}

int64_t row_sums(const CompressedRows *of, const double *values, int64_t values_size, double *sums,
                 int64_t, double *self_loops, int64_t) {
  const Rows rows(*of);
  const Values<double> value(values, values_size);
  int64_t count = 0;
  *self_loops = 0;
  for (int64_t v = 0; v < rows.n; ++v) {
    double sum = 0;
    for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
      sum += value[e];
      if (rows.columns[e] != v) continue;
      ++count;
      *self_loops += value[e];
    }
    sums[v] = sum;
  }
  return count;
}

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

// The vertices are grouped by community, and the votes of a group for each other community are added
// up in a place for each. `met_by` says which group has voted for a community: a sum is no sign of it,
// because values may be 0.
int64_t merge_rows(const CompressedRows *of, const double *values, int64_t values_size,
                   const Members *members, const MergedRows *merged, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*of);
    const Values<double> value(values, values_size);
    const int32_t *const number = members->number;
    const int64_t communities = merged->k_size;
    std::vector<int64_t> first(communities + 1);
    std::vector<int32_t> grouped(rows.n), met(communities), met_by(communities, -1);
    std::vector<double> total(communities);
    for (int64_t v = 0; v < rows.n; ++v) ++first[number[v] + 1];
    for (int64_t c = 0; c < communities; ++c) first[c + 1] += first[c];
    std::vector<int64_t> next(first.begin(), first.end() - 1);
    for (int64_t v = 0; v < rows.n; ++v) grouped[next[number[v]]++] = v;
    int64_t count = 0;
    merged->begins[0] = *merged->within = 0;
    for (int32_t c = 0; c < communities && !Watch(watch).stopped(); ++c) {
      int64_t used = 0;
      for (int64_t i = first[c]; i < first[c + 1]; ++i) {
        const int32_t v = grouped[i];
        merged->k[c] += members->k[v];
        merged->rank[c] = std::min(merged->rank[c], members->rank[v]);
        for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
          const int32_t other = number[rows.columns[e]];
          if (std::exchange(met_by[other], c) != c) met[used++] = other;
          total[other] += value[e];
        }
      }
      *merged->within += total[c];
      for (int64_t j = 0; j < used; ++j) {
        if (met[j] != c) {
          merged->columns[count] = met[j];
          merged->values[count++] = total[met[j]];
        }
        total[met[j]] = 0;
      }
      merged->begins[c + 1] = count;
    }
    return count;
  });
}

int64_t weight_within(const CompressedRows *of, const double *values, int64_t values_size,
                      const int32_t *label, int64_t, double *within, int64_t) {
  const Rows rows(*of);
  const Values<double> value(values, values_size);
  *within = 0;
  for (int64_t v = 0; v < rows.n; ++v) {
    double sum = 0;
    for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e)
      if (label[rows.columns[e]] == label[v]) sum += value[e];
    *within += sum;
  }
  return 0;
}
