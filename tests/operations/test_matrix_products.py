"""C⟨mask⟩ accum= A ⊕.⊗ B against the specification, on both backends, in every form.

The GPU's tables are small here and the limits between its ways low, so that tiny matrices meet all.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.cpu.statements import dots
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import cupy_device
from lagraph_gpu.gpu.spgemm import row_by_row
from lagraph_gpu.gpu.spgemm.masked_products import Tables
from lagraph_gpu.gpu.spgemm.matrix_products import NO_LIMIT, Slots
from lagraph_gpu.gpu.spgemm.row_by_row import MANY_PRODUCTS
from lagraph_gpu.gpu.storage import vector_storage
from lagraph_gpu.notation import expressions
from lagraph_gpu.planning.masked_product import (
    DOT_START,
    FEW,
    ROW,
    SORT,
    TRANSPOSED,
    WALK,
    HostFacts,
    MaskedFacts,
    MaskedPlan,
    choose_masked,
)
from semirings import SEMIRINGS, any_secondi, min_plus, monoid, plus_pair, plus_times, semiring
from semirings.types import BOOL, FP32, FP64, INT8, INT16, INT32, INT64, UINT64
from tests import spec
from tests.harness import BOTH, CPU, DEVICE, GPU, Statement, kernels_launched, put
from tests.spec import Sparse
from tests.strategies import ACCUMS, Algebra, examples, matrices, needs_mild, seeds, writes

SIDES = (0, 1, 2, 3, 5, 8, 33, 64, 70)
sides = st.sampled_from(SIDES)

OWN_SUM = semiring(monoid("x + y", 0), "x * x + y", name="own_sum")
OWN_MAX = semiring(monoid("max(x, y)", "lowest", idempotent=True), "x + 2 * y", name="own_max")

FIXED: list[Algebra] = [
    (plus_times, INT64, INT64, INT64, ACCUMS[0]),
    (plus_pair, FP32, INT8, FP64, ACCUMS[0]),
    (plus_times, FP32, FP32, FP64, ACCUMS[3]),
    (min_plus, FP64, INT32, FP64, ACCUMS[1]),
    (SEMIRINGS["max_second"], INT16, INT16, INT16, ACCUMS[2]),
    (SEMIRINGS["times_plus"], INT8, INT8, INT32, ACCUMS[5]),
    (SEMIRINGS["lor_land"], BOOL, BOOL, BOOL, ACCUMS[2]),
    (SEMIRINGS["any_first"], INT8, UINT64, FP64, ACCUMS[1]),
    (SEMIRINGS["bxor_band"], UINT64, UINT64, UINT64, ACCUMS[2]),
    (any_secondi, INT32, FP64, INT64, ACCUMS[4]),
    (SEMIRINGS["max_firsti1"], INT64, BOOL, INT64, ACCUMS[1]),
    (SEMIRINGS["min_secondj"], INT32, INT32, INT32, ACCUMS[6]),
    (OWN_SUM, INT32, INT32, INT32, ACCUMS[0]),
    (OWN_MAX, FP64, FP64, FP64, ACCUMS[1]),
]
WIDE = FIXED[0]

SMALL = Slots(*5 * [DEVICE.block_size])
"""The least that lets each warp of a block have a table."""

TABLES = [Tables(DEVICE.block_size, few, tile)
          for few, tile in ((0, 7), (20, 51), (2048, 131072))]  # fmt: skip

LIMITS = ((NO_LIMIT, NO_LIMIT), (2, 5), (0, 3), (0, 0))


@contextmanager
def ways(
    form: Any = None, longest: Any = LIMITS[0], long_walk: int = 1024, few: int = 64,
    turns: int = 128, many: int = MANY_PRODUCTS, tables: Tables = TABLES[1],
    few_to_sort: int = 0, lanes: tuple[int, ...] = (), ranked: tuple[int, int] = (0, 0),
) -> Iterator[None]:  # fmt: skip
    """Let the GPU choose less freely."""
    with pytest.MonkeyPatch.context() as patch:
        products = GPU.matrices.products
        patch.setattr(products, "slots", SMALL)
        patch.setattr(products.within, "form", form)
        patch.setattr(products, "longest", longest)
        patch.setattr(products.within, "long_walk", long_walk)
        patch.setattr(products, "few", few)
        patch.setattr(products, "sorted", few_to_sort)
        patch.setattr(products, "lanes", lanes)
        patch.setattr(products, "ranked", ranked)
        patch.setattr(products, "turns", turns)
        patch.setattr(products.row_by_row, "many_products", many)
        patch.setattr(products.within, "tables", tables)
        yield


drawn_ways = st.builds(
    ways,
    st.sampled_from([None, "dot", "saxpy"]),
    st.sampled_from(LIMITS),
    st.sampled_from([0, 2, 1024]),
    st.sampled_from([0, 5, 64]),
    st.sampled_from([1, 3, 128]),
    st.sampled_from([0, 10, MANY_PRODUCTS, MANY_PRODUCTS]),
    st.sampled_from(TABLES),
    st.sampled_from([0, 40, 256]),
    st.sampled_from([(), (), (8,), (8, 16, 32)]),
    st.sampled_from([(0, 0), (1, 64), (8, 512)]),
)


@st.composite
def products(draw: Any, algebra: Algebra) -> Statement:
    """A @ B, either transposed, of any shapes, into any output; A, B, mask and C may be one."""
    ring, left, right, out, accum = algebra
    mild = needs_mild(ring.monoid, ring.output(left, right))
    rows, inner, columns = draw(st.tuples(sides, sides, sides))
    turned = draw(st.tuples(st.booleans(), st.booleans()))
    if draw(st.integers(0, 3)) == 0:
        rows = columns = inner  # so that one matrix can be all of them
    A = draw(matrices(left, (inner, rows) if turned[0] else (rows, inner), mild))
    B = draw(matrices(right, (columns, inner) if turned[1] else (inner, columns), mild))
    if left == right and A.shape == B.shape and draw(st.booleans()):
        B = A
    read = [spec.transpose(X) if t else X for X, t in zip((A, B), turned, strict=True)]

    def build(x: Any, y: Any) -> Any:
        x, y = (z.T if t else z for z, t in zip((x, y), turned, strict=True))
        return ring(x @ y)

    rest = draw(writes(out, (rows, columns), A, B, accum=accum, mild=mild))
    rest["schedule"] = None
    return Statement(
        f"{ring.name}, transposed {turned}", (A, B), build, spec.mxm(*read, ring), **rest
    )


@examples(175)
@given(data=st.data(), algebra=st.sampled_from(FIXED), way=drawn_ways, seed=seeds)
def test_both_backends(data: Any, algebra: Algebra, way: Any, seed: int) -> None:
    with way:
        data.draw(products(algebra)).check(*BOTH, seed=seed)


@examples(105)
@given(data=st.data(), algebra=st.sampled_from(FIXED), structure=st.booleans())
def test_by_dots_where_the_transpose_is_there(data: Any, algebra: Algebra, structure: bool) -> None:
    ring, left, right, out, _ = algebra
    rows, inner, columns = data.draw(st.tuples(sides, sides, sides))
    mild = needs_mild(ring.monoid, ring.output(left, right))
    A, B = (data.draw(matrices(t, shape, mild))
            for t, shape in ((left, (rows, inner)), (right, (inner, columns))))  # fmt: skip
    mask = spec.Mask(data.draw(matrices(BOOL, (rows, columns), mild)), structure=structure)

    def build(x: Any, y: Any) -> Any:
        assert y._store.AT is not None  # from here on
        return ring(x @ y)

    empty = Sparse(out, (rows, columns), {})
    Statement(ring.name, (A, B), build, spec.mxm(A, B, ring), empty, mask).check(CPU)


@examples(85)
@given(data=st.data(), way=drawn_ways, seed=seeds, few=st.integers(0, 99))
def test_where_row_offsets_differ_in_width(data: Any, way: Any, seed: int, few: int) -> None:
    """Offsets get 64 bits from ``few`` entries on, so that operands, mask and output mix them."""
    with pytest.MonkeyPatch.context() as patch, way:
        patch.setattr(vector_storage, "INT32_OFFSETS_BELOW", few)
        data.draw(products(WIDE)).check(*BOTH, seed=seed)


# --- all ways on one example --------------------------------------------------------------------

N = 70


def crowded(seed: int) -> tuple[Sparse, Sparse]:
    """Two matrices; their product has rows of every length, from nothing to everything."""
    rng = np.random.default_rng(seed)
    A = rng.random((N, N)) < np.linspace(0, 0.3, N)[:, None] ** 2
    B = rng.random((N, N)) < 0.15
    A[5], A[6], B[9] = True, False, True
    return sparse(A), sparse(B)


def sparse(flags: np.ndarray) -> Sparse:
    entries = {(i, j): np.int64(1 + (i + j) % 3) for i, j in np.argwhere(flags).tolist()}
    return Sparse(INT64, flags.shape, entries)


def kernels_of(statement: Statement) -> list[str]:
    """The names of the kernels that a statement runs on the GPU."""
    with pytest.MonkeyPatch.context() as patch:
        names = kernels_launched(patch)
        statement.check(GPU)
    return names


def test_every_class_of_rows_is_met() -> None:
    """By a thread, by a warp in three ways, by a block in two, and by all together."""
    A, B = crowded(1)
    names = set()
    for few_to_sort, lanes, ranked in (
        (0, (), (0, 0)), (40, (), (0, 0)), (0, (16,), (0, 0)), (0, (), (8, 512)),
    ):  # fmt: skip
        with ways(longest=(24, 48), few=15, few_to_sort=few_to_sort, lanes=lanes, ranked=ranked):
            names |= set(kernels_of(
                Statement("plus_times", (A, B), lambda x, y: plus_times(x @ y),
                          spec.mxm(A, B, plus_times), Sparse(INT64, (N, N)))
            ))  # fmt: skip
    for kernel in ("count_sorted_row<int", "multiply_sorted_row<Semiring", "count_short_row<int",
                   "count_windowed_row<int", "multiply_windowed_row<Semiring",
                   "count_ranked_row<int", "multiply_ranked_row<Semiring",
                   "count_row<int, Warp", "count_row<int, Block",
                   "mark_products<int", "multiply_short_row<Semiring",
                   "multiply_row<Semiring, Warp", "multiply_row<Semiring, Block",
                   "fold_products<Semiring"):  # fmt: skip
        assert any(name.startswith(kernel) for name in names), (kernel, names)


@pytest.mark.parametrize("form", ["dot", "saxpy"])
@pytest.mark.parametrize("long_walk", [3, 1024])
def test_forms_within_a_mask(form: str, long_walk: int) -> None:
    A, B = crowded(2)
    mask = spec.Mask(crowded(3)[1], structure=True)
    with ways(form, long_walk=long_walk):
        names = kernels_of(
            Statement("plus_times", (A, B), lambda x, y: plus_times(x @ y),
                      spec.mxm(A, B, plus_times), Sparse(INT64, (N, N)), mask)
        )  # fmt: skip
    assert any(name.startswith("masked_gustavson<Semiring, Block") for name in names) == (
        form == "saxpy"
    )
    assert ("masked_dot<Semiring, Block>" in names) == (form == "dot" and long_walk == 3)
    assert not any("row<" in name for name in names)


MASKS = [None, (True, True), (False, True), (True, False), (False, False)]
"""None, and those of structure or value, complemented or not."""


@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("turned", [False, True])
def test_few_rows_of_many_products_go_one_by_one(kind: Any, turned: bool) -> None:
    A, B = crowded(2)
    read = spec.transpose(B) if turned else B
    mask = None if kind is None else spec.Mask(crowded(3)[1], *kind)
    with ways(many=10):
        names = kernels_of(
            Statement("plus_times", (A, B), lambda x, y: plus_times(x @ (y.T if turned else y)),
                      spec.mxm(A, read, plus_times), Sparse(INT64, (N, N)), mask)
        )  # fmt: skip
    assert names.count("append_row<int, long long>") == N
    assert names.count("row_columns<int>") == (0 if mask is None else names.count(ROW_OF_A))
    assert not {"masked_dot", "masked_gustavson", "fold_products"} & {
        name.partition("<")[0] for name in names
    }


def test_row_by_row_is_told() -> None:
    A, B = (put(s, GPU) for s in crowded(2))
    with ways(many=10), lg.explain() as told:
        plus_times(A @ B).new()
    assert told.choices[0].chosen == "row by row"
    assert told.choices[0].because.endswith(f"products in {N} rows, on average 10 or more in each")
    assert {choice.chosen for choice in told.choices[1:]} <= {"push", "pull"}


ROW_OF_A = "row_to_vector<int, long long>"


def test_what_is_not_worth_a_row_of_its_own(monkeypatch: Any) -> None:
    A, B = (put(s, GPU) for s in crowded(2))
    made = GPU.matrices.products.row_by_row
    found = []
    monkeypatch.setattr(made, "compute", lambda *_: found.append("asked"))
    for many, ring, asked in (
        (A.nvals, plus_times, True),  # as if each entry met B's longest row, of N entries
        (A.nvals + 1, plus_times, False),
        (0, SEMIRINGS["min_firsti"], False),  # a vector has no row
        (0, SEMIRINGS["min_firstj"], True),
    ):
        found.clear()
        monkeypatch.setattr(made, "many_products", many)
        ring(A @ B).new()
        assert (found == ["asked"]) == asked, (many, ring)
    monkeypatch.setattr(made, "many_products", 0)
    monkeypatch.setattr(row_by_row, "FEW_ROWS", N - 1)
    found.clear()
    plus_times(A @ B).new()
    assert not found


def test_rows_without_room_for_all_that_may_be_are_counted_first(monkeypatch: Any) -> None:
    A, B = crowded(6)
    empty, refused, needed = DEVICE.empty, [], len(spec.mxm(A, B, plus_times)[0].entries)

    def scarce(size: int, dtype: Any) -> Any:
        if size > needed:
            refused.append(size)
            raise TooLarge(f"expected {size} values of free memory")
        return empty(size, dtype)

    monkeypatch.setattr(DEVICE, "empty", scarce)
    with ways(many=0):
        names = kernels_of(
            Statement("plus_times", (A, B), lambda x, y: plus_times(x @ y),
                      spec.mxm(A, B, plus_times), Sparse(INT64, (N, N)))
        )  # fmt: skip
    assert refused and ROW_OF_A not in names


def test_two_waits() -> None:
    A, B = (put(s, GPU) for s in crowded(4))
    C = lg.Matrix(INT64, N, N, backend=GPU)
    for statement in (
        lambda: C << plus_times(A @ B),
        lambda: C(~A.S, replace=True) << plus_times(A @ B),
        lambda: C(A.S, replace=True) << plus_times(A @ B),
    ):
        before = DEVICE.waits
        statement()
        assert DEVICE.waits == before + 2


def test_an_operand_that_is_an_expression() -> None:
    A, B = crowded(5)
    both = spec.ewise_add(A, B, ACCUMS[0])

    def build(x: Any, y: Any) -> Any:
        return expressions.Product(x.ewise_add(y, ACCUMS[0]), x, min_plus)

    answers = spec.mxm(both, A, min_plus)
    Statement("(A + B) @ A", (A, B), build, answers, Sparse(INT64, (N, N))).check(*BOTH)


def test_a_product_without_room_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first pass knows the size of C before anything of that size is asked for."""
    A, B = (put(s, GPU) for s in crowded(6))
    wanted: list[int] = []
    empty = DEVICE.empty

    def scarce(size: int, dtype: Any) -> Any:
        if size > 1500:
            wanted.append(size)
            raise TooLarge(f"expected {size} values of free memory")
        return empty(size, dtype)

    C = lg.Matrix(INT64, N, N, backend=GPU)
    with monkeypatch.context() as patch:
        patch.setattr(DEVICE, "empty", scarce)
        with pytest.raises(TooLarge):
            C << plus_times(A @ B)
    assert C.nvals == 0
    C << plus_times(A @ B)
    assert wanted == [C.nvals]


