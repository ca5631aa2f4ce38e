"""The form of a product of two matrices within a mask: dot products, or sums of rows.

SuiteSparse computes a dot product for each entry of the mask only if it gets the transpose of the
right operand by rows, and a descriptor that turns it. Otherwise it adds up rows of the right
operand. Either form may take a hundred times as long as the other.
"""

from __future__ import annotations

from typing import Any

import graphblas as gb

from lagraph_gpu.notation.expressions import Expression, Product, Transposed
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.planning.masked_product import FEW, HostFacts


def transpose(node: Product, mask: Mask | None) -> Any | None:
    """The transpose of the right operand, by rows, if dot products are the better form. Otherwise
    None."""
    if mask is None or any(isinstance(operand, Expression) for operand in (node.left, node.right)):
        return None
    (left, left_turned), (right, turned) = _stored(node.left), _stored(node.right)
    if left.full and right.full:
        return right.by_rows(not turned)
    if mask.complement:
        return None  # almost all entries may be wanted
    has_rows, has_columns = right.has(turned), right.has(not turned)
    selected = mask.handle._store
    if left.nvals + right.nvals + selected.nvals < FEW:
        return right.by_rows(not turned) if has_columns else None
    row_lengths, column_lengths = left.degrees[left_turned], right.degrees[not turned]
    in_rows, in_columns = selected.degrees
    facts = HostFacts(
        products=0,
        steps=min(_meeting(row_lengths, in_rows), _meeting(column_lengths, in_columns)),
        wanted=selected.nvals,
        nedges=right.nvals,
        has_rows=has_rows,
        has_columns=has_columns,
    )
    if facts.dot > left.nvals:  # or it takes about as long as to read the left operand
        products = _meeting(left.degrees[not left_turned], right.degrees[turned])
        read = _meeting(row_lengths, in_rows, gb.semiring.plus_first)
        facts = facts._replace(products=products * read // max(1, left.nvals))
        if not facts.dots:
            return None
    return right.by_rows(not turned)


def _stored(operand: Any) -> tuple[Any, bool]:
    """The store of a matrix or of a transposed one, and whether it is transposed."""
    turned = isinstance(operand, Transposed)
    return (operand.matrix if turned else operand)._store, turned


def _meeting(lengths: Any, counts: Any, semiring: Any = gb.semiring.plus_times) -> int:
    """The sum of the products of the entries of two vectors."""
    return int(semiring(lengths @ counts).new().get(0))
