"""Generation of CUDA from the algebra: the template argument of each kernel as a struct.

These structs are the only generated code. Their functions are the operators' expressions in C++ for
the types of the operands; everything else is in ``cuda/``.
"""

from __future__ import annotations

import functools

import numpy as np

from semirings import BINARY, UNARY, BinaryOp, IndexUnaryOp, Monoid, Semiring, UnaryOp, types

NATIVE = {BINARY[name].parsed: atomic for name, atomic in (
    ("plus", "add"), ("min", "min"), ("max", "max"), ("bor", "bit_or"), ("band", "bit_and"),
    ("bxor", "bit_xor"))}  # fmt: skip
"""Formulas for which the hardware has an atomic operation."""

IDENTITY = UNARY["identity"]

ONE = BINARY["pair"].parsed


def falls(monoid: Monoid) -> bool:
    """True if ⊕ returns the greater of two values."""
    return NATIVE.get(monoid.op.parsed) == "max"


c = types.c_name


@functools.cache
def together(*structs: str) -> str:
    """Several structs as one string. The same object is returned each time, because its hash is
    then computed only once."""
    return "".join(structs)


def cast(dtype: np.dtype, value: str, source: np.dtype) -> str:
    return value if dtype == source else f"arithmetic::cast<{c(dtype)}>({value})"


def fold(monoid: Monoid, dtype: np.dtype) -> str:
    """The members that make a struct a Monoid (see fold.cuh)."""
    early = monoid.ends_early(dtype) and not monoid.is_any
    terminal = monoid.terminal(dtype) if early else None  # not tested for if it hardly occurs
    start = "" if monoid.is_any else types.literal(monoid.start(dtype), dtype)
    settled = "false" if terminal is None else f"z == {types.literal(terminal, dtype)}"
    add = monoid.op.cuda(dtype, {"x": "x", "y": "y"}, dtype)
    return f"""
    using Z = {c(dtype)};
    static constexpr bool any = {str(monoid.is_any).lower()};
    static constexpr bool has_terminal = {str(terminal is not None).lower()};
    static constexpr Native native = Native::{NATIVE.get(monoid.op.parsed, "none")};
    static __device__ Z start() {{ return Z({start}); }}
    static __device__ Z add(Z x, Z y) {{ return {add}; }}
    static __device__ bool terminal(Z z) {{ return {settled}; }}"""


@functools.cache
def monoid_struct(monoid: Monoid, dtype: np.dtype) -> str:
    return f"struct Monoid {{{fold(monoid, dtype)}\n}};\n"


@functools.cache
def semiring_struct(
    semiring: Semiring, u: np.dtype, a: np.dtype, offset: np.dtype, vector_left: bool
) -> str:
    """The template argument of push and pull for a vector of type u and a matrix of type a.

    With ``vector_left`` the product is u(k) ⊗ a(k, j) at row 0, else a(j, k) ⊗ u(k) at column 0.
    Values that ⊗ does not read are not loaded. ``product`` takes pointers, or objects with the same
    subscript; ``step`` is the product with a value that is already loaded.
    """
    op = semiring.multiply
    reads_vector, reads_matrix = op.reads_x, op.reads_y
    if not vector_left:
        reads_vector, reads_matrix = reads_matrix, reads_vector
    row = "j" if vector_left else "i"
    arguments = "const Vector& u, Index k, const Values& values, Offset at, Index j"
    return f"""struct Semiring {{
    using U = {c(u)};
    using A = {c(a)};
    using Offset = {c(offset)};{fold(semiring.monoid, semiring.output(u, a))}
    static constexpr bool reads_vector = {str(reads_vector).lower()};
    static constexpr bool reads_matrix = {str(reads_matrix).lower()};
    static constexpr bool reads_row = {str(row in op.parsed.free).lower()};
    static constexpr bool same = {str(op.parsed == ONE).lower()};
    template <class Vector, class Values> static __device__ Z product({arguments}) {{
        return {multiplied(semiring, "u[k]", u, a, vector_left)};
    }}
    static __device__ Z step(U x, Index k, const A* values, Offset at, Index j) {{
        return {multiplied(semiring, "x", u, a, vector_left)};
    }}
    static __device__ bool joins(const U*, Index, const A*, Offset, Index) {{ return true; }}
}};
"""


