"""Sparse matrices as SciPy saves them, with `scipy.sparse.save_npz`: `.npz`.

All layouts of SciPy are read, but never arrays of Python objects (pickles). Boolean data means an
unweighted graph. SciPy can read the files written here; they have two more arrays, `directed` and
`weighted`, which SciPy ignores.

Source: https://docs.scipy.org/doc/scipy/reference/generated/scipy.sparse.save_npz.html.
"""

from __future__ import annotations

import io
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.convert.compressed_rows import expect_offsets
from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.convert.edges import once
from lagraph_gpu.convert.sparse_input import checked_sparse, expect_diagonals
from lagraph_gpu.errors import FormatError, LagraphError, in_short
from lagraph_gpu.io.stream import Source
from lagraph_gpu.memory import is_short

if TYPE_CHECKING:
    from zipfile import ZipFile

INDICES = {"row", "col", "coords", "indices", "indptr", "offsets", "shape"}
"""The arrays of ids and offsets in the layouts of SciPy, and the shape."""


def claims(head: bytes) -> bool:
    """True if a file that starts with these bytes is a zip archive, as `.npz` is."""
    return head[:4] == b"PK\x03\x04"


def read(source: Source) -> EdgeList:
    """The matrix as edges row -> column. Weights keep the type in which they were saved.

    The graph is directed unless the file says otherwise, as files written here do. Raises
    FormatError for a damaged archive, complex values, NaN and infinity. O(entries); the file is in
    memory once.
    """
    head = source.head()
    if not claims(head):
        what = f"starts with {head[:6]!r}, not as .npz archives do" if head else "is empty"
        raise source.error(None, f"the file {what}; expected a matrix of scipy.sparse.save_npz")
    stream = io.BytesIO(source.everything())
    try:
        with np.load(stream, allow_pickle=False) as arrays:
            names = set(arrays.files)
            if "kind" in names:
                raise source.error(
                    None,
                    f"the file holds a {in_short(arrays['kind'])}, no graph; lg.Contraction.load "
                    "reads contractions, and deserialize of its class anything else",
                )
            directed = bool(arrays["directed"]) if "directed" in names else True
            weighted = "weighted" in names and bool(arrays["weighted"])
            for name in names & INDICES:
                _expect_whole_numbers(arrays.zip, name)
            matrix: Any = checked_sparse(_matrix(arrays))
        shape, matrix = matrix.shape, matrix.tocoo()
    except FormatError:
        raise
    except Exception as problem:  # NumPy, SciPy, zipfile and the decompressors have no common one
        if is_short(problem):
            raise MemoryError("to unpack the arrays") from problem
        said = in_short(problem).replace(repr(stream), source.path.name)
        raise source.error(
            None, f"not a matrix that scipy.sparse.save_npz wrote ({said}); save it again"
        ) from problem
    data = matrix.data
    if len(shape) != 2 or max(shape) > source.most_vertices:
        raise source.error(
            None, f"shape {shape}; expected two dimensions of at most {source.most_vertices:,} each"
        )
    if data.dtype.kind not in "biuf":
        raise source.error(None, f"values of type {data.dtype}; expected bool, integer or real")
    if data.dtype.kind == "f" and not np.isfinite(data).all():
        k = int(np.argmin(np.isfinite(data)))
        raise source.error(
            None, f"entry ({matrix.row[k]}, {matrix.col[k]}) is {data[k]}; weights must be finite"
        )
    weight = None if data.dtype.kind == "b" and data.all() and not weighted else data
    try:
        nrows, ncols = shape
        edges = EdgeList(matrix.row, matrix.col, weight, nrows, ncols, path=str(source.path))
    except LagraphError as problem:
        raise source.error(None, str(problem)) from problem
    return edges if directed else _undirected(source, edges)


def _matrix(arrays: Any) -> Any:
    """The sparse array of an archive.

    SciPy would cut off ids behind the last offset, and narrow the offsets of diagonals. Both are
    refused here.
    """
    import scipy.sparse

    form = np.asarray(arrays["format"]).item()
    form = form.decode("ascii") if isinstance(form, bytes) else form
    data, shape = arrays["data"], tuple(arrays["shape"].tolist())
    if form in ("csr", "csc", "bsr"):
        indptr, indices = arrays["indptr"], arrays["indices"]
        names = ("column", "row") if form == "csc" else ("row", "column")
        expect_offsets(indptr, indices.size, names)
        return getattr(scipy.sparse, f"{form}_array")((data, indices, indptr), shape=shape)
    if form == "dia":
        offsets = arrays["offsets"]
        expect_diagonals(offsets, shape)
        return scipy.sparse.dia_array((data, offsets), shape=shape)
    if form != "coo":
        raise ValueError(f"expected the format csr, csc, bsr, dia or coo, got {form!r}")
    together = "coords" in arrays.files
    ids = arrays["coords"] if together else (arrays["row"], arrays["col"])
    return scipy.sparse.coo_array((data, ids), shape=shape)


def _expect_whole_numbers(archive: ZipFile, name: str) -> None:
    """Refuse ids that are not integers, because SciPy would cut fractions off.

    Only the header with the type is read, not the array.
    """
    with archive.open(f"{name}.npy") as member:
        form = np.lib.format
        first = form.read_magic(member) == (1, 0)
        read = form.read_array_header_1_0 if first else form.read_array_header_2_0
        shape, _, dtype = read(member)
    if dtype.kind not in "iu" and 0 not in shape:
        raise ValueError(f"{name} holds {dtype} values, which are no whole numbers")


def _undirected(source: Source, edges: EdgeList) -> EdgeList:
    if edges.nrows != edges.ncols:
        raise source.error(
            None,
            f"the file says directed=False of a matrix of {edges.nrows} x {edges.ncols}; an "
            "undirected graph is square: save it again without 'directed'",
        )
    keep, lonely = once(edges.src, edges.dst, edges.weight)
    if lonely is not None:
        u, v = edges.src[lonely], edges.dst[lonely]
        raise source.error(
            None, f"the file says directed=False, but ({u}, {v}) has no equal entry at ({v}, {u})"
        )
    weight = None if edges.weight is None else edges.weight[keep]
    n = edges.nrows
    return EdgeList(edges.src[keep], edges.dst[keep], weight, n, n, False, edges.path)


def write(edges: EdgeList, out: IO[bytes]) -> None:
    """Write the coordinates, compressed; an undirected edge as two entries, as in SciPy."""
    src, dst, weight = edges.arcs()
    if weight is not None and weight.dtype == np.float16:
        weight = weight.astype(np.float32)  # SciPy cannot read float16
    archive = io.BytesIO()  # zip seeks backwards, which a gzip stream cannot
    np.savez_compressed(
        archive,
        row=src,
        col=dst,
        format=np.array(b"coo"),
        shape=np.array([edges.nrows, edges.ncols]),
        data=np.ones(src.size, bool) if weight is None else weight,
        directed=np.array(edges.directed),
        weighted=np.array(weight is not None),
    )
    out.write(archive.getbuffer())
