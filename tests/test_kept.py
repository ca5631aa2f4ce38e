"""What is compiled is kept on the disk, and read only where nobody else can have written it;
whatever goes wrong there costs the time to compile and one warning."""

from __future__ import annotations

import errno
import os
import pickle
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lagraph_gpu.cpu import native
from lagraph_gpu.cpu.native import compiler
from lagraph_gpu.errors import OURS
from lagraph_gpu.files import cache
from lagraph_gpu.files.cache import DAYS, SUFFIX
from lagraph_gpu.gpu.device.module import cached

CUBIN, NAME = b"\x7fELF\n of \x00 lines \n", "_Z4pullv"

Use = Callable[..., bool]
"""Uses something compiled, with the right answer, as a new process would. Had it to be made?"""


def kernel(which: str = "a") -> bool:
    made = []

    def make() -> tuple[bytes, str]:
        made.append(which)
        return CUBIN, NAME

    assert cached((which, 1), make) == (CUBIN, NAME)
    return bool(made)


def loop(which: str = "a") -> bool:
    """The library of the loops, made of other sources for each name."""
    made = []

    def build(target: Path) -> None:
        made.append(which)
        target.write_bytes(CUBIN)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiler, "build", build)
        patch.setattr(compiler, "digest", lambda: which)
        assert native.compiled() == CUBIN
    return bool(made)


@pytest.fixture(params=[kernel, loop])
def use(request: pytest.FixtureRequest) -> Use:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LAGRAPH_GPU_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


