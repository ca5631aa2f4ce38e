"""In and out: constructors and readers, bytes, and arrays and objects of other libraries."""

from __future__ import annotations

import copy
import io
import pickle
import sys
from functools import partial
from types import SimpleNamespace
from typing import Any

import graphblas as gb
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import (
    BackendMismatch,
    DimensionMismatch,
    DuplicateEdges,
    IndexOutOfBound,
    InvalidValue,
    MissingPackage,
    UnsupportedOperation,
    WrongType,
)
from semirings import BINARY, types
from tests.harness import CPU, DEVICE, GPU
from tests.simt.device import EmulatedDevice, ForeignArray

emulated = pytest.mark.skipif(
    not isinstance(DEVICE, EmulatedDevice), reason="the fake arrays live on the emulated device"
)


def small(backend: Any) -> lg.Matrix:
    return lg.Matrix.from_coo([0, 0, 2], [1, 3, 0], [5, 6, 7], nrows=3, ncols=4, backend=backend)


# --- constructors and readers, held against python-graphblas ------------------------------------

VECTORS: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "pairs": ("from_pairs", ([(0, 5), (3, 7)],), {"size": 6}),
    "pairs of floats": ("from_pairs", ([(2, 0.5), (0, 7)],), {}),
    "pairs of a type": ("from_pairs", ([(4, 5), (1, 7)],), {"dtype": "INT8"}),
    "dict": ("from_dict", ({3: 1, 0: 2},), {}),
    "empty dict": ("from_dict", ({},), {"dtype": "FP32", "size": 4}),
    "dense": ("from_dense", ([0.0, 1.5, 0.0],), {"missing_value": 0}),
    "scalar": ("from_scalar", (2.5, 4), {}),
    "scalar of a type": ("from_scalar", (3, 5), {"dtype": "UINT8"}),
    "scalar of no size": ("from_scalar", (3, 0), {}),
}
MATRICES: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "pairs": ("from_edgelist", ([(0, 1), (2, 0)],), {}),
    "pairs with values": ("from_edgelist", ([(0, 1), (2, 0)], [5, 6]), {"ncols": 7}),
    "triples": ("from_edgelist", ([(0, 1, 2.5), (2, 0, 1.0)],), {"nrows": 9}),
    "no edges": ("from_edgelist", ([],), {"nrows": 2, "ncols": 3}),
    "array of edges": ("from_edgelist", (np.array([[0, 1], [2, 0]]), [5, 6]), {"dtype": "FP32"}),
    "csr": ("from_csr", ([0, 2, 2, 3], [0, 2, 1], [5, 6, 7]), {"ncols": 4}),
    "csr without sizes": ("from_csr", ([0, 2, 2, 3], [0, 2, 1], [5, 6, 7]), {}),
    "csr of one value": ("from_csr", ([0, 1, 2], [0, 2], 3), {"ncols": 3}),
    "csc": ("from_csc", ([0, 2, 2, 3], [0, 2, 1], [5, 6, 7]), {"nrows": 4}),
    "csc of one value": ("from_csc", ([0, 2, 3], [0, 2, 1], 4.0), {}),
    "rows": ("from_dicts", ({0: {1: 2}, 3: {0: 5, 2: 7}},), {}),
    "columns": ("from_dicts", ({0: {1: 2}, 3: {0: 5, 2: 7}},), {"order": "columnwise"}),
    "list of rows": ("from_dicts", ([{1: 2}, {}, {0: 5}],), {}),
    "list of columns": ("from_dicts", ([{1: 2}, {}, {0: 5}],), {"order": "columnwise", "nrows": 5}),
    "dense": ("from_dense", ([[0, 1], [2, 0], [0, 3]],), {"missing_value": 0}),
    "full": ("from_dense", (np.arange(6.0).reshape(2, 3),), {"dtype": "FP32"}),
    "scalar": ("from_scalar", (7, 2, 3), {}),
    "scalar of no rows": ("from_scalar", (7, 0, 3), {"dtype": "INT16"}),
}


@pytest.mark.parametrize("name", VECTORS)
def test_vectors_as_python_graphblas_builds_them(name: str, backend: Any) -> None:
    how, given_, named = VECTORS[name]
    theirs = getattr(gb.Vector, how)(*given_, **named)
    ours = getattr(lg.Vector, how)(*given_, **named, backend=backend)
    assert lg.Vector.from_graphblas(theirs, backend=backend).isequal(ours, check_dtype=True)
    assert ours.to_dict() == theirs.to_dict()
    assert list(ours) == list(theirs)
    assert [i in ours for i in range(ours.size)] == [i in theirs for i in range(theirs.size)]
    assert [ours.get(i, -1) for i in range(ours.size)] == [
        theirs.get(i, -1) for i in range(theirs.size)
    ]
    for fill in (0, -1, 0.5, 300):
        np.testing.assert_array_equal(ours.to_dense(fill), theirs.to_dense(fill))


