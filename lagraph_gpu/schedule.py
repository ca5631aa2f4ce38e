"""How a traversal is carried out, given beside an algorithm and never inside it.

A schedule may change the time, never the answer (for the monoid ``any``: the set of right answers).
Fields left at None are chosen by the planner (``lagraph_gpu.plan``).
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

from lagraph_gpu.errors import InvalidValue

DIRECTIONS = ("push", "pull", "hybrid")
LOOPS = ("host", "device")
ORDERS = ("rounds", "delta")
BALANCES = ("thread", "warp", "search")


@dataclass(frozen=True)
class Schedule:
    """direction: "push" scatters along the out-edges of the frontier, "pull" lets each wanted
    vertex gather over its in-edges, "hybrid" (and None) chooses anew for each product.

    balance: who walks a row: one "thread", one "warp", or "search", where edges are shared out
    evenly and each thread finds which row its own are in: in a push those of the frontier, by
    binary search, in a pull all of the matrix, by marks (within a closure on the device a warp
    walks each row instead). The CPU backend has its own balance and ignores the field.

    loop: where the rounds of a closure are counted: on the "host", a statement at a time, or on the
    "device", all of them in one kernel whose blocks wait for each other (and None, but where a
    balance is given). The CPU backend has only the host, and ignores the field.

    order: which entries of a closure go on first: all that changed, in "rounds", or by "delta"
    those that are within a width of the best, for then few go on more than once. That needs a ⊗
    that never improves on its left operand, and the device's loop. None: by delta where the law
    holds, nothing else is fixed, and weights are read. The CPU backend has only rounds; it refuses
    what the algebra does not allow, and ignores the field otherwise.

    width: how far beyond the best an entry may lie, in the unit of the weights (None: from their
    mean and the mean degree); greater than 0, and only by delta.

    >>> Schedule(direction="push", balance="warp")
    Schedule(direction='push', balance='warp', loop=None, order=None, width=None)
    """

    direction: str | None = None
    balance: str | None = None
    loop: str | None = None
    order: str | None = None
    width: float | None = None

    def __post_init__(self) -> None:
        fields = {"direction": DIRECTIONS, "balance": BALANCES, "loop": LOOPS, "order": ORDERS}
        for field, allowed in fields.items():
            value = getattr(self, field)
            if value is not None and value not in allowed:
                raise InvalidValue(
                    f"expected {field} to be one of {', '.join(allowed)} or None, got {value!r}"
                )
        if self.width is not None:
            if (
                isinstance(self.width, bool)
                or not isinstance(self.width, Real)
                or not self.width > 0
            ):
                raise InvalidValue(
                    f"expected width to be a number greater than 0 or None, got {self.width!r}"
                )
            if self.order != "delta":
                raise InvalidValue(f"expected order='delta' beside a width, got {self.order!r}")
        if self.order == "delta" and (self.direction == "pull" or self.loop == "host"):
            raise InvalidValue(
                "expected order='delta' to push in the device's loop, got "
                f"direction={self.direction!r} and loop={self.loop!r}"
            )
