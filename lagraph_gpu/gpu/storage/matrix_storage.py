"""Storage of matrices on the GPU: compressed rows, with facts about them that are computed once.

The transpose is computed when a product first needs it. A symmetric matrix is its own transpose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self
from weakref import WeakSet, ref

import numpy as np

from lagraph_gpu.gpu.device import Device, DeviceArray
from lagraph_gpu.gpu.device.port import DEVICE_RECLAIMERS
from lagraph_gpu.gpu.storage.vector_storage import (
    INDEX,
    POSITIONS,
    DeviceVector,
    at_least_one,
    expect_numbered,
    offset_for,
)
from lagraph_gpu.planning.closure_order import fans_out
from lagraph_gpu.planning.depth import Depth

if TYPE_CHECKING:
    from lagraph_gpu.gpu.fused.whole_weights import TwiceTheWeights
    from lagraph_gpu.gpu.matrix.weight_order import Stored
    from lagraph_gpu.gpu.spmv.column_blocked import Panels
    from lagraph_gpu.gpu.storage.layouts import Layout
    from lagraph_gpu.gpu.storage.packed_rows import PackedRows
    from lagraph_gpu.graph import Graph
    from lagraph_gpu.notation import Matrix


class Kept(NamedTuple):
    """The entries of a matrix that a selection keeps, as a bitmap."""

    bits: DeviceArray
    ends: DeviceArray
    """The number of kept entries up to the end of each word."""
    total: int


class Marks(NamedTuple):
    """The positions at which the non-empty rows of a matrix begin (see row_starts.cuh)."""

    begins: DeviceArray
    """One bit for each entry, set if a row begins with it."""
    ranks: DeviceArray
    rows: DeviceArray
    """The non-empty rows, in order."""
    bits: DeviceArray
    """The non-empty rows as a bitmap."""


class PaddedRows(NamedTuple):
    """The rows of a matrix with a fixed number of slots each; short rows are stored whole (see
    padded_rows.cuh)."""

    rows: DeviceArray
    row: str
    """The C++ type of a row."""


ARRAYS = "indptr", "indices", "values"


@dataclass(eq=False)
class Pulls:
    """What products that gather a value for every entry keep of a matrix, by the widths of panels
    that their values allow."""

    counts: Counter[int] = field(default_factory=Counter)
    """The number of such products."""
    panels: dict[int, Panels] = field(default_factory=dict)
    """The column panels; made after many products, if they pay."""

    def give_back(self) -> bool:
        """Forget the panels, which are made again after as many products. True if there were
        any."""
        held = bool(self.panels)
        self.counts.clear()
        self.panels.clear()
        return held


@dataclass(eq=False)
class Pattern:
    """Facts about the positions of a matrix' entries. Matrices with the same arrays and different
    values share this object, so a fact is computed once for all of them."""

    max_degree: int | None = None
    """An upper bound on the length of a row; None if it has not been counted."""
    long_rows: tuple[int, DeviceArray] | None = None
    """The number of rows that are too long for a warp, and a list of them; None if they have not
    been counted."""
    pieces: dict[int, tuple[int, DeviceArray | None, DeviceArray | None]] = field(
        default_factory=dict
    )
    """For a length, the longer rows in pieces: the number of pieces, and the row and the first
    entry of each."""
    few_longer: bool | None = None
    """True if hardly any edges are in rows that are longer than the least padded rows; None if they
    have not been counted."""
    likely_parent: DeviceArray | None = None
    """For each row the column whose own row is the longest; None if it has not been computed."""
    nonempty: DeviceArray | None = None
    """Which rows have entries, a bit for each; None if it has not been computed."""
    n_connected: int | None = None
    """The number of vertices with edges, if vertices are numbered by falling degree (row and column
    together)."""
    leading_rows: int | None = None
    """The number of rows with entries, if these come first and the columns are numbered by falling
    degree: so it is with the part of a matrix that a process has."""
    leading_columns: int | None = None
    """The number of columns with entries in the whole matrix, if these come first."""
    depth: Depth = field(default_factory=Depth)
    """What searches have shown of how many rounds they take."""
    marks: Marks | None = None
    pulls: Pulls = field(default_factory=Pulls)
    """Of products that do not read the matrix' values."""
    on_host: Matrix | None = None
    """The positions of the entries as a matrix of the host's backend (see host_loops.py)."""

    def give_back(self) -> bool:
        """Forget what takes memory and can be computed again. True if there was any."""
        return self.pulls.give_back()


