"""Compiles the kernels of a list for a wheel: ``python -m lagraph_gpu.gpu.device.prebuilt_build
kernels.json``.

`python -m benchmarks.kernel_list --out kernels.json` writes the list. No GPU is needed, but
NVRTC and cuda-bindings. The archives are put where `prebuilt.Prebuilt` looks for them, and a wheel
that is built then holds them. What was compiled is kept on the disk, so that the next build
compiles only what has changed.
"""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from multiprocessing import get_context
from operator import attrgetter
from pathlib import Path
from typing import Any

from lagraph_gpu.gpu.device.module import CUDA, Program, cached
from lagraph_gpu.gpu.device.prebuilt import FOLDER, OPTIONS, Module, archive

MOST_BYTES = 20_000_000
"""The most bytes that all archives of a wheel take."""

ARCHITECTURES = (75, 80, 90, 100, 120)
"""One for each generation; what is compiled for the first of a generation runs on the others."""


def to_list(keys: Any) -> str:
    """The text of a list of kernels, each a header, an algebra and a name. An algebra, which many
    share, stands there once."""
    algebras: dict[str, int] = {}
    rows = [(header, algebras.setdefault(algebra, len(algebras)), name)
            for header, algebra, name in sorted(keys)]  # fmt: skip
    return json.dumps({"algebras": list(algebras), "kernels": rows}, indent=0) + "\n"


def from_list(text: str) -> list[Program]:
    """The programs of such a list."""
    listed = json.loads(text)
    return [Program(header, listed["algebras"][algebra], name)
            for header, algebra, name in listed["kernels"]]  # fmt: skip


def compiled(source: str, name: str, architecture: int) -> Module:
    """A module for this architecture, by NVRTC or from what earlier builds have kept."""
    from cuda.bindings import nvrtc

    key = "for a wheel", source, name, *OPTIONS, architecture, nvrtc.nvrtcVersion()
    return cached(key, lambda: _compiled(nvrtc, source, name, architecture))


def _compiled(nvrtc: Any, source: str, name: str, architecture: int) -> Module:
    def call(function: str, *arguments: object) -> Any:
        status, *results = getattr(nvrtc, function)(*arguments)
        if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
            raise RuntimeError(f"{function} for {name} and sm_{architecture}: {status.name}")
        return results[0] if results else None

    program = call("nvrtcCreateProgram", source.encode(), b"source.cu", 0, [], [])
    try:
        call("nvrtcAddNameExpression", program, name.encode())
        options = [o.encode() for o in (*OPTIONS, f"-I{CUDA}", f"-arch=sm_{architecture}")]
        call("nvrtcCompileProgram", program, len(options), options)
        cubin = b" " * call("nvrtcGetCUBINSize", program)
        call("nvrtcGetCUBIN", program, cubin)
        return cubin, call("nvrtcGetLoweredName", program, name.encode()).decode()
    finally:
        call("nvrtcDestroyProgram", program)


def build(
    programs: Sequence[Program], folder: Path = FOLDER, processes: int = 1,
    architectures: Sequence[int] = ARCHITECTURES,
) -> dict[int, int]:  # fmt: skip
    """Write an archive for each architecture, and return their sizes in bytes. Variants of a kernel
    follow one another, because they are compressed together."""
    pairs = [
        (p.source, p.name) for p in sorted(programs, key=attrgetter("header", "name", "algebra"))
    ]
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
    with nullcontext() if processes == 1 else pool:
        run = map if processes == 1 else pool.map
        sizes = {}
        for architecture in architectures:
            work = functools.partial(compiled, architecture=architecture)
            modules = dict(zip(pairs, run(work, *zip(*pairs)), strict=True))
            path = folder / f"sm_{architecture}.zip"
            sizes[architecture] = archive(path, pairs, lambda *pair: modules[pair])  # noqa: B023
    return sizes


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("expected one file, the list that benchmarks.kernel_list writes", file=sys.stderr)
        return 2
    programs = from_list(Path(arguments[0]).read_text(encoding="utf-8"))
    sizes = build(programs, processes=os.cpu_count() or 1)
    for architecture, size in sizes.items():
        print(f"sm_{architecture}: {len(programs)} kernels, {size:,} bytes")
    if (together := sum(sizes.values())) > MOST_BYTES:
        print(f"expected at most {MOST_BYTES:,} bytes of archives, got {together:,}; list fewer "
              "kernels, or compile for fewer architectures", file=sys.stderr)  # fmt: skip
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
