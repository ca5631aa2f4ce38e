// The functions that expressions of `semirings` lower to.
//
// Each is the same function of the same name in semirings/functions.py, type by type, so that an
// operator gives one answer on a CPU and on a GPU: SuiteSparse:GraphBLAS' answer. No call has
// undefined behaviour: integers wrap (they are added as unsigned numbers), shift distances and
// floating-point numbers that do not fit are dealt with, and a division by zero has an answer.
//
// Header-free: it compiles under NVRTC without an include, and under g++ where <cmath> has been
// included and __device__ defined away. Nothing here reads memory or knows of threads.

#pragma once
#include "core/complex.cuh"

namespace arithmetic {

// --- facts about types --------------------------------------------------------------------------

template <typename T> constexpr bool is_bool = false;
template <> constexpr bool is_bool<bool> = true;
template <typename T> constexpr bool is_float = false;
template <> constexpr bool is_float<float> = true;
template <> constexpr bool is_float<double> = true;
template <typename T> constexpr bool rounds = is_float<T> || is_complex<T>;
template <typename T> constexpr bool is_signed = !is_float<T> && T(-1) < T(0);
template <typename T> constexpr int bits = 8 * int(sizeof(T));

// An unsigned type of at least T's width that C++ does not promote further.
template <bool is_long> struct Word { typedef unsigned int type; };
template <> struct Word<true> { typedef unsigned long long type; };
template <typename T> using word = typename Word<(sizeof(T) > 4)>::type;

// The largest and smallest value of an integer type.
template <typename T>
constexpr T highest = is_bool<T> ? T(1) : T(~word<T>(0) >> (bits<word<T>> - bits<T> + is_signed<T>));
template <typename T> constexpr T lowest = is_signed<T> ? T(-highest<T> - 1) : T(0);

template <typename T> struct Bits { typedef unsigned int type; };
template <> struct Bits<double> { typedef unsigned long long type; };

// The floating-point number with these bits. (Reading a union's other member is defined by g++ and
// by nvcc; memcpy would need a header on one side.)
template <typename T> __device__ inline T from_bits(typename Bits<T>::type pattern) {
    union { typename Bits<T>::type pattern; T number; } both;
    both.pattern = pattern;
    return both.number;
}

template <typename T> __device__ inline T infinity();
template <> __device__ inline float infinity<float>() { return from_bits<float>(0x7f800000u); }
template <> __device__ inline double infinity<double>() {
    return from_bits<double>(0x7ff0000000000000ull);
}
template <typename T> __device__ inline T not_a_number() { return infinity<T>() - infinity<T>(); }

template <typename T> __device__ inline bool isnan(T x) { return x != x; }
template <typename T> __device__ inline bool isinf(T x) {
    return x == infinity<T>() || x == -infinity<T>();
}
template <typename T> __device__ inline bool isfinite(T x) { return !isnan(x) && !isinf(x); }

// --- conversion ---------------------------------------------------------------------------------

// Integers wrap; a float that does not fit saturates, and NaN becomes 0; all but 0 is true. A complex
// number loses its imaginary part.
template <typename T, typename F> __device__ inline T cast(F x) {
    if constexpr (is_complex<T>) {
        using R = typename T::Real;
        if constexpr (is_complex<F>) return T(R(x.re), R(x.im));
        else return T(R(x));
    } else if constexpr (is_bool<T>) {
        return x != F(0);
    } else if constexpr (is_complex<F>) {
        return cast<T>(x.re);
    } else if constexpr (is_float<F> && !is_float<T>) {
        if (isnan(x)) return T(0);
        if (x <= F(lowest<T>)) return lowest<T>;
        if (x >= F(highest<T>)) return highest<T>;
        return T(x);
    } else {
        return T(x);
    }
}

// --- sums and products --------------------------------------------------------------------------

// BOOL: + is or, * is and, - is exclusive or.
template <typename T> __device__ inline T add(T x, T y) {
    if constexpr (is_bool<T>) return x || y;
    else if constexpr (rounds<T>) return x + y;
    else return T(word<T>(x) + word<T>(y));
}

template <typename T> __device__ inline T subtract(T x, T y) {
    if constexpr (is_bool<T>) return x != y;
    else if constexpr (rounds<T>) return x - y;
    else return T(word<T>(x) - word<T>(y));
}

template <typename T> __device__ inline T multiply(T x, T y) {
    if constexpr (is_bool<T>) return x && y;
    else if constexpr (rounds<T>) return x * y;
    else return T(word<T>(x) * word<T>(y));
}

template <typename T> __device__ inline T negate(T x) {
    if constexpr (is_bool<T>) return x;
    else if constexpr (rounds<T>) return -x;
    else return T(word<T>(0) - word<T>(x));
}

__device__ inline float abs(float x) { return ::fabsf(x); }
__device__ inline double abs(double x) { return ::fabs(x); }
template <typename T> __device__ inline T abs(T x) {
    if constexpr (is_signed<T>) return x < 0 ? negate(x) : x;
    else return x;
}

// C's fmin and fmax: NaN loses. BOOL: min is and, max is or.
__device__ inline float min(float x, float y) { return ::fminf(x, y); }
__device__ inline double min(double x, double y) { return ::fmin(x, y); }
template <typename T> __device__ inline T min(T x, T y) { return y < x ? y : x; }
__device__ inline float max(float x, float y) { return ::fmaxf(x, y); }
__device__ inline double max(double x, double y) { return ::fmax(x, y); }
template <typename T> __device__ inline T max(T x, T y) { return x < y ? y : x; }

// --- division -----------------------------------------------------------------------------------

// Integer division towards zero; x / 0 is the extreme with the sign of x, and 0 for 0.
template <typename T> __device__ inline T cdiv(T x, T y) {
    if constexpr (is_bool<T>) {
        return x;
    } else if constexpr (rounds<T>) {
        return x / y;
    } else {
        if (y == 0) return x == 0 ? T(0) : x < 0 ? lowest<T> : highest<T>;
        if (is_signed<T> && y == T(-1)) return negate(x);
        return T(x / y);
    }
}

// The remainder with the sign of y; x % 0 is 0 for integers and NaN for floats.
template <typename T> __device__ inline T modulo(T x, T y) {
    if constexpr (is_float<T>) {
        T rest = T(::fmod(double(x), double(y)));  // exact, so the detour over double is harmless
        if (rest == 0) return T(::copysign(0.0, double(y)));
        return (rest < 0) != (y < 0) ? rest + y : rest;
    } else {
        if (y == 0 || (is_signed<T> && y == T(-1))) return T(0);
        T rest = T(x % y);
        return rest != 0 && (rest < 0) != (y < 0) ? T(rest + y) : rest;
    }
}

// Division towards -inf; integers divided by zero as in cdiv, floats as Python's // does it.
template <typename T> __device__ inline T floordiv(T x, T y) {
    if constexpr (is_float<T>) {
        if (y == 0) return x / y;
        T rest = T(::fmod(double(x), double(y)));
        T quotient = (x - rest) / y;
        if (rest != 0 && (rest < 0) != (y < 0)) quotient -= T(1);
        if (quotient == 0) return T(::copysign(0.0, double(x / y)));
        T whole = T(::floor(double(quotient)));
        return quotient - whole > T(0.5) ? whole + T(1) : whole;
    } else {
        T quotient = cdiv(x, y);
        if (y == 0 || (x < 0) == (y < 0) || multiply(quotient, y) == x) return quotient;
        return T(quotient - 1);
    }
}

// --- powers -------------------------------------------------------------------------------------

// x to the power of n in whole numbers, wrapping.
template <typename T> __device__ inline T ipow(T x, T n) {
    if (n < 0) {
        if (x == 0) return highest<T>;
        if (x == 1 || x == T(-1)) return (n & 1) ? x : T(1);
        return T(0);
    }
    T power = 1;
    for (; n > 0; n = T(n >> 1)) {
        if (n & 1) power = multiply(power, x);
        x = multiply(x, x);
    }
    return power;
}
__device__ inline float ipow(float x, float y) { return ::powf(x, y); }
__device__ inline double ipow(double x, double y) { return ::pow(x, y); }

// GraphBLAS' pow: NaN to the power of 0 is NaN, and 1 to the power of NaN too.
__device__ inline float pow(float x, float y) {
    return isnan(x) || isnan(y) ? not_a_number<float>() : ::powf(x, y);
}
__device__ inline double pow(double x, double y) {
    return isnan(x) || isnan(y) ? not_a_number<double>() : ::pow(x, y);
}
// Over integers it is the power of doubles, saturated. Powers that a double holds are computed by exact
// products, since a library's pow may miss a whole number by a bit and truncation would show it.
template <typename T> __device__ inline T pow(T x, T y) {
    if constexpr (is_bool<T>) {
        return x || !y;
    } else {
        if (y >= 0 && y < 64) {
            double power = 1;
            for (int n = int(y); n > 0; --n) power *= double(x);
            if (power > -9007199254740992.0 && power < 9007199254740992.0) return cast<T>(power);
        }
        return cast<T>(::pow(double(x), double(y)));
    }
}

// --- bits ---------------------------------------------------------------------------------------

template <typename T> __device__ inline T bit_and(T x, T y) { return T(x & y); }
template <typename T> __device__ inline T bit_or(T x, T y) { return T(x | y); }
template <typename T> __device__ inline T bit_xor(T x, T y) { return T(x ^ y); }
template <typename T> __device__ inline T bit_not(T x) {
    if constexpr (is_bool<T>) return !x;
    else return T(~x);
}

// x shifted left by k bits, or right by -k, keeping its sign; any k.
template <typename T> __device__ inline T shift(T x, int k) {
    if (k >= bits<T>) return T(0);
    if (k >= 0) return T(word<T>(x) << k);
    if (k > -bits<T>) return T(x >> -k);
    return x < 0 ? T(-1) : T(0);
}

// No distance beyond 127 differs from 127.
template <typename T> __device__ inline int distance(T k) {
    if (k > T(127)) return 127;
    if (is_signed<T> && k < T(-127)) return -127;
    return int(k);
}

template <typename T> __device__ inline T shift_left(T x, T k) { return shift(x, distance(k)); }
template <typename T> __device__ inline T shift_right(T x, T k) { return shift(x, -distance(k)); }
template <typename T> __device__ inline T bshift(T x, T k) { return shift(x, int((signed char)k)); }

// Bits are numbered from 1; k outside 1..bits names none.
template <typename T> __device__ inline bool is_bit(T k) { return k >= T(1) && k <= T(bits<T>); }
template <typename T> __device__ inline T mask(T k) { return T(word<T>(1) << (int(k) - 1)); }
template <typename T> __device__ inline T bget(T x, T k) {
    return is_bit(k) && (x & mask(k)) != 0 ? T(1) : T(0);
}
template <typename T> __device__ inline T bset(T x, T k) { return is_bit(k) ? T(x | mask(k)) : x; }
template <typename T> __device__ inline T bclr(T x, T k) { return is_bit(k) ? T(x & ~mask(k)) : x; }

// --- floating point -----------------------------------------------------------------------------

#define LAGRAPH_UNARY(name)                                            \
    __device__ inline float name(float x) { return ::name##f(x); }     \
    __device__ inline double name(double x) { return ::name(x); }
#define LAGRAPH_BINARY(name)                                                        \
    __device__ inline float name(float x, float y) { return ::name##f(x, y); }      \
    __device__ inline double name(double x, double y) { return ::name(x, y); }

LAGRAPH_UNARY(acos) LAGRAPH_UNARY(acosh) LAGRAPH_UNARY(asin) LAGRAPH_UNARY(asinh)
LAGRAPH_UNARY(atan) LAGRAPH_UNARY(atanh) LAGRAPH_UNARY(cbrt) LAGRAPH_UNARY(ceil)
LAGRAPH_UNARY(cos) LAGRAPH_UNARY(cosh) LAGRAPH_UNARY(erf) LAGRAPH_UNARY(erfc)
LAGRAPH_UNARY(exp) LAGRAPH_UNARY(exp2) LAGRAPH_UNARY(expm1) LAGRAPH_UNARY(floor)
LAGRAPH_UNARY(lgamma) LAGRAPH_UNARY(log) LAGRAPH_UNARY(log10) LAGRAPH_UNARY(log1p)
LAGRAPH_UNARY(log2) LAGRAPH_UNARY(round) LAGRAPH_UNARY(sin) LAGRAPH_UNARY(sinh)
LAGRAPH_UNARY(sqrt) LAGRAPH_UNARY(tan) LAGRAPH_UNARY(tanh) LAGRAPH_UNARY(tgamma)
LAGRAPH_UNARY(trunc)
LAGRAPH_BINARY(atan2) LAGRAPH_BINARY(copysign) LAGRAPH_BINARY(fmod) LAGRAPH_BINARY(hypot)
LAGRAPH_BINARY(nextafter) LAGRAPH_BINARY(remainder)

#undef LAGRAPH_UNARY
#undef LAGRAPH_BINARY

template <typename T> __device__ inline T signum(T x) {
    return x != x ? x : x > 0 ? T(1) : x < 0 ? T(-1) : T(0);
}

template <typename T> __device__ inline T ldexp(T x, T y) {
    if constexpr (sizeof(T) == 4) return ::ldexpf(x, cast<int>(y));
    else return ::ldexp(x, cast<int>(y));
}

// x = frexpx(x) · 2^frexpe(x) with a fraction in [0.5, 1).
template <typename T> __device__ inline T frexpx(T x) {
    int exponent = 0;
    return T(::frexp(double(x), &exponent));  // double holds every float as a normal number
}
template <typename T> __device__ inline T frexpe(T x) {
    int exponent = 0;
    ::frexp(double(x), &exponent);
    return isfinite(x) ? T(exponent) : T(0);
}

}  // namespace arithmetic

#include "core/combinatorics.cuh"
#include "core/complex_functions.cuh"
