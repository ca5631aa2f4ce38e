"""`lagraph-gpu warm`: compiles what the algorithms need, so that a first call does not wait."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import click

import lagraph_gpu as lg
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.cli.exits import FINE
from lagraph_gpu.cli.loading import as_json, backend_option
from lagraph_gpu.cli.machine import print_json
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.run import algorithms, own_arguments
from lagraph_gpu.errors import LagraphError
from lagraph_gpu.graph import Graph

EPILOG = """\
Each algorithm of lagraph-gpu run --list runs on small graphs: directed and undirected, without
weights, with whole and with real ones. What is compiled is kept on the disk, for this user.

exit status: 0, or 2 for bad input
"""

ARGUMENTS = {"source": 0, "target": 5, "u": 0, "v": 5, "sources": [0, 1], "k": 3, "length": 2}
"""A value for each argument that an algorithm needs."""


@click.command("warm", epilog=EPILOG, short_help="Compile ahead what the algorithms need.")
@backend_option()
@as_json
def main(backend: str | None, json: bool) -> int:
    """Compile what the algorithms need, so that a first call does not wait."""
    where = resolve(backend)
    begun = time.perf_counter()
    known = algorithms()
    graphs = list(small_graphs(where))
    with progress("compiling") as update:
        for done, function in enumerate(known.values()):
            update(done, len(known))
            given = arguments_for(function)
            for G in graphs:
                try:
                    function(G, **given)
                except LagraphError:  # as of an algorithm for undirected graphs alone
                    continue
    seconds = time.perf_counter() - begun
    if json:
        print_json({"backend": where.name, "algorithms": len(known), "seconds": round(seconds, 3)})
    else:
        print(f"{len(known)} algorithms are ready on the {where.name.upper()}: {seconds:.1f} s")
    return FINE


def arguments_for(function: Callable[..., Any]) -> dict[str, Any]:
    """A value for each argument that this algorithm needs."""
    own = own_arguments(function).items()
    return {key: ARGUMENTS[key] for key, p in own if p.default is p.empty}


def small_graphs(backend: Backend) -> Iterator[Graph]:
    for weights in (None, "integer", "uniform"):
        G = lg.grid(4, 4, weights=weights, backend=backend)
        yield G
        yield Graph(G.A.select("triu").new())  # directed, without a cycle
