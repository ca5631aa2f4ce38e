"""Operations that yield a matrix, and reductions.

Products of two matrices are in ``test_matrix_products``, but for those with a diagonal. What the
GPU backend has not is refused by name, with the output as it was.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.gpu.storage import vector_storage
from lagraph_gpu.notation import expressions, update
from semirings import (
    BINARY,
    INDEXUNARY,
    MONOIDS,
    any_eq,
    any_plus,
    any_second,
    any_times,
    monoid,
    types,
)
from semirings.types import FP64, INT32, INT64
from tests import spec
from tests.harness import BOTH, CPU, DEVICE, GPU, Statement, put, reseed
from tests.operations.test_elementwise import EXACT, EXACT_UNARY, INDEX_OPS, POSITIONAL, fixed
from tests.spec import Sparse
from tests.strategies import (
    ACCUMS,
    SIZES,
    SMALL_SIZES,
    Algebra,
    algebras,
    alike,
    containers,
    dtypes,
    examples,
    matrices,
    monoid_types,
    needs_mild,
    seeds,
    values,
    vectors,
    whole_catalogue,
    writes,
)

RNG = random.Random(9)
sides = st.sampled_from(SMALL_SIZES)
shapes = st.tuples(sides, sides)


def whole(out: Any, shape: tuple[int, int]) -> dict[str, Any]:
    """A write without mask or accumulator, whose result becomes the output as it is."""
    return {"out": Sparse(out, shape)}


# --- on both backends --------------------------------------------------------------------------


@st.composite
def applied(draw: Any, algebra: Any) -> Statement:
    op, dtype, _, out, accum = algebra
    A = draw(shapes.flatmap(lambda s: matrices(dtype, s)))
    turned = draw(st.booleans())
    read = spec.transpose(A) if turned else A
    return Statement(
        f"{op.name}(A{'.T' * turned})", (A,), lambda x: _apply(x.T if turned else x, op),
        [spec.apply(read, op)], **draw(writes(out, read.shape, A, accum=accum)),
    )  # fmt: skip


def _apply(x: Any, op: Any) -> Any:
    from lagraph_gpu.notation.expressions import Apply

    return Apply(x, op)


@examples(85)
@given(data=st.data(), algebra=st.sampled_from(fixed(EXACT_UNARY, 14)), seed=seeds)
def test_apply(data: Any, algebra: Any, seed: int) -> None:
    data.draw(applied(algebra)).check(*BOTH, seed=seed)


@st.composite
def bound(draw: Any, algebra: Any) -> Statement:
    op, dtype, number, out, _ = algebra
    A, value = draw(shapes.flatmap(lambda s: matrices(dtype, s))), draw(values(number, False))
    side = {draw(st.sampled_from(["left", "right"])): value}
    answer = spec.apply_bound(A, op, **side)
    return Statement(f"{op.name} {side}", (A,), lambda x: x.apply(op, **side), [answer],
                     **whole(out, A.shape))  # fmt: skip


@examples(40)
@given(data=st.data(), algebra=st.sampled_from(fixed(EXACT, 20)), seed=seeds)
def test_apply_with_a_bound_number(data: Any, algebra: Any, seed: int) -> None:
    data.draw(bound(algebra)).check(*BOTH, seed=seed)


@st.composite
def indexed(draw: Any, algebra: Any, selects: bool) -> Statement:
    op, dtype, _, out, _ = algebra
    A = draw(shapes.flatmap(lambda s: matrices(dtype, s)))
    thunk = draw(values(dtype, False)) if op.thunk is None else np.int64(draw(st.integers(-9, 9)))
    answer = (spec.select if selects else spec.apply_index)(A, op, thunk)
    return Statement(
        f"{op.name} {thunk}", (A,), lambda x: (x.select if selects else x.apply)(op, thunk),
        [answer], **whole(dtype if selects else out, A.shape),
    )  # fmt: skip


MATRIX_INDEX_OPS = fixed(
    [INDEXUNARY[n] for n in ("tril", "triu", "diag", "offdiag", "rowle", "colgt")]
    + [a[0] for a in INDEX_OPS if a[0].name.startswith("value")],
    24,
)


@pytest.mark.parametrize("selects", [True, False])
@examples(55)
@given(data=st.data(), algebra=st.sampled_from(MATRIX_INDEX_OPS), seed=seeds)
def test_positions_and_values(selects: bool, data: Any, algebra: Any, seed: int) -> None:
    data.draw(indexed(algebra, selects)).check(*BOTH, seed=seed)


@st.composite
def scaled(draw: Any, algebra: Algebra) -> Statement:
    """A matrix whose rows or columns a diagonal scales."""
    ring, d_type, a_type, out, _ = algebra
    A = draw(shapes.flatmap(lambda s: matrices(a_type, s)))
    left = draw(st.booleans())
    d = draw(vectors(d_type, A.shape[0 if left else 1]))
    D = spec.diagonal(d)
    return Statement(
        f"{ring.name}({'d.diag() @ A' if left else 'A @ d.diag()'})", (d, A),
        lambda x, y: ring(x.diag() @ y if left else y @ x.diag()),
        spec.mxm(D, A, ring) if left else spec.mxm(A, D, ring), **whole(out, A.shape),
    )  # fmt: skip


SCALING = [(any_plus, INT64, INT64, INT64, None), (any_eq, INT32, FP64, types.BOOL, None)]


@examples(85)
@given(data=st.data(), algebra=st.sampled_from(SCALING + algebras(24, seed=2)), seed=seeds)
def test_scaling(data: Any, algebra: Algebra, seed: int) -> None:
    data.draw(scaled(algebra)).check(*BOTH, seed=seed)


@st.composite
def ewise(draw: Any, algebra: Any) -> Statement:
    """Two matrices, either read transposed, into an output that may be one of them."""
    op, left, right, out, accum = algebra
    shape = draw(shapes)
    turned = draw(st.tuples(st.booleans(), st.booleans()))
    A = draw(matrices(left, shape[::-1] if turned[0] else shape))
    B = draw(matrices(right, shape[::-1] if turned[1] else shape))
    if left == right and A.shape == B.shape and draw(st.integers(0, 5)) == 0:
        B = A  # one handle twice
    read = [spec.transpose(X) if t else X for X, t in zip((A, B), turned, strict=True)]
    how = draw(st.sampled_from(["add", "mult", "union"]))
    meet = types.unify(left, right).type
    a, b = meet(draw(st.sampled_from([0, 1]))), meet(draw(st.sampled_from([0, 1])))
    answer = {
        "add": lambda: spec.ewise_add(*read, op),
        "mult": lambda: spec.ewise_mult(*read, op),
        "union": lambda: spec.ewise_union(*read, op, a, b),
    }[how]()
    defaults = (a, b) if how == "union" else (None, None)

    def build(x: Any, y: Any) -> Any:
        operands = (z.T if t else z for z, t in zip((x, y), turned, strict=True))
        return expressions.Ewise(how, *operands, op, *defaults)

    rest = draw(writes(out, shape, A, B, accum=accum))
    rest["schedule"] = None
    return Statement(f"ewise_{how}({op.name}, {a}, {b}), transposed {turned}", (A, B), build,
                     [answer], **rest)  # fmt: skip


FIXED_EWISE = fixed(EXACT, 26) + POSITIONAL
WIDE = (BINARY["minus"], INT64, INT64, INT64, BINARY["minus"])


@examples(105)
@given(data=st.data(), algebra=st.sampled_from(FIXED_EWISE), seed=seeds)
def test_ewise(data: Any, algebra: Any, seed: int) -> None:
    data.draw(ewise(algebra)).check(*BOTH, seed=seed)


@examples(55)
@given(data=st.data(), seed=seeds, few=st.integers(0, 99))
def test_ewise_where_row_offsets_differ_in_width(data: Any, seed: int, few: int) -> None:
    """Offsets get 64 bits from ``few`` entries on, so that operands, mask and output mix them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vector_storage, "INT32_OFFSETS_BELOW", few)
        data.draw(ewise(WIDE)).check(*BOTH, seed=seed)


