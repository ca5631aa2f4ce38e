"""The public functions of a graph, given something else; and what is left of them otherwise."""

from __future__ import annotations

import inspect
import pickle
import types
import typing
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
import scipy.sparse as sp

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.argument_check import takes_a_graph
from lagraph_gpu.errors import WrongType
from lagraph_gpu.generate import generators

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
        (generators.grid(2, 2), "EdgeList; make one with lg.Graph.from_edgelist"),
        ("roads.gr", r"got str; read one with lg.read\(path\)"),
        (Path("roads.gr"), r"read one with lg.read\(path\)"),
        (None, "got NoneType; make one with lg.Graph.from_edges"),
    ],
)
def test_how_to_come_by_a_graph(thing: Any, says: str) -> None:
    with pytest.raises(WrongType, match=f"expected a lagraph_gpu.Graph, got .*{says}|{says}"):
        lg.bfs(thing, 0)


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
