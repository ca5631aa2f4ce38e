"""Each lowering of each backend beside the statements that define the operation.

The table below says how operands of an operation are drawn, and what of an answer is fixed: all of
it as a rule, and where any of several answers is right, what they have in common. An operation for
which a backend has a lowering and which is not in the table fails the test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import lagraph_gpu as lg
from lagraph_gpu import verify
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
from lagraph_gpu.algorithms._shared.peeling import peel
from lagraph_gpu.algorithms._shared.power_iteration import l1_distance
from lagraph_gpu.algorithms._shared.tree_edges import missing_tree_edges
from lagraph_gpu.algorithms.centrality.betweenness import dependencies
from lagraph_gpu.algorithms.centrality.distance_sums import distance_sums, source_totals
from lagraph_gpu.algorithms.centrality.pagerank import GoogleMatrix, pagerank_rounds
from lagraph_gpu.algorithms.community.label_argmax import label_argmax
from lagraph_gpu.algorithms.community.local_moving import MovingState, ScoreTerms, local_moving
from lagraph_gpu.algorithms.community.louvain import merged_communities
from lagraph_gpu.algorithms.community.louvain_level import Objective
from lagraph_gpu.algorithms.community.quotient import quotient
from lagraph_gpu.algorithms.paths.path_lengths import Pairs, contracted_lengths, path_lengths
from lagraph_gpu.algorithms.paths.point_to_point import lengths_towards
from lagraph_gpu.algorithms.paths.sssp import lengths_and_parents, tight_forest
from lagraph_gpu.algorithms.structure.bipartite import largest_matching
from lagraph_gpu.algorithms.structure.components import component_labels
from lagraph_gpu.algorithms.structure.independent_set import (
    greedy_coloring,
    greedy_independent_set,
)
from lagraph_gpu.algorithms.structure.k_core import core_levels
from lagraph_gpu.algorithms.structure.k_truss import truss
from lagraph_gpu.algorithms.structure.relabel import (
    degree_order,
    laid_out,
    permuted,
    uses_layouts,
)
from lagraph_gpu.algorithms.structure.scc import pivots, strong_component_labels
from lagraph_gpu.algorithms.structure.spanning_tree import spanning_edges, spanning_forest_edges
from lagraph_gpu.algorithms.structure.triangles import closed_wedges
from lagraph_gpu.algorithms.traversal.bfs import levels_and_parents
from lagraph_gpu.algorithms.traversal.bfs_queue import bfs_queue
from lagraph_gpu.algorithms.traversal.topological import longest_lengths
from lagraph_gpu.closure import Fixpoint, fixpoint, small_rounds
from lagraph_gpu.errors import LagraphError
from lagraph_gpu.generate.generators import Draw
from lagraph_gpu.generate.kronecker_edges import drawn_edges
from lagraph_gpu.generate.kronecker_rows import DrawnRows, drawn_rows, weighed
from lagraph_gpu.notation.coordinates import joined_edges, joined_entries
from lagraph_gpu.notation.host_memory import bytes_behind, moved_back, moved_behind, roomier
from lagraph_gpu.notation.matrix import symmetric as marked_symmetric
from lagraph_gpu.notation.mirror_sums import mirror_sums
from lagraph_gpu.notation.operation import Operation
from lagraph_gpu.notation.packed_arrays import matrix_of_packed, packed_arrays
from semirings import any_eq, any_pair, any_secondi, max_min, min_plus, plus_first, plus_times
from semirings.types import FP64, INT32, INT64, UINT32
from tests import graphs
from tests.harness import BOTH, CPU, GPU, reseed
from tests.strategies import any_graph, examples, seeds

Rng = np.random.Generator
Operands = tuple[Any, ...]


def symmetric(G: lg.Graph) -> lg.Matrix:
    return G.neighbours


def some(G: lg.Graph, rng: Rng) -> np.ndarray:
    """Some vertices, in any order and perhaps repeated."""
    return rng.integers(0, G.n, rng.integers(1, 6))


def vector(G: lg.Graph, values: np.ndarray) -> lg.Vector:
    return lg.Vector.from_dense(values, backend=G.backend)


def weights(G: lg.Graph) -> lg.Matrix:
    """Lengths of at least 0."""
    return G.A.apply("abs").new(FP64)


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
    return H, lg.Vector.from_coo(np.arange(half), np.arange(half), INT64, size=G.n,
                                 backend=G.backend)  # fmt: skip


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


def votes(G: lg.Graph) -> lg.Matrix:
    return G.neighbours.apply("one").new("FP64")


def labels(G: lg.Graph, rng: Rng) -> lg.Vector:
    return vector(G, rng.integers(0, G.n, G.n))


def moving(G: lg.Graph, rng: Rng) -> Operands:
    B, label = votes(G), labels(G, rng)
    k = vector(G, rng.integers(1, 9, G.n).astype(float))
    terms = ScoreTerms(vector(G, np.ones(G.n)), k, None, None, 0.25)
    state = MovingState.of(label, vector(G, np.where(rng.random(G.n) < 0.8, -1.0, 3.0)), terms)
    return B, state, vector(G, rng.integers(0, 2, G.n).astype(np.uint8)), 2, terms


def to_merge(G: lg.Graph, rng: Rng) -> Operands:
    """An undirected graph with whole weights and some loops, and what is to be raised."""
    i, j, _ = G.neighbours.to_coo()
    loops = np.arange(0, G.n, 2)
    i, j = np.concatenate([i, loops]), np.concatenate([j, loops])
    x = ((i + 1) * (j + 1) % 3 + 1.0) if rng.integers(2) else np.ones(i.size)
    shape: dict[str, Any] = {"nrows": G.n, "ncols": G.n, "backend": G.backend}
    A = marked_symmetric(lg.Matrix.from_coo(i, j, x, **shape, dup_op="max"))
    total = float(A.reduce("plus").new().get(0))
    objective = Objective(total, [0.5, 1.0, 2.0][rng.integers(3)], 1e-7, False, rng)
    return A, objective, random_ranks(G, 5), [None, 0, 1, 2][rng.integers(4)]


def start(G: lg.Graph, rng: Rng, dtype: Any) -> lg.Vector:
    at = np.unique(some(G, rng))
    return lg.Vector.from_coo(at, np.zeros(at.size), dtype, size=G.n, backend=G.backend)


def weighted(G: lg.Graph, rng: Rng) -> Operands:
    """Lengths of a drawn type, of which some are 0, and a bound or none."""
    kind = ["INT32", "INT64", "FP32", "FP64", "UINT8"][rng.integers(5)]
    A = weights(G).dup(kind) if rng.random() < 0.5 else G.A.apply("one").new(kind)
    H = lg.Graph(A, G.directed)
    return H, int(rng.integers(G.n)), [None, 0.0, 2.5, 100][rng.integers(4)]


def a_frontier(G: lg.Graph, rng: Rng) -> Operands:
    """A closure of which some rounds are done, and a bound of them."""
    ring, rounds = (min_plus, any_pair)[rng.integers(2)], int(rng.integers(3))
    A = G.A.apply("abs").new("INT64")
    if ring is min_plus:
        A = A.apply("plus", 1).new()  # what is in the start stays as it is
    done = fixpoint.statements(start(G, rng, INT64), A, ring, rounds)
    most = int(rng.integers(rounds, G.n + 2))
    return done.x, latest(done, rounds), done.levels, A, ring, rounds, most


def latest(done: Fixpoint, rounds: int) -> lg.Vector:
    """The entries that the last of so many rounds has changed."""
    return done.x.dup(mask=done.levels.select("==", rounds).new().S)


def ranks_of_some(G: lg.Graph, rng: Rng) -> Operands:
    """Ranks of all vertices but one or more, and edges that often go both ways."""
    left = np.sort(rng.permutation(G.n)[: rng.integers(G.n // 2, G.n)])
    ranks = rng.permutation(G.n)[left] * RANKS + left
    A = BOTH_WAYS(G) if rng.integers(2) else G.A
    return lg.Vector.from_coo(left, ranks, INT64, size=G.n, backend=G.backend), A


def google_matrix(G: lg.Graph, rng: Rng) -> Operands:
    """Some rounds, as ``lg.pagerank`` has them."""
    A, along = [(G.A, plus_first), (G.A.apply("one").new("FP32"), plus_times)][rng.integers(2)]
    start, sink, rate = (vector(G, rng.random(G.n)) for _ in range(3))
    teleport = vector(G, rng.random(G.n)) if rng.random() < 0.5 else None
    google = GoogleMatrix(
        A, along, rate.apply("times", 0.1).new(), float(rng.random()), sink, teleport
    )
    return start, google, None, int(rng.integers(2, 12))


def given_entries(G: lg.Graph, rng: Rng) -> Operands:
    """More entries than the graph has, so that some come twice."""
    held = G.A if G.A.nvals else lg.Matrix.from_coo([0], [0], backend=G.backend)
    some = rng.integers(0, held.nvals, 40)
    return G.backend, *(part[some] for part in held.to_coo()), None, (G.n, None), "plus"


def given_edges(G: lg.Graph, rng: Rng) -> Operands:
    _, i, j, x, *_ = given_entries(G, rng)
    weight = [None, x.astype(np.float64)][rng.integers(2)]
    return G.backend, i, j, weight, None, bool(rng.integers(2)), "min"


DRAWN: dict[str, Callable[[lg.Graph, Rng], Operands]] = {
    "fixpoint of min_plus": lambda G, rng: (start(G, rng, FP64), weights(G), min_plus, G.n),
    "fixpoint of max_min": lambda G, rng: (start(G, rng, FP64), weights(G), max_min, G.n),
    "fixpoint of any_secondi": lambda G, rng: (start(G, rng, INT64), G.A, any_secondi, G.n),
    "small_rounds": a_frontier,
    "levels_and_parents": lambda G, rng: (
        G, int(rng.integers(G.n)), [None, 0, 1, 3][rng.integers(4)]
    ),
    "lengths_and_parents": weighted,
    "strong_component_labels": lambda G, rng: (G,),
    "tight_forest": distances,
    "lengths_towards": lambda G, rng: (
        lg.Graph(weights(G), G.directed), *map(int, rng.integers(0, G.n, 2)), None, None, None
    ),
    "component_labels": lambda G, rng: (symmetric(G),),
    "spanning_forest_edges": lambda G, rng: (
        lg.Graph(BOTH_WAYS(G), directed=False).A, ["min", "max"][rng.integers(2)]
    ),
    "spanning_edges": lambda G, rng: (
        lg.Graph(BOTH_WAYS(G), directed=False).A, ["min", "max"][rng.integers(2)]
    ),
    "pivots": ranks_of_some,
    "peel": lambda G, rng: (G.out_degree, G.A.apply("one").new("INT64")),
    "core_levels": lambda G, rng: (
        lg.Graph(BOTH_WAYS(G), directed=False) if rng.integers(2) else G,
    ),
    "truss": lambda G, rng: (G, int(rng.integers(1, 4))),
    "closed_wedges": lambda G, rng: (
        symmetric(G), G.A.select(["tril", "triu"][rng.integers(2)]).new()
    ),
    "greedy_independent_set": lambda G, rng: (random_ranks(G, 1), symmetric(G)),
    "greedy_coloring": lambda G, rng: (random_ranks(G, 1), symmetric(G)),
    "dependencies": lambda G, rng: (
        G, vertices := np.unique(some(G, rng)), bool(rng.integers(2)),
        rng.integers(1, 4, vertices.size).astype(float),
    ),
    "label_argmax": lambda G, rng: (votes(G), labels(G, rng).selector(G.n)),
    "local_moving": moving,
    "merged_communities": to_merge,
    "quotient": lambda G, rng: (votes(G), labels(G, rng).selector(G.n)),
    "path_lengths in weights": lambda G, rng: lengths(G, rng, False),
    "path_lengths in edges": lambda G, rng: lengths(G, rng, True),
    "contracted_lengths": contracted,
    "distance_sums": lambda G, rng: (G.A, np.unique(some(G, rng))),
    "source_totals": lambda G, rng: (G.A.T if rng.integers(2) else G.A, np.unique(some(G, rng))),
    "argsort": lambda G, rng: (labels(G, rng),),
    "entry_numbers": lambda G, rng: (start(G, rng, INT64),),
    "degree_order": lambda G, rng: (G.A,),
    "permuted": lambda G, rng: (G.A, vector(G, rng.permutation(G.n))),
    "laid_out": lambda G, rng: (G.A, vector(G, rng.permutation(G.n))),
    "packed": lambda G, rng: (by_degree(G).A,),
    "missing_tree_edges": lambda G, rng: (
        start(G, rng, INT64), by_degree(G).relabel(layout="packed").A
    ),
    "packed_arrays": lambda G, rng: (by_degree(G).relabel(layout="packed").A,),
    "matrix_of_packed": lambda G, rng: (G.backend, *arrays_of(G)),
    "mirror_sums": lambda G, rng: to_mirror(G, rng),
    "drawn_rows": lambda G, rng: (
        G.backend, Draw(5, 4, int(rng.integers(99))), bool(rng.integers(2))
    ),
    "weighed": lambda G, rng: drawn_without_weights(G, rng),
    "edges_by_label": lambda G, rng: (vector(G, rng.integers(0, 3, G.n)), G.A, any_eq),
    "edges_among": lambda G, rng: (start(G, rng, INT64), G.A),
    "permuted_ids": lambda G, rng: (G, 17, ((5, 16), (3, 15), (2**30 + 1, 16))),
    "drawn_edges": lambda G, rng: (G.backend, Draw(5, 4, int(rng.integers(99)))),
    "bfs_queue": places,
    "longest_lengths in weights": lambda G, rng: forward(G, rng, False),
    "longest_lengths in edges": lambda G, rng: forward(G, rng, True),
    "largest_matching": two_sides,
    "pagerank_rounds": google_matrix,
    "l1_distance": lambda G, rng: (vector(G, rng.random(G.n)), vector(G, rng.random(G.n))),
    "joined_entries": given_entries,
    "joined_edges": given_edges,
}  # fmt: skip

PLACES = {bytes_behind, moved_back, moved_behind, roomier, uses_layouts}
"""Operations about where and how things are stored, which compute nothing
(tests/test_out_of_memory_fallback.py)."""

OPERATIONS: dict[str, Operation[Any, Any]] = {
    op.__name__: op  # type: ignore[attr-defined]
    for op in (
        fixpoint, small_rounds, levels_and_parents, lengths_and_parents, strong_component_labels,
        closed_wedges, tight_forest, lengths_towards, component_labels,
        spanning_forest_edges, spanning_edges, pivots, peel, core_levels, truss,
        greedy_independent_set, greedy_coloring, dependencies, label_argmax, local_moving,
        merged_communities, quotient, path_lengths, contracted_lengths, distance_sums, argsort,
        entry_numbers, degree_order, permuted, laid_out, edges_by_label,
        edges_among,
        permuted_ids, drawn_edges, bfs_queue, longest_lengths, largest_matching, l1_distance,
        pagerank_rounds, joined_entries, joined_edges, packed, missing_tree_edges, drawn_rows,
        weighed, packed_arrays, matrix_of_packed, source_totals, mirror_sums,
    )
}  # fmt: skip


def by_degree(G: lg.Graph) -> lg.Graph:
    """The graph of neighbours without weights, whose rows fall in length."""
    return lg.Graph._checked(symmetric(G).apply("one").new("INT64"), False).relabel("degree")


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


def BOTH_WAYS(G: lg.Graph) -> lg.Matrix:
    return lg.binary.max(G.A | G.A.T).new() if G.directed else G.A


def plain(found: Any) -> Any:
    """An answer as NumPy arrays and numbers."""
    if isinstance(found, (lg.Vector, lg.Matrix)):
        return found.dtype, found.to_dict() if isinstance(found, lg.Vector) else found.to_dicts()
    if isinstance(found, lg.Scalar):
        return pytest.approx(found.value, rel=1e-12)
    if isinstance(found, (tuple, list)):
        return [plain(part) for part in found]
    if hasattr(found, "dtype"):  # an array of the backend's library
        return (found if isinstance(found, np.ndarray) else found.get()).tolist()
    return found


def answer(name: str, function: Callable[..., Any], operands: Operands) -> Any:
    """What a lowering or the statements make of operands, in handles, arrays and numbers."""
    found = function(*operands)
    if found is None:
        return None
    to = operands[0]
    if name == "small_rounds":  # in place
        return found, *operands[:3]
    if name == "drawn_edges":
        n = operands[1].n
        ends = lg.Vector._stored(found.ends(), n, INT64, to)
        return ends, lg.Matrix._stored(found.matrix(None), (n, n), INT32, to)
    if name == "drawn_rows":
        n = operands[1].n
        vectors = (found.ids, INT64), (found.ends, UINT32)
        A = lg.Matrix._stored(found.store, (n, n), INT32, to)
        return A, *(lg.Vector._stored(store, n, kind, to) for store, kind in vectors)
    if name.startswith("joined"):
        return lg.Matrix._stored(*found, to)
    if name == "weighed":
        return found.matrix
    if name == "label_argmax":
        return found.top, found.label
    return list(found) if isinstance(found, Iterator) else found


def same(name: str, found: Any, right: Any, operands: Operands) -> bool:
    """Are both answers right, where several may be? The statements' is."""
    if name in JUDGES:
        return JUDGES[name](found, right, *operands)
    if name == "packed_arrays":  # a backend without packed rows has no arrays
        A = operands[0]
        made = matrix_of_packed.statements(A.backend, found, A.nrows)
        return right is None and made.isequal(A)
    if isinstance(found, Fixpoint):
        return found.x.isequal(right.x, check_dtype=True) and are_like_rounds(found, right)
    if name.endswith("and_parents"):
        (far, parent), (expected, tree) = found, right
        alike_but_for_the_tree = (
            far.isequal(expected, check_dtype=True) and parent.dtype == tree.dtype
        )
        judge: Any = verify.verify_bfs if name.startswith("levels") else verify.verify_sssp
        judge(*operands[:2], *found, operands[2])
        return alike_but_for_the_tree and parent.to_dict().keys() == tree.to_dict().keys()
    if name == "missing_tree_edges":
        return bool(found == right)
    if name == "lengths_towards":
        return bool(found.get(operands[2]) == right.get(operands[2]))
    sums = "dependencies", "distance_sums", "source_totals", "local_moving", "pagerank_rounds"
    if name in sums:
        pairs = [(found, right)] if isinstance(found, lg.Vector) else zip(found, right, strict=True)
        return all(np.allclose(a.to_dense(0), b.to_dense(0), rtol=1e-9) for a, b in pairs)
    return bool(plain(found) == plain(right))


