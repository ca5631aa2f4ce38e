"""The form of a product of two matrices within a mask: dot products, or sums of rows.

SuiteSparse computes a dot product for each entry of the mask only if it gets the transpose of the
right operand by rows, and a descriptor that turns it. Otherwise it adds up rows of the right
operand. Either form may take a hundred times as long as the other.
"""

from __future__ import annotations

from typing import Any

from graphblas.core import NULL, ffi, lib
from graphblas.exceptions import check_status_carg

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
        read = _meeting(row_lengths, in_rows, lib.GrB_FIRST_INT64)
        facts = facts._replace(products=products * read // max(1, left.nvals))
        if not facts.dots:
            return None
    return right.by_rows(not turned)


def _stored(operand: Any) -> tuple[Any, bool]:
    """The store of a matrix or of a transposed one, and whether it is transposed."""
    turned = isinstance(operand, Transposed)
    return (operand.matrix if turned else operand)._store, turned


def _meeting(lengths: Any, counts: Any, op: Any = lib.GrB_TIMES_INT64) -> int:
    """The sum of the products of the entries of two vectors. python-graphblas takes ten times as
    long for short ones."""
    both, answer = ffi.new("GrB_Vector*"), ffi.new("int64_t*")
    operands = op, lengths.gb_obj[0], counts.gb_obj[0], NULL
    check_status_carg(lib.GrB_Vector_new(both, lib.GrB_INT64, lengths._size), "Vector", both[0])
    try:
        status = lib.GrB_Vector_eWiseMult_BinaryOp(both[0], NULL, NULL, *operands)
        check_status_carg(status, "Vector", both[0])
        added = lib.GrB_PLUS_MONOID_INT64, both[0], NULL
        check_status_carg(lib.GrB_Vector_reduce_INT64(answer, NULL, *added), "Vector", both[0])
    finally:
        lib.GrB_Vector_free(both)
    return int(answer[0])
