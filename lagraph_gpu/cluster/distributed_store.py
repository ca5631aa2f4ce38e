"""What the cluster stores of a vector or a matrix: the rows of this process, and what is kept
beside them once it has been needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.expressions import Extract, Shape
from lagraph_gpu.notation.indexing import Progression

if TYPE_CHECKING:
    from lagraph_gpu.cluster.root import Whole

Arrays = list[np.ndarray]
"""The position of each entry on each axis, an array for each axis, and the values."""


class Ranked(NamedTuple):
    """The entries of a matrix on this process, in which rows and columns have the numbers of their
    places in two lists, and these lists."""

    rows: np.ndarray
    columns: np.ndarray
    part: Any


@dataclass(eq=False)
class Distributed:
    """A store of the cluster: the rows that this process owns, and the shape of the whole."""

    part: Any
    """A Vector or a Matrix of the local backend."""
    shape: Shape
    symmetric: bool = False
    transpose: Distributed | None = None
    """The transpose, distributed by its own rows, once it has been made or declared."""
    in_global_shape: Any = None
    """The result of `Distribution.in_global_shape`, once it has been needed."""
    kept: dict[type[Whole], Whole] = field(default_factory=dict)
    """What the root has of the whole matrix, once it has worked on it alone: see `root.py`."""
    told: set[str] = field(default_factory=set)
    """The operations of which the user has been told that the root has no room for them."""
    deep: bool = False
    """Whether a closure has proved deep, so that the root does those that come."""
    diagonal: Distributed | None = None
    """The vector that is the main diagonal, of a matrix that has no other entries by how it was
    made."""
    block: Any = None
    """The block of this process, once a product over a grid has needed it."""
    degrees: np.ndarray | None = None
    """The number of entries of each row of this process, once a closure has asked for it."""
    entries: int | None = None
    """The number of entries of a matrix on all processes, once a closure has asked for it."""
    ranked: Ranked | None = None
    """Once a product has needed it."""

    @property
    def size(self) -> int:
        """The number of rows of the whole, or of positions of a vector."""
        return self.shape[0]

    @property
    def dtype(self) -> np.dtype:
        return self.part.dtype  # type: ignore[no-any-return]

    @property
    def nvals(self) -> int:
        """The number of entries of this process."""
        return self.part.nvals  # type: ignore[no-any-return]

    @property
    def held(self) -> Any:
        """The container of the local backend that this process holds."""
        return self.part

    def get(self, place: int) -> Any:
        """The value at a place of this process in a vector, or None."""
        return self.part.get(place)

    def at(self, places: np.ndarray | Progression) -> Arrays:
        """Which of these places of this process have an entry in a vector, as positions in the list
        of them, and the values."""
        found = Extract(self.part, (places,)).new()
        return list(found.backend.vector_entries(found._store))


class Deferred(Distributed):
    """A store of a vector whose part is made when somebody needs it."""

    def __init__(self, make: Callable[[], Any], shape: Shape) -> None:
        Distributed.__init__(self, None, shape)
        self.make = make
        del self.part

    def __reduce__(self) -> tuple[Any, ...]:
        return Distributed, (self.part, self.shape)

    def __getattr__(self, name: str) -> Any:
        if name != "part":
            raise AttributeError(name)
        self.part = self.make()
        del self.make
        return self.part


def vector_of_part(part: Any, like: Vector) -> Vector:
    """The vector of which this is the part of this process, of the size of another."""
    return Vector._stored(Distributed(part, like.shape), like.size, part.dtype, like.backend)
