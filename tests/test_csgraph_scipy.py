"""SciPy's own tests of ``scipy.sparse.csgraph``, and the examples of its documentation, with our
module in the place of SciPy's.

Its test files are read from where SciPy is installed, while ``scipy.sparse.csgraph`` is ours; what
they import by that name, and what they parametrise with it, is then ours as well.
"""

from __future__ import annotations

import doctest
import importlib.util
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph as theirs

import lagraph_gpu as lg
import lagraph_gpu.csgraph as ours
from lagraph_gpu.csgraph import adapters, paths, traversal, trees

FOLDER = Path(theirs.__file__).parent / "tests"
FILES = sorted(FOLDER.glob("test_*.py"))

SKIPPED = {
    "test_int64_indices_directed": "strong components are numbered by their smallest vertex, not "
    "in the order in which SciPy's depth-first search leaves them",
    "test_add_reverse_edges": "it tests a private function of SciPy's, none of ours",
    "test_make_edge_pointers": "it tests a private function of SciPy's, none of ours",
    "test_make_tails": "it tests a private function of SciPy's, none of ours",
}
"""What is left out, and why."""


@pytest.fixture(autouse=True)
def on_the_cpu() -> Iterator[None]:
    """By our own algorithms."""
    with pytest.MonkeyPatch.context() as patch, lg.backend("cpu"):
        for module in (adapters, paths, traversal, trees):
            patch.setattr(module, "hosted", lambda: False)
        yield


def load(path: Path) -> ModuleType:
    """A test file of SciPy's that sees our csgraph."""
    spec = importlib.util.spec_from_file_location(f"scipy.sparse.csgraph.tests.{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "scipy.sparse.csgraph", ours)
        patch.setattr(scipy.sparse, "csgraph", ours)
        for inner in [m for m in sys.modules if m.startswith("scipy.sparse.csgraph._")]:
            patch.setitem(sys.modules, inner, sys.modules[inner])
        spec.loader.exec_module(module)
    return module


LOADED = {path.stem: load(path) for path in FILES}


EXAMPLES = [n for n in ours.__all__ if ">>>" in (getattr(theirs, n).__doc__ or "")]


class Recorder(doctest.OutputChecker):
    """Takes down what examples print."""

    def __init__(self) -> None:
        self.printed: list[str] = []

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        self.printed.append(got)
        return True


def printed_by(name: str) -> list[str]:
    """What the examples of a docstring of SciPy's print."""
    text, recorder = getattr(theirs, name).__doc__, Recorder()
    found = doctest.DocTestParser().get_doctest(text, {"np": np}, name, None, None)
    report = io.StringIO()
    result = doctest.DocTestRunner(recorder).run(found, out=report.write)
    assert result.attempted and not result.failed, report.getvalue()
    return recorder.printed


OTHER_WORDS = {
    "laplacian": "its examples print an address and draw random numbers",
    "min_weight_full_bipartite_matching": "its examples draw random numbers",
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_documentation(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What SciPy's docstrings show comes out the same with the import changed."""
    if name in OTHER_WORDS:
        pytest.skip(OTHER_WORDS[name])
    expected = printed_by(name)
    monkeypatch.setitem(sys.modules, "scipy.sparse.csgraph", ours)
    monkeypatch.setattr(scipy.sparse, "csgraph", ours)
    assert printed_by(name) == expected


def replaced(module: ModuleType) -> bool:
    """Is every routine that a file uses ours?"""
    used = [v for k, v in vars(module).items() if k in ours.__all__ and k != "NegativeCycleError"]
    known = [getattr(module, name) for name in ("csgraph", "csg") if hasattr(module, name)]
    return all(f.__module__.startswith("lagraph_gpu.") for f in used) and all(
        m is ours for m in known
    )


@pytest.mark.skipif(not FILES, reason="this SciPy comes without its tests")
def test_theirs_use_ours() -> None:
    assert len(FILES) >= 8
    for name, module in LOADED.items():
        assert replaced(module), name


def adopt(module: ModuleType, stem: str) -> None:
    for name, thing in vars(module).items():
        if hasattr(thing, "_fixture_function"):  # of one name in one file only
            globals()[name] = thing
        if name.startswith("test_") and callable(thing):
            if name in SKIPPED:
                thing = pytest.mark.skip(reason=SKIPPED[name])(thing)
            held: dict[str, Any] = globals()
            held[f"{stem}__{name[5:]}"] = thing


for stem, module in LOADED.items():
    adopt(module, stem)
