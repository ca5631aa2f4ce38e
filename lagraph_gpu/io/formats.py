"""The table of formats: which format a file has, and which functions read and write it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.convert.arguments import expect_flag
from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.convert.options import FileFormat
from lagraph_gpu.errors import (
    InvalidValue,
    UnsupportedOperation,
    WrongType,
    brief,
    did_you_mean,
    warn_caller,
)
from lagraph_gpu.files.atomic import expect_none, replacing
from lagraph_gpu.io import (
    coloring,
    dimacs,
    edge_lines,
    graphalytics,
    matrix_market,
    metis,
    named_edges,
    npz,
    osm,
    other_libraries,
    pace,
)
from lagraph_gpu.io.cannot_hold import CannotHold
from lagraph_gpu.io.stream import Source, as_path, extension
from lagraph_gpu.memory import guarded
from lagraph_gpu.names.frames import USUAL, EdgeColumns
from lagraph_gpu.notation.checks import expect_kind

Reader = Callable[[Source], EdgeList]
Writer = Callable[[EdgeList, IO[bytes]], None]
Files = Callable[[EdgeList, Path], dict[Path, Callable[[IO[bytes]], object]]]
"""The files that a graph of this name is written to, and what writes each."""


@dataclass(frozen=True)
class Format:
    """A format. `claims` recognises the first bytes of a file; otherwise the extension decides.

    What is written is one file, by `write`, or are several `files`.
    """

    name: str
    extensions: tuple[str, ...]
    read: Reader
    write: Writer | None = None
    claims: Callable[[bytes], bool] | None = None
    files: Files | None = None

    @property
    def first(self) -> int:
        """The number of the first vertex, where vertices have no names."""
        return 1 if self.name in COUNT_FROM_1 else 0

    def numbers(self, n: int) -> NDArray[Any]:
        """The numbers of n vertices."""
        return np.arange(self.first, self.first + n)

    def holds(self, ids: NDArray[Any]) -> bool:
        """Whether vertices may have these names."""
        whole = ids.dtype.kind == "i"
        return self.name in HOLD_NAMES or (self.name == "graphalytics" and whole)

    @property
    def always_named(self) -> bool:
        """Whether files of this format always say what the vertices are called."""
        return self.name in ALWAYS_NAMED

    @property
    def writable(self) -> bool:
        return self.write is not None or self.files is not None

    def places(self, path: Path) -> tuple[Path, ...]:
        """All files that a graph of this name is written to."""
        return (path,) if self.files is None else graphalytics.places(path)


BY_NETWORKX = "graphml", "gexf", "gml"
TABLES = (*named_edges.SEPARATORS, "parquet")
"""Formats whose columns have names."""

FORMATS = (
    Format("dimacs", (".gr",), dimacs.read, dimacs.write, dimacs.claims),
    Format("pace", (), pace.read, pace.write, pace.claims),
    Format("coloring", (".col",), coloring.read, coloring.write, coloring.claims),
    Format(
        "matrixmarket",
        (".mtx", ".mm"),
        matrix_market.read,
        matrix_market.write,
        matrix_market.claims,
    ),
    Format("npz", (".npz",), npz.read, npz.write, npz.claims),
    Format("metis", (".graph", ".metis"), metis.read, metis.write),
    Format("graphalytics", (".v", ".e"), graphalytics.read, files=graphalytics.files),
    Format("tsv", (".tsv",), edge_lines.read_rows_below, edge_lines.write_tsv),
    Format("csv", (".csv",), edge_lines.read_rows_below, edge_lines.write_csv),
    Format(
        "edgelist",
        (".el", ".wel", ".txt", ".snap", ".edges", ".edgelist"),
        edge_lines.read,
        edge_lines.write,
    ),
    Format("adjacency", (), graphalytics.read_adjacency),
    Format(
        "parquet",
        (".parquet",),
        other_libraries.read_parquet,
        other_libraries.write_parquet,
        lambda head: head[:4] == b"PAR1",
    ),
    *(
        Format(
            name,
            (f".{name}",),
            other_libraries.by_networkx(name),
            other_libraries.to_networkx(name),
        )
        for name in BY_NETWORKX
    ),
    Format("osm", (".osm", ".pbf"), osm.read, claims=osm.claims),
)
NAMES = {form.name: form for form in FORMATS}
EXTENSIONS = {suffix: form for form in FORMATS for suffix in form.extensions}
COUNT_FROM_1 = "dimacs", "pace", "coloring", "matrixmarket", "metis"
HOLD_NAMES = (*TABLES, *BY_NETWORKX)
"""Formats in which vertices may be called anything. Those of Graphalytics have whole numbers."""
ALWAYS_NAMED = "graphalytics", *BY_NETWORKX
SQUARE = "dimacs", "pace", "coloring", "metis", "graphalytics", *BY_NETWORKX
"""Formats of graphs; the others hold rectangular matrices, too."""

NOT_GRAPHS = (
    {
        ".co": "holds coordinates: read it with read_coordinates",
        ".map": "is a grid map: read it with read_movingai, then grid_from_mask makes a graph",
        ".scen": "lists path queries on a grid map, not a graph",
        ".json": "is not read: write the edges as a table, .csv or .parquet",
        ".npy": "holds an array: load it with numpy.load, and give its columns to "
        "Graph.from_edges, or scipy.sparse.csr_array of a matrix to Graph.from_scipy",
    }
    | dict.fromkeys(
        (".pickle", ".pkl"),
        "is not read, since to load a pickle may run anything that is in it: load it yourself if "
        "you trust it, and use Graph.from_networkx, from_pandas, from_scipy or from_edges",
    )
    | dict.fromkeys(
        (".net", ".pajek", ".adjlist", ".g6", ".s6"),
        "is not read: NetworkX reads it, and Graph.from_networkx takes its graph",
    )
    | dict.fromkeys(
        (".xlsx", ".xls", ".ods"), "is a spreadsheet's own format: save the table as .csv"
    )
    | dict.fromkeys(
        (".zip", ".7z", ".zst", ".lz4", ".lzma", ".br", ".z", ".tar", ".tgz"),
        "is compressed or packed in a way that is not read, as .gz, .bz2 and .xz are: "
        "unpack it first",
    )
)


@guarded
def read_edges(
    path: str | os.PathLike[str],
    format: FileFormat | None = None,
    coordinates: str | os.PathLike[str] | None = None,
    labels: bool = False,
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
) -> EdgeList:
    """Read a graph file of any known format, plain or compressed with gzip, bzip2 or xz.

    ================  ======================  =====================================================
    format            extension               edges, weights
    ================  ======================  =====================================================
    ``dimacs``        ``.gr``                 directed; integer (int64) or real lengths
    ``pace``          ``.gr`` with ``p tw``   undirected; none (also ``td tdp cep tww ds ocr``)
    ``coloring``      ``.col``                undirected; none
    ``matrixmarket``  ``.mtx .mm``            as the first line says; none, int64 or float64
    ``metis``         ``.graph .metis``       undirected; none, int64 or float64
    ``edgelist``      ``.el .wel .txt``       directed unless a comment says other; 0-based ids,
                      ``.snap .edges``        n = largest + 1; none, int64 or float64
    ``tsv csv``       ``.tsv .csv``           the same (any of the three reads any separator)
    ``graphalytics``  ``.v .e``               directed; any ids, kept in ``EdgeList.ids``
    ``adjacency``     only by name            directed; any ids, kept in ``EdgeList.ids``
    ``npz``           ``.npz``                as SciPy saved it; the type it was saved in
    ``parquet``       ``.parquet``            directed; columns source, target, perhaps a weight
    ``graphml gexf``  ``.graphml .gexf``      as the file says, through NetworkX; names are kept in
    ``gml``           ``.gml``                ``EdgeList.ids``, "weight" of the edges is the weight,
                                              other attributes are ``vertex_data``, ``edge_data``
    ``osm``           ``.osm .osm.pbf``       the roads of an extract of OpenStreetMap for cars, see
                                              `read_osm`; directed; metres; crossings in ``ids``
    ================  ======================  =====================================================

    Parameters
    ----------
    path : str or path
        The file.
    format : str, optional
        The format. By default the first lines decide, if they are unmistakable, or the extension.
    coordinates : str or path, optional
        A DIMACS `.co` file with the coordinates of the vertices.
    labels : bool, optional
        Whether to keep what the file calls the vertices as `EdgeList.ids`: strings or integers of
        any size in `edgelist`, `tsv` (separated by tabs) and `csv` (by commas; with quotes); else
        the numbers of the file. `graphalytics` and `adjacency` always keep them.
    source, target : str, optional
        The columns with the ends of the edges, as the heading of an `edgelist`, `tsv`, `csv` or
        `parquet` file calls them. By default those named source and target, or src and dst, or
        from and to; without a heading the first two.
    weight : str, optional
        The column with the weights, or the attribute of the edges in `graphml`, `gexf` and `gml`.
        By default one named weight, or the third of three columns. A table with other columns
        beside the ends, or other numbers at the edges of such a file, is refused, unless `source`
        and `target` are both named (in such a file: `"source"` and `"target"`): then the edges have
        no weights.

    Returns
    -------
    EdgeList
        The edges in the order of the file, with ids that count from 0.

    Raises
    ------
    FormatError
        The file is missing, cut short, malformed or in no known format. Malformed are ids out of
        range, counts that differ from the header, a first line of names that may be a heading,
        weights that are NaN, infinite or beyond 64 bits, integers among real weights that float64
        cannot hold exactly, and 2^31 vertices or more. The message names the file and the line, and
        says what was expected, what came and what to do.
    InvalidValue
        The format is unknown, or columns are named and its files have none.

    Notes
    -----
    O(bytes) time. The memory is that of the edges and 8 MiB of text; edge lists with `labels` or
    chosen columns, METIS, adjacency, npz, Parquet, OpenStreetMap and what NetworkX reads need all
    of their text. Where PyArrow is installed it reads plain columns of numbers and names.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "triangle.gr")
    ...     _ = path.write_text("p sp 3 3\\na 1 2 5\\na 2 3 4\\na 3 1 3\\n")
    ...     edges = read_edges(path)
    >>> edges.src.tolist(), edges.dst.tolist(), edges.weight.tolist()
    ([0, 1, 2], [1, 2, 0], [5, 4, 3])
    """
    columns = EdgeColumns(source, target, weight)
    return read_with_format(path, format, coordinates, labels, columns)[0]


def read_with_format(
    path: str | os.PathLike[str],
    format: FileFormat | None = None,
    coordinates: str | os.PathLike[str] | None = None,
    labels: bool = False,
    columns: EdgeColumns = USUAL,
    most_vertices: int | None = None,
) -> tuple[EdgeList, Format]:
    """What `read_edges` returns, of so many vertices at most if that is said, and the format that
    the file has."""
    form = None if format is None else _named(format)
    expect_flag(labels, "labels")
    for name in columns:
        expect_kind(name, str | None, "the names of columns as strings")
    with Source(path) as file:
        file.most_vertices = most_vertices or file.most_vertices
        form = form or _recognise(file)
        if by_columns(form, file, columns, labels):
            edges = _of_columns(form, file, columns, labels)
        else:
            edges = _named_edges(form, file) if labels else form.read(file)
    if coordinates is not None:
        places = dimacs.read_coordinates(coordinates)
        if len(places) != edges.nrows:
            raise InvalidValue(
                f"{coordinates} places {len(places):,} vertices, the graph has {edges.nrows:,}"
            )
        edges = replace(edges, coordinates=places)
    return edges, form


@guarded
def write_edges(
    path: str | os.PathLike[str], edges: EdgeList, format: FileFormat | None = None
) -> None:
    """Write a graph to a file, compressed if the extension is `.gz`, `.bz2` or `.xz`.

    The file reads back as the same graph as far as the format allows. `dimacs` makes two arcs of an
    undirected edge, and length 1 of a missing weight. `graphalytics` writes NAME.v, NAME.e and
    NAME.properties. Small types of weights come back as int64 or float64 with equal values. `npz`
    keeps everything but names. The file appears complete or not at all, and replaces one of the
    same name. The other two files of `graphalytics` are replaced only together with that one.

    If the edges have `ids`, those are written as the names of the vertices by `edgelist`, `tsv`,
    `csv`, `parquet`, `graphml`, `gexf` and `gml`, and by `graphalytics` if they are whole numbers.
    The other formats number the vertices.

    Parameters
    ----------
    path : str or path
        The file.
    edges : EdgeList
        The graph.
    format : str, optional
        The format. By default the extension decides.

    Raises
    ------
    UnsupportedOperation
        The format cannot hold the graph: directed edges in METIS, PACE and ``.col``, weights in
        PACE and ``.col``, loops in METIS, a rectangular matrix in a graph format, a named
        vertex without edges in a list or table of edges.
    InvalidValue
        A weight is NaN, infinite or beyond int64, ids or names do not fit the format, or it is
        unknown.
    FormatError
        The file cannot be written there. Or one of the files that belong to it is there without
        it, and so may be something else.

    Notes
    -----
    O(edges).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "path.mtx.gz")
    ...     write_edges(path, EdgeList([0, 1], [1, 2], [2.5, 1], 3, 3, directed=False))
    ...     edges = read_edges(path)
    >>> edges.directed, edges.weight.tolist()
    (False, [2.5, 1.0])
    """
    write_files(as_path(path), edges, format)


def warn_of_columns(who: str, vertex_data: Mapping[str, Any], edge_data: Mapping[str, Any]) -> None:
    """A warning that names the columns of data, which no format gets."""
    data = {"vertex_data": vertex_data, "edge_data": edge_data}
    lost = [f"{where}[{name!r}]" for where, columns in data.items() for name in columns]
    if lost:
        said = f"{who} does not keep {', '.join(lost)}; G.save keeps columns of data"
        warn_caller(said, UserWarning)


@guarded
def write_files(path: Path, edges: EdgeList, format: str | None, replace_all: bool = False) -> None:
    """What `write_edges` does. With `replace_all` files that belong to `path` are replaced, too,
    where `path` itself is not there."""
    if not isinstance(edges, EdgeList):
        raise WrongType(f"expected an EdgeList to write, got {brief(edges)}; of a graph, lg.write")
    form = format_to_write(path, format)
    if edges.nrows != edges.ncols and form.name in SQUARE:
        size = f"{edges.nrows} x {edges.ncols}"
        raise CannotHold(f"a {form.name} graph is square, this is {size}", "matrixmarket")
    _check_weights(edges)
    warn_of_columns("the file", edges.vertex_data, edges.edge_data)
    if not (replace_all or os.path.lexists(path)):
        expect_none(form.places(path), path)
    with ExitStack() as opened:  # if one file cannot be written, none appears
        for place, write in _files(form, edges, path).items():
            write(opened.enter_context(replacing(place)))


def format_to_write(path: Path, format: str | None) -> Format:
    """The format that is named, or else that of the ending. Raises an error if it is only read."""
    form = _named(format) if format is not None else EXTENSIONS.get(extension(path))
    if form is None:
        meant = did_you_mean(extension(path), EXTENSIONS, str) or f"; {_writable()}"
        raise InvalidValue(f"cannot tell a format from the name {path.name!r}{meant}")
    if not form.writable:
        raise UnsupportedOperation(f"format {form.name!r} is only read; {_writable()}")
    return form


def _files(form: Format, edges: EdgeList, path: Path) -> dict[Path, Callable[[IO[bytes]], object]]:
    if form.files is not None:
        return form.files(edges, path)
    assert form.write is not None
    return {path: partial(form.write, edges)}


def format_of(source: Source, format: str | None) -> Format:
    """The format that is named, or else that of an open file."""
    return _recognise(source) if format is None else _named(format)


def _named_edges(form: Format, source: Source) -> EdgeList:
    """The graph with the file's own names or numbers of its vertices as `ids`."""
    edges = form.read(source)
    if edges.ids is not None:
        return edges
    if edges.nrows != edges.ncols:
        raise InvalidValue(
            f"expected a square matrix for labels=True, got {edges.nrows} x {edges.ncols}"
        )
    return replace(edges, ids=form.numbers(edges.nrows))


