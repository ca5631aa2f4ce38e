"""Statements on a cluster.

The output, the mask and every operand are dealt by rows. So a statement is carried out by each
process for its own rows, by the same statement on its local backend, with the same mask,
accumulator and replace. What is to be done before is to bring the expression to the rows of the
output: `aligned` gives the rows of an expression that this process owns, as a local expression. For
most nodes that is the same node with local operands. Others need entries of other processes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lagraph_gpu.cluster.dealing import Dealing, Dealt
from lagraph_gpu.cluster.products import (
    as_expression,
    by_columns,
    packed,
    part_of,
    product,
    spread_of,
)
from lagraph_gpu.errors import UnsupportedOperation
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


def carry_out(deal: Dealing, update: Update) -> None:
    """Implements ``Backend.run``."""
    node, out = update.expression, update.out
    if isinstance(node, Reduce) and not node.rowwise:
        out.put(total(deal, node), update.accum)
        return
    mask = update.mask
    if mask is not None:
        mask = replace(mask, handle=part_of(deal, mask.handle))
    region = update.region
    if region is None or region[0] is None:
        local = as_expression(aligned(deal, node, mask if region is None else None))
    else:
        local, region = in_region(deal, node, region)
    part = out._store.part
    if len(out.shape) == 2:  # others may share the store of a matrix, which nobody writes into
        part = deal.handle(part._store, part.shape, part.dtype)
    run(Update(part, local, mask, update.accum, update.replace, region))
    out._store = Dealt(part, out.shape)


def aligned(deal: Dealing, node: Any, mask: Any = None) -> Any:
    """The rows of an expression that this process owns: a local expression or container."""
    match node:
        case Product():
            return product(deal, node, mask)
        case Ewise():
            if reads_rows(node.op.elementwise):
                left, right = (spread_of(deal, side) for side in (node.left, node.right))
                return packed(deal, replace(node, left=left, right=right))
            left, right = (part_of(deal, side) for side in (node.left, node.right))
            return replace(node, left=left, right=right)
        case Apply() | Select():
            if reads_rows(node.op):
                return packed(deal, replace(node, operand=spread_of(deal, node.operand)))
            return replace(node, operand=part_of(deal, node.operand))
        case Fill():
            return Fill(node.known, deal.part_shape(node.shape), node.dtype, deal.local)
        case Reduce(operand=Transposed()):
            return by_columns(deal, node)
        case Reduce():
            return replace(node, operand=part_of(deal, node.operand))
        case Selector():
            return replace(node, vector=part_of(deal, node.vector))
        case Extract():
            return extracted(deal, node)
        case OfVector():
            return matrix_of_vector(deal, node)
        case Diagonal():
            return diagonal(deal, node)
        case Kronecker():
            return kronecker(deal, node)
    raise UnsupportedOperation(f"the cluster backend has no {type(node).__name__}")


def reads_rows(op: Any) -> bool:
    """True if an operator reads the row of an entry, which is another one in the part."""
    return "i" in op.parsed.free


def total(deal: Dealing, node: Reduce) -> Any:
    """⊕ over all entries, or None if there are none: first of each part, then of all processes.

    The order of entries does not matter to a monoid, so a transpose is not made.
    """
    operand = node.operand.matrix if isinstance(node.operand, Transposed) else node.operand
    found = Reduce(part_of(deal, operand), node.monoid).new()._store
    values = deal.team.values(np.array([] if found is None else [found], node.dtype))
    return node.monoid.fold(values) if values.size else None


def in_region(deal: Dealing, node: Any, region: Region) -> tuple[Any, Region]:
    """The rows of an expression that are assigned to rows of this process, and these rows.

    Row r of the expression goes to row `region[0][r]` of the output.
    """
    rows, *columns = region
    assert rows is not None
    to = rows % deal.size
    mine = rows[to == deal.rank] // deal.size
    shape = (mine.size, *node.shape[1:])
    if isinstance(node, Fill):
        return Fill(node.known, shape, node.dtype, deal.local), (mine, *columns)
    order = np.argsort(to, kind="stable")
    begins = np.searchsorted(to[order], np.arange(deal.size))
    place = np.empty_like(order)
    place[order] = np.arange(order.size) - begins[to[order]]
    own = deal.own(node.shape[0])
    part = computed(as_expression(aligned(deal, node)))
    moved = deal.moved(part, to[own], place[own], mine.size)
    return as_expression(moved), (mine, *columns)


def extracted(deal: Dealing, node: Extract) -> Any:
    """The part that an index names. Each process takes what it owns, and sends it where it goes."""
    part, (rows, *columns) = part_of(deal, node.operand), node.axes
    if rows is None:
        return Extract(part, node.axes)
    if isinstance(rows, int):
        if deal.holds(rows):
            line = Extract(part, (rows // deal.size, *columns)).new()
        else:
            line = deal.nothing(node.shape, node.dtype)
        return deal.dealt_out(node.shape, deal.listed(line))
    at = np.flatnonzero(rows % deal.size == deal.rank)
    place, *rest = deal.listed(Extract(part, (rows[at] // deal.size, *columns)).new())
    return deal.dealt_out(node.shape, [at[place], *rest])


def matrix_of_vector(deal: Dealing, node: OfVector) -> Any:
    """A vector as a column, which stays where it is, as a row or as a diagonal."""
    part = part_of(deal, node.vector)
    if node.form == "column":
        return OfVector(part, "column")
    place, values = deal.listed(part)
    index = place * deal.size + deal.rank
    if node.form == "row":
        return deal.dealt_out(node.shape, [np.zeros_like(index), index, values])
    row, column = index + max(0, -node.k), index + max(0, node.k)
    return deal.dealt_out(node.shape, [row, column, values])


def diagonal(deal: Dealing, node: Diagonal) -> Any:
    """The entries of a diagonal, sent to where they lie in the vector."""
    on_it = Select(spread_of(deal, node.operand), SELECT["diag"], node.k).new()
    row, column, values = deal.listed(on_it)
    return deal.dealt_out(node.shape, [np.minimum(row, column), values])


def kronecker(deal: Dealing, node: Kronecker) -> Any:
    """The product of the own rows of the left matrix with the whole right one.

    Row i of the left matrix makes the rows i·p to i·p + p - 1, where p is the number of rows of the
    right one.
    """
    left, p = node.left, node.right.shape[0]
    right = node.right.new() if isinstance(node.right, Transposed) else computed(node.right)
    made = replace(node, left=part_of(deal, left), right=deal.whole(right._store)).new()
    row = (deal.own(left.shape[0])[:, None] * p + np.arange(p)).ravel()
    rows = deal.part_shape(node.shape)[0]
    return deal.moved(made, row % deal.size, row // deal.size, rows)
