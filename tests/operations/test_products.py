"""u ⊕.⊗ A and A ⊕.⊗ u against the specification, on both backends, under every schedule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.planning.direction import Facts, Plan, choose, pull_balance
from semirings import BINARY, MONOIDS, SEMIRINGS, monoid, semiring
from semirings.algebra import Semiring
from semirings.types import BOOL, FP64, INT32, INT64
from tests import spec
from tests.harness import BOTH, CPU, DEVICE, GPU, Statement, kernels_launched, put
from tests.simt.exercises import offsets_of_64_bits
from tests.strategies import (
    ACCUMS,
    SIZES,
    Algebra,
    algebras,
    examples,
    matrices,
    needs_mild,
    schedules,
    seeds,
    vectors,
    whole_catalogue,
    writes,
)

EVEN = lg.Schedule(direction="pull", balance="search")

OWN = (
    semiring(monoid("max(x, y)", "lowest", idempotent=True), "x + 2 * y", name="own_max"),
    semiring(monoid("x + y", 0), "x * x + y", name="own_sum"),
    semiring(monoid("min(x, y)", "highest", idempotent=True), "abs(x - y)", name="own_min"),
)


@st.composite
def products(draw: Any, algebra: Algebra) -> Statement:
    """u @ A, u @ A.T, A @ u or A.T @ u of any shape, into any output."""
    ring, u_type, a_type, out_type, accum = algebra
    mild = needs_mild(ring.monoid, ring.output(u_type, a_type))
    rows, columns = draw(st.sampled_from(SIZES)), draw(st.sampled_from(SIZES))
    left, transposed = draw(st.booleans()), draw(st.booleans())
    inner, outer = (rows, columns) if left != transposed else (columns, rows)
    u = draw(vectors(u_type, inner, mild))
    A = draw(matrices(a_type, (rows, columns), mild))
    read = spec.transpose(A) if transposed else A
    way = "A.T" if transposed else "A"

    def build(u_: Any, A_: Any) -> Any:
        B = A_.T if transposed else A_
        return ring(u_ @ B if left else B @ u_)

    return Statement(
        what=f"{ring.name}(u @ {way})" if left else f"{ring.name}({way} @ u)",
        operands=(u, A),
        build=build,
        answers=spec.vxm(u, read, ring) if left else spec.mxv(read, u, ring),
        **draw(writes(out_type, (outer,), u, accum=accum, mild=mild)),
    )


FIXED = algebras(44)


@examples(210)
@given(data=st.data(), algebra=st.sampled_from(FIXED), seed=seeds)
def test_both_backends(data: Any, algebra: Algebra, seed: int) -> None:
    data.draw(products(algebra)).check(*BOTH, seed=seed)


@examples(85)
@given(data=st.data(), algebra=st.sampled_from(FIXED[::6]), schedule=schedules, seed=seeds)
def test_every_schedule(data: Any, algebra: Algebra, schedule: Any, seed: int) -> None:
    statement = data.draw(products(algebra))
    statement.schedule = schedule
    statement.check(*BOTH, seed=seed)


@examples(45)
@given(data=st.data(), algebra=st.sampled_from(FIXED[1::15]), schedule=schedules, seed=seeds)
def test_offsets_of_64_bits(data: Any, algebra: Algebra, schedule: Any, seed: int) -> None:
    statement = data.draw(products(algebra))
    statement.schedule = schedule
    with offsets_of_64_bits():
        statement.check(GPU, seed=seed)


@examples(105)
@given(
    data=st.data(), algebra=st.sampled_from(FIXED), seed=seeds, panels=st.booleans(),
    rounds=st.integers(1, 2), width=st.sampled_from([32, 64]),
)  # fmt: skip
def test_entries_shared_out_evenly(
    data: Any, algebra: Algebra, seed: int, panels: bool, rounds: int, width: int
) -> None:
    """With and without panels, of several widths."""
    statement = data.draw(products(algebra))
    statement.schedule = EVEN
    even = GPU.products.even
    settings = (even, "rounds", rounds), (even.by_panels, "patience", 1 if panels else 1 << 30)
    small = ("fewest", 1), ("threads", 64), ("room", 8 * width), ("task", 1)
    settings += tuple((even.by_panels, name, value) for name, value in small)
    with pytest.MonkeyPatch.context() as patch:
        for changed in settings:
            patch.setattr(*changed)
        patch.setattr("lagraph_gpu.planning.panels.RUN", 1)
        statement.check(GPU, seed=seed)


def test_panels_are_as_wide_as_values_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of 4 bytes have panels twice as wide as those of 8, after as many products; before,
    they use what there is for 8. A matrix of few entries has none."""
    panels = GPU.products.even.by_panels
    small = ("patience", 2), ("fewest", 1), ("threads", 64), ("room", 8 * 32), ("task", 1)
    monkeypatch.setattr(panels, "fewest_entries", 0)
    for name, value in small:
        monkeypatch.setattr(panels, name, value)
    monkeypatch.setattr("lagraph_gpu.planning.panels.RUN", 1)
    used: list[int] = []
    sums = panels.sums
    monkeypatch.setattr(panels, "sums", lambda *given: used.append(given[3].width) or sums(*given))
    rng = np.random.default_rng(1)
    held = np.where(rng.random((50, 200)) < 0.4, 1.0, 0.0)
    A = lg.Matrix.from_dense(held != 0, False, backend=GPU)
    kinds = [np.float32, np.float64, np.float64, np.float32, np.float64, np.float32]
    for kind in kinds:
        x = rng.integers(1, 9, 200).astype(kind)
        w = lg.Vector(kind, 50, backend=GPU)
        w(schedule=EVEN) << SEMIRINGS["plus_second"](A @ lg.Vector.from_dense(x, backend=GPU))
        np.testing.assert_array_equal(w.to_dense(0), held @ x)
    assert used == [32, 64, 32, 64] and [*A._store.pattern.pulls.panels] == [32, 64]
    for fewest_entries, made in ((A.nvals + 1, []), (A.nvals, [32])):
        monkeypatch.setattr(panels, "fewest_entries", fewest_entries)
        B = lg.Matrix.from_dense(held != 0, False, backend=GPU)
        for _ in range(panels.patience):
            w, x = lg.Vector("FP64", 50, backend=GPU), lg.Vector.from_dense(held[0], backend=GPU)
            w(schedule=EVEN) << SEMIRINGS["plus_second"](B @ x)
        assert [*B._store.pattern.pulls.panels] == made


