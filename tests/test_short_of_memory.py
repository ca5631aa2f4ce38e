"""Calls for which there is not enough memory: see `tests.short_of_memory`."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.test_architecture import ROOT


@pytest.mark.skipif(sys.platform != "linux", reason="limits of the address space are Linux's")
@pytest.mark.parametrize("factor", [4, pytest.param(1.1, marks=pytest.mark.exhaustive)])
def test_each_call_gives_the_right_answer_or_our_error(factor: float) -> None:
    words = [sys.executable, "-m", "tests.short_of_memory", str(factor)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=3600)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    refusals = [int(line.split("refused ")[1].split()[0]) for line in done.stdout.splitlines()]
    assert len(refusals) > 60 and sum(refusals) > 2 * len(refusals), done.stdout
