"""Products on a cluster: what is gathered, what is sent to its owner and folded there.

A vector times a matrix goes in one of two ways. By *push* each process multiplies its own entries
of the vector with its own rows; what comes out for the rows of others is sent to them, and folded
there. By *pull* the vector is gathered on every process, which then computes its own rows of the
result. A pull needs the rows that hold the edges into a row of the result; these are the rows of
the transpose unless the product is taken from the other side. Of a vector with many more positions
than the matrix has entries (`lists_rows`), and more entries than that, each process gets those at
its columns alone.

A product of two matrices takes the rows of the right one from one process after another. Where the
columns are divided among processes too, both go by blocks (`grid.py`).
"""

from __future__ import annotations

from typing import Any

from lagraph_gpu.cluster import grid
from lagraph_gpu.cluster.allowed import allowed_by
from lagraph_gpu.cluster.defaults import WithDefault
from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.rows_asked_for import (
    at_columns,
    columns_of,
    rows_of_process,
    under_ranks,
)
from lagraph_gpu.convert.edge_list import lists_rows
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.expressions import (
    Apply,
    Expression,
    Product,
    Reduce,
    Transposed,
    computed,
)
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.notation.mask import Mask
from lagraph_gpu.notation.update import Update, run
from lagraph_gpu.planning.direction import gather_threshold
from lagraph_gpu.schedule import Schedule
from semirings import UNARY

PUSH = Schedule(direction="push")
"""Of a push the local product is one, too: it would read all edges otherwise."""


def matrix_of(operand: Any) -> tuple[Distributed, bool]:
    """The store of a matrix operand, and whether its transpose is meant."""
    if isinstance(operand, Transposed):
        return operand.matrix._store, True
    return computed(operand)._store, False


def part_of(distribution: Distribution, operand: Any) -> Any:
    """The part of an operand that this process owns, as a container of the local backend."""
    if isinstance(operand, Transposed):
        return distribution.transpose(operand.matrix._store).part
    return computed(operand)._store.part


def in_global_shape_of(distribution: Distribution, operand: Any) -> Any:
    """The part of an operand that this process owns, at its places in the whole."""
    store, transposed = matrix_of(operand)
    return distribution.in_global_shape(distribution.transpose(store) if transposed else store)


def product(distribution: Distribution, node: Product, mask: Mask | None) -> Any:
    """The rows of a product that this process owns: a local expression.

    `mask` is the part of the mask of the statement that this process owns, or None.
    """
    if node.kind == "mxm":
        return of_matrices(distribution, node, mask)
    vxm = node.kind == "vxm"
    u, matrix = (node.left, node.right)[:: 1 if vxm else -1]
    vector = computed(u)._store
    store, transposed = matrix_of(matrix)
    into_rows = transposed == vxm
    u = None
    if both_ways(store) or into_rows:
        if fills_more(distribution, vector, store):
            rows = store if into_rows else distribution.transpose(store)
            return pulled_by_ranks(distribution, node, vector, rows, store, transposed)
        if by_blocks(distribution, node, vector, store, mask):
            return pulled_by_blocks(distribution, node, vector, store, transposed)
        reads = node.semiring.reads_left if vxm else node.semiring.reads_right
        beyond = gather_threshold(vector.shape[0]) if both_ways(store) else -1
        u = distribution.whole_vector(vector, reads, beyond)
    if u is not None:
        return pulled(distribution, node, u, store, transposed)
    found = partial_product(distribution, node, vector, store, transposed)
    allowed = allowed_by(distribution, mask, found.size)
    return distribution.reduce_scatter(found, node.semiring.monoid, allowed)


def fills_more(distribution: Distribution, vector: Distributed, store: Distributed) -> bool:
    """Whether a vector has more entries than a process of the matrix, and may have so many that no
    process has room for them, such as one value at each of 2⁴⁰ positions."""
    if not lists_rows(vector.shape[0], lambda: distribution.entries_of(store)):
        return False
    count = distribution.totals(vector.nvals)[0]
    return count * distribution.size > distribution.entries_of(store)


