"""`v.ss`, `A.ss` and `core`: what libraries on python-graphblas use beside its public names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.core import matrix, operator, utils
from lagraph_gpu.errors import (
    DimensionMismatch,
    InvalidValue,
    SizeTooLarge,
    WrongKind,
    WrongType,
)
from tests.operations.test_same_text import gb

LINES = """
list(A.ss.iterkeys())
list(A.ss.iteritems())
list(A.ss.itervalues())
list(v.ss.iterkeys())
list(v.ss.itervalues())
list(v.ss.iteritems())
A.ss.head(3)
v.ss.head(2)
A.ss.is_iso
A.ss.reshape(6, 4)
A.ss.reshape((6, -1), order="columnwise")
A.ss.reshape(1, -1)
A.ss.reshape(6, 4, inplace=True) or A
A.ss.flatten()
A.ss.flatten("columnwise")
A.ss.flatten("columnwise").ss.reshape(4, 6, "columnwise")
v.ss.selectk("first", 2)
v.ss.selectk("last", 2)
v.ss.selectk("smallest", 2)
v.ss.selectk("largest", 2)
""".strip().splitlines()
FORMATS = "csr", "csc", "hypercsr", "hypercsc", "coo", "coor", "cooc", "bitmapr", "bitmapc"


def scene(package: Any) -> dict[str, Any]:
    rng = np.random.default_rng(3)
    row, column = np.nonzero(rng.random((4, 6)) < 0.5)
    index = np.flatnonzero(rng.random(9) < 0.6)
    return {
        "A": package.Matrix.from_coo(row, column, rng.permutation(row.size), nrows=4, ncols=6),
        "v": package.Vector.from_coo(index, rng.permutation(index.size), size=9),
    }


def plain(found: Any) -> Any:
    if hasattr(found, "to_coo"):
        entries = zip(*(part.tolist() for part in found.to_coo()))
        return found.dtype.name, tuple(found.shape), sorted(entries)
    if isinstance(found, dict):
        return {name: np.asarray(held).tolist() for name, held in found.items()}
    return [part.tolist() for part in found] if isinstance(found, tuple) else found


@pytest.mark.parametrize("line", LINES)
def test_the_same_text(line: str, backend: Any) -> None:
    with lg.backend(backend):
        assert plain(eval(line, scene(lg))) == plain(eval(line, scene(gb)))


@pytest.mark.parametrize("name", [*FORMATS, "sparse", "bitmap"])
def test_arrays(name: str, backend: Any) -> None:
    held = "v" if name in ("sparse", "bitmap") else "A"
    with lg.backend(backend):
        ours = plain(scene(lg)[held].ss.export(name))
    assert ours == plain(scene(gb)[held].ss.export(name, sort=True))


def entries(found: Any) -> dict[Any, int]:
    return {tuple(place): x for *place, x in found.ss.iteritems()}


def test_entries_without_gaps(backend: Any) -> None:
    """As python-graphblas has it, which would compile for half a minute here."""
    A = lg.Matrix.from_coo(
        [0, 0, 0, 2, 2], [1, 3, 4, 0, 2], [5, 2, 9, 6, 7], nrows=3, ncols=5, backend=backend
    )
    first = A.ss.compactify()
    assert (first.shape, first.dtype) == ((3, 3), "INT64")
    assert entries(first) == {(0, 0): 5, (0, 1): 2, (0, 2): 9, (2, 0): 6, (2, 1): 7}
    last = A.ss.compactify("last", 2, reverse=True)
    assert entries(last) == {(0, 0): 2, (0, 1): 9, (2, 0): 6, (2, 1): 7}
    least = A.ss.compactify("smallest", 2, asindex=True)
    assert (least.shape, least.dtype) == ((3, 2), "UINT64")
    assert entries(least) == {(0, 0): 3, (0, 1): 1, (2, 0): 0, (2, 1): 2}
    most = A.ss.compactify("largest", 1, "columnwise")
    assert most.shape == (1, 5) and entries(most) == dict(
        zip(((0, j) for j in range(5)), (6, 5, 7, 2, 9))
    )
    assert entries(A.ss.selectk("first", 1)) == {(0, 1): 5, (2, 0): 6}
    assert entries(A.ss.selectk("last", 1)) == {(0, 4): 9, (2, 2): 7}
    assert A.ss.selectk("last", 1, "columnwise").nvals == 5

    v = lg.Vector.from_coo([1, 3, 4, 6], [5, 2, 9, 1], size=8, backend=backend)
    assert v.ss.compactify("last").to_dict() == {0: 1, 1: 9, 2: 2, 3: 5}
    assert v.ss.compactify("largest", 2, reverse=True).to_dict() == {0: 5, 1: 9}
    assert v.ss.compactify("smallest", 2, asindex=True).to_dict() == {0: 6, 1: 3}
    assert v.ss.compactify("first", 10).shape == (10,)


@pytest.mark.parametrize("how", ["first", "last"])
@pytest.mark.parametrize("k", [None, 0, 1, 2, 9])
def test_a_few_entries_of_each_row(how: str, k: int | None, backend: Any) -> None:
    """Rows with an offset each, and a matrix in which few rows have entries."""
    rng = np.random.default_rng(4)
    for nrows, ncols, m in ((7, 6, 20), (1, 9, 4), (9, 1, 5), (500, 6, 9)):
        place = np.sort(rng.permutation(nrows * ncols)[:m])
        row, column = np.divmod(place, ncols)
        A = lg.Matrix.from_coo(row, column, np.arange(m) + 3, nrows=nrows, ncols=ncols,
                               backend=backend)  # fmt: skip
        lines: dict[int, list[tuple[int, int]]] = {int(i): [] for i in row}
        for i, j, x in zip(row.tolist(), column.tolist(), range(3, m + 3), strict=True):
            lines[i].append((j, x))
        taken = {i: (line if how == "first" else line[::-1])[:k] for i, line in lines.items()}
        taken = {i: line for i, line in taken.items() if line}
        width = max(map(len, taken.values()), default=0) if k is None else k
        for reverse in (False, True):
            for asindex in (False, True):
                made = A.ss.compactify(how, k, reverse=reverse, asindex=asindex, name="C")
                assert made.shape == (nrows, width) and made.name == "C"
                assert made.dtype == ("UINT64" if asindex else "INT64")
                assert made.to_dicts() == {
                    i: {p: e[not asindex] for p, e in enumerate(line[::-1] if reverse else line)}
                    for i, line in taken.items()
                }
        if k is not None:
            assert A.ss.selectk(how, k).to_dicts() == {i: dict(line) for i, line in taken.items()}


def test_full_arrays_and_the_formats_by_default(backend: Any) -> None:
    A = lg.Matrix.from_dense([[1, 2], [3, 4]], backend=backend)
    assert A.ss.export("fullr")["values"].tolist() == [[1, 2], [3, 4]]
    assert A.ss.export()["format"] == A.ss.export("rowwise")["format"] == "csr"
    assert A.ss.export("columnwise")["row_indices"].tolist() == [0, 1, 0, 1]
    v = lg.Vector.from_coo([1], [5], size=3, backend=backend)
    assert v.ss.export()["format"] == "sparse" and v.ss.nbytes > 0
    with pytest.raises(InvalidValue, match="every position"):
        v.ss.export("full")
    with pytest.raises(InvalidValue, match="format among"):
        v.ss.export("csr")


def test_one_value_for_all(backend: Any) -> None:
    v = lg.Vector.from_coo([1, 3], [5, 5], "INT8", size=5, backend=backend)
    assert v.ss.is_iso and v.ss.iso_value.value == 5 and v.ss.iso_value.dtype == "INT8"
    for other in (lg.Vector.from_coo([0, 1], [5, 6], backend=backend), v[:1].new()):
        assert not other.ss.is_iso
        with pytest.raises(ValueError, match="one value"):
            other.ss.iso_value


def test_values_that_are_not_numbers_are_alike(backend: Any) -> None:
    v = lg.Vector.from_coo([1, 3], [np.nan, np.nan], size=5, backend=backend)
    assert v.ss.is_iso and np.isnan(v.ss.iso_value.value)
    for values in ([np.nan, 1.0], [1.0, np.nan], [1.0, 1.0, 2.0], [np.nan, 1.0, np.nan]):
        for kind in (lg.Vector, lg.Matrix):
            places = [range(len(values))] * (1 if kind is lg.Vector else 2)
            x = kind.from_coo(*map(list, places), values, backend=backend)
            x << x.apply("identity")
            assert not x.ss.is_iso
    for empty in (lg.Vector(float, 3, backend=backend), lg.Matrix(float, 2, 2, backend=backend)):
        assert not empty.ss.is_iso


def test_a_random_choice_is_one_of_the_entries() -> None:
    A, v = (scene(lg)[name].to("cpu") for name in "Av")
    found = A.ss.selectk("random", 1)
    assert found.nvals == 4 and all(A[i, j].get() == x for i, j, x in found.ss.iteritems())
    assert set(v.ss.compactify("random", 2).ss.itervalues()) <= set(v.ss.itervalues())
    assert len({tuple(v.ss.compactify("random").ss.itervalues()) for _ in range(40)}) > 1


def test_the_place_to_begin() -> None:
    v = lg.Vector.from_coo([1, 3, 4], [10, 30, 40], backend="cpu")
    assert list(v.ss.iterkeys(1)) == [3, 4] and list(v.ss.itervalues(-1)) == [40]
    assert list(v.ss.iteritems(-9)) == [(1, 10), (3, 30), (4, 40)] and not list(v.ss.iterkeys(9))


def test_bad_arguments() -> None:
    A = lg.Matrix.from_coo([0], [1], [5], nrows=2, ncols=3, backend="cpu")
    with pytest.raises(InvalidValue, match="first, last, random"):
        A.ss.selectk("smallest", 1)
    with pytest.raises(InvalidValue, match="at least 0"):
        A.ss.compactify("first", -1)
    with pytest.raises(DimensionMismatch, match="6 positions"):
        A.ss.reshape(4, 2)
    with pytest.raises(DimensionMismatch):
        A.ss.reshape(-1, -1)
    with pytest.raises(WrongKind):
        A.ss.reshape("6", 1)
    with pytest.raises(InvalidValue, match="rowwise or columnwise"):
        A.ss.flatten("diagonal")
    with pytest.raises(InvalidValue, match="keeps"):
        lg.Graph.from_edges([0], [1], backend="cpu").neighbours.ss.reshape(1, 4, inplace=True)


def test_names_of_core(backend: Any) -> None:
    A = scene(lg)["A"].to(backend)
    assert isinstance(A.T, matrix.TransposedMatrix) and lg.core.utils is utils
    assert utils.output_type(A | A) is lg.Matrix and utils.output_type(A.T) is type(A.T)
    assert utils.output_type(A[0, :]) is lg.Vector and utils.output_type(A[0, 0]) is lg.Scalar
    assert utils.ensure_type(A, (lg.Vector, lg.Matrix)) is A
    assert utils.ensure_type(A + A, lg.Matrix).nvals == A.nvals
    for wrong in (A.T, A[0, :], 7):
        with pytest.raises(WrongType, match="expected one of Matrix"):
            utils.ensure_type(wrong, lg.Matrix)
    assert not A.dtype._is_udt and lg.dtypes.register_anonymous([("x", int)])._is_udt
    assert A.V.value and (~A.V).value and not A.S.value


def test_classes_of_operators() -> None:
    def classes(package: Any, find: Any) -> list[str]:
        ops = (
            package.unary.abs, package.binary.plus, package.binary.plus["INT64"],
            package.monoid.plus, package.semiring.plus_times, package.select.tril,
            package.indexunary.rowindex, package.agg.mean, package.op.from_string("+"), max, abs,
            print, "plus", 7,
        )  # fmt: skip
        return [find(op)[1] for op in ops]

    theirs = pytest.importorskip("graphblas.core.operator")
    assert classes(lg, operator.find_opclass) == classes(gb, theirs.find_opclass)

    def more(by=1):  # type: ignore[no-untyped-def]
        return f"x + y + {by}"

    op = lg.binary.register_anonymous(more, parameterized=True)
    assert operator.find_opclass(op)[1] == "BinaryOp"


def test_more_positions_than_64_bits_count(backend: Any) -> None:
    side = 2**40
    A = lg.Matrix.from_coo([2**24, 1], [0, 3], [1, 2], nrows=side, ncols=side, backend=backend)
    made = A.ss.reshape(side // 2, 2 * side)
    assert made.to_dicts() == {0: {side + 3: 2}, 2**23: {0: 1}}
    by_columns = A.ss.reshape(side // 2, -1, "columnwise").to_dicts()
    assert by_columns == {1: {6: 2}, 2**24: {0: 1}}
    A.ss.reshape(2 * side, side // 2, inplace=True)
    assert A.to_dicts() == {2: {3: 2}, 2**25: {0: 1}}
    assert made.ss.compactify("last", 1).to_coo()[0].tolist() == [0, 2**23]
    last = lg.Matrix.from_coo([2**50 - 1], [0], 7, nrows=2**50, ncols=2**50, backend=backend)
    assert last.ss.reshape(2**49, 2**51).to_dicts() == {2**49 - 1: {2**50: 7}}
    for refused in (lambda: last.ss.reshape(1, -1), last.ss.flatten):
        with pytest.raises(SizeTooLarge):
            refused()
