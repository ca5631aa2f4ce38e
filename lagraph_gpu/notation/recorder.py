"""`Recorder`: the statements that are carried out, as text, as in python-graphblas.

Its recorder lists calls of the C library; this one lists statements in the notation of the program,
with what an aggregator or a chain of operations is made of.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar, Token
from typing import Any, Self

from lagraph_gpu.display import Shown, View, value
from lagraph_gpu.errors import InvalidValue, brief, spelt_fields
from lagraph_gpu.notation.checks import is_integer

CURRENT: ContextVar[Recorder | None] = ContextVar("lagraph_gpu_recorder", default=None)
"""The recorder that is told of each statement."""

SHOWN_POSITIONS = 4
"""So many positions in brackets are listed; of more their number is."""

SIGNS = {"add": "|", "union": "|", "mult": "&"}


@spelt_fields
class Recorder(Shown):
    """A list of the statements that are carried out while it records.

    Parameters
    ----------
    start : bool, optional
        Whether it begins at once. Otherwise it begins with `start()`, or as a context manager.
    max_rows : int, optional
        How many statements are shown when it is printed; None for all.

    Raises
    ------
    InvalidValue
        `max_rows` is negative or no number.

    Notes
    -----
    One recorder records at a time, the one that began last. It belongs to the context, as
    `lg.trace` does: another thread is not recorded. `data` is the list of statements, as strings. A
    container without a name is called `v`, `A` or `s`.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> with lg.backend("cpu"):
    ...     A = lg.Matrix.from_coo([0, 1], [1, 0], [5, 6], name="A")
    ...     w = lg.Vector(int, 2, name="w")
    ...     with lg.Recorder() as recorder:
    ...         w(accum="plus") << A.reduce_rowwise("max")
    ...         C = A.mxm(A, "min_plus").new(name="C")
    >>> recorder.data
    ['w(plus) << A.reduce_rowwise(max)', 'C << min_plus(A @ A)']
    """

    def __init__(self, *, start: bool = True, max_rows: int | None = 20) -> None:
        if max_rows is not None and (not is_integer(max_rows) or max_rows < 0):
            raise InvalidValue(f"expected max_rows of at least 0, or None, got {brief(max_rows)}")
        self.data: list[str] = []
        self.max_rows = max_rows
        self._token: Token[Recorder | None] | None = None
        if start:
            self.start()

    @property
    def is_recording(self) -> bool:
        """Whether statements are recorded by this recorder now."""
        return CURRENT.get() is self

    def start(self) -> None:
        """Begin, or go on. A recorder that was recording waits until this one stops."""
        if self._token is None:
            self._token = CURRENT.set(self)

    def stop(self) -> None:
        """Stop. What was recorded stays."""
        if self._token is not None:
            CURRENT.reset(self._token)
            self._token = None

    def clear(self) -> None:
        """Forget what was recorded."""
        self.data.clear()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self.stop()

    def __iter__(self) -> Iterator[str]:
        return iter(list(self.data))

    def __len__(self) -> int:
        return len(self.data)

    def _view(self, read: bool = True, picture: bool = False) -> View:
        count = len(self.data)
        facts = [f"{'' if self.is_recording else 'not '}recording", f"{count:,} statements"]
        most = count if self.max_rows is None else self.max_rows
        lines = self.data
        if count > most:
            end = lines[count - most // 2 :] if most // 2 else []
            lines = [*lines[: most - most // 2], f"… {count - most:,} more; see max_rows", *end]
        wide = max(map(len, lines), default=0)
        return View(
            "Recorder", facts, ("statement".ljust(wide),), [(x.ljust(wide),) for x in lines]
        )


def record(recorder: Recorder, update: Any) -> None:
    """Add a statement. Nothing of it is computed for that."""
    how = [text(update.mask)] if update.mask is not None else []
    how += [update.accum.name] if update.accum is not None else []
    how += ["replace"] if update.replace else []
    into = name_of(update.out) + (f"({', '.join(how)})" if how else "")
    into += "" if update.region is None else axes(update.region)
    recorder.data.append(f"{into} << {text(update.expression)}")


def name_of(x: Any) -> str:
    """What a container is called: its name, or a letter."""
    return getattr(x, "name", None) or "svA"[len(x.shape)]


def text(x: Any) -> str:
    """An expression, a mask or a container in the notation of programs."""
    return WRITTEN.get(type(x).__name__, name_of)(x)


def mask_text(x: Any) -> str:
    return f"{'~' if x.complement else ''}{name_of(x.handle)}.{'S' if x.structure else 'V'}"


def ewise_text(x: Any) -> str:
    defaults = ""
    if x.how == "union":
        defaults = f", {value(x.left_default)}, {value(x.right_default)}"
    return f"{x.op.name}({text(x.left)} {SIGNS[x.how]} {text(x.right)}{defaults})"


def apply_text(x: Any) -> str:
    if x.bound is None:
        inner = text(x.operand)
        return inner if x.op.name == "identity" else f"{x.op.name}({inner})"
    sides = value(x.bound), text(x.operand)
    return f"{x.op.name}({', '.join(sides if x.bound_left else sides[::-1])})"


def reduce_text(x: Any) -> str:
    how = "reduce_rowwise" if x.rowwise else "reduce"
    return f"{text(x.operand)}.{how}({x.monoid.name})"


def axes(found: Any) -> str:
    """What stands in brackets: a position, some, how many there are, or a colon for all."""

    def shown(one: Any) -> str:
        if one is None or isinstance(one, int):
            return ":" if one is None else str(one)
        if len(one) == 1:
            return str(one[0])
        return str(one.tolist()) if len(one) <= SHOWN_POSITIONS else f"{len(one):,} positions"

    return f"[{', '.join(map(shown, found))}]"


WRITTEN: dict[str, Any] = {
    "Mask": mask_text,
    "Transposed": lambda x: f"{text(x.matrix)}.T",
    "Product": lambda x: f"{x.semiring.name}({text(x.left)} @ {text(x.right)})",
    "Ewise": ewise_text,
    "Apply": apply_text,
    "Select": lambda x: f"{text(x.operand)}.select({x.op.name}, {value(x.thunk)})",
    "Reduce": reduce_text,
    "Kronecker": lambda x: f"{text(x.left)}.kronecker({text(x.right)}, {x.op.name})",
    "Extract": lambda x: f"{text(x.operand)}{axes(x.axes)}",
    "OfVector": lambda x: f"{text(x.vector)} as {x.form}",
    "Diagonal": lambda x: f"{text(x.operand)}.diag({x.k})",
    "Fill": lambda x: value(x.value),
    "Selector": lambda x: f"{text(x.vector)}.selector()",
}
"""By the name of each class of expressions, how it is written."""
