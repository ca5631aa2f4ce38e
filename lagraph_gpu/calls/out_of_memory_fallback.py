"""The fallbacks of a call on a graph that runs out of memory.

Algorithms by themselves take fewer sources at a time, or return their result in blocks. If that
does not fit either, other matrices that the graph keeps as facts are forgotten, and then the rows
of the graph are moved into the host's memory, where the device reads them over the bus; and if that
does not help, the call runs on the CPU. If that fails too, the call raises TooLarge.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lagraph_gpu.errors import TooLarge, in_short
from lagraph_gpu.graph import Graph
from lagraph_gpu.memory import short_of
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.host_memory import larger_backend, moved_to_device, spilled_to_host
from lagraph_gpu.notation.operation import lowering
from lagraph_gpu.planning.trace import record_choice
from lagraph_gpu.reporting import LOG

SPILLED = "the rows of the graph were moved into the host's memory, for {why}"
ON_HOST = "the call runs on the CPU, for {why}"

MOVED = "%s: moved %d bytes of rows into the host's memory: %s"

LEAST_MOVED_BYTES = 1 << 12
"""Moving fewer bytes than these helps no call."""


def has_fallback(G: Graph, problem: TooLarge) -> bool:
    """Whether `fall_back` may help after this error: memory was short, and the backend of the graph
    has another one with more memory.
    """
    return problem.of_memory and lowering(larger_backend, G) is not None


def fall_back(
    call: Callable[..., Any], name: str, G: Graph, given: Any, named: dict[str, Any], why: TooLarge
) -> Any:
    """The result of a call on G that raised `why`. Raises TooLarge if every fallback fails."""
    first, moved = str(without_frames(why)), 0
    try:
        forgot = why.of_memory and G._forgets_copies()
        while why.of_memory and (forgot or (freed := spilled_to_host(G.A)) >= LEAST_MOVED_BYTES):
            if not forgot:
                moved += freed
                record_choice(name, "rows in host memory", SPILLED, why=in_short(why))
                text = str(why)  # a handler may keep what it is given
                LOG.warning(MOVED, name, freed, text)
            try:
                made = call(G, *given, **named)
            except TooLarge as problem:
                why, forgot = without_frames(problem), False
                G._forgets_copies()  # what this try has made
            else:
                moved_to_device(G.A)
                return made
        if moved:
            moved_to_device(G.A)
        host = larger_backend(G.backend) if why.of_memory else None
        if host is None:
            raise why
        record_choice(name, "on the CPU", ON_HOST, why=in_short(why))
        LOG.warning("%s: runs on the CPU: %s", name, str(why))
    finally:
        del why  # it holds this frame, and the frame the graph
    try:
        H = G.kept(copy_for_host)
        made = call(H, *(placed(x, host) for x in given), **placed(named, host))
    except TooLarge as problem:
        raise short_of(f"{first}; and on the CPU: {problem}") from problem
    return placed(made, G.backend)


def without_frames(problem: TooLarge) -> TooLarge:
    """The error, after its frames have dropped their variables, which take memory."""
    import traceback

    traceback.clear_frames(problem.__traceback__)
    return problem


def copy_for_host(G: Graph) -> Graph:
    """The graph on the backend of the host."""
    host = larger_backend(G.backend)
    assert host is not None
    return G.to(host)


def placed(thing: Any, backend: Any) -> Any:
    """Graphs, matrices and vectors on a backend, also those in tuples, lists and dicts; whatever
    does not fit there, and all else, as it is.
    """
    if isinstance(thing, dict):
        return {key: placed(value, backend) for key, value in thing.items()}
    if isinstance(thing, tuple):
        parts = [placed(part, backend) for part in thing]
        return type(thing)(*parts) if hasattr(thing, "_fields") else tuple(parts)
    if isinstance(thing, list) and not all(isinstance(part, (int, np.integer)) for part in thing):
        return [placed(part, backend) for part in thing]
    if isinstance(thing, (Graph, Matrix, Vector)):
        try:
            return thing.to(backend)
        except TooLarge:
            return thing
    return thing
