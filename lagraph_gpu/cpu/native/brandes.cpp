// Betweenness: Brandes' algorithm, with numbers of paths that may pass the range of a double.
#include <algorithm>
#include <cmath>
#include <vector>

#include "common.hpp"

namespace lagraph {
namespace {

// One band of numbers of paths above another, as a power of two.
constexpr int BAND = 512;

/// What a number of paths of one band is `steps` bands above it.
double lowered(double x, int64_t steps) {
  return steps == 0 ? x : std::ldexp(x, static_cast<int>(-std::min<int64_t>(steps, 8) * BAND));
}

/// What is known of a vertex: its level, or -1, the number of shortest paths to it, in bands, and
/// g = 1/sigma + t. A look at a neighbour reads one line of the cache.
struct alignas(32) Passed {
  double sigma = 0, g = 0;
  int32_t level = -1, band = 0;
};

/// Numbers of shortest paths on the way out, and dependencies on the way back. Once a number has
/// left the first band, all are kept in bands.
struct Paths {
  Rows rows;
  std::vector<Passed> of;
  std::vector<int32_t> queue;
  int32_t top = 0;

  explicit Paths(Rows rows) : rows(rows), of(rows.n), queue(rows.n) {}

  /// Searches breadth-first, and adds the paths to each vertex, once all are known, to those of its
  /// neighbours in the next level. The number of vertices reached.
  int64_t pass_on(int64_t source, Watch watch) {
    int64_t end = 0;
    const auto reach = [&](int64_t v, int32_t level) {
      of[v].level = level;
      queue[end++] = v;
    };
    reach(source, 0);
    of[source].sigma = 1;
    for (int64_t i = 0; i < end && !watch.stopped(); ++i) {
      const int64_t next = i + ROWS_AHEAD, later = next + ROWS_AHEAD;
      if (later < end) __builtin_prefetch(rows.begins + queue[later]);
      if (next < end) __builtin_prefetch(rows.columns + rows.begins[queue[next]]);
      const int32_t u = queue[i];
      if (of[u].sigma >= std::ldexp(1.0, BAND)) {
        of[u].sigma = std::ldexp(of[u].sigma, -BAND);
        top = std::max(top, ++of[u].band);
      }
      const auto [sigma, g, level, band] = of[u];
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        const int32_t v = rows.columns[e];
        Passed &there = of[v];
        if (there.level < 0) reach(v, level + 1);
        if (there.level != level + 1) continue;
        if (top == 0) {
          there.sigma += sigma;
          continue;
        }
        if (band > there.band) {
          there.sigma = lowered(there.sigma, band - there.band);
          there.band = band;
        }
        there.sigma += lowered(sigma, there.band - band);
      }
    }
    return end;
  }

  /// The sum of g over the vertices of the next level that a vertex leads to.
  double behind(int32_t v) const {
    double t = 0;
    const int32_t next = of[v].level + 1;
    for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
      const Passed &there = of[rows.columns[e]];
      if (top == 0) {
        t += there.level == next ? there.g : 0;
      } else if (there.level == next) {
        t += lowered(there.g, there.band - of[v].band);
      }
    }
    return t;
  }
};

}  // namespace
}  // namespace lagraph

using namespace lagraph;

// Adds to `dependency` of each vertex its share of the shortest paths from each source, which counts
// as often as `counts` says, by the formulas of `algorithms.centrality.betweenness`: sigma on the way
// out, and g = 1/sigma + t on the way back.
int64_t brandes(const CompressedRows *of, const int64_t *sources, int64_t sources_size,
                const double *counts, int64_t, bool endpoints, double *dependency, int64_t,
                int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    Paths paths{Rows(*of)};
    for (int64_t i = 0; i < sources_size; ++i) {
      const int64_t source = sources[i];
      const double count = counts[i];
      const int64_t found = paths.pass_on(source, Watch(watch));
      if (Watch(watch).stopped()) break;
      for (int64_t k = found - 1; k > 0; --k) {
        const int32_t v = paths.queue[k];
        const double t = paths.behind(v);
        paths.of[v].g = 1 / paths.of[v].sigma + t;
        if (t > 0) dependency[v] += count * (paths.of[v].sigma * t);
      }
      if (endpoints) {
        dependency[source] += count * static_cast<double>(found - 1);
        for (int64_t k = 1; k < found; ++k) dependency[paths.queue[k]] += count;
      }
      for (int64_t k = 0; k < found; ++k) paths.of[paths.queue[k]] = {};
    }
    return 0;
  });
}
