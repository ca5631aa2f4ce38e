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
      int64_t least = 4 * at + 1;
      double other = keys[least];
      const int64_t last = std::min(least + 4, size);
      for (int64_t child = least + 1; child < last; ++child) {
        if (keys[child] < other) {
          least = child;
          other = keys[child];
        }
      }
      if (other >= key) break;
      put(at, items[least], other);
      at = least;
    }
    put(at, item, key);
    place[top] = -1;
    return top;
  }

 private:
  void put(int64_t at, int32_t item, double key) {
    keys[at] = key;
    items[at] = item;
    place[item] = at;
  }
};

}  // namespace lagraph
