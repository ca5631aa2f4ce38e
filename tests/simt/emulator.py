"""Kernels run on the emulated machine: schedules, launches, errors.

``compile_kernel(source, name)`` turns CUDA C++ and a C++ name expression (such as
``"push<Semiring, Warp>"``) into a ``Kernel`` whose ``launch`` takes host addresses; ``device.py``
puts the Device port over it, ``build.py`` compiles, ``runtime.cpp`` runs.

With ``check=True`` every load and store is looked at (``memory.hpp``); without, the hooks return at
once, and threads still switch at atomics, volatile accesses, barriers and warp collectives.
Line numbers in messages come from binutils' addr2line; without it, or of an edited kernel, they
are addresses.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import random
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.simt import build
from tests.simt.build import CompileError
from tests.simt.source import CUDA_DIR, source_edits

__all__ = ["CompileError", "EmulationError", "Kernel", "LaunchError", "RaceError", "Schedule"]


class EmulationError(RuntimeError):
    """The kernel made an error: it left its bounds, hung, read uninitialised memory, …"""


class RaceError(EmulationError):
    """Two threads touched the same memory, at least one wrote, and nothing ordered them."""


class LaunchError(ValueError):
    """A launch that no GPU would accept: too many threads, too much shared memory, …"""


# ---- schedules -----------------------------------------------------------------------------------

ORDERS = {"fifo": 0, "random": 1, "reverse": 2}
LAUNCH_SECONDS = 20.0
"""Seconds of a processor until a launch is given up, where its schedule does not say: several times
what the longest launch of a test takes where one warp starves on a busy machine."""


@dataclass(frozen=True)
class Schedule:
    """How a launch is interleaved; equal schedules give equal runs.

    ``order``         which of the threads that can run is next: "random", "fifo" or "reverse"
    ``seed``          of the random choices
    ``yield_atomic``  probability of a switch at an atomic or volatile access
    ``yield_memory``  the same at any access (check mode only)
    ``starve``        probability with which one warp, drawn for the launch, is passed over
    ``resident``      at most so many blocks at a time; None: as many as the device holds
    ``timeout``       seconds of a processor until a launch is given up; None: ``LAUNCH_SECONDS``
    ``strict_peeks``  report a plain load beside an atomic store (``__ldcg`` cures it)
    """

    order: str = "random"
    seed: int = 0
    yield_atomic: float = 0.2
    yield_memory: float = 0.02
    starve: float = 0.0
    resident: int | None = None
    timeout: float | None = None
    strict_peeks: bool = False

    @staticmethod
    def drawn(seed: int, launch: int) -> Schedule:
        """The schedule of launch number ``launch`` on a device with seed ``seed``."""
        draw = random.Random(seed << 32 | launch)
        return Schedule(
            order=draw.choice(["random"] * 8 + ["fifo", "reverse"]),
            seed=draw.getrandbits(63),
            yield_atomic=draw.choice([0.0, 0.1, 0.3, 0.7]),
            yield_memory=draw.choice([0.0, 0.01, 0.05, 0.2]),
            starve=draw.choice([0.0, 0.0, 0.9, 0.995]),
        )


# ---- the runtime's structures --------------------------------------------------------------------


class _Region(ctypes.Structure):
    _fields_ = [
        ("base", ctypes.c_uint64),
        ("size", ctypes.c_uint64),
        ("initialised", ctypes.c_void_p),
        ("argument", ctypes.c_int32),
        ("writable", ctypes.c_uint32),
    ]


_SETTINGS = (
    *("blocks", "threads", "dynamic_shared", "shared_limit", "static_limit", "resident"),
    *("order", "yield_atomic", "yield_memory", "starve"),
    *("check", "strict_peeks", "max_races", "timeout_ms", "parts", "nparameters"),
)
_COUNTS = ("switches", "collectives", "accesses", "benign", "peeks", "fingerprint")


class _Launch(ctypes.Structure):  # SimtLaunch of model.hpp
    _fields_ = [
        *[(name, ctypes.c_uint32) for name in _SETTINGS],
        ("seed", ctypes.c_uint64),
        ("nregions", ctypes.c_uint64),
        ("regions", ctypes.POINTER(_Region)),
        *[(name, ctypes.c_uint64) for name in _COUNTS],
        ("races", ctypes.c_uint32),
        ("shared_used", ctypes.c_uint32),
        ("error", ctypes.c_char * 16384),
    ]


class _Parameter(ctypes.Structure):
    _fields_ = [
        ("pointer", ctypes.c_char),
        ("constant", ctypes.c_char),
        ("kind", ctypes.c_char),
        ("size", ctypes.c_uint32),
        ("fields", ctypes.c_uint32),
    ]


@functools.cache
def _runtime() -> ctypes.CDLL:
    library = ctypes.CDLL(str(build.runtime()), mode=ctypes.RTLD_GLOBAL)
    library.simt_launch.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    library.simt_image.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    library.simt_image.restype = None
    return library


_loaded: dict[tuple[object, ...], Kernel] = {}
"""By the module, and by what messages are made from: different sources may give one module."""
_of_project: dict[tuple[str, str], Kernel] = {}
"""The project's kernels by source and name, where nothing is edited. Exercises make some thousand
devices of their own, and each asks for all of its kernels."""


def compile_kernel(source: str, name: str, folders: tuple[Path, ...] = (CUDA_DIR,)) -> Kernel:
    """The kernel ``name`` of ``source``; see ``build.module``."""
    unedited = folders == (CUDA_DIR,) and not source_edits()
    if unedited and (known := _of_project.get((source, name))):
        return known
    make = functools.partial(build.module, source, name, folders)
    path = make()
    key = path, source, folders, source_edits()
    if key not in _loaded:
        with_lines = None if source_edits() else functools.partial(make, lines=True)
        in_headers = functools.partial(build.in_headers, source=source, folders=folders)
        _loaded[key] = Kernel(name, path, with_lines, in_headers)
    if unedited:
        _of_project[source, name] = _loaded[key]
    return _loaded[key]


def kernels_launched_by(run: Callable[[], object]) -> set[str]:
    """The names of the project's kernels that a call launches, whatever was launched before it."""
    _of_project.clear()
    run()
    return {name for _, name in _of_project}


