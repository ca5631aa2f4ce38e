"""Options and functions that the commands share to read a graph from a file."""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import numpy as np

from lagraph_gpu.backend import Backend
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.words import WordChoice
from lagraph_gpu.convert.edges import DUPLICATES, FOLDS
from lagraph_gpu.convert.options import Dup
from lagraph_gpu.errors import DuplicateEdges, InvalidValue, required
from lagraph_gpu.graph import Graph
from lagraph_gpu.io import EdgeList
from lagraph_gpu.io.formats import NAMES, TABLES, Format, format_of, read_with_format
from lagraph_gpu.io.load import graph_in, read
from lagraph_gpu.io.stream import Source
from lagraph_gpu.names.frames import EdgeColumns, command_line, ends_among
from lagraph_gpu.notation.operation import lowering

TWICE = "some edges are listed more than once: {} with its least weight (--dup min)"


def graph_options(*more_backends: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options of every command that reads a graph."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed((*GRAPH_OPTIONS, backend_option(*more_backends))):
            command = option(command)
        return command

    return add


def backend_option(*more: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option that chooses a backend."""
    return click.option("--backend", type=WordChoice(["cpu", "gpu", *more]),
                        help="(default: the GPU where one works)")  # fmt: skip


columns_option = click.option(
    "--columns",
    metavar="SOURCE,TARGET[,WEIGHT]",
    default="",
    help="The columns of a table (csv, tsv, parquet …) with the edges, by its heading; in graphml, "
    "gexf and gml files WEIGHT is an attribute of the edges, after source,target.",
)


def columns_in(text: str) -> dict[str, str | None]:
    """The arguments `source`, `target` and `weight` of `lg.read`.

    >>> columns_in("who,whom,km"), columns_in("")
    ({'source': 'who', 'target': 'whom', 'weight': 'km'}, {})
    """
    names = next(csv.reader([text]), [])
    if len(names) not in (0, 2, 3) or not all(names):
        raise click.UsageError(
            f"expected --columns SOURCE,TARGET or SOURCE,TARGET,WEIGHT, got {text!r}"
        )
    return dict(zip(("source", "target", "weight"), names))


GRAPH_OPTIONS = (
    click.option("--format", metavar="FORMAT",
                 help=f"Of GRAPH, where its name does not say it: {', '.join(NAMES)}."),
    click.option("--labels/--no-labels", default=None, help="Vertices have the names or numbers "
                 "that GRAPH gives them; with --no-labels they are counted from 0. (default: "
                 "numbers of GRAPH where its format counts from 1 or lists ids)"),
    columns_option,
    click.option("--undirected", is_flag=True, help="Read each edge of GRAPH in both directions."),
    click.option("--dup", type=WordChoice(DUPLICATES), default="min", help="What an edge given "
                 "twice means (default: min, and a line that says so)."),
)  # fmt: skip

as_json = click.option("--json", is_flag=True, help="Print JSON.")

force = click.option("--force", is_flag=True, help="Write the file though it is there.")


def expect_files(*paths: str | None) -> None:
    """Raises FormatError for a file that is not there, before anything else is looked at."""
    for path in paths:
        if path is not None and not os.path.exists(path):
            with Source(path):
                pass


def expect_new(path: Path | None, force: bool, what: str) -> None:
    """Raises InvalidValue where a file would be overwritten unasked, before any work is done. There
    is nothing to lose in a device, nor in /dev/stdout where that is a pipe."""
    if path is not None and str(path) == "-":
        raise InvalidValue(f"expected a name for {what}, got '-'; standard output is /dev/stdout")
    if path is None or force or not path.exists() or path.is_char_device():
        return
    if not (path.is_fifo() and path.absolute().parent == Path("/dev")):
        raise InvalidValue(f"expected a new name for {what}, but {path} is there; or say --force")


def load_graph(options: SimpleNamespace, backend: Backend) -> Graph:
    """The graph that the options name. A line on stderr says what became of edges given twice."""
    if lowering(graph_in, backend) is not None:  # each process reads a part
        directed = False if options.undirected else None
        named = {"format": options.format, "labels": bool(options.labels), "backend": backend}
        named |= columns_in(options.columns)
        with progress(f"reading {options.graph}"):
            G, merged = one_of_each(partial(read, options.graph, directed, **named), options.dup)
        with Source(options.graph) as file:
            form = format_of(file, options.format)
        tell_weight(options.graph, form, EdgeColumns(**columns_in(options.columns)), G.weighted)
        G.labels = called_in(form, options.labels, G.labels, G.n)
        note = TWICE.format("each is kept once,") if merged else None
    else:
        edges = read_graph(options)
        with progress("building the matrix"):
            G, note = build_graph(edges, options.dup, options.undirected, backend)
    if note:
        print(note, file=sys.stderr)
    return G


def read_graph(options: SimpleNamespace) -> EdgeList:
    """The edge list in the file. Its `ids` are what the vertices are called."""
    columns = EdgeColumns(**columns_in(options.columns))
    with progress(f"reading {options.graph}"):
        edges, form = read_with_format(
            options.graph, options.format, labels=bool(options.labels), columns=columns
        )
    tell_weight(options.graph, form, columns, edges.weight is not None)
    if edges.nrows != edges.ncols:
        return edges  # which is no graph, as will be said
    return replace(edges, ids=called_in(form, options.labels, edges.ids, edges.nrows))


def tell_weight(path: str, form: Format, columns: EdgeColumns, weighted: bool) -> None:
    """Say on stderr which column is the weight, where neither its name nor an option says so."""
    if not weighted or columns.given or form.name not in TABLES:
        return
    names = heading_of(path, form)
    if len(names) == 3 and names[2].lower() != "weight":
        without = command_line(*names[:2])[1:-1]
        print(
            f"the third column, {names[2]!r}, is taken as the weight; {without} leaves it out",
            file=sys.stderr,
        )


def heading_of(path: str, form: Format) -> list[str]:
    """The names of the columns of a table, or what else stands in its first line. None of a pipe,
    which can be read but once."""
    if not os.path.isfile(path):
        return []
    with Source(path) as file:
        if form.name == "parquet":  # whose end has the names
            parquet = required("pyarrow.parquet", "Parquet files", "arrow")
            whole = path if file.plain else BytesIO(file.everything())
            return list(parquet.read_schema(whole).names)
        line = (file.header_line(b"#%") or b"").decode(errors="replace").strip("\ufeff \r\n")
    separator = "," if "," in line else "\t" if "\t" in line else " "
    names = [*map(str.strip, next(csv.reader([line], delimiter=separator), []))]
    return names if ends_among(names) else []


def called_in(
    form: Format, labels: bool | None, ids: np.ndarray | None, n: int
) -> np.ndarray | None:
    """What the vertices of a file are called: under `--no-labels` nothing, else its names or ids if
    it has some, and without `--labels` the numbers of a format that counts from 1."""
    if labels is False:
        return None
    return np.arange(1, n + 1) if ids is None and form.first == 1 else ids


def counts_from_1(G: Graph) -> bool:
    """Whether the vertices are called 1, 2 and so on."""
    return G.labels is not None and np.array_equal(G.labels, np.arange(1, G.n + 1))


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
            raise DuplicateEdges(f"{what}; say --dup {', '.join(FOLDS)}") from problem
    return make(dup="min"), True
