"""Reports of long calls while they run: their progress, and a log.

`progress` shows how far algorithms are. The log is Python's, under the name "lagraph_gpu"; without
a handler of the caller's it is silent. It names the code that is compiled, the copies of a graph
that are prepared, and the data that is copied from one backend to another.
"""

from __future__ import annotations

import importlib
import inspect
import logging
import re
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from lagraph_gpu.errors import WrongType, brief, spelt_fields

LOG = logging.getLogger("lagraph_gpu")
LOG.addHandler(logging.NullHandler())

ProgressCallback = Callable[[str, int, int | None], Any]
"""Takes the name of an algorithm, how many steps are done, and of how many, if that is known."""

StepCallback = Callable[[int, Any], Any]
"""Takes how many steps of one call are done, and of how many: a number, or None."""

SECONDS_BETWEEN_STEPS = 0.1
"""Seconds between two reports of a call, and before the first."""


@dataclass
class Shown:
    """What this process shows at this time."""

    by: Callable[[str], ProgressCallback] | None = None
    """Makes the function that shows a call with this name; None if nothing is shown."""
    calls: int = 0
    """How many calls are shown. While it is 0, statements report nothing."""
    in_lines: bool = True
    """Whether this process writes lines: of several that run the same program the first does."""


SHOWN = Shown()


@spelt_fields
class progress:
    """Show how far algorithms are while they run, from here on or for a block.

    Parameters
    ----------
    show : bool or function, optional
        True shows a line on stderr: a bar of tqdm if that is installed, else a line of text.
        False shows nothing. A function is called with the name of the algorithm, the number of
        steps done, and the total number of steps or None. It is called in the thread of
        the algorithm, at most ten times a second.

    Raises
    ------
    WrongType
        `show` is neither.

    Notes
    -----
    A step is a statement, or a search where an algorithm searches from many vertices. In a compiled
    loop of the CPU it is a vertex, and in `lg.read` a mebibyte of the file. A search that runs as
    one kernel on a GPU is one step. Of algorithms that call others only the outer one is shown. The
    choice holds for all threads. Of the processes of a cluster the first writes the line.

    For one call alone, every function of a graph takes `progress=`: True, False, or a function of
    (done, total).

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.grid(30, 30, backend="cpu")
    >>> with lg.progress(lambda name, done, total: None):
    ...     rank = lg.pagerank(G)
    """

    def __init__(self, show: bool | ProgressCallback = True) -> None:
        expect_shown(show, "a function of a name and two numbers", 3)
        self._before = SHOWN.by
        if isinstance(show, bool):
            SHOWN.by = Line if show else None
        else:
            SHOWN.by = lambda name: show

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        SHOWN.by = self._before

    def __repr__(self) -> str:
        return f"progress: {'not shown' if SHOWN.by is None else 'shown'}"


def expect_shown(show: Any, function: str, count: int) -> None:
    """Check what says how a call is shown: a truth value, or a function of so many arguments."""
    if not isinstance(show, bool) and not (callable(show) and takes(show, count)):
        raise WrongType(f"expected True, False or {function} as progress, got {brief(show)}")


