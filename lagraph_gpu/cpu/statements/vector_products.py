"""A vector times a matrix on the CPU, by a push along rows of out-edges or a pull along in-edges.

SuiteSparse's ``u @ A`` scatters along rows (push) and ``A @ u`` gathers (pull). So both
orientations of a matrix are kept once they have been asked for, and the planner chooses one for
each product.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any

import graphblas as gb
import numpy as np
from graphblas.core import NULL, lib

from lagraph_gpu.cpu.statements import calls, lower
from lagraph_gpu.cpu.statements.calls import AS_IS, Call
from lagraph_gpu.cpu.statements.objects import WORD, count, empty_vector, is_list
from lagraph_gpu.cpu.statements.stores import CpuMatrix, store_of
from lagraph_gpu.notation.expressions import Product, Transposed
from lagraph_gpu.notation.typing_rules import ends_early
from lagraph_gpu.notation.update import Update
from lagraph_gpu.planning.direction import (
    FEW_EDGES_LEAVE,
    MANY_EDGES_LEAVE,
    Facts,
    alpha,
    choose,
    pull_threshold,
)
from lagraph_gpu.planning.trace import (
    explaining,
    laws_of,
    record_choice,
    record_step,
    record_time,
    recording,
    traffic_of_products,
)
from lagraph_gpu.schedule import Schedule
from semirings import BINARY, MONOIDS, Semiring
from semirings.types import INT64

FEW_ENTRIES = 1 << 14
"""To plan a product takes as long as to read so many entries."""

ONCE = "a pull would transpose a matrix, which has not been needed before"
GAPS = "the vector has gaps, for which a pull would look at every edge in turn"
ADDED = "one thread adds to what is there: a push does so in place, and needs no transpose"
FULL_FROM = 7 / 8
"""The part of the positions with entries up to which one or two threads push a vector. Where each
product is a fold of all edges, a processor does not guess which of them meet an entry."""

FIRST = calls.c_operator(BINARY["first"], INT64)
PLUS = calls.c_operator(MONOIDS["plus"], INT64)
ALL = "all"
ENDS = {"i", "j"}
"""The names by which ⊗ reads the row and the column of an edge."""

POSITIONS = "the operator reads positions that the other orientation names differently"


@functools.cache
def flips(semiring: Semiring) -> bool:
    """True if ⊗ may be computed in the other orientation, where rows and columns are exchanged: it
    does not read positions."""
    return not ENDS & semiring.multiply.parsed.free


@functools.cache
def plain(semiring: Semiring, dtype: np.dtype, of_matrix: np.dtype) -> bool:
    """True if a product with a vector of the first type is a single call of SuiteSparse by push and
    by pull: GraphBLAS has the semiring and its flipped form, and the vector needs no conversion, or
    is not read."""
    common = semiring.meet(dtype, of_matrix)
    as_is = not semiring.multiply.parsed.free or dtype == common == semiring.operand(common)
    return (
        as_is
        and flips(semiring)
        and lower.own(semiring, common)
        and lower.own(semiring.flipped, common)
    )


class VectorProduct:
    """u ⊕.⊗ A, or A ⊕.⊗ u, for vectors u of one type and a matrix that may be transposed."""

    def __init__(
        self, store: CpuMatrix, transposed: bool, semiring: Semiring, dtype: np.dtype,
        vxm: bool = True, schedule: Schedule | None = None,
    ) -> None:  # fmt: skip
        self.store, self.vxm, self.semiring, self.schedule = store, vxm, semiring, schedule
        self.flipped = transposed == vxm
        """True if the columns of the stored matrix hold the out-edges."""
        self.dtype = dtype
        key = transposed, semiring, dtype, vxm, schedule
        if (known := store.products.get(key)) is None:
            known = store.products[key] = {}
        self.known = known
        """What stays the same between calls: the operands of each direction, and the plan for a
        full vector."""

    @property
    def common(self) -> np.dtype:
        """The type in which the vector and the matrix meet."""
        return self.semiring.meet(self.dtype, self.store.given.dtype.np_type)

    @cached_property
    def reads(self) -> bool:
        """True if ⊗ reads the matrix."""
        return self.semiring.reads_right if self.vxm else self.semiring.reads_left

    @cached_property
    def early_exit(self) -> bool:
        made = self.semiring.output(self.dtype, self.store.given.dtype.np_type)
        return ends_early(self.semiring.monoid, made)

    @cached_property
    def max_degree(self) -> int:
        """The largest number of edges that leave one vertex."""
        return self.store.longest[self.flipped]

    def few(self, count: int) -> bool:
        """True if any frontier with so many entries would be pushed. False under a schedule, or if
        a listener records the choice."""
        threshold = pull_threshold(self.store.nvals, self.early_exit)
        free = self.vxm and self.schedule is None and not recording()
        return free and count * self.max_degree <= threshold

    @property
    def as_stored(self) -> bool | None:
        """The direction that needs no transpose, push (True) or pull, where the matrix has so few
        entries that to count those that leave the vector would take longer than all of them. None
        under a schedule, or if a listener records the choice."""
        if self.schedule is not None or recording() or self.store.nvals > FEW_ENTRIES:
            return None
        return not self.flipped if flips(self.semiring) else self.vxm

    def plan(self, u: Any, adds: bool = False) -> tuple[bool, str, Facts]:
        """Whether to push, the reason, and the facts. ``adds`` says that the product is accumulated
        into the output."""
        store, nvals = self.store, count(u)
        full, turns = nvals == u._size, not self.flipped  # does a pull read the transpose?
        if full and (ALL, adds) in self.known:
            push, reason, facts = self.known[ALL, adds]
            return push, reason, facts
        edges = nedges = store.nvals
        gaps = not full and self.gaps_matter(nvals, u._size)
        if not full and (recording() or not gaps):
            leaving = empty_vector(u._size, INT64)
            both = FIRST, store.degrees[self.flipped], u
            calls.make(leaving, (lib.GrB_Vector_eWiseMult_BinaryOp, both, AS_IS))
            edges = calls.fold(leaving, 1, PLUS, INT64)
        rows = store.nrows if self.flipped else store.ncols
        facts = Facts(nvals, edges, rows, nedges, self.early_exit)
        plan = choose(facts, self.schedule)
        push, reason = plan.direction == "push", plan.reason
        if gaps:
            push, reason = True, FEW_EDGES_LEAVE if push else GAPS
        elif reason == MANY_EDGES_LEAVE and not self.early_exit:
            in_place = full and adds and turns and not store.symmetric
            if in_place and gb.ss.config["nthreads"] == 1:
                push, reason = True, ADDED
            elif not store.worth_having(turns):
                push, reason = True, ONCE
        if push != self.vxm and not flips(self.semiring):
            push, reason = self.vxm, POSITIONS
        if full and reason != ONCE:
            self.known[ALL, adds] = push, reason, facts
        return push, reason, facts

    def gaps_matter(self, nvals: int, size: int) -> bool:
        """True if a push costs less for a vector with so many entries, whatever edges leave them,
        and it reads an orientation of the matrix that is there, or has been wanted before."""
        if self.early_exit or self.schedule is not None or nvals > FULL_FROM * size:
            return False
        return gb.ss.config["nthreads"] <= 2 and self.store.worth_having(self.flipped)

    def call(self, u: Any, push: bool) -> Call:
        """The call of SuiteSparse, for a ``plain`` product."""
        semiring, A, _ = self.read(push)
        if push:
            return lib.GrB_vxm, (semiring.gb_obj, u, A), AS_IS
        return lib.GrB_mxv, (semiring.gb_obj, A, u), AS_IS

    def read(self, push: bool) -> tuple[Any, Any, Semiring]:
        """The result of ``operands``, computed once for each direction."""
        if push not in self.known:
            self.known[push] = self.operands(push)
        operator, A, semiring = self.known[push]
        return operator, A, semiring

    def of(self, u: Any, push: bool) -> Any:
        """The product as a python-graphblas expression."""
        operator, A, semiring = self.read(push)
        (u,) = lower.meeting(semiring, self.common, u)
        if flips(self.semiring):
            return u.vxm(A, operator) if push else A.mxv(u, operator)
        # It is computed separately, because SuiteSparse 9.4 refuses to accumulate into firsti over
        # an inner dimension of 0.
        lower.by_place(A)
        return operator(u @ A if push else A @ u).new()

    def operands(self, push: bool) -> tuple[Any, Any, Semiring]:
        """python-graphblas' semiring, the matrix, and the semiring of this library, in this
        direction."""
        semiring = self.semiring if push == self.vxm else self.semiring.flipped
        semiring = lower.named(semiring, self.common)
        wanted = semiring.operand(self.common)
        dtype = wanted if self.reads and wanted == self.dtype else None
        rows = self.store.by_rows(self.flipped if push else not self.flipped, dtype)
        (rows,) = lower.meeting(semiring, self.common, rows)
        types_of = {self.dtype, rows.dtype.np_type if self.reads else self.dtype}
        if not semiring.multiply.parsed.free:
            types_of = {self.common}  # neither operand is read
        return lower.typed(semiring, self.common, *types_of), rows, semiring


def multiplied(update: Update, node: Product, target: Any) -> bool:
    """Carry out target ⊙= u ⊕.⊗ A with one call. Returns False, and does nothing, if the statement
    is not simple enough."""
    u, A = (node.left, node.right)[:: 1 if node.kind == "vxm" else -1]
    if update.region is not None or not plain(node.semiring, u.dtype, A.dtype):
        return False
    accum = NULL if update.accum is None else calls.c_operator(update.accum, update.out.dtype)
    if accum is None:
        return False
    product, frontier = vector_product(update, node)
    push, step = planned(update, product, frontier)
    put = calls.put if accum is NULL or update.mask is None else calls.put_through
    call, mask = product.call(frontier, push), update.mask
    if push and mask is not None and not (mask.complement or is_list(lower.value(mask.handle))):
        # SuiteSparse takes the mask of such a product as a list (see lower.through), to make which
        # and to search which takes longer than to compute what the mask does not select
        whole = empty_vector(update.out.shape[0], node.dtype)
        calls.make(whole, call)
        identity = calls.c_operator(calls.IDENTITY, node.dtype)
        call = lib.GrB_Vector_apply, (identity, whole), AS_IS
    put(update, target, accum, call)
    if step is not None:
        step.record(target)
    return True


def vector_product(update: Update, node: Product) -> tuple[VectorProduct, Any]:
    """The product of a vector and a matrix, and the vector's store."""
    vxm = node.kind == "vxm"
    u, matrix = (node.left, node.right) if vxm else (node.right, node.left)
    frontier, store = store_of(u), store_of(matrix)
    transposed = isinstance(matrix, Transposed)
    return VectorProduct(store, transposed, node.semiring, u.dtype, vxm, update.schedule), frontier


