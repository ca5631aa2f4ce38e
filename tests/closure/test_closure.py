"""Closures against Jacobi's iteration over dicts, on both backends, under every schedule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds, closure_with_steps
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, MissingLaw, NoFixpoint, WrongType
from semirings import (
    SEMIRINGS,
    BinaryOp,
    Semiring,
    any_first,
    any_pair,
    any_plus,
    any_secondi,
    max_first,
    max_min,
    max_plus,
    max_times,
    min_first,
    min_max,
    min_plus,
    monoid,
    plus_times,
    semiring,
    types,
)
from semirings.types import BOOL, FP32, FP64, INT8, INT16, INT32, INT64, UINT8, UINT32
from tests import graphs, spec
from tests.harness import BOTH, CPU, complaint, put, reseed, take
from tests.simt.exercises import offsets_of_64_bits
from tests.spec import Sparse
from tests.strategies import any_graph, examples, random_graphs, schedules, seeds, values, vectors

lor_land, band_bor, bor_band = (SEMIRINGS[n] for n in ("lor_land", "band_bor", "bor_band"))

# Least fixpoints exist for these: ⊕ idempotent, ⊗ distributes, and no cycle improves on itself.
ORDERED: list[tuple[Semiring, Any, list[Any]]] = [
    (min_plus, INT64, [0, 1, 2, 7]),
    (min_plus, INT32, [0, 1, 5]),
    (min_plus, FP64, [0.0, 0.5, 3.0, np.inf]),
    (min_plus, FP32, [0.5, 1.0, 2.0]),
    (max_plus, INT16, [0, -1, -4]),
    (max_min, INT64, [-3, 0, 4, 9]),
    (max_min, FP64, [-np.inf, 0.5, 2.0, np.inf]),
    (min_max, UINT8, [0, 1, 200, 255]),
    (max_times, FP64, [0.0, 0.5, 1.0, 0.25]),
    (min_first, INT64, [1]),
    (max_first, UINT32, [1]),
    (lor_land, BOOL, [False, True]),
    (bor_band, UINT8, [0, 1, 6, 255]),
    (band_bor, UINT8, [0, 1, 6, 255]),
]

rounds_bound = st.none() | st.integers(0, 6)


def start(draw: Any, dtype: Any, pool: list[Any], n: int) -> Sparse:
    """One source, or several."""
    if draw(st.booleans()):
        source = draw(st.integers(0, n - 1))
        return Sparse(dtype, (n,), {source: dtype.type(draw(st.sampled_from(pool)))})
    u = draw(vectors(dtype, n))
    return Sparse(dtype, (n,), {k: dtype.type(pool[k % len(pool)]) for k in u.entries})


def outcome(
    x0: Sparse, A: Sparse, ring: Semiring, steps: Any, schedule: Any, backend: Any
) -> Sparse:
    handle, matrix = put(x0, backend), put(A, backend)
    x = lg.closure(handle, matrix, ring, steps, schedule)
    assert not complaint(take(handle), [x0]), "the start has changed"
    return take(x)


def agree(x0: Sparse, A: Sparse, ring: Semiring, steps: Any, schedule: Any) -> None:
    right = spec.closure(x0, A, ring, steps)
    for backend in BOTH:
        wrong = complaint(outcome(x0, A, ring, steps, schedule, backend), [right])
        assert not wrong, f"{backend.name}: {wrong}"


@pytest.mark.parametrize(("ring", "dtype", "pool"), ORDERED, ids=lambda v: getattr(v, "name", None))
@examples(25)
@given(data=st.data(), schedule=schedules, steps=rounds_bound, seed=seeds)
def test_fixpoint(
    ring: Semiring, dtype: Any, pool: list[Any], data: Any, schedule: Any, steps: Any, seed: int
) -> None:
    weights = st.sampled_from(pool)
    A = data.draw(random_graphs(types.name(dtype), weights)).adjacency
    reseed(seed)
    agree(start(data.draw, dtype, pool, A.shape[0]), A, ring, steps, schedule)


@examples(60)
@given(data=st.data(), example=st.sampled_from(graphs.SMALL), schedule=schedules, seed=seeds,
       wide=st.booleans())  # fmt: skip
def test_battery(data: Any, example: graphs.Example, schedule: Any, seed: int, wide: bool) -> None:
    A = example.adjacency.cast(INT64 if example.adjacency.dtype.kind != "f" else FP64)
    source = data.draw(st.sampled_from(sorted({0, A.shape[0] // 2, A.shape[0] - 1})))
    x0 = Sparse(A.dtype, A.shape[:1], {source: A.dtype.type(0)})
    reseed(seed)
    with offsets_of_64_bits(wide):
        agree(x0, A, min_plus, data.draw(rounds_bound), schedule)


# --- any: the first that comes stays ------------------------------------------------------------


@pytest.mark.parametrize("ring", [any_secondi, any_pair, any_first, any_plus], ids=lambda s: s.name)
@examples(35)
@given(data=st.data(), example=any_graph(), schedule=schedules, steps=rounds_bound, seed=seeds)
def test_any_takes_one_of_the_nearest(
    ring: Semiring, data: Any, example: graphs.Example, schedule: Any, steps: Any, seed: int
) -> None:
    A = example.adjacency.cast(INT64)
    x0 = start(data.draw, INT64, [3, 8, 11], A.shape[0])
    level = spec.levels(A, x0.entries, steps)
    reseed(seed)
    for backend in BOTH:
        x, step = map(
            take, closure_with_rounds(put(x0, backend), put(A, backend), ring, steps, schedule)
        )
        assert {v: int(s) for v, s in step.entries.items()} == level
        assert x.entries.keys() == level.keys()
        for v, value in x.entries.items():
            if level[v] == 0:
                assert value == x0.entries[v]
                continue
            nearer = [u for u in level if level[u] == level[v] - 1 and (u, v) in A.entries]
            offers = [
                ring.multiply.evaluate(x.entries[u], A.entries[u, v], 0, u, v, dtype=INT64)
                for u in nearer
            ]
            assert value in offers, (backend.name, v, value, offers)


# --- a user's own semiring ----------------------------------------------------------------------


def test_users_own_semiring_runs_on_both_backends() -> None:
    """Two expressions and an identity: the most reliable path with a toll of 1/10 at each edge."""
    reliable = semiring(monoid("max(x, y)", 0.0, idempotent=True), "x * y * 0.9")
    edges = [(0, 1, 0.5), (1, 2, 1.0), (0, 2, 0.4), (2, 3, 0.8), (3, 0, 1.0)]
    u, v, p = zip(*edges)
    found = []
    for backend in BOTH:
        G = lg.Graph.from_edges(u, v, p, n=5, backend=backend)
        x0 = lg.Vector.from_coo([0], [1.0], size=5, backend=backend)
        found.append(lg.closure(x0, G.A, reliable).to_dense(fill_value=-1.0))
    np.testing.assert_array_equal(*found)
    np.testing.assert_allclose(found[0], [1, 0.45, 0.405, 0.405 * 0.72, -1], rtol=1e-15)


OWN = [
    (semiring(monoid("min(x, y)", "highest", idempotent=True), "x + y + 1"), INT64),
    (semiring(monoid("max(x, y)", "lowest"), "min(x, y)"), INT32),
    (semiring(monoid("max(x, y)", 0), "x * y // 7"), INT64),
    (semiring(monoid("min(x, y)", 100), "min(x + y, 90)"), types.UINT16),
    (semiring(monoid("x if x < y else y", "highest", idempotent=True), "x + abs(y)"), FP64),
    (semiring(monoid("x | y", 0, idempotent=True), "x & y", name="own_bits"), types.UINT16),
]


@pytest.mark.parametrize(("ring", "dtype"), OWN, ids=lambda v: getattr(v, "name", None))
@examples(12)
@given(data=st.data(), schedule=schedules, seed=seeds)
def test_users_own(ring: Semiring, dtype: Any, data: Any, schedule: Any, seed: int) -> None:
    A = data.draw(random_graphs(types.name(dtype), st.sampled_from([0, 1, 2, 6]))).adjacency
    reseed(seed)
    agree(start(data.draw, dtype, [0, 1, 5], A.shape[0]), A, ring, None, schedule)


# --- refusals -----------------------------------------------------------------------------------


def test_no_fixpoint(backend: Any) -> None:
    A = lg.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1, -3, 1], nrows=4, ncols=4, backend=backend)
    x0 = lg.Vector.from_coo([0], [0], size=4, backend=backend)
    with pytest.raises(NoFixpoint, match=r"improves on itself.*max_rounds"):
        lg.closure(x0, A, min_plus)
    assert x0.to_coo()[1].tolist() == [0]
    right = spec.closure(take(x0), take(A), min_plus, 9)
    assert not complaint(take(lg.closure(x0, A, min_plus, max_rounds=9)), [right])
    assert not complaint(take(lg.closure(x0, A, min_plus, max_steps=9)), [right])
    with pytest.raises(InvalidValue, match="got max_rounds=5 and max_steps=9"):
        lg.closure(x0, A, min_plus, 5, max_steps=9)


@pytest.mark.parametrize("shape", [(3,), (2, 3)])
def test_a_nan_is_named(backend: Any, shape: tuple[int, ...]) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [1.0, 2.0], directed=False, backend=backend)
    x = (lg.Vector if len(shape) == 1 else lg.Matrix)("FP64", *shape, backend=backend)
    x[(0,) * len(shape)] << np.nan
    with pytest.raises(NoFixpoint, match=r"it has a NaN.*max_rounds"):
        lg.closure(x, G.A, "min_plus")


def test_former_names(backend: Any) -> None:
    A = lg.Matrix.from_coo([0, 1, 2], [1, 2, 3], [1, 3, 1], nrows=4, ncols=4, backend=backend)
    x0 = lg.Vector.from_coo([0], [0], size=4, backend=backend)
    for found, same in zip(
        closure_with_steps(x0, A, min_plus, max_steps=2), closure_with_rounds(x0, A, min_plus, 2)
    ):
        assert found.isequal(same) and found.nvals == 3


def test_at_rest_in_exactly_n_rounds(backend: Any) -> None:
    """A path of all n vertices improves until round n − 1; that is no cycle."""
    example = graphs.NAMED["path of 100"]
    A = example.graph(backend).A
    x0 = lg.Vector.from_coo([0], [0], size=100, backend=backend)
    assert lg.closure(x0, A, min_plus).to_coo()[1].tolist() == list(range(100))


@pytest.mark.parametrize(
    "ring", [SEMIRINGS["max_second"], SEMIRINGS["min_secondi"]], ids=lambda s: s.name
)
@pytest.mark.parametrize("n", [1, 2, 7])
def test_what_reads_edges_alone_needs_a_round_more(backend: Any, ring: Semiring, n: int) -> None:
    """Back at the start after n edges, for the first time: the best of what leads there."""
    at = np.arange(n)
    A = lg.Matrix.from_coo(at, (at + 1) % n, at + 5, nrows=n, ncols=n, backend=backend)
    x0 = lg.Vector.from_coo([0], [0 if ring.reads_right else 99], size=n, backend=backend)
    came = dict(zip(((at + 1) % n).tolist(), (at + 5 if ring.reads_right else at).tolist()))
    for steps in (None, n, n + 3):
        assert lg.closure(x0, A, ring, steps).to_dict() == came
    many = lg.Matrix.from_coo([0], [0], x0.to_coo()[1], nrows=1, ncols=n, backend=backend)
    assert lg.closure(many, A, ring).to_coo()[2].tolist() == [came[v] for v in range(n)]


def test_missing_law(backend: Any) -> None:
    A = lg.Matrix.from_coo([0], [1], [1], nrows=2, ncols=2, backend=backend)
    x0 = lg.Vector.from_coo([0], [1], size=2, backend=backend)
    with pytest.raises(MissingLaw, match=r"⊕ is idempotent, got plus_times.*claim it"):
        lg.closure(x0, A, plus_times)
    unclaimed = semiring(monoid("x if x > y else y", 0), BinaryOp("own_times", "x * y"))
    with pytest.raises(MissingLaw, match=r"claim it where you define it, .* is_idempotent=True"):
        lg.closure(x0, A, unclaimed)


def test_shapes(backend: Any) -> None:
    x0 = lg.Vector.from_coo([0], [1], size=3, backend=backend)
    for shape in ((2, 2), (3, 2), (2, 3)):
        A = lg.Matrix("INT64", *shape, backend=backend)
        with pytest.raises(DimensionMismatch, match=r"shape \(3, 3\) beside x0, got"):
            lg.closure(x0, A, min_plus)


def test_what_is_no_vector_or_matrix(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [5, 7], backend=backend)
    x0 = G.point(0, 0)
    with pytest.raises(WrongType, match=r"Matrix as A, of a graph its G\.A, got Graph"):
        lg.closure(x0, G, min_plus)
    with pytest.raises(WrongType, match="expected a Matrix as A"):
        lg.closure(x0, np.eye(3), min_plus)
    with pytest.raises(WrongType, match="expected a Vector or a Matrix as x0"):
        lg.closure([0, 1], G.A, min_plus)


def test_empty(backend: Any) -> None:
    x0, A = lg.Vector("INT64", 0, backend=backend), lg.Matrix("INT64", 0, 0, backend=backend)
    assert lg.closure(x0, A, min_plus).nvals == 0
    x0, A = lg.Vector("INT64", 5, backend=backend), lg.Matrix("INT64", 5, 5, backend=backend)
    assert lg.closure(x0, A, any_secondi).nvals == 0


@examples(20)
@given(value=values(INT8, False), seed=seeds)
def test_types_meet(value: Any, seed: int) -> None:
    """x₀ and A of different types: the closure is in the type of their product."""
    A = Sparse(FP32, (4, 4), {(0, 1): FP32.type(0.5), (1, 2): FP32.type(2), (0, 2): FP32.type(4)})
    reseed(seed)
    agree(Sparse(INT8, (4,), {0: value}), A, min_plus, None, None)


# --- many at once: each row of a matrix is a vector ----------------------------------------------


@pytest.mark.parametrize("ring", [min_plus, any_pair], ids=lambda s: s.name)
@examples(40)
@given(data=st.data(), example=any_graph(), steps=rounds_bound)
def test_the_rows_of_a_matrix(
    ring: Semiring, data: Any, example: graphs.Example, steps: Any
) -> None:
    """A row's closure is that of the vector, values and rounds alike."""
    A = put(example.adjacency.cast(INT64), CPU)
    rows = [start(data.draw, INT64, [0, 1, 7], example.n) for _ in range(3)]
    entries = {(i, v): x for i, row in enumerate(rows) for v, x in row.entries.items()}
    x, step = map(
        take, closure_with_rounds(put(Sparse(INT64, (3, example.n), entries), CPU), A, ring, steps)
    )
    assert step.dtype == INT32
    for i, row in enumerate(rows):
        for whole, alone in zip((x, step), closure_with_rounds(put(row, CPU), A, ring, steps)):
            mine = {v: value for (r, v), value in whole.entries.items() if r == i}
            assert mine == take(alone).entries


