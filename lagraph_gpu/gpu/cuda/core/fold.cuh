// Folding with a monoid: in a register, over a warp, and into memory that others fold into too.
//
// A Monoid gives: Z, any, terminal(z), add(a, b), start() and native, the hardware's own atomic
// where there is one. A fold starts from the first entry, never from the identity, so that a fold
// over NaN alone stays NaN; start() is the value that scratch memory may begin with instead.
#pragma once
#include "core/arithmetic.cuh"
#include "core/bitmap.cuh"
#include "core/shuffle.cuh"

enum class Native { none, add, min, max, bit_or, bit_and, bit_xor };

// At most one value.
template <class M> struct Partial {
    typename M::Z value;
    bool has;

    __device__ void fold(typename M::Z z) {
        value = has ? M::add(value, z) : z;
        has = true;
    }
    // No further entry can change the result.
    __device__ bool settled() const { return has && (M::any || M::terminal(value)); }
};

template <class M> __device__ inline Partial<M> nothing() { return {M::start(), false}; }

// ⊕ over the warp's lanes, or over each WIDTH neighbouring ones; every lane gets the result. All 32 lanes must call
// it.
template <class M, int WIDTH = 32> __device__ inline Partial<M> fold_warp(Partial<M> mine) {
    using Z = typename M::Z;
    for (int distance = WIDTH / 2; distance > 0; distance >>= 1) {
        const Z other = from_lane_xor<Z>(mine.value, distance);
        const bool has = __shfl_xor_sync(ALL_LANES, int(mine.has), distance);
        // Lower lanes come first, so that all lanes fold in one order and agree to the last bit.
        if (has) {
            if (lane_id() & distance) {
                mine.value = mine.has ? M::add(other, mine.value) : other;
                mine.has = true;
            } else {
                mine.fold(other);
            }
        }
    }
    return mine;
}

// ⊕ over the lanes of `peers`, of which this one is one, valid in the lowest of them: each adds the
// next one's, then every other one is done (Westphal, Voting and shuffling to optimize atomic
// operations, 2015). All lanes must call it.
template <class M> __device__ inline typename M::Z fold_peers(Word peers, typename M::Z z) {
    int rank = __popc(peers & lanes_below());
    Word above = peers & ~lanes_below() & ~(1u << lane_id());
    while (__any_sync(ALL_LANES, above != 0)) {
        const int next = above == 0 ? lane_id() : __ffs(above) - 1;
        const auto other = from_lane<typename M::Z>(z, next);
        if (above != 0) z = M::add(z, other);
        above &= ~__ballot_sync(ALL_LANES, rank & 1);
        rank >>= 1;
    }
    return z;
}

// Sums, for kernels that fold nothing else.
template <class T> struct Plus {
    using Z = T;
    static constexpr Native native = Native::add;
    static __device__ Z add(Z x, Z y) { return x + y; }
};

constexpr int MAX_WARPS = 32;

// ⊕ over the block's threads, all of which must call it; the first warp's lanes get the result.
template <class M> __device__ inline Partial<M> fold_block(Partial<M> mine) {
    __shared__ typename M::Z values[MAX_WARPS];
    __shared__ int has[MAX_WARPS];
    const int warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    mine = fold_warp(mine);
    if (lane_id() == 0) {
        values[warp] = mine.value;
        has[warp] = mine.has;
    }
    __syncthreads();
    mine = nothing<M>();
    if (warp == 0 && lane_id() < warps && has[lane_id()]) mine.fold(values[lane_id()]);
    __syncthreads();  // the next fold may write
    return warp == 0 ? fold_warp(mine) : mine;
}

// --- into memory ----------------------------------------------------------------------------

// The unsigned word of the hardware's compare-and-swap that holds a value of this size.
template <int bytes> struct CasWord { using type = unsigned; };
template <> struct CasWord<8> { using type = unsigned long long; };

// *at = f(*at), atomically, for any type of 1, 2, 4 or 8 bytes. Returns the old value.
template <class Z, class F> __device__ inline Z swap_until(Z* at, F f) {
    using W = typename CasWord<sizeof(Z)>::type;
    const unsigned long long address = reinterpret_cast<unsigned long long>(at);
    W* word = reinterpret_cast<W*>(address & ~static_cast<unsigned long long>(sizeof(W) - 1));
    const int shift = 8 * static_cast<int>(address & (sizeof(W) - 1));
    const W ones = sizeof(Z) == sizeof(W) ? ~W(0) : (W(1) << (8 * sizeof(Z) % (8 * sizeof(W)))) - 1;
    W seen = *static_cast<volatile W*>(word);
    while (true) {
        union { W bits; Z value; } old{};
        old.bits = seen >> shift & ones;
        union { W bits; Z value; } next{};
        next.value = f(old.value);
        if (next.bits == old.bits) return old.value;
        const W wanted = (seen & ~(ones << shift)) | next.bits << shift;
        const W found = atomicCAS(word, seen, wanted);
        if (found == seen) return old.value;
        seen = found;
    }
}

