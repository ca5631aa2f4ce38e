"""A typed formula in three languages: the values of NumPy, C++ for CUDA, and Python for Numba."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import python_forms, types
from .errors import ExpressionError
from .functions import FUNCTIONS
from .typed_formula import Node

POSITIONS = ("i", "k", "j")
"""The names of the positions of an entry, or of a product."""


def evaluate(node: Node, arrays: Mapping[str, Any]) -> Any:
    """The value of a node, by the arrays of the names."""
    assert node.dtype is not None
    match node.kind:
        case "name":
            return arrays[node.value].astype(node.dtype)
        case "number":
            return np.asarray(node.value, node.dtype)
    args = [evaluate(arg, arrays) for arg in node.args]
    match node.kind:
        case "cast":
            return np.asarray(types.cast(args[0], node.dtype))
        case "if":
            return np.where(*args)
        case "field":
            return args[0][node.value]
    if len({np.shape(a) for a in args}) > 1:
        args = [np.asarray(a) for a in np.broadcast_arrays(*args)]
    return np.asarray(FUNCTIONS[node.kind].numpy(*map(np.asarray, args))).astype(node.dtype)


def cuda(node: Node, names: Mapping[str, str]) -> str:
    """A node as C++ source, with the names spelled so."""
    if node.kind == "name":
        return f"(long long)({names[node.value]})" if node.value in POSITIONS else names[node.value]
    if node.kind == "number":
        return types.literal(node.value, node.dtype)
    args = [cuda(arg, names) for arg in node.args]
    if node.kind == "cast":
        return f"arithmetic::cast<{types.c_name(node.dtype)}>({args[0]})"
    if node.kind == "if":
        return "({} ? {} : {})".format(*args)
    if node.kind == "field":
        raise ExpressionError("an operator on the fields of records has no CUDA; use the CPU")
    return FUNCTIONS[node.kind].cuda.format(*args)


def _spelled(number: float) -> str:
    """A number of Python as source that has `np` alone."""
    finite = not isinstance(number, float) or math.isfinite(number)
    return repr(number) if finite else f"np.{number}".replace("np.-inf", "-np.inf")


def python(node: Node, helpers: dict[str, str]) -> str:
    """A node as Python source. The functions that it calls are put into `helpers`, by name."""
    assert node.dtype is not None
    if node.kind == "name":
        return f"np.int64({node.value})" if node.value in POSITIONS else node.value
    if node.kind == "number":
        if node.dtype == types.BOOL:
            return str(bool(node.value))
        number = node.value.item()
        parts = (number.real, number.imag) if isinstance(number, complex) else (number,)
        spelled = ", ".join(map(_spelled, parts))
        spelled = f"complex({spelled})" if len(parts) > 1 else spelled
        return f"np.{np.dtype(node.dtype).name}({spelled})"
    args = [python(arg, helpers) for arg in node.args]
    source = node.args[-1].dtype
    assert source is not None
    match node.kind:
        case "if":
            return "({1} if {0} else {2})".format(*args)
        case "field":
            return f"{args[0]}[{node.value!r}]"
        case "cast":
            form = python_forms.cast(source, node.dtype)
        case _:
            form = python_forms.call(node.kind, source)
    if defined := re.match(r"def (\w+)", form):
        helpers[defined[1]] = form
        return f"{defined[1]}({', '.join(args)})"
    return form.format(*args)
