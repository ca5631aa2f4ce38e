"""Every public callable with valid arguments, among which a hostile one is put.

A call follows from the signature: each required parameter has a value in `RIGHT`, by its name, or
in `SPECIAL`, by callable and name. A new public name is therefore called without an entry here, or
`test_right_calls_succeed` says which of its parameters needs one.
"""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from io import BytesIO, StringIO
from itertools import count
from pathlib import Path
from types import FunctionType
from typing import Any

import graphblas as gb
import networkx as nx
import numpy as np
import scipy.sparse as sp
import sparse

import lagraph_gpu as lg
from lagraph_gpu import csgraph, io
from lagraph_gpu.notation.expressions import Expression, Infix, MatMul

CLASSES = (lg.Vector, lg.Matrix, lg.Scalar, lg.Graph, lg.Contraction, lg.Schedule, io.EdgeList)
SIGNS = (
    *("__getitem__", "__setitem__", "__lshift__", "__call__", "__contains__", "__delitem__"),
    *("__add__", "__radd__", "__mul__", "__truediv__", "__floordiv__", "__sub__", "__pow__"),
    *("__matmul__", "__and__", "__or__", "__xor__", "__gt__", "__eq__", "__ne__", "__iadd__"),
    *("__rsub__", "__rmatmul__", "__rpow__", "__mod__"),
)
"""Methods that are written as signs."""

NO_ARGUMENTS = {"explain", "trace"}


@cache
def held() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="hostile")


def folder() -> Path:
    """Where right calls read and write files, until the process ends."""
    return Path(held().name)


SRC, DST, WEIGHTS = [0, 0, 1, 2, 3, 4], [1, 2, 3, 3, 4, 5], [1, 2, 3, 1, 2, 1]

FILES = {
    "edges.txt": "0 1\n1 2\n",
    "map.map": "type octile\nheight 2\nwidth 2\nmap\n..\n.@\n",
    "town.osm": '<osm version="0.6"><node id="1" lat="0" lon="0"/><node id="2" lat="0" lon="1"/>'
    '<way id="3"><nd ref="1"/><nd ref="2"/><tag k="highway" v="road"/></way></osm>',
    "places.co": "p aux sp co 2\nv 1 1 2\nv 2 3 4\n",
}


@cache
def file(name: str) -> Path:
    path = folder() / name
    path.write_text(FILES[name])
    return path


class World:
    """What right arguments are made of, on one backend."""

    def __init__(self, backend: Any) -> None:
        self.backend = backend

    @cached_property
    def graph(self) -> lg.Graph:
        return lg.Graph.from_edges(SRC, DST, WEIGHTS, n=6, backend=self.backend)

    @cached_property
    def undirected(self) -> lg.Graph:
        return lg.Graph.from_edges(SRC, DST, WEIGHTS, 6, False, backend=self.backend)

    @cached_property
    def relabelled(self) -> lg.Graph:
        return lg.kronecker(3, 2, backend=self.backend).relabel()

    @cached_property
    def contraction(self) -> lg.Contraction:
        return lg.contract(self.undirected, core=2)

    @cached_property
    def saved(self) -> Path:
        path = folder() / "contraction.npz"
        self.contraction.save(path)
        return path

    @cached_property
    def saved_graph(self) -> Path:
        path = folder() / f"graph{next(NUMBERS)}"
        self.undirected.save(path)
        return path

    def edges(self) -> io.EdgeList:
        return io.EdgeList(np.array([0, 1]), np.array([1, 2]), np.array([1.0, 2.0]), 3, 3)

    def vector(self) -> lg.Vector:
        return lg.Vector.from_coo([0, 1, 4], [1.0, 2.0, 3.0], size=6, backend=self.backend)

    def matrix(self) -> lg.Matrix:
        values, sides = np.array(WEIGHTS, float), {"nrows": 6, "ncols": 6}
        return lg.Matrix.from_coo(SRC, DST, values, **sides, backend=self.backend)

    def scalar(self) -> lg.Scalar:
        return lg.Scalar.from_value(2.5, backend=self.backend)


