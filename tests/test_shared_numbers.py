"""Numbers that the host and a header both state are the same."""

from __future__ import annotations

import re
from pathlib import Path

import lagraph_gpu
from lagraph_gpu.gpu.spgemm.matrix_products import Kind
from lagraph_gpu.gpu.vector import write_rules

CUDA = Path(lagraph_gpu.__file__).parent / "gpu/cuda"


def enumerators(text: str, name: str) -> list[str]:
    """The names of an enumeration that counts from 0."""
    found = re.search(rf"struct {name} \{{\s*enum Of : Index \{{([^}}]*)\}}", text)
    assert found is not None
    names = [part.strip() for part in found[1].split(",")]
    assert all(re.fullmatch(r"\w+", part) for part in names)
    return names


def test_the_kinds_of_rows_are_those_of_the_kernels() -> None:
    text = (CUDA / "spgemm/row_kinds.cuh").read_text(encoding="utf-8")
    assert enumerators(text, "RowKind") == [*Kind.__members__, "COUNT"]
    assert [*Kind] == [*range(len(Kind))]
    swapped = text.replace("WINDOWED, SORTED", "SORTED, WINDOWED")
    assert enumerators(swapped, "RowKind") != [*Kind.__members__, "COUNT"]


def test_what_becomes_of_old_entries_has_the_numbers_of_the_kernel() -> None:
    text = (CUDA / "vector/elementwise.cuh").read_text(encoding="utf-8")
    stated = re.findall(r"\b(KEPT|IGNORED) = (\d+)", text)
    assert [(name, int(number)) for name, number in stated] == [
        ("KEPT", write_rules.KEPT), ("IGNORED", write_rules.IGNORED)
    ]  # fmt: skip
