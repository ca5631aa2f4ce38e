"""Closures by order of value: the same fixpoint as by rounds, whatever is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.errors import MissingLaw, TooLarge
from lagraph_gpu.gpu.device import lower
from lagraph_gpu.gpu.matrix.weight_order import sort_rows
from lagraph_gpu.planning.closure_order import (
    OrderFacts,
    choose_order,
    delta_width,
    depends_on_degrees,
    fans_out,
    hub_first_width,
    small_share,
)
from semirings import (
    MONOIDS,
    any_pair,
    any_secondi,
    max_min,
    max_plus,
    min_max,
    min_plus,
    semiring,
    types,
)
from semirings.algebra import Semiring
from semirings.types import FP32, FP64, INT8, INT16, INT64, UINT8
from tests import graphs, spec
from tests.harness import CPU, DEVICE, GPU, complaint, kernels_launched, put, reseed, take
from tests.spec import Sparse
from tests.strategies import any_graph, examples, random_graphs, seeds, vectors

INF, NAN = float("inf"), float("nan")

RINGS: list[tuple[Semiring, Any, list[Any]]] = [
    (min_plus, INT64, [0, 1, 2, 7]),
    (min_plus, UINT8, [0, 1, 5]),
    (min_plus, FP64, [0.0, 0.5, 3.0, np.inf]),
    (min_plus, FP32, [0.5, 1.0, 2.0]),
    (max_plus, INT16, [0, -1, -4]),
    (max_plus, FP32, [0.0, -1.0, -np.inf]),
    (max_min, INT64, [-3, 0, 4, 9]),
    (max_min, FP64, [-np.inf, 0.5, 2.0, np.inf]),
    (max_min, UINT8, [0, 1, 200, 255]),
    (min_max, UINT8, [0, 1, 200, 255]),
    (min_max, INT8, [-128, 0, 127]),
]

widths = st.none() | st.sampled_from([0.25, 1, 3.5, 100, INF])
places = st.one_of(
    st.tuples(st.just(-1), st.just(1), st.sampled_from([1, 3, 128])),
    st.tuples(st.just(64), st.sampled_from([1, 2, 64]), st.just(128)),
)
"""longest, steps and piece: all share each step, or each block has a queue of its own."""

some_cores = st.tuples(
    st.sampled_from([0.01, 0.2, 0.6, 2]), st.sampled_from([1, 2, 7]), st.sampled_from([1, 2, 128]),
    st.sampled_from([1, 4, 1024]), st.sampled_from([1, 3, 1024]),
)  # fmt: skip
"""share, pulls, piece, hub and long, where hubs are settled first."""

cores = st.none() | some_cores


def settled_first(patch: pytest.MonkeyPatch, core: tuple[Any, ...]) -> None:
    fields = ("share", "pulls", "piece", "hub", "long")
    for field, value in zip(("wide", *fields), (-1, *core), strict=True):
        patch.setattr(GPU.hub_first, field, value)
    patch.setattr(GPU.closures.order_choice, "longest", -1)  # no graph is a deep one


Place = tuple[int, int, int]


def placed(patch: pytest.MonkeyPatch, place: Place, long_row: int = 1024) -> None:
    longest, steps, piece = place
    patch.setattr(GPU.closures.order_choice, "longest", longest)
    patch.setattr(GPU.closures.by_order.ordered, "steps", steps)
    patch.setattr(GPU.closures.by_order.ordered, "piece", piece)
    patch.setattr(GPU.products, "long_row", long_row)


@pytest.mark.parametrize(("ring", "dtype", "pool"), RINGS, ids=lambda v: getattr(v, "name", None))
@examples(40)
@given(
    data=st.data(), width=widths, place=places, core=cores, sort=st.booleans(),
    directed=st.booleans(), seed=seeds,
)  # fmt: skip
def test_the_fixpoint_is_that_of_the_rounds(
    ring: Semiring, dtype: Any, pool: list[Any], data: Any, width: Any,
    place: Place, core: Any, sort: bool, directed: bool, seed: int,
) -> None:  # fmt: skip
    A = data.draw(random_graphs(types.name(dtype), st.sampled_from(pool))).adjacency
    n = A.shape[0]
    if not directed:
        A = Sparse(dtype, A.shape, {**A.entries, **{(j, i): x for (i, j), x in A.entries.items()}})
        A = Sparse(dtype, A.shape, {(i, j): A.entries[min(i, j), max(i, j)] for i, j in A.entries})
    u = data.draw(vectors(dtype, n))
    x0 = Sparse(dtype, (n,), {k: dtype.type(pool[k % len(pool)]) for k in u.entries})
    reseed(seed)
    handle, start = put(A, GPU), put(x0, GPU)
    if not directed:
        handle = lg.Graph(handle, directed=False).A if not has_infinities(A) else handle
    if core and sort:
        for M in (handle._store, GPU.matrices.transpose(handle._store)):
            sort_rows(GPU, M, lower.falls(ring.monoid))
    with pytest.MonkeyPatch.context() as patch:
        placed(patch, place)
        if core:
            settled_first(patch, core)
        x = lg.closure(start, handle, ring, schedule=lg.Schedule(order="delta", width=width))
        y = lg.closure(start, handle, ring, schedule=lg.Schedule(order="rounds"))
    assert not complaint(take(x), [take(y)])
    assert not complaint(take(x), [spec.closure(x0, A, ring, None)])
    assert not complaint(take(start), [x0]), "the start has changed"


def has_infinities(A: Sparse) -> bool:
    return any(np.isinf(x) for x in A.entries.values())


@pytest.mark.parametrize("transposed", [False, True])
@examples(30)
@given(graph=random_graphs("INT64"), place=places, width=widths, seed=seeds)
def test_along_the_edges_or_against_them(
    transposed: bool, graph: Any, place: Any, width: Any, seed: int
) -> None:
    A = graph.adjacency
    x0 = Sparse(INT64, (graph.n,), {graph.n // 2: INT64.type(1)})
    reseed(seed)
    handle = put(A, GPU)
    with pytest.MonkeyPatch.context() as patch:
        placed(patch, place)
        schedule = lg.Schedule(order="delta", width=width)
        x = lg.closure(put(x0, GPU), handle.T if transposed else handle, min_plus, None, schedule)
    flipped = Sparse(INT64, A.shape, {(j, i): w for (i, j), w in A.entries.items()})
    right = spec.closure(x0, flipped if transposed else A, min_plus, None)
    assert not complaint(take(x), [right])


@examples(80)
@given(
    graph=any_graph(), data=st.data(), place=places, long_row=st.sampled_from([2, 1024]), seed=seeds
)
def test_search_by_depth(graph: Any, data: Any, place: Any, long_row: int, seed: int) -> None:
    """The same levels as by rounds; each value is an offer of a neighbour one level nearer."""
    A = graph.adjacency.cast(INT64)
    sources = data.draw(st.lists(st.integers(0, graph.n - 1), max_size=4, unique=True))
    x0 = Sparse(INT64, (graph.n,), {s: INT64.type(1000 + s) for s in sources})
    level = spec.levels(A, sources, None)
    reseed(seed)
    with pytest.MonkeyPatch.context() as patch:
        placed(patch, place, long_row)
        for ring in (any_secondi, any_pair):
            x, when = map(take, closure_with_rounds(
                put(x0, GPU), put(A, GPU), ring, None, lg.Schedule(order="delta")))  # fmt: skip
            assert {v: int(s) for v, s in when.entries.items()} == level
            assert x.entries.keys() == level.keys()
            for v, value in x.entries.items():
                if level[v] == 0:
                    assert value == x0.entries[v]
                elif ring is any_pair:
                    assert value == 1
                else:
                    assert (value, v) in A.entries and level[int(value)] == level[v] - 1


# --- trees ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [[1, 2, 7], [0, 1, 2], [0], [1]], ids=str)
@pytest.mark.parametrize("dtype", [INT64, FP32], ids=types.name)
@examples(25)
@given(data=st.data(), seed=seeds)
def test_nearer_neighbours(weights: list[int], dtype: Any, data: Any, seed: int) -> None:
    """What is found is a nearer tight neighbour, of each entry that has one and is no root; if one
    has none, and is no root, nothing is."""
    graph = data.draw(random_graphs(types.name(dtype), st.sampled_from(weights)))
    A, source = graph.adjacency, data.draw(st.integers(0, graph.n - 1))
    distance = spec.distances(A, source)
    x = put(Sparse(dtype, (graph.n,), {v: dtype.type(d) for v, d in distance.items()}), GPU)
    tight = {
        v: [u for u in distance if (u, v) in A.entries
            and distance[u] + A.entries[u, v] == distance[v] and distance[u] < distance[v]]
        for v in distance
    }  # fmt: skip
    roots = [v for v, tails in tight.items() if not tails]
    held, fewer = (
        put(Sparse(INT64, (graph.n,), {v: INT64.type(900 + v) for v in some}), GPU)
        for some in (roots, roots[1:])
    )
    reseed(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GPU.products, "long_row", data.draw(st.sampled_from([1, 1024])))
        handle = put(A, GPU)
        store, whole = GPU.parents.parents(x._store, held._store, handle, min_plus)
        assert whole and not GPU.parents.parents(x._store, fewer._store, handle, min_plus)[1]
    found = take(x._wrap(INT64, GPU, store))
    assert found.entries.keys() == distance.keys()
    assert all(u in (tight[v] or [900 + v]) for v, u in found.entries.items())


def parents_of(G: lg.Graph) -> tuple[list[float], list[int]]:
    distance, parent = lg.sssp(G, 0)
    return distance.to_dense(-1).tolist(), parent.to_dense(-1).tolist()


def test_a_tree_where_no_neighbour_is_nearer(backend: Any) -> None:
    """Weights of 0, and weights that are lost in rounding: the tight edges are searched, from the
    vertices on that a nearer neighbour leads to."""
    G = lg.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 1], [5, 0, 0, 0], n=5, backend=backend)
    assert parents_of(G) == ([0, 5, 5, 5, -1], [0, 0, 1, 2, -1])
    G = lg.Graph.from_edges([0, 1, 2], [1, 2, 1], [1e20, 1.0, 1.0], n=3, backend=backend)
    assert parents_of(G) == ([0, 1e20, 1e20], [0, 0, 1])


@pytest.mark.parametrize("longest", [64, -1], ids=["queues", "shared"])
def test_after_a_search_without_an_order(longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept for the next one is as it was."""
    monkeypatch.setattr(GPU.closures.order_choice, "longest", longest)
    G, schedule = town(), lg.Schedule(order="delta", width=30)
    right = lg.closure(G.to("cpu").point(5, 0, FP32), G.to("cpu").A, min_plus)
    values = np.where(np.arange(G.n) % 7 == 3, NAN, 4).astype(np.float32)
    for _ in range(2):
        lg.closure(lg.Vector.from_dense(values, backend=GPU), G.A, min_plus, schedule=schedule)
        found = lg.closure(G.point(5, 0, FP32), G.A, min_plus, schedule=schedule)
        assert found.to("cpu").isequal(right)


