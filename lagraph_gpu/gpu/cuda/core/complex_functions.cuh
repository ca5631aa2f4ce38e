// Functions of complex numbers by functions of real ones; arithmetic.cuh includes this.
//
// Each is the same function of the same name in semirings/functions.py, with NumPy's principal values.
// The inverse functions are those of W. Kahan, Branch cuts for complex elementary functions (1987).
#pragma once

namespace arithmetic {

template <typename R> __device__ inline R abs(Complex<R> x) { return hypot(x.re, x.im); }
template <typename R> __device__ inline R carg(Complex<R> x) { return atan2(x.im, x.re); }
template <typename R> __device__ inline bool isinf(Complex<R> x) { return isinf(x.re) || isinf(x.im); }
template <typename R> __device__ inline bool isfinite(Complex<R> x) {
    return isfinite(x.re) && isfinite(x.im);
}

template <typename R> __device__ inline Complex<R> signum(Complex<R> x) {
    const R size = abs(x);
    return size == 0 ? x : Complex<R>(x.re / size, x.im / size);
}

#define LAGRAPH_PARTS(name) \
    template <typename R> __device__ inline Complex<R> name(Complex<R> x) { return Complex<R>(name(x.re), name(x.im)); }
LAGRAPH_PARTS(ceil) LAGRAPH_PARTS(floor) LAGRAPH_PARTS(round) LAGRAPH_PARTS(trunc)
#undef LAGRAPH_PARTS

// --- roots, exponentials, logarithms, powers ----------------------------------------------------

template <typename R> __device__ inline Complex<R> sqrt(Complex<R> x) {
    if (x.re == 0 && x.im == 0) return Complex<R>(R(0), x.im);
    const R root = sqrt((abs(x.re) + abs(x)) / R(2));
    if (x.re >= 0) return Complex<R>(root, x.im / (root + root));
    return Complex<R>(abs(x.im) / (root + root), x.im < 0 || R(1) / x.im < 0 ? -root : root);
}

template <typename R> __device__ inline Complex<R> exp(Complex<R> x) {
    const R size = exp(x.re);
    return Complex<R>(size * cos(x.im), size * sin(x.im));
}
template <typename R> __device__ inline Complex<R> exp2(Complex<R> x) {
    constexpr R ln2 = R(0.693147180559945309);
    return exp(Complex<R>(x.re * ln2, x.im * ln2));
}
template <typename R> __device__ inline Complex<R> expm1(Complex<R> x) {
    const R half = sin(x.im / R(2));
    return Complex<R>(expm1(x.re) * cos(x.im) - R(2) * half * half, exp(x.re) * sin(x.im));
}

template <typename R> __device__ inline Complex<R> log(Complex<R> x) { return Complex<R>(log(abs(x)), carg(x)); }
template <typename R> __device__ inline Complex<R> log_times(Complex<R> x, R factor) {
    const Complex<R> z = log(x);
    return Complex<R>(z.re * factor, z.im * factor);
}
template <typename R> __device__ inline Complex<R> log2(Complex<R> x) {
    return log_times(x, R(1.44269504088896341));
}
template <typename R> __device__ inline Complex<R> log10(Complex<R> x) {
    return log_times(x, R(0.434294481903251828));
}
template <typename R> __device__ inline Complex<R> log1p(Complex<R> x) {
    return log(Complex<R>(x.re + R(1), x.im));
}

template <typename R> __device__ inline Complex<R> pow(Complex<R> x, Complex<R> y) {
    if (y == Complex<R>(0)) return Complex<R>(1);
    return x == Complex<R>(0) ? x : exp(y * log(x));
}
template <typename R> __device__ inline Complex<R> ipow(Complex<R> x, Complex<R> y) { return pow(x, y); }

// --- trigonometry -------------------------------------------------------------------------------

template <typename R> __device__ inline Complex<R> sinh(Complex<R> x) {
    return Complex<R>(sinh(x.re) * cos(x.im), cosh(x.re) * sin(x.im));
}
template <typename R> __device__ inline Complex<R> cosh(Complex<R> x) {
    return Complex<R>(cosh(x.re) * cos(x.im), sinh(x.re) * sin(x.im));
}
template <typename R> __device__ inline Complex<R> tanh(Complex<R> x) {
    if (abs(x.re) > R(22)) {  // e to the power of -44 does not change 1
        const R rest = R(4) * sin(x.im) * cos(x.im) * exp(R(-2) * abs(x.re));
        return Complex<R>(x.re < 0 ? R(-1) : R(1), rest);
    }
    const R t = tan(x.im), beta = R(1) + t * t, s = sinh(x.re);
    const R below = R(1) + beta * s * s;
    return Complex<R>(beta * sqrt(R(1) + s * s) * s / below, t / below);
}

// i·x and -i·x, by which circles and hyperbolas become each other.
template <typename R> __device__ inline Complex<R> turned(Complex<R> x) { return Complex<R>(-x.im, x.re); }
template <typename R> __device__ inline Complex<R> turned_back(Complex<R> x) { return Complex<R>(x.im, -x.re); }

template <typename R> __device__ inline Complex<R> sin(Complex<R> x) { return turned_back(sinh(turned(x))); }
template <typename R> __device__ inline Complex<R> cos(Complex<R> x) { return cosh(turned(x)); }
template <typename R> __device__ inline Complex<R> tan(Complex<R> x) { return turned_back(tanh(turned(x))); }

// √(1 - x) and √(1 + x), with the sign of zero that is the side of the cut.
template <typename R> __device__ inline Complex<R> root_below(Complex<R> x) {
    return sqrt(Complex<R>(R(1) - x.re, -x.im));
}
template <typename R> __device__ inline Complex<R> root_above(Complex<R> x) {
    return sqrt(Complex<R>(R(1) + x.re, x.im));
}

template <typename R> __device__ inline Complex<R> asin(Complex<R> x) {
    const Complex<R> below = root_below(x), above = root_above(x);
    return Complex<R>(atan2(x.re, (below * above).re), asinh((conj(below) * above).im));
}
template <typename R> __device__ inline Complex<R> acos(Complex<R> x) {
    const Complex<R> below = root_below(x), above = root_above(x);
    return Complex<R>(R(2) * atan2(below.re, above.re), asinh((conj(above) * below).im));
}
template <typename R> __device__ inline Complex<R> acosh(Complex<R> x) {
    const Complex<R> less = sqrt(Complex<R>(x.re - R(1), x.im)), above = root_above(x);
    return Complex<R>(asinh((conj(less) * above).re), R(2) * atan2(less.im, above.re));
}
template <typename R> __device__ inline Complex<R> atanh(Complex<R> x) {
    const R apart = (R(1) - x.re) * (R(1) - x.re) + x.im * x.im;
    const R across = (R(1) - x.re) * (R(1) + x.re) - x.im * x.im;
    return Complex<R>(log1p(R(4) * x.re / apart) / R(4), atan2(R(2) * x.im, across) / R(2));
}
template <typename R> __device__ inline Complex<R> asinh(Complex<R> x) { return turned(asin(turned_back(x))); }
template <typename R> __device__ inline Complex<R> atan(Complex<R> x) { return turned_back(atanh(turned(x))); }

}  // namespace arithmetic
