"""Others who answer the same questions, on the same graph from the same roots.

A peer is a function that gets a graph ready and returns how to search it; what the search returns
becomes a dense array of levels or distances (infinity where nothing was reached), to be compared
with ours. A peer that cannot take part says why.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import lagraph_gpu as lg
from benchmarks.record import Record, samples
from lagraph_gpu.cli.timing import cpu_name, timed
from lagraph_gpu.verify import Verifier

Search = Callable[[int], Any]
Dense = Callable[[Any], np.ndarray]
Ready = tuple[Search, Dense]

SMALL = 300_000
"""Vertices and edges up to which a peer written in Python is asked."""


class Absent(Exception):
    """Why a peer does not take part."""


def scipy(question: str, G: lg.Graph, host: Verifier) -> Ready:
    """``scipy.sparse.csgraph``: breadth_first_order, dijkstra."""
    from scipy.sparse import csgraph, csr_array

    if host.column.size >= 2**31:
        raise Absent("csgraph takes 32-bit offsets, so fewer than 2**31 edges")
    weight = np.ones(host.column.size) if question == "bfs" else host.weight.astype(np.float64)
    A = csr_array((weight, host.column, host.indptr.astype(np.int32)), shape=(host.n, host.n))
    if question == "bfs":
        return (lambda root: csgraph.breadth_first_order(A, root)), lambda got: depths(*got)
    if host.weight.size and host.weight.min() < 0:
        raise Absent("csgraph.dijkstra takes weights of at least 0")
    return (
        lambda root: csgraph.dijkstra(A, indices=root, return_predecessors=True),
        lambda got: got[0],
    )


def graphblas(question: str, G: lg.Graph, host: Verifier) -> Ready:
    """python-graphblas, through our CPU backend."""
    if G.backend.name == "cpu":
        raise Absent("it is the backend that was measured")
    H = G.to("cpu")
    search = lg.bfs if question == "bfs" else lg.sssp
    return (lambda root: timed(H, lambda: search(H, root))[0]), lambda got: dense(got[0])


def networkx(question: str, G: lg.Graph, host: Verifier) -> Ready:
    """NetworkX, in Python."""
    nx = imported("networkx")
    if (size := G.n + host.column.size) > SMALL:
        raise Absent(f"too large for a search in Python: {size:,} vertices and edges")
    g = nx.DiGraph()
    g.add_nodes_from(range(G.n))
    source = np.repeat(np.arange(G.n), host.degree)
    g.add_weighted_edges_from(zip(source.tolist(), host.column.tolist(), host.weight.tolist()))

    def spread(found: dict[int, float]) -> np.ndarray:
        full = np.full(G.n, np.inf)
        full[list(found)] = list(found.values())
        return full

    if question == "bfs":
        return (lambda root: nx.single_source_shortest_path_length(g, root)), spread
    return (
        lambda root: nx.dijkstra_predecessor_and_distance(g, root),
        lambda got: spread(got[1]),
    )


def cugraph(question: str, G: lg.Graph, host: Verifier) -> Ready:
    imported("cugraph")
    raise Absent("installed, but this harness cannot drive it yet")


def cupyx(question: str, G: lg.Graph, host: Verifier) -> Ready:
    imported("cupyx")
    raise Absent(f"cupyx.scipy.sparse.csgraph has no {question}")


PEERS: dict[str, Callable[[str, lg.Graph, Verifier], Ready]] = {
    "scipy": scipy,
    "python-graphblas": graphblas,
    "networkx": networkx,
    "cugraph": cugraph,
    "cupyx": cupyx,
}


def ask(
    name: str,
    question: str,
    G: lg.Graph,
    host: Verifier,
    answers: Sequence[tuple[int, int, lg.Vector]],
    budget: float,
) -> Record:
    """The entry of one peer. ``answers``: root, edges, and our verified levels or distances.

    No root is begun after ``budget`` seconds, which the entry says then.
    """
    start = time.perf_counter()
    try:
        search, to_dense = PEERS[name](question, G, host)
    except Absent as why:
        return {"absent": str(why)}
    ready = time.perf_counter()
    times: list[float] = []
    right = True
    for root, _, ours in answers:
        if times and time.perf_counter() - ready > budget:
            break
        begin = time.perf_counter()
        got = search(root)
        took = time.perf_counter() - begin
        if not times and took < 1:  # the first was to warm up
            begin = time.perf_counter()
            got = search(root)
            took = time.perf_counter() - begin
        times.append(took * 1e3)
        right = right and bool(np.allclose(to_dense(got), dense(ours), rtol=1e-5, atol=0))
    done = answers[: len(times)]
    entry = samples([root for root, _, _ in done], times, [edges for _, edges, _ in done])
    entry |= {
        "backend": name,
        "schedule": None,
        "layout": None,
        "device": cpu_name(),
        "version": version(name),
        "prepare_ms": round((ready - start) * 1e3, 3),
        "energy_j": None,
        "verified": right,
    }
    if len(done) < len(answers):
        entry["note"] = f"{len(done)} of {len(answers)} roots within {budget:g} s"
    return entry


def dense(values: lg.Vector) -> np.ndarray:
    return values.to_dense(fill_value=np.inf, dtype="FP64")


def depths(order: np.ndarray, predecessor: np.ndarray) -> np.ndarray:
    """Levels from a tree, by pointer jumping.

    >>> import numpy as np
    >>> depths(np.array([1, 0, 2]), np.array([1, -9999, 0, -9999])).tolist()
    [1.0, 0.0, 2.0, inf]
    """
    above = np.where(predecessor < 0, np.arange(predecessor.size), predecessor)
    depth = (predecessor >= 0).astype(np.float64)
    while (above[above] != above).any():
        depth += depth[above]
        above = above[above]
    missing = np.ones(predecessor.size, bool)
    missing[order] = False
    depth[missing] = np.inf
    return depth


def imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Absent("not installed") from None


def version(name: str) -> str:
    return importlib.import_module(name.removeprefix("python-")).__version__
