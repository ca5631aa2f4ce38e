"""Arrays of CuPy, cupyx and PyTorch on a GPU: nothing goes over the host, and memory is shared.

LAGRAPH_TEST_DEVICE=cuda python -m pytest -n0 tests/test_interchange_cuda.py
"""

from __future__ import annotations

import gc
import os
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import DimensionMismatch, IndexOutOfBound, InvalidValue, WrongType
from semirings import BINARY, min_plus, plus_times

pytestmark = pytest.mark.skipif(
    os.environ.get("LAGRAPH_TEST_DEVICE") != "cuda",
    reason="it needs a GPU; set LAGRAPH_TEST_DEVICE=cuda where there is one",
)

N = 10_000


@pytest.fixture
def cupy() -> Any:
    return pytest.importorskip("cupy")


@pytest.fixture
def gpu() -> Any:
    from tests.harness import GPU

    return GPU


def rows(cupy: Any, index: str = "i4", offset: str = "i4", dtype: str = "f4") -> list[Any]:
    import scipy.sparse as sp

    A: Any = sp.random_array((N, N), density=0.001, format="csr", rng=1, dtype=dtype)
    A.sum_duplicates()
    A.data[:] = np.arange(1, A.nnz + 1)
    host = A.indptr.astype(offset), A.indices.astype(index), A.data
    return [cupy.asarray(a) for a in host]


def pointer(array: Any) -> int:
    return array.__cuda_array_interface__["data"][0]


@pytest.mark.parametrize("offset", ["i4", "i8"])
@pytest.mark.parametrize("index", ["i4", "i8", "u4"])
def test_rows_of_cupy(index: str, offset: str, cupy: Any, gpu: Any) -> None:
    import scipy.sparse as sp

    indptr, indices, values = rows(cupy, index, offset)
    A = lg.Matrix.from_csr(indptr, indices, values, ncols=N, backend=gpu)
    back = A.to_csr(device=True)
    assert isinstance(back[0], cupy.ndarray)
    assert (pointer(back[1]) == pointer(indices)) == (index == "i4")
    assert pointer(back[0]) == pointer(indptr) and pointer(back[2]) == pointer(values)
    host: Any = sp.csr_array((values.get(), indices.get(), indptr.get()), shape=(N, N))
    x = np.random.default_rng(0).random(N).astype("f4")
    u = lg.Vector.from_dense(cupy.asarray(x), backend=gpu)
    product = plus_times(u @ A).new().to_dense(0)
    np.testing.assert_allclose(product, host.T @ x, rtol=1e-3)
    assert A[5, 5].get(0) == host[5, 5]
    assert A.ewise_add(A, BINARY["plus"]).new().nvals == host.nnz


def test_memory_lives_as_long_as_it_is_used(cupy: Any, gpu: Any) -> None:
    indptr, indices, values = rows(cupy)
    expected = values.get()
    A = lg.Matrix.from_csr(indptr, indices, values, ncols=N, backend=gpu)
    del indptr, indices, values
    gc.collect()
    noise = [cupy.full(expected.size, -1, "f4") for _ in range(8)]
    np.testing.assert_array_equal(A.to_csr()[2], expected)
    out = A.to_csr(device=True)[2]
    del A, noise
    gc.collect()
    noise = [cupy.full(expected.size, -2, "f4") for _ in range(8)]
    np.testing.assert_array_equal(out.get(), expected)
    assert noise


def test_wrong_rows_of_cupy(cupy: Any, gpu: Any) -> None:
    indptr, indices, values = rows(cupy)

    def build(*arrays: Any) -> lg.Matrix:
        return lg.Matrix.from_csr(*arrays, ncols=N, backend=gpu)

    for at in (0, -1):
        broken = indices.copy()
        broken[at] = N
        with pytest.raises(IndexOutOfBound, match="column ids from 0"):
            build(indptr, broken, values)
    row = int(cupy.argmax(cupy.diff(indptr)))
    broken = indices.copy()
    begin = int(indptr[row])
    broken[begin + 1] = broken[begin]
    with pytest.raises(InvalidValue, match="increasing column ids"):
        build(indptr, broken, values)
    with pytest.raises(WrongType, match="one of the types"):
        build(indptr, indices, values.astype("f2"))
    with pytest.raises(DimensionMismatch, match="one-dimensional"):
        build(indptr, indices, values[None])
    with pytest.raises(DimensionMismatch, match="values or a single"):
        build(indptr, indices, values[1:])
    strided = cupy.repeat(values, 2)[::2]
    np.testing.assert_array_equal(build(indptr, indices, strided).to_csr()[2], values.get())


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "?"])
def test_cupyx(form: str, dtype: str, cupy: Any, gpu: Any) -> None:
    sparse = pytest.importorskip("cupyx.scipy.sparse")
    indptr, indices, values = rows(cupy)
    theirs = sparse.csr_matrix((values.astype(dtype), indices, indptr), shape=(N, N))
    A = lg.Matrix.from_scipy_sparse(theirs.asformat(form), backend=gpu)
    assert A.isequal(lg.Matrix.from_scipy_sparse(theirs.get(), backend=gpu), check_dtype=True)
    back = A.to_cupyx()
    assert pointer(back.indices) == pointer(A.to_csr(device=True)[1])
    assert back.dtype == np.dtype(dtype) and back.nnz == A.nvals
    if form == "csr" and dtype == "f4":
        assert pointer(back.data) == pointer(theirs.data)


