// The refinement of Leiden's method in an undirected graph: within each community single vertices join
// parts that are connected to the rest of it. O(n + m) for each turn.
#include "common.hpp"

using namespace lagraph;

namespace {

struct Refinement {
  Rows rows;
  Values<double> value;
  const int32_t *label;
  const double *degree;
  double gamma;
  int32_t *part;
  /// For each vertex the weight of its edges within its community.
  std::vector<double> inside;
  /// The sums of the degrees of each community, and of each part.
  std::vector<double> of_label, of_part;
  /// Whether a part is connected to the rest of its community by as much as is expected.
  std::vector<uint8_t> held;

  Refinement(Rows rows, Values<double> value, const int32_t *label, const double *degree,
             double gamma, int32_t *part)
      : rows(rows), value(value), label(label), degree(degree), gamma(gamma), part(part),
        inside(rows.n), of_label(rows.n), of_part(rows.n), held(rows.n) {
    for (int64_t v = 0; v < rows.n; ++v) {
      part[v] = v;
      of_label[label[v]] += degree[v];
      within(v, [&](int32_t, double x) { inside[v] += x; });
    }
  }

  /// Calls a function with each neighbour in the same community and the weight of the edge.
  template <class Visit>
  void within(int64_t v, Visit visit) const {
    for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e)
      if (label[rows.columns[e]] == label[v]) visit(rows.columns[e], value[e]);
  }

  /// Looks at the parts anew. A vertex is `alone` if nobody shares its part.
  void weigh(const std::vector<uint8_t> &alone) {
    std::vector<double> outside(rows.n);
    std::fill(of_part.begin(), of_part.end(), 0);
    for (int64_t v = 0; v < rows.n; ++v) {
      double own = 0;
      if (!alone[v]) within(v, [&](int32_t u, double x) { own += part[u] == part[v] ? x : 0; });
      outside[part[v]] += inside[v] - own;
      of_part[part[v]] += degree[v];
    }
    for (int64_t c = 0; c < rows.n; ++c) {
      const double expected = (of_label[label[c]] - of_part[c]) * of_part[c];
      held[c] = outside[c] - (expected + expected) * gamma >= 0;
    }
  }
};

}  // namespace

// The part of a vertex is the number of a vertex in it. In each turn the vertices of this turn that are
// alone join the part by which they gain most, of several that of the smallest number, all at once.
int64_t refine(const CompressedRows *of, const double *values, int64_t values_size,
               const int32_t *label, int64_t, const Turns *turns, const Scores *scores,
               int32_t *part, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*of);
    const double gamma = scores->gamma;
    Refinement parts(rows, Values<double>(values, values_size), label, scores->k, gamma, part);
    std::vector<uint8_t> alone(rows.n, true), chooses(rows.n);
    std::vector<double> votes(rows.n);
    std::vector<int32_t> goal(rows.n, -1), choosing, met;
    for (int64_t t = 0; t < turns->turns; ++t) {
      parts.weigh(alone);
      choosing.clear();
      for (int64_t v = 0; v < rows.n; ++v) {
        chooses[v] = alone[v] && turns->turn[v] == t && parts.held[v];
        if (chooses[v]) choosing.push_back(v);
      }
      for (const int32_t v : choosing) {
        if (Watch(watch).stopped()) return 0;
        parts.within(v, [&](int32_t u, double x) {
          const int32_t c = part[u];
          if (chooses[u] || !parts.held[c]) return;
          if (votes[c] == 0) met.push_back(c);
          votes[c] += x;
        });
        double best = scores->min_gain;
        goal[v] = -1;
        for (const int32_t c : met) {
          const double score = scores->scale[v] * votes[c] - parts.of_part[c] * gamma;
          if (score > best || (score == best && goal[v] >= 0 && c < goal[v])) {
            best = score;
            goal[v] = c;
          }
          votes[c] = 0;
        }
        met.clear();
      }
      for (const int32_t v : choosing) {
        if (goal[v] < 0) continue;
        part[v] = goal[v];
        alone[v] = alone[goal[v]] = false;
      }
    }
    return 0;
  });
}
