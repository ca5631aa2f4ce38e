// Triangles, of the whole graph and at each vertex.
//
// Each edge leads to its end of higher degree (or of lower id), so that no row is longer than
// sqrt(2m), and a triangle u -> v -> w with u -> w is found once, O(m^1.5) (Latapy 2008).
//
// How many ends the rows of u and v have in common is found in one of three ways: the row of u is
// marked, and each w in the row of v is looked up; or the row of v is a bitmap, in which each w in
// the row of u is looked up; or the words of both bitmaps are compared. Vertices of high degree are
// ranked by it. Edges from a ranked vertex lead to a smaller rank, so the bitmap of a row ends at its
// own rank; it is made where it has fewer words than the row has edges.
//
// In a directed graph two vertices are joined by one edge or by two, and a triangle counts by their
// numbers. There the row of u is marked with them.
#include <algorithm>
#include <bit>
#include <type_traits>

#include "common.hpp"

using namespace lagraph;

namespace {

constexpr int64_t RANKED_DEGREE = 32;

int64_t words_below(int64_t rank) { return (rank + BITS - 1) / BITS; }

int64_t common_bits(const uint64_t *one, const uint64_t *other, int64_t words) {
  int64_t count = 0;
  for (int64_t i = 0; i < words; ++i) count += std::popcount(one[i] & other[i]);
  return count;
}

/// The edges by rows of their ends of lower degree, and the bitmaps of some rows.
struct Oriented {
  const int64_t *ends;
  const int32_t *high, *rank;
  const int64_t *place;
  const uint64_t *bitmaps;

  int64_t degree(int64_t v) const { return ends[v + 1] - ends[v]; }
  /// Whether the row of some v in the row of u has an edge: mostly that of the first.
  bool leads_on(int64_t u) const {
    return std::any_of(high + ends[u], high + ends[u + 1], [&](int32_t v) { return degree(v) > 0; });
  }
};

/// A row that is compared with others. `at` is null, or counts the triangles at each vertex.
class Row {
  const Oriented &graph;
  int64_t *const at;
  std::vector<uint8_t> mark;
  std::vector<uint64_t> bits;
  std::vector<int32_t> of_rank;
  int64_t begin = 0, end = 0;

  int64_t looked_up(int64_t v) const {
    int64_t count = 0;
    for (int64_t e = graph.ends[v]; e < graph.ends[v + 1]; ++e) {
      const int32_t w = graph.high[e];
      count += mark[w];
      if (at) at[w] += mark[w];
    }
    return count;
  }

  int64_t looked_up_in_bitmap(int64_t v) const {
    const uint64_t *const bitmap = graph.bitmaps + graph.place[v];
    int64_t count = 0;
    for (int64_t e = begin; e < end; ++e) {
      const int32_t w = graph.high[e], r = graph.rank[w];
      if (r < 0 || r >= graph.rank[v]) continue;
      const int64_t there = bitmap[r / BITS] >> r % BITS & 1;
      count += there;
      if (at) at[w] += there;
    }
    return count;
  }

  int64_t compared(int64_t v, int64_t words) const {
    const uint64_t *const bitmap = graph.bitmaps + graph.place[v];
    if (at)
      for (int64_t i = 0; i < words; ++i)
        for (uint64_t both = bits[i] & bitmap[i]; both != 0; both &= both - 1)
          ++at[of_rank[BITS * i + std::countr_zero(both)]];
    return common_bits(bits.data(), bitmap, words);
  }

 public:
  Row(const Oriented &graph, int64_t n, int64_t *at) : graph(graph), at(at), mark(n) {
    const int64_t ranked = 1 + std::max(-1, n ? *std::max_element(graph.rank, graph.rank + n) : -1);
    bits.resize(words_below(ranked));
    of_rank.resize(at ? ranked : 0);
    for (int32_t v = 0; at && v < n; ++v)
      if (graph.rank[v] >= 0) of_rank[graph.rank[v]] = v;
  }

  void mark_row(int64_t u) {
    begin = graph.ends[u];
    end = graph.ends[u + 1];
    for (int64_t e = begin; e < end; ++e) {
      const int32_t r = graph.rank[graph.high[e]];
      mark[graph.high[e]] = 1;
      if (r >= 0) bits[r / BITS] |= uint64_t{1} << r % BITS;
    }
  }

  int64_t common(int64_t v) const {
    if (graph.place[v] < 0) return looked_up(v);
    const int64_t words = words_below(graph.rank[v]);
    return end - begin < words ? looked_up_in_bitmap(v) : compared(v, words);
  }

  void unmark_row() {
    for (int64_t e = begin; e < end; ++e) {
      const int32_t r = graph.rank[graph.high[e]];
      mark[graph.high[e]] = 0;
      if (r >= 0) bits[r / BITS] = 0;
    }
  }
};

// Writes the edges in rows of their ends of lower degree, and calls also(place, entry) for each,
// before it is known whether it stays. `high` has room for one more, which is written before it is
// known to be none; false if it has not.
template <class Also>
bool write_higher(const Rows &rows, int64_t *ends, int32_t *high, int64_t high_size, Also also) {
  int64_t end = 0;
  ends[0] = 0;
  for (int32_t u = 0; u < rows.n; ++u) {
    const int64_t degree = rows.degree(u);
    for (int64_t e = rows.begins[u]; e < rows.begins[u + 1]; ++e) {
      if (end == high_size) return false;
      const int64_t other = rows.degree(rows.columns[e]);
      high[end] = rows.columns[e];
      also(end, e);
      end += (other > degree) | ((other == degree) & (rows.columns[e] < u));
    }
    ends[u + 1] = end;
  }
  return true;
}

}  // namespace

