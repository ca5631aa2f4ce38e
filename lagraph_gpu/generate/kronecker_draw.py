"""The edges of a Kronecker graph, each drawn from its number alone, and the names of its vertices.

Sources: Graph500 specification 1.2, https://graph500.org/?page_id=12; Chakrabarti, Zhan and
Faloutsos, R-MAT, SDM 2004.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.convert.arguments import is_integer, is_real
from lagraph_gpu.convert.ids import MAX_SIZE
from lagraph_gpu.errors import InvalidValue, TooLarge, brief, grouped
from lagraph_gpu.generate.counters import U64, Pair, hashes, key_of, permuted
from lagraph_gpu.generate.sizes import chunks, count_of, expect_room_for_edges
from lagraph_gpu.memory import expect_room
from lagraph_gpu.reporting import StepCallback

GRAPH500, UNIFORM = (57, 19, 19), (25, 25, 25)
"""The percentage of edges in the upper left, upper right and lower left quarter: Graph500's, and
those by which all edges are equally likely."""

NAME_BYTES = 24
"""What the name of a vertex takes while names are made."""

LOWER_HALF = np.uint64(2**32 - 1)
"""The lower 32 bits of 64."""

CHUNKS_A_REPORT = 64
"""How many chunks are drawn from one report of progress to the next."""

LARGEST_SCALE = MAX_SIZE.bit_length() - 1

NAMED_BY_RANK = 30
"""The largest scale of which the names of vertices are ranks of random numbers, from a table. Above
it a vertex has the value of a random permutation, which needs none."""


@dataclass(frozen=True)
class Draw:
    """The parameters of a Kronecker graph, from which any device can draw its edges.

    Edge number k of `count` joins name[u] and name[v]. The numbers u and v follow from the hashes
    of k under `level_keys` (one key for two levels, with the bounds `quarters`), and name[i] is the
    rank of the hash of i under `name_key`, or above scale 30 value i of a random permutation. Loops
    and duplicates occur. Every edge is drawn from its number alone, so the edges are in random
    order already and need not be shuffled.

    Parameters
    ----------
    scale : int
        The graph has 2^scale vertices.
    edgefactor : int or float, optional
        The number of edges that are drawn for each vertex; a fraction of one draws fewer edges than
        there are vertices.
    seed : int, optional
        A seed gives the same edges everywhere.
    percent : tuple of three ints, optional
        The percentage of edges in the upper left, upper right and lower left quarter of the
        adjacency matrix, and of each quarter again. By default Graph500's (57, 19, 19).

    Raises
    ------
    InvalidValue
        An argument is negative or not a number of its kind, or nothing is left for the last
        quarter.
    TooLarge
        The scale is above 60, or 2^62 edges or more are to be drawn.

    Examples
    --------
    >>> Draw(20).n, Draw(20).count, Draw(40, 2**-30).count
    (1048576, 16777216, 1024)
    """

    scale: int
    edgefactor: float = 16
    seed: int = 1
    percent: tuple[int, int, int] = GRAPH500

    def __post_init__(self) -> None:
        for name in ("scale", "seed"):
            object.__setattr__(self, name, count_of(getattr(self, name), name))
        given = self.edgefactor
        object.__setattr__(self, "edgefactor", _edgefactor(given))
        if len(self.percent) != 3 or sum(count_of(p, "percent") for p in self.percent) > 99:
            raise InvalidValue(f"expected three percent of a sum below 100, got {self.percent}")
        if self.scale > LARGEST_SCALE:
            raise TooLarge(
                f"expected a scale of at most {LARGEST_SCALE}, got {grouped(self.scale)}"
            )
        if self.edgefactor >= 2.0 ** (62 - self.scale):
            raise TooLarge(
                f"expected fewer than 2^62 edges to draw, got {brief(given)} for each of "
                f"{grouped(self.n)} vertices"
            )

    @property
    def n(self) -> int:
        return 1 << self.scale

    @property
    def count(self) -> int:
        if isinstance(self.edgefactor, int):
            return self.edgefactor << self.scale
        return int(self.edgefactor * 2.0**self.scale)  # exact, but for the fraction of an edge

    @property
    def quarters(self) -> tuple[np.uint32, np.uint32, np.uint32]:
        """The bounds of a 32-bit number below which it chooses the first, the second and the third
        quarter."""
        a, b, c = self.percent
        bounds = (np.uint32((percent << 32) // 100) for percent in (a, a + b, a + b + c))
        return tuple(bounds)  # type: ignore[return-value]

    @property
    def level_keys(self) -> list[int]:
        return [key_of(self.seed, 0, pair) for pair in range((self.scale + 1) // 2)]

    @property
    def name_key(self) -> int:
        return key_of(self.seed, 1)

    @property
    def weight_key(self) -> int:
        """The key of the weights.

        The weight of the edge {u, v} with u < v is made of the hash of its `weight_keys` under it.
        """
        return key_of(self.seed, 2)


def _edgefactor(value: float) -> float:
    if is_integer(value):
        return count_of(value, "edgefactor")  # type: ignore[arg-type]
    if not is_real(value):
        raise InvalidValue(f"expected edgefactor as a number, got {brief(value)}")
    if not 0 <= value < np.inf:
        raise InvalidValue(f"expected edgefactor of at least 0, got {brief(value)}")
    try:
        return float(value)
    except OverflowError:  # of a fraction
        return np.inf


def vertex_names(draw: Draw) -> NDArray[np.int32]:
    """The name of each vertex."""
    expect_room(NAME_BYTES * draw.n, "the names of a Kronecker graph", "make a smaller one")
    order = np.argsort(hashes(draw.name_key, np.arange(draw.n, dtype=np.uint64)))
    name = np.empty(draw.n, np.int32)
    name[order] = np.arange(draw.n, dtype=np.int32)
    return name


def draw_edges(
    draw: Draw, progress: StepCallback | None = None, numbers: range | None = None,
    name: NDArray[np.int32] | None = None,
) -> U64:  # fmt: skip
    """Every edge as u << 32 | v, in the order in which they are drawn, with loops and duplicates;
    or those with these numbers. The scale is at most 30. `name` is what `vertex_names` returns, if
    it is there already.

    >>> [hex(edge) for edge in draw_edges(Draw(3, edgefactor=1))[1:5].tolist()]
    ['0x200000005', '0x500000002', '0x700000005', '0x500000002']
    """
    numbers = range(draw.count) if numbers is None else numbers
    expect_room_for_edges(
        len(numbers), "a Kronecker graph", NAME_BYTES * draw.n if name is None else 0
    )
    name = vertex_names(draw) if name is None else name
    edges = np.empty(len(numbers), np.uint64)
    for there, numbered in _drawn(draw, numbers, progress):
        u, v = (name[end].astype(np.int64) for end in numbered)
        edges[there] = (u << 32 | v).view(np.uint64)
    return edges


def draw_pairs(draw: Draw, numbers: range, progress: StepCallback | None = None) -> Pair:
    """The ends of the edges with these numbers, of a scale above 30.

    >>> [end.tolist() for end in draw_pairs(Draw(40), range(2))]
    [[30121753662, 297698952522], [513896694413, 847043817940]]
    """
    u, v = np.empty(len(numbers), np.int64), np.empty(len(numbers), np.int64)
    for there, numbered in _drawn(draw, numbers, progress):
        for end, number in zip((u, v), numbered, strict=True):
            name = permuted(number.view(np.uint64), draw.n, draw.name_key)
            end[there] = name.view(np.int64)
    return u, v


def ends(edges: U64) -> Pair:
    """The two ends of packed edges."""
    return (edges >> np.uint64(32)).view(np.int64), (edges & LOWER_HALF).view(np.int64)


def _drawn(
    draw: Draw, numbers: range, progress: StepCallback | None
) -> Iterator[tuple[slice, Pair]]:
    """The numbers of the two ends of these edges, and where they stand in an array of all ends."""
    for done, there in enumerate(chunks(len(numbers)), 1):
        part = numbers[there]
        yield there, _quarters(np.arange(part.start, part.stop, dtype=np.uint64), draw)
        if progress is not None and done % CHUNKS_A_REPORT == 0:
            progress(there.stop, len(numbers))


def _quarters(edge: U64, draw: Draw) -> Pair:
    """The two ends of each edge, one bit for each level. A 64-bit hash serves two levels."""
    a, ab, abc = (np.uint64(bound) for bound in draw.quarters)
    keys = draw.level_keys
    u = np.zeros(edge.size, np.int64)
    v = np.zeros(edge.size, np.int64)
    for level in range(draw.scale):
        if level % 2 == 0:
            bits = hashes(keys[level // 2], edge)
        choice = bits & LOWER_HALF if level % 2 == 0 else bits >> np.uint64(32)
        lower = choice >= ab
        right = (choice >= a) ^ lower ^ (choice >= abc)
        u += u
        u += lower
        v += v
        v += right
    return u, v