@pytest.mark.parametrize("name", MATRICES)
def test_matrices_as_python_graphblas_builds_them(name: str, backend: Any) -> None:
    how, given_, named = MATRICES[name]
    theirs = getattr(gb.Matrix, how)(*given_, **named)
    theirs.ss.config["format"] = "by_row"  # or its tuples come by columns
    ours = getattr(lg.Matrix, how)(*given_, **named, backend=backend)
    assert lg.Matrix.from_graphblas(theirs, backend=backend).isequal(ours, check_dtype=True)
    if theirs.nvals:  # theirs fails without entries
        assert ours.to_dicts() == theirs.to_dicts()
        assert ours.to_dicts("columnwise") == theirs.to_dicts("columnwise")
    else:
        assert ours.to_dicts() == ours.to_dicts("columnwise") == {}
    assert list(ours) == list(theirs)
    at = [(i, j) for i in range(ours.nrows) for j in range(ours.ncols)]
    assert [p in ours for p in at] == [p in theirs for p in at]
    assert [ours.get(*p, -1) for p in at] == [theirs.get(*p, -1) for p in at]
    for reader in ("to_csr", "to_csc", "to_coo", "to_edgelist"):
        for mine, their in zip(getattr(ours, reader)(), getattr(theirs, reader)(), strict=True):
            np.testing.assert_array_equal(mine, their)
    for fill in (0, -1, 0.5):
        np.testing.assert_array_equal(ours.to_dense(fill), theirs.to_dense(fill))
    assert ours.to_dense(0, "FP32").dtype == np.float32


def test_masked_positions_stay_empty(backend: Any) -> None:
    v = lg.Vector.from_dense(
        np.ma.array([1.5, np.nan, 3, 0], mask=[0, 1, 0, 0]), 0, backend=backend
    )
    assert v.size == 4 and v.to_dict() == {0: 1.5, 2: 3}
    A = lg.Matrix.from_dense(np.ma.array([[1, 300], [3, 4]], mask=[[0, 1], [0, 0]]), dtype="INT8",
                             backend=backend)  # fmt: skip
    assert A.to_dicts() == {0: {0: 1}, 1: {0: 3, 1: 4}} and A.dtype == np.int8
    empty = lg.Matrix.from_dense(np.ma.masked_all((2, 3)), backend=backend)
    assert (empty.shape, empty.nvals) == ((2, 3), 0)
    w = lg.Vector.from_coo(np.ma.array([0, 2]), np.ma.array([5, 6]), backend=backend)  # no mask set
    assert w.to_dict() == {0: 5, 2: 6}


def test_parts_of_the_tuples(backend: Any) -> None:
    A, v = small(backend), lg.Vector.from_coo([1, 3], [5, 7], backend=backend)
    assert A.to_coo(rows=False, columns=False)[:2] == (None, None)
    assert A.to_coo(values=False)[2] is A.to_edgelist(values=False)[1] is None
    assert v.to_coo(indices=False)[0] is v.to_coo(values=False)[1] is None
    assert v.to_coo("FP32")[1].dtype == A.to_csr("FP32")[2].dtype == np.float32
    assert A.to_coo("BOOL")[2].tolist() == [True] * 3


def test_build(backend: Any) -> None:
    v = lg.Vector("INT32", 4, backend=backend)
    v.build([1, 1, 2], [5, 6, 7], dup_op=BINARY["plus"])
    assert v.to_dict() == {1: 11, 2: 7} and v.dtype == np.int32
    v.build([5], [1], clear=True, size=6)
    assert v.to_dict() == {5: 1} and v.size == 6
    with pytest.raises(DuplicateEdges):
        v.build([0, 0], [1, 2], clear=True)
    assert v.to_dict() == {5: 1}  # as it was
    A = lg.Matrix("FP64", 2, 2, backend=backend)
    A.build([0], [1], [3])
    assert A.to_dicts() == {0: {1: 3.0}} and A.dtype == np.float64
    A.build([2], [2], 4.5, clear=True, nrows=3, ncols=3)
    assert A.to_dicts() == {2: {2: 4.5}} and A.shape == (3, 3)


def test_full_vectors_of_one_value_move_no_array() -> None:
    before = DEVICE.waits
    v = lg.Vector.from_scalar(7, 100_000, backend=GPU)
    assert DEVICE.waits == before and v.nvals == 100_000


# --- SciPy, python-graphblas, NumPy -------------------------------------------------------------


@pytest.mark.parametrize("form", ["bsr", "coo", "csc", "csr", "dia", "dok", "lil"])
def test_scipy(form: str, backend: Any) -> None:
    A = small(backend)
    out = A.to_scipy_sparse(form)
    assert out.format == form and out.shape == A.shape
    back = lg.Matrix.from_scipy_sparse(out, backend=backend).select("!=", 0).new()
    assert back.isequal(A)


