"""How fast is a matrix made of coordinates? ``python -m benchmarks.build --graph kron22``.

The entries of a graph in random order, as row ids, column ids and values: from arrays of CuPy, which
are on the device, and from arrays of NumPy, whose copy to the device counts; then the undirected
graph of its edges, each given once, and compressed rows of SciPy.
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


def ways(problem: Problem) -> list[Entry]:
    found, A, n = Ways(), problem.A, problem.n
    coo = sp.coo_array(A)
    order = np.random.default_rng(1).permutation(A.nnz)
    row, column = (ids[order].astype(np.int32) for ids in (coo.row, coo.col))
    value, right = coo.data[order], ExpectedMatrix(A)
    once = row <= column
    backend, shape = problem.backend, {"nrows": n, "ncols": n}

    def check(made: Any) -> None:
        M = made.A if isinstance(made, lg.Graph) else made
        indptr, ids, values = M.to_csr()
        right.check(csr(values, ids, indptr, M.shape))

    with found.peer("entries in NumPy", OURS) as add:
        add("Matrix.from_coo(i, j, x)",
            lambda _: lg.Matrix.from_coo(row, column, value, **shape, backend=backend), check,
            wait=problem.wait)  # fmt: skip
    with found.peer("entries in NumPy", "scipy") as add:
        add("coo_array((x, (i, j))).tocsr()",
            lambda _: sp.coo_array((value, (row, column)), shape=(n, n)).tocsr(), right.check)  # fmt: skip
    for by in (OURS, "cupyx"):
        with found.peer("entries in CuPy", by) as add:
            cupy, sparse, _ = problem.cupy
            i, j, x = map(cupy.asarray, (row, column, value))
            if by == OURS:
                add("Matrix.from_coo(i, j, x)",
                    lambda _: lg.Matrix.from_coo(i, j, x, **shape, backend=backend), check,
                    wait=problem.wait)  # fmt: skip
            else:
                add("coo_matrix((x, (i, j))).tocsr()",
                    lambda _: sparse.coo_matrix((x, (i, j)), shape=(n, n)).tocsr(),
                    lambda C: right.check(C.get()), wait=problem.wait)  # fmt: skip
    ends = row[once], column[once], value[once]
    with found.peer("edges in NumPy", OURS) as add:
        add("Graph.from_edges(u, v, w, directed=False)",
            lambda _: lg.Graph.from_edges(*ends, n=n, directed=False, backend=backend), check,
            wait=problem.wait)  # fmt: skip
    with found.peer("edges in CuPy", OURS) as add:
        cupy, _, _ = problem.cupy
        u, v, w = map(cupy.asarray, ends)
        add("Graph.from_edges(u, v, w, directed=False)",
            lambda _: lg.Graph.from_edges(u, v, w, n=n, directed=False, backend=backend), check,
            wait=problem.wait)  # fmt: skip
    with found.peer("rows of SciPy", OURS) as add:
        add("Graph.from_scipy(A, directed=False)",
            lambda _: lg.Graph.from_scipy(A, directed=False, backend=backend), check,
            wait=problem.wait)  # fmt: skip
    return found.entries


QUESTION = Question("build", ways)

if __name__ == "__main__":
    sys.exit(main(QUESTION))
