"""The CPU backend: each update is one python-graphblas statement.

What a backend may fuse is left to statements, but for closures (``closures``), tables of distances,
queues and betweenness (``lengths``, ``sweeps``), components and forests (``joining``, ``strong``),
peelings and topological orders (``peeling``) and moves between communities (``moves``), which are
loops compiled by numba; and largest matchings, which are SciPy's (``matching``).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, NoReturn

import graphblas as gb
import numpy as np
from graphblas.core import lib

from lagraph_gpu.backend import Entries, Rows, Steps, Targets, named
from lagraph_gpu.closure import LOOP
from lagraph_gpu.contraction import Contraction
from lagraph_gpu.cpu import calls, closures, peeling
from lagraph_gpu.cpu.calls import Call
from lagraph_gpu.cpu.forks import survive_forks
from lagraph_gpu.cpu.joining import components, forest
from lagraph_gpu.cpu.lengths import passing, queue, table
from lagraph_gpu.cpu.matching import largest_matching
from lagraph_gpu.cpu.moves import by_turns
from lagraph_gpu.cpu.products import CpuMatrix, VectorProduct
from lagraph_gpu.cpu.statements import carry_out, stored
from lagraph_gpu.cpu.strong import strong_components
from lagraph_gpu.cpu.sweeps import by_contraction
from lagraph_gpu.errors import BackendMismatch, UnsupportedOperation, WrongType
from lagraph_gpu.expr import Shape, Transposed
from lagraph_gpu.generators import Draw, Progress
from lagraph_gpu.graph import available_bytes
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.trace import explaining, laws_of, recording, tell, took, tracing
from lagraph_gpu.update import Update
from semirings import types
from semirings.algebra import Semiring
from semirings.monoids import MONOIDS
from semirings.operators import BINARY, UNARY
from semirings.types import FP64

ON_THE_HOST = (
    "expected arrays on the host for the CPU backend, got one on a GPU; pass backend='gpu', or "
    "copy it with .get() (CuPy) or .cpu() (PyTorch)"
)

MEASURED = "each round is to be measured"
HEAP = "lengths of at least 0, in order of value"
MINUS, ABS, PLUS = (
    calls.operator(op, FP64) for op in (BINARY["minus"], UNARY["abs"], MONOIDS["plus"])
)


class CpuLayouts:
    """Implements ``lagraph_gpu.backend.Layouts``; the CPU's loops gain nothing."""

    gains = False

    def by_degree(self, A: Any) -> Any:
        indptr, indices, _ = A.A.to_csr()
        degree = np.diff(indptr.astype(np.int64)) + np.bincount(indices, minlength=A.A.ncols)
        return gb.Vector.from_dense(np.argsort(-degree, kind="stable"))

    def argsort(self, keys: Any) -> Any:
        return gb.Vector.from_dense(np.argsort(keys.to_dense(), kind="stable"))

    def renumbered(self, A: Any, ids: Any) -> Any:
        order = ids.to_dense()
        return CpuMatrix(A.A[order, order].new(), A.symmetric)

    def laid_out(self, A: Any, ids: Any) -> Any:
        return A

    def held(self, made: Any) -> int:
        return sys.getsizeof(made.A)

    def stopwatch(self) -> Callable[[], float]:
        began = perf_counter()
        return lambda: (perf_counter() - began) * 1e6