def by_blocks(
    distribution: Distribution, node: Product, vector: Distributed, store: Distributed,
    mask: Mask | None,
) -> bool:  # fmt: skip
    """Whether a pull goes over blocks of the matrix: where columns are divided, no mask rules out
    rows, and the vector has so many entries that it is pulled.
    """
    if distribution.grid.columns == 1 or distribution.vector_exchange is not None:
        return False
    if mask is not None or node.semiring.positional:
        return False
    few = gather_threshold(vector.shape[0]) if both_ways(store) else -1
    return distribution.totals(vector.nvals)[0] > few


def pulled_by_blocks(
    distribution: Distribution, node: Product, vector: Distributed, store: Distributed,
    transposed: bool,
) -> Any:  # fmt: skip
    """The rows of the result that this process owns, from the blocks of all."""
    vxm = node.kind == "vxm"
    rows = store if transposed == vxm else distribution.transpose(store)
    reads = node.semiring.reads_left if vxm else node.semiring.reads_right
    u, held = grid.partial_pull(distribution, vector, rows, reads)
    found = multiplied(node, u, held, vxm).new()
    return grid.folded(distribution, found, node.shape, node.semiring.monoid)


def both_ways(store: Distributed) -> bool:
    """Whether a vector can be pushed as well as pulled."""
    return store.symmetric or store.transpose is not None


def pulled(
    distribution: Distribution, node: Product, u: Any, store: Distributed, transposed: bool
) -> Any:
    """The rows of the result from the whole vector u, which every process has."""
    vxm, free = node.kind == "vxm", node.semiring.multiply.parsed.free
    rows = store if transposed == vxm else distribution.transpose(store)
    if ("j" if vxm else "i") in free:  # the row of the result
        return in_local_shape(
            distribution, multiplied(node, u, distribution.in_global_shape(rows), vxm)
        )
    return multiplied(node, u, rows.part, vxm)


def partial_product(
    distribution: Distribution, node: Product, vector: Distributed, store: Distributed,
    transposed: bool, mask: Mask | None = None,
) -> Any:  # fmt: skip
    """What the entries and the rows of this process make of the whole result."""
    vxm = node.kind == "vxm"
    rows = distribution.transpose(store) if transposed == vxm else store
    if "k" in node.semiring.multiply.parsed.free:
        made = multiplied(
            node, distribution.in_global_shape(vector), distribution.in_global_shape(rows), not vxm
        )
    else:
        made = multiplied(node, entries_of_rows(distribution, vector, rows), rows.part, not vxm)
    found = distribution.empty(node.shape, node.dtype)
    run(Update(found, made, mask, schedule=PUSH))
    return found


def pulled_by_ranks(
    distribution: Distribution, node: Product, vector: Distributed, rows: Distributed,
    store: Distributed, transposed: bool,
) -> Any:  # fmt: skip
    """The rows of the result that this process owns, from the entries of a vector at the columns of
    its rows."""
    lines, columns, part = under_ranks(distribution, rows)
    rank, values = at_columns(distribution, vector, columns)
    if node.semiring.positional:
        u = distribution.built(vector.shape, [columns[rank], values])
        return pulled(distribution, node, u, store, transposed)
    u = distribution.built((columns.size,), [rank, values])
    line, values = distribution.listed(multiplied(node, u, part, node.kind == "vxm").new())
    return distribution.built(distribution.part_shape(node.shape), [lines[line], values])


def entries_of_rows(distribution: Distribution, vector: Distributed, rows: Distributed) -> Any:
    """The part of a vector that this process multiplies by its rows: if it has a default, what it
    has at the rows with entries."""
    if not isinstance(vector, WithDefault):
        return vector.part
    places = distinct(distribution.listed(rows.part)[0])
    index, values = vector.at(places)
    return distribution.built(distribution.part_shape(vector.shape), [places[index], values])


