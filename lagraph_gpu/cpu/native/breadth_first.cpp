// Breadth-first searches from one source, or from one after another.
#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "breadth_first.hpp"
#include "common.hpp"

namespace lagraph {
namespace {

// To sort one vertex in so many takes as long as a scan of all: with 200,000 vertices 0.145 ms and
// 0.099 at one in 64, 0.063 and 0.078 at one in 128.
constexpr int64_t SCAN_SHARE = 64;

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

/// The same of the vertices that are reached. Returns how many they are. What is written of others is
/// written over by the next: a branch would be guessed wrong where about half are reached.
int64_t put_reached(std::vector<int64_t> &words, int32_t *__restrict vertex, int32_t *__restrict level,
                    int64_t *__restrict before) {
  int64_t *__restrict word = words.data();
  int64_t count = 0;
  for (int64_t v = 0, n = words.size(); v < n; ++v) {
    vertex[count] = v;
    level[count] = level_in(word[v]);
    before[count] = before_in(word[v]);
    count += word[v] >= 0;
    word[v] = -1;
  }
  return count;
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
      int32_t *const vertex = reached->vertex + end, *const level = reached->level + end;
      int64_t *const before = reached->before + end;
      if (found.count == n) {
        put_all(words, vertex, level, before);
        end += n;
      } else if (found.count * SCAN_SHARE > n) {
        end += put_reached(words, vertex, level, before);
      } else {
        std::sort(queue.begin(), queue.begin() + found.count);
        for (int64_t k = 0; k < found.count; ++k) {
          int64_t &word = words[vertex[k] = queue[k]];
          level[k] = level_in(word);
          before[k] = before_in(word);
          word = -1;
        }
        end += found.count;
      }
      reached->ends[i + 1] = end;
    }
    return count;
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
