// For each row the label with the most votes among its entries, O(n + m).
#include "common.hpp"

using namespace lagraph;

// `label` holds the label of each column, -1 where it has none. Writes the most votes and their label
// to `top` and `best`, which holds -1; of several labels the smallest.
int64_t label_argmax(int type, const CompressedRows *compressed, const void *votes,
                     int64_t votes_size, const int32_t *label, int64_t, void *top, int64_t top_size,
                     int64_t *best, int64_t, int64_t *watch, int64_t) {
  return with_type(type, [&](auto type_of_votes) {
    using T = typename decltype(type_of_votes)::type;
    return guarded([&]() -> int64_t {
      const Rows rows(*compressed);
      const Values<T> vote(votes, votes_size);
      T *const most = static_cast<T *>(top);
      std::vector<T> sum(top_size);
      std::vector<uint8_t> listed(top_size);
      std::vector<int32_t> met;
      for (int64_t v = 0; v < rows.n && !Watch(watch).stopped(); ++v) {
        Watch(watch).done(v);
        for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
          const int32_t c = label[rows.columns[e]];
          if (c < 0) continue;
          if (!listed[c]) met.push_back(c);
          listed[c] = true;
          sum[c] += vote[e];
        }
        for (const int32_t c : met) {
          const bool first = best[v] < 0;
          if (first || sum[c] > most[v] || (sum[c] == most[v] && c < best[v])) {
            most[v] = sum[c];
            best[v] = c;
          }
          listed[c] = false;
          sum[c] = 0;
        }
        met.clear();
      }
      return 0;
    });
  });
}
