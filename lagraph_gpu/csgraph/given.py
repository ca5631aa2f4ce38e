"""What SciPy accepts as a graph, brought to the form that the algorithms take.

SciPy's rules, which hold here too. Of a dense array the entries that are 0, infinite or NaN are no
edges; of a masked one those that are masked; of a sparse one every stored entry is an edge, zeros
included. Weights are float64. What a COO array lists twice is summed; entries that a CSR or CSC
array holds twice are parallel edges. ``directed=False`` reads each edge both ways, and the lighter
one of two directions counts.

A matrix of cupyx or an array of CuPy gives results of CuPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph as theirs

from lagraph_gpu.backend import named, resolve
from lagraph_gpu.convert.interchange import on_device
from lagraph_gpu.convert.sparse_input import checked_sparse
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from semirings import BINARY

Sparse = Any
"""A sparse array or matrix of SciPy or cupyx."""

NOBODY = -9999
"""SciPy's predecessor of a vertex that has none."""


@dataclass(frozen=True)
class Given:
    """A graph as the caller gave it."""

    original: Any

    @cached_property
    def sparse(self) -> bool:
        return is_sparse(self.original) or hasattr(self.original, "tocsr")

    @cached_property
    def device(self) -> bool:
        """Did it come from a GPU? Then results go back there."""
        return lives_on_device(self.original)

    @cached_property
    def rows(self) -> Sparse:
        """The edges on the host, as SciPy's CSR with float64 values, in the order it keeps them."""
        return host_rows(to_host(self.original))

    @property
    def n(self) -> int:
        return self.original.shape[0] if self.device else self.rows.shape[0]

    @cached_property
    def matrix(self) -> Matrix:
        """The edges (FP64) on the backend in force; of parallel edges the lightest."""
        if self.device and self.sparse and resolve().name == "gpu":
            expect_square(self.original.shape)
            return Matrix.from_scipy_sparse(self.original).dup("FP64")
        csr = self.rows
        if not csr.has_canonical_format:
            return as_matrix(csr, csr.data)
        return Matrix.from_csr(csr.indptr, csr.indices, csr.data, ncols=csr.shape[1])

    @cached_property
    def places(self) -> Matrix:
        """For each edge its place in its row (INT64), as the caller's arrays have them. Where rows
        are sorted a column's number orders them as well."""
        A = self.matrix
        if not self.device and not self.rows.has_canonical_format:
            csr = self.rows
            row = np.repeat(csr.indptr[:-1].astype(np.int64), np.diff(csr.indptr))
            return as_matrix(csr, np.arange(csr.nnz) - row)
        return A.apply("colindex").new("INT64")

    # --- the way back ------------------------------------------------------------------------
    def array(self, values: Any) -> Any:
        """An array of the host as the caller has arrays."""
        return to_device(values) if self.device and isinstance(values, np.ndarray) else values

    def tree(self, csr: Sparse) -> Any:
        """A sparse array of the host as the caller has sparse ones."""
        if self.device:
            return to_device(csr)
        old = isinstance(self.original, (sp.spmatrix, np.matrix))
        return sp.csr_matrix(csr) if old else csr


def given(graph: Any) -> Given:
    return graph if isinstance(graph, Given) else Given(graph)


def either_way(A: Matrix) -> Matrix:
    """Each edge in both directions, with the lesser of two values."""
    return A.ewise_add(A.T, BINARY["min"]).new()


def as_matrix(csr: Sparse, values: np.ndarray) -> Matrix:
    """Values at the entries of a CSR array that may hold some twice; the least one stays."""
    row = np.repeat(np.arange(csr.shape[0]), np.diff(csr.indptr))
    shape = {"nrows": csr.shape[0], "ncols": csr.shape[1]}
    return Matrix.from_coo(row, csr.indices, values, dup_op=BINARY["min"], **shape)


def host_rows(graph: Any) -> Sparse:
    """SciPy's CSR with float64 values of anything that it takes as a graph."""
    if hasattr(graph, "to_scipy_sparse"):  # of PyData, or a Matrix of ours
        graph = to_host(graph.to_scipy_sparse())
    if is_sparse(graph):
        rows: Any = graph.tocsr().astype(np.float64, copy=False)
    elif np.ma.isMaskedArray(graph):
        whole = np.ma.array(graph.data, mask=np.ma.getmaskarray(graph))  # also where none is set
        rows = theirs.csgraph_from_masked(whole)
    else:
        rows = theirs.csgraph_from_dense(graph)
    expect_square(rows.shape)
    return rows


def expect_square(shape: tuple[int, ...]) -> None:
    if len(shape) != 2:
        raise InvalidValue("compressed-sparse graph must be 2-D")
    if shape[0] != shape[1]:
        raise InvalidValue("compressed-sparse graph must be shape (N, N)")


# --- between the host and a GPU ------------------------------------------------------------------


def hosted() -> bool:
    """Is the CPU's the backend in force? What SciPy answers as we do it then does itself: its
    routines are compiled, and the arrays are its own."""
    return resolve().name == "cpu"


def is_sparse(thing: Any) -> bool:
    return bool(sp.issparse(thing))  # a plain bool, which tells a type checker nothing


def lives_on_device(thing: Any) -> bool:
    """Is it an array of CuPy or a sparse matrix of cupyx?"""
    if hasattr(thing, "tocsr"):
        return not is_sparse(thing) and on_device(getattr(thing, "data", None))
    return on_device(thing)


def to_host(thing: Any) -> Any:
    """CuPy's arrays become NumPy's, cupyx' matrices SciPy's; the rest is left as it is. What is
    sparse is checked, and InvalidValue raised for what describes no matrix: SciPy's functions
    trust it."""
    thing = thing.get() if lives_on_device(thing) else thing
    return checked_sparse(thing) if is_sparse(thing) else thing


def to_device(thing: Any) -> Any:
    """The same array, dense or sparse, on the GPU."""
    if isinstance(thing, tuple):
        return tuple(to_device(part) for part in thing)
    where = resolve() if resolve().name == "gpu" else named("gpu")
    if is_sparse(thing):
        return Matrix.from_scipy_sparse(thing.astype(np.float64), backend=where).to_cupyx()
    if not isinstance(thing, np.ndarray):
        return thing
    flat = Vector.from_dense(thing.reshape(-1), backend=where)
    return flat.to_dense(device=True).reshape(thing.shape)
