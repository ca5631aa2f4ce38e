"""Plain statements on the CPU are single calls of SuiteSparse, with python-graphblas' answers."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable
from typing import Any

import graphblas as gb
import numpy as np
import pytest
from graphblas.core import lib

import lagraph_gpu as lg
from lagraph_gpu.convert import edges
from lagraph_gpu.cpu.statements import calls, lower, objects, stores, vector_products
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from lagraph_gpu.errors import IndexOutOfBound
from lagraph_gpu.notation.expressions import Apply, Diagonal
from lagraph_gpu.notation.update import Update
from semirings import BINARY, INDEXUNARY, UNARY, any_pair, plus_first, plus_pair, plus_times, types

plus, times, truediv = BINARY["plus"], BINARY["times"], BINARY["truediv"]


def vector(*values: float) -> lg.Vector:
    return lg.Vector.from_dense(np.array(values, np.float64), backend="cpu")


def whole(*values: int) -> lg.Vector:
    return lg.Vector.from_dense(np.array(values, np.int64), backend="cpu")


def matrix(dtype: str = "FP64") -> lg.Matrix:
    return lg.Matrix.from_coo([0, 0, 1], [1, 2, 2], [2, 3, 5], dtype, nrows=3, ncols=3,
                              backend="cpu")  # fmt: skip


def graph() -> lg.Graph:
    return lg.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=False, backend="cpu")


def few() -> lg.Vector:
    return lg.Vector.from_coo([1], [7.0], size=3, backend="cpu")


def made(statement: Callable[[lg.Vector], None]) -> list[float]:
    w = vector(1.0, 2.0, 3.0)
    statement(w)
    return w.to_dense(fill_value=-1.0).tolist()


PLAIN: dict[str, tuple[Callable[[lg.Vector], None], list[float]]] = {
    "fill": (lambda w: w << 7.0, [7, 7, 7]),
    "fill and add": (lambda w: w(plus) << 7.0, [8, 9, 10]),
    "fill under a mask": (lambda w: w(lg.Vector.from_coo([1], [0.0], size=3, backend="cpu").S)
                          << 7.0, [1, 7, 3]),
    "replaced": (lambda w: w(lg.Vector.from_coo([1], [0.0], size=3, backend="cpu").S,
                             replace=True) << 7.0, [-1, 7, -1]),
    "joined": (lambda w: w << times(vector(1, 2, 4) & vector(3, 5, 7)), [3, 10, 28]),
    "on the left": (lambda w: w << vector(1, 2, 4).apply("minus", left=9.0), [8, 7, 5]),
    "on the right": (lambda w: w << vector(1, 2, 4).apply("minus", right=9.0), [-8, -7, -5]),
    "of each": (lambda w: w << vector(-1, 2, -4).apply("abs"), [1, 2, 4]),
    "chosen": (lambda w: w << vector(1, 2, 4).select(">", 1.0), [-1, 2, 4]),
    "pushed": (lambda w: w(plus) << plus_times(vector(1, 2, 4) @ matrix()), [1, 4, 16]),
    "pulled": (lambda w: w(plus) << plus_times(matrix() @ vector(1, 2, 4)), [17, 22, 3]),
    "not read": (lambda w: w(plus) << plus_first(vector(1, 2, 4) @ matrix("INT8")), [1, 3, 6]),
    "converted once": (lambda w: w(plus) << plus_times(vector(1, 2, 4) @ matrix("INT8")),
                       [1, 4, 16]),
    "a list": (lambda w: w << vector(1, 2, 4)[[2, 2, 0]], [4, 4, 1]),
    "one row": (lambda w: w << matrix()[0, :], [-1, 2, 3]),
    "one column": (lambda w: w << matrix()[:, 2], [3, 5, -1]),
    "a diagonal": (lambda w: w << Diagonal(matrix()[[2, 0, 1], :].new(), 0), [-1, 2, 5]),
    "index": (lambda w: w << vector(7, 7, 7).apply(INDEXUNARY["rowindex"], 3), [3, 4, 5]),
    "rows": (lambda w: w(plus) << matrix().reduce_rowwise("plus"), [6, 7, 3]),
    "a union": (lambda w: w << vector(1, 2, 4).ewise_union(few(), "minus", 1.0, -0.0), [1, -5, 4]),
    "divided by a missing entry": (lambda w: w << vector(1, -2, 3).ewise_union(
        few(), "truediv", 1.0, -0.0), [-np.inf, -2 / 7, -np.inf]),
    "one": (lambda w: w << vector(0, 2, -4).apply(lg.unary.one["BOOL"]), [1, 1, 1]),
    "a typed operator": (lambda w: w << times["FP64"](vector(1, 2, 4) & vector(3, 5, 7)),
                         [3, 10, 28]),
    "an index": (lambda w: w << vector(7, 7, 7).apply(lg.indexunary.index, 3), [3, 4, 5]),
    "columns": (lambda w: w(plus) << matrix().reduce_columnwise("plus"), [1, 4, 11]),
    "of two types": (lambda w: w << truediv(vector(1, 2, 4) & whole(4, 4, 5)), [0.25, 0.5, 0.8]),
    "of integers": (lambda w: w << truediv(whole(1, 2, 4) | whole(4, 4, 5)), [0.25, 0.5, 0.8]),
    "a union of two types": (lambda w: w << few().ewise_union(whole(2, 4, 5), "truediv", 1, 2),
                             [0.5, 1.75, 0.2]),
    "ones beside another type": (lambda w: w << plus_pair(whole(0, 2, 4) @ matrix()), [-1, 1, 2]),
    "accumulated within a mask": (lambda w: w(few().S, plus) << plus_times(
        vector(1, 2, 4) @ matrix()), [1, 4, 3]),
    "a number of another type": (lambda w: w << whole(1, 2, 4).apply("truediv", 8),
                                 [0.125, 0.25, 0.5]),
    "a fraction beside integers": (lambda w: w << whole(1, 2, 4) + 0.5, [1.5, 2.5, 4.5]),
    "any of each row": (lambda w: w << matrix().reduce_rowwise(lg.agg.exists), [1, 1, -1]),
}  # fmt: skip


@pytest.mark.parametrize("name", PLAIN)
def test_plain_statements_are_one_call(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    statement, expected = PLAIN[name]
    assert made(statement) == expected
    for of, part in (lower, "expression"), (gb.Vector, "_update"):
        monkeypatch.setattr(of, part, lambda *_, **__: pytest.fail("python-graphblas was asked"))
    made(statement)


@pytest.mark.parametrize("n", [51, 100], ids=["bitmaps", "lists"])
def test_what_a_mask_selects_is_accumulated_in_one_call(
    n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    u = lg.Vector.from_coo([1, 2, 50], [2.0, 3.0, 5.0], size=n, backend="cpu")
    w = lg.Vector.from_coo([2, 3, 50], [7.0, 8.0, 9.0], size=n, backend="cpu")
    for of, part in (lower, "expression"), (gb.Vector, "_update"), (gb.Matrix, "_update"):
        monkeypatch.setattr(of, part, lambda *_, **__: pytest.fail("python-graphblas was asked"))
    w(u.S, plus) << u
    assert w.to_dict() == {1: 2, 2: 10, 3: 8, 50: 14}
    w(u.S, plus, replace=True) << u.select(">", 2.0)
    assert w.to_dict() == {1: 2, 2: 13, 50: 19}
    A = lg.Matrix.from_coo([0, 0, 1], [1, 2, 2], [2, 3, 5], "FP64", nrows=n, ncols=n, backend="cpu")
    A(A.select(">", 2.0).new().S, times) << A
    assert A.to_dicts() == {0: {1: 2, 2: 9}, 1: {2: 25}}
    A(A.select("<", 9.0).new().S, plus) << times(A & A)
    assert A.to_dicts() == {0: {1: 6, 2: 9}, 1: {2: 25}}


@pytest.mark.parametrize("full", ["the mask", "the operand", "the output"])
def test_a_masked_accumulation_with_something_full_is_not_one_call(full: str) -> None:
    few = matrix().dup()
    all_of = lg.Matrix.from_dense(np.full((3, 3), 4.0), backend="cpu")
    out, mask, given = (all_of.dup() if full == name else few.dup()
                        for name in ("the output", "the mask", "the operand"))  # fmt: skip
    out(mask.S, plus) << given
    assert (
        out.to_dicts()
        == {
            "the mask": {0: {1: 4, 2: 6}, 1: {2: 10}},
            "the operand": {0: {1: 6, 2: 7}, 1: {2: 9}},
            "the output": {0: {0: 4, 1: 6, 2: 7}, 1: {0: 4, 1: 4, 2: 9}, 2: {0: 4, 1: 4, 2: 4}},
        }[full]
    )


def test_entries_in_few_rows_stay_arrays_until_a_statement_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    n = 2000
    one = lg.Matrix.from_coo([5, 5, 70], [7, 900, 3], 4.0, nrows=n, ncols=n, backend="cpu")
    A = lg.Matrix.from_coo([5, 5, 70], [7, 900, 3], [4.0, 2.0, 6.0], nrows=n, ncols=n,
                           backend="cpu")  # fmt: skip
    i = np.arange(n - 1)
    G = lg.Graph.from_edges(i, i + 1, n=n, directed=False, backend="cpu")
    right = lg.jaccard_coefficient(G, A.apply("one").new()).to_dicts()
    made = stores.HostEntries.matrix
    monkeypatch.setattr(stores.HostEntries, "matrix", lambda _: pytest.fail("a copy was made"))
    assert lg.jaccard_coefficient(G, [(5, 7), (5, 900), (70, 3)]).to_dicts() == right
    assert lg.jaccard_coefficient(G, A).to_dicts() == right
    assert lg.common_neighbor_counts(G, one).to_dicts() == {5: {7: 1, 900: 0}, 70: {3: 0}}
    assert A.nvals == 3 and A.to_dicts() == {5: {7: 4, 900: 2}, 70: {3: 6}}
    assert one.to_coo()[2].tolist() == [4, 4, 4] and one.to_csr()[0].tolist()[-1] == 3
    assert A.to_csr()[0][[5, 6, 70, 71]].tolist() == [0, 2, 2, 3] and "70" in repr(A)
    assert A.reduce_scalar("plus").new().value == 12 and one.reduce_scalar("max").new().value == 4
    assert A.backend.matrix_bytes(A._store) == 3 * (4 + 4 + 8)
    monkeypatch.setattr(stores.HostEntries, "matrix", made)
    assert (A + one).new().to_dicts() == {5: {7: 8, 900: 6}, 70: {3: 10}}
    assert one.ss.is_iso and one._store.A.ss.is_iso and not A._store.A.ss.is_iso


def test_a_matrix_is_resized_without_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    A = matrix()
    A.backend.synchronize(A._store)
    monkeypatch.setattr(type(A.backend), "run", lambda *_: pytest.fail("a statement was run"))
    A.resize(1, 4)
    assert A.shape == (1, 4) and A.to_dicts() == {0: {1: 2, 2: 3}}


def test_a_matrix_of_one_column_is_stored_by_columns() -> None:
    """So is what SuiteSparse computes, and it converts the others."""
    rows, values = [1, 3, 70], [2.0, 3.0, 5.0]
    listed = lg.Matrix.from_coo(rows, [0, 0, 0], values, nrows=100, ncols=1, backend="cpu")
    begins = np.searchsorted(rows, np.arange(101))
    compressed = lg.Matrix.from_csr(begins, [0, 0, 0], values, ncols=1, backend="cpu")
    same = lg.Matrix.from_coo(rows, [0, 0, 0], 7, nrows=100, ncols=1, backend="cpu")
    for A in (listed, compressed, same):
        assert A._store.A.ss.format == "csc"
        assert A.to_coo()[0].tolist() == rows and A.T.new().to_coo()[1].tolist() == rows
    assert listed.isequal(compressed)
    assert same.to_coo()[2].tolist() == [7, 7, 7] and same._store.A.ss.is_iso


def test_a_product_of_few_entries_is_not_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless somebody asks how it was done. It goes as the matrix is stored."""
    A, u = matrix(), few()
    with lg.explain() as plan:
        right = plus_times(u @ A).new().to_dict(), plus_times(A @ u).new().to_dict()
    assert len(plan.choices) == 2
    monkeypatch.setattr(vector_products, "choose", lambda *_: pytest.fail("a plan was made"))
    monkeypatch.setattr(CpuMatrix, "AT", property(lambda _: pytest.fail("a transpose was made")))
    assert right == (plus_times(u @ A).new().to_dict(), plus_times(A @ u).new().to_dict())
    assert plus_times(u @ A.T).new().to_dict() == right[1]
    assert plus_times(A.T @ u).new().to_dict() == right[0]
    assert right == ({2: 35}, {0: 14})