NUMBERS = count()
"""For names that are new."""

Make = Callable[[World], Any]

RIGHT: dict[str, Make] = {
    "spelling": lambda w: "FP64",
    "key": lambda w: "FP64",
    "type1": lambda w: "INT8",
    "type2": lambda w: "FP32",
    "func": lambda w: lambda x, y: x + y,
    "name": lambda w: f"own_{next(NUMBERS)}",
    "left": World.vector,
    "right": World.vector,
    "val": World.vector,
    "expr": lambda w: w.matrix() <= 3,
    "monoid": lambda w: "plus",
    "binaryop": lambda w: "times",
    "identity": lambda w: 0,
    "G": lambda w: w.graph,
    "H": lambda w: w.relabelled,
    "A": World.matrix,
    "source": lambda w: 0,
    "target": lambda w: 3,
    "sources": lambda w: [0, 1],
    "targets": lambda w: [2, 3],
    "length": lambda w: 3,
    "u": lambda w: 0,
    "v": lambda w: 1,
    "k": lambda w: 3,
    "labels": lambda w: lg.Vector.from_dense(np.array([0, 0, 1, 1, 2, 2]), backend=w.backend),
    "label": lambda w: 0,
    "position": lambda w: 0,
    "frame": lambda w: {"source": ["a", "b"], "target": ["b", "c"]},
    "parent": lambda w: lg.bfs(w.graph, 0)[1],
    "x0": lambda w: lg.Vector.from_coo([0], [0.0], size=6, backend=w.backend),
    "semiring": lambda w: lg.semiring.min_plus,
    "tiles": lambda w: [[w.matrix()], [w.matrix()]],
    "whole": World.matrix,
    "chunks": lambda w: [[3, 3], [2, 4]],
    "rows": lambda w: 3,
    "cols": lambda w: 2,
    "scale": lambda w: 3,
    "n": lambda w: 5,
    "nedges": lambda w: 4,
    "path": lambda w: file("edges.txt"),
    "which": lambda w: w.backend,
    "csgraph": lambda w: sp.csr_array(w.matrix().to_dense(0.0)),
    "graph": lambda w: sp.csr_array(w.matrix().to_dense(0.0)),
    "biadjacency": lambda w: sp.csr_array(np.eye(3)),
    "i_start": lambda w: 0,
    "sink": lambda w: 5,
    "K": lambda w: 2,
    "predecessors": lambda w: np.array([-9999, 0, 0, 1, 3, 4], np.int32),
    "op": lambda w: "plus",
    "other": World.vector,
    "index": lambda w: 1,
    "row": lambda w: 1,
    "col": lambda w: 1,
    "value": lambda w: 2.0,
    "values": lambda w: [1.0, 2.0, 3.0],
    "indices": lambda w: [0, 1, 4],
    "columns": lambda w: [0, 1, 4],
    "expression": lambda w: w.vector().apply("abs"),
    "size": lambda w: 6,
    "nrows": lambda w: 6,
    "ncols": lambda w: 6,
    "offset": lambda w: 1,
    "row_offset": lambda w: 1,
    "column_offset": lambda w: -1,
    "left_default": lambda w: 0.0,
    "right_default": lambda w: 1.0,
    "edges": World.edges,
    "folder": lambda w: w.saved_graph,
    "src": lambda w: [0, 1],
    "dst": lambda w: [1, 2],
    "g": lambda w: nx.path_graph(4),
    "compute": lambda w: lambda G: 1,
    "vertex": lambda w: 2,
    "vertices": lambda w: [0, 2, 3],
    "counted": lambda w: False,
    "d": lambda w: {0: 1.0, 3: 2.0},
    "nested_dicts": lambda w: {0: {1: 1.0}, 2: {0: 3.0}},
    "edgelist": lambda w: [(0, 1), (1, 2)],
    "batches": lambda w: [([0, 1], [1, 2]), ([2], [3])],
    "indptr": lambda w: [0, 1, 2, 3],
    "compressed_rows": lambda w: [0, 1, 2],
    "compressed_cols": lambda w: [0, 1, 2],
    "col_indices": lambda w: [0, 1, 4],
    "row_indices": lambda w: [0, 1, 4],
    "pairs": lambda w: [(0, 1.0), (3, 2.0)],
    "dtype": lambda w: "FP64",
    "data": lambda w: w.vector().serialize(),
}


