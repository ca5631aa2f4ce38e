// One shortest path between two vertices.
//
// Two searches, from the source along the edges and from the target against them, until no path
// through what neither has reached can be shorter than the best that they have found together (Pohl:
// Bi-directional search, Machine Intelligence 6, 1971). The search that has read fewer edges goes
// on. Nothing of length n is allocated: a search that reaches eight vertices costs eight vertices.
//
// The length is the least sum that is rounded edge by edge from the source on, as in the statements.
// The search from the target adds in another order. Where sums are rounded, its distances are
// therefore bounds only: then the search from the source goes on to the target among the vertices
// that the bounds allow.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "common.hpp"
#include "heap.hpp"
#include "numbers.hpp"

namespace lagraph {
namespace {

constexpr double INFINITE = std::numeric_limits<double>::infinity();

/// The vertices that a search has reached, by their numbers, and the one before each.
struct Reached {
  Numbers numbers;
  std::vector<int32_t> before;

  explicit Reached(int64_t n) : numbers(n) {}

  /// Writes the vertices from this one to the start of the search, and returns where they end.
  int32_t *follow(int32_t number, int32_t *path, const int32_t *end) const {
    for (; number >= 0 && path < end; number = before[number]) *path++ = numbers.vertices[number];
    return path;
  }
};

/// A path that is written.
struct Path {
  int32_t *const vertices;
  const int64_t room;

  /// From the start of a search to a vertex. Returns how many vertices there are.
  int64_t to(const Reached &search, int32_t number) const {
    int32_t *const end = search.follow(number, vertices, vertices + room);
    std::reverse(vertices, end);
    return end - vertices;
  }

  /// From the start of one search through a vertex that both have reached to the start of the other.
  int64_t through(const Reached &search, int32_t number, const Reached &other, int32_t there) const {
    const int64_t count = to(search, number);
    return other.follow(there, vertices + count - 1, vertices + room) - vertices;
  }
};

/// A breadth-first search whose queue is the vertices in the order of their numbers.
struct Breadth : Reached {
  const Rows rows;
  int64_t first = 0, depth = 0;
  int64_t edges = -1;  // those of the frontier, once they are counted

  Breadth(Rows rows, int64_t n, int32_t start) : Reached(n), rows(rows) {
    numbers.add(start);
    before.push_back(-1);
  }

  int64_t end() const { return static_cast<int64_t>(before.size()); }

  int64_t frontier_edges() {
    if (edges < 0) {
      edges = 0;
      for (int64_t k = first; k < end(); ++k) edges += rows.degree(numbers.vertices[k]);
    }
    return edges;
  }

  /// The next level. Returns the number of the first vertex that the other search has reached, too,
  /// or -1; or LONG_SEARCH, if that would take more edges than are `left`.
  int32_t extend(const Breadth &other, int64_t &left) {
    const int64_t last = end();
    for (; first < last; ++first) {
      const int32_t u = numbers.vertices[first];
      left -= rows.degree(u);
      if (left < 0) return LONG_SEARCH;
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        const auto [number, fresh] = numbers.add(rows.columns[e]);
        if (!fresh) continue;
        before.push_back(static_cast<int32_t>(first));
        if (other.numbers.of(rows.columns[e]) >= 0) return number;
      }
    }
    ++depth;
    edges = -1;
    return -1;
  }
};

/// A search in order of length. Sums have the type T.
template <class T, class Length>
struct Lengths : Reached {
  const Rows rows;
  const Values<Length> length;
  std::vector<double> distance;
  Heap heap{0};
  int64_t edges = 0;  // those read

  Lengths(Rows rows, Values<Length> length, int64_t n, int32_t start)
      : Reached(n), rows(rows), length(length) {
    heap.raise(improved(start, -1, 0), 0);
  }

  double sum(int32_t u, int64_t e) const {
    return static_cast<T>(distance[u]) + static_cast<T>(length[e]);
  }

  /// The number of a vertex whose distance has become smaller, else -1.
  int32_t improved(int32_t v, int32_t u, double candidate) {
    const auto [number, fresh] = numbers.add(v);
    if (fresh) {
      before.push_back(u);
      distance.push_back(candidate);
      heap.grow();
    } else {
      if (!(candidate < distance[number])) return -1;
      before[number] = u;
      distance[number] = candidate;
    }
    return number;
  }

  double of(int32_t v) const {
    const int32_t number = numbers.of(v);
    return number < 0 ? INFINITE : distance[number];
  }

