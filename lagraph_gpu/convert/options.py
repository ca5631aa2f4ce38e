"""The types of arguments that many functions share, for completion and type checkers.

What is given is checked where it is used; these say the same in a form that editors read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np

Vertex = int | float | str | bytes | tuple[Any, ...] | np.generic
"""A vertex: its id, or its label in a graph that has labels."""

Vertices = Iterable[Any] | np.ndarray
"""Several vertices."""

Number = int | float
"""A number of Python."""

Dup = Literal["error", "min", "sum", "first", "last"]
"""What happens to an edge that is given twice."""

SparseFormat = Literal["bsr", "coo", "csc", "csr", "dia", "dok", "lil"]
"""A format of SciPy's sparse arrays."""

Weight = Literal["weight"]
"""Beside None: whether the weights of the graph count."""

RankType = Literal["FP64", "FP32"] | Any
"""The type of the ranks of PageRank, or another spelling of it."""

Order = Literal["rowwise", "columnwise"]
"""In which order the entries of a matrix are."""

Wait = Literal["materialize", "complete"]
"""What to wait for, as in python-graphblas."""

FileFormat = Literal[
    "dimacs", "gr", "pace", "coloring", "col", "matrixmarket", "mtx", "mm", "npz", "metis", "graph",
    "graphalytics", "v", "e", "tsv", "csv", "edgelist", "el", "wel", "txt", "snap", "edges",
    "adjacency", "parquet", "graphml", "gexf", "gml", "osm", "pbf",
]  # fmt: skip
"""A format of graph files, by its name or by an ending."""
