// Connected components and spanning forests by union-find.
//
// A component is a tree of parents whose root is its smallest vertex, and an edge joins two trees at
// their roots. After two edges of each vertex most vertices are in one tree, and the other edges of
// its vertices, and of those that join it later, need not be read, because the edges of the other trees'
// vertices lead there as well (Sutton, Ben-Nun, Barak: Optimizing parallel graph connectivity computation
// via subgraph sampling, IPDPS 2018).
//
// A spanning forest is computed by Boruvka's algorithm: each tree takes the best edge that leaves it
// (of equal ones the first), until there is none. In the first round a tree is a vertex, and its row has
// its edges in their order. Edges within a tree are dropped on the way. Where there are many edges,
// the better ones come first, and of the others those that lead from one of their trees to another
// (Osipov, Sanders, Singler: The filter-Kruskal minimum spanning tree algorithm, ALENEX 2009).
#include <algorithm>
#include <cstring>
#include <numeric>

#include "common.hpp"

namespace lagraph {
namespace {

// The number of edges of each vertex that join trees first.
constexpr int64_t NEIGHBOR_ROUNDS = 2;

// In a symmetric matrix of up to so many entries a vertex each edge joins trees once, from its larger end,
// and no tree is looked for.
constexpr int64_t FEW_ENTRIES = 4;

// The number of vertices in the sample that finds the largest tree.
constexpr int64_t SAMPLE = 1024;

template <class Parent>
struct Forest {
  Parent *parent;

  /// The root of a vertex. The path to it is halved on the way.
  int64_t find(int64_t v) const {
    while (parent[v] != parent[parent[v]]) {
      parent[v] = parent[parent[v]];
      v = parent[v];
    }
    return parent[v];
  }

