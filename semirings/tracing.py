"""The formula of a Python function that has no source: it is called with names for its operands.

An operand notes what is done to it. Where the function asks whether a condition is true, it is
called once for each answer, and the formula chooses between the two. What a name cannot note, such
as `str(x)` or a `while` without an end, is refused.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, NoReturn

import numpy as np

from .errors import LagraphError, brief
from .expression import CALLABLE, ExpressionError
from .meanings import MEANINGS

MOST_CALLS = 300
"""How often a function is called at most: once for each way through it."""
LONGEST = 40_000
"""How many characters a formula has at most."""
PLAIN = (
    "all", "any", "enumerate", "len", "list", "map", "range", "reversed", "sum", "tuple", "zip",
)  # fmt: skip
"""Names of Python that do not look at what kind of thing a value is."""


class _Question(BaseException):
    """The function asks whether a condition holds that has no answer yet."""


class _Ways:
    """The answers on the present way through the function."""

    def __init__(self) -> None:
        self.given: list[bool] = []
        self.at = self.calls = 0

    def answer(self, condition: str) -> bool:
        if self.at == len(self.given):
            raise _Question(condition)
        self.at += 1
        return self.given[self.at - 1]


def traced(function: Any, order: tuple[str, ...]) -> str:
    """The formula that a function computes, found by calling it.

    >>> from semirings.tracing import traced
    >>> traced(eval("lambda a, b: a + b if a > 1 else max(a, 2)"), ("x", "y"))
    '((x + y) if (x > 1) else max(x, 2))'
    """
    ways = _Ways()
    known: dict[int, Any] = {}
    called = _with_names_for(function, known)
    operands = [_Name(name, ways) for name in order]
    why = f"the function {function.__name__} has no source and cannot be read by calling it: "

    def on(given: list[bool]) -> str:
        ways.given, ways.at = given, 0
        ways.calls += 1
        if ways.calls > MOST_CALLS:
            raise ExpressionError(f"it has more than {MOST_CALLS} ways through it")
        try:
            return _text(called(*operands))
        except _Question as asked:
            condition = str(asked)
        yes, no = on([*given, True]), on([*given, False])
        return f"({yes} if {condition} else {no})"

    try:
        return on([])
    except LagraphError as problem:
        raise ExpressionError(f"{why}{problem}") from None
    except Exception as problem:
        raise ExpressionError(f"{why}{type(problem).__name__}: {problem}") from problem


def _text(value: Any) -> str:
    """The text of a value in a formula."""
    if isinstance(value, _Name):
        return value._formula
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool | int | float | complex):
        return repr(value) if value == value and value not in (np.inf, -np.inf) else f"({value})"
    raise ExpressionError(f"expected numbers, got {brief(value)}")


class _Name:
    """What stands for a number while a function is called."""

    __slots__ = "_formula", "_ways"
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, formula: str, ways: _Ways) -> None:
        if len(formula) > LONGEST:
            raise ExpressionError(f"its formula has more than {LONGEST} characters")
        self._formula, self._ways = formula, ways

    def _of(self, meaning: str, *others: Any) -> _Name:
        return _Name(meaning.format(self._formula, *map(_text, others)), self._ways)

    def __bool__(self) -> bool:
        return self._ways.answer(self._formula)

    def __getitem__(self, field: Any) -> _Name:
        return self._of(f"{{0}}[{field!r}]")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or hasattr(np.float64, name):
            raise AttributeError(f"{name} of an operand has no formula")
        return self[name]

    @property
    def real(self) -> _Name:
        return self._of("creal({0})")

    @property
    def imag(self) -> _Name:
        return self._of("cimag({0})")

    def conjugate(self) -> _Name:
        return self._of("conj({0})")

    def __array_ufunc__(self, function: Any, method: str, *given: Any, **named: Any) -> _Name:
        return _meant(function, given, named)

    def __array_function__(self, function: Any, kinds: Any, given: Any, named: Any) -> _Name:
        return _meant(function, given, named)

    def _refuse(self, *_: Any) -> NoReturn:
        raise ExpressionError("an operand is not known as a text or a plain number; use operators")

    __str__ = __format__ = __index__ = __iter__ = __len__ = _refuse  # type: ignore[assignment]


def _add_signs() -> None:
    signs = {
        "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%",
        "pow": "**", "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
    }  # fmt: skip
    compared = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
    for name, sign in (signs | compared).items():
        meaning = f"({{0}} {sign} {{1}})"
        setattr(_Name, f"__{name}__", lambda self, y, meaning=meaning: self._of(meaning, y))
    for name, sign in signs.items():
        meaning = f"({{1}} {sign} {{0}})"
        setattr(_Name, f"__r{name}__", lambda self, y, meaning=meaning: self._of(meaning, y))
    alone = {"neg": "(-{0})", "pos": "(+{0})", "invert": "(~{0})", "abs": "abs({0})"}
    for name, meaning in alone.items():
        setattr(_Name, f"__{name}__", lambda self, meaning=meaning: self._of(meaning))


_add_signs()


def _meant(function: Any, given: Any, named: Any = None) -> _Name:
    """The formula of a function of `math` or NumPy on names and numbers."""
    meaning = MEANINGS.get(function, "")
    if not meaning and function in OF_PYTHON:
        meaning = f"{function.__name__}({', '.join(f'{{{n}}}' for n in range(len(given)))})"
    wanted = sum(f"{{{n}}}" in meaning for n in range(4))
    if not wanted or wanted != len(given) or named:
        raise ExpressionError(
            f"{getattr(function, '__name__', function)} of {len(given)} operands has no formula"
        )
    ways = next(one._ways for one in given if isinstance(one, _Name))
    return _Name(meaning.format(*map(_text, given)), ways)


OF_PYTHON = {getattr(builtins, name) for name in CALLABLE if hasattr(builtins, name)}
"""Functions of Python that the expression language has under the same name."""


def _noting(function: Any) -> Callable[..., Any]:
    """A function that notes its call if an operand is among its arguments."""

    def noted(*given: Any, **named: Any) -> Any:
        if any(isinstance(one, _Name) for one in (*given, *named.values())):
            return _meant(function, given, named)
        return function(*given, **named)

    return noted


class _Module:
    """A module whose functions note their calls."""

    def __init__(self, module: ModuleType, known: dict[int, Any]) -> None:
        self._module, self._known = module, known

    def __getattr__(self, name: str) -> Any:
        return _standing_for(getattr(self._module, name), self._known)


def _standing_for(value: Any, known: dict[int, Any]) -> Any:
    """What a function sees in the place of a value outside it."""
    value = getattr(value, "py_func", value)  # compiled by Numba
    if isinstance(value, ModuleType):
        return value if value is operator else _Module(value, known)
    if isinstance(value, np.ufunc):
        return value
    if isinstance(value, FunctionType) and not (value.__module__ or "").startswith("numpy"):
        return _with_names_for(value, known)
    return _noting(value) if callable(value) else value


def _names_in(code: CodeType) -> set[str]:
    """The names outside itself that a function uses, and functions within it."""
    within = (one for one in code.co_consts if isinstance(one, CodeType))
    return set(code.co_names).union(*map(_names_in, within))


def _with_names_for(function: Any, known: dict[int, Any]) -> Any:
    """A copy of a function that calls what notes its calls."""
    if id(function) in known:
        return known[id(function)]
    outside: dict[str, Any] = {
        "__builtins__": {
            name: value if name in PLAIN else _noting(value)
            for name, value in vars(builtins).items()
        }
    }
    cells = function.__closure__ or ()
    made = FunctionType(
        function.__code__, outside, function.__name__, function.__defaults__,
        tuple(CellType() for _ in cells),
    )  # fmt: skip
    made.__kwdefaults__ = function.__kwdefaults__
    known[id(function)] = made
    for name in _names_in(function.__code__):
        if name in function.__globals__:
            outside[name] = _standing_for(function.__globals__[name], known)
    for cell, of in zip(made.__closure__ or (), cells):
        cell.cell_contents = _standing_for(of.cell_contents, known)
    return made
