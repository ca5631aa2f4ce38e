"""A module changes with what its kernel rests on, and with nothing else; messages name the header's
lines all the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.simt import build
from tests.simt.device import EmulatedDevice
from tests.simt.emulator import CompileError, EmulationError

HEADER = """// Numbers.
#pragma once
struct Two { static __device__ int value() { return 2; } };
__device__ inline int three() { return 3; }
template <class T> __device__ inline T twice(T x) { return x * Two::value(); }
__device__ inline int twice(short x) { return 2 * x; }
__device__ inline Two operator+(Two x, Two) { return x; }

__device__ inline void past_the_end(int* a) {
    a[32] = 1;
}
"""
SOURCE = '#include "numbers.cuh"\n__global__ void k(int* a) {{ {} }}\n'


def text_of(folder: Path, header: str, body: str = "a[0] = twice(a[0]);") -> str:
    (folder / "numbers.cuh").write_text(header)
    return build.prepared_text(SOURCE.format(body), "k", (folder,))


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("// Numbers.", "// Numbers of\n// two kinds.\n", False),
        ("return 3;", "return 4;", False),
        ("// Numbers.", "__device__ inline int four() { return 4; }", False),
        ("return 2;", "return 5;", True),
        ("return 2 * x;", "return 3 * x;", True),  # an overload of what is called
        ("return x; }", "return Two(); }", True),  # an operator may be meant anywhere
        ("// Numbers.", "#define three two", True),
    ],
)
def test_what_a_module_rests_on(tmp_path: Path, old: str, new: str, changes: bool) -> None:
    before = text_of(tmp_path, HEADER)
    assert HEADER.count(old) == 1 and "three() {" not in before
    assert (text_of(tmp_path, HEADER.replace(old, new)) != before) == changes


def launched(folder: Path, header: str, body: str) -> None:
    (folder / "numbers.cuh").write_text(header)
    device = EmulatedDevice("check", folders=(folder,))
    device.compile(SOURCE.format(body), "k")(1, 32, (device.upload(np.zeros(32, np.int32)),))


@pytest.mark.parametrize("above", ["", "\n// A comment.\n\n"])
def test_messages_name_the_lines_of_headers(tmp_path: Path, above: str) -> None:
    line = 10 + above.count("\n")
    with pytest.raises(EmulationError, match=f"out-of-bounds write .* at numbers.cuh:{line}"):
        launched(tmp_path, above + HEADER, "past_the_end(a);")
    wrong = HEADER.replace("a[32] = 1", "a[32] = wrong")
    with pytest.raises(CompileError, match=f"numbers.cuh:{line}:.*wrong"):
        launched(tmp_path, above + wrong, "past_the_end(a);")