def multiplied(semiring: Semiring, value: str, u: np.dtype, a: np.dtype, vector_left: bool) -> str:
    """The product of a vector's value and the matrix' entry ``at``, in C++."""
    operand, result = semiring.operand(semiring.meet(u, a)), semiring.output(u, a)
    vector, matrix = cast(operand, value, u), cast(operand, "values[at]", a)
    names = (
        {"x": vector, "y": matrix, "i": "0", "k": "k", "j": "j"}
        if vector_left
        else {"x": matrix, "y": vector, "i": "j", "k": "k", "j": "0"}
    )
    return semiring.multiply.cuda(operand, names, result)


@functools.cache
def tight_struct(
    order: Semiring, u: np.dtype, carried: Semiring, given: np.dtype, a: np.dtype, offset: np.dtype
) -> str:
    """The template argument of a pull along the tight edges of a closure u under ``order``.

    An edge (k, j) is tight if u(k) ⊗ a(k, j) = u(j), and joins if u(k) is also better than u(j), so
    that following such edges backwards ends. The pull yields any product of ``carried`` with a
    vector of type ``given``, which it does not read.
    """
    better = order.monoid.op.cuda(u, {"x": "here", "y": "there"}, u)
    return f"""struct Semiring {{
    using U = {c(u)};
    using A = {c(a)};
    using Offset = {c(offset)};{fold(carried.monoid, carried.output(given, a))}
    static __device__ Z product(const U*, Index k, const A* values, Offset at, Index j) {{
        return {multiplied(carried, "", given, a, True)};
    }}
    static __device__ bool joins(const U* u, Index k, const A* values, Offset at, Index j) {{
        const U here = u[j], there = u[k];
        return {multiplied(order, "there", u, a, True)} == here && !({better} == here);
    }}
}};
"""


def counts(semiring: Semiring) -> bool:
    """True if each product is 1 and ⊕ adds, so that products are counted."""
    adds = NATIVE.get(semiring.monoid.op.parsed) == "add"
    return adds and semiring.multiply.parsed == ONE


@functools.cache
def product_struct(semiring: Semiring, a: np.dtype, b: np.dtype, offset: np.dtype) -> str:
    """The template argument of the products of two matrices: a(i, k) ⊗ b(k, j), and the fold.

    ea and eb are the positions of the two values. Values that ⊗ does not read are not loaded. If
    each product is 1 and ⊕ adds, products are counted with 32 bits: no row of A has more entries.
    """
    operand = semiring.operand(semiring.meet(a, b))
    result = semiring.output(a, b)
    x, y = cast(operand, "a[ea]", a), cast(operand, "b[eb]", b)
    names = {"x": x, "y": y, "i": "i", "k": "k", "j": "j"}
    arguments = "const A* a, Offset ea, const B* b, Offset eb, Index i, Index k, Index j"
    return f"""struct Semiring {{
    using A = {c(a)};
    using B = {c(b)};
    using Offset = {c(offset)};{fold(semiring.monoid, result)}
    static constexpr bool counts = {str(counts(semiring)).lower()};
    using Sum = {"unsigned" if counts(semiring) else "Z"};
    static __device__ Z product({arguments}) {{
        return {semiring.multiply.cuda(operand, names, result)};
    }}
}};
"""


def op_struct(
    left: np.dtype, right: np.dtype, scalar: np.dtype, result: np.dtype, body: str,
    reads_row: bool = False,
) -> str:  # fmt: skip
    """The template argument Op of the element-wise kernels. ``reads_row`` is for matrices."""
    return f"""struct Op {{
    using Left = {c(left)};
    using Right = {c(right)};
    using Scalar = {c(scalar)};
    using Z = {c(result)};
    static constexpr bool reads_row = {str(reads_row).lower()};
    template <class X, class Y> static __device__ Z apply(X x, Y y, Index i, Index j) {{
        return {body};
    }}
}};
"""


