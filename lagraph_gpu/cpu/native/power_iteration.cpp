// The rounds of power iterations, which scale a vector anew in each round: hubs and authorities,
// eigenvector centrality, and that of Katz, whose factor is 1. Threads have ranges of vertices. They
// meet when all products are there, of which the factor follows, and when all changes are known.
//
// Where rounds settle slowly, steps come between those of hubs and authorities, and of eigenvectors of
// symmetric matrices.
#include <cmath>
#include <optional>

#include "locally_optimal.hpp"
#include "rounds.hpp"

namespace lagraph {
namespace {

/// What the rounds of one call have in common. A round writes the products to `next`, and then x.
///
/// Where the rounds shrink the changes slowly, steps of `LocallyOptimal` come between them, if the matrix is
/// symmetric and they are `wanted`. Each counts as a round, and what ends the rounds is always a round.
struct PowerIteration {
  static constexpr int64_t FEW = 16;  // so many rounds come before steps, and between them

  double *const x;
  const StopRule rule;
  const Watch watch;
  const bool wanted;
  std::vector<double> next;
  PartSums products, changes;
  LocallyOptimal optimal;
  bool stopped = false;

  /// Whether so few rounds are left, of those that there may be, that steps would take longer: one takes
  /// as long as three rounds.
  static bool few(double left, int64_t most) {
    return left > 0 && (left < FEW || (left < 3 * FEW && 2 * left < most));
  }

  PowerIteration(double *x, int64_t n, StopRule rule, Watch watch, bool wanted)
      : x(x), rule(rule), watch(watch), wanted(wanted && rule.bound >= 0 && rule.rounds > 2 * FEW),
        next(n), products(n), changes(n), optimal(x, next.data(), this->wanted ? n : 0) {}

