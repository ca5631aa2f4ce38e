"""Programs of several statements: an update that waits, and what it is fused with, changes nothing.

A program is a sequence of updates on a handful of vectors, with masks, accumulators, replace,
regions, products, copies, swaps and looks in between, which may be operands, mask and output at
once. It must leave the same on a GPU backend that lets updates wait, on one that does not, on the
CPU, and by the specification. Programs come from a fixed list, since each formula is compiled; the
data is free.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lagraph_gpu.gpu.backend import GpuBackend
from semirings import BINARY, INDEXUNARY, MONOIDS, SEMIRINGS, UNARY
from semirings.types import BOOL, FP64, INT8, INT32
from tests import spec
from tests.harness import CPU, DEVICE, GPU, complaint, put, reseed, take
from tests.spec import Mask, Sparse
from tests.strategies import examples, matrices, seeds, vectors

BLOCKING = GpuBackend(DEVICE, blocking=True)
BACKENDS = {"cpu": CPU, "waiting": GPU, "blocking": BLOCKING}
TYPES = (INT32, INT32, FP64, FP64, INT8)
OPS = [BINARY[n] for n in ("plus", "minus", "times", "max", "first", "ge", "rminus")]
ACCUMS = [BINARY[n] for n in ("plus", "min", "second", "minus")]
ALONE = [UNARY[n] for n in ("abs", "ainv", "identity", "positioni")]
RINGS = {INT32: "plus_times", FP64: "min_plus", INT8: "max_plus"}
FOLDS = {INT32: "plus", FP64: "max", INT8: "min"}

State = list[Any]
"""The vectors of a program: of handles, or of the specification's dicts; the last is a matrix."""


@dataclass(frozen=True)
class Right:
    """The right side of an update: by handles, and by the specification."""

    text: str
    build: Callable[[State], Any]
    means: Callable[[State], Sparse]


@dataclass(frozen=True)
class Step:
    """One update, or something else done to the state; what ``see`` returns is compared."""

    text: str
    carry_out: Callable[[State], Any]
    means: Callable[[State], Any]


def right_side(rng: random.Random) -> Right:
    x, y = rng.randrange(5), rng.randrange(5)
    op, number = rng.choice(OPS), rng.choice([0, 1, 3])
    kinds = "add", "mult", "union", "alone", "bound", "index", "fill", "product", "select"
    match rng.choice(kinds):
        case "add":
            return Right(f"{op.name}(v{x} | v{y})", lambda v: op(v[x] | v[y]),
                         lambda s: spec.ewise_add(s[x], s[y], op))  # fmt: skip
        case "mult":
            return Right(f"{op.name}(v{x} & v{y})", lambda v: op(v[x] & v[y]),
                         lambda s: spec.ewise_mult(s[x], s[y], op))  # fmt: skip
        case "union":
            meet = op.meet(TYPES[x], TYPES[y]).type
            a, b = meet(number), meet(1)
            return Right(f"{op.name}(v{x} | v{y}, {a}, {b})",
                         lambda v: v[x].ewise_union(v[y], op, a, b),
                         lambda s: spec.ewise_union(s[x], s[y], op, a, b))  # fmt: skip
        case "alone":
            one = rng.choice(ALONE)
            return Right(f"{one.name}(v{x})", lambda v: v[x].apply(one),
                         lambda s: spec.apply(s[x], one))  # fmt: skip
        case "bound":
            side = {rng.choice(["left", "right"]): TYPES[x].type(number)}
            return Right(f"{op.name}(v{x}, {side})", lambda v: v[x].apply(op, **side),
                         lambda s: spec.apply_bound(s[x], op, **side))  # fmt: skip
        case "index":
            place = INDEXUNARY["rowindex"]
            given, thunk = ({}, 0) if rng.random() < 0.5 else ({"right": number}, number)
            return Right(f"rowindex(v{x}, {given})", lambda v: v[x].apply(place, **given),
                         lambda s: spec.apply_index(s[x], place, thunk))  # fmt: skip
        case "fill":
            value = TYPES[x].type(number)
            return Right(f"{value!r}", lambda v: value, lambda s: spec.fill(value, s[0].shape))
        case "product":
            ring = SEMIRINGS[RINGS[TYPES[x]]]
            return Right(f"{ring.name}(A @ v{x})", lambda v: ring(v[5] @ v[x]),
                         lambda s: spec.mxv(s[5], s[x], ring)[0])  # fmt: skip
    keep, thunk = INDEXUNARY["valuegt"], TYPES[x].type(number)
    return Right(f"v{x}.select('>', {thunk})", lambda v: v[x].select(keep, thunk),
                 lambda s: spec.select(s[x], keep, thunk))  # fmt: skip


