"""Graphs from a file or a generator in one call, and graphs written to a file."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np

from lagraph_gpu import generate, io, reporting
from lagraph_gpu.backend import Backend, BackendName, resolve
from lagraph_gpu.convert.arguments import expect_flag, is_integer, is_one_of
from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.convert.edges import expect_known
from lagraph_gpu.convert.options import Dup, FileFormat
from lagraph_gpu.errors import InvalidValue, UnsupportedOperation, brief, warn_caller
from lagraph_gpu.generate import Draw, WeightKind
from lagraph_gpu.generate.edge_weights import check_weights
from lagraph_gpu.generate.kronecker_edges import Drawn
from lagraph_gpu.generate.sizes import check_ids
from lagraph_gpu.graph import Graph
from lagraph_gpu.io.formats import HOLD_NAMES, format_to_write, warn_of_columns
from lagraph_gpu.io.stream import as_path
from lagraph_gpu.names.frames import EdgeColumns
from lagraph_gpu.notation.operation import operation


def read(
    path: str | os.PathLike[str],
    directed: bool | None = None,
    dup: Dup = "error",
    *,
    format: FileFormat | None = None,
    labels: bool = False,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    backend: BackendName | Backend | None = None,
    progress: bool | reporting.StepCallback | None = None,
) -> Graph:
    """Read a graph from a file, plain or compressed (`.gz`, `.bz2`, `.xz`).

    Parameters
    ----------
    path : str or path
        The file. `lg.io.read_edges` lists the formats.
    directed : bool, optional
        Whether the edges have a direction. By default the file says so.
    dup : {"error", "min", "sum", "first", "last"}, optional
        What to do if the file lists an edge twice: raise an error, or take the smallest weight, the
        sum of the weights, or the first weight.
    format : str, optional
        The format of the file. By default its extension says so.
    labels : bool, optional
        Whether the vertices have the names of the file as labels: strings or integers of any size
        in edge lists, else the numbers of the file. Graphs of Graphalytics always have them. By
        default vertices are counted from 0.
    source, target : str, optional
        The columns of a `csv`, `tsv`, `edgelist` or `parquet` file with the ends of the edges, as
        its heading calls them. By default those named source and target, or src and dst, or from
        and to; without a heading the first two.
    weight : str, optional
        The column with the weights, or the attribute of the edges in `graphml`, `gexf` and `gml`.
        By default one named weight, or the third of three columns. A table with other columns
        beside the ends, or other numbers at the edges of such a file, is refused, unless `source`
        and `target` are both named (in such a file: `"source"` and `"target"`): then the edges have
        no weights.
    backend : str or Backend, optional
        Where the graph is stored. By default the backend in force.
    progress : bool or function, optional
        Whether to show how much of the file is read, or a function that is called with (done,
        total), in mebibytes. By default as `lg.progress` says for all calls.

    Returns
    -------
    Graph
        The graph in the file.

    Raises
    ------
    FormatError
        The file cannot be read, or has no such column. The message names the file and the line.
    DuplicateEdges
        The file lists an edge twice, and `dup` is "error".

    Notes
    -----
    With `directed=True` an undirected file (symmetric Matrix Market, METIS, PACE, `.col`) gives
    each edge in both directions, and a loop once. In a table whose column Type says Directed or
    Undirected, as Gephi writes it, only the undirected edges stand for both directions; if all are
    undirected, so is the graph. With `directed=False` a file that lists both
    directions of each edge with equal weights, as the DIMACS road networks do, gives each
    undirected edge once; an edge without its opposite stands for both directions. A `.col` or PACE
    file that lists all edges in both directions holds each once.

    O(bytes + m log m).

    Examples
    --------
    >>> import pathlib, tempfile, lagraph_gpu as lg
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "path.gr")
    ...     _ = path.write_text("p sp 3 4\\na 1 2 5\\na 2 1 5\\na 2 3 4\\na 3 2 4\\n")
    ...     lg.read(path, backend="cpu").nedges, lg.read(path, directed=False, backend="cpu").nedges
    (4, 2)
    """
    expect_known(dup)
    columns = EdgeColumns(source, target, weight)
    with reporting.call("read", progress):
        return graph_in(resolve(backend), path, directed, dup, format, labels, columns)


@operation
def graph_in(
    backend: Backend,
    path: str | os.PathLike[str],
    directed: bool | None,
    dup: Dup,
    format: FileFormat | None,
    labels: bool,
    columns: EdgeColumns,
) -> Graph:
    """The graph in a file, on a backend: see `read`."""
    edges = io.read_edges(path, format, labels=labels, **columns._asdict())
    return Graph.from_edgelist(edges, dup, directed=directed, backend=backend)


def write(
    G: Graph,
    path: str | os.PathLike[str],
    *,
    format: FileFormat | None = None,
    labels: bool | None = None,
) -> None:
    """Write a graph to a file.

    The file appears complete or not at all, and replaces one of the same name. Vertices keep their
    ids (plus 1 in formats that count from 1). A relabelled graph is written with the ids that it
    had before, a part of a graph (`Graph.subgraph`) with its own. A graph without weights is
    written without weights. Labels are written in the place of ids by formats that can hold them:
    `edgelist`, `tsv`, `csv`, `parquet`, `graphml`, `gexf` and `gml`, and `graphalytics` if they are
    whole numbers. Columns of data are not written, and a warning names them; `G.save` keeps them.

    Parameters
    ----------
    G : Graph
        The graph to write.
    path : str or path
        The file. Extensions `.gz`, `.bz2` and `.xz` compress it.
    format : str, optional
        The format, by default that of the extension. `lg.io.write_edges` lists the formats, what
        each can hold, and the errors.
    labels : bool, optional
        Whether to write labels. With False the vertices are written by position, with True a graph
        without labels and a format that cannot hold them are refused. By default labels are written
        where there are any and the format can hold them; a warning says so if it cannot.

    Raises
    ------
    UnsupportedOperation
        With `labels=True` the format numbers the vertices. Or a vertex has a label and no edge, and
        the format lists only edges.
    InvalidValue
        With `labels=True` the graph has no labels. Or a label does not fit the format: it is
        neither a string nor an integer, or has blanks where blanks separate columns.
    FormatError
        The file cannot be written. A file of this name is replaced; but if one that belongs to it
        (the other two of a graph in `graphalytics`) is there alone, it is kept and refused.

    Notes
    -----
    Edges are sorted by their ends, so a graph gives the same bytes each time, relabelled or not.

    The work is done on the host, in O(m log m).

    Examples
    --------
    >>> import pathlib, tempfile, lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], [5, 4], directed=False, backend="cpu")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lg.write(G, pathlib.Path(folder, "path.mtx"))
    ...     lg.read(pathlib.Path(folder, "path.mtx"), backend="cpu")
    Graph: 3 vertices, 2 edges, undirected, weights INT64, cpu
    vertex  neighbor  weight
         0         1       5
         1         2       4
    """
    names = _names_to_write(G, path, format, labels)
    source, target, weight = G.A.to_coo()
    if G.ids is not None and G.original_n == G.n:
        before = G.ids.to_dense()
        source, target = before[source], before[target]
        names = None if names is None else names[np.argsort(before)]
    order = np.lexsort((target, source))
    order = order if G.directed else order[source[order] <= target[order]]
    held = weight[order] if G.weighted else None
    edges = io.EdgeList(source[order], target[order], held, G.n, G.n, G.directed, ids=names)
    warn_of_columns("lg.write", G.vertex_data, G.edge_data)
    io.write_edges(path, edges, format)


def _names_to_write(
    G: Graph, path: str | os.PathLike[str], format: str | None, labels: bool | None
) -> np.ndarray | None:
    """The labels of the vertices by position, if they are to be written."""
    if labels is not None:
        expect_flag(labels, "labels")
    if labels and G.labels is None:
        raise InvalidValue("expected a graph with labels for labels=True; see G.labels")
    if G.labels is None or labels is False:
        return None
    form = format_to_write(as_path(path), format)
    holds = form.holds(G.labels)
    if labels and not holds:
        raise UnsupportedOperation(
            f"expected a format that can hold the labels for labels=True, got {form.name}; write "
            f"one of {', '.join(HOLD_NAMES)}, or keep G.labels beside the file"
        )
    if not holds:
        warn_caller(
            f"lg.write does not keep the labels, because {form.name} numbers the vertices; write "
            f"one of {', '.join(HOLD_NAMES)}, or say labels=False",
            UserWarning,
        )
    return G.labels if holds else None


def kronecker(
    scale: int,
    edgefactor: float = 16,
    seed: int = 1,
    weights: WeightKind = None,
    *,
    layout: Literal["degree", "packed"] | None = None,
    backend: BackendName | Backend | None = None,
) -> Graph:
    """The graph of the Graph500 benchmark: undirected, 2^scale vertices of very unequal degree.

    Parameters
    ----------
    scale : int
        The graph has 2^scale vertices.
    edgefactor : int or float, optional
        The number of edges that are drawn for each vertex, which may be a fraction. The graph has
        somewhat fewer, because loops and duplicates are removed.
    seed : int, optional
        A seed gives the same graph on every machine and backend.
    weights : {"integer", "uniform"}, optional
        "integer" gives weights from 1 to 255, "uniform" weights in (0, 1], both FP32. By default
        the graph has no weights.
    layout : {"degree", "packed"}, optional
        With "degree" vertices are numbered by falling drawn degree, those of equal degree up to 129
        by their least neighbour, and `ids` of the graph holds the ids that they have without a
        layout. With "packed" they are too, and a GPU stores packed rows, as for `Graph.relabel`; so
        it does with "degree" if other rows do not fit. Weights are those of the graph without a
        layout; beside packed rows, "integer" takes one byte an entry.
    backend : str or Backend, optional
        Where the graph is stored. By default the backend in force.

    Returns
    -------
    Graph
        An undirected graph without loops.

    Raises
    ------
    InvalidValue
        An argument is negative or not a number of its kind, or there are no such weights or layout.
    TooLarge
        The scale is above 60 or the graph does not fit into memory; or the scale is above 30, and
        there is a layout or no cluster of two or more processes with CPUs.

    Notes
    -----
    O(edgefactor · 2^scale · scale). On the GPU the edges are drawn and joined on the device. The
    formula is that of `lagraph_gpu.generate`. From scale 31 vertices are
    numbered by a random permutation that takes no memory, so ``lg.kronecker(40, 2**-20)`` on a
    cluster takes memory for its 2^20 edges only.

    With a layout a GPU need not hold the edges: it draws all of them once to count degrees (the
    drawn degree counts duplicates, and no loops), once to find the least neighbours, and again for
    each group of rows whose entries fit, 8 bytes each. If there is room beside all that, it keeps
    the edges and draws them once. So memory holds the finished graph, 20 bytes a vertex, and a
    buffer for entries, which takes what is free.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> lg.kronecker(6, backend="cpu")
    Graph: 64 vertices, 380 edges, undirected, no weights, cpu
    vertex  neighbor
         0         5
         0        19
         0        38
         0        45
         0        47
         …         …
        63        55
        63        58
        63        60
        63        62
    """
    draw = Draw(scale, edgefactor, seed)
    if layout is None:
        return Drawn(draw, resolve(backend)).graph(weights)
    if not is_one_of(layout, ("degree", "packed")):
        raise InvalidValue(f"expected the layout as 'degree' or 'packed', got {brief(layout)}")
    check_weights(weights)
    from lagraph_gpu.generate.kronecker_rows import DrawnRows  # which few programs need

    return DrawnRows(draw, resolve(backend), layout == "packed", weights).graph


def grid(
    rows: int,
    cols: int,
    removed: float = 0.0,
    seed: int = 1,
    weights: WeightKind = None,
    *,
    backend: BackendName | Backend | None = None,
) -> Graph:
    """A grid of rows × cols cells, each joined to the cells beside, above and below it; undirected.

    Parameters
    ----------
    rows, cols : int
        The size of the grid. Cell (r, c) is vertex r·cols + c.
    removed : float, optional
        The probability, from 0 to 1, with which each edge is removed.
    seed : int, optional
        A seed gives the same graph on every machine and backend.
    weights : {"integer", "uniform"}, optional
        The weights, as for `kronecker`.
    backend : str or Backend, optional
        Where the graph is stored. By default the backend in force.

    Returns
    -------
    Graph
        An undirected graph.

    Raises
    ------
    InvalidValue
        A size is negative, or `removed` is not between 0 and 1.
    TooLarge
        The grid has 2^31 cells or more; on a cluster of two or more processes with CPUs, more than
        2^60, or it does not fit into memory.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> lg.grid(3, 4, backend="cpu").nedges
    17
    """
    to = resolve(backend)
    check_ids(_product(rows, cols), to.large_graphs)
    make = partial(generate.grid, rows, cols, removed, seed, weights)
    return made_in_parts(to, make, _product(2, rows, cols))


def random_graph(
    n: int,
    nedges: int,
    seed: int = 1,
    directed: bool = False,
    weights: WeightKind = None,
    *,
    backend: BackendName | Backend | None = None,
) -> Graph:
    """A random graph of a given number of edges, all sets of edges being equally likely; no loops.

    Parameters
    ----------
    n : int
        The number of vertices.
    nedges : int
        The number of edges, all different.
    seed : int, optional
        A seed gives the same graph on every machine and backend.
    directed : bool, optional
        Whether the edges have a direction.
    weights : {"integer", "uniform"}, optional
        The weights, as for `kronecker`.
    backend : str or Backend, optional
        Where the graph is stored. By default the backend in force.

    Returns
    -------
    Graph
        The graph.

    Raises
    ------
    InvalidValue
        There are not that many different edges among n vertices.
    TooLarge
        The graph has 2^31 vertices or more; on a cluster of two or more processes with CPUs, more
        than 2^60, or it does not fit into memory.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> lg.random_graph(10, 20, directed=True, backend="cpu").nedges
    20
    """
    to = resolve(backend)
    check_ids(_product(n), to.large_graphs)
    make = partial(generate.random_graph, n, nedges, seed, directed, weights)
    return made_in_parts(to, make, _product(nedges))


def _product(*counts: int) -> int:
    """The product of counts; 0 if one of them is none, which the generator refuses."""
    return math.prod(map(int, counts)) if all(map(is_integer, counts)) else 0


@operation
def made_in_parts(backend: Backend, make: Callable[..., EdgeList], about: int) -> Graph:
    """The graph of all edges that `make(part=(k, parts))` makes for k from 0 to parts - 1, `about`
    so many if they can be made at all."""
    return Graph.from_edgelist(make(), backend=backend)
