"""`lagraph-gpu distances GRAPH PAIRS`: the distances of pairs of vertices."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from lagraph_gpu import io
from lagraph_gpu.algorithms.paths.contraction import Contraction
from lagraph_gpu.algorithms.paths.paired_distances import paired_distances
from lagraph_gpu.backend import resolve
from lagraph_gpu.cli.exits import FINE
from lagraph_gpu.cli.loading import add_graph_options, load_graph, parser_of, vertex_in
from lagraph_gpu.cli.machine import print_json
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.graph import Graph
from lagraph_gpu.io.stream import as_path, extension

EPILOG = """\
PAIRS is an edge list (plain, .gz or .xz), a line "SOURCE TARGET" for each pair; a third column says
nothing. Vertices are counted from 0, or have the names of the graph: in Graphalytics graphs, and in
others with --labels. For each pair, in order, a line "SOURCE TARGET DISTANCE" is
printed, separated by tabs; inf where there is no path.

exit status: 0, or 2 for bad input
"""


def main(arguments: Sequence[str]) -> int:
    parser = parser_of("distances", "The distances of pairs of vertices.", EPILOG)
    add = parser.add_argument
    add("graph", metavar="GRAPH")
    add("pairs", metavar="PAIRS")
    add("--cutoff", type=float, metavar="X", help="what is farther than X counts as no path")
    add("--hops", action="store_true", help="count edges, whatever they weigh")
    add("--contraction", metavar="FILE", help="of the graph, as lg.contract(G).save wrote it")
    add("--json", action="store_true", help="print JSON")
    add_graph_options(parser)
    options = parser.parse_args(arguments)
    backend = resolve(options.backend)
    P = None if options.contraction is None else Contraction.load(options.contraction)
    G = load_graph(options, backend)
    with progress(f"reading {options.pairs}"):
        sources, targets = pairs_in(options.pairs, G)
    weight = None if options.hops else "weight"
    with progress("searching") as update:
        found = paired_distances(
            G, sources, targets, options.cutoff, weight, contraction=P, progress=update
        )
        held = found if isinstance(found, np.ndarray) else found.get()
    whole = options.hops or G.A.dtype.kind != "f"
    numbers = [int(x) if whole and math.isfinite(x) else x for x in held]
    rows = list(zip(sources, targets, numbers, strict=True))
    if options.json:
        print_json({"graph": options.graph, "backend": backend.name, "distances": rows})
    else:
        sys.stdout.writelines(f"{u}\t{v}\t{x}\n" for u, v, x in rows)
    return FINE


def pairs_in(path: str, G: Graph) -> tuple[list[Any], list[Any]]:
    """The vertices in both columns of an edge list, as G calls them."""
    if G.labels is None:
        asked = io.read_edges(path, "edgelist")
        return asked.src.tolist(), asked.dst.tolist()
    known = extension(as_path(path)) in (".csv", ".tsv")
    asked = io.read_edges(path, None if known else "edgelist", labels=True)
    assert asked.ids is not None
    called = [vertex_in(G, str(name)) for name in asked.ids]
    return [called[v] for v in asked.src], [called[v] for v in asked.dst]
