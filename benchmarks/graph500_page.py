"""How the time of searches grows, from records: ``python -m benchmarks.graph500_page``.

The table stands between two marker lines of the how-to on Graph500, the picture beside the page. No
number is typed by hand.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.record import RESULTS, Record
from benchmarks.report import exchange, milliseconds, newest, read, renewed
from benchmarks.story_page import finish, save

PAGE = Path("docs/how-to/graph500.md")
QUESTIONS = {"graph500-bfs": "bfs", "graph500-sssp": "sssp"}
LAYOUTS = {None: "natural", "prepared": "prepared", "degree": "relabelled"}
LINES = {(name, layout): f"{QUESTIONS[name]}, {LAYOUTS[layout]}"
         for name in QUESTIONS for layout in LAYOUTS}  # fmt: skip
"""What is compared, and how it is called."""
PARTS = ("parents", "levels", "distances")


def main() -> int:
    """Renew the page's table and picture; 2 if there is no page, or a record is none."""

    def page() -> None:
        exchange(PAGE, table(recorded()))
        draw(PAGE.parent)

    return renewed(page)


def recorded(folder: Path = RESULTS) -> list[Record]:
    """The newest verified records of Graph500 on a GPU; shortest paths by whole weights."""
    return [
        r
        for r in newest(read(folder))
        if r["benchmark"] in QUESTIONS and r["backend"] == "gpu" and r["verified"]
        if r["benchmark"] == "graph500-bfs" or r["weights"] == "integer"
    ]


def grown(records: Iterable[Record]) -> dict[int, dict[str, Record]]:
    """For each scale the record of each line, smallest graph first."""
    found: dict[int, dict[str, Record]] = {}
    for r in records:
        if scale := re.fullmatch(r"kron(\d+)", r["graph"]):
            line = LINES[r["benchmark"], r["layout"]]
            found.setdefault(int(scale[1]), {})[line] = r
    return dict(sorted(found.items()))


def table(records: Iterable[Record]) -> str:
    """Markdown: a row a scale; of each line the median time and the harmonic mean of the rates."""
    found = grown(records)
    shown = [line for line in LINES.values() if any(line in rows for rows in found.values())]
    lines = ["Milliseconds a search (median), and billions of edges a second (harmonic mean), of "
             f"64 searches on {devices(found)}.", "",
             "| vertices | edges drawn | " + " | ".join(shown) + " |",
             "| ---: | ---: |" + " ---: |" * len(shown)]  # fmt: skip
    for scale, rows in found.items():
        drawn = next(iter(rows.values()))["drawn_edges"]
        cells = (both(rows[line]) if line in rows else "" for line in shown)
        lines.append(f"| 2^{scale} | {drawn:,} | " + " | ".join(cells) + " |")
    return "\n".join(lines + in_parts(found))


def in_parts(found: dict[int, dict[str, Record]]) -> list[str]:
    """A second table, of the parts of a search alone; none if no record has any."""
    cells = {
        scale: {
            f"{part}, {LAYOUTS[r['layout']]}": both(times)
            for r in rows.values()
            for part, times in r.get("parts", {}).items()
        }
        for scale, rows in found.items()
    }
    cells = {scale: row for scale, row in cells.items() if row}
    names = [f"{part}, {layout}" for part in PARTS for layout in LAYOUTS.values()]
    shown = [name for name in names if any(name in row for row in cells.values())]
    if not shown:
        return []
    lines = ["", "Parts of them alone, in the same way:", "",
             "| vertices | " + " | ".join(shown) + " |",
             "| ---: |" + " ---: |" * len(shown)]  # fmt: skip
    for scale, row in cells.items():
        lines.append(f"| 2^{scale} | " + " | ".join(row.get(name, "") for name in shown) + " |")
    return lines


def devices(found: dict[int, dict[str, Record]]) -> str:
    return ", ".join(sorted({r["device"] for rows in found.values() for r in rows.values()}))


def both(r: Record) -> str:
    return f"{milliseconds(r['median_ms'])} ({r['gteps_harmonic_mean']:.3g})"


def draw(folder: Path) -> None:
    """The median time against the scale, a line for each question and layout."""
    from matplotlib.figure import Figure

    found = grown(recorded())
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes, dashes = figure.subplots(), dict(zip(LAYOUTS.values(), ("-", ":", "--")))
    for line in LINES.values():
        rows = {scale: rows[line]["median_ms"] for scale, rows in found.items() if line in rows}
        question, _, layout = line.partition(", ")
        colour = f"C{list(QUESTIONS.values()).index(question)}"
        axes.plot(list(rows), list(rows.values()), dashes[layout], marker=".", color=colour,
                  label=line)  # fmt: skip
    finish(axes, "vertices, log2", "milliseconds a search")
    save(figure, folder / "growth.svg")


if __name__ == "__main__":
    sys.exit(main())
