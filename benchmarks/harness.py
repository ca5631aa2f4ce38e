"""What every question about searches has in common: options, timing, checking, the record."""

from __future__ import annotations

import argparse
import dataclasses
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

import lagraph_gpu as lg
from benchmarks import options as given
from benchmarks import record
from benchmarks.graphs import label, named
from benchmarks.instrument import Instrument, alone_ms, joules
from benchmarks.peers import PEERS, ask
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.cli.timing import (
    Results,
    device_name,
    random_roots,
    timed,
    with_unit_weights,
)
from lagraph_gpu.errors import LagraphError, VerificationError
from lagraph_gpu.generate import WeightKind
from lagraph_gpu.schedule import ORDERS, Schedule
from lagraph_gpu.verify import Verifier

TOGETHER = 16
"""So many searches follow each other before what they found is checked."""


class LaidOut(NamedTuple):
    """A graph in a layout, and the milliseconds that took."""

    graph: lg.Graph
    first_ms: float
    """The first time, in which kernels are compiled or loaded."""
    again_ms: float
    """And again."""


def laid_out(G: lg.Graph, layout: str) -> LaidOut:
    """The graph in a layout; made twice, unless that is its own."""
    if layout == "natural":
        return LaidOut(G, 0.0, 0.0)

    def lay_out() -> tuple[lg.Graph, float]:
        G.backend.synchronize()
        start = time.perf_counter()
        made = G.relabel("degree") if layout == "degree" else G.prepared("degree")
        G.backend.synchronize(made.A._store)
        return made, (time.perf_counter() - start) * 1e3

    first_ms = lay_out()[1]
    made, again_ms = lay_out()
    return LaidOut(made, first_ms, again_ms)


def rows_stay(G: lg.Graph) -> lg.Graph:
    """The graph, whose rows searches in natural ids will not sort by weight however many there are,
    so that all that are timed do the same."""
    if (searches := getattr(G.A._store, "searches", None)) is not None:
        searches.update({1: -np.inf, -1: -np.inf})
    return G


class Searched(NamedTuple):
    root: int
    results: Results
    ms: float


def searched(
    G: lg.Graph, search: Callable[[int], Results], roots: Sequence[int], together: int = TOGETHER
) -> Iterator[Searched]:
    """What each root gives, and its time.

    A check leaves the host's and the device's caches full of other things, which is not what a user
    of many searches meets; so ``together`` of them are made before the first is handed out. So many
    and one more, which the caller still holds, are made ahead: that compiles kernels and leaves
    room in the memory pool. Where memory is short a check takes what the graph keeps for searches,
    so one more is made after it, too.
    """
    made = [search(root) for root in (*roots[:together], roots[0])]
    G.backend.synchronize(*(result._store for results in made for result in results))
    made.clear()
    for first in range(0, len(roots), together):
        if first:
            G.backend.synchronize(*(result._store for result in search(roots[first])))
        some = roots[first : first + together]
        found = [Searched(root, *timed(G, partial(search, root))) for root in some]
        while found:  # held by nobody else
            yield found.pop(0)


def places(vertices: Sequence[int], G: lg.Graph) -> list[int]:
    """Where vertices stand that are given by the ids a graph had before it was relabelled."""
    if G.ids is None:
        return list(vertices)
    return np.argsort(G.ids.to_dense())[list(vertices)].tolist()


@dataclass(frozen=True)
class Question:
    """A search from single roots, and who judges it."""

    name: str
    search: Callable[..., Results]
    judge: Callable[..., None]
    weights: WeightKind


def main(question: Question, arguments: Sequence[str] | None = None) -> int:
    """Answer the question for every graph; 0, 1 if an answer was wrong, 2 for bad input."""
    options = parse(question, arguments)

    def answer() -> None:
        backend = resolve(options.backend)
        for name in options.graph or ["kron16"]:
            found = measure(question, name, backend, options)
            path = record.write(found, options.out)
            print(summary(found), f"  {path}", sep="\n", flush=True)

    return exit_code(answer)