def are_like_rounds(found: Fixpoint, right: Fixpoint) -> bool:
    """Are the rounds right, which may be missing, and does it say rightly whether it is done?"""
    dated = found.levels is None or found.levels.isequal(right.levels, check_dtype=True)
    return found.at_rest == right.at_rest and dated


def is_search(found: Fixpoint, right: Fixpoint, x0: lg.Vector, A: lg.Matrix, *_: Any) -> bool:
    """Has each vertex the id of a vertex one level before it that has an edge to it?"""
    level, parent, begun = (v.to_dict() for v in (right.levels, found.x, x0))
    edges = {v: set(row) for v, row in A.to_dicts().items()}
    return (
        are_like_rounds(found, right)
        and found.x.dtype == INT64
        and parent.keys() == level.keys()
        and all(
            parent[v] == begun[v] if level[v] == 0
            else level.get(parent[v]) == level[v] - 1 and v in edges.get(parent[v], ())
            for v in level
        )
    )  # fmt: skip


def are_rounds(
    found: Any, _: Any, x: Any, frontier: Any, levels: Any, A: Any, ring: Any, rounds: int,
    most: int,
) -> bool:  # fmt: skip
    """Is all as the loop leaves it after so many rounds, each of which has begun with something?"""
    done, *changed = found
    after = fixpoint.statements(x.dup(mask=levels.select("==", 0).new().S), A, ring, rounds + done)
    expected = after.x, latest(after, rounds + done), after.levels
    return (
        0 <= done <= max(0, most - rounds)
        and (done == 0 or after.levels.reduce("max").new().value >= rounds + done - 1)
        and all(a.isequal(b, check_dtype=True) for a, b in zip(changed, expected, strict=True))
    )


