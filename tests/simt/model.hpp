// The emulated machine: threads in warps in blocks, and the launch that runs.
//
// Everything runs on one thread of the operating system, so plain data suffices.  `machine` is the
// whole state; a launch resets it.
#pragma once
#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
#include "enumerators.hpp"
#include "fibers.hpp"

struct Uint3 {
  unsigned x, y, z;
};

extern "C" {
// Memory that a kernel may touch: one array argument, or the module's constants.  `initialised`
// holds one byte for each byte of the region, or is null where everything counts as initialised.
// `argument` has in its upper half the field of the struct that the pointer is in, counted from 1.
struct SimtRegion {
  uint64_t base, size;
  uint8_t* initialised;
  int32_t argument;
  uint32_t writable;
};

// One launch: what emulator.py asks for, then what it gets back.  Probabilities are out of 65536.
// `parts` launches of one kernel may run together, on devices of their own: each has as many of the
// blocks, and `nparameters` arguments, one part's after another's.
struct SimtLaunch {
  uint32_t blocks, threads, dynamic_shared, shared_limit, static_limit, resident;
  uint32_t order, yield_atomic, yield_memory, starve;
  uint32_t check, strict_peeks, max_races, timeout_ms;
  uint32_t parts, nparameters;
  uint64_t seed, nregions;
  const SimtRegion* regions;
  uint64_t switches, collectives, accesses, benign, peeks, fingerprint;
  uint32_t races, shared_used;
  char error[16384];
};
}

namespace simt {

enum Order : uint32_t { FIFO, RANDOM, REVERSE };
enum Status : int { OK = 0, FAILED = 1, INVALID = 2, RACES = 3 };
constexpr int BLOCK = XOR + 1;  // beside the collectives of a warp: a barrier of the block
inline const char* kind_name(int kind) {
  static const char* names[] = {
      "__syncwarp",        "__ballot_sync",     "__any_sync",        "__all_sync",
      "__shfl*_sync",      "__match_any_sync",  "__match_all_sync",  "__reduce_add_sync",
      "__reduce_min_sync", "__reduce_max_sync", "__reduce_min_sync", "__reduce_max_sync",
      "__reduce_and_sync", "__reduce_or_sync",  "__reduce_xor_sync", "__syncthreads"};
  return names[kind];
}

// What a thread knows to have happened through fences and atomics (release and acquire), beyond
// barriers: of a block, all before some epoch (its count of barriers); of a thread, all up to some
// local time.
struct Knowledge {
  using Item = std::pair<uint64_t, uint32_t>;
  std::vector<Item> upto;  // sorted by key
  uint32_t owners = 0;
  bool learn(const Knowledge& other) {  // whether any of it was news
    bool news = false;
    size_t here = 0, missing = 0;
    for (const auto& [key, time] : other.upto) {
      while (here < upto.size() && upto[here].first < key) here++;
      if (here == upto.size() || upto[here].first != key) {
        missing++;
      } else if (time > upto[here].second) {
        upto[here].second = time;
        news = true;
      }
    }
    if (!missing) return news;
    // from the back, where there is room now
    size_t left = upto.size(), place = left + missing;
    upto.resize(place);
    for (size_t more = other.upto.size(); missing;) {
      const Item& item = other.upto[more - 1];
      if (left && upto[left - 1].first >= item.first) {
        more -= upto[left - 1].first == item.first;
        upto[--place] = upto[--left];
      } else {
        upto[--place] = item;
        more--, missing--;
      }
    }
    return true;
  }
  bool has(uint64_t key, uint32_t time) const {
    auto place = std::lower_bound(upto.begin(), upto.end(), key, before);
    return place != upto.end() && place->first == key && place->second >= time;
  }

 private:
  static bool before(const Item& one, uint64_t key) { return one.first < key; }
};
inline uint64_t thread_key(uint32_t id) { return id; }
inline uint64_t block_key(uint32_t block) { return uint64_t(1) << 32 | block; }

// Knowledge that several threads may share, as the lanes of a warp do after __syncwarp; whoever
// learns more takes a copy of their own.
class Known {
 public:
  Known() = default;
  Known(const Known& other) : what_(other.what_) {
    if (what_) what_->owners++;
  }
  Known(Known&& other) noexcept : what_(other.what_) { other.what_ = nullptr; }
  Known& operator=(Known other) {
    std::swap(what_, other.what_);
    return *this;
  }
  ~Known() {
    if (what_ && --what_->owners == 0) delete what_;
  }
  explicit operator bool() const { return what_; }
  const Knowledge& operator*() const { return *what_; }
  const Knowledge* get() const { return what_; }
  bool learn(const Knowledge& other) {
    if (!what_) {
      what_ = new Knowledge;
      what_->owners = 1;
    } else if (what_->owners > 1) {
      what_->owners--;
      what_ = new Knowledge(*what_);
      what_->owners = 1;
    }
    return what_->learn(other);
  }
  void learn(const Known& other) {
    if (!what_) *this = other;
    else if (other.what_ && other.what_ != what_) learn(*other.what_);
  }

