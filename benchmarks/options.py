"""The options that questions share, so that each is spelled and explained once."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks import record
from lagraph_gpu.schedule import BALANCES, DIRECTIONS, LOOPS

LAYOUTS = ("natural", "degree", "prepared")
"""The graph as it was read; in ids by degree, which answers keep; with a copy in such ids beside
it, and answers in the ids as read."""


def parser_of(question: str) -> argparse.ArgumentParser:
    """A parser for ``python -m benchmarks.<question>``."""
    return argparse.ArgumentParser(prog=f"python -m benchmarks.{question}")


def graphs(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument("--graph", action="append", metavar="NAME",
        help=f"kronS, gridN, randomS or a file; may be repeated (default: {default})")  # fmt: skip


def roots(parser: argparse.ArgumentParser, count: int, seeded: str = "of the roots") -> None:
    add = parser.add_argument
    add("--roots", type=int, default=count, metavar="N",
        help=f"random vertices with edges (default: {count})")  # fmt: skip
    add("--seed", type=int, default=1, help=seeded)


def schedule(parser: argparse.ArgumentParser, layouts: Sequence[str] = LAYOUTS) -> None:
    """What may be fixed of a schedule, and the layout of the graph."""
    add = parser.add_argument
    add("--direction", choices=DIRECTIONS, help="fix the schedule's direction")
    add("--balance", choices=BALANCES, help="fix the schedule's balance")
    add("--loop", choices=LOOPS, help="where the rounds are counted")
    add("--layout", choices=layouts, default="natural",
        help="the graph as it is, by degree, prepared, or in packed rows")  # fmt: skip


def budget(parser: argparse.ArgumentParser, seconds: float, of: str) -> None:
    parser.add_argument("--budget", type=float, default=seconds, metavar="SECONDS",
        help=f"{of} (default: {seconds:g})")  # fmt: skip


def peers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="ask nobody else")


def samples(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--samples", type=int, default=9, metavar="N",
        help="of each way (default: 9)")  # fmt: skip


def place(parser: argparse.ArgumentParser, backends: Sequence[str] = ("cpu", "gpu")) -> None:
    """Where it runs, and where the record goes."""
    add = parser.add_argument
    add("--backend", choices=backends, help="(default: the GPU where one works)")
    add("--out", type=Path, default=record.RESULTS, metavar="DIR", help="where the record goes")
    add("--commit", help="the commit this is, where there is no git to ask")
