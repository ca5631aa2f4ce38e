// Complex numbers: the type and the operations of a field. Their functions are in complex_functions.cuh.
//
// Each is the same function of the same name in semirings/functions.py. Products are those of the
// definition and quotients are Smith's (Algorithm 116, 1962), as NumPy and SuiteSparse compute them,
// so an infinite operand may give NaN.
#pragma once

namespace arithmetic {

// Aligned as a whole, so that one instruction loads both parts.
template <typename R> struct alignas(2 * sizeof(R)) Complex {
    using Real = R;
    R re, im;

    Complex() = default;  // trivial, for unions and shared memory
    __device__ constexpr explicit Complex(R re, R im = R(0)) : re(re), im(im) {}
};

template <typename T> constexpr bool is_complex = false;
template <typename R> constexpr bool is_complex<Complex<R>> = true;

template <typename R> __device__ constexpr bool operator==(Complex<R> x, Complex<R> y) {
    return x.re == y.re && x.im == y.im;
}
template <typename R> __device__ constexpr bool operator!=(Complex<R> x, Complex<R> y) {
    return !(x == y);
}
template <typename R> __device__ inline Complex<R> operator-(Complex<R> x) {
    return Complex<R>(-x.re, -x.im);
}
template <typename R> __device__ inline Complex<R> operator+(Complex<R> x, Complex<R> y) {
    return Complex<R>(x.re + y.re, x.im + y.im);
}
template <typename R> __device__ inline Complex<R> operator-(Complex<R> x, Complex<R> y) {
    return Complex<R>(x.re - y.re, x.im - y.im);
}
template <typename R> __device__ inline Complex<R> operator*(Complex<R> x, Complex<R> y) {
    return Complex<R>(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
}

template <typename R> __device__ inline Complex<R> operator/(Complex<R> x, Complex<R> y) {
    const R re = y.re < 0 ? -y.re : y.re, im = y.im < 0 ? -y.im : y.im;
    if (re == 0 && im == 0) return Complex<R>(x.re / re, x.im / re);
    if (re >= im) {
        const R ratio = y.im / y.re, scale = R(1) / (y.re + y.im * ratio);
        return Complex<R>((x.re + x.im * ratio) * scale, (x.im - x.re * ratio) * scale);
    }
    const R ratio = y.re / y.im, scale = R(1) / (y.im + y.re * ratio);
    return Complex<R>((x.re * ratio + x.im) * scale, (x.im * ratio - x.re) * scale);
}

template <typename R> __device__ inline Complex<R> conj(Complex<R> x) { return Complex<R>(x.re, -x.im); }
template <typename R> __device__ inline R creal(Complex<R> x) { return x.re; }
template <typename R> __device__ inline R cimag(Complex<R> x) { return x.im; }
template <typename R> __device__ inline Complex<R> cmplx(R re, R im) { return Complex<R>(re, im); }

}  // namespace arithmetic
