"""The type of a result where a scalar meets entries: one rule for apply, union, assignment, infix.

A Scalar and a NumPy number have a type of their own, and every pair of types answers as
python-graphblas does. A Python number takes the type of the entries if that holds it, as in NumPy,
where python-graphblas takes INT64 or FP64. The page on coming from python-graphblas has the table.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.convert.values import fits
from lagraph_gpu.notation.checks import value_type
from semirings import types
from semirings.types import BOOL, EVERY, SIGNED, UNSIGNED
from tests.operations.test_same_text import gb

PAGE = Path(__file__).parents[2] / "docs/how-to/come-from-python-graphblas.md"
OPERATORS = ("plus", "minus", "times", "truediv", "min", "eq", "first", "second", "lor", "bor")
SIGNS = {"plus": "__add__", "minus": "__sub__", "times": "__mul__", "truediv": "__truediv__"}
PYTHON = (True, 3, 100, -1, 300, 2**40, 0.5, 1e20, 2j)


@pytest.fixture(autouse=True)
def on_the_cpu() -> Iterator[None]:
    with lg.backend("cpu"), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def outcomes(package: Any, name: str, scalar: Any) -> dict[str, Any]:
    """What each form of statement answers: a type and values, or an error."""
    v = package.Vector.from_coo([0, 1, 2], np.array([0, 1, 3]).astype(types.lookup(name)))
    w = package.Vector.from_coo([1, 3], np.array([1, 2]).astype(types.lookup(name)), size=4)
    v.resize(4)
    forms: dict[str, Any] = {}
    for op in OPERATORS:
        operator = getattr(package.binary, op)
        forms[f"apply {op}"] = lambda o=operator: o(v, scalar)
        forms[f"apply left {op}"] = lambda o=operator: o(scalar, v)
        forms[f"union {op}"] = lambda o=operator: v.ewise_union(w, o, scalar, scalar)
    for op, sign in SIGNS.items():
        forms[f"infix {op}"] = lambda s=sign: getattr(v, s)(scalar)
    forms["assign"] = lambda: assigned(v, scalar)
    forms["assign a part"] = lambda: assigned(v, scalar, [1, 3])
    forms["accumulate"] = lambda: assigned(v, scalar, accum=True)
    found = {}
    for form, make in forms.items():
        try:
            made = make()
            made = made.new() if hasattr(made, "new") else made
            found[form] = str(made.dtype), made.to_coo()
        except (TypeError, ValueError, KeyError, NotImplementedError) as problem:
            found[form] = "error", type(problem).__name__
    return found


def assigned(v: Any, scalar: Any, where: Any = slice(None), accum: bool = False) -> Any:
    w = v.dup()
    (w("plus") if accum else w)[where] << scalar
    return w


def typed(package: Any, dtype: np.dtype) -> Any:
    return package.Scalar.from_value(dtype.type(1), dtype=dtype.name)


def same(ours: Any, theirs: Any, at: Any) -> None:
    assert ours[0] == theirs[0], at
    for one, two in zip(ours[1], theirs[1], strict=True):
        np.testing.assert_array_equal(one, two, err_msg=str(at))


def agree(ours: dict[str, Any], theirs: dict[str, Any], lossy: bool, at: Any) -> int:
    """Compare all forms; the number of those that both libraries answer. Where python-graphblas has
    an error ours may have an answer, and where an assignment would lose a part of the value ours is
    an error."""
    answered = 0
    for form, answer in theirs.items():
        written = form.startswith(("assign", "accumulate"))
        if answer[0] == "error":
            continue
        if lossy and written:
            assert ours[form][0] == "error", (at, form)
            continue
        same(ours[form], answer, (at, form, ours[form], answer))
        answered += 1
    return answered


@pytest.mark.parametrize("dtype", EVERY, ids=str)
def test_every_pair_of_types(dtype: Any) -> None:
    """A Scalar of any type beside entries of any type."""
    answered = 0
    for other in EVERY:
        ours, theirs = (outcomes(p, dtype.name, typed(p, other)) for p in (lg, gb))
        lossy = types.is_complex(other) and not types.is_complex(dtype)
        answered += agree(ours, theirs, lossy, (dtype, other))
    assert answered > 150


@pytest.mark.parametrize("dtype", EVERY, ids=str)
def test_python_numbers(dtype: Any) -> None:
    """A Python number is a Scalar of the type that `value_type` says, in every form."""
    for number in PYTHON:
        kind = value_type(number, dtype)
        there = gb.Scalar.from_value(number, dtype=kind.name)
        whole = isinstance(number, int) and not bool(fits(number, dtype))
        lossy = whole or (isinstance(number, complex) and not types.is_complex(dtype))
        ours, theirs = outcomes(lg, dtype.name, number), outcomes(gb, dtype.name, there)
        assert agree(ours, theirs, lossy, (dtype, number, kind)) > 10


@pytest.mark.parametrize("dtype", [BOOL, *SIGNED, *UNSIGNED[:3]], ids=str)
def test_python_numbers_beside_integers(dtype: Any) -> None:
    """They are what python-graphblas takes them for, whatever the width of the entries."""
    for number in (3, 100, -1, 300, 2**40, 0.5, 2j):
        ours, theirs = (outcomes(p, dtype.name, number) for p in (lg, gb))
        whole = isinstance(number, int) and not bool(fits(number, dtype))
        assert agree(ours, theirs, whole or isinstance(number, complex), (dtype, number)) > 10


def test_the_table_of_the_page() -> None:
    """The page says which type a number has, here and there."""
    text = PAGE.read_text()
    table = text[text.index("| entries | `True`") :].split("\n\n")[0].splitlines()
    numbers = [eval(cell.strip(" `")) for cell in table[0].strip("| ").split("|")[1:]]
    rows = {cells[0]: cells[1:] for line in table[2:]
            for cells in [[cell.strip() for cell in line.strip("| ").split("|")]]}  # fmt: skip
    for dtype in EVERY:
        assert rows.pop(dtype.name) == [value_type(n, dtype).name for n in numbers]
    said = rows.pop("all, in python-graphblas")
    assert not rows
    assert said == [gb.Scalar.from_value(n).dtype.name for n in numbers]


def test_numbers_are_no_records(backend: Any) -> None:
    for s in (lg.Scalar.from_value(0, backend=backend), lg.Scalar("FP32", backend=backend)):
        for shape in ((), (2,)):
            assert s != np.zeros(shape, [("a", "i4"), ("b", "f8")])
