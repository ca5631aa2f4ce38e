"""Products over a grid of processes, where columns are divided too.

Of a grid of R × C processes, process r · C + c has the *block* of a matrix with the rows r, r + R,
… and the columns c, c + C, …. Stores are rows all the same, so entries go to their blocks first; a
matrix keeps its block for products with vectors, which come again and again.

A product of two matrices is SUMMA (van de Geijn, Watts: SUMMA: scalable universal matrix
multiplication algorithm, 1997) over classes of the inner positions: in a stage the processes of a
row of the grid get a class of columns of the left matrix, those of a column the same class of rows
of the right one. For a product with a vector, a process gets the entries of its columns alone, and
what it finds goes to the owners, who fold it. So a process receives as much as a row and a column
of the grid have, instead of all. The result of a product of matrices goes back to rows, so SUMMA is
taken where a mask keeps it small.
"""

from __future__ import annotations

import os
from math import isqrt, lcm
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.cluster.packing import NO_VALUE, divided, joined, merged, of_vector, vector_of
from lagraph_gpu.errors import BackendUnavailable
from lagraph_gpu.notation.expressions import Product
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.update import Update, run

if TYPE_CHECKING:
    from lagraph_gpu.cluster.distributed_store import Distributed
    from lagraph_gpu.cluster.distribution import Distribution

VARIABLE = "LAGRAPH_CLUSTER_GRID"

FLAT = 8
"""Up to so many processes columns are not divided, unless the user says so."""

NO_BYTES = np.empty(0, np.uint8)


class Grid(NamedTuple):
    """How many rows and columns of processes there are."""

    rows: int
    columns: int

    def place(self, rank: int) -> tuple[int, int]:
        """The row and the column of a process."""
        return divmod(rank, self.columns)