def ewise_value(op: BinaryOp, left: np.dtype, right: np.dtype, x: str, y: str, j: str) -> str:
    """op(x, y) at (i, j), in C++. x or y may be a default, in the operands' common type."""
    operand = op.meet(left, right)
    wide = f"arithmetic::cast<{c(operand)}>"
    names = {"x": f"{wide}({x})", "y": f"{wide}({y})", "i": "i", "j": j}
    return op.elementwise.cuda(operand, names, op.unified(left, right))


@functools.cache
def ewise_struct(op: BinaryOp, left: np.dtype, right: np.dtype) -> str:
    body, operand = ewise_value(op, left, right, "x", "y", "j"), op.meet(left, right)
    reads_row = "i" in op.elementwise.parsed.free
    return op_struct(left, right, operand, op.unified(left, right), body, reads_row)


def applied_value(
    op: UnaryOp | BinaryOp | IndexUnaryOp, source: np.dtype, operand: np.dtype, bound_left: bool,
    entry: str, number: str, j: str,
) -> str:  # fmt: skip
    """op(entry) at (i, j), or op(entry, number), in C++; the number comes first if
    ``bound_left``."""
    x, y = cast(operand, entry, source), number
    names = {"x": y if bound_left else x, "y": x if bound_left else y, "i": "i", "j": j}
    at_one_place = op.elementwise if isinstance(op, BinaryOp) else op
    return at_one_place.cuda(operand, names, op.output(operand))


@functools.cache
def apply_struct(
    op: UnaryOp | BinaryOp | IndexUnaryOp, source: np.dtype, operand: np.dtype, bound_left: bool,
    scalar: np.dtype | None = None,
) -> str:  # fmt: skip
    """op(x) of an entry x, or op(x, y) with y bound (x bound if ``bound_left``).

    ``scalar`` is the type of the bound number, by default the operator's.
    """
    body = applied_value(op, source, operand, bound_left, "x", "y", "j")
    return op_struct(source, source, scalar or operand, op.output(operand), body)


def predicate(op: IndexUnaryOp, x: np.dtype, y: np.dtype, names: dict[str, str]) -> str:
    """An index-unary operator on an entry of type x and a thunk of type y, as a C++ condition."""
    if op.typed is not None:
        names, x = names | {"x": cast(op.typed, names["x"], x)}, op.typed
    return op.parsed.cuda({"x": x, "y": y}, names, types.BOOL)


@functools.cache
def select_struct(op: IndexUnaryOp, source: np.dtype, thunk: np.dtype) -> str:
    """The operation that keeps an entry x of a vector if op(x, i, j = 0, thunk) is true."""
    test = predicate(op, source, thunk, {"x": "x", "y": "y", "i": "i", "j": "0"})
    return f"""struct Op {{
    using Left = {c(source)};
    using Right = {c(source)};
    using Scalar = {c(thunk)};
    using Z = {c(source)};
    static __device__ bool apply(Left x, Scalar y, Index i, Index) {{ return {test}; }}
}};
"""


@functools.cache
def copy_struct(dtype: np.dtype) -> str:
    return op_struct(dtype, dtype, dtype, dtype, "x")


def accumulated_value(accum: BinaryOp, out: np.dtype, source: np.dtype, w: str, t: str) -> str:
    """w ⊙ t in C++, computed in the output's type, as in python-graphblas."""
    common = out if accum.typed is None else accum.typed
    return accum.cuda(common, {"x": cast(common, w, out), "y": cast(common, t, source)}, out)