@pytest.mark.parametrize("ring", [min_plus, any_pair], ids=lambda s: s.name)
def test_the_rows_of_a_matrix_on_both_backends(ring: Semiring) -> None:
    """All distances, or rounds, of a graph, some of whose vertices reach nothing."""
    A = graphs.NAMED["random 33"].adjacency
    points = Sparse(INT64, A.shape, {(v, v): INT64.type(0) for v in range(33)})
    on = [closure_with_rounds(put(points, b), put(A, b), ring) for b in BOTH]
    for one, other in zip(*on):
        assert not complaint(take(one), [take(other)])


@pytest.mark.parametrize("steps", [None, 2])
@pytest.mark.parametrize("ring", [min_plus, max_min], ids=lambda s: s.name)
def test_the_rows_of_a_matrix_are_closures(backend: Any, ring: Semiring, steps: Any) -> None:
    """All distances, and all widths: each row as the specification has it for its start."""
    A = graphs.NAMED["random 33"].adjacency
    value = INT64.type(99 if ring is max_min else 0)
    points = Sparse(INT64, A.shape, {(v, v): value for v in range(33)})
    entries = {
        (v, w): x
        for v in range(33)
        for w, x in spec.closure(Sparse(INT64, (33,), {v: value}), A, ring, steps).entries.items()
    }
    x = lg.closure(put(points, backend), put(A, backend), ring, steps)
    assert not complaint(take(x), [Sparse(INT64, A.shape, entries)])


