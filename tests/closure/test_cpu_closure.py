"""Closures on the CPU: the heap and its limits, and parents by one look at each edge."""

from __future__ import annotations

from typing import Any

import graphblas as gb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.cpu.loops import closures, distances
from lagraph_gpu.cpu.statements.stores import store_of
from lagraph_gpu.cpu.statements.vector_products import VectorProduct
from lagraph_gpu.errors import NegativeCycle
from lagraph_gpu.planning.closure_order import DEEP_DEGREE
from semirings import (
    any_first,
    any_pair,
    any_plus,
    any_secondi,
    max_plus,
    min_plus,
    min_times,
    types,
)
from semirings.types import BOOL, FP32, FP64, INT8, INT16, INT32, INT64, UINT8
from tests import graphs, spec
from tests.harness import CPU, complaint, put, statements_run, take
from tests.spec import Sparse
from tests.strategies import examples, random_graphs

LENGTHS: list[tuple[Any, Any, list[Any]]] = [
    (FP64, FP64, [0.0, 0.1, 0.7, 3.0, 1e300]),
    (FP64, INT64, [0, 1, 2**53 + 1]),
    (FP32, FP32, [0.0, 0.1, 0.7, 3.0, 2.0**24]),
    (FP64, FP32, [0.0, 0.1, 3.0]),
    (INT64, INT64, [0, 1, 7, 2**40]),
    (INT64, UINT8, [0, 1, 255]),
    (INT64, BOOL, [True]),
    (INT8, INT8, [0, 1, 3]),
]


def by_heap(
    x0: Sparse, A: Sparse, transposed: bool = False, ring: Any = min_plus, limit: Any = None
) -> Any:
    start, matrix = put(x0, CPU), put(A, CPU)
    return closures.by_heap(start._store, matrix._store, transposed, ring, limit)


@pytest.mark.parametrize(("dtype", "of_weights", "pool"), LENGTHS, ids=str)
@examples(20)
@given(data=st.data(), transposed=st.booleans())
def test_a_heap_adds_up_as_rounds_do(
    dtype: Any, of_weights: Any, pool: list[Any], data: Any, transposed: bool
) -> None:
    A = data.draw(random_graphs(types.name(of_weights), st.sampled_from(pool))).adjacency
    n = A.shape[0]
    sources = data.draw(st.sets(st.integers(0, n - 1), max_size=3))
    x0 = Sparse(dtype, (n,), {v: dtype.type(0) for v in sources})
    store = by_heap(x0, A, transposed)
    if dtype == INT8 and int(max(A.entries.values(), default=0)) * 2 * n >= np.iinfo(np.int8).max:
        assert store is None  # a sum might wrap
        return
    right = spec.closure(x0, spec.transpose(A) if transposed else A, min_plus)
    assert not complaint(take(lg.Vector._stored(store, n, dtype, CPU)), [right])


@examples(20)
@given(data=st.data(), limit=st.sampled_from([0.0, 0.1, 0.3, 0.5, 3.0]))
@pytest.mark.parametrize("dtype", [FP32, FP64, INT64], ids=types.name)
def test_beyond_a_limit_nobody_searches(dtype: Any, data: Any, limit: float) -> None:
    pool = [0, 1, 2] if dtype == INT64 else [0.0, 0.1, 0.2]
    A = data.draw(random_graphs(types.name(dtype), st.sampled_from(pool))).adjacency
    n = A.shape[0]
    x0 = Sparse(dtype, (n,), {v: dtype.type(0) for v in range(min(n, 1))})
    store = by_heap(x0, A, limit=limit)
    bound = limit if dtype == INT64 else dtype.type(limit)
    right = {v: d for v, d in spec.closure(x0, A, min_plus).entries.items() if d <= bound}
    assert take(lg.Vector._stored(store, n, dtype, CPU)).entries == right


def chain(dtype: Any, *weights: Any) -> Sparse:
    n = len(weights) + 1
    return Sparse(dtype, (n, n), {(i, i + 1): dtype.type(w) for i, w in enumerate(weights)})


