"""The graph as a file states it: a list of edges, before anybody has built a matrix of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.convert.interchange import as_numpy
from lagraph_gpu.errors import DimensionMismatch, IndexOutOfBound, TooLarge

Ids = NDArray[np.int64]
Weights = NDArray[Any]

LARGEST_N = 2**31 - 1
"""The most vertices a graph may have: ids are 32-bit integers inside."""


@dataclass(frozen=True, eq=False, repr=False)
class EdgeList:
    """Edges ``src[k] -> dst[k]`` of an ``nrows`` x ``ncols`` adjacency, in the order of the file.

    ===============  ==============================================================================
    ``src, dst``     int64 arrays of one length, 0-based, ``src < nrows`` and ``dst < ncols``
    ``weight``       array of the same length, or None for an unweighted graph; readers give int64
                     for whole numbers and float64 for others
    ``directed``     False: each edge stands for both directions and appears once
    ``path``         where it came from, for messages; "" for a graph that was made
    ``coordinates``  None or an array (n, 2): x and y of each vertex
    ``ids``          None, or for formats with arbitrary names: ``ids[v]`` is what the file calls v
    ===============  ==============================================================================

    Parallel edges and loops stay: what they mean is for `Graph` to ask. Arrays are shared, not
    copied. Raises DimensionMismatch for lengths or shapes that do not fit, IndexOutOfBound for an
    id outside the shape, TooLarge for 2^31 vertices or more. O(edges).

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
    ids: Ids | None = None

    def __post_init__(self) -> None:
        for name in ("src", "dst"):
            object.__setattr__(
                self, name, np.asarray(as_numpy(getattr(self, name)), dtype=np.int64)
            )
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
        if not self.directed and self.nrows != self.ncols:
            raise DimensionMismatch(
                f"an undirected graph is square, came {self.nrows} x {self.ncols}; "
                "say directed=True for a rectangular matrix"
            )
        if max(self.nrows, self.ncols) > LARGEST_N:
            raise TooLarge(
                f"{max(self.nrows, self.ncols):,} vertices; ids are 32 bits wide, so at most "
                f"{LARGEST_N:,} vertices fit"
            )

    @property
    def nedges(self) -> int:
        """How many edges are listed (an undirected one counts once)."""
        return int(self.src.size)

    def arcs(self) -> tuple[Ids, Ids, Weights | None]:
        """``(src, dst, weight)`` with both directions of undirected edges, loops once.

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
        return (
            f"EdgeList({self.nrows} x {self.ncols}, {self.nedges} {kind} edges, {weights}{where})"
        )