def test_blocks_keep_within_the_threads_of_a_walk() -> None:
    """MAX_THREADS of groups.cuh, which sizes shared memory."""
    assert cupy_device.CupyDevice.block_size <= 256


@pytest.mark.parametrize("free", [0, 1 << 12, 1 << 15, 1 << 30])
@pytest.mark.parametrize("mask", [None, "~S", "~V"])
def test_long_rows_come_in_parts_as_memory_allows(free: int, mask: Any, monkeypatch: Any) -> None:
    A, B = crowded(7)
    monkeypatch.setattr(type(DEVICE), "free_bytes", free)
    batches = list(GPU.matrices.products.long_rows.batches(40, N, 1))
    assert [len(batches), batches[-1][1]] == [
        {0: 40, 1 << 12: 40, 1 << 15: 3, 1 << 30: 1}[free],
        40,
    ]
    wanted = None if mask is None else spec.Mask(crowded(8)[1], mask == "~S", complement=True)
    with ways(longest=(0, 0), few=0):
        names = kernels_of(
            Statement("plus_times", (A, B), lambda x, y: plus_times(x @ y),
                      spec.mxm(A, B, plus_times), Sparse(INT64, (N, N)), wanted)
        )  # fmt: skip
    assert names.count("flip_excluded<int>") == (mask is not None) * 2 * names.count(
        "mark_products<int>"
    )


