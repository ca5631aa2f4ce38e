// Shortest paths from one vertex, or a few: in order of length, and by rounds.
//
// The search in order of length is Dijkstra's algorithm with a 4-ary heap. Sums are rounded edge by
// edge from the source on, as in the rounds that define a closure under min.+, and the order does
// not change the result: for w >= 0 the rounded sum of x and w is monotone in x and never less than
// x. So the closure is the least of these sums over all paths, and a vertex that leaves the heap has
// its final value (Knuth: A generalization of Dijkstra's algorithm, Information Processing Letters
// 6, 1977).
#include <algorithm>
#include <limits>
#include <vector>

#include "common.hpp"
#include "heap.hpp"

namespace lagraph {
namespace {

/// Dijkstra's loop: takes vertices out of the heap in order of `found`, their length, until
/// `last(u)` says that nobody asks for those after u. Each edge from u to v is relaxed by
/// `relax(u, v, length)` with the length of the way to v through u.
template <class T, class Last, class Relax>
void settle(const Rows &rows, const Values<T> &length, const T *found, Heap &heap, Watch watch,
            Last last, Relax relax) {
  while (heap.size > 0 && !watch.stopped()) {
    const int32_t u = heap.pop();
    if (last(u)) return;
    const T nearest = found[u];
    for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e)
      relax(u, rows.columns[e], nearest + length[e]);
  }
}

}  // namespace
}  // namespace lagraph

using namespace lagraph;

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
    int64_t settled = 0;
    const auto last = [&](int32_t u) {
      Watch(watch).done(++settled);
      return missing > 0 && wanted[u] && --missing == 0;
    };
    settle(rows, length, found, heap, Watch(watch), last, [&](int32_t, int32_t v, T candidate) {
      if (candidate < found[v] && candidate <= limit) {
        found[v] = candidate;
        heap.raise(v, candidate);
      }
    });
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
      const auto last = [](int32_t) { return false; };
      settle(rows, length, found, heap, Watch(watch), last, [&](int32_t u, int32_t v, T candidate) {
        if (candidate < found[v] && candidate <= limit) {
          found[v] = candidate;
          if (!rows.dead_end(v, u)) heap.raise(v, candidate);
        }
      });
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
    const auto last = [&](int32_t) {
      Watch(watch).done(++reached);
      return false;
    };
    settle(rows, length, found, heap, Watch(watch), last, [&](int32_t u, int32_t v, T candidate) {
      if (candidate < found[v]) {
        if (candidate > limit) return;
        found[v] = candidate;
        parent[v] = u;
        heap.raise(v, candidate);
      } else if (candidate == found[v] && heap.place[v] >= 0) {
        const int64_t p = parent[v];
        if (u < p && found[u] == found[p]) parent[v] = u;
      }
    });
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