def test_a_full_matrix_is_an_array_without_coordinates(monkeypatch: pytest.MonkeyPatch) -> None:
    dense = np.arange(6).reshape(2, 3) - 2.5
    A = lg.Matrix.from_dense(dense, backend="cpu")
    one = lg.Matrix.from_scalar(7, 2, 3, backend="cpu")
    monkeypatch.setattr(type(A.backend), "matrix_coordinates", lambda *_: pytest.fail("asked"))
    for made, right in (A.to_dense(), dense), (A.to_dense(dtype="FP32"), dense.astype(np.float32)):
        np.testing.assert_array_equal(made, right)
        assert made.dtype == right.dtype
        made[0, 0] = 9  # is nobody else's
    np.testing.assert_array_equal(A.to_dense(0), dense)
    np.testing.assert_array_equal(one.to_dense(), np.full((2, 3), 7))


def test_what_replaces_all_of_a_matrix_copies_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    A = matrix()
    monkeypatch.setattr(objects, "copied", lambda *_: pytest.fail("the output was copied"))
    A(A.select(">", 2.0).new().S, replace=True) << times(A & A)
    assert A.to_dicts() == {0: {2: 9}, 1: {2: 25}}
    A << 7.0
    assert A.to_dense().tolist() == [[7.0] * 3] * 3