# ---- kernels -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parameter:
    """A kernel's parameter: a pointer (``constant`` if to const), a scalar, or a struct of these.
    The ``fields`` of a struct are those of the structs in it, too.

    ``kind`` is NumPy's letter b, i, u, f or c, or s (struct) or v (void); ``size`` is in bytes, of
    what is pointed to.
    """

    pointer: bool
    constant: bool
    kind: str
    size: int
    fields: tuple[Parameter, ...] = ()

    @property
    def width(self) -> int:
        """Bytes of it in a struct."""
        return ctypes.sizeof(ctypes.c_void_p) if self.pointer else self.size

    @property
    def alignment(self) -> int:
        """What its place in a struct is a multiple of."""
        return max((field.width for field in self.fields), default=self.width)

    def __str__(self) -> str:
        names = {"b": "bool", "s": f"a struct of {self.size} bytes", "v": "void"}
        letters = {"i": "int", "u": "uint", "f": "float", "c": "complex"}
        return names.get(self.kind) or f"{letters[self.kind]}{8 * self.size}"


@dataclass(frozen=True)
class Memory:
    """A range of host memory given for a pointer: its place, its length, and the bytes written.
    The pointer lies ``before`` bytes before it, so that kernels reach it by large offsets only."""

    address: int
    nbytes: int
    initialised: int | None = None  # address of one byte for each, or None: all are
    before: int = 0

    @property
    def pointer(self) -> int:
        return (self.address - self.before) % 2**64


@dataclass(frozen=True)
class Limits:
    """The limits of the emulated device."""

    threads_per_block: int = 1024
    static_shared: int = 48 * 1024
    shared: int = 227 * 1024


@dataclass(frozen=True)
class Stats:
    """The result of a launch: counts, and a fingerprint of the order in which threads ran."""

    switches: int = 0
    collectives: int = 0
    accesses: int = 0
    benign: int = 0
    peeks: int = 0
    fingerprint: int = 0
    shared_used: int = 0


