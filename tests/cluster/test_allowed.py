"""What is sent of a product that is pushed: entries in the fewest bytes, and between hosts none
that the mask of the statement rules out, where that is less.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.cluster import allowed, packing
from semirings import any_pair, plus_times
from tests.cluster.test_operations import STATEMENTS, sizes
from tests.cluster.turns import TurnTransport, on_ranks
from tests.harness import CPU, complaint
from tests.operations import test_parts
from tests.strategies import examples

KRONECKER = lg.kronecker(12, backend=CPU)
START = int(np.flatnonzero(KRONECKER.out_degree.to_dense(0) == 3)[0])


def each_on_a_host(patch: pytest.MonkeyPatch, cost: int = allowed.COST) -> None:
    """Let each process be on a host of its own, and two exchanges more be worth so many bytes."""
    one = property(lambda self: 1, lambda self, size: None)
    patch.setattr(TurnTransport, "local_size", one, raising=False)
    patch.setattr(allowed, "COST", cost)


@pytest.fixture
def hosts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        each_on_a_host(patch)
        yield


@given(
    size=st.integers(0, 300), share=st.sampled_from([0, 1, 3, 50, 97, 99, 100]),
    dtype=st.sampled_from(["V0", "?", "<i4", "<f8"]), seed=st.integers(0, 99),
)  # fmt: skip
def test_a_vector_is_packed_in_the_fewest_bytes(
    size: int, share: int, dtype: str, seed: int
) -> None:
    drawn = np.random.default_rng(seed)
    places = np.flatnonzero(drawn.integers(0, 100, size) < share)
    values = np.empty(places.size, dtype)
    values.view(np.uint8)[:] = drawn.integers(0, 2, values.nbytes) if values.nbytes else 0
    packed = packing.of_vector(places, values, size)
    back, held = packing.vector_of(packed, size, np.dtype(dtype))
    assert back.tolist() == places.tolist() and held.tobytes() == values.tobytes()
    assert packed.size == packing.bytes_of_places(places.size, size) + values.nbytes
    least = min(4 * places.size, -(-size // 8), 4 * (1 + size - places.size))
    assert packed.size - values.nbytes == 1 + (0 if places.size == size else least)
    if dtype == "V0":
        present = packing.present_of(packed, size)[0]
        assert np.flatnonzero(present).tolist() == places.tolist()


@pytest.mark.parametrize("kind", ["products", "products by position", "reduce rows"])
@examples(40)
@given(data=st.data(), size=sizes)
def test_statements_whose_mask_goes_to_all(kind: str, data: Any, size: int) -> None:
    statement = data.draw(STATEMENTS[kind])
    answers = test_parts.results(statement)
    with pytest.MonkeyPatch.context() as patch:
        each_on_a_host(patch, -(1 << 40))
        for found in on_ranks(size, statement.carry_out):
            wrong = complaint(found, answers)
            assert not wrong, f"{size} processes: {wrong}\n{statement}"


def search(A: lg.Matrix, named: Any) -> tuple[list[Any], int, int]:
    """The levels of a search from a vertex by products that are pushed, the bytes that this process
    has sent for them, and in how many exchanges. `named` makes the mask of a vector of levels."""
    traffic = A.backend.distribution.comm.traffic  # type: ignore[attr-defined]
    level, q = (lg.Vector(dtype, A.nrows, backend=A.backend) for dtype in ("INT32", "BOOL"))
    level[START] << 0
    q[START] << True
    bytes, exchanges, depth = traffic.bytes, traffic.exchanges, 0
    while q.nvals:
        depth += 1
        q(named(level), lg.replace) << any_pair(q @ A)
        level(q.S) << depth
    return level.to_dense(-1).tolist(), traffic.bytes - bytes, traffic.exchanges - exchanges


def of_structure(level: lg.Vector) -> Any:
    return ~level.S


def of_values(level: lg.Vector) -> Any:
    """The positions that a vector of truth values names, false at those that were seen."""
    unseen = lg.Vector.from_scalar(True, level.size, backend=level.backend)
    unseen(level.S) << False
    return unseen.V


def one_way(A: lg.Matrix, backend: Any) -> lg.Matrix:
    """The matrix on another backend, which does not know that it is symmetric: it is pushed."""
    return lg.Matrix.from_coo(*A.to_coo(), nrows=A.nrows, ncols=A.ncols, backend=backend)


@pytest.mark.parametrize("named", [of_structure, of_values])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_search_by_statements_sends_less(size: int, named: Any) -> None:
    def work(backend: Any) -> Any:
        return search(one_way(KRONECKER.A, backend), named)

    right = lg.bfs(KRONECKER, START)[0].to_dense(-1).tolist()
    near = on_ranks(size, work)
    with pytest.MonkeyPatch.context() as patch:
        each_on_a_host(patch, 0)
        far = on_ranks(size, work)
    assert all(level == right for level, _, _ in near + far)
    assert sum(sent for _, sent, _ in far) < 0.7 * sum(sent for _, sent, _ in near)


def test_a_mask_that_would_spare_little_stays(hosts: None) -> None:
    """A level of a lattice has few vertices, and so a search has no exchange more."""
    A = lg.grid(20, 20, backend=CPU).A

    def work(backend: Any) -> Any:
        return search(one_way(A, backend), of_structure)[2]

    far = on_ranks(3, work)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(allowed, "COST", 1 << 40)
        assert on_ranks(3, work) == far


@pytest.mark.parametrize("complement", [False, True])
def test_a_mask_of_few_of_many_positions(complement: bool) -> None:
    """No array has an element for each position."""
    n, ids = 1 << 40, np.arange(200) * 10**9
    whole = lg.Matrix.from_coo(np.zeros(200, int), ids, 1, nrows=3, ncols=n, backend=CPU)
    named = lg.Vector.from_coo(ids[::3], 1, size=n, backend=CPU)

    def work(backend: Any) -> list[int]:
        A, v = whole.to(backend), named.to(backend)
        u = lg.Vector.from_scalar(1, 3, backend=backend)
        mask = ~v.S if complement else v.S
        return plus_times(u @ A).new(mask=mask).to_coo()[0].tolist()  # type: ignore[no-any-return]

    right = np.delete(ids, np.arange(0, 200, 3)) if complement else ids[::3]
    with pytest.MonkeyPatch.context() as patch:
        each_on_a_host(patch, -(1 << 40))
        assert on_ranks(2, work) == [right.tolist()] * 2
