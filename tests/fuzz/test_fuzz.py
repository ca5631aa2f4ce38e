"""A few seconds of `python -m tests.fuzz`: what was found before, and two seeds.

One seed is always the same, the other is new each time, and stands in the message of a failure.
"""

from __future__ import annotations

import os
import random
import secrets
import signal
import time

import pytest

from tests.fuzz import formulas, worker
from tests.fuzz.corpus import found
from tests.fuzz.targets import Target, targets

INPUTS = 120
"""Of each target, from each seed."""


@pytest.mark.parametrize("name", found())
def test_what_was_found_before(name: str) -> None:
    target, data, expected = found()[name]
    assert worker.checked(targets()[target].run, data) == expected


@pytest.mark.parametrize("name", targets())
def test_sound_inputs_are_read(name: str) -> None:
    if name != "formula":
        target = targets()[name]
        assert [worker.checked(target.run, seed) for seed in target.seeds] == [
            "read" for _ in target.seeds
        ]


@pytest.mark.parametrize("kind", ["fixed", "fresh"])
@pytest.mark.parametrize("name", targets())
def test_any_input_is_read_or_refused(name: str, kind: str) -> None:
    seed = "fixed" if kind == "fixed" else secrets.token_hex(4)
    print(f"seed {seed}")
    report = worker.campaign(name, targets()[name], seed, INPUTS)
    assert not report.findings, "\n".join(map(str, report.findings))
    assert report.outcomes.total() == INPUTS and {*report.outcomes} <= {"read", "refused"}
    if kind == "fixed":  # so mutations are neither all sound nor all hopeless
        assert {*report.outcomes} == {"read", "refused"}


@pytest.mark.parametrize("kind", ["fixed", "fresh"])
def test_formulas_are_the_same_in_all_lowerings(kind: str) -> None:
    seed = "fixed" if kind == "fixed" else secrets.token_hex(4)
    print(f"seed {seed}")
    operators = formulas.some(random.Random(seed), 40)
    formulas.by_compiler(operators)
    formulas.by_numba(operators[:4])


# --- the fuzzer says no --------------------------------------------------------------------------


def reads(data: bytes) -> str:
    """A target that goes wrong in a way of its own for each number."""
    match int(data) % 16:
        case 3:
            raise ZeroDivisionError("raw")
        case 5:
            os.kill(os.getpid(), signal.SIGKILL)
        case 7:
            while True:
                pass
        case 9:
            bytearray(worker.MEMORY * 2)
    return "read"


def test_what_goes_wrong_is_found_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "SECONDS", 0.2)
    monkeypatch.setattr(worker, "EVERY", 1)
    numbers = iter(range(16))
    made = Target(reads, [b""], lambda rng, seeds: b"%d" % rng.randrange(16))
    seed = next(s for s in map(str, numbers) if wanted(made, s))
    report = worker.campaign("x", made, seed, 40)
    kinds = {int(worker.drawn(made, "x", seed, f.number)): f.what for f in report.findings}
    assert report.outcomes.total() == 40 and {*kinds} == {3, 5, 7, 9}
    assert kinds[3].startswith("wrong: ZeroDivisionError: raw (test_fuzz.py")
    assert kinds[5] == "wrong: the process died with status -9"
    assert kinds[7].startswith("wrong: Late: not done after 0.2 s")
    assert kinds[9].startswith("wrong: MemoryError")


def wanted(target: Target, seed: str) -> bool:
    drawn = {int(worker.drawn(target, "x", seed, number)) for number in range(40)}
    return drawn >= {3, 5, 7, 9}


def test_a_worker_that_does_not_answer_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "ANSWER_SECONDS", 2.0)

    def deaf(data: bytes) -> str:
        if data == b"1":
            time.sleep(60)  # takes no time of a processor
        return "read"

    count = iter(range(100))
    report = worker.campaign(
        "x", Target(deaf, [b""], lambda rng, seeds: b"%d" % next(count)), "", 3
    )
    assert [str(f) for f in report.findings] == [
        "x, seed , input 1: wrong: it hangs, and was killed after 2 s"
    ]