  int64_t next_edges() const { return edges + rows.degree(numbers.vertices[heap.items[0]]); }
};

/// How much longer than the best path one may seem that is in truth not longer.
///
/// Let a path have k edges, and u be the rounding of one sum. Its sums, in any order, differ from its
/// true length by less than a share of γ = k·u / (1 - k·u). So if it is not longer, in sums from the
/// source, than another path of length `best`, then all its sums are at most best·(1 + γ)² / (1 - γ)²,
/// which is below best·(1 + 8·k·u) as long as k·u is below 1/8. There are at most 2·best / least + 2
/// edges in either, and fewer than n. Subnormal sums are exact, but that product may round to `best`
/// itself. The bound is therefore at least the next number, because what reaches the bound is left
/// out, and paths of the length `best` are not.
struct Slack {
  double n, least, rounding;

  double beyond(double best) const {
    if (rounding == 0 || best == INFINITE) return best;
    const double share = rounding * std::min(n, 2 * best / least + 2);  // least may be 0
    if (share >= 1.0 / 8) return INFINITE;
    return std::max(best * (1 + 8 * share), std::nextafter(best, INFINITE));
  }
};

/// The two searches of one path.
template <class T>
struct Ends {
  using Forward = Lengths<T, T>;
  using Backward = Lengths<double, T>;

  Forward out;
  Backward back;
  const bool both;  // whether edges can be followed backwards
  const double limit;
  const Slack slack;
  double best, bound;
  int32_t met = -1, met_by = -1;  // where the best path passes, by the numbers of either search

  Ends(Forward out, Backward back, bool both, double limit, Slack slack)
      : out(std::move(out)), back(std::move(back)), both(both), limit(limit), slack(slack) {
    improve(std::nextafter(limit, INFINITE));  // paths of the length `limit` count
  }

  void improve(double length) {
    best = length;
    bound = slack.beyond(best);
  }

  /// Whether sums of so many edges are rounded that the search from the target cannot say which
  /// vertices a shortest path may pass.
  bool unbounded() const { return met >= 0 && bound == INFINITE; }

  void meet(Watch watch) {
    while (!watch.stopped() && !unbounded() && out.heap.least() + back.heap.least() < bound) {
      if (!both || out.next_edges() <= back.next_edges()) {
        extend(out, back, [this](int32_t here, int32_t there) { met = here, met_by = there; });
      } else {
        extend(back, out, [this](int32_t here, int32_t there) { met = there, met_by = here; });
      }
      watch.done(static_cast<int64_t>(out.before.size() + back.before.size()));
    }
  }

  template <class One, class Other, class Met>
  void extend(One &one, const Other &other, Met met_at) {
    const double rest = other.heap.least();  // of what the other search has not reached
    const int32_t u = one.heap.pop();
    const int32_t vertex = one.numbers.vertices[u];
    one.edges += one.rows.degree(vertex);
    for (int64_t e = one.rows.begins[vertex]; e < one.rows.begins[vertex + 1]; ++e) {
      const int32_t v = one.rows.columns[e];
      const double candidate = one.sum(u, e);
      const int32_t there = other.numbers.of(v);
      if (there < 0 && one.rows.dead_end(v, vertex)) continue;
      const double whole = candidate + (there < 0 ? rest : other.distance[there]);
      if (candidate + (there < 0 ? rest : std::min(rest, other.distance[there])) >= bound) continue;
      const int32_t here = one.improved(v, u, candidate);
      if (here < 0) continue;
      one.heap.raise(here, candidate);
      if (there < 0 || whole >= best) continue;
      improve(whole);
      met_at(here, there);
    }
  }

  /// Goes on from the source, among the vertices that the other search has reached, and that can be
  /// on a path that is short enough; or among all.
  void finish(Watch watch) {
    const auto may_be = [&](int32_t v, double so_far) {
      if (so_far > limit) return false;
      if (unbounded()) return true;
      const double rest = back.of(v);
      return rest < INFINITE && so_far + rest <= bound;
    };
    const std::vector<int32_t> waiting(out.heap.items.begin(),
                                       out.heap.items.begin() + out.heap.size);
    while (out.heap.size > 0) out.heap.place[out.heap.items[--out.heap.size]] = -1;
    for (const int32_t u : waiting)
      if (may_be(out.numbers.vertices[u], out.distance[u])) out.heap.raise(u, out.distance[u]);
    const int32_t target = back.numbers.vertices[0];
    while (out.heap.least() < out.of(target) && !watch.stopped()) {
      const int32_t u = out.heap.pop();
      const int32_t vertex = out.numbers.vertices[u];
      for (int64_t e = out.rows.begins[vertex]; e < out.rows.begins[vertex + 1]; ++e) {
        const double candidate = out.sum(u, e);
        if (!may_be(out.rows.columns[e], candidate)) continue;
        const int32_t v = out.improved(out.rows.columns[e], u, candidate);
        if (v >= 0) out.heap.raise(v, candidate);
      }
    }
  }
};

}  // namespace
}  // namespace lagraph

using namespace lagraph;

