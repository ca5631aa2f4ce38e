"""The public functions of a graph, given something else; and what is left of them otherwise."""

from __future__ import annotations

import inspect
import pickle
import re
import types
import typing
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import lagraph_gpu as lg
from lagraph_gpu import generate
from lagraph_gpu.calls.public_functions import takes_a_graph
from lagraph_gpu.errors import InvalidValue, UnknownKeyword, WrongType
from lagraph_gpu.graph.queries import HERE

PUBLIC = {name: getattr(lg, name) for name in lg.__all__}
FUNCTIONS = {n: f for n, f in PUBLIC.items() if isinstance(f, types.FunctionType)}
OF_A_GRAPH = [n for n, f in FUNCTIONS.items() if takes_a_graph(f)]


def test_every_public_function_of_a_graph_is_guarded() -> None:
    taking = [
        n for n, f in FUNCTIONS.items() if next(iter(inspect.signature(f).parameters), "") == "G"
    ]
    assert sorted(OF_A_GRAPH) == sorted(taking) and len(taking) > 50


@pytest.mark.parametrize("name", OF_A_GRAPH)
def test_what_is_no_graph(name: str) -> None:
    with pytest.raises(WrongType, match=r"got networkx.*; make one with lg.Graph.from_networkx"):
        PUBLIC[name](nx.path_graph(3))


@pytest.mark.parametrize(
    ("thing", "says"),
    [
        (lg.Matrix("INT8", 2, 2, backend="cpu"), r"Matrix; make one with lg.Graph\(A\)"),
        (sp.eye_array(2), "dia_array; make one with lg.Graph.from_scipy"),
        (generate.grid(2, 2), "EdgeList; make one with lg.Graph.from_edgelist"),
        ("roads.gr", r"got str; read one with lg.read\(path\)"),
        (Path("roads.gr"), r"read one with lg.read\(path\)"),
        (np.eye(2), r"ndarray; make one with lg.Graph.from_scipy\(scipy.sparse.csr_array"),
        (None, "got NoneType; make one with lg.Graph.from_edges"),
    ],
)
def test_how_to_come_by_a_graph(thing: Any, says: str) -> None:
    with pytest.raises(WrongType, match=f"expected a lagraph_gpu.Graph, got .*{says}|{says}"):
        lg.bfs(thing, 0)


def test_what_is_no_matrix() -> None:
    with pytest.raises(InvalidValue, match=r"got networkx.*Graph; make one with lg.*from_networkx"):
        lg.Graph(nx.path_graph(3))  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match=r"dia_array; make one with lg.Graph.from_scipy"):
        lg.Graph(sp.eye_array(2))  # type: ignore[arg-type]


def test_it_is_the_same_function() -> None:
    raw = inspect.unwrap(lg.triangles)
    own, behind = (inspect.signature(f).parameters for f in (lg.triangles, raw))
    assert [*own] == [*behind, "progress"] and own["G"] == behind["G"]
    assert inspect.signature(lg.triangles).return_annotation == "Vector"
    added, lines = (set(f.__doc__.splitlines()) for f in (lg.triangles, raw))
    assert lines < added and any("progress" in line for line in added - lines)
    assert lg.triangles.__name__ == "triangles"
    assert typing.get_type_hints(lg.triangles)["return"] is lg.Vector
    assert pickle.loads(pickle.dumps(lg.triangles)) is lg.triangles
    G = lg.grid(2, 2, backend="cpu")
    assert lg.triangles(G=G).isequal(lg.triangles(G))
    with pytest.raises(TypeError, match=r"triangles\(\) missing .* 'G'"):
        lg.triangles()  # type: ignore[call-arg]