def takes(function: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with so many arguments, as far as Python can tell."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # some functions in C have no signature
        return True
    return True


_counting = threading.Lock()


class Call:
    """An algorithm that runs, and its progress."""

    def __init__(self, name: str, callback: ProgressCallback) -> None:
        self._name, self._callback, self._last = name, callback, time.monotonic()
        self._done = 0
        self._total: int | None = None

    def step(self, done: int | None = None, total: int | None = None) -> None:
        """Count one statement; or set the steps done and their total, and count no statements."""
        if done is None:
            if self._total is not None:
                return
            done = self._done + 1
        self._done, self._total = done, total
        now = time.monotonic()
        if now - self._last >= SECONDS_BETWEEN_STEPS:
            self._last = now
            self._callback(self._name, self._done, self._total)


_running: ContextVar[Call | None] = ContextVar("running", default=None)


@contextmanager
def call(name: str, show: bool | StepCallback | None = None) -> Iterator[None]:
    """A block in which an algorithm runs whose steps are shown, unless it is part of another.

    `show` says how for this call alone; with None it is shown as `progress` says.
    """
    callback = callback_for(name, show)
    if callback is None or _running.get() is not None:
        yield
        return
    token = _running.set(Call(name, callback))
    with _counting:
        SHOWN.calls += 1
    try:
        yield
    finally:
        with _counting:
            SHOWN.calls -= 1
        _running.reset(token)
        if isinstance(callback, Line):
            callback.close()


AFTER_PARAMETERS = re.compile(r"(?=\n\n    (?:Returns|Raises|Notes|Examples)\n    -)")
PROGRESS = """
    progress : bool or function, optional
        Whether to show the progress of this call, or a function that is called with (done, total).
        By default as `lg.progress` says for all calls."""
"""What `add_progress` adds to a docstring, and where."""


def add_progress(checked: Any, function: Callable[..., Any]) -> None:
    """Add `progress` to what Python says of a function: its signature, and the end of the section
    Parameters in its docstring."""
    own = inspect.signature(function)
    kind = "bool | Callable[[int, Any], Any] | None"
    more = inspect.Parameter(
        "progress", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind
    )
    checked.__signature__ = own.replace(parameters=[*own.parameters.values(), more])
    if checked.__doc__ is not None:  # as with python -OO
        checked.__doc__ = AFTER_PARAMETERS.sub(PROGRESS, checked.__doc__, count=1)


def callback_for(name: str, show: bool | StepCallback | None) -> ProgressCallback | None:
    """The function that shows a call with this name; None if it is not shown."""
    if show is None:
        return None if SHOWN.by is None else SHOWN.by(name)
    expect_shown(show, "a function of two numbers", 2)
    if isinstance(show, bool):
        return Line(name) if show else lambda name, done, total: None
    return lambda name, done, total: show(done, total)


def step(done: int | None = None, total: int | None = None) -> None:
    """A step of the algorithm that runs in this context is done; see `Call.step`."""
    if (running := _running.get()) is not None:
        running.step(done, total)


def steps_of(name: str, show: bool | StepCallback | None) -> StepCallback | None:
    """What an algorithm calls that counts its steps itself: for its argument `progress`."""
    if show is None:
        return None
    expect_shown(show, "a function of two numbers", 2)
    if not isinstance(show, bool):
        return show
    line = Line(name)
    shown = Call(name, line)

    def step_of_one(done: int, total: int | None) -> None:
        if show:
            shown.step(done, total)
        if done == total:
            line.close()

    return step_of_one


def reports() -> Callable[[int, int], None] | None:
    """A function that takes the steps done and their total; None if no progress is shown."""
    return step if _running.get() is not None else None


class Line:
    """A line on stderr, by tqdm if it is installed."""

    def __init__(self, name: str) -> None:
        self._begun, self._written = time.monotonic(), 0
        self._bar: Any = None
        self._new: Any = None
        with suppress(ImportError), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a notebook has no widgets
            self._new = importlib.import_module("tqdm.auto").tqdm

    def __call__(self, name: str, done: int, total: int | None) -> None:
        if not SHOWN.in_lines:
            return
        if self._new is None:
            of = "" if total is None else f" of {total:,}"
            line = f"{name}: {done:,}{of} steps, {time.monotonic() - self._begun:.0f} s"
            sys.stderr.write("\r" + line.ljust(self._written))
            sys.stderr.flush()
            self._written = len(line)
            return
        if self._bar is None:
            options: Any = {"desc": name, "unit": " steps", "leave": False, "total": total}
            try:
                self._bar = self._new(**options, mininterval=0)  # we report seldom enough
            except ImportError:  # a notebook without widgets: text does
                self._bar = importlib.import_module("tqdm").tqdm(**options, mininterval=0)
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        if self._written:
            sys.stderr.write("\r" + " " * self._written + "\r")
            sys.stderr.flush()
