"""g++ on kernels: from CUDA C++ to a shared library, once for each text.

``source.py`` inlines includes and rewrites ``__shared__``; ``declarations.py`` leaves out what the
kernel does not rest on; ``dialect.hpp``, precompiled, declares the intrinsics;
``-fsanitize=thread`` makes g++ call a hook at each load and store, and the hooks are those of
``runtime.cpp``, because libtsan is not linked. A small module takes about 85 ms; it serves both
modes.

Libraries are kept in a cache folder (``LAGRAPH_SIMT_CACHE``, else ``lagraph-simt`` in the user's
cache folder) under a digest of everything they depend on: text, dialect, flags, compiler.
By the rules of ``lagraph_gpu.files.cache`` only this user can write to the folder. Files are
written under another name and renamed, and a lock keeps two processes from doing the same work.
``forget`` keeps the folder within ``ROOM``.

Needs g++ 11 or later (``CXX`` names another one).
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path

from lagraph_gpu.files.cache import unusable, user_folder
from tests.simt.declarations import numbered, placed
from tests.simt.source import CUDA_DIR, declared, inlined, source_edits

HERE = Path(__file__).resolve().parent
COMPILER = os.environ.get("CXX", "g++")
COMMON = ["-std=c++17", "-fPIC", "-w"]
LINES = ("-g1", "-gdwarf-4", "-fno-var-tracking")
"""Line numbers change no instruction, so a library with them is made only when it is needed."""
MODULE = [
    *COMMON,
    "-fno-strict-aliasing",
    "-ffp-contract=off",  # as our NVRTC options: no fused multiply-add
    "-fno-threadsafe-statics",
    "-fno-exceptions",
    "-fno-asynchronous-unwind-tables",
    "-fno-rtti",
    "-fno-gnu-unique",  # two modules may define the same template otherwise
    "-fsanitize=thread",
    "--param=tsan-distinguish-volatile=1",
    "--param=tsan-instrument-func-entry-exit=0",
    "-fsanitize=bounds,shift,integer-divide-by-zero,signed-integer-overflow,float-cast-overflow",
    "-fsanitize=unreachable,return",
]
WELL = ("-Og", "-fsanitize=alignment")  # without, loads are hoisted out of conditions
QUICKLY = ("-O0",)
"""An edited kernel runs once, so most of its cost is its compilation."""
RUNTIME = [*COMMON, *LINES, "-O3", "-fvisibility-inlines-hidden", "-shared"]
RUNTIME_FILES = (
    "runtime.cpp", "scheduler.hpp", "memory.hpp", "model.hpp", "enumerators.hpp", "fibers.hpp",
)  # fmt: skip
if os.environ.get("LAGRAPH_SIMT_SWITCH") == "ucontext":  # the portable fibers, asked for
    RUNTIME.append("-DSIMT_UCONTEXT")


ROOM = 1 << 30
"""Bytes of modules to keep: twice as many as the suite makes."""


class CompileError(RuntimeError):
    """g++ refused the kernel; the message is g++'s."""


@contextmanager
def well() -> Iterator[None]:
    """Within this block edited kernels are compiled like the others."""
    global QUICKLY
    before, QUICKLY = QUICKLY, WELL
    try:
        yield
    finally:
        QUICKLY = before


def cache_dir() -> Path:
    """Where compiled modules are kept: a folder that no other user can write to."""
    named = os.environ.get("LAGRAPH_SIMT_CACHE")
    folder = Path(named) if named else user_folder("lagraph-simt")
    why = "this user has no home" if folder is None else unusable(folder)
    if folder is None or why:
        raise CompileError(
            f"expected a folder of this user's own for compiled modules, but {folder}: {why}; "
            "name one with LAGRAPH_SIMT_CACHE, or change that (chmod 700, if it is yours)"
        )
    return folder


def _digest(*parts: object) -> str:
    h = hashlib.sha256()
    for part in parts:
        h.update(part if isinstance(part, bytes) else str(part).encode())
        h.update(b"\0")
    return h.hexdigest()[:24]


def _run(arguments: Sequence[str | Path], text: str = "") -> str:
    """What g++ says; ``text`` is its standard input. glibc's filling of its memory, which is there
    to find mistakes in our code, would only slow the compiler down."""
    command, plain = [COMPILER, *map(str, arguments)], os.environ | {"LC_ALL": "C"}
    plain.pop("MALLOC_PERTURB_", None)
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, input=text, env=plain
    )
    if done.returncode:
        raise CompileError(done.stderr[-8000:])
    return done.stderr


