"""The operands of each operation, drawn from a graph.

The table `DRAWN` says how; an operation may stand in it more than once, with a word for each kind
of its operands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.distance_types import path_type
from lagraph_gpu.algorithms._shared.labels import (
    RANKS,
    argsort,
    edges_among,
    edges_by_label,
    entry_numbers,
    permuted_ids,
    random_ranks,
)
from lagraph_gpu.algorithms._shared.packed_layout import packed
from lagraph_gpu.algorithms._shared.pattern import multiplicity
from lagraph_gpu.algorithms._shared.peeling import peel
from lagraph_gpu.algorithms._shared.power_iteration import l1_distance
from lagraph_gpu.algorithms._shared.source_batches import degrees_of, start_matrix
from lagraph_gpu.algorithms._shared.tree_edges import missing_tree_edges, tree_edge_values
from lagraph_gpu.algorithms._shared.vertex_values import (
    at_least,
    divided,
    inverses,
    ratio,
    scaled_sums,
    sum_of_squares,
)
from lagraph_gpu.algorithms.centrality.betweenness import dependencies
from lagraph_gpu.algorithms.centrality.closeness import closeness, closeness_of
from lagraph_gpu.algorithms.centrality.distance_sums import (
    distance_sums,
    source_totals,
    sums_of_lengths,
)
from lagraph_gpu.algorithms.centrality.eigenvector import eigenvector_rounds
from lagraph_gpu.algorithms.centrality.hits import hits_rounds
from lagraph_gpu.algorithms.centrality.katz import katz_rounds
from lagraph_gpu.algorithms.centrality.pagerank import (
    Distributions,
    GoogleMatrix,
    Walk,
    pagerank_rounds,
    ranks,
)
from lagraph_gpu.algorithms.community.label_argmax import label_argmax
from lagraph_gpu.algorithms.community.label_propagation import propagated_labels
from lagraph_gpu.algorithms.community.leiden import leiden_communities
from lagraph_gpu.algorithms.community.local_moving import MovingState, ScoreTerms, local_moving
from lagraph_gpu.algorithms.community.louvain import louvain_communities, total_weight
from lagraph_gpu.algorithms.community.louvain_level import Objective, weight_within
from lagraph_gpu.algorithms.community.modularity import community_sums, scaled
from lagraph_gpu.algorithms.community.moving_phase import turns_of_ranks
from lagraph_gpu.algorithms.community.quotient import quotient
from lagraph_gpu.algorithms.paths.eccentricity import bounded, farthest_levels
from lagraph_gpu.algorithms.paths.floyd_warshall import all_lengths
from lagraph_gpu.algorithms.paths.longest_path import longest_path_parents
from lagraph_gpu.algorithms.paths.path import ancestors
from lagraph_gpu.algorithms.paths.path_lengths import Pairs, contracted_lengths, path_lengths
from lagraph_gpu.algorithms.paths.point_to_point import lengths_towards, shortest_path
from lagraph_gpu.algorithms.paths.sssp import lengths_and_parents, tight_forest
from lagraph_gpu.algorithms.similarity.similarity import (
    coefficients,
    columns_in_common,
    numbers_in_common,
)
from lagraph_gpu.algorithms.structure.bipartite import has_two_sides, largest_matching, sides
from lagraph_gpu.algorithms.structure.clustering import closed_walks, edges_of_neighbours
from lagraph_gpu.algorithms.structure.components import (
    breadth_first_trees,
    component_labels,
    roots,
    weak_component_labels,
)
from lagraph_gpu.algorithms.structure.connected import largest_class
from lagraph_gpu.algorithms.structure.independent_set import (
    greedy_coloring,
    greedy_independent_set,
)
from lagraph_gpu.algorithms.structure.k_core import core_levels
from lagraph_gpu.algorithms.structure.k_truss import truss
from lagraph_gpu.algorithms.structure.matching import greedy_matching
from lagraph_gpu.algorithms.structure.relabel import (
    degree_order,
    laid_out,
    permuted,
    uses_layouts,
)
from lagraph_gpu.algorithms.structure.scc import pivots, strong_component_labels
from lagraph_gpu.algorithms.structure.spanning_tree import spanning_edges, spanning_forest_edges
from lagraph_gpu.algorithms.structure.triangles import (
    closed_wedges,
    total_triangles,
    vertex_triangles,
)
from lagraph_gpu.algorithms.traversal.bfs import levels_and_parents
from lagraph_gpu.algorithms.traversal.bfs_queue import bfs_queue
from lagraph_gpu.algorithms.traversal.dfs import depth_first
from lagraph_gpu.algorithms.traversal.random_walks import walks
from lagraph_gpu.algorithms.traversal.topological import longest_lengths
from lagraph_gpu.closure import Fixpoint, fixpoint, small_rounds
from lagraph_gpu.generate import Draw
from lagraph_gpu.generate.kronecker_edges import drawn_edges
from lagraph_gpu.generate.kronecker_rows import DrawnRows, drawn_rows, weighed
from lagraph_gpu.graph.derived import principal_submatrix
from lagraph_gpu.graph.facts import (
    diagonal_entries,
    is_symmetric,
    pattern_without_loops,
    row_lengths,
)
from lagraph_gpu.graph.queries import edge_ends
from lagraph_gpu.notation.aggregators import index_of_extreme
from lagraph_gpu.notation.coordinates import each_once, entries_by_row, joined_edges, joined_entries
from lagraph_gpu.notation.host_memory import (
    larger_backend,
    moved_to_device,
    spilled_bytes,
    spilled_to_host,
)
from lagraph_gpu.notation.matrix import symmetric as marked_symmetric
from lagraph_gpu.notation.matrix_export import all_values
from lagraph_gpu.notation.mirror_sums import mirror_sums
from lagraph_gpu.notation.operation import Operation
from lagraph_gpu.notation.packed_arrays import matrix_of_packed, packed_arrays
from lagraph_gpu.notation.vector_data import dense_array
from semirings import (
    any_eq,
    any_min,
    any_pair,
    any_plus,
    any_secondi,
    max_min,
    min_plus,
    plus_first,
    plus_times,
)
from semirings.types import FP32, FP64, INT64
from tests import graphs

Rng = np.random.Generator
Operands = tuple[Any, ...]


def symmetric(G: lg.Graph) -> lg.Matrix:
    return G.neighbours


def some(G: lg.Graph, rng: Rng) -> np.ndarray:
    """Some vertices, in any order and perhaps repeated."""
    return rng.integers(0, G.n, rng.integers(1, 6))


def some_vertices(G: lg.Graph, rng: Rng) -> np.ndarray:
    """Some of the vertices, as they come or in any order."""
    chosen = np.flatnonzero(rng.random(G.n) < rng.random())
    return rng.permutation(chosen) if rng.random() < 0.5 else chosen


def vector(G: lg.Graph, values: np.ndarray) -> lg.Vector:
    return lg.Vector.from_dense(values, backend=G.backend)


def weights(G: lg.Graph) -> lg.Matrix:
    """Lengths of at least 0."""
    return G.A.apply("abs").new(FP64)


def simple_weights(G: lg.Graph, rng: Rng) -> lg.Graph:
    """An undirected graph without loops whose weights are whole numbers, or not all."""
    i, j, _ = G.neighbours.to_coo()
    i, j = i[i < j], j[i < j]
    x = (i + j) % 5 + rng.choice([1.0, 0.5])
    return lg.Graph.from_edges(i, j, x.astype(rng.choice(["f4", "f8"])), directed=False, n=G.n,
                               backend=G.backend)  # fmt: skip


def distances(G: lg.Graph, rng: Rng) -> Operands:
    source = int(rng.integers(G.n))
    A = G.A.apply("abs").new("INT64")
    if rng.random() < 0.7:
        A = A.apply("plus", 1).new()  # no edge of length 0
    x = lg.closure(lg.Vector.from_coo([source], [0], size=G.n, backend=G.backend), A, min_plus)
    return x, G.point(source, source), A


def lengths(G: lg.Graph, rng: Rng, hops: bool) -> Operands:
    sources, targets = np.sort(some(G, rng)), some(G, rng)
    cutoff = [None, 2.5, 0.0][rng.integers(3)]
    asked: Any = [None, targets, None][rng.integers(3)]
    if rng.random() < 0.3:
        k = sources.size
        asked = Pairs(np.arange(k), rng.integers(0, G.n, k), rng.permutation(k))
    return weights(G), sources, asked, cutoff, None if hops else FP64, np.dtype(FP64)


def contracted(G: lg.Graph, rng: Rng) -> Operands:
    H = lg.Graph(G.A.apply("abs").new("INT64").apply("plus", 1).new(), G.directed)
    sources = np.sort(some(G, rng))
    return H.A, lg.contract(H, core=2), sources, None, [None, 5][rng.integers(2)], INT64, FP64


def two_sides(G: lg.Graph, rng: Rng) -> Operands:
    """A bipartite graph of the edges between lower and upper ids."""
    half = G.n // 2
    i, j, _ = G.neighbours.to_coo()
    across = (i < half) & (j >= half)
    H = lg.Graph.from_edges(i[across], j[across], n=G.n, directed=False, backend=G.backend)
    return H, vector(G, (np.arange(G.n) >= half).astype(INT64))


def with_sides(G: lg.Graph, rng: Rng) -> lg.Graph:
    """A bipartite graph, or any; directed or not."""
    H = two_sides(G, rng)[0] if rng.random() < 0.7 else G
    return lg.Graph(H.A, directed=True) if rng.integers(2) else H


def places(G: lg.Graph, rng: Rng) -> Operands:
    indptr, column, _ = G.A.to_csr()
    place = np.arange(column.size) - np.repeat(indptr[:-1], np.diff(indptr))
    A = lg.Matrix.from_csr(indptr, column, place.astype(np.int64), ncols=G.n, backend=G.backend)
    return A, max(1, column.size), int(rng.integers(G.n))


def forward(G: lg.Graph, rng: Rng, hops: bool) -> Operands:
    """Edges from lower to higher ids, and perhaps one back."""
    i, j, _ = G.A.to_coo()
    keep = (i < j) | (rng.random(i.size) < 0.02)
    w = rng.integers(-3, 9, keep.sum())
    H = lg.Graph.from_edges(i[keep], j[keep], w, n=G.n, dup="min", backend=G.backend)
    return H, hops, INT64


def longest_paths(G: lg.Graph, rng: Rng) -> Operands:
    """A graph without cycles, in one of some types, and its longest paths."""
    dtype = (np.int8, np.int64, np.uint64, np.float32)[rng.integers(4)]
    i, j, _ = G.A.select("triu", 1).new().to_coo()
    w = rng.integers(0, 4, i.size).astype(dtype)
    H = lg.Graph.from_edges(i, j, w, n=G.n, backend=G.backend)
    return H, longest_lengths(H, False, path_type(H))


def votes(G: lg.Graph) -> lg.Matrix:
    return G.neighbours.apply("one").new("FP64")


def keys(G: lg.Graph, rng: Rng) -> Operands:
    """Numbers of some type, close together or far apart, with equal ones among them."""
    dtype = (np.int8, np.int64, np.uint64, np.float64)[rng.integers(4)]
    apart = 1 if dtype == np.int8 else (1, 2**40)[rng.integers(2)]
    x = rng.integers(0, G.n, G.n) - (0 if dtype == np.uint64 else G.n // 2)
    return (vector(G, (apart * x).astype(dtype)),)


def labels(G: lg.Graph, rng: Rng) -> lg.Vector:
    return vector(G, rng.integers(0, G.n, G.n))


def pairs(G: lg.Graph, rng: Rng) -> lg.Matrix:
    """A matrix with entries in few rows, or in many."""
    i, j = np.divmod(np.unique(rng.integers(0, G.n**2, [4, 4 * G.n][rng.integers(2)])), G.n)
    return lg.Matrix.from_coo(i, j, 0, INT64, nrows=G.n, ncols=G.n, backend=G.backend)


def moving(G: lg.Graph, rng: Rng) -> Operands:
    B, label = votes(G), labels(G, rng)
    k = vector(G, rng.integers(1, 9, G.n).astype(float))
    terms = ScoreTerms(vector(G, np.ones(G.n)), k, None, None, 0.25)
    state = MovingState.of(label, vector(G, np.where(rng.random(G.n) < 0.8, -1.0, 3.0)), terms)
    return B, state, vector(G, rng.integers(0, 2, G.n).astype(np.uint8)), 2, terms


def to_merge(G: lg.Graph, rng: Rng) -> Operands:
    """A graph with whole weights and some loops, and what is to be raised."""
    directed = bool(rng.integers(2))
    i, j, _ = (G.A if directed else G.neighbours).to_coo()
    loops = np.arange(0, G.n, 2)
    i, j = np.concatenate([i, loops]), np.concatenate([j, loops])
    x = ((i + 1) * (j + 1) % 3 + 1.0) if rng.integers(2) else np.ones(i.size)
    shape: dict[str, Any] = {"nrows": G.n, "ncols": G.n, "backend": G.backend}
    A = lg.Matrix.from_coo(i, j, x, **shape, dup_op="max")
    A = A if directed else marked_symmetric(A)
    total = float(A.reduce("plus").new().get(0))
    objective = Objective(total, [0.5, 1.0, 2.0][rng.integers(3)], 1e-7, directed, rng)
    return A, objective, random_ranks(G, 5), [None, 0, 1, 2][rng.integers(4)]


def start(G: lg.Graph, rng: Rng, dtype: Any) -> lg.Vector:
    at = np.unique(some(G, rng))
    return lg.Vector.from_coo(at, np.zeros(at.size), dtype, size=G.n, backend=G.backend)


def full(G: lg.Graph, rng: Rng) -> lg.Matrix:
    """A matrix without gaps."""
    return lg.Matrix.from_dense(rng.integers(-9, 9, (G.n, 3)), backend=G.backend)


def weighted(G: lg.Graph, rng: Rng) -> Operands:
    """Lengths of a drawn type, of which some are 0, and a bound or none."""
    kind = ["INT32", "INT64", "FP32", "FP64", "UINT8"][rng.integers(5)]
    A = weights(G).dup(kind) if rng.random() < 0.5 else G.A.apply("one").new(kind)
    H = lg.Graph(A, G.directed)
    return H, int(rng.integers(G.n)), [None, 0.0, 2.5, 100][rng.integers(4)]


def weighted_rows(G: lg.Graph, rng: Rng) -> Operands:
    """The same from several vertices."""
    H, _, cutoff = weighted(G, rng)
    sources = some(G, rng)
    shape: dict[str, Any] = {"nrows": sources.size, "ncols": G.n, "backend": G.backend}
    dtype = path_type(H)
    return H, lg.Matrix.from_coo(np.arange(sources.size), sources, 0, dtype, **shape), cutoff


def a_frontier(G: lg.Graph, rng: Rng) -> Operands:
    """A closure of which some rounds are done, and a bound of them."""
    ring, rounds = (min_plus, any_pair)[rng.integers(2)], int(rng.integers(3))
    A = G.A.apply("abs").new("INT64")
    if ring is min_plus:
        A = A.apply("plus", 1).new()  # what is in the start stays as it is
    done = fixpoint.statements(start(G, rng, INT64), A, ring, rounds)
    most = int(rng.integers(rounds, G.n + 2))
    return done.x, latest(done, rounds), done.rounds, A, ring, rounds, most


def latest(done: Fixpoint, rounds: int) -> lg.Vector:
    """The entries that the last of so many rounds has changed."""
    return done.x.dup(mask=done.rounds.select("==", rounds).new().S)


def ranks_of_some(G: lg.Graph, rng: Rng) -> Operands:
    """Ranks of all vertices but one or more, and edges that often go both ways."""
    left = np.sort(rng.permutation(G.n)[: rng.integers(G.n // 2, G.n)])
    ranks = rng.permutation(G.n)[left] * RANKS + left
    A = both_ways(G) if rng.integers(2) else G.A
    return lg.Vector.from_coo(left, ranks, INT64, size=G.n, backend=G.backend), A


def google_matrix(G: lg.Graph, rng: Rng) -> Operands:
    """Some rounds, as ``lg.pagerank`` has them."""
    A, along = [(G.A, plus_first), (G.A.apply("one").new("FP32"), plus_times)][rng.integers(2)]
    kind = ["FP64", "FP32"][rng.integers(2)]
    start, sink, rate = (vector(G, rng.random(G.n)).dup(kind) for _ in range(3))
    teleport = vector(G, rng.random(G.n)).dup(kind) if rng.random() < 0.5 else None
    google = GoogleMatrix(
        A, along[kind], rate.apply("times", 0.1).new(), float(rng.random()), sink, teleport
    )
    return start, google, None, int(rng.integers(2, 12))


def power_rounds(G: lg.Graph, rng: Rng) -> Operands:
    """Some rounds over a matrix that is not empty, with weights or without."""
    A, along = [(G.A, plus_first), (G.A.apply("abs").new("FP32"), plus_times)][rng.integers(2)]
    if not A.reduce_scalar("max").new().get(0):
        A, along = with_ring(G), plus_first
    return vector(G, rng.random(G.n) + 0.1), A, along, None, int(rng.integers(2, 12))


def eigenvector_rounds_of(G: lg.Graph, rng: Rng) -> Operands:
    *matrix, bound, rounds = power_rounds(G, rng)
    return *matrix, not G.directed, bound, rounds


def katz_rounds_of(G: lg.Graph, rng: Rng) -> Operands:
    start, A, along, *ends = power_rounds(G, rng)
    return start, vector(G, rng.random(G.n)), A, along, float(rng.choice([0.0, 0.1, 2.0])), *ends


def rows_of_sources(G: lg.Graph, rng: Rng) -> Operands:
    sources = rng.integers(0, G.n, rng.integers(1, 5))
    start = start_matrix.statements(G.A, sources, sources, None)
    return G, start, [None, 0, 1, 3][rng.integers(4)]


def given_entries(G: lg.Graph, rng: Rng) -> Operands:
    """More entries than the graph has, so that some come twice."""
    held = G.A if G.A.nvals else lg.Matrix.from_coo([0], [0], backend=G.backend)
    some = rng.integers(0, held.nvals, 40)
    return G.backend, *(part[some] for part in held.to_coo()), None, (G.n, None), "plus"


def given_edges(G: lg.Graph, rng: Rng) -> Operands:
    _, i, j, x, *_ = given_entries(G, rng)
    weight = [None, x.astype(np.float64)][rng.integers(2)]
    return G.backend, i, j, weight, None, bool(rng.integers(2)), "min"


def unsorted_entries(G: lg.Graph, rng: Rng) -> Operands:
    _, i, j, x, *_ = given_entries(G, rng)
    both, iso = (bool(rng.integers(2)) for _ in range(2))
    return G.backend, i, j, x[:1] if iso else x, (G.n, G.n), iso, both


def rows_with_repeats(G: lg.Graph, rng: Rng) -> Operands:
    """The rows of a graph, in which some entries are there several times, with or without all
    rows."""
    i, j, _ = G.A.to_coo()
    times = rng.integers(1, 2 + rng.integers(3), i.size)
    i, j = i.repeat(times), j.repeat(times)
    return G.backend, np.searchsorted(i, np.arange(G.n + 1)), j.astype(np.int32)


def by_degree(G: lg.Graph) -> lg.Graph:
    """The graph of neighbours without weights, whose rows fall in length."""
    return lg.Graph._checked(symmetric(G).apply("one").new("INT64"), False).relabel("degree")


def weighted_by_degree(G: lg.Graph) -> lg.Graph:
    """The graph of neighbours with weights, whose rows fall in length."""
    heavier = symmetric(G).apply("abs").new(FP64)
    return lg.Graph._checked(lg.binary.max(heavier | heavier.T).new(), False).relabel("degree")


def drawn_without_weights(G: lg.Graph, rng: Rng) -> Operands:
    """A Kronecker graph's matrix and ids, how it was drawn, and the kind of weights."""
    draw = Draw(5, 4, int(rng.integers(99)))
    made = DrawnRows(draw, G.backend, bool(rng.integers(2))).graph
    return made.A, made.ids, draw, ("integer", "uniform")[rng.integers(2)]


