"""Vectors with a default on 2 to 4 processes: every statement has the same answer, whether its
vectors have one or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.cluster.backend import ClusterBackend
from lagraph_gpu.cluster.defaults import WithDefault, has_own_ids, restored
from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.errors import InvalidValue, TooLarge
from lagraph_gpu.notation import Vector, indexing
from semirings import BINARY, INDEXUNARY, MONOIDS, UNARY, any_second, plus_first, plus_second, types
from semirings.types import INT64
from tests import spec
from tests.cluster.limits import at_most, every_graph_is_sparse
from tests.cluster.test_operations import STATEMENTS, sizes, test_parts
from tests.cluster.turns import on_ranks
from tests.harness import CPU, complaint, put
from tests.strategies import any_graph, containers, examples, monoid_types, needs_mild

plus = BINARY["plus"]
OF_VECTORS = [
    "ewise", "ewise by position", "apply", "bound", "index", "select", "extract", "assign",
    "assign within", "diagonals", "lines", "selectors", "reduce rows", "products",
    "products by position",
]  # fmt: skip


@contextmanager
def all_have_defaults(own_ids: bool, positions_per_explicit_entry: int = 0) -> Iterator[None]:
    """A block in which every vector that is made of entries has a default: its most frequent value,
    or the numbers of its positions where these are INT64. Statements leave it where no more than
    one of so many positions is an explicit entry."""
    usual = ClusterBackend.build_vector

    def build_vector(self: Any, size: int, index: np.ndarray, values: np.ndarray) -> Any:
        if not index.size or types.is_record(values.dtype):
            return usual(self, size, index, values)
        distribution, dense = self.distribution, np.zeros(size, values.dtype)
        present = np.zeros(size, bool)
        present[index], dense[index] = True, values
        by_id = own_ids and values.dtype == INT64
        ((most, _),) = Counter(values.tolist()).most_common(1)
        default = np.arange(size) if by_id else np.full(size, most, values.dtype)
        mine = slice(distribution.rank, None, distribution.size)
        held, there = dense[mine], present[mine]
        places = np.flatnonzero((held != default[mine]) | ~there)
        kept = np.append(np.flatnonzero(there[places]), places.size)
        few = Vector._built(
            places.size + 1, kept, np.append(held[places], default[:1])[kept], self.local
        )
        return WithDefault(distribution, size, places, few, by_id)

    with pytest.MonkeyPatch.context() as patch, every_graph_is_sparse(positions_per_explicit_entry):
        patch.setattr(ClusterBackend, "build_vector", build_vector)
        yield


def check(statement: Any, size: int, own_ids: bool, few: int) -> None:
    """The statement on so many processes, where all vectors of entries have defaults."""
    allowed = test_parts.results(statement)
    with all_have_defaults(own_ids, few):
        for found in on_ranks(size, statement.carry_out):
            wrong = complaint(found, allowed)
            assert not wrong, f"{size} processes: {wrong}\n{statement}"


@pytest.mark.parametrize("kind", OF_VECTORS)
@examples(60)
@given(data=st.data(), size=sizes, own_ids=st.booleans(), few=st.sampled_from([0, 0, 1, 3]))
def test_statements(kind: str, data: Any, size: int, own_ids: bool, few: int) -> None:
    check(data.draw(STATEMENTS[kind]), size, own_ids, few)


@pytest.mark.parametrize("kind", ["extract", "assign", "assign within"])
@examples(60)
@given(data=st.data(), size=sizes, own_ids=st.booleans(), few=st.sampled_from([0, 0, 1, 3]))
def test_long_slices(kind: str, data: Any, size: int, own_ids: bool, few: int) -> None:
    """Every slice is long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(indexing, "LONGEST_LISTED_SLICE", 0)
        check(data.draw(STATEMENTS[kind]), size, own_ids, few)


