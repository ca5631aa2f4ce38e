"""Graphs as SciPy accepts them, converted to the form that the algorithms take.

The rules of SciPy hold. In a dense array, entries that are 0, infinite or NaN are no edges; in a
masked array, masked entries are no edges; in a sparse array every stored entry is an edge, zeros
included. Weights are float64. Duplicate entries of a COO array are summed; duplicate entries of a
CSR or CSC array are parallel edges. With `directed=False` each edge is followed in both directions,
and the lighter one of two directions counts.

A matrix of cupyx or an array of CuPy gives results of CuPy.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph as theirs

from lagraph_gpu.backend import named, resolve
from lagraph_gpu.convert.interchange import as_numpy, on_device
from lagraph_gpu.convert.sparse_input import checked_sparse
from lagraph_gpu.errors import InvalidValue, LagraphError, TooLarge, WrongType
from lagraph_gpu.notation import Matrix, Vector
from semirings import BINARY

Sparse = Any
"""A sparse array or matrix of SciPy or cupyx."""

NO_PREDECESSOR = -9999
"""The predecessor that SciPy gives a vertex without one."""


@dataclass(frozen=True)
class InputGraph:
    """A graph as the caller passed it, and its converted forms."""

    original: Any

    @cached_property
    def sparse(self) -> bool:
        """True for a sparse array."""
        return is_sparse(self.original) or hasattr(self.original, "tocsr")

    @cached_property
    def device(self) -> bool:
        """True if the graph is in the memory of a GPU. The results are then returned there."""
        return lives_on_device(self.original)

    @cached_property
    def rows(self) -> Sparse:
        """The edges on the host, as SciPy's CSR with float64 values, in the order of the input."""
        return host_rows(to_host(self.original))

    @property
    def n(self) -> int:
        return self.original.shape[0] if self.device else self.rows.shape[0]

    @cached_property
    def matrix(self) -> Matrix:
        """The edges (FP64) on the backend in force. Of parallel edges the lightest counts."""
        if self.device and self.sparse and resolve().storage == "device":
            expect_square(self.original.shape)
            return Matrix.from_scipy_sparse(self.original).dup("FP64")
        csr = self.rows
        if not csr.has_canonical_format:
            return as_matrix(csr, csr.data)
        return Matrix.from_csr(csr.indptr, csr.indices, csr.data, ncols=csr.shape[1])

    @cached_property
    def places(self) -> Matrix:
        """For each edge its place in its row (INT64), in the order of the input. In sorted rows the
        column number gives the same order.
        """
        A = self.matrix
        if not self.device and not self.rows.has_canonical_format:
            csr = self.rows
            row = np.repeat(csr.indptr[:-1].astype(np.int64), np.diff(csr.indptr))
            return as_matrix(csr, np.arange(csr.nnz) - row)
        return A.apply("colindex").new("INT64")

    # --- the way back ------------------------------------------------------------------------
    def array(self, values: Any) -> Any:
        """An array on the host, converted to the library of the caller."""
        return to_device(values) if self.device and isinstance(values, np.ndarray) else values

    def tree(self, csr: Sparse) -> Any:
        """A sparse array on the host, converted to the kind of sparse array that the
        caller uses.
        """
        if self.device:
            return to_device(csr)
        if is_pydata(self.original):
            empty = self.original.fill_value
            return type(self.original).from_scipy_sparse(csr, fill_value=empty)
        old = isinstance(self.original, (sp.spmatrix, np.matrix))
        return sp.csr_matrix(csr) if old else csr