 private:
  Knowledge* what_ = nullptr;
};

enum class State : uint8_t { NEW, READY, WAITING, DONE };
struct Block;
struct Warp;

struct Thread {
  Fiber* fiber = nullptr;
  Block* block = nullptr;
  Warp* warp = nullptr;
  uint32_t index = 0, lane = 0, id = 0;  // in the block, in the warp, in the grid (from 1)
  State state = State::NEW;
  // what it waits for, and what it gets
  int kind = 0;
  uint32_t mask = 0, source = 0;
  int predicate = 0;
  uint64_t value = 0, result = 0;
  const char* file = "";
  int line = 0;
  // memory order: `heard` by relaxed loads becomes `known` at the next fence; `offered` is what a
  // relaxed store publishes, the state of things at the last fence
  Known known, heard, offered;
  uint64_t heard_address = 0;
  uint32_t heard_version = 0;
};

struct Warp {
  Thread* lane[32] = {};
  uint32_t done = 0, waiting = 0;  // bit sets of lanes; lanes that do not exist are done
  uint32_t clock[32][32] = {};  // clock[l][m]: up to which local time lane l has seen lane m
  uint32_t number = 0;
};

struct Block {
  uint32_t index = 0, epoch = 0, live = 0, arrived = 0;
  bool resident = false;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  Known known;
  // shared memory: an arena with a gap after each variable, so that overruns are seen
  char* arena = nullptr;
  size_t arena_used = 0, shared_bytes = 0;
  struct Variable {
    int slot;
    size_t offset, size;
  };
  std::vector<Variable> variables;
};

struct Slot {
  size_t size;
  std::string name;
};
constexpr size_t ARENA_BYTES = 512 * 1024, SHARED_GAP = 128;
constexpr int DYNAMIC = -1;
constexpr unsigned char POISON = 0xCD;

struct Machine {
  SimtLaunch* launch = nullptr;
  void (*entry)(void**) = nullptr;
  void** arguments = nullptr;
  Thread* current = nullptr;
  Context host;  // the caller of the launch
  bool running = false;
  volatile bool expired = false;  // the time limit has struck
  std::vector<Slot> slots{{0, "none"}};  // numbered from 1
  std::vector<std::unique_ptr<Block>> blocks;  // reused by one block of the grid after another
  std::vector<Thread*> ready;  // a ring of threads that can run
  size_t ready_head = 0, ready_tail = 0;
  std::vector<uint32_t> block_order;
  size_t next_block = 0;
  uint32_t live_blocks = 0;
  uint64_t random = 1, clock = 0, idle_loads = 0, since_yield = 0;
  uint32_t starved_warp = 0;
};
extern Machine machine __attribute__((visibility("hidden")));  // no kernel asks for it

inline uint64_t random_bits() {  // xorshift64
  uint64_t& r = machine.random;
  r ^= r << 13;
  r ^= r >> 7;
  r ^= r << 17;
  return r;
}
inline uint32_t random_below(uint32_t n) {
  return uint32_t((unsigned __int128)random_bits() * n >> 64);
}
inline bool chance(uint32_t probability) {
  return probability && (random_bits() & 65535) < probability;
}

// The error text.  \1address\2 stands for a place in the code; emulator.py puts file and line
// there.
inline void say(const char* format, ...) {
  char* text = machine.launch->error;
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, sizeof machine.launch->error - used, format, arguments);
  va_end(arguments);
}
inline std::string text(const char* format, ...) {
  char buffer[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}
inline std::string place(uint64_t pc) { return text("\1%" PRIx64 "\2", pc); }
inline std::string name_of(uint32_t id) {
  uint32_t threads = machine.launch->threads;
  return text("thread %u of block %u", (id - 1) % threads, (id - 1) / threads);
}
[[noreturn]] void abandon_launch();  // back to the host; machine.launch->error says why
template <class... A>
[[noreturn]] void fail(const char* format, A... arguments) {
  say(format, arguments...);
  if (machine.current) say(" [%s]", name_of(machine.current->id).c_str());
  abandon_launch();
}

}  // namespace simt
