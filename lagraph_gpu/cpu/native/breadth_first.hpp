// A breadth-first search pushes along the edges that leave the frontier. Once many vertices are
// reached it pulls instead: each vertex that is not reached looks for a neighbour in the frontier
// and stops at the first (Beamer, Asanovic, Patterson: Direction-optimizing breadth-first search,
// SC 2012).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "common.hpp"

namespace lagraph {

// A pull reads all vertices, so it does not pay if the frontier has fewer than one vertex in so many
// (Beamer's beta, with his value).
constexpr int64_t BETA = 24;

/// Whether a pull may pay. In deep graphs the first question is asked once for each few vertices.
inline bool pull_pays(const Frontier &frontier) {
  return frontier.vertices * BETA > frontier.n &&
         frontier.edges * frontier.alpha > frontier.edges_left;
}

/// About how often a pull looks: at each of the `left` vertices that are not reached, and at their
/// neighbours up to the first in the frontier. An edge of theirs leads there by the share that the
/// frontier has of the edges that are left.
inline int64_t looks_of_pull(const Frontier &frontier, int64_t left) {
  const double each = static_cast<double>(frontier.edges_left) / frontier.edges;
  return left + std::min<double>(frontier.edges_left, left * each);
}

struct Found {
  int64_t count;
  bool at_rest;
};

/// The level of each vertex and its predecessor, which hold -1 until it is reached.
template <class Before>
struct Reached {
  int32_t *const level;
  Before *const before;

  bool reaches(int64_t v) const { return level[v] >= 0; }
  bool in(int64_t v, int64_t depth) const { return level[v] == depth; }
  void put(int64_t v, int64_t depth, int64_t u) const {
    level[v] = depth;
    before[v] = u;
  }
  void end(int64_t) const {}
};

/// The level in a word that has it above a predecessor, and the predecessor. Of -1 both are -1. There are
/// vector instructions for these conversions, but none of SSE2 for a shift that keeps the sign.
inline int32_t level_in(int64_t word) { return static_cast<uint64_t>(word) >> 32; }
inline int64_t before_in(int64_t word) { return static_cast<int32_t>(word); }

/// With 64 bits for a predecessor, the level is kept above it until the end, so that a vertex is one
/// place in memory. Until then the array of levels is free, and may be that of the queue.
template <>
struct Reached<int64_t> {
  int32_t *const level;
  int64_t *const before;

  bool reaches(int64_t v) const { return before[v] >= 0; }
  bool in(int64_t v, int64_t depth) const { return before[v] >> 32 == depth; }
  void put(int64_t v, int64_t depth, int64_t u) const { before[v] = depth << 32 | u; }
  void end(int64_t n) const {
    int32_t *__restrict levels = level;
    int64_t *__restrict words = before;
    for (int64_t v = 0; v < n; ++v) {
      levels[v] = level_in(words[v]);
      words[v] = before_in(words[v]);
    }
  }
};

/// Only the level of each vertex.
template <>
struct Reached<void> {
  int32_t *const level;

  bool reaches(int64_t v) const { return level[v] >= 0; }
  bool in(int64_t v, int64_t depth) const { return level[v] == depth; }
  void put(int64_t v, int64_t depth, int64_t) const { level[v] = depth; }
};

/// What a breadth-first search reads. The transpose may have no rows; then there are no pulls.
struct Graph {
  const CompressedRows &rows, &back;
  const Traversal &how;
};

/// Breadth-first search: writes the level of each vertex and its predecessor, and the vertices in the
/// order in which they are reached to `queue`. Once all are reached, nothing more is looked at. The
/// levels are left above predecessors of 64 bits.
template <class Before>
Found search(const Graph &graph, std::span<const int64_t> sources, Reached<Before> reached,
             int32_t *queue, Watch watch) {
  const Rows rows(graph.rows), back(graph.back);
  const auto [alpha, max_level] = graph.how;
  const int64_t n = rows.n;
  int64_t tail = 0, first = 0, counted = 0, edges_left = graph.rows.columns_size;
  for (const int64_t source : sources) {
    reached.put(source, 0, source);
    queue[tail++] = source;
  }
  const auto edges_to = [&](int64_t end) {
    int64_t edges = 0;
    for (; counted < end; ++counted) edges += rows.degree(queue[counted]);
    return edges;
  };
  const auto worth_a_pull = [&](int64_t end) {  // degrees are added up where it may be
    Frontier frontier{.edges = edges_left, .edges_left = 0, .vertices = end - first, .n = n,
                      .alpha = alpha};
    if (back.n < 0 || !pull_pays(frontier)) return false;
    frontier.edges_left = edges_left -= edges_to(first);
    frontier.edges = edges_to(end);
    edges_left -= frontier.edges;
    return pull_pays(frontier) && 2 * frontier.edges > looks_of_pull(frontier, n - end);
  };
  int64_t depth = 0, end = tail;
  for (; first < end && tail < n && depth < max_level && !watch.stopped(); first = end, end = tail) {
    watch.done(end);
    const bool pull = worth_a_pull(end);
    ++depth;
    if (pull) {
      for (int64_t v = 0; v < n; ++v) {
        if (reached.reaches(v)) continue;
        for (int64_t e = back.begins[v]; e < back.begins[v + 1]; ++e) {
          if (reached.in(back.columns[e], depth - 1)) {
            reached.put(v, depth, back.columns[e]);
            queue[tail++] = v;
            break;
          }
        }
      }
      continue;
    }
    for_edges_from(rows, queue, first, end, watch, [&](int32_t u, int32_t v) {
      if (reached.reaches(v)) return;
      reached.put(v, depth, u);
      queue[tail++] = v;
    });
  }
  return {tail, first == end || (tail == n && depth < max_level)};
}

}  // namespace lagraph