# --- what it costs -------------------------------------------------------------------------------


def cost(call: Any) -> tuple[int, int]:
    """Waits and launches of a second call."""
    call()
    before = DEVICE.waits, DEVICE.launches
    call()
    return DEVICE.waits - before[0], DEVICE.launches - before[1]


def town(side: int = 12, weight: bool = True) -> lg.Graph:
    i, j, w = graphs.random_grid(side, seed=3)
    w = w.astype(np.float32) if weight else None
    return lg.Graph.from_edges(i, j, w, n=side * side, directed=False, backend=GPU)


@pytest.mark.parametrize("weight", [True, False])
def test_what_a_second_call_costs(weight: bool) -> None:
    """A search does not wait; shortest paths once for distances, and once for the tree."""
    G = town(weight=weight)
    assert cost(lambda: lg.bfs(G, 0)) == (0, 3)
    with lg.trace():  # asks for the rounds, this once
        lg.bfs(G, 0)
    assert cost(lambda: lg.bfs(G, 0)) == (0, 3)
    assert cost(lambda: lg.bfs(G, 0, schedule=lg.Schedule(order="rounds"))) == (0, 1)
    assert cost(lambda: lg.sssp(G, 0)) == (2, 4)
    assert cost(lambda: lg.sssp(G, 0, schedule=lg.Schedule(order="rounds"))) == (2, 4)