@pytest.fixture(autouse=True)
def told() -> Iterator[list[warnings.WarningMessage]]:
    """The warnings of a test; each test is told anew."""
    cache.warn_once.cache_clear()
    with warnings.catch_warnings(record=True) as messages:
        warnings.simplefilter("always")
        yield messages
    cache.warn_once.cache_clear()


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pickle is read from here on."""
    monkeypatch.setattr(pickle, "loads", lambda _: pytest.fail("a pickle was read"))


def once(told: list[warnings.WarningMessage], words: str) -> None:
    """One warning, which says so and names a way out."""
    (message,) = told
    assert message.category is RuntimeWarning
    assert words in str(message.message) and "LAGRAPH_GPU_CACHE" in str(message.message)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def fails(number: int) -> Callable[..., Any]:
    def failing(*_: object, **__: object) -> Any:
        raise OSError(number, os.strerror(number))

    return failing


def test_made_once(folder: Path, use: Use, told: list[Any]) -> None:
    assert [use() for _ in range(3)] == [True, False, False]
    assert [use("b"), use("b"), use()] == [True, False, False]
    assert len([*folder.iterdir()]) == 2 and not told


def test_what_nobody_uses_goes(folder: Path) -> None:
    long_ago = time.time() - (DAYS + 1) * 24 * 3600
    for name in ("old", "used"):
        kernel(name)
    for left in (f"0{SUFFIX}.killed.part", "another's"):
        (folder / left).touch()
    for file in folder.iterdir():
        os.utime(file, (long_ago, long_ago))
    kernel("used")
    kernel("new")
    assert len([*folder.iterdir()]) == 3 and (folder / "another's").exists()
    assert [kernel(name) for name in ("used", "new", "old")] == [False, False, True]


def flipped(place: Callable[[bytes], int]) -> Callable[[bytes], bytes]:
    def damage(whole: bytes) -> bytes:
        at = place(whole)
        return whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :]

    return damage


@pytest.mark.parametrize(
    "damage",
    [lambda b: b"", lambda b: b[:20], lambda b: b[:-1], lambda b: b + b"x",
     flipped(lambda b: 0), flipped(lambda b: 32), flipped(lambda b: len(b) // 2),
     flipped(lambda b: len(b) - 1)],
    ids=["empty", "half a digest", "cut short", "longer", "digest", "first byte", "a byte amid",
         "last byte"],
)  # fmt: skip
def test_a_damaged_file_is_made_anew(
    folder: Path, use: Use, damage: Callable[[bytes], bytes], told: list[Any]
) -> None:
    use()
    (file,) = folder.iterdir()
    file.write_bytes(damage(file.read_bytes()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pickle, "loads", lambda _: pytest.fail("a pickle was read"))
        assert use()
    once(told, "digest does not match")
    assert not use() and len(told) == 1


def test_damage_is_told_once(folder: Path, told: list[Any]) -> None:
    for name in ("a", "b"):
        kernel(name)
    for file in folder.iterdir():
        file.write_bytes(b"")
    assert kernel("a") and kernel("b")
    once(told, "digest does not match")


def test_a_file_under_the_name_of_another(folder: Path, use: Use, told: list[Any]) -> None:
    use()
    (first,) = folder.iterdir()
    use("b")
    (second,) = {*folder.iterdir()} - {first}
    first.write_bytes(second.read_bytes())
    assert use() and not use()
    once(told, "digest does not match")


def test_a_file_that_others_can_write(
    folder: Path, use: Use, told: list[Any], unread: None
) -> None:
    use()
    (file,) = folder.iterdir()
    file.chmod(0o666)
    assert use() and mode(file) == 0o600
    once(told, "others can write to it (its mode is 666)")


def test_a_file_of_another_user(folder: Path, use: Use, told: list[Any], unread: None) -> None:
    use()
    with pytest.MonkeyPatch.context() as patch:
        another = SimpleNamespace(st_uid=os.geteuid() + 1, st_mode=0o100600)
        patch.setattr(cache.os, "fstat", lambda _: another)
        assert use()
    once(told, f"it belongs to the user with number {os.geteuid() + 1}")


@pytest.mark.parametrize("bits", [0o777, 0o770, 0o702])
def test_a_folder_that_others_can_write(
    folder: Path, use: Use, bits: int, told: list[Any], unread: None
) -> None:
    use()
    (file,) = folder.iterdir()
    before = file.stat()
    folder.chmod(bits)
    assert use() and use() and use("b")
    once(told, f"others can write to it (its mode is {bits:o})")
    assert [*folder.iterdir()] == [file] and file.stat().st_mtime_ns == before.st_mtime_ns


def test_a_folder_of_another_user(
    folder: Path, use: Use, monkeypatch: pytest.MonkeyPatch, told: list[Any], unread: None
) -> None:
    use()
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert use() and use()
    once(told, f"it belongs to the user with number {owner}, and this process to {owner + 1}")


@pytest.mark.parametrize("where", ["os.replace", "tempfile.mkstemp"])
def test_a_full_disk(folder: Path, use: Use, where: str, told: list[Any]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(where, fails(errno.ENOSPC))
        assert use() and use() and use("b")
    once(told, os.strerror(errno.ENOSPC))
    assert [*folder.iterdir()] == []
    assert use() and not use() and len(told) == 1


def test_a_folder_that_can_only_be_read(
    folder: Path, use: Use, monkeypatch: pytest.MonkeyPatch, told: list[Any]
) -> None:
    use()
    for where in ("tempfile.mkstemp", "os.utime"):
        monkeypatch.setattr(where, fails(errno.EROFS))
    assert not use() and not told
    assert use("b") and use("b")
    once(told, os.strerror(errno.EROFS))


def test_a_folder_that_cannot_be_made(
    tmp_path: Path, use: Use, monkeypatch: pytest.MonkeyPatch, told: list[Any]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LAGRAPH_GPU_CACHE", str(tmp_path / "file" / "kept"))
    assert use() and use()
    once(told, os.strerror(errno.ENOTDIR))


def test_a_file_in_place_of_the_folder(folder: Path, use: Use, told: list[Any]) -> None:
    folder.write_text("")
    assert use() and use()
    once(told, os.strerror(errno.ENOTDIR))


def test_without_a_home(
    tmp_path: Path, use: Use, monkeypatch: pytest.MonkeyPatch, told: list[Any]
) -> None:
    """Nothing is kept, and no temporary folder is left behind."""

    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("LAGRAPH_GPU_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(cache.Path, "home", nobody)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert use() and use()
    once(told, "there is none")
    assert [*tmp_path.iterdir()] == []


def test_a_relative_cache_folder_of_the_user_does_not_count(
    tmp_path: Path, use: Use, monkeypatch: pytest.MonkeyPatch, told: list[Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LAGRAPH_GPU_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert use() and not use() and not told
    assert [*tmp_path.iterdir()] == [tmp_path / "home"]
    assert len([*(tmp_path / "home" / ".cache" / "lagraph-gpu").iterdir()]) == 1
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "absolute"))
    assert use() and len([*(tmp_path / "absolute" / "lagraph-gpu").iterdir()]) == 1


@pytest.mark.parametrize("umask", [0, 0o022, 0o777])
def test_for_this_user_alone(
    tmp_path: Path, use: Use, umask: int, monkeypatch: pytest.MonkeyPatch, told: list[Any]
) -> None:
    folder = tmp_path / "not" / "there"
    monkeypatch.setenv("LAGRAPH_GPU_CACHE", str(folder))
    before = os.umask(umask)
    try:
        assert use() and not use() and not told
    finally:
        os.umask(before)
    (file,) = folder.iterdir()
    assert [*map(mode, (folder.parent, folder, file))] == [0o700, 0o700, 0o600]


def test_the_warning_points_at_who_called_us(folder: Path, told: list[Any]) -> None:
    loop()
    (file,) = folder.iterdir()
    file.write_bytes(b"")
    ours: dict[str, Any] = {}
    text = "def search(function):\n    return function()\n"
    exec(compile(text, os.path.join(OURS, "any.py"), "exec"), ours)
    assert ours["search"](loop)
    assert [message.filename for message in told] == [__file__]


WRITER = """
import sys
from lagraph_gpu.files.cache import keep, kept
for i in range(300):
    keep(("shared",), sys.argv[1].encode() * (1000 + i))
    assert set(kept(("shared",))) <= set(b"xy")
"""


def test_processes_share_a_folder(folder: Path, told: list[Any]) -> None:
    """Two write the same file, and each of three that read it finds it whole."""
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, letter], text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE) for letter in "xy"
    ]  # fmt: skip
    found = 0
    while any(writer.poll() is None for writer in writers):
        content = cache.kept(("shared",))
        found += content is not None
        assert content is None or set(content) in ({ord("x")}, {ord("y")})
    assert [writer.communicate() for writer in writers] == [("", "")] * 2
    assert found and not told and len([*folder.iterdir()]) == 1
