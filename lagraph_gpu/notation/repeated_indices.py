"""`w(accum)[I] << u` where an index occurs several times in I: the values are folded by accum.

The matrix P has a one at (k, I[k]), so u ⊕.first P holds at every index the fold of the values that
go there, and the statement w accum= u ⊕.first P is without repeated indices. The accumulator must
have a monoid, since GraphBLAS gives the values in no order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.errors import InvalidValue, brief
from lagraph_gpu.notation.expressions import above
from lagraph_gpu.notation.indexing import Axes, Axis, repeats
from semirings import BinaryOp, names


def any_repeated(axes: Axes) -> bool:
    """True if an index names a position twice."""
    return any(isinstance(axis, np.ndarray) and repeats(axis) for axis in axes)


def folded(part: Any, axes: Axes, shape: tuple[int, ...], accum: BinaryOp) -> Any:
    """A part folded to the whole axes: a vector or a matrix with the number of axes of the part."""
    try:
        monoid = names.monoid_of(accum)
    except InvalidValue:
        raise InvalidValue(
            "expected each index once to assign to, or an accumulator that has a monoid, such as "
            f"plus or min, to fold the values of an index; got {brief(accum)}"
        ) from None
    many = [(axis, size) for axis, size in zip(axes, shape) if not isinstance(axis, int)]
    if len(many) == 1:
        return names.semiring_of(monoid, "first")(part @ _places(part, *many[0])).new()
    rows, columns = many
    if columns[0] is not None:
        part = names.semiring_of(monoid, "first")(part @ _places(part, *columns)).new()
    if rows[0] is not None:
        part = names.semiring_of(monoid, "second")(_places(part, *rows).T @ part).new()
    return part


def _places(part: Any, axis: Axis, size: int) -> Any:
    """The matrix with a one at (k, axis[k])."""
    Matrix = above()[0][2]
    assert isinstance(axis, np.ndarray)
    shape = {"nrows": axis.size, "ncols": size}
    return Matrix.from_coo(np.arange(axis.size), axis, True, **shape, backend=part.backend)