@pytest.mark.parametrize(
    ("A", "first", "ring"),
    [
        (chain(INT64, 1, -1), 0, min_plus),
        (chain(FP64, 1.0, np.inf), 0.0, min_plus),
        (chain(FP64, 1.0, np.nan), 0.0, min_plus),
        (chain(FP32, 1e38, 1e38), 0.0, min_plus),
        (chain(INT64, 2**60, 1), 0, min_plus),
        (chain(INT32, 2**30, 1), 0, min_plus),
        (chain(INT64, 1), 1, min_plus),
        (chain(INT64, 1), 0, max_plus),
        (chain(INT64, 1), 0, min_times),
        (chain(INT64, 1), 0, any_plus),
    ],
    ids=str,
)
def test_where_it_would_not_it_is_not_asked(A: Sparse, first: Any, ring: Any) -> None:
    x0 = Sparse(A.dtype, A.shape[:1], {0: A.dtype.type(first)})
    assert by_heap(x0, A, ring=ring) is None


def test_rounds_for_what_is_wide_and_large(monkeypatch: pytest.MonkeyPatch) -> None:
    n = DEEP_DEGREE + 2
    A = Sparse(INT64, (n, n), {(i, j): 1 for i in range(n) for j in range(n)})
    x0 = Sparse(INT64, (n,), {0: 0})
    assert by_heap(x0, A) is not None
    monkeypatch.setattr(closures, "HEAP_ENTRIES", 1)
    monkeypatch.setattr(closures, "THREADS_FOR_ROUNDS", gb.ss.config["nthreads"] + 1)
    assert by_heap(x0, A) is not None
    monkeypatch.setattr(closures, "THREADS_FOR_ROUNDS", gb.ss.config["nthreads"])
    assert by_heap(x0, A) is None and by_heap(x0, chain(INT64, *[1] * (n - 1))) is not None


