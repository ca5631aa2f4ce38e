"""Element-wise operations on vectors, extract, assign and copies, on both backends.

What runs is drawn from fixed lists of operators and types (see strategies); the data, the mask, the
region and what is aliased are free.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from semirings import BINARY, INDEXUNARY, UNARY, DomainError, binary, indexunary, types, unary
from semirings.types import FP64, INT16, INT32, INT64
from tests import spec
from tests.harness import BOTH, CPU, GPU, Statement, put
from tests.spec import Sparse
from tests.strategies import (
    ACCUMS,
    SIZES,
    alike,
    dtypes,
    examples,
    regions,
    seeds,
    values,
    vectors,
    writes,
)

RNG = random.Random(4)
sizes = st.sampled_from(SIZES)

# Operators whose last bits differ between libraries are compared in tests/laws, within bounds.
INEXACT = ("any", "pow", "rpow", "atan2", "hypot", "binom", "ldexp")
EXACT = [op for op in BINARY.values() if not op.positional and op.name not in (*INEXACT, "cmplx")]
EXACT_UNARY = [
    UNARY[n] for n in ("identity", "one", "ainv", "minv", "abs", "lnot", "bnot", "floor", "sqrt",
                       "signum", "isnan", "isinf", "positioni", "positionj1")
]  # fmt: skip


def fixed(ops: list[Any], count: int) -> list[tuple[Any, Any, Any, Any, Any]]:
    """(operator, left type, right type, output type, accumulator): each operator at least once."""
    chosen = []
    for n in range(count):
        op = ops[n % len(ops)]
        left = RNG.choice([d for d in op.domain if d in types.ALL])
        mixed = [d for d in types.ALL if types.unify(left, d) in op.domain]
        right = RNG.choice(mixed) if RNG.random() < 0.4 else left
        out = RNG.choice(types.ALL) if RNG.random() < 0.3 else op.output(types.unify(left, right))
        chosen.append((op, left, right, out, RNG.choice(ACCUMS)))
    return chosen


# --- two operands ------------------------------------------------------------------------------


@st.composite
def ewise(draw: Any, algebra: Any) -> Statement:
    op, left, right, out, accum = algebra
    size = draw(sizes)
    u, v = draw(vectors(left, size)), draw(vectors(right, size))
    if left == right and draw(st.integers(0, 5)) == 0:
        v = u  # one handle twice
    how = draw(st.sampled_from(["add", "mult", "union"]))
    a, b = draw(st.sampled_from([0, 1, 2])), draw(st.sampled_from([0, 1, 3]))
    if types.BOOL in (left, right):
        a, b = a and 1, b and 1
    meet = types.unify(left, right).type
    answer = {
        "add": lambda: spec.ewise_add(u, v, op),
        "mult": lambda: spec.ewise_mult(u, v, op),
        "union": lambda: spec.ewise_union(u, v, op, meet(a), meet(b)),
    }[how]()
    build = {
        "add": lambda x, y: x.ewise_add(y, op),
        "mult": lambda x, y: op(x & y),
        "union": lambda x, y: x.ewise_union(y, op, meet(a), meet(b)),
    }[how]
    rest = draw(writes(out, (size,), u, v, accum=accum))
    return Statement(f"ewise_{how}({op.name}, {a}, {b})", (u, v), build, [answer], **rest)


FIXED_EWISE = fixed(EXACT, 70)


@examples(175)
@given(data=st.data(), algebra=st.sampled_from(FIXED_EWISE), seed=seeds)
def test_ewise(data: Any, algebra: Any, seed: int) -> None:
    data.draw(ewise(algebra)).check(*BOTH, seed=seed)


@st.composite
def any_ewise(draw: Any) -> Statement:
    op = draw(st.sampled_from(EXACT))
    left = draw(st.sampled_from(alike(op)))
    right = draw(st.sampled_from([d for d in types.ALL if types.unify(left, d) in op.domain]))
    return draw(ewise((op, left, right, draw(dtypes), draw(st.sampled_from(ACCUMS)))))


@examples(420)
@given(statement=any_ewise())
def test_every_operator_on_cpu(statement: Statement) -> None:
    statement.check(CPU)


def test_a_large_integer_alone_goes_on_as_it_is(backend: Any) -> None:
    """Beside a vector of FP64 that has no entry there, under an operator that yields positions."""
    u = lg.Vector.from_coo([1], [2**63 - 1], "INT64", size=2, backend=backend)
    v = lg.Vector.from_coo([0], [0.5], size=2, backend=backend)
    for op in ("firsti", "secondi"):
        made = u.ewise_add(v, BINARY[op]).new()
        assert made.dtype == INT64 and made[1].get() == 2**63 - 1


def test_mixed_types_of_a_compiled_operator(backend: Any) -> None:
    """floordiv is compiled for the types that it gets: 1 // (2⁶⁴ - 2), not 1 // -2."""
    u = lg.Vector.from_coo([0], [True], size=1, backend=backend)
    v = lg.Vector.from_coo([0], [2**64 - 2], "UINT64", size=1, backend=backend)
    floordiv = BINARY["floordiv"]
    for made in (
        u.ewise_add(v, floordiv),
        u.ewise_mult(v, floordiv),
        u.ewise_union(v, floordiv, 1, 1),
    ):
        assert made.new()[0].get() == 0


