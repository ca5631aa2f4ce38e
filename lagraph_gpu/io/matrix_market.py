"""Matrix Market, `.mtx`: sparse and dense matrices as text.

::

    %%MatrixMarket matrix coordinate real symmetric
    % a comment
    3 3 2               rows, columns, entries
    2 1 0.5             row, column, value; ids from 1
    3 3 -1

All fields and all symmetries are read, sparse (coordinate) and dense (array: values only, column by
column), except the field complex, for which there is `lg.io.mmread`. As in LAGraph, a file may lack
the first line; then it is real and general, coordinate if the size line has three numbers and array
if it has two. The second line of LAGraph, `%%GraphBLAS type T`, is read as a comment: only the
field decides the type. (The tests compare with `scipy.io.mmread`. It is twice as fast as PyArrow,
but not used here: it reads 1.5 among integers as 1, 3x as 3, and takes no notice of what follows on
a line. It also mirrors symmetric entries, and refuses files without a first line or with comments
among the entries.)

Source: Boisvert, Pozo and Remington, The Matrix Market Exchange Formats, NISTIR 5935, 1996,
https://math.nist.gov/MatrixMarket/formats.html; LAGraph's `LAGraph_MMRead`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.convert.edge_list import EdgeList
from lagraph_gpu.files.atomic import write_rows
from lagraph_gpu.io.stream import Source, no_header, shown, vertex_count, whole_number
from lagraph_gpu.io.table import Columns, Head, Lines, Number, read_rows

BANNER = b"%%matrixmarket"
EXPECTED = "'%%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|...'"
FIELDS: dict[str, Number | None] = {
    "real": "real",
    "double": "real",
    "integer": "integer",
    "unsigned-integer": "integer",
    "pattern": None,
}
SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")


@dataclass(frozen=True)
class Kind:
    """The contents of the first line."""

    dense: bool
    field: Number | None
    symmetry: str


def claims(head: bytes) -> bool:
    """True if a file that starts with these bytes is in Matrix Market format."""
    return head[: len(BANNER)].lower() == BANNER


def read(source: Source) -> EdgeList:
    """The matrix as edges row -> column; it may be rectangular. Every stored entry is an edge.

    The symmetry "symmetric" (or "hermitian", the same for real numbers) gives undirected
    edges as the file lists them. "skew-symmetric" gives both arcs, with opposite weights. The field
    "integer" gives int64, "real" float64, "pattern" no weights. Raises FormatError for complex
    values and for a malformed file.
    """
    kind, nrows, ncols, size = _first_lines(source)
    if kind.dense:
        src, dst, weight, lines = _dense(source, kind, nrows, ncols)
    else:
        entries = _number_of_entries(source, size)
        columns = _columns(kind, nrows, ncols)
        ids, table, lines = read_rows(source, columns, entries, "entries")
        src, dst, weight = ids[:, 0], ids[:, 1], None if table is None else table[:, 0]
    if kind.symmetry == "skew-symmetric" and weight is not None:
        off = src != dst
        _check_skew(source, off, weight, lines)
        src, dst = np.concatenate([src, dst[off]]), np.concatenate([dst, src[off]])
        weight = np.concatenate([weight, -weight[off]])
    directed = kind.symmetry in ("general", "skew-symmetric")
    return EdgeList(src, dst, weight, nrows, ncols, directed, str(source.path))


def read_head(source: Source) -> Head | None:
    """What the lines before the first entry say; None if there is not an edge on each line."""
    kind, nrows, ncols, size = _first_lines(source)
    if kind.dense or kind.symmetry == "skew-symmetric":
        return None
    columns, entries = _columns(kind, nrows, ncols), _number_of_entries(source, size)
    directed = kind.symmetry == "general"
    return Head(columns, (nrows, ncols), directed, source.line + 1, entries)


def _first_lines(source: Source) -> tuple[Kind, int, int, bytes]:
    """The kind of the matrix, the number of its rows and columns, and the size line."""
    first = source.next_line()
    if first is None:
        raise no_header(source, EXPECTED)
    kind = None
    first = first.strip()
    if claims(first):
        kind = _kind(source, first)
        size = source.header_line(b"%")
    else:
        size = first if first and not first.startswith(b"%") else source.header_line(b"%")
    if size is None:
        raise no_header(source, "a size line 'ROWS COLUMNS ENTRIES'")
    words = size.split()
    kind = kind or _implied(source, size)
    expected = "'ROWS COLUMNS'" if kind.dense else "'ROWS COLUMNS ENTRIES'"
    if len(words) != (2 if kind.dense else 3):
        raise source.error(source.line, f"expected a size line {expected}, came {shown(size)}")
    nrows = vertex_count(source, words[0], "the number of rows")
    ncols = vertex_count(source, words[1], "the number of columns")
    if kind.symmetry != "general" and nrows != ncols:
        raise source.error(
            source.line,
            f"the first line says {kind.symmetry}, but {nrows} x {ncols} is not square; "
            "correct the size, or say 'general'",
        )
    return kind, nrows, ncols, size


def _number_of_entries(source: Source, size: bytes) -> int:
    return whole_number(source, size.split()[2], "the number of entries")


def _check_skew(source: Source, off: NDArray[Any], weight: NDArray[Any], lines: Lines) -> None:
    """Check for zeros on the diagonal, and that the type can hold the opposite of each value."""
    wrong = ~off & (weight != 0)
    if wrong.any():
        raise source.error(
            lines.of(np.argmax(wrong)),
            "a skew-symmetric matrix has zeros on its diagonal; correct it, or say 'general'",
        )
    wrong = off & (weight < 0) & (-weight < 0)
    if wrong.any():
        raise source.error(
            lines.of(np.argmax(wrong)),
            f"the opposite of {weight[np.argmax(wrong)]} does not fit in INT64; say 'real'",
        )


def _kind(source: Source, first: bytes) -> Kind:
    words = first.decode("ascii", "backslashreplace").lower().split()
    if (
        len(words) != 5
        or words[:2] != [BANNER.decode(), "matrix"]
        or words[2] not in ("coordinate", "array")
    ):
        raise source.error(1, f"expected {EXPECTED}, came {shown(first)}")
    _, _, layout, field, symmetry = words
    if field == "complex":
        raise source.error(
            1,
            "complex values: the weights of a graph are real numbers; lg.io.mmread reads a matrix",
        )
    if field not in FIELDS:
        raise source.error(1, f"unknown field {field!r}; expected one of {', '.join(FIELDS)}")
    if symmetry not in SYMMETRIES:
        raise source.error(
            1, f"unknown symmetry {symmetry!r}; expected one of {', '.join(SYMMETRIES)}"
        )
    if field == "pattern" and (layout == "array" or symmetry == "skew-symmetric"):
        raise source.error(1, f"'pattern' has no values, so it cannot be {layout} {symmetry}")
    return Kind(layout == "array", FIELDS[field], symmetry)


def _implied(source: Source, size: bytes) -> Kind:
    words = size.split()
    if len(words) not in (2, 3) or not all(word.isdigit() for word in words):
        raise source.error(
            source.line,
            f"expected {EXPECTED}, or without it a size line 'ROWS COLUMNS [ENTRIES]'; "
            f"came {shown(size)}",
        )
    return Kind(len(words) == 2, "real", "general")


Entries = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any] | None, Lines]
"""Rows, columns and values, and the lines on which they are."""


def _columns(kind: Kind, nrows: int, ncols: int) -> Columns:
    """The form of a line of a sparse matrix."""
    example = "'ROW COLUMN VALUE'" if kind.field else "'ROW COLUMN'"
    return Columns(
        f"{example} ({kind.field or 'pattern'})",
        (nrows, ncols),
        kind.field,
        comment=b"%",
        too_large="correct it, or the size line",
    )


def _dense(source: Source, kind: Kind, nrows: int, ncols: int) -> Entries:
    count = {"general": nrows * ncols, "skew-symmetric": nrows * (nrows - 1) // 2}.get(
        kind.symmetry, nrows * (nrows + 1) // 2
    )
    columns = Columns(f"one value a line ({kind.field})", (), kind.field, comment=b"%")
    _, weight, lines = read_rows(source, columns, count, "values")
    assert weight is not None
    if not count:
        src = dst = np.empty(0, np.int64)
    elif kind.symmetry == "general":
        src = np.tile(np.arange(nrows), ncols)
        dst = np.repeat(np.arange(ncols), nrows)
    else:  # the lower triangle, column by column: the upper one, row by row
        dst, src = np.triu_indices(nrows, 1 if kind.symmetry == "skew-symmetric" else 0)
    return src, dst, weight[:, 0], lines


def write(edges: EdgeList, out: IO[bytes]) -> None:
    """Write coordinate format: integer, real or pattern. Undirected edges are written as symmetric.

    Entries of a symmetric matrix go to the lower triangle, as the format requires.
    """
    src, dst = edges.src, edges.dst
    if not edges.directed:
        src, dst = np.maximum(src, dst), np.minimum(src, dst)
    columns = [src + 1, dst + 1]
    field = "pattern"
    if edges.weight is not None:
        field = "real" if edges.weight.dtype.kind == "f" else "integer"
        columns.append(edges.weight)
    symmetry = "general" if edges.directed else "symmetric"
    out.write(f"%%MatrixMarket matrix coordinate {field} {symmetry}\n".encode())
    out.write(f"{edges.nrows} {edges.ncols} {edges.nedges}\n".encode())
    write_rows(out, "", *columns)
