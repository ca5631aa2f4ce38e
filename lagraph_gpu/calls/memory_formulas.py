"""What each public algorithm takes beside what is linear: from n, the number of entries and the
arguments of a call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.memory_check import (
    MIN_SEARCHES,
    RESULT_BYTES,
    SEARCH_BYTES,
    block_bytes,
    fitting_rows,
    free_bytes,
)
from lagraph_gpu.algorithms._shared.source_batches import BATCH_SHARE, BYTES_PER_VERTEX, batch_rows
from lagraph_gpu.calls.memory_figures import (
    BOTH_DIRECTIONS_BYTES,
    BYTES_OF_ROUNDS,
    FIGURES,
    PAIR_BYTES,
    STATEMENTS_OF_LEVELS,
    STATEMENTS_OF_REFINEMENTS,
    TRANSPOSE_BYTES,
    TREE_BYTES,
    VOTES_BYTES,
    WALKER_BYTES,
    Linear,
)
from lagraph_gpu.convert.edge_list import are_few
from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.facts import rows_are_listed
from lagraph_gpu.planning.many_sources import LANES, WORDS, bytes_in_step
from lagraph_gpu.planning.threads import threads_for
from semirings.types import FP32, find

Given = dict[str, Any]
"""The arguments of a call, by name."""


def some(given: Given, name: str, everything: int) -> int:
    """How many vertices an argument lists; None means all."""
    chosen = given.get(name)
    return everything if chosen is None else int(np.size(chosen))


def searches(G: Graph, given: Given) -> tuple[int, int]:
    """Result and workspace of searches that add up what they find, a batch at a time."""
    chosen, batch = some(given, "u" if "u" in given else "sources", G.n), given.get("batch_size")
    if batch is None and given.get("distance") is None and G.backend.storage == "host":
        return 0, in_step(G, chosen)
    return 0, BYTES_PER_VERTEX * G.n * min(batch_rows(G.A, batch), chosen)


def in_step(G: Graph, sources: int) -> int:
    """The workspace of searches in step on the CPU: of as many threads as there is room for."""
    one = bytes_in_step(WORDS[0]) * G.n
    return one * fitting_rows(G, one, BATCH_SHARE, threads_for(-(-sources // LANES)))


def extremes(G: Graph, given: Given) -> tuple[int, int]:
    """Result and workspace of searches of which only the last round is kept, a batch at a
    time."""
    if given.get("weight") is None and G.backend.storage == "host":
        return 0, in_step(G, some(given, "v", G.n))
    return 0, BYTES_OF_ROUNDS * G.n * min(batch_rows(G.A), G.n)


def from_sources(G: Graph, given: Given) -> tuple[int, int]:
    """Result and workspace of searches from several sources at once, of which all is kept."""
    k = 0 if given.get("sources") is None else some(given, "sources", G.n)
    loops = G.backend.storage == "host" and given.get("schedule") is None
    whole = TREE_BYTES if loops else BYTES_PER_VERTEX
    across = TRANSPOSE_BYTES * G.A.nvals if loops and k > 1 and G.directed else 0
    return RESULT_BYTES * G.n * k, (whole - RESULT_BYTES) * G.n * k + across


def table(G: Graph, given: Given) -> tuple[int, int]:
    """Result and workspace of tables of distances in FP64, which a GPU makes before they are
    copied."""
    whole = 8 * some(given, "sources", G.n) * some(given, "targets", G.n)
    return whole, whole * (G.backend.storage == "device")


def block(G: Graph, given: Given) -> tuple[int, int]:
    """Result and workspace of tables of distances that are made in blocks."""
    allowed, whole = given.get("memory"), table(G, given)[0]
    one = 8 * some(given, "targets", G.n) + SEARCH_BYTES * MIN_SEARCHES * G.n
    most = block_bytes(free_bytes(G), one) if allowed is None else allowed
    made = whole if most is None else min(whole, most)
    return made, made * (G.backend.storage == "device")


def all_pairs(G: Graph, given: Given) -> tuple[int, int]:
    return RESULT_BYTES * G.n**2, (PAIR_BYTES - RESULT_BYTES) * G.n**2


def core(G: Graph, given: Given) -> tuple[int, int]:
    """Result and workspace of a contraction: its dense core. Graphs that do not stay sparse are
    refused."""
    size = min(G.n, given["core"])
    return 8 * size**2, (PAIR_BYTES - 8) * size**2


def walks(G: Graph, given: Given) -> tuple[int, int]:
    """Result and workspace of walks, with what a step draws and looks up for each walker."""
    walkers = some(given, "sources", G.n)
    return RESULT_BYTES * walkers * (int(given["length"]) + 1), WALKER_BYTES * walkers


def listed(G: Graph, given: Given) -> tuple[int, int]:
    """Result and workspace of numbers for pairs of vertices; by default the edges, as in
    `FIGURES`."""
    pairs = given.get("pairs")
    return 0 if pairs is None else 16 * len(pairs), 0


def levels(G: Graph, given: Given) -> tuple[int, int]:
    """Result and workspace of Louvain's method beside its row."""
    return 0, beside_levels(G, STATEMENTS_OF_LEVELS)