// Writes the edges in rows of their ends of lower degree; the rank of each vertex of high degree, -1
// for others; and where the words of its bitmap begin, -1 where it has none. The number of words, or
// ASYMMETRIC.
int64_t higher_ends(const CompressedRows *compressed, int64_t *ends, int64_t, int32_t *high,
                    int64_t high_size, int32_t *rank, int64_t, int64_t *place, int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    if (!write_higher(rows, ends, high, high_size, [](int64_t, int64_t) {})) return ASYMMETRIC;
    std::vector<int32_t> ranked;
    for (int32_t u = 0; u < rows.n; ++u) {
      rank[u] = place[u] = -1;
      if (rows.degree(u) >= RANKED_DEGREE) ranked.push_back(u);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [&](int32_t u, int32_t v) {
      return rows.degree(u) > rows.degree(v);
    });
    int64_t words = 0;
    for (int32_t r = 0; r < std::ssize(ranked); ++r) {
      const int32_t v = ranked[r];
      rank[v] = r;
      if (words_below(r) >= ends[v + 1] - ends[v]) continue;
      place[v] = words;
      words += words_below(r);
    }
    return words;
  });
}

// The edges as above with a number for each entry, and without ranks. 0, or ASYMMETRIC.
int64_t higher_entries(const CompressedRows *compressed, const uint8_t *edges, int64_t, int64_t *ends,
                       int64_t, int32_t *high, int64_t high_size, uint8_t *kept, int64_t) {
  const auto keep = [&](int64_t place, int64_t entry) { kept[place] = edges[entry]; };
  return write_higher(Rows(*compressed), ends, high, high_size, keep) ? 0 : ASYMMETRIC;
}

// Fills the bitmaps, which hold zeros.
int64_t row_bitmaps(const CompressedRows *higher, const RowBitmaps *bitmaps) {
  const Rows rows(*higher);
  for (int64_t v = 0; v < rows.n; ++v) {
    if (bitmaps->place[v] < 0) continue;
    for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
      const int32_t r = bitmaps->rank[rows.columns[e]];
      bitmaps->words[bitmaps->place[v] + r / BITS] |= uint64_t{1} << r % BITS;
    }
  }
  return 0;
}

// The triangles whose vertex of lowest degree is in a range. `at`, where it is not empty, gets the
// number at each vertex.
int64_t triangles_of(const CompressedRows *higher, const RowBitmaps *bitmaps, const Range *vertices,
                     int64_t *at, int64_t at_size, int64_t *watch, int64_t) {
  return guarded([&]() -> int64_t {
    const Oriented graph{higher->begins, higher->columns, bitmaps->rank, bitmaps->place,
                         bitmaps->words};
    Row row(graph, Rows(*higher).n, at_size ? at : nullptr);
    int64_t total = 0;
    for (int64_t u = vertices->first; u < vertices->end && !Watch(watch).stopped(); ++u) {
      if (graph.degree(u) < 2 || !graph.leads_on(u)) continue;
      row.mark_row(u);
      int64_t own = 0;
      for (int64_t e = graph.ends[u]; e < graph.ends[u + 1]; ++e) {
        const int64_t both = row.common(graph.high[e]);
        own += both;
        if (at_size) at[graph.high[e]] += both;
      }
      if (at_size) at[u] += own;
      total += own;
      row.unmark_row();
    }
    return total;
  });
}

// The triangles of a directed graph whose vertex of lowest degree is in a range. `edges` says for
// each entry how many edges join its ends. `at` gets at each vertex for each triangle how many edges
// the opposite side has; or, if `walks`, the product of the numbers of all sides, twice, for there
// are two directions to walk in.
int64_t directed_triangles(const CompressedRows *higher, const uint8_t *edges, int64_t,
                           const Range *vertices, bool walks, int64_t *at, int64_t, int64_t *watch,
                           int64_t) {
  const auto run = [&](auto counts_walks) -> int64_t {
    const Rows rows(*higher);
    std::vector<uint8_t> mark(rows.n);
    for (int64_t u = vertices->first; u < vertices->end && !Watch(watch).stopped(); ++u) {
      if (rows.degree(u) < 2) continue;
      const int64_t begin = rows.begins[u], end = rows.begins[u + 1];
      for (int64_t e = begin; e < end; ++e) mark[rows.columns[e]] = edges[e];
      int64_t of_u = 0;
      for (int64_t e = begin; e < end; ++e) {
        const int32_t v = rows.columns[e];
        const int64_t uv = edges[e];
        int64_t of_v = 0;
        for (int64_t f = rows.begins[v]; f < rows.begins[v + 1]; ++f) {
          const int64_t vw = edges[f], uw = mark[rows.columns[f]];
          if constexpr (counts_walks()) {
            const int64_t both_ways = 2 * uv * vw * uw;
            of_v += both_ways;
            at[rows.columns[f]] += both_ways;
          } else {
            of_u += uw > 0 ? vw : 0;
            of_v += uw;
            at[rows.columns[f]] += uw > 0 ? uv : 0;
          }
        }
        if constexpr (counts_walks()) of_u += of_v;
        at[v] += of_v;
      }
      at[u] += of_u;
      for (int64_t e = begin; e < end; ++e) mark[rows.columns[e]] = 0;
    }
    return 0;
  };
  return guarded([&] { return walks ? run(std::true_type()) : run(std::false_type()); });
}
