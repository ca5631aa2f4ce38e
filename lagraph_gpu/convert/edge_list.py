"""The class `EdgeList`: the edges of a graph as a file or a generator lists them; and how many
vertices there may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.convert.arguments import expect_flag, is_integer
from lagraph_gpu.convert.compressed_rows import ROWS_PER_LISTED_ROW
from lagraph_gpu.convert.ids import (
    LARGER_GRAPHS,
    MAX_SIZE,
    WITH_LABELS,
    check_size,
    pairs_of,
    tuples_of,
)
from lagraph_gpu.convert.interchange import as_numpy
from lagraph_gpu.errors import (
    DimensionMismatch,
    IndexOutOfBound,
    InvalidValue,
    TooLarge,
    WrongType,
    brief,
    grouped,
    spelt_fields,
)

Ids = NDArray[np.int64]
Weights = NDArray[Any]

MAX_VERTICES = 2**31 - 1
"""The largest number of vertices that lowerings and files number with 32 bits."""

MANY_VERTICES = 1 << 22
"""Of no more vertices nobody asks how many have edges: arrays over all take little memory."""

RENUMBER = f"let them be renumbered: {WITH_LABELS}"


def needs_64_bits(size: int) -> bool:
    """Whether ids below `size` are numbered with 64 bits."""
    return size > MAX_VERTICES


def lists_rows(n: int, entries: Callable[[], int]) -> bool:
    """Whether of n rows, which have so many entries, only those are listed that have some: there
    are more than 32 bits number, or so many that have none that arrays over all rows would take
    most of the memory. Where n is small, `entries` are not asked for."""
    return needs_64_bits(n) or (n > MANY_VERTICES and n > ROWS_PER_LISTED_ROW * entries())


POSITIONS_PER_EXPLICIT_ENTRY = 2, 32
"""At most one of so many positions of a vector with a default has a value of its own: where 64 bits
number them, since more would take no less memory than values at all; and where 32 bits do, since
more would take more time. (Measured on two cores, 2026-11-30.)"""


def are_few(explicit: int, positions: int, size: int) -> bool:
    """Whether so many values of their own, at so many positions of a process, leave a vector of
    this size its default."""
    large, usual = POSITIONS_PER_EXPLICIT_ENTRY
    return explicit * (large if needs_64_bits(size) else usual) <= positions


def most_vertices(large_graphs: bool) -> int:
    """The largest number of vertices, where graphs may be large or not: `Backend.large_graphs`."""
    return MAX_SIZE if large_graphs else MAX_VERTICES


def check_vertices(n: Any, large_graphs: bool = False) -> int:
    """Check a number of vertices, for a backend that has large graphs or not."""
    n = check_size(n)
    if n > most_vertices(large_graphs):
        raise TooLarge(
            f"expected a graph of fewer than 2**31 = 2147483648 vertices, got {n}; if few of the "
            f"ids are used, {RENUMBER}, or {LARGER_GRAPHS}"
        )
    return n


@spelt_fields
@dataclass(frozen=True, eq=False, repr=False)
class EdgeList:
    """The edges `src[k] -> dst[k]` of an nrows x ncols adjacency matrix, in the order of the file.

    Parameters
    ----------
    src, dst : array of int64
        The ends of each edge, counted from 0: two arrays of equal length.
    weight : array, optional
        The weight of each edge, or None for a graph without weights. Readers give int64 for
        integers and float64 for other numbers.
    nrows, ncols : int
        The shape. Ids in `src` are below nrows, ids in `dst` below ncols.
    directed : bool, optional
        With False each edge stands for both directions and is listed once.
    path : str, optional
        The file, for messages; "" for a graph that was generated.
    coordinates : array of shape (n, 2), optional
        The x and y of each vertex.
    ids : array of int64 or of objects, optional
        For formats with arbitrary names: `ids[v]` is the name of vertex v in the file.
    vertex_data, edge_data : mapping of str to array, optional
        Columns of data, with a value for each vertex, and for each edge in the order of the file.

    Raises
    ------
    DimensionMismatch
        Lengths or shapes do not fit.
    IndexOutOfBound
        An id is outside the shape.
    TooLarge
        There are more than 2^60 vertices.

    Notes
    -----
    Parallel edges and loops are kept: `Graph.from_edgelist` asks what they mean. Arrays are shared,
    not copied. O(edges), for the checks.

    Examples
    --------
    >>> EdgeList([0, 0], [1, 2], None, 3, 3, directed=False)
    EdgeList(3 x 3, 2 undirected edges, unweighted)
    """

    src: Ids
    dst: Ids
    weight: Weights | None
    nrows: int
    ncols: int
    directed: bool = True
    path: str = ""
    coordinates: NDArray[Any] | None = None
    ids: NDArray[Any] | None = None
    vertex_data: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    edge_data: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("nrows", "ncols"):
            if not is_integer(size := getattr(self, name)) or size < 0:
                got = brief(size)
                raise InvalidValue(f"expected {name} as an integer of at least 0, got {got}")
        expect_flag(self.directed, "directed")
        for name in ("src", "dst"):
            ids = as_numpy(getattr(self, name))
            whole = ids.dtype.kind in "iu" or (ids.dtype.kind == "f" and (ids % 1 == 0).all())
            if not whole:
                raise InvalidValue(f"expected {name} as integers, got {brief(ids)}")
            object.__setattr__(self, name, np.asarray(ids, np.int64, order="C"))
        if self.weight is not None:
            object.__setattr__(self, "weight", as_numpy(self.weight))
        self._check_lengths()
        for name, limit in (("src", self.nrows), ("dst", self.ncols)):
            ids = getattr(self, name)
            if ids.size and (ids.min() < 0 or ids.max() >= limit):
                bad = ids.min() if ids.min() < 0 else ids.max()
                raise IndexOutOfBound(f"{name} holds vertex {bad}; expected ids in 0..{limit - 1}")

    def _check_lengths(self) -> None:
        weight = self.src if self.weight is None else self.weight
        if self.src.ndim != 1 or not self.src.shape == self.dst.shape == weight.shape:
            raise DimensionMismatch(
                "src, dst and weight must be flat arrays of one length, came shapes "
                f"{self.src.shape}, {self.dst.shape} and {weight.shape}"
            )
        named = isinstance(self.ids, np.ndarray) and self.ids.shape == (self.nrows,)
        if self.ids is not None and not named:
            raise DimensionMismatch(
                f"expected ids as an array with a name for each of {self.nrows} rows, got "
                f"{brief(self.ids)}"
            )
        for where, size in (("vertex_data", self.nrows), ("edge_data", self.src.size)):
            columns = getattr(self, where)
            if not isinstance(columns, Mapping):
                raise WrongType(
                    f"expected {where} as a dict of columns by name, got {brief(columns)}"
                )
            for name, column in columns.items():
                if not isinstance(column, np.ndarray):
                    raise WrongType(f"expected {where}[{name!r}] as an array, got {brief(column)}")
                if column.shape != (size,):
                    raise DimensionMismatch(
                        f"expected {where}[{name!r}] as an array of {size} values, got "
                        f"{brief(column)}"
                    )
        if not self.directed and self.nrows != self.ncols:
            raise DimensionMismatch(
                f"an undirected graph is square, came {self.nrows} x {self.ncols}; "
                "say directed=True for a rectangular matrix"
            )
        if max(self.nrows, self.ncols) > MAX_SIZE:
            raise TooLarge(
                f"expected at most 2^60 vertices, got {grouped(max(self.nrows, self.ncols))}"
            )

    @property
    def nedges(self) -> int:
        """The number of edges in the list. An undirected edge counts once."""
        return int(self.src.size)

    def arcs(self) -> tuple[Ids, Ids, Weights | None]:
        """The edges with both directions of each undirected edge, and loops once.

        Returns
        -------
        src, dst : array of int64
            The ends of each directed edge.
        weight : array or None
            The weight of each directed edge.

        Examples
        --------
        >>> src, dst, _ = EdgeList([0, 2], [1, 2], None, 3, 3, directed=False).arcs()
        >>> src.tolist(), dst.tolist()
        ([0, 2, 1], [1, 2, 0])
        """
        if self.directed:
            return self.src, self.dst, self.weight
        other = self.src != self.dst
        src = np.concatenate([self.src, self.dst[other]])
        dst = np.concatenate([self.dst, self.src[other]])
        if self.weight is None:
            return src, dst, None
        return src, dst, np.concatenate([self.weight, self.weight[other]])

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        weights = "unweighted" if self.weight is None else f"{self.weight.dtype} weights"
        where = f", {self.path!r}" if self.path else ""
        size = f"{self.nrows} x {self.ncols}, {self.nedges} {kind} edges"
        return f"EdgeList({size}, {weights}{where})"


def listed(edges: Any) -> tuple[Any, Any, Any]:
    """The columns of pairs or triples: sources, targets, and weights or None."""
    what = "an EdgeList, or pairs (source, target) or triples (source, target, weight)"
    if isinstance(edges, np.ndarray) and edges.ndim == 2 and edges.shape[1] in (2, 3):
        return edges[:, 0], edges[:, 1], edges[:, 2] if edges.shape[1] == 3 else None
    edges = tuples_of(edges, what)
    width = 3 if edges and len(edges[0]) == 3 else 2
    src, dst, *weight = map(list, pairs_of(edges, width, f"{what}, all of one length"))
    return src, dst, weight[0] if weight else None