@pytest.mark.parametrize(
    ("facts", "early_exit", "longest", "balance"),
    [
        ((8000, 1000), False, None, "search"), ((7999, 1000), False, None, "thread"),
        ((7999, 1000), False, 256, "thread"), ((7999, 1000), False, 257, "search"),
        ((8000, 1000), True, 5000, "thread"), ((0, 0), False, 0, "search"),
    ],
)  # fmt: skip
def test_who_walks_the_rows_of_a_pull(
    facts: Any, early_exit: bool, longest: int | None, balance: str
) -> None:
    assert pull_balance(*facts, early_exit, longest) == balance
    nedges, nrows = facts
    whole = Facts(nrows, nedges, nrows, nedges, early_exit, None, longest)
    assert choose(whole, lg.Schedule("pull")) == Plan("pull", balance)


@pytest.mark.parametrize(
    ("name", "dtype", "early"),
    [
        ("any", FP64, True), ("lor", BOOL, True), ("land", BOOL, True), ("lor", FP64, True),
        ("min", BOOL, True), ("lxor", BOOL, False), ("min", FP64, False), ("max", INT32, False),
        ("times", INT64, False), ("plus", FP64, False),
    ],
)  # fmt: skip
def test_only_any_and_truth_values_end_early(name: str, dtype: Any, early: bool) -> None:
    """-inf would end a minimum too, but hardly ever comes: the plan must not count on it."""
    assert MONOIDS[name].ends_early(dtype) == early


@examples(560)
@given(data=st.data(), algebra=whole_catalogue())
def test_whole_catalogue_on_cpu(data: Any, algebra: Algebra) -> None:
    data.draw(products(algebra)).check(CPU)


@pytest.mark.parametrize("ring", OWN, ids=lambda s: s.name)
@pytest.mark.parametrize("dtype", [INT32, FP64], ids=str)
@examples(10)
@given(data=st.data(), seed=seeds)
def test_users_own(ring: Semiring, dtype: Any, data: Any, seed: int) -> None:
    algebra = (ring, dtype, dtype, ring.output(dtype, dtype), ACCUMS[0])
    data.draw(products(algebra)).check(*BOTH, seed=seed)


POSITIONAL = [
    SEMIRINGS[f"{m}_{p}"]
    for m in ("min", "any")
    for p in ("firsti", "firstj1", "secondi", "secondj1")
]


@pytest.mark.parametrize("ring", POSITIONAL, ids=lambda s: s.name)
@examples(20)
@given(data=st.data(), seed=seeds)
def test_positions(ring: Semiring, data: Any, seed: int) -> None:
    """Turning a push into a pull must not turn i into j."""
    algebra = (ring, INT64, INT64, INT64, ACCUMS[1])
    data.draw(products(algebra)).check(*BOTH, seed=seed)


