"""Every public callable with arguments that nobody should give, one or two bad ones at a time.

    python -m tests.fuzz.hostile_calls [--hours H] [--seed S] [--backend cpu|emulator]
                                       [--only TEXT] [--record FILE]

Each value stands once in the place of each parameter, some 90,000 calls, and then there are some
pairs; with ``--hours`` pairs are drawn until the time is over. A call passes that returns, or
raises one of our errors or what the hostile object itself raises. All else is a finding: an
exception of somebody else's, a call that takes too long, a process that dies.

Calls are made in a process of their own with little memory, which is started again when it dies.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import io
import json
import multiprocessing
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

SECONDS = 8.0
"""Of a processor until a call is given up; some compile loops first."""

MEMORY = 6 << 30
"""Bytes of addresses that a process may have."""

Case = tuple[str, tuple[tuple[str, str], ...]]
"""A callable's name, and the parameters with the names of their hostile values."""


class Overtime(BaseException):
    """Raised in the midst of a call that takes too long."""


@dataclass
class Outcome:
    """What came of a call; `verdict` is "returned", "ours", "own", "finding", "slow" or "died"."""

    case: Case
    verdict: str
    error: str = ""
    place: str = ""
    seconds: float = 0.0

    @property
    def spelled(self) -> str:
        name, hostile = self.case
        return f"{name}({', '.join(f'{parameter}={value}' for parameter, value in hostile)})"

    @property
    def cluster(self) -> str:
        return f"{self.error.partition(':')[0]} at {self.place}" if self.error else self.verdict


# --- in the process that makes the calls ----------------------------------------------------------


def world_of(backend: str) -> Any:
    from tests.fuzz.public_calls import World

    if backend != "emulator":
        return World(backend)
    from lagraph_gpu.gpu.backend import GpuBackend
    from tests.simt.device import EmulatedDevice

    return World(GpuBackend(EmulatedDevice("check", block_size=64, max_blocks=4)))


def overtime(*_: Any) -> None:
    raise Overtime


def place_of(problem: BaseException) -> str:
    """The last line of ours that the exception went through."""
    frames = traceback.extract_tb(problem.__traceback__)
    ours = [f for f in frames if "/lagraph_gpu/" in f.filename or "/semirings/" in f.filename]
    if not ours:
        return "the call"
    last = ours[-1]
    return f"{last.filename.rpartition('/lagraph_gpu/')[2] or last.filename}:{last.lineno}"


def verdict_on(problem: BaseException, of_a_function: bool) -> str:
    """The verdict on an exception, which may be that of a function that was given."""
    from lagraph_gpu.csgraph import NegativeCycleError
    from lagraph_gpu.errors import LagraphError
    from tests.fuzz.hostile_values import Own

    if isinstance(problem, (LagraphError, NegativeCycleError)):
        return "ours"
    if isinstance(problem, Own) or (of_a_function and not isinstance(problem, Overtime)):
        return "own"
    if isinstance(problem, Overtime):
        return "slow"
    return "finding"


def attempt(world: Any, case: Case) -> Outcome:
    """Make one call."""
    from tests.fuzz.hostile_values import VALUES
    from tests.fuzz.public_calls import by_name

    call, began = by_name()[case[0]], time.perf_counter()
    hostile = {name: VALUES[value]() for name, value in case[1]}
    signal.signal(signal.SIGPROF, overtime)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            call.run(world, hostile)
        made = Outcome(case, "returned")
    except BaseException as problem:
        signal.setitimer(signal.ITIMER_PROF, 0)
        made = Outcome(
            case,
            verdict_on(
                problem, any(call.takes_function(n) and callable(v) for n, v in hostile.items())
            ),
        )
        if made.verdict in ("finding", "slow"):
            try:
                text = str(problem)[:200]
            except Exception:
                text = "(without a text)"
            made.error, made.place = f"{type(problem).__name__}: {text}", place_of(problem)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    made.seconds = time.perf_counter() - began
    return made


def work(pipe: Connection, backend: str, folder: str) -> None:
    """Make the calls that come through the pipe, until None comes, in a folder of their own: some
    write files of hostile names."""
    import graphblas

    graphblas.ss.config["nthreads"] = 1
    world = world_of(backend)
    os.chdir(folder)
    tempfile.tempdir = folder
    limit = MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    sys.stderr = io.StringIO()
    while (case := pipe.recv()) is not None:
        pipe.send(attempt(world, case))


# --- in the process that asks for them ------------------------------------------------------------


