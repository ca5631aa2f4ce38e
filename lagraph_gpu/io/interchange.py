"""Functions of `graphblas.io` for Matrix Market files and for NetworkX, under their names.

They hand matrices over; `lg.read` and `lg.Graph.from_networkx` make graphs.
"""

from __future__ import annotations

import functools
import os
from typing import IO, Any, Literal

import numpy as np

from lagraph_gpu.backend import Backend, BackendName
from lagraph_gpu.convert.arguments import is_integer, is_one_of
from lagraph_gpu.errors import FileMissing, InvalidValue, WrongType, brief, in_short
from lagraph_gpu.memory import guarded
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.checks import expect_kind
from semirings import types

ENGINES = "auto", "scipy"
FIELDS = "real", "complex", "integer", "pattern"
SYMMETRIES = "general", "symmetric", "skew-symmetric", "hermitian"


def expect_file(file: Any, method: str) -> None:
    """Check for a path, or an object that can be read or written."""
    if not isinstance(file, (str, os.PathLike)) and not hasattr(file, method):
        raise WrongType(f"expected a path or a file with the method {method}, got {brief(file)}")


def expect_engine(engine: Any) -> None:
    if not is_one_of(engine, ENGINES):
        raise InvalidValue(f"expected engine as {' or '.join(ENGINES)}, got {brief(engine)}")


@guarded
def mmread(
    source: str | os.PathLike[str] | IO[Any],
    engine: Literal["auto", "scipy"] = "auto",
    *,
    dup_op: Any = None,
    backend: BackendName | Backend | None = None,
    name: str | None = None,
) -> Matrix:
    """Read a matrix from a Matrix Market file.

    Parameters
    ----------
    source : str, path or file
        The file.
    engine : {"auto", "scipy"}, optional
        Accepted as in python-graphblas. SciPy reads the file.
    dup_op : BinaryOp, Monoid or str, optional
        How to combine the values of a position that the file has twice. By default that is an
        error.
    backend : str or Backend, optional
        Where the result is stored. By default the backend in force.
    name : str, optional
        A name for the result, which is shown where it is printed.

    Returns
    -------
    Matrix
        The matrix in the file; of a dense file every position has an entry.

    Raises
    ------
    InvalidValue
        The engine is unknown.

    Examples
    --------
    >>> from io import BytesIO
    >>> import lagraph_gpu as lg
    >>> file = BytesIO()
    >>> lg.io.mmwrite(file, lg.Matrix.from_coo([0, 1], [1, 0], [5, 6], backend="cpu"))
    >>> _ = file.seek(0)
    >>> lg.io.mmread(file, backend="cpu").to_dense(0).tolist()
    [[0, 5], [6, 0]]
    """
    from scipy.io import mmread as read

    expect_engine(engine)
    expect_file(source, "read")
    try:
        held = read(source, spmatrix=False)
    except FileNotFoundError as problem:
        raise FileMissing(f"expected a Matrix Market file: {in_short(problem)}") from None
    except (ValueError, TypeError, EOFError, OSError, OverflowError) as problem:
        raise InvalidValue(f"expected a Matrix Market file: {in_short(problem)}") from None
    if isinstance(held, np.ndarray):
        return Matrix.from_dense(held, backend=backend, name=name)
    shape = dict(zip(("nrows", "ncols"), held.shape, strict=True))
    return Matrix.from_coo(
        held.row, held.col, held.data, **shape, dup_op=dup_op, backend=backend, name=name
    )


