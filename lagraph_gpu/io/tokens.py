"""Numbers from bytes at the speed of NumPy, without a wrong number.

`numpy.fromstring` reads about fifty million numbers a second. But it does not know lines, it
saturates integers that do not fit, and it reads a lone sign as zero. So words are counted first,
line by line, and its result is used only if every word gave one number. Otherwise the result is
None, and the caller reads the block again, slowly, to find out what is wrong.
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
EXACT = 2.0**53
"""FP64 can represent every integer below this."""
LOSES_DIGITS = "is a whole number that loses digits as a real, as other weights here are"
_INT64 = np.iinfo(np.int64)


@dataclass(frozen=True)
class Tokens:
    """The words of a text: where each starts, and how many each line has."""

    chars: NDArray[np.uint8]
    start: NDArray[np.int64]
    per_line: NDArray[np.int64]

    def split(self, chosen: NDArray[np.bool_]) -> tuple[bytes, bytes]:
        """The text with only the words that are not chosen, and with only the chosen words."""
        change = np.zeros(self.chars.size, np.int8)
        change[self.start] = np.diff(chosen.astype(np.int8), prepend=np.int8(0))
        inside = np.cumsum(change, dtype=np.int8).view(bool)
        blank = np.uint8(32)
        return (
            np.where(inside, blank, self.chars).tobytes(),
            np.where(inside, self.chars, blank).tobytes(),
        )


def tokenise(text: bytes) -> Tokens:
    """Find the words of a text that ends with a newline. O(bytes)."""
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
    """The `count` integers of the text as int64, or None if the text is anything else."""
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
    """The `count` finite numbers of the text as float64, or None if the text is anything else."""
    numbers = _parse(text, np.float64, count)
    return numbers if numbers is not None and np.isfinite(numbers).all() else None


def numbers(text: bytes, count: int) -> NDArray[np.float64] | None:
    """The `count` finite numbers of the text as float64, or None if the text is anything else, or
    has an integer that does not fit into 64 bits or would lose digits."""
    found = reals(text, count)
    if found is None or found.size == 0 or np.abs(found).max() < EXACT:
        return found
    return None if any(map(wrong_number, _LONG_WHOLE.findall(text))) else found


def looks_real(text: bytes) -> bool:
    """True if some number has a point or an exponent, or is nan or inf."""
    return any(mark in text for mark in (b".", b"e", b"E", b"n", b"N", b"i", b"I"))


def wrong_integer(token: bytes) -> str | None:
    """The reason why a word is not a 64-bit integer; None if it is one."""
    value = whole(token)
    if value is None:
        return "is not a whole number"
    return None if _INT64.min <= value <= _INT64.max else "does not fit in INT64"


def whole(token: bytes) -> int | None:
    """The value of a whole number, or 10^30 with its sign if it has more digits; None for any other
    word. O(digits), which Python's own conversion is not."""
    if not re.fullmatch(rb"[-+]?[0-9]+", token):
        return None
    digits = token.lstrip(b"-+").lstrip(b"0") or b"0"
    value = int(digits) if len(digits) <= 30 else 10**30
    return -value if token.startswith(b"-") else value


def wrong_real(token: bytes) -> str | None:
    """The reason why a word is not a finite number; None if it is one."""
    if re.fullmatch(rb"[-+]?nan(\(\w*\))?", token, re.IGNORECASE):
        return "is NaN"
    if not re.fullmatch(
        rb"[-+]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[-+]?[0-9]+)?|inf(inity)?)", token, re.I
    ):
        return "is not a number"
    if not np.isfinite(float(token)):
        return "is infinite"
    return None


def wrong_number(token: bytes) -> str | None:
    """The reason why a word is not a number among real ones; None if it is one.

    An integer among real numbers must not lose digits.
    """
    value = whole(token)
    if value is None:
        return wrong_real(token)
    return wrong_integer(token) or (LOSES_DIGITS if float(value) != value else None)
