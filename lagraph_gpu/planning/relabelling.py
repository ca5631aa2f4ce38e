"""What `lg.explain()` tells of a graph that is made in another order."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lagraph_gpu.planning.trace import explaining, record_choice, record_time
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.graph import Graph

ORDERED = {"degree": "by falling degree", "bfs": "breadth-first"}
GIVEN = "as given"
MADE, TAKEN = "{n} vertices and {entries} entries, {bytes} bytes", "{microseconds} µs"


def recorded(
    G: Graph, order: Any, what: str, make: Callable[[Graph, Any, Any], Graph], layout: Any
) -> Graph:
    """Make a graph in another order. For `lg.explain()` it waits, and notes the time."""
    G.expect_sound()
    if not explaining():
        return make(G, order, layout)
    stop = G.backend.stopwatch()
    reordered = make(G, order, layout)
    if reordered is G:
        return G
    microseconds = stop()  # synchronize!
    ids = 0 if reordered.ids is G.ids else reordered.n * types.INT64.itemsize
    reason = MADE if microseconds is None else f"{MADE}, {TAKEN}"
    chosen = f"{what}, {ORDERED[order] if isinstance(order, str) else GIVEN}"
    record_choice("layout", chosen, reason,
                  bytes=reordered.nbytes + ids, n=G.n, entries=G.A.nvals,
                  microseconds=microseconds)  # fmt: skip
    record_time(microseconds)
    return reordered