@guarded
def mmwrite(
    target: str | os.PathLike[str] | IO[Any],
    matrix: Any,
    engine: Literal["auto", "scipy"] = "auto",
    *,
    comment: str = "",
    field: Literal["real", "complex", "integer", "pattern"] | None = None,
    precision: int | None = None,
    symmetry: Literal["general", "symmetric", "skew-symmetric", "hermitian"] | None = None,
) -> None:
    """Write a matrix to a Matrix Market file.

    Parameters
    ----------
    target : str, path or file
        The file.
    matrix : Matrix
        The matrix.
    engine : {"auto", "scipy"}, optional
        Accepted as in python-graphblas. SciPy writes the file.
    comment : str, optional
        A comment at the beginning of the file.
    field : {"real", "complex", "integer", "pattern"}, optional
        What is written of the values. By default what their type is.
    precision : int, optional
        The number of digits of real and complex values.
    symmetry : str, optional
        The symmetry that the file states. By default SciPy looks for it.

    Raises
    ------
    InvalidValue
        The engine, the field or the symmetry is unknown.
    """
    from scipy.io import mmwrite as write

    expect_engine(engine)
    expect_file(target, "write")
    expect_kind(matrix, Matrix, "a matrix to write")
    choices = {
        "comment": isinstance(comment, str),
        "field": field is None or is_one_of(field, FIELDS),
        "precision": precision is None or is_integer(precision),
        "symmetry": symmetry is None or is_one_of(symmetry, SYMMETRIES),
    }
    if wrong := [name for name, right in choices.items() if not right]:
        raise InvalidValue(
            f"expected comment as text, field among {FIELDS}, precision as an integer and symmetry "
            f"among {SYMMETRIES}, got another {wrong[0]}"
        )
    array = matrix.to_scipy_sparse("coo")
    facts: Any = {"field": field, "symmetry": symmetry}
    try:
        write(target, array, comment=comment, precision=precision, **facts)
    except (ValueError, TypeError, OSError, OverflowError) as problem:
        raise InvalidValue(
            "expected a file to write to, and a comment and a precision that fit: "
            f"{in_short(problem)}"
        ) from None


@guarded
def from_networkx(
    G: Any,
    nodelist: Any = None,
    dtype: Any = None,
    weight: str = "weight",
    *,
    backend: BackendName | Backend | None = None,
    name: str | None = None,
) -> Matrix:
    """Make the adjacency matrix of a graph of NetworkX.

    Parameters
    ----------
    G : networkx.Graph
        The graph.
    nodelist : list, optional
        The vertices in the order of the rows. By default all, in the order of the graph.
    dtype : type or str, optional
        The type of the values. By default the type of the weights.
    weight : str, optional
        The attribute of an edge that is its value; an edge without it has the value 1.
    backend : str or Backend, optional
        Where the result is stored. By default the backend in force.
    name : str, optional
        A name for the result, which is shown where it is printed.

    Returns
    -------
    Matrix
        The square matrix, with both directions of an undirected edge.
    """
    from networkx import NetworkXException, to_scipy_sparse_array

    if not hasattr(G, "adj") or not hasattr(G, "is_directed"):
        raise InvalidValue(f"expected a graph of NetworkX, got {brief(G)}")
    kind = None if dtype is None else types.lookup(dtype).np_type
    try:
        array = to_scipy_sparse_array(G, nodelist=nodelist, dtype=kind, weight=weight)
    except (NetworkXException, TypeError, ValueError, OverflowError, RecursionError) as problem:
        raised: Any = type(problem)
        raise _not_a_matrix(raised)(
            "expected a graph with vertices, nodelist among them, and a weight that its edges have "
            f"as numbers: {in_short(problem)}"
        ) from None
    return Matrix.from_scipy_sparse(array, backend=backend, name=name)


@functools.cache
def _not_a_matrix(of: type[Exception]) -> type[InvalidValue]:
    """The error for a graph that makes no matrix: also of the class that NetworkX raised."""
    from networkx import NetworkXException

    if not issubclass(of, NetworkXException):
        return InvalidValue
    return type("NotAMatrix", (InvalidValue, of), {"__module__": __name__})


@guarded
def to_networkx(m: Any, edge_attribute: str | None = "weight") -> Any:
    """Make a directed graph of NetworkX from an adjacency matrix.

    Parameters
    ----------
    m : Matrix
        The square matrix.
    edge_attribute : str or None, optional
        The attribute of an edge that takes the value of its entry. None leaves the values out.

    Returns
    -------
    networkx.DiGraph
        An edge for each entry.
    """
    from networkx import DiGraph

    expect_kind(m, Matrix, "a matrix")
    if edge_attribute is not None and not isinstance(edge_attribute, str):
        raise WrongType(f"expected edge_attribute as text or None, got {brief(edge_attribute)}")
    row, column, value = (part.tolist() for part in m.to_coo())
    G = DiGraph()
    if edge_attribute is None:
        G.add_edges_from(zip(row, column))
    else:
        G.add_weighted_edges_from(zip(row, column, value), weight=edge_attribute)
    return G
