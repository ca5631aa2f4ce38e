// The sums of a matrix' entries above and below its diagonal, and how many are on it: a symmetric matrix
// has equal sums (see convert/mirrored.py, which has the same function on the host).
// See docs/decisions/layouts.md.
#pragma once
#include "core/fold.cuh"
#include "core/packed_scan.cuh"
#include "core/warp_reduce.cuh"

using Bits64 = unsigned long long;

// Four odd numbers that were drawn.
struct MirrorKeys {
    Bits64 a, b, c, d;

    static __device__ Bits64 mixed(Bits64 word, Bits64 first, Bits64 second) {
        word *= first;
        word ^= word >> 32;
        word *= second;
        return word ^ word >> 29;
    }
    __device__ Bits64 number(Index low, Index high, Bits64 value) const {
        const Bits64 pair = static_cast<Bits64>(low) << 32 | static_cast<Bits64>(high);
        return mixed(mixed(pair, a, b) ^ value, c, d);
    }
};

// A value as a word, the same for 0 and -0.
template <class T> __device__ inline Bits64 bits_of(T value) {
    union {
        T as_value;
        Bits64 as_word;
    } both;
    both.as_word = 0;
    both.as_value = static_cast<T>(value + T(0));
    return both.as_word;
}

struct MirrorSums {
    MirrorKeys keys;
    Bits64 above = 0, below = 0, loops = 0;

    __device__ void add(Index i, Index j, Bits64 value) {
        if (i < j) above += keys.number(i, j, value);
        else if (i > j) below += keys.number(j, i, value);
        else ++loops;
    }
    // All lanes must call it.
    __device__ void into(Bits64* sums) const {
        const Bits64 of_warp[] = {warp_reduce<Sum>(above), warp_reduce<Sum>(below), warp_reduce<Sum>(loops)};
#pragma unroll
        for (int k = 0; k < 3; ++k)
            if (lane_id() == 0 && of_warp[k] != 0) atomicAdd(sums + k, of_warp[k]);
    }
};

// Of compressed rows. A warp takes a row.
template <class Offset, class T>
__global__ void mirror_rows(Index count, const Offset* indptr, const Index* indices, const T* values, Index stride,
                            MirrorKeys keys, Bits64* sums) {
    MirrorSums mine{keys};
    for (Index i : warp_stride<Index>(count))
        for (Offset e = indptr[i] + lane_id(); e < indptr[i + 1]; e += 32)
            mine.add(i, indices[e], bits_of(values[stride == 0 ? Offset(0) : e]));
    mine.into(sums);
}

// Of packed rows. The values of row i begin with number begins[i]; without `begins` there is one for all.
template <class Offset, class T>
__global__ void __launch_bounds__(MAX_THREADS, 1024 / MAX_THREADS)
    mirror_packed(PackedRows rows, const Offset* begins, const T* values, MirrorKeys keys, Bits64* sums) {
    MirrorSums mine{keys};
    const auto value = [&](Index i, Index at) {
        return bits_of(values[begins == nullptr ? Offset(0) : begins[i] + static_cast<Offset>(at)]);
    };
    scan_packed(
        rows, [](Index) { return true; }, [&](Index i, Index j) { mine.add(i, j, value(i, 0)); },
        [&](Index i, Index at, const Index (&columns)[OF_LANE], int count) {
#pragma unroll
            for (int c = 0; c < OF_LANE; ++c)
                if (c < count) mine.add(i, columns[c], value(i, at + c));
        });
    mine.into(sums);
}
