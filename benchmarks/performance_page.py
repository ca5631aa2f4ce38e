"""Pages on performance, from the records: ``python -m benchmarks.performance_page``.

The tables stand between marker lines of `docs/performance.md` and `docs/performance-notes.md`. What
other systems took, what was wanted and what an older version took is written here; what this
version takes is not.
"""

from __future__ import annotations

import datetime
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.graph500 import SPECIFIED
from benchmarks.record import RESULTS, Record
from benchmarks.report import OURS, exchange, newest, page_program, read, three_digits

PAGE, NOTES = Path("docs/performance.md"), Path("docs/performance-notes.md")
DEVICE, HOST = "NVIDIA H200", "AMD EPYC"
NEW_YORK = "USA-road-d.NY.dedup"
PREPARED, RELABELLED = "prepared", "degree"
NONE = "–"


class Figures:
    """The newest records, by what is asked of them. A figure that no record has is None; the dates
    of the records that were asked are kept."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.held = {
            (r["benchmark"], r["graph"], r["layout"], r["device"]): r
            for r in records
            if r["verified"]
        }
        self.dates: set[str] = set()

    def record(
        self, benchmark: str, graph: str, layout: str | None = None, device: str = DEVICE
    ) -> Record | None:
        found = self.held.get((benchmark, graph, layout, device))
        if found is not None:
            self.dates.add(found["date"])
        return found

    def search(self, question: str, graph: str, layout: str | None = None) -> Record | None:
        """A search that finds levels or distances and parents."""
        benchmark = f"graph500-{question}" if graph.startswith("kron") else question
        return self.record(benchmark, graph, layout)

    def part(self, part: str, graph: str, layout: str | None) -> Record | None:
        """Levels, parents or distances alone: of Graph500, and of lattices by events."""
        if graph.startswith("kron"):
            of = "graph500-sssp" if part == "distances" else "graph500-bfs"
            found = self.record(of, graph, layout)
            return found and found.get("parts", {}).get(part)
        return self.row("closures", graph, f"{part}, {layout or 'natural'}")

    def row(
        self, benchmark: str, graph: str, case: str, by: str = OURS, device: str = DEVICE
    ) -> Record | None:
        """A verified row of a record's measurements; of several by a peer the fastest."""
        found = self.record(benchmark, graph, device=device)
        rows = [
            m
            for m in (found or {}).get("measurements", ())
            if (m["case"], m["by"]) == (case, by) and m.get("verified")
        ]
        return min(rows, key=lambda m: m["median_ms"], default=None)

    def made(self) -> str:
        """When the records were made that have been asked since the last time."""
        days = [datetime.date.fromisoformat(day) for day in sorted(self.dates)]
        self.dates.clear()
        if not days:
            return ""
        first, last = (f"{day.day} {day:%B %Y}" for day in (days[0], days[-1]))
        return f"The records are of {first}" + (f" to {last}." if first != last else ".")


def main() -> int:
    """Renew the tables of both pages; 2 if there is no page, or a record is none."""

    def pages() -> None:
        for page, tables in made(newest(read(RESULTS))).items():
            for name, text in tables.items():
                exchange(page, text, name)

    return page_program(pages, __doc__)


def made(records: Sequence[Record]) -> dict[Path, dict[str, str]]:
    """The tables of each page by the names of their markers."""
    f = Figures(records)
    return {
        PAGE: {
            "searches": searches(f),
            "tables": distance_tables(f),
            "algorithms": algorithms(f),
            "wanted": wanted(f),
        },
        NOTES: {"searches": before_and_now(f), "parts": in_parts(f), "sizes": sizes(f)},
    }


def ms(found: Record | None, share: int = 1) -> str:
    """A median, or a share of it."""
    if found is None or "absent" in found:
        return NONE
    return three_digits(found["median_ms"] / share)


def table(
    head: Sequence[str], words: int, rows: Iterable[Sequence[str]], *after: str | None
) -> str:
    """A table whose first columns are words, as is one of others; and text below it."""
    marks = ["---" if k < words or name == "others" else "---:" for k, name in enumerate(head)]
    lines = [f"| {' | '.join(line)} |" for line in (head, marks, *rows)]
    said = " ".join(filter(None, after))
    return "\n".join([*lines, *(["", *textwrap.wrap(said, 118)] if said else [])])


