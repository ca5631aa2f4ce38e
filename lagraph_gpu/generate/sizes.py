"""Sizes of graphs that are made: what is checked of them, and the parts that they are made in."""

from __future__ import annotations

import operator
from collections.abc import Iterator

from lagraph_gpu.convert.edge_list import MAX_VERTICES, needs_64_bits
from lagraph_gpu.convert.ids import LARGER_GRAPHS
from lagraph_gpu.errors import InvalidValue, TooLarge, brief, grouped
from lagraph_gpu.memory import expect_room

CHUNK = 1 << 15
"""The number of values computed at a time: the arrays of a chunk fit into the second-level
cache."""

EDGE_BYTES = 40
"""What an edge takes at most while a graph is made."""


def count_of(value: int, name: str) -> int:
    """The value as an int. Raises InvalidValue if it is not an integer of at least 0."""
    try:
        number = operator.index(value)
    except TypeError:
        raise InvalidValue(f"expected {name} as an integer, got {brief(value)}") from None
    if number < 0:
        raise InvalidValue(f"expected {name} of at least 0, got {brief(number)}")
    return number


def check_ids(n: int, large_graphs: bool = False) -> int:
    """Raises TooLarge if so many vertices need ids of 64 bits and a backend has none:
    `Backend.large_graphs`."""
    if needs_64_bits(n) and not large_graphs:
        raise TooLarge(
            f"{grouped(n)} vertices; ids are 32 bits wide, so at most {MAX_VERTICES:,} fit; make a "
            f"smaller graph, or {LARGER_GRAPHS}"
        )
    return n


def expect_room_for_edges(nedges: int, what: str, more: int = 0) -> None:
    """Raises TooLarge, before anything is made, if so many edges do not fit into memory."""
    expect_room(
        EDGE_BYTES * nedges + more, f"{what} of {grouped(nedges)} edges", "make a smaller one"
    )


def chunks(count: int) -> Iterator[slice]:
    """The slices of at most CHUNK values, of so many in all."""
    for begin in range(0, count, CHUNK):
        yield slice(begin, min(begin + CHUNK, count))


def numbers_of_part(count: int, part: tuple[int, int]) -> range:
    """The numbers of a part, of so many in all."""
    number, parts = part
    return range(count * number // parts, count * (number + 1) // parts)
