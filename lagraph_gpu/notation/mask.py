"""The class `Mask`: the positions of an output that may be written.

A mask is a container that is read by structure (`v.S`) or by value (`v.V`), or the complement of
one (`~v.S`). `&` and `|` combine two masks. The combination is a new container, with at most as
many entries as the two together.

>>> import lagraph_gpu as lg
>>> with lg.backend("cpu"):
...     u, v = lg.Vector.from_coo([0, 1], [7, 0], size=4), lg.Vector.from_coo([1, 2], [5, 6])
...     v.resize(4)
>>> (u.S & ~v.S).new().to_dict(), (u.V | v.V).new().to_dict()
({0: True}, {0: True, 1: True, 2: True})
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lagraph_gpu.display import Shown, View
from lagraph_gpu.errors import WrongType, brief
from lagraph_gpu.notation import views
from lagraph_gpu.notation.expressions import Apply, Ewise, Fill, above
from lagraph_gpu.notation.infix import Operations
from semirings import BINARY, UNARY, types

if TYPE_CHECKING:
    from lagraph_gpu.notation.matrix import Matrix
    from lagraph_gpu.notation.vector import Vector


@dataclass(frozen=True, eq=False, repr=False)
class Mask(Shown):
    """The positions of the output that may be written.

    Parameters
    ----------
    handle : Vector or Matrix
        The container that is read.
    structure : bool
        True if the mask is true at every entry; False if it is true at every entry that is not
        zero.
    complement : bool, optional
        Whether the mask is true at all other positions instead.
    """

    handle: Vector | Matrix
    structure: bool
    complement: bool = False

    def __init__(self, handle: Any, structure: bool, complement: bool = False) -> None:
        held = self.__dict__
        held["handle"], held["structure"], held["complement"] = handle, structure, complement

    def _view(self, read: bool = True, picture: bool = False) -> View:
        of, where = self.handle, "an entry" if self.structure else "an entry that is not zero"
        where = f"{'not ' if self.complement else ''}true where the {views.titled(of)} has {where}"
        return View("Mask", [views.extent(of.shape), where, of.backend.name])

    @property
    def parent(self) -> Vector | Matrix:
        """The container that is read."""
        return self.handle

    @property
    def value(self) -> bool:
        """Whether the mask reads values: the opposite of `structure`."""
        return not self.structure

    def __eq__(self, other: object) -> bool:
        raise WrongType("two masks cannot be compared by ==; compare .new() of them by isequal")

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise WrongType("the truth of a mask is not defined; use .new() and ask for its entries")

    def __invert__(self) -> Mask:
        return Mask(self.handle, self.structure, not self.complement)

    def __and__(self, other: Any) -> Mask:
        other = mask_of(other)
        if self.complement and other.complement:
            return ~(~self | ~other)
        one, through = (other, self) if self.complement else (self, other)
        return one.new(mask=through).S

    __rand__ = __and__

    def __or__(self, other: Any) -> Mask:
        other = mask_of(other)
        if self.complement or other.complement:
            return ~(~self & ~other)
        return Ewise("add", self.new(), other.new(), BINARY["lor"]).new().S

    __ror__ = __or__

    def new(
        self,
        dtype: Any = None,
        *,
        complement: bool = False,
        mask: Any = None,
        name: str | None = None,
    ) -> Any:
        """A container of BOOL with True at every position where the mask is true.

        Parameters
        ----------
        dtype : type or str, optional
            Another type. The entries are then 1 in that type.
        complement : bool, optional
            Whether all other positions are taken instead.
        mask : Mask, optional
            A second mask: positions outside of it are left out, before the complement.
        name : str, optional
            A name for the result, which is shown where it is printed.

        Returns
        -------
        Vector or Matrix
            A container of the shape of the mask.
        """
        if complement:
            both = self if mask is None else self & mask
            return (~both).new(dtype, name=name)
        of, (_, Update, run) = self.handle, above()
        out = type(of)(dtype or types.BOOL, *of.shape, backend=of.backend, name=name)  # type: ignore
        if mask is None:
            run(Update(out, Fill(True, of.shape, types.BOOL, of.backend), mask=self))
        else:
            run(Update(out, Apply(self.new(), UNARY["identity"]), mask=mask))
        return out


def mask_of(thing: Any) -> Mask:
    """A mask as it is, or the mask by value of a BOOL container or expression."""
    if isinstance(thing, Mask):
        return thing
    if isinstance(thing, Operations) and thing.shape and thing.dtype == types.BOOL:
        return thing.V  # type: ignore[attr-defined]
    raise WrongType(
        "expected a mask that says how it is read, v.S (structure) or v.V (value), "
        f"got {brief(thing)}"
    )
