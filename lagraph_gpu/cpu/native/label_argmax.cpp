// For each row the label with the most votes among its entries, O(n + m): once, and in rounds in which
// the labels that are found vote next.
#include <algorithm>
#include <bit>
#include <numeric>
#include <type_traits>
#include <utility>

#include "rounds.hpp"

namespace lagraph {
namespace {

/// A number that is larger for more votes, and of as many for a smaller label.
uint64_t standing(uint32_t votes, int32_t label) { return uint64_t{votes} << 32 | ~uint32_t(label); }

int32_t label_of(uint64_t standing) { return static_cast<int32_t>(~standing); }

/// One vote of each entry.
struct Equal {
  uint32_t operator[](int64_t) const { return 1; }
};

/// Elections among the neighbours of one vertex after another.
template <class Votes>
class Elections {
 public:
  Elections(Rows rows, Votes vote) : rows(rows), vote(vote), sum(rows.n) {}

  /// The label with the most votes among the entries of a row of a length that is a constant; of several
  /// the smallest. Each is compared with each.
  template <int64_t length>
  int32_t among_few(const int32_t *label, int64_t v) const {
    const int64_t begin = rows.begins[v];
    int32_t of[length];
    uint32_t votes[length];
    for (int64_t i = 0; i < length; ++i) {
      of[i] = label[rows.columns[begin + i]];
      votes[i] = static_cast<uint32_t>(vote[begin + i]);
    }
    uint64_t best = 0;
    for (int64_t i = 0; i < length; ++i) {
      uint32_t all = 0;
      for (int64_t j = 0; j < length; ++j) all += of[j] == of[i] ? votes[j] : 0;
      best = std::max(best, standing(all, of[i]));
    }
    return label_of(best);
  }

  /// The same for other rows, in which votes are added up in a table.
  int32_t among_many(const int32_t *label, int64_t v, int64_t length) {
    const int64_t begin = rows.begins[v];
    met.resize(std::max<size_t>(met.size(), length));
    for (int64_t i = 0; i < length; ++i) {
      met[i] = label[rows.columns[begin + i]];
      sum[met[i]] += static_cast<uint32_t>(vote[begin + i]);
    }
    uint64_t best = 0;
    for (int64_t i = 0; i < length; ++i)  // a label that comes again has no votes then
      best = std::max(best, standing(std::exchange(sum[met[i]], 0), met[i]));
    return label_of(best);
  }

 private:
  const Rows rows;
  const Votes vote;
  std::vector<uint32_t> sum;
  std::vector<int32_t> met;
};

}  // namespace
}  // namespace lagraph

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

// In each round the label of every vertex becomes the one with the most votes among its neighbours.
int64_t propagate_labels(const CompressedRows *compressed, const int64_t *votes, int64_t votes_size,
                         const LabelRounds *most, int64_t *labels, int64_t n, int64_t *watch,
                         int64_t) {
  return guarded([&]() -> int64_t {
    const Rows rows(*compressed);
    const auto elect = [&](auto vote) -> int64_t {
      Elections elections(rows, vote);
      ByLength by_length(rows);
      by_length.sort(0, n);
      std::vector<int32_t> label(n), next(n), earlier;
      std::iota(label.begin(), label.end(), 0);
      std::iota(next.begin(), next.end(), 0);
      int64_t rounds = most->rounds, earlier_round = 0;
      for (int64_t round = 1; round <= rounds && !Watch(watch).stopped(); ++round) {
        bool changed = false;
        for_parts(0, n, [&](int64_t first, int64_t end) {
          if (Watch(watch).stopped()) return;
          by_length.each_constant(first, end, [&](int64_t v, auto length) {
            if constexpr (std::is_same_v<decltype(length), int64_t>)
              next[v] = elections.among_many(label.data(), v, length);
            else if constexpr (length > 0)
              next[v] = elections.template among_few<length>(label.data(), v);
            changed |= next[v] != label[v];
          });
        });
        if (!changed) break;
        std::swap(label, next);
        if (label == earlier) {
          rounds = round + (rounds - round) % (round - earlier_round);
        } else if (round >= most->first_mark && std::has_single_bit(static_cast<uint64_t>(round))) {
          earlier = label;
          earlier_round = round;
        }
        Watch(watch).done(round);
      }
      std::copy(label.begin(), label.end(), labels);
      return 0;
    };
    return votes_size > 1 ? elect(votes) : elect(Equal());
  });
}