class CpuBackend:
    """Implements ``lagraph_gpu.backend.Backend`` with python-graphblas objects as stores."""

    name = "cpu"

    def __init__(self) -> None:
        self.layouts = CpuLayouts()
        survive_forks()

    def __reduce__(self) -> tuple[Any, ...]:
        return named, ("cpu",)  # pickles and copies share the one there is

    def empty(self, shape: Shape, dtype: np.dtype) -> Any:
        if len(shape) == 1:
            return gb.Vector(types.name(dtype), size=shape[0])
        return CpuMatrix(gb.Matrix(types.name(dtype), nrows=shape[0], ncols=shape[1]))

    def build_vector(self, size: int, indices: np.ndarray, values: np.ndarray) -> Any:
        return gb.Vector.from_coo(
            indices.astype(np.uint64), values, types.name(values.dtype), size=size
        )

    def build_matrix(
        self, shape: Shape, rows: Rows, symmetric: bool = False, iso: bool = False
    ) -> Any:
        indptr, indices, values = rows
        A = gb.Matrix.from_csr(
            indptr.astype(np.uint64),
            indices.astype(np.uint64),
            values[0] if iso else values,
            types.name(values.dtype),
            ncols=shape[1],
        )
        return CpuMatrix(A, symmetric)

    def copy(self, store: Any) -> Any:
        return CpuMatrix(store.A.dup(), store.symmetric) if _is_matrix(store) else store.dup()

    def recast(self, store: Any, dtype: Any) -> None:
        return None

    def free_bytes(self) -> int | None:
        return available_bytes()

    def nvals(self, store: Any) -> int:
        return (store.A if _is_matrix(store) else store).nvals

    def vector_entries(self, store: Any) -> Entries:
        indices, values = store.to_coo()
        return indices.astype(np.int64), values

    def vector_get(self, store: Any, index: int) -> Any:
        return store.get(index)

    def matrix_entries(self, store: Any) -> Rows:
        indptr, indices, values = store.A.to_csr()
        return indptr.astype(np.int64), indices.astype(np.int64), values

    def declare_symmetric(self, store: Any) -> Any:
        return CpuMatrix(store.A, symmetric=True, shared=store.shared)

    def declare_transposes(self, A: Any, B: Any) -> None:
        A.AT, B.AT = B.A, A.A

    def concat(self, tiles: list[list[Any]], shape: Shape, dtype: np.dtype) -> Any:
        return CpuMatrix(
            gb.ss.concat([[tile.A for tile in row] for row in tiles], types.name(dtype))
        )

    def matrix_get(self, store: Any, row: int, column: int) -> Any:
        return store.A.get(row, column)

    def adopt_vector(self, values: Any, missing: Any, dtype: Any, copy: bool) -> NoReturn:
        raise BackendMismatch(ON_THE_HOST)

    def adopt_matrix(
        self, indptr: Any, indices: Any, values: Any, dtype: Any, ncols: int, copy: bool
    ) -> NoReturn:
        raise BackendMismatch(ON_THE_HOST)

    def adopt_dense(self, values: Any, missing: Any, dtype: Any) -> NoReturn:
        raise BackendMismatch(ON_THE_HOST)

    def device_entries(self, store: Any) -> tuple[Any, Any]:
        return self.vector_entries(store)

    def device_dense(self, store: Any, fill: Any, dtype: np.dtype) -> Any:
        indices, values = self.vector_entries(store)
        dense = np.full(store.size, fill, dtype)
        dense[indices] = types.cast(values, dtype)
        return dense

    def device_rows(self, store: Any, one_type: bool = False) -> tuple[Any, Any, Any]:
        return self.matrix_entries(store)

    def shared_values(self, store: Any) -> Any:
        return self.vector_entries(store)[1]

    def dlpack_device(self) -> tuple[int, int]:
        return 1, 0

    def sparse(self, store: Any) -> NoReturn:
        raise UnsupportedOperation(
            "expected a matrix on the GPU for cupyx; move it with .to('gpu'), or take "
            ".to_scipy_sparse()"
        )

    def wrap(self, thing: Any) -> tuple[Any, Shape, np.dtype]:
        if not isinstance(thing, (gb.Vector, gb.Matrix)):
            raise WrongType(
                f"expected a Vector or a Matrix of python-graphblas, got {type(thing).__name__}; "
                "make one of an expression with .new()"
            )
        dtype = types.lookup(thing.dtype)
        store = CpuMatrix(thing, shared=True) if isinstance(thing, gb.Matrix) else thing
        return store, tuple(map(int, thing.shape)), dtype

    def unwrap(self, store: Any) -> Any:
        return store.A if _is_matrix(store) else store

    def synchronize(self, *stores: Any) -> None:
        for store in stores:  # SuiteSparse may have put work off
            (store.A if _is_matrix(store) else store).wait("materialize")

    def closure(
        self, x0: Any, A: Any, semiring: Semiring, most: int, schedule: Schedule | None,
        counted: bool, limit: Any = None, traced: bool = False,
    ) -> tuple[Any, Any, bool] | None:  # fmt: skip
        store, transposed, began = stored(A), isinstance(A, Transposed), perf_counter()
        ordered = schedule is not None and schedule.order == "delta"
        if (schedule is None or ordered) and not counted and not tracing() and most >= A.shape[0]:
            lengths = closures.by_heap(x0, store, transposed, semiring, limit)
            if lengths is not None:
                if explaining():
                    laws = laws_of(semiring, store.A.dtype.np_type)
                    tell(f"closure {semiring.name}", "by a heap", HEAP, laws=laws)
                    took((perf_counter() - began) * 1e6)
                return lengths, None, True
        many = _is_matrix(x0)
        if explaining() and not many:
            laws = laws_of(semiring, types.lookup(x0.dtype))
            tell(f"closure {semiring.name}", LOOP, MEASURED, laws=laws)
        if explaining() or ordered:
            return None
        if schedule is None and not recording():
            search = closures.rows_by_levels if many else closures.by_levels
            made = search(x0, store, transposed, semiring, most)
            if made is not None:
                return made
        if many:
            return None
        if schedule is None and not (recording() or counted):
            sums = closures.by_lengths(x0, store, transposed, semiring, most)
            if sums is not None:
                return sums
        product = VectorProduct(store, transposed, semiring, x0.dtype.np_type, True, schedule)
        return closures.by_rounds(x0, product, most, counted)

    def few_rounds(
        self, x: Any, frontier: Any, step: Any, A: Any, semiring: Semiring, rounds: int, most: int
    ) -> int:
        return rounds  # a statement costs little here

    def parents(self, x: Any, roots: Any, A: Any, semiring: Semiring) -> Any | None:
        return closures.parents(x, roots, stored(A), isinstance(A, Transposed), semiring)

    def components(self, A: Any) -> Any:
        return gb.Vector.from_dense(components(*A._store.arrays()[:2]))

    def forest(self, A: Any, heaviest: bool) -> Any:
        begins, columns, values = A._store.arrays()
        order = values if values.itemsize == FP64.itemsize else values.astype(FP64)
        row, place = forest(begins, columns, order, heaviest)
        column, weight = columns[place], values[place if values.size > 1 else 0 * place]
        ends, both = np.concatenate((row, column)), np.concatenate((column, row))
        weights, n = np.concatenate((weight, weight)), A.shape[0]
        made = gb.Matrix.from_coo(ends, both, weights, types.name(A.dtype), nrows=n, ncols=n)
        return CpuMatrix(made, symmetric=True)

    def peel(self, count: Any, A: Any) -> Any | None:
        return peeling.levels(count, A._store)

    def queue(self, places: Any, start: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        return queue(places._store, start)

    def longest(self, A: Any, hops: bool, dtype: np.dtype) -> Any | None:
        return peeling.longest(A._store, hops, dtype)

    def first_come(self, rank: Any, A: Any) -> None:
        return None

    def first_fit(self, rank: Any, A: Any) -> None:
        return None

    def distance(self, x: Any, y: Any) -> float:
        calls.make(y, Call(lib.GrB_Vector_eWiseMult_BinaryOp, (MINUS, x, y)))
        calls.make(y, Call(lib.GrB_Vector_apply, (ABS, y)))
        return float(calls.fold(y, 1, PLUS, FP64))

    def shuffled(self, n: int, begin: int, steps: Steps) -> None:
        return None

    def edges_that(self, compare: Semiring | None, label: Any, A: Any) -> None:
        return None

    def passing(self, A: Any, sources: np.ndarray, endpoints: bool) -> Any:
        if recording():
            return None
        return gb.Vector.from_dense(passing(A._store, sources, endpoints))

    def strong(self, rank: Any, A: Any) -> Any:
        return strong_components(A._store, rank)

    def lengths(
        self, A: Any, sources: np.ndarray, targets: Targets, cutoff: float | None, hops: bool,
        dtype: np.dtype, schedule: Schedule | None = None, progress: Progress | None = None,
    ) -> Any | None:  # fmt: skip
        limit = np.inf if cutoff is None else cutoff
        return table(A._store, False, sources, targets, limit, hops, dtype, progress)

    def swept(
        self, P: Contraction, sources: np.ndarray, targets: Targets, limit: int | None,
        dtype: np.dtype, progress: Progress | None = None,
    ) -> np.ndarray:  # fmt: skip
        return by_contraction(P, sources, targets, limit, dtype, progress)

    def towards(
        self, A: Any, source: int, target: int, ahead: Any | None, reach: float,
        cutoff: float | None, dtype: np.dtype,
    ) -> Any | None:  # fmt: skip
        if recording():
            return None
        return closures.towards(A._store, source, target, ahead, reach, cutoff, dtype)

    def matching(self, A: Any, left: Any) -> Any:
        return largest_matching(A._store, left)

    def nearness(self, A: Any, sources: np.ndarray) -> None:
        return None

    def choice(self, B: Any, P: Any) -> None:
        return None

    def sweep(
        self, B: Any, state: tuple[Any, ...], turns: Any, count: int, unit: float,
        terms: tuple[Any | None, ...],
    ) -> tuple[tuple[Any, ...], Any]:  # fmt: skip
        return by_turns(B.arrays(), state, turns, count, unit, terms)

    def quotient(self, A: Any, P: Any) -> None:
        return None

    def draw(self, draw: Draw) -> None:
        return None  # NumPy does it

    def run(self, update: Update) -> None:
        carry_out(update)


def _is_matrix(store: Any) -> bool:
    return isinstance(store, CpuMatrix)
