"""How fast do edges come and go? ``python -m benchmarks.changes --graph kron24``.

A million edges, in small graphs an eighth of those that are there, are added to a graph and removed
from it: a new graph each time, from arrays of NumPy, whose sorting and copy to the device count,
and from arrays of CuPy. An edge that is there already gets the sum of both weights, so SciPy and
cupyx make the same matrix by an addition.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import scipy.sparse as sp

import lagraph_gpu as lg
from benchmarks.expected import ExpectedMatrix
from benchmarks.operations import OURS, Entry, Question, Ways, main
from benchmarks.problem import Problem, csr

EDGES = 1_000_000


def batch(n: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """So many edges between different vertices, some of them given twice, with weights 1 to 3."""
    rng = np.random.default_rng(1)
    u = rng.integers(0, n, count)
    v = (u + rng.integers(1, n, count)) % n
    return u, v, rng.integers(1, 4, count).astype(np.float32)


def ways(problem: Problem) -> list[Entry]:
    found, A, n = Ways(), problem.A, problem.n
    wait, out = problem.wait, problem.bytes.all
    G = lg.Graph(problem.matrix, directed=False)
    count = min(EDGES, A.nnz // 16)
    u, v, w = batch(n, count)
    new = sp.coo_array((np.r_[w, w], (np.r_[u, v], np.r_[v, u])), shape=(n, n))
    more = sp.csr_array(A + new.tocsr())
    more.sort_indices()
    pattern = new.tocsr()
    pattern.data[:] = 1
    less = sp.csr_array(A - A.multiply(pattern))
    less.eliminate_zeros()
    less.sort_indices()

    def check(right: ExpectedMatrix) -> Any:
        def checked(made: lg.Graph) -> None:
            indptr, ids, values = made.A.to_csr()
            right.check(csr(values, ids, indptr, (n, n)))

        return checked

    def as_given(made: Any) -> Any:
        return csr(made.data, made.indices, made.indptr, (n, n))

    added, removed = ExpectedMatrix(as_given(more)), ExpectedMatrix(as_given(less))
    size = 12 * count + 2 * out
    adding, removing = 'G.add_edges(u, v, w, dup="sum")', "G.remove_edges(u, v)"
    with found.peer("add, NumPy", OURS) as add:
        add(adding, lambda _: G.add_edges(u, v, w, dup="sum"), check(added), bytes=size, wait=wait)
    with found.peer("add, NumPy", "scipy") as add:
        add("A + coo_array((w, (u, v))).tocsr()", lambda _: sp.csr_array(A + new.tocsr()),
            lambda C: added.check(as_given(in_order(C))), bytes=size)  # fmt: skip
    with found.peer("add, NumPy", "cupyx") as add:
        cupy, library, B = problem.cupy
        add("A + coo_matrix((w, (u, v))).tocsr()",
            lambda _: B + library.coo_matrix(
                (cupy.asarray(new.data), tuple(map(cupy.asarray, new.coords))), shape=(n, n)
            ).tocsr(),
            lambda C: added.check(as_given(in_order(C.get()))), bytes=size, wait=wait)  # fmt: skip
    with found.peer("add, CuPy", OURS) as add:
        cupy = problem.cupy[0]
        i, j, x = map(cupy.asarray, (u, v, w))
        add(adding, lambda _: G.add_edges(i, j, x, dup="sum"), check(added), bytes=size, wait=wait)
    with found.peer("add, CuPy", "cupyx") as add:
        cupy, library, B = problem.cupy
        ends = cupy.asarray(new.data), tuple(map(cupy.asarray, new.coords))
        add("A + coo_matrix((w, (u, v))).tocsr()",
            lambda _: B + library.coo_matrix(ends, shape=(n, n)).tocsr(),
            lambda C: added.check(as_given(in_order(C.get()))), bytes=size, wait=wait)  # fmt: skip
    with found.peer("remove, NumPy", OURS) as add:
        add(removing, lambda _: G.remove_edges(u, v), check(removed), bytes=size, wait=wait)
    return found.entries


def in_order(C: Any) -> Any:
    """The same matrix with sorted rows."""
    C.sort_indices()
    return C


QUESTION = Question("changes", ways, "kron24")

if __name__ == "__main__":
    sys.exit(main(QUESTION))
