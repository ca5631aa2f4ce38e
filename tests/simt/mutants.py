"""Kernels broken on purpose: does a test notice?

A ``Mutant`` is one edit of a ``.cuh`` and the test that must fail under it. ``assert_killed`` runs
the test on the edited source in a process of its own (a broken kernel may take its process with it)
and says how it was caught::

    MUTANT = Mutant("spmv/push.cuh", "i < end", "i <= end", run_push)

    def test_mutant():
        assert assert_killed(MUTANT).startswith("EmulationError: push<...>: out-of-bounds read")

The test is any function without arguments that makes its own ``EmulatedDevice``, since kernels
compiled before the edit would not have it. A mutant is an error, not a kill, if its old text is not
in the file exactly once, if the test fails without the edit, if the edited file does not compile,
or if the test never reads it.
"""

from __future__ import annotations

import functools
import os
import select
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.simt import build, emulator
from tests.simt.source import CUDA_DIR, Edit, edited

OUTCOME_BYTES = 4000
MUTANT_SECONDS = 0.5
"""Seconds of a processor for a launch of a broken kernel, which often waits for ever."""
UNSEEN = "uninitialised"
"""What g++ compiles quickly does not report a structure that a call returns as written. Where a
read of one is the error it may be none, so the mutant is compiled well, as the exercises are."""
OF_FILE = 1
"""How many mutants of a file a suite has every day at least. ``-m exhaustive`` has the others,
which break the same files in other places."""


class MutantError(Exception):
    """A mutant that proves nothing: its edit does not fit, or its test is no test of it."""


class Survived(AssertionError):
    """The test passed though the kernel was broken."""


@dataclass(frozen=True)
class Mutant:
    """In ``file`` of ``folder``, ``old`` (there once) becomes ``new``; ``test`` must fail."""

    file: str
    old: str
    new: str
    test: Callable[[], object]
    folder: Path = CUDA_DIR

    def __str__(self) -> str:
        return f"{self.file}: {self.old!r} -> {self.new!r}"


def assert_killed(mutant: Mutant, timeout: float = 60.0, passes: bool = False) -> str:
    """How ``mutant`` was caught: the error's name and first line, ``crash: …`` or ``timeout``.

    Raises ``Survived`` if it was not, ``MutantError`` if the mutant is at fault. ``timeout`` is in
    seconds. ``passes`` says that the test is known to pass without the edit; else it is run. Uses
    ``fork``.
    """
    expect_fitting(mutant)
    if not passes and (without := _outcome_unedited(mutant.test)) != "passed":
        raise MutantError(f"{mutant}: the test fails without the edit too: {without}")
    edit = functools.partial(edited, mutant.file, mutant.old, mutant.new)
    outcome = _outcome(mutant.test, edit, timeout)
    if UNSEEN in outcome:
        outcome = _outcome(mutant.test, edit, timeout, well=True)
    if outcome.startswith("CompileError"):
        raise MutantError(f"{mutant}: what is edited does not compile: {outcome}")
    if outcome == "unused":
        raise MutantError(f"{mutant}: the test passed without ever compiling the edited file")
    if outcome == "passed":
        raise Survived(f"{mutant}: the test passed though the kernel is broken")
    return outcome


def expect_fitting(mutant: Mutant) -> None:
    """Raises ``MutantError`` unless the old text is in the file, once."""
    path = mutant.folder / mutant.file
    if not path.is_file():
        raise MutantError(f"{mutant}: there is no such file")
    if (found := path.read_text().count(mutant.old)) != 1:
        raise MutantError(f"{mutant}: the old text is there {found} times, not once")


@functools.cache
def _outcome_unedited(test: Callable[[], object]) -> str:
    return _outcome(test, nullcontext, timeout=600.0)


def _outcome(test: Callable[[], object], edit: Callable, timeout: float, well: bool = False) -> str:
    """Run ``test`` in a forked process, what is edited compiled ``well`` or quickly, and say what
    became of it."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(receive)
            os.environ.pop("CI", None)  # there pytest spells out how two sets differ: a minute
            emulator.LAUNCH_SECONDS = MUTANT_SECONDS
            with build.well() if well else nullcontext():
                os.write(send, _run(test, edit).encode(errors="replace")[:OUTCOME_BYTES])
        finally:
            os._exit(0)  # no cleaning up: the parent's threads and files are not ours
    os.close(send)
    try:
        return _wait(child, receive, timeout)
    finally:
        os.close(receive)


def _run(test: Callable[[], object], edit: Callable) -> str:
    used: Edit | None = None
    try:
        with edit() as used:
            test()
    except BaseException as error:
        lines = str(error).splitlines() or [""]
        return f"{type(error).__name__}: {lines[0]}"
    return "unused" if used is not None and used.used == 0 else "passed"


def _wait(child: int, receive: int, timeout: float) -> str:
    deadline = time.monotonic() + timeout
    readable, _, _ = select.select([receive], [], [], timeout)
    text = os.read(receive, OUTCOME_BYTES).decode(errors="replace") if readable else ""
    if not readable and time.monotonic() >= deadline:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return f"timeout after {timeout:g} s"
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"crash: {signal.Signals(os.WTERMSIG(status)).name}"
    return text or f"crash: exit status {os.WEXITSTATUS(status)}"


def _spread(mutants: list[Mutant], few: int) -> list[Mutant]:
    """``few`` of the mutants, or all, evenly spread over the list."""
    few = min(few, len(mutants))
    return [mutants[(2 * k + 1) * len(mutants) // (2 * few)] for k in range(few)]


def everyday(mutants: list[Mutant]) -> set[Mutant]:
    """Mutants such that each exercise kills one, each time in the file that had the fewest until
    then, and each file has ``OF_FILE`` of them, or all."""
    chosen: dict[Mutant, None] = {}
    for test in dict.fromkeys(mutant.test for mutant in mutants):
        in_files = Counter(mutant.file for mutant in chosen)
        own = (mutant for mutant in mutants if mutant.test == test)
        chosen[min(own, key=lambda mutant: in_files[mutant.file])] = None
    for file in dict.fromkeys(mutant.file for mutant in mutants):
        of_file = [mutant for mutant in mutants if mutant.file == file]
        rest = [mutant for mutant in of_file if mutant not in chosen]
        chosen |= dict.fromkeys(_spread(rest, OF_FILE - len(of_file) + len(rest)))
    return set(chosen)


def _in_turn(mutants: Iterable[Mutant]) -> Iterator[Any]:
    """The mutants as parameters, those that are not for every day marked ``exhaustive``."""
    mutants = list(mutants)
    few = everyday(mutants)
    for mutant in mutants:
        yield pytest.param(mutant, marks=() if mutant in few else pytest.mark.exhaustive)


def suite(
    exercises: Iterable[Callable[[], None]], mutants: Iterable[Mutant]
) -> tuple[Callable[..., None], Callable[..., None]]:
    """Two tests: each exercise passes on the kernels as they are, and each mutant is killed. The
    first is why the second need not run them without the edit."""
    exercises = list(exercises)

    @pytest.mark.parametrize("exercise", exercises, ids=lambda f: f.__name__)
    def test_exercise(exercise: Callable[[], None]) -> None:
        exercise()

    @pytest.mark.parametrize("mutant", list(_in_turn(mutants)), ids=str)
    def test_mutant_is_killed(mutant: Mutant) -> None:
        assert_killed(mutant, passes=mutant.test in exercises)

    return test_exercise, test_mutant_is_killed