@dataclass(eq=False)
class Closures:
    """What closures over a matrix keep for later ones."""

    weights: dict[str, Any] = field(default_factory=dict)
    """Facts about the weights that a closure by order of value needs, by its condition (see
    closures.py)."""
    chosen: dict[Any, Any] = field(default_factory=dict)
    """How closures run, for each algebra and schedule (see order_choice.py and
    resident_order.py)."""
    ready: dict[Any, Any] = field(default_factory=dict)
    """What calls under one algebra share (see level_synchronous.py and hub_first.py)."""
    scratch: dict[Any, list[Any]] = field(default_factory=dict)
    """Scratch memory, which calls take and return."""
    searches: dict[int, float] = field(default_factory=dict)
    """For each order of the rows, the number of searches that would have been faster with it."""
    sorted_entries: dict[int, Stored] = field(default_factory=dict)
    """Copies of the entries, with each row sorted by value (see weight_order.py)."""
    lightest: dict[tuple[int, bool], DeviceArray] = field(default_factory=dict)
    """The best entry of each row, by the order and whether rows are sorted in it (see
    min_edge.cuh)."""
    padded: dict[str, PaddedRows] = field(default_factory=dict)
    """The padded rows, by the C++ type of a row."""

    def __post_init__(self) -> None:
        KEEPERS.add(self)

    def give_back(self) -> bool:
        """Forget what takes memory and can be computed again. Calls that run hold what they use.
        True if there was any."""
        parts = self.ready, self.scratch, self.sorted_entries, self.lightest, self.padded
        any_kept = any(parts)
        for part in parts:
            part.clear()
        return any_kept


class Keeps(Protocol):
    """Something that keeps for later calls what can be computed again."""

    def give_back(self) -> bool: ...


KEEPERS: WeakSet[Keeps] = WeakSet()
"""What closures and products keep, of all matrices."""


def give_back_kept() -> bool:
    """Frees what is kept for later calls. True if there was any."""
    given = [keeps.give_back() for keeps in list(KEEPERS)]
    return any(given)


DEVICE_RECLAIMERS.append(give_back_kept)


class WorkWithin(NamedTuple):
    """The work of a product within a mask by structure, in either form, and the longest walk of the
    form dot (see masked_products.py). It depends on the positions of the entries, which never
    change."""

    left: ref[DeviceMatrix]
    right: ref[DeviceMatrix]
    flipped: bool
    products: int
    walked: int
    max_walk: int

    def of(self, *operands: Any) -> bool:
        """Whether it is that of these operands: the matrices, and `flipped`."""
        return operands == (self.left(), self.right(), self.flipped)


