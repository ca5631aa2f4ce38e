"""Where graphs come from in one call, a file or a generator, and how they become a file."""

from __future__ import annotations

import os

import numpy as np

from lagraph_gpu import io
from lagraph_gpu.backend import Backend, resolve
from lagraph_gpu.generate import generators
from lagraph_gpu.generate.generators import Draw, WeightKind
from lagraph_gpu.generate.kronecker_edges import Drawn
from lagraph_gpu.graph import Graph


def read(
    path: str | os.PathLike[str],
    directed: bool | None = None,
    dup: str = "error",
    *,
    format: str | None = None,
    backend: str | Backend | None = None,
) -> Graph:
    """The graph in a file, plain, ``.gz`` or ``.xz``; ``lg.io.read_edges`` lists the formats.

    The file says whether the graph is directed; ``directed`` overrules it. ``directed=True`` keeps
    the matrix and sees it as a digraph: an undirected file (symmetric Matrix Market, METIS, PACE)
    gives each edge as two arcs, a loop as one. With ``directed=False`` a file that lists each edge
    both ways with one weight (as the DIMACS road networks do) gives each undirected edge once; an
    arc without its opposite stands for both directions. ``dup`` says what an edge listed twice
    means: "error", "min" or "sum" of the weights, or the "first". Raises FormatError, which names
    the file and the line. O(bytes + m log m).

    >>> import pathlib, tempfile, lagraph_gpu as lg
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "path.gr")
    ...     _ = path.write_text("p sp 3 4\\na 1 2 5\\na 2 1 5\\na 2 3 4\\na 3 2 4\\n")
    ...     lg.read(path, backend="cpu"), lg.read(path, directed=False, backend="cpu").nedges
    (Graph(n=3, nedges=4, directed=True, weights=INT64, backend='cpu'), 2)
    """
    edges = io.read_edges(path, format)
    return Graph.from_edgelist(edges, dup, directed=directed, backend=backend)


def write(G: Graph, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Writes a graph to a file; ``lg.io.write_edges`` lists what the formats can hold, and errors.

    The extension (or ``format``) says the format, ``.gz`` and ``.xz`` compress it. Vertices keep
    their ids (plus 1 in formats that count from 1), those of a relabelled graph are the ones it
    had before, and a graph without weights is written without. Edges are sorted by their ends, so
    one graph gives the same bytes each time, relabelled or not. On the host, O(m log m).

    >>> import pathlib, tempfile, lagraph_gpu as lg
    >>> G = lg.Graph.from_edges([0, 1], [1, 2], [5, 4], directed=False, backend="cpu")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lg.write(G, pathlib.Path(folder, "path.mtx"))
    ...     lg.read(pathlib.Path(folder, "path.mtx"), backend="cpu")
    Graph(n=3, nedges=2, directed=False, weights=INT64, backend='cpu')
    """
    source, target, weight = G.A.to_coo()
    if G.ids is not None:
        before = G.ids.to_dense()
        source, target = before[source], before[target]
    order = np.lexsort((target, source))
    order = order if G.directed else order[source[order] <= target[order]]
    held = weight[order] if G.weighted else None
    edges = io.EdgeList(source[order], target[order], held, G.n, G.n, G.directed)
    io.write_edges(path, edges, format)


def kronecker(
    scale: int,
    edgefactor: int = 16,
    seed: int = 1,
    weights: WeightKind = None,
    *,
    backend: str | Backend | None = None,
) -> Graph:
    """The Graph500 benchmark's graph: 2^scale vertices of very unequal degree, undirected.

    ``weights`` (float32): "integer" for 1 … 255, "uniform" for (0, 1]. The same graph for the same
    seed everywhere; details in ``lagraph_gpu.generate.generators``. On the GPU it is drawn and
    built there: nothing goes over the host. O(edgefactor · 2^scale · scale).

    >>> import lagraph_gpu as lg
    >>> lg.kronecker(6, backend="cpu")
    Graph(n=64, nedges=380, directed=False, weights=none, backend='cpu')
    """
    return Drawn(Draw(scale, edgefactor, seed), resolve(backend)).graph(weights)


def grid(
    rows: int,
    cols: int,
    removed: float = 0.0,
    seed: int = 1,
    weights: WeightKind = None,
    *,
    backend: str | Backend | None = None,
) -> Graph:
    """A lattice of rows × cols cells, cell (r, c) being vertex r·cols + c; undirected.

    Each edge is removed with the probability ``removed``. ``weights`` as for ``kronecker``.

    >>> import lagraph_gpu as lg
    >>> lg.grid(3, 4, backend="cpu").nedges
    17
    """
    return Graph.from_edgelist(generators.grid(rows, cols, removed, seed, weights), backend=backend)


def random_graph(
    n: int,
    nedges: int,
    seed: int = 1,
    directed: bool = False,
    weights: WeightKind = None,
    *,
    backend: str | Backend | None = None,
) -> Graph:
    """``nedges`` different edges among n vertices, all equally likely, without loops.

    ``weights`` as for ``kronecker``.

    >>> import lagraph_gpu as lg
    >>> lg.random_graph(10, 20, directed=True, backend="cpu").nedges
    20
    """
    return Graph.from_edgelist(
        generators.random_graph(n, nedges, seed, directed, weights), backend=backend
    )