def by_columns(form: Format, source: Source, columns: EdgeColumns, labels: bool) -> bool:
    """Whether the edges are in columns that have names: those that were chosen, or those in the
    heading of the file."""
    if columns.given or (labels and form.name in TABLES):
        return True
    separators = named_edges.SEPARATORS
    return form.name in separators and named_edges.heading_chooses(source, separators[form.name])


def _of_columns(form: Format, source: Source, columns: EdgeColumns, labels: bool) -> EdgeList:
    """The graph in certain columns of a table, or with a certain attribute as weight."""
    if form.name in named_edges.SEPARATORS:
        separator = named_edges.SEPARATORS[form.name]
        return named_edges.read(source, separator, columns if columns.given else None, labels)
    if form.name == "parquet":
        return other_libraries.read_parquet(source, columns, labels)
    if form.name in BY_NETWORKX:
        return other_libraries.by_networkx(form.name, columns)(source)
    raise InvalidValue(
        f"expected source=, target= and weight= (--columns) for {', '.join(HOLD_NAMES)} files, "
        f"got a {form.name} file, whose columns have no names"
    )


def _check_weights(edges: EdgeList) -> None:
    weight = edges.weight
    if weight is None or weight.size == 0:
        return
    if weight.dtype.kind not in "biuf":
        raise InvalidValue(f"weights of type {weight.dtype}; expected bool, integers or reals")
    if weight.dtype.kind == "f" and not np.isfinite(weight).all():
        raise InvalidValue("some weights are NaN or infinite, which no reader would accept")
    if weight.dtype.kind == "u" and weight.max() > np.iinfo(np.int64).max:
        raise InvalidValue(
            "some weights are beyond int64; write them as reals, which rounds them: "
            "lg.write(lg.Graph(G.A.dup('FP64'), G.directed), …)"
        )


def _known() -> str:
    return f"name the format: {', '.join(NAMES)}"


def _writable() -> str:
    return f"name one that can be written: {', '.join(f.name for f in FORMATS if f.writable)}"


def _named(name: Any) -> Format:
    if not isinstance(name, str):
        raise WrongType(f"expected format as a string, got {brief(name)}; {_known()}")
    form = NAMES.get(name.lower()) or EXTENSIONS.get("." + name.lower().removeprefix("."))
    if form is None:
        meant = did_you_mean(name.lower(), NAMES, str) or f"; {_known()}"
        raise InvalidValue(f"unknown format {brief(name)}{meant}")
    return form


def _recognise(source: Source) -> Format:
    head = source.head()
    other = source.extension in NOT_GRAPHS
    for form in FORMATS:
        archive = other and form.name == "npz"  # which other formats are, too
        if form.claims is not None and form.claims(head) and not archive:
            return form
    if other:
        raise source.error(None, f"{source.extension} {NOT_GRAPHS[source.extension]}")
    if source.extension in EXTENSIONS:
        return EXTENSIONS[source.extension]
    raise source.error(
        None, f"unknown extension {source.extension!r}, and no header tells the format; {_known()}"
    )
