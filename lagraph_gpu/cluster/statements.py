"""Statements on a cluster.

The output, the mask and every operand are distributed by rows. So each process carries out a
statement for its own rows, as the same statement on its local backend, with the same mask,
accumulator and replace. Before that, the expression is brought to the rows of the output: `aligned`
returns the rows of an expression that this process owns, as a local expression. For most nodes that
is the same node with local operands. Others need entries of other processes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lagraph_gpu.cluster.default_slices import with_sliced
from lagraph_gpu.cluster.default_statements import (
    arrived_by_explicit_entries,
    by_explicit_entries,
    is_elementwise,
    leaves_some,
    numbered,
    reads_rows,
    with_containers,
)
from lagraph_gpu.cluster.defaults import (
    WithDefault,
    can_be_reduced,
    contained,
    may_have_default,
    reduced,
)
from lagraph_gpu.cluster.distributed_store import Arrays, Distributed
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.owners import Rows, dealt, owned
from lagraph_gpu.cluster.products import (
    as_expression,
    by_columns,
    in_global_shape_of,
    in_local_shape,
    part_of,
    product,
)
from lagraph_gpu.convert.edge_list import lists_rows
from lagraph_gpu.errors import UnsupportedOperation
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.expressions import (
    Apply,
    Diagonal,
    Ewise,
    Extract,
    Fill,
    Kronecker,
    OfVector,
    Product,
    Reduce,
    Select,
    Transposed,
    computed,
)
from lagraph_gpu.notation.indexing import Region
from lagraph_gpu.notation.selector import Selector
from lagraph_gpu.notation.update import Update, run
from semirings import SELECT


def execute(distribution: Distribution, update: Update) -> None:
    """Implements ``Backend.run``."""
    node, out = update.expression, update.out
    if isinstance(node, Reduce) and not node.rowwise:
        out.put(total(distribution, node), update.accum)
        return
    made: Distributed | None = None
    region = update.region
    whole = region is None or region[0] is None
    by_default = len(out.shape) == 1 and may_have_default(distribution, out.size)
    if by_default and whole:
        node = with_sliced(distribution, node)
        update = replace(update, expression=node)
    by_element = by_default and whole and is_elementwise(node)
    if by_default:  # operands are computed once, since not all processes decide alike
        update = replace(update, expression=with_containers(node))
        node = update.expression
        made = numbered(distribution, update)
    if by_element and made is None:
        made = by_explicit_entries(distribution, update)
    if made is not None:
        out._store = made
        return
    mask = update.mask
    if mask is not None:
        mask = replace(mask, handle=part_of(distribution, mask.handle))
    rows = None
    if region is None or whole:
        local = as_expression(aligned(distribution, node, mask if region is None else None))
    else:
        local, region = in_region(distribution, node, region)
        rows = region[0]
    if by_default and not by_element:
        made = arrived_by_explicit_entries(distribution, update, local, rows)
        if made is not None:
            out._store = made
            return
    if isinstance(out._store, WithDefault) and not leaves_some(update):
        part = distribution.empty(distribution.part_shape(out.shape), out.dtype)
    else:
        part = out._store.part
    if len(out.shape) == 2:  # others may share the store of a matrix, which nobody writes into
        part = distribution.handle(part._store, part.shape, part.dtype)
    run(Update(part, local, mask, update.accum, update.replace, region))
    out._store = Distributed(part, out.shape)
    if is_diagonal(update):
        out._store.diagonal = Distributed(node.vector._store.part.dup(), node.vector.shape)


def is_diagonal(update: Update) -> bool:
    """Whether a statement makes a matrix whose entries are those of a vector, on the diagonal."""
    node, out = update.expression, update.out
    alone = update.mask is None and update.accum is None and update.region is None
    return (
        alone
        and isinstance(node, OfVector)
        and (node.form, node.k) == ("diagonal", 0)
        and isinstance(node.vector, Vector)
        and out.dtype == node.dtype
    )


def aligned(distribution: Distribution, node: Any, mask: Any = None) -> Any:
    """The rows of an expression that this process owns: a local expression or container."""
    match node:
        case Product():
            return product(distribution, node, mask)
        case Ewise():
            if reads_rows(node.op.elementwise):
                left, right = (
                    in_global_shape_of(distribution, side) for side in (node.left, node.right)
                )
                return in_local_shape(distribution, replace(node, left=left, right=right))
            left, right = (part_of(distribution, side) for side in (node.left, node.right))
            return replace(node, left=left, right=right)
        case Apply() | Select():
            if reads_rows(node.op):
                return in_local_shape(
                    distribution,
                    replace(node, operand=in_global_shape_of(distribution, node.operand)),
                )
            return replace(node, operand=part_of(distribution, node.operand))
        case Fill():
            return Fill(
                node.known, distribution.part_shape(node.shape), node.dtype, distribution.local
            )
        case Reduce(operand=Transposed()):
            return by_columns(distribution, node, mask)
        case Reduce():
            return replace(node, operand=part_of(distribution, node.operand))
        case Selector():
            return replace(node, vector=part_of(distribution, node.vector))
        case Extract():
            return extracted(distribution, node)
        case OfVector():
            return matrix_of_vector(distribution, node)
        case Diagonal():
            return diagonal(distribution, node)
        case Kronecker():
            return kronecker(distribution, node)
    raise UnsupportedOperation(f"the cluster backend has no {type(node).__name__}")


def total(distribution: Distribution, node: Reduce) -> Any:
    """⊕ over all entries, or None if there are none: first of each part, then of all processes.

    The order of entries does not matter to a monoid, so a transpose is not made.
    """
    operand = node.operand.matrix if isinstance(node.operand, Transposed) else node.operand
    store = computed(operand)._store
    if can_be_reduced(store, node.monoid):
        found = reduced(distribution, store, node.monoid, node.dtype)
    else:
        found = Reduce(store.part, node.monoid).new()._store
    values = distribution.comm.values(np.array([] if found is None else [found], node.dtype))
    return node.monoid.fold(values) if values.size else None


def in_region(distribution: Distribution, node: Any, region: tuple[Any, ...]) -> tuple[Any, Region]:
    """The rows of an expression that are assigned to rows of this process, and these rows.

    Row r of the expression goes to row `region[0][r]` of the output.
    """
    rows, *columns = region
    assert rows is not None
    mine, _ = owned(distribution.rank, distribution.size, rows)
    shape = (mine.size, *node.shape[1:])
    if isinstance(node, Fill):
        return Fill(node.known, shape, node.dtype, distribution.local), (mine, *columns)
    part = computed(as_expression(aligned(distribution, node)))
    place, *rest = distribution.listed(part)
    to, where = dealt(distribution.size, rows, place * distribution.size + distribution.rank)
    return as_expression(distribution.arrived(shape, to, [where, *rest])), (mine, *columns)


def extracted(distribution: Distribution, node: Extract) -> Any:
    """The part that an index names. Each process takes what it owns, and sends it where it goes."""
    operand, (rows, *columns) = node.operand, node.axes
    if rows is None:
        return Extract(part_of(distribution, operand), node.axes)
    if isinstance(rows, int):
        part = part_of(distribution, operand)
        if distribution.owns(rows):
            line = Extract(part, (rows // distribution.size, *columns)).new()
        else:
            line = distribution.empty(node.shape, node.dtype)
        return distribution.redistribute(node.shape, distribution.listed(line))
    mine, numbers = owned(distribution.rank, distribution.size, rows)
    if len(operand.shape) == 1:
        line, *rest = computed(operand)._store.at(mine)
    else:
        line, *rest = entries_of(distribution, part_of(distribution, operand), mine, *columns)
    return distribution.redistribute(node.shape, [numbers[line], *rest])


def entries_of(distribution: Distribution, part: Any, rows: Rows, columns: Any) -> Arrays:
    """The entries of some rows and columns of a part. SuiteSparse looks for each column of a list
    in each row, so of a matrix with few entries the columns are looked up here, if no two of them
    are the same."""
    few = isinstance(columns, np.ndarray) and lists_rows(part.shape[1], lambda: part.nvals)
    order = np.argsort(columns) if few else np.empty(0, np.int64)
    ordered = columns[order] if few else order
    if not few or (ordered[1:] == ordered[:-1]).any():
        return distribution.listed(Extract(part, (rows, columns)).new())
    line, column, values = distribution.listed(Extract(part, (rows, None)).new())
    kept = contained(column, ordered)
    column = order[np.searchsorted(ordered, column[kept])]
    return [line[kept], column, values[kept]]


def matrix_of_vector(distribution: Distribution, node: OfVector) -> Any:
    """A vector as a column, which stays where it is, as a row or as a diagonal."""
    part = part_of(distribution, node.vector)
    if node.form == "column":
        return OfVector(part, "column")
    place, values = distribution.listed(part)
    index = place * distribution.size + distribution.rank
    if node.form == "row":
        return distribution.redistribute(node.shape, [np.zeros_like(index), index, values])
    row, column = index + max(0, -node.k), index + max(0, node.k)
    return distribution.redistribute(node.shape, [row, column, values])


def diagonal(distribution: Distribution, node: Diagonal) -> Any:
    """The entries of a diagonal, sent to where they lie in the vector."""
    on_it = Select(in_global_shape_of(distribution, node.operand), SELECT["diag"], node.k).new()
    row, column, values = distribution.listed(on_it)
    return distribution.redistribute(node.shape, [np.minimum(row, column), values])


def kronecker(distribution: Distribution, node: Kronecker) -> Any:
    """The product of the own rows of the left matrix with the whole right one.

    Row i of the left matrix makes the rows i·p to i·p + p - 1, where p is the number of rows of the
    right one.
    """
    left, p = node.left, node.right.shape[0]
    right = node.right.new() if isinstance(node.right, Transposed) else computed(node.right)
    made = replace(
        node, left=part_of(distribution, left), right=distribution.whole(right._store)
    ).new()
    place, column, values = distribution.listed(made)
    of_left, of_right = np.divmod(place, p)
    row = (of_left * distribution.size + distribution.rank) * p + of_right
    return distribution.redistribute(node.shape, [row, column, values])
