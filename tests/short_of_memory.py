"""Typical calls while memory is short: each gives the right answer, or raises an error of ours and
leaves everything as it was.

`python -m tests.short_of_memory [FACTOR] [CALL …]` runs every call, or those named, under a limit
of the address space. It starts with no room and grows by FACTOR until the call succeeds. Each call
has run once before, so that threads exist and loops are compiled. A line for each call says how
often it was refused and what was wrong, if anything; the exit status is the number of calls in
which something was wrong.

The limits mean something only if the C library takes every piece of a page or more from the system
and returns it at once, and if no memory is free in the heap. The process therefore starts itself
again under `ENVIRONMENT`, and takes the free memory of the heap first.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import pickle
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import graphblas as gb
import numpy as np

import lagraph_gpu as lg
from lagraph_gpu import generate, verify
from lagraph_gpu.errors import TooLarge

ENVIRONMENT = {
    "MALLOC_MMAP_THRESHOLD_": "4096",
    "MALLOC_MMAP_MAX_": "1000000",
    "MALLOC_TRIM_THRESHOLD_": "0",
    "MALLOC_TOP_PAD_": "0",
    "MALLOC_ARENA_MAX": "1",
}
PAGE = resource.getpagesize()
N, SIDE = 1000, 12
FORMATS = "mtx", "gr", "el", "npz"
SMALL, HOLES = 3000, 64
"""So many pieces of so many bytes stay free: without the few that libgomp needs to begin a loop, it
ends the process."""

MOST = 1 << 30
"""No call here needs as much."""


class Operands:
    """The operands of the calls."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        here = {"backend": "cpu"}
        drawn = generate.random_graph(N, 4 * N, weights="integer")
        self.G = lg.Graph.from_edgelist(drawn, **here)
        self.D = lg.random_graph(N, 4 * N, directed=True, **here)
        self.small = lg.grid(SIDE, SIDE, weights="integer", **here)
        self.A, self.B = self.G.A, self.D.A
        self.C = self.D.A.dup()
        self.C[0, 0] = 1
        self.C.nvals
        self.u = lg.Vector.from_coo(np.arange(0, N, 2), np.arange(0, N, 2.0), size=N, **here)
        self.dense = np.ones((50, 50))
        self.full = lg.Vector.from_dense(np.arange(float(N)), **here)

    def values(self) -> bytes:
        return digest([self.G, self.D, self.small, self.C, self.u, self.full])


def digest(x: Any) -> bytes:
    """A digest of the content of a result."""
    return pickle.dumps(plain(x))


def plain(x: Any) -> Any:
    x = x.A if isinstance(x, lg.Graph) else x
    if isinstance(x, (lg.Vector, lg.Matrix)):
        return [x.shape, *map(plain, x.to_coo())]
    if isinstance(x, lg.io.EdgeList):
        return plain([x.src, x.dst, x.weight])
    if isinstance(x, (tuple, list)):
        return [plain(part) for part in x]
    return (x.dtype.str, x.shape, x.tobytes()) if isinstance(x, np.ndarray) else x


