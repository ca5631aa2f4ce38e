"""The options of the main job."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import lagraph_gpu
from lagraph_gpu.cli.loading import add_graph_options, parser_of

EPILOG = """\
Without GRAPH a Kronecker graph (Graph500's) with weights 1 to 255 is made. Files may be DIMACS or
PACE .gr, Matrix Market, METIS, SNAP or TSV edge lists, SciPy .npz; plain, .gz or .xz.

Other commands, each with --help: info, doctor, convert, run, distances.

exit status: 0 if every answer was verified, 1 if one was wrong, 2 for bad input
"""


def at_least(least: int) -> argparse._ActionType:
    def number(text: str) -> int:
        value = int(text) if text.lstrip("-").isdigit() else None
        if value is None or value < least:
            expected = f"expected a whole number of at least {least}"
            raise argparse.ArgumentTypeError(f"{expected}, got {text!r}")
        return value

    return number


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options. If one is wrong, the process exits with status 2 and a line that says what is
    wrong.
    """
    what = "Breadth-first search and shortest paths of a graph, verified and timed."
    parser = parser_of("", what, EPILOG)
    add = parser.add_argument
    add("graph", nargs="?", metavar="GRAPH", help="a graph file (default: make a Kronecker graph)")
    add("--roots", type=at_least(1), default=3, metavar="N",
        help="search from N random vertices that have edges (default: 3)")  # fmt: skip
    add(
        "--source",
        action="append",
        metavar="V",
        help="search from this vertex, counted from 0 or by its label; may be given several times",
    )
    add("--scale", type=at_least(0), metavar="S",
        help="make a graph of 2^S vertices (default: 16 on a CPU, 20 on a GPU)")  # fmt: skip
    add_graph_options(parser)
    add("--seed", type=at_least(0), default=1, help="of the graph and the roots (default: 1)")
    add("--out", type=Path, default=Path("out"), metavar="DIR",
        help="where the picture goes (default: out)")  # fmt: skip
    add("--no-picture", dest="picture", action="store_false", help="draw nothing")
    add("--version", action="version", version=f"lagraph-gpu {lagraph_gpu.__version__}")
    options = parser.parse_args(arguments)
    if options.graph is not None and options.scale is not None:
        parser.error("give either a GRAPH file or --scale, not both")
    if options.graph is None and not all(word.isdigit() for word in options.source or ()):
        parser.error(f"expected --source from 0 without a GRAPH, got {', '.join(options.source)}")
    return options
