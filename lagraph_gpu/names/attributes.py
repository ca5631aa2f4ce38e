"""Columns of data about vertices or edges: one value for each, under a name."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from lagraph_gpu.convert.arguments import by_label
from lagraph_gpu.convert.values import on_host
from lagraph_gpu.errors import DimensionMismatch, UnknownColumn, WrongType, brief, did_you_mean
from lagraph_gpu.names.frames import listed_names
from lagraph_gpu.names.labels import Labels
from lagraph_gpu.notation import Vector


class Attributes(UserDict[str, np.ndarray]):
    """NumPy arrays by name, all with one value for each of `size` vertices or edges (`what`).

    With `labels` a dict and a Series of pandas give values by label, and are put in order.
    """

    labels: Labels | None = None

    def __init__(self, size: int, what: str) -> None:
        self.size, self.what = size, what
        super().__init__()

    def __setitem__(self, name: str, values: Any) -> None:
        if not isinstance(name, str):
            raise WrongType(f"expected the name of a column as a string, got {name!r}")
        if self.labels is not None and by_label(values):
            values = in_order(name, values, self.labels)
        array = as_column(values)
        if array.shape != (self.size,):
            raise DimensionMismatch(
                f"expected {name!r} as a column of {self.size} values, one for each of the "
                f"{self.what}, got shape {array.shape}"
            )
        super().__setitem__(name, array)

    def __missing__(self, name: Any) -> np.ndarray:
        have = listed_names(list(self.data))
        raise UnknownColumn(
            f"expected a column of data about the {self.what}, {have}, got {brief(name)}"
            f"{did_you_mean(name, self.data)}"
        )

    def __ior__(self, other: Any) -> Attributes:  # type: ignore[override, misc]
        self.update(other)  # which checks each column; that of UserDict does not
        return self

    def take(self, positions: np.ndarray) -> Attributes:
        """The columns with the values at these positions, in this order."""
        taken = Attributes(positions.size, self.what)
        taken.update({name: values[positions] for name, values in self.items()})
        return taken


def in_order(name: str, values: Any, labels: Labels) -> np.ndarray:
    """Values by label as an array by position."""
    found = dict(values.items())
    places = labels.positions(list(found), f"the column {name!r}")
    if not len(values) == len(found) == labels.n:
        raise DimensionMismatch(
            f"expected {name!r} with one value for each of {labels.n} labels, got {len(values)} "
            f"values for {len(found)} of them"
        )
    return as_column(list(found.values()))[np.argsort(places)]


def columns_of(
    records: Callable[[], Iterable[Mapping[Any, Any]]], without: str | None = None
) -> dict[str, np.ndarray]:
    """Columns of records, which are iterated over again and again. A record without a value for a
    name has None there. Names that are no strings are left out.

    >>> columns_of(lambda: [{"age": 3, "w": 1}, {"age": 4}], without="w")
    {'age': array([3, 4])}
    """
    names = [name for name in dict.fromkeys(chain.from_iterable(records())) if name != without]
    return {
        name: as_column([record.get(name) for record in records()])
        for name in names
        if isinstance(name, str)
    }


def records_of(columns: Mapping[str, np.ndarray], count: int) -> list[dict[str, Any]]:
    """So many records of columns, of Python's values. Those that are None are left out.

    >>> records_of({"age": np.array([3, None], object), "big": np.array([True, False])}, 2)
    [{'age': 3, 'big': True}, {'big': False}]
    """
    made: list[dict[str, Any]] = [{} for _ in range(count)]
    for name, column in columns.items():
        for record, value in zip(made, column.tolist()):
            if value is not None:
                record[name] = value
    return made


def as_column(values: Any) -> np.ndarray:
    """Values as an array. A list that does not hold numbers alone becomes an array of objects, and
    so does a Vector that has no entry at some position: it has None there.
    """
    if isinstance(values, Vector):
        if values.nvals == values.size:
            return values.to_dense()
        index, found = values.to_coo()
        column = np.full(values.size, None, object)
        column[index] = found.tolist()
        return column
    if not isinstance(values, (list, tuple)):
        return on_host(values)
    if all(isinstance(x, (int, float, np.number, np.bool_)) for x in values):
        return on_host(values)
    return np.fromiter(values, object, len(values))
