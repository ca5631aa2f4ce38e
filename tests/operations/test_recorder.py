"""A recorder lists what is carried out while it records, and changes no answer."""

from __future__ import annotations

import random
import threading
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import InvalidValue
from tests.operations.test_drawn_programs import WHOLE, left, scene, statement

STATEMENTS = {
    "w << u": "w << u",
    "w(~u.V, replace) << A @ u": "w(~u.V, replace) << plus_times(A @ u)",
    "w(binary.min) << semiring.min_plus(A.T @ u)": "w(min) << min_plus(A.T @ u)",
    "w << u.ewise_union(w, 'minus', 1, 2)": "w << minus(u | w, 1, 2)",
    "w << binary.times(u & w)": "w << times(u & w)",
    "w << u.apply('minus', left=2)": "w << minus(2, u)",
    "w << u.apply('minus', right=2)": "w << minus(u, 2)",
    "w << -u": "w << ainv(u)",
    "w << (u > 1)": "w << gt(u, 1)",
    "w << u.select('>', 1)": "w << u.select(valuegt, 1)",
    "w[[0, 2]] << u[[2, 1]]": "w[[0, 2]] << u[[2, 1]]",
    "w[1] << 7": "w[1] << 7",
    "w[:] << 7": "w << 7",
    "w(u.S)[:2] << 7": "w(u.S)[[0, 1]] << 7",
    "w << A[0, :]": "w << A[0, :]",
    "w << A.reduce_rowwise('max')": "w << A.reduce_rowwise(max)",
    "s << u.reduce()": "s << u.reduce(plus)",
    "A << u.diag()": "A << u as diagonal",
    "w << A.diag()": "v << A.diag(0)",
    "A << A.T": "A << A.T",
    "A.kronecker(A).new(name='K')": "K << A.kronecker(A, times)",
    "w[range(9)] << 1": "w[9 positions] << 1",
}


def names(**sizes: int) -> dict[str, Any]:
    n = sizes.get("n", 3)
    return {
        "A": lg.Matrix.from_coo([0, 1, 2], [1, 2, 0], [5, 6, 7], nrows=n, ncols=n, name="A"),
        "u": lg.Vector.from_coo([0, 2], [1, 2], size=n, name="u"),
        "w": lg.Vector(int, n, name="w"),
        "s": lg.Scalar(int, name="s"),
        **{word: getattr(lg, word) for word in ("binary", "semiring", "replace")},
    }


@pytest.mark.parametrize("line", STATEMENTS)
def test_a_statement_is_written_as_in_a_program(line: str) -> None:
    with lg.backend("cpu"):
        held = names(n=12 if "range" in line else 3)
        with lg.Recorder() as recorder:
            exec(line, held)
    assert STATEMENTS[line] in recorder.data


def test_what_an_aggregator_is_made_of() -> None:
    with lg.backend("cpu"), lg.Recorder() as recorder:
        A = lg.Matrix.from_dense([[1, 2], [3, 4]])
        A.reduce_rowwise(lg.agg.mean).new(name="mean")
    assert len(recorder) > 1 and recorder.data[-1].startswith("mean << ")


def test_nothing_is_recorded_outside() -> None:
    with lg.backend("cpu"):
        v = lg.Vector.from_coo([0], [1], name="v")
        recorder = lg.Recorder(start=False)
        assert not recorder.is_recording
        v << v
        recorder.start()
        recorder.start()
        v << v
        with lg.Recorder() as inner:
            assert inner.is_recording and not recorder.is_recording
            v(accum="plus") << v
        assert recorder.is_recording and inner.data == ["v(plus) << v"]
        other = threading.Thread(target=lambda: v.dup(mask=v.S))
        other.start()
        other.join()
        recorder.stop()
        recorder.stop()
        v << v
    assert list(recorder) == ["v << v"] and len(recorder) == 1
    recorder.clear()
    assert not recorder.data


def test_what_is_shown() -> None:
    recorder = lg.Recorder(start=False, max_rows=4)
    recorder.data = [f"line {k}" for k in range(9)]
    shown = repr(recorder)
    assert shown.splitlines()[0] == "Recorder: not recording, 9 statements"
    assert [k for k in range(9) if f"line {k}" in shown] == [0, 1, 7, 8] and "5 more" in shown
    assert "line 7" in recorder._repr_html_()
    recorder.max_rows = None
    assert "line 4" in repr(recorder)
    recorder.max_rows = 1
    assert [k for k in range(9) if f"line {k}" in repr(recorder)] == [0]
    for wrong in (-1, "all"):
        with pytest.raises(InvalidValue):
            lg.Recorder(max_rows=wrong)


def test_recording_changes_nothing() -> None:
    with lg.backend("cpu"):
        for seed in range(10):
            rng = random.Random(seed)
            program = [statement(rng, WHOLE) for _ in range(20)]
            plain, recorded = scene(lg, seed), scene(lg, seed)
            with np.errstate(all="ignore"):
                for line in program:
                    exec(line, plain)
                with lg.Recorder() as recorder:
                    for line in program:
                        exec(line, recorded)
            assert left(plain) == left(recorded) and len(recorder) >= len(program)