// A path of the fewest edges, if they are few enough: its vertices to `path`. Returns how many they
// are, or 0, or LONG_SEARCH. The transpose may have no rows.
int64_t path_of_hops(const CompressedRows *compressed, const CompressedRows *back,
                     const Endpoints *between, const EdgeLimits *most, int32_t *path,
                     int64_t path_size, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed), transpose(*back);
    const auto [source, target] = *between;
    Breadth out(rows, rows.n, source), towards(transpose, rows.n, target);
    const Path found{path, path_size};
    int64_t left = most->read;
    if (source == target) return found.to(out, 0);
    while (out.first < out.end() && towards.first < towards.end() && !Watch(watch).stopped()) {
      if (out.depth + towards.depth >= most->on_path) return 0;
      Watch(watch).done(out.end() + towards.end());
      const bool forwards = transpose.n < 0 || out.frontier_edges() <= towards.frontier_edges();
      const int32_t met = forwards ? out.extend(towards, left) : towards.extend(out, left);
      if (met == LONG_SEARCH) return LONG_SEARCH;
      if (met < 0) continue;
      const int32_t vertex = (forwards ? out : towards).numbers.vertices[met];
      return found.through(out, out.numbers.of(vertex), towards, towards.numbers.of(vertex));
    }
    return 0;
  });
}

// A shortest path of a length of at most `limit`: its vertices to `path`, and its length to `found`.
// Returns how many vertices they are, or 0. Lengths are at least `least`, and sums have an error of
// the share `rounding`, or 0 if they are exact. The transpose may have no rows.
int64_t path_of_lengths(int type, const CompressedRows *compressed, const void *lengths,
                        int64_t lengths_size, const CompressedRows *back, const void *lengths_back,
                        int64_t lengths_back_size, const Endpoints *between, double limit,
                        double least, double rounding, int32_t *path, int64_t path_size,
                        double *found, int64_t, int64_t *watch, int64_t) {
  const auto run = [&](auto type_of_sums) -> int64_t {
    using T = typename decltype(type_of_sums)::type;
    const Path shortest{path, path_size};
    const Rows rows(*compressed), transpose(*back);
    const auto [source, target] = *between;
    const int64_t n = rows.n;
    Ends<T> ends({rows, Values<T>(lengths, lengths_size), n, static_cast<int32_t>(source)},
                 {transpose, Values<T>(lengths_back, lengths_back_size), n,
                  static_cast<int32_t>(target)},
                 transpose.n >= 0, limit, {static_cast<double>(n), least, rounding});
    if (source == target) {
      *found = 0;
      return shortest.to(ends.out, 0);
    }
    ends.meet(Watch(watch));
    if (rounding == 0) {
      *found = ends.best;
      return ends.met < 0 ? 0 : shortest.through(ends.out, ends.met, ends.back, ends.met_by);
    }
    ends.finish(Watch(watch));
    const int32_t end = ends.out.numbers.of(target);
    if (end < 0) return 0;
    *found = ends.out.distance[end];
    return shortest.to(ends.out, end);
  };
  return guarded([&] { return with_float(type, run); });
}

// A* search: the heap is ordered by length plus bound. `bounds` exceed the distance to the target by
// a share of `slack` at most, or by that share of the smallest normal number. A vertex that improves
// after it left the heap is inserted again.
int64_t path_by_bounds(int type, const CompressedRows *compressed, const void *lengths,
                       int64_t lengths_size, const double *bounds, int64_t, double slack,
                       const Endpoints *between, double limit, int32_t *path, int64_t path_size,
                       double *found, int64_t, int64_t *watch, int64_t) {
  const auto run = [&](auto type_of_sums) -> int64_t {
    using T = typename decltype(type_of_sums)::type;
    const Rows rows(*compressed);
    const auto [source, target] = *between;
    Lengths<T, T> out(rows, Values<T>(lengths, lengths_size), rows.n, source);
    const auto beyond = [&](double x) {
      return x + slack * std::max<double>(x, std::numeric_limits<T>::min());
    };
    for (int64_t steps = 1; out.heap.size > 0 && !Watch(watch).stopped(); ++steps) {
      Watch(watch).done(steps);
      if (out.heap.least() >= beyond(out.of(target)) || out.heap.least() > beyond(limit)) break;
      const int32_t u = out.heap.pop();
      const int32_t vertex = out.numbers.vertices[u];
      for (int64_t e = rows.begins[vertex]; e < rows.begins[vertex + 1]; ++e) {
        const double candidate = out.sum(u, e);
        if (candidate > limit) continue;
        const int32_t v = out.improved(rows.columns[e], u, candidate);
        if (v >= 0) out.heap.raise(v, candidate + bounds[rows.columns[e]]);
      }
    }
    const int32_t end = out.numbers.of(target);
    if (end < 0) return 0;
    *found = out.distance[end];
    return Path{path, path_size}.to(out, end);
  };
  return guarded([&] { return with_float(type, run); });
}