  /// Rounds of one of several threads. `multiply(from, to)` writes the products of its own vertices, and
  /// to `products` the sums of what is `counted` of them. `divisor` says of the sum of all by which the
  /// products are divided. If it is none, no round is done. Returns the number of rounds, and the changes
  /// of the last.
  template <class Meeting, class Multiply, class Counted, class Divisor>
  std::pair<int64_t, double> run(int64_t thread, int64_t first, int64_t last, Meeting meet,
                                 Multiply multiply, Counted counted, Divisor divisor) {
    int64_t done = 0;
    const auto stops = [&] {
      if (thread == 0) {
        watch.done(done);
        stopped = watch.stopped();
      }
      meet();
      return stopped;
    };
    double before = 0;
    for (int64_t steps_from = FEW;;) {
      multiply(x, next.data());
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
      ++done;
      const bool ends = stops();
      const double change = changes.total();
      if (done == rule.rounds || change <= rule.bound || !std::isfinite(change) || ends)
        return {done, change};
      const double left = std::log(change / rule.bound) / std::log(before / change);  // at this pace
      if (wanted && done >= steps_from && rule.rounds - done > FEW && !few(left, rule.rounds - done)) {
        const auto size = [&](double sum) { return divisor(sum).value_or(1.0); };
        done += optimal.run(first, last, meet, multiply, counted, size, rule.bound,
                            rule.rounds - done - 1, stops);
        steps_from = done + FEW;
      }
      before = change;
    }
  }
};

/// Rounds in which what arrives along the edges that enter a vertex is put together with its own number:
/// `combine(v, own, arrived)` gives what is next for v, of which `counted` is added up for the divisor.
/// With `steps` that is a symmetric product.
template <class Combine, class Counted, class Divisor>
int64_t iterate_entering(const Rows rows, const double *factors, int64_t factors_size, double *x, int64_t n,
                         const StopRule &rule, int64_t threads, double *change,
                         int64_t *watch, bool steps, Combine combine, Counted counted, Divisor divisor) {
  return guarded([&]() -> int64_t {
    ByLength entering(rows);
    PowerIteration rounds(x, n, rule, Watch(watch), steps);
    std::pair<int64_t, double> done;
    in_threads(threads, [&](int64_t thread, int64_t of, auto meet) {
      const int64_t first = cut(rows, thread, of), last = cut(rows, thread + 1, of);
      entering.sort(first, last);
      const auto product = [&](const double *from, double *to) {
        with_factors(factors, factors_size, [&](auto factor) {
          for_parts(first, last, [&](int64_t begin, int64_t end) {
            double sum = 0;
            entering.each_sum(factor, from, begin, end, [&](int64_t v, double arrived) {
              to[v] = combine(v, from[v], arrived);
              sum += counted(to[v]);
            });
            rounds.products.from(begin) = sum;
          });
        });
      };
      const auto found = rounds.run(thread, first, last, meet, product, counted, divisor);
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
                     const CompressedRows *in, const double *factors_in, int64_t factors_in_size,
                     double *hub, int64_t n, double *authority, int64_t, const StopRule *rule, int64_t threads,
                     double *change, int64_t, int64_t *watch, int64_t) {
  const Rows rows(*out), back(*in);
  return guarded([&]() -> int64_t {
    ByLength leaving(rows), entering(back);
    PowerIteration rounds(hub, n, *rule, Watch(watch), true);
    std::pair<int64_t, double> done;
    in_threads(threads, [&](int64_t thread, int64_t of, auto meet) {
      const int64_t first = cut(rows, thread, of), last = cut(rows, thread + 1, of);
      const int64_t begin = cut(back, thread, of), end = cut(back, thread + 1, of);
      leaving.sort(first, last);
      entering.sort(begin, end);
      const auto multiply = [&](auto factor, auto factor_in, const double *from, double *to) {
        for_parts(begin, end, [&](int64_t one, int64_t other) {
          entering.each_sum(factor_in, from, one, other, [&](int64_t v, double x) { authority[v] = x; });
        });
        meet();
        for_parts(first, last, [&](int64_t one, int64_t other) {
          double sum = 0;
          leaving.each_sum(factor, authority, one, other,
                           [&](int64_t v, double x) { sum += to[v] = x; });
          rounds.products.from(one) = sum;
        });
      };
      const auto product = [&](const double *from, double *to) {
        with_factors(factors, factors_size, [&](auto factor) {  // one of both may have one for all
          with_factors(factors_in, factors_in_size,
                       [&](auto factor_in) { multiply(factor, factor_in, from, to); });
        });
      };
      const auto itself = [](double x) { return x; };
      const auto total = [](double x) { return std::optional(x); };
      const auto found = rounds.run(thread, first, last, meet, product, itself, total);
      if (thread == 0) done = found;
    });
    *change = done.second;
    return done.first;
  });
}

int64_t iterate_eigenvector(const CompressedRows *in, const double *factors, int64_t factors_size,
                            double *x, int64_t n, double least, double largest, bool steps,
                            const StopRule *rule, int64_t threads, double *change, int64_t,
                            int64_t *watch, int64_t) {
  const auto combine = [&](int64_t, double own, double arrived) { return own + arrived; };
  const auto square = [](double x) { return x * x; };
  const auto length = [&](double square) -> std::optional<double> {
    if (!(least <= square && square <= largest)) return std::nullopt;
    return std::sqrt(square);
  };
  return iterate_entering(Rows(*in), factors, factors_size, x, n, *rule, threads, change, watch, steps, combine,
                          square, length);
}

int64_t iterate_katz(const CompressedRows *in, const double *factors, int64_t factors_size,
                     double alpha, const double *base, int64_t, double *x, int64_t n,
                     const StopRule *rule, int64_t threads, double *change, int64_t, int64_t *watch,
                     int64_t) {
  const auto combine = [&](int64_t v, double, double arrived) { return base[v] + alpha * arrived; };
  const auto nothing = [](double) { return 0.0; };
  const auto one = [](double) { return std::optional(1.0); };
  return iterate_entering(Rows(*in), factors, factors_size, x, n, *rule, threads, change, watch, false, combine,
                          nothing, one);
}
