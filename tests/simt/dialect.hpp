// The CUDA C++ dialect for g++: what a header-free kernel may use, and nothing more.
//
// Every kernel source is compiled with this file in front (as a precompiled header).  Intrinsics
// are calls into runtime.cpp.  What CUDA lacks is lacking here too: atomics have CUDA's overloads
// only, there is no __activemask, no standard library.  Two things C++ cannot express are rewritten
// in the source by emulator.py: __shared__ declarations, and #include "x.cuh".
#pragma once
// C's <math.h> alone. libstdc++ would add all of <cmath>, for which every module pays 30 ms.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <math.h>
#undef isnan
#undef isinf
#undef isfinite
#undef signbit

#define SIMT_EMULATOR 1
#define __CUDA_ARCH__ 900
#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#ifdef __OPTIMIZE__
#define __forceinline__ inline __attribute__((always_inline))
#else
#define __forceinline__ inline
#endif
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define __shared__ SIMT_cannot_rewrite_this_shared_declaration

#define SIMT_API inline __attribute__((always_inline))
#define SIMT_UNSEEN __attribute__((noinline, no_sanitize("thread", "undefined")))
#define SIMT_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
};
extern const uint3 threadIdx asm("simt_threadIdx"), blockIdx asm("simt_blockIdx");
extern const dim3 blockDim asm("simt_blockDim"), gridDim asm("simt_gridDim");
constexpr int warpSize = 32;

#include "enumerators.hpp"

extern "C" {
int simt_shared_slot(unsigned long size, const char* name);
void* simt_static_shared(int slot);
void* simt_dynamic_shared();
unsigned simt_lane();
simt::u64 simt_clock();
void simt_pause();
void simt_fence();
void simt_access(const volatile void* address, unsigned size, unsigned access);
void simt_progress();
simt::u64 simt_collective(int kind, unsigned mask, simt::u64 value, unsigned source,
                          const char* file, int line);
int simt_barrier(int kind, int predicate, const char* file, int line);
void simt_trap(const char* what, const char* file, int line);
}

namespace simt {

template <class T, class Site> SIMT_UNSEEN T& static_shared(const char* name, Site) {
  static int slot = 0;  // none yet, also where a launch is given up on the way to the next line
  if (slot == 0) slot = simt_shared_slot(sizeof(T), name);
  return *static_cast<T*>(simt_static_shared(slot));
}

// Loads and stores that the checker does not see, because simt_access() has told it already.
template <class T> SIMT_UNSEEN T load(const volatile T* p) { return *const_cast<const T*>(p); }
template <class T> SIMT_UNSEEN void store(volatile T* p, T v) {
  if (__builtin_memcmp(const_cast<T*>(p), &v, sizeof v)) simt_progress();
  *const_cast<T*>(p) = v;
}

template <class To, class From> SIMT_API To bits(From v) {
  static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
  To r;
  __builtin_memcpy(&r, &v, sizeof r);
  return r;
}
template <class T> SIMT_API u64 widen(T v) {
  static_assert(!__is_class(T), "lanes exchange numbers, in CUDA, too");
  u64 r = 0;
  __builtin_memcpy(&r, &v, sizeof v);
  return r;
}
template <class T> SIMT_API T narrow(u64 u) {
  T r;
  __builtin_memcpy(&r, &u, sizeof r);
  return r;
}

}  // namespace simt

// ---- barriers and fences ------------------------------------------------------------------------
SIMT_API void __syncthreads(SIMT_SITE) { simt_barrier(simt::PLAIN, 0, file, line); }
SIMT_API int __syncthreads_count(int p, SIMT_SITE) {
  return simt_barrier(simt::COUNT, p, file, line);
}
SIMT_API int __syncthreads_and(int p, SIMT_SITE) {
  return simt_barrier(simt::BARRIER_AND, p, file, line);
}
SIMT_API int __syncthreads_or(int p, SIMT_SITE) {
  return simt_barrier(simt::BARRIER_OR, p, file, line);
}
SIMT_API void __syncwarp(unsigned mask = ~0u, SIMT_SITE) {
  simt_collective(simt::SYNCWARP, mask, 0, 0, file, line);
}
SIMT_API void __threadfence() { simt_fence(); }
SIMT_API void __threadfence_block() { simt_fence(); }
SIMT_API void __threadfence_system() { simt_fence(); }
SIMT_API void __nanosleep(unsigned) { simt_pause(); }

