"""What NetworkX finds by the entry points: the functions, and a description of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from lagraph_gpu.networkx_backend import (
    centrality,
    clusters,
    components,
    drawn,
    paths,
    predecessors,
    routes,
    searches,
    structure,
)
from lagraph_gpu.networkx_backend.graph import convert_from_nx, convert_to_nx
from lagraph_gpu.networkx_backend.offers import OFFERS, can_run, should_run

TABLES = (
    centrality, clusters, components, drawn, paths, predecessors, routes, searches, structure
)  # fmt: skip
"""Modules that enter functions into the table when they are imported."""

OF_ITS_OWN = {
    "test_strategy_as_function": "equal degrees stand in no promised order",
    "test_hopcroft_karp_matching_simple": "any of the largest matchings is right",
    "test_eppstein_matching_simple": "any of the largest matchings is right",
}
"""Tests of NetworkX that ask for the one of several right answers which its own code gives."""


def on_start_tests(items: list[Any]) -> None:
    """NetworkX' tests call this first, so that a backend can say which do not concern it."""
    import pytest

    for item in items:
        if item.name in OF_ITS_OWN:
            item.add_marker(pytest.mark.xfail(reason=OF_ITS_OWN[item.name]))


backend = SimpleNamespace(
    **{name: offered.run for name, offered in OFFERS.items()},
    convert_from_nx=convert_from_nx,
    convert_to_nx=convert_to_nx,
    can_run=can_run,
    should_run=should_run,
    on_start_tests=on_start_tests,
)
"""What ``networkx.backends`` names: an object with a function for each of NetworkX'."""


def get_info() -> dict[str, Any]:
    """What ``networkx.backend_info`` names."""
    return {
        "backend_name": "lagraph",
        "project": "lagraph-gpu",
        "package": "lagraph_gpu",
        "short_summary": "Linear algebra over semirings, on the CPU and NVIDIA GPUs.",
        "functions": {name: {} for name in sorted(OFFERS)},
    }
