"""The story's tables and pictures, from its records: ``python -m benchmarks.story_page``.

The tables stand between two marker lines of the page, the pictures beside it. No number is typed by
hand.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.record import RESULTS, Record
from benchmarks.report import exchange, newest, page_program, read, three_digits
from benchmarks.rmat_series import ratio
from benchmarks.story import LADDERS

PAGE = Path("docs/explanation/from-one-thread-to-resident.md")
TITLES = {"story-bfs": "Breadth-first search", "story-sssp": "Shortest paths"}
SERIES = "sssp-series"
COLOUR, LAST, PEER = "#4477aa", "#228833", "#ee6677"


def main() -> int:
    """Renew the page's tables and pictures; 2 if there is no page, or a record is none."""

    def page() -> None:
        exchange(PAGE, tables(recorded()))
        draw(PAGE.parent)

    return page_program(page, __doc__)


def draw(folder: Path) -> None:
    """The pictures of the page."""
    for name in TITLES:
        draw_steps(name, folder / f"{name}.svg")
    draw_series(folder / "story-series.svg")


def recorded(folder: Path = RESULTS) -> list[Record]:
    """The newest records of the story, Kronecker graphs before lattices."""
    found = [r for r in newest(read(folder)) if r["benchmark"] in (*TITLES, SERIES)]
    return sorted(found, key=lambda r: r["graph"], reverse=True)


def tables(records: Sequence[Record]) -> str:
    """Markdown: the steps of each question on each graph, and the series."""
    parts = [steps_table(name, [r for r in records if r["benchmark"] == name]) for name in TITLES]
    parts += [series_table(r) for r in records if r["benchmark"] == SERIES]
    return "\n".join(parts)


def steps_table(benchmark: str, records: Sequence[Record]) -> str:
    """Medians; and of the last step how many times as fast as the first it is."""
    if not records:
        return ""
    places = [f"{r['graph']}, ms" for r in records]
    gains = [r["steps"][0]["median_ms"] / r["median_ms"] for r in records]
    on = ", and ".join(f"{gain:,.0f} times on {r['graph']}" for gain, r in zip(gains, records))
    lines = [f"{TITLES[benchmark]}, on {records[0]['device']}. "
             f"From the first step to the last: {on}.", "",
             "| step | schedule | source | " + " | ".join(places) + " |",
             "| --- | --- | --- |" + " ---: |" * len(records)]  # fmt: skip
    sources = {step.name: step.source for _, steps in LADDERS.values() for step in steps}
    for rows in zip(*(r["steps"] for r in records), strict=True):
        step = rows[0]
        call = step["code"].partition("schedule=")[2].removesuffix(")") or "None"
        cells = [step["name"], f"`{call}`", sources[step["name"]], *(times(row) for row in rows)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def times(step: Record) -> str:
    """The median; with the number of roots where there was not time for many."""
    few = len(step["roots"])
    note = f" ({few} root{'s' * (few > 1)})" if few < 8 else ""
    return three_digits(step["median_ms"]) + note


def series_table(record: Record) -> str:
    """Minimum, mean and maximum at each scale, and Dijkstra's mean beside ours."""
    row = record["series"][0]
    lines = ["Shortest paths with a tree, average degree 32, real weights, "
             f"{len(row['roots'])} sources, on {record['device']}; SciPy on one core of "
             f"{row['scipy']['device']}.", "",
             "| vertices | edges | minimum, ms | mean, ms | maximum, ms | SciPy, ms | times |",
             "| ---: |" + " ---: |" * 6]  # fmt: skip
    for row in record["series"]:
        peer, beside = row["scipy"], ("-", "-")
        if "absent" not in peer:
            beside = three_digits(peer["mean_ms"]), f"{ratio(row):,.0f}"
        own = (three_digits(row[f"{which}_ms"]) for which in ("min", "mean", "max"))
        cells = f"2^{row['scale']}", f"{row['nedges']:,}", *own, *beside
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def draw_steps(benchmark: str, file: Path) -> None:
    """Bars, a panel for each graph: the steps from above to below, milliseconds to the right."""
    from matplotlib.figure import Figure

    records = [r for r in recorded() if r["benchmark"] == benchmark]
    steps = [step["name"] for step in records[0]["steps"]]
    figure = Figure(figsize=(5 + 3 * len(records), 1.2 + 0.3 * len(steps)), layout="constrained")
    panels = figure.subplots(1, len(records), squeeze=False, sharey=True)[0]
    for axes, r in zip(panels, records):
        medians = [step["median_ms"] for step in r["steps"]]
        bars = axes.barh(steps, medians, color=[COLOUR] * (len(steps) - 1) + [LAST], log=True)
        axes.bar_label(bars, [three_digits(ms) for ms in medians], padding=3, fontsize=8)
        axes.set_xlim(min(medians) / 3, 3 * max(medians))
        axes.set_xlabel("milliseconds a search")
        axes.set_title(r["graph"], loc="left", fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].invert_yaxis()
    save(figure, file)


def draw_series(file: Path) -> None:
    """The mean over the sources against the scale, between minimum and maximum, beside SciPy's."""
    from matplotlib.figure import Figure

    (r,) = (r for r in recorded() if r["benchmark"] == SERIES)
    rows, figure = r["series"], Figure(figsize=(7, 3.6), layout="constrained")
    axes, scale = figure.subplots(), [row["scale"] for row in rows]
    low, high = ([row[f"{which}_ms"] for row in rows] for which in ("min", "max"))
    axes.fill_between(scale, low, high, color=LAST, alpha=0.25, lw=0)
    axes.plot(scale, [row["mean_ms"] for row in rows], color=LAST, marker=".", label=r["device"])
    there = [row for row in rows if "absent" not in row["scipy"]]
    means = [statistics.fmean(row["scipy"]["samples_ms"]) for row in there]
    axes.plot(
        [row["scale"] for row in there], means, color=PEER, marker=".", label="SciPy, one core"
    )
    finish(axes, "vertices, log2", "milliseconds a source")
    save(figure, file)


def finish(axes, across: str, up: str, letters: int = 8) -> None:  # type: ignore[no-untyped-def]
    """Lines over a logarithmic scale, with their legend; of these pages and of others."""
    axes.set_yscale("log")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=letters, frameon=False)


def save(figure, file: Path) -> None:  # type: ignore[no-untyped-def]  # matplotlib has no types
    """As SVG whose text is text, the same each time."""
    from matplotlib import rc_context

    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "story"}):
        figure.savefig(file, metadata={"Date": None})


if __name__ == "__main__":
    sys.exit(main())
