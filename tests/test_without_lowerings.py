"""A backend without any lowering is complete: every algorithm runs by its statements alone.

This is what a third backend has on its first day (see docs/explanation/a-new-backend.md). The CPU
plays it, with an empty table. Results go before the verifiers, and where an algorithm has one right
answer they are also compared with those of the lowerings.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import lagraph_gpu as lg
from lagraph_gpu import verify
from tests import graphs
from tests.graphs import acyclic, bipartite, undirected
from tests.harness import CPU, by_statements
from tests.strategies import any_graph, examples

Find = Callable[[lg.Graph], Any]
Judge = Callable[[lg.Graph, Any], Any]


def ends(G: lg.Graph) -> tuple[np.ndarray, np.ndarray]:
    """Some sources and as many targets."""
    return np.arange(G.n)[::3], np.arange(G.n)[::-1][: len(range(0, G.n, 3))]


def same_core(G: lg.Graph, core: lg.Graph) -> None:
    verify.verify_k_core(G, 2, core)


def table(G: lg.Graph, **options: Any) -> Any:
    return lg.distance_matrix(G, ends(G)[0], **options)


def contracted(G: lg.Graph) -> Any:
    return table(G, contraction=lg.contract(G, core=2))


def walks(G: lg.Graph) -> lg.Matrix:
    return lg.random_walks(G, ends(G)[0], 4, seed=1)


DIRECTED: dict[str, tuple[Find, Judge | None]] = {
    "bfs": (lambda G: lg.bfs(G, 0), lambda G, r: verify.verify_bfs(G, 0, *r)),
    "sssp": (lambda G: lg.sssp(G, 0), lambda G, r: verify.verify_sssp(G, 0, *r)),
    "bellman_ford": (lambda G: lg.bellman_ford(G, 0), lambda G, r: verify.verify_sssp(G, 0, *r)),
    "path_to": (lambda G: lg.path_to(lg.sssp(G, 0)[1], 0), None),
    "shortest_path_between": (
        lambda G: lg.shortest_path_between(G, 0, G.n - 1),
        lambda G, r: verify.verify_path_between(G, 0, G.n - 1, r),
    ),
    "distance_matrix": (table, None),
    "distance_matrix in edges": (lambda G: table(G, weight=None), None),
    "distance_matrix up to 4": (lambda G: table(G, cutoff=4), None),
    "iter_distances": (lambda G: [np.asarray(D) for _, D in lg.iter_distances(G)], None),
    "paired_distances": (lambda G: lg.paired_distances(G, *ends(G)), None),
    "contract": (contracted, None),
    "floyd_warshall": (lg.floyd_warshall, None),
    "dfs": (lambda G: lg.dfs(G, 0), lambda G, r: verify.verify_dfs(G, *r, 0)),
    "random_walks": (walks, lambda G, r: verify.verify_random_walks(G, ends(G)[0], 4, r)),
    "strongly_connected_components": (lg.strongly_connected_components, None),
    "weakly_connected_components": (lg.weakly_connected_components, None),
    "pagerank": (lg.pagerank, verify.verify_pagerank),
    "hits": (lambda G: lg.hits(G, 10_000), lambda G, r: verify.verify_hits(G, *r)),
    "katz_centrality": (
        lambda G: lg.katz_centrality(G, 1e-4), lambda G, r: verify.verify_katz(G, r, 1e-4)
    ),
    "betweenness_centrality": (lg.betweenness_centrality, verify.verify_betweenness),
    "closeness_centrality": (lg.closeness_centrality, verify.verify_closeness),
    "harmonic_centrality": (lg.harmonic_centrality, verify.verify_harmonic),
    "degree_centrality": (lg.degree_centrality, None),
    "in_degree_centrality": (lg.in_degree_centrality, None),
    "out_degree_centrality": (lg.out_degree_centrality, None),
    "density": (lg.density, verify.verify_density),
    "is_connected": (lg.is_connected, verify.verify_is_connected),
    "largest_component": (lg.largest_component, verify.verify_largest_component),
    "eccentricity": (lg.eccentricity, None),
    "eccentricity of one": (lambda G: lg.eccentricity(G, 0, "weight"), None),
    "diameter": (lg.diameter, None),
    "clustering": (lg.clustering, None),
    "average_clustering": (lg.average_clustering, None),
    "relabel": (lambda G: G.relabel("degree").A, None),
}  # fmt: skip
UNDIRECTED: dict[str, tuple[Find, Judge | None]] = {
    "connected_components": (lg.connected_components, None),
    "number_connected_components": (lg.number_connected_components, None),
    "spanning_forest": (lg.spanning_forest, verify.verify_spanning_forest),
    "minimum_spanning_tree": (lg.minimum_spanning_tree, verify.verify_spanning_tree),
    "minimum_spanning_edges": (lg.minimum_spanning_edges, None),
    "maximum_spanning_tree": (
        lg.maximum_spanning_tree, lambda G, T: verify.verify_spanning_tree(G, T, maximum=True)
    ),
    "triangle_count": (lg.triangle_count, None),
    "triangles": (lg.triangles, None),
    "transitivity": (lg.transitivity, None),
    "local_clustering_coefficient": (lg.local_clustering_coefficient, None),
    "core_number": (lg.core_number, None),
    "k_core": (lambda G: lg.k_core(G, 2), same_core),
    "k_truss": (lambda G: lg.k_truss(G, 3), lambda G, r: verify.verify_k_truss(G, 3, r)),
    "maximal_independent_set": (lambda G: lg.maximal_independent_set(G, 1), None),
    "greedy_color": (lambda G: lg.greedy_color(G, seed=1), None),
    "maximal_matching": (lambda G: lg.maximal_matching(G, 1), None),
    "is_bipartite": (lg.is_bipartite, None),
    "label_propagation": (lg.label_propagation, None),
    "leiden": (lg.leiden, verify.verify_leiden),
    "louvain": (lg.louvain, verify.verify_louvain),
    "modularity": (lambda G: lg.modularity(G, lg.connected_components(G)), None),
    "eigenvector_centrality": (
        lambda G: lg.eigenvector_centrality(G, 100_000), verify.verify_eigenvector
    ),
    "common_neighbors": (lambda G: lg.common_neighbors(G, 0, G.n - 1), None),
    "common_neighbor_counts": (lg.common_neighbor_counts, None),
    "jaccard_coefficient": (lg.jaccard_coefficient, None),
    "overlap_coefficient": (lg.overlap_coefficient, None),
}  # fmt: skip
ACYCLIC: dict[str, tuple[Find, Judge | None]] = {
    "topological_sort": (lg.topological_sort, verify.verify_topological_sort),
    "topological_generations": (lg.topological_generations, None),
    "dag_longest_distance": (lg.dag_longest_distance, None),
    "dag_longest_path_length": (lg.dag_longest_path_length, None),
    "dag_longest_path": (
        lg.dag_longest_path,
        lambda G, r: verify.verify_longest_path(G, lg.dag_longest_distance(G), r),
    ),
}
BIPARTITE: dict[str, tuple[Find, Judge | None]] = {
    "bipartite_color": (lg.bipartite_color, None),
    "maximum_bipartite_matching": (
        lg.maximum_bipartite_matching, lambda G, r: verify.verify_matching(G, r, maximum=True)
    ),
}  # fmt: skip
FAMILIES: list[tuple[dict[str, tuple[Find, Judge | None]], Callable[[Any], graphs.Example]]] = [
    (DIRECTED, lambda example: example),
    (UNDIRECTED, undirected),
    (ACYCLIC, acyclic),
    (BIPARTITE, bipartite),
]
CASES = [(name, *case, shape) for family, shape in FAMILIES for name, case in family.items()]


def plain(found: Any) -> Any:
    """A result as numbers that can be compared, those with a fraction to nine digits."""
    if isinstance(found, lg.Graph):
        found = found.A
    if isinstance(found, (lg.Vector, lg.Matrix)):
        *positions, values = found.to_coo()
        return [found.shape, *(p.tolist() for p in positions), plain(values)]
    if isinstance(found, (tuple, list)):
        return [plain(part) for part in found]
    if isinstance(found, (float, np.ndarray)):
        return pytest.approx(found, rel=1e-9, nan_ok=True)
    return found


def answer(find: Find, G: lg.Graph) -> Any:
    """What an algorithm finds, or the error that it raises."""
    try:
        return find(G)
    except lg.exceptions.LagraphError as error:
        return f"{type(error).__name__}: {error}"


def check(find: Find, judge: Judge | None, example: graphs.Example) -> None:
    if example.n == 0:
        return
    right = answer(find, example.graph(CPU))
    with by_statements():
        assert not CPU.lowerings
        G = example.graph(CPU)
        found = answer(find, G)
    if judge is None or isinstance(right, str) or isinstance(found, str):
        assert exactly(found) == plain(right)
    else:
        judge(G, found)


def exactly(found: Any) -> Any:
    """A result as in `plain`, to be compared with one."""
    if isinstance(found, lg.Graph):
        found = found.A
    if isinstance(found, (lg.Vector, lg.Matrix)):
        *positions, values = found.to_coo()
        return [found.shape, *(p.tolist() for p in positions), values]
    if isinstance(found, (tuple, list)):
        return [exactly(part) for part in found]
    return found


LONGEST = "leiden", "louvain"
"""Thousands of statements."""
USUAL, LONG = ([case for case in CASES if (case[0] in LONGEST) == long] for long in (False, True))


@pytest.mark.parametrize("name, find, judge, shape", USUAL, ids=[name for name, *_ in USUAL])
@examples(10)
@given(example=any_graph())
def test_every_algorithm_by_statements(
    name: str, find: Find, judge: Judge | None, shape: Any, example: graphs.Example
) -> None:
    check(find, judge, shape(example))


@pytest.mark.parametrize("name, find, judge, shape", LONG, ids=[name for name, *_ in LONG])
@examples(4)
@given(example=any_graph())
def test_communities_by_statements(
    name: str, find: Find, judge: Judge | None, shape: Any, example: graphs.Example
) -> None:
    check(find, judge, shape(example))


def test_every_public_algorithm_is_here() -> None:
    named = {name.split()[0] for name, *_ in CASES}
    public = {name: inspect.unwrap(getattr(lg, name)) for name in lg.__all__}
    for name, function in public.items():
        if inspect.isfunction(function) and ".algorithms." in function.__module__:
            assert name in named, name


@pytest.mark.parametrize("name", ["core_number", "bfs", "distance_matrix"])
def test_a_wrong_answer_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge says no."""
    find, judge = {**DIRECTED, **UNDIRECTED}[name]

    def wrong(G: lg.Graph) -> Any:
        found = find(G)
        if CPU.lowerings:
            return found
        if isinstance(found, tuple):
            return (found[0].apply("plus", 1).new(), *found[1:])
        return found + 1 if isinstance(found, np.ndarray) else found.apply("plus", 1).new()

    check(find, judge, undirected(graphs.NAMED["random 33"]))
    with pytest.raises(AssertionError):
        check(wrong, judge, undirected(graphs.NAMED["random 33"]))
