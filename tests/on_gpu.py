"""Exercises of kernels on a GPU, which are otherwise the emulator's.

``python -m tests.on_gpu hub_first block_async`` runs those of
``tests/simt/test_hub_first_mutants.py`` and ``test_block_async_mutants.py``; with ``--tool
memcheck`` (or racecheck, initcheck, synccheck) under NVIDIA's compute-sanitizer. Each name has a
process of its own, and all run side by side; ``spgemm:by_rows,short`` names two exercises of a
file. Blocks and grids are as small as on the emulator. Exit status 1 if an exercise fails or the
sanitizer finds anything.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
SHOWN = 20
"""Lines of a file's output that are shown where something is wrong."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.on_gpu", description=__doc__)
    parser.add_argument("names", nargs="+", help="such as hub_first, or hub_first:NAME,NAME")
    parser.add_argument("--tool", choices=TOOLS, help="of compute-sanitizer")
    parser.add_argument("--limit", type=float, default=600, help="seconds for each file")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        return exercised(options.names[0])
    head = ["compute-sanitizer", "--tool", options.tool, "--error-exitcode", "1"]
    command = [*(head if options.tool else []), sys.executable, "-m", "tests.on_gpu", "--here"]

    def run(name: str) -> tuple[int, str]:
        try:
            done = subprocess.run(
                [*command, name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=options.limit, text=True,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return 1, f"expected it to end within {options.limit:g} s"
        return done.returncode, done.stdout

    with ThreadPoolExecutor(len(options.names)) as pool:
        found = list(pool.map(run, options.names))
    for name, (code, text) in zip(options.names, found, strict=True):
        lines = text.splitlines()
        print(f"{name}: {sum(line.startswith('ok ') for line in lines)} exercises, exit {code}")
        wrong = [line for line in lines if not line.startswith("ok ")] if code else []
        print(*wrong[:SHOWN], sep="\n", end="\n" if wrong else "")
    return int(any(code for code, _ in found))


def exercised(name: str) -> int:
    """The exercises of one file, in this process."""
    from tests.simt import device

    device.EmulatedDevice = in_place_of_the_emulator()  # type: ignore[misc]
    device.ForeignArray = foreign_array  # type: ignore[assignment,misc]
    file, _, some = name.partition(":")
    module = importlib.import_module(f"tests.simt.test_{file}_mutants")
    if not hasattr(module, "test_exercise"):
        print("no exercises")
        return 0
    failed = 0
    every = module.test_exercise.pytestmark[0].args[1]
    for exercise in [e for e in every if not some or e.__name__ in some.split(",")]:
        begin = time.monotonic()
        try:
            exercise()
            word = "ok"
        except Exception as error:  # the others are still of interest
            word, failed = f"{type(error).__name__}: {str(error)[:300]}", failed + 1
        print(word, exercise.__name__, f"{time.monotonic() - begin:.1f} s", flush=True)
    return int(failed > 0)


def foreign_array(values: Any) -> Any:
    """CuPy's array, for which ForeignArray stands on the emulator."""
    import cupy

    return cupy.asarray(values)


def in_place_of_the_emulator() -> type:
    """Takes what EmulatedDevice takes; whatever is compiled all of them share."""
    from lagraph_gpu.gpu.device.cupy_device import CupyDevice

    compiled: dict[tuple[str, str], Any] = {}

    class OnGpu(CupyDevice):
        def __init__(
            self, mode: str = "check", seed: int = 0, multiprocessors: int = 2,
            schedule: Any = None, block_size: int = 64, max_blocks: int = 4, folders: Any = (),
        ) -> None:  # fmt: skip
            super().__init__()
            self.seed, self.max_blocks = seed, max_blocks
            self.block_size = self.cooperative_block = block_size

        def compile(self, source: str, name: str) -> Any:
            if (source, name) not in compiled:
                compiled[source, name] = CupyDevice.compile.__wrapped__(self, source, name)
            kernel = compiled[source, name]
            kernel._device = self
            return kernel

    return OnGpu


if __name__ == "__main__":
    sys.exit(main())
