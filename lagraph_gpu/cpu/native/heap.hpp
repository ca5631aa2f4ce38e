// A heap that knows where its items are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace lagraph {

/// A 4-ary heap of vertices with a key for each, in which the place of a vertex is known.
struct Heap {
  std::vector<double> keys;
  std::vector<int32_t> items, place;
  int64_t size = 0;

  explicit Heap(int64_t n) : keys(n), items(n), place(n, -1) {}

  /// Makes room for one more item.
  void grow() {
    keys.emplace_back();
    items.emplace_back();
    place.push_back(-1);
  }

  /// The smallest key, or infinity.
  double least() const { return size > 0 ? keys[0] : std::numeric_limits<double>::infinity(); }

  /// Puts a vertex into the heap, or raises it to a smaller key.
  void raise(int32_t v, double key) {
    int64_t at = place[v] < 0 ? size++ : place[v];
    while (at > 0 && keys[(at - 1) >> 2] > key) {
      const int64_t above = (at - 1) >> 2;
      put(at, items[above], keys[above]);
      at = above;
    }
    put(at, v, key);
  }

  /// Takes the vertex of the smallest key out of the heap.
  int32_t pop() {
    const int32_t top = items[0];
    --size;
    const double key = keys[size];
    const int32_t item = items[size];
    int64_t at = 0;
    while (4 * at + 1 < size) {
      const int64_t below = least_below(4 * at + 1);
      if (keys[below] >= key) break;
      put(at, items[below], keys[below]);
      at = below;
    }
    put(at, item, key);
    place[top] = -1;
    return top;
  }

 private:
  /// The first of the least keys of up to four children, which begin at `first`. Nobody can foretell
  /// which it is, so four are compared without a branch.
  int64_t least_below(int64_t first) const {
    const double *key = keys.data() + first;
    if (first + 4 > size) return std::min_element(key, keys.data() + size) - keys.data();
    const int64_t left = key[1] < key[0], right = 2 + (key[3] < key[2]);
    const int64_t is_right = key[right] < key[left];
    return first + left + is_right * (right - left);
  }

  void put(int64_t at, int32_t item, double key) {
    keys[at] = key;
    items[at] = item;
    place[item] = at;
  }
};

}  // namespace lagraph