// ---- votes, matches, reductions, shuffles -------------------------------------------------------
#define SIMT_VOTE(Result, name, kind)                                        \
  SIMT_API Result name(unsigned mask, int p, SIMT_SITE) {                    \
    return (Result)simt_collective(simt::kind, mask, p != 0, 0, file, line); \
  }
SIMT_VOTE(unsigned, __ballot_sync, BALLOT)
SIMT_VOTE(int, __any_sync, ANY)
SIMT_VOTE(int, __all_sync, ALL)

template <class T> SIMT_API unsigned __match_any_sync(unsigned mask, T v, SIMT_SITE) {
  return (unsigned)simt_collective(simt::MATCH_ANY, mask, simt::widen(v), 0, file, line);
}
template <class T> SIMT_API unsigned __match_all_sync(unsigned mask, T v, int* same, SIMT_SITE) {
  unsigned lanes = (unsigned)simt_collective(simt::MATCH_ALL, mask, simt::widen(v), 0, file, line);
  *same = lanes != 0;
  return lanes;
}

#define SIMT_REDUCE(T, name, kind)                                           \
  SIMT_API T name(unsigned mask, T v, SIMT_SITE) {                           \
    return (T)simt_collective(simt::kind, mask, (unsigned)v, 0, file, line); \
  }
SIMT_REDUCE(unsigned, __reduce_add_sync, ADD)
SIMT_REDUCE(int, __reduce_add_sync, ADD)
SIMT_REDUCE(unsigned, __reduce_min_sync, MIN)
SIMT_REDUCE(int, __reduce_min_sync, MIN_SIGNED)
SIMT_REDUCE(unsigned, __reduce_max_sync, MAX)
SIMT_REDUCE(int, __reduce_max_sync, MAX_SIGNED)
SIMT_REDUCE(unsigned, __reduce_and_sync, AND)
SIMT_REDUCE(unsigned, __reduce_or_sync, OR)
SIMT_REDUCE(unsigned, __reduce_xor_sync, XOR)

namespace simt {
template <class T> SIMT_API T shuffle(unsigned mask, T v, unsigned source, const char* file,
                                      int line) {
  return narrow<T>(simt_collective(SHUFFLE, mask, widen(v), source, file, line));
}
}  // namespace simt
template <class T> SIMT_API T __shfl_sync(unsigned mask, T v, int source, int width = 32,
                                          SIMT_SITE) {
  unsigned first = simt_lane() & ~(width - 1);
  return simt::shuffle(mask, v, first | (source & (width - 1)), file, line);
}
template <class T> SIMT_API T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32,
                                             SIMT_SITE) {
  unsigned lane = simt_lane(), place = lane & (width - 1);
  return simt::shuffle(mask, v, place < delta ? simt::OWN_VALUE : lane - delta, file, line);
}
template <class T> SIMT_API T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32,
                                               SIMT_SITE) {
  unsigned lane = simt_lane(), place = lane & (width - 1);
  return simt::shuffle(mask, v, place + delta >= (unsigned)width ? simt::OWN_VALUE : lane + delta,
                       file, line);
}
template <class T> SIMT_API T __shfl_xor_sync(unsigned mask, T v, int lanes, int width = 32,
                                              SIMT_SITE) {
  unsigned lane = simt_lane(), source = lane ^ (unsigned)lanes;
  // an earlier segment may be read, a later one not
  return simt::shuffle(mask, v, source > (lane | (width - 1)) ? simt::OWN_VALUE : source, file,
                       line);
}

// ---- atomics: one OS thread runs everything, so a yield and a plain read-modify-write -----------
#define SIMT_ATOMIC(T, name, result)                                       \
  SIMT_API T name(T* p, T v) {                                             \
    simt_access(p, sizeof(T), simt::WRITE | simt::RELAXED | simt::ATOMIC); \
    T old = simt::load(p);                                                 \
    simt::store(p, (T)(result));                                           \
    return old;                                                            \
  }
#define SIMT_CAS(T)                                                        \
  SIMT_API T atomicCAS(T* p, T expected, T v) {                            \
    simt_access(p, sizeof(T), simt::WRITE | simt::RELAXED | simt::ATOMIC); \
    T old = simt::load(p);                                                 \
    if (old == expected) simt::store(p, v);                                \
    return old;                                                            \
  }