@st.composite
def filled(draw: Any, number: Any, out: Any) -> Statement:
    """A number at each position where an uncomplemented mask is true."""
    shape, value = draw(shapes), draw(values(number, False))
    rest = draw(writes(out, shape, accum=BINARY["plus"]))
    if rest["mask"] is None or rest["mask"].complement:
        of = draw(dtypes.flatmap(lambda d: matrices(d, shape)) | st.just(rest["out"]))
        rest["mask"] = spec.Mask(of, draw(st.booleans()))
    return Statement(f"fill {value}", (), lambda: value, [spec.fill(value, shape)], **rest)


@examples(85)
@given(data=st.data(), pair=st.sampled_from([(INT64, INT64), (FP64, INT32)]), seed=seeds)
def test_fill(data: Any, pair: Any, seed: int) -> None:
    data.draw(filled(*pair)).check(*BOTH, seed=seed)


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_isequal(backend: Any) -> None:
    A = Sparse(INT64, (3, 40), {(0, 1): INT64.type(5), (2, 39): INT64.type(7)})
    other = Sparse(INT64, (3, 40), {(0, 1): INT64.type(5), (2, 39): INT64.type(8)})
    moved = Sparse(INT64, (3, 40), {(0, 1): INT64.type(5), (1, 39): INT64.type(7)})
    x = put(A, backend)
    assert x.isequal(x) and x.isequal(put(A, backend)) and x.isequal(put(A.cast(FP64), backend))
    assert not x.isequal(put(A.cast(FP64), backend), check_dtype=True)
    assert not any(x.isequal(put(s, backend)) for s in (other, moved, Sparse(INT64, (3, 40))))
    empty = put(Sparse(INT64, (0, 4)), backend)
    assert empty.isequal(empty) and not empty.isequal(x)