def test_a_mask_is_made_a_list_once_until_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    mask, A = lg.Matrix.from_dense(np.ones((3, 3)), backend="cpu"), matrix()
    B = matrix().T.new()
    right = plus_pair(A @ B).new().to_dicts()
    assert (
        plus_pair(A @ B).new(mask=mask.S).to_dicts() == right == {0: {0: 2, 1: 1}, 1: {0: 1, 1: 1}}
    )
    made = stores.as_list
    monkeypatch.setattr(stores, "as_list", lambda _: pytest.fail("a list was made again"))
    assert plus_pair(A @ B).new(mask=mask.S).to_dicts() == right
    monkeypatch.setattr(stores, "as_list", made)
    del mask[0, 0]
    assert plus_pair(A @ B).new(mask=mask.S).to_dicts() == {0: {1: 1}, 1: {0: 1, 1: 1}}
    mask[0, 0] = 5
    assert plus_pair(A @ B).new(mask=mask.S).to_dicts() == right


def test_an_element_is_read_without_python_graphblas(monkeypatch: pytest.MonkeyPatch) -> None:
    A, none = matrix(), matrix()[[2], :].new()
    monkeypatch.setattr(gb.Matrix, "get", lambda *_: pytest.fail("python-graphblas was asked"))
    monkeypatch.setattr(gb.Vector, "to_coo", lambda *_: pytest.fail("python-graphblas was asked"))
    assert A.get(0, 2) == A[-3, -1].new().value == 3 and A.get(2, 2) is None
    assert none.get(0, 1, "nothing") == "nothing" and matrix("BOOL").get(0, 1) is True
    assert few().to_dict() == {1: 7}
    with pytest.raises(IndexOutOfBound, match="from -3 to 2, got 3"):
        A.get(0, 3)