def test_scipy_details(backend: Any) -> None:
    twice = sp.coo_array(([1, 2, 4], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    build = lg.Matrix.from_scipy_sparse
    assert build(twice, backend=backend).to_dicts() == {0: {1: 3}, 1: {0: 4}}
    least = build(twice, dup_op=BINARY["min"], backend=backend)
    assert least.to_dicts() == {0: {1: 1}, 1: {0: 4}}
    assert twice.nnz == 3  # theirs is as it was
    v = lg.Vector.from_coo([1], [5], size=3, backend=backend)
    assert v.to_scipy_sparse().toarray().tolist() == [[0, 5, 0]]
    assert v.to_scipy_sparse("csc").toarray().tolist() == [[0], [5], [0]]
    assert lg.io.from_scipy_sparse(lg.io.to_scipy_sparse(v), backend=backend).shape == (1, 3)


def test_entries_are_listed_by_rows_whatever_stores_them_by_columns() -> None:
    theirs = gb.Matrix.from_csc([0, 2, 4], [0, 1, 0, 1], [1, 2, 3, 4], nrows=2)
    A = lg.Matrix.from_graphblas(theirs, backend=CPU)
    assert [part.tolist() for part in A.to_coo()] == [[0, 0, 1, 1], [0, 1, 0, 1], [1, 3, 2, 4]]
    full = gb.Matrix.from_dense(np.arange(6).reshape(2, 3))
    full.ss.config["format"] = "by_col"
    assert full.ss.format == "fullc"
    A = lg.Matrix.from_graphblas(full, backend=CPU)
    assert A.to_dense().tolist() == [[0, 1, 2], [3, 4, 5]] and A[1, :].new().to_dense()[2] == 5
    for shape in ((0, 2**60), (2**60, 0)):  # no gap, and no entry
        nothing = gb.Matrix(float, *shape)
        nothing.ss.config["sparsity_control"] = "full"
        nothing.wait()
        assert lg.Matrix.from_graphblas(nothing, backend=CPU).to_coo()[0].size == 0
    column = lg.Matrix.from_coo([1], [0], [7], nrows=2, ncols=1, backend=CPU)
    column.resize(2, 2)
    column[0, 1] = 8
    assert list(column) == [(0, 1), (1, 0)]


def test_python_graphblas_objects_are_shared_on_request() -> None:
    theirs = gb.Matrix.from_coo([0, 1], [1, 0], [5, 6])
    A = lg.Matrix.from_graphblas(theirs, backend=CPU)
    assert A.to_graphblas() is theirs
    assert A.to_graphblas(copy=True) is not theirs
    assert lg.Matrix.from_graphblas(theirs, copy=True, backend=CPU).to_graphblas() is not theirs
    vector = gb.Vector.from_coo([1], [5], size=3)
    v = lg.Vector.from_graphblas(vector, copy=False, backend=CPU)
    v[0] << 7
    assert vector.to_dict() == {0: 7, 1: 5} and v.to_graphblas(copy=False) is vector
    own = lg.Vector.from_graphblas(vector, backend=CPU)
    own[2] << 1
    assert 2 not in vector and own.to_graphblas() is not own.to_graphblas(copy=False)
    for thing in own, lg.Matrix.from_coo([0], [1], 1, nrows=2, ncols=2, backend=CPU):
        for whether in False, True:
            exported = thing.dup().to_graphblas(copy=whether).ss.export()
            assert exported["values"].tolist() == thing.to_coo()[-1].tolist()
    theirs[1, 0] = 5
    for directed in (True, False):
        G = lg.Graph(A, directed)
        assert lg.bfs(G, 0)[0].nvals == lg.sssp(G, 0)[0].nvals == 2
        theirs.clear()
        assert lg.bfs(G, 0)[0].nvals == lg.sssp(G, 0)[0].nvals == 1
        theirs[0, 1] = theirs[1, 0] = 5
    there = lg.Matrix.from_graphblas(theirs, backend=GPU)
    assert there.backend is GPU and there.to_graphblas().isequal(theirs)
    with pytest.raises(WrongType, match="expected a Vector"):
        lg.Vector.from_graphblas(theirs, backend=CPU)
    with pytest.raises(WrongType, match="expected a Matrix"):
        lg.Matrix.from_graphblas(vector, backend=CPU)
    with pytest.raises(WrongType, match=r"\.new\(\)"):
        lg.Matrix.from_graphblas(theirs.T, backend=CPU)


def test_numpy_by_dlpack(backend: Any) -> None:
    class Foreign:  # no __array__
        def __dlpack__(self, **options: Any) -> Any:
            return np.arange(3.0).__dlpack__(**options)

        def __dlpack_device__(self) -> tuple[int, int]:
            return 1, 0

    v = lg.Vector.from_dense(Foreign(), backend=backend)
    assert v.to_dense().tolist() == [0.0, 1.0, 2.0]
    if backend is CPU:
        assert np.from_dlpack(v).tolist() == [0.0, 1.0, 2.0]
        assert v.__dlpack_device__() == (1, 0)
        assert not hasattr(v, "__cuda_array_interface__")
        assert v.to_dense(device=True).tolist() == [0.0, 1.0, 2.0]
        assert small(CPU).to_csr(device=True)[1].tolist() == [1, 3, 0]
        with pytest.raises(UnsupportedOperation, match="to_scipy_sparse"):
            small(CPU).dup("FP64").to_cupyx()


# --- bytes --------------------------------------------------------------------------------------

DTYPES = st.sampled_from(types.ALL)


@given(st.data(), DTYPES, st.sampled_from([CPU, GPU]), st.sampled_from([CPU, GPU]))
def test_bytes_there_and_back(data: Any, dtype: Any, here: Any, there: Any) -> None:
    n = data.draw(st.integers(0, 6))
    at = data.draw(st.lists(st.integers(0, max(0, n * n - 1)), unique=True)) if n else []
    held = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(at), max_size=len(at))))
    row, column = np.divmod(np.array(at, np.int64), max(n, 1))
    A = lg.Matrix.from_coo(row, column, held.astype(dtype), nrows=n, ncols=n, backend=here)
    back = lg.Matrix.deserialize(A.serialize(), backend=there)
    assert back.backend is there and back.shape == A.shape
    assert back.to(here).isequal(A, check_dtype=True)
    v = lg.Vector.from_coo(at, held.astype(dtype), size=n * n, backend=here)
    again = lg.Vector.deserialize(v.serialize(), backend=there)
    assert again.to(here).isequal(v, check_dtype=True) and again.size == n * n


