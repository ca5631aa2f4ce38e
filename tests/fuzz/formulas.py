"""Formulas of operators, as users write them: refused in words, or the same in all lowerings.

NumPy's evaluation is the specification. The Python form runs as Python here, compiled by Numba in
`by_numba`; the CUDA form is compiled by g++, many formulas at a time, as in `tests/laws`.
"""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Sequence
from typing import Any

import numba
import numpy as np

from semirings import binary, expression, typed_formula, types
from semirings.errors import LagraphError
from tests.fuzz import mutate
from tests.laws.edges import differences, pairs, report
from tests.laws.test_lowering import FORMULAS, SANITIZED, compiled, loop, run

SIGNS = ("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>")
COMPARED = ("<", "<=", ">", ">=", "==", "!=")
LEAVES = ("x", "y", "x", "y", "0", "1", "2", "-1", "3", "7", "255", "True", "0.5", "inf", "1e300")
CACHE_SIZE = 500
"""The formulas that are kept parsed."""


def drawn(rng: random.Random, depth: int = 3) -> str:
    """A formula of steps that round the same everywhere."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(LEAVES)
    a, b, c = (drawn(rng, depth - 1) for _ in range(3))
    kind = rng.randrange(10)
    if kind < 4:
        return f"({a} {rng.choice(SIGNS)} {b})"
    if kind == 4:
        return f"({a} {rng.choice(COMPARED)} {b})"
    if kind == 5:
        return f"({a} if {c} else {b})"
    if kind == 6:
        return rng.choice((f"-({a})", f"~({a})", f"(not {a})", f"abs({a})"))
    if kind == 7:
        return f"({a} {rng.choice(('and', 'or'))} {b})"
    return f"{rng.choice([types.name(dtype) for dtype in types.ALL])}({a})"


def formula(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A formula, or the letters of one altered."""
    text = drawn(rng).encode()
    return text if rng.random() < 0.5 else mutate.text(rng, [text, *seeds])


SEEDS = [text.encode() for text in FORMULAS] + [
    b"sqrt(x) + exp(y)", b"x ** y", b"x.real", b"__import__('os')", b"x if y", b"lambda: x",
    b"x[0]", b"f'{x}'", b"x := 3", b"'a' * 9", b"(x,)", b"1j * x", b"-" * 90 + b"x", b"9" * 400,
    b"i + k", b"min(x, y, x)", b"max(x)", b"x < y < 3", b"not not x", b"x" + b" + x" * 300,
]  # fmt: skip


def made(text: str) -> Any:
    """The operator of a formula, or None if it is refused."""
    if expression.parse.cache_info().currsize > CACHE_SIZE:
        expression.parse.cache_clear()
        typed_formula.typed.cache_clear()
    try:
        return binary(text)
    except LagraphError as problem:
        assert str(problem).encode()
        return None


def target(data: bytes) -> str:
    """A formula over one type of its domain, by NumPy and by its Python form."""
    text = data.decode("utf-8", "replace")
    op = made(text)
    if op is None or op.positional:
        return "refused"
    dtype = op.domain[len(data) % len(op.domain)]
    x, y = (values[:: len(values) // 40 + 1] for values in pairs(dtype))
    ours = op.evaluate(x, y, dtype=dtype)
    source = op.python(dtype)
    assert op.cuda(dtype)
    if any(name in text for name in ("gamma", "binom", "pow", "**", "comb")):
        return "read"  # what the interpreter raises for, and compiled code does not
    names: dict[str, Any] = {"np": np, "math": math}
    exec(source, names)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answers = [names["operator"](*row) for row in zip(x, y, strict=True)]
    theirs = np.array(answers, op.output(dtype))
    compare(op, dtype, (x, y), ours, theirs)
    return "read"


ROUNDED = ("sin", "cos", "tan", "exp", "log", "cbrt", "erf", "hypot", "sqrt")


def compare(op: Any, dtype: Any, xy: Any, ours: Any, theirs: Any) -> None:
    rounded = (*ROUNDED, "abs") if dtype.kind == "c" else ROUNDED  # that of a complex is a hypot
    if any(name in op.parsed.text for name in rounded):
        return
    bad = differences("min", theirs, ours)  # either zero
    assert not bad.any(), (
        f"{op.parsed.text!r} {types.name(dtype)}: {report(bad, *xy, theirs, ours)}"
    )


def some(rng: random.Random, count: int) -> list[tuple[Any, Any]]:
    """Operators with a type of their domain each."""
    found: list[tuple[Any, Any]] = []
    while len(found) < count:
        if (op := made(drawn(rng))) is not None and not op.positional:
            found.append((op, rng.choice(op.domain)))
    return found


def by_compiler(operators: list[tuple[Any, Any]]) -> None:
    """The CUDA form, compiled by g++, against NumPy."""
    loops = [loop(number, op, dtype) for number, (op, dtype) in enumerate(operators)]
    options = ["-std=c++17", "-O1", "-w", f"-fsanitize={SANITIZED}", "-fno-sanitize-recover=all"]
    library = compiled(loops, options)
    for number, (op, dtype) in enumerate(operators):
        _, ours, theirs = run(library, number, op, dtype)
        compare(op, dtype, pairs(dtype), ours, theirs)


def by_numba(operators: list[tuple[Any, Any]]) -> None:
    """The Python form, compiled by Numba, against NumPy."""
    for op, dtype in operators:
        names: dict[str, Any] = {"np": np, "math": math}
        exec(op.python(dtype), names)
        given, made = numba.from_dtype(dtype), numba.from_dtype(op.output(dtype))
        compiled = numba.vectorize([made(given, given)])(names["operator"])
        x, y = pairs(dtype)
        with np.errstate(all="ignore"):
            compare(op, dtype, (x, y), op.evaluate(x, y, dtype=dtype), compiled(x, y))
