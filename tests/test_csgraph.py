"""csgraph against SciPy: the same inputs, options and errors; equal answers, types and shapes."""

from __future__ import annotations

import inspect
import itertools
import math
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.csgraph as theirs
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
import lagraph_gpu.csgraph as ours
from lagraph_gpu.backend import resolve
from lagraph_gpu.csgraph import adapters, paths, search, traversal, trees
from lagraph_gpu.errors import InvalidValue, WrongType
from tests.harness import CPU, DEVICE, GPU
from tests.simt.device import EmulatedDevice, ForeignArray
from tests.strategies import examples

pytestmark = pytest.mark.filterwarnings("ignore:the matrix subclass")

BOOLS = (False, True)


@pytest.fixture(autouse=True, params=BOOLS, ids=["ours", "SciPy's"])
def on_the_cpu(request: pytest.FixtureRequest) -> Iterator[None]:
    """By our own algorithms, and by SciPy's where the CPU leaves it to them."""
    with pytest.MonkeyPatch.context() as patch, lg.backend(CPU):
        for module in (adapters, paths, traversal, trees):
            patch.setattr(module, "hosted", lambda: request.param and resolve() is CPU)
        yield


# --- what is drawn -------------------------------------------------------------------------------


@st.composite
def dense_graphs(draw: Any, negative: bool = False, sizes: Any = (1, 2, 3, 5, 9)) -> np.ndarray:
    """A square array in which 0, infinity and NaN are no edges."""
    n = draw(st.sampled_from(sizes))
    weights = [0.5, 1.0, 2.0, 3.0, 7.25, *([-1.0, -0.5] if negative else [])]
    A = np.zeros((n, n))
    positions = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    for i, j in draw(st.lists(positions, max_size=3 * n)):
        A[i, j] = draw(st.sampled_from([*weights, *weights, 0.0, np.inf, np.nan]))
    return A


def with_twins(A: np.ndarray, order: int) -> Any:
    """A CSR array whose rows are not sorted and hold some edges twice."""
    row, column = np.nonzero(np.isfinite(A) & (A != 0))
    value = A[row, column]
    again = np.arange(0, row.size, 3)
    row, column = np.r_[row, row[again]], np.r_[column, column[again]]
    value = np.r_[value, value[again] + 0.25]
    shuffle = np.random.default_rng(order).permutation(row.size)
    row, column, value = row[shuffle], column[shuffle], value[shuffle]
    by = np.argsort(row, kind="stable")
    indptr = np.searchsorted(row[by], np.arange(A.shape[0] + 1))
    return sp.csr_array((value[by], column[by].astype(np.int32), indptr.astype(np.int32)), A.shape)


def zeros_stored(A: np.ndarray, order: int) -> Any:
    """A CSR array with stored zeros."""
    B = sp.csr_array(np.where(np.isfinite(A), A, 0))
    B.data[order % 2 :: 2] = 0
    return B


FORMS: dict[str, Callable[[np.ndarray, int], Any]] = {
    "dense": lambda A, _: A,
    "list": lambda A, _: A.tolist(),
    "float32": lambda A, _: A.astype(np.float32),
    "integers": lambda A, _: np.where(np.isfinite(A), A, 0).astype(np.int64),
    "masked": lambda A, _: np.ma.masked_invalid(A),
    "matrix": lambda A, _: np.asmatrix(A),
    "csr": lambda A, _: theirs.csgraph_from_dense(A),
    "csc": lambda A, _: theirs.csgraph_from_dense(A).tocsc(),
    "lil": lambda A, _: sp.lil_array(np.where(np.isfinite(A), A, 0)),
    "stored infinities": lambda A, _: sp.csr_array(A),
    "old csr": lambda A, _: sp.csr_matrix(np.where(np.isfinite(A), A, 0)),
    "coo twice": lambda A, o: with_twins(A, o).tocoo(),
    "unsorted and twice": with_twins,
    "stored zeros": zeros_stored,
}
forms = st.sampled_from(sorted(FORMS))


