"""`lagraph-gpu distances GRAPH PAIRS`: the distances of pairs of vertices."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

import numpy as np

from lagraph_gpu import io
from lagraph_gpu.algorithms.paths.contraction import Contraction
from lagraph_gpu.algorithms.paths.paired_distances import paired_distances
from lagraph_gpu.backend import resolve
from lagraph_gpu.cli.exits import FINE
from lagraph_gpu.cli.loading import add_graph_options, load_graph, parser_of
from lagraph_gpu.cli.machine import print_json
from lagraph_gpu.cli.progress import progress

EPILOG = """\
PAIRS is an edge list (plain, .gz or .xz), a line "SOURCE TARGET" for each pair; a third column says
nothing. Vertices are counted from 0. For each pair, in order, a line "SOURCE TARGET DISTANCE" is
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
    with progress(f"reading {options.pairs}"):
        asked = io.read_edges(options.pairs, "edgelist")
    P = None if options.contraction is None else Contraction.load(options.contraction)
    G = load_graph(options, backend)
    weight = None if options.hops else "weight"
    with progress("searching") as update:
        found = paired_distances(
            G, asked.src, asked.dst, options.cutoff, weight, contraction=P, progress=update
        )
        held = found if isinstance(found, np.ndarray) else found.get()
    whole = options.hops or G.A.dtype.kind != "f"
    numbers = [int(x) if whole and math.isfinite(x) else x for x in held]
    rows = list(zip(asked.src.tolist(), asked.dst.tolist(), numbers, strict=True))
    if options.json:
        print_json({"graph": options.graph, "backend": backend.name, "distances": rows})
    else:
        sys.stdout.writelines(f"{u}\t{v}\t{x}\n" for u, v, x in rows)
    return FINE
