"""The entry points for NetworkX: the functions of this backend, and a description of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from lagraph_gpu.networkx_backend import (
    centrality,
    clusters,
    components,
    paths,
    predecessors,
    randomized,
    routes,
    searches,
    structure,
)
from lagraph_gpu.networkx_backend.dispatch import IMPLEMENTED, can_run, should_run
from lagraph_gpu.networkx_backend.graph import convert_from_nx, convert_to_nx

TABLES = (
    centrality,
    clusters,
    components,
    paths,
    predecessors,
    randomized,
    routes,
    searches,
    structure,
)
"""The modules that add functions to the table when they are imported."""

OF_ITS_OWN = {
    "any of the shortest paths closes a cycle of a basis": (
        "test_cycles.py::TestMinimumCycleBasis::test_unweighted_diamond",
        "test_cycles.py::TestMinimumCycleBasis::test_weighted_diamond",
        "test_cycles.py::TestMinimumCycleBasis::test_petersen_graph",
        "test_cycles.py::TestMinimumCycleBasis::test_gh6787_and_edge_attribute_names",
    ),
}
"""Tests of NetworkX that require one of several correct answers: the answer of NetworkX itself."""


def on_start_tests(items: list[Any]) -> None:
    """The tests of NetworkX call this function first, so that a backend can mark the tests that do
    not apply to it.
    """
    import pytest

    reasons = {test: reason for reason, tests in OF_ITS_OWN.items() for test in tests}
    for item in items:
        where = "::".join([item.path.name, *item.nodeid.split("::")[1:]])
        if where in reasons:
            item.add_marker(pytest.mark.xfail(reason=reasons[where], strict=True))


backend = SimpleNamespace(
    **{name: entry.run for name, entry in IMPLEMENTED.items()},
    convert_from_nx=convert_from_nx,
    convert_to_nx=convert_to_nx,
    can_run=can_run,
    should_run=should_run,
    on_start_tests=on_start_tests,
)
"""The object that `networkx.backends` names, with one function for each function of NetworkX."""


def get_info() -> dict[str, Any]:
    """The description of this backend that `networkx.backend_info` names."""
    return {
        "backend_name": "lagraph",
        "project": "lagraph-gpu",
        "package": "lagraph_gpu",
        "short_summary": "Linear algebra over semirings, on the CPU and NVIDIA GPUs.",
        "functions": {name: {} for name in sorted(IMPLEMENTED)},
    }
