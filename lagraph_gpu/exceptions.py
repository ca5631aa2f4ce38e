"""The errors under the names of python-graphblas, beside those of `lagraph_gpu.errors`.

>>> from lagraph_gpu import exceptions
>>> issubclass(exceptions.DimensionMismatch, exceptions.GraphblasException)
True
"""

from lagraph_gpu import errors
from lagraph_gpu.errors import *  # noqa: F403
from lagraph_gpu.errors import IndexOutOfBound, LagraphError, TooLarge, UnsupportedOperation
from semirings.expression import ExpressionError

GraphblasException = LagraphError
InvalidIndex = IndexOutOfBound
OutOfMemory = InsufficientSpace = TooLarge
NotImplementedException = UnsupportedOperation
UdfParseError = ExpressionError


class NoValue(LagraphError):
    """Nothing raises it: where there is no value, `get` returns its default."""


class UninitializedObject(LagraphError):
    """Nothing raises it: every object is complete once it is made."""


class JitError(LagraphError):
    """Nothing raises it: kernels that cannot be compiled raise errors of their own."""


class NullPointer(LagraphError):
    """Nothing raises it: Python has no null pointers."""


class Panic(LagraphError):
    """Nothing raises it: a bug shows as Python's own error."""


__all__ = [
    *errors.__all__,
    "GraphblasException",
    "InsufficientSpace",
    "InvalidIndex",
    "JitError",
    "NoValue",
    "NotImplementedException",
    "NullPointer",
    "OutOfMemory",
    "Panic",
    "UdfParseError",
    "UninitializedObject",
]
