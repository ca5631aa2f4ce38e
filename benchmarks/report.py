"""The tables of results, from the records: ``python -m benchmarks.report``.

A few figures beside their best peers stand in the README, all searches and operations on the page
of all figures, each table between two marker lines; everything else stays as it is. Of several
records of one question, graph, layout and device the newest counts, and of marks the newest of each
case.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks import cliffs
from benchmarks.marks import MARKS, PEERS, Mark
from benchmarks.record import RESULTS, Record, faults

NOTES = Path("docs/performance-records.md")
HEADER = ("question", "graph", "vertices", "edges", "ms a root", "GTEPS", "best peer")
OPERATIONS = ("question", "operation", "graph", "ms", "of copy speed", "best peer",
              "times as fast")  # fmt: skip
OURS = "lagraph-gpu"
MILLION = 2**20
SLOWEST = "slowest pairs (times the yardstick)"
WORDS = {"question", "operation", "what", "graph", "best peer", "elsewhere", "shape", SLOWEST}
"""The columns that hold no numbers."""
Peer = tuple[float, str]
NONE_YET = "There are no records yet."


class Figure(NamedTuple):
    """A figure of the README: where its record is, and how it is called there. A search has no
    case."""

    question: str
    graph: str
    case: str | None
    what: str
    where: str


FIGURES = (
    Figure("bfs", "kron20", None, "breadth-first search", "power law"),
    Figure("sssp", "kron20", None, "shortest paths", "power law"),
    Figure("sssp", "USA-road-d.NY.dedup", None, "shortest paths", "roads of New York"),
    Figure("mxm", "grid2048", "A A", "matrix times matrix", "lattice"),
    Figure("mxv", "random22", "plus_times", "matrix times vector", "uniform"),
)
"""What users ask first; the last is the one where least is gained."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the records")
    parser.add_argument("--readme", type=Path, default=Path("README.md"), help="file to change")
    parser.add_argument("--notes", type=Path, default=NOTES, help="file with operations' table")
    options = parser.parse_args(arguments)

    def pages() -> None:
        records = newest(read(options.results))
        exchange(options.readme, figures(records))
        exchange(options.notes, table(searches(records)), "searches")
        exchange(options.notes, operations(calls(records)))
        exchange(options.notes, search_costs(records), "search-costs")
        exchange(options.notes, marks(records), "marks")
        exchange(options.notes, shapes(records), "shapes")

    return renewed(pages)


