"""How fast is a matrix times a vector? ``python -m benchmarks.mxv --graph kron22``.

A is float32, x full. Beside plus_times: the same walk with other algebra (min_plus, any_pair, a
semiring of one's own), and plus_second, which reads the structure of A and not its values. Each
product meets a vector that no product has met, as in an iteration; "the same x" is the other case.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from benchmarks.expected import ExpectedVector, rowwise
from benchmarks.operations import Entry, Place, Question, Ways, main
from benchmarks.problem import Problem
from semirings import SEMIRINGS, Semiring, monoid, semiring

FARTHEST = semiring(monoid("max(x, y)", "lowest", idempotent=True, selective=True), "abs(x - y)")
"""A semiring that no catalogue has."""


def ways(problem: Problem) -> list[Entry]:
    A, n = problem.A, problem.n
    x = np.random.default_rng(1).integers(1, 5, n).astype(np.float32)
    gathered = x[A.indices]
    values, reads = A.data.astype(np.float64), problem.bytes
    rows = rowwise(A, values * gathered, np.add)
    counted = rowwise(A, gathered.astype(np.float64), np.add)
    vectors = 2 * (4 * n + n // 8)
    first = reads.offsets + 4 * rows.index.size  # any may stop at a row's first entry
    algebras: list[tuple[str, str, Semiring, ExpectedVector, int]] = [
        ("plus_times", "plus_times", SEMIRINGS["plus_times"], rows, reads.all),
        ("min_plus", "min_plus", SEMIRINGS["min_plus"],
         rowwise(A, A.data + gathered, np.minimum), reads.all),
        ("own semiring", "farthest", FARTHEST,
         rowwise(A, np.abs(A.data - gathered), np.maximum), reads.all),
        ("structure only", "plus_second", SEMIRINGS["plus_second"],
         counted, reads.structure),
        ("any_pair", "any_pair", SEMIRINGS["any_pair"],
         ExpectedVector(rows.index, np.ones(rows.index.size)), first),
    ]  # fmt: skip
    algebras.insert(1, ("the same x", *algebras[0][1:]))
    found = Ways()
    for case, name, ring, expected, nbytes in algebras:
        found.notation(
            problem, case, f"{name}(A @ x)", statement(case, ring, x, expected), nbytes + vectors
        )
    with found.peer("plus_times", "cupyx") as add:
        cupy, _, held = problem.cupy
        on_device = cupy.asarray(x)
        add("A @ x", lambda _: held @ on_device, lambda y: rows.check_dense(y.get()),
            bytes=reads.all + 8 * n, on_device=True, wait=problem.wait)  # fmt: skip
    with found.peer("structure only", "cupyx") as add:  # which has to read values: ones
        cupy, sparse, held = problem.cupy
        ones = sparse.csr_matrix((held.data * 0 + 1, held.indices, held.indptr), held.shape)
        full = cupy.asarray(x)
        add("A @ x, all values 1", lambda _: ones @ full, lambda y: counted.check_dense(y.get()),
            bytes=reads.all + 8 * n, on_device=True, wait=problem.wait)  # fmt: skip
    with found.peer("plus_times", "scipy") as add:
        add("A @ x", lambda _: A @ x, rows.check_dense, bytes=reads.all + 8 * n)
    return found.entries


def statement(case: str, ring: Semiring, x: np.ndarray, expected: ExpectedVector) -> Any:
    def make(place: Place) -> Any:
        u = place.vector(np.arange(x.size), x, x.size)
        return (
            (lambda: u) if case == "the same x" else u.dup,
            lambda u: ring(place.A @ u).new(),
            lambda w: expected.check(*w.to_coo()),
        )

    return make


QUESTION = Question("mxv", ways)

if __name__ == "__main__":
    sys.exit(main(QUESTION))
