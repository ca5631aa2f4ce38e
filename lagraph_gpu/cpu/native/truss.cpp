// Trusses: edges in too few triangles are removed, and each takes its triangles with it.
//
// The support of an edge, the number of triangles that it lies in, is counted once. Each edge leads
// to its end of higher degree (or of lower id), so that no list of neighbours is longer than
// sqrt(2m), and a triangle is found once, O(m^1.5). Then every edge of too little support is
// removed: of each triangle in which it still is, the other two edges lose one of their support. A
// triangle is looked for from the edge's end of lower degree, while the neighbours of the other end
// are marked: all removals are O(m^1.5) too, as the sum over all edges of the lower degree (Chiba
// and Nishizeki 1985). Where few edges wait at a vertex of many neighbours, it may come again and
// again: then its edges are found by bisection, in O(m^1.5 log m).
#include <algorithm>
#include <bit>

#include "common.hpp"

using namespace lagraph;

// The edges in rows, each in that of its end of lower degree: row offsets, that end, the other; and
// the number of the edge of each entry. 0, or ASYMMETRIC.
int64_t oriented_edges(const CompressedRows *compressed, int64_t *ends, int64_t, int32_t *low,
                       int64_t, int32_t *high, int64_t, int32_t *number, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    std::vector<int64_t> after(rows.begins, rows.begins + rows.n), free;
    ends[0] = 0;
    for (int64_t u = 0; u < rows.n; ++u) {
      int64_t count = 0;
      for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
        const int64_t other = rows.degree(rows.columns[e]);
        count += other > rows.degree(u) || (other == rows.degree(u) && rows.columns[e] < u);
      }
      ends[u + 1] = ends[u] + count;
    }
    if (2 * ends[rows.n] != rows.begins[rows.n]) return ASYMMETRIC;
    free.assign(ends, ends + rows.n);
    for (int32_t u = 0; u < rows.n; ++u) {
      for (int64_t e = after[u]; e < rows.begins[u + 1]; ++e) {  // those before lead to lower ids
        const int32_t v = rows.columns[e];
        const bool forward = rows.degree(v) > rows.degree(u);
        const int64_t place = free[forward ? u : v]++;
        if (place >= ends[(forward ? u : v) + 1] || after[v] >= rows.begins[v + 1])
          return ASYMMETRIC;
        low[place] = forward ? u : v;
        high[place] = forward ? v : u;
        number[e] = number[after[v]++] = place;
      }
    }
    return 0;
  });
}

// For each edge the triangles whose vertex of lowest degree is in this range.
int64_t edge_supports(const CompressedRows *higher, const Range *vertices, int32_t *support,
                      int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const int64_t *const ends = higher->begins;
    const int32_t *const high = higher->columns;
    std::vector<int32_t> mark(Rows(*higher).n, -1);
    for (int64_t u = vertices->first; u < vertices->end && !Watch(watch).stopped(); ++u) {
      for (int64_t e = ends[u]; e < ends[u + 1]; ++e) mark[high[e]] = e;
      for (int64_t e = ends[u]; e < ends[u + 1]; ++e) {
        int32_t own = 0;
        for (int64_t f = ends[high[e]]; f < ends[high[e] + 1]; ++f) {
          const int32_t third = mark[high[f]];
          if (third < 0) continue;
          ++own;
          ++support[third];
          ++support[f];
        }
        support[e] += own;
      }
      for (int64_t e = ends[u]; e < ends[u + 1]; ++e) mark[high[e]] = -1;
    }
    return 0;
  });
}

// Which edges stay when those of a support below `least` are removed, again and again.
//
// The edges to remove wait in a list at their end of higher degree, and these vertices on a stack.
int64_t truss_edges(const CompressedRows *compressed, int64_t least, const int32_t *number, int64_t,
                    const int32_t *low, int64_t, const int32_t *high, int64_t, int32_t *support,
                    int64_t support_size, bool *stays, int64_t, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    const int32_t *const columns = rows.columns;
    std::vector<int32_t> mark(rows.n, -1), first(rows.n, -1), after(support_size), stack;
    std::vector<int64_t> looks(rows.n);  // from the edges that wait, each for an edge of this end
    const auto wait = [&](int32_t edge) {
      looks[high[edge]] += rows.degree(low[edge]);
      after[edge] = first[high[edge]];
      first[high[edge]] = edge;
    };
    for (int32_t e = 0; e < support_size; ++e) {
      if (support[e] == 0) {
        stays[e] = false;
      } else if (support[e] < least) {
        if (first[high[e]] < 0) stack.push_back(high[e]);
        wait(e);
      }
    }
    while (!stack.empty() && !Watch(watch).stopped()) {
      const int32_t u = stack.back();
      stack.pop_back();
      const int32_t *const begin = columns + rows.begins[u];
      const int32_t *const end = columns + rows.begins[u + 1];
      const int64_t steps = std::bit_width(static_cast<uint64_t>(end - begin));
      const bool marked = looks[u] * steps >= end - begin;
      const auto edge_to = [&](int32_t v) -> int32_t {
        if (marked) return mark[v];
        const int32_t *const at = std::lower_bound(begin, end, v);
        const bool there = at < end && *at == v && stays[number[at - columns]];
        return there ? number[at - columns] : -1;
      };
      for (int64_t e = rows.begins[u]; marked && e < rows.begins[u + 1]; ++e)
        if (stays[number[e]]) mark[columns[e]] = number[e];
      while (first[u] >= 0) {
        const int32_t gone = first[u];
        first[u] = after[gone];
        stays[gone] = false;
        mark[low[gone]] = -1;
        if (support[gone] == 0) continue;
        for (int64_t f = rows.begins[low[gone]]; f < rows.begins[low[gone] + 1]; ++f) {
          if (!stays[number[f]]) continue;
          const int32_t side = edge_to(columns[f]);
          if (side < 0) continue;
          for (const int32_t edge : {side, number[f]}) {
            if (--support[edge] != least - 1) continue;
            const int32_t w = high[edge];
            if (first[w] < 0 && w != u) stack.push_back(w);
            wait(edge);
          }
        }
      }
      for (int64_t e = rows.begins[u]; marked && e < rows.begins[u + 1]; ++e) mark[columns[e]] = -1;
      looks[u] = 0;
    }
    return 0;
  });
}
