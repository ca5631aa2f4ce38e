"""The layout of packed rows: which graphs have it, and the operation that makes it."""

from __future__ import annotations

from typing import Any

from lagraph_gpu.convert.arguments import is_one_of
from lagraph_gpu.errors import InvalidValue, brief
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.operation import operation


@operation
def packed(A: Matrix) -> Matrix:
    """Return a symmetric matrix, whose rows fall in length. A lowering may store it in packed
    rows.
    """
    return A


def expect_packable(G: Graph, order: Any, layout: Any) -> bool:
    """Whether a layout is "packed". Raises InvalidValue for an unknown one, or where rows do not
    fall in length.
    """
    if layout is not None and not is_one_of(layout, ("packed",)):
        raise InvalidValue(f"expected the layout as None or 'packed', got {brief(layout)}")
    if layout is None:
        return False
    if not isinstance(order, str):
        got = "a permutation"
    elif order != "degree":
        got = f"the order {brief(order)}"
    elif G.directed:
        got = "a directed graph"
    else:
        return True
    raise InvalidValue(
        "expected an undirected graph in the order 'degree' for packed rows, whose length falls, "
        f"got {got}"
    )
