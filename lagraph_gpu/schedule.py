"""Schedules: how to carry out a traversal. A schedule is an argument beside an algorithm.

A schedule can change the time, never the answer (for the monoid `any`: the set of right answers).
The planner (`lagraph_gpu.planning.direction`) chooses the fields that are None. The classical ways
to search a graph on a GPU can all be expressed, so that they can be compared; the explanations in
docs/explanation describe them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from numbers import Real
from typing import Any, Literal

from lagraph_gpu.display import html_table
from lagraph_gpu.errors import InvalidValue, brief, spelt_fields

DIRECTIONS = ("push", "pull", "hybrid", "edge")
LOOPS = ("host", "device")
ORDERS = ("rounds", "delta", "heap")
BALANCES = ("thread", "warp", "search", "bucket")
FRONTIERS = ("none", "global", "block")
SMALL = ("block",)
LAYOUTS = ("aligned", "segmented")

FIELDS = {
    "direction": DIRECTIONS, "balance": BALANCES, "loop": LOOPS, "order": ORDERS,
    "frontier": FRONTIERS, "small": SMALL, "layout": LAYOUTS,
}  # fmt: skip


@spelt_fields
@dataclass(frozen=True)
class Schedule:
    """How to carry out a traversal. A field that is None is chosen by the planner.

    Parameters
    ----------
    direction : {"push", "pull", "hybrid", "edge"}, optional
        "push" follows the edges that leave the frontier. "pull" lets each wanted vertex look
        through the edges that enter it. "hybrid", the default, chooses one of the two for each
        product. "edge" gives each edge of the matrix a thread, which tests whether its tail is in
        the frontier.
    balance : {"thread", "warp", "search", "bucket"}, optional
        Who reads a row: one "thread", or one "warp". "search" gives each thread an equal number of
        edges; the thread then finds the rows to which they belong. "bucket", for a push, gives a
        row to a block, a warp or a thread, by its degree.
    loop : {"host", "device"}, optional
        Where the rounds of a closure are counted: on the "host", one statement at a time, or on the
        "device", all rounds in one kernel. The default is "device", or "host" if the schedule has a
        balance, a frontier, small or a layout.
    order : {"rounds", "delta", "heap"}, optional
        Which entries of a closure advance first: all that changed, in "rounds", or by "delta" those
        within a width of the best entry. "heap" is for tables of distances from many sources.
    width : float, optional
        For the orders "delta" and "heap": how far from the best entry an entry may lie, in the unit
        of the weights, greater than 0; infinity is allowed. By default it follows from the mean
        weight and the mean degree.
    frontier : {"none", "global", "block"}, optional
        How a push finds the vertices of the frontier. "none": a thread for each vertex of the graph
        tests it. "global": a queue, to which the push that discovers a vertex appends it. "block":
        the same, but each block first collects a queue in shared memory. By default they are read
        from the bitmap, or, with a balance, from a queue made of the bitmap.
    small : {"block"}, optional
        With "block", one block does all rounds with a small frontier in one launch, by pushes. The
        other fields apply to the other rounds.
    layout : {"aligned", "segmented"}, optional
        How the matrix lies in memory; the layout is made once for each matrix. "aligned"
        interleaves 32 rows, so that neighbouring threads read neighbouring entries; each row takes
        as much memory as the longest of the 32. "segmented", for the direction "edge", groups edges
        by the cache-sized segments of the vector that they use, and stores each edge of a symmetric
        matrix once.

    Raises
    ------
    InvalidValue
        A field has an unknown value, or two fields exclude each other. The message names them.

    Notes
    -----
    Which fields exclude each other:

    - "edge" has no balance, frontier or small;
    - "pull" has no bucket, queue or small;
    - "aligned" is for pulls with one thread a row, and any frontier of the pushes between them;
    - "bucket" and "search" exclude the frontier "none";
    - the loop "device" and the order "delta" allow the balances thread, warp and search only;
    - the order "heap" allows a width only.

    All of these ways fold atomically, so each runs with every semiring that a product or a closure
    allows. Only an order needs a law.

    The order "delta" needs a ⊗ that never improves on its left operand, and the loop "device". The
    planner chooses it if this law holds, neither direction nor balance is fixed, the rounds are not
    bounded or asked for, and either the weights are read or the graph is deep with short rows, such
    as a road network. The rows of a matrix x₀ advance together, by rounds, with every schedule.

    Sums of integers should not wrap around. Rounds may meet a sum that wraps, on a path that is not
    the best or from an entry of x₀ at the end of its type, and then find another fixpoint or none,
    where delta does not go. Leave entries that are infinite out of x₀.

    In a table of distances (`lg.distance_matrix`, `lg.iter_distances`) "rounds" counts edges for
    all sources together, with a bit for each source, and computes lengths one search after another.
    "delta" gives each source to a block. "heap" gives each source to a warp with its own heap, and
    advances the best entry and up to 31 entries within a width of it. A schedule with other fields
    than an order and a width applies to single searches, one after another.

    With balance "search" a push shares the edges of the frontier, found by binary search, and a
    pull those of the whole matrix, found by marks; within a closure on the device a warp reads each
    row instead. The frontier "global" needs a frontier that is what a product found, as with `any`
    for ⊕; otherwise the queue is made of the bitmap. Without a balance a thread reads each row; the
    frontier "none" has that only, in a pull too.

    The CPU backend has the order "rounds", the loop "host", and the directions push and pull. It
    checks the other fields and then ignores them.

    Sources: "edge": Hwu, Kirk, El Hajj: Programming massively parallel processors, 2022. "search":
    Mastrostefano, Bernaschi: Efficient breadth first search on multi-GPU systems, 2013. "bucket":
    Merrill, Garland, Grimshaw: Scalable GPU graph traversal, PPoPP 2012. "none": Harish, Narayanan:
    Accelerating large graph algorithms on the GPU using CUDA, HiPC 2007. "block": Luo, Wong, Hwu:
    An effective GPU implementation of breadth-first search, DAC 2010. "heap": Crosetto: CUPQ, 2019.

    Examples
    --------
    >>> Schedule(direction="push", balance="warp")
    Schedule(direction='push', balance='warp')
    """

    direction: Literal["push", "pull", "hybrid", "edge"] | None = None
    balance: Literal["thread", "warp", "search", "bucket"] | None = None
    loop: Literal["host", "device"] | None = None
    order: Literal["rounds", "delta", "heap"] | None = None
    width: float | None = None
    frontier: Literal["none", "global", "block"] | None = None
    small: Literal["block"] | None = None
    layout: Literal["aligned", "segmented"] | None = None

    def __repr__(self) -> str:
        given = (f"{name}={value!r}" for name, value in self._held() if value is not None)
        return f"Schedule({', '.join(given)})"

    def _repr_html_(self) -> str:
        rows = [
            (name, "the planner chooses" if value is None else value)
            for name, value in self._held()
        ]
        return f"<div><p><b>Schedule</b></p>{html_table(('field', 'value'), rows)}</div>"

    def _held(self) -> list[tuple[str, Any]]:
        return [(field.name, getattr(self, field.name)) for field in fields(self)]

    def __post_init__(self) -> None:
        for field, allowed in FIELDS.items():
            value = getattr(self, field)
            if value is not None and not (isinstance(value, str) and value in allowed):
                raise InvalidValue(
                    f"expected {field} to be one of {', '.join(allowed)} or None, "
                    f"got {brief(value)}"
                )
        if self.width is not None:
            if not _is_width(self.width):
                raise InvalidValue(
                    "expected width to be a number greater than 0 that a float can hold, or None, "
                    f"got {brief(self.width)}"
                )
            if self.order not in ("delta", "heap"):
                raise InvalidValue(
                    f"expected order='delta' or 'heap' beside a width, got {self.order!r}"
                )
        if self.order == "delta" and (self.direction == "pull" or self.loop == "host"):
            raise InvalidValue(
                "expected order='delta' to push in the device's loop, got "
                f"direction={self.direction!r} and loop={self.loop!r}"
            )
        if self.layout == "segmented" and self.direction != "edge":
            raise InvalidValue(
                "expected direction='edge' beside layout='segmented', which is an order of edges, "
                f"got {self.direction!r}"
            )
        for field, value, other, allowed in EXCLUSIONS:
            beside = getattr(self, other)
            if getattr(self, field) == value and beside not in (None, *allowed):
                fitting = " or ".join([*map(repr, allowed), "None"])
                raise InvalidValue(
                    f"expected {other} to be {fitting} beside {field}={value!r}, got {beside!r}"
                )

    @cached_property
    def single(self) -> bool:
        """True if the schedule asks for what only the kernels for single products have."""
        kernels = self.balance, self.frontier, self.small, self.layout
        return self.direction == "edge" or kernels != (None, None, None, None)

    @property
    def one_search(self) -> bool:
        """True if the schedule asks for what only a single search has, and no table of many."""
        return self.single or self.direction is not None or self.loop is not None


def _is_width(value: object) -> bool:
    """True for a number greater than 0 that a float can hold.

    Infinity means that all entries are near.
    """
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and float(value) > 0
    except (OverflowError, TypeError):  # the latter of a duration that is none
        return False


EXCLUSIONS = [
    ("direction", "edge", "balance", ()),
    ("direction", "edge", "frontier", ()),
    ("direction", "edge", "small", ()),
    ("direction", "edge", "layout", ("segmented",)),
    ("direction", "push", "layout", ()),
    ("direction", "pull", "balance", ("thread", "warp", "search")),
    ("direction", "pull", "frontier", ("none",)),
    ("direction", "pull", "small", ()),
    *(("order", "heap", other, ()) for other in
      ("direction", "balance", "loop", "frontier", "small", "layout")),
    ("layout", "aligned", "balance", ("thread",)),
    ("frontier", "none", "balance", ("thread",)),
    *(
        (*of_the_device, other, allowed)
        for of_the_device in (("loop", "device"), ("order", "delta"))
        for other, allowed in (
            ("direction", ("push", "pull", "hybrid")), ("balance", ("thread", "warp", "search")),
            ("frontier", ()), ("small", ()), ("layout", ()),
        )
    ),
]  # fmt: skip
"""Pairs of fields that restrict each other: with this value of the first field, the second must
have one of these values, or be None."""