def both(name: str, *arguments: Any, **options: Any) -> tuple[Any, Any]:
    """What SciPy answers or raises, and what we do."""
    answers = []
    for module in (theirs, ours):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                answers.append(getattr(module, name)(*arguments, **options))
            except (ValueError, TypeError, theirs.NegativeCycleError) as problem:
                answers.append(problem)
    return answers[0], answers[1]


def same(theirs_: Any, ours_: Any) -> None:
    """Equal values, of one type and shape."""
    if isinstance(theirs_, tuple):
        assert isinstance(ours_, tuple) and len(ours_) == len(theirs_)
        for one, other in zip(theirs_, ours_):
            same(one, other)
        return
    if isinstance(theirs_, Exception):
        kinds = (ValueError, TypeError, theirs.NegativeCycleError)
        kind = next(k for k in kinds if isinstance(theirs_, k))
        assert isinstance(ours_, kind), ours_
        return
    assert not isinstance(ours_, Exception), ours_
    if sp.issparse(theirs_):
        assert type(ours_) is type(theirs_) and ours_.format == theirs_.format
        same(theirs_.toarray(), ours_.toarray())
        assert ours_.nnz == theirs_.nnz
        return
    assert np.shape(ours_) == np.shape(theirs_)
    assert np.asarray(ours_).dtype == np.asarray(theirs_).dtype
    np.testing.assert_array_equal(ours_, theirs_)


def same_error(theirs_: Exception, ours_: Any) -> None:
    same(theirs_, ours_)
    assert str(ours_) == str(theirs_)


# --- names and arguments -------------------------------------------------------------------------


def test_every_name_is_here() -> None:
    assert set(theirs.__all__) <= set(ours.__all__)
    assert all(hasattr(ours, name) for name in ours.__all__)


@pytest.mark.parametrize("name", [n for n in ours.__all__ if n != "NegativeCycleError"])
def test_arguments(name: str) -> None:
    """The same names, order and defaults; where Cython hides them, as SciPy's docstring says."""
    text = inspect.getdoc(getattr(theirs, name)) or ""
    if text.startswith(name):
        said = " ".join(text[len(name) + 1 : text.index(")\n")].split())
        said += ", *, method='dinic'" if name == "maximum_flow" else ""  # which its line leaves out
        their = inspect.signature(eval(f"lambda {said}: 0", {"np": np}))
    else:
        their = inspect.signature(getattr(theirs, name))
    mine = inspect.signature(getattr(ours, name))
    assert described(mine) == described(their)


def described(signature: inspect.Signature) -> list[Any]:
    return [(p.name, p.default, p.kind) for p in signature.parameters.values()]


# --- traversals ----------------------------------------------------------------------------------


@given(dense_graphs(), forms, st.integers(0, 99), st.data())
@examples(150)
def test_breadth_first(A: np.ndarray, form: str, order: int, data: Any) -> None:
    """SciPy's order and predecessors to the letter, also of rows that are not sorted."""
    graph = FORMS[form](A, order)
    start = data.draw(st.integers(0, A.shape[0] - 1))
    for directed, predecessors in itertools.product(BOOLS, BOOLS):
        same(*both("breadth_first_order", graph, start, directed, predecessors))
    for name, directed in itertools.product(("breadth_first_tree", "depth_first_tree"), BOOLS):
        same(*both(name, graph, start, directed))
    same(*both("depth_first_order", graph, start))


@given(dense_graphs(), forms, st.integers(0, 99))
@examples(150)
def test_components(A: np.ndarray, form: str, order: int) -> None:
    graph = FORMS[form](A, order)
    if form == "list":
        graph = np.array(graph)  # SciPy asks for a dtype here
    twins = form == "unsorted and twice"
    for directed, connection in itertools.product(BOOLS, ("weak", "strong", "STRONG")):
        options = directed, connection
        mine = ours.connected_components(graph, *options)
        assert ours.connected_components(graph, *options, return_labels=False) == mine[0]
        known = graph.tocoo().tocsr() if twins else graph  # with twins SciPy 1.17 may not return
        their = theirs.connected_components(known, *options)
        if directed and connection.lower() == "strong":
            assert mine[0] == their[0]
            mine = (mine[0], renamed(mine[1], their[1]))
        same(their, mine)