def exit_code(answer: Callable[[], None]) -> int:
    """0 if a question is answered, 1 if an answer was wrong, 2 for bad input, and why on stderr."""
    try:
        answer()
    except VerificationError as wrong:
        print(f"WRONG, so nothing is recorded: {wrong}", file=sys.stderr)
        return 1
    except (LagraphError, OSError, ValueError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    return 0


def parse(question: Question, arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = given.parser_of(question.name)
    given.graphs(parser, "kron16")
    given.roots(parser, 16)
    given.schedule(parser)
    parser.add_argument("--order", choices=ORDERS, help="which entries go on first")
    given.budget(parser, 60, "for each peer")
    given.peers(parser)
    given.place(parser)
    return parser.parse_args(arguments)


def measure(
    question: Question, name: str, backend: Backend, options: argparse.Namespace
) -> record.Record:
    """One graph's record. Raises VerificationError if any sampled result is wrong."""
    with progress(f"{name}: edges"):
        edges = named(name, question.weights)
    with progress(f"{name}: matrix"):
        start = time.perf_counter()
        G = lg.Graph.from_edgelist(edges, "min", backend=backend)
        backend.synchronize(G.A._store)
        prepare_ms = (time.perf_counter() - start) * 1e3
    G = rows_stay(with_unit_weights(G) if question.name == "sssp" else G)
    with progress(f"{name}: layout"):
        G, layout_first_ms, layout_ms = laid_out(G, options.layout)
    prepare_ms = prepare_ms if options.layout == "natural" else layout_ms
    with progress(f"{name}: copy for the verifier"):
        check = Verifier(G)
    degree = check.degree if G.ids is None else check.degree[np.argsort(G.ids.to_dense())]
    roots = places(random_roots(degree, options.roots, options.seed), G)
    if not roots:
        raise LagraphError(f"expected a graph with edges, got none in {name}")
    fixed = options.direction, options.balance, options.loop, options.order
    schedule = Schedule(*fixed) if any(fixed) else None
    search = partial(question.search, G, schedule=schedule)

    times, answers = [], []
    with progress(f"{name}: {len(roots)} searches, and verifying") as update:
        for root, results, ms in searched(G, search, roots):
            question.judge(check, root, *results)
            times.append(ms)
            answers.append((root, check.component_edges(results[0]), results[0]))
            update(len(times), len(roots))
    reached = [edges for _, edges, _ in answers]
    with progress(f"{name}: where the time goes"):
        details = anatomy(G, search, roots, times)
        energy = joules(backend, lambda: [search(root) for root in roots])
    return {
        "benchmark": question.name,
        "graph": label(name),
        "n": G.n,
        "nedges": G.nedges,
        "backend": backend.name,
        "device": device_name(backend),
        **record.made_now(options.commit),
        "schedule": schedule and dataclasses.asdict(schedule),
        "layout": None if options.layout == "natural" else options.layout,
        **record.samples(roots, times, reached),
        "relabelled_ms": times if options.layout == "degree" else None,
        "component_edges": reached,
        "checked_roots": roots,
        "prepare_ms": round(prepare_ms, 3),
        "layout_first_ms": round(layout_first_ms, 3),
        "energy_j": energy and energy / len(roots),
        **details,
        "verified": True,  # a wrong answer raised above
        "peers": ask_peers(question.name, G, check, answers, options),
    }


def anatomy(
    G: lg.Graph, search: Callable[[int], Results], roots: Sequence[int], times: Sequence[float]
) -> record.Record:
    """Further fields, one number a root, from runs of their own: levels, the edges that were looked
    at and the bytes asked for (see ``lg.explain``), launches, waits, the time in kernels,
    outside them, and of the device alone; null where the backend cannot tell."""
    told, watches, alone = [], [], []
    for root in roots:
        with lg.explain() as explained:  # which may take another way, to see every level
            search(root)
        with Instrument(G.backend) as watch:
            search(root)
        told.append(explained.steps)
        watches.append(watch)
        alone.append(alone_ms(G.backend, partial(search, root)))
    kernel_ms = [watch.kernel_ms for watch in watches]
    known = [(t, k) for t, k in zip(times, kernel_ms) if k is not None]
    share = [watch.by_kernel for watch in watches if watch.by_kernel is not None]
    names = sorted({name for part in share for name in part})
    mean = {name: sum(part.get(name, 0.0) for part in share) / len(share) for name in names}
    return {
        "levels": [len(steps) for steps in told],
        "looked": [sum(s.looked or 0 for s in steps) for steps in told],
        "bytes": [sum(s.bytes or 0 for s in steps) for steps in told],
        "launches": None if watches[0].launches is None else [w.launches for w in watches],
        "waits": None if watches[0].waits is None else [w.waits for w in watches],
        "kernel_ms": [round(k, 5) for _, k in known] or None,
        "host_ms": [round(t - k, 5) for t, k in known] or None,
        "alone_ms": None if None in alone else [round(ms, 5) for ms in alone if ms is not None],
        "mean_ms_by_kernel": {name: round(ms, 5) for name, ms in mean.items()} or None,
    }


def ask_peers(
    question: str,
    G: lg.Graph,
    check: Verifier,
    answers: Sequence[tuple[int, int, lg.Vector]],
    options: argparse.Namespace,
) -> record.Record:
    entries: record.Record = {}
    for name in PEERS:
        if not options.peers:
            entries[name] = {"absent": "not asked"}
            continue
        with progress(f"asking {name}"):
            entries[name] = ask(name, question, G, check, answers, options.budget)
    return entries


def summary(found: record.Record) -> str:
    """A few lines for a person who waits."""
    lines = [
        f"{found['benchmark']} {found['graph']} on {found['device']}: "
        f"{found['median_ms']:.3f} ms a root (median of {len(found['roots'])}), "
        f"{found['gteps_harmonic_mean']} GTEPS, every result verified"
    ]
    for name, peer in found["peers"].items():
        if "absent" in peer:
            lines.append(f"  {name}: absent ({peer['absent']})")
        else:
            right = "same answers" if peer["verified"] else "OTHER ANSWERS"
            note = f", {peer['note']}" if "note" in peer else ""
            lines.append(f"  {name}: {peer['median_ms']:.3f} ms, {right}{note}")
    return "\n".join(lines)
