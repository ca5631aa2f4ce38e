// The refinement of Leiden's method: within each community single vertices join parts that are connected
// to the rest of it. O(n + m) for each turn.
#include "common.hpp"

using namespace lagraph;

namespace {

/// The sum of the degrees of some vertices, and by how much that of their out-degrees is larger.
struct Degrees {
  double entering = 0, difference = 0;

  double leaving() const { return entering + difference; }
};

struct Refinement {
  Rows rows;
  Values<double> value;
  const int32_t *label;
  const Scores terms;
  const bool second_sum;
  int32_t *part;
  /// For each vertex the weight of its edges within its community.
  std::vector<double> inside;
  /// The degrees of each community, and of each part.
  std::vector<Degrees> of_label, of_part;
  /// Whether a part is connected to the rest of its community by as much as is expected.
  std::vector<uint8_t> held;

  Refinement(Rows rows, Values<double> value, const int32_t *label, const Scores &terms,
             int32_t *part)
      : rows(rows), value(value), label(label), terms(terms), second_sum(terms.share_size > 0),
        part(part), inside(rows.n), of_label(rows.n), of_part(rows.n), held(rows.n) {
    for (int64_t v = 0; v < rows.n; ++v) {
      part[v] = v;
      add(of_label[label[v]], v);
      within(v, [&](int32_t, double x) { inside[v] += x; });
    }
  }

  void add(Degrees &to, int64_t v) const {
    to.entering += terms.k[v];
    if (second_sum) to.difference += terms.d[v];
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
    std::fill(of_part.begin(), of_part.end(), Degrees());
    for (int64_t v = 0; v < rows.n; ++v) {
      double own = 0;
      if (!alone[v]) within(v, [&](int32_t u, double x) { own += part[u] == part[v] ? x : 0; });
      outside[part[v]] += inside[v] - own;
      add(of_part[part[v]], v);
    }
    for (int64_t c = 0; c < rows.n; ++c) {
      const Degrees &all = of_label[label[c]], &own = of_part[c];
      const double expected = (all.leaving() - own.leaving()) * own.entering +
                              (all.entering - own.entering) * own.leaving();
      held[c] = outside[c] - expected * terms.gamma >= 0;
    }
  }

  /// The score of a vertex in a part, for which it has so many votes.
  double score(int32_t v, int32_t c, double votes) const {
    const double without = terms.scale[v] * votes - of_part[c].entering * terms.gamma;
    return second_sum ? without - terms.share[v] * (of_part[c].difference * terms.gamma) : without;
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
    Refinement parts(rows, Values<double>(values, values_size), label, *scores, part);
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
          const double score = parts.score(v, c, votes[c]);
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
