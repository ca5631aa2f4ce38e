"""The verifiers of structure accept what is right and refuse what violates one property."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.errors import VerificationError

CPU = "cpu"


def of(values: list[Any], n: int | None = None) -> lg.Vector:
    """None stands for no entry."""
    index = [i for i, x in enumerate(values) if x is not None]
    held = [x for x in values if x is not None]
    return lg.Vector.from_coo(index, held, "INT64", size=n or len(values), backend=CPU)


def undirected(edges: list[tuple[int, ...]], n: int) -> lg.Graph:
    return lg.Graph.from_edges(*zip(*edges), n=n, directed=False, backend=CPU)


def directed(edges: list[tuple[int, ...]], n: int) -> lg.Graph:
    return lg.Graph.from_edges(*zip(*edges), n=n, backend=CPU)


def refused(match: str, check: Callable[..., None], *args: Any, **named: Any) -> None:
    with pytest.raises(VerificationError, match=match):
        check(*args, **named)


# 0–1–2, 3–4, 5 alone, with a loop
PARTS = undirected([(0, 1), (1, 2), (3, 4), (5, 5)], 6)


@pytest.mark.parametrize(
    ("match", "label"),
    [
        ("components, size", [0, 0, 0, 3, 3]),
        ("components, entries: expected a label at position 4", [0, 0, 0, 3, None, 5]),
        ("components, range: expected a label from 0 to 5", [0, 0, 0, 3, 6, 5]),
        ("components, range", [0, 0, 0, 3, -1, 5]),
        ("components, smallest: .* of vertex 0", [1, 1, 1, 3, 3, 5]),
        ("components, smallest: .* of vertex 2", [0, 0, 1, 3, 3, 5]),
        ("components, edge: .* 1–2, got 0 and 2", [0, 0, 2, 3, 3, 5]),
        ("components, count: expected 3 components, got 2 labels", [0, 0, 0, 3, 3, 3]),
    ],
)
def test_components(match: str, label: list[Any]) -> None:
    verify.verify_components(PARTS, of([0, 0, 0, 3, 3, 5]))
    refused(match, verify.verify_components, PARTS, of(label))


def test_strong_components() -> None:
    G = directed([(0, 1), (1, 0), (1, 2), (2, 3), (3, 2)], 5)
    check = verify.verify_strong_components
    check(G, of([0, 0, 2, 2, 4]))
    refused("strong components, component: .* vertex 2 to reach 0", check, G, of([0, 0, 0, 0, 4]))
    refused("strong components, count: expected 3", check, G, of([0, 0, 2, 3, 4]))
    refused("strong components, smallest", check, G, of([0, 0, 3, 3, 4]))


@pytest.mark.parametrize(
    ("match", "parent"),
    [
        ("tree edge: expected an edge 2–0", [0, 0, 0, 3, 3, 5]),
        ("roots: expected 3 roots, got 4", [0, 0, 2, 3, 3, 5]),
        ("cycle", [0, 2, 1, 3, 3, 5]),
        ("smallest: expected 3 as the root .* got 4", [0, 0, 1, 4, 4, 5]),
        ("entries", [0, 0, 1, 3, 3, None]),
    ],
)
def test_spanning_forest(match: str, parent: list[Any]) -> None:
    verify.verify_spanning_forest(PARTS, of([0, 0, 1, 3, 3, 5]))
    refused(f"spanning forest, {match}", verify.verify_spanning_forest, PARTS, of(parent))


def test_trees_of_a_forest_are_breadth_first() -> None:
    ring = undirected([(0, 1), (1, 2), (2, 3), (3, 0)], 4)
    verify.verify_spanning_forest(ring, of([0, 0, 1, 0]))
    verify.verify_spanning_forest(ring, of([0, 0, 3, 0]))
    refused("spanning forest, depth: .* of vertex 3, 1 edges .* got 2, 2 away",
            verify.verify_spanning_forest, ring, of([0, 0, 1, 2]))  # fmt: skip


def test_the_number_of_components() -> None:
    label = of([0, 0, 0, 3, 3, 5])
    verify.verify_components(PARTS, label, 3)
    for wrong in (2, 4, 0):
        refused(f"number: expected 3, got {wrong}", verify.verify_components, PARTS, label, wrong)


SQUARE = undirected([(0, 1, 1), (1, 2, 2), (2, 3, 2), (3, 0, 2), (0, 2, 0), (4, 5, 1)], 7)
LIGHT = [(0, 1, 1), (0, 2, 0), (2, 3, 2), (4, 5, 1)]


@pytest.mark.parametrize(
    ("match", "edges", "n"),
    [
        ("graph: expected an undirected graph of 7", LIGHT, 8),
        ("edge: expected edges of the graph, got 1–3: 2", [*LIGHT[:2], (1, 3, 2), LIGHT[3]], 7),
        ("edge: expected edges of the graph, got 2–3: 1", [*LIGHT[:2], (2, 3, 1), LIGHT[3]], 7),
        ("edge: expected no loops", [*LIGHT, (6, 6, 1)], 7),
        ("spanning: expected 3 components, got 4", LIGHT[:3], 7),
        ("cycle: expected 4 edges, got 5", [*LIGHT, (1, 2, 2)], 7),
        ("weight", [(0, 1, 1), (1, 2, 2), (2, 3, 2), (4, 5, 1)], 7),
    ],
)
def test_spanning_tree(match: str, edges: list[Any], n: int) -> None:
    check = verify.verify_spanning_tree
    check(SQUARE, undirected(LIGHT, 7))
    refused(f"minimum spanning tree, {match}", check, SQUARE, undirected(edges, n))
    refused("minimum spanning tree, graph", check, SQUARE, directed(LIGHT, 7))
    heavy = undirected([(1, 2, 2), (2, 3, 2), (3, 0, 2), (4, 5, 1)], 7)
    check(SQUARE, heavy, maximum=True)
    refused("maximum spanning tree, weight", check, SQUARE, undirected(LIGHT, 7), maximum=True)


def test_independent_set() -> None:
    check = verify.verify_independent_set
    check(PARTS, of([1, None, 1, 1, None, 1]))
    refused("independent: .* 0–1", check, PARTS, of([1, 1, None, 1, None, 1]))
    refused("maximal: expected vertex 5", check, PARTS, of([1, None, 1, 1, None, None]))
    refused("maximal: expected vertex 2", check, PARTS, of([1, None, None, 1, None, 1]))


def test_coloring() -> None:
    check = verify.verify_coloring
    check(PARTS, of([0, 1, 0, 1, 2, 0]))
    refused("colouring, proper: .* edge 1–2", check, PARTS, of([0, 1, 1, 1, 2, 0]))
    refused("colouring, range: expected a colour from 0 to 2", check, PARTS, of([0, 3, 0, 1, 2, 0]))
    refused("colouring, range: .* 0 to 1", check, PARTS, of([0, 1, 0, 1, 2, 0]), 2)
    refused("colouring, entries", check, PARTS, of([0, None, 0, 1, 2, 0]))
    both_ways = directed([(0, 1), (1, 0)], 2)
    refused("colouring, range", check, both_ways, of([0, 2]))


def test_matching() -> None:
    check, chain = verify.verify_matching, undirected([(0, 1), (1, 2), (2, 3)], 5)
    perfect, small = of([1, 0, 3, 2, None]), of([None, 2, 1, None, None])
    check(chain, perfect, maximum=True)
    check(chain, small)
    refused("matching, maximum: expected no path", check, chain, small, maximum=True)
    refused("matching, mates: .* vertex 0", check, chain, of([1, 2, 1, None, None]))
    refused("matching, mates: .* vertex 4", check, chain, of([1, 0, 3, 2, 4]))
    refused("matching, edge: .* 0–3", check, chain, of([3, 2, 1, 0, None]))
    refused("matching, maximal: .* edge 2–3", check, chain, of([1, 0, None, None, None]))
    refused("matching, range", check, chain, of([1, 0, 3, 5, None]))


def test_orders() -> None:
    G = directed([(0, 1), (1, 2), (0, 2), (3, 2)], 5)
    check = verify.verify_generations
    check(G, of([0, 1, 2, 0, 0]))
    refused("generations, order: .* 1 → 2 .* got 1 and 1", check, G, of([0, 1, 1, 0, 0]))
    refused("generations, earliest: .* vertex 4", check, G, of([0, 1, 2, 0, 1]))
    refused("generations, earliest: .* vertex 2", check, G, of([0, 1, 3, 0, 0]))
    refused("generations, entries", check, G, of([0, 1, 2, None, 0]))
    check = verify.verify_topological_sort
    check(G, of([4, 3, 0, 1, 2]))
    refused("topological order, order: expected vertex 3 before 2", check, G, of([4, 0, 1, 2, 3]))
    refused("topological order, entries: .* got 4 never", check, G, of([3, 3, 0, 1, 2]))


# 0–1, 0–2, 1–2, 2–3, 0–4 and 5 apart
MET, ABOVE, LEFT = [0, 1, 2, 3, 4, None], [0, 0, 1, 2, 0, None], [4, 2, 1, 0, 3, None]


@pytest.mark.parametrize(
    ("match", "discovery", "parent", "finish"),
    [
        ("entries", MET, ABOVE, [*LEFT[:5], 5]),
        ("range", MET, [0, 0, 1, 6, 0, None], LEFT),
        ("tree edge: expected an edge 1 → 3", MET, [0, 0, 1, 1, 0, None], LEFT),
        ("discovery", [0, 1, 2, 4, 3, None], ABOVE, LEFT),
        ("finish", MET, ABOVE, [4, 2, 0, 1, 3, None]),
        ("cross edge", [0, 1, 2, 3, 4, None], [0, 0, 0, 2, 0, None], [4, 0, 2, 1, 3, None]),
        ("cross edge", [0, *[None] * 5], [0, *[None] * 5], [0, *[None] * 5]),
        ("order: .* neighbours of 0", [0, 3, 2, 4, 1, None], [0, 2, 0, 2, 0, None],
         [4, 1, 3, 2, 0, None]),
        ("root: expected 0", [*MET[:5], 5], [*ABOVE[:5], 5], [*LEFT[:5], 5]),
        ("root: expected 0", [None] * 5 + [0], [None] * 5 + [5], [None] * 5 + [0]),
        ("root: expected 0 as the root, got none", *[[None] * 6] * 3),
        ("chain", MET, [0, 2, 1, 2, 0, None], LEFT),
    ],
)  # fmt: skip
def test_dfs(match: str, discovery: list[Any], parent: list[Any], finish: list[Any]) -> None:
    G = undirected([(0, 1), (0, 2), (1, 2), (2, 3), (0, 4)], 6)
    check = verify.verify_dfs
    check(G, of(MET), of(ABOVE), of(LEFT), 0)
    check(G, of([*MET[:5], 5]), of([*ABOVE[:5], 5]), of([*LEFT[:5], 5]))
    refused(f"dfs, {match}", check, G, of(discovery), of(parent), of(finish), 0)
    refused("dfs, root: expected every vertex met", check, G, of(MET), of(ABOVE), of(LEFT))


def test_roots_of_a_search_of_everything_come_by_id() -> None:
    G = undirected([(2, 3)], 4)
    later = of([1, 0, 2, 3]), of([0, 1, 2, 2]), of([1, 0, 3, 2])
    refused("dfs, root: .* increasing id", verify.verify_dfs, G, *later)


def test_an_empty_graph_has_nothing_wrong() -> None:
    for kind in (True, False):
        G, none = lg.Graph.from_edges([], [], directed=kind, backend=CPU), of([])
        verify.verify_components(G, none)
        verify.verify_strong_components(G, none)
        verify.verify_spanning_forest(G, none)
        verify.verify_independent_set(G, none)
        verify.verify_coloring(G, none)
        verify.verify_matching(G, none, maximum=True)
        verify.verify_dfs(G, none, none, none)
        if kind:
            verify.verify_generations(G, none)
            verify.verify_topological_sort(G, none)
        else:
            verify.verify_spanning_tree(G, G)


def test_ids_and_numbers_must_be_integers() -> None:
    G, A = PARTS, directed([(0, 1)], 2)
    for check, given, right in (
        (verify.verify_components, (G,), [[0, 0, 0, 3, 3, 5]]),
        (verify.verify_spanning_forest, (G,), [[0, 0, 1, 3, 3, 5]]),
        (verify.verify_coloring, (G,), [[0, 1, 0, 1, 2, 0]]),
        (verify.verify_matching, (G,), [[1, 0, None, 4, 3, None]]),
        (verify.verify_generations, (A,), [[0, 1]]),
        (verify.verify_topological_sort, (A,), [[0, 1]]),
        (verify.verify_dfs, (A,), [[0, 1], [0, 0], [1, 0]]),
    ):
        results: list[lg.Vector] = [of(values) for values in right]
        check(*given, *results)
        for k, one in enumerate(results):
            mixed = [*results[:k], one.dup("FP64"), *results[k + 1 :]]
            refused("type: expected each .* as an integer, got the type float64", check, *given,
                    *mixed)  # fmt: skip
