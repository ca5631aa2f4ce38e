// Positions that are distributed over processes: of so many parts, number r has the positions r,
// r + count, r + 2 · count, …; position i is at place i div count of its part. In an array of all parts, one
// lies after another.
// See docs/decisions/cluster.md.
#pragma once
#include "core/bitmap.cuh"

struct Parts {
    Index count;
    Index each;    // places of a part
    Index longer;  // the first parts, which have one place more

    __device__ Index part_of(Index i) const { return Index(unsigned(i) % unsigned(count)); }
    __device__ Index place_of(Index i) const { return Index(unsigned(i) / unsigned(count)); }
    __device__ Index size(Index part) const { return each + (part < longer); }
    // Where a part begins in an array of all.
    __device__ long long begin(Index part) const {
        return static_cast<long long>(part) * each + (part < longer ? part : longer);
    }
    // Where position i is in an array of all parts.
    __device__ long long at(Index i) const { return begin(part_of(i)) + place_of(i); }
    // Where the bitmap of a part begins in one of all, in which each part begins with a word.
    __device__ long long first_word(Index part) const {
        const long long before = part < longer ? part : longer;
        return before * words_of(each + 1) + (part - before) * words_of(each);
    }
    // The part to which a word of such a bitmap belongs.
    __device__ Index part_of_word(long long word) const {
        const long long ahead = first_word(longer);
        return static_cast<Index>(word < ahead ? word / words_of(each + 1) : longer + (word - ahead) / words_of(each));
    }
};
