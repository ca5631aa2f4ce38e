"""Other libraries beside this one, from the records: ``python -m benchmarks.compare_page``.

The tables stand between marker lines of `docs/comparison.md`: where a peer was faster, all times,
which tasks each library has a function for, and the figures on a GPU. No number is typed by hand.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

from benchmarks.compare import CASES
from benchmarks.compare_functions import DOCUMENTED, LIBRARIES, TASKS, found
from benchmarks.record import RESULTS, Record
from benchmarks.report import OURS, exchange, figures, newest, page_program, read, three_digits

PAGE = Path("docs/comparison.md")
NAMES = {
    "lagraph-gpu": "lagraph-gpu",
    "scipy": "SciPy",
    "igraph": "igraph",
    "networkit": "NetworKit",
    "rustworkx": "rustworkx",
    "networkx": "NetworkX",
}
GRAPHS = {
    "kron14": "power law",
    "grid256": "lattice",
    "USA-road-d.NY.dedup": "roads of New York",
}
NEARLY = 1.05
"""So many times as fast is ahead; less is as fast."""


def main() -> int:
    """Renew the page's tables; 2 if there is no page, or a record is none."""

    def page() -> None:
        every = newest(read(RESULTS))
        held = recorded(every)
        exchange(PAGE, ahead(held), "ahead")
        exchange(PAGE, times(held), "times")
        exchange(PAGE, functions(held), "functions")
        exchange(PAGE, figures(every), "gpu")

    return page_program(page, __doc__)


def recorded(records: Iterable[Record]) -> list[Record]:
    """The comparisons, in the order of GRAPHS."""
    found = {r["graph"]: r for r in records if r["benchmark"] == "compare"}
    return [found[graph] for graph in GRAPHS if graph in found]


def least(r: Record, case: str) -> dict[str, float]:
    """The least time of each library with the right result."""
    return {
        m["by"]: min(m["samples_ms"])
        for m in r["measurements"]
        if m["case"] == case and "absent" not in m and m["verified"]
    }


def ahead(records: list[Record]) -> str:
    """Markdown: each task and graph where a peer took less time, those farthest ahead first."""
    rows = []
    for r in records:
        for case, what in CASES.items():
            ms = least(r, case)
            ours = ms.pop(OURS)
            rows += [
                (ours / took, f"| {what} | {GRAPHS[r['graph']]} | {three_digits(ours)} | "
                f"{NAMES[by]}, {three_digits(took)} | {ours / took:.2f} |")
                for by, took in ms.items() if ours / took > NEARLY
            ]  # fmt: skip
    head = "| task | graph | ours, ms | theirs, ms | times as fast |"
    rule = "| --- | --- | ---: | ---: | ---: |"
    return "\n".join([head, rule, *(text for _, text in sorted(rows, reverse=True))])


def times(records: list[Record]) -> str:
    """Markdown: a table for each graph; the least time of each row is bold."""
    parts = []
    for r in records:
        versions = ", ".join(f"{NAMES[by]} {v}" for by, v in r["versions"].items() if by != OURS)
        title = GRAPHS[r["graph"]]
        about = (
            f"**{title[0].upper()}{title[1:]}**, {r['n']:,} vertices and {r['nedges']:,} edges. "
            f"Milliseconds of the processor on one core of {r['device']}, {r['date']}; {versions}."
        )
        lines = [f"| | {' | '.join(NAMES.values())} |", "| --- |" + " ---: |" * len(NAMES)]
        for case, what in CASES.items():
            ms = least(r, case)
            cells = [three_digits(ms[by]) if by in ms else "–" for by in NAMES]
            best = three_digits(min(ms.values()))
            lines.append(
                f"| {what} | {' | '.join(f'**{c}**' if c == best else c for c in cells)} |"
            )
        parts.append("\n".join([*textwrap.wrap(about, 104), "", *lines]))
    return "\n\n".join(parts)


def functions(records: list[Record]) -> str:
    """Markdown: which library has a function for which task."""
    held = records[0]["functions"] | {"lagraph-gpu": found("lagraph-gpu")}  # ours of today
    told = {name: tasks.split("/") for name, tasks in DOCUMENTED.items()}
    heads = [*NAMES.values(), *told]
    lines = [f"| | {' | '.join(heads)} |", "| --- |" + " --- |" * len(heads)]
    for task in TASKS:
        tasks = [*(held[library] or () for library in LIBRARIES), *told.values()]
        marks = ["✓" if task in known else "" for known in tasks]
        lines.append(f"| {task} | {' | '.join(marks)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