def objects_alive() -> int:
    return sum(type(thing) in (gb.Vector, gb.Matrix) for thing in gc.get_objects())


PICKLE = pickle.dumps(matrix())

MAKERS: dict[str, Callable[[], Any]] = {
    "an empty one": lambda: lg.Matrix("FP64", 3, 3, backend="cpu"),
    "of entries": lambda: matrix()._store.A,
    "full": lambda: lg.Matrix.from_dense(np.ones((2, 3)), backend="cpu"),
    "of one column": lambda: lg.Matrix.from_coo([5], [0], [1.0], nrows=70_000, backend="cpu"),
    "large": lambda: lg.Matrix.from_coo(np.arange(70_000), np.arange(70_000), 1, backend="cpu"),
    "few rows": lambda: lg.Matrix.from_coo([1], [2], [1.0], nrows=10**12, ncols=4, backend="cpu"),
    "of rows": lambda: lg.Matrix.from_csr([0, 1], [0], [1.0 + 1j], backend="cpu")._store.A,
    "a copy": lambda: matrix().dup(),
    "of another type": lambda: matrix().dup("INT8"),
    "resized": lambda: matrix().resize(2, 5),
    "transposed": lambda: plus_times(vector(1, 2, 4) @ matrix("INT8").T).new(),
    "a product": lambda: plus_times(matrix() @ matrix()).new(mask=matrix().S),
    "a part": lambda: matrix()[[0, 1], :].new(),
    "a diagonal": lambda: vector(1, 2).diag(1),
    "tiles": lambda: lg.concat([[matrix()], [matrix()]]),
    "from a pickle": lambda: pickle.loads(PICKLE),
    "walks": lambda: lg.random_walks(graph(), [0, 1], 3, seed=1),
    "coefficients": lambda: lg.jaccard_coefficient(graph(), graph().A),
    "levels": lambda: lg.bfs(graph(), sources=[0, 1]),
}  # fmt: skip