# --- the planner --------------------------------------------------------------------------------

FACTS: dict[str, Any] = {"products": 600 * WALK, "walked": 600, "wanted": 600, "nedges": 5}


@pytest.mark.parametrize(
    ("changes", "plan"),
    [
        ({}, MaskedPlan("dot", "thread")),  # as much work, but no atomics
        ({"products": 600 * WALK - 1}, MaskedPlan("saxpy", "thread")),
        ({"products": 600 * WALK - ROW - 1, "rows": 1}, MaskedPlan("saxpy", "thread")),
        ({"products": 600 * WALK - ROW, "rows": 1}, MaskedPlan("dot", "thread")),
        ({"walked": 601}, MaskedPlan("saxpy", "thread")),
        ({"walked": 1200, "early_exit": True}, MaskedPlan("dot", "thread")),
        ({"walked": 1201, "early_exit": True}, MaskedPlan("saxpy", "thread")),
        ({"has_columns": False}, MaskedPlan("saxpy", "thread")),
        ({"has_columns": False, "walked": 600 - 5 * SORT // WALK}, MaskedPlan("dot", "thread")),
        ({"has_rows": False, "products": 600 * WALK - 4 * SORT}, MaskedPlan("dot", "thread")),
        ({"wanted": 75}, MaskedPlan("dot", "warp")),
        ({"wanted": 76}, MaskedPlan("dot", "thread")),
        ({"products": 0}, MaskedPlan("saxpy", "thread")),
    ],
)
def test_choose_masked(changes: dict[str, Any], plan: MaskedPlan) -> None:
    assert choose_masked(MaskedFacts(**FACTS | changes)) == plan


@pytest.mark.parametrize(
    ("changes", "decided"),
    [
        ({}, True),
        ({"products": None}, False),
        ({"walked": None}, False),
        ({"products": None, "has_rows": False, "walked": 5 * SORT // WALK}, True),  # its transpose
        ({"products": None, "has_rows": False, "walked": 5 * SORT // WALK + 1}, False),
        ({"products": None, "rows": WALK, "walked": ROW}, True),  # its tables
        ({"walked": None, "has_columns": False, "products": 5 * SORT - 1}, True),
        ({"walked": None, "has_columns": False, "products": 5 * SORT}, False),
        ({"products": None, "walked": None, "has_rows": False}, False),
    ],
)
def test_what_need_not_be_counted(changes: dict[str, Any], decided: bool) -> None:
    """What is decided stays as it is, however much there is of what has not been counted."""
    facts = MaskedFacts(**FACTS | changes)
    assert facts.decided == decided
    forms = {
        choose_masked(replace(facts, **{unknown: count})).form
        for unknown in ("products", "walked") if getattr(facts, unknown) is None
        for count in (0, 10**9)
    }  # fmt: skip
    assert not decided or forms <= {choose_masked(facts).form}


def test_a_form_may_be_fixed() -> None:
    facts = MaskedFacts(**FACTS)
    assert choose_masked(facts, "saxpy").form == "saxpy"
    assert choose_masked(facts, "dot").form == "dot"


HOST = HostFacts(9900, 9900 - 99 * DOT_START + 99, 99, 9, has_rows=True, has_columns=True)


@pytest.mark.parametrize(
    ("changes", "by_dots"),
    [
        ({}, True),
        ({"products": HOST.products - 1}, False),
        ({"steps": HOST.steps + 1}, False),
        ({"wanted": HOST.wanted + 1}, False),
        ({"has_columns": False}, False),
        ({"has_columns": False, "steps": HOST.steps - 9 * TRANSPOSED}, True),
        ({"has_rows": False, "products": HOST.products - 9 * TRANSPOSED}, True),
        ({"has_rows": False, "products": HOST.products - 9 * TRANSPOSED - 1}, False),
    ],
)
def test_the_form_on_a_host(changes: dict[str, Any], by_dots: bool) -> None:
    assert HOST._replace(**changes).dots == by_dots


def random_matrix(n: int, count: int, seed: int, rows: int | None = None) -> lg.Matrix:
    """A matrix of n × n with `count` entries, all in the first rows if their number is given."""
    draw = np.random.default_rng(seed).choice((rows or n) * n, count, replace=False)
    return lg.Matrix.from_coo(draw // n, draw % n, 1.0, nrows=n, ncols=n, backend="cpu")


def test_the_form_that_suitesparse_gets() -> None:
    n = 300
    A, B, M = (random_matrix(n, FEW, seed) for seed in (1, 2, 3))
    whole = lg.Matrix.from_dense(np.ones((n, n)), backend="cpu")
    apart = random_matrix(4 * FEW, 40 * FEW, 1, rows=20)
    everywhere = lg.Matrix.from_dense(np.ones((20, 20)), backend="cpu")
    everywhere.resize(4 * FEW, 4 * FEW)

    def turned(A: Any, B: Any, mask: Any) -> Any:
        return dots.transpose(plus_times(A @ B), mask)

    assert turned(A, B.T, M.S) is B._store.A  # which has no transpose
    assert turned(A, B.T, ~M.S) is turned(A, B.T, None) is None
    assert turned(whole, whole.T, ~M.S) is turned(whole, whole.T, M.V) is whole._store.A
    assert turned(whole, whole, M.S) is whole._store.AT  # which takes less time to make
    assert turned(A, B, M.S) is None
    assert turned(apart, apart.T, everywhere.S) is None  # of long rows that hardly ever meet
    few = random_matrix(n, 10, 4)
    assert turned(few, few.T, few.S) is few._store.A and turned(few, few, few.S) is None


def test_masked_products_of_many_entries_are_right() -> None:
    """Both forms, of operands and masks in each way of storing them."""
    n, draw = 120, np.random.default_rng(5)
    for density in (0.02, 0.3, 1.0):
        dense = [np.where(draw.random((n, n)) < density, draw.integers(1, 9, (n, n)), 0)
                 for _ in range(2)]  # fmt: skip
        A, B = (lg.Matrix.from_dense(x, missing_value=0, backend="cpu") for x in dense)
        for share in (0.1, 0.9, 1.0):
            chosen = draw.random((n, n)) < share
            M = lg.Matrix.from_dense(chosen, missing_value=False, backend="cpu")
            for left, right, expected in (
                (A, B, dense[0] @ dense[1]), (A, B.T, dense[0] @ dense[1].T),
                (A.T, B, dense[0].T @ dense[1]), (A.T, B.T, dense[0].T @ dense[1].T),
            ):  # fmt: skip
                for mask, kept in ((M.S, chosen), (~M.S, ~chosen), (M.V, chosen)):
                    found = plus_times(left @ right).new(mask=mask).to_dense(0)
                    assert (found == np.where(kept, expected, 0)).all()


@pytest.mark.parametrize("turned", list(product((False, True), repeat=2)), ids=str)
@pytest.mark.parametrize(
    ("multiply", "wanted"),
    [("firsti", 30), ("firstj", 31), ("secondi", 31), ("secondj", 32), ("secondj1", 33)],
)
def test_positions_where_few_rows_have_entries(
    multiply: str, wanted: int, turned: tuple[bool, bool], backend: Any
) -> None:
    """SuiteSparse 9.4 keeps such matrices hypersparse, and then gives ranks instead of places."""

    def of_one_entry(row: int, column: int, transposed: bool) -> Any:
        at = (column, row) if transposed else (row, column)
        A = lg.Matrix.from_coo([at[0]], [at[1]], 1, nrows=70, ncols=70, backend=backend)
        return A.T if transposed else A

    A, B = of_one_entry(30, 31, turned[0]), of_one_entry(31, 32, turned[1])
    assert SEMIRINGS[f"min_{multiply}"](A @ B).new().to_dicts() == {30: {32: wanted}}
