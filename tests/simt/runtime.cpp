// The emulator's runtime: runs a grid of CUDA threads as fibers on one thread of the operating
// system.
//
// emulator.py builds this file once, without sanitizers, and loads it; kernel modules are compiled
// with dialect.hpp in front and -fsanitize=thread, linked to this library instead of libtsan.  So
// each load and store of a kernel calls __tsan_read4 and the like, found at the end of this file;
// in check mode they go to memory.hpp.  scheduler.hpp says who runs when, model.hpp holds the
// machine's state, fibers.hpp the context switch.  This file holds launches, what kernels call, and
// what g++ inserts.
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <ctime>
#include <dlfcn.h>
#include <link.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include "scheduler.hpp"

namespace simt {
namespace {

// ---- launches and failures ----------------------------------------------------------------------

constexpr const char* TIMEOUT =
    "timeout: the kernel ran for more than %u ms of this processor (an endless loop?)";
constexpr const char* STACK_OVERFLOW = "stack overflow of a thread (%zu bytes each)";

// True if the signal came upon an instruction of the kernel's own module, which holds no lock and
// leaves nothing half done.
bool within_kernel(void* interrupted) {
  const auto& registers = static_cast<ucontext_t*>(interrupted)->uc_mcontext;
#if defined(__x86_64__)
  uint64_t pc = uint64_t(registers.gregs[REG_RIP]);
#elif defined(__aarch64__)
  uint64_t pc = registers.pc;
#else
  uint64_t pc = 0;  // the time limit waits for a call of the runtime
#endif
  const SimtLaunch* launch = machine.launch;
  for (uint64_t i = 0; i < launch->nregions; i++)
    if (launch->regions[i].argument < 0 && pc - launch->regions[i].base < launch->regions[i].size)
      return true;
  return false;
}

void on_time(int, siginfo_t*, void* interrupted) {
  machine.expired = true;
  if (!machine.running || !within_kernel(interrupted)) return;  // see called(), and Guard
  say(TIMEOUT, machine.launch->timeout_ms);
  say(" [%s]", name_of(machine.current->id).c_str());
  abandon_launch();
}

void on_fault(int signal, siginfo_t* info, void*) {
  if (!machine.running) _exit(128 + signal);
  if (signal == SIGFPE) {
    say("integer division by zero");
  } else {
    uint64_t address = reinterpret_cast<uint64_t>(info->si_addr);
    Fiber* f = machine.current ? machine.current->fiber : nullptr;
    bool guard = f && reinterpret_cast<uint64_t>(f->stack) - address <= GUARD_BYTES;
    if (guard) say(STACK_OVERFLOW, KERNEL_BYTES);
    else say("segmentation fault at address %p", info->si_addr);
  }
  if (machine.current) say(" [%s]", name_of(machine.current->id).c_str());
  abandon_launch();
}

// The kernel calls the runtime: a place where it can be given up.
[[gnu::always_inline]] inline void called(const void* frame) {
  if (machine.expired) fail(TIMEOUT, machine.launch->timeout_ms);
  if (machine.current->fiber->nearly_full(frame)) fail(STACK_OVERFLOW, KERNEL_BYTES);
}

// While it lives, faults of the kernel and its time-out become errors instead of ending the
// process.  The time limit strikes again and again, until it comes upon the kernel itself: whoever
// jumps out of the runtime or the C library leaves their state half changed.
class Guard {
 public:
  explicit Guard(uint32_t timeout_ms) {
    static char* stack = static_cast<char*>(
        mmap(nullptr, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    stack_t alternate{};
    alternate.ss_sp = stack;
    alternate.ss_size = 65536;
    sigaltstack(&alternate, &old_stack_);
    struct sigaction action{};
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, signals()[3]);
    for (int i = 0; i < 4; i++) {
      action.sa_sigaction = i == 3 ? on_time : on_fault;
      sigaction(signals()[i], &action, &old_[i]);
    }
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = signals()[3];
    event._sigev_un._tid = pid_t(syscall(SYS_gettid));
    timed_ = timeout_ms && timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;
    if (timed_) {
      itimerspec when{};
      when.it_value.tv_sec = timeout_ms / 1000;
      when.it_value.tv_nsec = long(timeout_ms % 1000) * 1000000;
      when.it_interval.tv_nsec = 1000000;
      timer_settime(timer_, 0, &when, nullptr);
    }
  }
  ~Guard() {
    if (timed_) timer_delete(timer_);
    for (int i = 0; i < 4; i++) sigaction(signals()[i], &old_[i], nullptr);
    sigaltstack(&old_stack_, nullptr);
  }

 private:
  static const int* signals() {
    static const int all[] = {SIGSEGV, SIGBUS, SIGFPE, SIGRTMIN + 3};
    return all;
  }
  struct sigaction old_[4];
  stack_t old_stack_{};
  timer_t timer_{};
  bool timed_ = false;
};

void reset_machine(SimtLaunch* launch, void (*entry)(void**), void** arguments) {
  Machine& m = machine;
  m.launch = launch;
  m.entry = entry;
  m.arguments = arguments;
  m.current = nullptr;
  m.expired = false;
  m.random = launch->seed * 0x9E3779B97F4A7C15ull | 1;
  for (int i = 0; i < 8; i++) random_bits();
  m.idle_loads = m.since_yield = 0;  // but the clock goes on, as a device's does
  m.next_block = m.live_blocks = 0;
  m.block_order.resize(launch->blocks);
  for (uint32_t i = 0; i < launch->blocks; i++)
    m.block_order[i] = launch->order == REVERSE ? launch->blocks - 1 - i : i;
  if (launch->order == RANDOM)
    for (uint32_t i = launch->blocks; i > 1; i--)
      std::swap(m.block_order[i - 1], m.block_order[random_below(i)]);
  m.starved_warp =
      random_below(std::min(launch->resident, launch->blocks) * ((launch->threads + 31) / 32));
  size_t room = 64;
  while (room <= size_t(launch->resident) * launch->threads) room *= 2;
  if (m.ready.size() < room) m.ready.resize(room);
  m.ready_head = m.ready_tail = 0;
  for (auto& b : m.blocks) b->resident = false;
  simt_blockDim = {launch->threads, 1, 1};
  simt_gridDim = {launch->blocks / launch->parts, 1, 1};
  if (fibers_in_disorder) fibers.reset();
  fibers_in_disorder = false;
  checker.begin(*launch);
}

int run() {
  Guard guard(machine.launch->timeout_ms);
  if (sigsetjmp(escape, 1)) {
    machine.running = false;
    return FAILED;
  }
  machine.running = true;
  for (uint32_t i = 0; i < machine.launch->resident; i++) start_next_block();
  Thread* first = pick();
  first->fiber = fibers.take();
  first->state = State::READY;
  set_current(first);
  switch_context(machine.host, first->fiber->context);
  machine.running = false;
  checker.settle();
  if (machine.live_blocks == 0) return OK;
  say("deadlock: no thread can run%s", waiting_threads().c_str());
  fibers_in_disorder = true;
  return FAILED;
}

void memory_hook(void* p, unsigned size, unsigned how, void* pc) {
  if (!machine.running) return;
  called(__builtin_frame_address(0));
  machine.clock++;
  uint64_t address = reinterpret_cast<uint64_t>(p);
  bool own = machine.current->fiber->owns(address);
  if ((how & WRITE) && !(how & ATOMIC) && !own) progress();
  if (how & RELAXED) relaxed_access();
  if (!machine.launch->check || own) return;
  if (chance(machine.launch->yield_memory)) {
    checker.settle();
    yield();
  }
  checker.access(address, size, how, reinterpret_cast<uint64_t>(pc));
}

}  // namespace

void abandon_launch() {
  fibers_in_disorder = true;
  siglongjmp(escape, 1);
}

}  // namespace simt

// ---- what kernels call --------------------------------------------------------------------------
using namespace simt;
#define CALLER __builtin_return_address(0)

extern "C" {

int simt_shared_slot(unsigned long size, const char* name) {
  machine.slots.push_back({size, name});
  return int(machine.slots.size()) - 1;
}
void* simt_static_shared(int slot) {
  return shared_variable(machine.current->block, slot, machine.slots[slot].size);
}
void* simt_dynamic_shared() {
  return machine.launch->dynamic_shared ? shared_variable(machine.current->block, DYNAMIC, 0)
                                        : nullptr;
}
unsigned simt_lane() { return machine.current->lane; }
unsigned long long simt_clock() { return ++machine.clock; }
void simt_progress() { progress(); }

void simt_pause() {  // __nanosleep
  called(__builtin_frame_address(0));
  checker.settle();
  if (++machine.idle_loads > IDLE_LIMIT) relaxed_access();
  yield();
}
void simt_fence() {
  machine.clock++;
  if (machine.launch->check) checker.fence(machine.current);
}
void simt_access(void* address, unsigned size, unsigned how) {
  memory_hook(address, size, how, CALLER);
}

unsigned long long simt_collective(int kind, unsigned mask, unsigned long long value,
                                   unsigned source, const char* file, int line) {
  called(__builtin_frame_address(0));
  checker.settle();
  Thread* t = machine.current;
  t->file = file;
  t->line = line;
  if (!(mask & lane_bit(t)))
    fail("%s with mask 0x%08x, which does not name the calling lane %u, at %s:%d", kind_name(kind),
         mask, t->lane, file, line);
  t->kind = kind;
  t->mask = mask;
  t->value = value;
  t->source = source;
  t->warp->waiting |= lane_bit(t);
  if (!complete_collective(t->warp, mask, kind)) wait(t, kind);
  return t->result;
}

int simt_barrier(int kind, int predicate, const char* file, int line) {
  called(__builtin_frame_address(0));
  checker.settle();
  Thread* t = machine.current;
  Block* b = t->block;
  t->file = file;
  t->line = line;
  t->predicate = predicate;
  t->source = uint32_t(kind);
  t->state = State::WAITING;
  t->kind = BLOCK;
  t->warp->waiting |= lane_bit(t);
  if (++b->arrived == b->live) release_barrier(b);
  run_another(t->fiber, false);
  return int(t->result);
}

void simt_trap(const char* what, const char* file, int line) {
  fail("%s at %s:%d", what, file, line);
}

// ---- what emulator.py calls ---------------------------------------------------------------------

int simt_launch(SimtLaunch* launch, void (*entry)(void**), void** arguments) {
  launch->error[0] = 0;
  launch->switches = launch->collectives = launch->accesses = launch->benign = launch->peeks =
      launch->fingerprint = 0;
  launch->races = launch->shared_used = 0;
  launch->resident = std::max(1u, std::min(launch->resident, launch->blocks));
  reset_machine(launch, entry, arguments);
  int status = run();
  machine.current = nullptr;
  if (status == OK && launch->races) {
    say("%s", checker.report().c_str());
    status = RACES;
  }
  return status;
}

// The range of addresses of the library that holds `anchor`.
void simt_image(const void* anchor, uint64_t* range) {
  Dl_info info;
  range[0] = range[1] = range[2] = 0;
  if (!dladdr(anchor, &info)) return;
  range[2] = reinterpret_cast<uint64_t>(info.dli_fbase);
  dl_iterate_phdr(
      [](dl_phdr_info* image, size_t, void* data) {
        uint64_t* r = static_cast<uint64_t*>(data);
        if (image->dlpi_addr != r[2]) return 0;
        uint64_t low = ~0ull, high = 0;
        for (int k = 0; k < image->dlpi_phnum; k++) {
          const auto& segment = image->dlpi_phdr[k];
          if (segment.p_type != PT_LOAD) continue;
          low = std::min<uint64_t>(low, image->dlpi_addr + segment.p_vaddr);
          high = std::max<uint64_t>(high, image->dlpi_addr + segment.p_vaddr + segment.p_memsz);
        }
        r[0] = low;
        r[1] = high;
        return 1;
      },
      range);
}

// ---- what g++ inserts under -fsanitize=thread ---------------------------------------------------

#define SIMT_HOOK(name, n, how) \
  void __tsan_##name##n(void* p) { memory_hook(p, n, how, CALLER); }
#define SIMT_HOOKS(n)                            \
  SIMT_HOOK(read, n, READ)                       \
  SIMT_HOOK(write, n, WRITE)                     \
  SIMT_HOOK(unaligned_read, n, READ)             \
  SIMT_HOOK(unaligned_write, n, WRITE)           \
  SIMT_HOOK(volatile_read, n, RELAXED)           \
  SIMT_HOOK(volatile_write, n, WRITE | RELAXED)  \
  SIMT_HOOK(unaligned_volatile_read, n, RELAXED) \
  SIMT_HOOK(unaligned_volatile_write, n, WRITE | RELAXED)
SIMT_HOOKS(1)
SIMT_HOOKS(2)
SIMT_HOOKS(4)
SIMT_HOOKS(8)
SIMT_HOOKS(16)

static void range_hook(void* p, size_t bytes, unsigned how, void* pc) {
  for (size_t i = 0; i < bytes; i += 4)
    memory_hook(static_cast<char*>(p) + i, unsigned(std::min<size_t>(4, bytes - i)), how, pc);
}
void __tsan_read_range(void* p, size_t bytes) { range_hook(p, bytes, READ, CALLER); }
void __tsan_write_range(void* p, size_t bytes) { range_hook(p, bytes, WRITE, CALLER); }
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_init() {}

// ---- what g++ inserts under -fsanitize=bounds and so on: records that begin with the place ------

struct UndefinedPlace {
  const char* file;
  uint32_t line, column;
};
#define SIMT_UNDEFINED(name, what)                                    \
  void __ubsan_handle_##name(UndefinedPlace* p, ...) {                \
    if (machine.running) fail("%s at %s:%u", what, p->file, p->line); \
  }                                                                   \
  void __ubsan_handle_##name##_abort(UndefinedPlace* p, ...) {        \
    if (machine.running) fail("%s at %s:%u", what, p->file, p->line); \
  }
SIMT_UNDEFINED(out_of_bounds, "array index out of bounds")
SIMT_UNDEFINED(type_mismatch_v1, "misaligned access")
SIMT_UNDEFINED(shift_out_of_bounds, "shift by a wrong amount")
SIMT_UNDEFINED(divrem_overflow, "integer division by zero, or its overflow")
SIMT_UNDEFINED(add_overflow, "overflow of a signed addition")
SIMT_UNDEFINED(sub_overflow, "overflow of a signed subtraction")
SIMT_UNDEFINED(mul_overflow, "overflow of a signed multiplication")
SIMT_UNDEFINED(negate_overflow, "overflow of a negation")
SIMT_UNDEFINED(float_cast_overflow, "float outside the range of the integer it becomes")
SIMT_UNDEFINED(builtin_unreachable, "unreachable code reached")
SIMT_UNDEFINED(missing_return, "function ended without a return")
}
