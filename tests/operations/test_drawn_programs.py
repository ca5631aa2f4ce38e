"""Drawn programs in python-graphblas' notation leave the same there and here.

A program is a list of statements over a few vectors, matrices and scalars. Their text is run with
python-graphblas, with our CPU backend and with our GPU backend on the emulator, and everything that
they leave is compared: types, positions and values. On the emulator each formula is compiled, so
the programs there are drawn from fewer operators.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from tests.harness import GPU
from tests.operations.test_same_text import gb

N, LENGTH = 6, 25
WHOLE = {"ops": ("plus", "minus", "times", "min", "max", "first", "second", "ge"),
         "rings": ("plus_times", "min_plus", "max_plus", "any_pair"),
         "folds": ("plus", "min", "max", "times"), "numbers": ("2", "-3", "0", "0.5"),
         "vectors": "abxy", "matrices": "AX"}  # fmt: skip
FEW = {"ops": ("plus", "min"), "rings": ("plus_times", "min_plus"), "folds": ("plus",),
       "numbers": ("2",), "vectors": "ab", "matrices": "A"}  # fmt: skip
COMPLEX = {"ops": ("plus", "minus", "times", "first", "second", "ne"),
           "rings": ("plus_times", "plus_second", "any_pair"), "folds": ("plus", "times"),
           "numbers": ("2", "-1", "0", "0.5"), "vectors": "abxy", "matrices": "AX",
           "kinds": (complex, complex, float, int), "sign": "!="}  # fmt: skip
FEW_COMPLEX = {"ops": ("plus", "times"), "rings": ("plus_times",), "folds": ("plus",),
               "numbers": ("2j",), "vectors": "ab", "matrices": "A",
               "kinds": (complex, complex, float, float), "sign": "!="}  # fmt: skip


def statement(rng: random.Random, among: dict[str, Any]) -> str:
    """A statement over the names of `scene`.

    It avoids what SuiteSparse does in its own way: a mask by value in which -0.0 is true, and
    plus_second of two types, which reads the bits of one as the other.
    """
    op, number, fold = (rng.choice(among[n]) for n in ("ops", "numbers", "folds"))
    ring, mask = rng.choice(among["rings"]), rng.choice(among["vectors"])
    out, u, v = (rng.choice(among["vectors"]) for _ in range(3))
    C, A, B = (rng.choice(among["matrices"]) for _ in range(3))
    i, j = rng.sample(range(N), 2)
    how = rng.choice((
        "", "", f"(accum=binary.{rng.choice(among['folds'])})", f"({mask}.S)", f"(~{mask}.S)",
        f"({rng.choice('ab')}.V, replace)", f"({mask}.S, binary.plus, replace)",
    ))  # fmt: skip
    over = rng.choice(("", f"({B}.S)", f"(~{B}.S, replace)", "(accum=binary.plus)"))
    return rng.choice((
        f"{out}{how} << binary.{op}({u} | {v})",
        f"{out}{how} << binary.{op}({u} & {v})",
        f"{out}{how} << binary.{op}({u} | {v}, left_default={number}, right_default={number})",
        f"{out}{how} << binary.{op}({u}, {number})",
        f"{out}{how} << {u}.apply(binary.{op}, left={number})",
        f"{out}{how} << semiring.{ring}({A} @ {u})",
        f"{out}{how} << semiring.{ring}({u} @ {A})",
        f"{out}{how} << semiring.{ring}({A}.T @ {u})",
        f"{out}{how} << {A}.reduce_rowwise(monoid.{fold})",
        f"{out}{how} << {u}.select('{among.get('sign', '>')}', {rng.randrange(-1, 2)})",
        f"{out}{how} << {number}",
        f"{out}[[{i}, {j}]] << {v}[[{j}, {i}]]",
        f"{out}[{i}] << {number}",
        f"del {out}[{i}]",
        f"{out} += {u}",
        f"s << {u}.reduce(monoid.{fold})",
        f"{C}{over} << binary.{op}({A} | {B})",
        f"{C}{over} << binary.{op}({A} & {B})",
        f"{C}{over} << semiring.{ring}({A} @ {B})",
        f"{C}{over} << {A}.T",
        f"{C} << {A}.select('tril')",
        f"{C}[{i}, :] << {u}",
        f"{C}[{i}, {j}] << {number}",
    ))  # fmt: skip


def scene(package: Any, seed: int, kinds: Any = (int, int, float, float)) -> dict[str, Any]:
    """Vectors a, b, x, y of four types; A and s of the first of them, and X of the third."""
    rng = np.random.default_rng(seed)
    names: dict[str, Any] = {
        n: getattr(package, n) for n in ("binary", "monoid", "replace", "semiring")
    }
    for name, dtype in zip("abxy", kinds, strict=True):
        at = np.flatnonzero(rng.random(N) < 0.6)
        values = drawn(rng, at.size, dtype)
        names[name] = package.Vector.from_coo(at, values, dtype, size=N)
    for name, dtype in zip("AX", kinds[::2], strict=True):
        row, column = np.nonzero(rng.random((N, N)) < 0.4)
        values = drawn(rng, row.size, dtype)
        names[name] = package.Matrix.from_coo(row, column, values, dtype, nrows=N, ncols=N)
    return names | {"s": package.Scalar(kinds[0])}


def drawn(rng: np.random.Generator, size: int, dtype: Any) -> np.ndarray:
    whole = rng.integers(-3, 4, size).astype(dtype)
    return whole + 1j * rng.integers(-3, 4, size) if dtype is complex else whole


def left(names: dict[str, Any]) -> dict[str, Any]:
    """What is left in a scene, in terms of Python: types by name, positions, values."""
    said: dict[str, Any] = {"s": (names["s"].dtype.name, names["s"].value)}
    for name in "abxyAX":
        held = names[name]
        *positions, values = held.to_coo()
        said[name] = (
            held.dtype.name,
            [p.tolist() for p in positions],
            [spelled(v + 0) for v in values.tolist()],
        )
    return said


def spelled(value: Any) -> str:
    """A number as it is compared: sums of complex numbers beyond 2⁵³ round, in any order."""
    if not isinstance(value, complex):
        return repr(value)
    return f"{value.real:.9g} {value.imag:.9g}"


def agree(seed: int, among: dict[str, Any]) -> None:
    rng = random.Random(seed)
    program = [statement(rng, among) for _ in range(LENGTH)]
    if "kinds" in among:  # in some of these SuiteSparse folds a row without entries into garbage
        program = [line for line in program if "reduce_rowwise" not in line]
    kinds = among.get("kinds", (int, int, float, float))
    theirs, ours = scene(gb, seed, kinds), scene(lg, seed, kinds)
    for line in program:
        for names in (theirs, ours):
            with np.errstate(all="ignore"):
                exec(line, names)
        assert left(ours) == left(theirs), f"seed {seed}, after {line}"


@pytest.mark.parametrize("part", range(8))
def test_on_the_cpu(part: int) -> None:
    """20,000 statements."""
    with lg.backend("cpu"):
        for seed in range(100 * part, 100 * (part + 1)):
            agree(seed, WHOLE)


@pytest.mark.parametrize("part", range(2))
def test_on_the_emulator(part: int) -> None:
    """1,000 statements."""
    with lg.backend(GPU):
        for seed in range(20 * part, 20 * (part + 1)):
            agree(seed, FEW)


def test_complex_numbers_on_the_cpu() -> None:
    """2,500 statements."""
    with lg.backend("cpu"):
        for seed in range(100):
            agree(seed, COMPLEX)


def test_complex_numbers_on_the_emulator() -> None:
    """250 statements."""
    with lg.backend(GPU):
        for seed in range(10):
            agree(seed, FEW_COMPLEX)
