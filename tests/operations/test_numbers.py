"""Numbers that meet a type: nothing wraps around unseen, and duplicates fold in their order."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.convert.edges import IN_ORDER, fold_duplicates
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.notation.checks import value_type
from semirings import BINARY, INDEXUNARY, MONOIDS, types
from semirings.types import BOOL, FP32, FP64, INT8, INT32, INT64, INTEGERS, UINT8, UINT16, UINT64
from tests import spec
from tests.harness import CPU, GPU, Statement, put, take
from tests.kernels import KINDS
from tests.spec import Sparse

SIGNS = {"==": "valueeq", "!=": "valuene", "<": "valuelt", "<=": "valuele", ">": "valuegt",
         ">=": "valuege"}  # fmt: skip
BEYOND = (-(2**63), -1, 300, 70_000, 2**40, 2**63, 2**64, -(2**70))


NARROW = [t for t in INTEGERS if t.itemsize < 8]


def each(on_cpu: Iterable[Any], on_gpu: Iterable[Any]) -> list[Any]:
    """Backends with types. Every kernel of a type is compiled, so a GPU has one of each kind."""
    return [pytest.param(CPU, t, id=f"cpu-{t}") for t in on_cpu] + [
        pytest.param(GPU, t, id=f"gpu-{t}") for t in on_gpu
    ]


def some(dtype: Any) -> Sparse:
    held = [types.lowest(dtype), 1, 50, 100, types.highest(dtype)]
    return Sparse(dtype, (6,), {i: dtype.type(x) for i, x in enumerate(held)})


def exactly(u: Sparse, sign: str, number: int) -> list[int]:
    """The positions that a comparison of Python's integers keeps."""
    keep = {"==": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__",
            ">=": "__ge__"}[sign]  # fmt: skip
    return [p for p, x in u.entries.items() if getattr(int(x), keep)(number)]


@pytest.mark.parametrize(("backend", "dtype"), each(NARROW, (INT8, UINT16)))
@pytest.mark.parametrize("sign", SIGNS)
def test_select_by_any_integer(dtype: Any, sign: str, backend: Any) -> None:
    u = some(dtype)
    for number in BEYOND:
        found = put(u, backend).select(sign, number).new()
        assert sorted(take(found).entries) == exactly(u, sign, number), number
        assert found.dtype == dtype


@pytest.mark.parametrize(("backend", "dtype"), each(types.ALL, KINDS))
def test_select_and_apply_where_both_fit(dtype: Any, backend: Any) -> None:
    """The 64-bit types too, whose meeting with a larger number is in FP64."""
    u = some(dtype)
    for number in BEYOND:
        thunk = value_type(number, dtype).type(number)
        for sign, name in SIGNS.items():
            out = Sparse(dtype, u.shape)
            Statement(f"{sign} {number}", (u,), lambda x, s=sign, n=number: x.select(s, n),
                      [spec.select(u, INDEXUNARY[name], thunk)], out).check(backend)  # fmt: skip
            met = u.cast(types.unify(dtype, thunk.dtype))
            Statement(f"apply {name} {number}", (u,), lambda x, o=name, n=number: x.apply(o, n),
                      [spec.apply_index(met, INDEXUNARY[name], thunk)], Sparse(BOOL, u.shape),
                      ).check(backend)  # fmt: skip
        for name in ("plus", "minus", "min"):
            op = BINARY[name]
            answer = spec.apply_bound(u, op, right=thunk)
            Statement(f"{name} {number}", (u,), lambda x, o=op, n=number: x.apply(o, n),
                      [answer], Sparse(answer.dtype, u.shape)).check(backend)  # fmt: skip
            answer = spec.apply_bound(u, op, left=thunk)
            Statement(f"{number} {name}", (u,), lambda x, o=op, n=number: x.apply(o, left=n),
                      [answer], Sparse(answer.dtype, u.shape)).check(backend)  # fmt: skip


def test_select_of_a_matrix(backend: Any) -> None:
    A = lg.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1, 50, 100], "INT8", backend=backend)
    assert A.select(">", 300).new().nvals == 0
    assert A.select("<", 300).new().nvals == 3
    assert A.apply("valuelt", 300).new().to_coo()[2].tolist() == [True] * 3
    assert A.apply("plus", 300).new().to_coo()[2].tolist() == [301, 350, 400]


def test_an_assigned_integer_beyond_64_bits(backend: Any) -> None:
    v = lg.Vector("FP64", 2, backend=backend)
    v << 2**70
    assert v.to_coo()[1].tolist() == [2.0**70] * 2
    with pytest.raises(InvalidValue, match="fits INT64"):
        v.dup("INT64") << 2**70


@pytest.mark.parametrize("backend", [CPU, GPU], ids=["cpu", "gpu"])
def test_an_integer_of_64_bits_without_sign_is_assigned_anywhere(backend: Any) -> None:
    """python-graphblas, which the CPU calls, makes an INT64 of every integer of Python."""
    v, A = lg.Vector("UINT64", 4, backend=backend), lg.Matrix("UINT64", 2, 2, backend=backend)
    highest = 2**64 - 1
    v[0] = highest
    v[[1, 2]] << highest - 1
    v("min")[3] << 2**63
    A[0, 1] = highest
    A[1, :] = 2**63
    assert v.to_dense().tolist() == [highest, highest - 1, highest - 1, 2**63]
    assert A.to_coo()[2].tolist() == [highest, 2**63, 2**63]