def flags(world: World) -> lg.Vector:
    return world.vector().apply("one").new("BOOL")


def matrix_of_flags(world: World) -> lg.Matrix:
    return world.matrix().apply("one").new("BOOL")


EXAMPLES = {
    "agg": "mean", "binary": "isclose", "dtypes": "", "indexunary": "rowindex", "monoid": "min",
    "op": "plus", "select": "tril", "semiring": "min_plus", "unary": "abs",
}  # fmt: skip
"""Namespaces of operators, and the name of one in each."""


def spelled(name: str, world: World) -> str:
    return name


SPECIAL: dict[str, dict[str, Make]] = {
    **{f"{kind}.from_string": {"string": partial(spelled, name)}
       for kind, name in EXAMPLES.items()},
    **{f"unary.register_{how}": {"func": lambda w: lambda x: x + 1}
       for how in ("new", "anonymous")},
    **{f"{kind}.register_{how}": {"func": lambda w: "i > y"}
       for kind in ("indexunary", "select") for how in ("new", "anonymous")},
    **{f"monoid.register_{how}": {"binaryop": lambda w: "x + y"} for how in ("new", "anonymous")},
    **{f"{name}.__call__": {"left": lambda w: w.vector() | w.vector(), "right": lambda w: None}
       for name in ("monoid.min", "op.plus")},
    "semiring.min_plus.__call__": {"left": lambda w: w.vector() @ w.matrix(),
                                   "right": lambda w: None},
    "select.tril.__call__": {"val": World.matrix},
    "select.value": {"expr": lambda w: w.vector() > 1},
    "select.index": {"expr": lambda w: w.vector() > 1},
    "Vector.__xor__": {"*": flags, "other": flags},
    "Matrix.__xor__": {"*": matrix_of_flags, "other": matrix_of_flags},
    "lg.memory_needed": {"algorithm": lambda w: lg.bfs},
    "lg.bfs": {"source": lambda w: 0},
    "lg.sssp": {"source": lambda w: 0},
    "lg.eigenvector_centrality": {"tol": lambda w: 1e-2},
    "csgraph.construct_dist_matrix": {"predecessors": lambda w: np.full((6, 6), -9999, np.int32)},
    "Vector.selector": {"*": lambda w: w.vector().dup("INT64")},
    "Vector.to_dense": {"fill_value": lambda w: 0.0},
    "Matrix.to_dense": {"fill_value": lambda w: 0.0},
    "Graph.from_original": {"v": lambda w: lg.Vector("FP64", 8, backend=w.backend)},
    "Graph.named": {"result": lambda w: lg.bfs(w.relabelled, 0)},
    "Graph.to_original": {"v": lambda w: lg.Vector("FP64", 8, backend=w.backend)},
    "lg.common_neighbors": {"u": lambda w: 0, "v": lambda w: 3},
    "lg.write": {"path": lambda w: folder() / "written.mtx"},
    "lg.shortest_path_between": {"target": lambda w: 5},
    "csgraph.csgraph_from_dense": {"graph": lambda w: np.eye(3)},
    "csgraph.csgraph_from_masked": {"graph": lambda w: np.ma.array(np.eye(3), mask=np.eye(3) == 0)},
    "csgraph.csgraph_masked_from_dense": {"graph": lambda w: np.eye(3)},
    "csgraph.maximum_flow": {"csgraph": lambda w: sp.csr_array(np.eye(6, k=1, dtype=np.int32))},
    "csgraph.min_weight_full_bipartite_matching": {},
    "csgraph.laplacian": {"csgraph": lambda w: w.matrix().to_dense(0.0)},
    "io.read_coordinates": {"path": lambda w: file("places.co")},
    "io.read_movingai": {"path": lambda w: file("map.map")},
    "io.write_edges": {"path": lambda w: folder() / "out.mtx"},
    "io.from_scipy_sparse": {"A": lambda w: sp.csr_array(np.eye(3))},
    "io.EdgeList": {"weight": lambda w: None, "src": lambda w: np.array([0, 1]),
                    "dst": lambda w: np.array([1, 2])},
    "Vector.from_pairs": {},
    "Vector.from_dense": {"values": lambda w: np.arange(4.0)},
    "Vector.from_graphblas": {"vector": lambda w: gb.Vector(float, 3)},
    "Vector.build": {"indices": lambda w: [0, 1, 2],
                     "*": lambda w: lg.Vector("FP64", 6, backend=w.backend)},
    "Vector.vxm": {"other": World.matrix},
    "Vector.update": {"expr": lambda w: w.vector().apply("abs")},
    "Vector.apply": {"op": lambda w: "abs"},
    "Vector.select": {"op": lambda w: ">", "thunk": lambda w: 1},
    "Vector.__getitem__": {"index": lambda w: [0, 1]},
    "Vector.__setitem__": {"index": lambda w: 2, "value": lambda w: 4.0},
    "Vector.__lshift__": {},
    "Vector.resize": {},
    "Vector.diag": {"k": lambda w: 0},
    "Matrix.__lshift__": {"expression": lambda w: w.matrix().apply("abs")},
    "Matrix.update": {"expr": lambda w: w.matrix().apply("abs")},
    "Matrix.apply": {"op": lambda w: "abs"},
    "Matrix.select": {"op": lambda w: "tril"},
    "Matrix.power": {"n": lambda w: 2, "op": lambda w: "plus_times"},
    "Matrix.build": {"rows": lambda w: [0, 1, 2], "columns": lambda w: [0, 1, 2],
                     "*": lambda w: lg.Matrix("FP64", 6, 6, backend=w.backend)},
    "Matrix.setdiag": {"values": lambda w: 1.0},
    "Matrix.from_coo": {"rows": lambda w: [0, 1, 4]},
    "Matrix.from_csr": {}, "Matrix.from_csc": {},
    "Matrix.from_dense": {"values": lambda w: np.eye(3)},
    "io.mmread": {"source": lambda w: StringIO("%%MatrixMarket matrix coordinate real general\n"
                                               "2 2 1\n1 2 3.5\n")},
    "io.mmwrite": {"target": lambda w: BytesIO(), "matrix": lambda w: w.graph.A},
    "io.from_networkx": {"G": lambda w: nx.path_graph(3), "weight": lambda w: "weight"},
    "io.from_awkward": {"A": lambda w: lg.io.to_awkward(w.matrix())},
    "io.from_pydata_sparse": {"s": lambda w: sparse.COO(np.eye(3)), "dup_op": lambda w: "plus"},
    "io.read_osm": {"path": lambda w: file("town.osm")},
    "io.to_networkx": {"m": lambda w: w.graph.A},
    "Matrix.from_graphblas": {"matrix": lambda w: gb.Matrix(float, 3, 3)},
    "Matrix.from_scipy_sparse": {"A": lambda w: sp.csr_array(np.eye(3))},
    "Matrix.deserialize": {"data": lambda w: w.matrix().serialize()},
    "Matrix.mxv": {"other": World.vector},
    "Matrix.__getitem__": {"index": lambda w: (1, 2)},
    "Matrix.__setitem__": {"index": lambda w: (1, 2), "value": lambda w: 4.0},
    "Matrix.__delitem__": {"index": lambda w: (0, 1)},
    "Matrix.__contains__": {"index": lambda w: (0, 1)},
    "Scalar.apply": {"op": lambda w: "abs"},
    "Scalar.select": {"op": lambda w: ">", "thunk": lambda w: 1},
    "Scalar.__lshift__": {"value": lambda w: 3.0},
    "Scalar.update": {"expr": lambda w: 3.0},
    "Graph.from_scipy": {"A": lambda w: sp.csr_array(np.eye(3))},
    "Graph.save": {"folder": lambda w: folder() / f"graph{next(NUMBERS)}"},
    "Contraction.save": {"path": lambda w: folder() / "saved.npz"},
    "Contraction.load": {"path": lambda w: w.saved},
    "Contraction.expect": {"G": lambda w: w.undirected},
}  # fmt: skip

