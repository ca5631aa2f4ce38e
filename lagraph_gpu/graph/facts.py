"""Facts: properties of a graph that are computed once and kept with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lagraph_gpu.notation.handle import Handle

if TYPE_CHECKING:
    from lagraph_gpu.graph.graph import Graph

FACTS: dict[str, Callable[[Graph], Any]] = {}
"""By the name of each fact, the function under which a graph keeps it."""

UNKNOWN = object()
"""In place of a fact that has not been computed."""

if TYPE_CHECKING:
    fact = property
else:

    def fact(compute: Callable[[Graph], Any]) -> property:
        """A read-only property of a graph, kept until the adjacency matrix changes."""

        def found(G: Graph) -> Any:
            made = compute(G)
            if isinstance(made, Handle):
                made._kept_as = f"G.{compute.__name__}"
            return made

        def read(G: Graph) -> Any:
            held = G._current_facts().get(found, UNKNOWN)
            return G.kept(found) if held is UNKNOWN else held

        FACTS[compute.__name__] = found
        return property(read, doc=compute.__doc__)
