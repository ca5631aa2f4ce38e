"""From a kernel's name to its compiled form.

The translation unit is one line that names the digest of all headers (compilers' caches do not look
behind ``#include``), the constants of ``constants.py``, one include, and the generated algebra.
Headers are package data in ``cuda/``.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lagraph_gpu.gpu.device.constants import DEFINITIONS

CUDA = Path(__file__).parents[1] / "cuda"

DAYS = 90
"""A module that nobody has used for so long goes when another one is kept: names hold a digest of
all headers, so that with each release all are new."""


@functools.cache
def headers_digest() -> str:
    """A digest of all headers, so that an edit of any of them makes a new module."""
    digest = hashlib.sha256()
    for header in sorted(CUDA.rglob("*.cuh")):
        name = header.relative_to(CUDA).as_posix()
        digest.update(name.encode() + b"\0" + header.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def unit(header: str, algebra: str) -> str:
    """The text of a translation unit: constants that the host knows too, a header, its algebra."""
    return f'{DEFINITIONS}#include "{header}"\n{algebra}'


@dataclass(frozen=True)
class Program:
    """One kernel: the header it is in, the algebra it is made for, and its C++ name."""

    header: str
    algebra: str
    name: str

    @functools.cached_property
    def source(self) -> str:
        return f"// headers {headers_digest()}\n{unit(self.header, self.algebra)}"


def cache_folder() -> Path:
    """Where compiled modules are kept: LAGRAPH_GPU_CACHE, else the user's cache folder, else (for
    a user without a home) a folder of this process alone: nobody else may plant a module."""
    named = os.environ.get("LAGRAPH_GPU_CACHE")
    if named:
        return Path(named)
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # nobody's home: a container's user without HOME
        return private_folder()
    return home / "lagraph-gpu"


@functools.cache
def private_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="lagraph-gpu-"))


def cached(key: tuple[object, ...], make: Callable[[], tuple[bytes, str]]) -> tuple[bytes, str]:
    """A compiled module and its kernel's mangled name, from the disk if it was made before.

    A file is a digest, a space and what it is the digest of: the name, a line end and the module.
    One that does not match, being damaged, is made anew. A folder that cannot be written costs the
    time to compile, no more.
    """
    of_key = hashlib.sha256("\0".join(map(str, key)).encode()).hexdigest()[:32]
    path = cache_folder() / f"{of_key}.cubin"
    try:
        stored, content = path.read_bytes().split(b" ", 1)
        if stored == digest(content):
            with contextlib.suppress(OSError):
                os.utime(path)  # used now
            name, cubin = content.split(b"\n", 1)
            return cubin, name.decode()
    except (OSError, ValueError):
        pass
    cubin, mangled = make()
    content = mangled.encode() + b"\n" + cubin
    with contextlib.suppress(OSError):
        store(path, digest(content) + b" " + content)
        forget(path.parent, time.time() - DAYS * 24 * 3600)
    return cubin, mangled


def forget(folder: Path, before: float) -> None:
    """Removes the modules that were last used before that time, in seconds since 1970."""
    for path in folder.glob("*.cubin"):
        with contextlib.suppress(FileNotFoundError):  # another process forgets, too
            if path.stat().st_mtime < before:
                path.unlink()


def digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def store(path: Path, content: bytes) -> None:
    """Writes a file whole or not at all, so that processes may share the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise
