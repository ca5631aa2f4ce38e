"""Containers and scalars take no new attributes, so that a misspelt name is not set silently."""

from __future__ import annotations

from typing import Any

from lagraph_gpu.errors import brief

_SETTABLE = frozenset(("_held", "_store", "backend", "dtype", "is_cscalar", "name", "shape"))


class Closed:
    """A class whose objects have the attributes that it defines and no others, as in
    python-graphblas. Objects of a user's subclass may have more.

    >>> import lagraph_gpu as lg
    >>> v = lg.Vector.from_coo([0], [1], backend="cpu")
    >>> v.nmae = "distances"
    Traceback (most recent call last):
    AttributeError: expected an attribute that a Vector has, such as name, got nmae='distances'
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _SETTABLE and name[0] != "_" and not hasattr(type(self), name):
            kind = type(self)
            if kind.__module__.startswith("lagraph_gpu."):
                raise AttributeError(
                    f"expected an attribute that a {kind.__name__} has, such as name, "
                    f"got {name}={brief(value)}"
                )
        object.__setattr__(self, name, value)
