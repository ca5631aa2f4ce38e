"""What Hypothesis draws: types, values, vectors, matrices, masks, statements, schedules, graphs.

Data is drawn freely; the *algebra* of what runs on the emulated GPU comes from a fixed list, since
each new combination of kernel, operator and types costs a compilation. The CPU backend needs none,
so for it the whole catalogue is drawn.

A strategy is made once and kept: Hypothesis looks through each new one, which took longer than to
draw from it.

``LAGRAPH_EXAMPLES=10`` draws ten times as many examples.
"""

from __future__ import annotations

import functools
import os
import random
from contextlib import suppress
from itertools import product
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.schedule import DIRECTIONS, FIELDS, Schedule
from semirings import BINARY, MONOIDS, SEMIRINGS, types
from tests import graphs
from tests.spec import Mask, Sparse

FACTOR = float(os.environ.get("LAGRAPH_EXAMPLES", "0.7"))
"""The everyday suite draws this part of the examples, `make thorough` twice their number."""


def examples(count: int) -> settings:
    """So many examples, at the factor in force."""
    return settings(max_examples=max(1, round(count * FACTOR)))


# --- values and containers ---------------------------------------------------------------------

SIZES = (0, 1, 2, 3, 5, 31, 32, 33, 64, 70)
SMALL_SIZES = (0, 1, 2, 3, 5, 8, 33)
dtypes = st.sampled_from(types.ALL)


