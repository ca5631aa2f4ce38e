"""How the GPU keeps matrices: as compressed rows, with what has been learned about them.

The transpose is made when a product first needs it, and is the matrix itself where that is
symmetric.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from weakref import ref

import numpy as np

from lagraph_gpu.gpu.device.port import Device, DeviceArray
from lagraph_gpu.gpu.storage.vector_storage import (
    INDEX,
    POSITIONS,
    DeviceVector,
    at_least_one,
    expect_numbered,
    offset_for,
)

if TYPE_CHECKING:
    from lagraph_gpu.gpu.matrix.edge_orders import Edges, Slices
    from lagraph_gpu.gpu.matrix.weight_order import Stored
    from lagraph_gpu.gpu.spmv.column_blocked import Panels
    from lagraph_gpu.gpu.storage.layouts import Layout


class Kept(NamedTuple):
    """Which entries of a matrix stay."""

    bits: DeviceArray
    ends: DeviceArray
    """How many of them there are up to the end of each word."""
    total: int


class Marks(NamedTuple):
    """Where the rows of a matrix begin that have entries (see row_starts.cuh)."""

    begins: DeviceArray
    """One bit for each entry: does a row begin with it?"""
    ranks: DeviceArray
    rows: DeviceArray
    """The rows with entries, in order."""
    bits: DeviceArray
    """The same as a bitmap."""


class Packed(NamedTuple):
    """The rows of a matrix, the short ones whole, each in one piece (see padded_rows.cuh)."""

    rows: DeviceArray
    row: str
    """The type of a row in C++."""


ARRAYS = "indptr", "indices", "values"


@dataclass(eq=False)
class Pattern:
    """What is known of where the entries of a matrix are. Matrices that share their arrays and
    differ in values share it: what one has found out no other asks for again."""

    max_degree: int | None = None
    """No row is longer than this; None where nobody has counted."""
    long_rows: tuple[int, DeviceArray] | None = None
    """How many rows are too long for a warp, and which; None where nobody has looked."""
    pieces: dict[int, tuple[int, DeviceArray | None, DeviceArray | None]] = field(
        default_factory=dict
    )
    """For a length the longer rows in pieces: how many, of which row, from which entry on."""
    likely_parent: DeviceArray | None = None
    """For each row the column whose own row is the longest; None where nobody has looked."""
    n_connected: int | None = None
    """If the vertices stand by falling entries in row and column: how many have any."""
    deep: bool = False
    """Has a search taken many rounds?"""
    marks: Marks | None = None
    pulls: int = 0
    """How many products have gathered values for all entries and not read their own."""
    panels: Panels | None = None
    """Made when there have been many, if they pay."""


@dataclass(eq=False)
class Closures:
    """What closures over a matrix keep for the next ones."""

    weights: dict[str, Any] = field(default_factory=dict)
    """What an order has asked about the entries, by its condition (see traversal.py)."""
    deltas: dict[Any, Any] = field(default_factory=dict)
    """How they go by order of value, None for rounds, for each algebra and schedule."""
    ready: dict[Any, Any] = field(default_factory=dict)
    """What calls under one algebra share (see level_synchronous.py and hub_first.py)."""
    scratch: dict[Any, list[Any]] = field(default_factory=dict)
    """Memory that they take turns at."""
    searches: dict[int, float] = field(default_factory=dict)
    """How many would have been faster with rows in this order."""
    in_order: dict[int, Stored] = field(default_factory=dict)
    """Copies of the entries with each row's by its values (see weight_order.py)."""
    lightest: dict[tuple[int, bool], DeviceArray] = field(default_factory=dict)
    """Of each row the best entry, by the order that tells what is best, and whether the rows stand
    in it (see min_edge.cuh)."""
    packed: dict[str, Packed] = field(default_factory=dict)
    """The rows packed, by the type of a row."""


