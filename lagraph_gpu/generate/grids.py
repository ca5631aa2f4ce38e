"""Grids, whole or of open cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lagraph_gpu.convert.arguments import is_integer, is_real
from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.convert.ids import check_size
from lagraph_gpu.convert.interchange import as_numpy
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, brief
from lagraph_gpu.generate.counters import U64, Pair, hashes, key_of
from lagraph_gpu.generate.edge_weights import (
    WeightKind,
    check_weights,
    edge_weights,
    weight_keys,
)
from lagraph_gpu.generate.sizes import (
    check_ids,
    chunks,
    count_of,
    expect_room_for_edges,
    numbers_of_part,
)
from lagraph_gpu.generate.sorted_edges import edge_list, from_keys


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
    rows, cols, seed = count_of(rows, "rows"), count_of(cols, "cols"), count_of(seed, "seed")
    if not is_real(removed) or not 0 <= removed <= 1:
        raise InvalidValue(
            f"expected removed as the fraction of edges to take out, 0 to 1, got {brief(removed)}"
        )
    n, removed = check_size(rows * cols), float(removed)
    if n:
        every = rows * (cols - 1) + cols * (rows - 1)
        expect_room_for_edges(int((1 - removed) * every) // part[1], "a grid")
    threshold = np.uint64(int(removed * 2.0**53))
    key = key_of(seed, 4)

    def kept(edge: U64) -> NDArray[np.bool_]:
        return (hashes(key, edge) >> np.uint64(11)) >= threshold

    name = f"grid-{rows}x{cols}-{removed:g}-{brief(seed)}"
    src, dst = _lattice(rows, cols, kept, numbers_of_part(2 * n, part))
    weight = edge_weights(weights, seed, weight_keys(src, dst, n))
    return edge_list(src, dst, weight, n, False, name)


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
    expect_room_for_edges(neighbors // 2 * int(np.count_nonzero(mask)), "a grid")
    steps = [(0, 1), (1, -1), (1, 0), (1, 1)] if neighbors == 8 else [(0, 1), (1, 0)]
    keys = np.sort(np.concatenate([_steps(mask, down, right) for down, right in steps]))
    name = f"mask-{rows}x{cols}"
    if weights != "length":
        return from_keys(keys, n, False, weights, seed, name)
    edges = from_keys(keys, n, False, None, seed, name)
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
    for part in chunks(len(numbers)):
        chunk = numbers[part]
        edge = np.arange(chunk.start, chunk.stop, dtype=np.int64)
        cell, down = edge >> 1, (edge & 1) == 1
        edge = edge[np.where(down, cell < n - cols, cell % cols < cols - 1)]
        edge = edge[kept(edge.view(np.uint64))]
        cell, down = edge >> 1, (edge & 1) == 1
        src.append(cell)
        dst.append(cell + np.where(down, cols, 1))
    return np.concatenate(src), np.concatenate(dst)
