"""The CPU backend: each update is one python-graphblas statement.

What a backend may fuse is left to statements, but for closures (``closures``), tables of distances
(``lengths``, ``sweeps``), components and forests (``joining``) and moves between communities
(``moves``), which are loops compiled by numba.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any, NoReturn

import graphblas as gb
import numpy as np

from lagraph_gpu.backend import Entries, Rows, Steps, Targets, named
from lagraph_gpu.contraction import Contraction
from lagraph_gpu.cpu import closures, lower
from lagraph_gpu.cpu.joining import components, forest
from lagraph_gpu.cpu.lengths import table
from lagraph_gpu.cpu.moves import by_turns
from lagraph_gpu.cpu.products import CpuMatrix, VectorProduct
from lagraph_gpu.cpu.sweeps import by_contraction
from lagraph_gpu.errors import BackendMismatch, UnsupportedOperation, WrongType
from lagraph_gpu.expr import Ewise, Fill, Product, Reduce, Shape, Transposed, computed
from lagraph_gpu.generators import Draw, Progress
from lagraph_gpu.graph import available_bytes
from lagraph_gpu.mask import Mask
from lagraph_gpu.plan import Facts, alpha
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.trace import cost, explaining, laws_of, record, recording, tell, took, tracing
from lagraph_gpu.update import Update
from semirings import types
from semirings.algebra import Semiring
from semirings.types import FP64

ON_THE_HOST = (
    "expected arrays on the host for the CPU backend, got one on a GPU; pass backend='gpu', or "
    "copy it with .get() (CuPy) or .cpu() (PyTorch)"
)

LOOP, MEASURED = "by rounds, a statement at a time", "each round is to be measured"
HEAP = "lengths of at least 0, in order of value"
WORD = 8
"""Bytes of an index of SuiteSparse 9, and of where a row begins."""


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


class CpuBackend:
    """Implements ``lagraph_gpu.backend.Backend`` with python-graphblas objects as stores."""

    name = "cpu"

    def __init__(self) -> None:
        self.layouts = CpuLayouts()

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
        counted: bool, limit: Any = None,
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
        if explaining() or ordered or many:
            return None
        if schedule is None and not recording():
            made = closures.by_levels(x0, store, transposed, semiring, most)
            if made is not None:
                return made
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

    def peel(self, count: Any, A: Any) -> None:
        return None

    def first_come(self, rank: Any, A: Any) -> None:
        return None

    def first_fit(self, rank: Any, A: Any) -> None:
        return None

    def distance(self, x: Any, y: Any) -> float:
        change = np.subtract(x.to_dense(), y.to_dense())
        return float(np.abs(change, out=change).sum())

    def shuffled(self, n: int, begin: int, steps: Steps) -> None:
        return None

    def edges_that(self, compare: Semiring | None, label: Any, A: Any) -> None:
        return None

    def passing(self, A: Any, sources: np.ndarray, endpoints: bool) -> None:
        return None

    def strong(self, rank: Any, A: Any) -> None:
        return None

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
        node = update.expression
        if isinstance(node, Reduce) and not node.rowwise:
            update.out.put(lower.expression(node).new().value, update.accum)
            return
        out = update.out
        target = out._store.A.dup() if _is_matrix(out._store) else out._store
        accum = None if update.accum is None else lower.operator(update.accum, out.dtype)
        mask = None if update.mask is None else _mask(update.mask, isinstance(node, Product))
        if accum is None and mask is not None:
            _put(update, target(mask=mask, replace=update.replace))
        elif mask is None and accum is None and isinstance(node, Ewise) and target.ss.is_iso:
            # SuiteSparse 9.4 writes all values of two full operands into a full output that has
            # room for one, as one value for all has it, and goes on taking the first for all.
            target << lower.expression(node).new().apply(gb.unary.identity)
        elif mask is None and not (accum and _mixes_types(node)):
            _put(update, target(accum=accum))  # without a mask replace has nothing to delete
        else:
            # SuiteSparse 9.4 crashes if a masked accumulation meets a full mask and a sparse
            # operand, or the reverse; and it accumulates a product into a full output without
            # converting the operands. So what the mask lets through is put aside first.
            through = self.empty(out.shape, node.dtype)
            through = through.A if _is_matrix(through) else through
            _put(update, through(mask=mask))
            if update.replace and mask is not None:
                target(mask=mask, replace=True) << target.apply(gb.unary.identity)
            target(accum=accum) << through.apply(gb.unary.identity)
        if _is_matrix(out._store):
            alone = mask is None and accum is None and update.region is None
            out._store = CpuMatrix(target, diagonal=alone and lower.is_diagonal(node))


def _put(update: Update, updater: Any) -> None:
    """The expression into a python-graphblas updater, which knows mask, accumulator and replace."""
    node = update.expression
    region: Any = update.region or (None,) * len(update.out.shape)
    axes = tuple(slice(None) if axis is None else axis for axis in region)
    index = axes if len(axes) > 1 else axes[0]
    if isinstance(node, Fill):
        updater[index] << node.value
    elif update.region is not None:
        updater[index] << lower.expression(node).new()
    elif isinstance(node, Product) and node.kind != "mxm":
        product, step = _vector_product(update, node)
        updater << product
        if step is not None:
            step.tell(updater.parent)
    else:
        updater << lower.expression(node, update.mask is not None and not update.mask.complement)


def _mixes_types(node: Any) -> bool:
    """Is it a product whose operands do not have the type that ⊗ works in?"""
    if not isinstance(node, Product):
        return False
    common = node.semiring.meet(node.left.dtype, node.right.dtype)
    return {node.left.dtype, node.right.dtype} != {node.semiring.operand(common)}


def _is_matrix(store: Any) -> bool:
    return isinstance(store, CpuMatrix)


def _mask(mask: Mask, of_product: bool = False) -> Any:
    """A mask as python-graphblas has it.

    SuiteSparse 9.4 does not return from a product under a mask that is kept as a bitmap: it puts
    all of the mask into a hash table made for the product. So there the mask is kept as a list.
    """
    store = mask.handle._store
    operand = store.A if _is_matrix(store) else store
    if not mask.structure and mask.handle.dtype.kind == "f":
        operand = operand.dup("BOOL")  # SuiteSparse looks at the bits, and takes -0.0 for true
    if of_product and not mask.complement and operand.ss.format[:4] in ("bitm", "full"):
        operand = operand.dup()
        operand.ss.config["sparsity_control"] = "sparse"
        operand.wait("materialize")
    chosen = operand.S if mask.structure else operand.V
    return ~chosen if mask.complement else chosen


@dataclass(eq=False)
class _Step:
    """What to tell of a product, once it is done."""

    update: Update
    node: Product
    facts: Facts
    direction: str
    law: str
    operands: tuple[Any, Any]
    began: float

    def tell(self, made: Any) -> None:
        made.wait("materialize")
        microseconds = (perf_counter() - self.began) * 1e6
        update, facts, ring = self.update, self.facts, self.node.semiring
        counted = update.accum is None and (update.mask is None or update.replace)
        found = made.nvals if counted else 0
        part = facts.early_exit or update.mask is not None
        looked = facts.frontier_edges
        if self.direction == "pull":
            looked = found if part else facts.nedges
        u, A = self.operands
        values = None if A.ss.is_iso else A.dtype.np_type
        price = cost(ring, u.dtype.np_type, values, self.node.dtype, WORD, WORD)
        tell(f"product {ring.name}", self.direction, self.law, facts,
             laws_of(ring, self.node.dtype), alpha=alpha(facts.early_exit))  # fmt: skip
        took(microseconds)
        record(self.direction, facts.frontier, facts.frontier_edges, looked=looked,
               bytes=price.of(looked, facts.frontier, found),
               microseconds=microseconds)  # fmt: skip


def _vector_product(update: Update, node: Product) -> tuple[Any, _Step | None]:
    """A vector times a matrix, and what to tell of it, if somebody wants to know."""
    vxm = node.kind == "vxm"
    u, matrix = (node.left, node.right) if vxm else (node.right, node.left)
    frontier, store = stored(u), stored(matrix)
    product = VectorProduct(
        store, isinstance(matrix, Transposed), node.semiring, u.dtype, vxm, update.schedule
    )
    push, law, facts = product.plan(frontier)
    direction, step = "push" if push else "pull", None
    if explaining():
        step = _Step(update, node, facts, direction, law, (frontier, store.A), perf_counter())
    else:
        record(direction, facts.frontier, facts.frontier_edges)
    return product.of(frontier, push), step


def stored(operand: Any) -> Any:
    """The store behind an operand; an expression is computed first."""
    if isinstance(operand, Transposed):
        return operand.matrix._store
    return computed(operand)._store
