"""Parts of vectors and matrices, read and assigned to, and matrices made of parts."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import (
    DomainMismatch,
    IndexOutOfBound,
    NegativeSize,
    WrongDimension,
    WrongKind,
)
from lagraph_gpu.gpu.storage import vector_storage
from lagraph_gpu.notation import expressions
from lagraph_gpu.notation.expressions import Diagonal, OfVector
from lagraph_gpu.notation.handle import extraction
from lagraph_gpu.notation.selector import Selector
from semirings import BINARY, any_second, min_first, min_plus, plus_times
from semirings.types import BOOL, FP32, FP64, INT8, INT64, UINT64
from tests import spec
from tests.harness import BOTH, CPU, Statement, complaint, index, put, reseed, take
from tests.spec import Sparse
from tests.strategies import (
    ACCUMS,
    SMALL_SIZES,
    containers,
    examples,
    matrices,
    seeds,
    values,
    vectors,
    writes,
)

sides = st.sampled_from(SMALL_SIZES)
shapes = st.tuples(sides, sides)
PAIRS = st.sampled_from([(INT64, INT64), (FP64, FP32), (INT8, INT64), (BOOL, FP64)])


@st.composite
def axes(draw: Any, size: int, *, unique: bool, whole: bool = True) -> Any:
    """One axis of an index: all of it, one position, or a list (which may be a slice)."""
    kinds = ["list", "slice"] + ["all"] * whole + ["one"] * (size > 0)
    match draw(st.sampled_from(kinds)):
        case "all":
            return None
        case "one":
            return draw(st.integers(0, size - 1))
        case "slice":
            bound = st.none() | st.integers(-size - 1, size + 1)
            cut = slice(draw(bound), draw(bound), draw(st.sampled_from([None, 1, 2, -1, -3])))
            return list(range(*cut.indices(size)))
    positions = st.integers(0, max(0, size - 1))
    return draw(st.lists(positions, max_size=9, unique=unique)) if size else []


@st.composite
def regions(draw: Any, shape: tuple[int, ...], *, unique: bool) -> spec.Region:
    while True:  # one position on every axis is an element, which has its own test
        region = tuple(draw(axes(n, unique=unique)) for n in shape)
        if not all(isinstance(axis, int) for axis in region):
            return region
        shape = tuple(0 for _ in shape) if 0 in shape else shape


def as_axes(region: spec.Region) -> Any:
    return tuple(np.array(a, np.int64) if isinstance(a, list) else a for a in region)


# --- extract -----------------------------------------------------------------------------------


@st.composite
def extracted(draw: Any, dtype: Any, out: Any) -> Statement:
    A = draw(shapes.flatmap(lambda s: matrices(dtype, s)))
    turned = draw(st.booleans())
    read = spec.transpose(A) if turned else A
    region = draw(regions(read.shape, unique=False))
    answer = spec.extract(read, region)
    rest = draw(writes(out, answer.shape, A, accum=draw(st.sampled_from(ACCUMS))))
    rest["schedule"] = None
    return Statement(
        f"A{'.T' * turned}[{region}]", (A,),
        lambda x: extraction(x.T if turned else x, as_axes(region)), [answer], **rest,
    )  # fmt: skip


@examples(140)
@given(data=st.data(), pair=PAIRS, seed=seeds)
def test_extract(data: Any, pair: Any, seed: int) -> None:
    data.draw(extracted(*pair)).check(*BOTH, seed=seed)


# --- assign ------------------------------------------------------------------------------------


@st.composite
def assigned(draw: Any, dtype: Any, out: Any) -> Statement:
    """C[I, J] << A, a number, a row or a column; the mask is C's, or the part's own."""
    shape = draw(shapes)
    region = draw(regions(shape, unique=True))
    part = spec.part_shape(region, shape)
    within = draw(st.booleans())
    C = draw(matrices(out, shape))
    mask_shape = part if within else shape
    if not within and len(part) == 1 and draw(st.booleans()):  # a row's or a column's own mask
        whole = tuple(axis if isinstance(axis, int) else None for axis in region)
        mask_shape = spec.part_shape(whole, shape)
    rest = draw(writes(out, mask_shape, accum=draw(st.sampled_from(ACCUMS))))
    rest |= {"out": C, "schedule": None, "region": region, "within": within}
    number = draw(values(dtype, False))
    u = draw(containers(dtype, part))
    if dtype == out and part == shape and draw(st.booleans()):
        u = C
    if draw(st.booleans()):
        return Statement(f"C[{region}] << {number}", (), lambda: number,
                         [spec.fill(number, part)], **rest)  # fmt: skip
    return Statement(f"C[{region}] << u", (u,), lambda x: x, [u], **rest)


def results(statement: Statement) -> list[Sparse]:
    """What an assignment may leave. A row's own mask is that of all of the row: so the row is
    written, and put back."""
    mask, region = statement.mask, statement.region
    if mask is None or statement.within or len(mask.of.shape) == len(statement.out.shape):
        return statement.allowed()
    assert region is not None
    line = tuple(axis if isinstance(axis, int) else None for axis in region)
    inner = tuple(axis for axis in region if not isinstance(axis, int))
    row = spec.extract(statement.out, line)
    settings = mask, statement.accum, statement.replace
    [answer] = statement.answers
    return [spec.write(statement.out, spec.write(row, answer, *settings, inner), region=line)]


def check_assignment(statement: Statement, seed: int) -> None:
    right = results(statement)
    reseed(seed)
    for backend in BOTH:
        wrong = complaint(statement.carry_out(backend), right)
        assert not wrong, f"{backend.name}: {wrong}\n{statement}"


@examples(280)
@given(data=st.data(), pair=PAIRS, seed=seeds)
def test_assign(data: Any, pair: Any, seed: int) -> None:
    check_assignment(data.draw(assigned(*pair)), seed)


@examples(40)
@given(data=st.data(), seed=seeds, few=st.integers(0, 60))
def test_parts_where_row_offsets_differ_in_width(data: Any, seed: int, few: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vector_storage, "INT32_OFFSETS_BELOW", few)
        check_assignment(data.draw(assigned(INT64, INT64)), seed)
        data.draw(extracted(INT64, INT64)).check(*BOTH, seed=seed)


EXPRESSIONS: dict[str, Any] = {
    "u + v": lambda u, v, A: BINARY["plus"](u | v),
    "u * v": lambda u, v, A: BINARY["times"](u & v),
    "u - v, one number for what is missing": lambda u, v, A: BINARY["minus"](
        u | v, left_default=3, right_default=4
    ),
    "-u": lambda u, v, A: -u,
    "u - 1": lambda u, v, A: BINARY["minus"](u, 1),
    "A @ u": lambda u, v, A: plus_times(A @ u),
    "u @ A": lambda u, v, A: min_plus(u @ A),
    "u @ A.T, positions": lambda u, v, A: lg.semiring.min_firsti(u @ A.T),
    "a reversed vector": lambda u, v, A: u[::-1],
    "chosen entries": lambda u, v, A: lg.select.valuegt(u, 0),
    "a row": lambda u, v, A: A[0, :],
    "sums of rows": lambda u, v, A: A.reduce_rowwise("plus"),
}


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_an_expression_is_assigned_to_a_part_as_its_result_is(name: str, backend: Any) -> None:
    """Also where the output has one value for all entries, and is read by the expression."""
    several = {0: INT64.type(5), 1: INT64.type(-2), 3: INT64.type(7)}
    entries = {(0, 0): 2, (0, 2): 3, (1, 3): 4, (3, 1): 5, (3, 3): -6}
    A = put(Sparse(INT64, (4, 4), {p: INT64.type(x) for p, x in entries.items()}), backend)
    v = put(Sparse(INT64, (4,), several), backend)
    one = {1: INT64.type(9), 2: INT64.type(9)}
    orders = (slice(None, None, -1), [2, 0, 3, 1], slice(None))
    for held, at, accum, alias in itertools.product(
        (one, several), orders, (None, BINARY["plus"]), (False, True)
    ):
        made = []
        for first in (False, True):
            w = put(Sparse(INT64, (4,), held), backend)
            u = w if alias else put(Sparse(INT64, (4,), one), backend)
            answer = EXPRESSIONS[name](u, v, A)
            w(accum)[at] << (answer.new() if first else answer)
            made.append(take(w))
        assert not complaint(made[0], [made[1]]), (at, accum, alias)
    longer = put(Sparse(INT64, (6,), {i: INT64.type(0) for i in range(6)}), backend)
    longer[[5, 0, 4, 1]] = EXPRESSIONS[name](v, v, A)
    assert longer[[5, 0, 4, 1]].new().isequal(EXPRESSIONS[name](v, v, A).new())


@st.composite
def vector_within(draw: Any, dtype: Any, out: Any) -> Statement:
    size = draw(sides)
    region = draw(regions((size,), unique=True))
    part = spec.part_shape(region, (size,))
    rest = draw(writes(out, part, accum=draw(st.sampled_from(ACCUMS))))
    rest |= {"out": draw(vectors(out, size)), "schedule": None, "region": region, "within": True}
    u = draw(vectors(dtype, *part))
    return Statement(f"w[{region}](…) << u", (u,), lambda x: x, [u], **rest)


@examples(105)
@given(data=st.data(), pair=PAIRS, seed=seeds)
def test_assign_within_a_part_of_a_vector(data: Any, pair: Any, seed: int) -> None:
    data.draw(vector_within(*pair)).check(*BOTH, seed=seed)


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_elements(backend: Any) -> None:
    A = put(Sparse(INT64, (3, 4), {(0, 1): INT64.type(5), (2, 3): INT64.type(7)}), backend)
    assert A[0, 1].value == 5 and A[-1, -1].get() == 7 and A[1, 1].get() is None
    assert A.T[1, 0].get() == 5 and A.get(1, 1, "nothing") == "nothing"
    A[0, 0] = 3
    A[0, 1] << A[2, 3]  # an element of another place
    A[2, 0](accum=BINARY["plus"]) << 4
    A[2, 0](accum=BINARY["plus"]) << 4
    A[2, 3] << A[1, 1]  # no entry there: so none remains
    assert dict(take(A).entries) == {(0, 0): 3, (0, 1): 7, (2, 0): 8}
    del A[0, :]
    assert dict(take(A).entries) == {(2, 0): 8}
    s = A[2, 0].new()
    s << A[2, 0]
    s(BINARY["times"]) << A.reduce("plus")
    assert s.value == 64
    s << A[0, 0]
    assert s.value is None


# --- vectors and matrices ----------------------------------------------------------------------


@examples(85)
@given(data=st.data(), pair=PAIRS, seed=seeds, k=st.integers(-4, 4))
def test_diagonals(data: Any, pair: Any, seed: int, k: int) -> None:
    dtype, out = pair
    u, A = data.draw(vectors(dtype, data.draw(sides))), data.draw(
        shapes.flatmap(lambda s: matrices(dtype, s))
    )  # fmt: skip
    D = spec.diagonal(u, k)
    rest = data.draw(writes(out, D.shape, accum=ACCUMS[0])) | {"schedule": None}
    Statement(f"u.diag({k})", (u,), lambda x: OfVector(x, "diagonal", k), [D], **rest).check(
        *BOTH, seed=seed
    )
    turned = data.draw(st.booleans())
    found = spec.diagonal_of(spec.transpose(A) if turned else A, k)
    rest = data.draw(writes(out, found.shape, accum=ACCUMS[0])) | {"schedule": None}
    Statement(f"A.diag({k})", (A,), lambda x: Diagonal(x.T if turned else x, k), [found],
              **rest).check(*BOTH, seed=seed)  # fmt: skip


@examples(40)
@given(data=st.data(), n=sides, seed=seeds, dtype=st.sampled_from([INT64, INT8, UINT64]))
def test_selectors(data: Any, n: int, seed: int, dtype: Any) -> None:
    """Entries move to places that are values; what is outside is refused, not dropped."""
    ncols = data.draw(st.integers(1, 70))
    drawn = data.draw(st.dictionaries(st.integers(0, max(n - 1, 0)), st.integers(0, ncols - 1)))
    u = Sparse(dtype, (n,), {i: dtype.type(x) for i, x in drawn.items() if i < n})
    S = spec.selector(u, ncols)
    rest = data.draw(writes(INT64, S.shape, accum=ACCUMS[0])) | {"schedule": None}
    Statement("u.selector()", (u,), lambda v: Selector(v, ncols), [S], **rest).check(
        *BOTH, seed=seed
    )
    x, y = data.draw(vectors(INT64, ncols)), data.draw(vectors(INT64, n))
    for backend in BOTH:
        s = put(u, backend).selector(ncols)
        there = {i: x.entries[int(j)] for i, j in u.entries.items() if int(j) in x.entries}
        assert take(any_second(s @ put(x, backend)).new()).entries == there
        folded: dict[int, Any] = {}
        for i, j in u.entries.items():
            if i in y.entries:
                folded[int(j)] = min(folded.get(int(j), y.entries[i]), y.entries[i])
        assert take(min_first(put(y, backend) @ s).new()).entries == folded


@pytest.mark.parametrize("wrong", [-1, 3, 2**40])
def test_a_selector_stays_inside(wrong: int, backend: Any) -> None:
    u = lg.Vector.from_coo([0, 2], [1, wrong], "INT64", size=3, backend=backend)
    with pytest.raises(IndexOutOfBound, match="values from 0 to 2"):
        u.selector()
    with pytest.raises(DomainMismatch, match="integers to select columns by, got FP64"):
        u.dup("FP64").selector()


KRONECKER = [
    (BINARY["times"], INT64, INT64, INT64), (BINARY["minus"], FP32, INT64, FP64),
    (BINARY["second"], BOOL, FP64, FP64), (BINARY["lt"], INT8, INT64, BOOL),
]  # fmt: skip


@st.composite
def kroneckers(draw: Any, algebra: Any) -> Statement:
    op, left, right, out = algebra
    few = st.sampled_from([0, 1, 2, 3, 5])
    A = draw(st.tuples(few, few).flatmap(lambda s: matrices(left, s)))
    B = draw(st.tuples(few, few).flatmap(lambda s: matrices(right, s)))
    B = A if left == right and draw(st.integers(0, 4)) == 0 else B
    turned = draw(st.booleans())
    answer = spec.kronecker(spec.transpose(A) if turned else A, B, op)
    rest = draw(writes(out, answer.shape, accum=ACCUMS[0])) | {"schedule": None}
    return Statement(
        f"{op.name}: kronecker(A{'.T' * turned}, B)", (A, B),
        lambda x, y: expressions.Kronecker(x.T if turned else x, y, op), [answer], **rest,
    )  # fmt: skip


@examples(105)
@given(data=st.data(), algebra=st.sampled_from(KRONECKER), seed=seeds)
def test_kronecker(data: Any, algebra: Any, seed: int) -> None:
    data.draw(kroneckers(algebra)).check(*BOTH, seed=seed)


def test_entries_are_removed_where_a_mask_allows_it(backend: Any) -> None:
    A = lg.Matrix.from_coo([0, 1, 1], [1, 2, 0], [1, 2, 3], nrows=3, ncols=3, backend=backend)
    mask = lg.Matrix.from_coo([1], [2], [True], nrows=3, ncols=3, backend=backend)
    del A(mask.S)[0, 1]
    assert A.nvals == 3
    del A(mask.S)[0:2, :]
    assert A.to_coo()[0].tolist() == [0, 1]
    del A()[0, :]
    assert A.nvals == 1 and A.get(1, 0) == 3


def test_a_mask_is_no_index(backend: Any) -> None:
    v = lg.Vector.from_dense([1, 2], backend=backend)
    with pytest.raises(WrongKind, match="as index, got Mask"):
        del v[v.S]


@pytest.mark.parametrize("size", [3.0, True, "3", -1])
def test_the_size_is_checked_though_it_stays(size: Any, backend: Any) -> None:
    v = lg.Vector.from_dense([1, 2, 3], backend=backend)
    with pytest.raises((WrongDimension, NegativeSize), match="expected a size"):
        v.resize(size)
    v.resize(3)
    assert v.to_dense().tolist() == [1, 2, 3]


@examples(55)
@given(data=st.data(), shape=shapes, new=shapes, backend=st.sampled_from(BOTH))
def test_resize(data: Any, shape: Any, new: Any, backend: Any) -> None:
    for s, to in ((data.draw(matrices(INT64, shape)), new),
                  (data.draw(vectors(FP32, shape[0])), new[:1])):  # fmt: skip
        inside = {p: x for p, x in s.entries.items() if np.less(p, to).all()}
        held = put(s, backend)
        held.resize(*to)
        assert not complaint(take(held), [Sparse(s.dtype, to, inside)])


@examples(55)
@given(data=st.data(), backend=st.sampled_from(BOTH))
def test_concat_and_split(data: Any, backend: Any) -> None:
    few = st.lists(st.integers(0, 5), min_size=1, max_size=3)
    heights, widths = data.draw(few), data.draw(few)
    kinds = st.sampled_from([INT64, FP32, BOOL])
    tiles = [[data.draw(matrices(data.draw(kinds), (h, w))) for w in widths] for h in heights]
    held = [[put(t, backend) for t in row] for row in tiles]
    whole = lg.concat(held)
    right = spec.concat(tiles, whole.dtype)
    assert not complaint(take(whole), [right])
    again = lg.split(whole, (heights, widths))
    for row, parts in zip(tiles, again, strict=True):
        for tile, part in zip(row, parts, strict=True):
            assert not complaint(take(part), [tile.cast(whole.dtype)])
    u, v = data.draw(vectors(INT64, heights[0])), data.draw(vectors(FP64, widths[0]))
    joined = lg.concat([put(u, backend), put(v, backend)])
    assert joined.size == heights[0] + widths[0]
    for part, s in zip(lg.split(joined, [heights[0], widths[0]]), (u, v), strict=True):
        assert not complaint(take(part), [s.cast(FP64)])


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_split_by_one_size(backend: Any) -> None:
    A = put(Sparse(INT64, (5, 3), {(4, 2): INT64.type(9)}), backend)
    sizes = [[t.shape for t in row] for row in lg.split(A, 2)]
    assert sizes == [[(2, 2), (2, 1)], [(2, 2), (2, 1)], [(1, 2), (1, 1)]]
    assert [t.nvals for row in lg.split(A, (2, None)) for t in row] == [0, 0, 1]
    column = lg.Vector.from_coo([1], [8], size=5, backend=backend)
    assert lg.concat([[A, column]]).to_coo()[1].tolist() == [3, 2]
    with pytest.raises(lg.errors.DimensionMismatch, match="sum up to 5"):
        lg.split(A, ([1, 1], 3))
    with pytest.raises(lg.errors.DimensionMismatch, match="one height in row 0"):
        lg.concat([[A, put(Sparse(INT64, (4, 1)), backend)]])


def test_power() -> None:
    A = Sparse(INT64, (4, 4), {p: INT64.type(3) for p in itertools.product(range(4), range(2))})
    held, right = put(A, CPU), A
    assert held.power(0).new().isequal(lg.Vector.from_scalar(1, 4, backend=CPU).diag())
    for n in range(1, 8):
        assert not complaint(take(held.power(n).new()), [right])
        [right] = spec.mxm(right, A, plus_times)
    assert held.power(0, min_plus).new().diag().to_coo()[1].tolist() == [0] * 4


def test_an_index_is_read_as_python_does() -> None:
    u = Sparse(INT64, (6,), {i: INT64.type(i) for i in range(6)})
    for backend in BOTH:
        v = put(u, backend)
        for at in (slice(None, None, -2), slice(-3, None), [-1, 0, -1], slice(9, 2), slice(2, 2)):
            right = np.arange(6)[at].tolist()
            assert v[at].new().to_coo()[1].tolist() == right
    assert index((None, 3)) == (slice(None), 3)


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_a_product_without_a_semiring_is_plus_times(backend: Any) -> None:
    """As in python-graphblas; and a transpose can be asked what a matrix can."""
    A = put(Sparse(INT64, (2, 3), {(0, 1): INT64.type(5), (1, 1): INT64.type(7)}), backend)
    right = plus_times(A @ A.T).new()
    C = lg.Matrix("INT64", 2, 2, backend=backend)
    C << A @ A.T
    assert C.isequal(right) and (A @ A.T).new().isequal(right)
    C @= C
    assert C.isequal(plus_times(right @ right).new())
    assert A.T.nvals == 2 and A.T.shape == (3, 2) and A.T.to_coo()[0].tolist() == [1, 1]
    assert A.T.reduce_scalar().new().value == 12 and A.T.reduce("max").new().value == 7
    assert A.T.diag().to_coo()[1].tolist() == [7]


def test_a_row_whose_entries_are_gone_is_not_reduced() -> None:
    """SuiteSparse 9.4 reduces what is in memory, if the row is still listed."""
    C = lg.Matrix.from_coo([], [], [], "INT32", nrows=2, ncols=1, backend=CPU)
    del C[0, 0]
    C(BINARY["plus"]) << lg.Matrix("INT32", 2, 1, backend=CPU)
    assert C.reduce_rowwise("max").new().nvals == 0
    A = put(Sparse(FP64, (2, 2), {(0, 1): FP64.type(5)}), CPU)
    assert A.apply("diagindex", 0).new().to_coo()[2].tolist() == [1]
