"""How the cluster backend scales, from records: ``python -m benchmarks.cluster_page``.

The tables stand between two marker lines of the page, the picture beside it. There are two models.
That of PageRank has three numbers: the bandwidth of NCCL and the time of the same rounds on one
GPU, which are measured, and what an exchange costs besides, which is taken from one graph
(`FITTED`) on as many GPUs and then used for all others. That of searches has the same, with what
each level costs besides, taken from the smallest graph on as many GPUs.
"""

from __future__ import annotations

import math
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.cluster import ROUNDS
from benchmarks.record import RESULTS, Record
from benchmarks.report import exchange, newest, page_program, read, three_digits
from benchmarks.story_page import finish, save

PAGE = Path("docs/explanation/scaling-of-the-cluster.md")
FITTED, PREDICTED = "kron24", "kron26"
NETWORK = 50.0
"""Gigabytes a second between hosts for each GPU beyond `ON_HOST`: assumed, not measured."""
ON_HOST, MANY = 8, (1, 2, 4, 8, 16, 64, 256, 1024)
RANK_BYTES = 8


def main() -> int:
    """Renew the page's tables and picture; 2 if there is no page, or a record is none."""

    def page() -> None:
        exchange(PAGE, tables(recorded(), shared(), on_processors()))
        draw(PAGE.parent)

    return page_program(page, __doc__)


def recorded(folder: Path = RESULTS) -> list[Record]:
    """The newest verified records of the cluster on GPUs of one host, by NCCL, of the newest day of
    each question."""
    found = [r for r in newest(read(folder)) if r["benchmark"].startswith("cluster")]
    found = [r for r in found if r["verified"] and r["transport"] in ("nccl", "none")]
    found = [r for r in found if not r["layout"] or r["layout"] == "ranges"]
    days = {r["benchmark"]: r["date"] for r in sorted(found, key=lambda r: r["date"])}
    return sorted(
        (r for r in found if r["date"] == days[r["benchmark"]]),
        key=lambda r: (r["benchmark"], r["n"], r["graph"], r["processes"]),
    )


def shared(folder: Path = RESULTS) -> list[Record]:
    """The newest verified records of processes that share a GPU."""
    found = [r for r in newest(read(folder)) if r["benchmark"] == "cluster" and r["verified"]]
    found = [r for r in found if " on 1 x " in r["device"]]
    return sorted(found, key=lambda r: (r["graph"], r["processes"]))


def on_processors(folder: Path = RESULTS) -> list[Record]:
    """The newest records of processes with CPUs, without those that were found wrong."""
    found = [r for r in newest(read(folder)) if r["benchmark"] == "cluster" and r.get("threads")]
    found = [r for r in found if r["verified"] is not False]
    return sorted(found, key=lambda r: (r["graph"], r["processes"]))


def calls(records: Iterable[Record]) -> list[Record]:
    """Those of `benchmarks.cluster` over a graph worth it."""
    return [r for r in records if r["benchmark"] == "cluster" and r["n"] >= 1 << 20]


def searches(records: Iterable[Record]) -> list[Record]:
    """Those of `benchmarks.cluster_rows`."""
    return [r for r in records if r["benchmark"] == "cluster-rows" and r["n"] >= 1 << 24]


def rows(record: Record) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """For each algorithm the row of one GPU, and that of all processes."""
    one = {m["case"]: m for m in record["measurements"] if m["by"].startswith("one ")}
    return {m["case"]: (one[m["case"]], m) for m in record["measurements"] if "exchanges" in m}


def bandwidth(records: Sequence[Record]) -> float:
    """Bytes a millisecond that come to a GPU from another one of its host, by NCCL."""
    between = next(r["collectives"] for r in records if r.get("collectives"))
    times = {m["bytes"]: m["us"] for m in between if m.get("transport") == "nccl"}
    small, large = sorted(times)[-2:]
    return float((large - small) / (times[large] - times[small]) * 1e3)


