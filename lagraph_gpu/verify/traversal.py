"""Verifiers of searches: properties that only correct results have, checked on the host with NumPy.

No algorithm is repeated. A breadth-first search is correct if and only if no edge leads more than
one level down, and each vertex has an edge from a vertex of the level above: the first makes every
level at most the true one, the second at least. Shortest paths are correct if and only if no edge
improves a distance, and a chain of tight edges leads to each vertex. O(n + m) time, and O(n) memory
in addition to one copy of the graph on the host with 32-bit ids.

The properties are those of the validation in the Graph500 specification,
https://graph500.org/?page_id=12, and of the verifiers in Beamer, Asanović, Patterson: The GAP
benchmark suite (2015).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np

from lagraph_gpu.graph import Graph
from lagraph_gpu.memory import guard_methods
from lagraph_gpu.notation import Vector
from lagraph_gpu.verify.host import Complaint, dense, exact, sized

CHUNK = 1 << 20
"""The number of edges that are processed at a time. Each thread needs a few arrays of this size."""


def verify_bfs(
    G: Graph, source: int, level: Vector, parent: Vector, max_level: int | None = None
) -> None:
    """Verify a result of `bfs` from one source.

    Parameters
    ----------
    G : Graph
        The graph.
    source : int
        The source of the search.
    level : Vector
        The levels.
    parent : Vector
        The parents.
    max_level : int, optional
        The largest level, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: the source has level 0 and is its own parent; level and parent have entries at the same
    vertices; the parent is one level closer to the source, and an edge of the graph joins it to its
    child; no edge spans more than one level, and no edge leads from a reached vertex (closer than
    `max_level`) to one that is not reached. For several sources of one graph use `Verifier`. O(n +
    m).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_bfs
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], backend="cpu")
    >>> level, parent = lg.bfs(G, 0)
    >>> verify_bfs(G, 0, level, parent)
    >>> level[2] = 1
    >>> verify_bfs(G, 0, level, parent)
    Traceback (most recent call last):
    lagraph_gpu.errors.VerificationError: bfs from 0, depth: expected the parent of vertex 2
    (level 1) on level 0, got parent 1 on level 1
    """
    Verifier(G).bfs(source, level, parent, max_level)


def verify_sssp(
    G: Graph, source: int, distance: Vector, parent: Vector, cutoff: float | None = None
) -> None:
    """Verify a result of `sssp` or `bellman_ford` from one source.

    Parameters
    ----------
    G : Graph
        The graph.
    source : int
        The source of the search.
    distance : Vector
        The distances.
    parent : Vector
        The parents.
    cutoff : float, optional
        The largest distance, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: the source has distance 0 and is its own parent; distance and parent have entries at
    the same vertices; the edge from each parent exists and is tight, d(parent) + w = d(v), exactly
    for integers and rounded once for floats; no edge improves a distance, or leads from a reached
    vertex to one that is not reached (within `cutoff`); every chain of parents ends at the source.
    Weights may be negative. O(m + n log n).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_sssp
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [1, 5, 2], backend="cpu")
    >>> verify_sssp(G, 0, *lg.sssp(G, 0))
    """
    Verifier(G).sssp(source, distance, parent, cutoff)


@guard_methods
class Verifier:
    """The verifiers of searches of one graph, which is copied to the host once.

    Parameters
    ----------
    G : Graph
        The graph.

    Notes
    -----
    O(m) for the copy, with 32-bit ids.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import Verifier
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], n=4, directed=False, backend="cpu")
    >>> check = Verifier(G)
    >>> for source in range(4):
    ...     check.bfs(source, *lg.bfs(G, source))
    >>> check.component_edges(lg.bfs(G, 0)[0])
    2
    """

    def __init__(self, G: Graph) -> None:
        indptr, column, weight = G.A.to_csr()
        self.n, self.directed, self._vertex = G.n, G.directed, G.vertex
        self.indptr, self.column = indptr, column.astype(np.int32)  # `look` reads by `take`:
        # NumPy 2.4 ends the process if there is no memory to read by INT32 positions in brackets
        self.weight = weight.astype(np.int64) if weight.dtype.kind == "b" else weight

    @property
    def degree(self) -> np.ndarray:
        """The number of edges that leave each vertex."""
        return np.diff(self.indptr)

    @cached_property
    def loop(self) -> np.ndarray:
        """True at vertices that have an edge to themselves."""
        found = np.zeros(self.n, bool)

        def look(rows: slice, edges: slice) -> None:
            at = self._rows(rows)
            found[at[at == self.column[edges]]] = True

        self._each(look)
        return found

    def component_edges(self, reached: Vector) -> int:
        """The number of edges that leave the reached vertices; each undirected edge counts once.

        Parameters
        ----------
        reached : Vector
            A vector with entries at the reached vertices, such as the levels of a search.

        Returns
        -------
        int
            The number of edges.
        """
        index = reached.to_coo()[0]
        edges = int(self.degree[index].sum())
        return edges if self.directed else (edges + int(self.loop[index].sum())) // 2

    def bfs(self, source: int, level: Vector, parent: Vector, max_level: int | None = None) -> None:
        """Verify a result of `bfs`, as `verify_bfs` does.

        Parameters
        ----------
        source : int
            The source of the search.
        level : Vector
            The levels.
        parent : Vector
            The parents.
        max_level : int, optional
            The largest level, as the result was computed.

        Raises
        ------
        VerificationError
            The result is wrong. The message names the property that does not hold and the first
            place.
        """
        say, source = Complaint(f"bfs from {source}"), self._vertex(source, "source")
        reached, depth, above = self._results(say, "level", source, level, parent)
        last = self.n - 1 if max_level is None else min(max_level, self.n - 1)
        say.unless(
            "range", reached & ((depth < 0) | (depth > last)),
            lambda v: f"expected the level of vertex {v} from 0 to {last}, got {depth[v]}",
        )  # fmt: skip
        child = np.flatnonzero(reached)
        child = child[child != source]
        wrong = child[~reached[above[child]] | (depth[above[child]] != depth[child] - 1)]
        say.at(
            "depth", wrong,
            lambda v: f"expected the parent of vertex {v} (level {depth[v]}) on level "
            f"{depth[v] - 1}, got parent {above[v]} "
            + (f"on level {depth[above[v]]}" if reached[above[v]] else "that is not reached"),
        )  # fmt: skip

        none = np.int32(2**31 - 1)
        down = np.where(reached, depth, none).astype(np.int32)
        bound = np.where(reached & (depth < _or(max_level, none)), depth + 1, none).astype(np.int32)
        hangs = ~reached
        hangs[source] = True

        def look(rows: slice, edges: slice) -> None:
            v, u = self.column[edges], self._rows(rows)
            below, limit = down.take(v), self._spread(bound, rows)
            say.at(
                "span", np.flatnonzero(below > limit),
                lambda e: f"expected the edge {u[e]} → {v[e]} to end on level {limit[e]} or "
                f"nearer, as {u[e]} is on level {depth[u[e]]}; got "
                + (f"level {depth[v[e]]}" if reached[v[e]] else f"{v[e]} not reached"),
            )  # fmt: skip
            tree = np.flatnonzero(below == limit)
            tree = tree[above.take(v[tree]) == u[tree]]
            hangs[v[tree]] = True

        self._each(look)
        expect_tree_edges(say, hangs, above)

    def sssp(
        self, source: int, distance: Vector, parent: Vector, cutoff: float | None = None
    ) -> None:
        """Verify a result of `sssp` or `bellman_ford`, as `verify_sssp` does.

        Parameters
        ----------
        source : int
            The source of the search.
        distance : Vector
            The distances.
        parent : Vector
            The parents.
        cutoff : float, optional
            The largest distance, as the result was computed.

        Raises
        ------
        VerificationError
            The result is wrong. The message names the property that does not hold and the first
            place.
        """
        say, source = Complaint(f"sssp from {source}"), self._vertex(source, "source")
        reached, far, above = self._results(say, "distance", source, distance, parent)
        say.unless(
            "number", reached & (far != far),
            lambda v: f"expected the distance of vertex {v} as a number, got {far[v]}",
        )  # fmt: skip
        if cutoff is not None:
            say.unless(
                "cutoff", reached & ~(far <= cutoff),
                lambda v: f"expected the distance of vertex {v} within {cutoff}, got {far[v]}",
            )  # fmt: skip
        say.unless(
            "parent", reached & ~reached[above],
            lambda v: f"expected the parent of vertex {v} to be reached, got {above[v]}",
        )  # fmt: skip
        self._ends_at_source(say, source, reached, above)
        far, weight = exact(far, self.weight)
        hangs = ~reached
        hangs[source] = True

        def look(rows: slice, edges: slice) -> None:
            v, u, w = self.column[edges], self._rows(rows), weight[edges]
            there, now = reached.take(v), far.take(v)
            with np.errstate(all="ignore"):
                offer = self._spread(far, rows) + w
            better = there & (now > offer)
            missing = ~there if cutoff is None else ~there & (offer <= cutoff)
            say.at(
                "improvement", np.flatnonzero((better | missing) & self._spread(reached, rows)),
                lambda e: f"expected no edge to improve a distance, but {u[e]} → {v[e]} of weight "
                f"{w[e]} offers {far[u[e]]} + {w[e]} = {offer[e]}; got "
                + (f"distance {now[e]}" if there[e] else f"{v[e]} not reached"),
            )  # fmt: skip
            tree = np.flatnonzero(there & (above.take(v) == u) & (v != source))
            say.at(
                "tight", tree[offer[tree] != now[tree]],
                lambda e: f"expected the tree edge {u[e]} → {v[e]} to be tight, got "
                f"{far[u[e]]} + {w[e]} = {offer[e]} for the distance {now[e]}",
            )  # fmt: skip
            hangs[v[tree]] = True

        self._each(look)
        expect_tree_edges(say, hangs, above)

    def _results(
        self, say: Complaint, what: str, source: int, first: Vector, parent: Vector
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The reached vertices (bool), the values and the parents as dense arrays, after a check of
        the source.

        At vertices that are not reached, the value is 0 and the parent is the vertex itself.
        """
        for name, vector in ((what, first), ("parent", parent)):
            sized(say, self.n, vector, name)
        if parent.dtype.kind not in "iu":
            raise say.error("parent", f"expected parents as integers, got the type {parent.dtype}")
        reached, value = dense(first)
        hung, above = dense(parent)
        above = above.astype(np.int64, copy=False)
        say.unless(
            "entries", reached != hung,
            lambda v: f"expected {what} and parent at the same vertices, got at vertex {v} "
            + (f"{what} {value[v]} and no parent" if reached[v]
               else f"parent {above[v]} and no {what}"),
        )  # fmt: skip
        say.unless(
            "parent", hung & ((above < 0) | (above >= self.n)),
            lambda v: f"expected the parent of vertex {v} from 0 to {self.n - 1}, got {above[v]}",
        )  # fmt: skip
        if not (reached[source] and value[source] == 0 and above[source] == source):
            own = f"{what} {value[source]}, parent {above[source]}"
            raise say.error(
                "source",
                f"expected {what} 0 and itself as parent at vertex {source}, got "
                + (own if reached[source] else "no entry"),
            )
        return reached, value, np.where(hung, above, np.arange(self.n))

    def _ends_at_source(
        self, say: Complaint, source: int, reached: np.ndarray, above: np.ndarray
    ) -> None:
        """Checks by pointer jumping that chains of parents end at the source: after k rounds each
        vertex knows its 2^k-th ancestor.
        """
        ancestor = above
        for _ in range(max(1, int(reached.sum()).bit_length())):
            if (ancestor[reached] == source).all():
                return
            ancestor = ancestor[ancestor]
        say.unless(
            "chain", reached & (ancestor != source),
            lambda v: f"expected the parents above vertex {v} to lead to the source, got a cycle "
            f"(through vertex {ancestor[v]})",
        )  # fmt: skip

    # --- the walk over all edges -------------------------------------------------------------
    def _each(self, look: Callable[[slice, slice], None]) -> None:
        """Calls `look` for every chunk of rows, on several threads. The first error is raised."""
        with ThreadPoolExecutor(min(16, os.cpu_count() or 1)) as threads:
            for _ in threads.map(lambda part: look(*part), self._chunks()):
                pass

    def _chunks(self) -> Iterator[tuple[slice, slice]]:
        """Rows and their edges, about CHUNK edges at a time (at least one row)."""
        begin = 0
        while begin < self.n:
            first = int(self.indptr[begin])
            end = int(np.searchsorted(self.indptr, first + CHUNK, side="right")) - 1
            end = min(max(end, begin + 1), self.n)
            yield slice(begin, end), slice(first, int(self.indptr[end]))
            begin = end

    def _spread(self, of_vertex: np.ndarray, rows: slice) -> np.ndarray:
        """The value at the start vertex of each edge of these rows."""
        return np.repeat(of_vertex[rows], np.diff(self.indptr[rows.start : rows.stop + 1]))

    def _rows(self, rows: slice) -> np.ndarray:
        """The start vertex of each edge of these rows."""
        counts = np.diff(self.indptr[rows.start : rows.stop + 1])
        return np.repeat(np.arange(rows.start, rows.stop, dtype=np.int32), counts)


def expect_tree_edges(say: Complaint, hangs: np.ndarray, above: np.ndarray) -> None:
    """Raise VerificationError unless each vertex hangs on its parent `above` by an edge."""
    say.unless(
        "tree edge", ~hangs,
        lambda v: f"expected an edge {above[v]} → {v} to the parent's child, got no such edge",
    )  # fmt: skip


def _or(value: int | None, default: Any) -> Any:
    return default if value is None else value