@pytest.mark.parametrize("name", MAKERS)
def test_what_is_made_goes_with_its_last_name(name: str) -> None:
    """An object of python-graphblas and its `ss` must not hold each other (0178)."""
    MAKERS[name]()
    gc.collect()
    before = objects_alive()
    gc.disable()
    try:
        MAKERS[name]()
        assert objects_alive() == before
    finally:
        gc.enable()


def test_matrices_too(monkeypatch: pytest.MonkeyPatch) -> None:
    A = matrix()
    monkeypatch.setattr(lower, "expression", lambda *_: pytest.fail("python-graphblas was asked"))
    assert plus_pair(A @ A).new(mask=A.S).to_coo()[2].tolist() == [1]
    assert plus_times(matrix("INT8") @ A).new().to_coo()[2].tolist() == [10]
    assert A.select(">", 2.0).new().nvals == 2
    assert times(A & A).new().to_coo()[2].tolist() == [4, 9, 25]
    assert A.apply("minus", left=9.0).new().to_coo()[2].tolist() == [7, 6, 4]
    assert A.apply(INDEXUNARY["colindex"], 0).new().to_coo()[2].tolist() == [1, 2, 2]
    assert A.select("triu", 2).new().to_dicts() == {0: {2: 3}}
    assert A[[1, 0], [2, 1]].new().to_dicts() == {0: {0: 5}, 1: {0: 3, 1: 2}}
    assert A[:, [2]].new(mask=A[:, [1]].new().S).to_dicts() == {0: {0: 3}}
    assert A.kronecker(A, "plus").new().to_coo()[2].tolist() == [4, 5, 5, 6, 7, 8, 7, 8, 10]
    assert vector(1, 2, 4).diag(1).to_dicts() == {0: {1: 1}, 1: {2: 2}, 2: {3: 4}}
    assert vector(1, 2).outer(vector(3, 4), "times").new().to_dense().tolist() == [[3, 4], [6, 8]]