def test_one_value_stays_one_value() -> None:
    """A matrix without weights is small as bytes, and again when it is read."""
    n = 500
    row, column = np.divmod(np.arange(0, n * n, 7), n)
    A = lg.Matrix.from_coo(row, column, 2.0, nrows=n, ncols=n, backend=GPU)
    B = lg.Matrix.from_coo(row, column, np.arange(row.size, dtype=float), nrows=n, ncols=n,
                           backend=GPU)  # fmt: skip
    assert len(A.serialize()) < len(B.serialize()) - 7 * row.size
    assert lg.Matrix.deserialize(A.serialize(), backend=GPU)._store.iso
    shared = lg.Matrix.deserialize(A.serialize(), backend=CPU).to_graphblas()
    assert shared.ss.is_iso
    signed = lg.Matrix.from_coo([0, 1], [0, 1], [0.0, -0.0], backend=CPU)
    zeros = lg.Matrix.deserialize(signed.serialize(), backend=CPU).to_coo()[2]
    assert np.signbit(zeros).tolist() == [False, True]


def altered(data: bytes, **changes: Any) -> bytes:
    with np.load(io.BytesIO(data)) as archive:
        arrays = {name: archive[name] for name in archive.files} | changes
    out = io.BytesIO()
    np.savez(out, **{name: array for name, array in arrays.items() if array is not None})
    return out.getvalue()


def test_foreign_bytes_are_refused() -> None:
    A = small(CPU)
    few = lg.Matrix.from_coo([3, 9], [1, 2], [5, 6], nrows=900, ncols=3, backend=CPU).serialize()
    data, of_vector = A.serialize(), lg.Vector.from_coo([1], [2], backend=CPU).serialize()
    other = io.BytesIO()
    np.savez(other, a=np.arange(3))
    objects = io.BytesIO()
    np.savez(objects, kind=np.array([{}], object), allow_pickle=True)
    npy = io.BytesIO()
    np.save(npy, np.arange(3))
    for wrong, words in (
        (b"", "0 bytes that are cut off, damaged or something else"),
        (b"hello", r"5 bytes that are cut off.*no archive: the first are b'hello'"),
        (pickle.dumps(A), "something else"),
        (other.getvalue(), "something else"),
        (objects.getvalue(), "something else"),
        (npy.getvalue(), r"something else \(no archive: the first are b'.x93NUMPY'\); make"),
        (of_vector, "expected a serialized matrix, got 'lagraph-gpu vector'"),
        (altered(data, version=np.array(3)), "expected version 1 or 2 of the format, got 3"),
        (altered(data, version=np.array(2)), "something else"),
        (altered(few, rows=np.array([9, 3])), "increasing row ids"),
        (altered(few, rows=np.array([3, 900])), "row ids from 0 to 899, got 900"),
        (altered(few, rows=np.array([3])), "expected 2 row offsets, got 3"),
        (altered(data, version=np.array("x")), "something else"),
        (altered(data, shape=np.array([3])), "something else"),
        (altered(data, shape=np.array([3, 2**61])), "something else"),
        (altered(data, shape=np.array([4, 4])), "expected 5 row offsets, got 4"),
        (altered(data, shape=np.array([3, 3])), "column ids from 0 to 2, got 3"),
        (altered(data, indptr=np.array([0, 2, 1, 3])), "non-decreasing"),
        (altered(data, indices=np.array([3, 1, 0])), "increasing column ids"),
        (altered(data, values=np.array([1, 2])), "expected 3 values"),
        (altered(data, values=np.array(["a"] * 3)), "numbers as values"),
        (altered(data, values=None), "something else"),
        ("text", "bytes that serialize"),
        (7, "bytes that serialize.*got int"),
    ):
        with pytest.raises(InvalidValue, match=words):
            lg.Matrix.deserialize(wrong, backend=CPU)
    with pytest.raises(InvalidValue, match="increasing position ids in each vector"):
        lg.Vector.deserialize(altered(lg.Vector.from_coo([0, 1], [2, 3], backend=CPU).serialize(),
                                      indices=np.array([1, 1])), backend=CPU)  # fmt: skip
    assert lg.Matrix.deserialize(bytearray(data), backend=CPU).isequal(A)
    swapped = altered(data, values=np.array([5, 6, 7], ">i8"))
    assert lg.Matrix.deserialize(swapped, backend=CPU).isequal(A, check_dtype=True)


def test_damaged_bytes_are_refused() -> None:
    """Cut anywhere, or with a byte changed: an error or (in what a zip does not use) the same."""
    A = small(CPU)
    data = A.serialize()
    for end in range(0, len(data), 7):
        with pytest.raises(InvalidValue):
            lg.Matrix.deserialize(data[:end], backend=CPU)
    refused = 0
    for at in range(0, len(data), 5):
        wrong = bytearray(data)
        wrong[at] ^= 0x55
        try:
            assert lg.Matrix.deserialize(wrong, backend=CPU).isequal(A, check_dtype=True)
        except InvalidValue:
            refused += 1
    assert refused > len(data) // 10


def test_copies(backend: Any) -> None:
    """copy.copy shares nothing that is written in place."""
    v, A = lg.Vector.from_coo([1], [5], size=3, backend=backend), small(backend)
    for twin in (copy.copy(v), copy.deepcopy(v)):
        twin[0] << 9
        assert v.to_dict() == {1: 5}
    for other in (copy.copy(A), copy.deepcopy(A)):
        other << A.apply("ainv")
        assert A.to_dicts() == {0: {1: 5, 3: 6}, 2: {0: 7}}
    v.name, total = "v", v.reduce("plus").new()
    with lg.backend(backend):
        for held in (v, A, v + v, A.T, total):
            for again in (pickle.loads(pickle.dumps(held)), copy.deepcopy(held)):
                assert again.isequal(held, check_dtype=True) and again.backend is backend
        assert pickle.loads(pickle.dumps(v)).name == "v"
        assert pickle.loads(pickle.dumps([A.S, A]))[0].new().nvals == 3


