"""Generators of edge lists. A seed gives the same graph on every platform and NumPy version.

Every random number is a hash of a counter (splitmix64) in exact 64-bit integers, and every decision
compares integers. The random streams of NumPy and floating-point numbers are not used. So whether
an edge exists depends on its number alone, chunks may have any size, and tests can compare digests.

Sources: Graph500 specification 1.2 (Kronecker), https://graph500.org/?page_id=12; Chakrabarti, Zhan
and Faloutsos, R-MAT, SDM 2004. Those of random numbers are in `counters`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lagraph_gpu.convert.arguments import is_integer, is_one_of, is_real
from lagraph_gpu.convert.build import LARGER_GRAPHS, MAX_SIZE, check_size
from lagraph_gpu.convert.edge_list import MAX_VERTICES, EdgeList, needs_64_bits
from lagraph_gpu.convert.interchange import as_numpy
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, TooLarge, brief, grouped
from lagraph_gpu.generate.counters import (
    I64,
    U64,
    Pair,
    directed_pair,
    hashes,
    key_of,
    mix,
    permuted,
    permuted_pairs,
    undirected_pair,
)
from lagraph_gpu.memory import expect_room
from lagraph_gpu.notation.checks import expect_flag

WeightKind = Literal["uniform", "integer"] | None
Progress = Callable[[int, int], None]
"""A function that is called with the number of edges done and the number of all edges."""

CHUNK = 1 << 15
"""The number of values computed at a time: the arrays of a chunk fit into the second-level
cache."""

HALF = 2**32 - 1
ONE = np.uint64(1)

GRAPH500, UNIFORM = (57, 19, 19), (25, 25, 25)
"""The percentage of edges in the upper left, upper right and lower left quarter: Graph500's, and
those by which all edges are equally likely."""


EDGE_BYTES = 40
"""What an edge takes at most while a graph is made."""

NAME_BYTES = 24
"""What the name of a vertex takes while names are made."""


def _expect_room(nedges: int, what: str, more: int = 0) -> None:
    """Raises TooLarge, before anything is made, if so many edges do not fit into memory."""
    expect_room(
        EDGE_BYTES * nedges + more, f"{what} of {grouped(nedges)} edges", "make a smaller one"
    )


def _count(value: int, name: str, least: int = 0) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise InvalidValue(f"expected {name} as an integer, got {brief(value)}") from None
    if number < least:
        raise InvalidValue(f"expected {name} of at least {least}, got {brief(number)}")
    return number


def check_ids(n: int, large_graphs: bool = False) -> int:
    """Raises TooLarge if so many vertices need ids of 64 bits and a backend has none:
    `Backend.large_graphs`."""
    if needs_64_bits(n) and not large_graphs:
        raise TooLarge(
            f"{grouped(n)} vertices; ids are 32 bits wide, so at most {MAX_VERTICES:,} fit; make a "
            f"smaller graph, or {LARGER_GRAPHS}"
        )
    return n


NAMED_BY_RANK = 30
"""The largest scale of which the names of vertices are ranks of random numbers, from a table. Above
it a vertex has the value of a random permutation, which needs none."""

LARGEST_SCALE = MAX_SIZE.bit_length() - 1


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
            object.__setattr__(self, name, _count(getattr(self, name), name))
        object.__setattr__(self, "edgefactor", _edgefactor(self.edgefactor))
        if len(self.percent) != 3 or sum(_count(p, "percent") for p in self.percent) > 99:
            raise InvalidValue(f"expected three percent of a sum below 100, got {self.percent}")
        if self.scale > LARGEST_SCALE:
            raise TooLarge(
                f"expected a scale of at most {LARGEST_SCALE}, got {grouped(self.scale)}"
            )
        if self.edgefactor >= 2.0 ** (62 - self.scale):
            raise TooLarge(
                f"expected fewer than 2^62 edges to draw, got {brief(self.edgefactor)} for each of "
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
        return _count(value, "edgefactor")  # type: ignore[arg-type]
    if not is_real(value):
        raise InvalidValue(f"expected edgefactor as a number, got {brief(value)}")
    if not 0 <= value < np.inf:
        raise InvalidValue(f"expected edgefactor of at least 0, got {brief(value)}")
    return float(value)


def check_weights(kind: str | None, *more: str) -> None:
    if kind is not None and not is_one_of(kind, kinds := ("uniform", "integer", *more)):
        known = " or ".join(map(repr, kinds))
        raise InvalidValue(f"expected weights as None, {known}, got {brief(kind)}")


def edge_weights(kind: WeightKind, seed: int, keys: U64) -> NDArray[np.float32] | None:
    """A weight for each edge, made of its key: an edge has the same weight in every graph."""
    check_weights(kind)
    if kind is None:
        return None
    weight = np.empty(keys.size, np.float32)
    key = key_of(seed, 2)
    for begin in range(0, keys.size, CHUNK):
        part = slice(begin, begin + CHUNK)
        bits = hashes(key, keys[part])
        if kind == "integer":
            weight[part] = ((bits >> np.uint64(32)) * np.uint64(255) >> np.uint64(32)) + ONE
        else:  # 24 bits: every value is exact in float32
            weight[part] = ((bits >> np.uint64(40)) + ONE).astype(np.float32)
            weight[part] *= np.float32(2.0**-24)
    return weight


def weight_keys(u: I64, v: I64, n: int) -> U64:
    """The keys of which the weights of the edges {u, v} with u < v are made: u * n + v where 64
    bits hold it, else v and the hash of u, added up."""
    if n > 1 << 32:
        return mix(u.astype(np.uint64)) + v.view(np.uint64)
    return u.view(np.uint64) * np.uint64(n) + v.view(np.uint64)


def _from_pairs(
    u: I64, v: I64, n: int, directed: bool, weights: WeightKind, seed: int, path: str
) -> EdgeList:
    """The graph with these edges, sorted and each once."""
    order = np.lexsort((v, u))
    u, v = u[order], v[order]
    first = np.ones(u.size, bool)
    first[1:] = (u[1:] != u[:-1]) | (v[1:] != v[:-1])
    u, v = u[first], v[first]
    weight = edge_weights(weights, seed, weight_keys(u, v, n))
    return _edge_list(u, v, weight, n, directed, path)


def _from_keys(
    keys: U64, n: int, directed: bool, weights: WeightKind, seed: int, path: str
) -> EdgeList:
    """The graph with the edges u * n + v of the sorted keys."""
    weight = edge_weights(weights, seed, keys)
    width = np.uint64(max(n, 1))
    src = np.empty(keys.size, np.int64)
    dst = np.empty(keys.size, np.int64)
    for begin in range(0, keys.size, CHUNK):
        part = slice(begin, begin + CHUNK)
        src[part] = keys[part] // width
        dst[part] = keys[part] - src[part].view(np.uint64) * width
    return _edge_list(src, dst, weight, n, directed, path)


def _edge_list(
    src: I64, dst: I64, weight: NDArray[np.float32] | None, n: int, directed: bool, path: str
) -> EdgeList:
    return EdgeList(src, dst, weight, n, n, directed, path)


def kronecker(
    scale: int,
    edgefactor: float = 16,
    seed: int = 1,
    weights: WeightKind = None,
    progress: Progress | None = None,
) -> EdgeList:
    """The graph of the Graph500 benchmark: undirected, 2^scale vertices of very unequal degree.

    2^scale * edgefactor edges are drawn, each by `scale` choices of a quarter of the adjacency
    matrix (with the probabilities .57, .19, .19, .05), and the vertices are renumbered at random.

    Parameters
    ----------
    scale : int
        The graph has 2^scale vertices.
    edgefactor : int or float, optional
        The number of edges that are drawn for each vertex; it may be a fraction.
    seed : int, optional
        A seed gives the same graph everywhere.
    weights : {"integer", "uniform"}, optional
        "integer" gives weights from 1 to 255, "uniform" weights in (0, 1], both float32. By default
        the graph has no weights.
    progress : function, optional
        Called from time to time as `progress(done, total)` with the number of edges drawn so far.

    Returns
    -------
    EdgeList
        An undirected graph: each edge once with src < dst, sorted, without loops and duplicates. So
        it has somewhat fewer edges than were drawn.

    Raises
    ------
    InvalidValue
        An argument is negative or not a number of its kind.
    TooLarge
        The scale is above 60, or the graph does not fit into memory.

    Notes
    -----
    O(edges * scale) time, and at most about 40 bytes of memory for each edge.

    Examples
    --------
    >>> kronecker(4, edgefactor=2)
    EdgeList(16 x 16, 20 undirected edges, unweighted, 'kronecker-4-2-1')
    """
    draw = Draw(scale, edgefactor, seed)
    if draw.scale <= NAMED_BY_RANK:
        made = joined(draw, draw_edges(draw, progress), weights)
    else:
        made = _joined_pairs(draw, weights, progress)
    if progress is not None:
        progress(draw.count, draw.count)
    return made


def vertex_names(draw: Draw) -> NDArray[np.int32]:
    """The name of each vertex."""
    expect_room(NAME_BYTES * draw.n, "the names of a Kronecker graph", "make a smaller one")
    order = np.argsort(hashes(draw.name_key, np.arange(draw.n, dtype=np.uint64)))
    name = np.empty(draw.n, np.int32)
    name[order] = np.arange(draw.n, dtype=np.int32)
    return name


def draw_edges(
    draw: Draw, progress: Progress | None = None, numbers: range | None = None,
    name: NDArray[np.int32] | None = None,
) -> U64:  # fmt: skip
    """Every edge as u << 32 | v, in the order in which they are drawn, with loops and duplicates;
    or those with these numbers. The scale is at most 30. `name` is what `vertex_names` returns, if
    it is there already.

    >>> [hex(edge) for edge in draw_edges(Draw(3, edgefactor=1))[1:5].tolist()]
    ['0x200000005', '0x500000002', '0x700000005', '0x500000002']
    """
    numbers = range(draw.count) if numbers is None else numbers
    _expect_room(len(numbers), "a Kronecker graph", NAME_BYTES * draw.n if name is None else 0)
    name = vertex_names(draw) if name is None else name
    edges = np.empty(len(numbers), np.uint64)
    for begin in range(0, len(numbers), CHUNK):
        part = numbers[begin : begin + CHUNK]
        edge = np.arange(part.start, part.stop, dtype=np.uint64)
        u, v = (name[end].astype(np.int64) for end in _quarters(edge, draw))
        edges[begin : begin + edge.size] = (u << 32 | v).view(np.uint64)
        if progress is not None and begin // CHUNK % 64 == 63:
            progress(begin + CHUNK, len(numbers))
    return edges


def draw_pairs(draw: Draw, numbers: range, progress: Progress | None = None) -> Pair:
    """The ends of the edges with these numbers, of a scale above 30.

    >>> [end.tolist() for end in draw_pairs(Draw(40), range(2))]
    [[30121753662, 297698952522], [513896694413, 847043817940]]
    """
    u, v = np.empty(len(numbers), np.int64), np.empty(len(numbers), np.int64)
    for begin in range(0, len(numbers), CHUNK):
        part = numbers[begin : begin + CHUNK]
        edge = np.arange(part.start, part.stop, dtype=np.uint64)
        for end, number in zip((u, v), _quarters(edge, draw), strict=True):
            name = permuted(number.view(np.uint64), draw.n, draw.name_key)
            end[begin : begin + edge.size] = name.view(np.int64)
        if progress is not None and begin // CHUNK % 64 == 63:
            progress(begin + CHUNK, len(numbers))
    return u, v


def ends(edges: U64) -> Pair:
    """The two ends of packed edges."""
    return (edges >> np.uint64(32)).view(np.int64), (edges & np.uint64(HALF)).view(np.int64)


def joined(draw: Draw, edges: U64, weights: WeightKind) -> EdgeList:
    """The undirected graph of drawn edges, without loops and duplicates. It overwrites `edges`."""
    filled = 0
    for begin in range(0, edges.size, CHUNK):
        u, v = ends(edges[begin : begin + CHUNK])
        key = (np.minimum(u, v) * draw.n + np.maximum(u, v))[u != v]
        edges[filled : filled + key.size] = key.view(np.uint64)
        filled += key.size
    return _from_keys(_distinct(edges[:filled]), draw.n, False, weights, draw.seed, _name_of(draw))


def _joined_pairs(draw: Draw, weights: WeightKind, progress: Progress | None) -> EdgeList:
    """The graph of `joined`, of a scale above 30."""
    _expect_room(draw.count, "a Kronecker graph")
    u, v = draw_pairs(draw, range(draw.count), progress)
    proper = u != v
    low, high = np.minimum(u, v)[proper], np.maximum(u, v)[proper]
    return _from_pairs(low, high, draw.n, False, weights, draw.seed, _name_of(draw))


def _name_of(draw: Draw) -> str:
    return f"kronecker-{draw.scale}-{draw.edgefactor}-{brief(draw.seed)}"


def _quarters(edge: U64, drawing: Draw) -> Pair:
    """The two ends of each edge, one bit for each level. A 64-bit hash serves two levels."""
    a, ab, abc = (np.uint64(bound) for bound in drawing.quarters)
    half, keys = np.uint64(HALF), drawing.level_keys
    u = np.zeros(edge.size, np.int64)
    v = np.zeros(edge.size, np.int64)
    for level in range(drawing.scale):
        if level % 2 == 0:
            bits = hashes(keys[level // 2], edge)
        draw = bits & half if level % 2 == 0 else bits >> np.uint64(32)
        lower = draw >= ab
        right = (draw >= a) ^ lower ^ (draw >= abc)
        u += u
        u += lower
        v += v
        v += right
    return u, v


def _distinct(keys: U64) -> U64:
    """The sorted keys, each once. It sorts in place."""
    keys.sort()
    if keys.size == 0:
        return keys
    first = np.empty(keys.size, bool)
    first[0] = True
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return keys[first]


def random_graph(
    n: int, nedges: int, seed: int = 1, directed: bool = False, weights: WeightKind = None,
    *, part: tuple[int, int] = (0, 1),
) -> EdgeList:  # fmt: skip
    """A random graph of a given number of edges, all sets of edges being equally likely; no loops.

    Parameters
    ----------
    n : int
        The number of vertices.
    nedges : int
        The number of edges, all different.
    seed : int, optional
        A seed gives the same graph everywhere.
    directed : bool, optional
        Whether the edges have a direction.
    weights : {"integer", "uniform"}, optional
        The weights, as for `kronecker`.
    part : tuple of two ints, optional
        A number and of how many: only this part of the edges is made. All parts together are the
        graph.

    Returns
    -------
    EdgeList
        The graph, sorted.

    Raises
    ------
    InvalidValue
        There are not that many different edges among n vertices.
    TooLarge
        The graph has more than 2^60 vertices, or does not fit into memory.

    Notes
    -----
    Edge number k is the k-th value of a random permutation of all possible edges (a Feistel network
    with cycle walking). So no edge occurs twice, and every density costs the same.

    O(nedges log nedges), for the sort.

    Examples
    --------
    >>> edges = random_graph(4, 6)
    >>> list(zip(edges.src.tolist(), edges.dst.tolist()))
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    """
    n, nedges, seed = check_size(_count(n, "n")), _count(nedges, "nedges"), _count(seed, "seed")
    directed = expect_flag(directed, "directed")
    possible = n * (n - 1) if directed else n * (n - 1) // 2
    if nedges > possible:
        kind = "directed" if directed else "undirected"
        raise InvalidValue(
            f"expected at most {possible:,} {kind} edges between {n:,} vertices, got nedges = "
            f"{grouped(nedges)}"
        )
    numbers = _of_part(nedges, part)
    _expect_room(len(numbers), "a random graph")
    pair_of = directed_pair if directed else undirected_pair
    name = f"random-{n}-{nedges}-{brief(seed)}"
    if n > MAX_VERTICES:
        src, dst = np.empty(len(numbers), np.int64), np.empty(len(numbers), np.int64)
        for begin in range(0, src.size, CHUNK):
            chunk = numbers[begin : begin + CHUNK]
            pair = pair_of(np.arange(chunk.start, chunk.stop), n)
            there = slice(begin, begin + CHUNK)
            src[there], dst[there] = permuted_pairs(*pair, n, directed, seed)
        return _from_pairs(src, dst, n, directed, weights, seed, name)
    keys = np.empty(len(numbers), np.uint64)
    for begin in range(0, keys.size, CHUNK):
        chunk = numbers[begin : begin + CHUNK]
        counter = np.arange(chunk.start, chunk.stop, dtype=np.uint64)
        u, v = pair_of(permuted(counter, possible, seed).view(np.int64), n)
        keys[begin : begin + CHUNK] = (u * n + v).view(np.uint64)
    keys.sort()
    return _from_keys(keys, n, directed, weights, seed, name)


def _of_part(count: int, part: tuple[int, int]) -> range:
    """The numbers of a part, of so many in all."""
    number, parts = part
    return range(count * number // parts, count * (number + 1) // parts)


def grid(
    rows: int, cols: int, removed: float = 0.0, seed: int = 1, weights: WeightKind = None,
    *, part: tuple[int, int] = (0, 1),
) -> EdgeList:  # fmt: skip
    """A grid: cell (r, c) is vertex r * cols + c, joined to its right and its lower neighbour.

    Parameters
    ----------
    rows, cols : int
        The size of the grid.
    removed : float, optional
        The probability, from 0 to 1, with which each edge is removed.
    seed : int, optional
        A seed gives the same graph everywhere.
    weights : {"integer", "uniform"}, optional
        The weights, as for `kronecker`.
    part : tuple of two ints, optional
        As for `random_graph`.

    Returns
    -------
    EdgeList
        An undirected graph: each edge once with src < dst, sorted.

    Raises
    ------
    InvalidValue
        A size is negative, or `removed` is not between 0 and 1.
    TooLarge
        The grid has more than 2^60 cells, or does not fit into memory.

    Notes
    -----
    O(cells).

    Examples
    --------
    >>> edges = grid(2, 2)
    >>> list(zip(edges.src.tolist(), edges.dst.tolist()))
    [(0, 1), (0, 2), (1, 3), (2, 3)]
    """
    rows, cols, seed = _count(rows, "rows"), _count(cols, "cols"), _count(seed, "seed")
    if not is_real(removed) or not 0 <= removed <= 1:
        raise InvalidValue(
            f"expected removed as the fraction of edges to take out, 0 to 1, got {brief(removed)}"
        )
    n, removed = check_size(rows * cols), float(removed)
    if n:
        every = rows * (cols - 1) + cols * (rows - 1)
        _expect_room(int((1 - removed) * every) // part[1], "a grid")
    threshold = np.uint64(int(removed * 2.0**53))
    key = key_of(seed, 4)

    def kept(edge: U64) -> NDArray[np.bool_]:
        return (hashes(key, edge) >> np.uint64(11)) >= threshold

    name = f"grid-{rows}x{cols}-{removed:g}-{brief(seed)}"
    src, dst = _lattice(rows, cols, kept, _of_part(2 * n, part))
    weight = edge_weights(weights, seed, weight_keys(src, dst, n))
    return _edge_list(src, dst, weight, n, False, name)


def grid_from_mask(
    open_cells: ArrayLike,
    weights: WeightKind | Literal["length"] = None,
    seed: int = 1,
    neighbors: Literal[4, 8] = 4,
) -> EdgeList:
    """The grid of the open cells of a two-dimensional array. Closed cells are isolated vertices.

    Parameters
    ----------
    open_cells : array of bool
        True where a cell is open. Cell (r, c) is vertex r * cols + c, open or not.
    weights : {"integer", "uniform", "length"}, optional
        The weights: the first two as for `kronecker`; "length" is 1, and √2 for diagonal steps.
    seed : int, optional
        The seed of the weights.
    neighbors : {4, 8}, optional
        8 joins open cells diagonally, too, where both cells between them are open: no corner is
        cut, as the maps of the Moving AI Lab demand.

    Returns
    -------
    EdgeList
        An undirected graph: each edge once with src < dst, sorted.

    Raises
    ------
    DimensionMismatch
        The array is not two-dimensional.
    InvalidValue
        The weights or the neighbors are none of those above.
    TooLarge
        The array has 2^31 cells or more, or the grid may not fit into memory.

    Notes
    -----
    O(cells).

    Examples
    --------
    >>> edges = grid_from_mask([[True, True], [False, True]])
    >>> list(zip(edges.src.tolist(), edges.dst.tolist()))
    [(0, 1), (1, 3)]
    >>> edges = grid_from_mask([[True, True], [True, True]], weights="length", neighbors=8)
    >>> edges.weight.round(2).tolist()
    [1.0, 1.0, 1.41, 1.41, 1.0, 1.0]
    """
    if not (is_integer(neighbors) and neighbors in (4, 8)):
        raise InvalidValue(f"expected neighbors as 4 or 8, got {brief(neighbors)}")
    check_weights(weights, "length")
    mask = as_numpy(open_cells).astype(bool)
    if mask.ndim != 2:
        raise DimensionMismatch(f"expected a 2-D array of cells, got {mask.ndim} dimensions")
    rows, cols = mask.shape
    n = check_ids(rows * cols)
    _expect_room(neighbors // 2 * int(np.count_nonzero(mask)), "a grid")
    steps = [(0, 1), (1, -1), (1, 0), (1, 1)] if neighbors == 8 else [(0, 1), (1, 0)]
    keys = np.sort(np.concatenate([_steps(mask, down, right) for down, right in steps]))
    name = f"mask-{rows}x{cols}"
    if weights != "length":
        return _from_keys(keys, n, False, weights, seed, name)
    edges = _from_keys(keys, n, False, None, seed, name)
    src, dst = edges.src, edges.dst
    diagonal = (src // cols != dst // cols) & (src % cols != dst % cols)
    return replace(edges, weight=np.where(diagonal, np.sqrt(2), 1.0))


def _steps(mask: NDArray[np.bool_], down: int, right: int) -> U64:
    """The keys of the edges from open cells to those one step away, where no corner is cut."""
    rows, cols = mask.shape
    left = max(0, -right)

    def at(down_from: int, right_from: int) -> NDArray[np.bool_]:
        first = left + right_from
        return mask[down_from : down_from + rows - down, first : first + cols - abs(right)]

    allowed = at(0, 0) & at(down, 0) & at(0, right) & at(down, right)
    row, column = np.nonzero(allowed)
    cell = row * cols + column + left
    return (cell * mask.size + cell + down * cols + right).view(np.uint64)


def _lattice(rows: int, cols: int, kept: Callable[[U64], NDArray[Any]], numbers: range) -> Pair:
    """The sorted edges with these numbers that are kept.

    Edge 2c leads right from cell c, edge 2c + 1 down.
    """
    n = rows * cols
    src, dst = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for begin in range(0, len(numbers), CHUNK):
        chunk = numbers[begin : begin + CHUNK]
        edge = np.arange(chunk.start, chunk.stop, dtype=np.int64)
        cell, down = edge >> 1, (edge & 1) == 1
        edge = edge[np.where(down, cell < n - cols, cell % cols < cols - 1)]
        edge = edge[kept(edge.view(np.uint64))]
        cell, down = edge >> 1, (edge & 1) == 1
        src.append(cell)
        dst.append(cell + np.where(down, cols, 1))
    return np.concatenate(src), np.concatenate(dst)
