"""Updates that wait: what is computed, when, and what a wait may not change."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from benchmarks import statements
from lagraph_gpu.errors import DimensionMismatch, TooLarge, WrongType
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.device.port import Own
from lagraph_gpu.planning import masked_product
from semirings import BINARY, DomainError, any_pair, plus_pair, plus_second
from tests import graphs
from tests.harness import DEVICE, GPU
from tests.simt.device import ForeignArray

minus, plus, times = BINARY["minus"], BINARY["plus"], BINARY["times"]
BLOCKING = GpuBackend(DEVICE, blocking=True)


class Counted:
    """Launches and waits within the block."""

    def __enter__(self) -> Counted:
        self._before = DEVICE.launches, DEVICE.waits
        return self

    def __exit__(self, *_: object) -> None:
        self.launches = DEVICE.launches - self._before[0]
        self.waits = DEVICE.waits - self._before[1]


def three(backend: Any = GPU) -> tuple[lg.Vector, lg.Vector, lg.Vector]:
    made = (lg.Vector.from_dense(np.arange(40.0) + k, backend=backend) for k in range(3))
    return tuple(made)  # type: ignore[return-value]


def test_a_chain_is_one_kernel() -> None:
    u, v, w = three()
    with Counted() as chain:
        w << minus(u & v)
        w << w.apply("abs")
        w(plus) << times(u & w)
        w << w.apply(plus, right=1.0)
    with Counted() as look:
        found = w.to_dense()
    np.testing.assert_array_equal(found, np.arange(40.0) + 2)
    assert (chain.launches, look.launches, look.waits) == (0, 1, 1)


def test_a_blocking_backend_lets_nothing_wait() -> None:
    u, v, w = three(BLOCKING)
    with Counted() as each:
        w << minus(u & v)
        w << w.apply("abs")
    assert each.launches == 2 and w._store.formula is None


def test_what_nobody_sees_is_not_computed() -> None:
    u, v, w = three()
    with Counted() as count:
        w << minus(u & v)
        w << plus(u & v)
        del w
        assert (count_of(u), count_of(v)) == (40, 40)
    assert count.launches == 0


def count_of(v: lg.Vector) -> int:
    return v.nvals


def test_a_reduction_writes_no_vector() -> None:
    u, v, w = three()
    w << minus(u & v)
    with Counted() as fold:
        assert w.reduce("plus").new().value == -40
    assert (fold.launches, fold.waits) == (1, 1) and w._store.formula is not None
    with Counted() as again:
        assert w.reduce("max").new().value == -1
    assert again.launches == 2 and w._store.formula is None  # who asks twice has it stored


def test_scalars_wait_when_somebody_looks() -> None:
    u, v, _ = three()
    with Counted() as folds:
        total, least, none = (
            x.new()
            for x in (u.reduce("plus"), v.reduce("min"), u.select("<", 0).new().reduce("max"))
        )
        kept = lg.Scalar("FP64", backend=GPU)
        kept << u.reduce("max")
    assert folds.waits == 0
    with Counted() as looks:
        assert (total.value, least.value, none.value, kept.value) == (780, 1, None, 39)
        assert (total.value, none.is_empty) == (780, True)
    assert (looks.launches, looks.waits) == (0, 4)
    with Counted() as joined:
        kept(plus) << v.reduce("max")
    assert joined.waits == 1 and kept.value == 79
    assert u.reduce("plus").new().wait().dup("INT32").value == 780


def test_a_scalar_that_is_awaited_is_an_operand() -> None:
    """Of signs and of what is bound to an operator; nobody waits, and the answer is the CPU's."""

    def program(backend: Any) -> tuple[lg.Vector, lg.Scalar]:
        u, v, w = three(backend)
        rest = 1000.0 - u.reduce("plus")
        w << v.apply("times", right=rest.apply("max", right=230.0))
        w(plus) << u
        x = w.apply("minus", left=(rest / 3).new())
        s = (v.reduce("max").new() + rest - 2.0).new()
        return plus(x | v.apply("truediv", right=s.apply("sqrt"))).new(), s

    with Counted() as made:
        found, s = program(GPU)
    assert made.waits == 0
    (expected, t), launches = program("cpu"), DEVICE.launches
    np.testing.assert_array_equal(found.to_dense(), expected.to_dense())
    assert DEVICE.launches == launches + 1  # all of it is one formula
    assert s == t and s.value == 39 + 1 + 220 - 2


def test_a_scalar_may_set_out_for_the_host() -> None:
    """A look waits once, whatever has been launched since; what is known has nowhere to go."""
    u, v, _ = three()
    s = u.reduce("max").new()
    with Counted() as sent:
        assert s.send() is s and s.send() is s
        v << v.apply("plus", right=s)
    assert sent.waits == 0
    with Counted() as looks:
        assert (s.value, s.send().value) == (39, 39)
    assert looks.waits == 1
    none = u.select("<", 0).new().reduce("max").new().send()
    assert none.is_empty and (s + 1).new().send().value == 40
    np.testing.assert_array_equal(v.to_dense(), np.arange(40.0) + 40)