#define SIMT_FOR_WORDS(M, ...) \
  M(int, __VA_ARGS__) M(unsigned, __VA_ARGS__) M(unsigned long long, __VA_ARGS__)
SIMT_FOR_WORDS(SIMT_ATOMIC, atomicAdd, old + v)
SIMT_ATOMIC(float, atomicAdd, old + v)
SIMT_ATOMIC(double, atomicAdd, old + v)
SIMT_ATOMIC(int, atomicSub, old - v)
SIMT_ATOMIC(unsigned, atomicSub, old - v)
SIMT_FOR_WORDS(SIMT_ATOMIC, atomicExch, v)
SIMT_ATOMIC(float, atomicExch, v)
SIMT_FOR_WORDS(SIMT_ATOMIC, atomicMin, v < old ? v : old)
SIMT_ATOMIC(long long, atomicMin, v < old ? v : old)
SIMT_FOR_WORDS(SIMT_ATOMIC, atomicMax, v > old ? v : old)
SIMT_ATOMIC(long long, atomicMax, v > old ? v : old)
SIMT_FOR_WORDS(SIMT_ATOMIC, atomicAnd, old & v)
SIMT_FOR_WORDS(SIMT_ATOMIC, atomicOr, old | v)
SIMT_FOR_WORDS(SIMT_ATOMIC, atomicXor, old ^ v)
SIMT_ATOMIC(unsigned, atomicInc, old >= v ? 0u : old + 1)
SIMT_ATOMIC(unsigned, atomicDec, old == 0 || old > v ? v : old - 1)
SIMT_CAS(int)
SIMT_CAS(unsigned)
SIMT_CAS(unsigned long long)
SIMT_CAS(unsigned short)

// ---- loads and stores with a cache policy -------------------------------------------------------
namespace simt {
template <class T> SIMT_API T load_as(const T* p, unsigned access) {
  simt_access(p, sizeof(T), access);
  return load(p);
}
template <class T> SIMT_API void store_as(T* p, T v, unsigned access) {
  simt_access(p, sizeof(T), access);
  store(p, v);
}
template <class T> struct same {
  using type = T;
};
}  // namespace simt
template <class T> SIMT_API T __ldg(const T* p) { return simt::load_as(p, simt::CONSTANT); }
template <class T> SIMT_API T __ldcg(const T* p) { return simt::load_as(p, simt::RELAXED); }
template <class T> SIMT_API T __ldcv(const T* p) { return simt::load_as(p, simt::RELAXED); }
template <class T> SIMT_API T __ldca(const T* p) { return simt::load_as(p, simt::READ); }
template <class T> SIMT_API T __ldcs(const T* p) { return simt::load_as(p, simt::READ); }
inline unsigned long long __cvta_generic_to_global(const void* p) { return (unsigned long long)p; }
inline void* __cvta_global_to_generic(unsigned long long p) { return (void*)p; }
template <class T> SIMT_API void __stcg(T* p, typename simt::same<T>::type v) {
  simt::store_as(p, v, simt::WRITE | simt::RELAXED);
}
template <class T> SIMT_API void __stwt(T* p, typename simt::same<T>::type v) {
  simt::store_as(p, v, simt::WRITE | simt::RELAXED);
}
template <class T> SIMT_API void __stcs(T* p, typename simt::same<T>::type v) {
  simt::store_as(p, v, simt::WRITE);
}