# --- one operand -------------------------------------------------------------------------------

OWN_UNARY = [unary("x * x - 1", name="own_square"), unary("x if x > 0 else -x", name="own_abs")]


@st.composite
def applied(draw: Any, algebra: Any) -> Statement:
    op, dtype, _, out, accum = algebra
    u = draw(vectors(dtype, draw(sizes)))
    rest = draw(writes(out, u.shape, u, accum=accum))
    return Statement(f"{op.name}", (u,), lambda x: x.apply(op), [spec.apply(u, op)], **rest)


@examples(140)
@given(data=st.data(), algebra=st.sampled_from(fixed(EXACT_UNARY, 28)), seed=seeds)
def test_apply(data: Any, algebra: Any, seed: int) -> None:
    data.draw(applied(algebra)).check(*BOTH, seed=seed)


@pytest.mark.parametrize("op", OWN_UNARY, ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", [INT16, FP64], ids=str)
@examples(5)
@given(data=st.data(), seed=seeds)
def test_apply_users_own(op: Any, dtype: Any, data: Any, seed: int) -> None:
    data.draw(applied((op, dtype, None, op.output(dtype), ACCUMS[0]))).check(*BOTH, seed=seed)


@st.composite
def bound(draw: Any, algebra: Any) -> Statement:
    """A binary operator with a typed number on one side."""
    op, dtype, number, out, accum = algebra
    u, value = draw(vectors(dtype, draw(sizes))), draw(values(number, False))
    left = draw(st.booleans())
    side = {"left": value} if left else {"right": value}
    return Statement(
        f"{op.name} bound {side}", (u,), lambda x: x.apply(op, **side),
        [spec.apply_bound(u, op, **side)], **draw(writes(out, u.shape, u, accum=accum)),
    )  # fmt: skip


BOUND = [
    BINARY[n]
    for n in ("plus", "minus", "times", "min", "max", "first", "second", "truediv", "eq", "ne",
              "lt", "ge", "land", "islt", "rminus", "floordiv")
]  # fmt: skip


@examples(140)
@given(data=st.data(), algebra=st.sampled_from(fixed(BOUND, 32)), seed=seeds)
def test_apply_with_a_bound_number(data: Any, algebra: Any, seed: int) -> None:
    data.draw(bound(algebra)).check(*BOTH, seed=seed)


PYTHON_NUMBERS = [(INT32, 7), (FP64, 7), (FP64, 0.5), (INT32, 0.5), (types.BOOL, 7),
                  (types.UINT8, 3), (types.FP32, 0.1), (types.INT8, 100)]  # fmt: skip


@pytest.mark.parametrize(("dtype", "number"), PYTHON_NUMBERS, ids=str)
def test_a_python_number_takes_the_operands_type(dtype: Any, number: Any, backend: Any) -> None:
    """… or the least of INT64 and FP64 that admits it."""
    joined = dtype
    if isinstance(number, float) and dtype.kind != "f":
        joined = FP64
    elif dtype.kind == "b":
        joined = INT64
    u = Sparse(dtype, (3,), {0: dtype.type(1), 2: dtype.type(100)})
    op = BINARY["plus"]
    answer = spec.apply_bound(u, op, right=joined.type(number))
    out = Sparse(answer.dtype, (3,))
    Statement("", (u,), lambda x: x.apply(op, number), [answer], out).check(backend)


# --- positions ---------------------------------------------------------------------------------


def index_ops() -> list[Any]:
    ops = [op for op in INDEXUNARY.values() if "col" not in op.name and op.name != "index"]
    return fixed([op for op in ops if "index" not in op.name or op.name == "rowindex"], 36)


MIXED = (INT32, types.UINT64, FP64)
"""Types of a thunk beside that of the entries: they are compared where both fit."""


@st.composite
def indexed(draw: Any, algebra: Any, selects: bool) -> Statement:
    op, dtype, _, out, accum = algebra
    u = draw(vectors(dtype, draw(sizes)))
    thunk = draw(values(dtype, False)) if op.thunk is None else np.int64(draw(st.integers(-3, 40)))
    if selects and op.thunk is None:
        thunk = draw(st.just(thunk) | st.sampled_from(MIXED).flatmap(lambda t: values(t, False)))
    if selects:
        answer = spec.select(u, op, thunk)
        rest = draw(writes(u.dtype, u.shape, u, accum=accum))
        return Statement(f"select({op.name}, {thunk})", (u,), lambda x: x.select(op, thunk),
                         [answer], **rest)  # fmt: skip
    rest = draw(writes(out, u.shape, u, accum=accum))
    return Statement(f"apply({op.name}, {thunk})", (u,), lambda x: x.apply(op, thunk),
                     [spec.apply_index(u, op, thunk)], **rest)  # fmt: skip


POSITIONAL = [
    (BINARY[name], left, FP64, out, BINARY["plus"])
    for name, left, out in (
        ("firsti", INT64, INT64), ("firstj1", FP64, INT32), ("secondi", INT32, INT64),
        ("secondi1", INT64, FP64), ("secondj", FP64, INT64), ("firstj", INT64, INT64),
    )
]  # fmt: skip


@examples(85)
@given(data=st.data(), algebra=st.sampled_from(POSITIONAL), seed=seeds)
def test_positions_of_two_operands(data: Any, algebra: Any, seed: int) -> None:
    """Element by element both stand at one place: what is k in a product is i or j here."""
    data.draw(ewise(algebra)).check(*BOTH, seed=seed)
    op, dtype, _, out, accum = algebra
    u = data.draw(vectors(dtype, data.draw(sizes)))
    side = {data.draw(st.sampled_from(["left", "right"])): dtype.type(3)}
    rest = data.draw(writes(out, u.shape, u, accum=accum))
    Statement(f"{op.name} {side}", (u,), lambda x: x.apply(op, **side),
              [spec.apply_bound(u, op, **side)], **rest).check(*BOTH, seed=seed)  # fmt: skip


def test_an_inner_index_has_no_place_element_by_element() -> None:
    own = binary("x + k", name="own")
    u = put(Sparse(INT64, (3,), {1: INT64.type(5)}), CPU)
    for statement in (lambda: own(u | u), lambda: u.apply(own, right=1)):
        with pytest.raises(DomainError, match=r"own reads k, the inner index.*write i"):
            statement()


INDEX_OPS = index_ops()


@examples(105)
@given(data=st.data(), algebra=st.sampled_from(INDEX_OPS), seed=seeds)
def test_apply_index(data: Any, algebra: Any, seed: int) -> None:
    data.draw(indexed(algebra, selects=False)).check(*BOTH, seed=seed)


@examples(140)
@given(
    data=st.data(),
    algebra=st.sampled_from([a for a in INDEX_OPS if a[0].result == "bool"]),
    seed=seeds,
)
def test_select(data: Any, algebra: Any, seed: int) -> None:
    data.draw(indexed(algebra, selects=True)).check(*BOTH, seed=seed)


@examples(20)
@given(data=st.data(), seed=seeds)
def test_select_users_own(data: Any, seed: int) -> None:
    own = indexunary("x > y and i % 2 == 0", thunk="INT64", name="own_select")
    algebra = (own, INT64, None, INT64, ACCUMS[0])
    data.draw(indexed(algebra, selects=True)).check(*BOTH, seed=seed)


@examples(20)
@given(data=st.data(), seed=seeds)
def test_apply_users_own_index(data: Any, seed: int) -> None:
    own = indexunary("x * (i - y)", thunk="INT64", name="own_index")
    data.draw(indexed((own, INT64, None, INT64, ACCUMS[0]), selects=False)).check(*BOTH, seed=seed)


# --- extract, assign, fill, copy ---------------------------------------------------------------


@st.composite
def extracted(draw: Any, dtype: Any, out: Any) -> Statement:
    u = draw(vectors(dtype, draw(sizes)))
    most = u.shape[0] - 1
    index = draw(st.lists(st.integers(0, most), max_size=12)) if most >= 0 else []
    rest = draw(writes(out, (len(index),), u, accum=BINARY["plus"]))
    answers = [spec.extract(u, (index,))]
    return Statement(f"u[{index}]", (u,), lambda x: _part(x, index), answers, **rest)


def _part(u: Any, index: list[int]) -> Any:
    from lagraph_gpu.notation.expressions import Extract

    return Extract(u, (np.array(index, np.int64),))


TYPE_PAIRS = st.sampled_from([(a, RNG.choice(types.ALL)) for a in types.ALL])


@examples(105)
@given(data=st.data(), pair=TYPE_PAIRS, seed=seeds)
def test_extract(data: Any, pair: Any, seed: int) -> None:
    data.draw(extracted(*pair)).check(*BOTH, seed=seed)


@st.composite
def assigned(draw: Any, dtype: Any, out: Any) -> Statement:
    """w[I] << u, w[I] << number, or an expression; I may be everything."""
    size = draw(sizes)
    region = draw(regions(size))
    length = size if region is None else len(region)
    what = draw(st.sampled_from(["vector", "number", "expression"]))
    u = draw(vectors(dtype, length))
    number = draw(values(dtype, False))
    build, answer = {
        "vector": (lambda x: x, lambda: u),
        "number": (lambda x: number, lambda: spec.fill(number, (length,))),
        "expression": (
            lambda x: x.apply("ainv" if dtype.kind != "b" else "lnot"),
            lambda: spec.apply(u, UNARY["ainv" if dtype.kind != "b" else "lnot"]),
        ),
    }[what]
    rest = draw(writes(out, (size,), u, accum=BINARY["plus"]))
    return Statement(f"w[{region}] << {what}", (u,), build, [answer()],
                     region=None if region is None else (region,), **rest)  # fmt: skip


@examples(140)
@given(data=st.data(), pair=TYPE_PAIRS, seed=seeds)
def test_assign(data: Any, pair: Any, seed: int) -> None:
    data.draw(assigned(*pair)).check(*BOTH, seed=seed)


@pytest.mark.parametrize("shape", [(50,), (5, 8)])
@pytest.mark.parametrize("how", ["add", "mult", "union"])
def test_full_operands_into_one_value_for_all(shape: Any, how: str, backend: Any) -> None:
    """SuiteSparse 9.4 writes the results over the end of an output that holds one value for all."""
    kind: Any = lg.Vector if len(shape) == 1 else lg.Matrix
    one, two = (np.arange(np.prod(shape)).reshape(shape) + k for k in (1.0, 2.0))
    u, v = (kind.from_dense(x, backend=backend) for x in (one, two))
    out = kind.from_scalar(0.0, *shape, dtype="FP64", backend=backend)
    (
        out
        << {
            "add": lambda: BINARY["times"](u | v),
            "mult": lambda: BINARY["times"](u & v),
            "union": lambda: u.ewise_union(v, BINARY["times"], 0.0, 0.0),
        }[how]()
    )
    np.testing.assert_array_equal(out.to_dense(), one * two)


def test_selection_by_a_position_that_is_not_0(backend: Any) -> None:
    v = lg.Vector.from_coo([0, 3], [1.5, 2.0], size=5, backend=backend)
    assert v.select(lg.indexunary.index).new().to_dict() == {3: 2.0}
    assert v.select(lg.indexunary.index, -3).new().to_dict() == {0: 1.5}
    A = lg.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.5, 2.0, 3.0], backend=backend)
    assert A.select(lg.indexunary.rowindex).new().to_dicts() == {1: {2: 2.0}, 2: {0: 3.0}}
    assert A.T.select(lg.indexunary.diagindex, 1).new().to_coo()[0].tolist() == [0, 1, 2]
    assert A.select(lg.indexunary.diagindex, 1).new().to_coo()[2].tolist() == [3.0]


@pytest.mark.parametrize("dtype", ["INT8", "INT64", "FC64"])
def test_second_of_a_matrix_and_itself_under_its_own_mask(dtype: str) -> None:
    """SuiteSparse 9.4 loses the last entries of it where it holds A by rows."""
    for backend in ("cpu", GPU):
        A = lg.Matrix.from_coo([0, 0, 1], [0, 1, 1], [2, 3, 4], dtype, nrows=2, backend=backend)
        X = lg.Matrix(float, 2, 2, backend=backend)
        X(A.S) << lg.binary.second(A | A)
        assert X.to_coo()[2].tolist() == [2, 3, 4]
