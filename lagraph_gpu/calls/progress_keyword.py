"""The keyword `progress=`: it says for one call of a function what `lg.progress` says for all."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

AFTER_PARAMETERS = re.compile(r"(?=\n\n    (?:Returns|Raises|Notes|Examples)\n    -)")
PROGRESS = """
    progress : bool or function, optional
        Whether to show the progress of this call, or a function that is called with (done, total).
        By default as `lg.progress` says for all calls."""


def add_progress(checked: Any, function: Callable[..., Any]) -> None:
    """Add `progress` to what Python says of a function: its signature, and the end of the section
    Parameters in its docstring."""
    own = inspect.signature(function)
    kind = "bool | Callable[[int, Any], Any] | None"
    more = inspect.Parameter(
        "progress", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind
    )
    checked.__signature__ = own.replace(parameters=[*own.parameters.values(), more])
    if checked.__doc__ is not None:  # as with python -OO
        checked.__doc__ = AFTER_PARAMETERS.sub(PROGRESS, checked.__doc__, count=1)