def test_a_merge_waits_once() -> None:
    A = put(Sparse(INT64, (2, 2), {(0, 1): INT64.type(5)}), GPU)
    before = DEVICE.waits
    A(A.V, BINARY["plus"]) << 1
    assert DEVICE.waits == before + 1


# --- reductions --------------------------------------------------------------------------------

OWN_MONOID = monoid("x if x > y else y", "lowest", idempotent=True, name="own_max")
FOLDS = [*RNG.sample(monoid_types(), 34), (OWN_MONOID, INT32), (OWN_MONOID, FP64)]
FOLDS += [(m, FP64) for m in map(MONOIDS.__getitem__, ("plus", "min", "max", "times", "any"))]


def is_delicate(add: Any, dtype: Any) -> bool:
    """Our own maximum is a monoid for numbers only: it loses a NaN or keeps it, as they come."""
    return needs_mild(add, dtype) or add is OWN_MONOID


@examples(105)
@given(data=st.data(), fold=st.sampled_from(FOLDS), seed=seeds)
def test_reduce_rowwise(data: Any, fold: Any, seed: int) -> None:
    add, dtype = fold
    A = data.draw(shapes.flatmap(lambda s: matrices(dtype, s, is_delicate(add, dtype))))
    rest = data.draw(writes(dtype, A.shape[:1], accum=BINARY["second"]))
    answers = spec.reduce_rowwise(A, add)
    Statement(add.name, (A,), lambda x: x.reduce_rowwise(add), answers, **rest).check(seed=seed)


@examples(85)
@given(data=st.data(), fold=st.sampled_from(FOLDS), seed=seeds)
def test_reduce(data: Any, fold: Any, seed: int) -> None:
    add, dtype = fold
    mild = is_delicate(add, dtype)
    shape = data.draw(shapes | st.tuples(st.sampled_from([*SIZES, 700])))
    u = data.draw(containers(dtype, shape, mild))
    w = data.draw(st.none() | values(dtype, mild))
    least = [BINARY["min"]] if dtype in BINARY["min"].domain else []
    accum = data.draw(st.sampled_from([None, *least, BINARY["second"]]))
    reseed(seed)
    for backend in BOTH:
        out = lg.Scalar(dtype, backend=backend)
        out.put(w)
        update.run(update.Update(out, put(u, backend).reduce(add), accum=accum))
        allowed = [spec.write_scalar(w, t, dtype, accum) for t in spec.reduce(u, add)]
        right = any(
            out._store is None if t is None else out._store is not None and spec.same(out._store, t)
            for t in allowed
        )
        assert right, f"{backend.name}: {out._store}, where {set(map(str, allowed))} belongs; {u}"


