"""A record of the steps of a traversal.

>>> import lagraph_gpu as lg
>>> G = lg.Graph.from_edges([0, 1], [1, 2], n=3, backend="cpu")
>>> with lg.trace() as steps:
...     level, parent = lg.bfs(G, 0)
>>> [(s.frontier, s.edges) for s in steps]
[(1, 1), (1, 1), (1, 0)]

Outside the block nothing is recorded, and it costs nothing. `lg.explain()` records more: see
`lagraph_gpu.planning.explain`. The listeners belong to the context (`contextvars`): another thread
is not recorded, an asyncio task that starts within the block is. Blocks may be nested; each records
everything that happens in it.
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
    """One product: its direction, the entries of the frontier, and the edges that leave it.

    Parameters
    ----------
    direction : {"push", "pull", "edge"}
        The direction.
    frontier : int
        The number of entries of the frontier.
    edges : int
        The number of edges that leave the frontier.
    clock : int, optional
        The cycle of the device at which it began (ns after a core), if one kernel did several
        steps.
    looked : int, optional
        A lower bound on the edges that were looked at. In a push, the edges that leave the
        frontier. In a pull, all edges of the matrix; or one for each entry found, if a row may end
        early or a mask leaves rows out.
    bytes : int, optional
        A lower bound on the bytes that were read and written: see `Traffic`.
    cycles : int, optional
        The time by the clock of the device, if one kernel did several steps.
    microseconds : float, optional
        The time; None if the device cannot measure it, such as the emulator of the tests.

    Notes
    -----
    The fields after `clock` are known within `lg.explain()` only, and None otherwise.
    """

    direction: str
    frontier: int
    edges: int
    clock: int = 0
    looked: int | None = None
    bytes: int | None = None
    cycles: int | None = None
    microseconds: float | None = None


@dataclass(frozen=True)
class Traffic:
    """The bytes that a step must move for each thing it touches: a lower bound, not a measurement.

    Parameters
    ----------
    entry : int
        The bytes of an edge: the id of a neighbour, and the value of the matrix if ⊗ reads it.
    source : int
        The bytes of an entry of the frontier: the offset of its row, and its value if ⊗ reads it.
    target : int
        The bytes of a value of the result.

    Notes
    -----
    bytes = looked · entry + frontier · source + found · target. Not counted are what is read twice,
    bitmaps, masks, queues, and bytes that are fetched beside those asked for.

    Examples
    --------
    >>> Traffic(entry=4, source=4, target=8).of(looked=100, frontier=10, found=5)
    480
    """

    entry: int
    source: int
    target: int

    def of(self, looked: int, frontier: int, found: int) -> int:
        """The bytes of a step.

        Parameters
        ----------
        looked : int
            The number of edges that were looked at.
        frontier : int
            The number of entries of the frontier.
        found : int
            The number of entries of the result.

        Returns
        -------
        int
            A lower bound, in bytes.
        """
        return looked * self.entry + frontier * self.source + found * self.target


def traffic_of_products(
    semiring: Semiring, x: np.dtype, values: np.dtype | None, z: np.dtype, index: int, offset: int
) -> Traffic:
    """The traffic of products of a vector of type x.

    `values` is None if one value stands for all entries.
    """
    weight = 0 if values is None or not semiring.reads_right else values.itemsize
    return Traffic(index + weight, offset + (x.itemsize if semiring.reads_left else 0), z.itemsize)


@dataclass
class Choice:
    """One choice of the planner: what it is for, what was chosen, and why.

    Parameters
    ----------
    what : str
        The operation, with its semiring.
    chosen : str
        What was chosen.
    because : str
        The reason, with figures.
    laws : tuple of str, optional
        The facts of the semiring on which the choice rests.
    facts : dict, optional
        The figures on which the choice rests.
    steps : list of Step, optional
        The products that were carried out.
    cycles, microseconds : number, optional
        The time of the whole, with the work before and after the steps; None if it is not known.
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
    """A block that records steps or, if `explains`, choices with measured steps."""

    explains: bool
    steps: list[Step] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)

    def add(self, step: Step) -> None:
        if not self.explains:
            self.steps.append(step)
        elif self.choices:
            self.choices[-1].steps.append(step)


