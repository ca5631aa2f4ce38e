"""From a kernel's name to its compiled form.

The translation unit is one line that names the digest of all headers (compilers' caches do not look
behind ``#include``), the constants of ``constants.py``, one include, and the generated algebra.
Headers are package data in ``cuda/``.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lagraph_gpu.files.cache import keep, kept
from lagraph_gpu.gpu.device.constants import DEFINITIONS

CUDA = Path(__file__).parents[1] / "cuda"


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


def cached(key: tuple[object, ...], make: Callable[[], tuple[bytes, str]]) -> tuple[bytes, str]:
    """A compiled module and its kernel's mangled name, from the disk if it was made before."""
    content = kept(key)
    if content is not None:
        name, cubin = content.split(b"\n", 1)
        return cubin, name.decode()
    cubin, mangled = make()
    keep(key, mangled.encode() + b"\n" + cubin)
    return cubin, mangled