def arrays_of(G: lg.Graph) -> Operands:
    """The arrays of packed rows, and the number of rows."""
    return packed_arrays(by_degree(G).relabel(layout="packed").A), G.n


def to_mirror(G: lg.Graph, rng: Rng) -> Operands:
    """A matrix, which is symmetric or not, its entries on the host, and a random function."""
    A, same = (
        (G.A, G.A) if rng.integers(2)
        else (by_degree(G).relabel(layout="packed").A for _ in range(2))
    )  # fmt: skip
    indptr, column, value = same.to_csr()
    row = np.repeat(np.arange(G.n), np.diff(indptr))
    keys = rng.integers(0, 2**64, 4, np.uint64) | np.uint64(1)
    return A, [(row, column, value)], keys


def both_ways(G: lg.Graph) -> lg.Matrix:
    return lg.binary.max(G.A | G.A.T).new() if G.directed else G.A


def with_ring(G: lg.Graph) -> lg.Matrix:
    """The edges, and a cycle through all vertices."""
    v = np.arange(G.n)
    ring = lg.Matrix.from_coo(v, (v + 1) % G.n, 1, G.A.dtype, ncols=G.n, backend=G.backend)
    return lg.binary.first(G.A | ring).new()


def connected(G: lg.Graph, rng: Rng) -> lg.Graph:
    """The edges in either direction, and a ring or a tree of all vertices."""
    v = np.arange(G.n)
    i, j, _ = symmetric(G).to_coo()
    more = (v + 1) % G.n if rng.integers(2) else rng.integers(0, np.maximum(v, 1))
    ends = np.concatenate([i, v]), np.concatenate([j, more])
    return lg.Graph.from_edges(*ends, n=G.n, directed=False, dup="first", backend=G.backend)


