"""Compiled code, kept on the disk for later processes.

A process will run this code, so it is read only if no other user can have written it: the folder
(``LAGRAPH_GPU_CACHE``, else ``lagraph-gpu`` in the user's cache folder) and the file must belong to
this user, and others must not be able to write to them. A file holds a digest and the content. The
digest covers key and content, so that a damaged file is noticed, and also an undamaged file under
the wrong name. Files appear complete or not at all, so processes may share them.

If anything goes wrong, the code is compiled again and there is one warning. A file that cannot be
used is written again.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import stat
import time
from pathlib import Path
from typing import Any

from lagraph_gpu.errors import warn_caller

SUFFIX = ".kept"

DAYS = 90
"""Files that have not been used for so many days are removed when another one is written. Keys hold
digests of sources, so each release has new ones."""

DIGEST_BYTES = 32

NAME_THE_FOLDER = "name a folder of your own with LAGRAPH_GPU_CACHE"
COSTS = "what is compiled is not kept there, so each process compiles again"


def kept(key: tuple[object, ...]) -> bytes | None:
    """The content kept under this key; None without one, or if another user can have written it."""
    folder = usable_folder()
    if folder is None:
        return None
    path = file_of(folder, key)
    try:
        with open(path, "rb") as file:
            why = who_else(os.fstat(file.fileno()))
            whole = b"" if why else file.read()
    except FileNotFoundError:
        return None
    except OSError as problem:
        whole, why = b"", reason(problem)
    content = whole[DIGEST_BYTES:]
    if not why and whole != sealed(key, content):
        why = "its digest does not match its content"
    if why:
        warn_unusable(why)
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # used now
    return content


def keep(key: tuple[object, ...], content: bytes) -> None:
    """Keeps it under this key, in place of what was there."""
    folder = usable_folder()
    if folder is None:
        return
    try:
        write(file_of(folder, key), sealed(key, content))
        forget(folder, time.time() - DAYS * 24 * 3600)
    except OSError as problem:
        warn_once(
            f"expected to write to the folder {str(folder)!r}, but: {reason(problem)}; {COSTS}; "
            f"make room there, or {NAME_THE_FOLDER}"
        )


def warn_unusable(why: str) -> None:
    """Says that something kept could not be used, which its maker has to make and keep again."""
    warn_once(
        f"expected code that was compiled before in the folder {str(cache_folder())!r}, but a file "
        f"there cannot be used: {why}; it is compiled and written again. If this comes back, "
        f"look who else writes there and whether the disk is sound, or {NAME_THE_FOLDER}"
    )


@functools.cache
def warn_once(message: str) -> None:
    """A warning, once in a process."""
    warn_caller(message, RuntimeWarning)


def usable_folder() -> Path | None:
    """Where things are kept, made if it is not there; None where they cannot be."""
    folder = cache_folder()
    if folder is None:
        warn_once(f"expected a home folder for what is compiled, but there is none; {COSTS}; "
                  f"{NAME_THE_FOLDER}")  # fmt: skip
        return None
    why = unusable(folder)
    if not why:
        return folder
    warn_once(
        f"expected the folder {str(folder)!r} to be usable for what is compiled, but: {why}; "
        f"{COSTS}; change that (chmod 700, if it is yours), or {NAME_THE_FOLDER}"
    )
    return None


def cache_folder() -> Path | None:
    """LAGRAPH_GPU_CACHE, else one in the user's cache folder; None for a user without a home."""
    named = os.environ.get("LAGRAPH_GPU_CACHE")
    return Path(named) if named else user_folder("lagraph-gpu")


def user_folder(name: str) -> Path | None:
    """A folder in the user's cache folder; None for a user without a home. A relative
    XDG_CACHE_HOME is ignored, as its standard says: it would name another folder, and perhaps
    another user's, for each folder in which a process starts."""
    home = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not home.is_absolute():
        try:
            home = Path.home() / ".cache"
        except RuntimeError:  # a container's user without HOME
            return None
    return home / name if home.is_absolute() else None


def unusable(folder: Path) -> str:
    """Why code must not be kept in this folder, or an empty text if it may be. A missing folder is
    made."""
    try:
        make_private(folder)
        return who_else(folder.stat())
    except OSError as problem:
        return reason(problem)


def make_private(folder: Path) -> None:
    """Makes the folder, and those it is in, for this user alone, whatever the umask."""
    if folder.is_dir():
        return
    if folder.parent != folder:
        make_private(folder.parent)
    try:
        folder.mkdir(0o700)
        folder.chmod(0o700)  # a umask may have taken from it
    except FileExistsError:  # another process made it, or it is none
        if not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None


def who_else(status: os.stat_result) -> str:
    """Which other users could have written this, in words; empty if none could."""
    if not hasattr(os, "geteuid"):  # Windows, where a user's folders are closed to other users
        return ""
    user = os.geteuid()
    if status.st_uid != user:
        return f"it belongs to the user with number {status.st_uid}, and this process to {user}"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others can write to it (its mode is {stat.S_IMODE(status.st_mode):o})"
    return ""


def reason(problem: OSError) -> str:
    return problem.strerror or str(problem)


def file_of(folder: Path, key: tuple[object, ...]) -> Path:
    return folder / f"{sha256(repr(key).encode()).hexdigest()[:32]}{SUFFIX}"


def sha256(content: bytes) -> Any:
    """Its digest."""
    import hashlib

    return hashlib.sha256(content)


def sealed(key: tuple[object, ...], content: bytes) -> bytes:
    """The content after a digest of its key and of itself."""
    of_key = sha256(repr(key).encode()).digest()
    return sha256(of_key + content).digest() + content


def write(path: Path, whole: bytes) -> None:
    """Writes a file whole or not at all, for this user alone, whatever the umask."""
    import tempfile

    handle, part = tempfile.mkstemp(".part", f"{path.name}.", path.parent)
    try:
        with open(handle, "wb") as file:
            os.chmod(part, 0o600)  # a umask may have taken from it
            file.write(whole)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


def forget(folder: Path, before: float) -> None:
    """Removes files last used before that time, in seconds since 1970, and files left by writers
    that were killed."""
    for path in folder.glob(f"*{SUFFIX}*"):
        with contextlib.suppress(FileNotFoundError):  # another process forgets, too
            if path.stat().st_mtime < before:
                path.unlink()
