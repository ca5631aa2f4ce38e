"""`v[I]` and `A[I, J]`: a part of a container to read, to extract or to assign to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from lagraph_gpu.errors import WrongType, brief
from lagraph_gpu.notation.checks import expect_hints, mismatch
from lagraph_gpu.notation.computing import expect_computing
from lagraph_gpu.notation.expressions import Composite
from lagraph_gpu.notation.handle import Handle, Updater, extraction, settings_of
from lagraph_gpu.notation.indexing import Axes, Progression, axes_of, extent
from lagraph_gpu.notation.mask import Mask, mask_of
from lagraph_gpu.notation.scalar import Scalar


@dataclass(frozen=True)
class ResolvedIndexes:
    """An index as it was read: a position, an array of positions or None for each axis."""

    axes: Axes

    @property
    def py_indices(self) -> Any:
        """What may stand in the brackets for this index; a tuple for a matrix."""
        found = tuple(
            slice(None) if axis is None else axis.slice if isinstance(axis, Progression) else axis
            for axis in self.axes
        )
        return found if len(found) > 1 else found[0]


class Part(Composite):
    """The part of a container that an index names: an expression, and a place to assign to.

    An integer removes its axis: `A[2, :]` is a vector and `A[2, 3]` a scalar. A list may name a
    position twice. Slices are those of Python.

    >>> import lagraph_gpu as lg
    >>> with lg.backend("cpu"):
    ...     A = lg.Matrix.from_coo([0, 0, 1], [0, 2, 1], [5, 6, 7])
    >>> A[0, 2].get(), A[0, 1].get("nothing"), A[:, [2, 0]].new().to_coo()[2].tolist()
    (6, 'nothing', [6, 5])
    >>> A[1, :] << 0                                        # a full row of zeros
    >>> A.nvals
    5
    """

    def __init__(self, whole: Any, index: Any) -> None:
        self._whole, self._index = whole, index
        self._axes = axes_of(index, whole.shape)
        self.shape = extent(self._axes, whole.shape)
        self.dtype, self.backend = whole.dtype, whole.backend

    @property
    def resolved_indexes(self) -> ResolvedIndexes:
        """The index as it was read, as `resolved_indexes.py_indices`."""
        return ResolvedIndexes(self._axes)

    def computed(self) -> Any:
        if self.shape:
            return extraction(self._whole, self._axes)
        found = Scalar(self.dtype, backend=self.backend)
        found.put(self._whole.get(*self._axes))
        return found

    def new(
        self, dtype: Any = None, *, mask: Any = None, input_mask: Any = None,
        name: str | None = None, **hints: Any,
    ) -> Any:  # fmt: skip
        """Compute the part into a new container.

        Parameters
        ----------
        dtype : type or str, optional
            The type of the result. By default the type of the container.
        mask : Mask, optional
            Only entries where the mask, of the shape of the part, is true are kept.
        input_mask : Mask, optional
            A mask of the shape of the whole container instead; for a part of one row or column also
            of the size of the whole row or column.
        name : str, optional
            A name for the result, which is shown where it is printed.
        **hints : object
            Hints to SuiteSparse such as `nthreads`, which have no effect.

        Returns
        -------
        Vector, Matrix or Scalar
            The result.

        Raises
        ------
        WrongType
            Both masks are given.
        DimensionMismatch
            The mask has another shape, or the part is a single element.
        """
        if input_mask is not None:
            if mask is not None:
                raise WrongType("expected one of mask= and input_mask=, got both")
            mask = self.masked(input_mask)
        return super().new(dtype, mask=mask, name=name, **hints)

    def masked(self, input_mask: Any) -> Mask:
        """The part of a mask of the whole container that belongs to this part of it."""
        mask, whole = mask_of(input_mask), self._whole.shape
        line = tuple(n for n, axis in zip(whole, self._axes) if not isinstance(axis, int))
        if not self.shape or mask.handle.shape not in (whole, line):
            allowed = "no input_mask for a single element" if not self.shape else (
                f"an input_mask of shape {whole}" + (f" or {line}" if line != whole else "")
            )  # fmt: skip
            raise mismatch(mask.handle.shape, whole)(
                f"expected {allowed}, got shape {mask.handle.shape}"
            )
        axes = self._axes
        if mask.handle.shape != whole:
            axes = tuple(axis for axis in axes if not isinstance(axis, int))
        return replace(mask, handle=extraction(mask.handle, axes).new())

    def get(self, default: Any = None) -> Any:
        """The value at a single position, or `default` where there is no entry. The call waits."""
        if self.shape:
            raise WrongType(f"expected one position to read a value, got {brief(self)}; use .new()")
        return self._whole.get(*self._axes, default)

    @property
    def value(self) -> Any:
        """The value at a single position, or None where there is no entry. Reading it waits."""
        if self.shape:
            raise AttributeError(f"expected one position to read a value, got {brief(self)}")
        expect_computing()
        return self.get()

    def __lshift__(self, value: Any) -> None:
        Updater(self._assigned, axes=self._axes, within=True) << value

    def update(self, expr: Any, **hints: Any) -> None:
        """The method for `self << expr`."""
        expect_hints(hints)
        self << expr

    def __call__(self, *settings: Any, **named: Any) -> Updater:
        """Settings for this part, with a mask of its shape. Nothing outside it changes."""
        chosen = settings_of(settings, **named)
        return Updater(self._assigned, **chosen, axes=self._axes, within=True)

    @property
    def _assigned(self) -> Handle:
        """The container that an assignment to this part writes to."""
        if not isinstance(self._whole, Handle):
            raise WrongType("expected a matrix to assign to, got its transpose")
        return self._whole
