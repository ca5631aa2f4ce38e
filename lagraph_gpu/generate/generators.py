"""Generators of edge lists. A seed gives the same graph on every platform and NumPy version.

Every random number is a hash of a counter (splitmix64) in exact 64-bit integers, and every decision
compares integers. The random streams of NumPy and floating-point numbers are not used. So whether
an edge exists depends on its number alone, chunks may have any size, and tests can compare digests.

Sources: Graph500 specification 1.2 (Kronecker), https://graph500.org/?page_id=12; Chakrabarti, Zhan
and Faloutsos, R-MAT, SDM 2004; Steele, Lea and Flood, Fast splittable pseudorandom number
generators, OOPSLA 2014 (splitmix64); Black and Rogaway, Ciphers with arbitrary finite domains,
CT-RSA 2002 (cycle walking).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lagraph_gpu.convert.arguments import is_integer, is_one_of, is_real
from lagraph_gpu.convert.edge_list import MAX_VERTICES, EdgeList
from lagraph_gpu.convert.interchange import as_numpy
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, TooLarge, brief, grouped
from lagraph_gpu.memory import expect_room
from lagraph_gpu.notation.checks import expect_flag

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
Pair = tuple[I64, I64]
WeightKind = Literal["uniform", "integer"] | None
Progress = Callable[[int, int], None]
"""A function that is called with the number of edges done and the number of all edges."""

CHUNK = 1 << 15
"""The number of values computed at a time: the arrays of a chunk fit into the second-level
cache."""

GOLDEN = 0x9E3779B97F4A7C15
MASK = 2**64 - 1
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


def _mix(state: U64) -> U64:
    """The output function of splitmix64, a bijection of 64-bit numbers. It works in place."""
    state ^= state >> np.uint64(30)
    state *= np.uint64(0xBF58476D1CE4E5B9)
    state ^= state >> np.uint64(27)
    state *= np.uint64(0x94D049BB133111EB)
    state ^= state >> np.uint64(31)
    return state


def _key(*parts: int) -> int:
    """One 64-bit key made from several integers by the same function."""
    key = 0
    for part in parts:
        state = np.array([(key + (part & MASK) * GOLDEN + GOLDEN) & MASK], np.uint64)
        key = int(_mix(state)[0])
    return key


def _hash(key: int, counter: U64) -> U64:
    """A random 64-bit number for each counter. Different counters have different numbers."""
    return _mix(counter * np.uint64(GOLDEN) + np.uint64(key))


def _count(value: int, name: str, least: int = 0) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise InvalidValue(f"expected {name} as an integer, got {brief(value)}") from None
    if number < least:
        raise InvalidValue(f"expected {name} of at least {least}, got {brief(number)}")
    return number


def _check_n(n: int) -> int:
    if n > MAX_VERTICES:
        raise TooLarge(
            f"{grouped(n)} vertices; ids are 32 bits wide, so at most {MAX_VERTICES:,} fit"
        )
    return n


@dataclass(frozen=True)
class Draw:
    """The parameters of a Kronecker graph, from which any device can draw its edges.

    Edge number k of `count` joins name[u] and name[v]. The numbers u and v follow from the hashes
    of k under `level_keys` (one key for two levels, with the bounds `quarters`), and name[i] is the
    rank of the hash of i under `name_key`. Loops and duplicates occur. Every edge is drawn from its
    number alone, so the edges are in random order already and need not be shuffled.

    Parameters
    ----------
    scale : int
        The graph has 2^scale vertices.
    edgefactor : int, optional
        The number of edges that are drawn for each vertex.
    seed : int, optional
        A seed gives the same edges everywhere.
    percent : tuple of three ints, optional
        The percentage of edges in the upper left, upper right and lower left quarter of the
        adjacency matrix, and of each quarter again. By default Graph500's (57, 19, 19).

    Raises
    ------
    InvalidValue
        An argument is negative or not an integer, or nothing is left for the last quarter.
    TooLarge
        The scale is above 30.

    Examples
    --------
    >>> Draw(20).n, Draw(20).count
    (1048576, 16777216)
    """

    scale: int
    edgefactor: int = 16
    seed: int = 1
    percent: tuple[int, int, int] = GRAPH500

    def __post_init__(self) -> None:
        for name in ("scale", "edgefactor", "seed"):
            object.__setattr__(self, name, _count(getattr(self, name), name))
        if len(self.percent) != 3 or sum(_count(p, "percent") for p in self.percent) > 99:
            raise InvalidValue(f"expected three percent of a sum below 100, got {self.percent}")
        if self.scale > 30:
            raise TooLarge(
                f"scale {grouped(self.scale)}: ids are 32 bits wide, so at most scale 30 fits"
            )
        if self.count >= 1 << 62:
            raise TooLarge(f"expected fewer than 2^62 edges to draw, got {grouped(self.count)}")

    @property
    def n(self) -> int:
        return 1 << self.scale

    @property
    def count(self) -> int:
        return self.edgefactor << self.scale

    @property
    def quarters(self) -> tuple[np.uint32, np.uint32, np.uint32]:
        """The bounds of a 32-bit number below which it chooses the first, the second and the third
        quarter."""
        a, b, c = self.percent
        bounds = (np.uint32((percent << 32) // 100) for percent in (a, a + b, a + b + c))
        return tuple(bounds)  # type: ignore[return-value]

    @property
    def level_keys(self) -> list[int]:
        return [_key(self.seed, 0, pair) for pair in range((self.scale + 1) // 2)]

    @property
    def name_key(self) -> int:
        return _key(self.seed, 1)

    @property
    def weight_key(self) -> int:
        """The key of the weights.

        The weight of the edge {u, v} with u < v is made of the hash of u * n + v under this key.
        """
        return _key(self.seed, 2)


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
    key = _key(seed, 2)
    for begin in range(0, keys.size, CHUNK):
        part = slice(begin, begin + CHUNK)
        bits = _hash(key, keys[part])
        if kind == "integer":
            weight[part] = ((bits >> np.uint64(32)) * np.uint64(255) >> np.uint64(32)) + ONE
        else:  # 24 bits: every value is exact in float32
            weight[part] = ((bits >> np.uint64(40)) + ONE).astype(np.float32)
            weight[part] *= np.float32(2.0**-24)
    return weight


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
    return EdgeList(src, dst, weight, n, n, directed, path)


def kronecker(
    scale: int,
    edgefactor: int = 16,
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
    edgefactor : int, optional
        The number of edges that are drawn for each vertex.
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
        An argument is negative or not an integer.
    TooLarge
        The scale is above 30, or the graph does not fit into memory.

    Notes
    -----
    O(edges * scale) time, and at most about 40 bytes of memory for each edge.

    Examples
    --------
    >>> kronecker(4, edgefactor=2)
    EdgeList(16 x 16, 20 undirected edges, unweighted, 'kronecker-4-2-1')
    """
    draw = Draw(scale, edgefactor, seed)
    made = joined(draw, draw_edges(draw, progress), weights)
    if progress is not None:
        progress(draw.count, draw.count)
    return made