@pytest.mark.parametrize("place", [None, 3])
def test_what_is_no_path(place: Any) -> None:
    calls = {
        lg.read: "a graph file",
        lg.io.read_edges: "a graph file",
        lg.io.read_coordinates: "a file of coordinates",
        lg.io.read_movingai: "a grid map",
        lg.Contraction.load: "a contraction",
    }
    for call, what in calls.items():
        with pytest.raises(
            WrongType, match=f"expected (the path of {what}, .*|path as .*,) got {place}"
        ):
            call(place)


# --- words that are misspelt ----------------------------------------------------------------------

G = lg.Graph.from_edges([0, 1], [1, 2], [1, 5], backend="cpu")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: lg.pagerank(G, aplha=0.9), r"of pagerank \(G, alpha, .* got 'aplha'; .*'alpha'"),
        (lambda: lg.pagerank(G, dampng=0.9), r"progress\), got 'dampng'$"),
        (lambda: lg.pagerank(G, damping=0.9), "got 'damping'; here it is 'alpha'$"),
        (lambda: lg.bfs(G, root=0), "got 'root'; here it is 'source'$"),
        (lambda: G.plot(root=0), "got 'root'$"),
        (lambda: lg.bfs(G, 0, sorces=[1]), "did you mean 'sources' or 'source'"),
        (lambda: lg.sssp(G, 0, progres=True), "did you mean 'progress'"),
        (lambda: lg.read("x.gr", directd=True), "did you mean 'directed'"),
        (lambda: lg.Graph.from_edges([0], [1], wieght=3), r"\(src, .* did you mean 'weight'"),
        (lambda: G.plot(lables=True), r"of plot \(positions, .* did you mean 'labels'"),
        (lambda: G.A.to_coo(srt=True), "did you mean 'sort'"),
        (lambda: lg.draw.graph(G, lables=True), r"of graph \(G, positions, .* 'labels' or"),
        (lambda: lg.Schedule(directon="push"), r"of Schedule \(direction, .* 'direction'"),
        (lambda: lg.memory_needed(lg.bfs, G, sorce=0), "of bfs .* 'source'"),
        (lambda: lg.explain().__enter__().plot(pth=1), "of plot .* 'path'"),
    ],
)
def test_a_misspelt_keyword_is_told(call: Any, says: str) -> None:
    with pytest.raises(UnknownKeyword, match=says) as told:
        call()
    assert isinstance(told.value, TypeError)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: lg.Graph.from_edges([(0, 1), (1, 2)]),
         r"expected src and dst in from_edges, got no dst; .* from_edges\(\*zip\(\*pairs\)\)$"),
        (lambda: lg.Graph.from_edges(dst=[0], n=3), "got no src$"),
        (lambda: lg.Matrix.from_coo([0], values=1),
         "expected rows and columns in from_coo, got no columns; Vector.from_coo takes one list"),
        (lambda: lg.Vector.from_dense(), "expected values in from_dense, got no values$"),
    ],
)  # fmt: skip
def test_what_is_not_given_is_told(call: Any, says: str) -> None:
    with pytest.raises(WrongType, match=says):
        call()


def takers() -> dict[str, Any]:
    """Every public function, constructor and method of a graph that has keywords of its own."""
    made: dict[str, Any] = {
        f"{owner.__name__}.{name}": getattr(owner, name)
        for owner in (lg, lg.draw, lg.io, lg.viz)
        for name in owner.__all__
    }
    made |= {f"Graph.{name}": getattr(lg.Graph, name) for name in dir(lg.Graph) if name[0] != "_"}
    own = lg.Schedule, lg.io.EdgeList, lg.progress, lg.Recorder
    return {
        name: thing
        for name, thing in made.items()
        if (inspect.isroutine(thing) or thing in own) and keywords(thing)
    }


def keywords(made: Any) -> list[str]:
    """The names of more than a letter or two that may be given, unless a function takes any."""
    takes = inspect.signature(made).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in takes):
        return []
    named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    return [p.name for p in takes if p.kind in named and len(p.name) > 2 and p.name != "self"]