# --- a device's arrays (a fake library's, on the emulator) --------------------------------------


def rows_of(*arrays: Any, **options: Any) -> list[ForeignArray]:
    return [ForeignArray(np.array(a), **options) for a in arrays]


def address(array: Any) -> int:
    return array.__cuda_array_interface__["data"][0]


CSR = np.array([0, 2, 2, 3], np.int32), np.array([1, 3, 0], np.int32), np.array([5.0, 6.0, 7.0])
EXPECTED = {0: {1: 5.0, 3: 6.0}, 2: {0: 7.0}}


@emulated
@pytest.mark.parametrize("dlpack_only", [False, True])
@pytest.mark.parametrize("offset", ["i4", "i8", "u4", "u8"])
@pytest.mark.parametrize("index", ["i2", "i4", "i8", "u4", "u8"])
def test_rows_on_the_device(offset: str, index: str, dlpack_only: bool) -> None:
    arrays = CSR[0].astype(offset), CSR[1].astype(index), CSR[2]
    indptr, indices, values = rows_of(*arrays, dlpack_only=dlpack_only)
    before = DEVICE.waits
    A = lg.Matrix.from_csr(indptr, indices, values, ncols=4, backend=GPU)
    assert DEVICE.waits == before + 1
    assert A.to_dicts() == EXPECTED and A.dtype == np.float64 and A.nvals == 3
    sums = A.reduce_rowwise("plus").new()  # and it works: rows, their transpose, a merge
    assert sums.to_dict() == {0: 11.0, 2: 7.0}
    assert A.reduce_columnwise("plus").new().to_dict() == {0: 7.0, 1: 5.0, 3: 6.0}
    assert A.ewise_add(A, BINARY["plus"]).new().to_dicts()[0] == {1: 10.0, 3: 12.0}


@emulated
def test_what_is_shared() -> None:
    given_ = rows_of(*CSR)
    out = lg.Matrix.from_csr(*given_, ncols=4, backend=GPU).to_csr(device=True)
    assert [address(a) for a in out] == [address(a) for a in given_]
    own = lg.Matrix.from_csr(*given_, ncols=4, copy=True, backend=GPU).to_csr(device=True)
    assert not {address(a) for a in own} & {address(a) for a in given_}
    wide = rows_of(CSR[0].astype("i8"), CSR[1].astype("i8"), CSR[2])
    out = lg.Matrix.from_csr(*wide, ncols=4, backend=GPU).to_csr(device=True)
    assert [address(a) == address(b) for a, b in zip(out, wide)] == [True, False, True]
    cast = lg.Matrix.from_csr(*rows_of(CSR[0], CSR[1], np.float32([5, 6, 7])), "FP64", ncols=4,
                              backend=GPU)  # fmt: skip
    assert cast.to_dicts() == EXPECTED and cast.dtype == np.float64
    iso = lg.Matrix.from_csr(*given_[:2], 2, ncols=4, backend=GPU)
    assert iso._store.iso and iso.to_csr(device=True)[2].get().tolist() == [2, 2, 2]
    mixed = lg.Matrix.from_csr(CSR[0], given_[1], CSR[2], ncols=4, backend=GPU)
    assert mixed.to_dicts() == EXPECTED
    empty = lg.Matrix.from_csr(*rows_of(np.int32([0, 0]), np.int32([]), np.float32([])), ncols=3,
                               backend=GPU)  # fmt: skip
    assert (empty.nvals, empty.shape, empty.dtype) == (0, (1, 3), np.float32)


def test_a_missing_nan_is_every_nan(backend: Any) -> None:
    """NaN is not equal to itself, so none was left out."""
    nan = np.nan
    for dtype, values in (
        ("FP64", [1, nan, 3]),
        ("FC64", [1, complex(0, nan), 3]),
        ("INT8", [1, 2]),
    ):
        v = lg.Vector.from_dense(values, nan, dtype=dtype, backend=backend)
        assert v.to_dict() == {i: x for i, x in enumerate(values) if x == x}
        assert lg.Vector.from_dense(v.to_dense(nan), nan, backend=backend).isequal(v)
    A = lg.Matrix.from_dense([[nan, 2.0], [nan, nan]], missing_value=nan, backend=backend)
    assert A.to_dicts() == {0: {1: 2.0}}
    assert lg.Vector.from_dense([1, nan], missing_value=1, backend=backend).nvals == 1
    for dtype in ("INT64", "BOOL"):  # which have no NaN
        v = lg.Vector.from_dense([nan, 1.0, nan], nan, dtype=dtype, backend=backend)
        A = lg.Matrix.from_dense([[nan, 1.0]], nan, dtype=dtype, backend=backend)
        assert v.dtype == A.dtype == dtype and v.to_dict() == {1: 1} and A[0, 1].value == 1
        assert v.nvals == A.nvals == 1


@emulated
def test_a_dense_matrix_on_the_device() -> None:
    """Only what is there becomes an entry, whatever else holds the same memory."""
    held = np.array([[0, 0, 0], [7, 0, 5], [0, 6, 0], [0, 0, 0]], np.int16)
    for missing in (0, 5, None, 9):
        A = lg.Matrix.from_dense(ForeignArray(held), missing, backend=GPU)
        assert A.isequal(lg.Matrix.from_dense(held, missing, backend=GPU))
        assert A.dtype == np.int16 and A.ncols == 3
    wide = lg.Matrix.from_dense(ForeignArray(held), 0, dtype="FP64", backend=GPU)
    assert wide.dtype == np.float64 and wide.to_dicts() == {1: {0: 7, 2: 5}, 2: {1: 6}}
    for shape in ((0, 3), (3, 0), (2, 2)):
        none = lg.Matrix.from_dense(ForeignArray(np.zeros(shape)), 0, backend=GPU)
        assert (none.shape, none.nvals, none.dtype) == (shape, 0, np.float64)


