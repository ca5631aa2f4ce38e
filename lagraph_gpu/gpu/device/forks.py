"""The GPU backend in a process that ``fork`` made: CUDA does not work there, nor does its memory.

A child does not ask at each call whether it is one. At the fork, the backends and devices that it
inherits get another class, which refuses whatever is asked of them.
"""

from __future__ import annotations

import os
from typing import Any, NoReturn
from weakref import WeakSet

from lagraph_gpu.errors import BackendUnavailable

ADVICE = (
    "start processes with multiprocessing.get_context('spawn') or 'forkserver', fork before the "
    "GPU is first used, or work with backend='cpu' in the child"
)

_unfit: WeakSet[Any] = WeakSet()
"""What a child that is forked cannot use."""


class Inherited:
    """What a backend or a device of the parent is in a forked child. It still has its name."""

    name = "gpu"

    def __getattribute__(self, attribute: str) -> Any:
        if attribute == "name" or attribute.startswith("__"):
            return object.__getattribute__(self, attribute)
        raise _refusal()

    def __reduce__(self) -> NoReturn:
        raise _refusal()


def _refusal() -> BackendUnavailable:
    return BackendUnavailable(
        f"expected GPU objects of this process ({os.getpid()}), got those of its parent "
        f"({os.getppid()}), which fork left unusable here; {ADVICE}"
    )


def refuse_after_fork(*things: Any) -> None:
    """In every child that is forked while these exist, each use of one is BackendUnavailable."""
    _unfit.update(things)


def _in_child() -> None:
    for thing in _unfit:
        thing.__class__ = Inherited
    _unfit.clear()


if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(after_in_child=_in_child)