@pytest.mark.parametrize("way", ["queues", "shared", "core"])
def test_a_second_call_takes_memory_for_its_result_alone(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    G = town()
    if way == "core":
        settled_first(monkeypatch, (0.2, 2, 128, 4, 1024))
    else:
        monkeypatch.setattr(GPU.closures.order_choice, "longest", 64 if way == "queues" else -1)
    schedule, reserve = lg.Schedule(order="delta"), DEVICE.reserve
    lg.closure(G.point(0, 0, FP32), G.A, min_plus, schedule=schedule)
    asked: list[int] = []
    monkeypatch.setattr(
        DEVICE, "reserve", lambda *parts: asked.append(len(parts)) or reserve(*parts)
    )
    for name in ("empty", "zeros", "full", "upload", "copy"):
        monkeypatch.setattr(DEVICE, name, lambda *_, name=name: pytest.fail(f"asks for {name}"))
    lg.closure(G.point(5, 0, FP32), G.A, min_plus, schedule=schedule)
    assert asked == [2]


def test_a_condition_is_a_formula() -> None:
    """Of which y is a name, and not a letter."""
    ring = semiring(MONOIDS["min"], "x + y", ordered="copysign(1.0, y) >= 0.0", name="from_zero_on")
    for heaviest, lawful in ((3.0, True), (-0.0, False)):
        G = lg.Graph.from_edges([0, 1], [1, 2], [2.0, heaviest], backend=GPU)
        x0 = G.point(0, 0.0, FP64)
        if lawful:
            x = lg.closure(x0, G.A, ring, schedule=lg.Schedule(order="delta"))
            assert x.to_dict() == {0: 0, 1: 2, 2: 5}
        else:
            with pytest.raises(MissingLaw, match=r"copysign\(1.0, y\) >= 0.0 for from_zero_on"):
                lg.closure(x0, G.A, ring, schedule=lg.Schedule(order="delta"))


# --- the plan ------------------------------------------------------------------------------------

FACTS = OrderFacts(
    ordered=True, first_wins=False, reads_weights=True, counted=False, bounded=False,
    nrows=1000, nedges=4000, max_degree=64,
)  # fmt: skip
SEARCH = {"first_wins": True, "reads_weights": False}


@pytest.mark.parametrize(
    ("changes", "schedule", "order"),
    [
        ({}, {}, "delta"),
        ({"ordered": False}, {}, "rounds"),
        ({"counted": True}, {}, "rounds"),
        ({"bounded": True}, {}, "rounds"),
        ({"reads_weights": False}, {}, "delta"),
        ({"reads_weights": False, "max_degree": 65}, {}, "rounds"),
        ({"max_degree": None, "nedges": 10**6}, {}, "delta"),
        ({}, {"direction": "push"}, "rounds"),
        ({}, {"direction": "hybrid"}, "rounds"),
        ({}, {"balance": "warp", "loop": "device"}, "rounds"),
        ({}, {"loop": "device"}, "delta"),
        ({}, {"order": "rounds"}, "rounds"),
        ({"reads_weights": False}, {"order": "delta"}, "delta"),
        (SEARCH, {}, "delta"),
        (SEARCH | {"max_degree": 65}, {}, "rounds"),
        (SEARCH | {"max_degree": None}, {}, "rounds"),
        (SEARCH | {"nedges": 8000}, {}, "delta"),
        (SEARCH | {"nedges": 8001}, {}, "rounds"),
        (SEARCH | {"nedges": 8001}, {"order": "delta"}, "delta"),
        (SEARCH | {"counted": True}, {}, "rounds"),
    ],
)
def test_choose_order(changes: dict[str, Any], schedule: dict[str, Any], order: str) -> None:
    assert choose_order(replace(FACTS, **changes), lg.Schedule(**schedule))[0] == order
    if not schedule:
        assert choose_order(replace(FACTS, **changes))[0] == order


@pytest.mark.parametrize(
    ("changes", "schedule", "hangs"),
    [
        (SEARCH, {}, False),
        (SEARCH | {"max_degree": None}, {}, True),
        (SEARCH | {"max_degree": None, "nedges": 8001}, {}, True),
        (SEARCH | {"max_degree": None, "nedges": 8001, "shown_deep": False}, {}, False),
        (SEARCH | {"max_degree": None, "nedges": 8001}, {"order": "delta"}, False),
        (SEARCH | {"max_degree": None, "bounded": True}, {}, False),
        (SEARCH | {"max_degree": None}, {"direction": "push"}, False),
        (SEARCH | {"max_degree": None}, {"order": "delta"}, True),
        (SEARCH | {"max_degree": None}, {"order": "rounds"}, False),
        ({"max_degree": None}, {}, True),
        ({"max_degree": None, "nedges": 8001}, {}, True),
        ({"max_degree": None, "reads_weights": False}, {}, True),
    ],
)
def test_when_rows_have_to_be_counted(changes: Any, schedule: Any, hangs: bool) -> None:
    assert depends_on_degrees(replace(FACTS, **changes), lg.Schedule(**schedule)) is hangs


def test_rows_that_could_not_be_counted_are_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    A = lg.Matrix.from_coo([0] * 9, range(9), 1, nrows=9, ncols=9, backend=GPU)._store
    A.pattern.max_degree = None

    def fail(*_: Any) -> None:
        raise TooLarge("no room")

    with monkeypatch.context() as failing, pytest.raises(TooLarge):
        failing.setattr(GPU.products, "_in_pieces", fail)
        GPU.products.pieces(A, 4)
    assert GPU.products.pieces(A, 4)[0] == 3 and A.pattern.max_degree == 9


@pytest.mark.parametrize(("longest", "order"), [(64, "delta"), (65, "rounds")])
def test_rows_of_a_matrix_made_on_the_device(longest: int, order: str) -> None:
    """They are counted once, by a search that hangs on them; what is known then is remembered."""
    n = 120  # less than TRIED_ROUNDS rounds, after the long row
    line = np.arange(n - 1)
    i, j = (
        np.append(line, np.zeros(longest - 1, int)),
        np.append(line + 1, np.arange(2, longest + 1)),
    )
    A = lg.Matrix.from_coo(i, j, 1, nrows=n, ncols=n, backend=GPU)
    assert A._store.pattern.max_degree == longest
    A._store.pattern.max_degree = None  # as of the result of a product
    G = lg.Graph(A)
    lg.bfs(G, 0, schedule=lg.Schedule(order="rounds"))
    assert A._store.pattern.max_degree is None  # it does not hang on them
    before = DEVICE.waits
    level, _ = lg.bfs(G, 0)
    assert A._store.pattern.max_degree == longest
    rounds = order == "rounds"  # which may be too many: the host waits for their number
    assert DEVICE.waits - before == 2 + rounds  # long rows are counted, too
    assert cost(lambda: lg.bfs(G, 0)) == ((1, 1) if rounds else (0, 3))
    assert level.to_dense().tolist() == [0] + [1] * longest + list(range(2, n - longest + 1))
    A._store.pattern.pieces.clear()
    A._store.pattern.max_degree = None
    lg.bfs(G, 0, schedule=lg.Schedule("push", loop="host"))  # which cuts long rows into pieces
    assert A._store.pattern.max_degree == longest
    few = lg.Matrix.from_coo([0, 1], [1, 2], 1, nrows=4, ncols=4, backend=GPU)
    few._store.pattern.max_degree = None
    G = lg.Graph(few)
    lg.bfs(G, 0, schedule=lg.Schedule(order="rounds"))
    before = DEVICE.waits
    lg.bfs(G, 0)
    assert DEVICE.waits - before == 0 and few._store.pattern.max_degree == 4  # no row can be long


@pytest.mark.parametrize(
    ("longest", "row"),
    [(4, "Short<{0}<4{1}>>"), (5, "Short<{0}<8{1}>>"), (8, "Short<{0}<8{1}>>"), (9, "{0}<8{1}>")],
)
def test_a_kernel_for_short_rows_only_is_taken_where_no_row_is_longer(
    longest: int, row: str, monkeypatch: Any
) -> None:
    """It hangs on the rows that are walked, whichever way the matrix stands and under whatever
    numbers; who counts them waits once."""
    names = kernels_launched(monkeypatch, "launch_resident")
    line, extra = np.arange(59), 2 * np.arange(longest - 1)
    i, j = np.append(line, 0 * extra + 20), np.append(line + 1, extra + 30)  # a row, and no column
    A = lg.Matrix.from_coo(i, j, 1 + i % 3, "INT32", nrows=60, ncols=60, backend=GPU)
    back = lg.Matrix.from_coo(j, i, 1 + i % 3, "INT32", nrows=60, ncols=60, backend=GPU)
    x0 = lg.Vector.from_coo([0], [0], "INT32", size=60, backend=GPU)
    right = lg.closure(x0, A, min_plus, schedule=lg.Schedule(order="rounds"))
    bare, valued = (
        f"block_async<Semiring, {row.format(*kind)}>"
        for kind in (("Bare", ""), ("Valued", ", int"))
    )
    for handle in (A, back.T, lg.Graph(A).prepared().A):
        names.clear()
        assert lg.closure(x0, handle, min_plus).isequal(right)
        assert names == [valued]
    counted = back._store.pattern.max_degree, back._store.transposed.pattern.max_degree
    assert counted == (2, longest) and longest > 2
    for G in (lg.Graph(A), lg.Graph(A).prepared()):
        names.clear()
        assert cost(lambda: lg.bfs(G, 0))[0] == 0  # noqa: B023
        assert names == [bare, bare]


@pytest.mark.parametrize(
    ("edges", "row", "width"), [(500, "Bare<4>", 24), (200, "Short<Bare<8>>", 40)]
)
def test_rows_of_four_where_hardly_any_row_is_longer(
    edges: int, row: str, width: float, monkeypatch: Any
) -> None:
    """As on roads, where blocks have more work than others, so that steps are short."""
    names = kernels_launched(monkeypatch, "launch_resident")
    line = np.arange(edges)
    i, j = np.append(line, [20] * 5), np.append(line + 1, 50 + 2 * np.arange(5))
    graph = [lg.Graph.from_edges(i, j, directed=True, backend=to) for to in (GPU, CPU)]
    waits = DEVICE.waits
    with lg.explain() as told:
        found = lg.bfs(graph[0], 3)
    counted = DEVICE.waits - waits
    assert names == [f"block_async<Semiring, {row}>"] and told.choices[0].facts["width"] == width
    assert found[0].isequal(lg.bfs(graph[1], 3)[0].to(GPU))
    waits = DEVICE.waits
    lg.bfs(graph[0], 3)
    assert DEVICE.waits - waits <= counted - 2, "rows are counted again"


@pytest.mark.parametrize(
    ("mean", "n", "nedges", "kind", "width"),
    [
        (10.0, 1000, 4000, {"asynchronous": True}, 48 * 10 / 4),
        (1.0, 1000, 4000, {"asynchronous": True, "even": True}, 40),
        (1.0, 1000, 4000, {"asynchronous": True, "even": True, "roads": True}, 24),
        (10.0, 1000, 4000, {"asynchronous": True, "roads": True}, 48 * 10 / 4),
        (3.0, 2048**2, 4 * 2048**2, {"asynchronous": True, "even": True}, 3 * 64),
        (10.0, 1000, 4000, {"asynchronous": True, "selects": True}, 10 / 16),
        (1.0, 1000, 4000, {"asynchronous": True, "even": True, "stays": True}, INF),
        (10.0, 1000, 4000, {}, 10 / 4),
        (10.0, 1000, 4000, {"even": True, "selects": True}, 10 / 4),
        (10.0, 0, 0, {"asynchronous": True, "selects": True}, 10 / 16),
        (0.0, 1000, 4000, {}, INF),
        (INF, 1000, 4000, {}, INF),
        (NAN, 1000, 4000, {}, INF),
        (1.0, 0, 0, {}, 1.0),
    ],
)
def test_delta_width(mean: float, n: int, nedges: int, kind: dict[str, bool], width: float) -> None:
    assert delta_width(mean, n, nedges, **kind) == width


def test_hubs_are_not_left_before_their_share_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """A share within a step that is less counts as the share after one."""
    monkeypatch.setattr(GPU.hub_first, "wide", -1)
    monkeypatch.setattr(GPU.closures.order_choice, "longest", -1)
    monkeypatch.setattr(GPU.hub_first, "share", 0.6)
    for seed in range(6):
        i, j, w = graphs.random_weighted(300, seed, 12, 1, 256)
        G = lg.Graph.from_edges(i, j, w, n=300, backend=GPU)
        found = lg.closure(G.point(seed, 1000.0), G.A, max_min)
        H = G.to(CPU)
        assert found.to(CPU).isequal(lg.closure(H.point(seed, 1000.0), H.A, max_min))


def test_hubs_are_settled_first_where_steps_fan_out() -> None:
    assert fans_out(1000, 8001) and not fans_out(1000, 8000) and not fans_out(0, 0)
    assert small_share(0, 0) == 0
    assert fans_out(1000, 4001, 4) and not fans_out(1000, 4000, 4)
    assert small_share(1000, 16000) == 1 / 64 and small_share(1000, 10) == 0.25


@pytest.mark.parametrize(
    ("mean", "small", "n", "nedges", "width"),
    [
        (128.0, 40.0, 1000, 32000, 1.0),
        (128.0, 0.5, 1000, 32000, 0.5),  # skewed
        (128.0, 0.0, 1000, 32000, 1.0),  # so many weights of 0 that they say nothing
        (1.0, INF, 1000, 32000, 1 / 128),  # one weight
        (0.0, 0.0, 1000, 32000, INF),
        (NAN, 1.0, 1000, 32000, INF),
        (1.0, INF, 0, 0, 0.25),
    ],
)
def test_hub_first_width(mean: float, small: float, n: int, nedges: int, width: float) -> None:
    assert hub_first_width(mean, small, n, nedges) == width
