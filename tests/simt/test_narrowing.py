"""No kernel loses the upper half of a number of 64 bits without saying so.

A position of an entry may exceed 2³¹. So g++ compiles every kernel, in each of its variants, and
warns wherever an integer is converted implicitly to one that cannot hold it; an explicit cast says
that the number is known to fit.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import pytest

from tests import kernels
from tests.kernels import Unit
from tests.simt import build
from tests.simt.source import edited


def narrowed(*units: Unit) -> list[str]:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda unit: build.narrowed(*unit), units)
        return sorted(set(chain.from_iterable(found)))


def test_no_kernel_narrows_in_secret() -> None:
    assert narrowed(*kernels.units(kernels.everywhere())) == []


READS = "template <class Offset> __global__ void reads(const Offset* indptr, int* out) {{ {} }}"


@pytest.mark.parametrize(
    "statement",
    [
        "out[0] = indptr[1];",
        "const int first = indptr[0]; out[0] = first;",
        "int sum = 0; for (int i = 0; i < 9; ++i) sum += indptr[i]; out[0] = sum;",
        "out[0] = __shfl_sync(~0u, indptr[0], 0) - indptr[1];",
    ],
)
def test_narrowing_is_noticed(statement: str) -> None:
    source = READS.format(statement)
    (found,) = narrowed((source, ("reads<long long>",)))
    assert "source.cu:1" in found and "conversion from" in found
    assert narrowed((source, ("reads<int>",))) == []
    told = READS.format("out[0] = static_cast<int>(indptr[1]);")
    assert narrowed((told, ("reads<long long>",))) == []


@pytest.mark.parametrize(
    ("header", "entry", "position"),
    [
        ("spmv/pull.cuh", "typename S::Offset e = gather.indptr[j]", "int e = gather.indptr[j]"),
        ("matrix/relabel.cuh", "long long degree = entries_at(out, in, row)",
         "int degree = entries_at(out, in, row)"),
        ("spgemm/long_rows.cuh", "long long of_row = begin == 0", "int of_row = begin == 0"),
    ],
)  # fmt: skip
def test_a_kernel_that_narrows_is_noticed(header: str, entry: str, position: str) -> None:
    some = [kernel for kernel in kernels.everywhere() if kernel.header == header]
    with edited(header, entry, position):
        assert any(header in found for found in narrowed(*kernels.units(some)))
