"""What a batch of sources gains, from the records: ``python -m benchmarks.many_page``.

The table stands between two marker lines of the how-to on tables of distances, the picture beside
the page. No number is typed by hand.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from benchmarks.record import RESULTS, Record
from benchmarks.report import exchange, newest, page_program, read
from benchmarks.story_page import finish, save

PAGE = Path("docs/how-to/distance-table.md")
WAYS = {
    "{} by weight": "",
    "{} by weight, heap": ", a heap for each",
    "{} by weight, contracted": ", contracted",
    "{} by edges": ", edges counted",
}
"""The cases of a record that are shown, and how they are called."""


class Line(NamedTuple):
    """A graph's tables in one way: the row of the record for each number of sources."""

    name: str
    graph: str
    rows: dict[int, Record]


def main() -> int:
    """Renew the page's table and picture; 2 if there is no page, or a record is none."""

    def page() -> None:
        exchange(PAGE, table(recorded()))
        draw(PAGE.parent)

    return page_program(page, __doc__)


def recorded(folder: Path = RESULTS) -> list[Record]:
    """The newest records of tables on a GPU."""
    return [r for r in newest(read(folder)) if (r["benchmark"], r["backend"]) == ("many", "gpu")]


def lines(records: Iterable[Record]) -> list[Line]:
    """Of each graph every way that was measured, verified rows only."""
    found = []
    for r in records:
        ours = {m["case"]: m for m in r["measurements"] if m["by"] == "lagraph-gpu"}
        counts = sorted({m["sources"] for m in ours.values() if m["verified"]})
        for case, name in WAYS.items():
            rows = {k: ours[case.format(k)] for k in counts if case.format(k) in ours}
            if rows:
                found.append(Line(r["graph"] + name, r["graph"], rows))
    return found


def table(records: list[Record]) -> str:
    """Markdown: sources a second, of some batches, and the memory of the largest."""
    shown = lines(records)
    every = sorted({k for line in shown for k in line.rows})
    counts = [k for k in every if (every[-1] // k).bit_length() % 4 == 1]  # 16 times the one before
    head = ["sources a second from", *(f"{k:,}" for k in counts), "MiB announced", "taken"]
    text = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    for line in shown:
        rates = [f"{line.rows[k]['sources_per_s']:,.0f}" if k in line.rows else "" for k in counts]
        largest = line.rows[max(line.rows)]
        sizes = largest.get("announced_bytes"), largest.get("peak_bytes")
        held = ["" if b is None else f"{b / 2**20:,.0f}" for b in sizes]
        text.append("| " + " | ".join([line.name, *rates, *held]) + " |")
    devices = ", ".join(sorted({r["device"] for r in records}))
    about = f"On {devices}; the memory is that of the largest batch. " + "".join(
        map(break_even, records)
    )
    return "\n".join([*textwrap.wrap(about, 104), "", *text])


def break_even(r: Record) -> str:
    """After how many sources a contraction has paid, at the speeds of the largest batch that was
    measured with and without it; nothing where there is none."""
    ours = {line.name[len(line.graph) :]: line.rows for line in lines([r])}
    without, over = ours.get("", {}), ours.get(", contracted", {})
    if "contract_ms" not in r or not without.keys() & over.keys():
        return ""
    k = max(without.keys() & over.keys())
    gain = without[k]["ms_a_source"] - over[k]["ms_a_source"]
    after = "saves no time"
    if gain > 0:
        after = f"saves time from {round(r['contract_ms'] / gain, -3):,.0f} sources on"
    return (f"The contraction of {r['graph']} took {r['contract_ms'] / 1e3:.1f} s. With "
            f"batches of {k:,} sources it {after}. ")  # fmt: skip


def draw(folder: Path) -> None:
    """Sources per second against the size of the batch; a colour a graph."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes, shown = figure.subplots(), [line for line in lines(recorded()) if len(line.rows) > 1]
    graphs = list(dict.fromkeys(line.graph for line in shown))
    dashes = dict(zip(WAYS.values(), ("-", ":", "--", "-.")))
    for line in shown:
        rates = [row["sources_per_s"] for row in line.rows.values()]
        axes.plot(list(line.rows), rates, dashes[line.name[len(line.graph) :]], marker=".",
                  color=f"C{graphs.index(line.graph)}", label=line.name)  # fmt: skip
    axes.set_xscale("log", base=2)
    finish(axes, "sources of a table", "sources a second", letters=7)
    save(figure, folder / "sources.svg")


if __name__ == "__main__":
    sys.exit(main())