def renamed(labels: np.ndarray, like: np.ndarray) -> np.ndarray:
    """The same partition under the other's names, if it is the same."""
    pairs = set(zip(labels.tolist(), like.tolist()))
    assert len(pairs) == len(set(labels.tolist()))
    return np.array([dict(pairs)[x] for x in labels.tolist()], labels.dtype)


# --- shortest paths ------------------------------------------------------------------------------


def least_weights(graph: Any, directed: bool, unweighted: bool) -> np.ndarray:
    """The lightest edge from each vertex to each other, infinite for none."""
    csr = graph.tocsr() if sp.issparse(graph) else None
    if csr is None:
        csr = (theirs.csgraph_from_masked if np.ma.isMaskedArray(graph)
               else theirs.csgraph_from_dense)(graph)  # fmt: skip
    W = np.full(csr.shape, np.inf)
    row = np.repeat(np.arange(csr.shape[0]), np.diff(csr.indptr))
    value = np.ones(csr.nnz) if unweighted else np.where(np.isnan(csr.data), np.inf, csr.data)
    np.minimum.at(W, (row, csr.indices), value)
    return W if directed else np.minimum(W, W.T)


def check_tree(W: np.ndarray, source: int, distance: np.ndarray, before: np.ndarray) -> None:
    """Following the predecessors leads to the source, over edges that add up to the distance."""
    for v in range(W.shape[0]):
        assert (before[v] == -9999) == (v == source or np.isinf(distance[v]))
        steps = 0
        while before[v] != -9999:
            assert distance[v] == distance[before[v]] + W[before[v], v]
            v, steps = before[v], steps + 1
            assert steps < W.shape[0]


SOURCES = (None, 0, -1, [0], [-1, 0], [[0, 0], [0, -1]], [])


def compare_paths(graph: Any, method: str, named: dict[str, Any], tolerance: float = 0) -> None:
    """Distances as SciPy's; predecessors that are right."""
    directed, unweighted = named.get("directed", True), named.get("unweighted", False)
    their, mine = both(method, graph, **named)
    same_values(their, mine, tolerance)
    their, mine = both(method, graph, **named, return_predecessors=True)
    if isinstance(their, Exception):
        same(their, mine)
        return
    same_values(their[0], mine[0], tolerance)
    assert mine[1].dtype == their[1].dtype and mine[1].shape == their[1].shape
    W = least_weights(graph, directed, unweighted)
    n = W.shape[0]
    indices = named.get("indices")
    source = np.arange(n) if indices is None else np.array(indices, int).reshape(-1) % n
    if named.get("limit", np.inf) < np.inf:
        return
    for s, d, p in zip(source, mine[0].reshape(-1, n), mine[1].reshape(-1, n)):
        check_tree(W, s, d, p)


def same_values(their: Any, mine: Any, tolerance: float) -> None:
    if tolerance and not isinstance(their, Exception):
        assert mine.shape == their.shape and mine.dtype == their.dtype
        np.testing.assert_allclose(mine, their, atol=tolerance)
    else:
        same(their, mine)


@given(dense_graphs(), forms, st.integers(0, 99), st.data())
@examples(120)
def test_paths(A: np.ndarray, form: str, order: int, data: Any) -> None:
    """Bit for bit, for weights of at least 0."""
    graph = FORMS[form](A, order)
    named = {"directed": data.draw(st.booleans()), "unweighted": data.draw(st.booleans())}
    method = data.draw(st.sampled_from(["dijkstra", "bellman_ford", "johnson"]))
    named["indices"] = data.draw(st.sampled_from(SOURCES))
    if method == "dijkstra":
        named["limit"] = data.draw(st.sampled_from([np.inf, np.inf, 0, 3, 4.5]))
    compare_paths(graph, method, named)


