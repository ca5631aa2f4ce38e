// Bitmaps: which of n positions hold an entry, 32 to a word. A warp owns a word wherever it can,
// one lane for each position, so that a word is written once and without atomics. The bits of the
// last word that lie beyond n are always 0.
// See docs/decisions/storage.md.
#pragma once
#include "core/complex.cuh"

using Index = int;            // a vertex, a row, a column
using Word = unsigned;        // 32 positions

constexpr Word ALL_LANES = 0xffffffffu;

// The architecture that a kernel is compiled for, 900 for sm_90. Registers depend on it.
#ifdef __CUDA_ARCH__
constexpr int ARCHITECTURE = __CUDA_ARCH__;
#else
constexpr int ARCHITECTURE = 900;
#endif
// Threads that a block of some kernels has beyond the number for any architecture.
constexpr int MORE_THREADS_HERE = ARCHITECTURE == 10 * MORE_THREADS_ON ? MORE_THREADS : 0;

// Words that a warp reads before it looks at the first of them. Only while many reads are under way
// at once is the bandwidth of memory used.
constexpr int IN_FLIGHT = 4;
// Entries that a lane loads before it looks at the first of them, for the same reason; and where a
// value of type T takes registers for each.
constexpr int LOADS = 4;
template <class T> constexpr int LOADS_OF = sizeof(T) > 4 ? LOADS / 2 : LOADS;

__device__ inline int lane_id() { return threadIdx.x & 31; }
__device__ inline Word lanes_below() { return (1u << lane_id()) - 1; }

// The sum of x over the lanes up to this one, of each WIDTH neighbouring ones. All lanes must call it.
template <int WIDTH = 32, class T> __device__ inline T running_sum(T x) {
    for (int distance = 1; distance < WIDTH; distance <<= 1) {
        const T below = __shfl_up_sync(ALL_LANES, x, distance);
        if (lane_id() % WIDTH >= distance) x += below;
    }
    return x;
}

// The warp's number in the grid, and how many there are.
__device__ inline Index warp_id() { return (blockIdx.x * blockDim.x + threadIdx.x) >> 5; }
__device__ inline Index warp_count() { return (gridDim.x * blockDim.x) >> 5; }
// The warp's number where all of its lanes ask together, in a form of which the compiler knows that they have
// one value. Without that it keeps a second form of each shuffle and vote for lanes that have come apart.
__device__ inline Index common_warp_id() { return __shfl_sync(ALL_LANES, warp_id(), 0); }
// The warp's number in an order in which neighbours belong to different blocks: for few, uneven tasks.
__device__ inline Index spread_warp_id() {
    return static_cast<Index>((threadIdx.x >> 5) * gridDim.x + blockIdx.x);
}

__device__ inline Index words_of(Index n) { return (n >> 5) + ((n & 31) != 0); }

// Bits of a word that lie below position n.
__device__ inline Word inside(Index word, Index n) {
    const Index left = n - (word << 5);
    return left >= 32 ? ALL_LANES : (1u << left) - 1;
}

// Reads what others may be changing meanwhile: past the first-level cache, never torn.
template <class T> __device__ inline T peek(const T* at) { return *static_cast<const volatile T*>(at); }

// The word of position i, and whether it says that the position is present. A null bitmap holds every position.
__device__ inline Word bitmap_word(const Word* bits, Index i) { return bits == nullptr ? ALL_LANES : bits[i >> 5]; }
__device__ inline bool present(Word word, Index i) { return word >> (i & 31) & 1u; }
__device__ inline bool present(const Word* bits, Index i) { return present(bitmap_word(bits, i), i); }

// The bits of neighbouring lanes that have the same word, together in the first of these lanes; 0 in the
// others. All lanes must call it.
__device__ inline Word joined_bits(Index word, Word bits) {
    for (int distance = 1; distance < 32; distance <<= 1) {
        const Word further = __shfl_down_sync(ALL_LANES, bits, distance);
        const Index whose = __shfl_down_sync(ALL_LANES, word, distance);
        if (lane_id() + distance < 32 && whose == word) bits |= further;
    }
    const Index before = __shfl_up_sync(ALL_LANES, word, 1);
    return lane_id() > 0 && before == word ? 0 : bits;
}

// Sets position i.
template <class Position> __device__ inline void mark(Word* bits, Position i) {
    atomicOr(bits + (i >> 5), 1u << (i & 31));
}

// Sets position i, which is likely still unset; true for the one thread that changed it.
template <class Position> __device__ inline bool claim_unset(Word* bits, Position i) {
    const Word bit = 1u << (i & 31);
    return !(atomicOr(bits + (i >> 5), bit) & bit);
}

// Sets position i, which is likely set already; true for the one thread that changed it.
template <class Position> __device__ inline bool claim(Word* bits, Position i) {
    const Word bit = 1u << (i & 31);
    if (peek(bits + (i >> 5)) & bit) return false;
    return claim_unset(bits, i);
}

// Where the output may be written: a bitmap, possibly complemented, or everything.
struct Mask {
    const Word* bits;
    Word flip;  // all ones for a complemented mask, else 0

    __device__ Word word(Index w) const { return bits == nullptr ? ALL_LANES ^ flip : bits[w] ^ flip; }
    __device__ bool wants(Index i) const { return word(i >> 5) >> (i & 31) & 1u; }
};
