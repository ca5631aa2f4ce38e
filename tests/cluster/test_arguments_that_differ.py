"""Processes that give different arguments to the same call: all raise an error that names both, and
the next statement works."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.calls.current_call import CURRENT, announced
from lagraph_gpu.cluster.backend import ClusterBackend
from lagraph_gpu.cluster.statement_text import call_text
from lagraph_gpu.errors import InvalidValue
from tests.cluster.turns import on_ranks

SIZE = 8
"""The vertices of a lattice of one row."""

VALUES: dict[str, tuple[Any, Any]] = {
    "alpha": (0.03, 0.05), "batch_size": (1, 2), "beta": (1.0, 2.0), "cols": (4, 5), "core": (2, 3),
    "cutoff": (None, 1000.0), "directed": (False, True), "distance": (None, "weight"),
    "edgefactor": (4, 5), "endpoints": (False, True), "iterations": (3, 4), "k": (2, 3),
    "length": (2, 3), "lower_bound": (None, 0.0), "max_iter": (1000, 1001), "max_level": (2, 3),
    "max_rounds": (20, 30), "max_steps": (20, 30), "n": (9, 10), "nbunch": (0, 5), "nedges": (7, 8),
    "normalized": (True, False), "removed": (0.0, 0.1), "resolution": (1.0, 0.5), "rows": (3, 4),
    "scale": (4, 5), "schedule": (None, lg.Schedule(direction="push")), "seed": (1, 2),
    "source": (0, 5), "sources": ([0, 1], [0, 5]), "step": (None, 100.0),
    "strategy": ("largest_first", "random_sequential"), "target": (7, 3),
    "targets": ([2, 3], [4, 3]), "threshold": (1e-7, 1e-3), "tol": (1e-5, 1e-4), "u": (0, 5),
    "v": (2, 6), "weight": ("weight", None), "weighted": (False, True),
    "weights": ("integer", "uniform"), "wf_improved": (True, False),
    "pairs": (([0, 1], [2, 3]), ([0, 1], [2, 4])),
    "personalization": ({0: 1.0}, {5: 1.0}), "nstart": ({0: 1.0, 1: 2.0}, {0: 1.0, 5: 2.0}),
    "dangling": ({0: 1.0}, {5: 1.0}),
    "labels": (np.arange(SIZE) // 2, np.arange(SIZE) // 4),
}  # fmt: skip
"""Two values of an argument, of which each is right."""

OF_ONE_CALL = {("pagerank", "dtype"): ("FP64", "FP32"), ("kronecker", "layout"): (None, "degree"),
               ("greedy_color", "seed"): (1, 2)}  # fmt: skip
"""The same for one function."""

BESIDE: dict[tuple[str, str], dict[str, Any]] = {
    ("greedy_color", "seed"): {"strategy": "random_sequential"},
    ("distance_matrix", "weight"): {"sources": [0]},
    ("bfs", "sources"): {"source": None}, ("sssp", "sources"): {"source": None},
    ("closeness_centrality", "u"): {}, ("pagerank", "iterations"): {"tol": None},
    ("betweenness_centrality", "seed"): {"k": 3},
}  # fmt: skip
"""What else is given for an argument to matter, or to be allowed."""

NOT_DRAWN = {
    "G", "progress", "backend", "args", "kwargs", "name",
    "algorithm", "contraction", "memory", "A", "x0", "semiring", "parent", "tiles", "chunks",
    "whole", "path", "folder", "format", "labels", "verify", "blocking", "gpu", "limit", "which",
    "dup",
}  # fmt: skip
"""Arguments that are containers, or of calls that exchange nothing or read files."""

FUNCTIONS = sorted(
    name
    for name in lg.__all__
    if inspect.isfunction(thing := getattr(lg, name))
    and (
        "G" in inspect.signature(thing).parameters
        or "backend" in inspect.signature(thing).parameters
    )
    and name not in ("memory_needed", "read", "write", "open", "init")
)


def arguments() -> list[tuple[str, str]]:
    """Each public function with each of its arguments that have two values."""
    return [
        (name, argument)
        for name in FUNCTIONS
        for argument in inspect.signature(getattr(lg, name)).parameters
        if argument not in NOT_DRAWN
        or (name, argument) in OF_ONE_CALL
        or (name, argument) == ("modularity", "labels")
    ]


def graph(name: str, backend: Any) -> lg.Graph:
    directed = "dag" in name or "topological" in name or name.startswith(("strongly", "weakly"))
    u = np.arange(SIZE - 1)
    return lg.Graph.from_edges(u, u + 1, 1 + u % 3, SIZE, directed=directed, backend=backend)


def call(name: str, argument: str, rank: int, backend: Any) -> Callable[[], Any]:
    """A call in which one argument differs between processes."""
    function = getattr(lg, name)
    parameters = inspect.signature(function).parameters
    given: dict[str, Any] = {
        one: OF_ONE_CALL.get((name, one), VALUES.get(one, (None,)))[0]
        for one, of in parameters.items()
        if of.default is of.empty and one != "G"
    }
    if name in ("bfs", "sssp", "dfs"):
        given["source"] = 0
    given |= BESIDE.get((name, argument), {})
    given[argument] = OF_ONE_CALL.get((name, argument), VALUES.get(argument))[rank % 2]  # type: ignore[index]
    if "G" not in parameters:
        return lambda: function(**given, backend=backend)
    G = graph(name, backend)

    def made() -> Any:
        found = function(G, **given)
        return list(found) if inspect.isgenerator(found) else found

    return made


def all_are_told(size: int, made: Callable[[Any, int], Callable[[], Any]], *told: str) -> None:
    """The call raises the same error on all, and the next statement works."""

    def work(backend: ClusterBackend) -> str:
        v = lg.Vector.from_coo([0, 1, 2], [4, 5, 6], backend=backend)
        run = made(backend, backend.distribution.rank)
        with pytest.raises(InvalidValue, match="expected the same statement") as raised:
            run()
        assert v.sum() == 15
        return str(raised.value)

    said = on_ranks(size, work, shares=False)
    assert said == [said[0]] * size
    assert all(one in said[0] for one in told), said[0]


@pytest.mark.parametrize("name, argument", arguments(), ids="-".join)
def test_every_argument_of_every_function(name: str, argument: str) -> None:
    all_are_told(2, lambda backend, rank: call(name, argument, rank, backend), f"{name}(")


def line(backend: Any) -> lg.Graph:
    return graph("bfs", backend)


def numbers(backend: Any) -> lg.Vector:
    return lg.Vector.from_coo(np.arange(9), np.arange(9), backend=backend)


def table(backend: Any) -> lg.Matrix:
    return line(backend).A.dup()


METHODS: dict[str, tuple[Callable[..., Any], Callable[..., Any], Any, Any]] = {
    "neighbors": (line, lambda G, x: G.neighbors(x), 0, 5),
    "has_edge": (line, lambda G, x: G.has_edge(0, x), 1, 2),
    "degree of one": (line, lambda G, x: G.degree(x), 0, 5),
    "subgraph": (line, lambda G, x: G.subgraph(x), [0, 1], [0, 2]),
    "subgraph by an array": (line, lambda G, x: G.subgraph(np.array(x)), [0, 1], [0, 2]),
    "edges added": (line, lambda G, x: G.add_edges([0], [x], [1]), 4, 5),
    "edges removed": (line, lambda G, x: G.remove_edges([0], [x]), 1, 2),
    "relabelled": (line, lambda G, x: G.relabel(x), [*range(8)], [1, 0, *range(2, 8)]),
    "point": (line, lambda G, x: G.point(x, 1), 0, 5),
    "closure from a point": (
        line, lambda G, x: lg.closure(G.point(x, 0), G.A, lg.semiring.min_plus), 0, 5,
    ),
    "an element": (numbers, lambda v, x: v.__setitem__(x, 7), 2, 3),
    "its value": (numbers, lambda v, x: v.__setitem__(2, x), 7, 8),
    "a float": (numbers, lambda v, x: v << v * x, 0.5, 0.25),
    "an accumulated value": (numbers, lambda v, x: v(lg.binary.plus) << x, 7, 8),
    "an accumulator": (numbers, lambda v, x: v(x) << 1, lg.binary.plus, lg.binary.min),
    "a mask": (numbers, lambda v, x: v(x(v)) << 1, lambda v: v.S, lambda v: ~v.S),
    "a removed element": (numbers, lambda v, x: v.__delitem__(x), 2, 3),
    "a list that is assigned to": (numbers, lambda v, x: v.__setitem__(x, 7), [1, 2], [1, 3]),
    "an extracted list": (numbers, lambda v, x: v[x].new(), [1, 2], [1, 3]),
    "an extracted slice": (numbers, lambda v, x: v[x:].new(), 1, 2),
    "an element that is read": (numbers, lambda v, x: v.get(x), 1, 2),
    "a thunk": (table, lambda A, x: A.select("tril", x).new(), 0, -1),
    "a condition": (numbers, lambda v, x: v.select(v > x).new(), 2, 3),
    "a bound number": (numbers, lambda v, x: v.apply("plus", x).new(), 2, 3),
    "a bound scalar": (
        numbers,
        lambda v, x: v.apply("plus", lg.Scalar.from_value(x, backend=v.backend)).new(), 2, 3,
    ),
    "a part": (numbers, lambda v, x: (v[[0, x]] + 1).new(), 2, 3),
    "a number inside an expression": (numbers, lambda v, x: v << (v + x) * 2, 2, 3),
    "an operator": (numbers, lambda v, x: v.apply(x).new(), "ainv", "abs"),
    "a default of a union": (numbers, lambda v, x: v << v.ewise_union(v, "plus", x, 0), 2, 3),
    "a semiring": (table, lambda A, x: A.mxm(A, x).new(), "min_plus", "max_plus"),
    "a monoid": (table, lambda A, x: A.reduce_rowwise(x).new(), "min", "max"),
    "a row": (table, lambda A, x: A[x, :].new(), 1, 2),
    "a block": (table, lambda A, x: A[[0, x], :][:, [1]].new(), 1, 2),
    "a diagonal": (table, lambda A, x: A.diag(x), 0, 1),
    "a power": (table, lambda A, x: A.power(x).new(), 2, 3),
    "an offset": (table, lambda A, x: A.reposition(x, 0).new(), 1, 2),
    "a type": (numbers, lambda v, x: v.dup(x), "FP64", "FP32"),
    "a size": (numbers, lambda v, x: v.resize(x), 9, 10),
    "a scalar at all positions": (
        numbers, lambda v, x: lg.Vector.from_scalar(x, 9, backend=v.backend), 2, 3,
    ),
    "a root": (numbers, lambda v, x: v.to("cpu", root=x), 0, 1),
}  # fmt: skip
"""Something that all have, what is done with it, and an argument of some and of other processes."""


@pytest.mark.parametrize("what", METHODS)
def test_methods_and_statements(what: str) -> None:
    begin, does, *values = METHODS[what]

    def made(backend: Any, rank: int) -> Callable[[], Any]:
        thing = begin(backend)
        return lambda: does(thing, values[rank == 2])

    all_are_told(3, made, "on process 2")


def test_generators_of_random_numbers_are_compared() -> None:
    """They are arguments as others are: of processes that have drawn from theirs differently, one
    would draw other walks."""

    def made(backend: Any, rank: int) -> Callable[[], Any]:
        return lambda: lg.maximal_independent_set(line(backend), seed=np.random.default_rng(rank))

    all_are_told(2, made, "Generator:")


def test_steps_of_an_iterator_belong_to_its_call() -> None:
    """Each of them, and nothing that the program does between them."""
    seen: list[Any] = []

    def two(end: int) -> Any:
        for step in range(end):
            seen.append(CURRENT.get())
            yield step

    assert [(step, CURRENT.get()) for step in announced(two)(2)] == [(0, None), (1, None)]
    assert [call.text for call in seen] == [f"{two.__qualname__}(2)"] * 2
    assert seen[0] is seen[1]


def test_a_call_is_named_a_statement_later() -> None:
    """Where the devices have met in a kernel, the heads of a statement are read when the next one
    begins, which works after that."""

    def work(backend: Any) -> None:
        comm = backend.distribution.comm

        def search(rank: int) -> None:
            with comm.statement("levels"):
                comm.met = True

        announced(search)(comm.rank)
        told = r"search\(0\) on .*search\(1\)"
        with pytest.raises(InvalidValue, match=told), comm.statement("another"):
            pass
        assert comm.values(np.ones(1)).sum() == 2

    on_ranks(2, work)


def test_what_may_differ() -> None:
    """Who shows progress, where a function lies, the order of a set or of a table, and floats of
    arrays in their last bits."""

    def work(backend: Any) -> list[Any]:
        rank = backend.distribution.rank
        G, v = line(backend), numbers(backend)
        shown: list[Any] = []
        level, _ = lg.bfs(G, 0, progress=(lambda *of: shown.append(of)) if rank else None)
        noise = np.full(SIZE, 1 + rank * 2.0**-52)
        v[:] << lg.Vector.from_dense(np.append(noise, 1), backend=backend)
        start = {0: 1.0, 1: 2.0} if rank else {1: 2.0, 0: 1.0}
        near = lg.pagerank(G, personalization=start)
        return [level.to_dense().tolist(), near.nvals, v.nvals]

    found = on_ranks(2, work)
    assert found[0] == found[1]
    one, other = ({"a", "b", "c"}, abs), ({"c", "b", "a"}, abs)
    assert call_text("f", one, {}) == call_text("f", other, {})
    assert " at 0x" not in call_text("f", (lambda: 1, object()), {})


@pytest.mark.parametrize(
    "one, other",
    [
        (np.array(["a", "b"], object), np.array(["a", "c"], object)),
        (np.array(["2026-11-29"], "M8[D]"), np.array(["2026-11-28"], "M8[D]")),
        (np.arange(6)[::2], np.arange(6)[1::2]),
        (np.array(3), np.array(4)),
        (np.float64(0.5), np.float64(0.25)),
        (range(3), range(4)),
        ({"a": [1]}, {"a": [2]}),
        ([1] * 300 + [2], [1] * 300 + [3]),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_texts_of_arguments(one: Any, other: Any) -> None:
    """Equal ones have the same text, and others another one."""
    assert call_text("f", (one,), {}) == call_text("f", (copy.deepcopy(one),), {})
    assert call_text("f", (one,), {}) != call_text("f", (other,), {})
