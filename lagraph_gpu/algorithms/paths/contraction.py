"""A contracted graph: two triangular factors and a small dense core.

The vertices are in the order of elimination (see `lagraph_gpu.algorithms.paths.contract`), and
those of the core come last. An eliminated vertex has arcs to the later vertices that were its
neighbours when it was eliminated, and arcs from them. The length of an arc is that of the best path
through earlier vertices. Every shortest path is therefore as long as one that first rises in the
order, then crosses the core, then falls: a table of distances is x ⊗ U* ⊗ D* ⊗ L*. The factors are
triangular, so U* and L* take one pass over the levels each.

Lengths are whole numbers in integers, so that sums do not depend on the order in which they are
added up. A path that does not exist has the length NEVER. Twice NEVER fits the type, so sums need
no test as long as every distance is less.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from lagraph_gpu.convert import serialize
from lagraph_gpu.convert.arguments import checked_methods
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.files.atomic import replacing
from lagraph_gpu.graph import Graph
from lagraph_gpu.io import npz
from lagraph_gpu.io.stream import Source
from lagraph_gpu.notation.checks import expect_kind

INDEX, OFFSET = np.dtype(np.int32), np.dtype(np.int64)
NEVER = {INDEX: 2**30 - 1, OFFSET: 2**62 - 1}
"""The length of a path that does not exist, for each type of lengths."""

ARRAYS = ("digest", "counted", "order", "begins", "up_indptr", "up_ends", "up_lengths",
          "down_indptr", "down_ends", "down_lengths", "core")  # fmt: skip

Round = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""The vertices by number, and rows of arcs: the start of each row, the numbers of the ends, and the
lengths.
"""


