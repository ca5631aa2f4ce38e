"""Formats that other libraries read: Parquet by PyArrow; GraphML, GEXF and GML by NetworkX.

A Parquet file has columns named source and target (or src and dst, from and to), perhaps weight;
their ends are ids from 0, or names. The others name their vertices, and the attribute "weight" of
their edges is the weight, where all edges have it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.convert.edge_list import LARGEST_N, EdgeList
from lagraph_gpu.errors import FormatError, LagraphError, in_short
from lagraph_gpu.io.named_edges import HEADINGS
from lagraph_gpu.io.stream import Source
from lagraph_gpu.memory import is_short
from lagraph_gpu.names.labels import numbered

KEY = b"lagraph-gpu"
OURS = re.compile(rb"([0-9]{1,10}) ([0-9]{1,10}) (directed|undirected)")
"""What the metadata of a table that was written here say: its size and direction."""


def read_parquet(source: Source) -> EdgeList:
    """The graph of a table of edges: directed, unless it was written here and says otherwise."""
    try:
        from pyarrow import parquet
    except ImportError as problem:
        hint = "Parquet needs PyArrow: pip install 'lagraph-gpu[arrow]'"
        raise source.error(None, hint) from problem
    return _made(source, lambda file: _of_table(source, parquet.read_table(file)))


def _of_table(source: Source, table: Any) -> EdgeList:
    names = {name.lower(): name for name in table.column_names}
    heading = next((pair for pair in sorted(HEADINGS) if names.keys() >= set(pair)), None)
    if heading is None:
        near = get_close_matches("source", names) + get_close_matches("target", names)
        meant = f"; rename {' and '.join(map(repr, near))}" if near else ""
        raise source.error(
            None, "expected columns named source and target, perhaps weight, got "
            f"{', '.join(table.column_names) or 'none'}{meant}",
        )  # fmt: skip
    wanted = [*heading, *(["weight"] if "weight" in names else [])]
    columns = [table.column(names[name]) for name in wanted]
    if any(column.null_count for column in columns):
        raise source.error(None, "some ends or weights are missing (null); fill them in")
    src, dst, *weights = (column.to_numpy() for column in columns)
    about = OURS.fullmatch((table.schema.metadata or {}).get(KEY, b""))
    ids = None
    if any(end.dtype.kind not in "iu" for end in (src, dst)):
        labels, src, dst = numbered(src.tolist(), dst.tolist(), True)
        ids, shape = labels.array, (labels.n, labels.n)
    elif about:
        shape = int(about[1]), int(about[2])
    else:
        n = int(max(src.max(initial=-1), dst.max(initial=-1))) + 1
        if n > LARGEST_N:
            raise source.error(None, f"{n:,} vertices; at most {LARGEST_N:,} fit, or name them")
        shape = n, n
    directed = not about or about[3] == b"directed"
    weight = _finite(source, weights[0]) if weights else None
    return EdgeList(src, dst, weight, *shape, directed, str(source.path), ids=ids)


def write_parquet(edges: EdgeList, out: IO[bytes]) -> None:
    """Write the columns source, target and weight; the size and direction go beside them."""
    import pyarrow
    from pyarrow import parquet

    columns = {"source": edges.src, "target": edges.dst}
    if edges.weight is not None:
        columns["weight"] = edges.weight
    kind = "directed" if edges.directed else "undirected"
    about = {KEY: f"{edges.nrows} {edges.ncols} {kind}"}
    parquet.write_table(pyarrow.table(columns).replace_schema_metadata(about), out)


def by_networkx(name: str) -> Callable[[Source], EdgeList]:
    """The reader of a format that NetworkX reads with `read_NAME`."""

    def read(source: Source) -> EdgeList:
        try:
            import networkx as nx
        except ImportError as problem:
            raise source.error(None, f"{name} needs NetworkX: pip install networkx") from problem
        parse = getattr(nx, f"read_{name}")
        return _made(source, lambda file: _of_networkx(source, parse(file)))

    return read


def _of_networkx(source: Source, g: Any) -> EdgeList:
    nodes = list(g)
    whole = all(type(v) is int for v in nodes)
    ids = np.array(nodes if whole else [str(v) for v in nodes], None if whole else object)
    place = {v: k for k, v in enumerate(nodes)}
    src, dst = np.array([(place[u], place[v]) for u, v in g.edges()], np.int64).reshape(-1, 2).T
    weights = [w for _, _, w in g.edges(data="weight") if w is not None]
    if weights and len(weights) < src.size:
        raise source.error(
            None, f"{len(weights):,} of {src.size:,} edges have a weight; give it to all"
        )
    weight = _finite(source, np.array(weights)) if weights else None
    n = len(nodes)
    return EdgeList(src, dst, weight, n, n, g.is_directed(), str(source.path), ids=ids)


def _finite(source: Source, weight: NDArray[Any]) -> NDArray[Any]:
    if weight.dtype.kind not in "biuf" or not np.isfinite(weight).all():
        raise source.error(None, f"expected finite numbers as weights, got {weight.dtype} values")
    return weight


def _made(source: Source, make: Callable[[IO[bytes]], EdgeList]) -> EdgeList:
    """What is made of the file's bytes. Whatever a library raises is an error of the file."""
    text = source.everything()
    try:
        return make(io.BytesIO(text))
    except FormatError:
        raise
    except Exception as problem:  # the libraries' parsers have no common one
        if is_short(problem):
            raise MemoryError("to read the file") from problem
        ours = isinstance(problem, LagraphError)
        said = str(problem) if ours else f"cannot be read: {in_short(problem)}"
        raise source.error(None, said) from problem
