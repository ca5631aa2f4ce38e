"""How the time of searches grows, from records: ``python -m benchmarks.graph500_page``.

The table stands between two marker lines of the how-to on Graph500, the picture beside the page. No
number is typed by hand.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.record import RESULTS, Record
from benchmarks.report import exchange, newest, page_program, read, three_digits
from benchmarks.story_page import finish, save

PAGE = Path("docs/how-to/graph500.md")
QUESTIONS = {"graph500-bfs": "bfs", "graph500-sssp": "sssp"}
LAYOUTS = {None: "natural", "prepared": "prepared", "degree": "relabelled"}
PARTS = ("parents", "levels", "distances")


def main() -> int:
    """Renew the page's table and picture; 2 if there is no page, or a record is none."""

    def page() -> None:
        exchange(PAGE, table(recorded()))
        draw(PAGE.parent)

    return page_program(page, __doc__)


def recorded(folder: Path = RESULTS) -> list[Record]:
    """The newest verified records of Graph500 on a GPU; shortest paths by whole weights. Rows that
    were made by ranges are in docs/performance-records.md alone."""
    return [
        r
        for r in newest(read(folder))
        if r["benchmark"] in QUESTIONS and r["backend"] == "gpu" and r["verified"]
        if r["layout"] in LAYOUTS
        if r["benchmark"] == "graph500-bfs" or r["weights"] == "integer"
    ]


def grown(records: Iterable[Record]) -> dict[tuple[str, str], dict[int, Record]]:
    """The times of each question in each layout by scale, the smallest graph first."""
    found: dict[tuple[str, str], dict[int, Record]] = {}
    for r in records:
        if scale := re.fullmatch(r"kron(\d+)", r["graph"]):
            for question, times in {QUESTIONS[r["benchmark"]]: r, **r.get("parts", {})}.items():
                found.setdefault((question, LAYOUTS[r["layout"]]), {})[int(scale[1])] = times
    return {line: dict(sorted(rows.items())) for line, rows in found.items()}


def table(records: Sequence[Record]) -> str:
    """Markdown: a table a question, a row a scale; the median time and the harmonic mean of the
    rates."""
    devices = ", ".join(sorted({r["device"] for r in records}))
    about = (
        "Milliseconds a search (median), and billions of edges a second (harmonic mean), of 64 "
        f"searches on {devices}; 16 edges are drawn for each vertex. The last three tables are "
        "parts of the searches alone."
    )
    lines = textwrap.wrap(about, 104)
    found = grown(records)
    for question in (*QUESTIONS.values(), *PARTS):
        rows = {layout: found[question, layout] for layout in LAYOUTS.values()
                if (question, layout) in found}  # fmt: skip
        if rows:
            lines += ["", f"| {question}, vertices | {' | '.join(rows)} |",
                      "| ---: |" + " ---: |" * len(rows)]  # fmt: skip
        for scale in sorted({scale for row in rows.values() for scale in row}):
            cells = (both(row[scale]) if scale in row else "" for row in rows.values())
            lines.append(f"| 2^{scale} | {' | '.join(cells)} |")
    return "\n".join(lines)


def both(r: Record) -> str:
    return f"{three_digits(r['median_ms'])} ({three_digits(r['gteps_harmonic_mean'])})"


def draw(folder: Path) -> None:
    """The median time against the scale, a line for each question and layout."""
    from matplotlib.figure import Figure

    found = grown(recorded())
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes, dashes = figure.subplots(), dict(zip(LAYOUTS.values(), ("-", ":", "--")))
    for k, question in enumerate(QUESTIONS.values()):
        for layout, dash in dashes.items():
            rows = {scale: r["median_ms"] for scale, r in found.get((question, layout), {}).items()}
            axes.plot(list(rows), list(rows.values()), dash, marker=".", color=f"C{k}",
                      label=f"{question}, {layout}")  # fmt: skip
    finish(axes, "vertices, log2", "milliseconds a search")
    save(figure, folder / "growth.svg")


if __name__ == "__main__":
    sys.exit(main())