  /// Joins two trees under the smaller root. Returns true if they were different.
  bool unite(int64_t u, int64_t v) const {
    const int64_t a = find(u), b = find(v);
    parent[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

  /// The root of the tree that holds most of a sample; 0 if there are no vertices.
  int64_t largest(int64_t n) const {
    std::vector<int32_t> held(n);
    int64_t best = 0;
    for (int64_t v = 0; v < n; v += std::max<int64_t>(1, n / SAMPLE)) {
      const int64_t root = find(v);
      if (++held[root] > held[best]) best = root;
    }
    return best;
  }
};

/// Marks the entry e of an edge from u, and the one that leads back, which bisection finds. Returns
/// false if there is none.
bool mark(Rows rows, int64_t u, int64_t e, bool *chosen) {
  const int64_t v = rows.columns[e];
  const int32_t *const first = rows.columns + rows.begins[v];
  const int32_t *const last = rows.columns + rows.begins[v + 1];
  const int32_t *const back = std::lower_bound(first, last, u);
  if (back == last || *back != u) return false;
  chosen[e] = chosen[back - rows.columns] = true;
  return true;
}

/// The place of an edge, and the end whose row it is in.
struct Taken {
  int64_t place;
  int32_t source;
};

// What marking an edge reads is asked for so many edges before it, and the row twice as many.
constexpr int64_t MARKS_AHEAD = 8;

/// Marks edges from both ends. 0, or ASYMMETRIC.
int64_t mark_all(Rows rows, const std::vector<Taken> &taken, bool *chosen, Watch watch) {
  const int64_t count = taken.size();
  for (int64_t i = 0; i < count && !watch.stopped(); ++i) {
    const int64_t next = i + MARKS_AHEAD, later = next + MARKS_AHEAD, last = later + MARKS_AHEAD;
    if (last < count) __builtin_prefetch(rows.columns + taken[last].place);
    if (later < count) __builtin_prefetch(rows.begins + rows.columns[taken[later].place]);
    if (next < count) {
      const int64_t first = rows.begins[rows.columns[taken[next].place]];
      __builtin_prefetch(rows.columns + first);
      __builtin_prefetch(chosen + first, 1);
    }
    if (!mark(rows, taken[i].source, taken[i].place, chosen)) return ASYMMETRIC;
  }
  return 0;
}

/// The best edge of a tree, and its weight.
template <class T>
struct Best {
  int64_t edge = -1;
  T weight{};
};

/// An edge between two trees, which have numbers of their own in each round.
template <class T>
struct Edge {
  int64_t place;
  T weight;
  int32_t one, other, source;
};

// The better edges are about so many times as many as the vertices: of random ones they join nearly
// all vertices that are joined at all.
constexpr int64_t BETTER = 2;

/// The weight up to which about so many of all entries are better, by a sample.
template <class T, class Better>
T pivot_of(Values<T> weights, int64_t entries, int64_t wanted, Better better) {
  std::vector<T> sample;
  for (int64_t e = 0; e < entries; e += std::max<int64_t>(1, entries / SAMPLE))
    if (weights[e] == weights[e]) sample.push_back(weights[e]);  // not NaN, which has no place
  if (sample.empty()) return weights[0];
  const auto pivot = sample.begin() + sample.size() * (static_cast<double>(wanted) / entries);
  std::nth_element(sample.begin(), pivot, sample.end(), better);
  return *pivot;
}

/// Marks a minimum (or if `heaviest` maximum) spanning forest.
template <class T>
struct SpanningForest {
  const Rows rows;
  const Values<T> weights;
  const bool heaviest;
  bool *const chosen;
  const Watch watch;
  std::vector<int32_t> tree;  // the number of each vertex' tree
  int64_t trees = 0;          // more than each of these numbers
  std::vector<Edge<T>> edges;
  std::vector<Taken> taken;

  bool better(T one, T other) const { return heaviest ? one > other : one < other; }

  /// The first round: each vertex takes the best entry of its row.
  void join_vertices() {
    std::vector<int32_t> parent(rows.n);
    std::iota(parent.begin(), parent.end(), 0);
    const Forest<int32_t> forest{parent.data()};
    for (int64_t u = 0; u < rows.n && !watch.stopped(); ++u) {
      int64_t best = -1;
      T least{};
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        const T w = weights[e];
        if (rows.columns[e] == u || (best >= 0 && !better(w, least))) continue;
        best = e;
        least = w;
      }
      if (best >= 0 && forest.unite(u, rows.columns[best]))
        taken.push_back({best, static_cast<int32_t>(u)});
    }
    tree.resize(rows.n);
    for (int64_t v = 0; v < rows.n; ++v) {  // a root comes before the others of its tree
      const int64_t root = forest.find(v);
      tree[v] = root == v ? trees++ : tree[root];
    }
  }

  /// Lists the edges between trees for which `wanted` holds, and joins trees along them until none
  /// is left. If others follow, each vertex then knows the number of its tree.
  template <class Wanted>
  void join(Wanted wanted, bool others_follow) {
    std::vector<int32_t> joined(others_follow ? trees : 0);
    std::iota(joined.begin(), joined.end(), 0);
    const Forest<int32_t> all{joined.data()};
    for (int64_t u = 0; u < rows.n && !watch.stopped(); ++u) {
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        const int32_t v = rows.columns[e];
        const T w = weights[e];
        if (v > u && wanted(w) && tree[u] != tree[v])
          edges.push_back({e, w, tree[u], tree[v], static_cast<int32_t>(u)});
      }
    }
    int64_t left = trees;
    std::vector<Best<T>> best(left);
    std::vector<int32_t> parent(left), number(left);
    while (!edges.empty() && !watch.stopped()) {
      watch.done(rows.n - left);
      std::fill_n(best.begin(), left, Best<T>());
      std::iota(parent.begin(), parent.begin() + left, 0);
      for (int64_t i = 0; i < static_cast<int64_t>(edges.size()) && !watch.stopped(); ++i) {
        const T w = edges[i].weight;
        for (const int32_t c : {edges[i].one, edges[i].other}) {
          if (best[c].edge < 0 || better(w, best[c].weight)) best[c] = {i, w};
        }
      }
      const Forest<int32_t> forest{parent.data()};
      for (int64_t c = 0; c < left; ++c) {
        if (best[c].edge < 0) continue;
        const Edge<T> &edge = edges[best[c].edge];
        if (!forest.unite(edge.one, edge.other)) continue;
        taken.push_back({edge.place, edge.source});
        if (others_follow) all.unite(tree[edge.source], tree[rows.columns[edge.place]]);
      }
      int64_t used = 0;
      for (int64_t c = 0; c < left; ++c) {  // a root comes before the others of its tree
        const int64_t root = forest.find(c);
        number[c] = root == c ? used++ : number[root];
      }
      const auto within = [&](Edge<T> &edge) {
        edge.one = number[edge.one];
        edge.other = number[edge.other];
        return edge.one == edge.other;
      };
      edges.erase(std::remove_if(edges.begin(), edges.end(), within), edges.end());
      left = used;
    }
    for (int64_t v = 0; others_follow && v < rows.n; ++v) tree[v] = all.find(tree[v]);
  }