@given(dense_graphs(), forms, st.integers(0, 99), st.booleans(), st.booleans())
@examples(80)
def test_floyd_warshall(A: np.ndarray, form: str, order: int, directed: bool, ones: bool) -> None:
    graph = FORMS[form](A, order)
    if form == "coo twice":
        graph = graph.tocsr()  # SciPy makes no dense array of a COO one here
    their, mine = both("floyd_warshall", graph, directed, False, ones)
    same(their, mine)
    their, mine = both("floyd_warshall", graph, directed, True, ones)
    assert mine[1].dtype == their[1].dtype and mine[1].shape == their[1].shape
    same(their[0], mine[0])
    np.testing.assert_array_equal(mine[1] == -9999, their[1] == -9999)
    for s in range(A.shape[0]):
        for v in np.flatnonzero(mine[1][s] != -9999):
            p = mine[1][s, v]
            assert mine[0][s, v] == mine[0][s, p] + mine[0][p, v]


@given(dense_graphs(negative=True), st.sampled_from(["dense", "csr", "unsorted and twice"]),
       st.integers(0, 99), st.data())  # fmt: skip
@examples(150)
def test_negative_weights(A: np.ndarray, form: str, order: int, data: Any) -> None:
    """The same distances or the same error, also where a cycle is out of reach."""
    graph = FORMS[form](A, order)
    method = data.draw(st.sampled_from(["bellman_ford", "johnson", "floyd_warshall"]))
    named: dict[str, Any] = {"directed": data.draw(st.booleans())}
    if method != "floyd_warshall":
        named["indices"] = data.draw(st.sampled_from(SOURCES))
        compare_paths(graph, method, named)
    else:
        same(*both(method, graph, **named))