WRONG_ROWS = {
    "begins elsewhere": (InvalidValue, "begin with 0", [1, 2, 2, 3], [1, 3, 0], [1, 1, 1]),
    "ends elsewhere": (InvalidValue, "end with 3", [0, 2, 2, 2], [1, 3, 0], [1, 1, 1]),
    "falls": (InvalidValue, "non-decreasing", [0, 3, 2, 3], [1, 2, 3], [1, 1, 1]),
    "too large": (IndexOutOfBound, "from 0 to 3", [0, 2, 2, 3], [1, 4, 0], [1, 1, 1]),
    "negative": (IndexOutOfBound, "from 0 to 3", [0, 2, 2, 3], [-1, 3, 0], [1, 1, 1]),
    "unsorted": (InvalidValue, "increasing", [0, 2, 2, 3], [3, 1, 0], [1, 1, 1]),
    "twice": (InvalidValue, "increasing", [0, 2, 2, 3], [1, 1, 0], [1, 1, 1]),
    "too few values": (DimensionMismatch, "3 values or a single", [0, 2, 2, 3], [1, 3, 0], [1, 1]),
    "no offsets": (InvalidValue, "got no offset", np.int32([]), [1, 3, 0], [1, 1, 1]),
    "fractions": (InvalidValue, "column ids as integers, got FP64", [0, 1], [0.0], [1]),
    "two dimensions": (DimensionMismatch, "one-dimensional", [0, 1], [[0]], [1]),
}


@emulated
@pytest.mark.parametrize("name", WRONG_ROWS)
def test_wrong_rows_on_the_device(name: str) -> None:
    kind, words, *arrays = WRONG_ROWS[name]
    with pytest.raises(kind, match=words):
        lg.Matrix.from_csr(*rows_of(*arrays), ncols=4, backend=GPU)


@emulated
def test_refusals_on_the_device() -> None:
    given_ = rows_of(*CSR)
    with pytest.raises(InvalidValue, match="ncols= for arrays on the device"):
        lg.Matrix.from_csr(*given_, backend=GPU)
    with pytest.raises(WrongType, match=r"INT32 or a type that it can hold.*FP64 on the device"):
        lg.Matrix.from_csr(*given_, "INT32", ncols=4, backend=GPU)
    for refused in (
        lambda: lg.Vector.from_coo(given_[1], 1, backend=GPU),
        lambda: lg.Vector.from_coo([0, 1, 2], given_[2], backend=GPU),
        lambda: lg.Matrix.from_coo([0], given_[1], backend=CPU),
        lambda: lg.Graph.from_edges(given_[1], given_[1], backend=CPU),
    ):
        with pytest.raises(WrongType, match=r"on the host, got ForeignArray on a GPU.*from_csr"):
            refused()
    with pytest.raises(DimensionMismatch, match=r"two-dimensional array, got shape \(3,\)"):
        lg.Matrix.from_dense(given_[2], backend=GPU)
    for call in (
        lambda: lg.Matrix.from_csr(*given_, ncols=4, backend=CPU),
        lambda: lg.Vector.from_dense(given_[2], backend=CPU),
        lambda: lg.Matrix.from_dense(ForeignArray(np.ones((2, 2))), backend=CPU),
    ):
        with pytest.raises(BackendMismatch, match=r"backend='gpu'.*\.get\(\) \(CuPy\)"):
            call()


@emulated
@pytest.mark.parametrize("n", [0, 1, 31, 32, 33, 200])
@pytest.mark.parametrize("dtype", ["b1", "i1", "i4", "u8", "f4", "f8"])
def test_dense_on_the_device(n: int, dtype: str) -> None:
    held = np.random.default_rng(n).integers(0, 3, n).astype(dtype)
    for missing in (None, 0, 1, 0.5, -1, float("nan")):
        here = lg.Vector.from_dense(held, missing, backend=CPU)
        there = lg.Vector.from_dense(ForeignArray(held), missing, backend=GPU)
        assert there.to(CPU).isequal(here, check_dtype=True), missing
        assert there.to_dense(7, device=True).get().tolist() == here.to_dense(7).tolist()
        index, values = there.to_coo(device=True)
        assert index.get().tolist() == here.to_coo()[0].tolist()
        assert values.get().tolist() == here.to_coo()[1].tolist()


@emulated
def test_vectors_share_on_request() -> None:
    held = ForeignArray(np.arange(5.0))
    v = lg.Vector.from_dense(held, backend=GPU)
    v[0] << 9
    assert held.get()[0] == 0 and address(v) != address(held)
    shared = lg.Vector.from_dense(held, copy=False, backend=GPU)
    assert address(shared) == address(held)
    shared[0] << 9
    assert held.get()[0] == 9
    assert v.__dlpack_device__() == (2, 0) and v.__dlpack__() is not None
    other = lg.Vector.from_dense(v, backend=GPU)  # a vector is such an array itself
    assert other.isequal(v) and address(other) != address(v)
    del v[1]
    with pytest.raises(WrongType, match="an entry everywhere"):
        v.__cuda_array_interface__
    with pytest.raises(MissingPackage, match="PyTorch"):
        missing = dict(sys.modules)
        try:
            sys.modules["torch"] = None  # type: ignore[assignment]
            small(GPU).to_torch()
        finally:
            sys.modules.clear()
            sys.modules.update(missing)


