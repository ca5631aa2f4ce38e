"""Fixtures of the tests of the cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lagraph_gpu.cluster import closures, components, operations_of_process_0, process_0

ASKING = closures, components, operations_of_process_0
"""The modules that ask whether process 0 takes something, unless it proves deep."""


@pytest.fixture(autouse=True, scope="module")
def process_0_has_no_room() -> Iterator[None]:
    """Process 0 carries nothing out alone that does not prove deep, or the tests would never meet
    the statements of several processes. `process_0_alone` is the other way."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ASKING:
            patch.setattr(module, "process_0_takes", takes_what_is_deep)
        yield


def takes_what_is_deep(distribution: Any, stores: Any, workspace: Any) -> bool:
    """Whether process 0 works alone: only if the matrix has proved deep."""
    deep = stores[0].deep
    return deep and process_0.process_0_takes(distribution, stores, workspace)
