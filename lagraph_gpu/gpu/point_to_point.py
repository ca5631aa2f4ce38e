"""The lengths that one shortest path between two vertices needs."""

from __future__ import annotations

from typing import Any

from lagraph_gpu.algorithms._shared.distance_types import path_type
from lagraph_gpu.closure import closure_up_to
from lagraph_gpu.notation import Vector
from semirings import min_plus


def lengths_towards(
    G: Any, source: int, target: int, h: Vector | None, cutoff: Any, step: Any
) -> Vector | None:
    """Lowers ``lengths_towards``. None if `step` is given.

    A search of the whole graph in one kernel takes less time than a few of the rounds of statements
    that a search towards the target takes, whatever the bounds `h` save.
    """
    if step is not None:
        return None
    start = G.point(source, 0, path_type(G))
    return closure_up_to(cutoff, start, G.A, min_plus, with_parents=True)