def multiplied(node: Product, u: Any, rows: Any, turn: bool) -> Product:
    """u ⊕.⊗ A or A ⊕.⊗ u, by local operands, where A is `rows` or with `turn` its transpose."""
    rows = rows.T if turn else rows
    left, right = (u, rows) if node.kind == "vxm" else (rows, u)
    return Product(left, right, node.semiring)


def of_matrices(distribution: Distribution, node: Product, mask: Mask | None) -> Any:
    """The rows of a product of two matrices, with the rows of the right one in P stages.

    In stage s every process multiplies its columns s, s + P, … with the rows of process s, of which
    it asks for those that its columns name.
    """
    positional = node.semiring.positional
    if not positional and (scaled := by_diagonal(distribution, node)) is not None:
        return scaled
    small = mask is not None and not mask.complement  # else most of what is sent is the result
    if distribution.grid.columns > 1 and small and not positional:
        a, b = (part_of(distribution, side) for side in (node.left, node.right))
        return grid.of_matrices(distribution, node, a, b, mask)
    left = (
        in_global_shape_of(distribution, node.left)
        if positional
        else part_of(distribution, node.left)
    )
    right, inner = part_of(distribution, node.right), node.right.shape[0]
    read = columns_of(distribution, left)
    out = distribution.empty((left.shape[0], node.shape[1]), node.dtype)
    mask = None if positional else mask
    for stage in range(distribution.size):
        rows = rows_of_process(
            distribution,
            stage,
            right,
            inner,
            read[read % distribution.size == stage] // distribution.size,
        )
        if positional:
            whole = distribution.empty(node.right.shape, right.dtype)
            whole[stage :: distribution.size, :] << rows
            step: Product[Any] = Product(left, whole, node.semiring)
        else:
            step = Product(left[:, stage :: distribution.size].new(), rows, node.semiring)
        run(Update(out, step, mask, node.semiring.monoid.binary))
    return in_local_shape(distribution, out) if positional else out


def by_diagonal(distribution: Distribution, node: Product) -> Product | None:
    """The rows of a product with a diagonal matrix: on the left a process needs the values of its
    own rows, on the right those of all columns. None if neither is diagonal."""
    left, right = diagonal_of(node.left), diagonal_of(node.right)
    if left is not None:
        rows = part_of(distribution, node.right)
        return Product(left.part.diag(), rows, node.semiring)
    if right is None or distribution.lists_rows(matrix_of(node.left)[0]):
        return None
    rows = part_of(distribution, node.left)
    return Product(rows, distribution.whole_vector(right).diag(), node.semiring)


def diagonal_of(operand: Any) -> Distributed | None:
    """The diagonal of a matrix that has no other entries by how it was made, or None."""
    A = operand.matrix if isinstance(operand, Transposed) else operand
    return A._store.diagonal if isinstance(A, Matrix) else None


def in_local_shape(distribution: Distribution, wide: Any) -> Any:
    """The rows of this process of a local expression that has all rows."""
    return distribution.in_local_shape(computed(wide))


def by_columns(distribution: Distribution, node: Reduce, mask: Mask | None) -> Any:
    """⊕ over the rows of a transpose. Each process folds its own, unless the transpose is there."""
    store, _ = matrix_of(node.operand)
    if both_ways(store):
        return Reduce(distribution.transpose(store).part, node.monoid, rowwise=True)
    found = Reduce(store.part.T, node.monoid, rowwise=True).new()
    allowed = allowed_by(distribution, mask, found.size)
    return distribution.reduce_scatter(found, node.monoid, allowed)


def as_expression(local: Any) -> Any:
    """A local expression as it is, and a local container as an expression."""
    return local if isinstance(local, Expression) else Apply(local, UNARY["identity"])