  /// 0, or ASYMMETRIC.
  int64_t run(int64_t entries) {
    taken.reserve(std::min(rows.n, entries / 2));
    join_vertices();
    const int64_t some = 2 * BETTER * rows.n;  // an edge is two entries
    if (2 * entries <= 3 * some) {
      edges.reserve(entries / 2);
      join([](T) { return true; }, false);
    } else {
      const auto before = [&](T one, T other) { return better(one, other); };
      const T pivot = pivot_of(weights, entries, some, before);
      edges.reserve(some);
      join([&](T w) { return !better(pivot, w); }, true);
      join([&](T w) { return better(pivot, w); }, false);
    }
    return mark_all(rows, taken, chosen, watch);
  }
};

}  // namespace
}  // namespace lagraph

using namespace lagraph;

// Writes the smallest vertex in the component of each vertex to `label`. Edges join in both directions;
// of a matrix that is `symmetric` not all need be read.
int64_t connected_components(const CompressedRows *compressed, bool symmetric, int64_t *label,
                             int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    std::iota(label, label + rows.n, 0);
    const Forest<int64_t> forest{label};
    const bool sparse = symmetric && compressed->columns_size <= FEW_ENTRIES * rows.n;
    const int64_t most = sparse ? compressed->columns_size : NEIGHBOR_ROUNDS;
    int64_t trees = rows.n;
    bool more = false;
    for (int64_t v = 0; v < rows.n && trees > 1; ++v) {
      if (Watch(watch).stopped()) return 0;
      const int64_t last = std::min(rows.begins[v] + most, rows.begins[v + 1]);
      for (int64_t e = rows.begins[v]; e < last; ++e) {
        if (symmetric && rows.columns[e] > v) break;  // the other end joins them, now or below
        trees -= forest.unite(v, rows.columns[e]);
      }
      more |= last < rows.begins[v + 1];
    }
    more = more && trees > 1;
    const int64_t giant = more ? forest.largest(rows.n) : 0;
    const int64_t joined = symmetric ? 0 : NEIGHBOR_ROUNDS;
    for (int64_t v = 0; v < rows.n && more && trees > 1; ++v) {
      if (Watch(watch).stopped()) return 0;
      const auto within = [&] { return symmetric && forest.find(v) == forest.find(giant); };
      for (int64_t e = rows.begins[v] + joined; e < rows.begins[v + 1] && !within(); ++e)
        trees -= forest.unite(v, rows.columns[e]);
    }
    for (int64_t v = 0; v < rows.n; ++v) label[v] = label[label[v]];  // smaller first
    return 0;
  });
}

// Writes the smallest vertex in the component of each vertex to `parent`, where each is its own. Only edges
// between vertices of one label join.
int64_t connected_parts(const CompressedRows *compressed, const int32_t *label, int64_t,
                        int64_t *parent, int64_t, int64_t *watch, int64_t) {
  const Rows rows(*compressed);
  const Forest<int64_t> forest{parent};
  for (int64_t v = 0; v < rows.n && !Watch(watch).stopped(); ++v)
    for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e)
      if (label[rows.columns[e]] == label[v]) forest.unite(v, rows.columns[e]);
  for (int64_t v = 0; v < rows.n; ++v) parent[v] = forest.find(v);
  return 0;
}

