// Who runs when: fibers, blocks, barriers and warp collectives.
//
// A fiber runs until it waits (barrier, warp collective), ends, or yields (at atomics and volatile
// loads, in check mode at any access, with the probabilities of the launch).  Which one runs next
// is drawn from the launch's seed, so a launch is a pure function of its memory, arguments and
// schedule.
#pragma once
#include <csetjmp>
#include "memory.hpp"

extern "C" {
Uint3 simt_threadIdx, simt_blockIdx, simt_blockDim, simt_gridDim;
}

namespace simt {

Machine machine;
namespace {

constexpr uint64_t IDLE_LIMIT =
    1 << 21;         // relaxed accesses in a row without any progress: a livelock
constexpr uint32_t SPIN_YIELD = 32;  // a loop of relaxed loads gives way at least this often
constexpr uint64_t NO_VALUE = 0xDEADBEEFDEADBEEFull;  // a shuffle from a lane that takes no part

Checker checker;
void fiber_main();
FiberPool fibers(fiber_main);
sigjmp_buf escape;
bool fibers_in_disorder = false;

uint32_t lane_bit(const Thread* t) { return 1u << t->lane; }
void progress() { machine.idle_loads = 0; }

// ---- the scheduler ------------------------------------------------------------------------------

size_t ready_count() { return machine.ready_tail - machine.ready_head; }
Thread*& ready_at(size_t i) { return machine.ready[i & (machine.ready.size() - 1)]; }

void make_ready(Thread* t) {
  t->state = t->fiber ? State::READY : State::NEW;
  ready_at(machine.ready_tail++) = t;
}

Thread* pick() {
  size_t n = ready_count();
  if (n == 0) return nullptr;
  switch (machine.launch->order) {
    case REVERSE: return ready_at(--machine.ready_tail);
    case RANDOM: {
      size_t k = random_below(uint32_t(n));
      if (machine.launch->starve &&
          ready_at(machine.ready_head + k)->warp->number == machine.starved_warp &&
          chance(machine.launch->starve)) {
        k = random_below(uint32_t(n));  // one warp of the grid runs late
        if (chance(1024)) machine.starved_warp = ready_at(machine.ready_head + k)->warp->number;
      }
      std::swap(ready_at(machine.ready_head + k), ready_at(machine.ready_head));
      return ready_at(machine.ready_head++);
    }
    default: return ready_at(machine.ready_head++);
  }
}

void set_current(Thread* t) {
  machine.current = t;
  simt_threadIdx = {t->index, 0, 0};
  simt_blockIdx = {t->block->index % simt_gridDim.x, 0, 0};
}

// Runs some other thread; returns when this fiber runs again.  A finished fiber takes up a new
// thread without a switch where it can.
void run_another(Fiber* here, bool finished) {
  machine.launch->switches++;
  machine.clock++;
  Thread* next = pick();
  if (!next) {
    if (finished) fibers.give(here);
    switch_context(here->context, machine.host);
    return;
  }
  machine.launch->fingerprint = (machine.launch->fingerprint ^ next->id) * 0x100000001b3ull;
  if (!next->fiber) {
    next->fiber = finished ? here : fibers.take();
  } else if (finished) {
    fibers.give(here);
  }
  next->state = State::READY;
  set_current(next);
  if (next->fiber != here) switch_context(here->context, next->fiber->context);
}

void yield() {
  Thread* t = machine.current;
  if (ready_count() == 0) return;
  make_ready(t);
  if (machine.launch->order == REVERSE) {  // last in, first out would pick the same thread for ever
    machine.ready_tail--;
    ready_at(--machine.ready_head) = t;
  }
  run_another(t->fiber, false);
}

void wait(Thread* t, int kind) {
  t->state = State::WAITING;
  t->kind = kind;
  run_another(t->fiber, false);
}

// Who waits where, for messages about threads that wait for ever.
std::string waiting_threads() {
  std::map<std::string, std::pair<int, uint32_t>> places;
  int exited = 0;
  for (auto& b : machine.blocks) {
    if (!b->resident) continue;
    for (Thread& t : b->threads) {
      exited += t.state == State::DONE;
      if (t.state != State::WAITING) continue;
      std::string where = text("%s at %s:%d", kind_name(t.kind), t.file, t.line);
      if (t.kind != BLOCK) where += text(" (mask 0x%08x)", t.mask);
      auto& [count, example] = places[where];
      count++;
      example = t.id;
    }
  }
  std::string all;
  for (auto& [where, who] : places)
    all += text("; %d threads wait in %s (%s is one)", who.first, where.c_str(),
                name_of(who.second).c_str());
  if (exited) all += text("; %d threads of these blocks have exited", exited);
  return all;
}

// A relaxed access: where another thread may come in, and where loops wait for other threads.
void relaxed_access() {
  if (++machine.idle_loads > IDLE_LIMIT) {
    uint32_t waiting_blocks = machine.launch->blocks - uint32_t(machine.next_block);
    std::string hint =
        waiting_blocks
            ? text("; %u blocks could not start: a grid barrier needs a cooperative launch",
                   waiting_blocks)
            : "";
    fail("livelock: threads wait in loops for what no thread will do%s%s", hint.c_str(),
         waiting_threads().c_str());
  }
  if (++machine.since_yield >= SPIN_YIELD ||
      (machine.launch->order == RANDOM && chance(machine.launch->yield_atomic))) {
    machine.since_yield = 0;
    yield();
  }
}

// ---- blocks and threads -------------------------------------------------------------------------

void* shared_variable(Block* b, int slot, size_t size) {
  for (const auto& v : b->variables)
    if (v.slot == slot) return b->arena + v.offset;
  size_t offset = b->arena_used;
  b->shared_bytes += size;
  if (b->shared_bytes > machine.launch->shared_limit ||
      (slot != DYNAMIC &&
       b->shared_bytes - machine.launch->dynamic_shared > machine.launch->static_limit))
    fail("too much shared memory: %zu bytes, of them %u dynamic; the limits are %u, and %u static",
         b->shared_bytes, machine.launch->dynamic_shared, machine.launch->shared_limit,
         machine.launch->static_limit);
  b->arena_used = (offset + size + 2 * SHARED_GAP - 1) / SHARED_GAP * SHARED_GAP;
  b->variables.push_back({slot, offset, size});
  memset(b->arena + offset, POISON, size);
  machine.launch->shared_used = std::max<uint32_t>(machine.launch->shared_used, b->shared_bytes);
  return b->arena + offset;
}

void start_next_block() {
  if (machine.next_block >= machine.block_order.size()) return;
  Block* b = nullptr;
  for (auto& candidate : machine.blocks)
    if (!candidate->resident) b = candidate.get();
  if (!b) {
    machine.blocks.push_back(std::make_unique<Block>());
    b = machine.blocks.back().get();
    b->arena = static_cast<char*>(mmap(nullptr, ARENA_BYTES, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (b->arena == MAP_FAILED) abort();
  }
  uint32_t threads = machine.launch->threads, warps = (threads + 31) / 32;
  b->index = machine.block_order[machine.next_block++];
  b->resident = true;
  b->epoch = b->arrived = 0;
  b->live = threads;
  b->known = {};
  b->arena_used = SHARED_GAP;
  b->shared_bytes = 0;
  b->variables.clear();
  b->threads.clear();
  b->threads.resize(threads);
  b->warps.assign(warps, Warp{});
  for (uint32_t i = 0; i < threads; i++) {
    Thread& t = b->threads[i];
    Warp& w = b->warps[i / 32];
    t.block = b;
    t.warp = &w;
    t.index = i;
    t.lane = i % 32;
    t.id = b->index * threads + i + 1;
    w.lane[t.lane] = &t;
    w.clock[t.lane][t.lane] = 1;
    w.number = b->index * warps + i / 32;
    make_ready(&t);
  }
  for (Warp& w : b->warps)
    for (uint32_t l = 0; l < 32; l++)
      if (!w.lane[l]) w.done |= 1u << l;
  if (machine.launch->dynamic_shared) shared_variable(b, DYNAMIC, machine.launch->dynamic_shared);
  machine.live_blocks++;
}

void release_barrier(Block* b) {
  const Thread* first = nullptr;
  const Knowledge* last = nullptr;
  int count = 0, waiting = 0;
  for (Thread& t : b->threads) {
    if (t.state != State::WAITING || t.kind != BLOCK) continue;
    if (!first) first = &t;
    if (t.line != first->line || t.source != first->source || strcmp(t.file, first->file))
      fail("divergent barrier: %s waits at %s:%d, but %s at %s:%d", name_of(first->id).c_str(),
           first->file, first->line, name_of(t.id).c_str(), t.file, t.line);
    count += t.predicate != 0;
    waiting++;
    if (t.known.get() != last) b->known.learn(t.known);
    last = t.known.get();
  }
  b->arrived = 0;
  b->epoch++;
  progress();
  for (Thread& t : b->threads) {
    if (t.state != State::WAITING || t.kind != BLOCK) continue;
    t.result = t.source == COUNT         ? count
               : t.source == BARRIER_AND ? count == waiting
               : t.source == BARRIER_OR  ? count > 0
                                         : 0;
    t.warp->waiting &= ~lane_bit(&t);
    make_ready(&t);
  }
}

bool complete_collective(Warp* w, uint32_t mask, int kind);

void finish_thread() {
  Thread* t = machine.current;
  Block* b = t->block;
  Warp* w = t->warp;
  checker.settle();
  progress();
  t->state = State::DONE;
  t->fiber = nullptr;
  w->done |= lane_bit(t);
  b->live--;
  for (uint32_t left = w->waiting; left; left &= left - 1) {  // lanes that waited for this one
    Thread* other = w->lane[__builtin_ctz(left)];
    if (other->state == State::WAITING && other->kind != BLOCK)
      complete_collective(w, other->mask, other->kind);
  }
  if (b->live && b->arrived == b->live) release_barrier(b);
  if (!b->live) {
    b->resident = false;
    machine.live_blocks--;
    start_next_block();
  }
}

void fiber_main() {
  for (;;) {
    Fiber* here = machine.current->fiber;
    uint32_t part = machine.current->block->index / simt_gridDim.x;
    machine.entry(machine.arguments + part * machine.launch->nparameters);
    finish_thread();
    run_another(here, true);
  }
}

// ---- warp collectives ---------------------------------------------------------------------------

template <class F>
void each_lane(uint32_t lanes, F f) {
  for (; lanes; lanes &= lanes - 1) f(__builtin_ctz(lanes));
}

uint32_t reduce(int kind, uint32_t a, uint32_t b) {
  switch (kind) {
    case ADD: return a + b;
    case MIN: return std::min(a, b);
    case MAX: return std::max(a, b);
    case MIN_SIGNED: return uint32_t(std::min(int32_t(a), int32_t(b)));
    case MAX_SIGNED: return uint32_t(std::max(int32_t(a), int32_t(b)));
    case AND: return a & b;
    case OR: return a | b;
    default: return a ^ b;
  }
}

void join_clocks(Warp* w, uint32_t lanes) {  // __syncwarp: what one lane has seen, all have seen
  uint32_t latest[32] = {};
  Known all;
  each_lane(lanes, [&](int l) {
    for (int m = 0; m < 32; m++) latest[m] = std::max(latest[m], w->clock[l][m]);
    all.learn(w->lane[l]->known);
  });
  each_lane(lanes, [&](int l) {
    memcpy(w->clock[l], latest, sizeof latest);
    w->clock[l][l]++;
    w->lane[l]->known = all;
  });
}

// Gives each lane of `mask` its result and lets it run, if all of them (but exited ones) wait for
// `kind`.
bool complete_collective(Warp* w, uint32_t mask, int kind) {
  uint32_t lanes = mask & ~w->done;
  if (!lanes || (lanes & ~w->waiting)) return false;
  bool together = true;
  each_lane(lanes,
            [&](int l) { together &= w->lane[l]->kind == kind && w->lane[l]->mask == mask; });
  if (!together) return false;
  machine.launch->collectives++;
  progress();
  uint32_t ballot = 0, sum = 0;
  bool first = true;
  each_lane(lanes, [&](int l) {
    uint64_t value = w->lane[l]->value;
    if (value) ballot |= 1u << l;
    sum = first ? uint32_t(value) : reduce(kind, sum, uint32_t(value));
    first = false;
  });
  each_lane(lanes, [&](int l) {
    Thread* t = w->lane[l];
    uint32_t same = 0;
    if (kind == MATCH_ANY || kind == MATCH_ALL)
      each_lane(lanes, [&](int m) {
        if (w->lane[m]->value == t->value) same |= 1u << m;
      });
    switch (kind) {
      case SYNCWARP: t->result = 0; break;
      case BALLOT: t->result = ballot; break;
      case ANY: t->result = ballot != 0; break;
      case ALL: t->result = ballot == lanes; break;
      case MATCH_ANY: t->result = same; break;
      case MATCH_ALL: t->result = same == lanes ? lanes : 0; break;
      case SHUFFLE:
        t->result = t->source >= 32          ? t->value
                    : lanes >> t->source & 1 ? w->lane[t->source]->value
                                             : NO_VALUE;
        break;
      default: t->result = sum;
    }
  });
  if (kind == SYNCWARP && machine.launch->check) join_clocks(w, lanes);
  w->waiting &= ~lanes;
  each_lane(lanes, [&](int l) {
    if (w->lane[l]->state == State::WAITING) make_ready(w->lane[l]);
  });
  return true;
}

}  // namespace
}  // namespace simt
