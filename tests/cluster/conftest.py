"""Fixtures of the tests of the cluster."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lagraph_gpu.cluster import small_graphs


@pytest.fixture(autouse=True, scope="module")
def no_graph_is_small() -> Iterator[None]:
    """Process 0 carries nothing out alone, or the tests' graphs would never meet the statements of
    several processes. `small_graphs_alone` is the other way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small_graphs, "MOST_ENTRIES", -1)
        yield