def test_fixed_algebras_meet_every_monoid_and_type() -> None:
    from semirings import MONOIDS, types

    assert {ring.monoid.name for ring, *_ in FIXED} == set(MONOIDS)
    assert {dtype for _, u, a, *_ in FIXED for dtype in (u, a)} == set(types.ALL)


@pytest.mark.parametrize("types_", [(INT32, BOOL), (BOOL, INT64), (FP64, INT32)], ids=str)
def test_mixed_types_accumulate_into_a_full_vector(types_: Any) -> None:
    """SuiteSparse 9.4 reads such operands as if they had been converted already."""
    u_type, a_type = types_
    u = spec.Sparse(u_type, (40,), {k: u_type.type(k % 2) for k in range(40)})
    entries = {(i, k): a_type.type((i + k) % 3 == 0) for i in range(5) for k in range(40)}
    A = spec.Sparse(a_type, (5, 40), entries)
    ring = SEMIRINGS["plus_times"]
    w = ring.output(u_type, a_type)
    out = spec.Sparse(w, (5,), {i: w.type(i) for i in range(5)})
    Statement("plus_times(A @ u)", (A, u), lambda A_, u_: ring(A_ @ u_), spec.mxv(A, u, ring),
              out, accum=ACCUMS[0]).check(*BOTH)  # fmt: skip


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
@pytest.mark.parametrize("types_", [(FP64, FP64), (INT64, FP64), (INT32, INT32)], ids=str)
@pytest.mark.parametrize("into", ["another", "the summand", "the factor"])
def test_a_sum_with_a_product(backend: Any, types_: Any, into: str) -> None:
    """On a CPU the product is added to a copy of the summand, unless it reads what is written."""
    rng, n, (u_type, a_type) = np.random.default_rng(1), 40, types_
    ring, plus = SEMIRINGS["plus_times"], BINARY["plus"]
    edges = {(i, (3 * i + k * k) % n): a_type.type(k + 1) for i in range(0, n, 2) for k in range(6)}
    A = spec.Sparse(a_type, (n, n), edges)
    for known in (n, n // 3):
        x, y = rng.integers(-9, 9, (2, known))
        u = spec.Sparse(u_type, (n,), {i: u_type.type(x[i]) for i in range(known)})
        v = spec.Sparse(a_type, (n,), {i: a_type.type(y[i]) for i in range(known)})
        (product,) = spec.vxm(u, A, ring)
        wanted = spec.ewise_add(v, product, plus).entries
        for swapped in (False, True):
            U, V, B = put(u, backend), put(v, backend), put(A, backend)
            made = lg.Vector(a_type, n, backend=backend)
            made << 7
            out = {"the summand": V, "the factor": U}.get(into, made)
            out << (plus(ring(U @ B) | V) if swapped else plus(V | ring(U @ B)))
            assert out.to_dict() == {i: out.dtype.type(z) for i, z in wanted.items()}


def test_a_full_vector_is_multiplied_without_a_wait() -> None:
    """Nobody needs the list of its entries; and what is known to be full stays so, or is not."""
    A = put(spec.Sparse(INT64, (40, 40), {(i, 7 * i % 40): INT64.type(1) for i in range(40)}), GPU)
    u = put(spec.Sparse(INT64, (40,), {i: INT64.type(i) for i in range(40)}), GPU)
    half = put(spec.Sparse(INT64, (40,), {i: INT64.type(i) for i in range(20)}), GPU)
    ring, before = SEMIRINGS["plus_times"], DEVICE.waits
    A @ u  # the plan reads the lengths of rows, which are known from the start
    w = ring(A @ u).new()
    long_rows = DEVICE.waits - before
    ring(A @ u).new()
    assert long_rows <= 1 and DEVICE.waits == before + long_rows
    assert w.nvals == 40
    for statement, full in (
        (lambda v: v << half, False), (lambda v: v(half.S) << 1, True),
        (lambda v: v(half.S, replace=True) << 1, False), (lambda v: v << 3, True),
        (lambda v: v(ACCUMS[0]) << half, True), (lambda v: v[[1]] << half[[30]], False),
        (lambda v: v[3:5] << half[3:5], False), (lambda v: v << ACCUMS[0](v | half), True),
        (lambda v: v << ACCUMS[0](v & half), False), (lambda v: v << v.apply("ainv"), True),
        (lambda v: v << v.select(">", 5), False), (lambda v: v.clear(), False),
    ):  # fmt: skip
        v = u.dup()
        statement(v)
        assert v._store.full is full
        entries = v.to_coo()[0].size
        assert v.nvals == entries and (entries == 40 or not full)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(("longest", "kernel"), [(256, "pull<"), (257, "segmented_spmv<")])
def test_a_long_row_nobody_counted_is_not_left_to_one_block(
    known: bool, longest: int, kernel: str, monkeypatch: Any
) -> None:
    """Of a matrix that a statement made: its rows are counted once, before it is pulled along."""
    n = 400
    cells = {(i, i): INT64.type(1) for i in range(n)}
    cells |= {(7, j): INT64.type(j) for j in range(longest)}
    A = put(spec.Sparse(INT64, (n, n), cells), GPU)
    u = put(spec.Sparse(INT64, (n,), {i: INT64.type(i) for i in range(n)}), GPU)
    if not known:
        A._store.pattern.max_degree = None

    names = kernels_launched(monkeypatch)
    w = SEMIRINGS["plus_times"](A @ u).new()
    before = DEVICE.waits
    SEMIRINGS["plus_times"](A @ u).new()
    A.reduce_rowwise("plus").new()
    assert DEVICE.waits == before
    assert w[7].get() == sum(j * j for j in range(longest))
    walks = [name for name in names if name.startswith(("pull", "segmented_spmv"))]
    assert all(name.startswith(kernel) for name in walks) and len(walks) == 3


def test_a_vector_just_built_is_pushed_without_a_wait() -> None:
    """Its entries are known to be few, and a push walks the bitmap: two launches, and no list."""
    n = 2000
    A = put(spec.Sparse(INT64, (n, n), {(i, 7 * i % n): INT64.type(i + 1) for i in range(n)}), GPU)
    u = put(spec.Sparse(INT64, (n,), {i: INT64.type(i) for i in range(0, n, 100)}), GPU)
    ring = SEMIRINGS["plus_times"]
    ring(u @ A).new()
    waits, launches = DEVICE.waits, getattr(DEVICE, "launches", 0)
    w = lg.Vector("INT64", n, backend=GPU)
    w << ring(u.dup() @ A)
    assert DEVICE.waits == waits and getattr(DEVICE, "launches", 2) - launches <= 2
    with lg.trace() as steps:
        v = ring(w @ A).new()  # nobody knows how many: one wait, for count and edges alike
    assert DEVICE.waits == waits + 1
    assert [(s.direction, s.frontier, s.edges) for s in steps] == [("push", 20, 20)]
    assert v.nvals == 20 and w.nvals == 20 and DEVICE.waits == waits + 2
    empty = lg.Vector("INT64", n, backend=GPU)
    assert empty.nvals == 0 and DEVICE.waits == waits + 2
    assert ring(empty @ A).new().nvals == 0 and DEVICE.waits == waits + 2
    with lg.trace() as steps:  # a trace tells what is done, and does not change it
        ring(u.dup() @ A).new()
    assert [(s.direction, s.frontier, s.edges) for s in steps] == [("push", 20, 20)]


@pytest.mark.parametrize("kept", ["bitmap", "sparse"])
def test_a_product_under_a_mask_kept_as_a_bitmap_returns(kept: str) -> None:
    """SuiteSparse 9.4 searches for ever where its hash table is smaller than the mask, or where the
    mask has all positions with different values."""
    n, few = 16384, np.arange(0, 16384, 8)
    edges = np.zeros(few.size, np.int64), (few + 3) % n
    A = lg.Matrix.from_coo(*edges, 1, "INT64", nrows=n, ncols=n, backend=CPU)
    u = lg.Vector.from_coo([0], [3], size=n, backend=CPU)
    for positions, values in ((few, 1), (np.arange(n), 1), (np.arange(n), np.arange(n) % 7 + 1)):
        mask = lg.Vector.from_coo(positions, values, "INT64", size=n, backend=CPU)
        mask._store.ss.config["sparsity_control"] = kept
        row = lg.Matrix.from_coo(np.zeros_like(positions), positions, 1, ncols=n, backend=CPU)
        row._store.A.ss.config["sparsity_control"] = kept
        for chosen in (mask.S, mask.V):
            w = lg.Vector("INT64", n, backend=CPU)
            w(chosen, schedule=lg.Schedule("push")) << SEMIRINGS["plus_times"](u @ A)
            assert w.nvals == np.isin(edges[1], positions).sum()
        one = lg.Matrix.from_coo([0], [0], [3], ncols=n, backend=CPU)
        C = lg.Matrix("INT64", 1, n, backend=CPU)
        C(row.S) << SEMIRINGS["plus_times"](one @ A)
        assert C.nvals == np.isin(edges[1], positions).sum()