def edge_values(dtype: Any) -> list[Any]:
    """Values at which something changes: ends of the type, zeros, infinities, NaN."""
    if dtype.kind == "b":
        return [False, True]
    if dtype.kind == "c":
        return [0, *mild_values(dtype), 1 + 1j, 0.5 - 3j]
    if dtype.kind == "f":
        tiny = float(np.finfo(dtype).smallest_subnormal)
        return [0.0, -0.0, 1.0, -1.5, 2.0, 3.0, 1e30, tiny, np.inf, -np.inf, np.nan]
    low, high = types.lowest(dtype), types.highest(dtype)
    return sorted({low, low + 1, 0, 1, 2, 3, 5, high // 2, high - 1, high})


def mild_values(dtype: Any) -> list[Any]:
    """Powers of two, whose sums, products and quotients are exact in every order."""
    if dtype.kind == "b":
        return [False, True]
    if dtype.kind == "c":
        return [1, 2, -1, 1j, -2j]
    return [0, 1, 2, 4] + ([-1, -2] if dtype.kind != "u" else [])


booleans = st.booleans()
up_to_2, up_to_3 = st.integers(0, 2), st.integers(0, 3)
kept_choice = functools.cache(st.sampled_from)
"""For options that can be hashed: the strategy of the same options is made once."""


@functools.cache
def values(dtype: Any, mild: bool) -> st.SearchStrategy[Any]:
    return st.sampled_from([dtype.type(v) for v in (mild_values if mild else edge_values)(dtype)])


@functools.cache
def _filled(dtype: Any, size: int, mild: bool) -> st.SearchStrategy[list[Any]]:
    """A value for each position."""
    return st.lists(values(dtype, mild), min_size=size, max_size=size)


@functools.cache
def _positions(size: int) -> st.SearchStrategy[list[int]]:
    """A few; those at the ends of words of the bitmap are likely."""
    ends = sorted({0, size - 1, min(31, size - 1), min(32, size - 1)})
    keys = st.sampled_from(ends) | st.integers(0, size - 1)
    return st.lists(keys, max_size=min(size, 14), unique=True)


@functools.cache
def _places(rows: int, columns: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    """A few of a matrix."""
    keys = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    return st.lists(keys, max_size=18, unique=True)


def _entries(draw: Any, keys: Any, dtype: Any, mild: bool) -> dict[Any, Any]:
    few = draw(keys)
    if draw(up_to_3) == 0:  # one value for all
        return dict.fromkeys(few, draw(values(dtype, mild)))
    return {p: draw(values(dtype, mild)) for p in few}


@functools.cache
@st.composite
def vectors(draw: Any, dtype: Any, size: int, mild: bool = False) -> Sparse:
    """From empty to full; an entry at each end of a word of the bitmap is likely."""
    if size == 0:
        return Sparse(dtype, (0,))
    if draw(up_to_3) == 0:
        return Sparse(dtype, (size,), dict(enumerate(draw(_filled(dtype, size, mild)))))
    return Sparse(dtype, (size,), _entries(draw, _positions(size), dtype, mild))


_hubs = st.sampled_from(["none", "none", "row", "column"])


@functools.cache
@st.composite
def matrices(draw: Any, dtype: Any, shape: tuple[int, int], mild: bool = False) -> Sparse:
    """Sparse, or with one full row or column (a hub)."""
    rows, columns = shape
    if 0 in shape:
        return Sparse(dtype, shape)
    entries = _entries(draw, _places(rows, columns), dtype, mild)
    hub = draw(_hubs)
    if hub == "row":
        i, value = draw(st.integers(0, rows - 1)), draw(values(dtype, mild))
        entries = {(i, j): value for j in range(columns)} | entries
    if hub == "column":
        j, value = draw(st.integers(0, columns - 1)), draw(values(dtype, mild))
        entries = {(i, j): value for i in range(rows)} | entries
    return Sparse(dtype, shape, entries)


# --- how a statement is made -------------------------------------------------------------------


def allowed_schedules(**fixed: Any) -> list[Schedule]:
    """Every combination of fields that is allowed, with some of them fixed."""
    names = [name for name in FIELDS if name not in fixed]
    found = []
    for values_ in product(*((None, *FIELDS[name]) for name in names)):
        with suppress(InvalidValue):
            found.append(Schedule(**fixed, **dict(zip(names, values_))))
    return found


BY_ROUNDS = {
    direction: allowed_schedules(order=None, direction=direction)
    for direction in (None, *DIRECTIONS)
}
schedules = st.none() | st.sampled_from([*BY_ROUNDS]).flatmap(
    lambda direction: st.sampled_from(BY_ROUNDS[direction])
)
few_schedules = st.none() | st.sampled_from(
    [s for some in BY_ROUNDS.values() for s in some if s == Schedule(s.direction, s.balance)]
)
"""Directions and balances: where many algebras are drawn, each with kernels to compile."""
orders = st.sampled_from(
    [lg.Schedule(order="rounds"), lg.Schedule(order="delta"), lg.Schedule("push", order="delta")]
    + [lg.Schedule(order="delta", width=width) for width in (0.5, 3, float("inf"))]
)
"""For semirings that are ordered, where nothing bounds the rounds."""
seeds = st.integers(0, 2**20)
MASK_KINDS = ("none", "structure", "value", "not structure", "not value")
mask_kinds = st.sampled_from(MASK_KINDS)


@functools.cache
def _region(size: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, max(size - 1, 0)), max_size=min(size, 9), unique=True)


@functools.cache
@st.composite
def regions(draw: Any, size: int) -> list[int] | None:
    """None (all), or different positions in any order, perhaps none."""
    if draw(booleans):
        return None
    return draw(_region(size)) if size else []


def needs_mild(monoid: Any, dtype: Any) -> bool:
    """Does the order in which a fold goes show in its result? Then values must be mild."""
    return types.rounds(dtype) and monoid.name in ("plus", "times")


def containers(dtype: Any, shape: tuple[int, ...], mild: bool = False) -> Any:
    """Vectors or matrices of a shape."""
    if len(shape) == 1:
        return vectors(dtype, shape[0], mild)
    return matrices(dtype, (shape[0], shape[1]), mild)


@functools.cache
def _masks(dtypes: tuple[Any, ...], shape: tuple[int, ...]) -> Any:
    """Containers of a shape, of one of these types."""
    return st.sampled_from(dtypes).flatmap(lambda dtype: containers(dtype, shape))


@st.composite
def writes(
    draw: Any, dtype: Any, shape: tuple[int, ...], *operands: Sparse, accum: Any = None,
    mask_types: Any = types.ALL, mild: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """The rest of a statement: an output, its mask, accumulator, replace and a schedule.

    The output may be one of the operands, and the mask one of them or the output.
    """
    fitting = [s for s in operands if s.shape == shape]
    same = [s for s in fitting if s.dtype == dtype]
    out = draw(containers(dtype, shape, mild))
    if same and draw(up_to_2) == 0:
        out = draw(st.sampled_from(same))
    kind, mask = draw(mask_kinds), None
    if kind != "none":
        of = draw(_masks(tuple(mask_types), shape))
        if draw(up_to_3) == 0:
            of = draw(st.sampled_from([out, *fitting]))
        mask = Mask(of, "structure" in kind, "not" in kind)
    return {
        "out": out,
        "mask": mask,
        "accum": draw(kept_choice((None, accum))),
        "replace": draw(booleans),
        "schedule": draw(few_schedules),
    }


# --- algebras ----------------------------------------------------------------------------------

ACCUMS = tuple(BINARY[n] for n in ("plus", "min", "second", "minus", "first", "max", "times"))


def real(op: Any) -> list[Any]:
    """The types of real numbers for which an operator is defined."""
    return [d for d in op.domain if d in types.ALL]


def alike(op: Any) -> list[Any]:
    """The types for which libraries agree to the last bit: complex powers and quotients round."""
    undefined = types.COMPLEX if getattr(op, "multiply", op).name in UNLIKE else ()
    return [d for d in op.domain if d not in undefined]


def accums(dtype: Any) -> list[Any]:
    """Accumulators for outputs of a type."""
    return [op for op in ACCUMS if dtype in op.domain]


UNLIKE = ("pow", "rpow", "cdiv", "rdiv", "truediv", "rtruediv", "minv", "isclose")

Algebra = tuple[Any, Any, Any, Any, Any]
"""(semiring, the vector's type, the matrix' type, the output's type, an accumulator)."""


def algebras(count: int, seed: int = 1) -> list[Algebra]:
    """A fixed choice that meets every monoid and every type, and mixes types now and then."""
    rng = random.Random(seed)
    by_monoid: dict[str, list[Any]] = {}
    for semiring in SEMIRINGS.values():
        by_monoid.setdefault(semiring.monoid.name, []).append(semiring)
    chosen: list[Algebra] = []
    wanted = list(types.ALL)
    names = sorted(by_monoid)
    while len(chosen) < count:
        semiring = rng.choice(by_monoid[names[len(chosen) % len(names)]])
        possible = [d for d in wanted if d in semiring.domain] or real(semiring)
        u = rng.choice(possible)
        wanted = [d for d in wanted if d != u] or list(types.ALL)
        mixed = [d for d in types.ALL if types.unify(u, d) in semiring.domain]
        a = rng.choice(mixed) if rng.random() < 0.3 else u
        z = semiring.output(u, a)
        out = rng.choice(types.ALL) if rng.random() < 0.3 else z
        chosen.append((semiring, u, a, out, rng.choice(ACCUMS)))
    return chosen


_semirings = st.sampled_from([*SEMIRINGS.values()])


@st.composite
def whole_catalogue(draw: Any) -> Algebra:
    """Any semiring of the catalogue, with any types it admits."""
    semiring = draw(_semirings)
    u = draw(kept_choice(tuple(alike(semiring))))
    mixed = [d for d in types.ALL if types.unify(u, d) in semiring.domain]
    a = draw(st.just(u) | kept_choice(tuple(mixed)))
    out = draw(st.just(semiring.output(u, a)) | dtypes)
    return semiring, u, a, out, draw(kept_choice(tuple(accums(out))))


def monoid_types() -> list[tuple[Any, Any]]:
    """Every monoid on every type that it folds to itself."""
    return [(m, d) for m in MONOIDS.values() for d in m.domain if m.output(d) == d]


# --- graphs ------------------------------------------------------------------------------------


_sizes = st.sampled_from([1, 2, 3, 4, 6, 9, 33, 65])
_digits = st.integers(0, 9)


@functools.cache
def _pairs(n: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    """Edges between some of so many vertices."""
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    return st.lists(pairs, max_size=30, unique=True)


@st.composite
def random_graphs(draw: Any, dtype: str = "INT64", weights: Any = None) -> graphs.Example:
    """A few vertices, any edges, both kinds of direction."""
    n, directed = draw(_sizes), draw(booleans)
    drawn = draw(_pairs(n))
    if not directed:
        drawn = sorted({(min(p), max(p)) for p in drawn})
    weights = _digits if weights is None else weights
    edges = tuple((u, v, draw(weights)) for u, v in drawn)
    return graphs.Example("drawn", "whatever it finds", n, edges, directed, dtype)


@functools.cache
def any_graph(dtype: str = "INT64") -> st.SearchStrategy[graphs.Example]:
    """One of the battery's small graphs, or a drawn one."""
    return st.sampled_from(graphs.SMALL) | random_graphs(dtype)


some_graphs: st.SearchStrategy[graphs.Example] = any_graph() | st.just(graphs.EMPTY)
