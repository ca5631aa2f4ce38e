"""Containers and scalars take no new attributes, so that a misspelt name is not set silently, and
say what they call that which other libraries have under another name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from lagraph_gpu.errors import brief

_SETTABLE = frozenset(("_held", "_store", "backend", "dtype", "is_cscalar", "name", "shape"))

_ELSEWHERE = {
    **dict.fromkeys(("to_numpy", "numpy", "toarray", "todense"), "to_dense()"),
    **dict.fromkeys(("tolist", "to_list"), "to_dense().tolist()"),
    **dict.fromkeys(("nnz", "getnnz", "count_nonzero"), "nvals"),
    **dict.fromkeys(("tocoo", "items"), "to_coo()"),
    **dict.fromkeys(("tocsr", "tocsc"), "to_csr()"),
}
"""What is meant by names of NumPy, pandas and SciPy."""


def in_other_words(kind: Any, name: str) -> str:
    """The end of a message: what an object of this kind has instead of an attribute, or nothing."""
    meant = _ELSEWHERE.get(name, "")
    return f"; did you mean {meant}?" if meant and hasattr(kind, meant.partition("(")[0]) else ""


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

    def __dir__(self) -> list[str]:
        return without_what_is_elsewhere(super().__dir__())


class Elsewhere:
    """An attribute that is not there, since what other libraries have under this name has another
    one here: to read it raises an AttributeError that says so.

    A method `__getattr__` could say it too, but a class that has one takes three times as long for
    each attribute that is there, and a statement reads fifty.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, thing: Any, kind: type) -> NoReturn:
        hint = in_other_words(kind, self.name)
        message = f"{kind.__name__!r} object has no attribute {self.name!r}{hint}"
        raise AttributeError(message, name=self.name, obj=thing)


def name_what_is_elsewhere(kind: type) -> None:
    """Let a class tell what it calls that which other libraries have under another name."""
    for name in _ELSEWHERE:
        setattr(kind, name, Elsewhere(name))


def without_what_is_elsewhere(names: Iterable[str]) -> list[str]:
    return [name for name in names if name not in _ELSEWHERE]


name_what_is_elsewhere(Closed)
