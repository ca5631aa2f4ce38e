// Searches: breadth-first, and in order of length.
//
// The search in order of length is Dijkstra's algorithm with a 4-ary heap. Sums are rounded edge by
// edge from the source on, as in the rounds that define a closure under min.+, and the order does
// not change the result: for w >= 0 the rounded sum of x and w is monotone in x and never less than
// x. So the closure is the least of these sums over all paths, and a vertex that leaves the heap has
// its final value (Knuth: A generalization of Dijkstra's algorithm, Information Processing Letters
// 6, 1977).
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "breadth_first.hpp"
#include "common.hpp"
#include "heap.hpp"

namespace lagraph {
namespace {

// If more than one vertex in so many is reached, all vertices are scanned; otherwise the reached
// ones are sorted. Not yet measured.
constexpr int64_t SCAN_SHARE = 8;

// One band of numbers of paths above another, as a power of two.
constexpr int BAND = 512;

/// A search whose levels and predecessors are at the end where they belong.
template <class Before>
Found whole_search(const Graph &graph, std::span<const int64_t> sources, Reached<Before> reached,
                   int32_t *queue, Watch watch) {
  const Found found = search(graph, sources, reached, queue, watch);
  reached.end(Rows(graph.rows).n);
  return found;
}

/// Writes what words hold of each vertex, and clears them.
void put_all(std::vector<int64_t> &words, int32_t *__restrict vertex, int32_t *__restrict level,
             int64_t *__restrict before) {
  int64_t *__restrict word = words.data();
  for (int64_t v = 0, n = words.size(); v < n; ++v) {
    vertex[v] = v;
    level[v] = level_in(word[v]);
    before[v] = before_in(word[v]);
    word[v] = -1;
  }
}

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

/// The next vertices to search from, of which the last is the first: in the middle of a shortest path
/// between two vertices, from whose levels they follow, or on each side of it.
std::vector<int64_t> middles(const std::vector<int32_t> &one, const std::vector<int32_t> &other) {
  const int64_t n = one.size();
  int32_t length = std::numeric_limits<int32_t>::max();
  for (int64_t v = 0; v < n; ++v) length = std::min(length, one[v] + other[v]);
  std::vector<int64_t> found;
  for (int32_t half = length / 2; half <= length - length / 2; ++half) {
    int64_t v = 0;
    while (v < n && (one[v] != half || one[v] + other[v] != length)) ++v;
    if (v < n) found.push_back(v);
  }
  return found;
}

/// The neighbour of most edges whose eccentricity is between different bounds; if there is none, the
/// vertex itself.
int64_t busiest_neighbour(const Rows &edges, int64_t v, const std::vector<int32_t> &lower,
                          const int32_t *upper) {
  int64_t most = -1, busiest = v;
  for (int64_t e = edges.begins[v]; e < edges.begins[v + 1]; ++e) {
    const int64_t u = edges.columns[e], degree = edges.degree(u);
    if (lower[u] < upper[u] && degree > most) {
      most = degree;
      busiest = u;
    }
  }
  return busiest;
}

}  // namespace
}  // namespace lagraph

using namespace lagraph;

// The rule is that of `planning.direction.pull_threshold` with two changes: each edge is visited
// once, so the frontier is compared with the edges that are left; and a small frontier is never
// pulled.
int64_t pulls(const Frontier *frontier) { return pull_pays(*frontier); }

int64_t bfs(const CompressedRows *rows, const CompressedRows *back, const Traversal *how,
            const int64_t *sources, int64_t sources_size, const SearchTree *tree, bool *at_rest,
            int64_t, int64_t *watch, int64_t) {
  const Reached<int32_t> reached{tree->level, tree->before};
  const Graph graph{.rows = *rows, .back = *back, .how = *how};
  const std::span from(sources, sources_size);
  const Found found = whole_search(graph, from, reached, tree->queue, Watch(watch));
  *at_rest = found.at_rest;
  return found.count;
}

int64_t levels_from(const CompressedRows *rows, const CompressedRows *back, const Traversal *how,
                    const int64_t *sources, int64_t sources_size, int32_t *level, int64_t,
                    int64_t *before, int64_t, int64_t *watch, int64_t) {
  const Reached<int64_t> reached{level, before};
  const Graph graph{.rows = *rows, .back = *back, .how = *how};
  const std::span from(sources, sources_size);
  return whole_search(graph, from, reached, level, Watch(watch)).count;
}

int64_t depth_of_search(const CompressedRows *rows, const CompressedRows *back, const Traversal *how,
                        const int64_t *sources, int64_t sources_size, int32_t *depth, int64_t,
                        int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Graph graph{.rows = *rows, .back = *back, .how = *how};
    const int64_t n = Rows(*rows).n;
    std::vector<int32_t> level(n, -1), queue(n);
    const Reached<void> reached{level.data()};
    const std::span from(sources, sources_size);
    const Found found = search(graph, from, reached, queue.data(), Watch(watch));
    *depth = level[queue[found.count - 1]];
    return found.count;
  });
}