def in_our_words(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose complaints about an argument are errors of this package.

    Arguments go to SciPy and NumPy as they are, because all that SciPy accepts is accepted; what
    these say about the others is passed on with their messages.
    """

    @functools.wraps(function)
    def checked(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except LagraphError:
            raise
        except MemoryError as problem:
            raise TooLarge(str(problem)) from problem
        except (TypeError, AttributeError) as problem:
            raise WrongType(str(problem)) from problem
        except (ValueError, IndexError, OverflowError, RecursionError) as problem:
            raise InvalidValue(str(problem)) from problem

    checked.__module__ = "lagraph_gpu.csgraph"  # that is where pickle finds it
    return checked


def input_graph(graph: Any) -> InputGraph:
    """The graph of an argument, which may be converted already."""
    return graph if isinstance(graph, InputGraph) else InputGraph(graph)


def either_way(A: Matrix) -> Matrix:
    """Each edge in both directions, with the smaller of two values."""
    return A.ewise_add(A.T, BINARY["min"]).new()


def as_matrix(csr: Sparse, values: np.ndarray) -> Matrix:
    """A matrix of values at the entries of a CSR array. Of duplicate entries the smallest value
    counts.
    """
    row = np.repeat(np.arange(csr.shape[0]), np.diff(csr.indptr))
    shape = {"nrows": csr.shape[0], "ncols": csr.shape[1]}
    return Matrix.from_coo(row, csr.indices, values, dup_op=BINARY["min"], **shape)


def host_rows(graph: Any) -> Sparse:
    """SciPy's CSR with float64 values, from anything that SciPy accepts as a graph."""
    graph = to_host(as_scipy(graph))
    if is_sparse(graph):
        rows: Any = graph.tocsr().astype(np.float64, copy=False)
        if graph.format == "bsr":
            rows.eliminate_zeros()  # a zero inside a block is no edge (SciPy 1.18 says so, too)
    elif np.ma.isMaskedArray(graph):
        rows = theirs.csgraph_from_masked(graph)
    else:
        rows = theirs.csgraph_from_dense(graph)
    expect_square(rows.shape)
    return rows


def expect_square(shape: tuple[int, ...]) -> None:
    """Raises InvalidValue, with the messages of SciPy, unless the shape is square."""
    if len(shape) != 2:
        raise InvalidValue("compressed-sparse graph must be 2-D")
    if shape[0] != shape[1]:
        raise InvalidValue("compressed-sparse graph must be shape (N, N)")


# --- between the host and a GPU ------------------------------------------------------------------


def hosted() -> bool:
    """True if the backend in force stores on the host. SciPy then computes what has the same
    answer: its routines are compiled, and the arrays are its own.
    """
    return resolve().storage == "host"


def is_sparse(thing: Any) -> bool:
    return bool(sp.issparse(thing))  # a plain bool, which tells a type checker nothing


def is_pydata(thing: Any) -> bool:
    """True for a sparse array of PyData's library ``sparse``, which is not imported for that."""
    return hasattr(thing, "to_scipy_sparse") and hasattr(thing, "fill_value")


def as_scipy(graph: Any) -> Any:
    """SciPy's array for a sparse array of PyData or a Matrix of ours; anything else as it is."""
    if is_pydata(graph):
        return graph.to_scipy_sparse(accept_fv=[0, np.inf, np.nan])  # they mean no edge
    return graph.to_scipy_sparse() if hasattr(graph, "to_scipy_sparse") else graph


def lives_on_device(thing: Any) -> bool:
    """True for an array of CuPy or a sparse matrix of cupyx."""
    if hasattr(thing, "tocsr"):
        return not is_sparse(thing) and on_device(getattr(thing, "data", None))
    return on_device(thing)


def to_host(thing: Any) -> Any:
    """An array copied to the host: to NumPy from CuPy, to SciPy from cupyx. Anything else is
    returned as it is.

    Sparse arrays are checked, because SciPy's functions trust their arrays. InvalidValue is raised
    for arrays that describe no matrix. A masked array of which nothing is masked gets a whole mask,
    which SciPy looks for.
    """
    thing = thing.get() if lives_on_device(thing) else thing
    if hasattr(thing, "to_numpy"):  # a column or a frame
        return as_numpy(thing)
    if np.ma.isMaskedArray(thing):
        return np.ma.array(thing.data, mask=np.ma.getmaskarray(thing))
    return checked_sparse(thing) if is_sparse(thing) else thing


def to_device(thing: Any) -> Any:
    """A dense or sparse array copied to the GPU; a tuple is copied part by part."""
    if isinstance(thing, tuple):
        return tuple(to_device(part) for part in thing)
    where = resolve() if resolve().storage == "device" else named("gpu")
    if is_sparse(thing):
        return Matrix.from_scipy_sparse(thing.astype(np.float64), backend=where).to_cupyx()
    if not isinstance(thing, np.ndarray):
        return thing
    flat = Vector.from_dense(thing.reshape(-1), backend=where)
    return flat.to_dense(device=True).reshape(thing.shape)
