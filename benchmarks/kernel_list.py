"""Which kernels do the algorithms launch? ``python -m benchmarks.kernel_list --out kernels.json``.

The list is for `lagraph_gpu.gpu.device.prebuilt_build`, which compiles the kernels for a wheel. It
is written before a release, by ``make wheel KERNELS=all``, and is not kept: kernels change with the
sources. What is run is what ``lagraph-gpu warm`` runs. Without a GPU the emulator of the tests runs
it, on graphs that are smaller, but large enough for the kernels of large graphs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks import options as given
from lagraph_gpu.backend import resolve
from lagraph_gpu.cli.warm import LARGE_SCALE, LARGE_SIDE, WEIGHTS, ready
from lagraph_gpu.errors import BackendUnavailable
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.device.filling import FILLS
from lagraph_gpu.gpu.device.prebuilt_build import to_list

EMULATED = 11, 48
"""The scale and the side on the emulator."""

LAUNCH_SECONDS = 600
"""The seconds after which the emulator takes a kernel for endless."""


class Noting(GpuBackend):
    """A backend that notes also what it begins to compile ahead, as of rows of any length."""

    def __init__(self, device: Any) -> None:
        super().__init__(device)
        self.ahead: set[tuple[str, str, str]] = set()

    def compile_ahead(self, programs: Iterable[tuple[str, str, str]]) -> bool:
        wanted = set(programs)
        self.ahead |= wanted
        return super().compile_ahead(wanted)


def place() -> tuple[Noting, int, int]:
    """A backend, and how large its large graphs are."""
    try:
        gpu: Any = resolve("gpu")
        return Noting(gpu.device), LARGE_SCALE, LARGE_SIDE
    except BackendUnavailable:
        from tests.simt.device import EmulatedDevice
        from tests.simt.emulator import Schedule

        in_turn = Schedule(order="fifo", timeout=LAUNCH_SECONDS)
        device: Any = EmulatedDevice("fast", block_size=256, max_blocks=8, schedule=in_turn)
        return Noting(device), *EMULATED


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the list."""
    parser = given.parser_of("kernel_list")
    parser.add_argument("--weights", action="append", choices=WEIGHTS, help="one type (all)")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    options = parser.parse_args(arguments)
    backend, scale, side = place()
    ready(backend, options.weights or WEIGHTS, scale, side)
    kernels = {
        *backend.kernels,
        *backend.ahead,
        *((p.header, p.algebra, p.name) for p in FILLS.values()),
    }
    options.out.write_text(to_list(kernels), encoding="utf-8")
    print(f"{len(kernels)} kernels in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
