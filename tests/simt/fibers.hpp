// Fibers: a stack and a saved stack pointer.  On x86-64 a switch is 14 instructions; elsewhere, or
// with -DSIMT_UCONTEXT, it is the C library's swapcontext (slower: it enters the kernel for
// signals).
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>
#include <vector>
#if !defined(__x86_64__) && !defined(SIMT_UCONTEXT)
#define SIMT_UCONTEXT 1
#endif
#ifdef SIMT_UCONTEXT
#include <ucontext.h>
#endif

namespace simt {

// The last HOOK_BYTES of a stack are the runtime's: a kernel that calls it with less left is given
// up, so that neither the runtime nor the C library runs out of stack half way.
constexpr size_t KERNEL_BYTES = 64 * 1024, HOOK_BYTES = 16 * 1024;
constexpr size_t STACK_BYTES = KERNEL_BYTES + HOOK_BYTES, GUARD_BYTES = 4096, FIBERS_PER_SLAB = 64;

#ifdef SIMT_UCONTEXT

struct Context {
  ucontext_t state;
};

inline void prepare(Context& c, char* stack, void (*entry)()) {
  getcontext(&c.state);
  c.state.uc_stack.ss_sp = stack;
  c.state.uc_stack.ss_size = STACK_BYTES;
  c.state.uc_link = nullptr;
  makecontext(&c.state, entry, 0);
}
inline void switch_context(Context& from, Context& to) { swapcontext(&from.state, &to.state); }

#else

struct Context {
  void* stack_pointer = nullptr;
};

// void simt_switch(void** save, void* load): push the callee-saved registers, exchange the stacks
extern "C" void simt_switch(void** save, void* load);
asm(R"(
.text
.globl simt_switch
.hidden simt_switch
.type simt_switch,@function
simt_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp,(%rdi)
  movq %rsi,%rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size simt_switch,.-simt_switch
)");

inline void prepare(Context& c, char* stack, void (*entry)()) {
  uint64_t* top = reinterpret_cast<uint64_t*>(stack + STACK_BYTES);
  *--top = 0;  // the return address of `entry`, which never returns
  *--top =
      reinterpret_cast<uint64_t>(entry);  // `ret` goes here, with rsp % 16 == 8 as after a call
  for (int r = 0; r < 6; r++) *--top = 0;  // r15 r14 r13 r12 rbx rbp
  c.stack_pointer = top;
}
inline void switch_context(Context& from, Context& to) {
  simt_switch(&from.stack_pointer, to.stack_pointer);
}

#endif

struct Fiber {
  Context context;
  char* stack = nullptr;  // STACK_BYTES, below them an unmapped guard page
  bool owns(uint64_t address) const {
    uint64_t base = reinterpret_cast<uint64_t>(stack);
    return address >= base && address < base + STACK_BYTES;
  }
  bool nearly_full(const void* frame) const {
    return reinterpret_cast<uint64_t>(frame) - reinterpret_cast<uint64_t>(stack) < HOOK_BYTES;
  }
};

// All fibers ever made; those not in use wait in `idle`.  Stacks are mapped by the slab and touched
// lazily.
class FiberPool {
 public:
  explicit FiberPool(void (*entry)()) : entry_(entry) {}
  Fiber* take() {
    if (idle_.empty()) grow();
    Fiber* f = idle_.back();
    idle_.pop_back();
    return f;
  }
  void give(Fiber* f) { idle_.push_back(f); }
  void reset() {  // after a failed launch: abandon whatever was running
    idle_ = all_;
    for (Fiber* f : all_) prepare(f->context, f->stack, entry_);
  }
  const Fiber* owner(uint64_t address) const {
    for (const Fiber* f : all_)
      if (f->owns(address)) return f;
    return nullptr;
  }

 private:
  void grow() {
    constexpr size_t stride = STACK_BYTES + GUARD_BYTES;
    void* slab = mmap(nullptr, stride * FIBERS_PER_SLAB, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slab == MAP_FAILED) abort();
    for (size_t i = 0; i < FIBERS_PER_SLAB; i++) {
      char* guard = static_cast<char*>(slab) + i * stride;
      mprotect(guard, GUARD_BYTES, PROT_NONE);
      Fiber* f = new Fiber;
      f->stack = guard + GUARD_BYTES;
      prepare(f->context, f->stack, entry_);
      all_.push_back(f);
      idle_.push_back(f);
    }
  }
  void (*entry_)();
  std::vector<Fiber*> all_, idle_;
};

}  // namespace simt
