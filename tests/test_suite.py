"""The suite about itself: how many examples its property tests draw."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

ENOUGH = 20_000
HERE = Path(__file__).parent
OF_THE_PAGES = HERE / "test_site.py"
"""It draws nothing, and CI runs it by itself when it has built the documentation."""


def drawn_by(items: Iterable[Any]) -> int:
    """How many examples these tests draw."""
    total = 0
    for item in items:
        test = getattr(item, "function", None)
        if getattr(test, "is_hypothesis_test", False):
            chosen = getattr(test, "_hypothesis_internal_use_settings", None)
            total += 100 if chosen is None else chosen.max_examples
    return total


class Counting:
    """A plugin that says how many examples all collected tests draw."""

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        print(f"\nproperty tests draw {drawn_by(session.items)} examples")


def collected_anew() -> int:
    """What another process collects."""
    counted = subprocess.run(
        [sys.executable, "-m", "tests.test_suite"], cwd=HERE.parent,
        capture_output=True, text=True, timeout=1200,
    )  # fmt: skip
    line = next(row for row in counted.stdout.splitlines() if "property tests draw" in row)
    return int(line.split()[3])


def test_enough_examples_are_drawn(request: pytest.FixtureRequest) -> None:
    """Where a part of the suite runs, another process collects all of it, which takes a while."""
    items = request.session.items
    whole = {item.path for item in items} >= set(HERE.rglob("test_*.py")) - {OF_THE_PAGES}
    assert (drawn_by(items) if whole else collected_anew()) >= ENOUGH


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m tests.test_suite", description=__doc__).parse_args()
    options = ["--collect-only", "-qq", "-p", "no:cacheprovider", "-n", "0", "tests"]
    sys.exit(pytest.main(options, plugins=[Counting()]))
