"""Where other people's graphs are: ``../shared/data`` from the project's root, or LAGRAPH_DATA."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("LAGRAPH_DATA", ROOT.parent / "shared" / "data"))


def shared(name: str = "") -> Path:
    """A path in the shared data; without the folder the test is skipped, in CI it fails."""
    if not DATA.is_dir():
        reason = f"no folder {DATA}; set LAGRAPH_DATA to where the shared graphs are"
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return DATA / name