def test_cupyx_with_duplicates(cupy: Any, gpu: Any) -> None:
    sparse = pytest.importorskip("cupyx.scipy.sparse")
    arrays = [cupy.asarray(a) for a in (np.float32([1, 2, 4]), [2, 1, 2], [0, 3])]
    theirs = sparse.csr_matrix(tuple(arrays), shape=(1, 4))
    A = lg.Matrix.from_scipy_sparse(theirs, backend=gpu)
    assert A.to_dicts() == {0: {1: 2.0, 2: 5.0}}
    assert theirs.nnz == 3
    with pytest.raises(WrongType, match="cupyx has no other"):
        A.dup("INT32").to_cupyx()
    one = lg.Matrix.from_coo([0, 1], [1, 0], 1.0, backend=gpu)
    assert one.to_cupyx().get().toarray().tolist() == [[0, 1], [1, 0]]


def test_vectors(cupy: Any, gpu: Any) -> None:
    x = cupy.arange(N, dtype="f8")
    own = lg.Vector.from_dense(x, backend=gpu)
    shared = lg.Vector.from_dense(x, copy=False, backend=gpu)
    x[3] = -1
    assert own[3].get() == 3 and shared[3].get() == -1
    assert pointer(cupy.from_dlpack(shared)) == pointer(cupy.asarray(shared)) == pointer(x)
    holes = lg.Vector.from_dense(x % 3, missing_value=0, backend=gpu)
    assert holes.nvals == int((x % 3 != 0).sum())
    cupy.testing.assert_array_equal(
        holes.to_dense(7, device=True), cupy.where(x % 3 == 0, 7, x % 3)
    )
    index, values = holes.to_coo(device=True)
    cupy.testing.assert_array_equal(index, cupy.flatnonzero(x % 3))
    cupy.testing.assert_array_equal(values, (x % 3)[index])
    with pytest.raises(WrongType, match="an entry everywhere"):
        cupy.from_dlpack(holes)


def test_another_stream(cupy: Any, gpu: Any) -> None:
    """What one stream is still writing, the other waits for."""
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        x = cupy.zeros(1 << 24, "f4")
        for _ in range(200):
            x += 1
    v = lg.Vector.from_dense(Interface(x, stream), backend=gpu)
    assert v.to_coo()[1].min() == 200


class Interface:
    def __init__(self, array: Any, stream: Any) -> None:
        self.array, self.stream = array, stream

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self.array.__cuda_array_interface__ | {"stream": self.stream.ptr, "version": 3}


def test_few_bytes(cupy: Any, gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    A = lg.Matrix.from_csr(*rows(cupy), ncols=N, backend=gpu)
    column = int(A.to_csr(device=True)[1][0])
    row = int(np.flatnonzero(np.diff(A.to_csr()[0]))[0])
    v = lg.Vector.from_coo([5, 70_000], [1.0, 2.0], size=1 << 20, backend=gpu)
    moved: list[int] = []
    download = gpu.device.download
    monkeypatch.setattr(
        gpu.device, "download", lambda a: moved.append(a.nbytes) or download(a), raising=True
    )
    assert A.get(row, column) == 1.0
    assert v.to_dict() == {5: 1.0, 70_000: 2.0}
    assert sum(moved) < 100


@pytest.mark.parametrize("index", ["int32", "int64"])
def test_torch(index: str, cupy: Any, gpu: Any) -> None:
    torch = pytest.importorskip("torch")
    parts = [torch.from_dlpack(a) for a in rows(cupy)]
    kind = getattr(torch, index)
    theirs = torch.sparse_csr_tensor(parts[0].to(kind), parts[1].to(kind), parts[2], size=(N, N))
    A = lg.Matrix.from_torch(theirs, backend=gpu)
    assert A.nvals == parts[2].numel()
    out = A.to_csr(device=True)
    assert pointer(out[2]) == theirs.values().data_ptr()
    assert (pointer(out[1]) == theirs.col_indices().data_ptr()) == (index == "int32")
    back = A.to_torch()
    assert back.device.type == "cuda" and torch.equal(back.values(), theirs.values())
    x = torch.rand(N, device="cuda", requires_grad=True)
    u = lg.Vector.from_dense(x, backend=gpu)
    assert u.nvals == N
    shared = lg.Vector.from_dense(x.detach(), copy=False, backend=gpu)
    assert torch.from_dlpack(shared).data_ptr() == x.data_ptr()
    assert lg.Matrix.from_torch(theirs.to_sparse_coo(), backend=gpu).isequal(A)


def test_a_search_in_a_matrix_of_cupy(cupy: Any, gpu: Any) -> None:
    A = lg.Matrix.from_csr(*rows(cupy), ncols=N, backend=gpu)
    x = lg.Vector.from_coo([0], [0.0], "FP32", size=N, backend=gpu)
    here = lg.closure(x.to("cpu"), A.to("cpu"), min_plus)
    there = lg.closure(x, A, min_plus)
    np.testing.assert_allclose(there.to_dense(-1), here.to_dense(-1), rtol=1e-5)
