"""The kernels that put one value everywhere. CuPy would compile its own, one for each type, when a
process first needs it; these are compiled for a wheel (see ``prebuilt.py``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.gpu.device.module import Program
from lagraph_gpu.gpu.device.port import Device
from semirings import types

FILLS = {
    width: Program("vector/fill.cuh", "", f"fill<{types.c_name(np.dtype(f'u{width}'))}>")
    for width in (2, 4, 8)
}
"""By the bytes of a value."""


def fill(device: Device, array: Any, value: Any) -> bool:
    """Put the value everywhere. False if there is no kernel for values of so many bytes."""
    program, size = FILLS.get(array.dtype.itemsize), array.size
    if program is None:
        return False
    if size:
        word = np.array(value, array.dtype).view(f"u{array.dtype.itemsize}")[()]
        grid = min(-(-size // device.block_size), device.max_blocks)
        kernel = device.compile(program.source, program.name)
        kernel(grid, device.block_size, (np.int64(size), word, array))
    return True
