"""What vectors and matrices share: masks, copies and updates by `<<`."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from types import BuiltinFunctionType
from typing import Any, NoReturn, Self, cast

import numpy as np

from lagraph_gpu import memory
from lagraph_gpu.backend import Backend, DistributedBackend
from lagraph_gpu.convert.arguments import checked_methods, dimensions
from lagraph_gpu.convert.interchange import as_numpy
from lagraph_gpu.convert.options import Wait
from lagraph_gpu.convert.values import of_records, typed_values
from lagraph_gpu.display import View
from lagraph_gpu.errors import (
    DimensionMismatch,
    InvalidValue,
    UnknownKeyword,
    WrongDimension,
    WrongType,
    brief,
)
from lagraph_gpu.notation import expressions, views
from lagraph_gpu.notation.attributes import Closed
from lagraph_gpu.notation.checks import HINTS, expect_fit, expect_hints, expect_real
from lagraph_gpu.notation.computing import expect_computing
from lagraph_gpu.notation.in_place import InPlace
from lagraph_gpu.notation.indexing import Axes, Region, axes_of, each_once, extent, region_of
from lagraph_gpu.notation.infix import Operations, no_operation
from lagraph_gpu.notation.mask import Mask, mask_of
from lagraph_gpu.notation.repeated_indices import any_repeated, folded
from lagraph_gpu.notation.scalar import Scalar, expect_how
from lagraph_gpu.notation.totals import Totals
from lagraph_gpu.notation.update import Update, run
from lagraph_gpu.schedule import Schedule
from semirings import UNARY, BinaryOp, Monoid, Parameterized, types


@checked_methods
class Handle(Closed, InPlace, Totals):
    """A container on a backend. Subclasses add the shape, and the methods that make and read it."""

    shape: expressions.Shape
    dtype: np.dtype
    backend: Backend
    name: str | None = None
    """A name that is shown where the container is printed. It may be set at any time."""
    _store: Any
    _kept_as: str = ""
    """The name under which a graph keeps this container, or empty. A kept container is
    read-only."""

    # --- reading -----------------------------------------------------------------------------
    def _view(self, read: bool = True, picture: bool = False) -> View:
        return views.of_container(self, read, picture)

    @property
    def nvals(self) -> int:
        """The number of entries. Reading it waits for the device."""
        return self.backend.nvals(self._store)

    def __len__(self) -> int:
        """No length, for it could be `size` or `nvals`.

        Libraries that ask for it before they read an object learn here how to read it. If there
        were no `__len__`, pandas and Polars would take the indices for the values."""
        kind, size = ("vector", ".size") if len(self.shape) == 1 else ("matrix", ".shape")
        raise WrongType(
            f"expected {size} or .nvals, got len() of a {kind}; "
            ".to_pandas(), .to_coo() and .to_dense() give its values"
        )

    @property
    def S(self) -> Mask:
        """The mask that is true where there is an entry."""
        return Mask(self, True)

    @property
    def V(self) -> Mask:
        """The mask that is true where there is an entry that is not zero."""
        return Mask(self, False)

    def _with_op(self, op: Any) -> NoReturn:
        no_operation(self, op)

    def wait(self, how: Wait = "materialize") -> Self:
        """Wait until everything that this container depends on has been computed.

        Parameters
        ----------
        how : str, optional
            "materialize" or "complete", as in python-graphblas. Both do the same here.

        Returns
        -------
        Vector or Matrix
            This container.

        Raises
        ------
        InvalidValue
            `how` is another word.
        """
        expect_how(how)
        self.backend.synchronize(self._store)
        return self

    # --- copies ------------------------------------------------------------------------------
    def dup(
        self, dtype: Any = None, *, clear: bool = False, mask: Any = None,
        name: str | None = None, **hints: Any,
    ) -> Self:  # fmt: skip
        """An independent copy of this container.

        Parameters
        ----------
        dtype : type or str, optional
            The type of the values in the result. By default the type of this container.
        clear : bool, optional
            Whether the copy has no entries.
        mask : Mask, optional
            Only entries where the mask is true are copied.
        name : str, optional
            A name for the copy, which is shown where it is printed.
        **hints : object
            Hints to SuiteSparse such as `nthreads`, which have no effect.

        Returns
        -------
        Vector or Matrix
            The copy.

        Raises
        ------
        WrongType
            Both `clear` and `mask` are given.
        """
        expect_hints(hints)
        if clear:
            if mask is not None:
                raise WrongType("expected one of clear= and mask=, got both")
            where = {"backend": self.backend, "name": name}
            return type(self)(dtype or self.dtype, *self.shape, **where)  # type: ignore
        wanted = self.dtype if dtype is None else types.lookup(dtype)
        if mask is None and wanted == self.dtype:
            return self._copied(name)
        if mask is None and (made := self.backend.recast(self._store, wanted)) is not None:
            return self._wrap(wanted, self.backend, made, name)
        return expressions.Apply(self, UNARY["identity"]).new(dtype, mask=mask, name=name)

    def __getstate__(self) -> dict[str, Any]:
        """The state to pickle. A container from a pickle does not belong to a graph."""
        return {name: held for name, held in self.__dict__.items() if name != "_kept_as"}

    def __reduce_ex__(self, protocol: Any) -> Any:
        """A pickle of a container in the memory of a device holds its bytes on the host."""
        if self.backend.stores_pickle:
            return super().__reduce_ex__(protocol)
        return restored, (type(self), self.backend, self.serialize(), self.name)  # type: ignore[attr-defined]

    def __copy__(self) -> Self:
        return self.dup(name=self.name)

    def __deepcopy__(self, memo: Any) -> Self:
        return self.dup(name=self.name)

    def clear(self) -> None:
        """Remove all entries."""
        self._expect_free()
        self._hold(self.shape, self.backend.empty(self.shape, self.dtype))

    def _expect_free(self) -> None:
        """Raise InvalidValue if a graph keeps this container and relies on what it holds."""
        if self._kept_as:
            raise InvalidValue(
                f"expected a {type(self).__name__} of your own to write to, got "
                f"{self._kept_as}, which the graph keeps and reads; write to a copy, "
                f"{self._kept_as}.dup()"
            )

    def _wrap(self, dtype: np.dtype, backend: Backend, store: Any, name: str | None = None) -> Self:
        twin = object.__new__(type(self))
        vars(twin).update(shape=self.shape, dtype=dtype, backend=backend, name=name, _store=store)
        return twin

    def _hold(self, shape: expressions.Shape, store: Any) -> None:
        """Hold another store in place of what this container is made of."""
        held = vars(self)
        held.pop("_arrays", None)
        held["shape"], held["_store"] = shape, store

    def _copied(self, name: str | None) -> Self:
        return self._wrap(self.dtype, self.backend, self.backend.copy(self._store), name)

    def _gathered_on(self, root: int, target: Backend) -> Self | None:
        """This container of the cluster on a backend of process `root`; None on others."""
        home = cast(DistributedBackend, self.backend)
        store = home.gathered_on(root, self._store, target)
        return None if store is None else self._wrap(self.dtype, target, store, self.name)

    # --- updates -----------------------------------------------------------------------------
    def __call__(self, *settings: Any, **named: Any) -> Updater:
        if not named and len(settings) == 1:  # the usual cases in loops
            if isinstance(settings[0], BinaryOp):
                return Updater(self, accum=settings[0])
            if isinstance(settings[0], Mask):
                return Updater(self, settings[0])
        return Updater(self, **settings_of(settings, **named))

    def __setitem__(self, index: Any, value: Any) -> None:
        Updater(self, axes=axes_of(index, self.shape)) << value

    def __delitem__(self, index: Any) -> None:
        """Remove the entries at an index, a slice or a list of indices, on each axis."""
        self[index] = Scalar(self.dtype, backend=self.backend)

    def __lshift__(self, expression: Any) -> None:
        if self._kept_as:
            self._expect_free()
        run(Update(self, as_expression(expression, self.shape, self)))

    def update(self, expr: Any, **hints: Any) -> None:
        """The method for `self << expression`.

        Parameters
        ----------
        expr : Expression, Vector, Matrix or number
            What this container is to hold.
        **hints : object
            Hints to SuiteSparse such as `nthreads`, which have no effect.
        """
        expect_hints(hints)
        self << expr


def restored(kind: Any, backend: Backend, data: bytes, name: str | None) -> Any:
    """The container that a pickle holds."""
    return kind.deserialize(data, backend=backend, name=name)


class Replace:
    """The word `replace`, as in `w(mask, replace) << …`: entries outside the mask are removed."""

    def __repr__(self) -> str:
        return "replace"

    def __reduce__(self) -> str:
        return "replace"  # a pickle holds the name, so that reading it gives this object


replace = Replace()


SETTINGS: dict[str, tuple[Any, str]] = {
    "mask": ((Mask, Operations), "a mask, v.S (structure) or v.V (value)"),
    "input_mask": (Mask, "a mask of the container of which a part is read"),
    "accum": (
        (BinaryOp, Monoid, Parameterized, str, BuiltinFunctionType),
        "an operator, a monoid or its name, such as 'plus'",
    ),
    "replace": ((bool, np.bool_, Replace), "True or False"),
    "schedule": (Schedule, "a Schedule, such as lg.Schedule(direction='push')"),
}
"""The settings of `w(…)`: the class of each, and its name in messages."""

SETTING = {Mask: "mask", BinaryOp: "accum", Monoid: "accum", Replace: "replace"}
"""The settings that are most often given without a name."""


def settings_of(settings: tuple[Any, ...], **by_name: Any) -> dict[str, Any]:
    """Sort the settings `(mask, accum, replace)`, given in any order as in python-graphblas."""
    found: dict[str, Any] = dict.fromkeys(SETTINGS)
    for name, value in by_name.items():
        if name not in SETTINGS:
            if name in HINTS:
                continue
            raise UnknownKeyword(
                f"expected one of {', '.join(SETTINGS)}=, got {name}={brief(value)}"
            )
        kind, words = SETTINGS[name]
        if value is not None and not isinstance(value, kind):
            raise WrongType(f"expected {name}= as {words}, got {brief(value)}")
        found[name] = value
    for value in settings:
        if value is None:
            continue
        name = SETTING.get(type(value)) or next(
            (name for name, (kind, _) in SETTINGS.items() if isinstance(value, kind)), ""
        )
        if not name:
            raise WrongType(f"expected a mask, an accumulator or replace=, got {brief(value)}")
        if found[name] is not None:
            raise WrongType(f"expected one {name}, got two; leave one of them out")
        found[name] = value
    accum, mask = found["accum"], found["mask"]
    found["mask"] = None if mask is None else mask_of(mask)
    found["accum"] = None if accum is None else expressions.binary_of(accum)
    if mask is not None and found["input_mask"] is not None:
        raise WrongType("expected one of mask= and input_mask=, got both")
    found["replace"] = bool(found["replace"])  # the object `replace` counts as True
    if found["replace"] and mask is None and found["input_mask"] is None:
        raise WrongType("expected a mask beside replace, as in w(v.S, replace) << u, got none")
    return found


@dataclass(repr=False, eq=False)
class Updater:
    """The object `w(mask, accum, replace)`, which `<<` completes."""

    out: Handle
    mask: Mask | None = None
    accum: BinaryOp | None = None
    replace: bool = False
    schedule: Schedule | None = None
    axes: Axes | None = None
    within: bool = False
    """True if the settings were given after the index. Then nothing outside the region changes."""
    input_mask: Mask | None = None

    def __lshift__(self, value: Any) -> None:
        try:
            self._assign(value)
        except tuple(memory.OUT_OF_MEMORY) as problem:
            memory.raise_ours("an assignment", problem)

    def _assign(self, value: Any) -> None:
        if self.input_mask is not None:
            self._by_part(self.input_mask, value)
            return
        out, axes = self.out, self.axes
        if axes is None:
            self._run(as_expression(value, out.shape, out), None)
            return
        inner = len(extent(axes, out.shape))
        if isinstance(value, Operations):
            if value.shape and len(value.shape) != inner:
                raise WrongDimension(
                    f"expected an operand with {inner} axes for this part, got shape {value.shape}"
                )
        else:
            value = listed(value, inner, out.backend, out.dtype)
        one_value = inner and not getattr(value, "shape", ())
        if one_value and (self.mask is None or not self.within):
            axes = each_once(axes)
        if inner and self.accum is not None and any_repeated(axes):
            self._fold_repeated(value, axes)
        elif inner and all(axis is None for axis in axes):
            self._run(as_expression(value, out.shape, out), None)
        elif self.mask is not None and (self.within or self.mask.handle.ndim == 1 < len(axes)):
            self._put_part(value, axes)
        else:
            region = region_of(axes)
            expression = as_expression(value, extent(region, out.shape), out)
            if len(expression.shape) == 1 < len(axes):
                form = "row" if isinstance(axes[0], int) else "column"
                vector = value if isinstance(value, Handle) else expression  # not a copy of it
                expression = expressions.OfVector(vector, form)
            self._run(expression, region)

    def _fold_repeated(self, value: Any, axes: Axes) -> None:
        """Assign a part of which an index names a position twice, with an accumulator."""
        out, accum = self.out, self.accum
        assert accum is not None
        if self.mask is not None and not self.within and self.mask.handle.ndim != out.ndim:
            raise InvalidValue(
                "expected a mask of the whole container, or one after the index, where an index "
                "is given twice; remove duplicates, or change the mask"
            )
        if self.replace and self.within:
            raise InvalidValue("expected no replace where an index is given twice; remove it")
        part = as_expression(value, extent(axes, out.shape), out)
        if part.shape != extent(axes, out.shape):
            raise DimensionMismatch(
                f"expected an expression of shape {extent(axes, out.shape)}, got {part.shape}"
            )
        total = folded(part.new(mask=self.mask if self.within else None), axes, out.shape, accum)
        lines = tuple(axis if isinstance(axis, int) else None for axis in axes)
        mask = None if self.within else self.mask
        Updater(out, mask, accum, self.replace, self.schedule, lines) << total

    def _by_part(self, input_mask: Mask, value: Any) -> None:
        """Assign a part, with a mask of the container of which it is a part."""
        if self.mask is not None or not hasattr(value, "masked"):
            raise WrongType(
                "expected input_mask= beside a part, as in w(input_mask=A.S) << A[0, :], and no "
                f"mask, got {brief(value)}"
            )
        mask = value.masked(input_mask)
        dataclasses.replace(self, mask=mask, input_mask=None) << value

    def __eq__(self, other: object) -> bool:
        raise WrongType("two unfinished assignments cannot be compared; finish them with <<")

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise WrongType("the truth of an unfinished assignment is not defined; finish it with <<")

    def _run(self, expression: expressions.Expression, region: Region | None) -> None:
        if self.out._kept_as:
            self.out._expect_free()
        settings = self.mask, self.accum, self.replace, region, self.schedule
        run(Update(self.out, expression, *settings))

    def _put_part(self, value: Any, axes: Axes) -> None:
        """Read the part, update it by itself, and write it back.

        The mask has the shape of the part; for a row or a column it may have the shape of the whole
        row or column.
        """
        inner: Axes | None = None
        if not self.within:
            inner = tuple(axis for axis in axes if not isinstance(axis, int))
            if len(inner) != 1:  # of a matrix, since the mask has one axis
                raise WrongDimension(
                    "expected the mask of a matrix beside a part that is no single row or column, "
                    f"got that of a vector of shape {self.mask.handle.shape}"  # type: ignore[union-attr]
                )
            axes = tuple(axis if isinstance(axis, int) else None for axis in axes)
        elif not extent(axes, self.out.shape):
            raise WrongType("expected no mask for a single element, got one; leave it out")
        region_of(axes)  # raises before anything is read
        part = extraction(self.out, axes).new()
        settings = self.mask, self.accum, self.replace, self.schedule, inner
        Updater(part, *settings) << value
        Updater(self.out, axes=axes) << part

    def __getitem__(self, index: Any) -> Updater:
        if self.input_mask is not None:
            raise WrongType(
                "expected input_mask= beside a part that is read, as in w(input_mask=A.S) << "
                "A[0, :], got an index to write to"
            )
        if self.axes is not None:
            raise WrongType("expected one index, got two; C[I, J](mask) << A has mask and index")
        settings = self.mask, self.accum, self.replace, self.schedule
        return Updater(self.out, *settings, axes_of(index, self.out.shape))

    def update(self, expr: Any, **hints: Any) -> None:
        """The method for `self << expr`."""
        expect_hints(hints)
        self << expr

    def __setitem__(self, index: Any, value: Any) -> None:
        self[index] << value

    def __delitem__(self, index: Any) -> None:
        """Remove the entries at an index, a slice or a list, where the mask allows it."""
        self[index] << Scalar(self.out.dtype, backend=self.out.backend)


def extraction(operand: Any, axes: Axes) -> expressions.Extract:
    """The expression A(I, J). A part of one row or column is taken from the whole row or column."""
    if any(isinstance(a, int) for a in axes) and any(not isinstance(a, int | None) for a in axes):
        line = tuple(axis if isinstance(axis, int) else None for axis in axes)
        rest = tuple(a for a in axes if not isinstance(a, int))
        return expressions.Extract(expressions.Extract(operand, line), rest)
    return expressions.Extract(operand, axes)


def listed(value: Any, axes: int, backend: Backend, dtype: Any = None) -> Any:
    """A list or an array that is assigned to a part, as a container full of entries."""
    many = isinstance(value, (list, tuple)) or dimensions(value) > 0
    if axes == 0 or not many:
        return value
    if dtype is not None and types.is_record(dtype):
        held = of_records(value, types.lookup(dtype))
        return (
            expressions.above()[0][axes].from_dense(held, backend=backend) if held.ndim else value
        )
    made = expressions.above()[0][axes].from_dense(value, backend=backend)
    if types.is_record(made.dtype) and dtype is not None:  # more axes than the part
        shape = (*made.shape, *made.dtype.shape)
        raise WrongDimension(f"expected values with {axes} axes for this part, got shape {shape}")
    return made


def as_expression(value: Any, shape: expressions.Shape, out: Handle) -> expressions.Expression:
    """The expression of a value: a Fill for a number, a copy for a container."""
    of_python = isinstance(value, (int, float)) and not isinstance(value, np.generic)
    if of_python and not types.is_record(out.dtype):
        whole, rounds = isinstance(value, int), types.rounds(out.dtype)
        if whole:
            expect_fit(value, out.dtype)
            value = float(value) if rounds else value
        exact = out.dtype if whole or rounds else types.FP64
        return expressions.Fill(value, shape, exact, out.backend)
    if isinstance(value, expressions.Expression):
        if value.shape:
            return value
        expect_computing()
        value = value.new()
    if isinstance(value, (Handle, expressions.Transposed)):
        return expressions.Apply(value, UNARY["identity"])
    if isinstance(value, Scalar):
        if value._store is None:  # then entries are removed
            nothing = type(out)(out.dtype, *shape, backend=out.backend)  # type: ignore[call-arg]
            return expressions.Apply(nothing, UNARY["identity"])
        value = value._store
    if types.is_record(out.dtype) and not isinstance(value, expressions.Expression):
        held = typed_values(value, 1, out.dtype)[0]
        return expressions.Fill(held, shape, out.dtype, out.backend)
    one = dimensions(value) == 0  # do not copy an array from a device
    if one and (scalar := as_numpy(value)).ndim == 0 and scalar.dtype.kind in "biufc":
        exact = scalar.dtype if isinstance(value, np.generic) else out.dtype
        expect_real(scalar, out.dtype)
        if exact.kind in "biu" and scalar.dtype.kind == "f":
            exact = scalar.dtype
        return expressions.Fill(value, shape, types.lookup(exact), out.backend)
    raise WrongType(f"expected an expression, a container or a number, got {brief(value)}")