def test_rounds_are_not_gone_where_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that leads to a clique. What one search shows later ones know."""
    i, j = np.triu_indices(40, 1)
    path = np.arange(39, 39 + 2 * closures.FEW_ROUNDS)
    ends = np.r_[i, path], np.r_[j, path + 1]
    G = lg.Graph.from_edges(*ends, 1 + np.arange(ends[0].size) % 7, directed=False, backend=CPU)
    monkeypatch.setattr(closures, "HEAP_ENTRIES", 1)
    monkeypatch.setattr(closures, "THREADS_FOR_ROUNDS", 1)
    assert G.A.nvals > DEEP_DEGREE * G.n
    found, H = lg.sssp(G, 0), lg.Graph(G.A.dup(), directed=False)
    verify.verify_sssp(G, 0, *found)
    with lg.explain() as told:
        lg.closure(H.point(0, 0), H.A, min_plus)
    assert told.choices[0].chosen == "by a heap"
    assert G.A._store.takes_many_rounds is True is H.A._store.takes_many_rounds
    for _ in range(2):
        verify.verify_sssp(H, 50, *lg.sssp(H, 50))
    monkeypatch.setattr(closures, "FEW_ROUNDS", 1000)
    wide = lg.Graph(G.A.dup(), directed=False)
    verify.verify_sssp(wide, 0, *lg.sssp(wide, 0))
    assert wide.A._store.takes_many_rounds is False


@examples(40)
@given(data=st.data(), transposed=st.booleans())
def test_parents_are_nearer_and_tight(data: Any, transposed: bool) -> None:
    A = data.draw(random_graphs("INT64", st.sampled_from([0, 1, 2, 5]))).adjacency
    n = A.shape[0]
    edges = spec.transpose(A) if transposed else A
    source = data.draw(st.integers(0, n - 1))
    x = spec.closure(Sparse(INT64, (n,), {source: 0}), edges, min_plus)
    choices: dict[int, set[int]] = {source: {source}}
    for (u, v), w in edges.entries.items():
        if u in x.entries and x.entries[u] < x.entries[v] == x.entries[u] + w:
            choices.setdefault(v, set()).add(u)
    vectors = x, Sparse(INT64, (n,), {source: source})
    matrix = put(A, CPU)
    forest = closures.tight_forest(
        *(put(v, CPU) for v in vectors), matrix.T if transposed else matrix
    )
    if choices.keys() != x.entries.keys():  # over an edge of length 0 alone
        assert forest is None
        return
    found = take(forest).entries
    assert found.keys() == choices.keys()
    assert all(found[v] in few for v, few in choices.items())


@examples(30)
@given(data=st.data(), steps=st.none() | st.integers(0, 9), transposed=st.booleans())
@pytest.mark.parametrize("ring", [any_pair, any_first, any_secondi], ids=lambda r: r.name)
def test_a_search_by_levels_is_a_closure(
    ring: Any, data: Any, steps: int | None, transposed: bool
) -> None:
    A = data.draw(random_graphs()).adjacency
    n = A.shape[0]
    sources = data.draw(st.sets(st.integers(0, n - 1), max_size=3))
    x0 = put(Sparse(INT64, (n,), {v: INT64.type(v + 5) for v in sources}), CPU)
    matrix = put(A, CPU).T if transposed else put(A, CPU)
    edges = spec.transpose(A) if transposed else A
    if data.draw(st.booleans()):
        _ = store_of(matrix.T).AT  # so that a pull has what it reads
    x, step = (take(v).entries for v in closure_with_rounds(x0, matrix, ring, steps))
    assert take(lg.closure(x0, matrix, ring, steps)).entries.keys() == x.keys()
    assert step == spec.levels(edges, sources, steps)
    for v, value in x.items():
        before = {u for u, w in edges.entries if w == v and step.get(u) == step[v] - 1}
        came = {any_pair: {1}, any_first: {x[u] for u in before}, any_secondi: before}[ring]
        assert value in ({v + 5} if v in sources else came)


@examples(30)
@given(data=st.data(), steps=st.none() | st.integers(0, 9), transposed=st.booleans())
@pytest.mark.parametrize("ring", [any_pair, any_first, any_secondi], ids=lambda r: r.name)
def test_rows_of_a_matrix_by_levels(
    ring: Any, data: Any, steps: int | None, transposed: bool
) -> None:
    """Each is the search of its vector, also of one without an entry, or after one that ended."""
    A = data.draw(random_graphs()).adjacency
    n = A.shape[0]
    rows = data.draw(st.lists(st.sets(st.integers(0, n - 1), max_size=3), max_size=4))
    entries = {(i, v): INT64.type(v + 5) for i, row in enumerate(rows) for v in row}
    x0 = put(Sparse(INT64, (len(rows), n), entries), CPU)
    matrix = put(A, CPU).T if transposed else put(A, CPU)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distances, "FULL_ROOM_LEVELS", data.draw(st.sampled_from([0, 1 << 22])))
        patch.setattr(distances, "RUN", data.draw(st.sampled_from([n, 1 << 27])))
        whole = closure_with_rounds(x0, matrix, ring, steps)
    assert (whole[0].dtype, whole[1].dtype) == (ring.output(INT64, A.dtype), INT32)
    for i, row in enumerate(rows):
        alone = put(Sparse(INT64, (n,), {v: INT64.type(v + 5) for v in row}), CPU)
        for many, one in zip(whole, closure_with_rounds(alone, matrix, ring, steps)):
            assert {v: x for (r, v), x in take(many).entries.items() if r == i} == take(one).entries


def test_searches_of_minutes_are_runs_of_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their progress is told between two runs; so many searches that each looks at no more."""
    G = lg.random_graph(40, 100, seed=1, directed=True, backend="cpu")
    whole = lg.bfs(G, sources=range(40)), lg.betweenness_centrality(G)
    monkeypatch.setattr(distances, "RUN", 500)
    runs = list(distances.in_runs(G.A._store, 40, lambda first, end, _: (first, end)))
    assert [first for first, _ in runs] == [0, *(end for _, end in runs[:-1])]
    assert runs[-1][1] == 40
    assert max(end - first for first, end in runs) * (40 + 100) <= 500
    (level, parent), passed = lg.bfs(G, sources=range(40)), lg.betweenness_centrality(G)
    assert (level.isequal(whole[0][0]), parent.isequal(whole[0][1])) == (True, True)
    assert np.allclose(passed.to_dense(), whole[1].to_dense())
    monkeypatch.setattr(distances, "RUNS", 5)
    assert len(list(distances.in_runs(G.A._store, 40, lambda first, end, _: None))) == 5


