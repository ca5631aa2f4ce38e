"""From one thread a vertex to the resident search: ``python -m benchmarks.story --graph kron22``.

The same searches under one schedule after another, from the textbook's first kernel to what the
planner chooses. A record for each question and graph holds every step of the ladder: its schedule,
its samples, one a root, and how many roots there was time for. All results are judged where they
lie, by Graph500's five rules, between the samples. ``docs/explanation`` shows the records.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import lagraph_gpu as lg
from benchmarks import options as given
from benchmarks import record
from benchmarks.graph500 import in_order, input_edges, sampled_roots
from benchmarks.graphs import graph, label
from benchmarks.harness import exit_code
from lagraph_gpu.backend import resolve
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.timing import device_name, timed
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.verify import Rules


@dataclass(frozen=True)
class Step:
    """A step of the ladder: what it adds, under which schedule, and who had the idea."""

    name: str
    schedule: Schedule | None
    source: str


HN = "Harish, Narayanan 2007"
TEXTBOOK = "Hwu, Kirk, El Hajj 2022"
LUO = "Luo, Wong, Hwu 2010"
TITAN = "an article on a GTX Titan"
BFS = (
    Step("a thread for every vertex, each round", Schedule("push", frontier="none"), HN),
    Step("a thread for every edge, each round", Schedule("edge"), TEXTBOOK),
    Step("every vertex looks back", Schedule("pull", frontier="none"), TEXTBOOK),
    Step("a queue of the frontier", Schedule("push", frontier="global"), LUO),
    Step("a queue in shared memory first", Schedule("push", frontier="block"), LUO),
    Step("a warp a vertex", Schedule("push", "warp", frontier="block"), "Hong et al. 2011"),
    Step("block, warp or thread by degree", Schedule("push", "bucket", frontier="block"),
         "Merrill, Garland, Grimshaw 2012"),
    Step("edges shared out by binary search", Schedule("push", "search", frontier="block"),
         "Mastrostefano, Bernaschi 2013"),
    Step("push, pull, push", Schedule("hybrid", loop="host"), "Beamer, Asanović, Patterson 2012"),
    Step("rows interleaved for a warp", Schedule("hybrid", layout="aligned"),
         "Monakov, Lokhmotov, Avetisyan 2010"),
    Step("small rounds by one block", Schedule("hybrid", small="block"), LUO),
    Step("all rounds in one kernel", Schedule("hybrid", loop="device"), "Xiao, Feng 2010"),
    Step("as the planner chooses", None, "this project"),
)  # fmt: skip
SSSP = (
    Step("every edge, each round", Schedule("edge"), TITAN),
    Step("each edge once, by segments", Schedule("edge", layout="segmented"), TITAN),
    Step("a thread for every vertex, each round", Schedule("push", frontier="none"), HN),
    Step("edges of the frontier, shared out", Schedule("push", "search"),
         "Mastrostefano, Bernaschi 2013"),
    Step("all rounds in one kernel", Schedule("hybrid", loop="device", order="rounds"),
         "Xiao, Feng 2010"),
    Step("the near ones first", Schedule(order="delta"), "Davidson et al. 2014"),
)  # fmt: skip
LADDERS: dict[str, tuple[Callable[..., Any], tuple[Step, ...]]] = {
    "bfs": (lg.bfs, BFS), "sssp": (lg.sssp, SSSP),
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Climb and record; 0, 1 if an answer was wrong, 2 for bad input."""
    options = parse(arguments)

    def answer() -> None:
        backend = resolve(options.backend)
        for name in options.graph or ["kron16"]:
            with progress(f"{name}: made"):
                G = graph(name, "integer", backend)
            for question in LADDERS:
                found = climb(question, name, G, options)
                print(summary(found), f"  {record.write(found, options.out)}", sep="\n", flush=True)

    return exit_code(answer)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = given.parser_of("story")
    given.graphs(parser, "kron16")
    given.roots(parser, 16)
    given.budget(parser, 3, "of timed searches in each step: no root is begun after it")
    given.place(parser)
    return parser.parse_args(arguments)


def climb(question: str, name: str, G: lg.Graph, options: argparse.Namespace) -> record.Record:
    """The record of one ladder. Raises VerificationError if any result is wrong."""
    search, steps = LADDERS[question]
    roots, check = sampled_roots(G, options.roots, options.seed), Rules(G)
    judge = getattr(check, question)
    rows = []
    for number, step in enumerate(steps):
        with progress(f"{name}: {question}, {number + 1} of {len(steps)}: {step.name}"):
            rows.append(
                taken(partial(search, G, schedule=step.schedule), judge, G, roots, options.budget)
            )
    steps_ = [
        {"name": step.name, "code": code(question, step.schedule),
         "schedule": step.schedule and dataclasses.asdict(step.schedule), **row}
        for step, row in zip(steps, rows)
    ]  # fmt: skip
    return in_order(common(f"story-{question}", label(name), G, options) | rows[-1] | {
        "schedule": steps_[-1]["schedule"], "steps": steps_,
    })  # fmt: skip


def taken(
    search: Callable[[int], Any], judge: Callable[..., None], G: lg.Graph, roots: Sequence[int],
    budget: float,
) -> record.Record:  # fmt: skip
    """The samples of one step, each judged. Every search is made twice, and the second is timed:
    what it compiles, or learns of the graph, the first one pays."""
    times: list[float] = []
    edges: list[int] = []
    for root in roots:
        if sum(times) > budget * 1e3:
            break
        search(root)
        (far, parent), ms = timed(G, partial(search, root))
        judge(root, far, parent)
        times.append(ms)
        edges.append(input_edges(G.out_degree, far))
    done = list(roots[: len(times)])
    return record.samples(done, times, edges) | {"checked_roots": done, "verified": True}


def common(benchmark: str, name: str, G: lg.Graph, options: argparse.Namespace) -> record.Record:
    """What the records of searches share that are judged on the device."""
    return {
        "benchmark": benchmark, "graph": name, "n": G.n, "nedges": G.nedges,
        "backend": G.backend.name, "device": device_name(G.backend),
        **record.made_now(options.commit), "schedule": None, "layout": None, "prepare_ms": None,
        "energy_j": None, "peers": {},
    }  # fmt: skip


def code(question: str, schedule: Schedule | None) -> str:
    """The call, in one line.

    >>> code("bfs", Schedule("push", frontier="none"))
    "lg.bfs(G, s, schedule=lg.Schedule(direction='push', frontier='none'))"
    """
    given = "" if schedule is None else f", schedule=lg.{schedule!r}"
    return f"lg.{question}(G, s{given})"


def summary(found: record.Record) -> str:
    """A few lines for a person who waits."""
    lines = [f"{found['benchmark']} {found['graph']} on {found['device']}, every result verified"]
    for step in found["steps"]:
        lines.append(
            f"  {step['median_ms']:10.3f} ms, {len(step['roots']):2} roots: {step['name']}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