def test_many_starts_of_another_width() -> None:
    A = put(graphs.NAMED["cycle"].adjacency, CPU)
    with pytest.raises(DimensionMismatch, match=r"a matrix of shape \(5, 5\) beside x0"):
        lg.closure(lg.Matrix("INT64", 2, 5, backend=CPU), A, min_plus)


@pytest.mark.parametrize("dtype", ["INT64", "FP32", "UINT8"])
def test_the_core_of_a_matrix_of_booleans(dtype: str, backend: Any) -> None:
    i, j = np.indices((12, 12)).reshape(2, -1)  # of a degree at which the core goes first
    A = lg.Matrix.from_coo(i, j, np.arange(144) % 3 > 0, nrows=12, ncols=12, backend=backend)
    x0 = lg.Vector.from_coo([0], [5], dtype, size=12, backend=backend)
    for ring in (min_plus, max_min, min_max):
        by_rounds = lg.closure(x0, A, ring, schedule=lg.Schedule(order="rounds", loop="host"))
        assert lg.closure(x0, A, ring).isequal(by_rounds, check_dtype=True)


@pytest.mark.parametrize("ring", [bor_band, band_bor], ids=lambda ring: ring.name)
@pytest.mark.parametrize("dtype", ["INT8", "INT32", "INT64", "UINT16"])
def test_a_product_of_another_type_than_its_operands(
    dtype: str, ring: Semiring, backend: Any
) -> None:
    """bor makes UINT64 of INT32, which no type of integers holds both of."""
    i, j = np.random.default_rng(1).integers(0, 20, (2, 60))
    make = {"nrows": 20, "ncols": 20, "dup_op": "max", "backend": backend}
    A = lg.Matrix.from_coo(i, j, np.arange(60) % 7, dtype, **make)
    x0 = lg.Vector.from_coo([0, 3], [6, 5], dtype, size=20, backend=backend)
    kind = ring.output(A.dtype, A.dtype)
    for to_start, to in ((x0, A), (x0, A.T), (lg.Vector(dtype, 20, backend=backend), A)):
        x = lg.closure(to_start, to, ring)
        same = to.new(kind) if to is not A else A.dup(kind)
        assert x.dtype == kind and x.isequal(lg.closure(to_start.dup(kind), same, ring))
