"""Vectors, matrices and contractions as bytes: a NumPy archive (`.npz`) in memory.

The archive holds its kind, a version, the shape, the ids and the values, each as NumPy writes
arrays, so types and byte order describe themselves. Every part has a checksum. What is read back is
checked as any input is, and pickles are never read. If all entries of a matrix have one value, it
is stored once.

Altered entries make another vector or matrix, which is as valid as any. The arrays of a contraction
only mean something together, and they do not show whether they belong to its graph, so a digest of
all of them is stored beside them. Neither the digest nor a checksum is a signature: a deliberate
change can include a new one.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from lagraph_gpu import memory
from lagraph_gpu.backend import Entries, Rows
from lagraph_gpu.convert.compressed_rows import checked_rows
from lagraph_gpu.convert.edge_list import needs_64_bits
from lagraph_gpu.convert.ids import check_size
from lagraph_gpu.convert.values import one_value
from lagraph_gpu.errors import InvalidValue, LagraphError, brief, in_short

KIND = "lagraph-gpu"
VERSIONS = {"vector": 1, "matrix": 1, "contraction": 2}
ROWS_AT_ONCE = 1 << 20
"""So many offsets are made at once for a digest."""

FEW_ROWS = 2
"""The version of a matrix of which only rows that have entries are listed."""


def of_vector(shape: tuple[int, ...], index: np.ndarray, value: np.ndarray) -> bytes:
    return _written("vector", shape, indices=_narrow(index, shape[0]), values=value)


def _narrow(ids: np.ndarray, size: int) -> np.ndarray:
    """Ids below a size with 32 bits, if that is enough."""
    return ids.astype(np.int32 if size < 2**31 else np.int64)


def _once(value: np.ndarray) -> np.ndarray:
    """The values, or one of them if all are the same."""
    return value[:1] if one_value(value) else value


def of_matrix(shape: tuple[int, ...], rows: Rows) -> bytes:
    indptr, indices, value = rows
    held: dict[str, Any] = {"indptr": indptr, "indices": _narrow(indices, shape[1])}
    return _written("matrix", shape, None, **held, values=_once(value))


def of_few_rows(
    shape: tuple[int, ...], row: np.ndarray, column: np.ndarray, value: np.ndarray
) -> bytes:
    """A matrix of which few rows have entries. Only these are written."""
    begins = np.flatnonzero(np.diff(row, prepend=-1))
    held: dict[str, Any] = {"rows": row[begins], "indptr": np.append(begins, row.size)}
    held["indices"] = _narrow(column, shape[1])
    return _written("matrix", shape, FEW_ROWS, **held, values=_once(value))


def of_contraction(n: int, arrays: dict[str, np.ndarray]) -> bytes:
    seal = np.array(_seal(n, list(arrays.values())))
    return _written("contraction", (n,), None, **arrays, seal=seal)


def _seal(n: int, arrays: list[np.ndarray]) -> str:
    """The SHA-256 digest of the arrays, their types and their shapes."""
    import hashlib

    forms = [(array.dtype.str, array.shape) for array in arrays]
    digest = hashlib.sha256(repr((n, forms)).encode())
    for array in arrays:
        digest.update(array.tobytes())
    return digest.hexdigest()


def _written(what: str, shape: tuple[int, ...], version: int | None = None, **arrays: Any) -> bytes:
    archive, version = io.BytesIO(), VERSIONS[what] if version is None else version
    head = {"kind": np.array(f"{KIND} {what}"), "version": np.array(version)}
    try:
        np.savez(archive, **head, shape=np.array(shape, np.int64), **arrays)  # type: ignore[arg-type]
    except ValueError as problem:  # of zipfile, which cannot close what it could not write
        if memory.is_short(problem):
            raise MemoryError("no room for the bytes") from problem
        raise
    return archive.getvalue()


def _read(
    what: str, dimensions: int, names: tuple[str, ...], data: Any, maker: str = "serialize()"
) -> list[Any]:
    """The shape and the named arrays. Anything else raises InvalidValue."""
    try:
        content = bytes(memoryview(data))
    except (TypeError, ValueError):  # ValueError if NumPy has no bytes for it
        raise InvalidValue(
            f"expected bytes that serialize() made, got {type(data).__name__}"
        ) from None
    try:
        if not content.startswith(b"PK"):  # NumPy's error is about pickles
            raise ValueError(f"no archive: the first are {content[:6]!r}")
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            kind, version = str(archive["kind"]), int(archive["version"])
            if kind == f"{KIND} matrix" == f"{KIND} {what}" and version == FEW_ROWS:
                names = ("rows", *names)
            if kind == f"{KIND} {what}" and (version == VERSIONS[what] or "rows" in names):
                shape, *arrays = (archive[name] for name in ("shape", *names))
                if not all(isinstance(array, np.ndarray) for array in (shape, *arrays)):
                    raise ValueError("a part that is no array")
                if shape.shape != (dimensions,) or shape.dtype.kind not in "iu":
                    raise ValueError(f"a shape of {shape.shape} numbers")
                return [tuple(check_size(n) for n in shape.tolist()), *arrays]
    except Exception as problem:  # NumPy, zipfile and the decompressors have no common one
        free = memory.available_bytes()  # damaged bytes may name larger arrays
        if memory.is_short(problem) and (
            free is None or free < 4 * len(content) + memory.CHECKED_BYTES
        ):
            raise MemoryError(f"{len(content)} bytes to read") from problem
        raise InvalidValue(
            f"expected the bytes of a {what} that {maker} made, got {len(content)} bytes that are "
            f"cut off, damaged or something else ({in_short(problem)}); make them again"
        ) from problem
    if kind != f"{KIND} {what}":
        raise InvalidValue(
            f"expected a serialized {what}, got {brief(kind)}; take deserialize of its own class"
        )
    raise InvalidValue(
        f"expected version {VERSIONS[what]}{' or 2' * (what == 'matrix')} of the format, got "
        f"{version}; read it with the version of lagraph-gpu that wrote it, or a newer one, or "
        "make it again"
    )


def vector(data: Any) -> tuple[tuple[int], *Entries]:
    """(shape, indices, values) from the bytes of a vector."""
    shape, index, value = _read("vector", 1, ("indices", "values"), data)
    return shape, *_checked(lambda: _entries(shape[0], index, value))


def _entries(size: int, index: np.ndarray, value: np.ndarray) -> Entries:
    _expect_flat(value)
    rows, _, _ = checked_rows([0, index.size], index, value, None, size, ("vector", "position"))
    return rows[1], rows[2]


def matrix(data: Any) -> tuple[tuple[int, int], np.ndarray | None, Rows, bool]:
    """(shape, the rows that are listed, compressed rows, whether one value stands for all).

    The second is None if all rows are there.
    """
    shape, *parts = _read("matrix", 2, ("indptr", "indices", "values"), data)
    listed = parts.pop(0) if len(parts) == 4 else None
    return shape, *_checked(lambda: _rows(shape, listed, *parts))


def contraction(data: bytes, names: tuple[str, ...]) -> list[Any]:
    """The number of vertices and the named arrays, which are those that were written."""
    (n,), *arrays, seal = _read("contraction", 1, (*names, "seal"), data, "save()")
    if seal.dtype.kind != "U" or str(seal) != _seal(n, arrays):
        raise InvalidValue(
            "expected a contraction as save() wrote it, got altered arrays: their digest does not "
            "match them; make it again with lg.contract(G)"
        )
    return [n, *arrays]


def _rows(
    shape: tuple[int, int], listed: np.ndarray | None, indptr: np.ndarray, indices: np.ndarray,
    value: np.ndarray,
) -> tuple[np.ndarray | None, Rows, bool]:  # fmt: skip
    _expect_flat(value)
    if listed is not None:
        one = [0, listed.size], listed, 0
        listed = checked_rows(*one, None, shape[0], ("matrix", "row"))[0][1]
    expected = (shape[0] if listed is None else listed.size) + 1
    iso = value.size == 1 and indices.size > 1
    held = value[0] if iso else value
    rows, _, _ = checked_rows(indptr, indices, held, None, shape[1], ("row", "column"))
    if rows[0].size != expected:
        raise InvalidValue(f"expected {expected} row offsets, got {rows[0].size}")
    return listed, rows, iso


def _expect_flat(value: np.ndarray) -> None:
    if value.ndim != 1:
        raise InvalidValue(f"expected values in one dimension, got shape {value.shape}")


def _checked(make: Any) -> Any:
    try:
        return make()
    except LagraphError as problem:
        raise InvalidValue(
            f"expected the bytes that serialize() made, got altered ones: {problem}"
        ) from problem


def digest_of_entries(n: int, row: np.ndarray, column: np.ndarray, values: np.ndarray) -> str:
    """`digest_of_rows` from the row of each entry, without an array over all rows."""
    if needs_64_bits(n):
        return digest_of_rows(n, [row], column, values)
    return digest_of_rows(n, offsets_in_blocks(row, n), column, values)


def offsets_in_blocks(row: np.ndarray, n: int) -> Iterator[np.ndarray]:
    """The offsets of n rows, from the row of each entry, in order."""
    for begin in range(0, n + 1, ROWS_AT_ONCE):
        size = min(ROWS_AT_ONCE, n + 1 - begin)
        first, last = np.searchsorted(row, [begin, begin + size])
        lengths = np.bincount(row[first:last] - begin, minlength=size)
        yield first + np.cumsum(lengths) - lengths


def digest_of_rows(
    n: int, offsets: Iterable[np.ndarray], indices: np.ndarray, values: np.ndarray
) -> str:
    """A digest of compressed rows and the type of their values, the same on every machine. The
    offsets come in blocks. Of 2³¹ rows and more there is the row of each entry in their place."""
    import hashlib

    digest = hashlib.blake2b(f"{n} {values.dtype.name}".encode(), digest_size=16)
    of_index = "<i8" if needs_64_bits(n) else "<i4"
    blocks = (block.astype("<i8", copy=False) for block in offsets)
    for array in chain(blocks, [indices.astype(of_index), values]):
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        digest.update(np.ascontiguousarray(little).data)
    return digest.hexdigest()
