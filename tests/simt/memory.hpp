// The memory checker: every load and store of a kernel passes through Checker::access.
//
// (A thread's own stack is let through before.)  It answers: is the address inside an argument,
// this block's shared memory or the module's constants; is it aligned; was it written before it is
// read; and does it race.  Two accesses race when at least one writes, not both are atomic or
// volatile ("relaxed"), and neither happens before the other.  What happens before what follows
// CUDA's rules, as follows:
//   - a thread's own order;
//   - __syncthreads orders a block, __syncwarp the lanes it names (votes and shuffles do not);
//   - a relaxed store after __threadfence publishes all that came before the fence, also what
//     barriers had brought to the thread; who then reads that address relaxed, and fences, has
//     seen it.
// A launch runs as if memory were sequentially consistent: stale caches are not imitated, for what
// could read them is a race.
// Equal values stored by several threads are counted as benign, not reported.  A plain load beside
// a relaxed store is a "peek": counted, and reported under strict_peeks only.
#pragma once
#include <algorithm>
#include "model.hpp"

namespace simt {

class Checker {
 public:
  void begin(const SimtLaunch& launch) {
    regions_.assign(launch.regions, launch.regions + launch.nregions);
    nearest_ = 0;
    apart_ = !regions_.empty();
    for (size_t i = 0; i < regions_.size(); i++)
      for (size_t k = 0; k < i; k++)
        apart_ &= regions_[i].base >= end_of(regions_[k], RELAXED) ||
                  regions_[k].base >= end_of(regions_[i], RELAXED);
    generation_++;
    used_ = 0;
    last_ = nullptr;
    published_.clear();
    races_.clear();
    pending_.on = false;
  }
  void access(uint64_t address, unsigned size, unsigned how, uint64_t pc);
  void settle();  // the pending store has happened: did it change anything?
  void fence(Thread* t);
  std::string report() const {
    std::string all;
    for (const auto& [places, race] : races_) all += (all.empty() ? "" : "\n") + race;
    return all;
  }

 private:
  struct Past {  // an access that happened
    uint32_t thread = 0, block = 0, epoch = 0, time = 0;
    uint64_t pc = 0;
    uint8_t bytes = 0;  // which of the granule's four
    bool relaxed = false;
  };
  struct Granule {  // four bytes of memory: the last two writers and readers
    uint32_t shared_block = ~0u;
    uint8_t shared_written = 0;
    Past write[2], read[2];
  };
  // Neighbours in memory lie together, so that an access seldom waits for the host's memory.
  static constexpr unsigned PAGE_GRANULES = 16;
  struct Page {
    uint64_t key = 0;
    uint32_t touched = 0;  // which granules are of this launch
    Granule granules[PAGE_GRANULES];
  };
  struct Listed {
    uint64_t key = 0;
    uint32_t generation = 0, page = 0;
  };
  enum class Space { SHARED, GLOBAL };
  struct Found {
    Space space;
    SimtRegion* region;
  };

  // A compare-and-swap of a byte takes the word it is in.
  static uint64_t end_of(const SimtRegion& r, unsigned how) {
    uint64_t end = r.base + r.size;
    return how & RELAXED ? (end + 3) & ~3ull : end;
  }
  Found find(uint64_t address, unsigned size, unsigned how, uint64_t pc);
  [[noreturn]] void out_of_bounds(uint64_t address, unsigned size, unsigned how, uint64_t pc);
  std::string name(uint64_t address);
  Listed& listed(uint64_t key);
  Page& page(uint64_t key);
  Granule& granule(uint64_t address);
  void publish_and_hear(Thread* t, uint64_t address, bool store);
  bool ordered(const Past& past, const Thread* t) const;
  void compare(const Past& past, bool past_writes, const Past& now, unsigned how, uint64_t address,
               unsigned size);
  void add_race(const Past& past, bool past_writes, const Past& now, bool writes, uint64_t address);

  struct Published {
    Known what;
    uint32_t version = 0;
  };
  std::vector<SimtRegion> regions_;
  bool apart_ = true;  // no two of them share memory
  size_t nearest_ = 0;  // the one that the last access was in
  // the first used_ are this launch's
  std::vector<std::unique_ptr<Page>> pages_;
  // a hash table with open addressing; a new generation empties it
  std::vector<Listed> table_ = std::vector<Listed>(1 << 8);
  uint32_t used_ = 0, generation_ = 0;
  Page* last_ = nullptr;
  std::unordered_map<uint64_t, Published> published_;
  std::map<std::pair<uint64_t, uint64_t>, std::string> races_;
  struct Pending {
    bool on = false;
    uint64_t address = 0;
    unsigned size = 0;
    unsigned char before[16] = {};
    Past past, now;
  } pending_;
};

inline std::string Checker::name(uint64_t address) {
  Block* b = machine.current->block;
  uint64_t arena = reinterpret_cast<uint64_t>(b->arena);
  if (address - arena < ARENA_BYTES) {
    const Block::Variable* nearest = nullptr;
    for (const auto& v : b->variables)
      if (arena + v.offset <= address) nearest = &v;
    if (!nearest) return "shared memory";
    size_t offset = address - arena - nearest->offset;
    const char* label =
        nearest->slot == DYNAMIC ? "(dynamic)" : machine.slots[nearest->slot].name.c_str();
    return text("shared %s, byte %zu of %zu", label, offset, nearest->size);
  }
  const SimtRegion* nearest = nullptr;
  uint64_t best = 1 << 16;
  for (const auto& r : regions_) {
    uint64_t away = address < r.base             ? r.base - address
                    : address >= r.base + r.size ? address - (r.base + r.size)
                                                 : 0;
    if (away < best) nearest = &r, best = away;
  }
  if (nearest && nearest->argument < 0) return "the module's constants";
  if (nearest) {
    std::string field;
    if (nearest->argument >> 16) field = text(", field %d", (nearest->argument >> 16) - 1);
    return text("argument %d%s, byte %" PRId64 " of %" PRIu64, nearest->argument & 0xffff, field.c_str(),
                int64_t(address - nearest->base), nearest->size);
  }
  for (const auto& other : machine.blocks)
    if (address - reinterpret_cast<uint64_t>(other->arena) < ARENA_BYTES)
      return text("shared memory of block %u", other->index);
  return text("address 0x%" PRIx64 ", near no argument%s", address,
              address < 65536 ? " (null pointer)" : "");
}

inline void Checker::out_of_bounds(uint64_t address, unsigned size, unsigned how, uint64_t pc) {
  const char* verb = how & ATOMIC ? "atomic" : how & WRITE ? "write" : "read";
  fail("out-of-bounds %s of %u bytes at %s at %s", verb, size, name(address).c_str(),
       place(pc).c_str());
}

inline Checker::Found Checker::find(uint64_t address, unsigned size, unsigned how, uint64_t pc) {
  Thread* t = machine.current;
  uint64_t arena = reinterpret_cast<uint64_t>(t->block->arena);
  if (address - arena < ARENA_BYTES) {
    for (const auto& v : t->block->variables)
      if (address >= arena + v.offset && address + size <= arena + v.offset + v.size)
        return {Space::SHARED, nullptr};
    out_of_bounds(address, size, how, pc);
  }
  auto holds = [&](const SimtRegion& r) {
    return address >= r.base && address + size <= end_of(r, how);
  };
  SimtRegion* found = nullptr;
  if (apart_ && holds(regions_[nearest_])) {
    found = &regions_[nearest_];
  } else {
    for (auto& r : regions_)
      if (holds(r) && (!found || r.writable)) found = &r;
    if (found) nearest_ = size_t(found - regions_.data());
  }
  if (!found) out_of_bounds(address, size, how, pc);
  if ((how & WRITE) && !found->writable)
    fail("write to %s, which the kernel takes as const, at %s", name(address).c_str(),
         place(pc).c_str());
  return {Space::GLOBAL, found};
}

// Where the page is listed, or will be.
inline Checker::Listed& Checker::listed(uint64_t key) {
  size_t last = table_.size() - 1, i = key * 0x9E3779B97F4A7C15ull >> 32 & last;
  while (table_[i].generation == generation_ && table_[i].key != key) i = (i + 1) & last;
  return table_[i];
}

inline Checker::Page& Checker::page(uint64_t key) {
  if (used_ * 2 > table_.size()) {
    table_.assign(table_.size() * 2, Listed{});
    for (uint32_t k = 0; k < used_; k++) listed(pages_[k]->key) = {pages_[k]->key, generation_, k};
  }
  Listed& place = listed(key);
  if (place.generation != generation_) {
    if (used_ == pages_.size()) pages_.push_back(std::make_unique<Page>());
    place = {key, generation_, used_++};
    pages_[place.page]->key = key;
    pages_[place.page]->touched = 0;
  }
  return *pages_[place.page];
}

inline Checker::Granule& Checker::granule(uint64_t address) {
  uint64_t key = address / (4 * PAGE_GRANULES);
  if (!last_ || last_->key != key) last_ = &page(key);
  unsigned k = unsigned(address / 4 % PAGE_GRANULES);
  Granule& g = last_->granules[k];
  if (!(last_->touched >> k & 1)) {
    last_->touched |= 1u << k;
    g = Granule{};
  }
  return g;
}

// A relaxed load hears what was published at its address; a relaxed store publishes what the last
// fence covers.
inline void Checker::publish_and_hear(Thread* t, uint64_t address, bool store) {
  auto found = published_.find(address);
  if (found != published_.end() &&
      (t->heard_address != address || t->heard_version != found->second.version)) {
    t->heard.learn(found->second.what);
    t->heard_address = address;
    t->heard_version = found->second.version;
  }
  if (store && t->offered) {
    Published& p = found != published_.end() ? found->second : published_[address];
    if (p.what.learn(*t->offered)) p.version++;
  }
}

inline void Checker::fence(Thread* t) {
  settle();
  t->known.learn(t->heard);
  uint32_t* seen = t->warp->clock[t->lane];
  static Knowledge own;
  own.upto.clear();
  for (uint32_t l = 0; l < 32; l++)  // their numbers increase, and are below those of blocks
    if (t->warp->lane[l] && seen[l])
      own.upto.emplace_back(thread_key(t->warp->lane[l]->id), seen[l]);
  if (t->block->epoch) own.upto.emplace_back(block_key(t->block->index), t->block->epoch);
  t->offered.learn(own);
  t->offered.learn(t->known);
  t->offered.learn(t->block->known);
  seen[t->lane]++;
}

inline bool Checker::ordered(const Past& past, const Thread* t) const {
  if (past.thread == t->id) return true;
  if (past.block == t->block->index) {
    if (past.epoch < t->block->epoch) return true;
    uint32_t index = past.thread - 1 - past.block * machine.launch->threads;
    if (index / 32 == t->index / 32 && t->warp->clock[t->lane][index % 32] >= past.time)
      return true;
  }
  for (const Knowledge* k : {t->known.get(), t->block->known.get()})
    if (k && (k->has(block_key(past.block), past.epoch + 1) ||
              k->has(thread_key(past.thread), past.time)))
      return true;
  return false;
}

inline void Checker::add_race(const Past& past, bool past_writes, const Past& now, bool writes,
                              uint64_t address) {
  std::pair<uint64_t, uint64_t> places = std::minmax(past.pc, now.pc);
  if (races_.size() >= machine.launch->max_races || races_.count(places)) return;
  races_[places] =
      text("race on %s: %s %s at %s, %s %s at %s", name(address).c_str(),
           name_of(past.thread).c_str(), past_writes ? "writes" : "reads", place(past.pc).c_str(),
           name_of(now.thread).c_str(), writes ? "writes" : "reads", place(now.pc).c_str());
  machine.launch->races++;
}

inline void Checker::compare(const Past& past, bool past_writes, const Past& now, unsigned how,
                             uint64_t address, unsigned size) {
  if (!past.thread || !(past.bytes & now.bytes) || (past.relaxed && now.relaxed) ||
      ordered(past, machine.current))
    return;
  bool writes = how & WRITE;
  bool peek = writes ? !past_writes && now.relaxed && !past.relaxed : past.relaxed && !now.relaxed;
  if (peek && !machine.launch->strict_peeks) {
    machine.launch->peeks++;
    return;
  }
  if (writes && past_writes && size <= 16 &&
      !(how & ATOMIC)) {  // the same value? known after the store
    if (!pending_.on) {
      pending_ = {true, address, size, {}, past, now};
      memcpy(pending_.before, reinterpret_cast<void*>(address), size);
    }
  } else {
    add_race(past, past_writes, now, writes, address);
  }
}

inline void Checker::settle() {
  if (!pending_.on) return;
  pending_.on = false;
  if (memcmp(pending_.before, reinterpret_cast<void*>(pending_.address), pending_.size) == 0)
    machine.launch->benign++;
  else add_race(pending_.past, true, pending_.now, true, pending_.address);
}

inline void Checker::access(uint64_t address, unsigned size, unsigned how, uint64_t pc) {
  settle();
  auto [space, region] = find(address, size, how, pc);
  machine.launch->accesses++;
  if (size > 1 && address % std::min(size, 16u))
    fail("misaligned %s of %u bytes at %s at %s", how & WRITE ? "write" : "read", size,
         name(address).c_str(), place(pc).c_str());

  bool writes = how & WRITE, reads = !writes || (how & ATOMIC);
  if (space == Space::GLOBAL && region->initialised) {
    uint8_t* written = region->initialised + (address - region->base);
    if (reads && memchr(written, 0, size))
      fail("read of uninitialised memory at %s at %s", name(address).c_str(), place(pc).c_str());
    if (writes) memset(written, 1, size);
  }

  Thread* t = machine.current;
  Past now;
  now.thread = t->id;
  now.block = t->block->index;
  now.epoch = t->block->epoch;
  now.time = t->warp->clock[t->lane][t->lane];
  now.relaxed = how & RELAXED;
  now.pc = pc;
  if (now.relaxed) publish_and_hear(t, address, writes);

  for (uint64_t start = address & ~3ull; start < address + size; start += 4) {
    Granule& g = granule(start);
    now.bytes = 0;
    for (unsigned k = 0; k < 4; k++)
      if (start + k >= address && start + k < address + size) now.bytes |= 1 << k;
    if (space == Space::SHARED) {
      if (g.shared_block != t->block->index) {  // a new block starts with undefined memory
        g = Granule{t->block->index, 0, {}, {}};
      }
      if (reads && (g.shared_written & now.bytes) != now.bytes)
        fail("read of uninitialised shared memory at %s at %s", name(address).c_str(),
             place(pc).c_str());
      if (writes) g.shared_written |= now.bytes;
    }
    if ((how & CONSTANT) && (g.write[0].bytes & now.bytes))
      fail("__ldg of memory that this launch writes, at %s at %s; written at %s",
           name(address).c_str(), place(pc).c_str(), place(g.write[0].pc).c_str());
    for (const Past& past : g.write) compare(past, true, now, how, address, size);
    if (writes)
      for (const Past& past : g.read) compare(past, false, now, how, address, size);
    Past* history = writes ? g.write : g.read;
    if (history[0].thread != now.thread || history[0].bytes != now.bytes) history[1] = history[0];
    history[0] = now;
  }
}

}  // namespace simt