def update(rng: random.Random) -> Step:
    """Most have no mask, so that they may wait."""
    side, out = right_side(rng), rng.randrange(5)
    accum = rng.choice([None, None, *ACCUMS])
    masked, of, replace = rng.random() < 0.25, rng.randrange(5), rng.random() < 0.5
    structure, complement = rng.random() < 0.5, rng.random() < 0.5

    def carry_out(v: State) -> None:
        mask = None
        if masked:
            mask = v[of].S if structure else v[of].V
            mask = ~mask if complement else mask
        v[out](mask=mask, accum=accum, replace=masked and replace) << side.build(v)

    def means(s: State) -> None:
        mask = Mask(s[of], structure, complement) if masked else None
        s[out] = spec.write(s[out], side.means(s), mask, accum, replace)

    settings = f"{'~' * complement}v{of}.{'S' if structure else 'V'}, {replace}, " * masked
    name = "" if accum is None else accum.name
    return Step(f"v{out}({settings}{name}) << {side.text}", carry_out, means)


def other(rng: random.Random) -> Step:
    """A look, a copy, a swap, a part that is written."""
    x, y = rng.choice([(0, 1), (1, 0), (2, 3), (3, 2), (4, 4)])
    match rng.choice(["fold", "get", "nvals", "dup", "swap", "clear", "part"]):
        case "fold":
            monoid = MONOIDS[FOLDS[TYPES[x]]]
            return Step(f"{monoid.name} of v{x}", lambda v: v[x].reduce(monoid).new().value,
                        lambda s: spec.reduce(s[x], monoid)[0])  # fmt: skip
        case "get":
            return Step(f"v{x}[-1]", lambda v: v[x].get(v[x].size - 1),
                        lambda s: s[x].entries.get(s[x].shape[0] - 1))  # fmt: skip
        case "nvals":
            return Step(f"v{x}.nvals", lambda v: v[x].nvals, lambda s: len(s[x].entries))
        case "dup":

            def dup(v: State) -> None:
                v[x] = v[y].dup()

            def same(s: State) -> None:
                s[x] = s[y]

            return Step(f"v{x} = v{y}.dup()", dup, same)
        case "swap":

            def swap(v: State) -> None:
                v[x], v[y] = v[y], v[x]

            return Step(f"v{x}, v{y} = v{y}, v{x}", swap, swap)
        case "clear":

            def clear(s: State) -> None:
                s[x] = Sparse(s[x].dtype, s[x].shape)

            return Step(f"v{x}.clear()", lambda v: v[x].clear(), clear)

    def write(v: State) -> None:
        v[x][[0]] << 3

    def part(s: State) -> None:
        s[x] = spec.write(s[x], spec.fill(s[x].dtype.type(3), (1,)), region=([0],))

    return Step(f"v{x}[[0]] << 3", write, part)


def program(seed: int) -> tuple[Step, ...]:
    rng = random.Random(seed)
    length = rng.randrange(3, 9)
    return tuple((update if rng.random() < 0.7 else other)(rng) for _ in range(length))


PROGRAMS = [program(seed) for seed in range(30)]


def run(steps: tuple[Step, ...], start: State, backend: Any) -> tuple[list[Any], list[Sparse]]:
    """What was seen, and what is left."""
    held = [put(s, backend) for s in start]
    seen = [step.carry_out(held) for step in steps]
    return seen, [take(v) for v in held[:-1]]


def meaning(steps: tuple[Step, ...], start: State) -> tuple[list[Any], list[Sparse]]:
    held = list(start)
    seen = [step.means(held) for step in steps]
    return seen, held[:-1]


@examples(150)
@given(data=st.data(), steps=st.sampled_from(PROGRAMS), seed=seeds)
def test_waiting_changes_nothing(data: Any, steps: tuple[Step, ...], seed: int) -> None:
    size = data.draw(st.sampled_from([1, 2, 31, 33, 70]))
    start = [data.draw(vectors(dtype, size)) for dtype in TYPES]
    start.append(data.draw(matrices(BOOL, (size, size))))
    seen, left = meaning(steps, start)
    reseed(seed)
    for name, backend in BACKENDS.items():
        got, found = run(steps, start, backend)
        text = "\n".join(step.text for step in steps)
        for step, mine, right in zip(steps, got, seen, strict=True):
            same = mine is right or (mine is not None and spec.same(mine, right))
            assert same, f"{name}: {mine} for {right} at {step.text} in\n{text}"
        for k, (mine, right) in enumerate(zip(found, left, strict=True)):
            wrong = complaint(mine, [right])
            assert not wrong, f"{name}: v{k}: {wrong}\n{text}"


def test_the_programs_let_something_wait() -> None:
    """Else this would test nothing: most programs launch fewer kernels if updates may wait."""
    saved = 0
    for steps in PROGRAMS:
        start = [Sparse(t, (33,), {3: t.type(1), 9: t.type(2)}) for t in TYPES]
        start.append(Sparse(BOOL, (33, 33), {(3, 9): BOOL.type(True)}))
        launches = []
        for backend in (BLOCKING, GPU):
            before = DEVICE.launches
            run(steps, start, backend)
            launches.append(DEVICE.launches - before)
        saved += launches[1] < launches[0]
    assert saved > len(PROGRAMS) // 3
