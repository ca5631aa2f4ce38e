// The columns that a row of a mask wants, in shared memory. One read tells whether a column is
// among them, and where the value that was folded for it is.
//
// There are three forms, by the row. If the columns are close together: a bitmap of the window that
// contains them, with the number of bits before each word; every read is exact. If there are not
// too many: a hash table. Else: a filter with a mark for each column (Bloom 1970); a column that
// passes is searched for in the row itself. See docs/decisions/spgemm.md.
#pragma once
#include "spgemm/product_tiles.cuh"

// So that few slots are used, if there are enough.
__device__ inline int roomy_size(long long n, int max_size) {
    int size = 32;
    while (size < 16 * n && size < max_size) size += size;
    return size;
}

// Each column has its own slot in a hash table.
template <class Group> struct Hashed {
    HashTable<Index, Group> table;  // at least half of it is empty
    int slots = table.size;

    template <class Offset>
    __device__ void enter(const Index* columns, const Word* truth, Offset first, Offset last, long long*) {
        table.clear();
        Group::sync();
        for (Offset e = first + Group::rank(); e < last; e += Group::size()) {
            bool fresh;
            if (is_wanted(truth, e)) table.insert(columns[e], fresh);
        }
        Group::sync();
    }
    __device__ int find(Index j) const { return table.find(j); }
};

// Each column has a bit; its slot is the number of bits before it. For a block.
struct Window {
    Word* bits;
    unsigned short* ranks;  // the number of bits before each word
    Index base;             // the column of the first bit
    int words, slots;

    template <class Offset>
    __device__ void enter(const Index* columns, const Word* truth, Offset first, Offset last, long long* sums) {
        for (int w = threadIdx.x; w < words; w += blockDim.x) bits[w] = 0;
        __syncthreads();
        for (Offset e = first + threadIdx.x; e < last; e += blockDim.x)
            if (is_wanted(truth, e)) mark(bits, columns[e] - base);
        __syncthreads();
        const int each = (words + blockDim.x - 1) / blockDim.x, begin = threadIdx.x * each;
        long long own = 0, total;
        for (int w = begin; w < begin + each && w < words; ++w) own += __popc(bits[w]);
        int rank = static_cast<int>(Block::running(own, total, sums) - own);
        for (int w = begin; w < begin + each && w < words; ++w) {
            ranks[w] = static_cast<unsigned short>(rank);
            rank += __popc(bits[w]);
        }
        __syncthreads();
    }
    __device__ int find(Index j) const {
        const unsigned at = j - base;
        if (at >> 5 >= unsigned(words)) return -1;
        const Word word = bits[at >> 5], bit = 1u << (at & 31);
        return word & bit ? ranks[at >> 5] + __popc(word & (bit - 1)) : -1;
    }
};

template <class S, int SLOTS> struct TableMemory {
    __align__(16) typename S::Sum sums[SLOTS];
    Index keys[SLOTS];  // or the words of a window, or of marks
    unsigned short ranks[SLOTS];
    Word taken[S::counts ? 1 : SLOTS / 32];
    long long warps[MAX_THREADS / 32];
};

// The value that was folded for each slot.
template <class S, class Group> struct Folded {
    using Offset = typename S::Offset;

    typename S::Sum* sums;
    Word* taken;  // a bit for each slot that has a value; not used if the value is a count

    __device__ void clear(int slots) {
        const int words = (slots + 31) / 32;
        for (int t = Group::rank(); t < 32 * words; t += Group::size()) {
            if constexpr (S::counts) sums[t] = 0;
            else sums[t] = S::start();
        }
        if constexpr (!S::counts)
            for (int w = Group::rank(); w < words; w += Group::size()) taken[w] = 0;
    }

    template <class Product> __device__ void fold(int slot, Product product) {
        if constexpr (S::counts) {
            atomicAdd(sums + slot, 1u);
        } else if constexpr (S::any) {
            if (claim(taken, slot)) sums[slot] = product();
        } else {
            fold_into<S>(sums + slot, product());
            claim(taken, slot);
        }
    }

    __device__ bool has(int slot) const {
        if constexpr (S::counts) return sums[slot] > 0;
        else return taken[slot >> 5] >> (slot & 31) & 1u;
    }

    // Writes the values to the places beside M's entries; unless the row is `whole`, other blocks
    // write to them too.
    template <class Columns>
    __device__ void leave(const Columns& held, const Index* columns, const Word* truth, Offset first,
                          Offset last, bool whole, Word* has_entry, typename S::Z* out) const {
        constexpr bool alone = S::any || sizeof(typename S::Z) >= 4;  // in the word that is folded into
        const Offset words = (last + 31) >> 5;
        for (Offset word = (first >> 5) + Group::rank() / 32; word < words; word += Group::size() / 32) {
            const Offset e = (word << 5) + lane_id();
            const bool mine = e >= first && e < last && is_wanted(truth, e);
            const int slot = mine ? held.find(columns[e]) : 0;
            const bool found = mine && has(slot);
            if (found) {
                const typename S::Z z = static_cast<typename S::Z>(sums[slot]);
                if (whole && alone) out[e] = z;
                else if constexpr (!S::any) fold_into<S>(out + e, z);
                else if (claim(has_entry, e)) out[e] = z;
            }
            const Word now = __ballot_sync(ALL_LANES, found);
            if (lane_id() == 0 && now != 0) atomicOr(has_entry + word, now);
        }
    }
};

// The marks of the columns of a long row. For a block.
struct Marks {
    Word* words;
    int count;  // a power of two

    __device__ unsigned place(Index j) const { return hashed(j) >> 15 & (32 * count - 1); }

    template <class Offset>
    __device__ void enter(const Index* columns, const Word* truth, Offset first, Offset last) {
        for (int w = threadIdx.x; w < count; w += blockDim.x) words[w] = 0;
        __syncthreads();
        for (Offset e = first + threadIdx.x; e < last; e += blockDim.x)
            if (is_wanted(truth, e)) mark(words, place(columns[e]));
        __syncthreads();
    }
    __device__ bool may_hold(Index j) const { return present(words, place(j)); }
};
