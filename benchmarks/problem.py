"""A matrix to compute with: on the host for SciPy and the judges, on a backend, in CuPy.

Its entries are 1, 2 or 3 as float32, by (i + j) mod 3, so that A = Aᵀ. Whole numbers are exact in
float32, and so are their sums below 2²⁴ in any order: most results can be compared exactly.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

import lagraph_gpu as lg
from benchmarks.graphs import label, named
from benchmarks.peers import Absent, imported
from lagraph_gpu.backend import Backend, resolve


@dataclass(frozen=True)
class Place:
    """One who computes in our notation: us on the backend measured, or python-graphblas."""

    by: str
    backend: Backend
    A: lg.Matrix
    on_device: bool = True

    def matrix(self, M: Any) -> lg.Matrix:
        return as_matrix(M, self.backend)

    def vector(self, index: np.ndarray, values: np.ndarray, size: int) -> lg.Vector:
        return lg.Vector.from_coo(index, values, size=size, backend=self.backend)

    def whole(self, work: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """This work, and of its result whatever would wait until somebody looks."""

        def done(operand: Any) -> Any:
            result = work(operand)
            if waits(result):
                self.backend.lazy.settle(result._store)  # type: ignore[attr-defined]
            return result

        return done

    def wait(self, result: Any) -> None:
        """Until the result is complete (None: until nothing is left to do)."""
        self.backend.synchronize(*([] if result is None else [result._store]))


def waits(result: Any) -> bool:
    """Is a result a formula, which nobody has looked at yet?"""
    return getattr(getattr(result, "_store", None), "formula", None) is not None


class Problem:
    """A named graph as a symmetric matrix of float32."""

    def __init__(self, name: str, backend: Backend) -> None:
        self.name, self.label, self.backend = name, label(name), backend
        self.note: str | None = None
        edges = named(name)
        begin = time.perf_counter()
        weight = ((edges.src + edges.dst) % 3 + 1).astype(np.float32)
        G = lg.Graph.from_edges(
            edges.src, edges.dst, weight, edges.nrows, False, "min", backend=backend
        )
        backend.synchronize(G.A._store)
        self.prepare_ms = (time.perf_counter() - begin) * 1e3
        self.n, self.nedges, self.matrix = G.n, G.nedges, G.A
        indptr, column, value = G.A.to_csr()
        self.A = csr(value, column, indptr, (G.n, G.n))
        self.degree = np.diff(indptr)

    @property
    def ours(self) -> Place:
        return Place("lagraph-gpu", self.backend, self.matrix)

    @functools.cached_property
    def graphblas(self) -> Place:
        """python-graphblas on the same data, through our CPU backend. Raises Absent."""
        if self.backend.name == "cpu":
            raise Absent("it is the backend that was measured")
        imported("graphblas")
        return Place("python-graphblas", resolve("cpu"), self.matrix.to("cpu"), on_device=False)

    @functools.cached_property
    def cupy(self) -> tuple[Any, Any, Any]:
        """CuPy, cupyx.scipy.sparse and A on the device. Raises Absent."""
        cupy, sparse = imported("cupy"), imported("cupyx.scipy.sparse")
        if type(getattr(self.backend, "device", None)).__name__ != "CupyDevice":
            raise Absent("the backend that was measured is not on a GPU")
        return cupy, sparse, sparse.csr_matrix(sp.csr_matrix(self.A))

    def wait(self, _: Any = None) -> None:
        """Until the backend has nothing left to do."""
        self.backend.synchronize()

    @property
    def bytes(self) -> Bytes:
        return Bytes(self.A)


class Bytes:
    """What reading a stored matrix takes."""

    def __init__(self, A: Any) -> None:
        offset = 4 if A.nnz < 2**31 - 2**24 else 8
        self.offsets = (A.shape[0] + 1) * offset
        self.structure = self.offsets + 4 * A.nnz
        self.all = self.structure + A.data.itemsize * A.nnz


def csr(values: np.ndarray, column: np.ndarray, indptr: np.ndarray, shape: tuple[int, int]) -> Any:
    """A SciPy array with 32-bit ids, and offsets of 64 bits only where there must be."""
    kind = np.int32 if indptr[-1] < 2**31 else np.int64
    return sp.csr_array(
        (values, column.astype(kind, copy=False), indptr.astype(kind, copy=False)), shape=shape
    )


def as_matrix(M: Any, backend: Backend) -> lg.Matrix:
    """A SciPy array on a backend."""
    return lg.Matrix.from_csr(M.indptr, M.indices, M.data, ncols=M.shape[1], backend=backend)