class Worker:
    """The process that makes the calls; a new one takes the place of one that died."""

    def __init__(self, backend: str) -> None:
        self.backend, self.process = backend, None

    def start(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipe, end = spawn.Pipe()
        self.folder = tempfile.TemporaryDirectory(prefix="hostile")
        given = end, self.backend, self.folder.name
        self.process = spawn.Process(target=work, args=given, daemon=True)
        self.process.start()
        end.close()

    def run(self, cases: Iterable[Case]) -> Iterator[Outcome]:
        """What comes of each, in order."""
        for case in cases:
            if self.process is None:
                self.start()
            try:
                self.pipe.send(case)
                if not self.pipe.poll(10 * SECONDS):
                    raise EOFError
                outcome = self.pipe.recv()
                if outcome.verdict == "slow":  # the call was broken off where it may not be
                    self.stop()
                yield outcome
            except (EOFError, ConnectionError):
                self.stop()
                yield Outcome(case, "died", "the process died or did not answer", case[0])

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None
            self.folder.cleanup()


def all_cases() -> list[Case]:
    """Each value in the place of each parameter."""
    from tests.fuzz.hostile_values import VALUES
    from tests.fuzz.public_calls import calls

    return [
        (call.name, ((p.name, value),)) for call in calls() for p in call.parameters
        for value in VALUES
    ]  # fmt: skip


def pairs(rng: random.Random) -> Iterator[Case]:
    """Two bad arguments, or one bad `self` more than once, without end."""
    from tests.fuzz.hostile_values import VALUES
    from tests.fuzz.public_calls import calls

    several = [call for call in calls() if len(call.parameters) > 1]
    values = list(VALUES)
    while True:
        call = rng.choice(several)
        names = rng.sample([p.name for p in call.parameters], 2)
        yield call.name, tuple((name, rng.choice(values)) for name in names)


PATIENT = {
    ("lg.label_propagation", "max_iter"),
    ("lg.pagerank", "iterations"),
    ("Matrix.power", "n"),
}
"""Who asks these for billions of rounds gets them."""


@dataclass
class Record:
    """How many calls there were, by verdict, and the findings by where they came from."""

    verdicts: collections.Counter[str] = field(default_factory=collections.Counter)
    clusters: dict[str, list[Outcome]] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        self.verdicts[outcome.verdict] += 1
        name, hostile = outcome.case
        asked = outcome.verdict in ("slow", "died") and any(
            (name, n) in PATIENT for n, _ in hostile
        )
        if outcome.verdict in ("finding", "slow", "died") and not asked:
            self.clusters.setdefault(outcome.cluster, []).append(outcome)

    def told(self, most: int = 40) -> str:
        """The findings, the largest clusters first."""
        lines = [", ".join(f"{count:,} {verdict}" for verdict, count in self.verdicts.items())]
        for name, found in sorted(self.clusters.items(), key=lambda c: -len(c[1]))[:most]:
            lines.append(f"{len(found)} × {name}: {found[0].error}")
            lines += ["    " + o.spelled for o in found[:4]]
        return "\n".join(lines)


def run(cases: Iterable[Case], backend: str = "cpu", until: float | None = None) -> Record:
    worker, record = Worker(backend), Record()
    try:
        for outcome in worker.run(cases):
            record.add(outcome)
            if outcome.verdict in ("slow", "died"):
                print(outcome.verdict, outcome.spelled, outcome.place, flush=True)
            if until is not None and time.monotonic() > until:
                break
    finally:
        worker.stop()
    return record


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hours", type=float, default=0.0, help="go on with pairs for so long")
    parser.add_argument(
        "--seed", type=int, default=None, help="of the pairs; a fresh one if left out"
    )
    parser.add_argument("--backend", choices=("cpu", "emulator"), default="cpu")
    parser.add_argument("--only", default="", help="callables whose name has this text")
    parser.add_argument("--pairs", type=int, default=10_000, help="how many, without --hours")
    parser.add_argument("--record", type=Path, help="write counts and findings into this file")
    options = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    began = time.monotonic()
    single = [case for case in all_cases() if options.only in case[0]]
    record = run(single, options.backend)
    drawn = (case for case in pairs(random.Random(seed)) if options.only in case[0])
    if options.hours:
        more = run(drawn, options.backend, began + 3600 * options.hours)
    else:
        more = run((next(drawn) for _ in range(options.pairs)), options.backend)
    record.verdicts += more.verdicts
    for name, found in more.clusters.items():
        record.clusters.setdefault(name, []).extend(found)
    print(record.told())
    if options.record:
        told = {
            "commit": commit(), "backend": options.backend, "seed": seed,
            "calls": sum(record.verdicts.values()), "verdicts": dict(record.verdicts),
            "seconds": round(time.monotonic() - began),
            "findings": {name: len(found) for name, found in record.clusters.items()},
        }  # fmt: skip
        options.record.parent.mkdir(parents=True, exist_ok=True)
        options.record.write_text(json.dumps(told, indent=1) + "\n")
    return 1 if record.clusters else 0


def commit() -> str:
    done = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
