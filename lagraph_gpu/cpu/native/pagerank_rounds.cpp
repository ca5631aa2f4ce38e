// The rounds of PageRank. A round passes over the vertices once: it adds up what arrives at a vertex,
// adds its part of the remainder, and writes what leaves the vertex into the shares of the next round.
// The remainder is known before the pass, because what will arrive is what leaves the vertices: the sum
// of share times d, where d is the sum of a vertex's factors. Several processes do a round in two passes
// and exchange what has arrived between them; those of one host do all rounds in one call, with two
// meetings in each. Ranks are FP64 or FP32. What is added up is FP64 in any case, in parts, so that sums
// are as exact for many vertices as for few.
#include <algorithm>
#include <cmath>
#include <utility>

#include "barrier.hpp"
#include "common.hpp"
#include "rounds.hpp"

namespace lagraph {
namespace {

/// A sum in parts.
struct Sum {
  double total = 0, part = 0;

  void add(int64_t v, double x) {
    part += x;
    if (v % PART == PART - 1) {
      total += part;
      part = 0;
    }
  }
  double value() const { return total + part; }
};

template <class Factors, class T>
double gather(Rows rows, Factors factor, const T *share, T *y, int64_t first, int64_t last) {
  Sum sum;
  for (int64_t v = first; v < last; ++v) {
    const T t = static_cast<T>(arriving(rows, factor, share, v));
    y[v] = t;
    sum.add(v, t);
  }
  return sum.value();
}

/// What leaves vertex v goes to share[v * stride].
template <class T>
double update(const T *y, double left, const T *sink, Values<T> teleport, const T *rate, T *x,
              T *share, int64_t stride, int64_t first, int64_t last) {
  Sum change;
  for (int64_t v = first; v < last; ++v) {
    const T now = static_cast<T>(y[v] + left * sink[v] + teleport[v]);
    change.add(v, std::abs(static_cast<double>(now) - x[v]));
    x[v] = now;
    share[v * stride] = now * rate[v];
  }
  return change.value();
}

/// The memory of processes that do rounds together: a barrier, two numbers of each, and what leaves
/// each vertex.
template <class T>
struct SharedRanks {
  static constexpr int64_t SUMS = BARRIER_BYTES;  // where the numbers begin
  uint8_t *const memory;
  const int64_t parts;

  static int64_t bytes(int64_t n, int64_t parts) {
    return SUMS + 2 * parts * LINE + lines(static_cast<int64_t>(sizeof(T)) * n);
  }
  double &sum(int64_t which, int64_t rank) const {
    return *reinterpret_cast<double *>(memory + SUMS + (which * parts + rank) * LINE);
  }
  double of_all(int64_t which) const {
    double found = 0;
    for (int64_t rank = 0; rank < parts; ++rank) found += sum(which, rank);
    return found;
  }
  T *shares() const { return reinterpret_cast<T *>(memory + SUMS + 2 * parts * LINE); }
};

/// What a round adds up. A thread may still read the sums of one round while another writes those of
/// the next.
struct RoundSums {
  PartSums changes, leaving;
  bool stopped = false;

  explicit RoundSums(int64_t n) : changes(n), leaving(n) {}
};

/// What the rounds of one call have in common.
template <class T, class Factors, class Shares>
struct Ranks {
  const Rows rows;
  const Factors factor;
  const Shares sink, teleport;
  const T *const rate;
  const double *const d;
  T *const x;
  T *const share[2];
  ByLength &order;
  const double whole, bound;
  const int64_t most;
  const Watch watch;

  /// A round of the vertices from `first` to `last`, from one array of shares into the other.
  void pass(const T *from, T *to, double left, int64_t first, int64_t last, RoundSums &sums) const {
    for_parts(first, last, [&](int64_t begin, int64_t end) {
      double change = 0, leaving = 0;
      order.each_sum(factor, from, begin, end, [&](int64_t v, double arrived) {
        const T now = static_cast<T>(arrived + left * sink[v] + teleport[v]);
        change += std::abs(static_cast<double>(now) - x[v]);
        x[v] = now;
        to[v] = now * rate[v];
        leaving += to[v] * d[v];
      });
      sums.changes.from(begin) = change;
      sums.leaving.from(begin) = leaving;
    });
  }

