"""From a kernel's name to its compiled form.

A translation unit consists of the digest of its headers (a compiler's cache does not follow
``#include``), the constants of ``constants.py``, one include, and the generated algebra. Headers
are package data in ``cuda/``.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lagraph_gpu.files.cache import keep, kept
from lagraph_gpu.gpu.device.constants import DEFINITIONS

CUDA = Path(__file__).parents[1] / "cuda"


INCLUDED = re.compile(r'^#include "(.+)"', re.MULTILINE)


@functools.cache
def headers_digest(header: str) -> str:
    """A digest of a header and of all that it includes, so that a change of any of them gives a new
    module."""
    digest = hashlib.sha256()
    for name in sorted(with_included(header)):
        digest.update(f"{name}\0{text_of(name)}\0".encode())
    return digest.hexdigest()[:16]


def with_included(header: str) -> set[str]:
    """A header and all that it includes, by their names in ``cuda/``."""
    found, ahead = {header}, [header]
    while ahead:
        names = set(INCLUDED.findall(text_of(ahead.pop()))) - found
        found |= names
        ahead += names
    return found


@functools.cache
def text_of(header: str) -> str:
    return (CUDA / header).read_text(encoding="utf-8")


def unit(header: str, algebra: str) -> str:
    """The text of a translation unit: the shared constants, a header, and its algebra."""
    return f'{DEFINITIONS}#include "{header}"\n{algebra}'


@dataclass(frozen=True)
class Program:
    """One kernel: its header, the algebra that it is compiled for, and its C++ name."""

    header: str
    algebra: str
    name: str

    @functools.cached_property
    def source(self) -> str:
        return f"// headers {headers_digest(self.header)}\n{unit(self.header, self.algebra)}"


def cached(key: tuple[object, ...], make: Callable[[], tuple[bytes, str]]) -> tuple[bytes, str]:
    """A compiled module and its kernel's mangled name, from the cache on the disk if it is
    there."""
    content = kept(key)
    if content is not None:
        name, cubin = content.split(b"\n", 1)
        return cubin, name.decode()
    cubin, mangled = made = make()
    keep(key, mangled.encode() + b"\n" + cubin)
    return made