LIGHT = {"Graph.degree", "Graph.has_edge", "Graph.kept", "Graph.point", "Graph.vertex"}
"""Methods that are called often, and have one or two arguments: Python's message is left."""


@pytest.mark.parametrize("name", sorted(takers().keys() - LIGHT))
def test_every_function_suggests_its_keywords(name: str) -> None:
    made = takers()[name]
    given = {"G": G} if "G" in inspect.signature(made).parameters else {}
    for word in keywords(made):
        with pytest.raises(UnknownKeyword, match=rf"got '{word}x'; did you mean .*'{word}'"):
            made(**given, **{f"{word}x": 1})


def test_other_errors_of_type_are_left_alone() -> None:
    def broken(G: lg.Graph) -> None:
        raise TypeError("mine")

    with pytest.raises(TypeError, match=r"missing .*'G'"):
        lg.bfs()
    with pytest.raises(TypeError, match=r"^mine$"):
        G.kept(compute=broken)


@pytest.mark.parametrize(
    ("get", "says"),
    [
        (lambda: lg.pagernk, "'lagraph_gpu' has no attribute 'pagernk'; did you mean pagerank?"),
        (
            lambda: lg.from_networkx,
            "no attribute 'from_networkx'; Graph has it: Graph.from_networkx",
        ),
        (lambda: lg.nothing_like_it, "no attribute 'nothing_like_it'$"),
        (lambda: G.to_netwrkx, "'to_netwrkx'; did you mean to_networkx or from_networkx?"),
        (lambda: G.bfs, r"'bfs'; it is a function: lg.bfs\(G\)"),
        (lambda: G.nodes, r"'nodes'; here it is G.labels, or range\(G.n\)"),
        (lambda: G.vcount, "'vcount'; here it is G.n$"),
    ],
)
def test_a_misspelt_name_is_told(get: Any, says: str) -> None:
    with pytest.raises(AttributeError, match=says):
        get()


def test_names_of_other_libraries_lead_to_ours() -> None:
    for said in HERE.values():
        name = re.match(r"G\.(\w+)|copy\.copy\(G\)", said)
        assert name is not None and (name[1] is None or hasattr(G, name[1])), said
    assert not any(hasattr(G, name) for name in HERE)


v, A = lg.Vector.from_dense([1, 2], backend="cpu"), lg.Matrix.from_coo([0], [1], 2, backend="cpu")


@pytest.mark.parametrize(
    ("get", "says"),
    [
        (
            lambda: v.tolist,
            r"'Vector' object .* 'tolist'; did you mean to_dense\(\)\.tolist\(\)\?$",
        ),
        (lambda: v.to_numpy, r"'to_numpy'; did you mean to_dense\(\)\?"),
        (lambda: A.toarray, r"'Matrix' object .* 'toarray'; did you mean to_dense\(\)\?"),
        (lambda: A.nnz, r"'nnz'; did you mean nvals\?"),
        (lambda: (A + A).nnz, r"'nnz'; did you mean nvals\?"),
        (lambda: v.tocsr, "no attribute 'tocsr'$"),
        (lambda: v.__array_namespace__, "no attribute '__array_namespace__'$"),
    ],
)
def test_names_of_other_libraries_are_told(get: Any, says: str) -> None:
    with pytest.raises(AttributeError, match=says):
        get()


def test_numpy_adds_up_all_entries() -> None:
    assert np.sum(v) == 3 and np.mean(v) == 1.5 and np.max(v) == 2 and np.min(v + v) == 2
    for wrong in (lambda: A.sum(axis=0), lambda: A.sum(0), lambda: np.sum(A, axis=0)):
        with pytest.raises(WrongType, match=r'got axis=0; reduce_columnwise\("plus"\)'):
            wrong()
    with pytest.raises(WrongType, match=r"no argument of mean\(\), .* got axis=0$"):
        v.mean(axis=0)  # type: ignore[call-arg]
