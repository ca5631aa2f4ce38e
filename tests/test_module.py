"""The cache of compiled modules: whole files or none, damaged ones made anew."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pytest

from lagraph_gpu.gpu.device import module
from lagraph_gpu.gpu.device.module import DAYS, cache_folder, cached

CUBIN, NAME = b"\x7fELF\n of \x00 lines \n", "_Z4pullv"


class Compiler:
    """Makes the module, and counts how often it had to."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> tuple[bytes, str]:
        self.times += 1
        return CUBIN, NAME


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LAGRAPH_GPU_CACHE", str(tmp_path / "modules"))
    return tmp_path / "modules"


def test_made_once(folder: Path) -> None:
    make = Compiler()
    assert [cached(("a", 1), make) for _ in range(3)] == [(CUBIN, NAME)] * 3
    assert make.times == 1 and len([*folder.iterdir()]) == 1
    assert cached(("a", 2), make) == (CUBIN, NAME)
    assert make.times == 2 and len([*folder.iterdir()]) == 2


def test_what_nobody_uses_goes(folder: Path) -> None:
    make, long_ago = Compiler(), time.time() - (DAYS + 1) * 24 * 3600
    for name in ("old", "used"):
        cached((name,), make)
    for file in folder.iterdir():
        os.utime(file, (long_ago, long_ago))
    cached(("used",), make)
    cached(("new",), make)
    assert make.times == 3 and len([*folder.iterdir()]) == 2
    for name, times in (("used", 3), ("new", 3), ("old", 4)):
        cached((name,), make)
        assert make.times == times


@pytest.mark.parametrize(
    "damage",
    [lambda b: b[:-1], lambda b: b[:-1] + b"x", lambda b: b"", lambda b: b"_Z4pullv\nold",
     lambda b: b.replace(b"_Z4pull", b"_Z4push"), lambda b: b.replace(b" ", b"", 1)],
    ids=["cut short", "last byte", "empty", "without a digest", "name", "no space"],
)  # fmt: skip
def test_a_damaged_file_is_made_anew(folder: Path, damage: object) -> None:
    make = Compiler()
    cached(("a",), make)
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))  # type: ignore[operator]
    assert cached(("a",), make) == (CUBIN, NAME)
    assert make.times == 2 and file.read_bytes() == whole


def test_a_failed_write_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "replace", full)
    make = Compiler()
    assert cached(("a",), make) == cached(("a",), make) == (CUBIN, NAME)
    assert make.times == 2 and [*folder.iterdir()] == []


def test_a_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LAGRAPH_GPU_CACHE", str(tmp_path / "file" / "modules"))
    assert cached(("a",), Compiler()) == (CUBIN, NAME)


def test_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("LAGRAPH_GPU_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(module.Path, "home", nobody)
    folder = cache_folder()
    assert folder.parent == Path(tempfile.gettempdir()) and folder == cache_folder()
    assert folder.stat().st_mode & 0o077 == 0  # nobody else's business
