"""What a run of Graph500 takes on a GPU, told before it starts, and the way that fits.

The list of edges takes 8 bytes for each drawn edge, and as the rows of a graph with weights are
made of it 32, of which 16 stay. Packed rows are made without it, range by range. Beside them a
search for shortest paths has a sixteenth of the edges, the light ones, in two orders, and the
lightest edges of each row (see `lagraph_gpu/gpu/closure/packed_order.py`); without these it would
be slower by far.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lagraph_gpu.backend import Backend
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.generate import Draw, WeightKind
from lagraph_gpu.gpu.generate.kronecker_rows import stream_bits

PACKED = "packed"
"""The layout of packed rows."""

LIST_SHARE = 0.7
"""A list of edges is used by itself if all that is made of it takes at most this share of the free
memory, which falls into pieces."""

NAMES = {
    "natural": "from the list of edges",
    "degree": "rows by degree",
    "prepared": "prepared rows",
    PACKED: "packed rows",
}
"""How messages call the layouts."""

WEIGHT_BYTES = {None: 0, "integer": 1, "uniform": 4}
"""The bytes of a weight beside packed rows."""

SEARCH_BYTES = 52
"""The bytes of a vertex in the results of two searches, and in a check."""
LIGHT_BYTES = 1
"""The bytes of light edges for each entry: one in 16 is light, with 8 bytes in each order."""
LIGHTEST_BYTES = {None: 0, "integer": 32, "uniform": 48}
"""The bytes of a row's lightest edges, and of the offsets of the light ones."""


class Way(NamedTuple):
    """How a run goes."""

    layout: str
    by_ranges: bool
    kernels: tuple[str, ...]
    weights: WeightKind

    def __str__(self) -> str:
        rows = NAMES[self.layout]
        made = ", made range by range" if self.by_ranges else ""
        weighted = f"{self.weights} weights" if self.weights else "no weights"
        return f"{' and '.join(self.kernels)} with {weighted}, {rows}{made}"

    def bytes(self, draw: Draw) -> int:
        """About what it takes at its peak."""
        n, drawn = draw.n, draw.count
        weighted = self.weights is not None
        if self.layout == PACKED:
            entries = stream_bits(draw.scale) / 8 + WEIGHT_BYTES[self.weights]
            entries += LIGHT_BYTES * weighted
            rows = 8 + 8 * weighted + LIGHTEST_BYTES[self.weights]
        else:
            entries, rows = 8.0 if weighted else 4.0, 8
        copies = 1
        if self.layout == "degree" and self.by_ranges:
            copies += weighted  # with rows sorted by weight
        elif self.layout in ("degree", "prepared"):
            copies = 3  # the rows as drawn, and two times as they are laid out
        finished = copies * (int(2 * drawn * entries) + rows * n)
        finished += (12 + SEARCH_BYTES) * n  # 12: ids and ends
        listed = 0 if self.by_ranges else (32 if weighted else 24) * drawn + 24 * n
        return max(finished, listed)


def chosen(options: argparse.Namespace, draw: Draw, backend: Backend) -> Way:
    """The way that options ask for, or where they leave it open the first that fits. Raises
    TooLarge if it does not fit; says so on stderr if another way than usual is taken."""
    ways = list(possible(options))
    free = backend.free_bytes() if backend.name == "gpu" else None
    if free is None:
        return ways[0]
    for way in ways:
        share = LIST_SHARE if len(ways) > 1 and not way.by_ranges else 1
        if way.bytes(draw) <= share * free:
            if way != ways[0]:
                print(said(way, draw, free), file=sys.stderr, flush=True)
            return way
    takes = "; ".join(f"{way} takes about {way.bytes(draw):,}" for way in ways)
    raise TooLarge(
        f"expected a scale whose searches fit into {free:,} bytes of free GPU memory, got "
        f"{draw.scale}: {takes}{advice(options, draw, free)}"
    )


def possible(options: argparse.Namespace) -> Iterator[Way]:
    """The ways to go, the usual one first: the list of edges, then packed rows, with narrower
    weights, and at last breadth-first search alone."""
    both = (options.only,) if options.only else ("bfs", "sssp")
    kinds: Sequence[WeightKind]
    kinds = (options.weights,) if options.weights else ("uniform", "integer")
    usual = "degree" if options.by_ranges else "natural"
    for layout in (options.layout,) if options.layout else (usual, PACKED):
        by_ranges = options.by_ranges or layout == PACKED
        if options.only == "bfs":
            yield Way(layout, by_ranges, both, None)
            continue
        for kind in kinds if layout == PACKED else kinds[:1]:
            yield Way(layout, by_ranges, both, kind)
        if layout == PACKED and not (options.only or options.weights or options.layout):
            yield Way(layout, by_ranges, ("bfs",), None)


def said(way: Way, draw: Draw, free: int) -> str:
    return f"scale {draw.scale}: {way}: about {way.bytes(draw):,} of {free:,} free bytes"


def advice(options: argparse.Namespace, draw: Draw, free: int) -> str:
    """What would fit."""
    choices: Sequence[tuple[str | None, WeightKind]] = (options.only, "integer"), ("bfs", None)
    for only, kind in choices:
        both = (only,) if only else ("bfs", "sssp")
        way = Way(PACKED, True, both, None if only == "bfs" else kind)
        if way.bytes(draw) <= free:
            weights = f" --weights {kind}" if way.weights else ""
            named = f" --only {only}" if only else ""
            return f"; --layout packed{named}{weights} takes about {way.bytes(draw):,}"
    return ""
