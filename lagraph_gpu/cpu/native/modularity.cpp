// The sums of weights that modularity compares, O(n + m).
#include "common.hpp"

using namespace lagraph;

namespace {

struct Sums {
  Rows rows;
  const int32_t *label;
  bool twice;
  double *leaving, *entering, *sums;

  /// Adds up the values of a row, which are whole numbers where they are so, times `factor`.
  template <class T, class Value>
  void add(int64_t v, Value value, double factor) const {
    const int32_t mine = label[v];
    const T more = twice;
    T all = 0, inside = 0;
    for (int64_t e = rows.begins[v]; e < rows.begins[v + 1]; ++e) {
      const int32_t u = rows.columns[e];
      const T x = value(e) * (1 + static_cast<T>(u == v) * more);
      all += x;
      inside += x * static_cast<T>(label[u] == mine);  // a branch would be mispredicted
      if (entering) entering[label[u]] += x * factor;
    }
    leaving[mine] += all * factor;
    sums[0] += all * factor;
    sums[1] += inside * factor;
  }
};

}  // namespace

// Adds up the values times `factor`, and a loop `twice` if so it is: those of the rows of each label
// in `leaving`, those of its columns in `entering` if that has room, all in the first of `sums`, and
// those between equal labels in the second.
int64_t community_sums(const CompressedRows *compressed, const double *values, int64_t values_size,
                       double factor, bool twice, const int32_t *label, int64_t, double *leaving,
                       int64_t, double *entering, int64_t entering_size, double *sums, int64_t,
                       int64_t *watch, int64_t) {
  const Rows rows(*compressed);
  const Sums into{rows, label, twice, leaving, entering_size ? entering : nullptr, sums};
  for (int64_t v = 0; v < rows.n && !Watch(watch).stopped(); ++v) {
    if (values_size == 1) into.add<int64_t>(v, [](int64_t) { return 1; }, values[0] * factor);
    else into.add<double>(v, [&](int64_t e) { return values[e] * factor; }, 1);
  }
  return 0;
}
