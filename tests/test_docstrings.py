"""Public docstrings have sections that name every parameter and say what is returned."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest

import lagraph_gpu
import semirings

ROOT = Path(__file__).resolve().parents[1]
OURS = ("lagraph_gpu.", "semirings.")
PACKAGES = (lagraph_gpu, lagraph_gpu.io, semirings)
NOTHING = (None, "None", "NoReturn", NoReturn, inspect.Signature.empty)


def sections(docstring: str) -> dict[str, str]:
    """The text of each section by its title, as the site reads it."""
    return dict(docstrings.sections(docstring))


def script(name: str) -> ModuleType:
    """A script of docs/ as a module."""
    spec = importlib.util.spec_from_file_location(f"shown_{name}", ROOT / "docs" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


docstrings, make_reference = script("docstrings"), script("make_reference")


def faults(thing: Callable[..., Any]) -> list[str]:
    """What the docstring of a function or a class does not say."""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):  # a class whose constructor is written in C has no signature
        return [] if inspect.getdoc(thing) else ["no docstring"]
    doc = inspect.getdoc(thing)
    if not doc:
        return ["no docstring"]
    found = sections(doc)
    listed = described(found.get("Parameters", parameters_above(thing)))
    taken = {name for name in signature.parameters if name not in ("self", "cls")}
    taken = {name for name in taken if not name.startswith("_")}
    wrong = [f"no parameter {name}" for name in sorted(taken - listed)]
    wrong += [f"there is no parameter {name}" for name in sorted(listed - taken)]
    returns = not inspect.isclass(thing) and signature.return_annotation not in NOTHING
    if returns and not {"Returns", "Yields"} & set(found):
        wrong.append("no Returns")
    return wrong


def parameters_above(thing: Any) -> str:
    """The parameters of a class that has the constructor of another one, as they stand there."""
    if not inspect.isclass(thing) or "__init__" in vars(thing):
        return ""
    home = next(base for base in thing.__mro__ if "__init__" in vars(base))
    return sections(inspect.getdoc(home) or "").get("Parameters", "")


def described(parameters: str) -> set[str]:
    """The names that a Parameters section describes: "nrows, ncols : int" are two."""
    heads = [line for line in parameters.split("\n") if re.match(r"\S", line)]
    names = ",".join(head.partition(" : ")[0] for head in heads).replace(" ", "").split(",")
    return {name.lstrip("*") for name in names if name}


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every function and class that a package exports or the reference shows, and its public
    methods, by the name of its code.
    """
    exported = [getattr(package, name) for package in PACKAGES for name in package.__all__]
    pages = [home for modules in make_reference.chapters().values() for home in modules]
    for page in pages:
        for name in make_reference.names(importlib.import_module(page)):
            home, _, last = name.rpartition(".")
            exported.append(getattr(importlib.import_module(home), last))
    for thing in exported:
        if not hasattr(thing, "__qualname__"):
            continue
        yield from entry(inspect.unwrap(thing))
        for method in dir(thing) if inspect.isclass(thing) else ():
            held = inspect.getattr_static(thing, method)
            held = getattr(held, "__func__", held)
            if not method.startswith("_") and inspect.isfunction(held):
                yield from entry(held)


def entry(thing: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    home = f"{thing.__module__}."
    if home.startswith(OURS):
        yield f"{home}{thing.__qualname__}", thing


PUBLIC = dict(public())


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_sections(name: str) -> None:
    assert not faults(PUBLIC[name])


def test_what_is_public() -> None:
    """The walk finds functions, classes, inherited methods, and what only the reference shows."""
    assert {
        "lagraph_gpu.graph.graph.Graph",
        "lagraph_gpu.closure.closure",
        "lagraph_gpu.notation.infix.Operations.apply",
        "lagraph_gpu.planning.trace.Step",
        "semirings.laws.check_laws",
    } <= set(PUBLIC)


# --- the judge is judged -------------------------------------------------------------------------


def complete(n: int, m: int = 2) -> int:
    """The sum.

    Parameters
    ----------
    n, m : int
        What is added: each is named once,

        in as many paragraphs as it takes.

    Returns
    -------
    int
        The sum of `n` and `m`.
    """
    return n + m


def without_sections(n: int) -> int:
    """Twice n."""
    return 2 * n


def of_another_name(n: int) -> None:
    """Nothing.

    Parameters
    ----------
    k : int
        There is no k.
    """


def without_docstring() -> None: ...


def test_complete_sections_pass() -> None:
    assert faults(complete) == []


@pytest.mark.parametrize(
    "thing, wrong",
    [
        (without_sections, ["no parameter n", "no Returns"]),
        (of_another_name, ["no parameter n", "there is no parameter k"]),
        (without_docstring, ["no docstring"]),
    ],
)
def test_faults_are_found(thing: Callable[..., Any], wrong: list[str]) -> None:
    assert faults(thing) == wrong