UNDIRECTED = {
    *("average_clustering", "bipartite_color", "clustering", "connected_components", "contract"),
    *("core_number", "greedy_color", "is_bipartite", "k_core", "k_truss", "label_propagation"),
    *(
        "leiden",
        "local_clustering_coefficient",
        "louvain",
        "maximal_independent_set",
        "maximal_matching",
    ),
    *(
        "maximum_bipartite_matching",
        "maximum_spanning_tree",
        "minimum_spanning_edges",
        "modularity",
    ),
    *("minimum_spanning_tree", "number_connected_components", "spanning_forest", "transitivity"),
    *("triangle_count", "triangles", "common_neighbor_counts", "common_neighbors"),
    *("jaccard_coefficient", "overlap_coefficient", "floyd_warshall", "diameter", "eccentricity"),
}
"""Of an undirected graph."""

SELVES: dict[type, Make] = {
    lg.Vector: World.vector,
    lg.Matrix: World.matrix,
    lg.Scalar: World.scalar,
    lg.Graph: lambda w: w.relabelled,
    lg.Contraction: lambda w: w.contraction,
    lg.Schedule: lambda w: lg.Schedule(),
    io.EdgeList: World.edges,
}
MATRIX_OTHERS = {"ewise_add", "ewise_mult", "ewise_union", "isclose", "isequal", "kronecker", "mxm"}
LEFT_OUT = {
    # they need a GPU, torch or igraph, and say so whatever the argument is
    *("Matrix.to_cupyx", "Matrix.to_torch", "Matrix.from_torch", "Graph.to_igraph"),
    # scalars have one shape, and these signs refuse it with any other operand
    *("Scalar.__matmul__", "Scalar.__rmatmul__", "Scalar.__xor__"),
    *("Scalar.reduce", "Scalar.select"),
    # parts of Contraction and Scalar that other modules of the package call
    *("Contraction.of_parts", "Contraction.of_rounds", "Contraction", "Scalar.put", "Scalar.send"),
    # they refuse whatever comes: there are no types of one's own
    *("dtypes.register_anonymous", "dtypes.register_new"),
    # Matplotlib keeps each picture; test_draw.py has the refusals
    "Graph.plot",
    # its backend is one of python-graphblas' own
    "lg.init",
    # they would change all calls that follow
    "lg.set_backend",
    "lg.set_memory_limit",
}