  /// Rounds of one of several threads, which meet after each; the result is the same for all. `sums`
  /// are those of a round and of the next.
  template <class Meeting>
  std::pair<int64_t, double> run(RoundSums *sums, int64_t thread, double left, int64_t first,
                                 int64_t last, Meeting meet) const {
    order.sort(first, last);
    for (int64_t round = 0;; ++round) {
      RoundSums &mine = sums[round & 1];
      pass(share[round & 1], share[~round & 1], left, first, last, mine);
      if (thread == 0) {
        watch.done(round + 1);
        mine.stopped = watch.stopped();
      }
      meet();
      const double change = mine.changes.total();
      if (round + 1 == most || change <= bound || !std::isfinite(change) || mine.stopped)
        return {round + 1, change};
      left = std::max(0.0, whole - mine.leaving.total());
    }
  }
};

}  // namespace
}  // namespace lagraph

using namespace lagraph;

// Writes to `y`, for these vertices, what arrives along the edges, and the sum to `total`.
int64_t gather_ranks(int type, const CompressedRows *compressed, const void *factors,
                     int64_t factors_size, const void *share, int64_t, void *y, int64_t,
                     const Range *vertices, double *total, int64_t) {
  const Rows rows(*compressed);
  return with_float(type, [&](auto tag) -> int64_t {
    using T = typename decltype(tag)::type;
    *total = with_factors(static_cast<const T *>(factors), factors_size, [&](auto factor) {
      return gather(rows, factor, static_cast<const T *>(share), static_cast<T *>(y),
                    vertices->first, vertices->end);
    });
    return 0;
  });
}

// Adds the remainder, and what is added in each round, and writes the ranks of these vertices and what
// leaves each. The sum of the changes goes to `total`.
int64_t update_ranks(int type, const void *y, int64_t, double left, const void *sink, int64_t,
                     const void *teleport, int64_t teleport_size, const void *rate, int64_t,
                     void *x, int64_t, void *share, int64_t, const Range *vertices, double *total,
                     int64_t) {
  return with_float(type, [&](auto tag) -> int64_t {
    using T = typename decltype(tag)::type;
    *total = update(static_cast<const T *>(y), left, static_cast<const T *>(sink),
                    Values<T>(teleport, teleport_size), static_cast<const T *>(rate),
                    static_cast<T *>(x), static_cast<T *>(share), 1, vertices->first,
                    vertices->end);
    return 0;
  });
}

// Rounds until they end by the rule. The changes of the last go to `change`. Threads take ranges of
// vertices with about as many edges each.
int64_t iterate_ranks(int type, const CompressedRows *compressed, const void *factors,
                      int64_t factors_size, const void *sinks, int64_t, const void *teleports,
                      int64_t teleport_size, const void *rates, int64_t, void *ranks,
                      int64_t x_size, double whole, const StopRule *rule, int64_t threads,
                      double *change, int64_t, int64_t *watch, int64_t) {
  const Rows rows(*compressed);
  const auto rounds = [&](auto factor, auto sink, auto anew, const auto *rate, auto *x) -> int64_t {
    using T = std::remove_pointer_t<decltype(x)>;
    std::vector<T> share(x_size), next(x_size);
    std::vector<double> d(x_size);
    ByLength order(rows);
    for (int64_t e = 0; e < compressed->columns_size; ++e) d[rows.columns[e]] += factor[e];
    Sum leaving;
    for (int64_t v = 0; v < x_size; ++v) {
      share[v] = x[v] * rate[v];
      leaving.add(v, share[v] * d[v]);
    }
    const Ranks<T, decltype(factor), decltype(sink)> all{
        rows, factor, sink, anew, rate, d.data(), x, {share.data(), next.data()}, order, whole,
        rule->bound, rule->rounds, Watch(watch)};
    const double left = std::max(0.0, whole - leaving.value());
    RoundSums sums[2] = {RoundSums(x_size), RoundSums(x_size)};
    std::pair<int64_t, double> done;
    in_threads(threads, [&](int64_t thread, int64_t of, auto meet) {
      const int64_t first = cut(rows, thread, of), last = cut(rows, thread + 1, of);
      const auto found = all.run(sums, thread, left, first, last, meet);
      if (thread == 0) done = found;
    });
    *change = done.second;
    return done.first;
  };
  const auto of_type = [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T *const sink = static_cast<const T *>(sinks), *const rate = static_cast<const T *>(rates);
    const T *const teleport = static_cast<const T *>(teleports);
    T *const x = static_cast<T *>(ranks);
    const bool alike = teleport_size <= 1 && std::equal(sink + 1, sink + x_size, sink);
    const std::vector<T> none(teleport_size > 1 ? 0 : x_size, teleport[0]);
    return with_factors(static_cast<const T *>(factors), factors_size, [&](auto factor) {
      if (alike) return rounds(factor, Common{sink[0]}, Common{teleport[0]}, rate, x);
      return rounds(factor, sink, teleport_size > 1 ? teleport : none.data(), rate, x);
    });
  };
  return guarded([&] { return with_float(type, of_type); });
}