// ---- integers and bits --------------------------------------------------------------------------
SIMT_API int __popc(unsigned x) { return __builtin_popcount(x); }
SIMT_API int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
SIMT_API int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
SIMT_API int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
SIMT_API int __ffs(int x) { return __builtin_ffs(x); }
SIMT_API int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
  unsigned r = 0;
  for (int i = 0; i < 32; i++) r |= (x >> i & 1u) << (31 - i);
  return r;
}
inline unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
// the offset-th set bit from `base` on
inline unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return mask >> base & 1 ? base : ~0u;
  int step = offset > 0 ? 1 : -1, left = offset * step;
  for (int i = (int)base; i >= 0 && i < 32; i += step)
    if (mask >> i & 1 && --left == 0) return (unsigned)i;
  return ~0u;
}
SIMT_API unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)((unsigned long long)a * b >> 32);
}
SIMT_API int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
SIMT_API unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
SIMT_API long long __mul64hi(long long a, long long b) {
  return (long long)((__int128)a * b >> 64);
}
SIMT_API unsigned __byte_perm(unsigned x, unsigned y, unsigned which) {
  const unsigned long long both = static_cast<unsigned long long>(y) << 32 | x;
  unsigned made = 0;
  for (int i = 0; i < 4; ++i) made |= static_cast<unsigned>(both >> 8 * (which >> 4 * i & 7) & 255) << 8 * i;
  return made;
}
SIMT_API unsigned __funnelshift_l(unsigned low, unsigned high, unsigned s) {
  return s & 31 ? high << (s & 31) | low >> (32 - (s & 31)) : high;
}
SIMT_API unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned s) {
  return s < 32 ? __funnelshift_l(low, high, s) : low;
}
SIMT_API unsigned __funnelshift_r(unsigned low, unsigned high, unsigned s) {
  return s & 31 ? low >> (s & 31) | high << (32 - (s & 31)) : low;
}
SIMT_API unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned s) {
  return s < 32 ? __funnelshift_r(low, high, s) : high;
}
SIMT_API int __float_as_int(float v) { return simt::bits<int>(v); }
SIMT_API unsigned __float_as_uint(float v) { return simt::bits<unsigned>(v); }
SIMT_API float __int_as_float(int v) { return simt::bits<float>(v); }
SIMT_API float __uint_as_float(unsigned v) { return simt::bits<float>(v); }
SIMT_API long long __double_as_longlong(double v) { return simt::bits<long long>(v); }
SIMT_API double __longlong_as_double(long long v) { return simt::bits<double>(v); }

// ---- floating point -----------------------------------------------------------------------------
SIMT_API float __fadd_rn(float a, float b) { return a + b; }
SIMT_API float __fmul_rn(float a, float b) { return a * b; }
SIMT_API float __fdiv_rn(float a, float b) { return a / b; }
SIMT_API float __fsqrt_rn(float a) { return sqrtf(a); }
SIMT_API double __dadd_rn(double a, double b) { return a + b; }
SIMT_API double __dmul_rn(double a, double b) { return a * b; }
SIMT_API double __ddiv_rn(double a, double b) { return a / b; }
SIMT_API double __dsqrt_rn(double a) { return sqrt(a); }
SIMT_API float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
SIMT_API double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
SIMT_API float rsqrtf(float x) { return 1.0f / sqrtf(x); }
SIMT_API double rsqrt(double x) { return 1.0 / sqrt(x); }

