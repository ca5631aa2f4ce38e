"""The kernels of the project, as the NVRTC gate compiles them.

``everywhere()``: each kernel with each way of walking, for a handful of algebras that differ in what
kernels branch on (width and kind of the type, native atomics or not, `any`, a terminal, 64-bit
offsets). They are compiled for every architecture we support.

``every_algebra()``: each semiring of the catalogue for each type of its domain, in the kernel that
holds all of its functions, and each other operator in its own; for one architecture.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lagraph_gpu.gpu import lower
from lagraph_gpu.gpu.module import Program
from semirings import BINARY, INDEXUNARY, MONOIDS, SEMIRINGS, UNARY, types
from semirings.types import ALL, BOOL, FP32, FP64, INT8, INT16, INT32, INT64, UINT64

Source = tuple[str, str]

PUSH = [f"push<Semiring, {rows}>" for rows in ("ThreadPerVertex", "WarpPerVertex", "SearchEdges")]
PULL = [f"pull<Semiring, {rows}>" for rows in ("ThreadPerRow", "WarpPerRow")]
SOURCES = ("EwiseAdd", "EwiseMult", "EwiseUnion", "Apply", "Fill", "Pick")

ALGEBRAS = [
    ("any_secondi", INT64, INT8, INT32),
    ("any_pair", BOOL, BOOL, INT64),
    ("min_plus", FP32, FP32, INT32),
    ("min_plus", INT64, INT32, INT64),
    ("max_min", FP64, FP64, INT32),
    ("plus_times", FP32, FP32, INT32),
    ("plus_times", INT16, INT16, INT32),
    ("times_times", INT8, INT8, INT32),
    ("times_plus", FP64, FP64, INT32),
    ("lor_land", BOOL, BOOL, INT32),
    ("bxor_band", UINT64, UINT64, INT32),
]


def _source(header: str, algebra: str, name: str) -> Source:
    return Program(header, algebra, name).source, name


def everywhere() -> Iterator[Source]:
    for name, u, a, offset in ALGEBRAS:
        for left in (True, False):
            algebra = lower.semiring_struct(SEMIRINGS[name], u, a, offset, left)
            for kernel in PUSH if left else PULL:
                yield _source(f"{kernel[:4]}.cuh", algebra, kernel)
    for offset in (INT32, INT64):
        c = types.c_name(offset)
        yield _source("compact.cuh", "", f"compact<{c}>")
        yield _source("entries.cuh", "", f"count_columns<{c}>")
        for dtype in (BOOL, INT16, FP32, FP64):
            yield _source("entries.cuh", "", f"move_transposed<{c}, {types.c_name(dtype)}>")
        for left in (True, False):
            algebra = lower.scaling_struct(SEMIRINGS["min_plus"], FP32, FP32, offset, left)
            for kernel in ("mark_entries<Entry>", "move_entries<Entry>"):
                yield _source("entries.cuh", algebra, kernel)
    for dtype in (BOOL, INT8, INT64, FP32, FP64):
        yield _source("elementwise.cuh", "", f"truth<{types.c_name(dtype)}>")
        yield _source("reduce.cuh", lower.monoid_struct(MONOIDS["min"], dtype), "reduce<Monoid>")
        op = lower.ewise_struct(BINARY["max"], dtype, dtype)
        for accum in (None, BINARY["plus"]):
            algebra = op + lower.accum_struct(accum, dtype, dtype)
            for source in SOURCES:
                yield _source("elementwise.cuh", algebra, _elementwise(source))


def every_algebra() -> Iterator[Source]:
    for name, semiring in SEMIRINGS.items():
        for dtype in semiring.domain:
            algebra = lower.semiring_struct(semiring, dtype, dtype, INT32, True)
            kernel = PUSH[0] if name.startswith("any_") else PULL[0]
            yield _source(f"{kernel[:4]}.cuh", algebra, kernel)
    for monoid in MONOIDS.values():
        for dtype in monoid.domain:
            if monoid.output(dtype) == dtype:
                yield _source("reduce.cuh", lower.monoid_struct(monoid, dtype), "reduce<Monoid>")
    for unary in UNARY.values():
        for dtype in unary.domain:
            yield _apply(lower.apply_struct(unary, dtype, dtype, False), unary.output(dtype))
    for binary in BINARY.values():
        for dtype in binary.domain:
            result = binary.unified(dtype, dtype)
            algebra = lower.ewise_struct(binary, dtype, dtype)
            algebra += lower.accum_struct(None, result, result)
            yield _source("elementwise.cuh", algebra, _elementwise("EwiseMult"))
    for select in INDEXUNARY.values():
        if select.result != "bool":
            continue
        for dtype in select.domain:
            algebra = lower.select_struct(select, dtype, select.thunk or dtype)
            algebra += lower.accum_struct(None, dtype, dtype)
            yield _source("elementwise.cuh", algebra, _elementwise("Select"))


def _apply(algebra: str, result: np.dtype) -> Source:
    accum = lower.accum_struct(None, result, result)
    return _source("elementwise.cuh", algebra + accum, _elementwise("Apply"))


def _elementwise(source: str) -> str:
    return f"elementwise<{source}<Op>, Op, Accum>"


assert set(ALL) >= {dtype for row in ALGEBRAS for dtype in row[1:]}
