"""The suite about itself: how many examples its property tests draw."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ENOUGH = 20_000


class Counting:
    """A plugin that adds up the examples of all collected property tests."""

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        total = 0
        for item in session.items:
            test = getattr(item, "function", None)
            if getattr(test, "is_hypothesis_test", False):
                chosen = getattr(test, "_hypothesis_internal_use_settings", None)
                total += 100 if chosen is None else chosen.max_examples
        print(f"\nproperty tests draw {total} examples")


def test_enough_examples_are_drawn() -> None:
    counted = subprocess.run(
        [sys.executable, "-m", "tests.test_suite"], cwd=Path(__file__).parents[1],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    line = next(row for row in counted.stdout.splitlines() if "property tests draw" in row)
    assert int(line.split()[3]) >= ENOUGH, line


if __name__ == "__main__":
    options = ["--collect-only", "-qq", "-p", "no:cacheprovider", "-n", "0", "tests"]
    sys.exit(pytest.main(options, plugins=[Counting()]))