class Model:
    """The milliseconds of a PageRank on several GPUs."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.bytes_per_ms = bandwidth(records)
        self.fitted = {r["processes"]: r for r in calls(records) if r["graph"] == FITTED}
        self.measured = {}
        """What an exchange costs besides on so many GPUs, in milliseconds."""
        for parts, record in self.fitted.items():
            one, all_of_them = rows(record)["pagerank"]
            known = self.moved(one["median_ms"], record["n"], parts)
            self.measured[parts] = (all_of_them["median_ms"] - known) / all_of_them["exchanges"]

    def of_exchange(self, parts: int) -> float:
        """Where it was not measured it grows as the logarithm of the number of GPUs."""
        most = max(self.measured)
        return self.measured.get(parts, self.measured[most] * math.log(parts, most))

    def moved(self, alone: float, n: int, parts: int, beyond: float | None = None) -> float:
        """A share of the work, and the ranks that come in each round."""
        comes = ROUNDS * n * RANK_BYTES * (parts - 1) / parts
        return alone / parts + comes / (beyond or self.bytes_per_ms)

    def predicted(self, alone: float, n: int, parts: int, exchanges: int) -> float:
        """On a grid of parts × 1."""
        if parts == 1:
            return alone
        beyond = NETWORK * 1e6 if parts > ON_HOST else None
        return self.moved(alone, n, parts, beyond) + exchanges * self.of_exchange(parts)


class SearchModel:
    """The milliseconds of a search of a Kronecker graph on several GPUs: the time of one GPU, which
    doubles with each scale, divided by their number; the bytes that a GPU sends; and so much for
    each level, which depends on the number of GPUs alone. The smallest graph on as many GPUs tells
    it: the exchanges and barriers of a level, and what the hosts do before and after the launch.
    """

    def __init__(self, records: Sequence[Record]) -> None:
        self.bytes_per_ms = bandwidth(records)
        found = searches(records)
        self.one = next(r for r in found if r["processes"] == 1)
        fitted = {r["processes"]: r for r in reversed(found) if r["processes"] > 1}
        self.fitted = {parts: fitted[parts] for parts in sorted(fitted)}
        self.of_level = {
            parts: (r["median_ms"] - self._known(r)) / len(r["levels"])
            for parts, r in self.fitted.items()
        }

    def _known(self, record: Record) -> float:
        alone = self.one["median_ms"] * record["n"] / self.one["n"]
        sent = record["bytes_sent"] / record["processes"]
        return float(alone / record["processes"] + sent / self.bytes_per_ms)

    def predicted(self, record: Record) -> float:
        if record["processes"] == 1:
            return float(self.one["median_ms"] * record["n"] / self.one["n"])
        return self._known(record) + len(record["levels"]) * self.of_level[record["processes"]]


def wrapped(text: str) -> list[str]:
    return ["", *textwrap.wrap(text, 104), ""]


def table(head: Sequence[str], body: Iterable[Sequence[str]], words: int = 1) -> list[str]:
    """A Markdown table, whose first columns are words."""
    rule = "| --- " * words + "| ---: " * (len(head) - words) + "|"
    return [f"| {' | '.join(head)} |", rule, *(f"| {' | '.join(line)} |" for line in body)]


def off(told: float, right: float) -> str:
    return f"{(told - right) / right:+.0%}"


def tables(
    records: Sequence[Record], on_one: Sequence[Record] = (), cpus: Sequence[Record] = ()
) -> str:
    """Markdown: what was measured, and the models beside it."""
    device = calls(records)[0]["device"].partition(" x ")[2]
    lines = [*of_calls(records, device), *of_pagerank(records)]
    if searches(records):
        lines += of_searches(records)
    return "\n".join([*lines, *of_transports(records), *of_shared(on_one), *of_processors(cpus)])


def of_calls(records: Sequence[Record], device: str) -> list[str]:
    """One GPU and several, for each graph and algorithm."""
    about = (
        f"Milliseconds on GPUs of one host, {device} (median): one GPU by its own backend, and "
        f"several together; of searches from random vertices, and of {ROUNDS} rounds of PageRank. "
        "All results were compared with those of one GPU."
    )
    body = [
        [r["graph"], case, str(r["processes"]), *map(three_digits, (
            one["median_ms"], both["median_ms"], one["median_ms"] / both["median_ms"])),
         str(both["exchanges"]), three_digits(both["bytes_sent"] / 1e6)]
        for r in calls(records) for case, (one, both) in rows(r).items()
    ]  # fmt: skip
    head = ["graph", "algorithm", "GPUs", "one GPU", "all", "times as fast",
            "exchanges of the hosts", "megabytes sent"]  # fmt: skip
    return [*wrapped(about)[1:], *table(head, body, 2)]


def of_pagerank(records: Sequence[Record]) -> list[str]:
    """The model beside what was measured, and where it leads."""
    model = Model(records)
    about = (
        f"The model of PageRank: the time of one GPU divided by their number, the ranks that come "
        f"to a GPU at {three_digits(model.bytes_per_ms / 1e6)} GB a second (NCCL, measured), and "
        f"for each exchange {costs(model.measured)} GPUs, which is what {FITTED} needs on as many; "
        f"the others were not used for it."
    )
    body = []
    for r in calls(records):
        if "pagerank" in rows(r):
            one, both = rows(r)["pagerank"]
            right = both["median_ms"]
            told = model.predicted(one["median_ms"], r["n"], r["processes"], both["exchanges"])
            body.append([r["graph"], str(r["processes"]), three_digits(right), three_digits(told),
                         off(told, right)])  # fmt: skip
    lines = [*wrapped(about), *table(["graph", "GPUs", "measured", "by the model", "off by"], body)]
    measured = max(r["processes"] for r in calls(records))
    about = (
        f"And where that leads for {PREDICTED}, and for a graph that grows with the number of GPUs "
        f"from {PREDICTED} on; none of it was measured beyond {measured} GPUs. Beyond {ON_HOST} "
        f"GPUs the ranks come over a network, of {NETWORK:g} GB a second for each GPU; and what an "
        f"exchange costs besides grows as the logarithm of their number (both assumed)."
    )
    led = foreseen(records, model)
    body = [
        [f"{parts:,}", *map(three_digits, (same, led[0][1] / same, growing))]
        for parts, same, growing in led
    ]
    head = ["GPUs", "the same graph, ms", "times as fast", "growing, ms"]
    return [*lines, *wrapped(about), *table(head, body, 0)]


def constant_work(found: Sequence[Record]) -> list[Record]:
    """The searches of the longest series of graphs that grow with the number of GPUs."""
    series: dict[int, list[Record]] = {}
    for r in found:
        series.setdefault(r["n"] // r["processes"], []).append(r)
    return max(series.values(), key=len)


def of_constant_work(found: Sequence[Record]) -> list[str]:
    """Weak scaling of a search."""
    first, *others = constant_work(found)
    if first["processes"] != 1 or not others:
        return []
    about = (
        f"Weak scaling, the same searches: each GPU has as many vertices as {first['graph']} has "
        "on one. The share is the rate of a GPU, of that of one alone."
    )
    rate = first["gteps_harmonic_mean"]
    body = [
        [str(r["processes"]), r["graph"], three_digits(r["median_ms"]),
         three_digits(r["gteps_harmonic_mean"]),
         three_digits(r["gteps_harmonic_mean"] / r["processes"]),
         f"{r['gteps_harmonic_mean'] / r['processes'] / rate:.0%}"]
        for r in (first, *others)
    ]  # fmt: skip
    head = ["GPUs", "graph", "ms", "GTEPS", "GTEPS a GPU", "share"]
    return [*wrapped(about), *table(head, body)]


def of_searches(records: Sequence[Record]) -> list[str]:
    """Graphs that are made in parts: strong and weak scaling of a search."""
    found = searches(records)
    alone = {r["graph"]: r["median_ms"] for r in found if r["processes"] == 1}
    about = (
        "Breadth-first searches of Kronecker graphs (levels and parents, median), whose rows are "
        "made where they belong, when all roots have been searched before. Every search was "
        "checked by Graph500's rules. A rate counts the input edges that were reached, harmonic "
        "mean."
    )
    body = [
        [r["graph"], str(r["processes"]), three_digits(r["prepare_ms"] / 1e3),
         three_digits(r["median_ms"]), three_digits(r["gteps_harmonic_mean"]),
         three_digits(alone[r["graph"]] / r["median_ms"]) if r["graph"] in alone else "",
         three_digits(r["bytes_sent"] / 1e6), str(len(r["levels"]) if r["processes"] > 1 else "")]
        for r in found
    ]  # fmt: skip
    head = [
        "graph",
        "GPUs",
        "made in s",
        "ms",
        "GTEPS",
        "times as fast",
        "megabytes sent",
        "levels",
    ]
    lines = [*wrapped(about), *table(head, body), *of_constant_work(found)]
    if {1, 2} <= {r["processes"] for r in found}:
        model = SearchModel(records)
        about = (
            f"The model of a search: the time of one GPU for {model.one['graph']}, which doubles "
            f"with each scale, divided by their number; the bytes that a GPU sends, at the same "
            f"bandwidth; and for each level {costs(model.of_level)}, which is what "
            f"{next(iter(model.fitted.values()))['graph']} needs on as many GPUs; the others were "
            "not used for it."
        )
        body = [
            [r["graph"], str(r["processes"]), three_digits(r["median_ms"]),
             three_digits(told := model.predicted(r)), off(told, r["median_ms"])]
            for r in found if r["processes"] > 1
        ]  # fmt: skip
        head = ["graph", "GPUs", "measured", "by the model", "off by"]
        lines += [*wrapped(about), *table(head, body)]
    return lines


def costs(of_parts: Mapping[int, float]) -> str:
    """What something costs on each number of GPUs, in words."""
    return " and ".join(f"{three_digits(ms * 1e3)} µs on {parts}" for parts, ms in of_parts.items())


def of_transports(records: Sequence[Record]) -> list[str]:
    """What it takes to gather arrays on all GPUs."""
    measured = {
        r["processes"]: r["collectives"] for r in records if r.get("collectives")
    }  # one for each number of processes
    if not measured:
        return []
    about = (
        "To gather an array of so many bytes from each GPU on all of them, in microseconds (mean "
        "of 50): by NCCL, by stores of a kernel into the memory of the others, by CUDA IPC with an "
        "agreement of the hosts, and through the hosts."
    )
    names = ("nccl", "stores", "ipc", "host")
    body = []
    for parts, between in sorted(measured.items()):
        times = {(m["transport"], m.get("bytes")): m.get("us") for m in between}
        for size in sorted({m["bytes"] for m in between if m.get("bytes")}):
            found = [times.get((name, size)) for name in names]
            body.append(
                [str(parts), f"{size:,}", *(three_digits(us) if us else "" for us in found)]
            )
    return [*wrapped(about), *table(["GPUs", "bytes of each", *names], body, 0)]


def of_shared(records: Sequence[Record]) -> list[str]:
    """Several processes on one GPU."""
    if not records:
        return []
    about = (
        f"Several processes that share one {records[0]['device'].partition(' x ')[2]}, in "
        "milliseconds (median); all results were compared with those of one process. The GPU "
        "switches between the processes, which takes it some 0.3 ms in each exchange, so these "
        "times say what sharing costs and nothing about several GPUs."
    )
    cases = ("bfs", "sssp", "pagerank", "components")
    body = [
        [r["graph"], str(r["processes"]),
         *(three_digits(rows(r)[case][1]["median_ms"]) for case in cases)]
        for r in records
    ]  # fmt: skip
    return [*wrapped(about), *table(["graph", "processes", *cases], body)]


def of_processors(records: Sequence[Record]) -> list[str]:
    """Several processes with CPUs on processors of which one process has all."""
    alone = {r["graph"]: r for r in records if r["processes"] == 1}
    several = [r for r in records if r["processes"] > 1 and r["graph"] in alone]
    if not several:
        return []
    device = several[0]["device"].partition(" x ")[2]
    threads = alone[several[0]["graph"]]["threads"]
    about = (
        f"Processes of one thread that share {threads} processors ({device}, a virtual machine), "
        f"beside one process of {threads} threads, in milliseconds (median), and how many times as "
        "long they take; all results were compared with those of one process."
    )
    body = []
    for r in several:
        one = {m["case"]: m["median_ms"] for m in alone[r["graph"]]["measurements"]}
        body += [
            [r["graph"], case, str(r["processes"]), *map(three_digits, (
                one[case], both["median_ms"], both["median_ms"] / one[case]))]
            for case, (_, both) in rows(r).items()
        ]  # fmt: skip
    head = ["graph", "algorithm", "processes", "one process", "all", "times as long"]
    return [*wrapped(about), *table(head, body, 2)]


def foreseen(records: Sequence[Record], model: Model) -> list[tuple[int, float, float]]:
    """For each number of GPUs the milliseconds on one graph, and on one that grows with it."""
    r = next(r for r in calls(records) if r["graph"] == PREDICTED)
    one, both = rows(r)["pagerank"]
    alone, n, exchanges = one["median_ms"], r["n"], both["exchanges"]
    return [
        (parts, model.predicted(alone, n, parts, exchanges),
         model.predicted(alone * parts, n * parts, parts, exchanges))
        for parts in MANY
    ]  # fmt: skip


def draw(folder: Path) -> None:
    """The models against the number of GPUs, and what was measured."""
    from matplotlib.figure import Figure

    records = recorded()
    figure = Figure(figsize=(7, 7), layout="constrained")
    above, below = figure.subplots(2)
    draw_pagerank(above, records)
    draw_searches(below, records)
    save(figure, folder / "cluster-scaling.svg")


def draw_pagerank(axes: Any, records: Sequence[Record]) -> None:
    model = Model(records)
    graphs = sorted({r["graph"] for r in calls(records) if r["graph"].startswith("kron")})
    for k, name in enumerate(graphs):
        found = [r for r in calls(records) if r["graph"] == name and "pagerank" in rows(r)]
        one, both = rows(found[0])["pagerank"]
        alone, exchanges = one["median_ms"], both["exchanges"]
        told = [model.predicted(alone, found[0]["n"], parts, exchanges) for parts in MANY]
        several = [(r["processes"], rows(r)["pagerank"][1]["median_ms"]) for r in found]
        axes.plot(MANY, told, "-", color=f"C{k}", label=f"{name}, model")
        axes.plot(*zip((1, alone), *several), "o", color=f"C{k}", label="measured")
    axes.set_xscale("log", base=2)
    finish(axes, "GPUs", f"milliseconds for {ROUNDS} rounds of PageRank", letters=7)


def draw_searches(axes: Any, records: Sequence[Record]) -> None:
    model, found = SearchModel(records), searches(records)
    for k, name in enumerate(sorted({r["graph"] for r in found})):
        of_graph = [r for r in found if r["graph"] == name]
        parts = [r["processes"] for r in of_graph]
        told = [model.predicted(r) for r in of_graph]
        axes.plot(parts, told, "x--", color=f"C{k}", label=f"{name}, model")
        measured = [r["median_ms"] for r in of_graph]
        axes.plot(parts, measured, "o", color=f"C{k}", label="measured")
    axes.set_xticks([1, 2, 4])
    finish(axes, "GPUs", "milliseconds for a search", letters=7)


if __name__ == "__main__":
    sys.exit(main())