def vertex_names(draw: Draw) -> NDArray[np.int32]:
    """The name of each vertex."""
    expect_room(NAME_BYTES * draw.n, "the names of a Kronecker graph", "make a smaller one")
    order = np.argsort(_hash(draw.name_key, np.arange(draw.n, dtype=np.uint64)))
    name = np.empty(draw.n, np.int32)
    name[order] = np.arange(draw.n, dtype=np.int32)
    return name


def draw_edges(
    draw: Draw, progress: Progress | None = None, numbers: range | None = None,
    name: NDArray[np.int32] | None = None,
) -> U64:  # fmt: skip
    """Every edge as u << 32 | v, in the order in which they are drawn, with loops and duplicates;
    or those with these numbers. `name` is what `vertex_names` returns, if it is there already.

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
    name = f"kronecker-{draw.scale}-{draw.edgefactor}-{brief(draw.seed)}"
    return _from_keys(_distinct(edges[:filled]), draw.n, False, weights, draw.seed, name)


def _quarters(edge: U64, drawing: Draw) -> Pair:
    """The two ends of each edge, one bit for each level. A 64-bit hash serves two levels."""
    a, ab, abc = (np.uint64(bound) for bound in drawing.quarters)
    half, keys = np.uint64(HALF), drawing.level_keys
    u = np.zeros(edge.size, np.int64)
    v = np.zeros(edge.size, np.int64)
    for level in range(drawing.scale):
        if level % 2 == 0:
            bits = _hash(keys[level // 2], edge)
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
        The graph has 2^31 vertices or more, or does not fit into memory.

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
    n, nedges, seed = _check_n(_count(n, "n")), _count(nedges, "nedges"), _count(seed, "seed")
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
    keys = np.empty(len(numbers), np.uint64)
    for begin in range(0, keys.size, CHUNK):
        chunk = numbers[begin : begin + CHUNK]
        counter = np.arange(chunk.start, chunk.stop, dtype=np.uint64)
        pair = _permute(counter, possible, seed).view(np.int64)
        u, v = _directed_pair(pair, n) if directed else _undirected_pair(pair, n)
        keys[begin : begin + CHUNK] = (u * n + v).view(np.uint64)
    keys.sort()
    return _from_keys(keys, n, directed, weights, seed, f"random-{n}-{nedges}-{brief(seed)}")


def _of_part(count: int, part: tuple[int, int]) -> range:
    """The numbers of a part, of so many in all."""
    number, parts = part
    return range(count * number // parts, count * (number + 1) // parts)


def permutation(n: int, begin: int, end: int, seed: int = 1) -> I64:
    """The values from number `begin` to `end` of a random permutation of range(n).

    >>> permutation(8, 0, 8).tolist(), permutation(8, 3, 5).tolist()
    ([1, 7, 6, 2, 0, 5, 3, 4], [2, 0])
    """
    return _permute(np.arange(begin, min(end, n), dtype=np.uint64), n, seed).view(np.int64)


def _permute(counter: U64, size: int, seed: int) -> U64:
    """A random permutation of range(size), evaluated at `counter`. The size must be below 2^62."""
    half = max(1, ((size - 1).bit_length() + 1) // 2)
    shift, mask = np.uint64(half), np.uint64((1 << half) - 1)
    round_keys = [_key(seed, 3, i) for i in range(6)]
    value = counter.copy()
    walking = np.arange(counter.size)
    while walking.size:
        left, right = value[walking] >> shift, value[walking] & mask
        for key in round_keys:
            left, right = right, left ^ (_hash(key, right) & mask)
        value[walking] = (left << shift) | right
        walking = walking[value[walking] >= np.uint64(size)]
    return value


def _directed_pair(pair: I64, n: int) -> Pair:
    """The pair (u, v) with u != v of each number."""
    u, v = np.divmod(pair, n - 1)
    return u, v + (v >= u)


def _undirected_pair(pair: I64, n: int) -> Pair:
    """The pair (u, v) with u < v of each number: the triangle above the diagonal, as a rectangle.

    With an odd width w = n or n - 1, the rows r and w - 1 - r of the triangle together fill one row
    of the rectangle, so no square root is needed.
    """
    if n % 2:
        row, column = np.divmod(pair, n)
        upper = column > row
        return np.where(upper, row, n - 2 - row), np.where(upper, column, n - 1 - column)
    row, column = np.divmod(pair, n - 1)
    upper = column >= row
    return np.where(upper, row, n - 1 - row), np.where(upper, column + 1, n - 1 - column)


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
        The grid has 2^31 cells or more, or does not fit into memory.

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
    n, removed = _check_n(rows * cols), float(removed)
    if n:
        every = rows * (cols - 1) + cols * (rows - 1)
        _expect_room(int((1 - removed) * every) // part[1], "a grid")
    threshold = np.uint64(int(removed * 2.0**53))
    key = _key(seed, 4)

    def kept(edge: U64) -> NDArray[np.bool_]:
        return (_hash(key, edge) >> np.uint64(11)) >= threshold

    name = f"grid-{rows}x{cols}-{removed:g}-{brief(seed)}"
    keys = _lattice(rows, cols, kept, _of_part(2 * n, part))
    return _from_keys(keys, n, False, weights, seed, name)


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
    n = _check_n(rows * cols)
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


def _lattice(rows: int, cols: int, kept: Callable[[U64], NDArray[Any]], numbers: range) -> U64:
    """The sorted keys of the edges with these numbers that are kept.

    Edge 2c leads right from cell c, edge 2c + 1 down.
    """
    n = rows * cols
    parts = [np.empty(0, np.uint64)]
    for begin in range(0, len(numbers), CHUNK):
        chunk = numbers[begin : begin + CHUNK]
        edge = np.arange(chunk.start, chunk.stop, dtype=np.int64)
        cell, down = edge >> 1, (edge & 1) == 1
        edge = edge[np.where(down, cell < n - cols, cell % cols < cols - 1)]
        edge = edge[kept(edge.view(np.uint64))]
        cell, down = edge >> 1, (edge & 1) == 1
        parts.append((cell * n + cell + np.where(down, cols, 1)).view(np.uint64))
    return np.concatenate(parts)
