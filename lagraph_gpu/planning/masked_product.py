"""The planner of the product of two matrices within a mask: the one place where its form is chosen.

It consists of pure functions of plain facts, as in `lagraph_gpu.planning.direction`. The form "dot"
computes, for each entry of the mask, the dot product of a row of A and a column of B. The form
"saxpy" scatters, for each row of A, its products into a table of the positions in the mask. The
work of each form is known exactly, or has a bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from lagraph_gpu.planning.direction import ASKED, WIDE_ROW

EXIT = 2
"""A dot that may stop early is assumed to read one in this many of its entries. On an H200 it took
0.56 of the time of a full one on kron16 and 0.61 on kron13, but 1.0 to 1.1 on a grid and a random
graph, where rows are short."""

WALK = 3
"""The cost of an entry that dot reads and searches for in a row. The unit of these costs is one
table look-up of saxpy. On an H200 an entry takes 0.014 to 0.022 ns in large products, and 0.002 to
0.003 ns where rows end early, as with vertices numbered by degree; a look-up takes 0.0025 to 0.009
ns."""

ROW = 300
"""The cost of a row in saxpy, whose table must be initialized, in look-ups: 0.6 ns on a grid."""

SORT = 48
"""The cost of an entry of a matrix that must be transposed first, in look-ups: 0.08 to 0.17 ns if
there are a million entries or more."""


DOT_START, TRANSPOSED = 8, 8
"""On a host, the cost of beginning a dot product, and of an entry of a matrix that must be
transposed first. The unit is a step of a dot product or a product of saxpy, which take alike."""

FEW = 1 << 12
"""With fewer entries in both operands and the mask, a host takes whichever form needs no
transpose: to count what they cost would take longer."""


@dataclass(frozen=True)
class MaskedFacts:
    """What a product within a mask depends on: the work of either form, and its operands.

    Parameters
    ----------
    products : int or None
        Pairs of entries of A and B that meet in a row of the mask: the work of saxpy. None if they
        have not been counted.
    walked : int or None
        The sum over the entries of the mask of the shorter of the row in A and the column in B: the
        work of dot. It may be larger where that does not matter. None if it has not been counted.
    wanted : int
        The number of entries of the mask.
    nedges : int
        The number of entries of B; its transpose may have to be computed.
    rows : int, optional
        The number of rows of A.
    has_rows, has_columns : bool, optional
        Whether B is stored by rows, and by columns.
    early_exit : bool, optional
        Whether a dot product may end before its last entry.
    """

    products: int | None
    walked: int | None
    wanted: int
    nedges: int
    rows: int = 0
    has_rows: bool = True
    has_columns: bool = True
    early_exit: bool = False

    @property
    def saxpy(self) -> int:
        """A lower bound on the cost of saxpy, in look-ups."""
        looks = (self.products or 0) + ROW * self.rows
        return looks + (0 if self.has_rows else SORT * self.nedges)

    @property
    def dot(self) -> int:
        """A lower bound on the cost of dot, in look-ups."""
        walked = WALK * (self.walked or 0) // (EXIT if self.early_exit else 1)
        return walked + (0 if self.has_columns else SORT * self.nedges)

    @property
    def decided(self) -> bool:
        """True if the form is certain, whatever has not been counted."""
        if self.walked is None:
            return self.products is not None and self.saxpy < self.dot
        return self.products is not None or self.dot <= self.saxpy


class HostFacts(NamedTuple):
    """What a product within a mask depends on where SuiteSparse computes it.

    Parameters
    ----------
    products : int
        Pairs of entries of A and B that meet in a row of the mask, about: the work of saxpy.
    steps : int
        A bound on the work of dot: the sum over the entries of the mask of the rows in A, or that
        of the columns in B, whichever is less.
    wanted : int
        The number of entries of the mask.
    nedges : int
        The number of entries of B.
    has_rows, has_columns : bool
        Whether B is stored by rows, and by columns.
    """

    products: int
    steps: int
    wanted: int
    nedges: int
    has_rows: bool
    has_columns: bool

    @property
    def dot(self) -> int:
        """A bound on the cost of dot."""
        turning = 0 if self.has_columns else TRANSPOSED * self.nedges
        return DOT_START * self.wanted + self.steps + turning

    @property
    def dots(self) -> bool:
        """True if dot costs less than saxpy."""
        turning = 0 if self.has_rows else TRANSPOSED * self.nedges
        return self.dot <= self.wanted + self.products + turning


@dataclass(frozen=True)
class MaskedPlan:
    """The form of a product, and who computes an entry of the mask in dot.

    Parameters
    ----------
    form : {"dot", "saxpy"}
        The form.
    balance : {"thread", "warp"}
        Who computes an entry of the mask in dot.
    reason : str, optional
        The reason for the form, with names of facts, and of the costs `dot` and `saxpy`, in braces.
    """

    form: str
    balance: str
    reason: str = field(default="", compare=False, repr=False)


MASKED = "dot costs {dot}, for {wanted} of the mask to walk {walked} entries; saxpy {saxpy}"
DOT = "dot costs at most {dot}, for {wanted} of the mask; saxpy at least {saxpy}"
SAXPY = "saxpy costs {saxpy}, for {products} products; dot at least {dot}"


def choose_masked(facts: MaskedFacts, form: str | None = None) -> MaskedPlan:
    """The plan for one product within a mask.

    Parameters
    ----------
    facts : MaskedFacts
        What the plan depends on.
    form : {"dot", "saxpy"}, optional
        The form, if it is fixed.

    Returns
    -------
    MaskedPlan
        The form and the balance.
    """
    wide = (facts.walked or 0) >= WIDE_ROW * facts.wanted
    cheaper = "dot" if facts.dot <= facts.saxpy else "saxpy"
    reason = SAXPY if facts.walked is None else DOT if facts.products is None else MASKED
    return MaskedPlan(form or cheaper, "warp" if wide else "thread", ASKED if form else reason)
