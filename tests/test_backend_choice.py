"""A backend beside those that come with the package: how it is found, and what is said without
it."""

from __future__ import annotations

import functools
import importlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import lagraph_gpu as lg
from lagraph_gpu.backend import NAMED, named
from lagraph_gpu.cli import job
from lagraph_gpu.errors import BackendUnavailable

port: Any = importlib.import_module("lagraph_gpu.backend")
WORKS = """
from lagraph_gpu.cpu.backend import make as of_the_host

def make():
    return of_the_host().renamed("third")
"""


@pytest.fixture
def third(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the module of a backend that is called third is to be written."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(NAMED, "third", f"backend_{tmp_path.name}")
    monkeypatch.setattr(port, "named", functools.cache(named.__wrapped__))  # forgets the third
    return tmp_path / f"backend_{tmp_path.name}.py"


def test_a_third_backend_runs_and_draws_a_graph_of_the_usual_scale(
    third: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    third.write_text(WORKS)
    G = lg.Graph.from_edges([0, 1], [1, 2], backend="third")  # type: ignore[arg-type]
    assert G.backend.name == "third" and lg.bfs(G, 0)[0].to_dense().tolist() == [0, 1, 2]
    drawn: list[Any] = []
    monkeypatch.setattr(job.generate, "kronecker", lambda *given: drawn.append(given[0]))
    gpu = SimpleNamespace(name="gpu", large_graphs=False)
    for backend, scale in ((G.backend, None), (G.backend, 3), (gpu, None)):
        options = SimpleNamespace(graph=None, scale=scale, seed=1)
        job.get_edges(options, backend)  # type: ignore[arg-type]
    assert drawn == [16, 3, 20]


def test_what_a_third_backend_lacks_is_its_own(third: Path) -> None:
    third.write_text("import a_library_that_nobody_has")
    with pytest.raises(BackendUnavailable) as told:
        port.named("third")
    text = str(told.value)
    assert "for the THIRD backend" in text and "a_library_that_nobody_has" in text
    assert "graphblas" not in text
    with pytest.raises(BackendUnavailable, match="'cpu', 'gpu', 'cluster' or 'third', got 'forth'"):
        port.named("forth")
