// Numbers of choices; arithmetic.cuh includes this.
#pragma once

namespace arithmetic {

// n over k; 0 if it is undefined or a step overflows.
__device__ inline long long binom(long long n, long long k) {
    if (k < 0 || k > n) return 0;
    if (k > n - k) k = n - k;
    long long value = 1;
    for (long long step = 0; step < k; ++step) {
        if (value > highest<long long> / (n - step)) return 0;
        value = value * (n - step) / (step + 1);
    }
    return value;
}

}  // namespace arithmetic
