// Loads of four entries by one instruction, and loads ahead of their use.
#pragma once

constexpr int QUAD = 4;

template <class T> struct Quad { T at[QUAD]; };

// What one instruction reads of four values, of 1, 2, 4 or 8 bytes.
template <int bytes> struct Piece { using type = uint4; };
template <> struct Piece<1> { using type = unsigned; };
template <> struct Piece<2> { using type = uint2; };

template <class T> __device__ inline bool aligned(const T* at) {
    return (reinterpret_cast<unsigned long long>(at) & (sizeof(typename Piece<sizeof(T)>::type) - 1)) == 0;
}

// The first `count` of four values. They are read once, and should not push out of the caches what
// is read again.
template <class T> __device__ inline Quad<T> read_quad(const T* from, int count, bool aligned) {
    using P = typename Piece<sizeof(T)>::type;
    constexpr int pieces = sizeof(Quad<T>) / sizeof(P);
    union { P piece[pieces]; Quad<T> quad; } as{};
    if (aligned && count == QUAD) {
        for (int i = 0; i < pieces; ++i) as.piece[i] = __ldcs(reinterpret_cast<const P*>(from) + i);
    } else {
        for (int i = 0; i < QUAD; ++i)
            if (i < count) as.quad.at[i] = from[i];
    }
    return as.quad;
}

// To a place that is aligned for it.
template <class T> __device__ inline void write_quad(T* to, const Quad<T>& quad) {
    using P = typename Piece<sizeof(T)>::type;
    constexpr int pieces = sizeof(Quad<T>) / sizeof(P);
    union { Quad<T> quad; P piece[pieces]; } as{quad};
    for (int i = 0; i < pieces; ++i) reinterpret_cast<P*>(to)[i] = as.piece[i];
}

// Prefetches from this address into the second-level cache, if it is wanted, without a branch.
__device__ inline void prefetch(const void* at, bool wanted) {
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p prefetch.global.L2 [%0]; }"
                 ::"l"(at), "r"(int(wanted)));
}

// Says that all of these have been loaded before any is looked at, so that a warp waits for memory once. What follows
// from one alone the compiler would else move to where that is loaded, and wait there.
template <class T> __device__ inline void loaded(T&) {}
__device__ inline void loaded(int& x) { asm volatile("" : "+r"(x)); }
__device__ inline void loaded(unsigned& x) { asm volatile("" : "+r"(x)); }
__device__ inline void loaded(long long& x) { asm volatile("" : "+l"(x)); }
__device__ inline void loaded(unsigned long long& x) { asm volatile("" : "+l"(x)); }
__device__ inline void loaded(float& x) { asm volatile("" : "+f"(x)); }
__device__ inline void loaded(double& x) { asm volatile("" : "+d"(x)); }
template <class T, int N> __device__ inline void loaded(T (&x)[N]) {
#pragma unroll
    for (int i = 0; i < N; ++i) loaded(x[i]);
}

// An address in global memory that the compiler keeps as it is. A sum of addresses it would else take apart, and
// add up again for each load.
template <class T> __device__ inline T* one_address(T* at) {
    unsigned long long number = __cvta_generic_to_global(at);
    asm volatile("" : "+l"(number));
    return static_cast<T*>(__cvta_global_to_generic(number));
}

// The union of these words of bitmaps. If it is empty, none has to be looked at; and it is known when all are.
template <int N> __device__ inline unsigned union_of(const unsigned (&words)[N]) {
    unsigned all = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) all |= words[i];
    return all;
}

// 0, once all of these ids have been loaded; none is negative. The assembler does not see what `loaded` says, and may
// still move loads apart. But an address to which this is added depends on all of them. See docs/decisions/bfs.md.
template <int N> __device__ inline int zero_after(const int (&ids)[N]) {
    int all = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) all |= ids[i];
    loaded(all);
    return all >> 31;
}
