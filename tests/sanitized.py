"""Tests with the compiled loops under AddressSanitizer and UndefinedBehaviorSanitizer. They end the
process with a report at the first access outside an array or to freed memory, the first shift by
too much, or cast of a number with a fraction to a type that does not hold it.

``python -m tests.sanitized tests/test_lowerings.py -k cpu`` takes what pytest takes.
AddressSanitizer has to be in the process before anything allocates memory, so pytest runs in a new
process, in which this module is a plugin. The loops are compiled once for as long as their sources
stay the same.

Whatever else the process runs, such as NumPy and SuiteSparse, is as always, but allocates by
AddressSanitizer. Integers that leave their type wrap here, too, because the loops promise that.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path

from lagraph_gpu.cpu import native
from lagraph_gpu.cpu.native import compiler
from tests.simt import build

FLAGS = (
    *(flag for flag in compiler.FLAGS if flag != "-O3"),
    "-O1", "-g1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all",
    "-fsanitize=address,undefined,float-cast-overflow",
)  # fmt: skip

OPTIONS = {
    "ASAN_OPTIONS": ":".join([
        "detect_leaks=0",  # Python keeps much until its end
        "allocator_may_return_null=1",  # too much memory is a MemoryError, as elsewhere
        "malloc_fill_byte=165", "max_malloc_fill_size=16777216",  # new memory is not 0
        "quarantine_size_mb=64",
    ]),
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "PYTHONMALLOC": "malloc",
}  # fmt: skip

LOOPS = "LAGRAPH_TEST_LOOPS"
"""The variable by which the new process learns where the loops are."""

LIBRARIES = "libasan.so", "libubsan.so", "libstdc++.so.6"
"""Loaded first. AddressSanitizer looks for the functions that it replaces when it starts, and of
libstdc++ replaces the one that throws."""


def library() -> Path:
    """The compiled loops with the sanitizers."""
    digest = hashlib.sha256(repr((FLAGS, compiler.digest())).encode()).hexdigest()[:32]
    return build.built(build.cache_dir() / f"{digest}.so", compile_loops)


def compile_loops(target: Path, *sources: Path) -> None:
    """Some sources, by default all."""
    found = compiler.compiler()
    assert found is not None, "the tests need a C++ compiler"
    words = [found, *FLAGS, f"-I{compiler.FOLDER}", *(sources or compiler.sources())]
    subprocess.run([*words, "-o", target], check=True)


def environment(loops: Path) -> dict[str, str]:
    """For a process of Python in which the sanitizers are, and in which pytest uses these loops."""
    plugin = {"PYTEST_PLUGINS": "tests.sanitized", LOOPS: str(loops)}
    return {**os.environ, **OPTIONS, **plugin, "LD_PRELOAD": " ".join(map(where, LIBRARIES))}


def where(name: str) -> str:
    """The path of a library that comes with the compiler."""
    asked = [str(compiler.compiler()), f"-print-file-name={name}"]
    return os.path.realpath(subprocess.check_output(asked, text=True).strip())


def pytest_configure() -> None:
    compiler.beside = lambda: Path(os.environ[LOOPS])
    assert native.library() is not None


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m tests.sanitized", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    words = [sys.executable, "-m", "pytest", *parser.parse_known_args()[1]]
    os.execve(sys.executable, words, environment(library()))
