"""Every public name and parameter of python-graphblas is here or in the page on coming from it.

The page names what is missing in code: `Matrix.gb_obj`, `Matrix.ss.import_*` for all names that
begin so, or `Vector.new(is_cscalar=)` for a parameter.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import lagraph_gpu as lg
from tests.operations.test_same_text import gb

PAGE = Path(__file__).parents[2] / "docs/how-to/come-from-python-graphblas.md"
MODULES = (
    "io", "exceptions", "dtypes", "agg", "binary", "unary", "monoid", "semiring", "indexunary",
    "select", "op", "viz",
)  # fmt: skip
CLASSES = "Matrix", "Vector", "Scalar"


def made(package: Any) -> dict[str, Any]:
    """An object of each public class, of which most users see no class."""
    v = package.Vector.from_coo([0, 1], [1, 2])
    A = package.Matrix.from_coo([0, 1], [1, 0], [1, 2])
    return {
        "expression": A.mxv(v), "Matrix.T": A.T, "mask": v.S, "updater": v(v.S), "part": v[[0]],
        "Vector.ss": package.Vector.from_coo([0, 1], [1, 1]).ss,
        "Matrix.ss": package.Matrix.from_coo([0, 1], [1, 0], [1, 1]).ss,
        "UnaryOp": package.unary.abs, "BinaryOp": package.binary.plus,
        "Monoid": package.monoid.plus, "Semiring": package.semiring.plus_times,
        "Aggregator": package.agg.mean, "DataType": package.dtypes.INT64,
        "Recorder": package.Recorder(start=False),
        "IndexUnaryOp": package.indexunary.rowindex, "SelectOp": package.select.tril,
    }  # fmt: skip


def public(thing: Any) -> list[str]:
    return [name for name in dir(thing) if not name.startswith("_")]


def parameters(function: Any) -> set[str]:
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return set()
    return {p.name for p in found if p.kind is not p.POSITIONAL_ONLY} - {"self"}


def differences(path: str, theirs: Any, ours: Any) -> Iterator[str]:
    """What `theirs` has and `ours` has not: names, and parameters of functions."""
    for name in public(theirs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            one = getattr(theirs, name, None)
        if not hasattr(ours, name):
            yield f"{path}.{name}"
        elif inspect.isroutine(one) and path in (*CLASSES, "io"):
            missing = parameters(one) - parameters(getattr(ours, name)) - {"opts", "kwargs"}
            yield from (f"{path}.{name}({parameter}=)" for parameter in sorted(missing))


def all_differences() -> set[str]:
    found = set(differences("graphblas", gb, lg))
    for name in MODULES:
        found |= set(differences(name, getattr(gb, name), getattr(lg, name)))
    for name in CLASSES:
        found |= set(differences(name, getattr(gb, name), getattr(lg, name)("INT64")))
    theirs, ours = made(gb), made(lg)
    for name, thing in theirs.items():
        found |= set(differences(name, thing, ours[name]))
    return found


def test_every_name_is_here_or_in_the_page() -> None:
    with lg.backend("cpu"):
        found = all_differences()
    said = set(re.findall(r"`([^`\n]+)`", PAGE.read_text()))
    families = [name for name in said if re.fullmatch(r"[A-Za-z.]+\.\w+_\*", name)]
    absent = {name for name in found if not any(fnmatch(name, family) for family in families)}
    assert not absent - said, "neither here nor in the page"
    rows = {name for name in said if re.fullmatch(r"[A-Za-z.]+\.\w+(\(\w+=\))?", name)}
    assert len(found & rows) > 10 and absent < found, "the page is read"