SEARCHES = (
    ("bfs", "kron22",
     "BLEST 0.323, or 0.353 without reordering for 49 s; GSWITCH 0.610; cuGraph 2.03"),
    ("bfs", "kron24", "BLEST 1.06; GSWITCH 1.24; cuGraph 3.61"),
    ("bfs", "kron26", ""),
    ("bfs", "grid2048", "BLEST 15.3"),
    ("bfs", NEW_YORK, "BLEST 2.57; SciPy, on the CPU, {scipy}; GSWITCH 10.3"),
    ("sssp", "kron22", "GSWITCH 7.65, distances alone; ours {alone}"),
    ("sssp", "kron24", "GSWITCH 38.6, distances alone; ours {alone}"),
    ("sssp", "kron26", ""),
    ("sssp", "grid2048", "ADDS 18.9, distances alone; ours {alone}"),
    ("sssp", NEW_YORK, "GSWITCH 31; SciPy, on the CPU, {scipy}"),
)  # fmt: skip
"""Questions, graphs, and milliseconds of others."""


def called(graph: str) -> str:
    return "New York" if graph == NEW_YORK else graph


def searches(f: Figures) -> str:
    """Single searches in each layout, beside others."""
    rows = []
    for question, graph, others in SEARCHES:
        whole = f.search(question, graph)
        beside = {
            "scipy": ms((whole or {}).get("peers", {}).get("scipy")),
            "alone": ms(f.row("closures", graph, "distances, natural")),
        }
        laid_out = (ms(f.search(question, graph, layout)) for layout in (PREPARED, RELABELLED))
        rows.append((f"`{question}`", called(graph), ms(whole), *laid_out, others.format(**beside)))
    kron24 = f.search("sssp", "kron24", RELABELLED)
    took = None if kron24 is None else three_digits(kron24["layout_ms"])
    relabelled = took and f"To relabel kron24 with weights takes {took} ms."
    head = "search", "graph", "ms", "prepared", "relabelled", "others"
    return table(head, 2, rows, relabelled, f.made())


def distance_tables(f: Figures) -> str:
    """Milliseconds a source of tables of distances, and of other searches from many sources."""

    def each(found: Record | None) -> str:
        return NONE if found is None else three_digits(found["ms_a_source"])

    def scipy(graph: str, device: str = DEVICE) -> str:
        found = f.row("many", graph, "2 by weight", "scipy", device)
        return NONE if found is None else f"SciPy {each(found)}"

    def contraction(graph: str, device: str) -> str:
        found = f.record("many", graph, device=device)
        return "" if found is None else f" in {found['contract_ms'] / 1e3:.1f} s on a CPU"

    contracted = "1024 by weight, contracted"
    rows = [
        ("New York", "1,024", each(f.row("many", NEW_YORK, "1024 by weight")), scipy(NEW_YORK)),
        (f"New York, contracted once{contraction(NEW_YORK, DEVICE)}", "1,024",
         each(f.row("many", NEW_YORK, contracted)), NONE),
        ("the same on two cores of an AMD EPYC", "1,024",
         each(f.row("many", "NY", contracted, device=HOST)), scipy("NY", HOST)),
        ("grid512", "2,048", each(f.row("many", "grid512", "2048 by weight")),
         "; ".join(("CUPQ 0.55", scipy("grid512")))),
        ("grid1024", "512", each(f.row("many", "grid1024", "512 by weight")),
         "; ".join(("CUPQ 9.07", scipy("grid1024")))),
    ]  # fmt: skip
    levels, closeness = f.row("many", "kron22", "256 by edges"), f.row(
        "algorithms", "kron18", "closeness")  # fmt: skip
    said = (
        f"256 breadth-first searches of kron22 take {ms(levels)} ms together. Closeness of all "
        f"vertices of a Kronecker graph of scale 18 takes {ms(closeness)} ms."
    )
    head = "table of distances", "sources", "ms a source", "others"
    return table(head, 1, rows, said, f.made())


ALGORITHMS = (
    ("connected_components", "kron22", "components", 1, "ECL-CC 1.97"),
    ("connected_components", "grid2048", "components", 1, ""),
    ("strongly_connected_components", "kron22", "strong components", 1, "ECL-SCC 7.1"),
    ("strongly_connected_components", "grid2048", "strong components", 1, "ECL-SCC 483"),
    ("minimum_spanning_tree", "kron22", "spanning forest", 1, "ECL-MST 16.6"),
    ("minimum_spanning_tree", "grid2048", "spanning forest", 1, "ECL-MST 4.9"),
    ("maximal_independent_set", "kron22", "independent set", 1, "ECL-MIS 1.03"),
    ("greedy_color", "kron22", "colouring", 1, "ECL-GC 28.8"),
    ("triangle_count", "kron22", "triangles", 1, "TRUST 92.7"),
    ("core_number", "kron22", "cores", 1, ""),
    ("pagerank`, a round", "kron22", "pagerank", 10, ""),
    ("label_propagation`, a round", "kron22", "label propagation", 10, ""),
    ("betweenness_centrality`, a source", "kron22", "betweenness", 4, ""),
    ("louvain`, with weights", "kron22", "communities", 1, ""),
)
"""Functions, graphs, cases of the record, rounds or sources of a call, milliseconds of others."""


