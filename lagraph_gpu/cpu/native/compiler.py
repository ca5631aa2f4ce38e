"""How the compiled loops become a library. The build of the wheel runs this file by itself, so it
imports nothing of the package."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
from pathlib import Path

FOLDER = Path(__file__).parent

FLAGS = (
    "-std=c++20", "-O3", "-shared", "-fPIC", "-fvisibility=default", "-pthread",
    "-fwrapv",  # a sum of integers that leaves its type wraps, as in NumPy
    "-ffp-contract=off",  # each sum and each product is rounded, as in the statements
    *(["-mpopcnt"] if platform.machine() in ("x86_64", "AMD64") else []),  # there since 2008
)  # fmt: skip

COMPILERS = "c++", "g++", "clang++"
"""Where CXX does not name one."""


def sources() -> list[Path]:
    return sorted(FOLDER.glob("*.cpp"))


def digest() -> str:
    """What the library is made of: the sources, in 16 hexadecimal digits."""
    made_of = hashlib.sha256(" ".join(FLAGS).encode())
    for path in sorted({*sources(), *FOLDER.glob("*.h"), *FOLDER.glob("*.hpp")}):
        made_of.update(path.name.encode() + path.read_bytes())
    return made_of.hexdigest()[:16]


def beside() -> Path:
    """Where the library lies that was built with the package."""
    return FOLDER / f"loops-{digest()}.so"


def compiler() -> str | None:
    """A C++ compiler of this machine, if there is one."""
    named = os.environ.get("CXX")
    return next(filter(None, map(shutil.which, (named,) if named else COMPILERS)), None)


def build(target: Path) -> None:
    """Compiles the library. Raises OSError if there is no compiler or it fails."""
    found = compiler()
    if found is None:
        raise OSError(f"expected a C++ compiler: CXX, or one of {', '.join(COMPILERS)}")
    words = [found, *FLAGS, *map(str, sources()), "-o", str(target)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"expected {found} to compile the loops, but it said: {done.stderr[-2000:]}")