def test_the_type_of_a_python_number() -> None:
    for number, beside, expected in [
        (100, INT8, INT64), (300, INT8, INT64), (-1, UINT8, INT64), (255, UINT8, INT64),
        (3, INT32, INT64), (3, UINT64, UINT64), (-3, UINT64, INT64), (3, INT64, INT64),
        (2**63, INT8, UINT64), (2**64, INT8, FP64), (-(2**63) - 1, INT64, FP64),
        (1, BOOL, INT64), (7, FP32, FP32), (2**200, FP32, FP64), (0.1, FP32, FP32),
        (1e300, FP32, FP64), (float("inf"), FP32, FP32), (0.5, INT8, FP64), (True, INT8, INT8),
        (np.int8(5), INT64, INT8), (np.array(300), INT8, INT64),
    ]:  # fmt: skip
        assert value_type(number, beside) == expected, number
    assert value_type(100, INT8, compared=True) == INT8
    assert value_type(300, INT8, compared=True) == INT64


REFUSED: list[tuple[Any, str, str]] = [
    ([1, 300], "INT8", "fit INT8, got 300 at position 1"),
    (300, "INT8", "fit INT8, got 300 at position 0"),
    ([-1], "UINT64", "got -1"),
    ([np.nan], "INT8", "got nan"),
    ([0, np.inf], "INT64", "got inf at position 1"),
    ([1e30], "INT32", "got 1e[+]30"),
    ([2.0**63], "INT64", "got 9.2"),
    ([2**64], "INT64", "got 18446744073709551616"),
    ([1e300], "FP32", "fit FP32, got 1e[+]300"),
    (["5"], "INT8", "expected numbers as values"),
    ([1j], "FP64", "fit FP64, got 1j"),
]


@pytest.mark.parametrize(("held", "dtype", "words"), REFUSED, ids=str)
def test_values_that_do_not_fit(held: Any, dtype: str, words: str, backend: Any) -> None:
    ids = range(1 if np.ndim(held) == 0 else len(held))
    with pytest.raises(InvalidValue, match=words):
        lg.Vector.from_coo(ids, held, dtype, backend=backend)
    with pytest.raises(InvalidValue, match=words):
        lg.Matrix.from_coo(ids, ids, held, dtype, backend=backend)


def test_values_that_fit(backend: Any) -> None:
    for held, dtype, expected in [
        ([-128.0, 127.9], "INT8", [-128, 127]), ([-(2.0**63)], "INT64", [-(2**63)]),
        ([np.nan, 0.0, 3.0], "BOOL", [True, False, True]), ([2**64 - 1], "UINT64", [2**64 - 1]),
        ([np.inf, 0.1], "FP32", [np.inf, np.float32(0.1)]), ([2**70], "FP64", [2.0**70]),
    ]:  # fmt: skip
        v = lg.Vector.from_coo(range(len(held)), held, dtype, backend=backend)
        assert v.to_coo()[1].tolist() == expected


@pytest.mark.parametrize("held", [[5, 5, 5], [0.0, -0.0, 0.0], [True] * 3, [1, 2, 1]])
def test_a_matrix_on_another_backend(held: Any) -> None:
    A = lg.Matrix.from_coo([0, 1, 1], [1, 0, 2], held, nrows=3, ncols=3, backend=CPU)
    there = A.to(GPU)
    assert there._store.iso == (str(held[0]) == str(held[1]))
    assert repr(take(there)) == repr(take(A)) == repr(take(there.to(CPU)))


# --- duplicates --------------------------------------------------------------------------------


def one_by_one(keys: Any, held: Any, op: Any) -> dict[int, Any]:
    folded: dict[int, Any] = {}
    for key, x in zip(keys.tolist(), held, strict=True):
        folded[key] = types.cast(op.evaluate(folded[key], x), held.dtype) if key in folded else x
    return folded


FOLDED = [*IN_ORDER, "first", "second", "any", "minus", "lxor", "eq", "pair", "truediv"]


@pytest.mark.parametrize("name", FOLDED)
def test_duplicates_fold_in_their_order(name: str) -> None:
    op, rng = BINARY[name], np.random.default_rng(7)
    for dtype in op.domain:
        keys = rng.integers(0, 25, 200)
        held = types.cast(rng.integers(-100, 300, 200), dtype)
        if dtype.kind == "f":
            odd = [np.nan, np.inf, -np.inf, -0.0, 0.0, 0.1, 1e30]
            held = rng.choice(np.array([*odd, *rng.normal(size=20)], dtype), 200)
        found_keys, found = fold_duplicates(keys, held, op)
        right = one_by_one(keys, held, op)
        assert found_keys.tolist() == sorted(right) and found.dtype == dtype
        for key, x in zip(found_keys.tolist(), found, strict=True):
            same = spec.same(x, right[key]) and str(x)[0] == str(right[key])[0]  # the sign of zero
            assert same or (x != x and right[key] != right[key]), (name, dtype, x, right[key])


@pytest.mark.parametrize("name", ["plus", "min", "second"])
def test_a_million_copies_of_one_edge(name: str) -> None:
    keys, held = np.zeros(10**6, np.int64), np.ones(10**6)
    began = time.process_time()
    _, [folded] = fold_duplicates(keys, held, MONOIDS.get(name) or BINARY[name])
    assert time.process_time() - began < 5  # a round for each copy would take more
    assert folded == (10**6 if name == "plus" else 1)
