"""Containers and scalars take no new attributes, so that a misspelt name is not set silently, and
say what they call that which other libraries have under another name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

    if not TYPE_CHECKING:  # which knows all attributes there are

        def __getattr__(self, name: str) -> Any:
            kind = type(self)
            raise AttributeError(
                f"{kind.__name__!r} object has no attribute {name!r}{in_other_words(kind, name)}",
                name=name,
                obj=self,
            )
