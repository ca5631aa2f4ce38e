"""Operators that read positions: in Kronecker products, and evaluated entry by entry on the host.

A backend takes the functions that evaluate where its own positions are not those of the container:
where rows and columns without entries are left out of what is stored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.errors import UnsupportedOperation
from lagraph_gpu.notation.checks import number
from lagraph_gpu.notation.expressions import Apply, Ewise, Kronecker, Product, Select, above
from lagraph_gpu.notation.typing_rules import expect_operands
from semirings import BINARY, INDEXUNARY, UNARY, BinaryOp, Semiring, types

POSITIONS = {"i", "k", "j"}
"""The names of positions in formulas."""


def at_place(op: Any) -> Any:
    """The operator for operands at one position."""
    return op.elementwise if isinstance(op, BinaryOp) else op


def reads_positions(node: Any) -> bool:
    """True if the operator of an expression reads positions."""
    match node:
        case Product():
            return node.semiring.multiply.positional
        case Apply() | Ewise() | Select():
            return not POSITIONS.isdisjoint(at_place(node.op).parsed.free)
    return False


def kronecker(left: Any, right: Any, op: BinaryOp) -> Kronecker:
    """The Kronecker product. An operator such as firsti, which reads a position, reads that of the
    entry of its operand, so the positions become the values of that operand."""
    if not (op.positional and op.graphblas):
        return Kronecker(left, right, op)
    expect_operands(left, right)
    name, of_left = op.name.removesuffix("1"), op.name.startswith("first")
    index = INDEXUNARY["rowindex" if name.endswith("i") else "colindex"]
    read, other = (left, right) if of_left else (right, left)
    places = Apply(read, index, right=op.name.endswith("1"))  # True has no type that counts
    ones = Apply(other, BINARY["pair"][types.INT64], right=1)
    if of_left:
        return Kronecker(places, ones, BINARY["first"])
    return Kronecker(ones, places, BINARY["second"])


def entries(x: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row, column and value of each entry; the column of a vector's is 0."""
    if len(x.shape) == 1:
        index, value = x.to_coo()
        return index, np.zeros_like(index), value
    row, column, value = x.to_coo()
    return row, column, value


def container(x: Any, row: np.ndarray, column: np.ndarray, value: np.ndarray, dtype: Any) -> Any:
    """A container of the shape of `x` with these entries, in any order."""
    (_, Vector, Matrix), _, _ = above()
    value = types.cast(value, dtype)
    if len(x.shape) == 1:
        sizes: dict[str, Any] = {"size": x.shape[0], "backend": x.backend}
        return Vector.from_coo(row, value, dtype, **sizes)
    sizes = {"nrows": x.shape[0], "ncols": x.shape[1], "backend": x.backend}
    return Matrix.from_coo(row, column, value, dtype, **sizes)


def evaluated(node: Apply | Select | Ewise) -> Any:
    """The result of an element-wise expression that reads positions, as a container."""
    if isinstance(node, Ewise):
        return _joined(node)
    x = node.operand
    i, j, value = entries(x)
    if isinstance(node, Select):
        thunk, given = types.cast(node.thunk, node.thunk_type), types.cast(value, node.input)
        kept = node.op.evaluate(given, thunk, i=i, j=j, dtype=node.input)
        kept = np.broadcast_to(np.asarray(kept, bool), value.shape)
        return container(x, i[kept], j[kept], value[kept], x.dtype)
    op, given = at_place(node.op), types.cast(value, node.input)
    pair: tuple[Any, ...] = (given,)
    if node.bound is not None:
        bound = number(node.bound, node.bound_type)
        pair = (bound, given) if node.bound_left else (given, bound)
    made = op.evaluate(*pair, i=i, j=j, dtype=node.input)
    return container(x, i, j, np.broadcast_to(made, value.shape), node.dtype)


def _joined(node: Ewise) -> Any:
    """left ∘ right, where the operator is evaluated on the host."""
    left, right = (x if hasattr(x, "_store") else x.new() for x in (node.left, node.right))
    meet = node.op.meet(left.dtype, right.dtype)

    def at(held: Any, x: Any, y: Any) -> Any:
        """The results at the entries of a container."""
        i, j, value = entries(held)
        x, y = (types.cast(value if z is None else z, meet) for z in (x, y))
        made = node.op.elementwise.evaluate(x, y, i=i, j=j, dtype=meet)
        return container(held, i, j, np.broadcast_to(made, value.shape), node.dtype)

    both: Any = Ewise("mult", left, right, BINARY["first"]).new()
    others: Any = Ewise("mult", left, right, BINARY["second"]).new()
    out = at(both, None, entries(others)[2])
    if node.how == "mult":
        return out
    if node.how == "add":
        left, right = (x if x.dtype == node.dtype else x.dup(node.dtype) for x in (left, right))
        every: Any = Ewise("add", left, right, BINARY["any"]).new()
        every(out.S) << out
        return every
    for own, other, x, y in (
        (left, right, None, node.right_default), (right, left, node.left_default, None)
    ):  # fmt: skip
        alone = at(Apply(own, UNARY["identity"]).new(mask=~other.S), x, y)
        out = Ewise("add", out, alone, BINARY["any"]).new()
    return out


def by_values(node: Product) -> Product:
    """Rewrite a product so that its ⊗ reads values: positions are written into one operand."""
    op, (left, right) = node.semiring.multiply, (node.left, node.right)
    free = set(op.parsed.free)
    if free <= {"i", "k", "x"} | ({"j"} if len(right.shape) == 1 else set()):
        left, name = _written(left, op, node, True), "first"
        right = _of_type(right, node.dtype)
    elif free <= {"k", "j", "y"} | ({"i"} if len(left.shape) == 1 else set()):
        right, name = _written(right, op, node, False), "second"
        left = _of_type(left, node.dtype)
    else:
        raise UnsupportedOperation(
            f"expected an operator that reads one operand beside positions, got {op}, in a product "
            "of more than 2**31 positions; renumber the rows and columns that have entries"
        )
    made = node.dtype
    semiring = Semiring(node.semiring.monoid, BINARY[name][made])
    return Product(left, right, semiring)


def _of_type(operand: Any, dtype: Any) -> Any:
    """An operand whose values are not read, in the type of the result, so that the positions are
    not converted to a common type."""
    if operand.dtype == dtype:
        return operand
    return Apply(operand, BINARY["pair"][dtype], right=dtype.type(1)).new()


def _written(operand: Any, op: BinaryOp, node: Product, on_left: bool) -> Any:
    """The operand with the products as its values."""
    held = operand if hasattr(operand, "_store") else operand.new()
    axis = ("ik" if on_left else "kj").find(min(POSITIONS & set(op.parsed.free)))
    if op.graphblas and len(held.shape) == 2 and axis >= 0:  # a position, from 0 or from 1
        index = INDEXUNARY["colindex" if axis else "rowindex"][types.INT64]
        return Apply(held, index, right=int(op.name.endswith("1"))).new(node.dtype)
    row, column, value = entries(held)
    if len(held.shape) == 1:
        i, k, j = (np.zeros_like(row), row, row) if on_left else (row, row, np.zeros_like(row))
    elif on_left:
        i, k, j = row, column, np.zeros_like(row)
    else:
        i, k, j = np.zeros_like(row), row, column
    meet = node.semiring.meet(node.left.dtype, node.right.dtype)
    value = types.cast(value, meet)
    x, y = (value, 0) if on_left else (0, value)
    made = op.evaluate(x, y, i=i, k=k, j=j, dtype=meet)
    return container(held, row, column, np.broadcast_to(made, value.shape), node.dtype)