class FakeCsr:
    """A sparse matrix of cupyx, as far as we look."""

    format = "csr"

    def __init__(self, indptr: Any, indices: Any, data: Any, ncols: int) -> None:
        self.indptr, self.indices, self.data = rows_of(indptr, indices, data)
        self.shape, self.ndim = (len(indptr) - 1, ncols), 2

    def tocsr(self, copy: bool = False) -> Any:
        return FakeCsr(self.indptr.get(), self.indices.get(), self.data.get(), 4) if copy else self

    def sum_duplicates(self) -> None:
        arrays = self.data.get(), self.indices.get(), self.indptr.get()
        host = sp.csr_array(arrays, shape=self.shape)
        host.sum_duplicates()
        self.indptr, self.indices, self.data = rows_of(host.indptr, host.indices, host.data)


@emulated
def test_cupyx() -> None:
    theirs = FakeCsr(*CSR, 4)
    A = lg.Matrix.from_scipy_sparse(theirs, backend=GPU)
    assert A.to_dicts() == EXPECTED
    assert address(A.to_csr(device=True)[1]) == address(theirs.indices)
    back = A.to_cupyx()
    assert back.shape == (3, 4) and address(back.indices) == address(theirs.indices)
    messy = FakeCsr([0, 3, 4], np.int32([2, 1, 2, 0]), np.float32([1, 2, 4, 8]), 4)
    A = lg.Matrix.from_scipy_sparse(messy, backend=GPU)
    assert A.to_dicts() == {0: {1: 2.0, 2: 5.0}, 1: {0: 8.0}}
    assert messy.indices.get().tolist() == [2, 1, 2, 0]  # theirs is as it was
    with pytest.raises(IndexOutOfBound):
        lg.Matrix.from_scipy_sparse(FakeCsr([0, 1], np.int32([9]), np.float32([1]), 4), backend=GPU)


class FakeTensor:
    """A sparse tensor of PyTorch, as far as we look."""

    def __init__(self, indptr: Any, indices: Any, data: Any, shape: tuple[int, int]) -> None:
        self.parts, self.shape, self.layout = (indptr, indices, data), shape, "torch.sparse_csr"

    crow_indices = lambda self: self.parts[0]  # noqa: E731
    col_indices = lambda self: self.parts[1]  # noqa: E731
    values = lambda self: self.parts[2]  # noqa: E731
    detach = to_sparse_csr = lambda self: self


class HostTensor(np.ndarray):
    def numpy(self) -> np.ndarray:
        return np.asarray(self)