def is_forest(
    found: lg.Vector, right: lg.Vector, distance: lg.Vector, roots: lg.Vector, A: lg.Matrix
) -> bool:
    verify.verify_sssp(lg.Graph(A), next(iter(roots)), distance, found)
    return found.dtype == right.dtype


def is_largest(found: lg.Vector, right: lg.Vector, G: lg.Graph, left: lg.Vector) -> bool:
    verify.verify_matching(G, found, maximum=True)
    return found.dtype == right.dtype and found.nvals == right.nvals


def have_pivots(found: lg.Vector, right: lg.Vector, rank: lg.Vector, A: lg.Matrix) -> bool:
    """Has each strong component among the ranked vertices one of its vertices as pivot? One of a
    single vertex may have none."""
    number, ranked = strong_numbers(rank, A)
    for pivot in (found, right):
        at, value = pivot.to_coo()
        if value.dtype != INT64 or not np.isin(np.r_[at, value], ranked).all():
            return False
        missing = np.setdiff1d(ranked, at)
        pairs = np.unique(np.stack([number[at], value]), axis=1)
        if (
            (np.bincount(number)[number[missing]] > 1).any()
            or (number[at] != number[value]).any()
            or pairs.shape[1] != np.unique(number[at]).size
        ):
            return False
    return True


