"""The GPU backend in a process that ``fork`` made, where neither CUDA nor its memory can be used.

A child does not check at each call whether it is one. At the fork, the backends and devices that it
inherits get another class, which refuses every use.
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
"""The objects that a forked child cannot use."""


class Inherited:
    """The class of a parent's backend or device in a forked child. Only its name can be read."""

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
    """Make every use of these objects raise BackendUnavailable in all children that are forked
    later."""
    _unfit.update(things)


def _in_child() -> None:
    for thing in _unfit:
        thing.__class__ = Inherited
    _unfit.clear()


if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(after_in_child=_in_child)
