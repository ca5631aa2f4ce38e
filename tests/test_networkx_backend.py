"""The NetworkX backend: the same answers as NetworkX, in its own types, and honest refusals."""

from __future__ import annotations

import copy
import inspect
import json
import operator
import pickle
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx.utils.backends import _registered_algorithms as NETWORKX

import lagraph_gpu as lg
from lagraph_gpu.networkx_backend import LagraphGraph, backend, from_graph
from lagraph_gpu.networkx_backend.dispatch import FEWEST_EDGES, IMPLEMENTED
from tests import harness, networkx_plugin
from tests.strategies import examples


@pytest.fixture(autouse=True)
def on_the_cpu() -> Iterator[None]:
    with lg.backend("cpu"):
        yield


def ours(name: str, G: Any, *args: Any, **kwargs: Any) -> Any:
    """As NetworkX dispatches: may it run, convert what it needs, run."""
    allowed = backend.can_run(name, (G, *args), kwargs)
    if allowed is not True:
        raise NotImplementedError(allowed)
    attribute = kwargs.get("weight", kwargs.get("distance", "weight"))
    every = NETWORKX[name].preserve_edge_attrs is True
    attributes = {attribute: kwargs.get("default_weight", 1)} if attribute and not every else None
    H = backend.convert_from_nx(
        G, edge_attrs=attributes, preserve_edge_attrs=every, preserve_node_attrs=every
    )
    return plain(getattr(backend, name)(H, *args, **kwargs))


def theirs(name: str, G: Any, *args: Any, **kwargs: Any) -> Any:
    return plain(NETWORKX[name].orig_func(G, *args, **kwargs))


def plain(result: Any) -> Any:
    """Graphs and generators as things that can be compared."""
    if isinstance(result, nx.Graph):
        edges = {frozenset((u, v)): d for u, v, d in result.edges(data=True)}
        return type(result), dict(result.nodes(data=True)), edges
    return list(result) if isinstance(result, Iterator) else result


def outcome(call: Any, *args: Any, **kwargs: Any) -> Any:
    """A result, or the class of the error that came instead."""
    try:
        return call(*args, **kwargs)
    except NotImplementedError:
        raise
    except Exception as error:
        return type(error)


def agree(a: Any, b: Any) -> bool:
    if isinstance(b, float) or isinstance(a, float):
        return bool(a == pytest.approx(b, rel=1e-6, abs=1e-9, nan_ok=True))
    if isinstance(b, dict):
        return type(a) is dict and a.keys() == b.keys() and all(agree(a[k], b[k]) for k in b)
    if isinstance(b, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(agree, a, b))
    return type(a) is type(b) and bool(a == b)


@st.composite
def drawn(draw: Any, directed: bool | None = None, weights: Any = None) -> Any:
    """A graph of a few nodes of mixed kinds, with loops, parts and isolated nodes."""
    names = ["a", "b", 3, (1, 2), "e", 0, "g"][: draw(st.integers(1, 7))]
    directed = draw(st.booleans()) if directed is None else directed
    G = (nx.DiGraph if directed else nx.Graph)(name="drawn")
    G.add_nodes_from(draw(st.permutations(names)), kind="node")
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names))
    number = st.integers(0, 9) if weights is None else weights
    for u, v in draw(st.lists(pairs, max_size=14)):
        G.add_edge(u, v, color="red", **({"weight": draw(number)} if draw(st.booleans()) else {}))
    return G


PLAIN = [
    name
    for name, entry in IMPLEMENTED.items()
    if list(entry.signature.parameters)[1:] == []
    or name in ("diameter", "radius", "center", "periphery", "eccentricity", "reciprocity")
    or name in ("shortest_path_length", "average_shortest_path_length", "wiener_index")
    or name in ("all_pairs_shortest_path_length", "betweenness_centrality")
    or name in ("closeness_centrality", "harmonic_centrality", "average_neighbor_degree")
    or name in ("katz_centrality", "pagerank", "sets", "dag_longest_path_length")
    or name in ("minimum_spanning_tree", "maximum_spanning_tree", "triangles", "clustering")
]
ELSEWHERE = {"topological_generations", "topological_sort"}
"""A converted graph is wanted: tested by themselves."""


def takes(name: str, G: Any) -> bool:
    return IMPLEMENTED[name].directed in (None, G.is_directed())