def refinements(G: Graph, given: Given) -> tuple[int, int]:
    """Result and workspace of Leiden's method beside its row."""
    return 0, beside_levels(G, STATEMENTS_OF_REFINEMENTS)


def votes(G: Graph, given: Given) -> tuple[int, int]:
    """Result and workspace of the statements of label propagation, which a cluster runs."""
    return 0, VOTES_BYTES * G.n if G.backend.storage == "distributed" else 0


def row_of(name: str, G: Graph) -> Linear:
    """The row of an algorithm, by who carries it out."""
    linear, each = FIGURES[name].on_cpu, FIGURES[name].on_gpu
    if G.backend.storage != "device":
        return linear
    vertex = each.vertex + each.directed_vertex * G.directed
    return Linear(linear.result, vertex, each.entry + each.directed_entry * G.directed)


def bytes_of(more: Linear, G: Graph) -> int:
    """The bytes of a row for a graph."""
    return more.vertex * G.n + more.entry * G.A.nvals


def beside_levels(G: Graph, statements: Linear) -> int:
    """The workspace that the row of an algorithm does not count: on the host edges of both
    directions, and on a cluster the statements."""
    if G.backend.storage == "host":
        return BOTH_DIRECTIONS_BYTES * G.A.nvals * G.directed
    return bytes_of(statements, G) if G.backend.storage == "distributed" else 0


def ids_in_use(G: Graph) -> int:
    """How many vertices have edges, at most."""
    return min(G.n, G.A.nvals * (1 + G.directed))


def takes_ids_in_use(name: str, G: Graph) -> bool:
    """Whether the statements of an algorithm take memory for the vertices that have edges."""
    if FIGURES[name].of_ids_in_use is None or not rows_are_listed(G):
        return False
    return are_few(ids_in_use(G), G.n, G.n)


def of_statements(name: str, G: Graph) -> tuple[int, int]:
    """The bytes that the statements of an algorithm take for each of so many vertices, on all
    processes together; 0 if that is not known."""
    row = FIGURES[name]
    if row.of_ids_in_use is not None and takes_ids_in_use(name, G):
        return row.of_ids_in_use, ids_in_use(G)
    return row.by_statements or 0, G.n


def ranks(G: Graph, given: Given) -> tuple[int, int]:
    """Result and workspace of PageRank: in FP32 the result and the vectors of the rounds take
    less."""
    n = of_statements("pagerank", G)[1] if find(given["dtype"]) == FP32 else 0
    return -4 * n, -16 * n


MORE: dict[str, Callable[[Graph, Given], tuple[int, int]]] = {
    "bellman_ford": from_sources,
    "bfs": from_sources,
    "closeness_centrality": searches,
    "contract": core,
    "diameter": extremes,
    "distance_matrix": table,
    "eccentricity": extremes,
    "floyd_warshall": all_pairs,
    "harmonic_centrality": searches,
    "iter_distances": block,
    "label_propagation": votes,
    "leiden": refinements,
    "louvain": levels,
    "pagerank": ranks,
    "random_walks": walks,
    "sssp": from_sources,
}
"""Beside what is linear: the bytes of the result, and of the workspace."""