@examples(60)
@given(data=st.data(), size=sizes)
def test_slices_keep_a_default(data: Any, size: int) -> None:
    """If all processes keep it; else they make values at all positions."""
    n = 60
    places = data.draw(st.lists(st.integers(0, n - 1), max_size=4, unique=True))
    begin, end = sorted(data.draw(st.tuples(st.integers(0, n), st.integers(0, n))))
    one = slice(begin, end, data.draw(st.sampled_from([None, 1, 2, 3, 7])))
    one = data.draw(st.sampled_from([one, slice(None, None, -1), slice(end - n, None)]))
    accum, lost = data.draw(st.booleans()), data.draw(st.sampled_from([None, 0, 1]))
    length = len(range(n)[one])

    def work(backend: Any) -> Any:
        v = Vector.from_scalar(1.5, n, backend=backend)
        if places:
            v[places] = [4.0 + k for k in range(len(places))]
            del v[places[0]]
        label = lg.connected_components(lg.Graph.from_edges([3], [30], n=n, backend=backend))
        if backend is not CPU and backend.distribution.rank == lost:
            v._store.part
            v._store = Distributed(v._store.part, (n,))
        out = Vector.from_scalar(7.0, length, backend=backend)
        out(plus if accum else None) << v[one]
        found = [v[one].new(), out, label[one].new(), label[: n - 7].new()]
        found.append(v[one].apply("minus", 1).new())
        keeps = [isinstance(x._store, WithDefault) for x in found]
        kept = lost is None or lost >= size
        assert backend is CPU or not length or keeps[3]
        assert backend is CPU or not length or not kept or keeps[0] & keeps[1] & keeps[4]
        return [x.to_dict() for x in found]

    with pytest.MonkeyPatch.context() as patch, every_graph_is_sparse():
        patch.setattr(indexing, "LONGEST_LISTED_SLICE", 0)
        assert on_ranks(size, work) == [work(CPU)] * size


@examples(120)
@given(data=st.data(), size=sizes, fold=st.sampled_from(monoid_types()), own_ids=st.booleans())
def test_reduce(data: Any, size: int, fold: Any, own_ids: bool) -> None:
    add, dtype = fold
    s = data.draw(containers(dtype, (data.draw(test_parts.sides),), needs_mild(add, dtype)))
    allowed = spec.reduce(s, add)
    with all_have_defaults(own_ids):
        found = on_ranks(size, lambda backend: put(s, backend).reduce(add).new()._store)
    assert len({repr(one) for one in found}) == 1
    assert any(one is right or spec.same(one, right) for right in allowed for one in found[:1])


@pytest.mark.parametrize("size", [2, 3, 4])
def test_each_process_decides_by_itself(size: int) -> None:
    """Where only some of the processes keep a default, no operand is computed by these alone."""
    even = np.arange(0, 96, 2)

    def work(backend: Any) -> list[Any]:
        G = lg.Graph.from_edges(even, np.roll(even, 2), n=96, directed=False, backend=backend)
        one, label = Vector.from_scalar(1.5, G.n, backend=backend), lg.connected_components(G)
        sums = plus(plus_second(G.A @ one) | one)
        found = [sums.new(), sums.apply("index").new(), label.apply(UNARY["identity"]).new()]
        held = {isinstance(one._store, WithDefault) for one in found[:2]}
        assert backend is CPU or held == {size == 3 or backend.distribution.rank % 2 == 1}
        return [sums.reduce("plus").new().value, *(one.to_dict() for one in found)]

    right = work(CPU)
    with every_graph_is_sparse(2):
        assert on_ranks(size, work) == [right] * size


def test_labels_in_other_types() -> None:
    """The largest number is not the largest in a type that cannot hold it."""

    def work(backend: Any) -> list[Any]:
        label = lg.connected_components(lg.Graph.from_edges([3], [300], n=700, backend=backend))
        found = [label.reduce(MONOIDS[name][dtype]).new().value
                 for name in ("min", "max", "plus") for dtype in ("INT8", "FP32")]  # fmt: skip
        narrow = UNARY["identity"]["INT8"], INDEXUNARY["index"]["INT32"]
        return found + [label.apply(op).new(INT64).to_dict() for op in narrow]

    with every_graph_is_sparse():
        assert on_ranks(2, work) == [work(CPU)] * 2


