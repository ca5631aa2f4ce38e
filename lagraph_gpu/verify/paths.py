"""Verifiers of paths: they follow edges, have the length that they claim, and no path is better.

SciPy's Dijkstra, in FP64, says that no path is shorter. In a graph without cycles the distances
themselves prove that no path is longer: they are *potentials* that no edge makes longer, and each
is 0 or reached by a tight edge.

Sedgewick, Wayne: Algorithms, 4th edition (2011), section 4.4.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.checks import is_integer
from lagraph_gpu.verify import host
from lagraph_gpu.verify.distances import rounding, type_of_lengths


def verify_path_between(
    G: Graph, source: int, target: int, found: tuple[Any, list[int]] | None,
    cutoff: float | None = None,
) -> None:  # fmt: skip
    """Verify a result of `shortest_path_between`.

    Parameters
    ----------
    G : Graph
        The graph.
    source, target : int
        The first and the last vertex.
    found : tuple or None
        The result.
    cutoff : float, optional
        The largest distance, as the result was computed.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: the path leads from `source` to `target` along edges; the sum of their weights, in the
    order of the path, is the length, which is within `cutoff`; and SciPy finds no shorter path (no
    path at all if `found` is None). O(n + m log n).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_path_between
    >>> G = lg.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [1, 4, 5, 1], backend="cpu")
    >>> verify_path_between(G, 0, 3, lg.shortest_path_between(G, 0, 3))
    >>> verify_path_between(G, 0, 3, (6, [0, 1, 3]))
    Traceback (most recent call last):
    lagraph_gpu.errors.VerificationError: path from 0 to 3, shortest: expected a length of 5.0, got
    6
    """
    say = host.Complaint(f"path from {source} to {target}")
    s, t = G.vertex(source, "source"), G.vertex(target, "target")
    best = float(host.hops(host.adjacency(G, "weight"), np.array([s]), weighted=True)[0, t])
    spare = best * rounding(G, "weight") if math.isfinite(best) else 0.0
    limit = math.inf if cutoff is None else cutoff
    if found is None:
        if best + spare <= limit and math.isfinite(best):
            raise say.error("missing", f"expected a path of length {best}, got None")
        return
    if not (isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], list)):
        raise say.error("form", f"expected (length, [vertices]) or None, got {found!r}")
    length, path = found
    steps = _weights(say, G, path)
    if (path[0], path[-1]) != (s, t):
        raise say.error("ends", f"expected {s} and {t} as its ends, got {path[0]} and {path[-1]}")
    whole = steps.dtype.kind != "f"
    total = sum(steps.tolist()) if whole else float(np.cumsum(steps)[-1:].sum())
    say.expect(total == length, "sum", f"expected the sum of its weights, {total}, got {length!r}")
    say.expect(length <= limit, "cutoff", f"expected a length within {limit}, got {length}")
    say.expect(length <= best + spare, "shortest", f"expected a length of {best}, got {length}")


def verify_path_to(parent: Vector, target: int, path: list[int] | None) -> None:
    """Verify a result of `path_to`.

    Parameters
    ----------
    parent : Vector
        The parents that the path was read from.
    target : int
        The last vertex of the path.
    path : list of int or None
        The result.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: the path begins at a vertex that is its own parent, goes from parents to their
    children, and ends at the target. It is None if the target has no parent. O(n).
    """
    say, (there, above) = host.Complaint(f"path to {target}"), host.dense(parent)
    if there[target] != (path is not None):
        wanted = "a path" if there[target] else None
        raise say.error("reached", f"expected {wanted}, got {path}")
    if path is None:
        return
    _are_vertices(say, parent.size, path)
    say.expect(path[-1] == target, "ends", f"expected the target at the end, got {path[-1]}")
    for before, v in pairwise([path[0], *path]):
        if not there[v] or above[v] != before:
            parent_of_v = above[v] if there[v] else "nothing"
            raise say.error("parent", f"expected {parent_of_v} before vertex {v}, got {before}")


def verify_longest_path(
    G: Graph, distance: Vector, path: list[int] | None = None, length: Any = None
) -> None:
    """Verify results of `dag_longest_distance`, `dag_longest_path` and `dag_longest_path_length`.

    Parameters
    ----------
    G : Graph
        The graph.
    distance : Vector
        The result of `dag_longest_distance`.
    path : list of int, optional
        The result of `dag_longest_path`.
    length : int or float, optional
        The result of `dag_longest_path_length`.

    Raises
    ------
    VerificationError
        The result is wrong. The message names the property that does not hold and the first place.

    Notes
    -----
    Checked: the graph has no cycle (SciPy's strong components). Each vertex has a number of at
    least 0, of the type of the weights, which no edge makes longer, and which is 0 or the end of a
    tight edge. The path begins at a vertex of distance 0, follows tight edges, and ends at the
    smallest of the farthest vertices; the length is their distance. Floats are compared exactly.
    O(n + m).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> from lagraph_gpu.verify import verify_longest_path
    >>> G = lg.Graph.from_edges([0, 0, 1], [1, 2, 2], [2.0, 3.0, 4.0], backend="cpu")
    >>> far, path = lg.dag_longest_distance(G), lg.dag_longest_path(G)
    >>> verify_longest_path(G, far, path, lg.dag_longest_path_length(G))
    >>> verify_longest_path(G, far, [0, 2])
    Traceback (most recent call last):
    lagraph_gpu.errors.VerificationError: longest path, path: expected a tight edge, got 0 → 2 of
    weight 3.0 from 0.0 to 6.0
    """
    say = host.Complaint("longest path")
    found = host.complete(say, G.n, distance, "distance")
    host.has_type(say, found.dtype, type_of_lengths(G))
    u, v, w = G.A.to_coo()
    if not G.directed or host.components(host.pattern(G), "strong") < G.n or (u == v).any():
        raise say.error("graph", f"expected a directed graph without cycles, got another: {G}")
    say.unless(
        "number", ~(np.isfinite(found) & (found >= 0)),
        lambda v: f"expected a finite number of at least 0 at vertex {v}, got {found[v]}",
    )  # fmt: skip
    far, w = host.exact(found, w)
    offer = far[u] + w
    say.at(
        "longer", np.flatnonzero(offer > far[v]),
        lambda e: f"expected no edge to lengthen a path, but {u[e]} → {v[e]} of weight {w[e]} "
        f"offers {offer[e]}; got {far[v[e]]}",
    )  # fmt: skip
    hangs = far == 0
    hangs[v[offer == far[v]]] = True
    say.unless(
        "tight", ~hangs,
        lambda v: f"expected a path of length {far[v]} that ends at vertex {v}, got no edge that "
        "ends one",
    )  # fmt: skip
    most = far.max(initial=0)
    say.expect(length is None or length == most, "length", f"expected {most}, got {length}")
    if path is not None and (G.n or path):
        steps = host.exact(found, _weights(say, G, path))[1]
        here, there = (far[np.array(side, np.int64)] for side in (path[:-1], path[1:]))
        say.at(
            "path", np.flatnonzero(here + steps != there),
            lambda k: f"expected a tight edge, got {path[k]} → {path[k + 1]} of weight {steps[k]} "
            f"from {here[k]} to {there[k]}",
        )  # fmt: skip
        last = int(np.flatnonzero(far == most)[0])
        if far[path[0]] != 0 or path[-1] != last:
            raise say.error(
                "ends",
                f"expected a path from a vertex of length 0 to {last}, got one from {path[0]} "
                f"(length {far[path[0]]}) to {path[-1]}",
            )


def _weights(say: host.Complaint, G: Graph, path: list[int]) -> np.ndarray:
    """The weights along a path. Raises VerificationError if it does not follow edges."""
    _are_vertices(say, G.n, path)
    indptr, column, weight = G.A.to_csr()
    found = np.empty(len(path) - 1, weight.dtype)
    for k, (u, v) in enumerate(pairwise(path)):
        at = indptr[u] + np.searchsorted(column[indptr[u] : indptr[u + 1]], v)
        if at == indptr[u + 1] or column[at] != v:
            raise say.error("edge", f"expected an edge {u} → {v}, got none")
        found[k] = weight[at]
    return found


def _are_vertices(say: host.Complaint, n: int, path: list[int]) -> None:
    """Raises VerificationError unless the path is a list of vertices, and not empty."""
    wrong = [v for v in path if not is_integer(v) or not 0 <= v < n]
    if wrong or not path:
        got = f"{wrong[0]!r} among them" if path else "none"
        raise say.error("vertices", f"expected vertices from 0 to {n - 1}, got {got}")
