"""More rows and columns than 2³¹, where the processes have CPUs.

The tests of `tests/operations/test_sizes.py` run on several processes: drawn programs at ids of up
to 2⁶⁰, single operations, and what is refused. Matrices of some thousand entries are compared with
dicts, and no array of NumPy grows with the number of rows. Long slices, which are no arrays, are
also drawn at ordinary sizes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.cluster.owners import dealt, owned
from lagraph_gpu.convert import edge_list
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.notation import indexing
from tests.cluster.limits import peak_of
from tests.cluster.test_operations import STATEMENTS
from tests.cluster.turns import on_ranks
from tests.harness import CPU, GPU, complaint
from tests.operations import test_sizes
from tests.operations.test_parts import results
from tests.operations.test_sizes import SIZES, TOP
from tests.strategies import examples

TEAMS = [(2, ""), (3, ""), (4, "2x2")]
"""How many processes there are, and their grid."""

team = pytest.mark.parametrize("team", TEAMS)


@pytest.fixture
def processes(team: tuple[int, str], monkeypatch: pytest.MonkeyPatch) -> int:
    size, grid = team
    if grid:
        monkeypatch.setenv("LAGRAPH_CLUSTER_GRID", grid)
    return size


@team
@pytest.mark.parametrize("n", SIZES)
def test_programs(n: int, processes: int) -> None:
    def work(backend: Any) -> None:
        with lg.backend(backend):
            assert lg.Vector("BOOL", n).backend is backend
            for seed in range(3):
                test_sizes.agree(seed + n % 7, test_sizes.WHOLE, test_sizes.spread(seed, n))

    on_ranks(processes, work)


def four_entries(backend: Any) -> tuple[Any, Any]:
    """What the tests of single operations begin with."""
    rows, columns = [5, TOP // 2, TOP // 2, TOP - 1], [TOP // 2, 7, TOP // 2, 5]
    A = lg.Matrix.from_coo(rows, columns, [1, 2, 3, 4], nrows=TOP, ncols=TOP, backend=backend)
    v = lg.Vector.from_coo([5, TOP // 2, TOP - 1], [1.0, 2, 3], size=TOP, backend=backend)
    return A, v


OPERATIONS: dict[str, Callable[[Any, Any, Any], None]] = {
    **{
        f"{kind} by {ring}": lambda b, A, v, kind=kind, ring=ring: (
            test_sizes.test_products_that_read_positions(ring, kind, A, v)
        )
        for kind in ("mxm", "mxv", "vxm")
        for ring in ("firsti", "firstj1", "secondi", "secondj1")
    },
    **{
        f"{cut}": lambda b, A, v, cut=cut: test_sizes.test_slices(cut, A, v)
        for cut in (
            slice(6, None), slice(None, TOP // 2 + 1), slice(1, None, 2), slice(None, None, -1),
            slice(TOP - 1, 4, -TOP // 4 + 1), slice(TOP // 2, TOP // 2 + 3), slice(3, 10**7, 2),
            slice(1, None, 6), slice(None, None, -4),
        )
    },
    "positions": lambda b, A, v: test_sizes.test_positions_as_values(A, v),
    "shapes": lambda b, A, v: test_sizes.test_other_shapes(A, v, b),
    "elements": lambda b, A, v: test_sizes.test_elements(A, v),
    "other places": lambda b, A, v: test_sizes.test_from_one_place_to_another(b, A, v),
    "a closure": lambda b, A, v: test_sizes.test_a_closure_over_many_positions(A, b),
    "memory": lambda b, A, v: test_sizes.test_one_entry_needs_no_memory_for_the_others(2**40, b),
    **{
        f"{what} is refused": lambda b, A, v, what=what: (
            test_sizes.test_what_is_refused(what, b, A, v)
        )
        for what in test_sizes.REFUSED
        if "graph" not in what and what != "one value at every other position"
        # which a cluster has: see test_large_graphs and test_defaults
    },
}  # fmt: skip


@team
@pytest.mark.parametrize("name", OPERATIONS)
def test_operations(name: str, processes: int) -> None:
    on_ranks(processes, lambda backend: OPERATIONS[name](backend, *four_entries(backend)))


# --- some thousand entries -----------------------------------------------------------------------
def drawn(n: int, count: int, seed: int) -> dict[tuple[int, int], int]:
    """So many entries at places among 400 ids, or fewer."""
    rng = np.random.default_rng(seed)
    ids = np.unique(np.append(rng.integers(0, n, 399), n - 1))
    row, column = rng.choice(ids, (2, count)).tolist()
    return {place: i % 9 + 1 for i, place in enumerate(zip(row, column))}


def product(left: dict[Any, int], right: dict[Any, int]) -> dict[Any, int]:
    """The sums of products."""
    rows: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for (k, j), y in right.items():
        rows[k].append((j, y))
    made: dict[Any, int] = defaultdict(int)
    for (i, k), x in left.items():
        for j, y in rows[k]:
            made[i, j] += x * y
    return dict(made)


def turned(entries: dict[Any, int]) -> dict[Any, int]:
    return {(j, i): x for (i, j), x in entries.items()}


def entries(x: Any) -> dict[Any, int]:
    *places, values = (axis.tolist() for axis in x.to_coo())
    assert all(type(place) is int for axis in places for place in axis)
    return dict(zip(zip(*places) if len(places) == 2 else places[0], values, strict=True))


def check_statements(n: int, backend: Any) -> None:
    """Statements over n rows and columns, of which some hundreds have entries."""
    a, b = drawn(n, 3000, 1), drawn(n, 3000, 1) | drawn(n, 900, 2)

    def matrix(held: dict[Any, int]) -> Any:
        rows, columns = zip(*held)
        return lg.Matrix.from_coo(
            rows, columns, [*held.values()], nrows=n, ncols=n, backend=backend
        )

    A, B = matrix(a), matrix(b)
    assert entries(A) == a and A.nvals == len(a) and entries(A.T.new()) == turned(a)
    ab = product(a, b)
    assert entries(lg.semiring.plus_times(A @ B).new()) == ab
    assert entries(lg.semiring.plus_times(A @ B.T).new(mask=A.S)) == {
        at: x for at, x in product(a, turned(b)).items() if at in a
    }
    few = {i: x for (i, _), x in [*a.items()][:5]}
    many = {i: x for (i, _), x in a.items()}
    for held in (few, many):
        v = lg.Vector.from_coo([*held], [*held.values()], size=n, backend=backend)
        row = {(0, i): x for i, x in held.items()}
        into = {j: x for (_, j), x in product(row, a).items()}
        back = {j: x for (_, j), x in product(row, turned(a)).items()}
        assert entries(lg.semiring.plus_times(v @ A).new()) == into
        assert entries(lg.semiring.plus_times(A @ v).new()) == back
        w = v.dup()
        w(~v.S, lg.binary.plus) << lg.semiring.plus_times(v @ A)
        assert entries(w) == {j: x for j, x in into.items() if j not in held} | held
    sums: dict[int, int] = defaultdict(int)
    for (i, _), x in a.items():
        sums[i] += x
    assert entries(A.reduce_rowwise().new()) == sums
    assert sum(entries(A.reduce_columnwise().new()).values()) == sum(a.values())
    both = {at: a.get(at, 0) + b.get(at, 0) for at in {*a, *b}}
    assert entries(A.ewise_add(B, "plus").new()) == both
    assert entries(A.select("tril", -1).new()) == {(i, j): x for (i, j), x in a.items() if j < i}
    assert entries(A.apply(lg.indexunary.rowindex).new()) == {(i, j): i for i, j in a}
    rows = [*{i: 0 for i, _ in a}][::3]
    part = A[rows, n // 3 :].new()
    assert part.shape == (len(rows), n - n // 3)
    assert {(rows[i], j + n // 3): x for (i, j), x in entries(part).items()} == {
        (i, j): x for (i, j), x in a.items() if i in set(rows) and j >= n // 3
    }
    B[rows, n // 3 :] << part
    kept = {(i, j): x for (i, j), x in b.items() if i not in set(rows) or j < n // 3}
    assert entries(B) == kept | {
        (i, j): x for (i, j), x in a.items() if i in set(rows) and j >= n // 3
    }
    C = A.dup()
    C[1::3, :] << A[: (n + 1) // 3, :]
    assert entries(C) == {(i, j): x for (i, j), x in a.items() if i % 3 != 1} | {
        (3 * i + 1, j): x for (i, j), x in a.items() if 3 * i + 1 < n
    }
    A(A.S, lg.binary.minus) << 1
    assert entries(A) == {at: x - 1 for at, x in a.items()}


@team
@pytest.mark.parametrize("n", [2**33, 2**40])
def test_thousands_of_entries(n: int, processes: int) -> None:
    """In time and memory for the entries: NumPy tells of an array with a bit for each row."""
    most = peak_of(lambda: on_ranks(processes, lambda backend: check_statements(n, backend)))
    assert most < 1 << 26


@team
def test_one_value_at_every_position(processes: int) -> None:
    """It takes no memory: a product reads it at the columns that have entries."""
    n = 2**40

    def work(backend: Any) -> None:
        A = lg.Matrix.from_coo(
            [5, 5, n - 1], [n - 1, 7, n // 2], [1, 2, 3], nrows=n, ncols=n, backend=backend
        )
        v = lg.Vector("INT64", n, backend=backend)
        v << 2
        assert (v.nvals, v.sum(), v[n - 1].get()) == (n, 2 * n, 2)
        assert lg.semiring.plus_times(A @ v).new().to_dict() == {5: 6, n - 1: 6}
        into = {n - 1: 2, 7: 4, n // 2: 6}
        assert lg.semiring.plus_times(v @ A).new().to_dict() == into
        assert lg.semiring.plus_times(A.T.new() @ v).new().to_dict() == into
        assert lg.semiring.min_secondi(A @ v).new().to_dict() == {5: 7, n - 1: n // 2}
        with pytest.raises(TooLarge):
            v.to_coo()

    on_ranks(processes, work)


@pytest.mark.parametrize("kind", ["products", "products by position"])
@examples(60)
@given(data=st.data(), team=st.sampled_from(TEAMS))
def test_products_that_ask_for_their_columns(kind: str, data: Any, team: tuple[int, str]) -> None:
    """As for vectors of more than 2³¹ positions."""
    statement = data.draw(STATEMENTS[kind])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_list, "MAX_VERTICES", 1)
        patch.setenv("LAGRAPH_CLUSTER_GRID", team[1])
        made = on_ranks(team[0], statement.carry_out)
    for found in made:
        wrong = complaint(found, results(statement))
        assert not wrong, f"{team}: {wrong}\n{statement}"


def test_gpus_number_with_32_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is to do is in the error. Other sizes are as before, where the limit is."""

    def work(backend: Any, n: int) -> None:
        for make in (lambda: lg.Vector("FP64", n, backend=backend),
                     lambda: lg.Matrix.from_coo([0], [n - 1], 1, backend=backend)):  # fmt: skip
            with pytest.raises(TooLarge, match=r"on a cluster of GPUs.*LAGRAPH_LOCAL_BACKEND=cpu"):
                make()
        assert lg.Vector.from_coo([n - 2], [1], size=n - 1, backend=backend).to_dict() == {n - 2: 1}

    with pytest.raises(TooLarge, match="LAGRAPH_LOCAL_BACKEND=cpu"):
        on_ranks(2, lambda backend: lg.Vector("FP64", 2**31, backend=backend), GPU)
    monkeypatch.setattr(edge_list, "MAX_VERTICES", 99)
    on_ranks(2, lambda backend: work(backend, 100), GPU)