plus_times, min_plus = lg.semiring.plus_times, lg.semiring.min_plus
CPU: Any = {"backend": "cpu"}
CALLS: dict[str, Callable[[Operands], Any]] = {
    # files
    **{
        f"read_edges {form}": lambda o, form=form: lg.io.read_edges(o.folder / f"drawn.{form}")
        for form in FORMATS
    },
    "read": lambda o: lg.read(o.folder / "drawn.mtx", **CPU),
    "write": lambda o: lg.write(o.G, o.folder / "again.mtx"),
    # graphs
    "grid": lambda o: lg.grid(30, 40, **CPU),
    "kronecker": lambda o: lg.kronecker(8, **CPU),
    "random_graph": lambda o: lg.random_graph(N, 3 * N, **CPU),
    "Graph": lambda o: lg.Graph(o.B),
    "from_scipy": lambda o: lg.Graph.from_scipy(o.B.to_scipy_sparse(), **CPU),
    "relabel": lambda o: o.G.relabel("degree"),
    # arrays and bytes
    "to_coo": lambda o: o.A.to_coo(),
    "to_csc": lambda o: o.A.to_csc(),
    "to_dense": lambda o: o.small.A.to_dense(0),
    "to_dicts": lambda o: o.A.to_dicts(),
    "from_coo": lambda o: lg.Matrix.from_coo(*o.A.to_coo(), **CPU),
    "from_dense": lambda o: lg.Matrix.from_dense(o.dense, 0, **CPU),
    "one of many rows": lambda o: lg.Matrix.from_coo([1], [2], [3], nrows=2**30, **CPU),
    "serialize": lambda o: o.A.serialize(),
    "deserialize": lambda o: lg.Matrix.deserialize(o.A.serialize(), **CPU),
    # statements
    "dup": lambda o: o.A.dup(),
    "another type": lambda o: o.A.dup("INT64"),
    "ewise_add": lambda o: o.A.ewise_add(o.B, "plus").new(),
    "ewise_mult": lambda o: o.A.ewise_mult(o.B, "times").new(),
    "ewise_add of vectors": lambda o: o.u.ewise_add(o.full, "plus").new(),
    "mxm": lambda o: plus_times(o.A @ o.B).new(),
    "mxm in a mask": lambda o: plus_times(o.A @ o.B.T).new(mask=o.A.S),
    "vxm": lambda o: min_plus(o.u @ o.A).new(),
    "mxv": lambda o: min_plus(o.B @ o.u).new(),
    "into a vector": lambda o: o.u << plus_times(o.full @ o.A),
    "accumulated": lambda o: o.full(accum="plus") << plus_times(o.u @ o.A),
    "in a mask": lambda o: o.full(~o.u.S, replace=True) << min_plus(o.u @ o.A),
    "to some places": lambda o: o.u.__setitem__(range(1, N, 3), 5),
    "to the first places": lambda o: o.u[: N // 2] << o.full[: N // 2],
    "accumulated in a matrix": lambda o: o.A(accum="plus") << o.B,
    "in the mask of a matrix": lambda o: o.A(o.B.S, replace=True) << plus_times(o.A @ o.B),
    "one element": lambda o: o.A.__setitem__((0, 0), 5),
    **{
        f"in place, {name}": lambda o, write=write: write(o.C)
        for name, write in {
            "an element": lambda C: C.__setitem__((7, 7), 5),
            "a row": lambda C: C.__setitem__((3, slice(None)), lg.Vector(float, N, **CPU)),
            "a column": lambda C: C.__setitem__((slice(None), 3), C[3, :].new()),
            "a block": lambda C: C.__setitem__(([1, 2], [3, 4]), 7),
            "one value": lambda C: C.__setitem__((slice(0, 200), slice(None)), 7),
            "an expression": lambda C: C[: N // 2, :].__lshift__(C[N // 2 :, :].apply("ainv")),
            "rows": lambda C: C.__setitem__((range(N), slice(None)), C.T.new()),
            "in a mask": lambda C: C(C.T.new().S, lg.replace)[::-1, :].__lshift__(C.dup()),
            "accumulated": lambda C: C(lg.binary.plus)[::-1, :].__lshift__(C.T.new()),
            "removed": lambda C: C.__delitem__((slice(0, 500), slice(None))),
        }.items()
    },
    "build": lambda o: o.u.build([1, 2, 3], [1.0, 2.0, 3.0], clear=True),
    "resize": lambda o: o.B.resize(50, 60),
    "transpose": lambda o: o.B.T.new(),
    "select": lambda o: o.A.select("tril").new(),
    "apply": lambda o: o.A.apply("ainv").new(),
    "reduce": lambda o: [o.A.reduce_rowwise("plus").new(), o.A.reduce_scalar("max").new().value],
    "extract": lambda o: o.A[::2, [5, 3, 1]].new(),
    "kronecker product": lambda o: o.u.diag().kronecker(o.small.A, "times").new(),
    "concat": lambda o: lg.concat([[o.A, o.B]]),
    # algorithms
    "bfs": lambda o: lg.bfs(o.G, 0),
    "sssp": lambda o: lg.sssp(o.G, 0),
    "bellman_ford": lambda o: lg.bellman_ford(o.D, 0),
    "bfs from some": lambda o: lg.bfs(o.G, sources=[0, 1, 2]),
    "distance_matrix": lambda o: lg.distance_matrix(o.G, [0, 5, 7]),
    "iter_distances": lambda o: [  # by rows: the size of a block depends on the memory
        row for b in lg.iter_distances(o.small, [0, 5]) for row in b.distances
    ],
    "paired_distances": lambda o: lg.paired_distances(o.G, [0, 1], [5, 7]),
    "pagerank": lambda o: lg.pagerank(o.D),
    "hits": lambda o: lg.hits(o.small, tol=1e-3),
    "betweenness_centrality": lambda o: lg.betweenness_centrality(o.small),
    "closeness_centrality": lambda o: lg.closeness_centrality(o.small),
    "triangles": lambda o: lg.triangles(o.G),
    "connected_components": lambda o: lg.connected_components(o.G),
    "strongly_connected_components": lambda o: lg.strongly_connected_components(o.D),
    "minimum_spanning_tree": lambda o: lg.minimum_spanning_tree(o.G),
    "core_number": lambda o: lg.core_number(o.G),
    "k_truss": lambda o: lg.k_truss(o.G, 3),
    "maximal_independent_set": lambda o: lg.maximal_independent_set(o.G, seed=1),
    "louvain": lambda o: lg.louvain(o.small, seed=1),
    "label_propagation": lambda o: lg.label_propagation(o.small),
    "jaccard_coefficient": lambda o: lg.jaccard_coefficient(o.small),
    "random_walks": lambda o: lg.random_walks(o.G, [0, 1], 5, seed=1),
    "contract": lambda o: lg.contract(o.small).levels,
    "floyd_warshall": lambda o: lg.floyd_warshall(o.small),
    "verify_bfs": lambda o: verify.verify_bfs(o.G, 0, *lg.bfs(o.G, 0)),
}


# --- less and less memory -----------------------------------------------------------------------
STATM = os.open("/proc/self/statm", os.O_RDONLY) if __name__ == "__main__" else -1
LIBC = ctypes.CDLL(None)
LIBC.malloc.restype, LIBC.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
LIBC.free.argtypes = [ctypes.c_void_p]


def used() -> int:
    return int(os.pread(STATM, 32, 0).split()[0]) * PAGE


@contextmanager
def limited(margin: int) -> Iterator[None]:
    """At most so much more memory than now, and nothing of what lies free in the heap."""
    taken, size = [], 1 << 20
    while size >= PAGE:
        before = used()
        taken.append(LIBC.malloc(size))
        if used() > before:  # the heap had no such piece
            LIBC.free(taken.pop())
            size //= 2
    small = [LIBC.malloc(SMALL) for _ in range(2 * HOLES)]
    for piece in small[::2]:
        LIBC.free(piece)
    taken += small[1::2]
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (used() + margin, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        for piece in taken:
            LIBC.free(piece)


def tried(call: Callable[[Operands], Any], o: Operands, margin: int) -> Any:
    """The result of a call under a limit, or the error that it raises."""
    try:
        with limited(margin):
            return call(o)
    except Exception as problem:
        return problem


def complaint(
    call: Callable[[Operands], Any], make: Callable[[], Operands], right: bytes, margin: int
) -> tuple[bool, str]:
    """Whether the call was refused with so much memory, and what was wrong, if anything."""
    o = make()
    before = o.values()
    found = tried(call, o, margin)
    if not isinstance(found, Exception):
        return False, "" if answer(found, o) == right else "gave a wrong answer"
    if not isinstance(found, TooLarge):
        return False, f"raised {found!r}"
    del found
    if o.values() != before:
        return True, "changed an operand before it was refused"
    same = answer(call(o), o) == right
    return True, "" if same else "gave a wrong answer when there was enough memory again"


def answer(found: Any, o: Operands) -> bytes:
    """The content of the result and of the operands after a call."""
    return digest(found) + o.values()


def series(name: str, make: Callable[[], Operands], factor: float) -> bool:
    """Tries one call with more and more memory until it succeeds twice, and prints the result. True
    if anything was wrong.
    """
    call, margin, refusals, successes, wrong = CALLS[name], 0, 0, 0, False
    print(name, end=": ", flush=True)  # so that a crash has a name
    o = make()
    right = answer(call(o), o)
    while successes < 2 and margin < MOST:
        refused, problem = complaint(call, make, right, margin)
        if problem:
            print(f"with {margin:,} bytes it {problem}; ", end="", flush=True)
        refusals += refused
        successes = 0 if refused or problem else successes + 1
        wrong = wrong or bool(problem)
        margin = max(4 * PAGE, int(margin * factor))
    print(f"refused {refusals} times, up to {margin:,} bytes", flush=True)
    return wrong or margin >= MOST


def main(factor: float, names: list[str]) -> int:
    gb.ss.config["nthreads"] = 1
    with tempfile.TemporaryDirectory() as folder:
        make = partial(Operands, Path(folder))
        drawn = generate.random_graph(N, 4 * N, weights="integer")
        for form in FORMATS:
            lg.io.write_edges(Path(folder, f"drawn.{form}"), drawn)
        wrong = [name for name in names or CALLS if series(name, make, factor)]
        return len(wrong)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.short_of_memory", description=__doc__)
    parser.add_argument("factor", nargs="?", type=float, default=2, metavar="FACTOR")
    parser.add_argument("calls", nargs="*", metavar="CALL")
    options = parser.parse_args()
    if ENVIRONMENT.items() <= os.environ.items():
        sys.exit(main(options.factor, options.calls))
    os.execve(sys.executable, [sys.executable, "-m", "tests.short_of_memory", *sys.argv[1:]],
              {**os.environ, **ENVIRONMENT})  # fmt: skip
