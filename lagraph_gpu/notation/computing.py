"""Whether an expression that stands for a container computes itself: the setting `autocompute`."""

from __future__ import annotations

import sys
from pathlib import Path

from lagraph_gpu import memory
from lagraph_gpu.convert import arguments
from lagraph_gpu.errors import OURS, WrongType
from lagraph_gpu.notation.config import config

NOTATION = str(Path(__file__).parent), memory.__file__, arguments.__file__
"""The code between a statement of a user and this module: the notation, and what wraps its methods
to check arguments and memory."""


def expect_computing() -> None:
    """Refuse an expression that is about to compute itself, after `config.set(autocompute=False)`.

    The library itself may use expressions as operands whatever a user has set.
    """
    if config["autocompute"]:
        return
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(NOTATION):
        frame = frame.f_back
    if not frame.f_code.co_filename.startswith(OURS):
        raise WrongType(
            "expected .new() after an expression that is used as a container, because autocompute "
            "is off; lg.config.set(autocompute=True) turns it on"
        )