def test_short_searches_of_a_large_graph_take_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs leave what they found, and not the room that they had for it."""
    n, rows, runs = 10**5, 100, []
    made = distances.in_runs
    monkeypatch.setattr(distances, "FULL_ROOM_LEVELS", n)  # less than all rows take
    monkeypatch.setattr(distances, "in_runs", lambda *asked: runs.extend(made(*asked)) or runs)
    G = lg.Graph.from_edges(*graphs.path(n), n=n, backend="cpu")
    x0 = lg.Matrix.from_coo(
        np.arange(rows), np.arange(rows), True, nrows=rows, ncols=n, backend="cpu"
    )
    assert lg.closure(x0, G.A, any_pair, max_rounds=2).nvals == 3 * rows
    held = [part if part.base is None else part.base for _, *parts, _ in runs for part in parts]
    assert sum(part.size for part in held) == 3 * 3 * rows


@pytest.mark.parametrize("measure", [lg.closeness_centrality, lg.harmonic_centrality])
def test_rounds_of_one_source_are_no_statements(
    measure: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path has as many rounds as vertices, and asks for hardly more statements."""
    statements = statements_run(monkeypatch)

    def asked(n: int) -> int:
        G = lg.Graph.from_edges(*graphs.path(n), directed=False, backend=CPU)
        statements.clear()
        measure(G, [0])
        return len(statements)

    assert asked(300) < asked(20) + 20


@examples(20)
@given(data=st.data())
def test_rows_of_a_matrix_by_heap(data: Any) -> None:
    A = data.draw(random_graphs("INT64", st.sampled_from([0, 1, 2, 5]))).adjacency
    n = A.shape[0]
    sources = data.draw(st.lists(st.integers(0, n - 1) | st.none(), max_size=4))
    entries = {(i, v): 0 for i, v in enumerate(sources) if v is not None}
    x0 = put(Sparse(INT64, (len(sources), n), entries), CPU)
    found = take(lg.Matrix._stored(by_heap_of(x0, A), x0.shape, INT64, CPU))
    right = {
        (i, j): d
        for (i, v) in entries
        for j, d in spec.closure(Sparse(INT64, (n,), {v: 0}), A, min_plus).entries.items()
    }
    assert found.entries == right
    assert take(lg.closure(x0, put(A, CPU), min_plus)).entries == right


def by_heap_of(x0: Any, A: Sparse) -> Any:
    return closures.by_heap(x0._store, put(A, CPU)._store, False, min_plus)


SIGNED: list[tuple[Any, Any, list[Any]]] = [
    (FP64, FP64, [0.0, -0.1, 0.7, 3.0, -1e16]),
    (FP32, FP32, [0.0, -0.1, 0.7, 3.0, -(2.0**24)]),
    (INT64, INT64, [0, -1, 7, -(2**40)]),
    (INT64, INT8, [0, -1, 5]),
]


@pytest.mark.parametrize(("dtype", "of_weights", "pool"), SIGNED, ids=str)
@examples(30)
@given(data=st.data(), transposed=st.booleans(), most=st.integers(0, 6))
def test_rounds_of_either_sign(
    dtype: Any, of_weights: Any, pool: list[Any], data: Any, transposed: bool, most: int
) -> None:
    """As the loop of statements has them, round by round, and they rest where it does."""
    A = data.draw(random_graphs(types.name(of_weights), st.sampled_from(pool))).adjacency
    n = A.shape[0]
    drawn = data.draw(st.dictionaries(st.integers(0, n - 1), st.sampled_from(pool), min_size=1))
    matrix = put(A, CPU)
    x0 = lg.Vector.from_dict(drawn, of_weights, size=n, backend=CPU).dup(dtype)
    made = closures.by_lengths(x0._store, matrix._store, transposed, min_plus, most)
    assert made is not None
    product = VectorProduct(matrix._store, transposed, min_plus, dtype, True, None)
    right, _, rests = closures.by_rounds(x0._store, product, most, False)
    assert made[0].isequal(right, check_dtype=True) and made[2] == rests


