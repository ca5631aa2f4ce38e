"""Arguments that nobody should give: what a program gets by mistake, and objects that lie.

`VALUES` has a way to make each of them anew, by name. What the objects raise themselves is `Own`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.sparse as sp

import lagraph_gpu as lg


class Own(Exception):
    """What a hostile object raises by itself; it may come back to the caller as it is."""


def refuse(*_: Any, **__: Any) -> Any:
    raise Own


class Refuses:
    """Whatever is asked of it raises."""

    __len__ = __iter__ = __array__ = __bool__ = __index__ = __float__ = refuse
    __eq__ = __lt__ = __getitem__ = __call__ = __fspath__ = refuse
    __hash__ = object.__hash__


class LiesAboutLength:
    """A sequence of three things that says it has a million."""

    def __len__(self) -> int:
        return 10**6

    def __iter__(self) -> Iterator[int]:
        return iter((0, 1, 2))

    def __getitem__(self, at: int) -> int:
        if at < 3:
            return at
        raise IndexError(at)


class NegativeLength(LiesAboutLength):
    def __len__(self) -> int:
        return -1


class Endless:
    """Something to go over that never ends its promise to be short."""

    def __length_hint__(self) -> int:
        return 2

    def __iter__(self) -> Iterator[Any]:
        return iter(())


class ArrayOfNothing:
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return None


class ArrayRefuses:
    __array__ = refuse


class IndexOfText:
    def __index__(self) -> Any:
        return "7"


class IndexIsNegative:
    def __index__(self) -> int:
        return -1


class FloatOfText:
    def __float__(self) -> Any:
        return "7"


class EqualsAll:
    """Equal to everything, and to no flag."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True


class EqualsArray:
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> Any:
        return np.array([True, False])


class BoolRefuses:
    __bool__ = refuse


