"""The planner of the product of two matrices within a mask: the one place where its form is chosen.

It consists of pure functions of plain facts, as in `lagraph_gpu.planning.direction`. The form "dot"
computes, for each entry of the mask, the dot product of a row of A and a column of B. The form
"saxpy" scatters, for each row of A, its products into a table of the positions in the mask. The
work of each form is known exactly, or has a bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lagraph_gpu.planning.direction import ASKED, WIDE_ROW

EXIT = 2
"""A dot that may stop early is reckoned to walk half of its entries. On an H200 it took 0.56 of the
time of one that may not on kron16 and 0.61 on kron13, but 1.0 to 1.1 on a lattice and a random
graph, where rows are short."""

WALK = 3
"""An entry that dot walks is searched for in a row, and costs as much as so many looks of saxpy. On
an H200 it takes 0.014 to 0.022 ns where there is much to do, a look 0.0025 to 0.009; and 0.002 to
0.003 where rows end early, as they do with vertices numbered by degree."""

ROW = 300
"""So does a row of saxpy, whose table has to be laid out: 0.6 ns on a lattice."""

SORT = 48
"""And an entry of a matrix that has to be transposed first: 0.08 to 0.17 ns where there are a
million and more."""


@dataclass(frozen=True)
class MaskedFacts:
    """What a product within a mask depends on: the work of either form, and its operands."""

    products: int | None
    """Entries of A and B that meet in a row that the mask has: what saxpy does. None where nobody
    has counted."""
    walked: int | None
    """For each entry of the mask the shorter of its row in A and its column in B: what dot does.
    More where that is no matter, None where nobody has counted."""
    wanted: int
    """Entries of the mask."""
    nedges: int
    """Entries of B, one of whose two orientations may have to be made."""
    rows: int = 0
    """Rows of A."""
    has_rows: bool = True
    has_columns: bool = True
    early_exit: bool = False

    @property
    def saxpy(self) -> int:
        """The least cost of saxpy, in looks."""
        looks = (self.products or 0) + ROW * self.rows
        return looks + (0 if self.has_rows else SORT * self.nedges)

    @property
    def dot(self) -> int:
        """The least cost of dot, in looks."""
        walked = WALK * (self.walked or 0) // (EXIT if self.early_exit else 1)
        return walked + (0 if self.has_columns else SORT * self.nedges)

    @property
    def decided(self) -> bool:
        """True if the form is certain, whatever has not been counted."""
        if self.walked is None:
            return self.products is not None and self.saxpy < self.dot
        return self.products is not None or self.dot <= self.saxpy


@dataclass(frozen=True)
class MaskedPlan:
    """The form, dot or saxpy, and who computes an entry of the mask in dot."""

    form: str
    balance: str
    law: str = field(default="", compare=False, repr=False)
    """What chose the form, with names of facts in braces, and of ``dot`` and ``saxpy``, costs."""


MASKED = "dot costs {dot}, for {wanted} of the mask to walk {walked} entries; saxpy {saxpy}"
DOT = "dot costs at most {dot}, for {wanted} of the mask; saxpy at least {saxpy}"
SAXPY = "saxpy costs {saxpy}, for {products} products; dot at least {dot}"


def choose_masked(facts: MaskedFacts, form: str | None = None) -> MaskedPlan:
    """The plan for one product within a mask. `form` fixes the form."""
    wide = (facts.walked or 0) >= WIDE_ROW * facts.wanted
    cheaper = "dot" if facts.dot <= facts.saxpy else "saxpy"
    law = SAXPY if facts.walked is None else DOT if facts.products is None else MASKED
    return MaskedPlan(form or cheaper, "warp" if wide else "thread", ASKED if form else law)
