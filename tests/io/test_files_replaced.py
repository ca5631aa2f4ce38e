"""Files that replace others: their access, what killed writers leave, and what is on the disk."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lagraph_gpu as lg
from lagraph_gpu.files.atomic import new_folder, replacing
from lagraph_gpu.io import EdgeList, write_edges

EDGES = EdgeList([0], [1], None, 2, 2)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("before", [0o600, 0o640, 0o644, 0o755, 0o400])
def test_the_mode_stays(before: int, tmp_path: Path) -> None:
    path = tmp_path / "x.el.gz"
    path.write_bytes(b"a secret")
    path.chmod(before)
    for _ in range(2):
        write_edges(path, EDGES)
        assert mode(path) == before and path.read_bytes()[:2] == b"\x1f\x8b"


def test_the_mode_of_a_contraction_stays(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    for _ in range(2):
        lg.contract(lg.grid(2, 2, backend="cpu")).save(path)
        path.chmod(0o600)
    lg.contract(lg.grid(2, 2, backend="cpu")).save(path)
    assert mode(path) == 0o600


@pytest.mark.parametrize("mask", [0o022, 0o027, 0o077])
def test_a_new_file_is_as_the_mask_says(mask: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        write_edges(tmp_path / "x.el", EDGES)
    finally:
        os.umask(before)
    assert mode(tmp_path / "x.el") == 0o666 & ~mask


def test_nobody_reads_what_is_being_written(tmp_path: Path) -> None:
    path = tmp_path / "x.el"
    path.write_text("a secret")
    path.chmod(0o600)
    with replacing(path) as out:
        out.write(b"another")
        out.flush()
        (part,) = (entry for entry in tmp_path.iterdir() if entry != path)
        assert mode(part) == 0o600 and part.read_bytes() == b"another"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_stays(tmp_path: Path) -> None:
    path = tmp_path / "x.el"
    path.write_text("")
    path.chmod(0o660)
    os.chown(path, 12345, 54321)
    write_edges(path, EDGES)
    after = path.stat()
    assert (after.st_uid, after.st_gid, mode(path)) == (12345, 54321, 0o660)


def test_what_the_group_may_do_is_not_passed_on_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.el"
    path.write_text("")
    path.chmod(0o664)
    held = os.fstat

    def of_another_group(handle: int) -> os.stat_result:
        fields = list(held(handle))
        fields[5] += 1
        return os.stat_result(fields)

    monkeypatch.setattr(os, "fstat", of_another_group)
    write_edges(path, EDGES)
    assert mode(path) == 0o604


def killed_while_writing(path: Path) -> None:
    """A process that dies before its file is whole."""
    child = os.fork()
    if child == 0:
        with replacing(path) as out:
            out.write(b"half")
            out.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def test_the_next_writer_removes_what_killed_ones_left(tmp_path: Path) -> None:
    path = tmp_path / "x[1].el"
    for _ in range(2):
        killed_while_writing(path)
        assert len([*tmp_path.iterdir()]) == 1 and not path.exists()
    others = [".x[1].el.mine.part", ".y.el.0123abcd.part", ".x1.el.0123abcd.part"]
    for name in others:
        (tmp_path / name).touch()
    (tmp_path / ".x[1].el.01234567.part").mkdir()
    write_edges(path, EDGES)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted(
        [path.name, *others, ".x[1].el.01234567.part"]
    )


def test_a_writer_leaves_alone_what_another_one_writes(tmp_path: Path) -> None:
    path = tmp_path / "x.el"
    with replacing(path) as out:
        out.write(b"slow")
        out.flush()
        write_edges(path, EDGES)
        assert path.read_bytes().endswith(b"0 1\n")
    assert path.read_bytes() == b"slow" and [*tmp_path.iterdir()] == [path]


def test_the_file_and_then_its_folder_are_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda h: synced.append(os.readlink(f"/proc/self/fd/{h}")))
    write_edges(tmp_path / "x.el", EDGES)
    assert synced[0].endswith(".part") and synced[1:] == [str(tmp_path)]


def test_a_name_as_long_as_the_system_permits(tmp_path: Path) -> None:
    """The file that is written first has another name, which must not be too long then."""
    path = tmp_path / ("x" * 252 + ".el")
    killed_while_writing(path)
    write_edges(path, EDGES)
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("made", ["a file", "a folder"])
def test_a_signal_just_when_a_part_was_made(
    made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The handler's exception comes before anybody knows that the part is there."""

    def interrupted(create: Callable[..., Any]) -> Callable[..., None]:
        def create_and_stop(*args: Any, **named: Any) -> None:
            create(*args, **named)
            raise SystemExit(143)

        return create_and_stop

    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        if made == "a file":
            patch.setattr(os, "open", interrupted(os.open))
            with replacing(tmp_path / "x"):
                pass
        else:
            patch.setattr(os, "mkdir", interrupted(os.mkdir))
            with new_folder(tmp_path / "x"):
                pass
    assert list(tmp_path.iterdir()) == []