class AllAttributes:
    """Has every attribute that it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self

    __call__ = refuse


class NoText:
    """Cannot be written into a message."""

    __repr__ = __str__ = refuse


def circle() -> list[Any]:
    held: list[Any] = [0]
    held.append(held)
    return held


def circular_dict() -> dict[Any, Any]:
    held: dict[Any, Any] = {}
    held[0] = held
    return held


def deep() -> list[Any]:
    held: list[Any] = []
    for _ in range(5000):
        held = [held]
    return held


def objects(*held: Any) -> np.ndarray:
    made = np.empty(len(held), object)
    made[:] = held
    return made


def other_graph() -> lg.Graph:
    return lg.Graph.from_edges([0, 8], [8, 3], n=11, backend="cpu")


VALUES: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "Ellipsis": lambda: ...,
    "NotImplemented": lambda: NotImplemented,
    "True": lambda: True,
    "False": lambda: False,
    "NumPy True": lambda: np.True_,
    "0": lambda: 0,
    "3": lambda: 3,
    "-1": lambda: -1,
    "2**31": lambda: 2**31,
    "2**63": lambda: 2**63,
    "-2**63": lambda: -(2**63),
    "10**30": lambda: 10**30,
    "10**5000": lambda: 10**5000,
    "1.5": lambda: 1.5,
    "-0.0": lambda: -0.0,
    "NaN": lambda: math.nan,
    "inf": lambda: math.inf,
    "-inf": lambda: -math.inf,
    "1e308": lambda: 1e308,
    "5e-324": lambda: 5e-324,
    "complex": lambda: 1 + 2j,
    "Fraction": lambda: Fraction(1, 3),
    "Decimal": lambda: Decimal("0.1"),
    "empty text": lambda: "",
    "text": lambda: "abc",
    "text with NUL": lambda: "a\0b",
    "text without form": lambda: "\ud800",
    "long text": lambda: "x" * 100_000,
    "text of a number": lambda: "7",
    "bytes": lambda: b"\x00\xff",
    "bytearray": lambda: bytearray(b"ab"),
    "memoryview": lambda: memoryview(b"abcd"),
    "int8": lambda: np.int8(-1),
    "uint64": lambda: np.uint64(2**64 - 1),
    "float16": lambda: np.float16(1.5),
    "float32 NaN": lambda: np.float32(math.nan),
    "longdouble": lambda: np.longdouble(1) / 3,
    "complex64": lambda: np.complex64(1j),
    "NumPy text": lambda: np.str_("abc"),
    "NumPy bytes": lambda: np.bytes_(b"ab"),
    "void": lambda: np.void(b"ab"),
    "datetime64": lambda: np.datetime64("2020-01-01"),
    "NaT": lambda: np.timedelta64("NaT"),
    "timedelta64": lambda: np.timedelta64(1, "ns"),
    "array of times": lambda: np.array(["2020-01-01T00:00:00.000000001"], "M8[ns]"),
    "array without axes": lambda: np.array(2),
    "empty array": lambda: np.empty(0),
    "array": lambda: np.array([0, 1, 2]),
    "array of one": lambda: np.array([1]),
    "array of flags": lambda: np.array([True, False, True]),
    "array of NaN": lambda: np.array([math.nan, 1.0]),
    "array of uint64": lambda: np.array([2**64 - 1], np.uint64),
    "array of complex": lambda: np.array([1j, 2]),
    "array of text": lambda: np.array(["a", "bc"]),
    "array of dates": lambda: np.array(["2020-01-01"], "M8[D]"),
    "array of objects": lambda: objects(0, "a", None),
    "array of arrays": lambda: objects(np.arange(2), np.arange(3)),
    "array of large ints": lambda: objects(10**30, 1),
    "two-dimensional": lambda: np.arange(6).reshape(2, 3),
    "three-dimensional": lambda: np.zeros((2, 2, 2)),
    "no columns": lambda: np.zeros((3, 0)),
    "masked": lambda: np.ma.array([1, 2, 3], mask=[0, 1, 0]),
    "structured": lambda: np.zeros(2, [("a", "i4"), ("b", "f8")]),
    "big-endian": lambda: np.arange(3, dtype=">i4"),
    "strided": lambda: np.arange(10)[::-3],
    "broadcast": lambda: np.broadcast_to(np.int64(1), (4,)),
    "np.matrix": lambda: np.asmatrix(np.eye(2)),
    "list": lambda: [0, 1],
    "empty list": list,
    "ragged": lambda: [[0, 1], [2]],
    "list of None": lambda: [None, None],
    "list of text": lambda: ["a", "b"],
    "list of 10**30": lambda: [10**30],
    "list in itself": circle,
    "deep list": deep,
    "tuple": lambda: (0, 1),
    "pairs": lambda: [(0, 1), (1, 2)],
    "empty tuple": lambda: (),
    "set": lambda: {0, 1},
    "frozenset": lambda: frozenset((1,)),
    "dict": lambda: {0: 1.0, 2: 3.0},
    "empty dict": dict,
    "dict of text": lambda: {"a": "b"},
    "dict in itself": circular_dict,
    "range": lambda: range(3),
    "range of 10**30": lambda: range(10**30),
    "slice": lambda: slice(None),
    "odd slice": lambda: slice("a", None, 0),
    "generator": lambda: (i for i in range(3)),
    "generator that raises": lambda: (refuse() for _ in range(1)),
    "iterator": lambda: iter([0, 1]),
    "lambda": lambda: lambda *a, **k: a,
    "lambda that raises": lambda: refuse,
    "builtin": lambda: len,
    "class": lambda: Refuses,
    "int": lambda: int,
    "object": lambda: object,
    "module": lambda: math,
    "path": lambda: os.fspath("nowhere/at all"),
    "exception": lambda: ValueError("7"),
    "dtype": lambda: np.dtype("f4"),
    "dtype of complex": lambda: np.dtype("c16"),
    "SimpleNamespace": lambda: SimpleNamespace(shape=(2, 2), dtype="x"),
    "object()": object,
    "refuses": Refuses,
    "lies about its length": LiesAboutLength,
    "negative length": NegativeLength,
    "length hint": Endless,
    "array of nothing": ArrayOfNothing,
    "array refuses": ArrayRefuses,
    "index of text": IndexOfText,
    "index is negative": IndexIsNegative,
    "float of text": FloatOfText,
    "equals all": EqualsAll,
    "equals an array": EqualsArray,
    "bool refuses": BoolRefuses,
    "all attributes": AllAttributes,
    "no text": NoText,
    "SciPy csr": lambda: sp.csr_array(np.eye(3)),
    "SciPy coo": lambda: sp.coo_array(np.ones((2, 5))),
    "SciPy complex": lambda: sp.csr_array(np.eye(2) * 1j),
    "SciPy matrix": lambda: sp.csr_matrix(np.eye(2)),
    "Graph": other_graph,
    "Vector": lambda: lg.Vector.from_coo([0, 8], [1.0, 2.0], size=11, backend="cpu"),
    "empty Vector": lambda: lg.Vector("INT32", 0, backend="cpu"),
    "Matrix": lambda: lg.Matrix.from_coo([0, 8], [1, 2], [1.0, 2.0], backend="cpu"),
    "Scalar": lambda: lg.Scalar.from_value(2.5, backend="cpu"),
    "empty Scalar": lambda: lg.Scalar("FP32", backend="cpu"),
    "expression": lambda: lg.Vector("FP64", 4, backend="cpu").apply("abs"),
    "mask": lambda: lg.Vector("BOOL", 4, backend="cpu").S,
    "operator": lambda: lg.binary.plus,
    "monoid": lambda: lg.monoid.min,
    "semiring": lambda: lg.semiring.min_plus,
    "unary": lambda: lg.unary.abs,
    "select": lambda: lg.select.tril,
    "aggregator": lambda: lg.agg.count,
    "replace": lambda: lg.replace,
    "Schedule": lambda: lg.Schedule(direction="push"),
    "namespace": lambda: lg.binary,
}


def _of_data_frames() -> None:
    """Columns and frames, where their libraries are installed."""
    if find_spec("pandas"):
        import pandas as pd

        VALUES.update({
            "Series": lambda: pd.Series([0, 1, 2]),
            "Series by text": lambda: pd.Series([1.0, 2.0], index=["a", "b"]),
            "Series with NA": lambda: pd.Series([1, None], dtype="Int64"),
            "Series of one label": lambda: pd.Series([1, 2], index=[0, 0]),
            "Index": lambda: pd.Index([0, 1, 2]),
            "MultiIndex": lambda: pd.MultiIndex.from_tuples([(0, 1), (1, 2)]),
            "frame": lambda: pd.DataFrame({"a": [0, 1], "b": [1, 2]}),
            "Categorical": lambda: pd.Categorical(["a", "b", "a"]),
            "Timestamp": lambda: pd.Timestamp("2020-01-01"),
            "pandas' NaT": lambda: pd.NaT,
            "NA": lambda: pd.NA,
        })  # fmt: skip
    if find_spec("polars"):
        import polars as pl

        VALUES["column of Polars"] = lambda: pl.Series([0, 1, 2])
    if find_spec("pyarrow"):
        import pyarrow as pa

        VALUES.update({
            "array of PyArrow": lambda: pa.array([0, None]),
            "table of PyArrow": lambda: pa.table({"a": [0, 1], "b": [1, 2]}),
            "scalar of PyArrow": lambda: pa.scalar(1),
        })  # fmt: skip


_of_data_frames()
