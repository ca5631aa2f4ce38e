"""The same text twice: what python-graphblas makes of a line, and what we make of it.

Each line is run with python-graphblas' names and with ours, on each backend. A line that is an
expression is compared by what it yields, a statement by what it leaves in the scene.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from semirings import types

gb = pytest.importorskip("graphblas")

NAMES = ("Matrix", "Vector", "Scalar", "agg", "binary", "monoid", "op", "replace", "semiring",
         "unary")  # fmt: skip


def scene(package: Any) -> dict[str, Any]:
    """Some containers, and the names of a package."""
    Matrix, Vector, Scalar = package.Matrix, package.Vector, package.Scalar
    return {name: getattr(package, name) for name in NAMES} | {
        "np": np,
        "force_odd": force_odd,
        "logistic": logistic,
        "A": Matrix.from_coo([0, 0, 1, 2], [0, 1, 1, 0], [5, 6, 7, 0], nrows=3, ncols=3),
        "B": Matrix.from_coo([0, 1, 1], [1, 0, 1], [True, False, True], nrows=3, ncols=3),
        "T": Matrix.from_coo([0, 1], [1, 0], [9, 8]),
        "v": Vector.from_coo([0, 2], [1, 3], size=3),
        "w": Vector.from_coo([1, 2], [0, 4], size=3),
        "b": Vector.from_coo([0, 1], [True, False], size=3),
        "x": Vector.from_coo([0, 2], [1.5, 3.0], size=3),
        "X": Matrix.from_coo([0, 1], [1, 0], [1.5, 3.0], nrows=3, ncols=3),
        "s": Scalar.from_value(5),
        "e": Scalar(int),
        "t": Scalar.from_value(True),
    }


def force_odd(x: Any) -> Any:
    """The example of python-graphblas' user guide."""
    if x % 2 == 0:
        return x + 1
    return x


