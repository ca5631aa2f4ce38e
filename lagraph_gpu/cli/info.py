"""`lagraph-gpu info GRAPH`: a summary of the graph in a file."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import click
import numpy as np

from lagraph_gpu.algorithms.structure.components import connected_components
from lagraph_gpu.backend import resolve
from lagraph_gpu.cli.exits import FINE
from lagraph_gpu.cli.loading import as_json, build_graph, graph_options, read_graph
from lagraph_gpu.cli.machine import print_json
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.display import text
from lagraph_gpu.graph import Graph
from semirings import types


@click.command("info", epilog="exit status: 0, or 2 for bad input")
@click.argument("graph")
@as_json
@graph_options()
def main(**given: Any) -> int:
    """Show what a graph file holds."""
    options = SimpleNamespace(**given)
    where = resolve(options.backend)
    edges = read_graph(options)
    with progress("building the matrix"):
        G, note = build_graph(edges, options.dup, options.undirected, where)
    with progress("counting"):
        found = {"graph": options.graph, "listed": edges.nedges, **facts(G)}
    if options.json:
        print_json(found)
    else:
        print(described(found))
    if note:
        print(note, file=sys.stderr)
    return FINE


def facts(G: Graph) -> dict[str, Any]:
    """The sizes, weights, degrees and components of a graph."""
    out, into = (v.to_dense(fill_value=0) for v in (G.out_degree, G.in_degree))
    size = np.bincount(connected_components(G).to_dense())  # by the smallest vertex of each
    return {
        "vertices": G.n,
        "edges": G.nedges,
        "directed": G.directed,
        "loops": G.nloops,
        "weighted": G.weighted,
        "type": types.name(G.A.dtype),
        "lightest": G.lightest,
        "heaviest": G.heaviest,
        "least_degree": int(out.min(initial=G.n)) if G.n else 0,
        "mean_degree": float(out.mean()) if G.n else 0.0,
        "greatest_degree": int(out.max(initial=0)),
        "isolated": int(((out == 0) & (into == 0)).sum()),
        "components": int((size > 0).sum()),
        "largest_component": int(size.max(initial=0)),
    }


def described(found: dict[str, Any]) -> str:
    kind = "directed" if found["directed"] else "undirected"
    weights = "none"
    if found["weighted"] and found["lightest"] is not None:
        weights = f"{text(found['lightest'])} to {text(found['heaviest'])} ({found['type']})"
    mean = text(found["mean_degree"])
    lines = {
        "vertices": f"{found['vertices']:,}",
        "edges": f"{found['edges']:,}, {kind}",
        "loops": f"{found['loops']:,}",
        "weights": weights,
        "degrees": f"{found['least_degree']:,} to {found['greatest_degree']:,}, {mean} on average",
        "isolated": f"{found['isolated']:,}",
        "components": f"{found['components']:,}, the largest of "
        f"{found['largest_component']:,} vertices",
    }
    rows = (f"  {name:<12}{value}" for name, value in lines.items())
    return "\n".join((found["graph"], *rows))
