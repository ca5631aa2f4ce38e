"""How the cluster backend scales, from records: ``python -m benchmarks.cluster_page``.

The tables stand between two marker lines of the page, the picture beside it. The model of PageRank
has three numbers: the bandwidth of NCCL and the time of the same rounds on one GPU, which are
measured, and what the host spends for each exchange, which is taken from one of the records
(`FITTED`) and then used for all others.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.cluster import ROUNDS
from benchmarks.record import RESULTS, Record
from benchmarks.report import exchange, newest, read, renewed, three_digits
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
        exchange(PAGE, tables(recorded()))
        draw(PAGE.parent)

    return renewed(page)


def recorded(folder: Path = RESULTS) -> list[Record]:
    """The newest verified records of the cluster on GPUs of one host."""
    found = [r for r in newest(read(folder)) if r["benchmark"] == "cluster" and r["verified"]]
    return [r for r in found if r["transport"] == "nccl"]


def rows(record: Record) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """For each algorithm the row of one GPU, and that of all processes."""
    one = {m["case"]: m for m in record["measurements"] if m["by"].startswith("one ")}
    return {m["case"]: (one[m["case"]], m) for m in record["measurements"] if "exchanges" in m}


def bandwidth(records: Sequence[Record]) -> float:
    """Bytes a millisecond that come to a GPU from another one of its host, by NCCL."""
    between = next(r["collectives"] for r in records if r["collectives"])
    times = {m["bytes"]: m["us"] for m in between if m.get("transport") == "nccl"}
    small, large = sorted(times)[-2:]
    return float((large - small) / (times[large] - times[small]) * 1e3)


class Model:
    """The milliseconds of a PageRank on several GPUs."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.bytes_per_ms = bandwidth(records)
        fitted = next(r for r in records if r["graph"] == FITTED)
        one, all_of_them = rows(fitted)["pagerank"]
        known = self.moved(one["median_ms"], fitted["n"], fitted["processes"])
        self.of_exchange = (all_of_them["median_ms"] - known) / all_of_them["exchanges"]

    def moved(self, alone: float, n: int, parts: int, beyond: float | None = None) -> float:
        """A share of the work, and the ranks that come in each round."""
        comes = ROUNDS * n * RANK_BYTES * (parts - 1) / parts
        return alone / parts + comes / (beyond or self.bytes_per_ms)

    def predicted(self, alone: float, n: int, parts: int, exchanges: int) -> float:
        """On a grid of parts × 1."""
        if parts == 1:
            return alone
        beyond = NETWORK * 1e6 if parts > ON_HOST else None
        return self.moved(alone, n, parts, beyond) + exchanges * self.of_exchange


def tables(records: Sequence[Record]) -> str:
    """Markdown: what was measured, and the model beside it."""
    model = Model(records)
    device = records[0]["device"].replace(" x ", " ")
    about = (
        f"Milliseconds on {device} of one host (median), one GPU by its own backend and both "
        f"together: of searches from random vertices, and of {ROUNDS} rounds of PageRank. All "
        "results of both were compared with those of one GPU."
    )
    lines = [*textwrap.wrap(about, 104), "", "| graph | algorithm | one GPU | two | times as fast |"
             " exchanges | megabytes sent |", "| --- | --- |" + " ---: |" * 5]  # fmt: skip
    for r in records:
        for case, (one, both) in rows(r).items():
            cells = [one["median_ms"], both["median_ms"], one["median_ms"] / both["median_ms"]]
            lines.append(
                f"| {r['graph']} | {case} | {' | '.join(map(three_digits, cells))} | "
                f"{both['exchanges']} | {three_digits(both['bytes_sent'] / 1e6)} |"
            )
    about = (
        f"The model of PageRank: the time of one GPU divided by their number, the ranks that come "
        f"to a GPU at {three_digits(model.bytes_per_ms / 1e6)} GB a second (NCCL, measured), and "
        f"{three_digits(model.of_exchange * 1e3)} µs of the hosts for each exchange, which is "
        f"what {FITTED} needs; the other graphs were not used for it."
    )
    lines += ["", *textwrap.wrap(about, 104), ""]
    lines += ["| graph | two GPUs, measured | by the model | off by |", "| --- |" + " ---: |" * 3]
    for r in records:
        if "pagerank" in rows(r):
            one, both = rows(r)["pagerank"]
            right = both["median_ms"]
            told = model.predicted(one["median_ms"], r["n"], r["processes"], both["exchanges"])
            lines.append(
                f"| {r['graph']} | {three_digits(right)} | {three_digits(told)} | "
                f"{(told - right) / right:+.0%} |"
            )
    about = (
        f"And where that leads for {PREDICTED}, and for a graph that grows with the number of GPUs "
        f"from {PREDICTED} on; none of it was measured beyond two GPUs. Beyond {ON_HOST} GPUs the "
        f"ranks come over a network, of {NETWORK:g} GB a second for each GPU (assumed)."
    )
    lines += ["", *textwrap.wrap(about, 104), ""]
    lines += ["| GPUs | the same graph, ms | times as fast | growing, ms |", "|" + " ---: |" * 4]
    for parts, same, growing in foreseen(records, model):
        first = foreseen(records, model)[0][1]
        cells = [same, first / same, growing]
        lines.append(f"| {parts:,} | {' | '.join(map(three_digits, cells))} |")
    return "\n".join(lines)


def foreseen(records: Sequence[Record], model: Model) -> list[tuple[int, float, float]]:
    """For each number of GPUs the milliseconds on one graph, and on one that grows with it."""
    r = next(r for r in records if r["graph"] == PREDICTED)
    one, both = rows(r)["pagerank"]
    alone, n, exchanges = one["median_ms"], r["n"], both["exchanges"]
    return [
        (parts, model.predicted(alone, n, parts, exchanges),
         model.predicted(alone * parts, n * parts, parts, exchanges))
        for parts in MANY
    ]  # fmt: skip


def draw(folder: Path) -> None:
    """The model against the number of GPUs, and what was measured."""
    from matplotlib.figure import Figure

    records = recorded()
    model = Model(records)
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for k, r in enumerate(r for r in records if r["graph"].startswith("kron")):
        one, both = rows(r)["pagerank"]
        alone = one["median_ms"]
        predicted = [model.predicted(alone, r["n"], parts, both["exchanges"]) for parts in MANY]
        axes.plot(MANY, predicted, "-", color=f"C{k}", label=f"{r['graph']}, model")
        axes.plot([1, 2], [alone, both["median_ms"]], "o", color=f"C{k}", label="measured")
    axes.set_xscale("log", base=2)
    finish(axes, "GPUs", f"milliseconds for {ROUNDS} rounds of PageRank", letters=7)
    axes.legend(fontsize=7, frameon=False, ncols=2, loc="upper right")
    save(figure, folder / "cluster-scaling.svg")


if __name__ == "__main__":
    sys.exit(main())