def strong_numbers(rank: lg.Vector, A: lg.Matrix) -> tuple[np.ndarray, np.ndarray]:
    """SciPy's numbers of the strong components among the vertices with a rank, and these."""
    ranked = rank.to_coo()[0]
    i, j, _ = A.to_coo()
    kept = np.isin(i, ranked) & np.isin(j, ranked)
    pattern = coo_array((np.ones(kept.sum()), (i[kept], j[kept])), shape=A.shape)
    return connected_components(pattern, connection="strong")[1], ranked


JUDGES: dict[str, Callable[..., bool]] = {
    "fixpoint of any_secondi": is_search,
    "small_rounds": are_rounds,
    "tight_forest": is_forest,
    "largest_matching": is_largest,
    "pivots": have_pivots,
}
"""Whether an answer is right: of it, the statements' answer and the operands."""


def operands_of(name: str, example: graphs.Example, seed: int, backend: Any) -> Operands:
    return DRAWN[name](example.graph(backend), np.random.default_rng(seed))


def check(name: str, example: graphs.Example, seed: int, backend: Any) -> None:
    operation = OPERATIONS[name.split()[0]]
    if example.n == 0 or operation not in backend.lowerings:
        return
    mine, theirs, shown = (operands_of(name, example, seed, backend) for _ in range(3))
    found = answer(name, backend.lowerings[operation], mine)
    if found is not None:  # else there is nothing for these operands, and the statements do it
        assert same(name, found, answer(name, operation.statements, theirs), shown)


