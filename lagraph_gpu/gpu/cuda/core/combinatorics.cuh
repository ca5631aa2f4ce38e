// Divisors, multiples, remainders and numbers of choices; arithmetic.cuh includes this.
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

// The remainder of integers with the sign of x; 0 if y is 0. For floats it is C's fmod.
template <typename T> __device__ inline T fmod(T x, T y) {
    return y == 0 || (is_signed<T> && y == T(-1)) ? T(0) : T(x % y);
}

template <typename T> __device__ inline word<T> magnitude(T x) {
    return is_signed<T> && x < T(0) ? word<T>(0) - word<T>(x) : word<T>(x);
}

template <typename T> __device__ inline word<T> common_divisor(T x, T y) {
    word<T> a = magnitude(x), b = magnitude(y);
    while (b != 0) {
        const word<T> rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

template <typename T> __device__ inline T gcd(T x, T y) { return T(common_divisor(x, y)); }

template <typename T> __device__ inline T lcm(T x, T y) {
    const word<T> divisor = common_divisor(x, y);
    return divisor == 0 ? T(0) : T(magnitude(x) / divisor * magnitude(y));
}

}  // namespace arithmetic