def a_pair(G: lg.Graph, rng: Rng) -> Operands:
    """A graph with lengths, and two vertices of it."""
    H = lg.Graph(weights(G), G.directed)
    return H, *map(int, rng.integers(0, G.n, 2)), None, None, None


def extreme_of(G: lg.Graph, rng: Rng) -> Operands:
    """Numbers at all vertices or at some, which may not be numbers, and what is looked for."""
    values = rng.integers(0, 3, G.n).astype([np.int32, np.float64, np.uint8][rng.integers(3)])
    if values.dtype == FP64:
        values[rng.random(G.n) < 0.3] = np.nan
    at = np.arange(G.n)[rng.random(G.n) < [1.0, 0.5, 0.0][rng.integers(3)]]
    x = lg.Vector.from_coo(at, values[at], size=G.n, backend=G.backend)
    return x, ["min", "max"][rng.integers(2)]


DRAWN: dict[str, Callable[[lg.Graph, Rng], Operands]] = {
    "fixpoint of min_plus": lambda G, rng: (start(G, rng, FP64), weights(G), min_plus, G.n),
    "fixpoint of max_min": lambda G, rng: (start(G, rng, FP64), weights(G), max_min, G.n),
    "fixpoint of any_secondi": lambda G, rng: (start(G, rng, INT64), G.A, any_secondi, G.n),
    "small_rounds": a_frontier,
    "levels_and_parents": lambda G, rng: (
        G, int(rng.integers(G.n)), [None, 0, 1, 3][rng.integers(4)]
    ),
    "levels_and_parents from each row": rows_of_sources,
    "lengths_and_parents": weighted,
    "lengths_and_parents from each row": weighted_rows,
    "strong_component_labels": lambda G, rng: (G,),
    "tight_forest": distances,
    "lengths_towards": a_pair,
    "shortest_path": a_pair,
    "component_labels": lambda G, rng: (symmetric(G),),
    "weak_component_labels": lambda G, rng: (G,),
    "spanning_forest_edges": lambda G, rng: (
        lg.Graph(both_ways(G), directed=False).A, ["min", "max"][rng.integers(2)]
    ),
    "spanning_edges": lambda G, rng: (
        lg.Graph(both_ways(G), directed=False).A, ["min", "max"][rng.integers(2)]
    ),
    "pivots": ranks_of_some,
    "has_two_sides": lambda G, rng: (with_sides(G, rng),),
    "sides": lambda G, rng: (with_sides(G, rng),),
    "pattern_without_loops": lambda G, rng: (G.A,),
    "diagonal_entries": lambda G, rng: (G.A,),
    "closeness": lambda G, rng: (
        *(vector(G, rng.integers(0, 4, G.n).astype(FP64)) for _ in range(2)),
        G.n,
        bool(rng.integers(2)),
    ),
    "scaled": lambda G, rng: (
        lg.Graph(both_ways(G).select("offdiag").new(), directed=False)
        if rng.integers(2) else lg.Graph(both_ways(G), directed=False),
    ),
    "principal_submatrix": lambda G, rng: (G.A, some_vertices(G, rng)),
    "roots": lambda G, rng: (vector(G, rng.integers(0, 3, G.n) % G.n),),
    "largest_class": lambda G, rng: (vector(G, rng.integers(0, rng.integers(1, G.n + 1), G.n)),),
    "is_symmetric": lambda G, rng: (G.A,),
    "row_lengths": lambda G, rng: (G.A,),
    "edge_ends": lambda G, rng: (
        lg.Graph(both_ways(G), directed=False) if rng.integers(2) else G,
    ),
    "peel": lambda G, rng: (G.out_degree, G.A.apply("one").new("INT64")),
    "core_levels": lambda G, rng: (
        lg.Graph(both_ways(G), directed=False) if rng.integers(2) else G,
    ),
    "truss": lambda G, rng: (G, int(rng.integers(1, 4))),
    "closed_wedges": lambda G, rng: (
        symmetric(G), G.A.select(["tril", "triu"][rng.integers(2)]).new()
    ),
    "total_triangles": lambda G, rng: (G,),
    "numbers_in_common of edges": lambda G, rng: (G, G.neighbours),
    "numbers_in_common of pairs": lambda G, rng: (G, pairs(G, rng)),
    "columns_in_common": lambda G, rng: (G.A, *map(int, rng.integers(0, G.n, 2))),
    "coefficients": lambda G, rng: (
        G, [G.neighbours, pairs(G, rng)][rng.integers(2)], [any_plus, any_min][rng.integers(2)],
    ),
    "vertex_triangles": lambda G, rng: (G,),
    "multiplicity": lambda G, rng: (G,),
    "closed_walks": lambda G, rng: (multiplicity(G),),
    "edges_of_neighbours": lambda G, rng: (G,),
    "greedy_independent_set": lambda G, rng: (random_ranks(G, 1), symmetric(G)),
    "greedy_matching": lambda G, rng: (
        random_ranks(G, 1), symmetric(G), 2 * int(rng.integers(2**63)) + 1
    ),
    "greedy_coloring": lambda G, rng: (
        random_ranks(G, 1), symmetric(G), bool(rng.integers(2))
    ),
    "dependencies": lambda G, rng: (
        G, vertices := np.unique(some(G, rng)), bool(rng.integers(2)),
        rng.integers(1, 4, vertices.size).astype(float),
    ),
    "label_argmax": lambda G, rng: (votes(G), labels(G, rng)),
    "propagated_labels": lambda G, rng: (G, int(rng.choice([0, 1, 5, 20, 100, 10**9]))),
    "local_moving": moving,
    "louvain_communities": to_merge,
    "leiden_communities": to_merge,
    "weight_within": lambda G, rng: (vector(G, rng.integers(0, 3, G.n)), to_merge(G, rng)[0]),
    "total_weight": lambda G, rng: (scaled(simple_weights(G, rng)),),
    "community_sums": lambda G, rng: (lg.Graph(weights(G), G.directed), labels(G, rng)),
    "turns_of_ranks": lambda G, rng: (
        random_ranks(G, 3), int(rng.integers(RANKS // 4)) * 2 + 1, [4, 32][rng.integers(2)]
    ),
    "quotient": lambda G, rng: (votes(G), labels(G, rng).selector(G.n)),
    "path_lengths in weights": lambda G, rng: lengths(G, rng, False),
    "path_lengths in edges": lambda G, rng: lengths(G, rng, True),
    "all_lengths": lambda G, rng: (G, G.A.dtype if G.A.dtype.kind == "f" else INT64),
    "contracted_lengths": contracted,
    "distance_sums": lambda G, rng: (G.A, np.unique(some(G, rng))),
    "source_totals": lambda G, rng: (G.A.T if rng.integers(2) else G.A, np.unique(some(G, rng))),
    "sums_of_lengths": lambda G, rng: (
        lg.Graph(weights(G), G.directed), np.unique(some(G, rng))
    ),
    "farthest_levels": lambda G, rng: (
        with_ring(G) if rng.integers(2) else G.A, np.unique(some(G, rng))
    ),
    "closeness_of": lambda G, rng: (
        G.A.T if rng.integers(2) else G.A, np.unique(some(G, rng)), bool(rng.integers(2))
    ),
    "start_matrix": lambda G, rng: (
        G.A, some(G, rng)[rng.integers(2) :], [0, 1.5, True][rng.integers(3)],
        [None, "FP64"][rng.integers(2)],
    ),
    "degrees_of": lambda G, rng: (G, some(G, rng)),
    "breadth_first_trees": lambda G, rng: (lg.Vector.from_coo(
        at := np.unique(some(G, rng)), at, INT64, size=G.n, backend=G.backend
    ), symmetric(G)),
    "scaled_sums": lambda G, rng: (
        vector(G, rng.random(G.n)), 0.1, np.unique(some(G, rng))[rng.integers(2):], 0.3
    ),
    "ratio": lambda G, rng: (
        labels(G, rng),
        [vector(G, rng.random(G.n)), start(G, rng, FP64).apply("plus", 2).new()][rng.integers(2)],
    ),
    "divided": lambda G, rng: (
        [labels(G, rng), start(G, rng, INT64)][rng.integers(2)], int(rng.integers(1, 9))
    ),
    "sum_of_squares": lambda G, rng: (
        [vector(G, rng.random(G.n)), start(G, rng, FP64), labels(G, rng)][rng.integers(3)],
    ),
    "inverses": lambda G, rng: (
        vector(G, np.where(rng.random(G.n) < 0.2, np.inf, 1 + rng.random(G.n))), rng.random(),
        [FP32, FP64][rng.integers(2)],
    ),
    "at_least": lambda G, rng: (
        [labels(G, rng), start(G, rng, INT64)][rng.integers(2)], int(rng.integers(-1, G.n))
    ),
    "index_of_extreme": extreme_of,
    "bounded": lambda G, rng: (connected(G, rng), int(rng.integers(1, 13))),
    "depth_first": lambda G, rng: (G, [None, int(rng.integers(G.n))][rng.integers(2)]),
    "walks": lambda G, rng: (
        lg.Graph(weights(G), G.directed), some(G, rng), int(rng.integers(9)), rng,
        bool(rng.integers(2)),
    ),
    "ancestors": lambda G, rng: (lg.bfs(G, int(rng.integers(G.n)))[1], int(rng.integers(G.n))),
    "argsort": keys,
    "entry_numbers": lambda G, rng: (start(G, rng, INT64),),
    "degree_order": lambda G, rng: (G.A,),
    "dense_array": lambda G, rng: (start(G, rng, INT64), -7, INT64),
    "all_values": lambda G, rng: ([G.A, full(G, rng)][rng.integers(2)],),
    "permuted": lambda G, rng: (G.A, vector(G, rng.permutation(G.n))),
    "laid_out": lambda G, rng: (G.A, vector(G, rng.permutation(G.n))),
    "packed": lambda G, rng: (by_degree(G).A,),
    "missing_tree_edges": lambda G, rng: (
        start(G, rng, INT64), by_degree(G).relabel(layout="packed").A
    ),
    "tree_edge_values": lambda G, rng: (
        start(G, rng, INT64),
        (by_degree(G) if rng.integers(2) else weighted_by_degree(G)).relabel(layout="packed").A,
    ),
    "packed_arrays": lambda G, rng: (by_degree(G).relabel(layout="packed").A,),
    "matrix_of_packed": lambda G, rng: (G.backend, *arrays_of(G)),
    "mirror_sums": to_mirror,
    "drawn_rows": lambda G, rng: (
        G.backend, Draw(5, 4, int(rng.integers(99))), bool(rng.integers(2))
    ),
    "weighed": drawn_without_weights,
    "edges_by_label": lambda G, rng: (vector(G, rng.integers(0, 3, G.n)), G.A, any_eq),
    "edges_among": lambda G, rng: (start(G, rng, INT64), G.A),
    "permuted_ids": lambda G, rng: (G, 17, ((5, 16), (3, 15), (2**30 + 1, 16))),
    "drawn_edges": lambda G, rng: (G.backend, Draw(5, 4, int(rng.integers(99)))),
    "bfs_queue": places,
    "longest_lengths in weights": lambda G, rng: forward(G, rng, False),
    "longest_path_parents": longest_paths,
    "longest_lengths in edges": lambda G, rng: forward(G, rng, True),
    "largest_matching": two_sides,
    "pagerank_rounds": google_matrix,
    "ranks": lambda G, rng: (
        G, Walk(0.85, None, (FP64, FP32)[rng.integers(2)], None, 9), Distributions(None, None, None)
    ),
    "hits_rounds": power_rounds,
    "eigenvector_rounds": eigenvector_rounds_of,
    "katz_rounds": katz_rounds_of,
    "l1_distance": lambda G, rng: (vector(G, rng.random(G.n)), vector(G, rng.random(G.n))),
    "joined_entries": given_entries,
    "joined_edges": given_edges,
    "entries_by_row": unsorted_entries,
    "each_once": rows_with_repeats,
}  # fmt: skip

PLACES = {spilled_bytes, moved_to_device, spilled_to_host, larger_backend, uses_layouts}
"""Operations about where and how things are stored, which compute nothing
(tests/test_out_of_memory_fallback.py)."""

OPERATIONS: dict[str, Operation[Any, Any]] = {
    op.__name__: op  # type: ignore[attr-defined]
    for op in (
        fixpoint, small_rounds, levels_and_parents, lengths_and_parents, strong_component_labels,
        closed_walks, edges_of_neighbours,
        closed_wedges, total_triangles, vertex_triangles, tight_forest, lengths_towards,
        shortest_path, component_labels, weak_component_labels, has_two_sides, sides,
        spanning_forest_edges, spanning_edges, pivots, pattern_without_loops,
        diagonal_entries, row_lengths, edge_ends, peel,
        core_levels, truss, numbers_in_common, coefficients, columns_in_common,
        greedy_independent_set, greedy_coloring, greedy_matching, dependencies, label_argmax,
        propagated_labels, local_moving, louvain_communities, leiden_communities, weight_within,
        total_weight,
        turns_of_ranks, quotient, path_lengths, contracted_lengths, all_lengths,
        distance_sums, argsort, entry_numbers, degree_order, permuted, laid_out, edges_by_label,
        edges_among, principal_submatrix, largest_class, closeness, scaled, roots,
        longest_path_parents,
        permuted_ids, drawn_edges, bfs_queue, longest_lengths, largest_matching, l1_distance,
        pagerank_rounds, ranks, hits_rounds, eigenvector_rounds, katz_rounds,
        farthest_levels, bounded, depth_first, walks, community_sums, joined_entries,
        each_once, entries_by_row, is_symmetric, joined_edges, packed,
        missing_tree_edges, tree_edge_values, drawn_rows,
        weighed, packed_arrays, matrix_of_packed, source_totals, sums_of_lengths,
        mirror_sums,
        closeness_of, start_matrix, degrees_of, breadth_first_trees, scaled_sums, ratio, divided,
        inverses,
        index_of_extreme, multiplicity, sum_of_squares, ancestors,
        dense_array, all_values,
        at_least,
    )
}  # fmt: skip


def operands_of(name: str, example: graphs.Example, seed: int, backend: Any) -> Operands:
    return DRAWN[name](example.graph(backend), np.random.default_rng(seed))
