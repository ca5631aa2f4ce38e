"""Functions without source are read by calling them with names for their operands."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from semirings import WrongType
from semirings.expression import ExpressionError
from semirings.source import formula

WRITTEN = """
def helper(a):
    return 2 * a + 1

def ways(x):
    if 3 < x < 10:
        return math.sqrt(x)
    elif x == 0 or x in (1, 2):
        return -1.5
    return helper(x)

def powers(x):
    total = 0
    for k in range(3):
        total += x**k
    return total

def chosen(x):
    return np.where(x > 2, x, -x) + min(max(x, 1), 3) + abs(x) + int(x / 2) + round(x / 2)

def closed(n):
    return lambda x: x + n if not x else x % n

three = closed(3)
"""
NAMES: dict[str, Any] = {"math": math, "np": np}
exec(WRITTEN, NAMES)
VALUES = [0, 1, 2, 5, 12]


@pytest.mark.parametrize("name", ["ways", "powers", "chosen", "three", "helper"])
def test_the_formula_computes_what_the_function_does(name: str) -> None:
    function = NAMES[name]
    with lg.backend("cpu"):
        v = lg.Vector.from_coo(range(5), VALUES)
        found = v.apply(lg.unary.register_anonymous(function)).new().to_coo()[1]
    assert found.tolist() == [pytest.approx(function(x)) for x in VALUES]


def test_operands_are_renamed_and_fields_are_read() -> None:
    assert formula(eval("lambda x, i, j, t: x + i * t"), ("x", "i", "j", "y")) == "(x + (i * y))"
    assert formula(eval("lambda p, q: p['mass'] + q.charge")) == "(x['mass'] + y['charge'])"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("lambda x: str(x)", "str of 1 operands has no formula"),
        ("lambda x: f'{x}'", "not known as a text"),
        ("lambda x: isinstance(x, int)", "isinstance of 2 operands"),
        ("lambda x: [1, 2][x]", "not known as a text or a plain number"),
        ("lambda x: {1: 2}[x]", "unhashable"),
        ("lambda x: None", "expected numbers"),
        ("lambda x: x.foo.bar()", "not callable"),
        ("lambda x: unknown + x", "unknown"),
        ("lambda x: math.perm(x, 2)", "perm of 2 operands"),
    ],
)
def test_what_has_no_formula_is_refused(text: str, why: str) -> None:
    with pytest.raises(ExpressionError, match=why):
        formula(eval(text, dict(NAMES)), ("x",))


def test_a_loop_without_end_is_refused() -> None:
    exec("def down(x):\n    while x > 0: x -= 1\n    return x", names := {})  # type: ignore[var-annotated]
    with pytest.raises(ExpressionError, match="more than 300 ways"):
        formula(names["down"], ("x",))
    with pytest.raises(WrongType, match="expected a function of 1 arguments"):
        formula(eval("lambda x, y: x"), ("x",))