@pytest.fixture(autouse=True)
def few_entries_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GPU.coordinates, "least", 0)


@pytest.mark.parametrize("name", DRAWN)
@examples(25)
@given(example=any_graph(), seed=st.integers(0, 2**16))
def test_on_the_cpu(name: str, example: graphs.Example, seed: int) -> None:
    check(name, example, seed, CPU)


@pytest.mark.parametrize("name", DRAWN)
@examples(4)
@given(example=any_graph(), seed=seeds)
def test_on_the_gpu(name: str, example: graphs.Example, seed: int) -> None:
    reseed(seed)
    check(name, example, seed, GPU)


@pytest.mark.parametrize("backend", BOTH, ids=["cpu", "gpu"])
def test_the_table_has_every_lowering(backend: Any) -> None:
    assert set(backend.lowerings) - PLACES <= set(OPERATIONS.values())
    assert {name.split()[0] for name in DRAWN} == set(OPERATIONS)


LOWERED = [
    pytest.param(name, backend, id=f"{name} on the {backend.name}")
    for name in DRAWN
    for backend in BOTH
    if OPERATIONS[name.split()[0]] in backend.lowerings
]


@pytest.mark.parametrize(("name", "backend"), LOWERED)
def test_a_wrong_answer_is_found(name: str, backend: Any) -> None:
    """The lowering has an answer of some entries for a graph of 33 vertices, and the judge refuses
    whatever differs from it."""
    operation, example = OPERATIONS[name.split()[0]], graphs.NAMED["random 33"]
    for seed in range(30):
        mine, theirs, shown = (operands_of(name, example, seed, backend) for _ in range(3))
        found = answer(name, backend.lowerings[operation], mine)
        if found is not None and (wrong := list(spoiled(found))) and is_of_use(name, found):
            break
    else:
        pytest.fail("the lowering has no answer")
    right = answer(name, operation.statements, theirs)
    assert same(name, found, right, shown)
    for one in wrong:
        with pytest.raises((AssertionError, LagraphError)):
            assert same(name, one, right, shown), one