@given(drawn())
@examples(40)
def test_whole_graphs(G: Any) -> None:
    for name in PLAIN:
        if not takes(name, G) or name in ELSEWHERE:
            continue
        a, b = outcome(ours, name, G), outcome(theirs, name, G)
        assert agree(a, b), (name, a, b)


def sorted_text(part: Any) -> list[str]:
    return sorted(map(repr, part))


@given(drawn(), st.sampled_from(["a", 3, "missing"]), st.sampled_from(["a", "b", "missing"]))
@examples(40)
def test_searches(G: Any, source: Any, target: Any) -> None:
    for name, *args in (
        ("single_source_shortest_path_length", source),
        ("single_source_shortest_path_length", source, 1),
        ("single_target_shortest_path_length", source),
        ("single_source_dijkstra_path_length", source),
        ("single_source_dijkstra_path_length", source, 5.5),
        ("single_source_bellman_ford_path_length", source),
        ("multi_source_dijkstra_path_length", {source, target}),
        ("dijkstra_path_length", source, target),
        ("bellman_ford_path_length", source, target),
        ("shortest_path_length", source, target),
        ("shortest_path_length", None, target),
        ("has_path", source, target),
        ("has_path", source, None),
        ("has_path", None, target),
        ("has_path", None, None),
        ("ancestors", source),
        ("descendants", source),
        ("descendants_at_distance", source, 2),
        ("node_boundary", [source, target]),
        ("is_dominating_set", [source, target]),
        ("volume", [v for v in (source, "b") if v in G]),
    ):
        a, b = outcome(ours, name, G, *args), outcome(theirs, name, G, *args)
        assert agree(a, b), (name, args, a, b)
    a, b = (outcome(f, "bfs_layers", G, source) for f in (ours, theirs))
    assert a == b or list(map(sorted_text, a)) == list(map(sorted_text, b))


@given(drawn(directed=True, weights=st.integers(-3, 9)))
@examples(25)
def test_weights_of_either_sign(G: Any) -> None:
    names = ("all_pairs_bellman_ford_path_length", "dag_longest_path_length")
    for name in names:
        a, b = outcome(ours, name, G), outcome(theirs, name, G)
        if a is b is nx.NetworkXUnbounded:
            continue
        assert agree(a, b), (name, a, b)


@given(drawn(weights=st.sampled_from([0.1, 0.2, 0.3, 0.7])))
@examples(25)
def test_fractions_add_up_as_in_networkx(G: Any) -> None:
    assert ours("all_pairs_dijkstra_path_length", G) == theirs("all_pairs_dijkstra_path_length", G)


@given(drawn(directed=False, weights=st.integers(1, 2)), st.booleans(), st.booleans())
@examples(25)
def test_the_tree_that_kruskal_takes(G: Any, heaviest: bool, data: bool) -> None:
    name = f"{'maximum' if heaviest else 'minimum'}_spanning_edges"
    H = backend.convert_from_nx(G, preserve_edge_attrs=True)
    found = getattr(backend, name)(H, data=data)
    assert list(found) == list(NETWORKX[name].orig_func(G, data=data))


@given(drawn(directed=True))
@examples(25)
def test_orders_that_edges_demand(G: Any) -> None:
    """Also those that a search finds: strong components come as it leaves them."""
    parts = list(ours("strongly_connected_components", G))
    assert parts == list(theirs("strongly_connected_components", G))
    H = backend.convert_from_nx(G)
    if nx.is_directed_acyclic_graph(G):
        found = [sorted_text(layer) for layer in backend.topological_generations(H)]
        assert found == [sorted_text(x) for x in theirs("topological_generations", G)]
    else:
        with pytest.raises(nx.NetworkXUnfeasible):
            backend.topological_generations(H)


@given(drawn(directed=False))
@examples(25)
def test_independent_sets(G: Any) -> None:
    chosen = ours("maximal_independent_set", G)
    assert type(chosen) is list
    G.remove_edges_from(list(nx.selfloop_edges(G)))
    assert not G.subgraph(chosen).edges and nx.is_dominating_set(G, chosen)


def test_a_loop_does_not_keep_its_node_out_of_a_set() -> None:
    G = nx.Graph([("a", "a")])
    assert ours("maximal_independent_set", G) == ["a"]
    with pytest.raises(nx.NetworkXUnfeasible):
        theirs("maximal_independent_set", G, seed=random.Random(1))