@examples(30)
@given(data=st.data(), size=sizes)
def test_labels_that_are_written_to(data: Any, size: int) -> None:
    """In some places, by masks and lists: all others keep their numbers."""
    n = 40
    places = data.draw(st.lists(st.integers(0, n - 1), max_size=5, unique=True))
    replaces, complement, accum = (data.draw(st.booleans()) for _ in range(3))

    def work(backend: Any) -> list[Any]:
        label = lg.connected_components(lg.Graph.from_edges([3], [30], n=n, backend=backend))
        some = Vector.from_coo(places, [7] * len(places), "INT64", size=n, backend=backend)
        by_list, by_mask, other = label.dup(), label.dup(), label.dup()
        if places:
            by_list[places] = 9
            del by_list[places[:2]]
        mask = ~some.S if complement else some.S
        by_mask(mask, plus if accum else None, replace=replaces) << some.apply("ainv")
        other(~some.S, replace=replaces) << label
        kept = [isinstance(one._store, WithDefault) and one._store.own_ids
                for one in (by_list, other)]  # fmt: skip
        assert backend is CPU or kept == [True, True]
        return [one.to_dict() for one in (by_list, by_mask, other)]

    with every_graph_is_sparse():
        assert on_ranks(size, work) == [work(CPU)] * size


def test_a_pickle_is_read_by_as_many_processes() -> None:
    few = Vector.from_coo([0], [1], size=1, backend=CPU)
    with pytest.raises(InvalidValue, match=r"3 processes that wrote this pickle.* got 1"):
        restored(3, 9, np.empty(0, np.int64), few, False)


@examples(40)
@given(example=any_graph(), size=sizes, own=st.integers(0, 5))
def test_components(example: Any, size: int, own: int) -> None:
    """Their labels, and what is made of them: by the numbers of positions as default."""

    def work(backend: Any) -> list[Any]:
        G = example.graph(backend)
        label = lg.connected_components(G)
        again = lg.connected_components(G)
        assert backend is CPU or not G.n or has_own_ids(label._store)
        found = [
            label, label.select("==", own).new(), label.apply("index").new(), label.dup(),
            BINARY["le"](label & again).new(), label.dup(mask=BINARY["eq"](label & again).new().V),
        ]  # fmt: skip
        numbers = [label.isequal(again), lg.number_connected_components(G), label.nvals]
        if G.n:
            strong, parent = lg.strongly_connected_components(G), lg.spanning_forest(G)
            if backend is not CPU:
                assert has_own_ids(strong._store) and has_own_ids(parent._store)
            verify.verify_spanning_forest(G, parent)
            found.append(strong)
            numbers += [label.reduce(name).new().value for name in ("min", "max", "plus")]
            numbers += [lg.is_connected(G), lg.largest_component(G).ids.to_dict()]
        return [one.to_dict() for one in found] + numbers

    right = work(CPU)
    with every_graph_is_sparse():
        assert on_ranks(size, work) == [right] * size


@examples(30)
@given(example=any_graph(), size=sizes, weight=st.sampled_from(["weight", None]), data=st.data())
def test_ranks(example: Any, size: int, weight: Any, data: Any) -> None:
    """By process 0, and by statements where the restart is given: those of the CPU backend."""
    how: Any = {"weight": weight, "iterations": data.draw(st.sampled_from([0, 3, None]))}

    def work(backend: Any) -> list[np.ndarray]:
        G = example.graph(backend)
        given: Any = {"personalization": {0: 1.0}} if G.n else {}
        found = [
            lg.pagerank(G, **how),
            lg.pagerank(G, **how, **given),
            lg.pagerank(G, dtype="FP32"),
        ]
        assert backend is CPU or not G.n or isinstance(found[0]._store, WithDefault)
        return [one.to_dense() for one in found]

    try:
        right = work(CPU)
    except lg.errors.LagraphError as error:
        right = [str(error)]
        with every_graph_is_sparse(), pytest.raises(type(error)):
            on_ranks(size, work)
        return
    with every_graph_is_sparse():
        for found in on_ranks(size, work):
            for one, other in zip(found, right, strict=True):
                assert one.dtype == other.dtype
                assert np.allclose(one, other, atol=1e-5 if one.dtype == np.float32 else 1e-6)