# --- long slices ---------------------------------------------------------------------------------
@given(st.data(), st.integers(1, 8))
def test_rows_of_a_slice_are_those_of_its_list(data: Any, size: int) -> None:
    """Each owner finds its rows, and each row its place there, also if the slice is no array."""
    begin, step = data.draw(st.integers(0, 99)), data.draw(st.integers(-12, 12).filter(bool))
    count = data.draw(st.integers(1, 30))
    rows = indexing.Progression(begin - min(0, step * (count - 1)), step, count)
    numbers = np.arange(count)
    assert np.array_equal(dealt(size, rows, numbers), dealt(size, np.asarray(rows), numbers))
    for rank in range(size):
        mine, listed = (owned(rank, size, one) for one in (rows, np.asarray(rows)))
        for one, other in zip(mine, listed, strict=True):
            assert np.asarray(one).tolist() == other.tolist()


@st.composite
def slices(draw: Any, n: int) -> slice:
    ends = st.none() | st.integers(-n, n)
    return slice(draw(ends), draw(ends), draw(st.none() | st.integers(-5, 5).filter(bool)))


@pytest.mark.parametrize("local", [CPU, GPU])
def test_slices_that_are_no_arrays(local: Any) -> None:
    """Every slice is a progression, however short it is: A[I, J] << B[I, J] - 1 and others."""

    @examples(120 if local is CPU else 12)
    @given(st.data(), st.sampled_from([2, 3, 4, 6]))
    def one(data: Any, size: int) -> None:
        n, m = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 9))
        rows, columns = data.draw(slices(n)), data.draw(slices(m))
        a, b = (np.arange(k, k + n * m).reshape(n, m) * 7 % 11 for k in (0, 5))
        expected = a.copy()
        expected[rows, columns] = b[rows, columns] - 1
        line = a[:, 0].copy()
        line[rows] = 9

        def work(backend: Any) -> list[Any]:
            A, B = (lg.Matrix.from_dense(x, missing_value=3, backend=backend) for x in (a, b))
            kept = B.dup()
            kept(~kept.S) << 3
            A(~A.S) << 3
            part = B[rows, columns].new()
            v, w = A[:, 0].new(), kept[rows, 0].new()
            A[rows, columns] << kept[rows, columns].apply("minus", right=1)
            v[rows] << 9
            return [part.to_dense(3), A.to_dense(3), v.to_dense(3), w.to_dense(3)]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(indexing, "LONGEST_LISTED_SLICE", 0)
            made = on_ranks(size, work, local)
        for one in made:
            for found, right in zip(one, (b[rows, columns], expected, line, b[rows, 0])):
                assert found.tolist() == right.tolist()

    one()