// *at = f(*at) for a complex number of 16 bytes, which no compare-and-swap has: whoever changes it
// leaves a mark in the real part in the meantime, at which others wait. The mark is a NaN that no
// computation gives; whoever copies it in is given another. Lanes of a warp may wait for each other,
// since each goes on by itself. Returns the old value.
constexpr unsigned long long FOLDING = 0xfff0f01d1f01d1f0ull;

template <class Z, class F> __device__ inline Z swap_locked(Z* at, F f) {
    using W = unsigned long long;
    union { Z value; W words[2]; } old{}, next{};
    W* const words = reinterpret_cast<W*>(at);
    while (true) {
        old.words[0] = atomicExch(words, FOLDING);
        if (old.words[0] == FOLDING) continue;  // another thread is folding
        __threadfence();
        old.words[1] = atomicOr(words + 1, W(0));
        next.value = f(old.value);
        if (next.words[0] == FOLDING) next.words[0] = FOLDING ^ 1;  // a NaN as well
        atomicExch(words + 1, next.words[1]);
        __threadfence();
        atomicExch(words, next.words[0]);
        return old.value;
    }
}

template <class T> constexpr bool is_floating = T(0.5) != T(0);

// Floating-point minimum and maximum by integer atomics: for values of one sign the bits order as
// integers do, and the starts (see Monoid.start) lie beyond every number. NaN never wins, if memory
// holds no other NaN than the start: see foldable.
template <class F> struct FloatBits { using I = int; using U = unsigned; };
template <> struct FloatBits<double> { using I = long long; using U = unsigned long long; };

template <class F> __device__ inline F native_extremum(F* at, F z, bool least) {
    using I = typename FloatBits<F>::I;
    using U = typename FloatBits<F>::U;
    if (z != z) return *static_cast<volatile F*>(at);
    union { F value; I bits; } as{};
    as.value = z;
    I* const ordered = reinterpret_cast<I*>(at);
    U* const reversed = reinterpret_cast<U*>(at);
    const bool positive = as.bits >= 0;
    if (least) as.bits = positive ? atomicMin(ordered, as.bits) : I(atomicMax(reversed, U(as.bits)));
    else as.bits = positive ? atomicMax(ordered, as.bits) : I(atomicMin(reversed, U(as.bits)));
    return as.value;
}

// The hardware's type with the width of an integer T; unsigned, so that sums wrap around.
template <class T> struct AtomicType { using type = T; };
template <> struct AtomicType<int> { using type = unsigned; };
template <> struct AtomicType<long long> { using type = unsigned long long; };

// Does fold_into take the hardware's own atomic?
template <class M> constexpr bool is_native = sizeof(typename M::Z) >= 4 && M::native != Native::none;

// z as memory may hold it that others fold into: of all NaN only one loses to every number by its
// bits.
template <class M> __device__ inline typename M::Z foldable(typename M::Z z) {
    if constexpr (is_native<M> && is_floating<typename M::Z> && M::native != Native::add)
        return z == z ? z : M::start();
    else return z;
}

// *at = *at ⊕ z, atomically. Returns the old value (of a complex sum, part by part).
template <class M> __device__ inline typename M::Z fold_into(typename M::Z* at, typename M::Z z) {
    using Z = typename M::Z;
    constexpr Native native = is_native<M> ? M::native : Native::none;
    using A = typename AtomicType<Z>::type;
    A* const word = reinterpret_cast<A*>(at);
    if constexpr (native == Native::add && arithmetic::is_complex<Z>) {
        // Sums are read only when they are complete, so the two parts may be added one by one.
        return Z(atomicAdd(&at->re, z.re), atomicAdd(&at->im, z.im));
    } else if constexpr (native == Native::add) {
        return static_cast<Z>(atomicAdd(word, static_cast<A>(z)));
    } else if constexpr (native == Native::min || native == Native::max) {
        constexpr bool least = native == Native::min;
        if constexpr (is_floating<Z>) return native_extremum(at, z, least);
        else return least ? atomicMin(at, z) : atomicMax(at, z);
    } else if constexpr (native == Native::bit_or) {
        return static_cast<Z>(atomicOr(word, static_cast<A>(z)));
    } else if constexpr (native == Native::bit_and) {
        return static_cast<Z>(atomicAnd(word, static_cast<A>(z)));
    } else if constexpr (native == Native::bit_xor) {
        return static_cast<Z>(atomicXor(word, static_cast<A>(z)));
    } else if constexpr (sizeof(Z) > 8) {
        return swap_locked(at, [z](Z old) { return M::add(old, z); });
    } else {
        return swap_until(at, [z](Z old) { return M::add(old, z); });
    }
}