@pytest.mark.parametrize("n", [2**33 + 5, 2**31 - 5])
def test_what_is_read_of_large_ones(n: int) -> None:
    """Values, sums and statements take no memory for all positions; all values together do, and
    nothing is lost where there is not so much."""

    def work(backend: Any) -> None:
        G = lg.Graph.from_edges([0, 5, n // 2], [5, n - 1, 7], n=n, directed=False, backend=backend)
        rank, label = lg.pagerank(G), lg.connected_components(G)
        for _ in range(2):
            assert rank.get(5) > rank.get(0) > rank.get(1) == rank.get(n - 2) > 0
            assert rank[[1, 5]].new().nvals == 2 and rank.nvals == n
            assert abs(rank.reduce("plus").new().value - 1) < 1e-12
            assert rank.reduce("argmax").new().value == 5
            assert [*rank.select(">", 1.01 * rank.get(1)).new()] == [0, 5, 7, n // 2, n - 1]
            assert rank.isclose(rank.dup()) and str(rank).count("…") == 2
            assert (rank - rank).new().reduce("max").new().value == 0
            assert label.select("==", 0).new().to_dict() == {0: 0, 5: 0, n - 1: 0}
            assert lg.number_connected_components(G) == n - 3
            assert lg.largest_component(G).n == 3
            for read in (rank.to_coo, label.to_dense, lambda: label.reduce("plus").new()):
                with pytest.raises(TooLarge, match="values at"):
                    read()
        for one, value in ((rank, 0.5), (label, 2)):
            one[7] = value
            del one[6]
            assert (one.get(7), one.get(6), one.nvals) == (value, None, n - 1)
        assert label.get(n - 2) == n - 2

    with at_most("2 GiB"):
        on_ranks(2, work)


def test_processes_compare_statements_about_large_ones() -> None:
    """The text of an operand names its type, for which nobody makes the values."""
    n = 2**33 + 5

    def work(backend: Any) -> None:
        v = Vector.from_scalar(1.5, n, backend=backend)
        v[[3, n - 1]] = [2.0, 4.0]
        assert (v.get(3), v.get(4), v[3].new().value) == (2, 1.5, 2)
        assert v.nvals == n and v.select(">", 1.5).new().to_dict() == {3: 2, n - 1: 4}
        w = v.dup()
        w(v.select(">", 2).new().S, plus) << v.apply("ainv")
        assert (w.get(n - 1), w.get(3), v.reduce("max").new().value) == (0, 2, 4)
        assert v[2:].new().get(1) == 2

    with at_most("2 GiB"):
        on_ranks(3, work, checks=True)


def test_sums_by_the_labels_of_vertices_with_edges() -> None:
    """Nobody makes the labels of all others."""
    n = 2**33 + 5
    far, near = np.array([0, 5, n // 2, 7, n - 1]), np.arange(5)
    src, dst, right = [0, 1, 2], [1, 4, 3], {0: 3, 2: 2}

    def sums(backend: Any, ids: np.ndarray, size: int) -> dict[int, float]:
        G = lg.Graph.from_edges(ids[src], ids[dst], n=size, directed=False, backend=backend)
        degree, label = G.A.reduce_rowwise("plus").new(), lg.connected_components(G)
        P = label.dup(mask=degree.S).selector()
        one = Vector.from_scalar(1, size, backend=backend)
        by_label = plus_first(one @ P).new()
        assert any_second(P @ by_label).new().nvals == 5
        assert plus_first(degree @ P).new().to_dict().keys() == by_label.to_dict().keys()
        return by_label.to_dict()

    assert sums(CPU, near, 5) == right
    of_far = {int(min(far[[0, 1, 4]])): 3, int(min(far[[2, 3]])): 2}
    with at_most("2 GiB"):
        assert on_ranks(3, lambda backend: sums(backend, far, n)) == [of_far] * 3