@dataclass(frozen=True)
class Call:
    """A public callable, and how its arguments are made."""

    name: str
    function: Any
    owner: type | None
    """The class whose object is made anew for each call; None if no object is needed."""

    @property
    def parameters(self) -> list[inspect.Parameter]:
        found = list(inspect.signature(self.function).parameters.values())
        return found[1:] if self.owner is not None else found

    def takes_function(self, parameter: str) -> bool:
        """Whether the argument is called; then its errors are those of the caller."""
        kind = str(inspect.signature(self.function).parameters[parameter].annotation)
        return "Callable" in kind or "Callback" in kind

    def right(self, world: World, parameter: str) -> Make | None:
        special = SPECIAL.get(self.name, {})
        plain = self.name.rpartition(".")[2]
        if parameter == "G" and plain in UNDIRECTED:
            return lambda w: w.undirected
        if parameter in special:
            return special[parameter]
        if parameter == "other" and self.owner is lg.Matrix and plain in (*MATRIX_OTHERS, *SIGNS):
            return World.matrix
        if parameter == "other" and self.owner is lg.Scalar:
            return World.scalar
        return RIGHT.get(parameter)

    def arguments(self, world: World) -> dict[str, Any]:
        """The required arguments by name; a KeyError if no valid value is known."""
        given: dict[str, Any] = {}
        for p in self.parameters:
            needed = p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
            if needed or p.name in SPECIAL.get(self.name, {}):
                make = self.right(world, p.name)
                if make is None:
                    raise KeyError(f"{self.name}: nothing right is known for {p.name}")
                given[p.name] = make(world)
        if "backend" in {p.name for p in self.parameters}:
            given["backend"] = world.backend
        return given

    def run(self, world: World, hostile: dict[str, Any]) -> Any:
        """Call it; `hostile` has arguments that replace those of these names."""
        given = self.arguments(world) | hostile
        positional = []
        if self.owner is not None:
            own = SPECIAL.get(self.name, {}).get("*", SELVES[self.owner])
            positional.append(own(world))
        for p in self.parameters:
            if p.kind is p.POSITIONAL_ONLY or p.kind is p.VAR_POSITIONAL:
                if p.name in given:
                    positional.append(given.pop(p.name))
            elif p.kind is p.VAR_KEYWORD:
                given |= {"mask": given.pop(p.name)} if p.name in given else {}
        made = self.function(*positional, **given)
        if hasattr(made, "__next__"):
            return list(made)
        if isinstance(made, (Infix, MatMul)):
            made = (
                lg.semiring.plus_times(made) if isinstance(made, MatMul) else lg.binary.plus(made)
            )
        if isinstance(made, Expression):
            made = made.new()  # an expression is computed when it is used
        if isinstance(made, (lg.Vector, lg.Matrix)):
            return made.nvals
        if isinstance(made, lg.Scalar):
            return made.get()
        return made


