"""Settings of the whole suite, and the two backends that every test may ask for."""

from __future__ import annotations

import gc
import os
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
settings.register_profile(
    "ci", derandomize=True, deadline=None, print_blob=True, suppress_health_check=SLOW
)
settings.register_profile("dev", deadline=None, print_blob=True, suppress_health_check=SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


collect_ignore = ["typed_page.py"]  # it is read by type checkers and never run


def pytest_collection_finish(session: pytest.Session) -> None:
    """The thirteen thousand tests stay, so the collector need not look at them again and again;
    forked processes share their memory."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The emulator's modules are kept, within limits; one process of several sees to it."""
    if not hasattr(session.config, "workerinput"):
        from tests.simt import build

        build.forget()


@pytest.fixture(scope="module", autouse=True)
def what_stays() -> None:
    """What earlier files have left, such as compiled kernels, stays too. Whenever garbage is
    collected, all of it would be looked through."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """SuiteSparse on one thread: the suite runs in several processes, and inputs are small."""
    import graphblas as gb

    gb.ss.config["nthreads"] = 1


@pytest.fixture
def heard_on_stderr(capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """What is said on stderr until it has the words of a pattern, or a minute is over."""

    def heard(words: str) -> str:
        err, until = "", time.monotonic() + 60
        while not re.search(words, err) and time.monotonic() < until:
            time.sleep(0.01)
            err += capsys.readouterr().err
        return err

    return heard


@pytest.fixture(params=["cpu", "gpu"])
def backend(request: pytest.FixtureRequest) -> Any:
    """Each backend in turn; "gpu" is the emulated device in check mode."""
    from tests import harness  # which loads both, so not before a test asks

    return {"cpu": harness.CPU, "gpu": harness.GPU}[request.param]