int64_t level_table(int type, const CompressedRows *rows, const CompressedRows *back,
                    const Traversal *how, const int64_t *sources, int64_t sources_size, void *table,
                    int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    return with_type(type, [&]<class T>(Type<T>) -> int64_t {
      if constexpr (!std::numeric_limits<T>::has_infinity) {
        return WRONG_TYPE;
      } else {
        const Graph graph{.rows = *rows, .back = *back, .how = *how};
        const int64_t n = Rows(*rows).n;
        std::vector<int32_t> level(n), queue(n);
        T *row = static_cast<T *>(table);
        for (int64_t i = 0; i < sources_size && !Watch(watch).stopped(); ++i, row += n) {
          std::fill(level.begin(), level.end(), -1);
          const Reached<void> reached{level.data()};
          search(graph, std::span(sources + i, 1), reached, queue.data(), Watch(watch));
          for (int64_t v = 0; v < n; ++v)
            row[v] = level[v] < 0 ? std::numeric_limits<T>::infinity() : static_cast<T>(level[v]);
        }
        return sources_size;
      }
    });
  });
}

// The searches of `bounded` in `algorithms.paths.eccentricity`, which says why they come in this order.
int64_t bound_eccentricities(const CompressedRows *rows, const Traversal *how, int64_t searches,
                             int32_t *upper, int64_t n, bool *left, int64_t, int64_t *longest,
                             int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Graph graph{.rows = *rows, .back = *rows, .how = *how};
    const Rows edges(*rows);
    std::vector<int32_t> level(n), queue(n), lower(n), central, end;
    std::vector<int64_t> planned;
    std::fill_n(upper, n, n);
    int64_t start = 0, radius = n;
    for (int64_t v = 1; v < n; ++v)
      if (edges.degree(v) > edges.degree(start)) start = v;
    for (int64_t turn = 0; turn < searches; ++turn) {
      std::fill(level.begin(), level.end(), -1);
      const Reached<void> reached{level.data()};
      const Found found = search(graph, std::span(&start, 1), reached, queue.data(), Watch(watch));
      if (found.count < n || Watch(watch).stopped()) return found.count;
      const int32_t own = level[queue[n - 1]];
      *longest = std::max<int64_t>(*longest, own);
      if (own < radius) {
        radius = own;
        central = level;
      }
      const int32_t most = *longest;
      int64_t count = 0;
      for (int64_t v = 0; v < n; ++v) {
        upper[v] = std::min(upper[v], level[v] + own);
        lower[v] = std::max({lower[v], level[v], own - level[v]});
        left[v] = (upper[v] > most) & (central[v] > most / 2);
        count += left[v];
      }
      if (count == 0) break;
      if (turn < 2) {
        planned = {std::max_element(level.begin(), level.end()) - level.begin()};
        end = level;
      } else if (turn == 2) {
        planned = middles(end, level);
      }
      if (!planned.empty()) {
        start = planned.back();
        planned.pop_back();
        continue;
      }
      start = std::find(left, left + n, true) - left;
      for (int64_t v = start + 1; v < n; ++v)
        if (left[v] && (turn % 2 ? lower[v] < lower[start] : upper[v] > upper[start])) start = v;
      if (turn % 4 == 2) start = busiest_neighbour(edges, start, lower, upper);
    }
    return n;
  });
}

// A breadth-first search for each row from `first` on. The entries of the result are appended behind
// ends[first]; with `origins` they hold the places of the sources they come from instead of
// predecessors. A search that reaches little costs little: only what it reached is cleared.
int64_t bfs_rows(const CompressedRows *rows, const CompressedRows *back, const Traversal *how,
                 const SourceRows *sources, bool origins, int64_t first, const ReachedRows *reached,
                 bool *at_rest, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Graph graph{.rows = *rows, .back = *back, .how = *how};
    const int64_t n = Rows(*rows).n, count = sources->begins_size - 1;
    std::vector<int64_t> words(n, -1);  // the level above the predecessor
    std::vector<int32_t> queue(n);
    const Reached<int64_t> marked{queue.data(), words.data()};
    for (int64_t i = first; i < count; ++i) {
      const int64_t start = sources->begins[i], size = sources->begins[i + 1] - start;
      const std::span mine(sources->sources + start, size);
      int64_t end = reached->ends[i];
      if (end + n > reached->vertex_size) return i;
      const Found found = search(graph, mine, marked, queue.data(), Watch(watch));
      *at_rest = *at_rest && found.at_rest;
      if (Watch(watch).stopped()) break;
      if (origins) {
        const auto come_from = [&](int32_t v, int64_t origin) {
          words[v] = words[v] >> 32 << 32 | origin;
        };
        for (int64_t k = 0; k < size; ++k) come_from(mine[k], start + k);
        for (int64_t k = size; k < found.count; ++k)
          come_from(queue[k], static_cast<int32_t>(words[static_cast<int32_t>(words[queue[k]])]));
      }
      const auto put = [&](int32_t v) {
        reached->vertex[end] = v;
        reached->level[end] = level_in(words[v]);
        reached->before[end++] = before_in(words[v]);
        words[v] = -1;
      };
      if (found.count == n) {
        put_all(words, reached->vertex + end, reached->level + end, reached->before + end);
        end += n;
      } else if (found.count * SCAN_SHARE > n) {
        for (int64_t v = 0; v < n; ++v)
          if (words[v] >= 0) put(v);
      } else {
        std::sort(queue.begin(), queue.begin() + found.count);
        for (int64_t k = 0; k < found.count; ++k) put(queue[k]);
      }
      reached->ends[i + 1] = end;
    }
    return count;
  });
}

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