def algorithms(f: Figures) -> str:
    """Algorithms that are no single search, beside others."""
    rows = []
    for name, graph, case, share, others in ALGORITHMS:
        found = louvain(f) if case == "communities" else f.row("algorithms", graph, case)
        called_so = f"`{name}" if "`" in name else f"`{name}`"
        rows.append((called_so, graph, ms(found, share), others))
    return table(("algorithm", "graph", "ms", "others"), 2, rows, f.made())


def louvain(f: Figures) -> Record | None:
    """Louvain's method on kron22 by the newer one of the two records that have it."""
    places = ("algorithms", "communities"), ("marks", "louvain")
    held = [
        (found["date"], benchmark, case)
        for benchmark, case in places
        if (found := f.held.get((benchmark, "kron22", None, DEVICE))) is not None
        and f.row(benchmark, "kron22", case) is not None
    ]
    if not held:
        return None
    date, benchmark, case = max(held)
    f.dates -= {day for day, *_ in held if day != date}
    return f.row(benchmark, "kron22", case)


class Aim(NamedTuple):
    """What is looked at, the figures on some graphs, and what is wanted of each."""

    what: str
    reached: Sequence[float | None]
    aims: Sequence[float]
    form: str = "{}"
    most: bool = False
    """Is more wanted, and not less?"""

    def __str__(self) -> str:
        return ", ".join(self.form.format(three_digits(x)) for x in self.reached if x is not None)

    @property
    def missed(self) -> bool:
        pairs = [(x, y) for x, y in zip(self.reached, self.aims) if x is not None]
        return any(x < y if self.most else x > y for x, y in pairs)


def aims(f: Figures) -> list[Aim]:
    """What is wanted, where it was missed once."""

    def median(found: Record | None) -> float | None:
        return None if found is None else float(found["median_ms"])

    def quotient(x: float | None, y: float | None) -> float | None:
        return None if x is None or y is None else x / y

    def of_copy(graph: str) -> float | None:
        found = f.row("ewise", graph, "matrices")
        return None if found is None else 100 * float(found["of_copy"])

    def times_cusparse(case: str) -> float | None:
        theirs = median(f.row("mxv", "random22", case, "cupyx"))
        return quotient(theirs, median(f.row("mxv", "random22", case)))

    def distances(graph: str, layout: str) -> float | None:
        return median(f.part("distances", graph, layout))

    own = f.row("closures", "grid2048", "widest, a user's own")
    min_plus = f.row("closures", "grid2048", "distances, natural")
    return [
        Aim("sums of matrices, `A + B`, on kron22 and grid2048, of the speed of a copy",
            [of_copy("kron22"), of_copy("grid2048")], [67, 67], "{}%", most=True),
        Aim("products with a pattern of random positions, times cuSPARSE's speed",
            [times_cusparse("structure only")], [1.5], most=True),
        Aim("`louvain` on kron22 with weights, ms", [median(louvain(f))], [40]),
        Aim("distances relabelled, kron22 and kron24, ms",
            [distances(graph, RELABELLED) for graph in ("kron22", "kron24")], [0.3, 0.6]),
        Aim("distances prepared, grid2048, ms", [distances("grid2048", PREPARED)], [3.6]),
        Aim("parents relabelled, grid2048, ms",
            [median(f.part("parents", "grid2048", RELABELLED))], [2.4]),
        Aim("a semiring of your own on grid2048, times as long as min-plus",
            [quotient(median(own), median(min_plus))], [1.3]),
    ]  # fmt: skip


def wanted(f: Figures) -> str:
    """What is slower than wanted by the records."""
    rows = []
    for aim in aims(f):
        if aim.missed:
            rows.append((aim.what, str(aim), str(aim._replace(reached=sorted(set(aim.aims))))))
    if not rows:
        return "Nothing of what was wanted is missed."
    return table(("what", "reached", "wanted"), 1, rows, f.made())


