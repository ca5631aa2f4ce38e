"""What every question about an operation has in common: options, the race, the record.

A question names its ways: the operation by us, by python-graphblas, by SciPy, by cupyx. All run in
turns, so that a ratio holds even if the machine's speed changes meanwhile; every sampled result is
checked. The record says for each way the milliseconds, the bytes the data asks for, what these make
a second, and their share of the speed of a copy in the same run.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import lagraph_gpu as lg
from benchmarks import options as given
from benchmarks import record
from benchmarks.clock import Clock
from benchmarks.harness import exit_code
from benchmarks.instrument import Instrument
from benchmarks.peers import Absent
from benchmarks.problem import Place, Problem
from benchmarks.problem import waits as unsettled
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.timing import cpu_name, device_name
from lagraph_gpu.errors import InvalidValue, LagraphError, UnsupportedOperation, VerificationError

OURS = "lagraph-gpu"


@dataclass(frozen=True)
class Way:
    """One operation by one of those who can do it."""

    case: str
    by: str
    operation: str
    work: Callable[[Any], Any]
    check: Callable[[Any], None]
    """Raises VerificationError if the result is wrong."""
    bytes: int | None = None
    """What reading the operands and writing the result takes, each once."""
    fresh: Callable[[], Any] = lambda: None
    """Makes the operand of one call, outside the time."""
    wait: Callable[[Any], None] = lambda _: None
    on_device: bool = False


@dataclass(frozen=True)
class Missing:
    """One who cannot take part, and why."""

    case: str
    by: str
    why: str


Entry = Way | Missing


@dataclass(frozen=True)
class Question:
    """A kind of operation: its ways on a problem. The first of ours is what the record is about."""

    name: str
    ways: Callable[[Any], Iterable[Entry]]
    graph: str = "kron16"
    problem: Callable[[str, Backend], Any] = Problem
    """Makes the problem of a graph's name; a smaller one, with a note, if that is too large."""


