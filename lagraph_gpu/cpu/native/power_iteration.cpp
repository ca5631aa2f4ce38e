// The rounds of power iterations, which scale a vector anew in each round: hubs and authorities,
// eigenvector centrality, and that of Katz, whose factor is 1. Threads have ranges of vertices. They
// meet when all products are there, of which the factor follows, and when all changes are known.
#include <cmath>
#include <optional>

#include "rounds.hpp"

namespace lagraph {
namespace {

/// What the rounds of one call have in common. A round writes the products to `next`, and then x.
struct PowerIteration {
  double *const x;
  const StopRule rule;
  const Watch watch;
  std::vector<double> next;
  PartSums products, changes;
  bool stopped = false;

  PowerIteration(double *x, int64_t n, StopRule rule, Watch watch)
      : x(x), rule(rule), watch(watch), next(n), products(n), changes(n) {}

  /// Rounds of one of several threads. `multiply` writes the products of its own vertices, and to
  /// `products` what is added up for the factor. `divisor` says of that sum by which all products are
  /// divided. If it is none, no round is done. Returns the number of rounds, and the changes of the last.
  template <class Multiply, class Divisor, class Meeting>
  std::pair<int64_t, double> run(int64_t thread, int64_t first, int64_t last, Meeting meet,
                                 Multiply multiply, Divisor divisor) {
    for (int64_t round = 1;; ++round) {
      multiply();
      meet();
      const std::optional<double> by = divisor(products.total());
      if (!by) return {0, 0};
      for_parts(first, last, [&](int64_t begin, int64_t end) {
        double change = 0;
        for (int64_t v = begin; v < end; ++v) {
          const double now = next[v] / *by;
          change += std::abs(now - x[v]);
          x[v] = now;
        }
        changes.from(begin) = change;
      });
      if (thread == 0) {
        watch.done(round);
        stopped = watch.stopped();
      }
      meet();
      const double change = changes.total();
      if (round == rule.rounds || change <= rule.bound || !std::isfinite(change) || stopped)
        return {round, change};
    }
  }
};

/// Rounds in which what arrives along the edges that enter a vertex is put together with its own number.
/// `combine(v, arrived)` gives what is next for v, and what of it is added up for the divisor.
template <class Combine, class Divisor>
int64_t iterate_entering(const Rows rows, const double *factors, int64_t factors_size, double *x, int64_t n,
                         const StopRule &rule, int64_t threads, double *change, int64_t *watch,
                         Combine combine, Divisor divisor) {
  return guarded([&]() -> int64_t {
    ByLength entering(rows);
    PowerIteration rounds(x, n, rule, Watch(watch));
    std::pair<int64_t, double> done;
    in_threads(threads, [&](int64_t thread, int64_t of, auto meet) {
      const int64_t first = cut(rows, thread, of), last = cut(rows, thread + 1, of);
      entering.sort(first, last);
      const auto product = [&] {
        with_factors(factors, factors_size, [&](auto factor) {
          for_parts(first, last, [&](int64_t from, int64_t to) {
            double sum = 0;
            entering.each_sum(factor, x, from, to, [&](int64_t v, double arrived) {
              const auto [next, counted] = combine(v, arrived);
              rounds.next[v] = next;
              sum += counted;
            });
            rounds.products.from(from) = sum;
          });
        });
      };
      const auto found = rounds.run(thread, first, last, meet, product, divisor);
      if (thread == 0) done = found;
    });
    *change = done.second;
    return done.first;
  });
}

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
    PowerIteration rounds(hub, n, *rule, Watch(watch));
    std::pair<int64_t, double> done;
    in_threads(threads, [&](int64_t thread, int64_t of, auto meet) {
      const int64_t first = cut(rows, thread, of), last = cut(rows, thread + 1, of);
      const int64_t begin = cut(back, thread, of), end = cut(back, thread + 1, of);
      leaving.sort(first, last);
      entering.sort(begin, end);
      const auto multiply = [&](auto factor, auto factor_in) {
        for_parts(begin, end, [&](int64_t from, int64_t to) {
          entering.each_sum(factor_in, hub, from, to, [&](int64_t v, double x) { authority[v] = x; });
        });
        meet();
        for_parts(first, last, [&](int64_t from, int64_t to) {
          double sum = 0;
          leaving.each_sum(factor, authority, from, to,
                           [&](int64_t v, double x) { sum += rounds.next[v] = x; });
          rounds.products.from(from) = sum;
        });
      };
      const auto product = [&] {
        if (factors_size == 1) multiply(Common{*factors}, Common{*factors});
        else multiply(factors, factors_in);
      };
      const auto total = [](double x) { return std::optional(x); };
      const auto found = rounds.run(thread, first, last, meet, product, total);
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
  const auto combine = [&](int64_t v, double arrived) {
    const double now = x[v] + arrived;
    return std::pair(now, now * now);
  };
  const auto length = [&](double square) -> std::optional<double> {
    if (!(least <= square && square <= largest)) return std::nullopt;
    return std::sqrt(square);
  };
  return iterate_entering(Rows(*in), factors, factors_size, x, n, *rule, threads, change, watch, combine,
                          length);
}

int64_t iterate_katz(const CompressedRows *in, const double *factors, int64_t factors_size,
                     double alpha, const double *base, int64_t, double *x, int64_t n,
                     const StopRule *rule, int64_t threads, double *change, int64_t, int64_t *watch,
                     int64_t) {
  const auto combine = [&](int64_t v, double arrived) {
    return std::pair(base[v] + alpha * arrived, 0.0);
  };
  const auto one = [](double) { return std::optional(1.0); };
  return iterate_entering(Rows(*in), factors, factors_size, x, n, *rule, threads, change, watch, combine,
                          one);
}
