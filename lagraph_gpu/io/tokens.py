"""Numbers out of bytes at the speed of NumPy, and never a wrong one.

`numpy.fromstring` reads about fifty million numbers a second but knows no lines, lets an integer
saturate at the end of its range and takes a lone sign for zero. So tokens are counted first, line
by line, and what it returns is believed only if every token gave one number. Any doubt gives None:
the caller then looks at the block again, slowly, to say what is wrong.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SPACE = np.zeros(256, bool)
_SPACE[[9, 10, 11, 12, 13, 32]] = True
_LONE_SIGN = re.compile(rb"[-+](?![0-9])")
_LONG_WHOLE = re.compile(rb"(?<!\S)[-+]?[0-9]{16,}(?!\S)")
_EXACT = 2.0**53
"""Reals have every whole number below."""
LOSES_DIGITS = "is a whole number that loses digits as a real, as other weights here are"
_INT64 = np.iinfo(np.int64)


@dataclass(frozen=True)
class Tokens:
    """Where the words of a text are: ``start`` of each, and how many each line has."""

    chars: NDArray[np.uint8]
    start: NDArray[np.int64]
    per_line: NDArray[np.int64]

    def split(self, chosen: NDArray[np.bool_]) -> tuple[bytes, bytes]:
        """The text with only the words not chosen, and with only the chosen ones."""
        change = np.zeros(self.chars.size, np.int8)
        change[self.start] = np.diff(chosen.astype(np.int8), prepend=np.int8(0))
        inside = np.cumsum(change, dtype=np.int8).view(bool)
        blank = np.uint8(32)
        return (
            np.where(inside, blank, self.chars).tobytes(),
            np.where(inside, self.chars, blank).tobytes(),
        )


def tokenise(text: bytes) -> Tokens:
    """Finds the words of a text that ends with a newline. O(bytes)."""
    chars = np.frombuffer(text, np.uint8)
    space = _SPACE[chars]
    begins = ~space
    begins[1:] &= space[:-1]
    start = np.flatnonzero(begins)
    ends = np.searchsorted(start, np.flatnonzero(chars == 10))
    return Tokens(chars, start, np.diff(ends, prepend=0))


def _parse(text: bytes, dtype: type[np.generic], count: int) -> NDArray[Any] | None:
    if count == 0:
        return np.empty(0, dtype)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            numbers = np.fromstring(text, dtype=dtype, sep=" ")
    except (ValueError, DeprecationWarning):
        return None
    return numbers if numbers.size == count else None


def integers(text: bytes, count: int) -> NDArray[np.int64] | None:
    """The `count` whole numbers of the text as int64, or None if they are not all that."""
    if (b"-" in text or b"+" in text) and _LONE_SIGN.search(text):
        return None
    numbers = _parse(text, np.int64, count)
    if numbers is None or numbers.size == 0:
        return numbers
    saturated = numbers.max() == _INT64.max or numbers.min() == _INT64.min
    if saturated and any(wrong_integer(token) for token in text.split()):
        return None
    return numbers


def reals(text: bytes, count: int) -> NDArray[np.float64] | None:
    """The `count` finite numbers of the text as float64, or None if they are not all that."""
    numbers = _parse(text, np.float64, count)
    return numbers if numbers is not None and np.isfinite(numbers).all() else None


def numbers(text: bytes, count: int) -> NDArray[np.float64] | None:
    """As `reals`, but None if a whole number among them does not fit 64 bits, or loses digits."""
    found = reals(text, count)
    if found is None or found.size == 0 or np.abs(found).max() < _EXACT:
        return found
    return None if any(map(wrong_number, _LONG_WHOLE.findall(text))) else found


def looks_real(text: bytes) -> bool:
    """Whether some number has a point, an exponent, or is nan or inf."""
    return any(mark in text for mark in (b".", b"e", b"E", b"n", b"N", b"i", b"I"))


def wrong_integer(token: bytes) -> str | None:
    """Why a token is no 64-bit whole number; None if it is one."""
    if not re.fullmatch(rb"[-+]?[0-9]+", token):
        return "is not a whole number"
    if len(token) > 30 or not _INT64.min <= int(token) <= _INT64.max:
        return "does not fit in 64 bits"
    return None


def wrong_real(token: bytes) -> str | None:
    """Why a token is no finite number; None if it is one."""
    if re.fullmatch(rb"[-+]?nan(\(\w*\))?", token, re.IGNORECASE):
        return "is NaN"
    if not re.fullmatch(
        rb"[-+]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?|inf(inity)?)", token, re.I
    ):
        return "is not a number"
    if not np.isfinite(float(token)):
        return "is infinite"
    return None


def wrong_number(token: bytes) -> str | None:
    """Why a token is no number among reals, which whole ones are without loss; None if it is."""
    if re.fullmatch(rb"[-+]?[0-9]+", token):
        lost = LOSES_DIGITS if float(token) != int(token[:30]) else None
        return wrong_integer(token) or lost
    return wrong_real(token)