@pytest.mark.parametrize("index", ["i4", "i8"])
def test_torch(index: str, backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = CSR[0].astype(index), CSR[1].astype(index), CSR[2]
    if backend is GPU and not isinstance(DEVICE, EmulatedDevice):
        pytest.skip("the fake arrays live on the emulated device")
    parts = rows_of(*arrays) if backend is GPU else [a.view(HostTensor) for a in arrays]
    A = lg.Matrix.from_torch(FakeTensor(*parts, (3, 4)), backend=backend)
    assert A.to_dicts() == EXPECTED
    fake = SimpleNamespace(
        from_dlpack=lambda x: x, sparse_csr_tensor=lambda *parts, size: FakeTensor(*parts, size)
    )
    monkeypatch.setitem(sys.modules, "torch", fake)
    tensor = A.to_torch()
    assert tensor.parts[0].dtype == tensor.parts[1].dtype  # as PyTorch demands
    assert tensor.shape == (3, 4)
    if backend is GPU:
        assert address(tensor.parts[2]) == address(parts[2])
        assert lg.Matrix.from_torch(tensor, backend=GPU).to_dicts() == EXPECTED


class FakeLayout:
    """A tensor of PyTorch in another layout, of a matrix of 4 rows and 6 columns."""

    def __init__(self, layout: str, arrays: dict[str, Any], converted: Any) -> None:
        self.layout, self.shape, self.converted = f"torch.sparse_{layout}", (4, 6), converted
        for name, array in arrays.items():
            setattr(self, name, partial(FakeHost, np.asarray(array)))

    def detach(self) -> Any:
        return self

    def to_sparse_csr(self) -> Any:
        return self.converted()


class FakeHost:
    def __init__(self, array: np.ndarray) -> None:
        self.array, self.shape = array, array.shape

    def cpu(self) -> Any:
        return self

    def numpy(self) -> np.ndarray:
        return self.array


LAYOUTS: dict[str, dict[str, Any]] = {
    "csc": {"ccol_indices": [0, 1, 1, 1, 1, 1, 2], "row_indices": [3, 0], "values": np.ones(2)},
    "coo": {"_indices": [[3, 0], [0, 5]], "_values": np.ones(2)},
}
"""Sound arrays of each layout."""

DAMAGED_LAYOUTS = {
    "csc, an offset beyond": ("csc", {"ccol_indices": [0, 1, 10**7, 1, 1, 1, 2]}, "non-decreasing"),
    "csc, a last offset beyond": (
        "csc",
        {"ccol_indices": [0, 1, 1, 1, 1, 1, 10**7]},
        "from 0 to 2",
    ),
    "csc, an offset too few": ("csc", {"ccol_indices": [0, 1, 2]}, "7 offsets, got 3"),
    "csc, a row beyond": ("csc", {"row_indices": [4, 0]}, "row ids from 0 to 3, got 4"),
    "csc, few values": ("csc", {"values": np.ones(1)}, "as many values as ids"),
    "coo, a row beyond": ("coo", {"_indices": [[4, 0], [0, 5]]}, "row ids from 0 to 3, got 4"),
    "coo, a negative column": ("coo", {"_indices": [[3, 0], [0, -1]]}, "column ids from 0 to 5"),
    "coo, of rows": ("coo", {"_indices": [[3, 0]], "_values": np.ones((2, 6))}, "2 arrays of ids"),
}


@pytest.mark.parametrize("what", DAMAGED_LAYOUTS)
def test_other_layouts_of_torch_are_checked_before_they_are_converted(what: str) -> None:
    layout, parts, said = DAMAGED_LAYOUTS[what]
    tensor = FakeLayout(layout, LAYOUTS[layout] | parts, lambda: pytest.fail("was converted"))
    with pytest.raises(InvalidValue, match=rf"{layout} array that describes.*damaged: .*{said}"):
        lg.Matrix.from_torch(tensor, backend=CPU)


@pytest.mark.parametrize("layout", ["bsr", "bsc"])
def test_blocks_of_torch_are_refused(layout: str) -> None:
    tensor = FakeLayout(layout, {}, lambda: pytest.fail("was converted"))
    with pytest.raises(WrongType, match=rf"CSC or COO, got torch\.sparse_{layout}.*to_dense"):
        lg.Matrix.from_torch(tensor, backend=CPU)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_sound_layouts_of_torch_are_converted(layout: str) -> None:
    csr = FakeTensor(*(a.view(HostTensor) for a in CSR), (3, 4))
    A = lg.Matrix.from_torch(FakeLayout(layout, LAYOUTS[layout], lambda: csr), backend=CPU)
    assert A.to_dicts() == EXPECTED


def test_real_torch_in_all_layouts() -> None:
    torch = pytest.importorskip("torch")
    dense = torch.tensor([[0.0, 5, 0, 6], [0, 0, 0, 0], [7, 0, 0, 0], [0, 0, 0, 8]])
    for theirs in (dense.to_sparse_csc(), dense.to_sparse_coo(), dense.to_sparse_csc().t()):
        held = lg.Matrix.from_torch(theirs, backend=CPU)
        assert torch.equal(held.to_torch().to_dense(), theirs.to_dense()), theirs.layout
    damaged = torch.sparse_compressed_tensor(
        torch.tensor([0, 10**7, 2, 2, 2]), torch.tensor([0, 1]), torch.ones(2), size=(4, 4),
        layout=torch.sparse_csc, check_invariants=False,
    )  # fmt: skip
    with pytest.raises(InvalidValue, match="non-decreasing"):
        lg.Matrix.from_torch(damaged, backend=CPU)
    for theirs in (dense.to_sparse_bsr((2, 2)), dense.to_sparse_bsc((2, 2))):
        with pytest.raises(WrongType, match="to_dense"):
            lg.Matrix.from_torch(theirs, backend=CPU)


def test_real_torch() -> None:
    torch = pytest.importorskip("torch")
    tensor = torch.tensor([[0.0, 5, 0, 6], [0, 0, 0, 0], [7, 0, 0, 0]], requires_grad=True)
    for theirs in (tensor, tensor.detach().to_sparse(), tensor.detach().to_sparse_csr()):
        A = lg.Matrix.from_torch(theirs, backend=CPU)
        assert A.to_dicts() == EXPECTED
        assert torch.equal(A.to_torch().to_dense(), tensor.detach())
    v = lg.Vector.from_dense(tensor.detach()[0], backend=CPU)
    assert torch.equal(torch.from_dlpack(v), tensor.detach()[0])


# --- few bytes ----------------------------------------------------------------------------------


def test_an_element_moves_a_few_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    dense = np.where(rng.random((40, 50)) < 0.2, rng.integers(1, 9, (40, 50)), 0)
    dense[7] = 5
    A = lg.Matrix.from_dense(dense, missing_value=0, backend=GPU)
    ones = lg.Matrix.from_coo(*np.nonzero(dense), 3, nrows=40, ncols=50, backend=GPU)
    moved = watched(monkeypatch)
    for i in range(40):
        for j in range(50):
            assert A.get(i, j, 0) == dense[i, j]
            assert ones[i, j].get(0) == 3 * bool(dense[i, j])
    assert max(moved) <= 8
    assert lg.Matrix("INT8", 2, 2, backend=GPU).get(1, 1) is None


def test_few_entries_move_few_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    n = 20_000
    at = np.random.default_rng(3).choice(n, 60, replace=False)
    v = lg.Vector.from_coo(at, at.astype(float), size=n, backend=GPU)
    moved = watched(monkeypatch)
    index, values = v.to_coo()
    assert index.tolist() == sorted(at.tolist()) == values.tolist()
    assert sum(moved) <= 16 + 60 * 12
    moved.clear()
    full = lg.Vector.from_dense(np.arange(n), backend=GPU)
    assert full.to_coo()[1].tolist() == list(range(n))
    empty = lg.Vector("FP32", n, backend=GPU)
    assert [a.size for a in empty.to_coo()] == [0, 0]


def watched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes of each download from here on."""
    moved: list[int] = []
    download = DEVICE.download

    def counting(array: Any) -> np.ndarray:
        moved.append(array.nbytes)
        return download(array)

    monkeypatch.setattr(DEVICE, "download", counting)
    return moved