def planned(update: Update, product: VectorProduct, u: Any) -> tuple[bool, Step | None]:
    """Whether the vector is pushed, and the step to record if a block explains (otherwise None)."""
    if (push := product.as_stored) is not None:
        return push, None
    adds = update.accum is not None and update.mask is None
    push, reason, facts = product.plan(u, adds)
    direction = "push" if push else "pull"
    if explaining():
        node, operands = update.expression, (u, product.store.A)
        return push, Step(update, node, facts, direction, reason, operands, perf_counter())
    record_step(direction, facts.frontier, facts.frontier_edges)
    return push, None


@dataclass(eq=False)
class Step:
    """A product that is recorded, with its time, once it is done."""

    update: Update
    node: Product
    facts: Facts
    direction: str
    reason: str
    operands: tuple[Any, Any]
    began: float

    def record(self, made: Any) -> None:
        made.wait("materialize")
        microseconds = (perf_counter() - self.began) * 1e6
        update, facts, semiring = self.update, self.facts, self.node.semiring
        counted = update.accum is None and (update.mask is None or update.replace)
        found = made.nvals if counted else 0
        part = facts.early_exit or update.mask is not None
        looked = facts.frontier_edges
        if self.direction == "pull":
            looked = found if part else facts.nedges
        u, A = self.operands
        values = None if A.ss.is_iso else A.dtype.np_type
        traffic = traffic_of_products(
            semiring, u.dtype.np_type, values, self.node.dtype, WORD, WORD
        )
        record_choice(
            f"product {semiring.name}",
            self.direction,
            self.reason,
            facts,
            laws_of(semiring, self.node.dtype),
            alpha=alpha(facts.early_exit),
        )
        record_time(microseconds)
        record_step(self.direction, facts.frontier, facts.frontier_edges, looked=looked,
                    bytes=traffic.of(looked, facts.frontier, found),
                    microseconds=microseconds)  # fmt: skip
