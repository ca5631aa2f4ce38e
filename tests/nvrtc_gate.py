"""Every kernel through NVIDIA's own compiler, without a GPU: does it compile, at what cost?

NVRTC needs no driver. The gate compiles kernels, each a ``(source, C++ name expression)``, for the
architectures we support and reads what ptxas says of each: registers, spills, the stack frame in
local memory. A kernel passes if it compiles, spills nothing, has no stack frame and keeps to the
bound on registers.

``check(kernels)`` gives a ``Report`` for each kernel and architecture; ``Report.faults`` says what
is wrong with it, ``table(reports)`` shows all. Needs the packages cuda-bindings and
nvidia-cuda-nvrtc; ``unavailable()`` says what is missing.

Takes some 100 ms a kernel and architecture, in as many processes as are asked for. Run as a program
(``python -m tests.nvrtc_gate``) it compiles every variant of every kernel of the project for every
architecture, and each pair of a monoid and a ⊗ for one, on all processors, and prints the table.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import inspect
import json
import os
import re
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from lagraph_gpu.gpu.device.module import CUDA
from lagraph_gpu.gpu.device.prebuilt import OPTIONS
from tests.simt.build import cache_dir
from tests.simt.declarations import rests_on
from tests.simt.source import declared

ARCHITECTURES = (75, 80, 86, 90, 100, 120)
MAX_REGISTERS = 64  # 1,024 threads a multiprocessor
RESIDENT = {
    "closure": 80, "peel": 80, "longest_paths": 80, "color_in_order": 80, "ms_bfs": 80,
    "delta_stepping": 112, "packed_delta": 168, "block_async": 128,
    "hub_first": 128, "packed_search": 80,
    "resident_levels": 80, "resident_order": 128,
}  # fmt: skip
"""Registers of persistent kernels, which state their own launch bounds: two blocks of 512, 448,
384, 288 or 256 threads on a multiprocessor, or three of 256, leave each thread so many. With
parents a block of `packed_delta` is alone there."""
BOUNDED = RESIDENT | {
    "bottom_up_round": 128, "pull_unsettled": 168, "probe_unsettled": 128,
    "order_short_rows": 80, "pull_level": 80, "push_level": 80,
    "multiply_ranked_row": 80, "multiply_sorted_row": 128,
    "take_light": 80, "brandes_forth": 80,
    "packed_tight": 80,
    "katz_rounds": 80, "pagerank_rounds": 80, "eigenvector_rounds": 128, "hits_rounds": 128,
}  # fmt: skip
"""And others that do: two blocks of 256 or more, or three. `take_light` is launched with 256."""

Names = str | tuple[str, ...]
Source = tuple[str, Names]
"""The text of a translation unit, and the C++ name expressions of its kernels: one or several."""


@dataclass(frozen=True)
class Report:
    """The compiler's figures for one kernel on one architecture (75 is sm_75).

    ``error`` is its log if it refused, else empty. Sizes are in bytes, a thread's where not said
    otherwise; ``shared`` is static shared memory of a block. ``variant`` tells kernels of one name
    apart, such as one for each semiring: a digest of the source.
    """

    name: str
    architecture: int
    variant: str = ""
    error: str = ""
    registers: int = 0
    spill_stores: int = 0
    spill_loads: int = 0
    stack_frame: int = 0
    shared: int = 0
    seconds: float = 0.0

    @property
    def cell(self) -> str:
        """The text of the table's cell."""
        if self.error:
            return "error"
        return f"{self.registers}{'!' if self.spill_stores or self.stack_frame else ' '}"

    def faults(self, max_registers: int = MAX_REGISTERS) -> list[str]:
        """Why this kernel does not pass; empty if it does."""
        where = f"{self.name} for sm_{self.architecture}"
        if self.error:
            return [f"{where}: {self.error}"]
        found = []
        if self.spill_stores or self.spill_loads:
            found.append(f"spills {self.spill_stores} and reloads {self.spill_loads} bytes")
        if self.stack_frame:
            found.append(f"has a stack frame of {self.stack_frame} bytes in local memory")
        most = BOUNDED.get(self.name.partition("<")[0], max_registers)
        if self.registers > most:
            found.append(f"uses {self.registers} registers, more than {most}")
        return [f"{where} {fault}" for fault in found]


