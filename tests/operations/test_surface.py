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
from operator import attrgetter
from pathlib import Path
from typing import Any

import lagraph_gpu as lg
from semirings import numpy_names
from tests.operations.test_same_text import gb

PAGE = Path(__file__).parents[2] / "docs/how-to/come-from-python-graphblas.md"
MODULES = (
    "io", "exceptions", "dtypes", "agg", "binary", "unary", "monoid", "semiring", "indexunary",
    "select", "op", "viz", "binary.numpy", "unary.numpy", "monoid.numpy", "semiring.numpy",
    "op.numpy", "unary.ss", "binary.ss", "indexunary.ss", "select.ss", "semiring.ss", "op.ss",
    "agg.ss",
)  # fmt: skip
CLASSES = "Matrix", "Vector", "Scalar"
COMPILED = "absfirst", "abssecond", "floordiv", "rfloordiv", "rpow"
"""What python-graphblas compiles with Numba when it, or a semiring of it, is looked at, for 8 s."""


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


def parameters(function: Any) -> tuple[set[str], bool]:
    """The names of parameters, and whether any other keyword is taken."""
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return set(), True
    some = {p.name for p in found if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    return some - {"self"}, any(p.kind is p.VAR_KEYWORD for p in found)


def absent_parameters(path: str, theirs: Any, ours: Any) -> Iterator[str]:
    (wanted, _), (here, any_other) = parameters(theirs), parameters(ours)
    if not any_other:
        yield from (f"{path}({name}=)" for name in sorted(wanted - here))


def differences(path: str, theirs: Any, ours: Any) -> Iterator[str]:
    """What `theirs` has and `ours` has not: names, and parameters of functions."""
    if path.endswith(".numpy"):  # python-graphblas compiles what is looked at
        yield from (f"{path}.{name}" for name in set(public(theirs)) - set(public(ours)))
        return
    if not inspect.isclass(theirs) and callable(theirs) and callable(ours):
        yield from absent_parameters(f"{path}.__call__", type(theirs).__call__, type(ours).__call__)
    for name in public(theirs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            one = None if name.endswith(COMPILED) else getattr(theirs, name, None)
        if not hasattr(ours, name):
            yield f"{path}.{name}"
        elif inspect.isroutine(one):
            yield from absent_parameters(f"{path}.{name}", one, getattr(ours, name))


def all_differences() -> set[str]:
    found = set(differences("graphblas", gb, lg))
    for name in MODULES:
        theirs, ours = (attrgetter(name)(package) for package in (gb, lg))
        found |= set(differences(name, theirs, ours))
    for name in CLASSES:
        found |= set(absent_parameters(name, getattr(gb, name), getattr(lg, name)))
        found |= set(differences(name, getattr(gb, name), getattr(lg, name)("INT64")))
    here = made(lg)
    for name, thing in made(gb).items():
        found |= set(differences(name, thing, here[name]))
    return found


def said_of_numpy(name: str, said: set[str]) -> bool:
    """Whether the page names the function of NumPy, of which an operator or a semiring is made."""
    path, _, last = name.rpartition(".")
    if not path.endswith(".numpy"):
        return False
    return any(f"numpy.{part}" in said for part in last.split("_")) or (
        "semiring.numpy.add_equal" in said and folds_nothing(last)
    )


def folds_nothing(semiring: str) -> bool:
    """Whether no product of a semiring of NumPy is of a type that its monoid has here."""
    known = numpy_names.OURS
    pairs = [(add, semiring.removeprefix(f"{add}_")) for add in known["monoid"]]
    return any(
        not numpy_names.folds(getattr(lg.monoid.numpy, add), getattr(lg.binary.numpy, multiply))
        for add, multiply in pairs
        if multiply in known["binary"] and multiply != semiring
    )


def test_every_name_is_here_or_in_the_page() -> None:
    with lg.backend("cpu"):
        found = all_differences()
    said = set(re.findall(r"`([^`\n]+)`", PAGE.read_text()))
    families = [name for name in said if re.fullmatch(r"[A-Za-z.]+\.\w+_\*", name)]
    absent = {name for name in found if not any(fnmatch(name, family) for family in families)}
    absent = {name for name in absent if not said_of_numpy(name, said)}
    assert not absent - said, "neither here nor in the page"
    rows = {name for name in said if re.fullmatch(r"[A-Za-z.]+\.\w+(\(\w+=\))?", name)}
    assert len(found & rows) > 10 and absent < found, "the page is read"


def test_names_in_c_are_those_of_python_graphblas() -> None:
    """`plus[int].gb_name`, for the operators of the catalogue and every type that they have."""
    counted = 0
    warnings.simplefilter("ignore", DeprecationWarning)
    for kind in ("unary", "binary", "monoid", "semiring", "indexunary", "select"):
        theirs, ours = getattr(gb, kind), getattr(lg, kind)
        for name in (name for name in public(theirs) if not name.endswith(COMPILED)):
            for dtype in getattr(getattr(theirs, name, None), "types", ()):
                expected = getattr(getattr(theirs, name)[dtype], "gb_name", None)
                assert getattr(ours, name)[dtype.name].gb_name == expected, (kind, name, dtype)
                counted += 1
    assert counted > 3000
    assert lg.binary.plus["INT8"].type2 == lg.semiring.min_plus["INT8"].type2 == "INT8"
    assert lg.indexunary.rowindex[int].thunk_type == "INT64"
    assert not hasattr(lg.binary.plus, "gb_name") and not hasattr(lg.monoid.plus, "gb_name")


def test_attributes_that_are_there_are_found_without_a_function() -> None:
    """Python takes three times as long for each in a class that has `__getattr__`."""
    v = lg.Vector.from_coo([0, 2], [5.0, 7.0], size=4, backend="cpu")
    for thing in (v, v.diag(), v.reduce("plus").new(), v + v, v.diag() @ v, v[0], v.diag().T):
        assert not hasattr(type(thing), "__getattr__")
        assert not hasattr(thing, "toarray") and "toarray" not in dir(thing)
    assert (v + v).nvals == 2 and "nvals" in dir(v + v) and not hasattr(v + v, "nrows")