def test_a_scalar_is_taken_as_it_is_now() -> None:
    u, v, w = three()
    s = u.reduce("plus").new()
    w << v.apply("times", right=s)
    later = s + 1
    s << 0.0
    np.testing.assert_array_equal(w.to_dense(), 780 * (np.arange(40.0) + 1))
    assert later.new().value == 781


def test_types_of_awaited_scalars() -> None:
    """As those of numbers of their types."""
    for left, right in (("INT8", "FP64"), ("FP32", "INT64"), ("BOOL", "INT16")):
        found = []
        for backend in (GPU, "cpu"):
            u = lg.Vector.from_dense(np.arange(40) % 2, backend=backend).dup(left)
            s = lg.Vector.from_dense(np.arange(40) % 5, backend=backend).dup(right).reduce("plus")
            scaled, cast = u.apply("times", right=s).new(), lg.Scalar("FP32", backend=backend)
            cast << s.new()
            divided = u.apply("minus", left=cast).new()
            found.append([(x.dtype, x.to_dense().tolist()) for x in (scaled, divided)])
        assert found[0] == found[1], (left, right)


def test_what_may_be_missing_is_looked_at() -> None:
    u, v, _ = three()
    none = u.select("<", 0).new()
    with pytest.raises(WrongType, match="which holds none"):
        v.apply("times", right=none.reduce("plus"))
    w = v.apply("times", right=7 - none.reduce("plus")).new()  # 0 in its place
    assert w.reduce("plus").new().value == 7 * (780 + 40)
    assert (none.reduce("plus") * 2).new().is_empty
    assert (u.reduce("plus") * none.reduce("plus")).new().is_empty


def test_where_nothing_waits_an_awaited_scalar_is_looked_at() -> None:
    for backend in (BLOCKING, GPU):
        u, v, w = three(backend)
        w << v.apply("times", right=u.reduce("plus"))
        w(u.S) << v.apply("plus", right=u.reduce("max"))
        np.testing.assert_array_equal(w.to_dense(), np.arange(40.0) + 40)
        A = v.diag().apply("times", right=u.reduce("max")).new()
        assert A.reduce_scalar("plus").new().value == 39 * 820


def test_the_number_of_entries_is_known_where_it_can_be() -> None:
    u = lg.Vector.from_coo([1, 5], [1.0, 2.0], size=40, backend=GPU)
    full = three()[0]
    w, x = u.dup(), full.dup()
    with Counted() as count:
        w << u.apply("abs")
        x(plus) << u
        assert (w.nvals, x.nvals) == (2, 40)
    assert (count.launches, count.waits) == (0, 0)


def test_a_vector_that_is_read_does_not_change_underneath() -> None:
    u, v, w = three()
    w << plus(u & v)
    u(v.S) << 100.0
    u[[3]] << 7.0
    x = w.dup()
    w << plus(w & u)
    v.clear()
    np.testing.assert_array_equal(x.to_dense(), 2 * np.arange(40.0) + 1)
    assert (w[3].get(), w[4].get()) == (14.0, 109.0)


def test_memory_that_is_shared_is_written_and_read_at_once() -> None:
    theirs = ForeignArray(np.arange(40.0)) if DEVICE.name.startswith("emulator") else None
    if theirs is None:
        pytest.skip("CuPy's arrays are tested where a GPU is")
    shared = lg.Vector.from_dense(theirs, copy=False, backend=GPU)
    u, w, _ = three()
    shared << shared.apply(times, right=2.0)
    np.testing.assert_array_equal(theirs.get(), 2 * np.arange(40.0))
    w << plus(shared & u)
    shared << 0.0
    np.testing.assert_array_equal(w.to_dense(), 3 * np.arange(40.0))


def test_a_loop_does_not_grow() -> None:
    u, _, w = three()
    for _ in range(50):
        w << minus(u & w)
        w << w.apply("abs")
        assert w._store.formula.form.size <= 16
        assert len(w._store.formula.leaves) <= 10
    right = np.arange(40.0) + 2
    for _ in range(50):
        right = np.abs(np.arange(40.0) - right)
    np.testing.assert_array_equal(w.to_dense(), right)


def test_a_loop_beside_a_product_has_one_kernel_for_all_rounds(path: lg.Matrix) -> None:
    """The product stores the vector that it reads, so that the sum beside it reads it, too."""
    x = lg.Vector.from_dense(np.ones(path.nrows), backend=GPU)
    old = lg.Vector("FP64", path.nrows, backend=GPU)
    seen = []
    for _ in range(8):
        x, old = old, x
        x << plus(old | plus_second(old @ path))
        x << x.apply("truediv", right=2.0)
        seen.append((x._store.formula.form.text, len(x._store.formula.leaves)))
    assert len(set(seen)) == 1 and seen[0][1] == 2


def test_errors_come_with_the_statement() -> None:
    u, v, w = three()
    w << plus(u & v)
    short = lg.Vector("FP64", 3, backend=GPU)
    with pytest.raises(DimensionMismatch):
        w << plus(u & short)
    with pytest.raises(DomainError):
        w << u.apply("bnot")
    np.testing.assert_array_equal(w.to_dense(), 2 * np.arange(40.0) + 1)