class Factor(NamedTuple):
    """A triangular matrix by rows, one row for each eliminated vertex.

    Parameters
    ----------
    indptr : array of INT64
        The start of each row, and at last the number of arcs.
    ends : array of integers
        The positions of the later vertices that the arcs join with the vertex of the row.
    lengths : array of integers
        The lengths of the arcs.
    """

    indptr: np.ndarray
    ends: np.ndarray
    lengths: np.ndarray

    @classmethod
    def stacked(cls, rounds: list[Round], place: np.ndarray) -> Self:
        """The rows of all rounds, one round after another.

        Parameters
        ----------
        rounds : list of Round
            The rows of each round.
        place : array of INT64
            The position of each vertex in the order.

        Returns
        -------
        Factor
            The factor with the ends of arcs as positions.
        """
        none = np.zeros(0, OFFSET)
        degrees = [none, *(np.diff(indptr) for _, indptr, _, _ in rounds)]
        ends = [none, *(place[vertex[numbers]] for vertex, _, numbers, _ in rounds)]
        lengths = [none, *(of_round for *_, of_round in rounds)]
        indptr = np.append(0, np.cumsum(np.concatenate(degrees)))
        return cls(indptr, np.concatenate(ends), np.concatenate(lengths))

    def of_type(self, dtype: np.dtype) -> Factor:
        """The same factor with lengths of another type.

        Parameters
        ----------
        dtype : numpy.dtype
            INT32 or INT64.

        Returns
        -------
        Factor
            The factor. An arc as long as NEVER is longer than any distance and has no effect.
        """
        indptr, ends, lengths = self
        narrowed = np.minimum(lengths, NEVER[dtype]).astype(dtype)
        return Factor(indptr.astype(OFFSET), ends.astype(INDEX), narrowed)

    def climbs(self, begins: np.ndarray, n: int, fold: np.ufunc) -> np.ndarray:
        """For each vertex the smallest or largest length of a way along arcs to its end: in the
        core, or at a vertex without arcs.

        Parameters
        ----------
        begins : array of INT64
            The position at which each level begins, and at last that of the core.
        n : int
            The number of vertices.
        fold : numpy.ufunc
            `numpy.minimum` for the smallest lengths, `numpy.maximum` for the largest.

        Returns
        -------
        array of INT64
            The length for each vertex.
        """
        indptr, ends, lengths = self
        climb = np.zeros(n, OFFSET)
        for level in range(begins.size - 2, -1, -1):
            first = indptr[begins[level] : begins[level + 1] + 1]
            arcs = slice(first[0], first[-1])
            rows = np.flatnonzero(np.diff(first))
            if rows.size:
                ways = np.minimum(lengths[arcs] + climb[ends[arcs]], NEVER[OFFSET])
                climb[begins[level] + rows] = fold.reduceat(ways, first[rows] - first[0])
        return climb


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Contraction:
    """A graph that `lg.contract` has prepared, for `lg.distance_matrix(…, contraction=)`.

    Parameters
    ----------
    digest : str
        The digest of the graph.
    counted : bool
        True if distances count edges, and False if they add up weights.
    order : array of integers
        The vertex at each position of the order.
    begins : array of integers
        The position at which each level of eliminated vertices begins, and at last that of the
        core.
    up : Factor
        The arcs from each eliminated vertex to later ones.
    down : Factor
        The arcs to each eliminated vertex from later ones.
    core_lengths : array of integers
        The distance between each two vertices of the core.

    Notes
    -----
    `lg.contract` and `Contraction.load` make contractions. The arrays are read-only, and lie on the
    host for graphs of every backend. `n` is the number of vertices, `core` the number of those in
    the core, `levels` the number of levels of eliminated vertices, `arcs` the number of arcs in
    both factors (edges and shortcuts), and `nbytes` the size in memory.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], [5, 2, 1], directed=False, backend="cpu")
    >>> lg.contract(G, core=1)
    Contraction(n=4, levels=2, arcs=6, core=1, nbytes=100)
    """

    digest: str
    counted: bool
    order: np.ndarray
    """The vertex at each position of the order."""
    begins: np.ndarray
    """The position at which each level begins, and at last that of the core."""
    up: Factor
    """The arcs from each vertex to later ones."""
    down: Factor
    """The arcs to each vertex from later ones."""
    core_lengths: np.ndarray
    """The distance between each two vertices of the core."""

    @property
    def n(self) -> int:
        return self.order.size

    @property
    def core(self) -> int:
        return self.core_lengths.shape[0]

    @property
    def levels(self) -> int:
        return self.begins.size - 1

    @property
    def arcs(self) -> int:
        return self.up.ends.size + self.down.ends.size

    @property
    def nbytes(self) -> int:
        arrays = (self.order, self.begins, *self.up, *self.down, self.core_lengths)
        return sum({id(array): array.nbytes for array in arrays}.values())

    @property
    def dtype(self) -> np.dtype:
        """The type of the lengths: INT32, or INT64 if a path might be too long for INT32."""
        return self.core_lengths.dtype

    @property
    def never(self) -> int:
        """The length of a path that does not exist."""
        return NEVER[self.dtype]

    @cached_property
    def farthest(self) -> int:
        """An upper bound of all distances."""
        return _farthest(self.begins, self.up, self.down, self.core_lengths)

    @cached_property
    def place(self) -> np.ndarray:
        """The position of each vertex in the order."""
        place = np.empty(self.n, INDEX)
        place[self.order] = np.arange(self.n, dtype=INDEX)
        return place

    @cached_property
    def turned(self) -> Contraction:
        """The contraction of the graph with all edges reversed. It is the same object if lengths
        are equal in both directions.
        """
        core = np.ascontiguousarray(self.core_lengths.T)
        if self.up is self.down and np.array_equal(core, self.core_lengths):
            return self
        return replace(self, up=self.down, down=self.up, core_lengths=core)

    def __repr__(self) -> str:
        figures = ("n", "levels", "arcs", "core", "nbytes")
        return f"Contraction({', '.join(f'{name}={getattr(self, name)}' for name in figures)})"

    # --- how it is made ----------------------------------------------------------------------
    @classmethod
    def of_rounds(
        cls, digest: str, counted: bool, sets: list[np.ndarray], above: list[Round],
        below: list[Round], core: np.ndarray,
    ) -> Self:  # fmt: skip
        """The contraction from the results of the elimination rounds.

        Parameters
        ----------
        digest : str
            The digest of the graph.
        counted : bool
            True if distances count edges.
        sets : list of arrays
            An empty array, then the vertices of each round, and at last those of the core.
        above : list of Round
            The arcs from the eliminated vertices of each round to later vertices, with lengths in
            INT64.
        below : list of Round
            The arcs from later vertices to them.
        core : array of INT64
            The distance between each two vertices of the core.

        Returns
        -------
        Contraction
            The contraction, with lengths in the narrowest type.
        """
        order = np.concatenate(sets)
        place = np.empty(order.size, OFFSET)
        place[order] = np.arange(order.size)
        begins = np.cumsum([some.size for some in sets[:-1]])
        up, down = (Factor.stacked(rounds, place) for rounds in (above, below))
        return cls.of_parts(digest, counted, order, begins, up, down, core)

    @classmethod
    def of_parts(
        cls, digest: str, counted: bool, order: np.ndarray, begins: np.ndarray, up: Factor,
        down: Factor, core: np.ndarray,
    ) -> Self:  # fmt: skip
        """The contraction with lengths in the narrowest type that holds all of them. Equal factors
        are stored once.

        Parameters
        ----------
        digest : str
            The digest of the graph.
        counted : bool
            True if distances count edges.
        order : array of integers
            The vertex at each position of the order.
        begins : array of integers
            The position at which each level begins, and at last that of the core.
        up, down : Factor
            The arcs to later vertices and from them.
        core : array of integers
            The distance between each two vertices of the core.

        Returns
        -------
        Contraction
            The contraction. Its arrays are read-only.
        """
        highest = NEVER[core.dtype]
        dtype = INDEX if _farthest(begins, up, down, core) < NEVER[INDEX] else OFFSET
        core = np.where(core < highest, core.astype(OFFSET), NEVER[dtype]).astype(dtype)
        up, down = up.of_type(dtype), down.of_type(dtype)
        down = up if all(map(np.array_equal, up, down)) else down
        order, begins = order.astype(INDEX), begins.astype(OFFSET)
        for array in (order, begins, *up, *down, core):
            array.flags.writeable = False
        return cls(digest, counted, order, begins, up, down, core)

    def expect(self, G: Graph, counted: bool) -> None:
        """Check that this contraction belongs to a graph.

        Parameters
        ----------
        G : Graph
            The graph.
        counted : bool
            True if distances are to count edges.

        Raises
        ------
        InvalidValue
            The contraction was made for another graph, or counts edges where weights are wanted, or
            the reverse.

        Notes
        -----
        The digest of the graph is computed once, in O(m) on the host.
        """
        expect_kind(G, Graph, "a Graph")
        if self.digest != G.digest:
            raise InvalidValue(
                f"expected a contraction of this graph, whose digest is {G.digest}, got one of a "
                f"graph with digest {self.digest}; edges or weights differ: lg.contract(G) makes "
                "it again"
            )
        if self.counted != counted:
            has, expected = (repr(None if c else "weight") for c in (self.counted, counted))
            raise InvalidValue(
                f"expected a contraction with weight={expected} for distances by that, got one "
                f"with weight={has}; make it with lg.contract(G, weight={expected})"
            )

    # --- on the disk -------------------------------------------------------------------------
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the contraction to a file, a NumPy archive.

        Parameters
        ----------
        path : str or os.PathLike
            The file. It is written completely or not at all.

        Raises
        ------
        FormatError
            The operating system cannot write the file. The message names the path.

        Examples
        --------
        >>> import pathlib, tempfile, lagraph_gpu as lg
        >>> P = lg.contract(lg.grid(4, 4, backend="cpu"))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     P.save(pathlib.Path(folder, "grid.npz"))
        ...     lg.Contraction.load(pathlib.Path(folder, "grid.npz")).digest == P.digest
        True
        """
        arrays = (np.array(self.digest), np.array(self.counted), self.order, self.begins, *self.up,
                  *self.down, self.core_lengths)  # fmt: skip
        with replacing(Path(path)) as out:
            out.write(serialize.of_contraction(self.n, dict(zip(ARRAYS, arrays, strict=True))))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a contraction that `save` wrote.

        Parameters
        ----------
        path : str or os.PathLike
            The file.

        Returns
        -------
        Contraction
            The contraction. Every array is checked.

        Raises
        ------
        FormatError
            The file cannot be read, is damaged, or does not hold a contraction. The message names
            the path.
        """
        with Source(path, "a contraction") as source:
            head = source.head()  # a device may have no end
            content = source.everything() if npz.claims(head) else head
        try:
            n, digest, counted, order, begins, *factors = serialize.contraction(content, ARRAYS)
        except InvalidValue as problem:
            raise source.error(None, str(problem)) from problem
        up, down, core = Factor(*factors[:3]), Factor(*factors[3:6]), factors[6]
        single = digest.shape == counted.shape == () and digest.dtype.kind == "U"
        if not single or counted.dtype != bool or not _valid(n, order, begins, up, down, core):
            raise source.error(
                None, "expected a contraction as save() wrote it, got altered arrays"
            )
        return cls.of_parts(str(digest), bool(counted), order, begins, up, down, core)