int64_t fifo_level(const CompressedRows *of, const int64_t *places, int64_t places_size,
                   bool *seen, int64_t, const int64_t *frontier, int64_t frontier_size,
                   const Discoveries *found) {
  return guarded([&]() -> int64_t {
    const Rows rows(*of);
    const Values<int64_t> place(places, places_size);
    std::vector<std::pair<int64_t, int64_t>> mine;
    int64_t count = 0;
    for (int64_t i = 0; i < frontier_size; ++i) {
      const int64_t u = frontier[i];
      mine.clear();
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        const int32_t v = rows.columns[e];
        if (seen[v]) continue;
        seen[v] = true;
        mine.emplace_back(place[e], v);
      }
      const auto earlier = [](const auto &a, const auto &b) { return a.first < b.first; };
      if (!std::is_sorted(mine.begin(), mine.end(), earlier))
        std::stable_sort(mine.begin(), mine.end(), earlier);
      for (const auto &[_, v] : mine) {
        found->vertex[count] = v;
        found->found_by[count++] = u;
      }
    }
    return count;
  });
}

int64_t inherit(const int32_t *queue, int64_t queue_size, uint8_t *held, int64_t held_size,
                const int32_t *before, int64_t n) {
  const int64_t item = n > 0 ? held_size / n : 0;  // bytes of a value
  for (int64_t k = 0; k < queue_size; ++k) {
    const int64_t v = queue[k];
    std::memcpy(held + v * item, held + before[v] * item, item);
  }
  return 0;
}

int64_t dijkstra(int type, const CompressedRows *of, const void *lengths, int64_t lengths_size,
                 const int64_t *sources, int64_t sources_size, const int64_t *targets,
                 int64_t targets_size, double limit, void *distance, int64_t, int64_t *watch,
                 int64_t) {
  const auto run = [&](auto type_of_sums) -> int64_t {
    using T = typename decltype(type_of_sums)::type;
    const Rows rows(*of);
    const Values<T> length(lengths, lengths_size);
    T *const found = static_cast<T *>(distance);
    Heap heap(rows.n);
    std::vector<bool> wanted(targets_size > 0 ? rows.n : 0);
    int64_t missing = 0;
    for (int64_t i = 0; i < targets_size; ++i) {
      if (!wanted[targets[i]]) ++missing;
      wanted[targets[i]] = true;
    }
    for (int64_t i = 0; i < sources_size; ++i) {
      if (found[sources[i]] == 0) continue;
      found[sources[i]] = 0;
      heap.raise(sources[i], 0);
    }
    for (int64_t steps = 1; heap.size > 0 && !Watch(watch).stopped(); ++steps) {
      Watch(watch).done(steps);
      const int32_t u = heap.pop();
      if (missing > 0 && wanted[u] && --missing == 0) break;
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        const int32_t v = rows.columns[e];
        const T candidate = found[u] + length[e];
        if (candidate < found[v] && candidate <= limit) {
          found[v] = candidate;
          heap.raise(v, candidate);
        }
      }
    }
    return 0;
  };
  return guarded([&] { return with_float(type, run); });
}

