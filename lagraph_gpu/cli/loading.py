"""Options and functions that the commands share to read a graph from a file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from lagraph_gpu import io
from lagraph_gpu.backend import Backend
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.convert.edges import DUPLICATES
from lagraph_gpu.convert.options import Dup
from lagraph_gpu.errors import DuplicateEdges
from lagraph_gpu.graph import Graph
from lagraph_gpu.io import EdgeList
from lagraph_gpu.io.formats import NAMES
from lagraph_gpu.io.load import read

TWICE = "some edges are listed more than once: {} with its least weight (--dup min)"


def parser_of(command: str, description: str, epilog: str, **more: Any) -> argparse.ArgumentParser:
    """The parser of a command, whose epilog is printed as it is."""
    raw = argparse.RawDescriptionHelpFormatter
    prog = f"lagraph-gpu {command}".strip()
    return argparse.ArgumentParser(prog, None, description, epilog, formatter_class=raw, **more)


def add_graph_options(parser: argparse.ArgumentParser, *more_backends: str) -> None:
    add = parser.add_argument
    add("--format", metavar="FORMAT",
        help=f"of GRAPH, where its name does not say it: {', '.join(NAMES)}")  # fmt: skip
    add(
        "--labels",
        action="store_true",
        help="vertices have the names or numbers that GRAPH gives them, not numbers from 0",
    )
    add(
        "--backend",
        choices=("cpu", "gpu", *more_backends),
        help="(default: the GPU where one works)",
    )
    add("--undirected", action="store_true", help="read each edge of GRAPH in both directions")
    add("--dup", choices=DUPLICATES, default="min",
        help="what an edge given twice means (default: min, and a line that says so)")  # fmt: skip


def load_graph(options: argparse.Namespace, backend: Backend) -> Graph:
    """The graph that the options name. A line on stderr says what became of edges given twice."""
    if backend.name == "cluster":  # each process reads a part
        directed = False if options.undirected else None
        named = {"format": options.format, "labels": options.labels, "backend": backend}
        with progress(f"reading {options.graph}"):
            G, merged = one_of_each(partial(read, options.graph, directed, **named), options.dup)
        note = TWICE.format("each is kept once,") if merged else None
    else:
        edges = read_graph(options)
        with progress("building the matrix"):
            G, note = build_graph(edges, options.dup, options.undirected, backend)
    if note:
        print(note, file=sys.stderr)
    return G


def read_graph(options: argparse.Namespace) -> EdgeList:
    """The edge list in the file."""
    with progress(f"reading {options.graph}"):
        return io.read_edges(options.graph, options.format, labels=options.labels)


def vertex_in(G: Graph, word: str) -> Any:
    """A word of the command line as a vertex: as text where labels are strings, else as an integer.

    >>> import lagraph_gpu as lg
    >>> vertex_in(lg.grid(2, 2, backend="cpu"), "3")
    3
    """
    text = G.labels is not None and all(isinstance(label, str) for label in G.labels[:1])
    return int(word) if not text and word.removeprefix("-").isdigit() else word


def build_graph(
    edges: EdgeList, dup: Dup, undirected: bool, backend: Backend
) -> tuple[Graph, str | None]:
    """The graph on the backend, and a note if edges were merged under `--dup min`."""
    directed = False if undirected else None
    make = partial(Graph.from_edgelist, edges, directed=directed, backend=backend)
    G, merged = one_of_each(make, dup)
    kept = f"of {edges.nedges:,} listed, {G.nedges:,} are kept, each"
    return G, TWICE.format(kept) if merged else None


def one_of_each(make: Callable[..., Graph], dup: str) -> tuple[Graph, bool]:
    """The graph that `make(dup=…)` makes, and whether edges were merged under `--dup min`."""
    if dup not in ("error", "min"):
        return make(dup=dup), False
    try:
        return make(dup="error"), False
    except DuplicateEdges as problem:
        if dup == "error":
            what = str(problem).partition(";")[0]
            raise DuplicateEdges(f"{what}; say --dup min, sum or first") from problem
    return make(dup="min"), True