class Ways:
    """Collects the ways of a question; who is absent is kept with the reason."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    @contextmanager
    def peer(self, case: str, by: str) -> Iterator[Callable[..., None]]:
        """Within the block, ``add(operation, work, check, …)`` adds ways of this peer."""

        def add(operation: str, work: Any, check: Any, **more: Any) -> None:
            self.entries.append(Way(case, by, operation, work, check, **more))

        try:
            yield add
        except Absent as why:
            self.entries.append(Missing(case, by, str(why)))
        except Exception as why:  # memory, say, must not stop the others
            if by == OURS:
                raise
            self.entries.append(Missing(case, by, f"{type(why).__name__}: {why}"))

    def notation(
        self,
        problem: Problem,
        case: str,
        operation: str,
        make: Callable[[Place], tuple[Callable[[], Any], Callable[[Any], Any], Any]],
        nbytes: int | None,
        only: Sequence[str] = (OURS, "python-graphblas"),
    ) -> None:
        """An operation in our notation, by us and by python-graphblas.

        ``make(place)`` gives the three of fresh, work and check.
        """
        for by in only:
            with self.peer(case, by) as add:
                place = problem.ours if by == OURS else problem.graphblas
                fresh, work, check = make(place)
                add(operation, place.whole(work), check, bytes=nbytes, fresh=fresh,
                    wait=place.wait, on_device=place.on_device)  # fmt: skip


def race(
    entries: Sequence[Entry], clock: Clock, backend: Backend, samples: int, seconds: float
) -> tuple[list[record.Record], list[float]]:
    """A row for each entry, and the times of the copy. Raises VerificationError if one of our
    results is wrong.

    Each way is warmed up, then takes turns with the others. It is not run again once it has used
    its share of the seconds.
    """
    runners = [entry for entry in entries if isinstance(entry, Way)]
    share = seconds / max(1, len(runners))
    rows = {id(e): started(e, clock, backend, share) for e in entries}
    copies: list[float] = []
    for _ in range(samples):
        copies.append(
            clock.sample(clock.copy, lambda: None, lambda _: backend.synchronize(), True).ms
        )
        for way in runners:
            row = rows[id(way)]
            if "absent" not in row and (not row["samples_ms"] or row["seconds"] < share):
                take(way, row, clock)
    for row in rows.values():
        finish(row, samples, statistics.median(copies), clock)
    return list(rows.values()), copies


def started(entry: Entry, clock: Clock, backend: Backend, share: float) -> record.Record:
    """The row of an entry that has been warmed up; a run beyond its share is its one sample."""
    row: record.Record = {"case": entry.case, "by": entry.by}
    if isinstance(entry, Missing):
        return row | {"absent": entry.why}
    row |= {"operation": entry.operation, "samples_ms": [], "walls_ms": [], "checked": 0,
            "bytes": entry.bytes, "seconds": 0.0, "verified": True}  # fmt: skip
    ours = entry.by == OURS
    try:
        with progress(f"{entry.case}: {entry.by}: {entry.operation}"):
            begin = time.perf_counter()
            result = entry.work(entry.fresh())
            entry.wait(result)
            took = time.perf_counter() - begin
            if took > share and not ours:
                row |= {"samples_ms": [took * 1e3], "walls_ms": [took * 1e3], "seconds": took}
                judge(entry, row, result)
                return row | {"note": "its first run, the only one in its time"}
            del result
            if ours:
                row |= anatomy(entry, backend)
    except UnsupportedOperation as why:
        return {"case": entry.case, "by": entry.by, "absent": str(why)}
    except Exception as why:  # a peer that runs out of memory, say, must not stop the others
        if ours:
            raise
        return {"case": entry.case, "by": entry.by, "absent": f"{type(why).__name__}: {why}"}
    return row


def anatomy(way: Way, backend: Backend) -> record.Record:
    """Directions, launches and waits of one run that is not timed. Raises LagraphError for work
    that would be timed before it is done."""
    operand = way.fresh()
    with lg.trace() as steps, Instrument(backend) as watch:
        result = way.work(operand)
        if way.on_device and unsettled(result):
            raise LagraphError(
                f"expected work whose result is computed within the time, but {way.case}: "
                f"{way.operation} waits until somebody looks; time Place.whole of it"
            )
        way.wait(result)
    waits = None if watch.waits is None else watch.waits - 1  # the last is our own
    chosen = sorted({step.direction for step in steps})
    kernels = watch.by_kernel
    return {
        "launches": watch.launches,
        "waits": waits,
        "direction": ", ".join(chosen) or None,
        "ms_by_kernel": kernels and {name: round(ms, 5) for name, ms in kernels.items()},
    }


def take(way: Way, row: record.Record, clock: Clock) -> None:
    """One sample more, checked."""
    begin = time.perf_counter()
    with progress(f"{way.case}: {way.by}: sample {len(row['samples_ms']) + 1}"):
        sample = clock.sample(way.work, way.fresh, way.wait, way.on_device)
        row["samples_ms"].append(sample.ms)
        row["walls_ms"].append(sample.wall_ms)
        judge(way, row, sample.result)
    row["seconds"] += time.perf_counter() - begin


def judge(way: Way, row: record.Record, result: Any) -> None:
    """Check one result: a wrong one of ours ends the run, of a peer is noted."""
    try:
        way.check(result)
        row["checked"] += 1
    except VerificationError as wrong:
        if way.by == OURS:
            raise VerificationError(f"{way.case}: {way.operation}: {wrong}") from None
        row |= {"verified": False, "note": str(wrong)}


def finish(row: record.Record, samples: int, copy_ms: float, clock: Clock) -> None:
    """What follows from the samples of a row."""
    if "absent" in row:
        return
    del row["seconds"]
    walls, times = row.pop("walls_ms"), row["samples_ms"]
    median, wall = (round(statistics.median(ms), 5) for ms in (times, walls))
    row["median_ms"], row["wall_ms"] = median, wall  # and the rates follow from what is recorded
    row["samples_ms"] = [round(ms, 5) for ms in times]
    speed = 2 * clock.copy_bytes / copy_ms
    rate = None if row["bytes"] is None else row["bytes"] / median
    row["gb_per_s"] = rate and round(rate / 1e6, 3)
    row["of_copy"] = rate and round(rate / speed, 4)
    if len(times) < samples:
        row.setdefault("note", f"{len(times)} of {samples} samples in its time")


def measure(
    question: Question, problem: Problem, options: argparse.Namespace, clock: Clock
) -> record.Record:
    """One graph's record. Raises VerificationError if any of our results is wrong, LagraphError if
    there is none."""
    with progress(f"{problem.label}: {question.name}: right answers"):
        entries = list(question.ways(problem))
    entries = [entry for entry in entries if options.peers or entry.by == OURS]
    if options.case is not None:
        cases = {entry.case for entry in entries}
        if unknown := set(options.case) - cases:
            raise InvalidValue(f"expected cases of {sorted(cases)}, got {sorted(unknown)}")
        entries = [entry for entry in entries if entry.case in options.case]
    rows, copies = race(entries, clock, problem.backend, options.samples, options.budget)
    return compose(question.name, problem, rows, copies, options, clock)


def compose(
    name: str, problem: Any, rows: list[record.Record], copies: Sequence[float],
    options: argparse.Namespace, clock: Clock,
) -> record.Record:  # fmt: skip
    """The record of rows; the fields of searches that do not apply are null."""
    head = next((r for r in rows if r["by"] == OURS and "absent" not in r), None)
    if head is None:
        whys = sorted({r["absent"] for r in rows if r["by"] == OURS})
        raise LagraphError(f"nothing of ours to record in {name}: {'; '.join(whys)}")
    device = device_name(problem.backend)
    return {
        "benchmark": name,
        "graph": problem.label,
        "n": problem.n,
        "nedges": problem.nedges,
        "backend": problem.backend.name,
        "device": device,
        **record.made_now(options.commit),
        "note": problem.note,
        "case": head["case"],
        "operation": head["operation"],
        "timed_by": clock.by,
        **record.NOT_OF_OPERATIONS,
        **{k: head[k] for k in ("samples_ms", "median_ms", "checked", "verified")},
        "prepare_ms": round(problem.prepare_ms, 3),
        "copy_gb_per_s": copies
        and round(2 * clock.copy_bytes / statistics.median(copies) / 1e6, 2),
        "peers": peers_of(head, rows, device),
        "measurements": rows,
    }


def peers_of(head: record.Record, rows: Iterable[record.Record], device: str) -> record.Record:
    """For each peer its fastest right way of the headline's case, in the record's own form."""
    found: record.Record = {}
    for row in rows:
        if row["case"] != head["case"] or row["by"] == OURS:
            continue
        if "absent" in row:
            found.setdefault(row["by"], {"absent": row["absent"]})
            continue
        entry = {
            "backend": row["by"], "device": device if row["by"] == "cupyx" else cpu_name(),
            **record.NOT_OF_OPERATIONS, "prepare_ms": None, "operation": row["operation"],
            **{k: row[k] for k in ("samples_ms", "median_ms", "verified")},
        }  # fmt: skip
        best = found.get(row["by"])
        if best is None or "absent" in best or fitness(entry) < fitness(best):
            found[row["by"]] = entry
    return found


def fitness(entry: record.Record) -> tuple[bool, float]:
    return not entry["verified"], entry["median_ms"]


def main(question: Question, arguments: Sequence[str] | None = None) -> int:
    """Answer the question for every graph; 0, 1 if an answer was wrong, 2 for bad input."""
    options = parse(question, arguments)

    def answer() -> None:
        backend = resolve(options.backend)
        clock = Clock(backend)
        for name in options.graph or [question.graph]:
            with progress(f"{name}: matrix"):
                problem = question.problem(name, backend)
            found = measure(question, problem, options, clock)
            path = record.write(found, options.out)
            print(table(found), f"  {path}", sep="\n", flush=True)

    return exit_code(answer)


def parse(question: Question, arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = given.parser_of(question.name)
    given.graphs(parser, question.graph)
    measurement_options(parser, 60)
    parser.add_argument("--case", action="append", help="only this one; may be repeated")
    return parser.parse_args(arguments)


def measurement_options(
    parser: argparse.ArgumentParser, budget: float, backends: Sequence[str] = ("cpu", "gpu")
) -> None:
    given.samples(parser)
    given.budget(parser, budget, "for samples and checks")
    given.peers(parser)
    given.place(parser, backends)


def table(found: record.Record) -> str:
    """Lines for a person who waits."""
    speed = found["copy_gb_per_s"]
    lines = [f"{found['benchmark']} {found['graph']} on {found['device']}, {found['timed_by']}"]
    lines += [f"  a copy moves {speed:,.1f} GB/s"] if speed else []
    lines += [f"  {found['note']}"] if found["note"] else []
    for row in found["measurements"]:
        what = f"  {row['case']:<22} {row['by']:<16}"
        if "absent" in row:
            lines.append(f"{what} absent: {row['absent'].splitlines()[0][:90]}")
            continue
        of_copy = "" if row["of_copy"] is None else f"{row['of_copy']:7.1%} of copy"
        right = "" if row["verified"] else "  WRONG"
        way = f"{row['operation']}" + (f" [{d}]" if (d := row.get("direction")) else "")
        lines.append(f"{what} {row['median_ms']:>11,.4f} ms {of_copy:<16}  {way}{right}")
    return "\n".join(lines)