@functools.cache
def accum_struct(accum: BinaryOp | None, out: np.dtype, source: np.dtype) -> str:
    """The template argument Accum: how a computed value is combined with the output's."""
    join = "W()" if accum is None else accumulated_value(accum, out, source, "w", "t")
    return f"""struct Accum {{
    using W = {c(out)};
    static constexpr bool given = {str(accum is not None).lower()};
    static __device__ W join(W w, {c(source)} t) {{ return {join}; }}
}};
"""


def entry_struct(
    a: np.dtype, z: np.dtype, d: np.dtype, thunk: np.dtype, offset: np.dtype,
    keep: str, value: str, keep_reads_row: bool, value_reads_row: bool,
) -> str:  # fmt: skip
    """The template argument Entry of the kernels on a matrix' entries (see entries.cuh)."""
    arguments = "Index i, Index j, A x, Scaling<Entry> s, Thunk y"
    return f"""struct Entry {{
    using A = {c(a)};
    using Z = {c(z)};
    using D = {c(d)};
    using Thunk = {c(thunk)};
    using Offset = {c(offset)};
    static constexpr bool keep_reads_row = {str(keep_reads_row).lower()};
    static constexpr bool value_reads_row = {str(value_reads_row).lower()};
    static __device__ bool keep({arguments}) {{ return {keep}; }}
    static __device__ Z value({arguments}) {{ return {value}; }}
}};
"""


@functools.cache
def scaling_struct(
    semiring: Semiring, a: np.dtype, d: np.dtype, offset: np.dtype, diagonal_left: bool
) -> str:
    """diag(d) ⊕.⊗ A or A ⊕.⊗ diag(d). There is one product for each entry, so ⊕ is not used."""
    op = semiring.multiply
    operand = semiring.operand(semiring.meet(a, d))
    result = semiring.output(d, a) if diagonal_left else semiring.output(a, d)
    at = "i" if diagonal_left else "j"
    factor, entry = cast(operand, f"s.values[{at}]", d), cast(operand, "x", a)
    x, y = (factor, entry) if diagonal_left else (entry, factor)
    names = {"x": x, "y": y, "i": "i", "k": at, "j": "j"}
    value = op.cuda(operand, names, result)
    reads_row = not op.parsed.free.isdisjoint({"i", "x", "k"} if diagonal_left else {"i"})
    return entry_struct(
        a, result, d, types.BOOL, offset, f"present(s.bits, {at})", value, diagonal_left, reads_row
    )


@functools.cache
def ends_struct(compare: Semiring | None, a: np.dtype, label: np.dtype, offset: np.dtype) -> str:
    """The operation that keeps an entry if both its vertices have a label and, with ``compare``, if
    ⊗ of their labels is true."""
    keep = "present(s.bits, i) && present(s.bits, j)"
    if compare is not None:
        names = {"x": "s.values[i]", "y": "s.values[j]"}
        keep = f"{keep} && {compare.multiply.cuda(label, names, types.BOOL)}"
    return entry_struct(a, a, label, types.BOOL, offset, keep, "x", True, False)


@functools.cache
def entry_select_struct(op: IndexUnaryOp, a: np.dtype, thunk: np.dtype, offset: np.dtype) -> str:
    keep = predicate(op, a, thunk, {"x": "x", "y": "y", "i": "i", "j": "j"})
    return entry_struct(a, a, a, thunk, offset, keep, "x", "i" in op.parsed.free, False)


@functools.cache
def entry_apply_struct(
    op: UnaryOp | BinaryOp | IndexUnaryOp, a: np.dtype, operand: np.dtype, scalar: np.dtype,
    bound_left: bool, out: np.dtype, offset: np.dtype,
) -> str:  # fmt: skip
    x, y = cast(operand, "x", a), "y"
    names = {"x": y if bound_left else x, "y": x if bound_left else y, "i": "i", "j": "j"}
    at_one_place = op.elementwise if isinstance(op, BinaryOp) else op
    value = at_one_place.cuda(operand, names, out)
    reads_row = "i" in at_one_place.parsed.free
    return entry_struct(a, out, a, scalar, offset, "true", value, False, reads_row)
