"""How fast is a matrix made of coordinates? ``python -m benchmarks.build --graph kron22``.

The entries of a graph in random order, as row ids, column ids and values: from arrays of CuPy,
which are on the device, and from arrays of NumPy, whose copy to the device counts; then the
undirected graph of its edges, each given once, and compressed rows of SciPy.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

import lagraph_gpu as lg
from benchmarks.expected import ExpectedMatrix
from benchmarks.operations import OURS, Entry, Question, Ways, main
from benchmarks.problem import Problem, csr

Work = Callable[[Any], Any]


def ways(problem: Problem) -> list[Entry]:
    found, A, n = Ways(), problem.A, problem.n
    backend, right, wait = problem.backend, ExpectedMatrix(A), problem.wait
    coo = sp.coo_array(A)
    order = np.random.default_rng(1).permutation(A.nnz)
    parts = coo.row[order].astype(np.int32), coo.col[order].astype(np.int32), coo.data[order]
    out = problem.bytes.all
    of_entries, of_edges = (12 * int(count) + out for count in (A.nnz, (coo.row <= coo.col).sum()))
    once = parts[0] <= parts[1]
    ends = tuple(part[once] for part in parts)

    def matrix(i: Any, j: Any, x: Any) -> Work:
        return lambda _: lg.Matrix.from_coo(i, j, x, nrows=n, ncols=n, backend=backend)

    def graph(u: Any, v: Any, w: Any) -> Work:
        return lambda _: lg.Graph.from_edges(u, v, w, n, directed=False, backend=backend)

    def sparse(library: Any, i: Any, j: Any, x: Any) -> Work:
        return lambda _: library.coo_matrix((x, (i, j)), shape=(n, n)).tocsr()

    def check(made: Any) -> None:
        M = made.A if isinstance(made, lg.Graph) else made
        indptr, ids, values = M.to_csr()
        right.check(csr(values, ids, indptr, (n, n)))

    said, of_graph = "Matrix.from_coo(i, j, x)", "Graph.from_edges(u, v, w, directed=False)"
    theirs = "coo_matrix((x, (i, j))).tocsr()"
    with found.peer("entries, NumPy", OURS) as add:
        add(said, matrix(*parts), check, bytes=of_entries, wait=wait)
    with found.peer("entries, NumPy", "scipy") as add:
        add(theirs, sparse(sp, *parts), lambda C: right.check(sp.csr_array(C)),
            bytes=of_entries)  # fmt: skip
    with found.peer("entries, NumPy", "cupyx") as add:
        cupy, library, _ = problem.cupy
        add(theirs, lambda _: sparse(library, *map(cupy.asarray, parts))(None),
            lambda C: right.check(sp.csr_array(C.get())), bytes=of_entries,
            wait=wait)  # fmt: skip
    with found.peer("edges, NumPy", OURS) as add:
        add(of_graph, graph(*ends), check, bytes=of_edges, wait=wait)
    with found.peer("rows, SciPy", OURS) as add:
        add("Graph.from_scipy(A, directed=False)",
            lambda _: lg.Graph.from_scipy(A, directed=False, backend=backend), check,
            bytes=2 * out, wait=wait)  # fmt: skip
    with found.peer("entries, CuPy", OURS) as add:
        held = map(problem.cupy[0].asarray, parts)
        add(said, matrix(*held), check, bytes=of_entries, wait=wait)
    with found.peer("entries, CuPy", "cupyx") as add:
        cupy, library, _ = problem.cupy
        add(theirs, sparse(library, *map(cupy.asarray, parts)),
            lambda C: right.check(sp.csr_array(C.get())), bytes=of_entries, wait=wait)  # fmt: skip
    with found.peer("edges, CuPy", OURS) as add:
        held = map(problem.cupy[0].asarray, ends)
        add(of_graph, graph(*held), check, bytes=of_edges, wait=wait)
    return found.entries


QUESTION = Question("build", ways)

if __name__ == "__main__":
    sys.exit(main(QUESTION))