@dataclass(eq=False)
class DeviceMatrix:
    """Compressed rows; ``values`` holds one number for all entries if ``iso``."""

    shape: tuple[int, int]
    dtype: np.dtype
    nnz: int
    indptr: DeviceArray
    indices: DeviceArray
    values: DeviceArray
    iso: bool = False
    pattern: Pattern = field(default_factory=Pattern, repr=False)
    closures: Closures = field(default_factory=Closures, repr=False)
    mirror: Any = field(default=None, repr=False)
    """``transposed``, or a weak reference to it."""
    diagonal: DeviceVector | None = field(default=None, repr=False)
    """The vector on the main diagonal, if this matrix was made of it and has no other entry."""
    rows: Callable[[], DeviceMatrix] | None = field(default=None, repr=False)
    """Makes the arrays when somebody asks for them, if they are not there (see ``later``)."""
    layout: Layout | None = field(default=None, repr=False)
    """A copy under other numbers, over which closures go (see layouts.py)."""
    weighted_pulls: int = 0
    """As ``pattern.pulls``, of products that read the values, too, and have panels with values."""
    in_panels: Panels | None = field(default=None, repr=False)
    edges: dict[str, Edges] = field(default_factory=dict, repr=False)
    """As lists of edges, in each order that a schedule has asked for."""
    slices: Slices | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if max(self.shape) >= POSITIONS:
            expect_numbered(max(self.shape))

    @property
    def transposed(self) -> DeviceMatrix | None:
        """Aᵀ by rows, if somebody has made it; itself where that is known to be symmetric."""
        return self.mirror() if isinstance(self.mirror, ref) else self.mirror

    @transposed.setter
    def transposed(self, other: DeviceMatrix | None) -> None:
        # Who hold each other keep the device's memory until garbage is collected.
        self.mirror = ref(other) if self in (other, getattr(other, "mirror", None)) else other

    @classmethod
    def from_rows(
        cls, device: Device, shape: tuple[int, int],
        rows: tuple[np.ndarray, np.ndarray, np.ndarray], symmetric: bool, iso: bool,
    ) -> DeviceMatrix:  # fmt: skip
        indptr, indices, values = rows
        nnz = int(indptr[-1])
        offset = offset_for(nnz)
        matrix = cls(
            shape, values.dtype, nnz, device.upload(indptr.astype(offset)),
            device.upload(at_least_one(indices.astype(INDEX))),
            device.upload(at_least_one(values[:1] if iso else values)), iso,
            Pattern(int(np.diff(indptr).max(initial=0))),
        )  # fmt: skip
        matrix.transposed = matrix if symmetric else None
        return matrix

    @classmethod
    def allocated(
        cls, device: Device, shape: tuple[int, int], dtype: np.dtype, nnz: int, offset: np.dtype,
        values: DeviceArray | None = None,
    ) -> DeviceMatrix:  # fmt: skip
        """Room for ``nnz`` entries, for a kernel to fill; in ``values``, if they are given. Without
        entries there is one value all the same, 0, for a kernel may read it before it looks."""
        room, fresh = max(1, nnz), device.empty if nnz else device.zeros
        indptr, indices = device.empty(shape[0] + 1, offset), device.empty(room, INDEX)
        values = fresh(room, dtype) if values is None else values
        return cls(shape, dtype, nnz, indptr, indices, values)

    @classmethod
    def later(
        cls, shape: tuple[int, int], dtype: np.dtype, rows: Callable[[], DeviceMatrix],
        nnz: int | None = None, **known: Any,
    ) -> DeviceMatrix:  # fmt: skip
        """A matrix without arrays: they are those of ``rows()``, as soon as somebody looks."""
        nothing: Any = None
        result = cls(shape, dtype, 0 if nnz is None else nnz, nothing, nothing, nothing, rows=rows,
                   **known)  # fmt: skip
        for name in ARRAYS if nnz is not None else ("nnz", *ARRAYS):
            delattr(result, name)
        return result

    def __getattr__(self, name: str) -> Any:
        if name not in ("nnz", *ARRAYS) or "rows" not in self.__dict__ or self.rows is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        made, self.rows = self.rows(), None
        for part in ("nnz", *ARRAYS):
            setattr(self, part, getattr(made, part))
        return getattr(self, name)

    def entries_of(self, other: DeviceMatrix) -> bool:
        """Has it the same entries as another, whatever their values? Told without a look at them:
        only if the two share the arrays."""
        return self.indptr is other.indptr and self.indices is other.indices

    def with_values(self, values: DeviceArray, iso: bool = False) -> DeviceMatrix:
        """The same pattern, in the same arrays, with other values."""
        return DeviceMatrix(self.shape, values.dtype, self.nnz, self.indptr, self.indices, values,
                            iso, self.pattern)  # fmt: skip

    def with_begins(self, indptr: DeviceArray) -> DeviceMatrix:
        """The same rows, whose offsets are these, of another type perhaps."""
        return DeviceMatrix(self.shape, self.dtype, self.nnz, indptr, self.indices, self.values,
                            self.iso, Pattern(self.pattern.max_degree))  # fmt: skip

    def shortened(self, device: Device, nnz: int) -> Self:
        """The same with its first entries only; in the same memory, unless they need less than half
        of it."""
        room = max(1, nnz)
        parts: Any = self.indices[:room], self.values[:room]
        if 2 * room < self.indices.size:
            parts = map(device.copy, parts)
        self.indices, self.values = parts
        self.nnz = nnz
        return self

    @property
    def stride(self) -> np.int32:
        """Distance between the values of two entries: 0 where one serves all."""
        return np.int32(0 if self.iso else 1)

    @property
    def offset(self) -> np.dtype:
        return self.indptr.dtype

    def arrays(self) -> tuple[Any, ...]:
        """indptr, indices, values, stride: as kernels take them."""
        return self.indptr, self.indices, self.values, self.stride
