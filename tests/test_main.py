"""The main job: what it prints, writes and returns; bad input leaves one line and nothing else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu import generate
from lagraph_gpu.cli import job
from lagraph_gpu.cli import progress as progress_module
from lagraph_gpu.cli.command import main
from lagraph_gpu.cli.progress import progress
from lagraph_gpu.errors import BackendUnavailable
from lagraph_gpu.planning.trace import recording

GRID = "\n".join(["p sp 4 8", *(f"a {u} {v} {u * v}" for u, v in
                  [(1, 2), (2, 1), (2, 3), (3, 2), (3, 4), (4, 3), (4, 1), (1, 4)])])  # fmt: skip


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to run in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        progress_module, "SECONDS_BEFORE_FIRST", 60.0
    )  # silent also on a busy machine
    return tmp_path


def cpu(*arguments: str) -> int:
    return main([*arguments, "--backend", "cpu"])


def test_without_a_graph(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cpu("--scale", "7", "--roots", "2", "--out", "pictures") == 0
    out, err = capsys.readouterr()
    assert "Kronecker graph of scale 7" in out and "128 vertices" in out
    assert out.count("  yes\n") == 4 and "NO" not in out
    assert "push" in out and "level by level" in out
    assert err == ""
    assert [p.name for p in place.iterdir()] == ["pictures"]
    assert [p.name for p in Path("pictures").iterdir()] == ["profile.png"]
    assert Path("pictures/profile.png").read_bytes().startswith(b"\x89PNG")


def test_a_file_and_its_sources(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("grid.gr").write_text(GRID)
    assert cpu("grid.gr", "--source", "1", "--source", "3", "--no-picture") == 0
    out = capsys.readouterr().out
    assert "4 vertices, 8 edges, directed, weights 2 to 12 (INT64)" in out
    assert "bfs from vertex 1" in out and [p.name for p in place.iterdir()] == ["grid.gr"]
    assert cpu("grid.gr", "--undirected", "--no-picture") == 0
    assert "4 vertices, 4 edges, undirected" in capsys.readouterr().out


def test_a_search_is_not_recorded_while_it_is_timed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    timed, recorded = job.timing.timed, []

    def watched(*arguments: Any) -> Any:
        recorded.append(bool(recording()))
        return timed(*arguments)

    monkeypatch.setattr(job.timing, "timed", watched)
    assert cpu("--scale", "5", "--roots", "2", "--no-picture") == 0
    assert len(recorded) == 2 * (1 + 2) and not any(recorded)
    assert "level by level" in capsys.readouterr().out


def test_a_long_path_without_weights(capsys: pytest.CaptureFixture[str]) -> None:
    """Its distances exceed what one byte holds, and its levels what one wants to read."""
    lg.io.write_edges("path.mtx", generate.grid(1, 400))
    assert cpu("path.mtx", "--source", "1", "--no-picture") == 0
    out = capsys.readouterr().out
    assert "without weights (sssp takes 1 for each edge)" in out
    assert "376 levels more" in out


def test_negative_weights_take_bellman_ford(capsys: pytest.CaptureFixture[str]) -> None:
    Path("g.wel").write_text("0 1 4\n0 2 1\n1 2 -5\n")
    assert cpu("g.wel", "--source", "0", "--no-picture") == 0
    assert "bellman_ford takes the place of sssp" in capsys.readouterr().out
    Path("cycle.wel").write_text("0 1 1\n1 0 -2\n")
    assert cpu("cycle.wel", "--roots", "1", "--no-picture") == 2
    out, err = capsys.readouterr()
    assert err.startswith("error: ") and "negative cycle" in err and err.count("\n") == 1
    assert "bfs" in out and out.count("  yes\n") == 1  # what was found before is not lost


def test_a_graph_without_edges(capsys: pytest.CaptureFixture[str]) -> None:
    Path("lone.gr").write_text("p sp 3 0\n")
    assert cpu("lone.gr") == 0
    out = capsys.readouterr().out
    assert "no edges" in out and out.count("  yes\n") == 2


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line of an error; nothing is left behind."""
    before = sorted(Path().iterdir())
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ") and err.count("\n") == 1 and "Traceback" not in err
    assert sorted(Path().iterdir()) == before
    return err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("p sp 2 1\na 1 3 4\n", "line 2"),
        ("p sp 2 2\na 1 2 4\n", "g.gr"),
        ("p sp 0 0\n", "at least one vertex"),
        ("", "g.gr"),
    ],
)
def test_bad_files(text: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("g.gr").write_text(text)
    assert says in fails(capsys, "g.gr", "--backend", "cpu")


def test_bad_wishes(capsys: pytest.CaptureFixture[str]) -> None:
    small = ("--backend", "cpu", "--scale", "4")
    assert "absent.gr" in fails(capsys, "absent.gr", "--backend", "cpu")
    assert "n = 16" in fails(capsys, *small, "--source", "16")
    assert "ids are 32 bits wide" in fails(capsys, "--backend", "cpu", "--scale", "31")
    Path("file").write_text("")
    assert "expected a folder" in fails(capsys, *small, "--out", "file")
    assert "file/deep cannot" in fails(capsys, *small, "--out", "file/deep")


def test_the_folder_is_tried_before_the_search(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(job, "search", None)  # would fail if it were called
    err = fails(capsys, "--backend", "cpu", "--scale", "4", "--out", "/proc/lagraph/out")
    assert "expected a folder for --out that can be written, but /proc/lagraph/out" in err
    assert "NoneType" not in err


def test_edges_listed_twice(capsys: pytest.CaptureFixture[str]) -> None:
    """The main job goes on with the least weight, and says so."""
    Path("twice.gr").write_text("p sp 2 3\na 1 2 4\na 1 2 3\na 2 1 7\n")
    small = ("twice.gr", "--backend", "cpu", "--no-picture")
    notice = "some edges are listed more than once: of 3 listed, 2 are kept"
    for options in ((), ("--dup", "min")):
        assert main([*small, *options]) == 0
        out = capsys.readouterr().out
        assert notice in out and "weights 3 to 7" in out
    assert main([*small, "--dup", "sum"]) == 0
    out = capsys.readouterr().out
    assert notice not in out and "weights 7 (" in out.replace("7 to 7", "7")
    err = fails(capsys, *small, "--dup", "error")
    assert "1 → 2 more than once; say --dup min, sum, first, last" in err and "dup='" not in err
    Path("once.gr").write_text("p sp 2 2\na 1 2 4\na 2 1 4\n")
    assert main(["once.gr", "--undirected", "--backend", "cpu", "--no-picture"]) == 0
    out = capsys.readouterr().out
    assert "more than once" not in out and "1 edges, undirected" in out


def test_too_little_memory(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_room(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(job.Graph, "from_edgelist", no_room)
    Path("far.el").write_text("2147483646 1\n")
    err = fails(capsys, "far.el", "--backend", "cpu")
    assert "2,147,483,647 vertices and 1 edges" in err and "17,179,869," in err
    assert "renumber" in err
    err = fails(capsys, "--backend", "cpu", "--scale", "4")
    assert "out of memory" in err and "take a smaller graph" in err


@pytest.mark.parametrize(
    "arguments", [["--roots", "0"], ["--source", "-1"], ["--scale", "x"], ["g.gr", "--scale", "4"],
                  ["--backend", "tpu"]]
)  # fmt: skip
def test_bad_options(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "lagraph-gpu" in fails(capsys, *arguments)


def test_no_gpu(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(which: str | None) -> None:
        raise BackendUnavailable(
            f"expected a working NVIDIA GPU for {which}; or use lg.set_backend('cpu')"
        )

    monkeypatch.setattr(job, "resolve", refuse)
    said = fails(capsys, "--backend", "gpu")
    assert said == "error: expected a working NVIDIA GPU for gpu; or use --backend cpu\n"


def test_a_wrong_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def mangled(G: lg.Graph, source: int) -> tuple[lg.Vector, lg.Vector]:
        level, parent = lg.bfs(G, source)
        level[(source + 1) % G.n] = 77
        return level, parent

    monkeypatch.setattr(job, "bfs", mangled)
    assert cpu("--scale", "5", "--roots", "1", "--no-picture") == 1
    out, err = capsys.readouterr()
    assert "NO" in out and "WRONG: bfs from" in err


def test_without_matplotlib(
    monkeypatch: pytest.MonkeyPatch, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert cpu("--scale", "4") == 0
    assert "no picture: matplotlib is missing" in capsys.readouterr().out
    assert list(place.iterdir()) == []


def test_a_failing_picture_leaves_no_half(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    from matplotlib.figure import Figure

    def broken(self: Figure, out: IO[bytes], **options: object) -> None:
        out.write(b"half")
        raise OSError("No space left on device")

    monkeypatch.setattr(Figure, "savefig", broken)
    assert cpu("--scale", "4") == 2
    assert list(Path("out").iterdir()) == []


def test_as_a_command() -> None:
    command = [sys.executable, "-m", "lagraph_gpu", "--scale", "5", "--backend", "cpu"]
    done = subprocess.run([*command, "--no-picture"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "verified" in done.stdout
    done = subprocess.run([*command, "--source", "99"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.count("\n") == 1


class TestProgress:
    @pytest.fixture
    def hurry(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(progress_module, "SECONDS_BEFORE_FIRST", 0.05)
        monkeypatch.setattr(progress_module, "SECONDS_BETWEEN", 0.01)

    def test_quick_work_is_silent(self, capsys: pytest.CaptureFixture[str]) -> None:
        with progress("nothing"):
            pass
        assert capsys.readouterr().err == ""

    @pytest.mark.usefixtures("hurry")
    def test_a_log_gets_one_line(
        self, capsys: pytest.CaptureFixture[str], heard_on_stderr: Callable[[str], str]
    ) -> None:
        with progress("digging"):
            err = heard_on_stderr("digging")
        assert err + capsys.readouterr().err == "digging …\n"

    @pytest.mark.usefixtures("hurry")
    def test_a_terminal_sees_it_move_and_go(
        self, capsys: pytest.CaptureFixture[str], heard_on_stderr: Callable[[str], str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        with progress("digging") as update:
            update(1, 4)
            err = heard_on_stderr(r"\rdigging … \d+ s, 25%")
        err += capsys.readouterr().err
        assert "s, 25%" in err and "\n" not in err and err.endswith(" \r")


def test_roots_are_vertices_with_edges() -> None:
    from lagraph_gpu.cli.timing import random_roots

    degree = np.array([0, 1, 0, 2, 5, 0])
    assert sorted(random_roots(degree, 2, 3)) == sorted(set(random_roots(degree, 2, 3)))
    assert set(random_roots(degree, 10, 1)) == {1, 3, 4}
    assert random_roots(np.zeros(3), 2, 1) == []


def test_on_either_backend(
    backend: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The GPU here is the emulated one."""
    monkeypatch.setattr(job, "resolve", lambda which: backend)
    assert main(["--scale", "4", "--roots", "1", "--no-picture"]) == 0
    out = capsys.readouterr().out
    assert f"on the {backend.name.upper()} (" in out  # type: ignore[attr-defined]
    assert out.count("  yes\n") == 2
