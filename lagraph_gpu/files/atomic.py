"""Files that appear complete or not at all: they are written beside their place, then renamed.

A pipe or a device cannot be replaced, so it is written to directly.
"""

from __future__ import annotations

import gzip
import lzma
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.errors import FormatError

CHUNK = 1 << 16


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A stream whose content becomes the file `path` if nothing goes wrong.

    It is compressed if the name says so. After an exception the partial file is removed, and what
    was at `path` stays. A symbolic link stays too, and leads to the new content. Raises
    FormatError, which names `path`, if the system does not allow the write.
    """
    place = Path(os.path.realpath(path)) if os.path.islink(path) else path
    if not os.path.isdir(place.parent):
        raise FormatError(path, None, f"there is no folder {str(place.parent)!r}; make it first")
    try:
        with suppress(OSError):  # where nothing stands yet, or opening it says more
            os.stat(path)
    except ValueError as problem:  # a NUL byte, or what the system's encoding cannot write
        raise FormatError(path, None, f"cannot be the name of a file: {problem}") from problem
    if os.path.isdir(path):
        raise FormatError(path, None, "this is a directory; expected the name of a file")
    replaceable = os.path.isfile(path) or not os.path.exists(path)
    try:
        opened = _beside(place) if replaceable else open(path, "wb")  # noqa: SIM115 (closed below)
        with opened as raw, _compressing(raw, path.suffix.lower()) as out:
            yield out
    except OSError as problem:
        why = problem.strerror or str(problem)
        raise FormatError(path, None, f"cannot be written: {why}") from problem


@contextmanager
def _beside(path: Path) -> Iterator[IO[bytes]]:
    """A new file that replaces `path` if nothing goes wrong."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with open(part, "xb") as raw:
            yield raw
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(part, path)
    finally:
        with suppress(OSError):  # renamed already, or in a folder where nothing can be removed
            part.unlink()


@contextmanager
def _compressing(raw: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    if suffix == ".gz":  # no name and no time inside: the same graph gives the same bytes
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
            yield cast(IO[bytes], packed)
    elif suffix == ".xz":
        with lzma.LZMAFile(raw, "wb") as squeezed:
            yield squeezed
    else:
        yield raw


def write_rows(out: IO[bytes], tag: str, *columns: NDArray[Any], separator: str = " ") -> None:
    """One line for each row of the columns.

    Real numbers are written so that they read back exactly.
    """
    kinds = ["%d" if column.dtype.kind in "iub" else "%r" for column in columns]
    template = separator.join(([tag] if tag else []) + kinds) + "\n"
    for begin in range(0, columns[0].size, CHUNK):
        part = [_plain(column[begin : begin + CHUNK]) for column in columns]
        out.write("".join(map(template.__mod__, zip(*part, strict=True))).encode())


def _plain(column: NDArray[Any]) -> list[Any]:
    """The column as Python numbers.

    `repr` of a Python float is the shortest text that reads back the same. The cast is for long
    doubles, which `tolist` does not convert.
    """
    values = column.astype(np.float64) if column.dtype.kind == "f" else column
    return cast(list[Any], values.tolist())
