"""The class of a result, as in `graphblas.core.utils`."""

from __future__ import annotations

from typing import Any

from lagraph_gpu.errors import WrongType, brief
from lagraph_gpu.notation.expressions import Expression, Transposed, above


def output_type(val: Any) -> type:
    """The class of the container that an object is or computes.

    Parameters
    ----------
    val : object
        An expression, or anything else.

    Returns
    -------
    type
        Scalar, Vector or Matrix for an expression, else the class of the object.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> v = lg.Vector.from_coo([0], [1], backend="cpu")
    >>> output_type(v + v) is lg.Vector, output_type(v @ v) is lg.Scalar, output_type(7) is int
    (True, True, True)
    """
    if isinstance(val, Expression):
        return above()[0][len(val.shape)]  # type: ignore[no-any-return]
    return type(val)


def ensure_type(x: Any, types: type | tuple[type, ...]) -> Any:
    """An object of one of some classes, computed if it is an expression for one.

    Parameters
    ----------
    x : object
        A container, a transpose or an expression.
    types : type or tuple of type
        The classes.

    Returns
    -------
    object
        `x` as it is, or what it computes.

    Raises
    ------
    WrongType
        It is of none of the classes, and computes none.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> v = lg.Vector.from_coo([0], [1], backend="cpu")
    >>> ensure_type(v, lg.Vector) is v, ensure_type(v + v, lg.Vector).to_dict()
    (True, {0: 2})
    """
    if isinstance(x, types):
        return x
    wanted = types if isinstance(types, tuple) else (types,)
    if isinstance(x, Expression | Transposed) and output_type(x) in wanted:
        return x.new()
    raise WrongType(
        f"expected one of {', '.join(t.__name__ for t in wanted)}, or an expression for one, "
        f"got {brief(x)}"
    )