BEFORE = (
    ("bfs", "kron22", "1.901", "0.422"),
    ("bfs", "kron24", NONE, "1.05"),
    ("bfs", "kron26", NONE, "3.82"),
    ("bfs", "grid1024", "230.3", "3.73"),
    ("bfs", "grid2048", NONE, "8.21"),
    ("bfs", NEW_YORK, NONE, NONE),
    ("sssp", "kron22", NONE, "2.44"),
    ("sssp", "kron24", NONE, "7.46"),
    ("sssp", "kron26", NONE, "28.9"),
    ("sssp", "grid1024", NONE, NONE),
    ("sssp", "grid2048", NONE, "13.6"),
    ("sssp", NEW_YORK, NONE, NONE),
)
"""Searches, and their milliseconds by a loop of kernels and by one kernel for each search."""


def before_and_now(f: Figures) -> str:
    """Searches in three states of this library."""
    head = "search", "graph", "a loop of kernels, ms", "one kernel, ms", "now, ms", "now, prepared"
    rows = [
        (question, called(graph), loop, kernel,
         *(ms(f.search(question, graph, layout)) for layout in (None, PREPARED, RELABELLED)))
        for question, graph, loop, kernel in BEFORE
    ]  # fmt: skip
    return table((*head, "now, relabelled"), 2, rows, f.made())


PARTS: dict[tuple[str, str | None], dict[str, float]] = {
    ("parents", None): {"kron22": 0.30, "kron24": 0.90, "grid2048": 2.8},
    ("parents", PREPARED): {"kron22": 0.20, "kron24": 0.48, "kron26": 900},
    ("parents", RELABELLED): {"kron22": 0.15, "kron24": 0.28, "kron26": 1500, "grid2048": 2.4},
    ("levels", RELABELLED): {"kron26": 1500},
    ("distances", None): {"kron22": 1.3, "kron24": 3.5, "grid2048": 4.5},
    ("distances", PREPARED): {"grid2048": 3.6},
    ("distances", RELABELLED): {"kron22": 0.30, "kron24": 0.60, "kron26": 2.5, "grid2048": 3.6},
}
"""What is wanted of parts of a search on some graphs: milliseconds, and from 100 on GTEPS."""
GRAPHS = "kron22", "kron24", "kron26", "grid2048"


def in_parts(f: Figures) -> str:
    """Parts of searches, and distances with a tree on prepared graphs, beside what is wanted."""
    names = {None: "natural ids", PREPARED: "prepared", RELABELLED: "relabelled"}

    def both(found: Record | None, wish: float | None) -> tuple[str, str]:
        if wish is None or wish < 100:
            return ms(found), NONE if wish is None else three_digits(wish)
        rate = NONE if found is None else three_digits(found["gteps_harmonic_mean"])
        return f"{rate} GTEPS", three_digits(wish)

    rows = [
        (f"{part}, {names[layout]}",
         *(cell for graph in GRAPHS
           for cell in both(f.part(part, graph, layout), wishes.get(graph))))
        for (part, layout), wishes in PARTS.items()
    ]  # fmt: skip
    tree = {"kron22": 0.5, "kron24": 1.2, "grid2048": 5.0}
    rows.append(("with a tree, prepared", *(
        cell for graph in GRAPHS
        for cell in both(f.search("sssp", graph, PREPARED), tree.get(graph)))))  # fmt: skip
    head = "", *(name for graph in GRAPHS for name in (graph, "wanted"))
    return table(head, 1, rows, f.made())


SIZES: tuple[tuple[str, str, dict[str, int]], ...] = (
    ("bfs", "packed", {"kron27": 1400, "kron30": 1500}),
    ("sssp", "packed", {"kron28": 300, "kron29": 200}),
    ("bfs", "ranges", {}),
    ("sssp", "ranges", {}),
)  # fmt: skip
"""Searches, layouts of rows that are made range by range, and GTEPS that are wanted."""
NAMES = {"packed": "packed rows", "ranges": "compressed rows by degree"}


def sizes(f: Figures) -> str:
    """How fast graphs are searched that a list of edges does not fit beside."""
    rows = []
    for question, layout, wishes in SIZES:
        cells = []
        for graph in ("kron27", "kron28", "kron29", "kron30"):
            found = f.search(question, graph, layout)
            wish = f" ({wishes[graph]:,})" if graph in wishes else ""
            rate = NONE if found is None else three_digits(found["gteps_harmonic_mean"]) + wish
            few = "" if found is None or len(found["roots"]) == SPECIFIED else (
                f", {len(found['roots'])} roots")  # fmt: skip
            cells.append(rate + few)
        rows.append((f"{question}, {NAMES[layout]}", *cells))
    head = "GTEPS (and what is wanted)", "kron27", "kron28", "kron29", "kron30"
    return table(head, 1, rows, f.made())


if __name__ == "__main__":
    sys.exit(main())
