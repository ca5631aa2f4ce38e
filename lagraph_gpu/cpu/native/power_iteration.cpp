// The rounds of power iterations, which scale a vector anew in each round: hubs and authorities, and
// eigenvector centrality. Threads have ranges of vertices. They meet when all products are there, of
// which the factor follows, and when all changes are known.
#include <cmath>
#include <optional>

#include "rounds.hpp"

namespace lagraph {
namespace {

/// What a thread adds up in a round. Each has lines of its own.
struct alignas(128) Added {
  double product = 0, change = 0;
  bool stopped = false;
};

/// What the rounds of one call have in common. A round writes the products to `next`, and then x.
struct PowerIteration {
  double *const x, *const next;
  const StopRule rule;
  const Watch watch;
  std::vector<Added> added;

  /// Rounds of one of several threads. `multiply` writes the products of its own vertices and returns
  /// what is added up for the factor, and `divisor` says by which all products are divided. If that is
  /// none, no round is done. Returns the number of rounds, and the changes of the last.
  template <class Multiply, class Divisor, class Meeting>
  std::pair<int64_t, double> run(int64_t thread, int64_t threads, int64_t first, int64_t last,
                                 Meeting meet, Multiply multiply, Divisor divisor) {
    const auto of_all = [&](double Added::*what) {
      double total = 0;
      for (int64_t i = 0; i < threads; ++i) total += added[i].*what;
      return total;
    };
    Added &mine = added[thread];
    for (int64_t round = 1;; ++round) {
      mine.product = multiply();
      meet();
      const std::optional<double> by = divisor(of_all(&Added::product));
      if (!by) return {0, 0};
      mine.change = 0;
      for (int64_t v = first; v < last;) {
        double change = 0;
        for (const int64_t end = std::min(v + PART, last); v < end; ++v) {
          const double now = next[v] / *by;
          change += std::abs(now - x[v]);
          x[v] = now;
        }
        mine.change += change;
      }
      if (thread == 0) {
        watch.done(round);
        mine.stopped = watch.stopped();
      }
      meet();
      const double change = of_all(&Added::change);
      if (round == rule.rounds || change <= rule.bound || !std::isfinite(change) || added[0].stopped)
        return {round, change};
    }
  }
};

}  // namespace
}  // namespace lagraph

using namespace lagraph;

int64_t iterate_hits(const CompressedRows *out, const double *factors, int64_t factors_size,
                     const CompressedRows *in, const double *factors_in, int64_t, double *hub,
                     int64_t n, double *authority, int64_t, const StopRule *rule, int64_t threads,
                     double *change, int64_t, int64_t *watch, int64_t) {
  const Rows rows(*out), back(*in);
  return guarded([&]() -> int64_t {
    ByLength leaving(rows), entering(back);
    std::vector<double> next(n);
    PowerIteration rounds{hub, next.data(), *rule, Watch(watch), std::vector<Added>(threads)};
    std::pair<int64_t, double> done;
    in_threads(threads, [&](int64_t thread, int64_t of, auto meet) {
      const int64_t first = cut(rows, thread, of), last = cut(rows, thread + 1, of);
      const int64_t begin = cut(back, thread, of), end = cut(back, thread + 1, of);
      leaving.sort(first, last);
      entering.sort(begin, end);
      const auto multiply = [&](auto factor, auto factor_in) {
        entering.sum(factor_in, hub, begin, end, [&](int64_t v, double x) {
          authority[v] = x;
          return 0.0;
        });
        meet();
        return leaving.sum(factor, authority, first, last,
                           [&](int64_t v, double x) { return next[v] = x; });
      };
      const auto product = [&] {
        return factors_size == 1 ? multiply(Common{*factors}, Common{*factors})
                                 : multiply(factors, factors_in);
      };
      const auto total = [](double x) { return std::optional(x); };
      const auto found = rounds.run(thread, of, first, last, meet, product, total);
      if (thread == 0) done = found;
    });
    *change = done.second;
    return done.first;
  });
}

int64_t iterate_eigenvector(const CompressedRows *in, const double *factors, int64_t factors_size,
                            double *x, int64_t n, double least, double largest,
                            const StopRule *rule, int64_t threads, double *change, int64_t,
                            int64_t *watch, int64_t) {
  const Rows rows(*in);
  return guarded([&]() -> int64_t {
    ByLength entering(rows);
    std::vector<double> next(n);
    PowerIteration rounds{x, next.data(), *rule, Watch(watch), std::vector<Added>(threads)};
    std::pair<int64_t, double> done;
    in_threads(threads, [&](int64_t thread, int64_t of, auto meet) {
      const int64_t first = cut(rows, thread, of), last = cut(rows, thread + 1, of);
      entering.sort(first, last);
      const auto product = [&] {
        return with_factors(factors, factors_size, [&](auto factor) {
          return entering.sum(factor, x, first, last, [&](int64_t v, double arrived) {
            next[v] = x[v] + arrived;
            return next[v] * next[v];
          });
        });
      };
      const auto length = [&](double square) -> std::optional<double> {
        if (!(least <= square && square <= largest)) return std::nullopt;
        return std::sqrt(square);
      };
      const auto found = rounds.run(thread, of, first, last, meet, product, length);
      if (thread == 0) done = found;
    });
    *change = done.second;
    return done.first;
  });
}
