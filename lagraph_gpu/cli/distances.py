"""`lagraph-gpu distances GRAPH`: the distances of pairs of vertices, or from all sources to all
targets.
"""

from __future__ import annotations

import csv
import math
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import click
import numpy as np

from lagraph_gpu.algorithms.paths.contraction import Contraction
from lagraph_gpu.algorithms.paths.distances import distance_matrix
from lagraph_gpu.algorithms.paths.paired_distances import paired_distances
from lagraph_gpu.backend import resolve
from lagraph_gpu.cli.exits import FINE
from lagraph_gpu.cli.loading import (
    as_json,
    counts_from_1,
    expect_files,
    force,
    graph_options,
    load_graph,
    vertex_in,
)
from lagraph_gpu.cli.machine import print_json
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.tables import expect_table, out_option, save
from lagraph_gpu.errors import InvalidValue, LagraphError
from lagraph_gpu.graph import Graph
from lagraph_gpu.io import edge_lines, named_edges
from lagraph_gpu.io.stream import Source, as_path, extension
from lagraph_gpu.io.table import read_rows
from lagraph_gpu.names.frames import ENDS

EPILOG = """\
PAIRS is an edge list (plain, .gz, .bz2 or .xz), a line "SOURCE TARGET" for each pair; a third
column says nothing. The files of --sources and --targets name a vertex on each line, after a
heading such as "source" if there is one; every source is paired with every target. Vertices are
what GRAPH calls them: numbers from 1 in .gr, .col, .mtx and .graph files, ids in Graphalytics
graphs, names with --labels; in other files, and with --no-labels, they are counted from 0.

For each pair, in order, a line "SOURCE TARGET DISTANCE" is printed, separated by tabs; inf where
there is no path. With --out they are the rows of a table with the columns source, target and
distance.

exit status: 0, or 2 for bad input
"""


@click.command(
    "distances", epilog=EPILOG, short_help="Measure distances, from each of many to each of others."
)
@click.argument("graph")
@click.argument("pairs", required=False)
@click.option("--sources", metavar="FILE", help="From each vertex in this file …")
@click.option("--targets", metavar="FILE", help="… to each vertex in this one.")
@click.option("--cutoff", type=float, metavar="X", help="What is farther than X counts as no path.")
@click.option("--hops", is_flag=True, help="Count edges, whatever they weigh.")
@click.option("--contraction", metavar="FILE",
              help="Of the graph, as lg.contract(G).save wrote it.")  # fmt: skip
@out_option
@force
@as_json
@graph_options()
def main(**given: Any) -> int:
    """Print the distances of pairs of vertices, or from all sources to all targets."""
    options = SimpleNamespace(**given)
    table = options.sources is not None
    if table != (options.targets is not None) or table == (options.pairs is not None):
        raise click.UsageError("expected either PAIRS, or both --sources and --targets")
    expect_files(options.graph, options.pairs, options.sources, options.targets)
    expect_table(options.out, options.force, options.graph)
    backend = resolve(options.backend)
    P = None if options.contraction is None else Contraction.load(options.contraction)
    G = load_graph(options, backend)
    if table:
        sources, targets = (vertices_in(path, G) for path in (options.sources, options.targets))
        measure: Any = distance_matrix
    else:
        with progress(f"reading {options.pairs}"):
            sources, targets = pairs_in(options.pairs, G)
        measure = paired_distances
    weight = None if options.hops else "weight"
    with progress("searching") as update:
        found = measure(G, sources, targets, options.cutoff, weight, contraction=P, progress=update)
        held = (found if isinstance(found, np.ndarray) else found.get()).ravel()
    ends = np.array(sources), np.array(targets)
    if table:
        ends = np.repeat(ends[0], ends[1].size), np.tile(ends[1], ends[0].size)
    whole = options.hops or G.A.dtype.kind != "f"
    if options.out is not None:
        exact = whole and np.isfinite(held).all()
        distance = held.astype(np.int64) if exact else held
        save(options.out, {"source": ends[0], "target": ends[1], "distance": distance})
        if options.json:
            counts = {"rows": held.size, "reached": int(np.isfinite(held).sum())}
            print_json(
                {"graph": options.graph, "backend": backend.name, "out": str(options.out)} | counts
            )
        return FINE
    numbers = [int(x) if whole and math.isfinite(x) else x for x in held.tolist()]
    rows = zip(*(end.tolist() for end in ends), numbers, strict=True)
    if options.json:
        print_json({"graph": options.graph, "backend": backend.name, "distances": list(rows)})
    else:
        sys.stdout.writelines(f"{u}\t{v}\t{x}\n" for u, v, x in rows)
    return FINE


def pairs_in(path: str, G: Graph) -> tuple[list[Any], list[Any]]:
    """The vertices in both columns of an edge list, as G calls them."""
    base = 1 if counts_from_1(G) else 0
    if G.labels is None or base:
        with Source(path, "a list of pairs") as file:
            table = file.extension in (".csv", ".tsv")
            columns = edge_lines.read_head(file, top=table).columns
            said = f"the graph has {G.n:,} vertices"
            own = replace(columns, limits=(G.n, G.n), base=base, too_large=said)
            ids = read_rows(file, own, None, "pairs").ids + base
        return ids[:, 0].tolist(), ids[:, 1].tolist()
    separator = named_edges.SEPARATORS.get(extension(as_path(path)).removeprefix("."))
    with Source(path, "a list of pairs") as file:
        rows = named_edges.read_pairs(file, separator)
        ends = []
        for words, codes in rows.columns:
            first = np.unique(codes, return_index=True)[1]
            called = [_known(G, word, file, rows, row) for word, row in zip(words, first)]
            ends.append([called[at] for at in codes])
    return ends[0], ends[1]


def _known(G: Graph, name: str, file: Source, rows: named_edges.EdgeTexts, row: int) -> Any:
    """The vertex of this name, as G calls it. An error names the line."""
    try:
        vertex = vertex_in(G, name)
        G.vertex(vertex, "vertex")
    except (ValueError, LagraphError) as problem:
        line = rows.lines()[row]
        raise file.error(line, f"expected two vertices on a line: {problem}") from None
    return vertex


HEADING = {"vertex", "id", "node", "name", *(word for pair in ENDS for word in pair)}
"""A first line that is a heading, in lower or upper case, unless it names a vertex."""


def vertices_in(path: str, G: Graph) -> list[Any]:
    """The vertices on the lines of a file, as G calls them. An error names the line."""
    found: list[Any] = []
    first = True
    with Source(path, "a list of vertices") as source:
        while (line := source.header_line(b"#%")) is not None:
            try:
                words = next(csv.reader([line.decode()]))
                if len(words) != 1:
                    raise InvalidValue(f"got {len(words)} columns")
                vertex = vertex_in(G, words[0])
                G.vertex(vertex, "vertex")
            except (ValueError, csv.Error, LagraphError) as problem:
                if first and line.strip(b'"').lower().decode(errors="replace") in HEADING:
                    first = False
                    continue
                raise source.error(
                    source.line, f"expected one vertex on a line: {problem}"
                ) from None
            found.append(vertex)
            first = False
        if not found:
            what = "the file is empty" if source.line == 0 else "there is no vertex in the file"
            raise source.error(source.line or None, f"{what}; expected a vertex on each line")
    return found