def unavailable() -> str:
    """Why NVRTC cannot be used here; empty if it can."""
    try:
        _call("nvrtcVersion")
    except ImportError as missing:
        return f"the package cuda-bindings is not installed ({missing})"
    except Exception as failure:  # cuda-bindings looks for the library at the first call
        return f"NVRTC cannot be loaded, is nvidia-cuda-nvrtc installed? ({failure})"
    return ""


def check(
    kernels: Iterable[Source],
    architectures: Sequence[int] = ARCHITECTURES,
    options: Sequence[str] = (*OPTIONS, f"-I{CUDA}"),
    processes: int = 1,
    keep: bool = False,
) -> list[Report]:
    """A report for each kernel on each architecture, in that order. With ``keep`` the reports are
    kept in the emulator's cache folder, and kernels that rest on the same text as then are not
    compiled again."""
    jobs = [(s, n, a, tuple(options)) for s, n in kernels for a in architectures]
    report = _kept if keep else _compile
    if processes <= 1 or len(jobs) <= 1:
        return list(chain.from_iterable(map(report, jobs)))
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        return list(chain.from_iterable(pool.map(report, jobs)))


def refused(source: str, architecture: int, options: Sequence[str] = OPTIONS) -> str:
    """Why NVRTC does not take a source without asking it for a kernel; empty if it does."""
    job = (source, (), architecture, (*options, f"-I{CUDA}"))
    return "\n".join(report.error for report in _compile(job))


def of_cuda_library(report: Report) -> bool:
    """Is it a kernel around CUDA's sine, cosine or tangent, which reduce large angles in local
    memory? Functions of complex numbers call several of its functions, which takes registers."""
    if re.search(r"^elementwise<.*_FC(32|64)::", report.name):
        return not report.error and report.registers <= 80
    return bool(re.search(r"<(sin|cos|tan)_", report.name)) and all(
        "stack frame" in fault for fault in report.faults()
    )


def unlaunched(report: Report) -> bool:
    """Is it a kernel that compiles, but is not launched there? A closure pauses only where a block
    has the shared memory that pushes in bins need."""
    return not report.error and "Pause>" in report.name and report.architecture in (75, 86, 120)


def faults(reports: Iterable[Report], max_registers: int = MAX_REGISTERS) -> list[str]:
    """All that is wrong with all of them."""
    launched = (report for report in reports if not unlaunched(report))
    return [fault for report in launched for fault in report.faults(max_registers)]


def table(reports: Iterable[Report]) -> str:
    """Registers of each kernel on each architecture; ``!`` marks spills or a stack frame."""
    rows: dict[str, dict[int, Report]] = {}
    for r in reports:
        rows.setdefault(f"{r.name} ({r.variant})", {})[r.architecture] = r
    columns = sorted({a for row in rows.values() for a in row})
    lines = ["".join(f"{f'sm_{a}':>8}" for a in columns) + "  shared    ms  kernel"]
    for name, row in rows.items():
        cells = []
        for a in columns:
            cells.append(row[a].cell if a in row else "-")
        shared = max(r.shared for r in row.values())
        slowest = max(r.seconds for r in row.values()) * 1000
        lines.append("".join(f"{c:>8}" for c in cells) + f"  {shared:6}  {slowest:4.0f}  {name}")
    return "\n".join(lines)


# ---- NVRTC ---------------------------------------------------------------------------------------


class _Refused(Exception):
    """NVRTC returned an error."""


@functools.cache
def _nvrtc() -> Any:
    from cuda.bindings import nvrtc

    return nvrtc


def _call(function: str, *arguments: object) -> Any:
    status, *results = getattr(_nvrtc(), function)(*arguments)
    if status != _nvrtc().nvrtcResult.NVRTC_SUCCESS:
        raise _Refused(f"{function}: {status.name}")
    return results[0] if results else None


Job = tuple[str, Names, int, tuple[str, ...]]