def chosen_grid(size: int) -> Grid:
    """The grid that LAGRAPH_CLUSTER_GRID names; else one column up to eight processes, and the
    squarest grid of more.

    >>> [tuple(chosen_grid(size)) for size in (1, 8, 12, 16)]
    [(1, 1), (8, 1), (4, 3), (4, 4)]
    """
    asked = os.environ.get(VARIABLE, "")
    if asked:
        sides = asked.lower().split("x")
        if len(sides) == 2 and all(side.isdecimal() for side in sides):
            grid = Grid(int(sides[0]), int(sides[1]))
            if grid.rows * grid.columns == size:
                return grid
        raise BackendUnavailable(
            f"expected {VARIABLE} as rows x columns of {size} processes, such as {size}x1, got "
            f"{asked!r}"
        )
    columns = next(c for c in range(isqrt(size), 0, -1) if size % c == 0) if size > FLAT else 1
    return Grid(size // columns, columns)


# --- blocks --------------------------------------------------------------------------------------
def block(distribution: Distribution, part: Any, shape: tuple[int, ...]) -> Any:
    """The block of this process, of a matrix of which each has a part by rows."""
    rows, columns = distribution.grid
    place, column, values = distribution.listed(part)
    row = place * distribution.size + distribution.rank
    to = row % rows * columns + column % columns
    arrived = merged(distribution.sent(to, [row // rows, column // columns, values]))
    return distribution.built(block_shape(distribution, shape), arrived)


def block_shape(distribution: Distribution, shape: tuple[int, ...]) -> tuple[int, int]:
    """The shape of the block of this process."""
    grid = distribution.grid
    r, c = grid.place(distribution.rank)
    return len(range(r, shape[0], grid.rows)), len(range(c, shape[1], grid.columns))


# --- a product of two matrices -------------------------------------------------------------------
def of_matrices(
    distribution: Distribution, node: Product, left: Any, right: Any, mask: Mask | None
) -> Any:
    """The rows of a product that this process owns, of matrices of which it has these parts. The
    mask is the part of this process too."""
    grid = distribution.grid
    (r, c), inner = grid.place(distribution.rank), node.right.shape[0]
    left = block(distribution, left, node.left.shape)
    right = block(distribution, right, node.right.shape)
    if mask is not None:
        held = block(distribution, mask.handle, node.shape)
        mask = Mask(held, mask.structure, mask.complement)
    out = distribution.empty(block_shape(distribution, node.shape), node.dtype)
    in_row = [r * grid.columns + k for k in range(grid.columns)]
    in_column = [k * grid.columns + c for k in range(grid.rows)]
    stages = lcm(*grid)
    for stage in range(stages):
        width = len(range(stage, inner, stages))
        owner_row, owner_column = stage % grid.rows, stage % grid.columns
        mine = None
        if c == owner_column:  # the columns stage, stage + stages, … of all
            begin, step = stage // grid.columns, stages // grid.columns
            mine = left[:, begin::step].new()
        of_left = passed(
            distribution, mine, (out.shape[0], width), left.dtype,
            in_row, r * grid.columns + owner_column,
        )  # fmt: skip
        mine = None
        if r == owner_row:
            begin, step = stage // grid.rows, stages // grid.rows
            mine = right[begin::step, :].new()
        of_right = passed(
            distribution, mine, (width, out.shape[1]), right.dtype,
            in_column, owner_row * grid.columns + c,
        )  # fmt: skip
        step_of: Product[Any] = Product(of_left, of_right, node.semiring)
        run(Update(out, step_of, mask, node.semiring.monoid.binary))
    row, column, values = distribution.listed(out)
    arrays = [row * grid.rows + r, column * grid.columns + c, values]
    return distribution.redistribute(node.shape, arrays)


def passed(
    distribution: Distribution, mine: Any, shape: tuple[int, int], dtype: np.dtype,
    to: list[int], owner: int,
) -> Any:  # fmt: skip
    """A matrix that its owner passes to these processes, this one among them."""
    types = [np.dtype(np.int64), np.dtype(np.int64), dtype]
    parts = [NO_BYTES] * distribution.size
    if distribution.rank == owner:
        row, column, values = distribution.listed(mine)
        data = joined([row.astype(np.int64), column.astype(np.int64), values])
        for rank in to:
            if rank != owner:
                parts[rank] = data
    received = distribution.comm.all_to_all(parts)
    if distribution.rank == owner:
        return mine
    return distribution.built(shape, divided(received[owner], types))


# --- a product of a matrix and a vector ----------------------------------------------------------
def partial_pull(
    distribution: Distribution, vector: Distributed, rows: Distributed, reads: bool
) -> tuple[Any, Any]:
    """The entries of a vector at the columns of this process, and its block of the matrix whose
    rows are pulled into. The matrix keeps the block."""
    grid, (size,) = distribution.grid, vector.shape
    if rows.block is None:
        rows.block = block(distribution, rows.part, rows.shape)
    place, values = distribution.listed(vector.part)
    dtype = values.dtype if reads else NO_VALUE
    packed = of_vector(place, values if reads else np.empty(place.size, dtype), *vector.part.shape)
    parts = [NO_BYTES] * distribution.size
    for r in range(grid.rows):  # all places of a process are of one class of columns
        parts[r * grid.columns + distribution.rank % grid.columns] = packed
    received = distribution.comm.all_to_all(parts)
    (_, c), lists = grid.place(distribution.rank), []
    for rank in range(c, distribution.size, grid.columns):
        own = len(range(rank, size, distribution.size))
        there, held = vector_of(received[rank], own, dtype)
        lists.append([(there * distribution.size + rank) // grid.columns, held])
    index, held = merged(lists)
    held = held if reads else np.ones(index.size, vector.part.dtype)
    return distribution.built((len(range(c, size, grid.columns)),), [index, held]), rows.block


def folded(distribution: Distribution, found: Any, shape: tuple[int, ...], monoid: Any) -> Any:
    """The part of this process of a vector, of which every process has found something at the rows
    of its block, folded by ⊕."""
    r, _ = distribution.grid.place(distribution.rank)
    place, values = distribution.listed(found)
    index = place * distribution.grid.rows + r
    own = distribution.part_shape(shape)
    out = distribution.empty(own, found.dtype)
    to, where = index % distribution.size, index // distribution.size
    for arrays in distribution.sent(to, [where, values]):
        out(monoid.binary) << distribution.built(own, arrays)
    return out