// Joins the trees in `label`, where each vertex is its own or one of a smaller number in its tree,
// along the edges of own rows that have these places in their row, and writes the root of each
// vertex. Rows in the tree of `skipped` are skipped, unless that is negative.
int64_t join_own_rows(const CompressedRows *compressed, const OwnRows *own, int64_t skipped,
                      const Range *places, int64_t *label, int64_t label_size) {
  const Rows rows(*compressed);
  const auto [parts, rank] = *own;
  const auto [first, last] = *places;
  const Forest<int64_t> forest{label};
  for (int64_t row = 0; row < rows.n; ++row) {
    const int64_t v = row * parts + rank;
    if (skipped >= 0 && forest.find(v) == forest.find(skipped)) continue;
    const int64_t end = std::min(last, rows.degree(row));
    for (int64_t at = first; at < end; ++at) forest.unite(v, rows.columns[rows.begins[row] + at]);
  }
  for (int64_t v = 0; v < label_size; ++v) label[v] = forest.find(v);
  return 0;
}

// Joins the trees in `label`, where each vertex is its own or one of a smaller number in its tree,
// along pairs of vertices, and writes the root of each vertex.
int64_t join_pairs(const int32_t *one, int64_t count, const int32_t *other, int64_t,
                   int64_t *label, int64_t label_size) {
  const Forest<int64_t> forest{label};
  for (int64_t i = 0; i < count; ++i) forest.unite(one[i], other[i]);
  for (int64_t v = 0; v < label_size; ++v) label[v] = forest.find(v);
  return 0;
}

// Marks a spanning forest of equal weights: each edge, from both ends, that joins two trees. 0, or
// ASYMMETRIC.
int64_t spanning_forest(const CompressedRows *compressed, bool *chosen, int64_t, int64_t *watch,
                        int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    std::vector<int64_t> parent(rows.n);
    std::iota(parent.begin(), parent.end(), 0);
    const Forest<int64_t> forest{parent.data()};
    for (int64_t u = 0; u < rows.n && !Watch(watch).stopped(); ++u) {
      Watch(watch).done(u);
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e)
        if (rows.columns[e] > u && forest.unite(u, rows.columns[e]) && !mark(rows, u, e, chosen))
          return ASYMMETRIC;
    }
    return 0;
  });
}

// Marks the edges, from both ends, of a minimum (or if `heaviest` maximum) spanning forest. The
// trees of a round are numbered anew, and the edges between them hold these numbers and their
// weights side by side, so that a round reads them in order. 0, or ASYMMETRIC.
int64_t boruvka(int type, const CompressedRows *compressed, const void *weights,
                int64_t weights_size, bool heaviest, bool *chosen, int64_t, int64_t *watch,
                int64_t) {
  return with_type(type, [&](auto type_of_weights) {
    using T = typename decltype(type_of_weights)::type;
    return guarded([&]() -> int64_t {
      const Rows rows(*compressed);
      const Values<T> held(weights, weights_size);
      return SpanningForest<T>{rows, held, heaviest, chosen, Watch(watch), {}, 0, {}, {}}.run(
          compressed->columns_size);
    });
  });
}

// Writes the row offsets of the entries that are marked, and their columns and values. A value has
// `item` bytes; if that is 0, none is written.
int64_t marked_rows(const CompressedRows *compressed, int64_t item, const uint8_t *values, int64_t,
                    const bool *chosen, int64_t, int64_t *offsets, int64_t, int32_t *kept, int64_t,
                    uint8_t *held, int64_t) {
  const Rows rows(*compressed);
  int64_t count = 0;
  offsets[0] = 0;
  for (int64_t v = 0; v < rows.n; ++v) {
    for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
      if (!chosen[e]) continue;
      kept[count] = rows.columns[e];
      std::memcpy(held + count++ * item, values + e * item, item);
    }
    offsets[v + 1] = count;
  }
  return count;
}
