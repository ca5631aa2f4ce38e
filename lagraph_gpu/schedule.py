"""How a traversal is carried out, given beside an algorithm and never inside it.

A schedule may change the time, never the answer (for the monoid ``any``: the set of right answers).
Fields left at None are chosen by the planner (``lagraph_gpu.planning.direction``). The classical
ways to search a graph on a GPU are all here, so that they can be compared: docs/explanation tells
them as a story.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

from lagraph_gpu.errors import InvalidValue

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


@dataclass(frozen=True)
class Schedule:
    """direction: "push" scatters along the out-edges of the frontier, "pull" lets each wanted
    vertex gather over its in-edges, "hybrid" (and None) chooses anew for each product, "edge" gives
    every edge of the matrix a thread, which asks whether its tail is in the frontier (Hwu, Kirk, El
    Hajj: Programming massively parallel processors, 2022).

    balance: who walks a row: one "thread", one "warp", or "search", where edges are shared out
    evenly and each thread finds which row its own are in: in a push those of the frontier, by
    binary search (Mastrostefano, Bernaschi: Efficient breadth first search on multi-GPU systems,
    2013), in a pull all of the matrix, by marks (within a closure on the device a warp walks each
    row instead). "bucket" is for a push: a block, a warp or a thread, by the degree (Merrill,
    Garland, Grimshaw: Scalable GPU graph traversal, PPoPP 2012).

    frontier: how a push finds its vertices: "none", one thread for each vertex there is asks
    whether it is one (Harish, Narayanan: Accelerating large graph algorithms on the GPU using CUDA,
    HiPC 2007); "global", from a queue, to which the push that discovers a vertex appends it, where
    the frontier is what a product found, as with ``any`` for ⊕ (else the queue is made of the
    bitmap); "block", the same, but a block appends to a queue of its own in shared memory first
    (Luo, Wong, Hwu: An effective GPU implementation of breadth-first search, DAC 2010).
    None: from the bitmap; with a balance, from a queue that is made of it. A thread walks a row if
    no balance says otherwise; "none" has that only, in a pull, too.

    small: with "block", one block does all rounds whose frontier is small, in one launch, and by
    pushes; the other rounds are as the other fields say.

    layout: how the matrix lies in memory, made once for each matrix. "aligned": 32 rows are
    interleaved for the warp that pulls them, one thread a row, so that neighbouring threads read
    neighbouring entries; rows of one warp take the room of their longest. "segmented", for
    direction "edge": edges are grouped by the cache-sized segments of the vector that they touch,
    and of a symmetric matrix each is stored once and relaxed both ways.

    loop: where the rounds of a closure are counted: on the "host", a statement at a time, or on the
    "device", all of them in one kernel whose blocks wait for each other (and None, but where a
    balance or one of the fields above is given, for these are the host's).

    order: which entries of a closure go on first: all that changed, in "rounds", or by "delta"
    those that are within a width of the best, for then few go on more than once. That needs a ⊗
    that never improves on its left operand, and the device's loop. None: by delta where the law
    holds, neither direction nor balance is fixed, no rounds are bounded or asked for, and either
    weights are read or the graph is deep, with short rows, as of roads. The rows of a matrix x₀ go
    on in step, by rounds, whatever the schedule. Sums of integers should not wrap: on a path that
    is not the best, or from an entry of x₀ at the end of its type (leave out what is infinite),
    rounds may meet a sum that does, and find no fixpoint or another, where delta never goes.
    In a table from many sources
    (``lg.distance_matrix``, ``lg.iter_distances``) "rounds" counts edges for all sources in step,
    a bit for each, and takes lengths one search after another; "delta" gives each source to a
    block; and "heap", which is for tables only, gives each to a warp, with a heap of its own
    (Crosetto: CUPQ, 2019): the best entry goes on, and up to 31 within a width of it. A schedule
    that fixes more than an order and a width is for single searches, one after another.

    width: how far beyond the best an entry may lie, in the unit of the weights (None: from their
    mean and the mean degree); a float greater than 0, also infinite, and only by delta or heap.

    InvalidValue tells which fields exclude each other: an "edge" has no balance, frontier or small;
    a "pull" no bucket, queue or small; "aligned" is for pulls of a thread a row, beside whose
    pushes any frontier may stand; "bucket" and "search" know no "none"; the device's loop and the
    order by delta have only thread, warp and search; beside the heap stands a width or nothing. All
    of these fold atomically, so that any semiring that a product or a closure allows runs under
    each, but for an order, which needs its law. The CPU backend has only rounds, the host's loop,
    push and pull: it ignores the rest, after it has refused what is refused everywhere.

    >>> Schedule(direction="push", balance="warp")
    Schedule(direction='push', balance='warp')
    """

    direction: str | None = None
    balance: str | None = None
    loop: str | None = None
    order: str | None = None
    width: float | None = None
    frontier: str | None = None
    small: str | None = None
    layout: str | None = None

    def __repr__(self) -> str:
        given = (f"{name}={value!r}" for name, value in vars(self).items() if value is not None)
        return f"Schedule({', '.join(given)})"

    def __post_init__(self) -> None:
        for field, allowed in FIELDS.items():
            value = getattr(self, field)
            if value is not None and value not in allowed:
                raise InvalidValue(
                    f"expected {field} to be one of {', '.join(allowed)} or None, got {value!r}"
                )
        if self.width is not None:
            if not _is_width(self.width):
                raise InvalidValue(
                    "expected width to be a number greater than 0 that a float can hold, or None, "
                    f"got {self.width!r}"
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

    @property
    def single(self) -> bool:
        """Does it ask for what only the kernels for single products have?"""
        kernels = self.balance, self.frontier, self.small, self.layout
        return self.direction == "edge" or kernels != (None, None, None, None)

    @property
    def one_search(self) -> bool:
        """Does it ask for what only a search by itself has, and no table of many?"""
        return self.single or self.direction is not None or self.loop is not None


def _is_width(value: object) -> bool:
    """A number above 0, as a float too, which kernels take; it may be infinite: all are near."""
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and float(value) > 0
    except OverflowError:
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
"""Beside such a value of one field another may have these values, or be None."""