def logistic(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def plain(thing: Any) -> Any:
    """A result in Python's own terms: type, shape and entries of a container."""
    if hasattr(thing, "new") and not isinstance(thing, lg.Scalar):
        thing = thing.new()
    if hasattr(thing, "shape") and hasattr(thing, "nvals"):
        name = getattr(thing.dtype, "name", "")
        name = name if name.isupper() else types.name(thing.dtype)
        if not thing.shape:
            return name, thing.value
        *places, held = (part.tolist() for part in thing.to_coo())
        return name, tuple(map(int, thing.shape)), dict(zip(zip(*places), held))
    if isinstance(thing, np.ndarray):
        return thing.tolist()
    if isinstance(thing, Iterable) and not isinstance(thing, str | dict):
        return [plain(one) for one in thing]
    return thing


def left(line: str, package: Any) -> Any:
    """What a line yields, or what it leaves."""
    names = scene(package)
    try:
        code = compile(line, "<line>", "eval")
    except SyntaxError:
        exec(line, names)
        return {name: plain(names[name]) for name in "ABTXvwbxset"}
    found = eval(code, names)
    if found is None:
        return {name: plain(names[name]) for name in "ABTXvwbxset"}
    return plain(found)


BARE = """
A @ A + A
(A @ A).nvals
(A @ A).T
(A @ v)[0].value
-(A @ A)
(A @ A) * 2
(A @ A) == A
semiring.min_plus(A @ (A @ A))
binary.plus((A @ v) | v)
A.mxm(A @ A)
(v @ v) + 1
(B | B.T).nvals
(B & B.T).to_dense(False)
~(B | B)
(B | B) ^ B
(B | B)[0, 1].value
semiring.any_pair(A @ (B | B))
(0, 1) in A @ A
list(A @ A)
list(v + v)
0 in (v + v)
sorted(A.T)
(1, 0) in A.T
A << A @ A + A
v(binary.plus) << A @ v
v += A @ v
s << v @ v
"""
"""An operation without an operator takes that of its sign, and computes itself."""

SCALARS = """
binary.plus(s | e)
binary.plus(s & s)
binary.plus(s & e)
binary.minus(s | e, left_default=3, right_default=4)
binary.minus(e | s, left_default=3, right_default=4)
binary.minus(e | e, left_default=3, right_default=4)
s.ewise_add(s, "plus")
s.ewise_mult(e, "plus")
s.ewise_union(e, "minus", 1, 2)
t & t
t | t
"""

ZEROS = """
x / -0.0
X / -0.0
binary.copysign(x, -0.0)
binary.copysign(X, np.float64(-0.0))
x.apply("truediv", left=-0.0)
x.ewise_union(w, "truediv", 1.0, -0.0)
X.ewise_union(A, "truediv", 1.0, -0.0)
x << -0.0
X(X.S) << -0.0
1 / Vector.from_scalar(-0.0, 3)
1 / Matrix.from_scalar(-0.0, 2, 2)
"""
"""A zero keeps its sign on its way into an operation."""

PAIRS = """
binary.pair(v | w, left_default=0, right_default=3.25)
binary.pair(v | w, left_default=1j, right_default=0)
binary.pair(b | b, left_default=300, right_default=0)
binary.pair(A | B.T, left_default=True, right_default=0.5)
"""
"""Defaults of pair, which reads none of them."""

MASKS = """
A.S.new()
A.V.new()
(~A.S).new()
(~A.V).new(int)
A.S.new(mask=~A.V)
(~v.S).new(float)
(v.S & w.S).new()
(v.S & ~w.V).new()
(~v.S & w.V).new()
(~v.S & ~w.V).new()
(v.S | w.V).new()
(v.S | ~w.V).new()
(~v.S | ~w.S).new()
(A.V & B.V).new()
(A.V | ~B.V).new()
v(v.S & w.S) << 9
A(~A.V | B.S, replace) << 9
v(b) << 9
v(~b.V) << 9
v(v > 1) << 9
v(mask=v > 1) << 9
A(B | B.T, binary.plus) << 9
A(B, replace) << A.T
v[:2](b[:2].new()) << 9
A(b)[1, :] << 9
A.T.new(mask=B)
v.select(b)
A.select(~B.V)
(A + A).new(mask=A.V & B.V)
"""
"""Masks are containers, too, and BOOL containers are masks."""

LISTS = """
v[[0, 1]] << [7, 8]
v[:2] = np.array([5.5, 6])
v[:] << [1, 2, 3]
v[:2](binary.plus) << [5, 6]
v[:2](b[:2].new().V, replace) << [5, 6]
v(b.S)[:2] << [5, 6]
A[0, :] << [1, 2, 3]
A[:, 0] << (1, 2, 3)
A[1, [2, 0]] << np.arange(2)
A[0:2, 0:2] << [[1, 2], [3, 4]]
A[0:2, 0:2](T.S, binary.plus) << np.array([[1, 2], [3, 4]]).T
A(b.S)[1, :] << [1, 2, 3]
A[1, :](b.S, replace) << [1, 2, 3]
"""
"""A list or an array may be assigned to a part."""

METHODS = """
A.mxm(A, op=semiring.min_plus)
A.mxm(other=A.T)
A.mxv(v, op="max_plus")
v.vxm(A, op=semiring.min_plus)
v.inner(v, op="min_plus")
semiring.ss.plus_secondi(v @ v)
semiring.ss.min_firstj1(v @ w)
semiring.ss.max_firsti1(v @ v)
v.inner(x, op=semiring.ss.plus_secondj)
X.power(2, semiring.any_pair)
X.power(3, semiring.lor_land)
X.power(0, semiring.lor_land)
A.get(row=0, col=1)
A.T.get(row=1, col=0)
A.diag(0, float)
A.resize(nrows=2, ncols=5)
v.resize(size=2)
A.dup(mask=B.V)
v.dup(float, mask=~w.S)
v.dup(float, clear=True)
v.wait()
A.wait("materialize")
A.ndim + v.ndim + s.ndim + (A @ A).ndim
v.update(w + 1)
v(binary.plus).update(3)
v[0:2].update(7)
A(B.V).update(A.T)
v.reposition(1)
v.reposition(-2)
v.reposition(9)
v.reposition(-9)
v.reposition(1, size=7)
A.reposition(1, 1)
A.reposition(-1, 0)
A.reposition(9, -9)
A.T.reposition(1, 0, nrows=5, ncols=2)
A.setdiag(9)
A.setdiag([1, 2, 3])
A.setdiag(v)
A.setdiag(v[:2].new(), -1)
A.setdiag(v[:2].new(), 1, accum=binary.plus)
A.setdiag(w, mask=b.V)
A.setdiag(w, mask=~b.S, accum="plus")
X.setdiag(1.5, 2)
e.is_empty
s.is_empty
s.value = 7
s.value = None
s.value = 2.9
s.update(2.9)
Vector.from_dense([5, 6], missing_value=s)
Matrix.from_dense([[5, 6]], missing_value=s)
s(binary.plus).update(e)
s.dup(float)
s.dup(clear=True)
Vector(size=3)
Matrix(nrows=2, ncols=3)
Vector.from_scalar(s, 3)
Matrix.from_scalar(s, 2, 2)
v[v.reduce(agg.ss.argmax).new()].value
v.get(Scalar.from_value(2))
"""
"""python-graphblas' methods, by its names for their arguments."""

FUNCTIONS = """
v.apply(force_odd)
unary.register_anonymous(force_odd)(A)
x.apply(logistic)
"""
"""A user's own functions."""

LINES = [
    line
    for text in (BARE, SCALARS, ZEROS, PAIRS, MASKS, LISTS, METHODS, FUNCTIONS)
    for line in text.strip().splitlines()
]


@pytest.mark.parametrize("line", LINES)
def test_the_same_text(line: str, backend: Any) -> None:
    expected = left(line, gb)
    with lg.backend(backend):
        assert left(line, lg) == expected