_listeners: ContextVar[tuple[Listener, ...]] = ContextVar("lagraph_gpu_trace", default=())
_explaining: ContextVar[bool] = ContextVar("lagraph_gpu_explaining", default=False)
_tracing: ContextVar[bool] = ContextVar("lagraph_gpu_tracing", default=False)


@contextmanager
def listening(explains: bool) -> Iterator[Listener]:
    """Register a listener for the block."""
    listener, kind = Listener(explains), _explaining if explains else _tracing
    listeners, before = _listeners.set((*_listeners.get(), listener)), kind.set(True)
    try:
        yield listener
    finally:
        kind.reset(before)
        _listeners.reset(listeners)


@contextmanager
def unrecorded() -> Iterator[None]:
    """A block whose choices and steps are not recorded."""
    listeners, before = _listeners.set(()), _explaining.set(False)
    try:
        yield
    finally:
        _explaining.reset(before)
        _listeners.reset(listeners)


@contextmanager
def trace() -> Iterator[list[Step]]:
    """Record one Step for each product of a vector and a matrix within the block.

    Returns
    -------
    context manager that yields list of Step
        The steps, in order.
    """
    with listening(explains=False) as listener:
        yield listener.steps


# --- for backends --------------------------------------------------------------------------------


recording = _listeners.get
"""The listeners: not empty if a block records. Every product asks, so it is no Python function."""

tracing = _tracing.get
"""True if a block asks for the steps themselves, whatever the planner would choose without it."""

explaining = _explaining.get
"""True if a block asks for choices and measured steps."""


def asks_for_rounds() -> bool:
    """Whether somebody wants to know of each round, so that no loop may do all of them at once."""
    return bool(recording()) or explaining()


def record_step(direction: str, frontier: int, edges: int, clock: int = 0, **measured: Any) -> None:
    """Record a step. A backend calls this once for each product; `measured` are the other fields of
    a Step."""
    for listener in _listeners.get():
        listener.add(Step(direction, frontier, edges, clock, **measured))


def record_choice(
    what: str, chosen: str, reason: str, facts: Any = None, laws: tuple[str, ...] = (), **more: Any
) -> None:
    """Record a choice. A backend calls this after each choice within `lg.explain()`.

    `reason` has names in braces of `facts` (a record of the planner) and of `more`.
    """
    figures = {} if facts is None else asdict(facts)
    figures |= more
    shown = {name: _shown(value) for name, value in figures.items()}
    for listener in _listeners.get():
        if listener.explains:
            because = reason.format(**shown)
            listener.choices.append(Choice(what, chosen, because, laws, dict(figures)))


def add_reason(why: str) -> None:
    """Add a reason to the last choice, within `lg.explain()`."""
    for listener in _listeners.get():
        if listener.explains and listener.choices:
            choice = listener.choices[-1]
            choice.because = f"{choice.because}; {why}"


def record_time(microseconds: float | None, cycles: int | None = None) -> None:
    """Record the time of all that was chosen last."""
    for listener in _listeners.get():
        if listener.explains and listener.choices:
            choice = listener.choices[-1]
            choice.microseconds, choice.cycles = microseconds, cycles


def laws_of(semiring: Semiring, dtype: Any) -> tuple[str, ...]:
    """The facts of a semiring on which schedules rest, by their names in `semirings`.

    `dtype` is the type of the products.

    >>> from semirings import min_plus
    >>> laws_of(min_plus, "FP32")
    ('idempotent', 'selective', 'ordered y >= 0', 'reads the matrix')
    """
    laws = [law for law in ("idempotent", "selective") if getattr(semiring, law)]
    if semiring.monoid.ends_early(dtype):
        laws.append("any ends early" if semiring.monoid.is_any else "ends early")
    if semiring.ordered is not None:
        laws.append(
            "ordered always" if semiring.ordered == "always" else f"ordered {semiring.ordered}"
        )
    laws.append("reads the matrix" if semiring.reads_right else "does not read the matrix")
    return tuple(laws)


def _shown(figure: Any) -> str:
    if figure is None:
        return "not counted"
    if isinstance(figure, float):
        return f"{figure:.3g}"
    return str(figure) if isinstance(figure, (bool, str)) else f"{figure:,}"