def test_a_look_that_failed_for_want_of_memory_may_be_repeated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    u, v, _ = three()
    w = plus(u & v).new()

    def no_room(size: int, dtype: Any) -> Any:
        raise TooLarge("expected 320 bytes")

    with monkeypatch.context() as patch:
        patch.setattr(DEVICE, "empty", no_room)
        with pytest.raises(TooLarge):
            w.to_dense()
    np.testing.assert_array_equal(w.to_dense(), 2 * np.arange(40.0) + 1)


def test_what_is_read_is_let_go() -> None:
    u, v, w = three()
    held = weakref.ref(u._store)
    w << plus(u & v)
    del u
    gc.collect()
    assert held() is not None
    w.to_dense()
    gc.collect()
    assert held() is None


def test_explain_times_the_product_alone() -> None:
    """What waits is computed before the product's time begins."""
    u, v, _ = three()
    A = lg.Vector.from_dense(np.ones(40), backend=GPU).diag()
    A = lg.Matrix.from_coo(np.arange(40), np.arange(40)[::-1], 1.0, backend=GPU)
    u << plus(u & v)
    with lg.explain() as told:
        x = plus_second(A @ u).new()
    assert [step.frontier for step in told.steps] == [40]
    np.testing.assert_array_equal(x.to_dense(), (2 * np.arange(40.0) + 1)[::-1])


PATH = 12


@pytest.fixture(scope="module")
def path() -> lg.Matrix:
    """0 - 1 - … - 11: as many levels as vertices."""
    return lg.Graph.from_edges(*graphs.path(PATH), n=PATH, directed=False, backend=GPU).A


def test_breadth_first_search_in_statements_waits_once_a_level(path: lg.Matrix) -> None:
    with Counted() as search:
        level = statements.bfs(path, 0)
    assert level.to_dense().tolist() == list(range(PATH))
    assert search.waits == PATH + 1  # and once to find nothing left


def test_a_frontier_that_waited_is_counted_with_its_edges(path: lg.Matrix) -> None:
    """One wait a round for both, as if the statement had been carried out at once."""
    frontier = lg.Vector.from_coo([0], [1], size=PATH, backend=GPU)
    found = lg.Vector("INT64", PATH, backend=GPU)
    waits = []
    for _ in range(4):
        with Counted() as level:
            found << any_pair(frontier @ path)
            frontier << found.apply("abs")
            assert frontier.nvals
        waits.append(level.waits)
    assert waits[2:] == [1, 1]


def test_pagerank_in_statements_waits_once_a_round(path: lg.Matrix) -> None:
    """A round is three kernels: the quotient, the product, and the sum of changes."""
    degree = np.full(PATH, 2 / statements.ALPHA)
    degree[[0, -1]] /= 2
    rounds = []
    for backend in (BLOCKING, GPU):
        A = path._wrap(path.dtype, backend, path._store)
        leaving = lg.Vector.from_dense(degree, backend=backend)
        with Counted() as count:
            rank = statements.pagerank(A, leaving)
        assert rank.to_dense().sum() == pytest.approx(1, abs=1e-3)
        rounds.append((count.launches / count.waits, count.waits))
    assert rounds[0][1] == rounds[1][1] > 5
    assert rounds[1][0] < 3.5 and rounds[0][0] > 6


def test_what_calls_leave_for_themselves_is_of_one_thread_and_stream() -> None:
    own = Own()
    mine = own.on[1]
    assert own.on[1] is mine and own.on[2] is not mine
    with ThreadPoolExecutor(1) as other:
        assert other.submit(lambda: own.on[1]).result() is not mine


@pytest.mark.parametrize("form", ["dot", "saxpy"])
def test_the_work_within_a_mask_is_counted_once(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the same operands. Other operands under the same mask are counted anew, and so are those
    of the same address in memory."""
    monkeypatch.setattr(masked_product, "WALK", 3 if form == "dot" else 1 << 20)
    backend = GpuBackend(DEVICE)
    U = lg.kronecker(6, backend="cpu").A.select("triu", 1).new().to(backend)
    L = U.T.new()
    operands = [(L, U), (L, U), (U, U), (L, U)]
    counted = []
    for left, right in operands:
        with Counted() as count:
            C = plus_pair(left @ right).new(mask=U.S)
            found = C.nvals, C.reduce().new().value
        counted.append((count.launches, count.waits))
        same = [x.to("cpu") for x in (left, right, U)]
        C = plus_pair(same[0] @ same[1]).new(mask=same[2].S)
        assert found == (C.nvals, C.reduce().new().value)
    first, again, other, last = counted
    assert again[1] == first[1] - 1 and again[0] < first[0]
    assert other[1] == last[1] == first[1]


def test_triangles_are_counted_without_a_matrix_of_them() -> None:
    """A second count of the same graph waits for its result alone."""
    G = lg.kronecker(6, backend=GPU)
    right = lg.triangle_count(G.to("cpu"))
    counted = []
    for _ in range(3):
        with Counted() as count:
            assert lg.triangle_count(G) == right
        counted.append(count.waits)
    assert counted[1:] == [1, 1]
