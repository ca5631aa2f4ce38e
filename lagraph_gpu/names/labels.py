"""Labels of vertices: strings, integers of any size or other hashable objects, one for each vertex.

Algorithms count vertices from 0. `Labels` leads from a label to that position and back, and
`numbered` gives positions to the labels that edges name. Integers are kept as int64 and looked up
in sorted order, all others as objects, in a dict that the first look-up makes.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np

from lagraph_gpu.convert.arguments import is_integer, is_list
from lagraph_gpu.convert.interchange import on_device
from lagraph_gpu.convert.values import of_integers, on_host
from lagraph_gpu.errors import (
    DimensionMismatch,
    IndexOutOfBound,
    InvalidValue,
    WrongType,
    brief,
)
from lagraph_gpu.notation.indexing import distinct

COMPARED = 10_000
"""Similar labels are looked for among so many, because each is compared letter by letter."""

BY_SIZE = (str, bytes, int, float)
"""Types of labels that are numbered by size; others are numbered as they first occur."""

MISSING = "NoneType", "NAType", "NaTType"
"""The types of None, and of what pandas puts where a value is missing."""

TIMES = {"Timestamp": "nanosecond", "Timedelta": "nanoseconds"}
"""The types of pandas' times, and what of each is beyond microseconds."""

LONGEST = 14_284
"""The most bits of an integer as a label: Python writes no more than 4,300 digits."""

INT64 = np.iinfo(np.int64)

LABELS_FOR_PYARROW = 10_000
"""From so many labels on PyArrow is faster."""


