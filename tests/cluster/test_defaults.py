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
from lagraph_gpu.cluster.backend import ClusterBackend
from lagraph_gpu.cluster.defaults import WithDefault
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.notation import Vector
from semirings import BINARY, types
from semirings.types import INT64
from tests import spec
from tests.cluster.limits import at_most, every_graph_is_sparse
from tests.cluster.test_operations import STATEMENTS, sizes, test_parts
from tests.cluster.turns import on_ranks
from tests.harness import CPU, complaint, put
from tests.strategies import any_graph, containers, examples, monoid_types, needs_mild

OF_VECTORS = [
    "ewise", "ewise by position", "apply", "bound", "index", "select", "extract", "assign",
    "assign within", "diagonals", "lines", "selectors", "reduce rows", "products",
    "products by position",
]  # fmt: skip


@contextmanager
def all_have_defaults(own_ids: bool) -> Iterator[None]:
    """A block in which every vector that is made of entries has a default: its most frequent value,
    or the numbers of its positions where these are INT64."""
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

    with pytest.MonkeyPatch.context() as patch, every_graph_is_sparse():
        patch.setattr(ClusterBackend, "build_vector", build_vector)
        yield


@pytest.mark.parametrize("kind", OF_VECTORS)
@examples(60)
@given(data=st.data(), size=sizes, own_ids=st.booleans())
def test_statements(kind: str, data: Any, size: int, own_ids: bool) -> None:
    statement = data.draw(STATEMENTS[kind])
    allowed = test_parts.results(statement)
    with all_have_defaults(own_ids):
        for found in on_ranks(size, statement.carry_out):
            wrong = complaint(found, allowed)
            assert not wrong, f"{size} processes: {wrong}\n{statement}"


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


@examples(40)
@given(example=any_graph(), size=sizes, own=st.integers(0, 5))
def test_components(example: Any, size: int, own: int) -> None:
    """Their labels, and what is made of them: by the numbers of positions as default."""

    def work(backend: Any) -> list[Any]:
        G = example.graph(backend)
        label = lg.connected_components(G)
        again = lg.connected_components(G)
        if backend is not CPU and G.n:
            assert isinstance(label._store, WithDefault) and label._store.own_ids
        found = [
            label, label.select("==", own).new(), label.apply("index").new(), label.dup(),
            BINARY["le"](label & again).new(), label.dup(mask=BINARY["eq"](label & again).new().V),
        ]  # fmt: skip
        numbers = [label.isequal(again), lg.number_connected_components(G), label.nvals]
        if G.n:
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
        rank[7] = 0.5
        del rank[6]
        assert (rank.get(7), rank.get(6), rank.nvals) == (0.5, None, n - 1)

    with at_most("2 GiB"):
        on_ranks(2, work)
