"""How fast a device reads at random: the floor of a search on a graph without structure.

``python -m benchmarks.random_reads --elements 27`` reads words at random from arrays of 2^27
elements of one bit to 32 bytes, one word of each element, and prints how many it reads a second.
Positions are computed, not read, and each thread has eight reads under way.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from lagraph_gpu.backend import Backend, resolve

SOURCE = (Path(__file__).parent / "kernels" / "random_reads.cu").read_text(encoding="utf-8")
BITS = (1, 32, 64, 128, 256)
"""The sizes of elements that are measured."""

WORD = np.dtype(np.uint32)


def reader(backend: Backend, elements: int, bits: int) -> Callable[[int], None]:
    """A function that reads so many words at random from an array of elements of `bits` each, a
    power of two. It does not wait."""
    device = backend.device  # type: ignore[attr-defined]
    words = max(1, elements * bits // 32)
    data, found = device.zeros(words, WORD), device.zeros(1, WORD)
    shift, stride = (5, 1) if bits == 1 else (0, bits // 32)
    kernel = device.compile(SOURCE, "random_reads")
    block = device.block_size

    def read(count: int) -> None:
        blocks = max(1, min(16 * device.max_blocks, count // (8 * block)))
        kernel(blocks, block, (np.int64(count), np.uint32(elements), np.int32(shift),
                               np.int32(stride), data, found))  # fmt: skip

    return read


def rate(backend: Backend, elements: int, bits: int, count: int) -> float:
    """Reads a second, by the clock on the wall over three launches."""
    read, device = reader(backend, elements, bits), backend.device  # type: ignore[attr-defined]
    read(count)
    device.synchronize()
    begin = time.perf_counter()
    for _ in range(3):
        read(count)
    device.synchronize()
    return 3 * count / (time.perf_counter() - begin)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.random_reads", description=__doc__)
    parser.add_argument("--backend", default="gpu")
    parser.add_argument("--elements", type=int, default=27, help="2 to this power")
    parser.add_argument("--reads", type=int, default=32, help="2 to this power")
    options = parser.parse_args()
    backend = resolve(options.backend)
    for bits in BITS:
        found = rate(backend, 1 << options.elements, bits, 1 << options.reads)
        print(f"2^{options.elements} elements of {bits} bits: {found / 1e9:.1f} G reads a second")
    return 0


if __name__ == "__main__":
    sys.exit(main())
