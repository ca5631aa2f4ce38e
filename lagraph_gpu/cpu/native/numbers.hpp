// Numbers for the few vertices that a search reaches.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace lagraph {

/// Numbers vertices in the order in which they come. The numbers are in a hash table with linear
/// probing while few have come, and then in an array for all vertices: the room stays proportional
/// to the vertices that have come.
class Numbers {
 public:
  /// The vertices in the order of their numbers.
  std::vector<int32_t> vertices;

  explicit Numbers(int64_t n) : n(n) { make_room(FEWEST); }

  /// The number of a vertex, or -1.
  int32_t of(int32_t v) const { return direct.empty() ? slots[slot(v)].number : direct[v]; }

  /// The number of a vertex, and whether it is new.
  std::pair<int32_t, bool> add(int32_t v) {
    const auto next = static_cast<int32_t>(vertices.size());
    if (direct.empty()) {
      Slot &at = slots[slot(v)];
      if (at.number >= 0) return {at.number, false};
      at = {v, next};
    } else {
      if (direct[v] >= 0) return {direct[v], false};
      direct[v] = next;
    }
    vertices.push_back(v);
    if (2 * vertices.size() > slots.size() && direct.empty()) make_room(4 * slots.size());
    return {next, true};
  }

 private:
  struct Slot {
    int32_t vertex = -1, number = -1;
  };

  static constexpr size_t FEWEST = 64;
  static constexpr uint32_t GOLDEN = 2654435769u;  // 2³² divided by the golden ratio

  const int64_t n;
  std::vector<Slot> slots;
  std::vector<int32_t> direct;
  int shift = 0;

  /// Where a vertex is, or would be.
  size_t slot(int32_t v) const {
    size_t at = static_cast<uint32_t>(v) * GOLDEN >> shift;
    while (slots[at].number >= 0 && slots[at].vertex != v) at = (at + 1) & (slots.size() - 1);
    return at;
  }

  /// Room for half as many vertices as `size`, a power of two.
  void make_room(size_t size) {
    if (2 * size > static_cast<size_t>(n)) {
      direct.assign(n, -1);
      for (size_t k = 0; k < vertices.size(); ++k) direct[vertices[k]] = static_cast<int32_t>(k);
      slots.clear();
      return;
    }
    slots.assign(size, {});
    shift = 32;
    for (size_t room = size; room > 1; room /= 2) --shift;
    for (size_t k = 0; k < vertices.size(); ++k)
      slots[slot(vertices[k])] = {vertices[k], static_cast<int32_t>(k)};
  }
};

}  // namespace lagraph