int64_t length_table(int type, const CompressedRows *of, const void *lengths, int64_t lengths_size,
                     const int64_t *sources, int64_t sources_size, double limit, void *table,
                     int64_t table_size, int64_t *watch, int64_t) {
  const auto run = [&](auto type_of_sums) -> int64_t {
    using T = typename decltype(type_of_sums)::type;
    const Rows rows(*of);
    const Values<T> length(lengths, lengths_size);
    T *found = static_cast<T *>(table);
    std::fill_n(found, table_size, std::numeric_limits<T>::infinity());
    Heap heap(rows.n);
    for (int64_t i = 0; i < sources_size; ++i, found += rows.n) {
      found[sources[i]] = 0;
      heap.raise(sources[i], 0);
      while (heap.size > 0 && !Watch(watch).stopped()) {
        const int32_t u = heap.pop();
        const T nearest = found[u];
        for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
          const int32_t v = rows.columns[e];
          const T candidate = nearest + length[e];
          if (candidate < found[v] && candidate <= limit) {
            found[v] = candidate;
            if (!rows.dead_end(v, u)) heap.raise(v, candidate);
          }
        }
      }
    }
    return sources_size;
  };
  return guarded([&] { return with_float(type, run); });
}

// The parent of a vertex is of several vertices before it on shortest paths the nearest, and of
// equally near ones the first.
//
// A parent leaves the heap before its child, and a vertex that has left it keeps its parent. So the
// parents form a tree, also along edges of length 0.
int64_t dijkstra_tree(int type, const CompressedRows *of, const void *lengths,
                      int64_t lengths_size, double limit, int64_t source, void *distance, int64_t,
                      int64_t *parent, int64_t, int64_t *watch, int64_t) {
  const auto run = [&](auto type_of_sums) -> int64_t {
    using T = typename decltype(type_of_sums)::type;
    const Rows rows(*of);
    const Values<T> length(lengths, lengths_size);
    T *const found = static_cast<T *>(distance);
    Heap heap(rows.n);
    int64_t reached = 0;
    found[source] = 0;
    parent[source] = source;
    heap.raise(source, 0);
    while (heap.size > 0 && !Watch(watch).stopped()) {
      const int32_t u = heap.pop();
      Watch(watch).done(++reached);
      const T nearest = found[u];
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        const int32_t v = rows.columns[e];
        const T candidate = nearest + length[e];
        if (candidate < found[v]) {
          if (candidate <= limit) {
            found[v] = candidate;
            parent[v] = u;
            heap.raise(v, candidate);
          }
        } else if (candidate == found[v] && heap.place[v] >= 0) {
          const int64_t p = parent[v];
          if (u < p && nearest == found[p]) parent[v] = u;
        }
      }
    }
    return reached;
  };
  return guarded([&] { return with_float(type, run); });
}

// A round uses the values that the frontier had before it.
int64_t bellman_ford(int type, const CompressedRows *of, const void *lengths, int64_t lengths_size,
                     const Rounds *rounds, void *distance, int64_t, const Queue *frontier,
                     int64_t *changed, int64_t, int64_t *watch, int64_t) {
  const auto run = [&](auto type_of_sums) -> int64_t {
    using T = typename decltype(type_of_sums)::type;
    const Rows rows(*of);
    const Values<T> length(lengths, lengths_size);
    T *const value = static_cast<T *>(distance);
    int64_t count = frontier->length;
    std::vector<int32_t> queue(frontier->vertices, frontier->vertices + count);
    std::vector<T> held(rows.n);
    for (int64_t round = rounds->first; round <= rounds->last; ++round) {
      for (int64_t i = 0; i < count; ++i) held[i] = value[queue[i]];
      int64_t found = 0;
      for (int64_t i = 0; i < count; ++i) {
        const int32_t u = queue[i];
        for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
          const int32_t v = rows.columns[e];
          const T candidate = held[i] + length[e];
          if (candidate < value[v]) {
            value[v] = candidate;
            if (changed[v] != round) {
              changed[v] = round;
              frontier->vertices[found++] = v;
            }
          }
        }
      }
      count = found;
      queue.assign(frontier->vertices, frontier->vertices + count);
      if (count == 0 || Watch(watch).stopped()) break;
    }
    return count;
  };
  return guarded([&] { return with_float(type, run); });
}

// An in-neighbour counts that is nearer than the vertex; of equally near ones the first.
int64_t tight_parents(int type, const CompressedRows *of, const void *lengths,
                      int64_t lengths_size, const void *distance, int64_t distance_size,
                      const bool *known, int64_t, int64_t *parent, int64_t, int64_t *watch,
                      int64_t) {
  return with_type(type, [&](auto type_of_sums) -> int64_t {
    using T = typename decltype(type_of_sums)::type;
    const Rows rows(*of);
    const Values<T> length(lengths, lengths_size);
    const T *const value = static_cast<const T *>(distance);
    for (int64_t u = 0; u < distance_size && !Watch(watch).stopped(); ++u) {
      if (!known[u]) continue;
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        const int32_t v = rows.columns[e];
        const T sum = value[u] + length[e];
        if (sum == value[v] && value[u] < value[v] && known[v] &&
            (parent[v] < 0 || value[u] < value[parent[v]]))
          parent[v] = u;
      }
    }
    return 0;
  });
}
