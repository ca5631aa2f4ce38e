"""Kernels that were compiled when the wheel was made.

A wheel may hold an archive for each architecture, ``prebuilt/sm_90.zip``, which `archive` writes.
Its members are groups of compiled modules, because modules of one kernel resemble each other: alone
they take two to three times as many bytes. The index says in which group a module is, under a
digest of what it was compiled from, headers included. So a kernel whose source has changed since is
not found, and is compiled as without a wheel.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import json
import os
import threading
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

from lagraph_gpu.reporting import LOG

Module = tuple[bytes, str]
"""A compiled module, and its kernel's mangled name."""

FOLDER = Path(__file__).with_name("prebuilt")

OPTIONS = ("-std=c++17", "--ftz=false", "--prec-div=true", "--prec-sqrt=true", "--fmad=false")
"""Options for arithmetic as in IEEE 754 and as on the CPU: denormals are kept, and no
multiplication and addition are contracted."""

INDEX = "index.json"
GROUP_BYTES = 1 << 17
"""The bytes of a group before compression, about: to read a module, all of its group is read."""


def digest(source: str, name: str) -> str:
    """The key of a kernel in the index."""
    text = "\0".join((source, name, *OPTIONS))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Prebuilt:
    """The archive for a device, which may be missing."""

    def __init__(self, capability: str, folder: Path = FOLDER) -> None:
        """``capability`` are the digits of the compute capability, such as "90". Modules for an
        older device of the same generation run, too."""
        self.refused = False
        """True if the driver could not load a module."""
        self._index: dict[str, tuple[int, int, int]] = {}
        self._groups: dict[int, bytes] = {}
        self._reading = threading.Lock()
        major, minor = capability[:-1], int(capability[-1])
        paths = (folder / f"sm_{major}{each}.zip" for each in range(minor, -1, -1))
        path = next((path for path in paths if path.exists()), None)
        if path is None or importlib.util.find_spec("_lzma") is None:
            return
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(path.read_bytes()))  # no file stays open
            self._index = json.loads(self._archive.read(INDEX))
        except (OSError, zipfile.BadZipFile, KeyError, ValueError) as damage:
            LOG.warning("%s cannot be read, so kernels are compiled: %s", path, damage)

    def __contains__(self, program: tuple[str, str]) -> bool:
        return bool(self._index) and digest(*program) in self._index

    def find(self, source: str, name: str) -> Module | None:
        """The compiled module, if it is there and the driver loads such modules."""
        if self.refused or (source, name) not in self:
            return None
        group, begin, end = self._index[digest(source, name)]
        with self._reading:
            if group not in self._groups:
                self._groups[group] = self._archive.read(str(group))
        mangled, cubin = self._groups[group][begin:end].split(b"\n", 1)
        return cubin, mangled.decode()


def archive(
    path: Path, programs: Iterable[tuple[str, str]], compiled: Callable[[str, str], Module]
) -> int:
    """Write an archive with these programs, each a source and a name, and return its bytes.

    Programs that resemble each other should follow one another. The archive appears whole or not at
    all, and its bytes depend on the modules alone.
    """
    path.parent.mkdir(exist_ok=True)
    part, index = path.with_suffix(".part"), {}
    groups = [bytearray()]
    for program in programs:
        cubin, mangled = compiled(*program)
        if len(groups[-1]) > GROUP_BYTES:
            groups.append(bytearray())
        begin = len(groups[-1])
        groups[-1] += mangled.encode() + b"\n" + cubin
        index[digest(*program)] = len(groups) - 1, begin, len(groups[-1])
    with zipfile.ZipFile(part, "w") as made:
        made.writestr(zipfile.ZipInfo(INDEX), json.dumps(index), zipfile.ZIP_DEFLATED)
        for number, group in enumerate(groups):
            made.writestr(zipfile.ZipInfo(str(number)), bytes(group), zipfile.ZIP_LZMA)
    os.replace(part, path)
    return path.stat().st_size
