"""How fast is a matrix times a matrix? ``python -m benchmarks.mxm --graph kron16``.

A plus_times A, and the triangles at each edge: C(A.S) << plus_pair(L @ L.T) for the lower triangle
L of A, beside the same product without the mask. A graph whose square would have more than MOST
entries is replaced by one of half the vertices, until it fits; the record says so. Of the Kronecker
graphs kron18's square has 2,961,642,753 entries, more than 32 bits number; kron16's 354,287,186.
"""

from __future__ import annotations

import re
import sys
from typing import Any

import scipy.sparse as sp

import lagraph_gpu as lg
from benchmarks.ewise import of
from benchmarks.expected import (
    ExpectedProduct,
    estimated_nnz,
    masked_product,
    nnz_of_product,
    pattern,
    products,
)
from benchmarks.operations import Entry, Place, Question, Ways, main
from benchmarks.peers import Absent
from benchmarks.problem import Bytes, Problem
from lagraph_gpu.backend import Backend
from semirings import SEMIRINGS

MOST = 1 << 29
"""Entries of a square that is measured: 4 GiB."""

SLOW = 1 << 31
"""Products beyond which a library on one thread is not asked."""

plus_times, plus_pair = SEMIRINGS["plus_times"], SEMIRINGS["plus_pair"]


def small_enough(name: str, backend: Backend) -> Problem:
    """The named problem, or the largest smaller one of its kind whose square fits."""
    given = name
    while True:
        problem = Problem(name, backend)
        if given != name:
            problem.note = f"{given} was asked for; its square has more than {MOST:,} entries"
        size = estimated_nnz(problem.A, problem.A)
        match = re.fullmatch(r"(kron|random)(\d+)", name)
        if size <= MOST or match is None:
            return problem
        name = f"{match[1]}{int(match[2]) - 1}"


def ways(problem: Problem) -> list[Entry]:
    found, A = Ways(), problem.A
    right = ExpectedProduct(A, A, nnz_of_product(A, A))
    result = (A.shape[0] + 1) * 4 + 8 * right.nnz
    nbytes = 2 * problem.bytes.all + result

    def square(place: Place) -> Any:
        check = lambda C: right.check(of(C))  # noqa: E731
        return lambda: None, lambda _: plus_times(place.A @ place.A).new(), check

    found.notation(problem, "A A", "plus_times(A @ A)", square, nbytes)
    with found.peer("A A", "cupyx") as add:
        _, _, held = problem.cupy
        add("A @ A", lambda _: held @ held, lambda C: right.check(in_order(C.get())),
            bytes=nbytes, on_device=True, wait=problem.wait)  # fmt: skip
    with found.peer("A A", "scipy") as add:
        refuse_slow(A, A)
        add("A @ A", lambda _: A @ A, lambda C: right.check(in_order(C)), bytes=nbytes)
    triangles(found, problem)
    return found.entries


def triangles(found: Ways, problem: Problem) -> None:
    A, n = problem.A, problem.n
    L = sp.csr_array(sp.tril(A, -1, format="csr"))
    U = sp.csr_array(L.T.tocsr())
    under = masked_product(L, U, A)
    whole = ExpectedProduct(pattern(L), pattern(U), nnz_of_product(L, U))
    reads, each = 2 * Bytes(L).structure, (n + 1) * 4
    masked_bytes = reads + Bytes(A).structure + each + 8 * under.C.nnz

    def masked(place: Place) -> Any:
        low = place.matrix(L)

        def product(_: Any) -> lg.Matrix:
            C = lg.Matrix("FP32", n, n, backend=place.backend)
            C(place.A.S) << plus_pair(low @ low.T)
            return C

        return lambda: None, product, lambda C: under.check(of(C))

    def unmasked(place: Place) -> Any:
        low = place.matrix(L)
        check = lambda C: whole.check(of(C))  # noqa: E731
        return lambda: None, lambda _: plus_pair(low @ low.T).new(), check

    found.notation(problem, "triangles", "C(A.S) << plus_pair(L @ L.T)", masked, masked_bytes)
    case = "without the mask"
    found.notation(problem, case, "plus_pair(L @ L.T)", unmasked, reads + each + 8 * whole.nnz)
    with found.peer("triangles", "cupyx") as add:
        _, sparse, held = problem.cupy
        low, up = (sparse.csr_matrix(sp.csr_matrix(pattern(M))) for M in (L, U))
        flags = sparse.csr_matrix((held.data * 0 + 1, held.indices, held.indptr), held.shape)
        add("(L @ L.T).multiply(A)", lambda _: (low @ up).multiply(flags),
            lambda C: under.check(in_order(C.get())), bytes=masked_bytes, on_device=True,
            wait=problem.wait)  # fmt: skip


def refuse_slow(A: Any, B: Any) -> None:
    if (count := products(A, B)) > SLOW:
        raise Absent(f"{count:,} products take too long on one thread")


def in_order(C: Any) -> Any:
    C = sp.csr_array(C)
    C.sort_indices()
    return C


QUESTION = Question("mxm", ways, problem=small_enough)

if __name__ == "__main__":
    sys.exit(main(QUESTION))