def test_depth_first_by_number() -> None:
    """Neighbours come in the order of `list(G)`; in `G.adj` they may stand in another."""
    G = nx.Graph()
    G.add_nodes_from([0, 1, 2])
    G.add_edges_from([(0, 2), (0, 1)])
    assert list(ours("dfs_preorder_nodes", G, 0)) == [0, 1, 2]
    assert list(theirs("dfs_preorder_nodes", G, 0)) == [0, 2, 1]


def test_hits_and_eigenvectors() -> None:
    G = nx.karate_club_graph()
    hubs, authorities = ours("hits", G, tol=1e-12, max_iter=500)
    assert agree((hubs, authorities), tuple(nx.hits(G)))
    assert agree(tuple(ours("hits", G, max_iter=4)), tuple(nx.hits(G)))  # by NetworkX itself
    assert agree(ours("eigenvector_centrality", G, weight="weight"),
                 nx.eigenvector_centrality(G, weight="weight"))  # fmt: skip
    with pytest.raises(nx.PowerIterationFailedConvergence):
        ours("eigenvector_centrality", G, max_iter=1)


# --- what is refused ----------------------------------------------------------------------------

ROUTE = nx.path_graph(["a", "b", "c"])


class Complement(nx.Graph):
    """Neighbours are those without an edge, as NetworkX has it for dense graphs."""

    def __getitem__(self, v: Any) -> Any:
        return {u: {} for u in self if u not in self.adj[v] and u != v}


@pytest.mark.parametrize(
    ("name", "G", "args", "kwargs", "reason"),
    [
        ("pagerank", nx.MultiGraph(ROUTE), (), {}, "multigraphs"),
        ("pagerank", ROUTE, (), {"weight": len}, "name of an edge attribute"),
        ("betweenness_centrality", ROUTE, (), {"weight": "w"}, "weight = None only"),
        ("betweenness_centrality", ROUTE, (), {"k": 2.5}, "k must be an integer"),
        ("astar_path", ROUTE, ("a", "c"), {"cutoff": 5}, "cutoff = None only"),
        ("bfs_edges", ROUTE, ("a",), {"depth_limit": -1}, "depth_limit must be an integer"),
        ("topological_sort", nx.DiGraph(ROUTE), (), {}, "convert it first"),
        ("minimum_spanning_tree", ROUTE, (), {"algorithm": "prim"}, "'kruskal' only"),
        ("single_source_shortest_path_length", ROUTE, ("a", -1), {}, "at least 0"),
        ("single_source_dijkstra_path_length", ROUTE, ("a", "far"), {}, "at least 0"),
        ("maximal_independent_set", ROUTE, (), {"seed": 1}, "NetworkX draws"),
        ("topological_generations", nx.DiGraph(ROUTE), (), {}, "convert it first"),
        ("in_degree_centrality", ROUTE, (), {}, "directed graphs only"),
        ("volume", ROUTE, ("a",), {}, "a collection of nodes"),
        ("pagerank", ROUTE, (), {"speed": 3}, "speed"),
        ("pagerank", 7, (), {}, "a graph of NetworkX"),
        ("core_number", Complement(ROUTE), (), {}, "no edges"),
        ("no_such_thing", ROUTE, (), {}, "does not have"),
    ],
)
def test_reasons(name: str, G: Any, args: Any, kwargs: Any, reason: str) -> None:
    assert reason in str(backend.can_run(name, (G, *args), kwargs))


@pytest.mark.parametrize(
    "weight", ["far", None, float("nan"), float("inf"), Fraction(1, 3), 2**70, 1j, [1], -1]
)
def test_weights_that_networkx_must_judge(weight: Any) -> None:
    G = nx.Graph()
    G.add_edge(0, 1, weight=weight)
    G.add_edge(1, 2, weight=0.5)
    with pytest.raises(NotImplementedError):
        ours("single_source_dijkstra_path_length", G, 0)


@pytest.mark.parametrize("integer", [int, np.int64, np.uint64])
@pytest.mark.parametrize("other", [{"weight": 0.5}, {"weight": np.uint64(1)}, {}])
def test_integers_are_not_rounded(integer: Any, other: dict[str, Any]) -> None:
    """NumPy would make floats of some of these lists."""
    G = nx.Graph([(0, 1, {"weight": integer(2**60 + 1)}), (1, 2, other)])
    try:
        found = ours("dijkstra_path_length", G, 0, 1)
    except NotImplementedError:
        return
    assert found == 2**60 + 1