def _farthest(begins: np.ndarray, up: Factor, down: Factor, core: np.ndarray) -> int:
    """An upper bound of all distances. A shortest path rises, crosses the core and falls, and is no
    longer than the longest rise, the longest way through the core and the longest fall together. If
    every arc exists in both directions, the shortest ways up and down are a bound too, because they
    lead from any vertex to any other of its component.
    """
    both = all(map(np.array_equal, up, down))
    fold = np.minimum if both else np.maximum
    inside = core[core < NEVER[core.dtype]]
    n = begins[-1] + core.shape[0]
    rises = (int(f.climbs(begins, n, fold).max(initial=0)) for f in (up, down))
    return int(inside.max(initial=0)) + sum(rises)


def _valid(n: int, order: Any, begins: Any, up: Factor, down: Factor, core: Any) -> bool:
    """True if these are the arrays of a contraction (a file may have been changed)."""
    return (
        all(a.ndim == 1 and a.dtype in (INDEX, OFFSET) for a in (order, begins, *up, *down))
        and core.ndim == 2
        and core.shape[0] == core.shape[1]
        and core.dtype == up.lengths.dtype == down.lengths.dtype
        and np.array_equal(np.sort(order), np.arange(n))
        and begins.size > 0
        and begins[0] == 0
        and begins[-1] == n - core.shape[0]
        and bool((begins[1:] > begins[:-1]).all())
        and _triangular(up, begins, n)
        and _triangular(down, begins, n)
        and bool(((core >= 0) & (core <= NEVER[core.dtype])).all())
        and not core.diagonal().any()
        and (core.dtype == OFFSET or _farthest(begins, up, down, core) < NEVER[INDEX])
    )


def _triangular(factor: Factor, begins: np.ndarray, n: int) -> bool:
    """True if each row leads to later levels only, with lengths from 0 to NEVER."""
    indptr, ends, lengths = factor
    if indptr.size != begins[-1] + 1 or ends.size != lengths.size or indptr[0] != 0:
        return False
    if indptr[-1] != ends.size or (indptr[1:] < indptr[:-1]).any():
        return False
    next_level = np.repeat(begins[1:], np.diff(begins))
    later = (ends >= np.repeat(next_level, np.diff(indptr))) & (ends < n)
    return bool((later & (lengths >= 0) & (lengths <= NEVER[lengths.dtype])).all())