class Labels:
    """The labels of vertices by position. No two are equal.

    `array` (int64 or objects) cannot be written to, because graphs share it.
    """

    __slots__ = ("_index", "array")

    def __init__(self, array: np.ndarray) -> None:
        self._index: Any = None
        self.array = array
        array.setflags(write=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return Labels, (self.array,)

    @classmethod
    def of(cls, values: Any, what: str = "labels", mixed: bool = False) -> Labels:
        """The labels in a column, after a check that they differ."""
        labels = cls(column(values, what, mixed))
        different = distinct(labels.array).size if labels.whole else len(labels.index)
        if different < labels.n:
            first: dict[Any, int] = {}
            for at, label in enumerate(labels.array.tolist()):
                if first.setdefault(label, at) != at:
                    raise InvalidValue(
                        f"expected different {what}, got {brief(label)} at positions "
                        f"{first[label]} and {at}; make them different, or leave one out"
                    )
        return labels

    @property
    def n(self) -> int:
        return self.array.size

    @property
    def whole(self) -> bool:
        """Whether the labels are integers of 64 bits."""
        return self.array.dtype.kind == "i"

    @property
    def kinds(self) -> list[type]:
        """The types of the labels. There are several where NetworkX had several."""
        if self.whole:
            return [int] if self.n else []
        return [*dict.fromkeys(map(type, self.array))]

    @property
    def index(self) -> Any:
        """Integers in sorted order, with the position of each; of other labels a dict."""
        if self._index is None:
            if self.whole:
                order = np.argsort(self.array, kind="stable")
                self._index = self.array[order], order
            else:
                self._index = {label: at for at, label in enumerate(self.array)}
        return self._index

    def take(self, positions: np.ndarray) -> Labels:
        """The labels at these positions, in this order."""
        return Labels(self.array[positions])

    def stranger(self, other: Labels) -> Any:
        """A label of others that are of one type, if these are of one other type; else None."""
        both = self.kinds, other.kinds
        return None if both[0] == both[1] or {1} != {*map(len, both)} else other.array.tolist()[0]

    def extended(self, other: Labels) -> tuple[Labels, np.ndarray]:
        """These labels and then the other ones that are new, and the position of each other one."""
        if self.whole and other.whole and self.n:
            ordered, order = self.index
            at = np.minimum(np.searchsorted(ordered, other.array), self.n - 1)
            place = np.where(ordered[at] == other.array, order[at], -1)
        else:
            index = self.index
            if self.whole:
                index = {label: at for at, label in enumerate(self.array.tolist())}
            found = (index.get(label, -1) for label in other.array.tolist())
            place = np.fromiter(found, np.int64, other.n)
        new = place < 0
        place[new] = self.n + np.arange(np.count_nonzero(new))
        if not new.any():
            return self, place
        parts = [labels.array for labels in (self, other.take(np.flatnonzero(new))) if labels.n]
        if len({part.dtype for part in parts}) > 1:
            parts = [part.astype(object) for part in parts]
        return Labels(np.concatenate(parts)), place

    def __contains__(self, label: Any) -> bool:
        if self.whole:
            return is_integer(label) and bool(np.any(self.array == label))
        try:
            return label in self.index
        except TypeError:  # not hashable
            return False

    def position(self, label: Any, what: str) -> int:
        """The position of a label. Raises IndexOutOfBound if no vertex has it."""
        if isinstance(label, (np.datetime64, np.timedelta64)):
            label = plain(label, what)
        if self.whole:
            if not is_integer(label) or not INT64.min <= label <= INT64.max:
                raise self._unknown(label, what)
            ordered, order = self.index
            at = int(np.searchsorted(ordered, label))
            if at == self.n or ordered[at] != label:
                raise self._unknown(label, what)
            return int(order[at])
        try:
            return self.index[label]
        except KeyError:
            raise self._unknown(label, what) from None
        except TypeError:
            raise WrongType(f"expected the {what} as a label, got {brief(label)}") from None

    def positions(self, wanted: Any, what: str) -> np.ndarray:
        """The positions (int64) of many labels, as `position` finds each."""
        if not is_list(wanted):
            raise WrongType(f"expected {what} as a list of labels, got {brief(wanted)}")
        array = np.asarray(wanted) if self.whole or isinstance(wanted, np.ndarray) else None
        if array is not None and array.ndim != 1:
            raise WrongType(f"expected {what} as a list of labels, got shape {array.shape}")
        if self.whole and array is not None and array.dtype.kind == "i" and self.n:
            ordered, order = self.index
            at = np.minimum(np.searchsorted(ordered, array), self.n - 1)
            wrong = np.flatnonzero(ordered[at] != array)
            if not wrong.size:
                return order[at]
            wanted = array[wrong[:1]]
        if isinstance(wanted, np.ndarray):
            wanted = plain_list(wanted, what)
        else:
            wanted = wanted.to_pylist() if hasattr(wanted, "to_pylist") else list(wanted)
        if not self.whole:
            try:
                return np.fromiter(map(self.index.__getitem__, wanted), np.int64, len(wanted))
            except (KeyError, TypeError):
                pass  # the first that is not there is found below
        return np.array([self.position(x, f"vertex in {what}") for x in wanted], np.int64)

    def _unknown(self, label: Any, what: str) -> IndexOutOfBound:
        return IndexOutOfBound(
            f"expected the {what} as a label of this graph, got {brief(label)}; {self._hint(label)}"
        )

    def _hint(self, label: Any) -> str:
        """Where the label may be found: similar ones, the next ones, or what a position holds."""
        if not self.n:
            return "the graph has no vertices"
        if self.whole and is_integer(label):
            ordered = self.index[0]
            at = int(np.searchsorted(ordered, np.clip(label, INT64.min, INT64.max)))
            return f"the nearest labels are {listed(ordered[max(0, at - 1) : at + 1].tolist())}"
        if isinstance(label, str):
            from difflib import get_close_matches

            some = [x for x in self.array[:COMPARED] if isinstance(x, str)]
            lower = {x.lower(): x for x in reversed(some)}
            if near := get_close_matches(label.lower(), lower, n=3, cutoff=0.5):
                return f"similar labels are {listed([lower[x] for x in near])}"
        if is_integer(label) and 0 <= label < self.n:
            return f"position {label} has the label {brief(self.array[label])}, so give that"
        return f"labels are such as {listed(self.array[:3].tolist())}"


def listed(labels: Sequence[Any]) -> str:
    """Labels for a message."""
    return ", ".join(map(brief, labels))


def plain_ids(*ends: Any) -> list[Any] | None:
    """The ends of edges as arrays of numbers; None if one of them holds something else, labels.

    What has no rows is returned as it is, to be refused.
    """
    arrays = []
    for ids in ends:
        if isinstance(ids, (list, tuple)) and ids and isinstance(ids[0], (str, bytes, tuple)):
            return None
        if on_device(ids):
            arrays.append(ids)
            continue
        array = on_host(ids)
        if array.ndim == 1 and array.dtype.kind in "MOSTUm" and not of_integers(array):
            return None
        arrays.append(array if array.ndim else ids)
    return arrays


def column(values: Any, what: str, mixed: bool = False) -> np.ndarray:
    """A column of labels as int64, or as objects of one type (of several if `mixed`).

    Raises InvalidValue for None and NaN and for labels of different types, and names the rows.
    """
    if not is_list(values):
        raise WrongType(f"expected {what} as a list of labels, got {brief(values)}")
    if isinstance(values, (Mapping, set, frozenset)):  # whose keys would be read, in any order
        raise WrongType(
            f"expected {what} as a list of labels, one a row, got {brief(values)}; pass a list of "
            "them in their order"
        )
    if isinstance(values, np.ndarray) or hasattr(values, "__array__"):
        array = on_host(values)
        if array.ndim != 1:
            raise DimensionMismatch(f"expected {what} as a 1-D array, got shape {array.shape}")
        if array.dtype.kind not in "bifuOSTUMm":
            raise WrongType(
                f"expected {what} as strings, integers or objects, got {array.dtype}; "
                "take .astype(str)"
            )
        if array.dtype.kind == "i":
            return array.astype(np.int64)
        values = plain_list(array, what)
    items = [*values]
    kinds = dict.fromkeys(map(type, items))
    if any(issubclass(kind, np.generic) or kind.__name__ in TIMES for kind in kinds):
        items = [plain(x, what) for x in items]
        kinds = dict.fromkeys(map(type, items))
    for kind in kinds:
        if kind is float or kind.__name__ in MISSING:
            _refuse_missing(items, what)
    if len(kinds) > 1 and not mixed:
        found = {kind: next(i for i, x in enumerate(items) if type(x) is kind) for kind in kinds}
        message = " and ".join(f"{kind.__name__} (row {row})" for kind, row in found.items())
        raise InvalidValue(
            f"expected {what} of one type, got {message}; make them one type, for example with str"
        )
    if list(kinds) == [int] and INT64.min <= min(items) and max(items) <= INT64.max:
        return np.array(items, np.int64)
    if int in kinds:
        _refuse_long(items, what)
    for row, item in enumerate([] if kinds.keys() <= {str, int} else items):
        try:
            hash(item)
        except TypeError:
            raise WrongType(
                f"expected a hashable label in each row of {what}, got {brief(item)} in row {row}; "
                "take a tuple"
            ) from None
    return np.fromiter(items, object, len(items))


def plain(label: Any, what: str) -> Any:
    """A label as an object of Python: numbers and times of NumPy, and times of pandas in whole
    microseconds, which are equal to those of `datetime`. Others are as they are."""
    if isinstance(label, np.generic):
        return plain_list(label.reshape(1), what)[0]
    if (finer := TIMES.get(type(label).__name__)) and not getattr(label, finer, 1):
        name = "to_pydatetime" if hasattr(label, "to_pydatetime") else "to_pytimedelta"
        return getattr(label, name)()
    return label


def plain_list(array: np.ndarray, what: str) -> list[Any]:
    """The values of an array as objects of Python, dates and times as those of `datetime`.

    Raises InvalidValue for times that `datetime` does not hold; NumPy makes integers of them.
    """
    kind = array.dtype.kind
    if kind not in "Mm":
        return array.tolist()  # type: ignore[no-any-return]
    exact = array
    if np.datetime_data(array.dtype)[0] in ("ns", "ps", "fs", "as"):
        exact = array.astype(f"{kind}8[us]")
    items = exact.tolist()
    wrong = (exact != array) & ~np.isnat(array)
    wrong |= np.fromiter((isinstance(item, int) for item in items), bool, len(items))
    if wrong.any():
        row = int(wrong.argmax())
        raise InvalidValue(
            f"expected {what} as dates and times of whole microseconds in the years 1 to 9999, "
            f"got {array[row]} in row {row}; make them strings"
        )
    return items  # type: ignore[no-any-return]


def _refuse_long(items: list[Any], what: str) -> None:
    for row, item in enumerate(items):
        if type(item) is int and item.bit_length() > LONGEST:
            raise InvalidValue(
                f"expected {what} that Python can write as text, got {brief(item)} in row {row}; "
                "number the vertices"
            )


def _refuse_missing(items: list[Any], what: str) -> None:
    for row, item in enumerate(items):
        if type(item).__name__ in MISSING or (isinstance(item, float) and item != item):
            raise InvalidValue(
                f"expected a label in each row of {what}, got {brief(item)} in row {row}; "
                "leave the row out, or name the vertex"
            )


def numbered(
    src: Any,
    dst: Any,
    given: Any,
    what: tuple[str, str] = ("src", "dst"),
    mixed: bool = False,
) -> tuple[Labels, np.ndarray, np.ndarray]:
    """The labels of the vertices that edges name, and the position of both ends of each edge.

    `given` is True, or the labels of all vertices in order. Otherwise strings and numbers are
    numbered by size, and other labels in the order in which they occur. Errors call the ends
    `what`. Labels may be of several types if `mixed` says so. O(m log m).
    """
    ends = column(src, what[0], mixed), column(dst, what[1], mixed)
    if not isinstance(given, (bool, np.bool_)):
        labels = Labels.of(given)
        return labels, labels.positions(ends[0], what[0]), labels.positions(ends[1], what[1])
    kinds = [type(end[0].item() if end.dtype.kind == "i" else end[0]) for end in ends if end.size]
    if len(set(kinds)) > 1 and not mixed:
        raise InvalidValue(
            f"expected labels of one type, got {kinds[0].__name__} in {what[0]} and "
            f"{kinds[1].__name__} in {what[1]}; make them one type, for example with str"
        )
    if not kinds:
        return Labels(np.empty(0, np.int64)), np.empty(0, np.int64), np.empty(0, np.int64)
    both = np.concatenate([end for end in ends if end.size])
    if both.dtype.kind == "i":
        array, place = np.unique(both, return_inverse=True)
    else:
        kinds = [*set(map(type, both))] if mixed else kinds
        names, codes = _coded(both.tolist(), kinds[0] if len(set(kinds)) == 1 else object)
        order: Sequence[int] = range(len(names))
        if len(set(kinds)) == 1 and kinds[0] in BY_SIZE:
            order = sorted(order, key=names.__getitem__)
        rank = np.empty(len(names), np.int64)
        rank[order] = np.arange(len(names))
        array = np.fromiter((names[at] for at in order), object, len(names))
        place = rank[codes]
    return Labels(array), place[: ends[0].size], place[ends[0].size :]


def _coded(items: list[Any], kind: type) -> tuple[list[Any], np.ndarray]:
    """The different ones of many labels, as they first occur, and which of them each is.

    PyArrow does it for strings, if the program has loaded it, in a fraction of the time.
    """
    pyarrow = sys.modules.get("pyarrow")
    if kind is str and pyarrow is not None and len(items) >= LABELS_FOR_PYARROW:
        try:
            found = pyarrow.array(items, pyarrow.large_string()).dictionary_encode()
        except (pyarrow.ArrowException, UnicodeError):
            pass  # half a surrogate pair
        else:
            return found.dictionary.to_pylist(), found.indices.to_numpy()
    index: dict[Any, int] = defaultdict(count().__next__)
    codes = np.fromiter(map(index.__getitem__, items), np.int64, len(items))
    return list(index), codes
