"""Files and folders that appear complete or not at all: they are written under another name in the
same folder, then renamed.

A file that replaces another gets its mode, owner and group if the process may set them; before
that, only the writer can read it. A writer holds a lock on the file that it writes. A file without
a lock was left by a writer that was killed, and the next writer of the same file removes it. File
and folder are synced, so the content survives a power cut.

A pipe or a device cannot be replaced, so it is written to directly.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, cast

try:
    import fcntl
except ImportError:  # Windows, where a file cannot be removed while it is open
    fcntl = None  # type: ignore[assignment]

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.errors import FileExists, FormatError, NoSuchFile

CHUNK = 1 << 16

LONGEST_STEM = 200
"""A name of more bytes is not repeated in that of its part: file systems permit 255 as a rule, some
143."""


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A stream whose content becomes the file `path` if nothing goes wrong.

    It is compressed if the name says so. After an exception the partial file is removed, and what
    was at `path` stays. A symbolic link stays too, and leads to the new content. Raises
    FormatError, which names `path`, if the system does not allow the write.
    """
    place = Path(os.path.realpath(path)) if os.path.islink(path) else path
    expect_place(path, place.parent, "a file")
    if os.path.isdir(path):
        raise FormatError("this is a directory; expected the name of a file", path)
    replaceable = os.path.isfile(path) or not os.path.exists(path)
    try:
        opened = _beside(place) if replaceable else open(path, "wb")  # noqa: SIM115 (closed below)
        with opened as raw, _compressing(raw, path.suffix.lower()) as out:
            yield out
    except FormatError:  # which may be an OSError too
        raise
    except OSError as problem:
        raise _unwritten(path, problem) from problem


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """An empty folder to fill, which becomes `path` if nothing goes wrong. `path` must not exist.

    Only the owner can write to the folder, whatever the umask is. After an exception nothing is
    left. Raises FormatError, which names `path`, if the system does not allow the folder.
    """
    expect_place(path, path.parent, "a folder")
    try:
        _remove_left(path, os.path.isdir)
        with _new_part(path, _created_folder) as part:
            try:
                yield part
            except FormatError as problem:  # of a file in it, whose name nobody knows
                if isinstance(problem.__cause__, OSError):
                    raise problem.__cause__ from problem
                raise
            _sync(part)
            os.rename(part, path)
            _sync(path.parent)
    except FormatError:
        raise
    except OSError as problem:
        raise _unwritten(path, problem) from problem


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds the lock of the folder, so that other writers wait. A system without locks has none."""
    if fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def expect_place(path: Path, folder: Path, what: str) -> None:
    """Raise FormatError if the folder is not there, or the path cannot be a name."""
    if not os.path.isdir(folder):
        raise NoSuchFile(f"there is no folder {str(folder)!r}; make it first", path)
    try:
        with suppress(OSError):  # it does not exist yet, or opening it gives a better error
            os.stat(path)
    except ValueError as problem:  # a NUL byte, or characters that the system's encoding lacks
        raise FormatError(f"cannot be the name of {what}: {problem}", path) from problem


def expect_none(others: Iterable[Path], path: Path) -> None:
    """Raise FormatError if one of the files is there that are written together with `path`."""
    for other in others:
        if os.path.lexists(other):
            raise FileExists(
                f"this is there, and would be replaced with {path.name}, which is not; move it, or "
                "choose another name",
                other,
            )


def _unwritten(path: Path, problem: OSError) -> FormatError:
    return FormatError(f"cannot be written: {problem.strerror or problem}", path)


@contextmanager
def _beside(path: Path) -> Iterator[IO[bytes]]:
    """A new file that replaces `path` if nothing goes wrong."""
    _remove_left(path, os.path.isfile)
    old = os.stat(path) if os.path.exists(path) else None
    mode = 0o666 if old is None else 0o600
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL
    with _new_part(path, lambda part: os.open(part, flags, mode)) as part:
        with open(part, "r+b") as raw:
            yield raw
            raw.flush()
            if old is not None:
                _give_access(raw.fileno(), old)
            os.fsync(raw.fileno())
        os.replace(part, path)
        _sync(path.parent)


def _created_folder(part: Path) -> int | None:
    """Make a folder, and open it where the system can do that."""
    os.mkdir(part, 0o755)
    return None if fcntl is None else os.open(part, os.O_RDONLY)


def _stem(path: Path) -> str:
    """The name of the file, or a digest of it where the name of the part, with its additions, would
    be longer than file systems permit."""
    name = os.fsencode(path.name)
    if len(name) <= LONGEST_STEM:
        return path.name
    import hashlib

    return hashlib.sha256(name).hexdigest()


@contextmanager
def _new_part(path: Path, create: Callable[[Path], int | None]) -> Iterator[Path]:
    """What `create` makes and opens beside `path`, locked where there are locks. It is removed at
    the end if it is still there, also if a signal comes just when it was made."""
    done = False
    while not done:
        part, lock = path.with_name(f".{_stem(path)}.{os.urandom(4).hex()}.part"), None
        ours = True
        try:
            try:
                lock = create(part)
            except FileExistsError:
                ours = False
                raise
            if fcntl is None:
                if lock is not None:
                    os.close(lock)
                    lock = None
            elif lock is not None:
                with suppress(OSError):  # a file system without locks
                    fcntl.flock(lock, fcntl.LOCK_EX)
            done = part.exists()  # else another writer removed it before it was locked
            if done:
                yield part
        finally:
            if ours:
                with suppress(OSError):  # renamed already, or the folder allows no removal
                    _remove(part)
            if lock is not None:
                os.close(lock)


def _remove_left(path: Path, alike: Callable[[Path], bool]) -> None:
    """Remove what writers of this file, or of this folder, left that were killed."""
    import glob

    stem = _stem(path)
    for part in path.parent.glob(f".{glob.escape(stem)}.*.part"):
        ours = re.fullmatch(r"[0-9a-f]{8}", part.name[len(stem) + 2 : -len(".part")])
        if ours is None or part.is_symlink() or not alike(part):
            continue
        with suppress(OSError):  # it is being written, or is another user's
            if fcntl is None:
                _remove(part)
                continue
            handle = os.open(part, os.O_RDONLY if part.is_dir() else os.O_RDWR)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(part)
            finally:
                os.close(handle)


def _remove(part: Path) -> None:
    if part.is_dir():
        import shutil

        shutil.rmtree(part, ignore_errors=True)
    else:
        part.unlink()


def _give_access(handle: int, old: os.stat_result) -> None:
    """Give a file the owner, the group and the mode of an older one, as far as this is allowed.

    If the group cannot be set, its permissions are not given to another group.
    """
    if fcntl is None:
        return
    for owner in ((-1, old.st_gid), (old.st_uid, -1)):
        with suppress(OSError):
            os.fchown(handle, *owner)
    same = os.fstat(handle).st_gid == old.st_gid
    with suppress(OSError):  # a file system without modes
        os.fchmod(handle, old.st_mode & (0o777 if same else 0o707))


def _sync(folder: Path) -> None:
    """Have the new name on the disk, where the system can sync folders."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _compressing(raw: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    if suffix == ".gz":  # no name and no time inside: the same graph gives the same bytes
        import gzip

        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
            yield cast(IO[bytes], packed)
    elif suffix == ".bz2":
        import bz2

        with bz2.BZ2File(raw, "wb") as pressed:
            yield cast(IO[bytes], pressed)
    elif suffix == ".xz":
        import lzma

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


def numbers_as_text(column: NDArray[Any]) -> list[str]:
    """The numbers of a column as `write_rows` writes them."""
    as_words = "%d" if column.dtype.kind in "iub" else "%r"
    return [as_words % value for value in _plain(column)]


def _plain(column: NDArray[Any]) -> list[Any]:
    """The column as Python numbers.

    `repr` of a Python float is the shortest text that reads back the same. The cast is for long
    doubles, which `tolist` does not convert.
    """
    values = column.astype(np.float64) if column.dtype.kind == "f" else column
    return cast(list[Any], values.tolist())