def is_of_use(name: str, found: Any) -> bool:
    """Is it an answer in which a fault shows?"""
    if name == "small_rounds":
        return found[0] > 0 and found[1].nvals > 1 and found[2].nvals > 0
    return not isinstance(found, lg.Vector) or found.nvals > 1


def spoiled(found: Any) -> Iterator[Any]:
    """Answers like this one, of which one part is wrong."""
    if isinstance(found, (lg.Vector, lg.Matrix)):
        zero = found.apply("times", 0).new(found.dtype)
        yield from (one for one in (zero,) if not one.isequal(found))
        if found.dtype.kind != "b":
            yield found.apply("plus", 1).new(found.dtype)
        if found.nvals:
            yield type(found)(found.dtype, *found.shape, backend=found.backend)
    elif isinstance(found, (bool, np.bool_)):
        yield not found
    elif isinstance(found, lg.Scalar):
        yield lg.Scalar.from_value(found.value + 1)
    elif isinstance(found, (int, float, np.number)):
        yield found + 7
    elif isinstance(found, (tuple, list)):
        for k, part in enumerate(found):
            for wrong in spoiled(part):
                parts = [*found[:k], wrong, *found[k + 1 :]]
                yield type(found)(*parts) if hasattr(found, "_fields") else type(found)(parts)
    elif hasattr(found, "dtype") and found.size:
        held = found if isinstance(found, np.ndarray) else found.get()
        yield held + held.dtype.type(1)
