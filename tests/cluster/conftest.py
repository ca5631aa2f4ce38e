"""Fixtures of the tests of the cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lagraph_gpu.cluster import root
from lagraph_gpu.cluster.root import Whole, root_takes


@pytest.fixture(autouse=True, scope="module")
def root_has_no_room() -> Iterator[None]:
    """Process 0 carries nothing out alone that does not prove deep, or the tests would never meet
    the statements of several processes. `root_alone` is the other way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(root, "root_takes", takes_what_is_deep)
        yield


def takes_what_is_deep(
    distribution: Any, stores: Any, workspace: Any, what: str, form: Any
) -> bool:
    """Whether process 0 works alone: only if the matrix has proved deep, or is sparse."""
    chosen = stores[0].deep or form is not Whole
    return chosen and root_takes(distribution, stores, workspace, what, form)
