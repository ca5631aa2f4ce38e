"""Drawn programs in python-graphblas' notation leave the same there and here.

A program is a list of statements over a few vectors, matrices and scalars. Their text is run with
python-graphblas, with our CPU backend and with our GPU backend on the emulator, and everything that
they leave is compared: types, positions and values. On the emulator each formula is compiled, so
the programs there are drawn from fewer operators. A test counts the statements that were carried
out, and fails if they are too few.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from tests.harness import GPU
from tests.operations.test_same_text import gb

Form = Callable[[random.Random, dict[str, Any]], str]
"""Draws a statement."""

N, LENGTH, LOOK = 6, 25, 3
"""The size, the statements of a program, and after how many of them all is compared."""

ON_THE_CPU, ON_THE_EMULATOR, PARTS, WIDER = 20_000, 1_000, 8, 7
"""How many statements are carried out on each backend, at least; those of the CPU in parts, of
which the part WIDER is of `moves` and `computes`."""

WHOLE = {"ops": ("plus", "minus", "times", "min", "max", "first", "second", "ge"),
         "rings": ("plus_times", "min_plus", "max_plus", "any_pair"),
         "folds": ("plus", "min", "max", "times"), "numbers": ("2", "-3", "0", "0.5"),
         "alone": ("abs", "ainv", "identity", "one", "minv", "sqrt", "positioni"),
         "aggregators": ("sum", "count", "max", "mean", "first", "L1norm"),
         "vectors": "abxy", "matrices": "AX"}  # fmt: skip
FEW = {"ops": ("plus", "min"), "rings": ("plus_times", "min_plus"), "folds": ("plus",),
       "numbers": ("2",), "vectors": "ab", "matrices": "A"}  # fmt: skip
COMPLEX = {"ops": ("plus", "minus", "times", "first", "second", "ne"),
           "rings": ("plus_times", "plus_second", "any_pair"), "folds": ("plus", "times"),
           "numbers": ("2", "-1", "0", "0.5"), "vectors": "abxy", "matrices": "AX",
           "kinds": (complex, complex, float, int), "whole": "y", "sign": "!="}  # fmt: skip
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
        f"({rng.choice(among.get('whole', 'ab'))}.V, replace)", f"({mask}.S, binary.plus, replace)",
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


def moves(rng: random.Random, among: dict[str, Any]) -> str:
    """A statement that moves entries: parts, masks, diagonals, copies."""
    number, fold = rng.choice(among["numbers"]), rng.choice(among["folds"])
    out, u, v, m = (rng.choice(among["vectors"]) for _ in range(4))
    C, A, B = (rng.choice(among["matrices"]) for _ in range(3))
    i, j = sorted(rng.sample(range(N), 2))
    whole = rng.choice("ab")
    k, kept = rng.randrange(-2, 3), rng.choice(("tril", "triu", "offdiag", "diag"))
    return rng.choice((
        f"{out}({v}.S & {whole}.V, replace) << {m}",
        f"{out}({v}.S | ~{u}.S) << {number}",
        f"{out} << {u}.select({m}.S)",
        f"{out}[{i}:{j}] << {u}[{i}:{j}]",
        f"{out}[{i}:] << {u}[: {N - i}]",
        f"{out}[::2] << {u}[1::2]",
        f"{out}[[{j}, {i}]](binary.{fold}) << {v}[[{i}, {j}]]",
        f"{out}[{i}:{j}]({m}[{i}:{j}].new().S) << {number}",
        f"{out} << {A}[{i}, :]",
        f"{out} << {A}[:, {i}]",
        f"{out} << {A}.diag()",
        f"{out} << {u}.dup(mask={v}.S)",
        f"{out}[:] = {number}",
        f"{out}[{i}] = {number}",
        f"{out}.clear()",
        f"s << {u}[{i}]",
        f"s << {number}",
        f"{out}[{i}] << s",
        f"{C} << {A}[[{j}, {i}, {i}, {i}, {j}, {j}], :]",
        f"{C} << {u}.diag()",
        f"{C}[{i}:{j}, :] << {A}[{i}:{j}, :]",
        f"{C}[:, [{j}, {i}]] << {B}[:, [{i}, {j}]]",
        f"{C}[{i}:{j}, {i}:{j}] << {number}",
        f"{C}[:, {i}] << {u}",
        f"{C}({u}.S)[{i}, :] << {v}",
        f"{C}[{i}, :]({whole}.V, replace) << {v}",
        f"{C}(binary.{fold})[{i}, {j}] << {number}",
        f"{C} << select.{kept}({A}, {k})",
        f"del {C}[{i}, :]",
    ))  # fmt: skip


def computes(rng: random.Random, among: dict[str, Any]) -> str:
    """A statement that computes, by Python's signs and in other spellings than `statement` has.

    It avoids what python-graphblas does in its own way: `w << v.reposition(1)` keeps entries of w,
    and `w += A @ v` has lost the product where w is full of one value.
    """
    op, number, fold, ring, alone, total = (
        rng.choice(among[n]) for n in ("ops", "numbers", "folds", "rings", "alone", "aggregators")
    )
    out, u, v = (rng.choice(among["vectors"]) for _ in range(3))
    whole = rng.choice("ab")
    C, A, B = (rng.choice(among["matrices"]) for _ in range(3))
    i, j = sorted(rng.sample(range(N), 2))
    sign, less = rng.choice("+-*"), rng.choice(("<", ">", "==", "!=", "<=", ">="))
    return rng.choice((
        f"{out} << unary.{alone}({u})",
        f"{out} << {u} {sign} {v}",
        f"{out} << {u} {sign} {number}",
        f"{out} << {number} {sign} {u}",
        f"{out} << {u} {sign} s",
        f"{out} << ({u} {less} {v})",
        f"{out} << ({u} {less} {number})",
        f"{out}({u} {less} {number}) << {v}",
        f"{out} << {u}.select({v} {less} {rng.randrange(-1, 2)})",
        f"{out} *= {v}",
        f"{out} -= {number}",
        f"{out}({whole}.V, binary.{fold}, replace) << {u}.apply(unary.{alone})",
        f"{out} << {A}.reduce_columnwise(monoid.{fold})",
        f"{out} << {A}.reduce_rowwise(agg.{total})",
        f"s << {A}.reduce_scalar(monoid.{fold})",
        f"s << {u}.reduce(agg.{total})",
        f"s << {u}.inner({v}, semiring.{ring})",
        f"{C} << {A}[[{j}, {i}, {i}], :].new().T @ {B}[[{i}, {i}, {j}], :].new()",
        f"{C} << {u}.outer({v}, binary.{op})",
        f"{C} << {A} {sign} {B}",
        f"{C} << {A} {sign} {number}",
        f"{C} << {A} * {u}",
        f"{C} *= {v}",
        f"{C} += {B}",
        f"{C} << semiring.{ring}({A} @ {B}.T)",
        f"{C} << semiring.{ring}({A}.T @ {B})",
        f"{C}({B}.S) << semiring.{ring}({A} @ {B})",
        f"{C} << select.valuegt({A}, {rng.randrange(-2, 3)})",
        f"{C} << {A}.power({rng.randrange(1, 4)})",
        f"{C} << binary.{op}({A} | {B}, left_default={number}, right_default={number})",
        f"{C} << binary.{op}({A}, {number})",
        f"{C} << binary.{op}({A} & {u})",
        f"{C} << indexunary.{rng.choice(('rowindex', 'colindex'))}({A}, {i})",
    ))  # fmt: skip


def scene(package: Any, seed: int, kinds: Any = (int, int, float, float)) -> dict[str, Any]:
    """Vectors a, b, x, y of four types; A and s of the first of them, and X of the third."""
    rng = np.random.default_rng(seed)
    names: dict[str, Any] = {
        n: getattr(package, n)
        for n in ("agg", "binary", "indexunary", "monoid", "replace", "select", "semiring", "unary")
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


def agree(seed: int, among: dict[str, Any], *forms: Form) -> int:
    """The number of statements of a program that were carried out, there and here, with one end.

    What both refuse does not count: a number that an empty scalar lacks.
    """
    rng, carried_out = random.Random(seed), 0
    program = [forms[k % len(forms)](rng, among) for k in range(LENGTH)]
    if "kinds" in among:  # in some of these SuiteSparse folds a row without entries into garbage
        program = [line for line in program if "reduce_rowwise" not in line]
    kinds = among.get("kinds", (int, int, float, float))
    theirs, ours = scene(gb, seed, kinds), scene(lg, seed, kinds)
    for k, line in enumerate(program, 1):
        if folds_nothing(line, theirs):
            continue
        refused = [refuses(line, names) for names in (theirs, ours)]
        assert refused[0] == refused[1], f"seed {seed}: {line} is refused by one, {refused}"
        if k % LOOK == 0 or k == len(program):
            upto = program[max(0, k - LOOK) : k]
            assert left(ours) == left(theirs), f"seed {seed}, after one of {upto}"
        carried_out += not refused[0]
    return carried_out


def folds_nothing(line: str, names: dict[str, Any]) -> bool:
    """Whether rows of a matrix without entries are folded, of which SuiteSparse makes entries."""
    found = re.search(r"(\w)\.reduce_(row|column)wise", line)
    return found is not None and not names[found[1]].nvals


def refuses(line: str, names: dict[str, Any]) -> bool:
    """Carry out a statement, unless a scalar in it has no value."""
    try:
        with np.errstate(all="ignore"):
            exec(line, names)
    except (gb.exceptions.EmptyObject, lg.exceptions.EmptyObject):
        return True
    return False


def carry_out(first: int, wanted: int, among: dict[str, Any], *forms: Form) -> None:
    """Draw programs until so many statements were carried out."""
    seed, done = first, 0
    while done < wanted:
        count = agree(seed, among, *forms)
        assert count > LENGTH // 2, "a program carries out most of its statements"
        seed, done = seed + 1, done + count


@pytest.mark.parametrize("part", range(PARTS))
def test_on_the_cpu(part: int) -> None:
    """The programs of one part have other forms. Their seeds are some with which python-graphblas
    keeps its memory whole: from 5021 on it has written beyond its arrays.
    """
    first, forms = (6000, (moves, computes)) if part == WIDER else (1000 * part, (statement,))
    with lg.backend("cpu"):
        carry_out(first, ON_THE_CPU // PARTS, WHOLE, *forms)


@pytest.mark.parametrize("form", (statement, moves))
def test_on_the_emulator(form: Any) -> None:
    with lg.backend(GPU):
        carry_out(0, ON_THE_EMULATOR // 2, FEW, form)


def test_complex_numbers_on_the_cpu() -> None:
    with lg.backend("cpu"):
        carry_out(0, 2_200, COMPLEX, statement)


def test_complex_numbers_on_the_emulator() -> None:
    with lg.backend(GPU):
        carry_out(0, 220, FEW_COMPLEX, statement)