@given(dense_graphs(), forms, st.integers(0, 99), st.data())
@examples(100)
def test_nearest_source(A: np.ndarray, form: str, order: int, data: Any) -> None:
    """``min_only``: the distance, and a source and a predecessor that agree with it."""
    graph, n = FORMS[form](A, order), A.shape[0]
    named: dict[str, Any] = {"directed": data.draw(st.booleans()), "min_only": True}
    named["unweighted"] = data.draw(st.booleans())
    named["indices"] = data.draw(st.sampled_from([None, 0, -1, [0, n - 1], [0, 0], [[n // 2]]]))
    same(*both("dijkstra", graph, **named))
    their, mine = both("dijkstra", graph, **named, return_predecessors=True)
    same(their[0], mine[0])
    assert len(mine) == 3 and all(x.dtype == np.int32 and x.shape == (n,) for x in mine[1:])
    W = least_weights(graph, named["directed"], named["unweighted"])
    distance, before, source = mine
    np.testing.assert_array_equal(source == -9999, their[2] == -9999)
    for v in np.flatnonzero(source != -9999):
        tree = np.where(source == source[v], before, -9999)
        check_tree(W, source[v], np.where(source == source[v], distance, np.inf), tree)


@pytest.mark.parametrize("method", ["auto", "FW", "D", "BF", "J"])
@pytest.mark.parametrize("directed", BOOLS)
@pytest.mark.parametrize("unweighted", BOOLS)
@pytest.mark.parametrize("form", ["dense", "csr", "masked", "old csr"])
def test_shortest_path(method: str, directed: bool, unweighted: bool, form: str) -> None:
    rng = np.random.default_rng(3)
    for density in (0.2, 0.7):
        A = rng.integers(1, 9, (7, 7)) * (rng.random((7, 7)) < density) * 1.0
        graph = FORMS[form](A, 0)
        same(*both("shortest_path", graph, method, directed, False, unweighted))
        their, mine = both("shortest_path", graph, method, directed, True, unweighted)
        same(their[0], mine[0])
        assert mine[1].dtype == np.int32 and mine[1].shape == (7, 7)
        their, mine = both("shortest_path", graph, method, directed, False, unweighted, False, [2])
        (same_error if method == "FW" else same)(their, mine)


@pytest.mark.parametrize("mask", [np.ma.nomask, False, np.eye(3, k=1)])
@pytest.mark.parametrize("dtype", [float, int])
def test_masks_of_any_kind(mask: Any, dtype: type) -> None:
    """Where no mask is set, SciPy answers some of these, and fails at others."""
    A = np.ma.array([[0, 1, 4], [2, 0, 0], [3, 5, 0]], dtype, mask=mask)
    same(*both("floyd_warshall", A))
    same(*both("shortest_path", A))
    whole = np.ma.array(A.data, mask=np.ma.getmaskarray(A))
    for name in ("dijkstra", "bellman_ford", "johnson", "minimum_spanning_tree"):
        same(both(name, whole)[0], both(name, A)[1])


@pytest.mark.parametrize(
    ("name", "options"),
    [("breadth_first_tree", {"i_start": 0}), ("depth_first_order", {"i_start": 0}),
     ("dijkstra", {}), ("yen", {"source": 0, "sink": 2, "K": 1}), ("csgraph_from_masked", {})],
)  # fmt: skip
def test_a_masked_array_of_which_nothing_is_masked(name: str, options: dict[str, Any]) -> None:
    """SciPy looks for a whole mask, and says without one that an axis is out of bounds."""
    A = np.arange(1.0, 10.0).reshape(3, 3)
    named = getattr(ours, name)
    whole = np.ma.array(A, mask=np.zeros((3, 3), bool))
    same(named(whole, **options), named(np.ma.array(A), **options))


def test_only_a_masked_array_is_made_sparse_as_one() -> None:
    with pytest.raises(ValueError, match="expected a masked array"):
        ours.csgraph_from_masked([[0, 1], [1, 0]])


def test_auto_takes_negative_weights() -> None:
    A = np.array([[0, 3, 0.0], [0, 0, -1], [0, 0, 0]])
    same(*both("shortest_path", A))
    same(*both("shortest_path", sp.csr_array(A), indices=[1]))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("floyd_warshall", {}),
        ("bellman_ford", {}),
        ("johnson", {}),
        ("dijkstra", {}),
        ("dijkstra", {"indices": [0], "min_only": True}),
        ("dijkstra", {"limit": math.nan}),
        ("dijkstra", {"indices": [0, 1], "min_only": True, "limit": math.nan}),
    ],
)
def test_where_numbers_end(name: str, options: dict[str, Any]) -> None:
    """A sum too large for a number is no way, and nothing is nearer than a limit of NaN."""
    graph = sp.csr_array(([1e308, 1e308, 0.0], ([0, 1, 2], [1, 2, 3])), shape=(4, 4))
    their, mine = both(name, graph, **options, return_predecessors=True)
    for one, other in zip(their, mine, strict=True):
        same(one, other)


def test_dijkstra_warns_as_scipy_does() -> None:
    A = sp.csr_array([[0, 3.0, 1], [0, 0, -1], [0, 0, 0]])
    for module in (theirs, ours):
        with pytest.warns(UserWarning, match="negative weights: dijkstra"):
            assert module.dijkstra(A, indices=0).tolist() == [0, 3, 1]
    for ask in (ours.dijkstra, partial(ours.shortest_path, method="D")):
        with pytest.warns(UserWarning) as told:
            ask(A, indices=0)
        assert [warning.filename for warning in told] == [__file__]  # this line, not one of ours
    cycle = sp.csr_array([[0, 1.0], [-2, 0]])
    with pytest.warns(UserWarning), pytest.raises(ours.NegativeCycleError):
        ours.dijkstra(cycle)


def test_a_zero_inside_a_block_is_no_edge() -> None:
    A = np.kron(np.eye(3), [[0, 1], [0, 0]])
    blocks = sp.bsr_array(A, blocksize=(2, 2))
    assert blocks.nnz == 12
    assert ours.connected_components(blocks)[0] == 3
    assert ours.breadth_first_order(blocks, 1)[0].tolist() == [1]


def test_overwrite() -> None:
    A = np.array([[0, 2.0, 9], [0, 0, 3], [1, 0, 0]])
    for name in ("floyd_warshall", "shortest_path"):
        before, changed = A.copy(), A.copy()
        options = {"method": "FW"} if name == "shortest_path" else {}
        result = getattr(ours, name)(changed, overwrite=True, **options)
        same(getattr(theirs, name)(before, overwrite=True, **options), result)
        assert np.shares_memory(result, changed)
        np.testing.assert_array_equal(changed, result)
        kept = A.copy()
        getattr(ours, name)(kept, overwrite=False, **options)
        np.testing.assert_array_equal(kept, A)


def test_a_cycle_of_length_zero_is_none() -> None:
    """0.1 + 0.2 - 0.3 is not 0 for a computer; neither SciPy nor we call that negative."""
    w = [0.1, 0.2, -0.3]
    for turn in range(3):
        A = np.zeros((4, 4))
        for k in range(3):
            A[k, (k + 1) % 3] = w[(k + turn) % 3]
        A[2, 3] = 1
        for name in ("bellman_ford", "johnson"):
            their, mine = both(name, A)
            np.testing.assert_allclose(mine, their, atol=1e-14)


def test_many_sources_in_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_ENTRIES", 100)
    A = sp.random_array((30, 30), density=0.1, rng=1)
    compare_paths(A.tocsr(), "dijkstra", {})
    compare_paths(A.tocsr(), "dijkstra", {"indices": np.arange(30).reshape(5, 6), "limit": 1.5})


# --- trees and matchings -------------------------------------------------------------------------


@given(dense_graphs(negative=True), forms, st.integers(0, 99), st.booleans())
@examples(150)
def test_minimum_spanning_tree(A: np.ndarray, form: str, order: int, overwrite: bool) -> None:
    """SciPy's tree, also where weights are equal."""
    graph = FORMS[form](A, order)
    their = theirs.minimum_spanning_tree(FORMS[form](A, order))
    mine = ours.minimum_spanning_tree(graph, overwrite)
    same(their, mine)
    assert mine.indices.dtype == their.indices.dtype
    if sp.issparse(graph):
        np.testing.assert_array_equal(graph.toarray(), FORMS[form](A, order).toarray())


@given(st.integers(0, 7), st.integers(0, 7), st.integers(0, 99), st.floats(0, 0.6))
@examples(80)
def test_matchings(rows: int, columns: int, seed: int, density: float) -> None:
    A = sp.random_array((rows, columns), density=density, format="csr", rng=seed)
    A.data[::3] = 0  # stored zeros are entries
    for form in ("csr", "csc", "coo"):
        graph = A.asformat(form)
        their, mine = both("structural_rank", graph)
        assert their == mine and type(mine) is type(their)
        for kind in ("row", "column"):
            same(*both("maximum_bipartite_matching", graph, kind))


def test_what_scipy_lends() -> None:
    A = np.array([[0, 4, 1, 0], [4, 0, 2, 5], [1, 2, 0, 8], [0, 5, 8, 0]])
    S = sp.csr_array(A)
    for arguments in (
        ("laplacian", A), ("laplacian", S), ("laplacian", S * 1.0, True, True, True),
        ("reverse_cuthill_mckee", S), ("reverse_cuthill_mckee", S, True),
        ("min_weight_full_bipartite_matching", S),
        ("min_weight_full_bipartite_matching", S, True),
        ("csgraph_from_dense", A), ("csgraph_from_dense", A, 4), ("csgraph_to_dense", S, -1),
        ("csgraph_masked_from_dense", A), ("csgraph_to_masked", S),
        ("csgraph_from_masked", np.ma.masked_equal(A, 0)), ("yen", S, 0, 3, 3),
        ("reconstruct_path", S, np.array([-9999, 2, 0, 1])),
    ):  # fmt: skip
        same(*both(*arguments))
    for form in ("function", "lo"):
        L = ours.laplacian(S, form=form)
        np.testing.assert_array_equal(L(np.eye(4)) if form == "function" else L @ np.eye(4),
                                      theirs.laplacian(A))  # fmt: skip
    flow, known = (m.maximum_flow(S, 0, 3, method="edmonds_karp") for m in (ours, theirs))
    assert flow.flow_value == known.flow_value
    same(known.flow, flow.flow)
    _, before = ours.shortest_path(A, return_predecessors=True)
    same(*both("construct_dist_matrix", A, before))
    same(*both("construct_dist_matrix", A, before.astype(np.int64)))


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_frame_in_place_of_a_word_is_refused_in_our_words(package: str) -> None:
    """To compare one with a word raises an error of its library, or gives a frame."""
    frame = pytest.importorskip(package).DataFrame({"a": [1, 2]})
    S = sp.csr_array([[0, 1], [0, 0]])
    with pytest.raises(InvalidValue, match="unrecognized method"):
        ours.shortest_path(S, method=frame)
    with pytest.raises(WrongType, match="expected the form as a word, got"):
        ours.laplacian(S, form=frame)
    with pytest.raises(WrongType, match="expected the method as a word, got"):
        ours.maximum_flow(S, 0, 1, method=frame)


def test_predecessors_in_a_circle_are_refused_where_scipy_follows_them_without_end() -> None:
    A = np.array([[0, 1.0, 0], [0, 0, 1], [1, 0, 0]])
    circle = np.array([[-9999, 2, 1], [1, -9999, 1], [1, 2, -9999]])
    with pytest.raises(ValueError, match="vertex 1 in row 0 run in a circle"):
        ours.construct_dist_matrix(A, circle)


@pytest.mark.parametrize(
    "function",
    ["depth_first_order", "depth_first_tree", "breadth_first_order", "breadth_first_tree"],
)
@pytest.mark.parametrize("start", [3, -1])
def test_a_search_from_outside_the_graph_is_refused(function: str, start: int) -> None:
    with pytest.raises(ValueError, match=f"expected less than N = 3, got {start}"):
        getattr(ours, function)(sp.eye_array(3), start)


# --- errors and corners --------------------------------------------------------------------------

GRAPHS = [np.zeros(3), np.zeros((2, 3)), np.zeros((2, 2, 2)), sp.csr_array((2, 3)), 5]


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda g: str(np.shape(g)))
@pytest.mark.parametrize("name", ["dijkstra", "johnson", "bellman_ford", "breadth_first_order"])
def test_bad_graphs(name: str, graph: Any) -> None:
    arguments = (0,) if name == "breadth_first_order" else ()
    same_error(*both(name, graph, *arguments))


@pytest.mark.parametrize(
    ("name", "arguments", "options"),
    [
        ("shortest_path", ("none",), {}),
        ("shortest_path", ("FW",), {"indices": [0]}),
        ("dijkstra", (), {"indices": 3}),
        ("dijkstra", (), {"indices": [0, -4]}),
        ("bellman_ford", (), {"indices": [3]}),
        ("johnson", (), {"indices": [3]}),
        ("dijkstra", (), {"limit": -1}),
        ("connected_components", (), {"connection": "some"}),
    ],
)
def test_bad_options(name: str, arguments: Any, options: Any) -> None:
    same_error(*both(name, np.ones((3, 3)), *arguments, **options))


def test_bad_starts_and_kinds() -> None:
    """SciPy reads outside its arrays here; we say what is wrong."""
    for start in (3, -1):
        with pytest.raises(ValueError, match="i_start out of range"):
            ours.breadth_first_order(np.ones((3, 3)), start)
    for name in ("maximum_bipartite_matching", "structural_rank"):
        same_error(*both(name, np.ones((2, 2))))
    same_error(*both("maximum_bipartite_matching", sp.lil_array((2, 2))))
    with pytest.warns(sp.SparseEfficiencyWarning) as told:
        assert ours.structural_rank(sp.lil_array(np.eye(3))) == 3
    assert [warning.filename for warning in told] == [__file__]


@pytest.mark.parametrize("name", ["dijkstra", "bellman_ford", "johnson", "connected_components"])
def test_the_empty_graph(name: str) -> None:
    their, mine = both(name, sp.csr_array((0, 0)))
    same(their, mine)


def test_our_own_matrices_are_graphs_too() -> None:
    A = lg.Matrix.from_coo([0, 1], [1, 2], [5, 6], nrows=3, ncols=3)
    assert ours.dijkstra(A, indices=0).tolist() == [0, 5, 11]


# --- on the emulated GPU -------------------------------------------------------------------------


def test_on_the_gpu() -> None:
    rng = np.random.default_rng(5)
    A = rng.integers(1, 9, (33, 33)) * (rng.random((33, 33)) < 0.08) * 1.0
    A[3, 5] = A[5, 3] = 2
    with lg.backend(GPU):
        for directed in BOOLS:
            same(*both("breadth_first_order", A, 3, directed))
            compare_paths(A, "dijkstra", {"directed": directed, "indices": [3, -1, 0]})
        same(*both("breadth_first_tree", with_twins(A, 1), 3))
        compare_paths(A, "bellman_ford", {"indices": 3})
        same(*both("johnson", sp.csr_array([[0, 3.0, 1], [0, 0, -1], [0, 0, 0]])))
        same(*both("connected_components", A))
        mine = ours.dijkstra(A, indices=[3, 0], min_only=True, return_predecessors=True)
        same(theirs.dijkstra(A, indices=[3, 0], min_only=True), mine[0])
        same(*both("minimum_spanning_tree", A))


class FakeCupyx:
    """A CSR matrix of cupyx, as far as we look."""

    format = "csr"

    def __init__(self, A: Any) -> None:
        self.host, self.shape = sp.csr_matrix(A), A.shape
        self.indptr, self.indices = ForeignArray(self.host.indptr), ForeignArray(self.host.indices)
        self.data = ForeignArray(self.host.data)

    def tocsr(self) -> Any:
        return self

    def get(self) -> Any:
        return self.host


def fetched(answer: Any) -> Any:
    """What is on the device, as the host's; nothing else may come."""
    if isinstance(answer, tuple):
        return tuple(map(fetched, answer))
    if isinstance(answer, (int, np.integer)):
        return answer
    if hasattr(answer, "indptr"):
        parts = (x.get() for x in (answer.data, answer.indices, answer.indptr))
        return sp.csr_matrix(tuple(parts), shape=answer.shape)
    assert isinstance(answer, ForeignArray)
    return answer.get()


@pytest.mark.skipif(not isinstance(DEVICE, EmulatedDevice), reason="it needs the emulator")
def test_arrays_of_a_gpu_come_back_as_such() -> None:
    """CuPy's part is played by arrays that NumPy must not look into."""
    host = sp.csr_matrix([[0, 4.0, 1, 0], [4, 0, 2, 5], [1, 2, 0, 8], [0, 5, 8, 0]])
    rows, dense = FakeCupyx(host), ForeignArray(host.toarray())
    for name, arguments in (
        ("dijkstra", ()), ("dijkstra", (False, [[0, 1]], True)),
        ("dijkstra", (True, [0, 3], True, True, 3, True)), ("bellman_ford", (True, 2)),
        ("johnson", ()), ("floyd_warshall", ()), ("shortest_path", ()),
        ("breadth_first_order", (1,)), ("breadth_first_tree", (1,)),
        ("depth_first_order", (1,)), ("connected_components", ()),
        ("minimum_spanning_tree", ()), ("maximum_bipartite_matching", ()),
        ("csgraph_to_dense", ()), ("reverse_cuthill_mckee", ()),
    ):  # fmt: skip
        with lg.backend(GPU):
            mine = fetched(getattr(ours, name)(rows, *arguments))
        their = getattr(theirs, name)(host, *arguments)
        if name == "dijkstra" and len(arguments) == 6:
            mine, their = mine[0], their[0]
        same(their, mine)
    with lg.backend(GPU):
        mine = fetched(ours.shortest_path(dense, return_predecessors=True))
        same(theirs.dijkstra(host), mine[0])
        same(theirs.breadth_first_order(host, 2), fetched(ours.breadth_first_order(dense, 2)))
        for bad in (FakeCupyx(sp.csr_matrix((2, 3))), ForeignArray(np.zeros(3))):
            with pytest.raises(ValueError):
                ours.dijkstra(bad)
