"""How fast is an element-wise sum? ``python -m benchmarks.ewise --graph kron22``.

plus(A | B) of two matrices of float32: the even rows of B are those of A, the odd rows are A's in
reverse order. Then of two full vectors.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import scipy.sparse as sp

from benchmarks.expected import ExpectedMatrix, ExpectedVector
from benchmarks.operations import Entry, Place, Question, Ways, main
from benchmarks.problem import Bytes, Problem, csr
from semirings import BINARY

plus = BINARY["plus"]


def ways(problem: Problem) -> list[Entry]:
    found = Ways()
    matrices(found, problem)
    vectors(found, problem)
    return found.entries


def matrices(found: Ways, problem: Problem) -> None:
    A, n, case = problem.A, problem.n, "matrices"
    rows = np.arange(n)
    rows[1::2] = rows[1::2][::-1]
    B = A[rows]
    right = ExpectedMatrix(sp.csr_array(A + B))
    nbytes = sum(Bytes(M).all for M in (A, B, right.C))

    def make(place: Place) -> Any:
        other = place.matrix(B)
        return lambda: None, lambda _: plus(place.A | other).new(), lambda C: right.check(of(C))

    found.notation(problem, case, "plus(A | B)", make, nbytes)
    with found.peer(case, "cupyx") as add:
        _, sparse, held = problem.cupy
        other = sparse.csr_matrix(sp.csr_matrix(B))
        add("A + B", lambda _: held + other, lambda C: right.check(C.get()), bytes=nbytes,
            on_device=True, wait=problem.wait)  # fmt: skip
    with found.peer(case, "scipy") as add:
        add("A + B", lambda _: A + B, right.check, bytes=nbytes)


def vectors(found: Ways, problem: Problem) -> None:
    n, case = problem.n, "vectors"
    u, v = np.random.default_rng(1).integers(1, 100, (2, n)).astype(np.float32)
    everywhere = np.arange(n)
    right = ExpectedVector(everywhere, u + v)

    def make(place: Place) -> Any:
        left, other = (place.vector(everywhere, values, n) for values in (u, v))
        check = lambda w: right.check(*w.to_coo())  # noqa: E731
        return lambda: None, lambda _: plus(left | other).new(), check

    found.notation(problem, case, "plus(u | v)", make, 12 * n + 3 * (n // 8))
    with found.peer(case, "cupyx") as add:
        cupy, _, _ = problem.cupy
        left, other = cupy.asarray(u), cupy.asarray(v)
        add("u + v", lambda _: left + other, lambda w: right.check_dense(w.get()), bytes=12 * n,
            on_device=True, wait=problem.wait)  # fmt: skip
    with found.peer(case, "scipy") as add:
        add("u + v, NumPy", lambda _: u + v, right.check_dense, bytes=12 * n)


def of(C: Any) -> Any:
    """One of our matrices on the host."""
    indptr, column, values = C.to_csr()
    return csr(values, column, indptr, C.shape)


QUESTION = Question("ewise", ways)

if __name__ == "__main__":
    sys.exit(main(QUESTION))
