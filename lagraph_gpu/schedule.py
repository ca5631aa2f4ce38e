"""How a traversal is carried out, given beside an algorithm and never inside it.

A schedule may change the time, never the answer (for the monoid ``any``: the set of right answers).
Fields left at None are chosen by the planner (``lagraph_gpu.plan``).
"""

from __future__ import annotations

from dataclasses import dataclass

from lagraph_gpu.errors import InvalidValue

DIRECTIONS = ("push", "pull", "hybrid")
LOOPS = ("host", "device")
BALANCES = ("thread", "warp", "search")


@dataclass(frozen=True)
class Schedule:
    """direction: "push" scatters along the out-edges of the frontier, "pull" lets each wanted
    vertex gather over its in-edges, "hybrid" (and None) chooses anew for each product.

    balance: who walks a row: one "thread", one "warp", or "search", where the edges of the
    frontier are numbered and each thread finds its own by binary search (push only; a pull takes a
    warp for each row then). The CPU backend has its own balance and ignores the field.

    loop: where the rounds of a closure are counted: on the "host", a statement at a time, or on the
    "device", all of them in one kernel whose blocks wait for each other (None: on the host, until
    the kernel has been measured). The CPU backend has only the host, and ignores the field.

    >>> Schedule(direction="push", balance="warp")
    Schedule(direction='push', balance='warp', loop=None)
    """

    direction: str | None = None
    balance: str | None = None
    loop: str | None = None

    def __post_init__(self) -> None:
        fields = (("direction", DIRECTIONS), ("balance", BALANCES), ("loop", LOOPS))
        for field, allowed in fields:
            value = getattr(self, field)
            if value is not None and value not in allowed:
                raise InvalidValue(
                    f"expected {field} to be one of {', '.join(allowed)} or None, got {value!r}"
                )
