// One value everywhere in an array, whose bits are given.
// See docs/decisions/compilation.md.
#pragma once
#include "core/grid_stride.cuh"

template <class Word> __global__ void fill(long long count, Word value, Word* values) {
    for (long long i : grid_stride<long long>(count)) values[i] = value;
}