// In C++ these have an overload for float, as in CUDA.
#define SIMT_FLOAT(name) \
  SIMT_API float name(float x) { return name##f(x); }
#define SIMT_FLOATS(name) \
  SIMT_API float name(float x, float y) { return name##f(x, y); }
SIMT_FLOAT(sqrt) SIMT_FLOAT(cbrt) SIMT_FLOAT(fabs) SIMT_FLOAT(floor) SIMT_FLOAT(ceil)
SIMT_FLOAT(trunc) SIMT_FLOAT(round) SIMT_FLOAT(rint) SIMT_FLOAT(exp) SIMT_FLOAT(exp2)
SIMT_FLOAT(expm1) SIMT_FLOAT(log) SIMT_FLOAT(log2) SIMT_FLOAT(log10) SIMT_FLOAT(log1p)
SIMT_FLOAT(sin) SIMT_FLOAT(cos) SIMT_FLOAT(tan) SIMT_FLOAT(asin) SIMT_FLOAT(acos)
SIMT_FLOAT(atan) SIMT_FLOAT(sinh) SIMT_FLOAT(cosh) SIMT_FLOAT(tanh) SIMT_FLOAT(asinh)
SIMT_FLOAT(acosh) SIMT_FLOAT(atanh) SIMT_FLOAT(erf) SIMT_FLOAT(erfc) SIMT_FLOAT(lgamma)
SIMT_FLOAT(tgamma) SIMT_FLOATS(pow) SIMT_FLOATS(fmod) SIMT_FLOATS(atan2) SIMT_FLOATS(hypot)
SIMT_FLOATS(copysign) SIMT_FLOATS(fmin) SIMT_FLOATS(fmax)
SIMT_API float abs(float x) { return fabsf(x); }
SIMT_API double abs(double x) { return fabs(x); }
SIMT_API int abs(int x) { return x < 0 ? -x : x; }
SIMT_API long long abs(long long x) { return x < 0 ? -x : x; }

#define SIMT_MINMAX(T)                               \
  SIMT_API T min(T a, T b) { return b < a ? b : a; } \
  SIMT_API T max(T a, T b) { return a < b ? b : a; }
SIMT_MINMAX(int)
SIMT_MINMAX(unsigned)
SIMT_MINMAX(long)
SIMT_MINMAX(unsigned long)
SIMT_MINMAX(long long)
SIMT_MINMAX(unsigned long long)
#define SIMT_MIXED(A, B, R)                            \
  SIMT_API R min(A a, B b) { return min((R)a, (R)b); } \
  SIMT_API R max(A a, B b) { return max((R)a, (R)b); }
SIMT_MIXED(int, unsigned, unsigned)
SIMT_MIXED(unsigned, int, unsigned)
SIMT_MIXED(long long, unsigned long long, unsigned long long)
SIMT_MIXED(unsigned long long, long long, unsigned long long)
SIMT_API float min(float a, float b) { return fminf(a, b); }
SIMT_API float max(float a, float b) { return fmaxf(a, b); }
SIMT_API double min(double a, double b) { return fmin(a, b); }
SIMT_API double max(double a, double b) { return fmax(a, b); }
SIMT_MIXED(float, double, double)
SIMT_MIXED(double, float, double)

// ---- the rest -----------------------------------------------------------------------------------
SIMT_API long long clock64() { return (long long)simt_clock(); }
SIMT_API void __trap(SIMT_SITE) { simt_trap("__trap()", file, line); }
#define assert(e) ((e) ? (void)0 : simt_trap("assertion failed: " #e, __FILE__, __LINE__))

#define SIMT_VECTOR(T, name)                                                    \
  struct alignas(2 * sizeof(T)) name##2 { T x, y; };                            \
  struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) name##4 { T x, y, z, w; }; \
  SIMT_API name##2 make_##name##2(T x, T y) { return {x, y}; }                  \
  SIMT_API name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
SIMT_VECTOR(signed char, char)
SIMT_VECTOR(unsigned char, uchar)
SIMT_VECTOR(short, short)
SIMT_VECTOR(unsigned short, ushort)
SIMT_VECTOR(int, int)
SIMT_VECTOR(unsigned, uint)
SIMT_VECTOR(float, float)
SIMT_VECTOR(double, double)
SIMT_VECTOR(long long, longlong)
SIMT_VECTOR(unsigned long long, ulonglong)

// ---- launch: a kernel's parameters, told to emulator.py, and the call ---------------------------
namespace simt {
struct Parameter {
  char pointer, constant;
  char kind;  // b i u f, c: complex, s: a struct, v: void
  unsigned size;
  unsigned fields;  // of a struct that is passed: so many parameters that follow
};
// A complex number says of which type its parts are.
template <class T> constexpr bool is_complex(...) { return false; }
template <class T> constexpr bool is_complex(typename T::Real*) { return true; }
template <class T> struct kind {
  static constexpr char value = is_complex<T>(nullptr) ? 'c' : __is_enum(T) ? 'u' : 's';
  static constexpr unsigned size = sizeof(T);
};
template <> struct kind<void> {
  static constexpr char value = 'v';
  static constexpr unsigned size = 1;
};
#define SIMT_KIND(T, k)                         \
  template <> struct kind<T> {                  \
    static constexpr char value = k;            \
    static constexpr unsigned size = sizeof(T); \
  };
SIMT_KIND(bool, 'b')
SIMT_KIND(float, 'f')
SIMT_KIND(double, 'f')
SIMT_KIND(signed char, 'i')
SIMT_KIND(short, 'i')
SIMT_KIND(int, 'i')
SIMT_KIND(long, 'i')
SIMT_KIND(long long, 'i')
SIMT_KIND(char, 'i')
SIMT_KIND(unsigned char, 'u')
SIMT_KIND(unsigned short, 'u')
SIMT_KIND(unsigned, 'u')
SIMT_KIND(unsigned long, 'u')
SIMT_KIND(unsigned long long, 'u')
template <class T> struct bare {
  using type = T;
  static constexpr char constant = 0;
};
template <class T> struct bare<const T> {
  using type = T;
  static constexpr char constant = 1;
};
template <class T> struct bare<volatile T> : bare<T> {};
template <class T> struct bare<const volatile T> : bare<const T> {};
// How many fields has an aggregate? As many as there are values that it can be made of. And of what
// types are they? Of those of the names that they are bound to.
struct Anything {
  template <class T> operator T() const;
};
template <class T, class... A> constexpr unsigned count_fields(...) { return sizeof...(A) - 1; }
template <class T, class... A> constexpr auto count_fields(int) -> decltype(T{A()...}, 0u) {
  return count_fields<T, A..., Anything>(0);
}
template <class...> struct Types {};
template <class... F> Types<F...> types(F&...);
#define SIMT_FIELDS(N, ...)                \
  if constexpr (count_fields<T>(0) == N) { \
    auto& [__VA_ARGS__] = t;               \
    return decltype(types(__VA_ARGS__)){}; \
  } else
template <class T> auto fields_of(T& t) {
  SIMT_FIELDS(1, a)
  SIMT_FIELDS(2, a, b)
  SIMT_FIELDS(3, a, b, c)
  SIMT_FIELDS(4, a, b, c, d)
  SIMT_FIELDS(5, a, b, c, d, e)
  SIMT_FIELDS(6, a, b, c, d, e, f)
  SIMT_FIELDS(7, a, b, c, d, e, f, g)
  SIMT_FIELDS(8, a, b, c, d, e, f, g, h)
  SIMT_FIELDS(9, a, b, c, d, e, f, g, h, i)
  SIMT_FIELDS(10, a, b, c, d, e, f, g, h, i, j)
  SIMT_FIELDS(11, a, b, c, d, e, f, g, h, i, j, k)
  SIMT_FIELDS(12, a, b, c, d, e, f, g, h, i, j, k, l)
  static_assert(count_fields<T>(0) == 0, "a struct that is passed has 1 to 12 fields");
}
// Writes a type as a parameter, and the fields of a struct behind it. Where the next one goes.
template <class P> struct describe {
  static constexpr char is = kind<P>::value;
  template <class... F> static constexpr Parameter* fields(Parameter* to, Types<F...>) {
    to->fields = sizeof...(F);
    Parameter* next = to + 1;
    ((next = describe<F>::write(next)), ...);
    return next;
  }
  static constexpr Parameter* write(Parameter* to) {
    *to = {0, 0, is, kind<P>::size, 0};
    if constexpr (is == 's') return fields(to, decltype(fields_of(*static_cast<P*>(nullptr))){});
    else return to + 1;
  }
};
template <class E> struct describe<E*> {
  using T = typename bare<E>::type;
  static constexpr Parameter* write(Parameter* to) {
    *to = {1, bare<E>::constant, kind<T>::value, kind<T>::size, 0};
    return to + 1;
  }
};
template <class F> struct Kernel;
template <class... P> struct Kernel<void(P...)> {
  static constexpr unsigned count = sizeof...(P);
  struct Table {
    Parameter all[128] = {};
    constexpr Table() {
      Parameter* next = all;
      ((next = describe<typename bare<P>::type>::write(next)), ...);
    }
  };
  static constexpr Table table{};
  template <unsigned... I> struct Indices {};
  template <unsigned N, unsigned... I> struct Count : Count<N - 1, N - 1, I...> {};
  template <unsigned... I> struct Count<0, I...> {
    using type = Indices<I...>;
  };
  template <unsigned... I> SIMT_UNSEEN static void call(void (*f)(P...), void** a, Indices<I...>) {
    (void)a;
    f(*static_cast<typename bare<P>::type*>(a[I])...);
  }
  SIMT_UNSEEN static void launch(void (*f)(P...), void** a) {
    call(f, a, typename Count<count>::type{});
  }
};
template <class... P> Kernel<void(P...)> kernel_of(void (*)(P...));
}  // namespace simt
#define SIMT_KERNEL(...)                                              \
  extern "C" void simt_entry(void** a) {                              \
    decltype(simt::kernel_of(&__VA_ARGS__))::launch(&__VA_ARGS__, a); \
  }                                                                   \
  extern "C" const simt::Parameter* simt_parameters() {               \
    return decltype(simt::kernel_of(&__VA_ARGS__))::table.all;         \
  }
