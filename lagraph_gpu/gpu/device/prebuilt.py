"""Kernels that were compiled when the wheel was made.

A wheel may hold an archive for each architecture, ``prebuilt/sm_90.zip``, which `archive` writes. A
member is a compiled module. Its name is a digest of what it was compiled from, headers included, so
that a kernel whose source has changed since is not found, and is compiled as without a wheel.
"""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

Module = tuple[bytes, str]
"""A compiled module, and its kernel's mangled name."""

FOLDER = Path(__file__).with_name("prebuilt")

OPTIONS = ("-std=c++17", "--ftz=false", "--prec-div=true", "--prec-sqrt=true", "--fmad=false")
"""Options for arithmetic as in IEEE 754 and as on the CPU: denormals are kept, and no
multiplication and addition are contracted."""


def member_name(source: str, name: str) -> str:
    """The name of a kernel's member."""
    told = "\0".join((source, name, *OPTIONS))
    return hashlib.sha256(told.encode()).hexdigest()[:32]


class Prebuilt:
    """The archive for a device, which may be missing."""

    def __init__(self, capability: str, folder: Path = FOLDER) -> None:
        """``capability`` are the digits of the compute capability, such as "90". Modules for an
        older device of the same generation run, too."""
        self._archive: zipfile.ZipFile | None = None
        self._members: frozenset[str] = frozenset()
        self.refused = False
        """True if the driver could not load a module."""
        major, minor = capability[:-1], int(capability[-1])
        for each in range(minor, -1, -1):
            path = folder / f"sm_{major}{each}.zip"
            if path.exists():  # read whole: no file stays open
                self._archive = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
                self._members = frozenset(self._archive.namelist())
                return

    def __contains__(self, program: tuple[str, str]) -> bool:
        return bool(self._members) and member_name(*program) in self._members

    def find(self, source: str, name: str) -> Module | None:
        """The compiled module, if it is there and the driver loads such modules."""
        if self.refused or self._archive is None or (source, name) not in self:
            return None
        mangled, cubin = self._archive.read(member_name(source, name)).split(b"\n", 1)
        return cubin, mangled.decode()


def archive(
    path: Path, programs: Iterable[tuple[str, str]], compiled: Callable[[str, str], Module]
) -> int:
    """Write an archive with these programs, each a source and a name, and return its bytes.

    It appears whole or not at all, and its bytes depend on the modules alone.
    """
    path.parent.mkdir(exist_ok=True)
    part = path.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        modules = {member_name(*program): compiled(*program) for program in programs}
        for member, (cubin, mangled) in sorted(modules.items()):
            made.writestr(zipfile.ZipInfo(member), mangled.encode() + b"\n" + cubin,
                          zipfile.ZIP_DEFLATED, 9)  # fmt: skip
    os.replace(part, path)
    return path.stat().st_size