def members(owner: type) -> Iterator[Call]:
    for name in dir(owner):
        held = inspect.getattr_static(owner, name)
        inherited = name in vars(object) and held is vars(object)[name]
        if inherited or (name.startswith("_") and name not in SIGNS):
            continue
        label = f"{owner.__name__}.{name}"
        if isinstance(held, classmethod):
            yield Call(label, getattr(owner, name), None)
        elif isinstance(held, FunctionType):
            yield Call(label, held, owner)


def of_namespaces() -> Iterator[Call]:
    """The methods of `lg.binary` and others, and one operator of each."""
    for short, example in EXAMPLES.items():
        namespace = getattr(lg, short)
        for name in dir(type(namespace)):
            if not name.startswith("_") and inspect.isfunction(getattr(type(namespace), name)):
                yield Call(f"{short}.{name}", getattr(namespace, name), None)
        if example:
            operator = getattr(namespace, example)
            yield Call(f"{short}.{example}.__call__", operator.__call__, None)
            yield Call(f"{short}.{example}.__getitem__", operator.__getitem__, None)


@cache
def calls() -> tuple[Call, ...]:
    """Every public callable that takes an argument."""
    found = [
        Call(f"{short}.{name}", getattr(module, name), None)
        for short, module in (("lg", lg), ("csgraph", csgraph), ("io", io))
        for name in module.__all__
        if inspect.isfunction(getattr(module, name)) and name not in NO_ARGUMENTS
    ]
    for owner in CLASSES:
        found.append(Call(owner.__name__, owner, None))
        found.extend(members(owner))
    found.append(Call("io.EdgeList", io.EdgeList, None))
    found.extend(of_namespaces())
    return tuple(
        call
        for call in found
        if call.name not in LEFT_OUT and call.name != "EdgeList" and call.parameters
    )


@cache
def by_name() -> dict[str, Call]:
    return {call.name: call for call in calls()}