def _kept(job: Job) -> list[Report]:
    """The reports of an earlier run, or of one now, which are kept unless there are errors.

    An earlier run serves if NVRTC, what reads its log, the architecture, the options, the names and
    all that they rest on are the same, but for comments and empty lines.
    """
    source, named, architecture, options = job
    names = (named,) if isinstance(named, str) else named
    folders = tuple(Path(option[2:]) for option in options if option.startswith("-I"))
    general = [option for option in options if not option.startswith("-I")]
    on = rests_on(" ".join(names), declared(source, folders=folders, rewritten=False))
    text = re.sub(r"\n\s*", "\n", "\n".join(one.text for one in on))
    asked = [readers(), names, architecture, general, text]
    path = cache_dir() / f"{hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:24]}.json"
    with suppress(FileNotFoundError):
        os.utime(path)  # used now
        return [Report(**row) for row in json.loads(path.read_text())]
    reports = _compile(job)
    if not any(report.error for report in reports):
        beside = path.with_name(f"{os.getpid()}-{path.name}")
        beside.write_text(json.dumps([asdict(report) for report in reports]))
        os.replace(beside, path)
    return reports


@functools.cache
def readers() -> list[str]:
    """Digests of NVRTC's libraries, and of what here reads their log."""
    from cuda.pathfinder import load_nvidia_dynamic_lib

    library = Path(str(load_nvidia_dynamic_lib("nvrtc").abs_path))
    digests = []
    for path in sorted(library.parent.glob("libnvrtc*")):
        with path.open("rb") as file:
            digests.append(hashlib.file_digest(file, "sha256").hexdigest())
    reading = [*map(inspect.getsource, (Report, _compile, _log, read_log)), *_FIGURES.values()]
    return [*digests, hashlib.sha256("".join(reading).encode()).hexdigest()]


def _compile(job: Job) -> list[Report]:
    source, named, architecture, options = job
    names = (named,) if isinstance(named, str) else named
    variant = hashlib.sha256(source.encode()).hexdigest()[:6]
    begin = time.perf_counter()
    program = _call("nvrtcCreateProgram", source.encode(), b"source.cu", 0, [], [])
    try:
        for name in names:
            _call("nvrtcAddNameExpression", program, name.encode())
        given = [*options, f"-arch=sm_{architecture}", "--ptxas-options=-v"]
        try:
            _call("nvrtcCompileProgram", program, len(given), [o.encode() for o in given])
        except _Refused as refused:
            name = "".join(names[:1])
            return [Report(name, architecture, variant, f"{refused}\n{_log(program)}".strip())]
        log = _log(program)
        mangled = [_call("nvrtcGetLoweredName", program, name.encode()).decode() for name in names]
    finally:
        _call("nvrtcDestroyProgram", program)
    known: dict[str, Any] = {"architecture": architecture, "variant": variant}
    known["seconds"] = (time.perf_counter() - begin) / max(1, len(names))
    return [replace(read_log(log, m), name=n, **known) for n, m in zip(names, mangled, strict=True)]


def _log(program: object) -> str:
    log = b" " * _call("nvrtcGetProgramLogSize", program)
    _call("nvrtcGetProgramLog", program, log)
    return log.decode(errors="replace").rstrip("\0 \n")


_FIGURES = {
    "registers": r"Used (\d+) registers",
    "spill_stores": r"(\d+) bytes spill stores",
    "spill_loads": r"(\d+) bytes spill loads",
    "stack_frame": r"(\d+) bytes stack frame",
    "shared": r"(\d+) bytes smem",
}


def read_log(log: str, mangled: str) -> Report:
    """ptxas' figures for one entry function, from the log of all.

    The log also lists device functions that were not inlined; the largest figure counts. Raises
    ``ValueError`` if the log does not mention the function, so that a change of its wording cannot
    pass for a kernel without faults.
    """
    entry = log.partition(f"entry function '{mangled}'")[2].partition("entry function '")[0]
    if not re.search(_FIGURES["registers"], entry) or "stack frame" not in entry:
        raise ValueError(f"ptxas' log does not tell of {mangled}:\n{log}")
    figure = {key: max(map(int, re.findall(p, entry)), default=0) for key, p in _FIGURES.items()}
    return Report(mangled, 0, "", "", **figure)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m tests.nvrtc_gate", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.parse_args()
    from tests import kernels

    cores = os.cpu_count() or 1
    all_reports = check(kernels.units(kernels.everywhere()), processes=cores)
    print(table(all_reports))
    all_reports += check(kernels.units(kernels.every_algebra()), [90], processes=cores)
    wrong = [r for r in all_reports if r.faults() and not of_cuda_library(r)]
    raise SystemExit("\n".join(faults(wrong)) or 0)