Value = Memory | bytes | None
"""The argument for a pointer, or the raw bytes of a scalar."""

_one_launch_at_a_time = threading.Lock()


def _read(listed: Iterator[_Parameter], p: _Parameter) -> Parameter:
    """A parameter; the fields of a struct are the next ones that are listed. Those of a struct in a
    struct are given as fields of the outer one, which must have the same layout."""
    fields = [_read(listed, field) for field in itertools.islice(listed, p.fields)]
    flat = tuple(itertools.chain.from_iterable(field.fields or (field,) for field in fields))
    read = Parameter(p.pointer != b"\0", p.constant != b"\0", p.kind.decode(), p.size, flat)
    if not flat:
        return read
    begins = [begin for begin, _ in _places(flat)]
    nested = [
        begin + inner
        for begin, one in _places(fields)
        for inner, _ in (_places(one.fields) if one.fields else ((0, one),))
    ]
    end = begins[-1] + flat[-1].width
    if begins != nested or -(-end // read.alignment) * read.alignment != p.size:
        raise TypeError(f"{read} is passed whose fields do not lie as in C, one after another")
    return read


def _places(fields: Sequence[Parameter]) -> Iterator[tuple[int, Parameter]]:
    """Where each field of a struct begins."""
    end = 0
    for one in fields:
        begin = -(-end // one.alignment) * one.alignment
        end = begin + one.width
        yield begin, one


def _packed(values: Sequence[tuple[int, Value]]) -> bytes:
    """Values, with widths in bytes, as the fields of a struct: each at a multiple of its width."""
    raw = bytearray()
    for width, value in values:
        raw += bytes(-len(raw) % width)
        pointer = value.pointer if isinstance(value, Memory) else 0
        raw += value if isinstance(value, bytes) else pointer.to_bytes(width, sys.byteorder)
    return bytes(raw)


@dataclass
class Kernel:
    """A compiled kernel. ``parameters`` come from C++; ``with_lines`` makes a library of the same
    instructions with line numbers, or is None; ``in_headers`` puts lines of headers into a message.
    """

    name: str
    path: Path
    with_lines: Callable[[], Path] | None = None
    in_headers: Callable[[str], str] = str
    parameters: tuple[Parameter, ...] = ()
    _dll: Any = field(default=None, repr=False)
    _image: tuple[int, int, int] = (0, 0, 0)

    def __post_init__(self) -> None:
        runtime = _runtime()  # loaded before what links to it
        self._dll = ctypes.CDLL(str(self.path))
        self._dll.simt_parameters.restype = ctypes.POINTER(_Parameter)
        listed = itertools.takewhile(lambda p: p.size > 0, self._dll.simt_parameters())
        self.parameters = tuple(map(functools.partial(_read, listed), listed))
        self._entry = ctypes.cast(self._dll.simt_entry, ctypes.c_void_p)
        image = (ctypes.c_uint64 * 3)()
        runtime.simt_image(self._entry, image)
        self._image = (image[0], image[1], image[2])

    def launch(
        self,
        blocks: int,
        threads: int,
        arguments: Sequence[Value | Sequence[Value]],
        *,
        shared_bytes: int = 0,
        resident: int,
        check: bool,
        schedule: Schedule,
        limits: Limits,
        others: Sequence[Sequence[Value | Sequence[Value]]] = (),
    ) -> Stats:
        """Run it; raises ``EmulationError``, ``RaceError`` or ``LaunchError``.

        ``arguments``: ``Memory`` (or None) for a pointer, the raw bytes of a scalar, and a sequence
        of these for a struct. ``others``: the arguments of further launches that run at the same
        time, on as many blocks each.
        """
        self._refuse_impossible(blocks, threads, shared_bytes, limits)
        parts = 1 + len(others)
        boxes: list[Any] = []
        places: list[int] = []
        low, high, _ = self._image
        regions = [_Region(low, high - low, None, -1, 0)]
        given = [
            (number, parameter, a)
            for part in (arguments, *others)
            for number, (parameter, a) in enumerate(zip(self.parameters, part, strict=True))
        ]
        for number, parameter, a in given:
            fields = [(number, parameter, a)]
            if parameter.fields:
                fields = [
                    (number | k << 16, *field)
                    for k, field in enumerate(zip(parameter.fields, a, strict=True), 1)
                ]
            regions += [
                _Region(value.address, value.nbytes, value.initialised, where, not p.constant)
                for where, p, value in fields
                if isinstance(value, Memory)
            ]
            packed = _packed([(p.width, value) for _, p, value in fields])
            # a complex number lies at a multiple of its size, up to 16
            boxes.append(ctypes.create_string_buffer(max(len(packed), 8) + 16))
            begin = ctypes.addressof(boxes[-1])
            begin += -begin % 16
            ctypes.memmove(begin, packed, len(packed))
            places.append(begin)
        pointers = (ctypes.c_void_p * (len(boxes) + 1))(*places)
        c = _Launch(
            blocks=blocks * parts,
            threads=threads,
            dynamic_shared=shared_bytes,
            shared_limit=limits.shared,
            static_limit=limits.static_shared,
            resident=parts * min(resident, schedule.resident or resident),
            order=ORDERS[schedule.order],
            yield_atomic=int(schedule.yield_atomic * 65536),
            yield_memory=int(schedule.yield_memory * 65536),
            starve=int(schedule.starve * 65536),
            check=check,
            strict_peeks=schedule.strict_peeks,
            max_races=8,
            timeout_ms=int(1000 * (schedule.timeout or LAUNCH_SECONDS)),
            parts=parts,
            nparameters=len(self.parameters),
            seed=schedule.seed,
            nregions=len(regions),
            regions=(_Region * len(regions))(*regions),
        )
        with _one_launch_at_a_time:
            status = _runtime().simt_launch(ctypes.byref(c), self._entry, pointers)
        if status:
            message = self.in_headers(self._with_places(c.error.decode(errors="replace")))
            failure = RaceError if status == 3 else EmulationError
            raise failure(f"{self.name}: {message}")
        return Stats(shared_used=c.shared_used, **{n: getattr(c, n) for n in _COUNTS})

    def _refuse_impossible(self, blocks: int, threads: int, shared: int, limits: Limits) -> None:
        if not 1 <= threads <= limits.threads_per_block:
            bound = limits.threads_per_block
            raise LaunchError(
                f"{self.name}: {threads} threads in a block; 1 to {bound} are possible"
            )
        if not 1 <= blocks < 2**31 or blocks * threads >= 2**31:
            raise LaunchError(
                f"{self.name}: {blocks} blocks; at least one, and fewer than 2^31 threads"
            )
        if not 0 <= shared <= limits.shared:
            raise LaunchError(
                f"{self.name}: {shared} bytes of shared memory; {limits.shared} exist"
            )

    def _with_places(self, message: str) -> str:
        """Program counters, marked by the runtime, as file:line."""
        counters = re.findall("\1([0-9a-f]+)\2", message)
        if not counters:
            return message
        places = {}
        if self.with_lines is not None and shutil.which("addr2line"):
            offsets = [f"{int(c, 16) - self._image[2] - 1:#x}" for c in counters]
            command = ["addr2line", "-a", "-i", "-s", "-e", str(self.with_lines()), *offsets]
            done = subprocess.run(command, check=False, capture_output=True, text=True)
            # for each address a line 0x…, then the line it is from and those that inlined it
            for c, lines in zip(
                counters, re.split(r"^0x.*\n", done.stdout, flags=re.MULTILINE)[1:]
            ):
                frames = [line.split(" ")[0] for line in lines.splitlines()]
                ours = [f for f in frames if not f.startswith(("dialect.hpp", "?"))]
                places[c] = ours[0] if ours else "0x" + c
        return re.sub(
            "\1([0-9a-f]+)\2", lambda m: places.get(m.group(1), "0x" + m.group(1)), message
        )