int64_t window_of_ranks(const Partition *graph, int64_t each) {
  const auto [n, parts] = *graph;
  const auto bytes = each == sizeof(float) ? SharedRanks<float>::bytes : SharedRanks<double>::bytes;
  return (bytes(n, parts) + parts - 1) / parts;
}

// Rounds until they end by the rule, over the rows of the processes of one host, of which this one has
// those of its own vertices. The changes of the last, of all vertices, go to `change`. The remainder
// is known when all have come from the edges, and the shares when all have come from the vertices. In
// these processes begin at different places: what leaves neighbours lies in one line of memory, which
// they would otherwise write at the same time.
int64_t shared_ranks(int type, const CompressedRows *compressed, const void *factors,
                     int64_t factors_size, const Meeting *meeting, bool unread, const void *sinks,
                     int64_t, const void *teleport, int64_t teleport_size, const void *rates,
                     int64_t, void *ranks, int64_t own, double whole, const StopRule *rule,
                     double *change, int64_t, int64_t *traffic, int64_t, int64_t *watch, int64_t) {
  const Rows rows(*compressed);
  const int64_t parts = meeting->parts, rank = meeting->rank;
  const auto of_type = [&](auto tag) -> int64_t {
    using T = typename decltype(tag)::type;
    const T *const sink = static_cast<const T *>(sinks), *const rate = static_cast<const T *>(rates);
    const Values<T> anew(teleport, teleport_size);
    T *const x = static_cast<T *>(ranks);
    const SharedRanks<T> shared{meeting->memory, parts};
    T *const every = shared.shares(), *const mine = every + rank;
    std::vector<T> y(own);
    Barrier barrier(*meeting);
    const Watch watched(watch);
    const auto meet = [&] {
      if (watched.stopped()) barrier.give_up();
      return barrier.all_come(barrier.arrive(), patience_of(*meeting), watched, traffic[1],
                              traffic[2]);
    };
    if (!unread && !meet()) return BROKEN;  // nobody reads what an earlier call has left
    for (int64_t v = 0; v < own; ++v) mine[v * parts] = x[v] * rate[v];
    if (!meet()) return BROKEN;
    const int64_t middle = own / parts * rank / PART * PART;
    for (int64_t round = 1;; ++round) {
      const T *const all = static_cast<const T *>(factors);
      shared.sum(0, rank) = with_factors(all, factors_size, [&](auto factor) {
        return gather(rows, factor, every, y.data(), 0, own);
      });
      if (!meet()) return BROKEN;
      const double left = std::max(0.0, whole - shared.of_all(0));
      const auto pass = [&](int64_t first, int64_t last) {
        return update(y.data(), left, sink, anew, rate, x, mine, parts, first, last);
      };
      const double later = pass(middle, own);
      shared.sum(1, rank) = pass(0, middle) + later;
      traffic[0] += static_cast<int64_t>(sizeof(T)) * own * (parts - 1);
      if (!meet()) return BROKEN;
      *change = shared.of_all(1);
      watched.done(round);
      if (round == rule->rounds || *change <= rule->bound || !std::isfinite(*change)) return round;
    }
  };
  return guarded([&] { return with_float(type, of_type); });
}