@pytest.mark.parametrize("weight", [2**60, 2**61])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_sums_of_distances_do_not_wrap(kind: type, weight: int) -> None:
    for last in (weight, weight // 2 + 1):
        G = kind()
        G.add_weighted_edges_from([(0, 1, weight), (1, 2, weight), (2, 0, last)])
        for name in ("wiener_index", "average_shortest_path_length"):
            assert ours(name, G, weight="weight") == theirs(name, G, weight="weight")


def test_sums_of_negative_distances_do_not_wrap() -> None:
    G = nx.DiGraph()
    G.add_weighted_edges_from([(0, 1, -(2**60)), (1, 2, -(2**60)), (2, 0, 2**61)])
    named = {"weight": "weight", "method": "bellman-ford"}
    name = "average_shortest_path_length"
    assert ours(name, G, **named) == theirs(name, G, **named)


def test_k_of_numpy() -> None:
    G = nx.karate_club_graph()
    assert agree(ours("k_truss", G, np.int64(4)), theirs("k_truss", G, 4))


def test_an_option_is_its_value_and_no_object() -> None:
    method = "-".join(["bellman", "ford"])
    G = nx.path_graph(3)
    assert backend.can_run("shortest_path_length", (G,), {"method": method}) is True
    assert backend.can_run("eccentricity", (G,), {"sp": np.zeros(3)}) is not True


def test_small_graphs_stay_with_networkx() -> None:
    assert f"{FEWEST_EDGES:,}" in str(backend.should_run("pagerank", (ROUTE,), {}))
    assert backend.should_run("pagerank", (backend.convert_from_nx(ROUTE),), {}) is True


def test_one_pass_is_faster_after_a_conversion() -> None:
    G = nx.path_graph(FEWEST_EDGES + 2)
    assert backend.should_run("closeness_centrality", (G,), {}) is True
    for name in ("is_connected", "pagerank"):  # one pass, or rounds in SciPy
        assert "on a converted graph" in str(backend.should_run(name, (G,), {}))
    G.__networkx_cache__["backends"] = {"lagraph": {"any": backend.convert_from_nx(G)}}
    for name in ("is_connected", "pagerank"):
        assert backend.should_run(name, (G,), {}) is True
    assert "no slower" in str(backend.should_run("dfs_edges", (G,), {}))
    assert backend.should_run("dfs_edges", (backend.convert_from_nx(ROUTE),), {}) is True


# --- the house ----------------------------------------------------------------------------------


LATER = {"closeness_centrality": {"sp"}, "hits": {"method"}}
"""Arguments that came with NetworkX 3.7: calls that give them are left to NetworkX."""


def test_arguments_are_networkx_own() -> None:
    assert len(IMPLEMENTED) > 120
    for name, entry in IMPLEMENTED.items():
        right = inspect.signature(NETWORKX[name].orig_func).parameters.values()
        found = entry.signature.parameters.values()
        expected = [(p.name, p.default) for p in right if p.name not in LATER.get(name, ())]
        assert [(p.name, p.default) for p in found] == expected, name


@pytest.mark.skipif("sp" not in inspect.signature(nx.closeness_centrality).parameters,
                    reason="it came with NetworkX 3.7")  # fmt: skip
def test_later_arguments_are_left_to_networkx() -> None:
    assert backend.can_run("hits", (PATH,), {"method": "svd"}) is not True
    assert backend.can_run("closeness_centrality", (PATH,), {"sp": {}}) is not True


def test_docstrings_name_functions_of_networkx() -> None:
    for name, entry in IMPLEMENTED.items():
        named = re.findall(r"``networkx\.([\w.]+)``", inspect.getdoc(entry.run) or "")
        assert named, f"the docstring of {name} does not say which function of NetworkX it is"
        assert all(callable(operator.attrgetter(path)(nx)) for path in named), name


PATH, RING = nx.path_graph(3), nx.Graph([(0, 1, {"weight": -1}), (1, 2), (2, 0)])
ARROW, NOBODY = nx.DiGraph([("a", "b")]), nx.Graph()
TURNS = nx.DiGraph([(0, 1), (1, 0)])


@pytest.mark.parametrize(
    ("name", "G", "args", "kwargs"),
    [
        ("bellman_ford_path_length", RING, (1, 1), {}),
        ("bellman_ford_path_length", ARROW, ("b", "a"), {}),
        ("shortest_path_length", RING, (1, 1, "weight", "bellman-ford"), {}),
        ("shortest_path_length", PATH, (7, 8), {}),
        ("shortest_path_length", ARROW, ("b", "a"), {}),
        ("shortest_path_length", ARROW, ("b", "c"), {}),
        ("shortest_path_length", ARROW, ("b", "a", "weight"), {}),
        ("shortest_path_length", ARROW, ("b", "a", "weight", "bellman-ford"), {}),
        ("ancestors", ARROW, ("c",), {}),
        ("descendants", PATH, (9,), {}),
        ("closeness_centrality", PATH, (9,), {}),
        ("closeness_centrality", PATH, (9, "weight"), {}),
        ("dag_longest_path_length", TURNS, (), {}),
        ("efficiency", PATH, (7, 8), {}),
        ("modularity", PATH, ([{0, 1}, {1, 2}],), {}),
        ("modularity", ARROW, ([{"a"}],), {}),
        ("modularity", nx.empty_graph(2), ([{0, 1}],), {}),
        ("modularity", nx.Graph([(0, 1, {"weight": 0})]), ([{0}, {1}],), {}),
        ("modularity", NOBODY, ([],), {}),
        ("katz_centrality", PATH, (0.1, np.int64(2)), {}),
        ("katz_centrality", PATH, (0.1, np.float32(0.5)), {}),
        ("katz_centrality", PATH, (0.1, "2.5"), {}),
        ("katz_centrality", PATH, (0.1, {0: 1.0}), {}),
        ("pagerank", NOBODY, (0.85, {"z": 1}), {}),
        ("hits", NOBODY, (100, 1e-8, {}), {}),
        ("center", NOBODY, (), {}),
        ("center", nx.DiGraph(), (), {}),
        ("periphery", NOBODY, (), {}),
        ("volume", PATH, ([1, 1, 2, 9],), {}),
        ("volume", PATH, (None,), {}),
    ],
)  # fmt: skip
def test_corners_are_networkx_own(
    name: str, G: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """The answer, or the error and its words."""
    found = []
    for function in (ours, theirs):
        try:
            found.append(function(name, G, *args, **kwargs))
        except Exception as error:
            found.append((type(error), str(error)))
    assert agree(*found), found


@given(drawn())
@examples(25)
def test_there_and_back(G: Any) -> None:
    H = backend.convert_from_nx(
        G, preserve_edge_attrs=True, preserve_node_attrs=True, preserve_graph_attrs=True
    )
    back = backend.convert_to_nx(H)
    assert (back.graph, back._node, back._adj) == (G.graph, G._node, G._adj)
    assert type(back) is type(G) and list(back) == list(G)


def test_a_graph_of_ours() -> None:
    H = from_graph(lg.Graph.from_edges([0, 1], [1, 2], [5, 6], directed=False), ["x", "y", "z"])
    assert isinstance(H, LagraphGraph) and (len(H), H.number_of_edges()) == (3, 2)
    assert backend.dijkstra_path_length(H, "x", "z") == 11
    with pytest.raises(nx.NetworkXError):
        from_graph(lg.Graph.from_edges([0], [1]), ["x"])


def test_a_converted_graph_tells_what_it_is() -> None:
    H = backend.convert_from_nx(nx.grid_2d_graph(2, 2))  # whose nodes look like edges
    assert repr(H) == "LagraphGraph(nodes=4, edges=4, directed=False)"
    with pytest.raises(nx.NetworkXError, match=r"to_networkx\(\)"):
        nx.Graph(H)
    assert nx.utils.graphs_equal(H.to_networkx(), nx.grid_2d_graph(2, 2))


@pytest.mark.parametrize("where", harness.BOTH, ids=lambda b: b.name)
def test_a_graph_that_was_asked_is_copied_and_pickled(where: Any) -> None:
    """NetworkX keeps what it converts inside the graph, where a backend keeps what it makes."""
    G = nx.DiGraph([("a", "b"), ("b", "c")])
    H = backend.convert_from_nx(G)
    G.__networkx_cache__["backends"] = {"lagraph": {"any": H}}
    with lg.backend(where):
        assert backend.ancestors(H, "c") == {"a", "b"} and backend.has_cycle(H) is False
    for twin in (pickle.loads(pickle.dumps(G)), copy.deepcopy(G), copy.copy(G)):
        kept = twin.__networkx_cache__["backends"]["lagraph"]["any"]
        assert backend.ancestors(kept, "c") == {"a", "b"}
    assert backend.descendants(copy.copy(H), "a") == {"b", "c"}


PROGRAM = """
import json, warnings
import networkx as nx, lagraph_gpu as lg
warnings.simplefilter("error")
lg.set_backend("cpu")
G = nx.path_graph(["a", "b", "c"])
found = nx.shortest_path_length(G, "a", backend="lagraph")
cached = [type(g).__name__ for g in G.__networkx_cache__["backends"]["lagraph"].values()]
try:
    nx.dijkstra_path_length(G, "a", "c", weight=max, backend="lagraph")
except NotImplementedError as error:
    refused = str(error)
print(json.dumps([found, cached, refused, "lagraph" in nx.pagerank.__doc__]))
"""


def test_networkx_finds_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=networkx_plugin.environment(tmp_path),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found, cached, refused, documented = json.loads(done.stdout)
    assert found == {"a": 0, "b": 1, "c": 2} and cached == ["LagraphGraph"]
    assert "dijkstra_path_length" in refused and documented


VIEWS = {
    "subgraph": lambda D: D.subgraph([0, 1, 2]),
    "without direction": lambda D: D.to_undirected(as_view=True),
    "reversed": lambda D: D.reverse(copy=False),
}


@pytest.mark.parametrize("kind", VIEWS)
def test_a_view_shows_what_its_graph_has_become(kind: str) -> None:
    """NetworkX clears what it keeps with a graph that changes, and not what it keeps with views."""
    D = nx.DiGraph([(0, 1), (1, 2)])
    V = VIEWS[kind](D)
    for _ in range(2):
        assert nx.is_empty(V, backend="lagraph") == nx.is_empty(V)
        D.remove_edges_from(list(D.edges))


def test_a_view_with_two_weights_for_an_edge_is_left_to_networkx() -> None:
    D = nx.DiGraph()
    D.add_weighted_edges_from([("a", "b", 5), ("b", "a", 2)])
    V = D.to_undirected(as_view=True)
    assert V["a"]["b"] != V["b"]["a"]
    name, usual = "single_source_dijkstra_path_length", {}
    for view in V, V.subgraph(["a", "b"]):
        assert "another weight in each direction" in backend.can_run(name, (view, "a"), usual)
        assert backend.can_run(name, (view, "a"), {"weight": None}) is True
    for other in D, D.reverse(copy=False), D.to_undirected():
        assert backend.can_run(name, (other, "a"), usual) is True


def test_without_a_weight_each_edge_of_a_longest_path_has_the_default() -> None:
    G = nx.DiGraph([("a", "b"), ("b", "c")])
    for name in ("dag_longest_path", "dag_longest_path_length"):
        asked = {"weight": None, "default_weight": 5}
        assert backend.can_run(name, (G,), asked) is not True
        assert backend.can_run(name, (G,), {**asked, "default_weight": 1}) is True
        assert backend.can_run(name, (G,), {**asked, "weight": "weight"}) is True


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("single_source_bellman_ford_path_length", (0,)),
        ("bellman_ford_path_length", (0, 2)),
        ("bellman_ford_path", (0, 2)),
        ("single_source_bellman_ford", (0,)),
        ("single_source_bellman_ford_path", (0,)),
        ("all_pairs_bellman_ford_path_length", ()),
        ("all_pairs_bellman_ford_path", ()),
        ("bellman_ford_predecessor_and_distance", (0,)),
    ],
)
def test_where_lengths_overflow_bellman_ford_is_left_to_networkx(name: str, given: Any) -> None:
    """It leaves out what is infinitely far, where Dijkstra's method says so."""
    G = nx.DiGraph()
    G.add_weighted_edges_from([(0, 1, 1e308), (1, 2, 1e308), (2, 3, -1e308)])
    with pytest.raises(NotImplementedError, match="below infinity"):
        ours(name, G, *given)
    G.remove_edge(2, 3)
    assert ours("single_source_dijkstra_path_length", G, 0)[2] == float("inf")
