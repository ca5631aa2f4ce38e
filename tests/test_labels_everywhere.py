"""Every public function of a graph takes labels where the graph has them, and every verifier.

The functions and their parameters are walked. A parameter of a new name has to be put into `TAKES`
or `OTHERS`, and one that takes vertices is then tried: by label it answers what it answers by
position on the graph without labels. A verifier with such a parameter stands in `JUDGED`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.errors import IndexOutOfBound, VerificationError
from tests.fuzz.public_calls import UNDIRECTED, Call, World, by_name, calls

Rename = Callable[[int], Any]

TAKES: dict[str, Callable[[Rename], Any]] = {
    **dict.fromkeys(("source", "u"), lambda name: name(0)),
    **dict.fromkeys(("target", "v", "label"), lambda name: name(3)),
    **dict.fromkeys(("sources", "src", "nbunch", "vertices"), lambda name: [name(0), name(4)]),
    **dict.fromkeys(("targets", "dst"), lambda name: [name(1), name(5)]),
    "pairs": lambda name: [(name(0), name(3)), (name(4), name(1))],
    **dict.fromkeys(
        ("personalization", "nstart", "dangling", "beta"),
        lambda name: {name(1): 1.0, name(2): 2.0, name(3): 1.0},
    ),
    "lower_bound": lambda name: {name(0): 1, name(3): 0},
}
"""Parameters that take vertices, and a value for each, made of positions."""

OTHERS = {
    *("G", "H", "alpha", "batch_size", "compute", "contraction", "core", "cutoff", "device"),
    *(
        "distance",
        "dtype",
        "dup",
        "endpoints",
        "folder",
        "format",
        "ids",
        "iterations",
        "k",
        "length",
    ),
    *(
        "max_iter",
        "max_level",
        "memory",
        "n",
        "normalized",
        "overwrite",
        "path",
        "progress",
    ),
    *(
        "resolution",
        "result",
        "root",
        "schedule",
        "seed",
        "step",
        "strategy",
        "threshold",
        "tol",
        "torch",
    ),
    *("value", "values", "weight", "weighted", "wf_improved", "what", "which"),
    *("edge_data", "labels", "layout", "order", "position"),  # vectors, and positions
}
"""Parameters that do not."""

NO_VERTICES = {
    *(("Graph.to_original", "v"), ("Graph.from_original", "v")),  # vectors
    *(("Graph.to_pandas", "source"), ("Graph.to_pandas", "target")),  # names of columns
}

NAMES: dict[str, list[Any]] = {
    "integers": [3, 0, 5, 1, 2, 4],  # positions of other vertices, so that a mistake shows
    "strings": ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay"],
    "tuples": [("a", i) for i in range(6)],
}


@cache
def world() -> World:
    return World("cpu")


def of_graphs() -> list[Call]:
    """The functions whose first parameter is a graph, and the methods of graphs."""
    public = [c for c in calls() if c.name.startswith("lg.")]
    functions = [c for c in public if c.parameters[0].name == "G"]
    return functions + [c for c in calls() if c.owner is lg.Graph]


def taking() -> list[tuple[str, str]]:
    """Each function by name, with each of its parameters that take vertices."""
    pairs = [(call.name, p.name) for call in of_graphs() for p in call.parameters]
    return [pair for pair in pairs if pair[1] in TAKES and pair not in NO_VERTICES]


def answer(name: str, parameter: str, names: list[Any] | None, rename: Rename) -> Any:
    """What a call finds on a graph with these labels, as plain Python."""
    call, made = by_name()[name], world()
    undirected = call.name.rpartition(".")[2] in UNDIRECTED
    graph = made.undirected if undirected else made.graph
    G = lg.Graph(graph.A.dup(), graph.directed)
    G.labels = names
    known = {p.name for p in call.parameters}
    given = {name: make for name, make in call.arguments(made).items() if name not in TAKES}
    needed = TAKES.keys() & call.arguments(made).keys() | {parameter}
    if parameter == "sources" and "source" in known:
        needed -= {"source"}
    given |= {name: TAKES[name](rename) for name in needed}
    given |= {name: x for name, x in (("G", G), ("seed", 1)) if name in known}
    own = [G] if call.owner is lg.Graph else []
    return plain(call.function(*own, **given))


def plain(found: Any) -> Any:
    if isinstance(found, lg.Graph):
        return plain(found.A)
    if isinstance(found, (lg.Vector, lg.Matrix)):
        return [part.tolist() for part in found.to_coo()]
    if isinstance(found, lg.Scalar):
        return found.get()
    if isinstance(found, (tuple, list)) or hasattr(found, "__next__"):
        return [plain(part) for part in found]
    found = found.get() if hasattr(found, "get") else found  # of CuPy
    return found.tolist() if isinstance(found, np.ndarray) else found


def test_every_parameter_is_known() -> None:
    walked = {p.name: call.name for call in of_graphs() for p in call.parameters}
    unknown = {name: of for name, of in walked.items() if name not in TAKES.keys() | OTHERS}
    assert not unknown, "put them into TAKES if they take vertices, else into OTHERS"
    assert not {name for name in TAKES.keys() | OTHERS if name not in walked}


EACH = pytest.mark.parametrize(("name", "parameter"), taking(), ids=str)


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
@EACH
def test_labels_are_taken(name: str, parameter: str, names: list[Any]) -> None:
    found = answer(name, parameter, names, names.__getitem__)
    assert found == answer(name, parameter, None, int)


REFUSING = [call for call in taking() if call[0] != "Graph.add_edges"]
"""Those for which a label that no vertex has is an error; `add_edges` adds the vertex."""


@pytest.mark.parametrize(("name", "parameter"), REFUSING, ids=str)
def test_others_are_refused(name: str, parameter: str) -> None:
    words = r"as a label of this graph, got 'Bo\d'; similar labels are 'Bob\d'"
    with pytest.raises(IndexOutOfBound, match=words):
        answer(name, parameter, [f"Bob{i}" for i in range(6)], lambda at: f"Bo{at}")


# --- verifiers ----------------------------------------------------------------------------------
Judge = Callable[[lg.Graph, Any, Any], Any]

JUDGED: dict[str, Judge] = {
    "verify_bfs": lambda G, a, b: (a, *lg.bfs(G, a)),
    "verify_sssp": lambda G, a, b: (a, *lg.sssp(G, a)),
    "verify_dfs": lambda G, a, b: (*lg.dfs(G, a), a),
    "verify_path_between": lambda G, a, b: (a, b, lg.shortest_path_between(G, a, b)),
    "verify_distance_matrix": lambda G, a, b: (lg.distance_matrix(G, [a], [b]), [a], [b]),
    "verify_paired_distances": lambda G, a, b: ([a], [b], lg.paired_distances(G, [a], [b])),
    "verify_eccentricity": lambda G, a, b: (lg.eccentricity(G, a), a),
    "verify_random_walks": lambda G, a, b: ([a, b], 3, lg.random_walks(G, [a, b], 3, seed=1)),
    "verify_common_neighbors": lambda G, a, b: (a, b, lg.common_neighbors(G, a, b)),
    **{
        f"verify_{name.removesuffix('_coefficient')}": lambda G, a, b, name=name: (
            getattr(lg, name)(G, [(a, b)]), [(a, b)],
        )
        for name in ("common_neighbor_counts", "jaccard_coefficient", "overlap_coefficient")
    },
    "verify_pagerank": lambda G, a, b: (
        lg.pagerank(G, 0.8, {a: 1, b: 2}, dangling={b: 1}), 0.8, {a: 1, b: 2}, None, None, {b: 1},
    ),
    "verify_katz": lambda G, a, b: (lg.katz_centrality(G, beta={a: 1, b: 2}), 0.1, {a: 1, b: 2}),
}  # fmt: skip
"""What each verifier is given after the graph, of which a and b are vertices."""


def test_every_verifier_that_takes_vertices_is_known() -> None:
    vertices = TAKES.keys() - {"label"}  # which is a result of `connected_components`
    known = {*JUDGED, "verify_negative_cycle", "verify_path_to"}  # which has no graph
    for name in verify.__all__:
        if name.startswith("verify_"):
            parameters = inspect.signature(getattr(verify, name)).parameters.keys()
            assert bool(parameters & vertices) is (name in known), name


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("name", JUDGED)
def test_verifiers_take_labels(name: str, names: list[Any]) -> None:
    G = lg.Graph.from_edges([0, 1, 2, 0, 4], [1, 2, 3, 3, 5], directed=False, backend="cpu")
    G = G.add_edges([3], [4])
    G.labels = names
    getattr(verify, name)(G, *JUDGED[name](G, names[0], names[4]))


def test_a_negative_cycle_is_found_from_a_label() -> None:
    G = lg.Graph.from_edges([0, 1, 2], [1, 0, 3], [1, -2, 1], backend="cpu")
    G.labels = [2, 3, 1, 0]
    verify.verify_negative_cycle(G, 3)
    with pytest.raises(VerificationError, match="expected a cycle of negative length"):
        verify.verify_negative_cycle(G, 1)
