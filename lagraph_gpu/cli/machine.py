"""Output for programs: one JSON value on stdout."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np


def print_json(value: Any) -> None:
    print(json.dumps(plain(value), indent=2, allow_nan=False))


def plain(value: Any) -> Any:
    """A value of Python numbers, lists and dicts. A number that JSON cannot represent becomes a
    word.

    >>> plain({"a": np.float32(0.5), "b": [np.int8(1), float("inf")]})
    {'a': 0.5, 'b': [1, 'inf']}
    """
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