@dataclass(eq=False)
class DeviceMatrix:
    """A matrix as compressed rows. ``values`` holds one value for all entries if ``iso``."""

    shape: tuple[int, int]
    dtype: np.dtype
    nnz: int
    indptr: DeviceArray
    indices: DeviceArray
    values: DeviceArray
    iso: bool = False
    pattern: Pattern = field(default_factory=Pattern, repr=False)
    mirror: Any = field(default=None, repr=False)
    """The transpose, or a weak reference to it."""
    diagonal: DeviceVector | None = field(default=None, repr=False)
    """The vector on the main diagonal, if the matrix was made from it and has no other entry."""
    rows: Callable[[], DeviceMatrix] | None = field(default=None, repr=False)
    """Makes the arrays when they are first read, if they are deferred (see ``later``)."""
    layout: Layout | None = field(default=None, repr=False)
    """A renumbered copy over which closures run (see layouts.py)."""
    packed: PackedRows | None = field(default=None, repr=False)
    """The packed rows, if the matrix is stored so (see packed_rows.py); then the arrays are made
    when something asks for them that has no kernel for packed rows."""
    pulls: Pulls = field(default_factory=Pulls, repr=False)
    """What is kept for pulls of products that also read the values; their panels include the
    values."""
    copies: dict[str, Any] = field(default_factory=dict, repr=False)
    """Other forms of the entries, each under a key of the module that makes it."""
    work_within: WorkWithin | None = field(default=None, repr=False)
    """What the last product with this matrix as its mask has counted."""
    on_host: Graph | None = field(default=None, repr=False)
    """The graph of this matrix on the host's backend (see host_loops.py)."""
    whole_votes: bool | None = None
    """True if all values are whole numbers and the sums of rows are below 2³², if that is known."""
    votes: DeviceArray | None = field(default=None, repr=False)
    """Such values in 32 bits."""
    source: DeviceMatrix | None = field(default=None, repr=False)
    """A matrix of the same entries in another type, of which the values are made when they are
    read."""
    weights: TwiceTheWeights | None = field(default=None, repr=False)
    """What is computed from the source without making the values."""
    no_whole_weights: bool = False
    """True if as a source it is known not to have ``weights``."""
    open_ends: DeviceArray | None = field(default=None, repr=False)
    """Where the rows end, if they have room for more entries. The arrays are then longer than
    ``nnz``, and what lies between two rows has not been written. Few kernels take such rows."""

    def __post_init__(self) -> None:
        if max(self.shape) >= POSITIONS:
            expect_numbered(max(self.shape))

    @cached_property
    def closures(self) -> Closures:
        """What closures keep, made for the first of them: most matrices are results that are read
        once."""
        return Closures()

    @property
    def seems_deep(self) -> bool:
        """Whether searches probably take many rounds: few edges leave a vertex, or one did."""
        return not fans_out(self.shape[0], self.nnz) or self.pattern.depth.deep.answer is True

    @property
    def transposed(self) -> DeviceMatrix | None:
        """Aᵀ by rows, if it has been computed; the matrix itself if it is known to be symmetric."""
        return self.mirror() if isinstance(self.mirror, ref) else self.mirror

    @transposed.setter
    def transposed(self, other: DeviceMatrix | None) -> None:
        # Objects that refer to each other keep device memory until the garbage collector runs.
        self.mirror = ref(other) if self in (other, getattr(other, "mirror", None)) else other

    @classmethod
    def from_rows(
        cls, device: Device, shape: tuple[int, int],
        rows: tuple[np.ndarray, np.ndarray, np.ndarray], symmetric: bool, iso: bool,
        upload: Callable[[np.ndarray], DeviceArray] | None = None,
    ) -> DeviceMatrix:  # fmt: skip
        """The matrix of these rows, whose entries ``upload`` copies."""
        indptr, indices, values = rows
        nnz = int(indptr[-1])
        offset, upload = offset_for(nnz), device.upload if upload is None else upload
        matrix = cls(
            shape, values.dtype, nnz, device.upload(indptr.astype(offset, copy=False)),
            upload(at_least_one(indices.astype(INDEX, copy=False))),
            upload(at_least_one(values[:1] if iso else values)), iso,
            Pattern(int(np.diff(indptr).max(initial=0))),
        )  # fmt: skip
        matrix.transposed = matrix if symmetric else None
        return matrix

    @classmethod
    def allocated(
        cls, device: Device, shape: tuple[int, int], dtype: np.dtype, nnz: int, offset: np.dtype,
        values: DeviceArray | None = None,
    ) -> DeviceMatrix:  # fmt: skip
        """Uninitialized memory for ``nnz`` entries, for a kernel to fill, in ``values`` if they are
        given. Without entries there is one value 0, because a kernel may read it before it tests
        for an entry."""
        room, fresh = max(1, nnz), device.empty if nnz else device.zeros
        indptr, indices = device.empty(shape[0] + 1, offset), device.empty(room, INDEX)
        values = fresh(room, dtype) if values is None else values
        return cls(shape, dtype, nnz, indptr, indices, values)

    @classmethod
    def later(
        cls, shape: tuple[int, int], dtype: np.dtype, rows: Callable[[], DeviceMatrix],
        nnz: int | None = None, **known: Any,
    ) -> DeviceMatrix:  # fmt: skip
        """A matrix whose arrays are made by ``rows()`` when they are first read."""
        nothing: Any = None
        result = cls(shape, dtype, 0 if nnz is None else nnz, nothing, nothing, nothing, rows=rows,
                   **known)  # fmt: skip
        for name in ARRAYS if nnz is not None else ("nnz", *ARRAYS):
            delattr(result, name)
        return result

    def __getattr__(self, name: str) -> Any:
        held = self.__dict__
        make = held.get("rows") if name in ("nnz", *ARRAYS) else None
        if make is None:
            if name in held:  # another thread has made it
                return held[name]
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name == "values" and self.packed is not None and self.iso:
            return self.packed.value
        made = make()
        for part in ("nnz", *ARRAYS):
            setattr(self, part, getattr(made, part))
        self.rows = None
        return held[name]

    def give_back(self) -> bool:
        """Forget other forms of the entries, which are made again where they pay. True if there
        were any."""
        held = self.pulls.give_back() or bool(self.copies)
        self.copies.clear()
        return held

    def entries_of(self, other: DeviceMatrix) -> bool:
        """True if the matrix shares its index arrays with another, so that both have entries at the
        same positions. The entries themselves are not compared."""
        return self.indptr is other.indptr and self.indices is other.indices

    def with_values(self, values: DeviceArray, iso: bool = False) -> DeviceMatrix:
        """A matrix with the same pattern, in the same arrays, and other values."""
        return DeviceMatrix(self.shape, values.dtype, self.nnz, self.indptr, self.indices, values,
                            iso, self.pattern)  # fmt: skip

    def with_begins(self, indptr: DeviceArray) -> DeviceMatrix:
        """A matrix of these columns and values with the offsets given, which may be of another
        type."""
        return DeviceMatrix(self.shape, self.dtype, self.nnz, indptr, self.indices, self.values,
                            self.iso, Pattern(self.pattern.max_degree))  # fmt: skip

    def within(self, shape: tuple[int, int]) -> DeviceMatrix:
        """A matrix over the same arrays in another shape, of no more rows. Rows that are left out
        must be empty."""
        return DeviceMatrix(shape, self.dtype, self.nnz, self.indptr[: shape[0] + 1], self.indices,
                            self.values, self.iso, Pattern(self.pattern.max_degree))  # fmt: skip

    def shortened(self, device: Device, nnz: int) -> Self:
        """The matrix with its first ``nnz`` entries only. The memory stays the same, unless less
        than half of it is needed."""
        room = max(1, nnz)
        parts: Any = self.indices[:room], self.values[:room]
        if 2 * room < self.indices.size:
            parts = map(device.copy, parts)
        self.indices, self.values = parts
        self.nnz = nnz
        return self

    @property
    def known_empty(self) -> bool:
        """True if it is known, without making the arrays, that there is no entry."""
        return vars(self).get("nnz") == 0

    @property
    def stride(self) -> np.int32:
        """The distance between the values of two entries: 0 if one value is for all."""
        return np.int32(0 if self.iso else 1)

    @property
    def stays_packed(self) -> bool:
        """True if the rows are packed and nothing has asked for compressed ones."""
        return self.packed is not None and self.rows is not None

    def walks_packed(self, reads_values: bool) -> bool:
        """True if there are kernels over packed rows for a product that reads values, or not."""
        has_values = self.iso or (self.packed is not None and self.packed.weights is not None)
        return self.stays_packed and (has_values or not reads_values)

    @property
    def offset(self) -> np.dtype:
        return offset_for(self.nnz) if self.stays_packed else self.indptr.dtype

    @property
    def ends(self) -> DeviceArray:
        """Where the rows end."""
        return self.indptr[1:] if self.open_ends is None else self.open_ends

    @property
    def room(self) -> int:
        """The number of entries for which there is room."""
        return self.nnz if self.open_ends is None else self.indices.size

    def arrays(self) -> tuple[Any, ...]:
        """indptr, indices, values and stride, as kernels take them."""
        return self.indptr, self.indices, self.values, self.stride