def test_a_diagonal_is_what_the_vector_was(backend: Any) -> None:
    """It may share the vector's memory, and have no rows, until somebody looks."""
    v = lg.Vector.from_coo([0, 2], [5, 7], size=3, backend=backend)
    A = lg.Matrix.from_dense(np.arange(1, 10).reshape(3, 3), backend=backend)
    D, E = v.diag(), v.diag()
    v[0] << 100
    v(accum="plus") << v
    right = [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)], [5, 10, 15, 49, 56, 63]
    for factor in (D, D.dup(), D.T):
        i, j, x = any_times(factor @ A).new().to_coo()
        assert (list(zip(i, j)), x.tolist()) == right
    assert (D.nvals, D[2, 2].get(), D.reduce().new().value) == (2, 7, 12)
    assert [x.tolist() for x in E.to_coo()] == [[0, 2], [0, 2], [5, 7]]
    i, j, x = any_times(E @ A).new().to_coo()
    assert (list(zip(i, j)), x.tolist()) == right
    assert D.isequal(E) and D.kronecker(E, BINARY["times"]).new().nvals == 4


def test_products_with_full_selectors_are_full(backend: Any) -> None:
    x = lg.Vector.from_dense([3, 4, 5], backend=backend)
    whole, holes = lg.Vector.from_dense([2, 2, 0], backend=backend), x.select("<", 5).new()
    assert any_second(whole.selector() @ x).new().to_dense().tolist() == [5, 5, 3]
    assert any_second(whole.selector() @ holes).new().to_dict() == {2: 3}
    some = lg.Vector.from_coo([1], [0], size=3, backend=backend)
    assert any_second(some.selector() @ x).new().to_dict() == {1: 3}
    masked = lg.Vector("INT64", 3, backend=backend)
    masked(some.S) << any_second(whole.selector() @ x)
    assert masked.to_dict() == {1: 5}


# --- the CPU backend has all of it -------------------------------------------------------------


@st.composite
def any_ewise(draw: Any) -> Statement:
    op = draw(st.sampled_from(EXACT))
    left = draw(st.sampled_from(alike(op)))
    meeting = [t for t in alike(op) if types.unify(left, t) in alike(op)]
    right = draw(st.just(left) | st.sampled_from(meeting))
    shape = draw(shapes)
    A, B = draw(matrices(left, shape)), draw(matrices(right, shape))
    how = draw(st.sampled_from(["add", "mult"]))
    answer = (spec.ewise_add if how == "add" else spec.ewise_mult)(A, B, op)
    rest = draw(writes(draw(dtypes), shape, A, B, accum=draw(st.sampled_from(ACCUMS))))
    return Statement(f"ewise_{how}({op.name})", (A, B),
                     lambda x, y: getattr(x, f"ewise_{how}")(y, op), [answer], **rest)  # fmt: skip


@examples(105)
@given(statement=any_ewise())
def test_ewise_on_cpu(statement: Statement) -> None:
    statement.check(CPU)


@examples(105)
@given(data=st.data(), algebra=whole_catalogue())
def test_mxm_on_cpu(data: Any, algebra: Algebra) -> None:
    ring, left, right, out, accum = algebra
    mild = needs_mild(ring.monoid, ring.output(left, right))
    rows, inner, columns = (data.draw(sides) for _ in range(3))
    A = data.draw(matrices(left, (rows, inner), mild))
    B = data.draw(matrices(right, (inner, columns), mild))
    rest = data.draw(writes(out, (rows, columns), A, B, accum=accum, mild=mild))
    rest["schedule"] = None
    answers = spec.mxm(A, B, ring)
    Statement(ring.name, (A, B), lambda x, y: ring(x @ y), answers, **rest).check(CPU)
