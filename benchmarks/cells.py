"""Which calls on a CPU take longer than those of the best peer? ``python -m benchmarks.cells``.

Each question of ``cells_questions`` on each family of graphs is a cell, measured in a process of
its own, a fork of the one that has made the graphs of the family: a peer that crashes, or takes
more processor time than a call may, ends that process alone, and the others are measured in
another. If it was our call, the cell has no ratio. A first call of each is not timed. Then all
take turns with one thread, and the least time of each counts, in microseconds of the processor.

A line tells how many times the best peer's time ours is, both times, the peer, the family and the
question; a count of all comes last. ``--least 1.2`` prints only cells of at least that ratio. What
was forked has no huge pages, so calls that read memory at random take longer than in other
processes.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import lagraph_gpu as lg
from benchmarks.cells_graphs import FAMILIES, OURS, Asked, Graphs
from benchmarks.cells_questions import questions
from lagraph_gpu.errors import LagraphError

PEER_S, OURS_S = 2, 20
"""Seconds of the processor that a peer may take for a call or a turn, and we."""
LONGEST_S = 120
"""Seconds of the clock on the wall after which a call that waits, and takes no processor, ends."""
TURN_NS = 5_000_000
"""A call is repeated within a turn for so long."""
TURNS = 9
CELL_NS = 1_000_000_000
"""After so long no further turn begins."""


class Cell(NamedTuple):
    family: str
    question: str
    us: dict[str, float]
    """The least time of each who answered."""

    @property
    def best(self) -> str:
        """The fastest peer."""
        return min(self.us.keys() - {OURS}, key=self.us.__getitem__)

    @property
    def ratio(self) -> float:
        return self.us[OURS] / self.us[self.best]

    def line(self) -> str:
        return (
            f"{self.ratio:8.2f} {self.us[OURS]:12.1f} {self.us[self.best]:12.1f} {self.best:<10} "
            f"{self.family:<12} {self.question}"
        )


def processor_s(pid: int) -> float:
    """What a child has taken so far. A limit by ``setrlimit`` would make its own clock coarse."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def repeats(call: Callable[[], Any]) -> int:
    """How often a call fits into a turn, at its best."""
    took = TURN_NS
    for _ in range(3):
        begin = time.process_time_ns()
        call()
        took = min(took, time.process_time_ns() - begin)
        if took > TURN_NS / 2:
            break
    return max(1, TURN_NS // max(took, 1))


def turns(asked: Asked, told: int) -> None:
    """Time all of these in turn, and write what is known to a pipe: who is called, and times."""

    def tell(*words: object) -> None:
        os.write(told, (" ".join(map(str, words)) + "\n").encode())

    able = {}
    for by, call in asked.items():
        tell("calls", by)
        try:
            call()
            able[by] = repeats(call)
        except Exception as problem:
            what = " ".join(str(problem).split())[:100]
            tell("fails", by, type(problem).__name__, what)
            if by == OURS and not isinstance(problem, LagraphError):
                raise
    gc.disable()
    begin = time.process_time_ns()
    for turn in range(TURNS):
        if turn > 1 and time.process_time_ns() - begin > CELL_NS:
            break
        for by, times in able.items():
            tell("calls", by)
            first = time.process_time_ns()
            for _ in range(times):
                asked[by]()
            tell("took", by, (time.process_time_ns() - first) / times / 1e3)


def child(asked: Asked) -> tuple[bool, list[list[str]]]:
    """Whether a process of its own came to the end of ``turns``, and what it told."""
    read, write = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        done = False
        with suppress(BaseException):
            os.close(read)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # a library that crashes says so there
            turns(asked, write)
            done = True
        os._exit(0 if done else 1)
    os.close(write)
    told, by, begin, since = b"", OURS, 0.0, time.monotonic()
    while True:
        if select.select([read], [], [], 0.1)[0]:
            if not (some := os.read(read, 1 << 16)):
                break
            told += some
            by, begin = told.splitlines()[-1].split()[1].decode(), processor_s(pid)
            since = time.monotonic()
        elif (
            processor_s(pid) - begin > (OURS_S if by == OURS else PEER_S)
            or time.monotonic() - since > LONGEST_S
        ):
            os.kill(pid, signal.SIGKILL)
    os.close(read)
    return os.waitpid(pid, 0)[1] == 0, [line.split() for line in told.decode().splitlines()]


def measured(family: str, question: str, asked: Asked) -> Cell:
    """The times of all who came to an end."""
    left = dict(asked)
    us: dict[str, float] = {}
    while len(left) > 1:
        done, lines = child(left)
        us = {}
        for word, by, *rest in lines:
            if word == "took":
                us[by] = min(float(rest[0]), us.get(by, math.inf))
            elif word == "fails":
                left.pop(by)
                print(f"-- {family}, {question}: {by} fails: {' '.join(rest)}", flush=True)
        if done:
            break
        last = lines[-1][1] if lines else OURS
        print(f"-- {family}, {question}: {last} took too long or crashed", flush=True)
        if last == OURS:
            return Cell(family, question, {})
        left.pop(last, None)
    return Cell(family, question, us)


def sweep(options: argparse.Namespace) -> Iterable[Cell]:
    """All cells of the families and questions that are asked for."""
    lg.bfs(lg.grid(2, 2), 0)  # compiles the loops, if nobody has; no child has the time
    for family in options.family or FAMILIES:
        graphs = Graphs(FAMILIES[family](options.edges))
        gc.collect()
        gc.freeze()
        for question, asked in questions(graphs):
            if not options.only or any(part in question for part in options.only):
                yield measured(family, question, asked)
        gc.unfreeze()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cells")
    add = parser.add_argument
    add("--edges", type=int, default=20_000, help="about so many in each graph (default: 20000)")
    add("--family", action="append", choices=FAMILIES, help="only this one; may be repeated")
    add(
        "--only",
        action="append",
        metavar="TEXT",
        help="only questions that contain this; may be repeated",
    )
    add("--least", type=float, default=0, help="print only cells of at least this ratio")
    options = parser.parse_args(arguments)
    ratios = []
    with lg.backend("cpu"):
        for cell in sweep(options):
            if len(cell.us) > 1 and OURS in cell.us:
                ratios.append(cell.ratio)
                if cell.ratio >= options.least:
                    print(cell.line(), flush=True)
    counts = ", ".join(f"{sum(r > bound for r in ratios)} above {bound}" for bound in (1, 1.2, 2))
    print(f"{len(ratios)} cells: {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
