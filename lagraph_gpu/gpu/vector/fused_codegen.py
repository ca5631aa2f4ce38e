"""Code generation for fused element-wise operations: a formula becomes one struct.

A ``Form`` is a formula without the vectors and numbers that it reads. Equal forms are one object,
so that a statement in a loop finds its form, and with it the kernel, by identity.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lagraph_gpu.gpu.device import lower
from semirings.algebra import BinaryOp, IndexUnaryOp, UnaryOp
from semirings.types import INT64, UINT32

Value = tuple[str, str]
"""C++ names of a value, and of the flag that says whether there is one."""


class Text:
    """Lines of C++ as they are written, and the types of the vectors and numbers that they read."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.vectors: list[np.dtype] = []
        self.answers: list[np.dtype] = []
        self.numbers: list[np.dtype] = []

    def value(self, dtype: np.dtype, present: str, *ways: tuple[str, str]) -> Value:
        """A new value of this type. Each of ``ways`` is a condition and the value under it."""
        k, kind = len(self.lines), lower.c(dtype)
        choice = " else ".join(f"if ({where}) x{k} = {value};" for where, value in ways)
        self.lines.append(f"const bool p{k} = {present}; {kind} x{k}{{}}; {choice}")
        return f"x{k}", f"p{k}"

    def vector(self, dtype: np.dtype) -> Value:
        k, at = len(self.vectors), len(self.lines)
        self.vectors.append(dtype)
        return self.value(dtype, f"present(b{k}, i)", (f"p{at}", f"v{k}[i]"))

    def answer(self, dtype: np.dtype) -> Value:
        k, at = len(self.answers), len(self.lines)
        self.answers.append(dtype)
        return self.value(dtype, f"a{k}[1] != 0", (f"p{at}", f"a{k}[0]"))

    def number(self, dtype: np.dtype) -> str:
        self.numbers.append(dtype)
        return f"n{len(self.numbers) - 1}"


@dataclass(frozen=True, eq=False)
class Form:
    """The type of a formula, the function that writes its code, and its number of operations."""

    dtype: np.dtype
    write: Callable[[Text], Value]
    size: int = 1

    @functools.cached_property
    def text(self) -> tuple[str, str]:
        """The struct Formula (see formula.cuh), and the types of its arguments, each after a comma:
        a bitmap and values for each vector, then answers and numbers."""
        text = Text()
        value, present = self.write(text)
        given: list[tuple[str, str]] = []
        for k, dtype in enumerate(text.vectors):
            given += [("const Word*", f"b{k}"), (f"const {lower.c(dtype)}*", f"v{k}")]
        given += [(f"const {lower.c(dtype)}*", f"a{k}") for k, dtype in enumerate(text.answers)]
        given += [(lower.c(dtype), f"n{k}") for k, dtype in enumerate(text.numbers)]
        parameters = "".join(f", {kind} {name}" for kind, name in given)
        lines = "\n        ".join(text.lines)
        struct = f"""struct Formula {{
    using Z = {lower.c(self.dtype)};
    using Position = Index;
    static __device__ bool at(Position i, Z& z{parameters}) {{
        {lines}
        z = {value};
        return {present};
    }}
}};
"""
        return struct, "".join(f", {kind}" for kind, _ in given)


@functools.cache
def vector(dtype: np.dtype) -> Form:
    """A stored vector."""
    return Form(dtype, lambda text: text.vector(dtype), 0)


@functools.cache
def answer(dtype: np.dtype) -> Form:
    """The result of a reduction (see reduce.cuh) at every position."""
    return Form(dtype, lambda text: text.answer(dtype), 0)


@functools.cache
def filled(dtype: np.dtype) -> Form:
    """A number at every position."""
    return Form(dtype, lambda text: (text.number(dtype), "true"))


SHUFFLE = 7
"""The number of parameters of a shuffle."""


@functools.cache
def shuffle() -> Form:
    """A permutation of the positions (see permutation.cuh)."""

    def write(text: Text) -> Value:
        numbers = ", ".join(text.number(UINT32) for _ in range(SHUFFLE))
        return text.value(INT64, "true", ("true", f"shuffled(i, {numbers})"))

    return Form(INT64, write)


@functools.cache
def once(form: Form) -> Form:
    """The formula of a number that is the same everywhere. It counts as one operation."""
    return Form(form.dtype, form.write)


@functools.cache
def cast(form: Form, out: np.dtype) -> Form:
    """The formula with its value cast to another type."""

    def write(text: Text) -> Value:
        x, here = form.write(text)
        return lower.cast(out, x, form.dtype), here

    return Form(out, write, form.size)


@functools.cache
def joined(how: str, op: BinaryOp, left: Form, right: Form) -> Form:
    """op on two vectors, element by element. The defaults of a union are numbers."""
    operand, out = op.meet(left.dtype, right.dtype), op.unified(left.dtype, right.dtype)

    def both(x: str, y: str) -> str:
        return lower.ewise_value(op, left.dtype, right.dtype, x, y, "0")

    def write(text: Text) -> Value:
        x, on_left = left.write(text)
        y, on_right = right.write(text)
        met, either = f"{on_left} && {on_right}", f"{on_left} || {on_right}"
        if how == "mult":
            return text.value(out, met, (met, both(x, y)))
        if how == "union":
            a, b = text.number(operand), text.number(operand)
            x_alone, y_alone = both(x, b), both(a, y)
        else:
            x_alone, y_alone = (lower.cast(out, v, f.dtype) for v, f in ((x, left), (y, right)))
        return text.value(out, either, (met, both(x, y)), (on_left, x_alone), (on_right, y_alone))

    return Form(out, write, left.size + right.size + 1)


@functools.cache
def accumulated(accum: BinaryOp, old: Form, new: Form) -> Form:
    """old ⊙ new where both have an entry, else the one that has; in the type of old."""
    out = old.dtype

    def write(text: Text) -> Value:
        w, had = old.write(text)
        t, has = new.write(text)
        met = f"{had} && {has}", lower.accumulated_value(accum, out, new.dtype, w, t)
        alone = (had, w), (has, lower.cast(out, t, new.dtype))
        return text.value(out, f"{had} || {has}", met, *alone)

    return Form(out, write, old.size + new.size + 1)


@functools.cache
def applied(
    op: UnaryOp | BinaryOp | IndexUnaryOp, form: Form, operand: np.dtype, bound_left: bool,
    scalar: np.dtype | None,
) -> Form:  # fmt: skip
    """op(x), or op with a number of type ``scalar`` bound to one side."""

    def write(text: Text) -> Value:
        x, here = form.write(text)
        y = "" if scalar is None else text.number(scalar)
        value = lower.applied_value(op, form.dtype, operand, bound_left, x, y, "0")
        return text.value(op.output(operand), here, (here, value))

    return Form(op.output(operand), write, form.size + 1)
