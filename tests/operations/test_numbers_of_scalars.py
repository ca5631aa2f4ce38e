"""A scalar, and one entry of a vector, where Python asks for a number."""

from __future__ import annotations

import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import EmptyObject


@pytest.mark.parametrize("computed", [False, True])
def test_round_and_format(computed: bool) -> None:
    entry = lg.Vector.from_coo([0], [1.234], size=2, backend="cpu")[0]
    entry = entry.new() if computed else entry
    assert round(entry, 1) == 1.2
    assert type(round(entry)) is int
    assert f"{entry:.2f}" == "1.23"
    assert f"{entry}" == str(entry)


def test_a_scalar_without_a_number_is_not_formatted() -> None:
    entry = lg.Vector("FP64", 2, backend="cpu")[0].new()
    with pytest.raises(EmptyObject, match="expected a number to format"):
        f"{entry:.2f}"
    with pytest.raises(EmptyObject, match="expected a number to round"):
        round(entry)


def test_a_closure_takes_the_name_of_a_semiring() -> None:
    A = lg.Matrix.from_coo([0, 1], [1, 2], [2, 3], nrows=3, ncols=3, backend="cpu")
    x0 = lg.Vector.from_coo([0], [0], size=3, backend="cpu")
    assert lg.closure(x0, A, "min_plus").to_dense().tolist() == [0, 2, 5]
