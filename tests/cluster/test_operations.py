"""Statements on 2 to 4 processes against the specification: those of tests/operations.

Each process must hold the same result, with mask, accumulator, replace, regions and types as drawn.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import BackendUnavailable
from lagraph_gpu.notation.expressions import Diagonal, OfVector
from lagraph_gpu.notation.selector import Selector
from semirings import BINARY, INDEXUNARY, UNARY, BinaryOp, plus_pair, plus_times
from semirings.types import INT64
from tests import spec
from tests.cluster.turns import on_ranks
from tests.harness import CPU, GPU, Statement, complaint, put, reseed
from tests.operations import (
    test_elementwise,
    test_matrices,
    test_matrix_products,
    test_parts,
    test_products,
)
from tests.strategies import (
    ACCUMS,
    containers,
    examples,
    matrices,
    monoid_types,
    needs_mild,
    seeds,
    vectors,
    writes,
)

sizes = st.sampled_from([2, 3, 4])


@st.composite
def diagonals(draw: Any, pair: Any) -> Statement:
    """A vector on a diagonal, or a diagonal as a vector."""
    dtype, out = pair
    k, turned = draw(st.integers(-4, 4)), draw(st.booleans())
    if draw(st.booleans()):
        u = draw(vectors(dtype, draw(test_parts.sides)))
        D = spec.diagonal(u, k)
        rest = draw(writes(out, D.shape, accum=ACCUMS[0]))
        return Statement(f"diag({k})", (u,), lambda x: OfVector(x, "diagonal", k), [D], **rest)
    A = draw(test_parts.shapes.flatmap(lambda shape: matrices(dtype, shape)))
    found = spec.diagonal_of(spec.transpose(A) if turned else A, k)
    rest = draw(writes(out, found.shape, accum=ACCUMS[0]))
    return Statement(f"A.diag({k})", (A,), lambda x: Diagonal(x.T if turned else x, k), [found],
                     **rest)  # fmt: skip


@st.composite
def lines(draw: Any, pair: Any) -> Statement:
    """A vector as a matrix of one row or one column."""
    dtype, out = pair
    u = draw(vectors(dtype, draw(test_parts.sides)))
    form = draw(st.sampled_from(["row", "column"]))
    at = {"row": lambda i: (0, i), "column": lambda i: (i, 0)}[form]
    shape = {"row": (1, *u.shape), "column": (*u.shape, 1)}[form]
    made = spec.Sparse(dtype, shape, {at(i): x for (i), x in u.entries.items()})
    rest = draw(writes(out, shape, accum=ACCUMS[0]))
    return Statement(form, (u,), lambda x: OfVector(x, form), [made], **rest)


@st.composite
def selectors(draw: Any) -> Statement:
    n, ncols = draw(test_parts.sides), draw(st.integers(1, 70))
    places = st.dictionaries(st.integers(0, max(n - 1, 0)), st.integers(0, ncols - 1))
    held = {i: INT64.type(x) for i, x in draw(places).items() if i < n}
    u = spec.Sparse(INT64, (n,), held)
    S = spec.selector(u, ncols)
    rest = draw(writes(INT64, S.shape, accum=ACCUMS[0]))
    return Statement("selector", (u,), lambda v: Selector(v, ncols), [S], **rest)


@st.composite
def reductions(draw: Any, fold: Any) -> Statement:
    """⊕ over rows or columns."""
    add, dtype = fold
    shape = draw(test_parts.shapes)
    A = draw(matrices(dtype, shape, needs_mild(add, dtype)))
    turned = draw(st.booleans())
    answers = spec.reduce_rowwise(spec.transpose(A) if turned else A, add)
    rest = draw(writes(dtype, answers[0].shape, accum=BINARY["second"]))
    return Statement(add.name, (A,), lambda x: (x.T if turned else x).reduce_rowwise(add), answers,
                     **rest)  # fmt: skip


def each(algebras: Any, statement: Any, **options: Any) -> st.SearchStrategy[Statement]:
    """Statements of one kind with each of these algebras."""
    chosen = st.sampled_from(algebras) if isinstance(algebras, list) else algebras
    return chosen.flatmap(lambda algebra: statement(algebra, **options))


def pairs(pairs: Any, statement: Any) -> st.SearchStrategy[Statement]:
    return pairs.flatmap(lambda pair: statement(*pair))


POSITIONAL = [(ring, INT64, INT64, INT64, ACCUMS[0]) for ring in test_products.POSITIONAL]
of_vectors, of_matrices, parts = test_elementwise, test_matrices, test_parts
STATEMENTS: dict[str, st.SearchStrategy[Statement]] = {
    "ewise": each(of_vectors.FIXED_EWISE, of_vectors.ewise),
    "ewise by position": each(of_vectors.POSITIONAL, of_vectors.ewise),
    "apply": each(of_vectors.fixed(of_vectors.EXACT_UNARY, 28), of_vectors.applied),
    "bound": each(of_vectors.fixed(of_vectors.BOUND, 32), of_vectors.bound),
    "index": each(of_vectors.INDEX_OPS, of_vectors.indexed, selects=False),
    "select": each(
        [a for a in of_vectors.INDEX_OPS if a[0].result == "bool"], of_vectors.indexed, selects=True
    ),
    "extract": pairs(of_vectors.TYPE_PAIRS, of_vectors.extracted),
    "assign": pairs(of_vectors.TYPE_PAIRS, of_vectors.assigned),
    "ewise of matrices": each(of_matrices.FIXED_EWISE, of_matrices.ewise),
    "apply to matrices": each(
        of_matrices.fixed(of_matrices.EXACT_UNARY, 14), of_matrices.applied
    ),
    "bound to matrices": each(of_matrices.fixed(of_matrices.EXACT, 20), of_matrices.bound),
    "index of matrices": each(of_matrices.MATRIX_INDEX_OPS, of_matrices.indexed, selects=False),
    "select of matrices": each(
        [a for a in of_matrices.MATRIX_INDEX_OPS if a[0].result == "bool"],
        of_matrices.indexed, selects=True,
    ),
    "extract of matrices": pairs(parts.PAIRS, parts.extracted),
    "assign to matrices": pairs(parts.PAIRS, parts.assigned),
    "assign within": pairs(parts.PAIRS, parts.vector_within),
    "diagonals": each(parts.PAIRS, diagonals),
    "lines": each(parts.PAIRS, lines),
    "selectors": selectors(),
    "kronecker": each(parts.KRONECKER, parts.kroneckers),
    "reduce rows": each(monoid_types(), reductions),
    "products": each(test_products.FIXED, test_products.products),
    "products by position": each(POSITIONAL, test_products.products),
    "products of matrices by position": each(POSITIONAL, test_matrix_products.products),
    "products of matrices": each(test_matrix_products.FIXED, test_matrix_products.products),
}  # fmt: skip


@pytest.mark.parametrize("kind", STATEMENTS)
@examples(40)
@given(data=st.data(), size=sizes)
def test_statements(kind: str, data: Any, size: int) -> None:
    statement = data.draw(STATEMENTS[kind])
    allowed = test_parts.results(statement)
    for found in on_ranks(size, statement.carry_out):
        wrong = complaint(found, allowed)
        assert not wrong, f"{size} processes: {wrong}\n{statement}"


@pytest.mark.parametrize("kind", STATEMENTS)
@examples(3)
@given(data=st.data(), size=st.sampled_from([9, 9, 12, 16]))
def test_statements_on_many(kind: str, data: Any, size: int) -> None:
    """On more than eight processes, which form a grid unless they are told otherwise."""
    statement = data.draw(STATEMENTS[kind])
    allowed = test_parts.results(statement)
    for found in on_ranks(size, statement.carry_out):
        wrong = complaint(found, allowed)
        assert not wrong, f"{size} processes: {wrong}\n{statement}"


@pytest.mark.parametrize("kind", ["products", "products of matrices", "products by position"])
@examples(25)
@given(data=st.data(), grid=st.sampled_from(["2x2", "1x3", "2x3", "3x2", "3x3"]))
def test_products_on_a_grid(kind: str, data: Any, grid: str) -> None:
    """Columns are divided as well."""
    statement = data.draw(STATEMENTS[kind])
    allowed = test_parts.results(statement)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAGRAPH_CLUSTER_GRID", grid)
        told = on_ranks(int(grid[0]) * int(grid[2]), statement.carry_out)
    for found in told:
        wrong = complaint(found, allowed)
        assert not wrong, f"a grid of {grid}: {wrong}\n{statement}"


def received(grid: str, work: Any) -> int:
    """The most bytes that a process sends for what `work` does, on average over all."""
    rows, columns = map(int, grid.split("x"))

    def sent(backend: Any) -> int:
        traffic = backend.distribution.comm.traffic
        work(backend)  # blocks are made and kept
        before = traffic.bytes
        work(backend)
        return int(traffic.bytes - before)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAGRAPH_CLUSTER_GRID", grid)
        return sum(on_ranks(rows * columns, sent)) // (rows * columns)


def test_a_grid_sends_less() -> None:
    """Of a vector a process gets its columns, and of matrices those of its row and column."""
    G = lg.kronecker(9, backend="cpu")
    full = lg.Vector.from_dense(range(1, G.n + 1), backend="cpu")

    def vector(backend: Any) -> Any:
        if not hasattr(backend, "graph"):
            backend.graph = G.to(backend).A
        return plus_times(backend.graph @ full.to(backend)).new().nvals

    assert received("4x4", vector) < 0.6 * received("16x1", vector)

    def matrices(backend: Any) -> Any:
        A = G.to(backend).A
        return plus_pair(A @ A).new(mask=A.S).nvals

    assert received("4x4", matrices) < received("16x1", matrices)


@pytest.mark.parametrize("grid", ["3x2", "4", "2x", "0x4", "axb"])
def test_a_grid_of_other_processes(grid: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAGRAPH_CLUSTER_GRID", grid)
        with pytest.raises(BackendUnavailable, match=f"4 processes, such as 4x1, got '{grid}'"):
            on_ranks(4, lambda backend: None)


PLACES = [*BINARY.values(), *UNARY.values(), *INDEXUNARY.values()]


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("op", [op for op in PLACES if op.positional], ids=lambda op: op.name)
def test_positions_are_those_of_the_whole(op: Any, size: int) -> None:
    """Operators that read positions, on full operands, so that every row is seen."""

    def found(backend: Any) -> list[Any]:
        u = lg.Vector.from_dense(range(7), backend=backend)
        A = lg.Matrix.from_dense([range(6)] * 7, backend=backend)
        of_one = [] if isinstance(op, BinaryOp) else [x.apply(op).new() for x in (u, A, A.T)]
        both = [op(x & x).new() for x in (u, A)] if isinstance(op, BinaryOp) else []
        return [one.to_coo()[-1].tolist() for one in (*of_one, *both)]

    assert on_ranks(size, found) == [found(CPU)] * size


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_product_into_columns_under_a_mask(size: int) -> None:
    """The mask has the shape of the output, which is not that of the product."""
    A = spec.Sparse(INT64, (5, 5), {(i, (2 * i) % 5): INT64.type(i + 1) for i in range(5)})
    C = spec.Sparse(INT64, (5, 9), {(2, 3): INT64.type(8), (4, 8): INT64.type(9)})
    mask = spec.Mask(C, structure=True, complement=True)
    answers, region = spec.mxm(A, A, plus_times), (None, [1, 8, 3, 0, 5])
    statement = Statement(
        "C[:, J] << A @ A", (A,), lambda x: plus_times(x @ x), answers, C, mask, region=region
    )
    for found in on_ranks(size, statement.carry_out):
        assert not complaint(found, statement.allowed())


ON_GPU = ["ewise", "index", "assign", "extract of matrices", "assign to matrices", "reduce rows",
          "products", "products of matrices"]  # fmt: skip


@pytest.mark.parametrize("kind", ON_GPU)
@examples(6)
@given(data=st.data(), seed=seeds)
def test_statements_with_a_gpu_each(kind: str, data: Any, seed: int) -> None:
    """The local backend of both processes is the emulated GPU."""
    statement = data.draw(STATEMENTS[kind])
    allowed = test_parts.results(statement)
    reseed(seed)
    for found in on_ranks(2, statement.carry_out, GPU):
        wrong = complaint(found, allowed)
        assert not wrong, f"{wrong}\n{statement}"


@examples(40)
@given(data=st.data(), size=sizes, fold=st.sampled_from(monoid_types()))
def test_reduce(data: Any, size: int, fold: Any) -> None:
    add, dtype = fold
    mild = needs_mild(add, dtype)
    shape = data.draw(test_parts.sides.map(lambda n: (n,)) | test_parts.shapes)
    s = data.draw(containers(dtype, shape, mild))
    allowed = spec.reduce(s, add)
    found = on_ranks(size, lambda backend: put(s, backend).reduce(add).new()._store)
    assert len({repr(one) for one in found}) == 1
    assert any(one is right or spec.same(one, right) for right in allowed for one in found[:1])