def test_counts_are_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    A = matrix()
    monkeypatch.setattr(lower, "expression", lambda *_: pytest.fail("a matrix of ones was made"))
    count = lg.agg.count
    assert A.reduce_rowwise(count).new().to_dict() == {0: 2, 1: 1}
    assert A.reduce_columnwise(count).new().to_dict() == {1: 1, 2: 2}
    assert A.reduce_scalar(count).new().value == vector(4, 5, 6).reduce(count).new().value == 3
    assert lg.Matrix("FP64", 3, 3, backend="cpu").reduce_scalar(count).new().value is None
    exists = lg.agg.exists
    assert A.reduce_columnwise(exists).new().to_dict() == {1: 1, 2: 1}
    assert A.reduce_scalar(exists).new().value == vector(4, 5, 6).reduce(exists).new().value == 1
    assert lg.Matrix("FP64", 3, 3, backend="cpu").reduce_scalar(exists).new().value is None


def test_one_value_for_all_makes_room_for_more() -> None:
    w = lg.Vector("FP64", 3, backend="cpu")
    w << 1.0
    assert objects.is_iso(w._store)
    w << times(vector(1, 2, 4) & vector(3, 5, 7))
    assert w.to_dense().tolist() == [3, 10, 28]


def test_an_operator_of_our_own_computes_in_the_type_of_both_operands() -> None:
    """The function that numba makes for UINT8 and INT64 gives another number."""
    v = lg.Vector.from_coo([0], np.array([3], np.uint8), backend="cpu")
    assert v.apply("rpow", left=300).new()[0].value == pow(3, 300, 2**64)


def test_one_value_for_few_needs_no_second_object(monkeypatch: pytest.MonkeyPatch) -> None:
    w = few()
    assert objects.is_iso(w._store)
    monkeypatch.setattr(objects, "empty_vector", lambda *_: pytest.fail("one was made"))
    w << times(vector(1, 2, 4) & vector(3, 5, 7))
    assert w.to_dense().tolist() == [3, 10, 28]


def test_a_copy_within_a_mask_is_an_assignment_where_what_was_there_stays() -> None:
    w, u = vector(1, 2, 4), vector(3, 5, 7)
    copy = Apply(u, UNARY["identity"])
    for replace, function in (False, lib.GrB_Vector_assign), (True, lib.GrB_Vector_apply):
        call = calls.apply(copy, Update(w, copy, few().S, replace=replace))
        assert call is not None and call[0] is function
    w(few().S) << u
    assert w.to_dense().tolist() == [1, 5, 4]
    w(few().S, lg.replace) << u
    assert w.to_dict() == {1: 5}


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("stored", ["bitmap", "full"])
def test_a_mask_is_read_by_value_beside_itself(stored: str, replace: bool) -> None:
    a, held = lg.Vector.from_dense([False], backend="cpu"), gb.Vector(bool, 1)
    held.ss.config["sparsity_control"] = stored
    w = lg.Vector.from_graphblas(held, copy=False, backend="cpu")
    w(a.V, replace=replace) << a
    assert w.to_dict() == {}


def test_rising_positions_are_not_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    given = np.array([3.0, 5.0])
    monkeypatch.setattr(edges, "runs_of", lambda _: pytest.fail("they were sorted"))
    v = lg.Vector.from_coo([1, 3], given, size=5, backend="cpu")
    given[:] = 0
    assert v.to_dict() == {1: 3, 3: 5}


def test_nothing_to_fold() -> None:
    nothing = lg.Matrix("INT64", 3, 3, backend="cpu")
    assert nothing.reduce("plus").new().value is None
    assert nothing.reduce("plus", allow_empty=False).new().value == 0
    assert matrix().reduce("plus", allow_empty=False).new().value == 10


def test_a_refusal_is_an_error() -> None:
    u, w = gb.Vector("FP64", 4), gb.Vector("FP64", 3)
    ask = lib.GrB_Vector_apply, (gb.unary.abs["FP64"].gb_obj, u), calls.AS_IS
    with pytest.raises(gb.exceptions.DimensionMismatch):
        calls.make(w, ask)


