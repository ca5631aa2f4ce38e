"""Fixtures of the tests of the cluster."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lagraph_gpu.cluster import operations_of_process_0


@pytest.fixture(autouse=True, scope="module")
def process_0_has_no_room() -> Iterator[None]:
    """Process 0 carries no operation out alone, or the tests would never meet the statements of
    several processes. `process_0_alone` is the other way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(operations_of_process_0, "process_0_takes", lambda *_: False)
        yield
