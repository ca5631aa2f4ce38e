"""The kernels that put one value everywhere. CuPy would compile its own, one for each type, when a
process first needs it; these are compiled for a wheel (see ``prebuilt.py``)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.gpu.device.module import Program
from semirings import types

FILLS = {
    width: Program("vector/fill.cuh", "", f"fill<{types.c_name(np.dtype(f'u{width}'))}>")
    for width in (2, 4, 8)
}
"""By the bytes of a value."""