def renewed(pages: Callable[[], None]) -> int:
    """The exit code of renewing pages: 2 if one is not there, or a record is none."""
    try:
        pages()
    except (OSError, ValueError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    return 0


def page_program(page: Callable[[], None], about: str | None) -> int:
    """`renewed` as a program without options, which tells its use."""
    argparse.ArgumentParser(description=about).parse_args()
    return renewed(page)


def exchange(path: Path, middle: str, name: str = "benchmarks") -> None:
    """Put a table between the markers of a file, whole or not at all."""
    text = path.read_text(encoding="utf-8")
    new = replaced(text, middle, name)
    if new != text:
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        draft.write_text(new, encoding="utf-8")
        draft.replace(path)


def read(folder: Path) -> list[Record]:
    """Every record in the folder; ValueError names a file that is none."""
    records = []
    for path in sorted(folder.glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        if found := faults(record):
            raise ValueError(f"{path.name}: {'; '.join(found)}")
        records.append(record)
    return records


def newest(records: Iterable[Record]) -> list[Record]:
    """One record for each question, graph, layout and device, in that order. Cases of marks that a
    newer record was not asked for stay as they were measured last."""
    latest: dict[tuple[str, str, str, str], Record] = {}
    for record in sorted(records, key=lambda r: r["date"]):
        key = record["benchmark"], record["graph"], record["layout"] or "", record["device"]
        if record["benchmark"] == "marks" and key in latest:
            rows, asked = record["measurements"], {row["case"] for row in record["measurements"]}
            rows = [*rows, *(m for m in latest[key]["measurements"] if m["case"] not in asked)]
            record = record | {"measurements": rows}
        latest[key] = record
    return [latest[key] for key in sorted(latest)]


def searches(records: Iterable[Record]) -> list[Record]:
    """Those of searches as a user calls them, in graphs of a million vertices and more; the story's
    stand on its page, smaller graphs on that of Graph500."""
    searched = (r for r in records if r["roots"] is not None and r["n"] >= MILLION)
    searched = (r for r in searched if r["benchmark"] != "cluster-rows")  # a page of their own
    return [r for r in searched if not {"steps", "series"} & r.keys()]


def calls(records: Iterable[Record]) -> list[Record]:
    """Those of other calls; tables of distances stand in their how-to, marks and shapes in tables
    of their own, and other libraries on a page of theirs."""
    elsewhere = "many", "marks", "cliffs", "compare"
    return [r for r in records if r["roots"] is None and r["benchmark"] not in elsewhere]


def grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---" if name in WORDS else "---:" for name in head]]
    lines += [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def by_device(head: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    """A table for each device that comes before a row."""
    devices: dict[str, list[Sequence[str]]] = {}
    for device, row in rows:
        devices.setdefault(device, []).append(row)
    parts = [f"On {name}:\n\n{grid(head, held)}" for name, held in devices.items()]
    return "\n\n".join(parts) or NONE_YET


def figures(records: Sequence[Record]) -> str:
    """Markdown of a few verified results, those with a record, beside their fastest right peers."""
    rows = []
    for figure in FIGURES:
        for r in records:
            if (r["benchmark"], r["graph"], r["layout"]) != (figure.question, figure.graph, None):
                continue
            ms, peer = beside(r, figure.case)
            if ms is not None and peer is not None:
                where = f"{figure.where}, {r['nedges']:,} edges"
                rows.append((r["device"], (figure.what, where, three_digits(ms), named(peer))))
    return by_device(("what", "graph", "ms", "best peer"), rows)


def beside(r: Record, case: str | None) -> tuple[float | None, Peer | None]:
    """Our time in a record of a search, or in one case of another call, and its fastest peer."""
    if case is None:
        return (r["median_ms"] if r["verified"] else None), fastest(r["peers"].items())
    ran = [(m["by"], m) for m in r["measurements"] if m["case"] == case]
    ours = fastest(one for one in ran if one[0] == OURS)
    return ours and ours[0], fastest(one for one in ran if one[0] != OURS)


def fastest(peers: Iterable[tuple[str, Record]]) -> Peer | None:
    """The fastest with the right answers: its time and its name."""
    return min(((p["median_ms"], name) for name, p in peers if p.get("verified")), default=None)


def named(peer: Peer) -> str:
    return f"{peer[1]}, {three_digits(peer[0])} ms"


def table(records: Sequence[Record]) -> str:
    """Markdown; only verified results are shown."""
    rows = []
    for r in records:
        if not r["verified"]:
            continue
        rate = r["gteps_harmonic_mean"]
        cells = (r["benchmark"], laid_out(r), f"{r['n']:,}", f"{r['nedges']:,}",
                 three_digits(r["median_ms"]), "-" if rate is None else three_digits(rate),
                 best_peer(r["peers"]))  # fmt: skip
        rows.append((r["device"], cells))
    return by_device(HEADER, rows)


def laid_out(r: Record) -> str:
    """The graph of a record, and its layout."""
    return r["graph"] if r["layout"] is None else f"{r['graph']}, {r['layout']}"


def operations(records: Sequence[Record]) -> str:
    """Markdown of every verified way of ours, beside the fastest right peer of its case."""
    rows = []
    for r in records:
        for row in r["measurements"]:
            if row["by"] != OURS or "absent" in row or not row["verified"]:
                continue
            peers = [
                (p["median_ms"], f"{p['by']}, {p['operation']}")
                for p in r["measurements"]
                if p["case"] == row["case"] and p["by"] != row["by"] and p.get("verified")
            ]
            ms, name = min(peers, default=(None, "none present"))
            beside = name if ms is None else f"{name}: {three_digits(ms)} ms"
            faster = "-" if ms is None else f"{ms / row['median_ms']:.2f}"
            share = "-" if row["of_copy"] is None else f"{row['of_copy']:.0%}"
            walked = f" [{d}]" if (d := row.get("direction")) else ""
            what = f"{row['case']}: `{row['operation']}`{walked}"
            cells = (r["benchmark"], what, r["graph"], three_digits(row["median_ms"]), share,
                     beside, faster)  # fmt: skip
            rows.append((r["device"], cells))
    return by_device(OPERATIONS, rows)


def search_costs(records: Sequence[Record]) -> str:
    """Markdown: what searches look at and ask the memory for, beside the time they take; medians
    over roots."""
    head = ("question", "graph", "rounds", "edges looked at, millions", "MB asked for",
            "at copy speed, ms", "kernels, ms", "the call, ms")  # fmt: skip
    rows = []
    for r in records:
        inside = r.get("anatomy", r)
        if not r["verified"] or not inside.get("bytes") or not inside.get("kernel_ms"):
            continue
        speeds = [s["copy_gb_per_s"] for s in records
                  if s["device"] == r["device"] and s.get("copy_gb_per_s")]  # fmt: skip
        rounds, looked, nbytes, kernels = (
            statistics.median(inside[key]) for key in ("levels", "looked", "bytes", "kernel_ms")
        )
        floor = three_digits(nbytes / max(speeds) / 1e6) if speeds else "-"
        cells = (r["benchmark"], laid_out(r), f"{rounds:g}", three_digits(looked / 1e6),
                 f"{nbytes / 1e6:,.0f}", floor, three_digits(kernels),
                 three_digits(r["median_ms"]))  # fmt: skip
        rows.append(cells)
    return grid(head, rows)


def best_peer(peers: Record) -> str:
    """The fastest peer with the right answers."""
    if peer := fastest(peers.items()):
        return named(peer)
    wanted = any(p.get("absent") != "not asked" for p in peers.values())
    return "none present" if wanted else "–"


def marks(records: Sequence[Record]) -> str:
    """Markdown: each mark, the time when it was set, what is wanted, and the newest record."""
    head = ("what", "graph", "before, ms", "wanted, ms", "now, ms", "best peer", "elsewhere")
    rows = []
    for mark in MARKS:
        for r in records:
            same = r["graph"] == mark.graph.replace(" ", "-") and r["backend"] == mark.on
            if r["benchmark"] != "marks" or not same:
                continue
            now, peer = beside(r, mark.case)
            if now is None:
                continue
            wanted = bound_of(mark, r, peer)
            cells = (mark.case, mark.graph, *("–" if x is None else three_digits(x)
                     for x in (mark.before, wanted)), three_digits(now),
                     "–" if peer is None else named(peer), mark.peer or "–")  # fmt: skip
            rows.append((r["device"], cells))
    return by_device(head, rows)


def bound_of(mark: Mark, r: Record, peer: Peer | None) -> float | None:
    """What a mark allows in milliseconds, in this record."""
    if mark.of is None or mark.wanted is None:
        return mark.wanted
    other = peer and peer[0] if mark.of == PEERS else beside(r, mark.of)[0]
    return None if other is None else mark.wanted * other


def shapes(records: Iterable[Record]) -> str:
    """Markdown: for each shape its pairs, those that are cliffs, and the highest of them."""
    head = ("shape", "algorithms", f"beyond {cliffs.CLIFF} times", SLOWEST)
    rows = []
    for r in (r for r in records if r["benchmark"] == "cliffs"):
        pairs = Counter(row["operation"] for row in cliffs.asked(r))
        highest: dict[str, list[Record]] = {shape: [] for shape in pairs}
        for row in cliffs.beyond(r):
            highest[row["operation"]].append(row)
        for shape, found in highest.items():
            slowest = ", ".join(
                f"{row['case']} {three_digits(row['median_ms'])} ms ({row['of_yardstick']:.0f})"
                for row in found[:3]
            )
            rows.append((r["device"], (shape, str(pairs[shape]), str(len(found)), slowest or "–")))
    return by_device(head, rows)


def three_digits(value: float) -> str:
    """A figure in three digits, or whole.

    >>> [three_digits(x) for x in (0.12345, 99.9, 1234.5)]
    ['0.123', '99.9', '1,234']
    """
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def markers(name: str = "benchmarks") -> tuple[str, str]:
    """The lines around a table."""
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"


def replaced(text: str, middle: str, name: str = "benchmarks") -> str:
    """The text with what lies between the markers exchanged."""
    first, last = markers(name)
    head, begin, rest = text.partition(first)
    _, end, tail = rest.partition(last)
    if not begin or not end:
        raise ValueError(f"expected the lines {first} and {last} around the table, found none")
    return f"{head}{begin}\n{middle}\n{end}{tail}"


if __name__ == "__main__":
    sys.exit(main())
