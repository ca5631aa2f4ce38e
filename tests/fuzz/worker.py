"""Processes that run inputs, each under a limit of time and of memory, and what came of them.

A worker is forked, and tells the number of each input in shared memory before it runs it. If it
dies, or an input takes too long, that input is a finding, and another worker goes on behind it.
"""

from __future__ import annotations

import json
import mmap
import os
import random
import resource
import select
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

SECONDS = 10.0
"""The seconds of a processor that an input may take."""
ANSWER_SECONDS = 30.0
"""The seconds without a new input after which a worker hangs."""
MEMORY = 1 << 30
"""The bytes of address space that a worker may take beside those that it has when it begins."""
EVERY = 256
"""After so many inputs a worker tells what came of them."""


@dataclass(frozen=True)
class Finding:
    """An input that went wrong: of which target, which number, and what happened."""

    target: str
    seed: str
    number: int
    what: str

    def __str__(self) -> str:
        return f"{self.target}, seed {self.seed}, input {self.number}: {self.what}"


@dataclass
class Report:
    """How many inputs ended how, and those that went wrong."""

    outcomes: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0


class Late(BaseException):
    """No Exception, so that no reader catches it."""


def drawn(target: Any, name: str, seed: str, number: int) -> bytes:
    """An input, which follows from these alone."""
    data: bytes = target.input(random.Random(f"{seed}/{name}/{number}"))
    return data


@contextmanager
def limited() -> Iterator[None]:
    def late(*_: object) -> None:
        raise Late(f"not done after {SECONDS:g} s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def checked(run: Callable[[bytes], str], data: bytes) -> str:
    """What came of an input: what the target says of it, or the trace of what went wrong."""
    try:
        with limited(), warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", "Reading `.np[yz]`")  # headers of Python 2
            return run(data)
    except (Exception, Late) as problem:
        where = traceback.extract_tb(problem.__traceback__)[-1]
        said = f"{type(problem).__name__}: {problem}"[:300]
        return f"wrong: {said} ({os.path.basename(where.filename)}:{where.lineno})"


def campaign(name: str, target: Any, seed: str, count: int, until: float = float("inf")) -> Report:
    """Run so many inputs of a target, or as many as there is time for."""
    report, begun, first = Report(), time.monotonic(), 0
    while first < count and time.monotonic() < until:
        first = _one_worker(name, target, seed, first, count, until, report)
    report.seconds = time.monotonic() - begun
    return report


def _one_worker(
    name: str, target: Any, seed: str, first: int, count: int, until: float, report: Report
) -> int:
    """Let a worker go on from an input. The result is the first that is left to be run."""
    at = mmap.mmap(-1, 8)
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiver)
        with os.fdopen(sender, "w") as out:
            _work(name, target, seed, range(first, count), until, at, out)
        os._exit(0)
    os.close(sender)
    told, ended = _listen(child, receiver, at)
    for line in told:
        outcomes, wrong = json.loads(line)
        report.outcomes.update(outcomes)
        report.findings += [Finding(name, seed, number, what) for number, what in wrong]
    number = int.from_bytes(at, "little")
    if not ended:
        return count
    report.outcomes["wrong"] += 1
    report.findings.append(Finding(name, seed, number, ended))
    return number + 1


def _listen(child: int, receiver: int, at: mmap.mmap) -> tuple[list[str], str]:
    """All whole lines that a worker sent, and how it ended, if not as it should."""
    text, last = b"", -1
    killed = False
    with os.fdopen(receiver, "rb", buffering=0) as stream:
        while True:
            ready, _, _ = select.select([stream], [], [], ANSWER_SECONDS)
            now = int.from_bytes(at, "little")
            if ready:
                some = stream.read(1 << 16)
                if not some:
                    break
                text += some
            elif now == last:
                os.kill(child, signal.SIGKILL)
                killed = True
            last = now
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    lines = [line for line in text.decode().split("\n") if line.startswith("[")]
    if killed:
        return lines, f"wrong: it hangs, and was killed after {ANSWER_SECONDS:g} s"
    return lines, f"wrong: the process died with status {status}" if status else ""


def _work(
    name: str, target: Any, seed: str, numbers: range, until: float, at: mmap.mmap, out: Any
) -> None:
    _limit_memory()
    outcomes: Counter[str] = Counter()
    wrong: list[tuple[int, str]] = []
    for number in numbers:
        at[:] = number.to_bytes(8, "little")
        came = checked(target.run, drawn(target, name, seed, number))
        outcomes[came.partition(":")[0]] += 1
        if came.startswith("wrong"):
            wrong.append((number, came))
        if number % EVERY == EVERY - 1 or wrong:
            print(json.dumps((outcomes, wrong)), file=out, flush=True)
            outcomes, wrong = Counter(), []
            if time.monotonic() > until:
                return
    print(json.dumps((outcomes, wrong)), file=out, flush=True)


def _limit_memory() -> None:
    with open("/proc/self/statm") as sizes:
        held = int(sizes.read().split()[0]) * resource.getpagesize()
    for what in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        resource.setrlimit(what, (held + MEMORY, resource.getrlimit(what)[1]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.setrecursionlimit(1000)