@contextmanager
def _lock(target: Path) -> Iterator[None]:
    """One of a few files serves for all targets of a folder."""
    with open(target.with_name(f"{_digest(target.name)[:2]}.lock"), "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def forget(room: int = ROOM) -> None:
    """Remove the modules used longest ago, until what is left takes ``room`` bytes at most."""
    found = []
    try:
        folder = cache_dir()
    except CompileError:  # there is none, so nothing is kept
        return
    modules, reports = folder.glob("[0-9a-f]*.so"), folder.glob("[0-9a-f]*.json")
    for path in chain(modules, reports):  # those of nvrtc_gate.py
        with suppress(FileNotFoundError):  # another process removes it
            found.append((path.stat(), path))
    for status, path in sorted(found, key=lambda pair: pair[0].st_mtime, reverse=True):
        room -= status.st_size
        if room < 0:
            path.unlink(missing_ok=True)


def built(target: Path, make: Callable[[Path], None]) -> Path:
    """``target``; if it is not there, made by ``make(beside)`` and renamed. For many processes."""
    with suppress(FileNotFoundError):
        os.utime(target)  # used now
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with _lock(target):
        if not target.exists():
            beside = target.with_name(f"{os.getpid()}-{target.name}")
            make(beside)
            os.replace(beside, target)
    return target


@functools.cache
def _compiler() -> str:
    if shutil.which(COMPILER) is None:
        raise CompileError(f"the emulator needs g++, and {COMPILER!r} is not on the path")
    return subprocess.check_output([COMPILER, "--version"], text=True)


@functools.cache
def dialect_text() -> bytes:
    """dialect.hpp with the file that it includes, as one file that can be precompiled elsewhere."""
    text, included = ((HERE / name).read_bytes() for name in ("dialect.hpp", "enumerators.hpp"))
    _, _, declarations = included.partition(b"#pragma once\n")
    return text.replace(b'#include "enumerators.hpp"\n', declarations)


@functools.cache
def _dialect(how: tuple[str, ...]) -> Path:
    """The folder in which dialect.hpp lies with its precompiled form."""
    text = dialect_text()
    folder = cache_dir() / f"dialect-{_digest(_compiler(), text, MODULE, how)}"

    def precompile(beside: Path) -> None:
        header = folder / "dialect.hpp"
        if not header.exists():
            copy = folder / f"{os.getpid()}-dialect.hpp"
            copy.write_bytes(text)
            os.replace(copy, header)
        _run([*MODULE, *how, "-x", "c++-header", header, "-o", beside])

    built(folder / "dialect.hpp.gch", precompile)
    return folder


@functools.cache
def runtime() -> Path:
    """The runtime, compiled: a shared library."""
    files = [HERE / name for name in RUNTIME_FILES]
    key = _digest(_compiler(), RUNTIME, *(f.read_bytes() for f in files))
    path = cache_dir() / f"libsimt-{key}.so"

    def compile_runtime(beside: Path) -> None:
        _run([*RUNTIME, files[0], "-o", beside, f"-Wl,-soname,{path.name}", "-ldl", "-lrt"])

    return built(path, compile_runtime)


EDITED = "#define SIMT_EDITED\n"
"""Stands before a text in which something is edited that the kernel rests on."""


def prepared_text(source: str, name: str, folders: tuple[Path, ...] = (CUDA_DIR,)) -> str:
    """The text that g++ gets (after dialect.hpp) for one kernel."""
    body = numbered(name, declared(source, folders=folders))
    if source_edits() and body != numbered(name, declared(source, folders=folders, unedited=True)):
        body = EDITED + body
    return f'{body}#line 1 "name expression"\nSIMT_KERNEL({name})\n'


def in_headers(message: str, source: str, folders: tuple[Path, ...] = (CUDA_DIR,)) -> str:
    """A message about a module of ``source``, with the lines of headers."""
    return placed(message, declared(source, folders=folders))


def module(
    source: str, name: str, folders: tuple[Path, ...] = (CUDA_DIR,), lines: bool = False
) -> Path:
    """The kernel ``name`` of ``source``, compiled: a shared library; see ``SIMT_KERNEL``. With
    ``lines`` the same instructions, and what addr2line reads.

    Raises ``CompileError`` with g++'s message, ``SourceError`` where the text cannot be rewritten.
    """
    text = prepared_text(source, name, folders)
    how = (QUICKLY if EDITED in text else WELL) + (LINES if lines else ())
    dialect = _dialect(how)
    path = cache_dir() / f"{_digest(dialect.name, text)}.so"

    def compile_module(beside: Path) -> None:
        cpp = beside.with_suffix(".cpp")
        cpp.write_text(text)
        try:
            # -nostdlib: else g++ would link libtsan and libubsan. What is left undefined is in the
            # runtime, which is loaded first and for all.
            front: list[str | Path] = [
                *MODULE,
                *how,
                "-include",
                dialect / "dialect.hpp",
                "-pipe",
                "-shared",
                "-nostdlib",
            ]
            _run([*front, cpp, "-o", beside, "-lgcc"])
        except CompileError as refused:
            raise CompileError(in_headers(str(refused), source, folders)) from None
        finally:
            cpp.unlink()

    return built(path, compile_module)


def kept(make: Callable[[], str], *rests_on: object) -> str:
    """What ``make`` returns: a compiler's words, kept for as long as all that they rest on is the
    same. An exception is not kept."""
    path = cache_dir() / f"{_digest(*rests_on)}.json"
    return built(path, lambda beside: beside.write_text(make()) and None).read_text()


def shared_library(shim: str, source: str, options: Sequence[str]) -> Path:
    """A C++ text that includes headers of ``CUDA_DIR``, after a shim that includes others, compiled
    with these options: a shared library, once for each text. Raises ``CompileError``."""
    given = [*options, "-fPIC", "-shared"]
    path = cache_dir() / f"{_digest(_compiler(), given, shim, inlined(source))}.so"
    command = [*given, f"-I{CUDA_DIR}", "-x", "c++", "-"]
    return built(path, lambda beside: _run([*command, "-o", beside], shim + source) and None)


NARROWING = ["-std=c++17", "-Wconversion", "-Wno-sign-conversion", "-Wno-float-conversion"]


def narrowed(source: str, names: Sequence[str]) -> list[str]:
    """Where these kernels convert an integer implicitly to a type that cannot hold it, and which
    types these are."""
    taken = "".join(f"auto* simt_kernel_{k} = &{name};\n" for k, name in enumerate(names))
    dialect = HERE / "dialect.hpp"
    command = [*NARROWING, "-include", dialect, "-x", "c++", "-", "-fsyntax-only"]
    text = f"{inlined(source)}\n{taken}"
    said = kept(lambda: _run(command, text), _compiler(), NARROWING, dialect_text(), text)
    return [line for line in said.splitlines() if "[-Wconversion]" in line]