def test_what_numba_compiles_is_one_call_too() -> None:
    close = lg.binary.isclose(rel_tol=0.5)
    assert calls.c_operator(close, types.FP64, types.FP64) is not None
    assert close(vector(1, 2, 4) & vector(1, 5, 7)).new().to_dict() == {0: True, 1: False, 2: True}


def test_an_expression_does_not_offer_to_change_what_nobody_keeps() -> None:
    A = lg.Matrix(int, 3, 3)
    offered = set(dir(A @ A))
    assert {"nvals", "to_coo", "new"} <= offered
    assert not {"build", "clear", "put", "resize", "from_coo", "nnz"} & offered


def half(n: int, dtype: str) -> Any:
    """A vector of n positions with a gap after each entry, as SuiteSparse stores a bitmap."""
    ids = np.arange(0, n, 2)
    v = lg.Vector.from_coo(ids, np.arange(ids.size) % 7 % 3, dtype, size=n, backend="cpu")
    option = lib.GxB_SPARSITY_CONTROL, lib.GxB_BITMAP
    lib.GxB_Vector_Option_set_INT32(v._store.gb_obj[0], *option)
    v.wait()
    return v


def test_a_vector_with_gaps_is_pushed_by_few_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    product = vector_products.VectorProduct
    n = 4 * vector_products.FEW_ENTRIES
    A = lg.Matrix.from_coo(np.arange(n), np.arange(n)[::-1], 1.5, "FP64", backend="cpu")
    u = half(n, "FP64")
    monkeypatch.setitem(gb.ss.config, "nthreads", 1)
    of = product(A._store, False, plus_times, u.dtype)
    assert of.plan(u._store)[:2] == (True, vector_products.GAPS)
    assert product(A._store, False, any_pair, u.dtype).plan(u._store)[0] is False  # ends early
    whole = lg.Vector.from_scalar(1.0, n, backend="cpu")
    assert not of.gaps_matter(whole.nvals, n)


@pytest.mark.parametrize("structure", [True, False])
@pytest.mark.parametrize("replace", [True, False])
@pytest.mark.parametrize("accum", [None, "plus", "second"])
def test_a_push_within_a_bitmap_is_one_of_all_positions(
    structure: bool, replace: bool, accum: str | None
) -> None:
    n = 64
    rng = np.random.default_rng(1)
    places = np.unique(rng.integers(0, n * n, 3 * n))
    coordinates = places // n, places % n, rng.integers(0, 9, places.size)
    A = lg.Matrix.from_coo(*coordinates, "INT64", nrows=n, ncols=n, backend="cpu")
    mask, u = half(n, "INT8"), lg.Vector.from_dense(rng.integers(0, 9, n), backend="cpu")
    assert not objects.is_list(mask._store)
    w = lg.Vector.from_coo(np.arange(0, n, 3), 100, "INT32", size=n, backend="cpu")
    theirs = [gb.Vector.from_coo(*x.to_coo(), size=n) for x in (w, mask, u)]
    B = gb.Matrix.from_coo(*coordinates, "INT64", nrows=n, ncols=n)
    w(mask.S if structure else mask.V, accum=accum, replace=replace) << u @ A
    other = theirs[1].S if structure else theirs[1].V
    theirs[0](other, accum=accum, replace=replace) << theirs[2].vxm(B)
    assert w.dtype == "INT32"
    for mine, right in zip(w.to_coo(), theirs[0].to_coo(), strict=True):
        np.testing.assert_array_equal(mine, right)


@pytest.mark.parametrize("values", [3, [1, 2, 3], np.array([4.0, 5.0, 6.0])], ids=str)
@pytest.mark.parametrize("accum", [None, "plus", "first"])
def test_a_diagonal_of_values_for_all_positions(values: Any, accum: str | None) -> None:
    A = matrix()
    A[1, 1] = 7
    B = gb.Matrix.from_coo(*A.to_coo(), nrows=3, ncols=3)
    for one in (A, B):
        one.setdiag(values, accum=accum)
    for mine, right in zip(A.to_coo(), B.to_coo(), strict=True):
        np.testing.assert_array_equal(mine, right)