@pytest.mark.parametrize(
    "A",
    [
        chain(FP64, 1.0, np.inf),
        chain(FP64, 1.0, np.nan),
        chain(FP32, 1e38, -1e38),
        chain(INT64, 2**60, -1),
        chain(INT32, -(2**30), 1),
    ],
    ids=str,
)
def test_rounds_of_either_sign_are_left_to_statements(A: Sparse) -> None:
    x0, matrix = (put(x, CPU) for x in (Sparse(A.dtype, A.shape[:1], {0: A.dtype.type(0)}), A))
    assert closures.by_lengths(x0._store, matrix._store, False, min_plus, 3) is None


@pytest.mark.parametrize(
    ("dtype", "pool"), [(INT8, [0, -16, -3, 5]), (INT16, [0, -3000, 7])], ids=str
)
@examples(40)
@given(data=st.data())
def test_values_that_fall_in_each_round_wrap_as_statements_do(
    dtype: Any, pool: list[int], data: Any
) -> None:
    """A cycle of negative length makes sums leave the type if the rounds are many."""
    A = data.draw(random_graphs(types.name(dtype), st.sampled_from(pool))).adjacency
    n, most = A.shape[0], data.draw(st.integers(0, 100))
    x0 = lg.Vector.from_coo([0], [0], dtype, size=n, backend=CPU)
    by_statements = lg.closure(
        x0, put(A, CPU), min_plus, max_rounds=most, schedule=lg.Schedule(direction="push")
    )
    assert lg.closure(x0, put(A, CPU), min_plus, max_rounds=most).isequal(by_statements)


def test_negative_cycles_are_found_by_rounds() -> None:
    n = 3000
    path = lg.Graph.from_edges(range(n - 1), range(1, n), -np.arange(1, n), backend=CPU)
    distance, parent = lg.bellman_ford(path, 0)
    assert distance.to_dense().tolist() == (-np.arange(n).cumsum()).tolist()
    assert parent.to_dense().tolist() == [0, *range(n - 1)]
    cycle = [*range(n)], [*range(1, n), 0], [-1] * n
    with pytest.raises(NegativeCycle):
        lg.bellman_ford(lg.Graph.from_edges(*cycle, backend=CPU), 0)


@pytest.mark.parametrize("dtype", [FP32, FP64])
def test_a_search_ends_when_the_targets_are_known(dtype: Any) -> None:
    path = lg.Graph.from_edges(range(40), range(1, 41), 0.5, directed=False, backend=CPU)

    def steps(*targets: int) -> int:
        """How far the search has looked."""
        start, wanted = np.array([20]), np.array(targets, np.int64)
        found = distances.distances(store_of(path.A), False, start, np.inf, dtype, None, wanted)
        assert [found[v] for v in targets] == [0.5 * abs(v - 20) for v in targets]
        return int(max(abs(np.flatnonzero(np.isfinite(found)) - 20)))

    assert [steps(20), steps(40, 0), steps()] == [0, 20, 20]
    assert steps(21, 20, 21) <= 2 and steps(25, 19) <= 6


@examples(60)
@given(random_graphs(), st.data())
def test_tables_of_few_targets(example: graphs.Example, data: st.DataObject) -> None:
    G = example.graph(CPU)
    vertices = st.lists(st.integers(0, G.n - 1), max_size=4) if G.n else st.just([])
    sources, targets = data.draw(vertices), data.draw(vertices)
    whole = lg.distance_matrix(G, sources)
    np.testing.assert_array_equal(lg.distance_matrix(G, sources, targets), whole[:, targets])
    pairs = list(zip(sources, targets, strict=False))
    found = lg.paired_distances(G, [u for u, _ in pairs], [v for _, v in pairs])
    assert found.tolist() == [whole[i, v] for i, (_, v) in enumerate(pairs)]
