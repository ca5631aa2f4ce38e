"""A record of what a traversal did, for those who ask.

>>> import lagraph_gpu as lg
>>> G = lg.Graph.from_edges([0, 1], [1, 2], n=3, backend="cpu")
>>> with lg.trace() as steps:
...     level, parent = lg.bfs(G, 0)
>>> [(s.frontier, s.edges) for s in steps]
[(1, 1), (1, 1), (1, 0)]

Outside such a block nothing is recorded and nothing is spent. ``lg.explain()`` tells more: see
``lagraph_gpu.planning.explain``. Whoever listens is known to the context (``contextvars``): another
thread is not heard, a task of asyncio that starts within the block is. Of blocks within each other,
each hears all that happens in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from semirings.algebra import Semiring


@dataclass(frozen=True)
class Step:
    """One product: the direction, the frontier's entries, the edges that leave it.

    What follows ``clock`` is known within ``lg.explain()`` only, and None elsewhere.
    """

    direction: str
    frontier: int
    edges: int
    clock: int = 0
    """Cycles of the device when it began (ns after a core), where a single kernel did several."""
    looked: int | None = None
    """Edges looked at, at least. In a push, those that leave the frontier. In a pull, all of the
    matrix; but where a row may end early, or a mask leaves rows out, one for each entry found."""
    bytes: int | None = None
    """What the data asks to be read and written, at least: see ``Cost``."""
    cycles: int | None = None
    """How long it took on the device's clock, where a single kernel did several."""
    microseconds: float | None = None
    """How long it took; None where the device cannot tell, as the tests' emulator."""


@dataclass(frozen=True)
class Cost:
    """Bytes that a step must move for each thing it touches: a bound from below, not a measurement.

    bytes = looked · entry + frontier · source + found · target, where an ``entry`` is the id of a
    neighbour, and the matrix' value if ⊗ reads it; a ``source`` the place where a row begins, and
    the vector's value if ⊗ reads it; a ``target`` a value of the result. What is read twice,
    bitmaps, masks, queues, and what is fetched beside the bytes asked for, come on top.

    >>> Cost(entry=4, source=4, target=8).of(looked=100, frontier=10, found=5)
    480
    """

    entry: int
    source: int
    target: int

    def of(self, looked: int, frontier: int, found: int) -> int:
        """The bytes of a step."""
        return looked * self.entry + frontier * self.source + found * self.target


def cost(
    ring: Semiring, x: np.dtype, values: np.dtype | None, z: np.dtype, index: int, offset: int
) -> Cost:
    """The cost of products of a vector of type x; ``values`` is None where there is one for all."""
    weight = 0 if values is None or not ring.reads_right else values.itemsize
    return Cost(index + weight, offset + (x.itemsize if ring.reads_left else 0), z.itemsize)


@dataclass
class Choice:
    """One choice of the planner: for what, what was chosen, and because of what.

    ``laws`` are the facts of the semiring that choices rest on, ``facts`` the figures, as a dict.
    ``steps`` are the products that were done as it says. ``cycles`` and ``microseconds`` are those
    of the whole, with what is before and after the steps; None where nobody can tell.
    """

    what: str
    chosen: str
    because: str
    laws: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    cycles: int | None = None
    microseconds: float | None = None


@dataclass(eq=False)
class Listener:
    """Somebody who asked for steps; or, if ``explains``, for choices with measured steps."""

    explains: bool
    steps: list[Step] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)

    def hear(self, step: Step) -> None:
        if not self.explains:
            self.steps.append(step)
        elif self.choices:
            self.choices[-1].steps.append(step)


_listeners: ContextVar[tuple[Listener, ...]] = ContextVar("lagraph_gpu_trace", default=())


@contextmanager
def listening(explains: bool) -> Iterator[Listener]:
    """Somebody listens within the block."""
    listener = Listener(explains)
    token = _listeners.set((*_listeners.get(), listener))
    try:
        yield listener
    finally:
        _listeners.reset(token)


@contextmanager
def trace() -> Iterator[list[Step]]:
    """Collect one Step for each product of a vector and a matrix within the block."""
    with listening(explains=False) as listener:
        yield listener.steps


# --- for backends --------------------------------------------------------------------------------


def recording() -> bool:
    """Does anybody listen?"""
    return bool(_listeners.get())


def tracing() -> bool:
    """Does anybody want the steps themselves, whatever the planner would have chosen?"""
    return recording() and any(not listener.explains for listener in _listeners.get())


def explaining() -> bool:
    """Does anybody want choices, and steps measured?"""
    return recording() and any(listener.explains for listener in _listeners.get())


def record(direction: str, frontier: int, edges: int, clock: int = 0, **measured: Any) -> None:
    """Called by a backend once for each product; ``measured`` are the other fields of a Step."""
    for listener in _listeners.get():
        listener.hear(Step(direction, frontier, edges, clock, **measured))


def tell(
    what: str, chosen: str, law: str, facts: Any = None, laws: tuple[str, ...] = (), **more: Any
) -> None:
    """Called by a backend where it has chosen, if somebody is ``explaining``. ``law`` says why,
    with names of ``facts`` (a record of the planner) and of ``more`` in braces."""
    figures = {} if facts is None else asdict(facts)
    figures |= more
    shown = {name: _shown(value) for name, value in figures.items()}
    for listener in _listeners.get():
        if listener.explains:
            because = law.format(**shown)
            listener.choices.append(Choice(what, chosen, because, laws, dict(figures)))


def tell_more(why: str) -> None:
    """Adds to what was told last, where somebody is ``explaining``."""
    for listener in _listeners.get():
        if listener.explains and listener.choices:
            choice = listener.choices[-1]
            choice.because = f"{choice.because}; {why}"


def took(microseconds: float | None, cycles: int | None = None) -> None:
    """How long all took that was chosen last."""
    for listener in _listeners.get():
        if listener.explains and listener.choices:
            choice = listener.choices[-1]
            choice.microseconds, choice.cycles = microseconds, cycles


def laws_of(ring: Semiring, dtype: Any) -> tuple[str, ...]:
    """The facts of a semiring on which schedules rest, by the names that ``semirings`` gives them;
    ``dtype`` is that of its products.

    >>> from semirings import min_plus
    >>> laws_of(min_plus, "FP32")
    ('idempotent', 'selective', 'ordered y >= 0', 'reads the matrix')
    """
    laws = [law for law in ("idempotent", "selective") if getattr(ring, law)]
    if ring.monoid.ends_early(dtype):
        laws.append("any ends early" if ring.monoid.is_any else "ends early")
    if ring.ordered is not None:
        laws.append("ordered always" if ring.ordered == "always" else f"ordered {ring.ordered}")
    laws.append("reads the matrix" if ring.reads_right else "does not read the matrix")
    return tuple(laws)


def _shown(figure: Any) -> str:
    if figure is None:
        return "not counted"
    if isinstance(figure, float):
        return f"{figure:.3g}"
    return str(figure) if isinstance(figure, (bool, str)) else f"{figure:,}"
