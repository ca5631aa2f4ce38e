"""All questions about operations in one call: ``python -m benchmarks.operations_all``.

Each graph is made once; what is left of the budget is shared by the questions that are left, so
that all of it fits a call of limited length. A question that fails is named and the next one is
asked. Each record is written as soon as it is there, and the tables of all come last.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

from benchmarks import ewise, mxm, mxv, overhead, record, spmspv
from benchmarks.clock import Clock
from benchmarks.operations import Question, measure, measurement_options, table
from benchmarks.options import parser_of
from benchmarks.problem import Problem
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.cli.progress import progress

GRAPHS, SQUARES = ("kron22", "grid2048", "random22"), ("kron18", "grid2048")
RESERVE = 0.7
"""The part of a question's share that samples may take; the rest is for making answers."""

Run = tuple[str, Callable[[argparse.Namespace], record.Record]]


def plan(
    graphs: Sequence[str], squares: Sequence[str], backend: Backend, clock: Clock
) -> list[Run]:
    """The questions in order: one graph after another, so that one is held at a time."""
    held: dict[str, Problem] = {}

    def ask(question: Question, name: str, options: argparse.Namespace) -> record.Record:
        key = f"{name} as asked by {question.name}" if question.problem is not Problem else name
        if key not in held:
            held.clear()
            with progress(f"{name}: matrix"):
                held[key] = question.problem(name, backend)
        return measure(question, held[key], options, clock)

    runs: list[Run] = [("overhead", partial(overhead.measure, backend))]
    for name in graphs:
        for question in (mxv.QUESTION, spmspv.QUESTION, ewise.QUESTION):
            runs.append((f"{question.name} {name}", partial(ask, question, name)))
    for name in squares:
        runs.append((f"mxm {name}", partial(ask, mxm.QUESTION, name)))
    return runs


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask everything; 0, or 1 if a question has no record."""
    parser = parser_of("operations_all")
    add = parser.add_argument
    add("--graph", action="append", help=f"for mxv, spmspv and ewise ({', '.join(GRAPHS)})")
    add("--square", action="append", help=f"for mxm ({', '.join(SQUARES)})")
    measurement_options(parser, 480)
    parser.set_defaults(case=None)
    options = parser.parse_args(arguments)
    begin, whole = time.monotonic(), options.budget
    backend = resolve(options.backend)
    runs = plan(options.graph or GRAPHS, options.square or SQUARES, backend, Clock(backend))
    tables, failed = [], []
    for done, (name, ask) in enumerate(runs):
        left = whole - (time.monotonic() - begin)
        if left <= 0 and done:
            failed.append(f"{name}: no time left")
            continue
        options.budget = RESERVE * left / (len(runs) - done)
        try:
            found = ask(options)
            record.write(found, options.out)
            tables.append(table(found))
        except Exception as problem:  # the next question may do better
            failed.append(f"{name}: {type(problem).__name__}: {problem}")
        print(f"{name}: {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    print("\n".join([*tables, *(f"FAILED {line}" for line in failed)]))
    print(f"{len(tables)} records in {options.out}, {time.monotonic() - begin:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
