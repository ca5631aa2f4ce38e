"""Arrays of the library Awkward Array, under the names of `graphblas.io` and in its layouts."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from lagraph_gpu.backend import Backend, BackendName
from lagraph_gpu.convert.arguments import is_one_of
from lagraph_gpu.errors import InvalidValue, WrongType, brief, required
from lagraph_gpu.memory import guarded
from lagraph_gpu.notation import Matrix, Vector
from semirings import types

FORMATS = "csr", "csc", "hypercsr", "hypercsc"
"""The layouts of a matrix. That of a vector is "vec"."""

COMPRESSED = "_AwkwardDoublyCompressedMatrix"
"""The name of arrays of the last two layouts, whose parts are found at the top, too."""


@guarded
def to_awkward(
    A: Any, format: Literal["vec", "csr", "csc", "hypercsr", "hypercsc"] | None = None
) -> Any:
    """Make an Awkward Array from a vector or a matrix.

    Parameters
    ----------
    A : Vector or Matrix
        The container. Its values are numbers.
    format : {"vec", "csr", "csc", "hypercsr", "hypercsc"}, optional
        The layout. By default "vec" for a vector, "csr" for a matrix.

    Returns
    -------
    awkward.Array
        Records with the fields `indices` and `values`: one for each entry of a vector, and a list
        of them for each row or column of a matrix. The last two layouts have only the rows or
        columns with entries, and their numbers as `offset_labels`. The parameters `format` and
        `shape` say what `from_awkward` must know.

    Raises
    ------
    MissingPackage
        The library cannot be imported.
    InvalidValue
        The format is unknown, or not one of this container.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> A = lg.Matrix.from_coo([0, 0, 2], [1, 2, 0], [5, 6, 7], backend="cpu")
    >>> lg.io.to_awkward(A)["values"].to_list()  # doctest: +SKIP
    [[5, 6], [], [7]]
    """
    if not isinstance(A, (Vector, Matrix)):
        raise WrongType(f"expected a vector or a matrix, got {brief(A)}")
    if types.is_record(A.dtype):
        raise WrongType(f"expected numbers for Awkward Array, got {A.dtype}; take a field")
    known: Any = ("vec",) if isinstance(A, Vector) else FORMATS
    format = known[0] if format is None else format
    if not is_one_of(format, known):
        raise InvalidValue(f"expected format as one of {', '.join(known)}, got {brief(format)}")
    ak = required("awkward", "Awkward Arrays", "awkward")

    facts: dict[str, Any] = {"parameters": {"format": format, "shape": list(A.shape)}}
    if isinstance(A, Vector):
        index, value = map(ak.contents.NumpyArray, A.to_coo())
        return ak.Array(ak.contents.RecordArray([value, index], ["values", "indices"], **facts))
    labels: list[Any] = []
    if format in ("csr", "csc"):
        indptr, index, value = A.to_csr() if format == "csr" else A.to_csc()
    else:
        label, indptr, index, value = A.to_dcsr() if format == "hypercsr" else A.to_dcsc()
        labels = [ak.contents.NumpyArray(label)]
    parts = [ak.contents.NumpyArray(np.ascontiguousarray(part)) for part in (index, value)]
    entries = ak.contents.RecordArray(parts, ["indices", "values"])
    offsets = ak.index.Index64(np.asarray(indptr, np.int64))
    if not labels:
        return ak.Array(ak.contents.ListOffsetArray(offsets, entries, **facts))
    _name_parts(ak)
    facts["parameters"]["__record__"] = COMPRESSED
    lists = ak.contents.ListOffsetArray(offsets, entries)
    return ak.Array(ak.contents.RecordArray([lists, *labels], ["data", "offset_labels"], **facts))


def _name_parts(ak: Any) -> None:
    """Let arrays of the doubly compressed layouts have `values` and `indices` at the top."""
    if COMPRESSED in ak.behavior:
        return

    class DoublyCompressed(ak.Array):  # type: ignore[misc]
        @property
        def values(self) -> Any:
            return self["data", "values"]

        @property
        def indices(self) -> Any:
            return self["data", "indices"]

    ak.behavior["*", COMPRESSED] = DoublyCompressed


@guarded
def from_awkward(
    A: Any, *, backend: BackendName | Backend | None = None, name: str | None = None
) -> Vector | Matrix:
    """Make a vector or a matrix from an Awkward Array that `to_awkward` made.

    Parameters
    ----------
    A : awkward.Array
        The array, with the fields and the parameters that `to_awkward` describes.
    backend : str or Backend, optional
        Where the result is stored. By default the backend in force.
    name : str, optional
        A name for the result, which is shown where it is printed.

    Returns
    -------
    Vector or Matrix
        The container.

    Raises
    ------
    MissingPackage
        The library cannot be imported.
    WrongType
        `A` is no Awkward Array.
    InvalidValue
        A parameter or a field is missing, or the format is unknown.
    """
    ak = required("awkward", "Awkward Arrays", "awkward")

    if not isinstance(A, ak.Array):
        raise WrongType(f"expected an Awkward Array, got {brief(A)}")
    found = A.layout.parameters
    if missing := {"format", "shape"} - found.keys():
        raise InvalidValue(
            f"expected the parameters format and shape, which to_awkward sets, got none of "
            f"{', '.join(sorted(missing))}; set them with ak.with_parameter"
        )
    format, shape = found["format"], found["shape"]
    known = {1: ("vec",), 2: FORMATS}.get(len(shape), ())
    if not is_one_of(format, known):
        raise InvalidValue(f"expected a format for the shape {shape}, got {brief(format)}")
    to: dict[str, Any] = {"backend": backend, "name": name}
    hyper = format.startswith("hyper")
    data = A["data"] if hyper and "data" in A.fields else A
    wanted = ("indices", "values")
    if not set(wanted) <= set(data.fields) or (hyper and "offset_labels" not in A.fields):
        raise InvalidValue(f"expected the fields {', '.join(wanted)}, got {', '.join(A.fields)}")
    index, value = (data[part] for part in wanted)
    if format == "vec":
        return Vector.from_coo(np.asarray(index), np.asarray(value), size=shape[0], **to)
    indptr = np.concatenate(([0], np.cumsum(np.asarray(ak.num(index, axis=1)))))
    flat = [np.asarray(ak.flatten(part, axis=1)) for part in (index, value)]
    given = [indptr, *flat]
    if hyper:
        given.insert(0, np.asarray(A["offset_labels"]))
    sizes = {"nrows": shape[0], "ncols": shape[1], **to}
    maker = {
        "csr": Matrix.from_csr, "csc": Matrix.from_csc, "hypercsr": Matrix.from_dcsr,
        "hypercsc": Matrix.from_dcsc,
    }[format]  # fmt: skip
    return maker(*given, **sizes)  # type: ignore[no-any-return, operator]
