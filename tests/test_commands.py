"""The commands beside the main job: what they say to people and to programs, and how they end."""

from __future__ import annotations

import functools
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
import pandas as pd
import pytest

import lagraph_gpu as lg
from lagraph_gpu import generate
from lagraph_gpu.cli import distances, doctor, info, job, progress, results, run, warm
from lagraph_gpu.cli.command import COMMANDS, main
from lagraph_gpu.cli.exits import escape_what_stdout_lacks, guarded
from lagraph_gpu.cli.machine import plain
from lagraph_gpu.cli.words import did_you_mean
from lagraph_gpu.errors import BackendUnavailable, FormatError
from lagraph_gpu.gpu.device import prebuilt
from lagraph_gpu.io import EdgeList

RING = "p sp 5 8\n" + "".join(
    f"a {u} {v} {u * v}\n"
    for u, v in [(1, 2), (2, 1), (2, 3), (3, 2), (3, 4), (4, 3), (4, 1), (1, 4)]
)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one file to work on."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "SECONDS_BEFORE_FIRST", 60.0)  # silent also on a busy machine
    Path("ring.gr").write_text(RING)
    lg.io.write_edges("ring.wel", lg.io.read_edges("ring.gr"))  # the same, counted from 0
    return tmp_path


Capture = pytest.CaptureFixture[str]


def said(capsys: Capture, *arguments: str) -> str:
    """What a command prints, if all goes well."""
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def told(capsys: Capture, *arguments: str) -> Any:
    return json.loads(said(capsys, *arguments, "--json"))


def fails(capsys: Capture, *arguments: str) -> str:
    """The one line of an error; nothing is left behind."""
    before = sorted(Path().iterdir())
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("error: ") and err.count("\n") == 1
    assert sorted(Path().iterdir()) == before
    return err


class TestInfo:
    def test_for_people(self, capsys: Capture) -> None:
        out = said(capsys, "info", "ring.gr", "--backend", "cpu")
        for line in ("vertices    5", "edges       8, directed", "weights     2 to 12 (INT64)",
                     "degrees     0 to 2, 1.6 on average", "isolated    1",
                     "components  2, the largest of 4 vertices"):  # fmt: skip
            assert f"  {line}\n" in out

    def test_for_programs(self, capsys: Capture) -> None:
        found = told(capsys, "info", "ring.gr", "--undirected", "--backend", "cpu")
        assert found["edges"] == 4 and found["listed"] == 8 and found["directed"] is False
        assert found["components"] == 2 and found["largest_component"] == 4

    def test_without_weights_or_vertices(self, capsys: Capture) -> None:
        lg.io.write_edges("path.mtx", generate.grid(1, 4))
        assert "weights     none" in said(capsys, "info", "path.mtx", "--backend", "cpu")
        G = lg.Graph.from_edges([], [], n=0, backend="cpu")
        found = info.facts(G)
        assert found["vertices"] == found["components"] == found["greatest_degree"] == 0
        assert found["lightest"] is None

    def test_edges_given_twice(self, capsys: Capture) -> None:
        Path("twice.el").write_text("0 1\n0 1\n")
        assert main(["info", "twice.el", "--json", "--backend", "cpu"]) == 0
        out, err = capsys.readouterr()
        assert json.loads(out)["edges"] == 1 and "listed more than once" in err
        assert "--dup min" in fails(capsys, "info", "twice.el", "--dup", "error")

    def test_parallels_listed_in_both_directions(self, capsys: Capture) -> None:
        Path("twice.gr").write_text("p sp 2 4\na 1 2 3\na 1 2 5\na 2 1 3\na 2 1 5\n")
        asked = "info", "twice.gr", "--undirected", "--json", "--backend", "cpu"
        assert main(asked) == 0
        out, err = capsys.readouterr()
        assert json.loads(out)["heaviest"] == 3 and "of 4 listed, 1 are kept" in err
        assert "--dup min" in fails(capsys, *asked, "--dup", "error")

    def test_a_name_that_says_no_format(self, capsys: Capture) -> None:
        Path("edges").write_text("0 1\n1 2\n")
        for command in (["info", "edges"], ["run", "triangle_count", "edges"]):
            assert "name the format: dimacs" in fails(capsys, *command)
            said(capsys, *command, "--format", "edgelist", "--backend", "cpu")
        assert main(["edges", "--format", "tsv", "--no-picture", "--backend", "cpu"]) == 0

    def test_bad_files(self, capsys: Capture) -> None:
        assert "absent.gr" in fails(capsys, "info", "absent.gr")
        Path("bad.gr").write_text("p sp 2 1\na 1 3 4\n")
        assert "line 2" in fails(capsys, "info", "bad.gr")


class TestConvert:
    def test_there_and_back(self, capsys: Capture) -> None:
        out = said(capsys, "convert", "ring.gr", "ring.mtx.gz")
        assert out.startswith("ring.mtx.gz: 5 vertices, 8 directed edges, ")
        found = told(capsys, "convert", "ring.mtx.gz", "again.gr")
        assert found["bytes"] == Path("again.gr").stat().st_size and found["weighted"]
        one, other = lg.io.read_edges("ring.gr"), lg.io.read_edges("again.gr")
        by, by2 = (np.lexsort((e.dst, e.src)) for e in (one, other))
        assert one.src[by].tolist() == other.src[by2].tolist()
        assert one.weight[by].tolist() == other.weight[by2].tolist()  # type: ignore[index]

    def test_formats_by_name(self, capsys: Capture) -> None:
        said(capsys, "convert", "ring.wel", "ring.data", "--to", "csv")
        told(capsys, "convert", "ring.data", "ring.npz", "--from", "csv")
        assert lg.io.read_edges("ring.npz").nedges == 8

    def test_names_are_kept_where_they_can_be(self, capsys: Capture) -> None:
        Path("roads.csv").write_text("Bonn,Trier,140\nTrier,Metz,100\n")
        assert "--labels" in fails(capsys, "convert", "roads.csv", "roads.gr")
        said(capsys, "convert", "roads.csv", "roads.graphml", "--labels")
        said(capsys, "convert", "roads.graphml", "roads.tsv")  # GraphML always has names
        assert Path("roads.tsv").read_text() == "source\ttarget\tweight\n" + "".join(
            f"{line}\n" for line in ("Bonn\tTrier\t140", "Trier\tMetz\t100")
        )
        said(capsys, "convert", "roads.graphml", "roads.el", "--no-labels")
        assert Path("roads.el").read_text().endswith("\n0 2 140\n2 1 100\n")

    def test_names_become_numbers(self, capsys: Capture) -> None:
        Path("roads.csv").write_text("Bonn,Trier,140\nTrier,Metz,100\n")
        assert main(["convert", "roads.csv", "roads.gr", "--labels"]) == 0
        assert "roads.gr numbers the vertices from 1 in the order of" in capsys.readouterr().err
        found = lg.io.read_edges("roads.gr")
        assert (found.src.tolist(), found.dst.tolist()) == ([0, 2], [2, 1])
        words = "convert", "roads.csv", "roads.gr", "--force", "--names", "names.csv"
        without = fails(capsys, "convert", "ring.gr", "ring.el", "--names", "names.csv")
        assert "expected --labels beside --names" in without
        said(capsys, *words, "--labels")
        assert Path("names.csv").read_text() == "vertex,name\n1,Bonn\n2,Metz\n3,Trier\n"
        assert "--force" in fails(capsys, *words[:3], "--names", "new.csv", "--labels")
        assert not Path("new.csv").exists()

    @pytest.mark.parametrize("out", ["ring.v", "ring.graphml", "ring.gexf", "ring.gml"])
    def test_numbers_are_kept(self, out: str, capsys: Capture) -> None:
        said(capsys, "convert", "ring.gr", out)
        edges = lg.io.read_edges(out)
        assert edges.ids is not None and [*map(int, edges.ids)] == [1, 2, 3, 4, 5]
        said(capsys, "convert", out, "again.gr")
        assert lg.io.read_edges("again.gr").src.tolist() == edges.src.tolist()
        said(capsys, "convert", "ring.gr", out, "--no-labels", "--force")
        edges = lg.io.read_edges(out)
        assert edges.ids is not None and [*map(int, edges.ids)] == [0, 1, 2, 3, 4]

    @pytest.mark.parametrize("out", ["r.el", "r.csv", "r.tsv", "r.parquet", "r.npz"])
    def test_other_numbers_are_told(self, out: str, capsys: Capture) -> None:
        assert main(["convert", "ring.gr", out]) == 0
        note = f"{out} counts the vertices from 0, ring.gr from 1: vertex 1 there is vertex 0 here"
        keeps = "" if out == "r.npz" else "; --labels keeps the numbers"
        assert capsys.readouterr().err == f"{note}{keeps}\n"
        assert lg.io.read_edges(out).src.min() == 0
        if keeps:
            Path("three.mtx").write_text("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n"
                                         "1 2\n2 3\n")  # fmt: skip
            said(capsys, "convert", "three.mtx", out, "--labels", "--force")
            assert lg.read(out, labels=True).labels.tolist() == [1, 2, 3]
        said(capsys, "convert", "ring.gr", out, "--no-labels", "--force")
        assert main(["convert", out, "other.gr"]) == 0
        told = f"other.gr counts the vertices from 1, {out} from 0: vertex 0 there is vertex 1 here"
        assert capsys.readouterr().err == f"{told}\n"

    def test_what_is_there_stays(self, capsys: Capture) -> None:
        Path("kept.mtx").write_text("mine")
        assert "--force" in fails(capsys, "convert", "ring.gr", "kept.mtx")
        assert Path("kept.mtx").read_text() == "mine"
        said(capsys, "convert", "ring.gr", "kept.mtx", "--force")
        assert lg.io.read_edges("kept.mtx").nedges == 8

    @pytest.mark.parametrize("there", ["x.v", "x.e", "x.properties"])
    def test_no_file_of_a_graph_is_replaced_unasked(self, there: str, capsys: Capture) -> None:
        Path(there).write_text("mine")
        assert f"{there} is there; or say --force" in fails(capsys, "convert", "ring.gr", "x.v")
        assert Path(there).read_text() == "mine"
        found = told(capsys, "convert", "ring.gr", "x.v", "--force")
        assert found["bytes"] == sum(path.stat().st_size for path in Path().glob("x.*"))
        assert lg.io.read_edges("x.e").nedges == 8
        out = said(capsys, "convert", "ring.gr", "y.e")
        assert out.startswith("y.v, y.e, y.properties: 5 vertices")

    def test_a_link_stays(self, capsys: Capture, tmp_path: Path) -> None:
        """It leads to the new content, wherever that lies."""
        (tmp_path / "far").mkdir()
        Path("far/kept.mtx").write_text("old")
        Path("link.mtx").symlink_to("far/kept.mtx")
        said(capsys, "convert", "ring.gr", "link.mtx", "--force")
        assert Path("link.mtx").is_symlink() and [*Path("far").iterdir()] == [Path("far/kept.mtx")]
        assert lg.io.read_edges("far/kept.mtx").nedges == 8
        Path("link.mtx").unlink()
        Path("link.mtx").symlink_to("nowhere/kept.mtx")
        assert "no folder" in fails(capsys, "convert", "ring.gr", "link.mtx")

    @pytest.mark.skipif(sys.platform == "win32", reason="this system has no named pipes")
    @pytest.mark.parametrize("name", ["pipe.el", "pipe.npz", "pipe.el.gz", "link.el"])
    def test_what_is_no_file_is_written_to(self, name: str, capsys: Capture) -> None:
        pipe = Path(name)
        if name == "link.el":
            Path("link.el").symlink_to(pipe := Path("pipe"))
        os.mkfifo(pipe)
        assert "--force" in fails(capsys, "convert", "ring.wel", name)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        assert main(["convert", "ring.wel", name, "--force"]) == 0
        Path("read" + "".join(Path(name).suffixes)).write_bytes(os.read(reader, 1 << 16))
        os.close(reader)
        assert capsys.readouterr() == ("", f"{name}: 5 vertices, 8 directed edges\n")
        assert pipe.is_fifo() and lg.io.read_edges(next(Path().glob("read.*"))).nedges == 8

    def test_bad_wishes(self, capsys: Capture) -> None:
        said_of_xyz = fails(capsys, "convert", "ring.gr", "graph.xyz")
        assert "graph.xyz" in said_of_xyz and "--to FORMAT" in said_of_xyz
        assert "metis" in said_of_xyz and "osm" not in said_of_xyz
        said_of_metis = fails(capsys, "convert", "ring.gr", "ring.metis")
        assert "METIS" in said_of_metis and "write --to dimacs or --to edgelist" in said_of_metis
        assert "unknown format 'jpeg'" in fails(capsys, "convert", "ring.gr", "a.b", "--to", "jpeg")
        assert "no folder" in fails(capsys, "convert", "ring.gr", "deep/down.mtx")
        said_of_dash = fails(capsys, "convert", "ring.gr", "-", "--to", "csv")
        assert "standard output is /dev/stdout" in said_of_dash and not Path("-").exists()


class TestRun:
    def test_for_people(self, capsys: Capture) -> None:
        out = said(capsys, "run", "sssp", "ring.wel", "--source", "0", "--top", "2",
                   "--backend", "cpu")  # fmt: skip
        assert out.startswith("sssp on ring.wel: ") and "on the CPU" in out
        assert "\ndistance INT64, parent INT64: 4 of 5; the 2 largest by distance\n" in out
        assert out.endswith(
            "  vertex  distance  parent\n       2         8       1\n       3         4       0\n"
        )

    def test_for_programs(self, capsys: Capture) -> None:
        found = told(capsys, "run", "bfs", "ring.wel", "--source=1", "--max-level", "1",
                     "--backend", "cpu")  # fmt: skip
        assert found["arguments"] == {"source": 1, "max_level": 1}
        assert found["backend"] == "cpu" and found["ms"] > 0
        (result,) = found["results"]
        assert list(result["columns"]) == ["vertex", "level", "parent"]
        assert (result["columns"]["level"], result["entries"], result["size"]) == ("INT32", 3, 5)
        assert result["top"][1] == {"vertex": 2, "level": 1, "parent": 1}

    def test_words_in_any_order(self, capsys: Capture) -> None:
        words = "--backend", "cpu", "bfs", "--source", "1", "--top", "1", "ring.wel"
        found = told(capsys, "run", *words)
        assert found["arguments"] == {"source": 1} and found["graph"] == "ring.wel"

    def test_none_of_the_top(self, capsys: Capture) -> None:
        found = told(capsys, "run", "bfs", "ring.wel", "--source", "0", "--top", "0",
                     "--backend", "cpu")  # fmt: skip
        assert found["results"][0]["top"] == []

    def test_the_first_run_is_to_warm_up(
        self, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It loads and compiles; but nobody waits twice for what takes long."""
        words = "run", "triangle_count", "ring.wel", "--undirected", "--backend", "cpu"
        times = iter([3e3, 0.5, 20e3])
        monkeypatch.setattr(run, "timed", lambda *_: ((7,), next(times)))
        assert told(capsys, *words)["ms"] == 0.5
        assert told(capsys, *words)["ms"] == 20e3

    def test_no_bound(self, capsys: Capture) -> None:
        found = told(capsys, "run", "sssp", "ring.wel", "--source", "0", "--cutoff", "inf")
        assert found["arguments"] == {"source": 0, "cutoff": "inf"}

    def test_list(self, capsys: Capture) -> None:
        out = said(capsys, "run", "--list")
        assert "bfs --source [--max_level None]\n    Breadth-first search" in out
        rows = told(capsys, "run", "--list")
        assert {"bfs", "sssp", "bellman_ford"} <= {row["algorithm"] for row in rows}
        assert all(row["what"] for row in rows)
        for offered in ("modularity ", "lower_bound", "schedule", "distance_matrix", "closure"):
            assert offered not in out  # what only a program can give or use

    def test_other_results(self) -> None:
        """Matrices, graphs and numbers."""
        G = lg.Graph.from_edges([0, 1], [1, 2], [5, 6], backend="cpu")
        A, edges = results.tables_of(G, results.numbers("A", "G"), [G.A, G])
        assert results.plain(A, 1)["top"] == [{"row": 1, "column": 2, "A": 6}]
        assert results.plain(A, 0)["entries"] == 2
        assert results.plain(edges, 1)["top"] == [{"source": 1, "target": 2, "weight": 6}]
        several = results.numbers("count", "s")
        single = results.tables_of(G, several, [7, G.A.reduce("plus").new()])
        assert single == [("count", 7), ("s", 11)]

    def test_results_at_different_vertices(self, tmp_path: Path) -> None:
        """They are tables of their own, of which no file is made."""
        G = lg.grid(1, 3, backend="cpu")
        parts = [lg.Vector.from_coo([v], [v], size=3, backend="cpu") for v in (0, 1)]
        found = results.tables_of(G, results.numbers("a", "b"), parts)
        assert [list(t.columns) for t in found] == [["vertex", "a"], ["vertex", "b"]]
        with pytest.raises(lg.errors.UnsupportedOperation, match="a and b at different ones"):
            results.save_table(tmp_path / "t.csv", found)
        assert not (tmp_path / "t.csv").exists()

    def test_each_option_stands_once(self) -> None:
        """An argument of an algorithm has not the name of an option of the command."""
        stated = [word for option in run.main.params for word in option.opts]
        assert len(stated) == len({*stated})

    @pytest.mark.parametrize("name", run.algorithms())
    def test_results_have_names(self, name: str) -> None:
        """Whatever returns several things is in the table, with as many names."""
        result = get_type_hints(run.algorithm(name))["return"]
        several = [t for t in (result, *get_args(result)) if get_origin(t) is tuple]
        if several:
            assert len(results.RESULTS[name]) == len(get_args(several[0]))

    def test_negative_numbers_and_words(self, capsys: Capture) -> None:
        found = told(capsys, "run", "katz_centrality", "ring.wel", "--beta", "-0.5", "--alpha=0.01")
        assert found["arguments"] == {"alpha": 0.01, "beta": -0.5}

    def test_several_vertices(self, capsys: Capture) -> None:
        Path("roads.csv").write_text('Bonn,"Metz, alt"\nTrier,Bonn\n')
        words = "run", "harmonic_centrality", "roads.csv", "--labels", "--backend", "cpu"
        for given in ('Bonn,"Metz, alt"', "['Bonn', 'Metz, alt']"):
            (found,) = told(capsys, *words, "--nbunch", given)["results"]
            assert sorted(row["vertex"] for row in found["top"]) == ["Bonn", "Metz, alt"]
        words = "run", "random_walks", "ring.gr", "--length", "1", "--backend", "cpu"
        (found,) = told(capsys, *words, "--sources", "3,1")["results"]
        assert [row["vertex"] for row in found["top"] if row["step"] == 0] == [3, 1]
        assert "got 9; the nearest labels are 5" in fails(capsys, *words, "--sources", "9")
        words = "run", "closeness_centrality", "ring.gr", "--backend", "cpu"
        for given, vertices in (("[1, 2]", [1, 2]), ("4", [4])):
            (found,) = told(capsys, *words, "--u", given)["results"]
            assert sorted(row["vertex"] for row in found["top"]) == vertices

    def test_no_path(self, capsys: Capture) -> None:
        words = "run", "shortest_path_between", "ring.wel", "--source", "0", "--target", "4"
        assert said(capsys, *words, "--backend", "cpu").endswith("\nlength: none\n")
        assert told(capsys, *words)["results"] == [{"name": "length", "value": None}]

    def test_no_argument_has_the_name_of_an_option(self) -> None:
        assert len({p.name for p in run.main.params}) == len(run.main.params)

    def test_what_has_no_largest_value(self, capsys: Capture) -> None:
        words = "run", "connected_components", "ring.wel", "--undirected", "--backend", "cpu"
        assert "vertices, none of which" in fails(capsys, *words, "--top", "3")
        assert [row["vertex"] for row in told(capsys, *words)["results"][0]["top"]] == [*range(5)]
        words = "run", "triangle_count", "ring.wel", "--undirected", "--top", "3"
        assert "is one value" in fails(capsys, *words)

    def test_a_misspelt_option_before_any_command(self, capsys: Capture) -> None:
        assert "did you mean --version?" in fails(capsys, "--verison")
        assert "did you mean --help?" in fails(capsys, "--hlep", "ring.wel")
        for option in (name for held in job.main.params for name in held.opts if name[:1] == "-"):
            if option not in ("--help", "--version"):
                assert not did_you_mean(option, ["--help", "--version"]), "an option of the job"

    def test_bad_wishes(self, capsys: Capture) -> None:
        assert "did you mean bfs?" in fails(capsys, "run", "bsf", "ring.wel")
        assert "run --list names them" in fails(capsys, "run", "quux", "ring.wel")
        assert "(--source, --max_level)" in fails(capsys, "run", "bfs", "ring.wel", "--tol", "1")
        assert "bfs needs --source V" in fails(capsys, "run", "bfs", "ring.wel")
        assert "--sauce" in fails(capsys, "run", "bfs", "ring.wel", "--sauce", "1")
        assert "requires an argument" in fails(capsys, "run", "bfs", "ring.wel", "--source")
        assert "n = 5" in fails(capsys, "run", "bfs", "ring.wel", "--source", "9")
        assert "as an integer" in fails(capsys, "run", "bfs", "ring.wel", "--source", "home")
        assert "more.gr" in fails(capsys, "run", "bfs", "ring.wel", "more.gr", "--source", "1")
        assert "say run bfs ring.wel" in fails(capsys, "run", "ring.wel", "bfs")
        assert "did you mean 'ring.wel'" in fails(capsys, "run", "bfs", "rign.wel"), "no --source"
        for words in (["run"], ["run", "bfs"], ["run", "--json", "--source", "bfs", "ring.wel"]):
            assert "--list" in fails(capsys, *words)

    def test_on_either_backend(
        self, backend: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
    ) -> None:
        monkeypatch.setattr(run, "resolve", lambda which: backend)
        found = told(capsys, "run", "sssp", "ring.wel", "--source", "0")
        assert found["results"][0]["top"][0] == {"vertex": 2, "distance": 8, "parent": 1}


class TestDistances:
    @pytest.fixture(autouse=True)
    def pairs(self) -> None:
        Path("pairs.tsv").write_text("# from to\n0 2\n2 0\n0 4\n0 2\n")

    def test_for_people(
        self, backend: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture
    ) -> None:
        monkeypatch.setattr(distances, "resolve", lambda which: backend)
        out = said(capsys, "distances", "ring.wel", "pairs.tsv")
        assert out == "0\t2\t8\n2\t0\t8\n0\t4\tinf\n0\t2\t8\n"
        out = said(capsys, "distances", "ring.wel", "pairs.tsv", "--hops", "--cutoff", "2")
        assert out == "0\t2\t2\n2\t0\t2\n0\t4\tinf\n0\t2\t2\n"

    def test_for_programs(self, capsys: Capture) -> None:
        Path("tenths.el").write_text("0 1 0.1\n1 2 0.2\n2 0 3\n4 0 1\n")
        out = said(capsys, "distances", "tenths.el", "pairs.tsv", "--backend", "cpu")
        assert out.startswith("0\t2\t0.30000000000000004\n2\t0\t3.0\n")
        found = told(capsys, "distances", "tenths.el", "pairs.tsv", "--backend", "cpu")
        assert found["distances"][1:3] == [[2, 0, 3.0], [0, 4, "inf"]]
        found = told(capsys, "distances", "tenths.el", "pairs.tsv", "--cutoff", "2",
                     "--undirected", "--backend", "cpu")  # fmt: skip
        assert found["backend"] == "cpu" and found["distances"][2] == [0, 4, 1.0]

    def test_over_a_contraction(self, capsys: Capture) -> None:
        """Which is that of the graph as it is read here; another one is refused."""
        G = lg.read("ring.wel", backend="cpu")
        lg.contract(G, core=1).save("ring.npz")
        lg.contract(G, None).save("hops.npz")
        asked = "distances", "ring.wel", "pairs.tsv", "--backend", "cpu", "--contraction"
        assert said(capsys, *asked, "ring.npz") == "0\t2\t8\n2\t0\t8\n0\t4\tinf\n0\t2\t8\n"
        assert "weight=None" in fails(capsys, *asked, "hops.npz")
        Path("other.el").write_text("0 1 2\n3 4 5\n")
        assert "digest" in fails(capsys, asked[0], "other.el", *asked[2:], "ring.npz")
        assert "absent.npz" in fails(capsys, *asked, "absent.npz")
        assert "pairs.tsv" in fails(capsys, *asked, "pairs.tsv")

    def test_a_terminal_sees_the_share(
        self, monkeypatch: pytest.MonkeyPatch, capsys: Capture,
        heard_on_stderr: Callable[[str], str],
    ) -> None:  # fmt: skip
        err = []

        def slow(*given: Any, progress: Any, contraction: None) -> np.ndarray:
            progress(1, 4)
            err.append(heard_on_stderr(share := r"\rsearching … \d+ s, 25%"))
            assert re.search(share, err[0])
            return np.zeros(4)

        monkeypatch.setattr(distances, "paired_distances", slow)
        monkeypatch.setattr(progress, "SECONDS_BEFORE_FIRST", 0.05)
        monkeypatch.setattr(progress, "SECONDS_BETWEEN", 0.01)
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        assert main(["distances", "ring.wel", "pairs.tsv", "--backend", "cpu"]) == 0
        assert err and capsys.readouterr().out.count("\n") == 4

    def test_bad_files(self, capsys: Capture) -> None:
        assert "absent.tsv" in fails(capsys, "distances", "ring.wel", "absent.tsv")
        Path("bad.tsv").write_text("0 1\n0 x\n")
        assert "line 2" in fails(capsys, "distances", "ring.wel", "bad.tsv")
        Path("far.tsv").write_text("0 1\n5 0\n")
        says = "far.tsv, line 2: the vertex id 5 is out of range, expected one of 0..4"
        assert says in fails(capsys, "distances", "ring.wel", "far.tsv")


class TestNumbers:
    """Vertices are what the file calls them: a format that counts from 1 has them from 1."""

    @pytest.mark.parametrize("name", ["ring.gr", "ring.mtx", "ring.graph"])
    def test_formats_that_count_from_1(self, name: str, capsys: Capture) -> None:
        edges = lg.io.read_edges("ring.gr")
        if name == "ring.graph":  # of which each edge is listed in both directions
            edges = lg.io.EdgeList([0, 1, 2, 3], [1, 2, 3, 0], [2, 6, 12, 4], 5, 5, False)
        if name != "ring.gr":
            lg.io.write_edges(name, edges)
        G = lg.read(name, backend="cpu")
        distance, parent = (v.to_dense(fill_value=-1).tolist() for v in lg.sssp(G, 0))
        found = told(capsys, "run", "sssp", name, "--source", "1", "--backend", "cpu")
        rows = {row["vertex"]: row for row in found["results"][0]["top"]}
        assert set(rows) == {1, 2, 3, 4} and found["arguments"] == {"source": 1}
        for v, row in rows.items():
            assert row["distance"] == distance[v - 1] and row["parent"] == parent[v - 1] + 1
        Path("pairs.txt").write_text("1 2\n4 1\n")
        Path("last.txt").write_text("5\n")
        out = said(capsys, "distances", name, "pairs.txt", "--backend", "cpu")
        assert out == f"1\t2\t{distance[1]}\n4\t1\t4\n"
        lists = "--sources", "last.txt", "--targets", "last.txt", "--backend", "cpu"
        assert said(capsys, "distances", name, *lists) == "5\t5\t0\n"
        Path("pairs.txt").write_text("1 2\n0 1\n")
        says = "pairs.txt, line 2: the vertex id 0 is too small: .* expected one of 1..5"
        assert re.search(says, fails(capsys, "distances", name, "pairs.txt"))
        assert "nearest labels are 1" in fails(capsys, "run", "bfs", name, "--source", "0")

    def test_from_0_on_request(self, capsys: Capture) -> None:
        words = "run", "sssp", "ring.gr", "--source", "0", "--no-labels", "--backend", "cpu"
        assert told(capsys, *words)["results"][0]["top"][0]["vertex"] == 2
        Path("pairs.txt").write_text("0 1\n")
        out = said(capsys, "distances", "ring.gr", "pairs.txt", "--no-labels", "--backend", "cpu")
        assert out == "0\t1\t2\n"


class TestDoctor:
    def test_here(self, capsys: Capture) -> None:
        out = said(capsys, "doctor")
        assert "works   backend cpu" in out and "ready; new objects live on the" in out
        found = told(capsys, "doctor")
        assert found["works"] is True
        names = [f["what"] for f in found["findings"]]
        assert {"semirings", "numpy", "backend cpu", "backend gpu"} <= set(names)
        for f in found["findings"]:
            assert f["status"] == "works" or f["mend"]

    def test_without_a_gpu(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(name: str) -> None:
            raise BackendUnavailable("expected a GPU,\n  got none")

        found = doctor.searched("gpu", "buy one", search=refuse)
        assert (found.status, found.detail, found.mend) == (
            "absent", "expected a GPU, got none", "buy one")  # fmt: skip
        assert not found.bad

    def test_a_broken_engine(self, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
        def broken(name: str) -> None:
            raise OSError("libgraphblas.so.9: cannot open")

        monkeypatch.setattr(doctor, "shortest", broken)
        assert main(["doctor"]) == 1
        out = capsys.readouterr().out
        assert "FAILS   backend cpu" in out and "OSError: libgraphblas.so.9" in out
        assert "to fix: pip install 'python-graphblas" in out
        assert "not ready: backend cpu" in out
        assert main(["doctor", "--json"]) == 1
        assert json.loads(capsys.readouterr().out)["works"] is False

    @pytest.mark.parametrize(("absent", "status"), [("cpu", 0), ("gpu", 1)])
    def test_where_the_engine_has_no_wheels(
        self, absent: str, status: int, monkeypatch: pytest.MonkeyPatch, capsys: Capture
    ) -> None:
        """Then the CPU backend is not needed, and the GPU backend is."""

        def other_works(name: str) -> None:
            if name == absent:
                raise BackendUnavailable("expected more")

        monkeypatch.setattr(doctor, "CPU_INSTALLS", False)
        monkeypatch.setattr(doctor, "shortest", other_works)
        monkeypatch.setattr(doctor, "named", lambda name: None)
        monkeypatch.setattr(doctor, "device_name", lambda backend: "a device")
        assert main(["doctor"]) == status
        out = capsys.readouterr().out
        assert f"absent  backend {absent}" in out
        assert ("not ready: backend gpu" in out) == bool(status)

    def test_wrong_answers_are_failures(self, monkeypatch: pytest.MonkeyPatch) -> None:
        G = lg.Graph.from_edges([0], [1], n=3, backend="cpu")
        monkeypatch.setattr(doctor, "sssp", lambda *_: (lg.Vector.from_dense([0.0, 1.0, 4.0],
                                                        backend="cpu"), G))  # fmt: skip
        found = doctor.searched("cpu", "mend", needed=True)
        assert found.bad and "ArithmeticError" in found.detail

    def test_kernels_of_the_wheel(self, tmp_path: Path) -> None:
        assert doctor.KERNELS == prebuilt.FOLDER
        found = doctor.compiled_kernels(tmp_path)
        assert found.status == doctor.ABSENT and not found.bad and "warm" in found.mend
        for architecture in (90, 120, 75):
            (tmp_path / f"sm_{architecture}.zip").touch()
        found = doctor.compiled_kernels(tmp_path)
        assert (found.status, found.detail) == (doctor.WORKS, "sm_75, sm_90, sm_120")

    def test_what_is_not_installed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        found = doctor.installed(("no-such-package", "nor-this"), "pip install it", needed=True)
        assert found.bad and found.what == "no-such-package"
        monkeypatch.setattr(doctor.semirings, "__file__", "/elsewhere/semirings/__init__.py")
        assert doctor.namesake().bad


def test_what_is_no_command_is_for_the_main_job(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    seen: list[dict[str, Any]] = []
    Path("info").write_text("0 1\n")
    monkeypatch.setattr(job.main, "callback", lambda **given: seen.append(given) or 0)
    assert main(["ring.gr", "--source", "1"]) == 0 and main(["./info"]) == 0
    assert [s["graph"] for s in seen] == ["ring.gr", "./info"] and seen[0]["source"] == ("1",)
    help_by_name = said(capsys, "--help")
    assert said(capsys) == help_by_name and "run --list" in help_by_name and len(seen) == 2


def test_names_that_would_spoil_a_table(capsys: Capture) -> None:
    Path("odd.csv").write_text('source,target\n"two\nlines",\x1b[31mred\n')
    printed = said(capsys, "run", "pagerank", "odd.csv", "--labels").splitlines()
    assert [line.split()[0] for line in printed[-2:]] == [r"\x1b[31mred", r"two\nlines"]
    searched = said(capsys, "job", "odd.csv", "--labels", "--no-picture", "--roots", "1")
    assert r"two\nlines" in searched and "\x1b" not in searched


def test_functions_that_are_no_commands_of_run(capsys: Capture) -> None:
    assert "say lagraph-gpu distances" in fails(capsys, "run", "distance_matrix", "ring.gr")
    assert "call it from a program" in fails(capsys, "run", "contract", "ring.gr")


def test_a_device_is_written_without_force() -> None:
    words = [
        sys.executable,
        "-m",
        "lagraph_gpu",
        "convert",
        "ring.gr",
        "/dev/stdout",
        "--to",
        "csv",
    ]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0 and "0,1,2" in done.stdout.splitlines(), done


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="it has files that lie below /dev")
def test_a_file_below_dev_is_kept(capsys: Capture) -> None:
    with tempfile.NamedTemporaryFile(dir="/dev/shm", suffix=".csv") as held:
        held.write(b"kept")
        held.flush()
        assert "say --force" in fails(capsys, "convert", "ring.gr", held.name)
        assert Path(held.name).read_bytes() == b"kept"


def test_distances_to_a_file_say_so_in_json(capsys: Capture) -> None:
    Path("pairs.txt").write_text("0 1\n0 2\n")
    found = told(capsys, "distances", "ring.wel", "pairs.txt", "--out", "table.csv")
    assert found["out"] == "table.csv" and found["rows"] == found["reached"] == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command: str, capsys: Capture) -> None:
    out = said(capsys, command, "--help")
    assert f"lagraph-gpu {command}" in out and command in said(capsys, "--help")
    assert "exit status" in out or command == "completion"


def test_version(capsys: Capture) -> None:
    assert said(capsys, "--version") == f"lagraph-gpu {lg.__version__}\n"


@pytest.mark.parametrize(
    "words, meant",
    [("inof ring.gr", "info"), ("docter", "doctor"), ("run pagernak ring.gr", "pagerank"),
     ("run bfs ring.gr --sourc 1", "--source"), ("info ring.gr --format cvs", "csv"),
     ("convert ring.gr a.mtx --forse", "--force"), ("bfss ring.gr", "run bfs?"),
     ("pagerank ring.gr", "mean run pagerank?"), ("bfs ring.gr", "mean run bfs?"),
     ("rign.gr", "'ring.gr'"), ("run --hepl", "mean --help"), ("run bsf --list", "mean bfs?"),
     ("run sssp ring.gr --surce 1", "--source"), ("convert none.gr a.mtx --to dimasc", "dimacs?"),
     ("distances ring.gr rign.wel", "'ring.wel'"), ("info ring.gr --backend cpuu", "mean cpu?"),
     ("run bfs ring.gr --dup mni", "mean min?"), ("run pagerank ring.gr --damping 1", "--alpha?"),
     ("run bfs ring.gr --root 1", "--source?")],
)  # fmt: skip
def test_misspelt_words(words: str, meant: str, capsys: Capture) -> None:
    err = fails(capsys, *words.split())
    assert "id you mean" in err and meant in err


@pytest.mark.parametrize(
    "words, says",
    [("run sssp ring.gr --source 1 --source 2", "expected --source once, got 1 and 2; say one"),
     ("run sssp ring.gr", "error: sssp needs --source V;"),
     ("run closeness_centrality ring.gr --u 1 --u 2", "--u once"),
     ("run harmonic_centrality ring.gr --sources 1 --sources 2", "several are --sources 1,2"),
     ("info -", "standard input is /dev/stdin, with --format")],
)  # fmt: skip
def test_what_is_expected_is_told(words: str, says: str, capsys: Capture) -> None:
    assert says in fails(capsys, *words.split())


@pytest.mark.parametrize("command", ["info y", "run bfs y --source 0", "convert y z.npz", "job y"])
@pytest.mark.parametrize("form", ["csv", "tsv", "parquet"])
def test_a_column_taken_as_the_weight_is_told(command: str, form: str, capsys: Capture) -> None:
    frame = pd.DataFrame({"source": [0], "target": [1], "year": [1999]})
    for column, note in ("year", "the third column, 'year', is taken as the weight; --columns"
                         " source,target leaves it out\n"), ("weight", ""):  # fmt: skip
        table = frame.rename(columns={"year": column})
        if form == "parquet":
            table.to_parquet("y.parquet")
        else:
            table.to_csv(f"y.{form}", index=False, sep={"csv": ",", "tsv": "\t"}[form])
        words = [f"y.{form}" if word == "y" else word for word in command.split()]
        words += ["--force"] if command[0] == "c" else ["--backend", "cpu"]
        words += ["--no-picture"] if command[0] == "j" else []
        assert main(words) == 0
        assert capsys.readouterr().err == note


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="this system has no /dev/fd")
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_table_in_a_pipe_is_read_once(form: str, capsys: Capture) -> None:
    frame = pd.DataFrame({"source": [0], "target": [1], "year": [1999]})
    table = frame.to_parquet() if form == "parquet" else frame.to_csv(index=False).encode()
    out, into = os.pipe()
    try:
        os.write(into, table)
        os.close(into)
        words = ["info", f"/dev/fd/{out}", "--backend", "cpu", "--format", form]
        assert main(words) == 0 and capsys.readouterr().err == ""
    finally:
        os.close(out)


def test_only_options_of_the_algorithm_are_meant(capsys: Capture) -> None:
    found = fails(capsys, "run", "pagerank", "ring.gr", "--dampnig", "0.5")
    assert "did you mean --alpha?" in found and "--endpoints" not in found
    found = fails(capsys, "run", "sssp", "ring.gr", "--quux", "1")
    assert "its own are --source, --cutoff (lagraph-gpu run --help)" in found
    found = fails(capsys, "run", "sssp", "ring.gr", "1")
    assert "got also '1'; arguments go by name, as in --source 1 (lagraph-gpu run" in found


def test_the_arguments_of_one_algorithm(capsys: Capture) -> None:
    assert said(capsys, "run", "sssp", "--list").startswith("sssp --source [--cutoff None]\n    S")
    assert [row["algorithm"] for row in told(capsys, "run", "bfs", "--list")] == ["bfs"]


def test_a_missing_word_is_told_in_one_line(capsys: Capture) -> None:
    assert "bash, zsh, fish" in fails(capsys, "completion")


def test_a_shell_completes(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert "_LAGRAPH_GPU_COMPLETE=bash_complete" in said(capsys, "completion", "bash")
    monkeypatch.setenv("_LAGRAPH_GPU_COMPLETE", "bash_complete")
    for begun, at, ends in (("lagraph-gpu d", "1", ["doctor", "distances"]),
                            ("lagraph-gpu run b", "2", ["bellman_ford", "bfs"]),
                            ("lagraph-gpu run bfs --lab", "3", ["--labels"])):  # fmt: skip
        monkeypatch.setenv("COMP_WORDS", begun)
        monkeypatch.setenv("COMP_CWORD", at)
        assert main() == 0
        found = [line.partition(",")[2] for line in capsys.readouterr().out.split()]
        assert set(ends) <= set(found) and all(w.startswith(begun.split()[-1]) for w in found)


class TestTables:
    """What `--out` writes, read back by others."""

    @pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz", ".parquet", ".npz"])
    def test_sources_and_targets(self, ending: str, capsys: Capture) -> None:
        Path("a.txt").write_text("# depots\n2\n\n0\n")
        Path("b.txt").write_text("0\n1\n4\n")
        name = f"table{ending}"
        words = "distances", "ring.wel", "--sources", "a.txt", "--targets", "b.txt", "--out", name
        assert said(capsys, *words, "--backend", "cpu") == ""
        table = read_table(name)
        G = lg.read("ring.wel", backend="cpu")
        expected = lg.distance_matrix(G, [2, 0], [0, 1, 4]).ravel()
        assert list(table) == ["source", "target", "distance"]
        assert table["source"].tolist() == [2, 2, 2, 0, 0, 0]
        assert table["target"].tolist() == [0, 1, 4] * 2
        assert table["distance"].tolist() == expected.tolist()
        assert "--force" in fails(capsys, *words)
        said(capsys, *words, "--force", "--hops", "--cutoff", "1")
        assert read_table(name)["distance"].tolist() == [np.inf, 1, np.inf, 0, 1, np.inf]

    def test_lists_with_a_heading(self, capsys: Capture) -> None:
        Path("a.txt").write_text("# depots\nSource\n2\n0\n")
        Path("b.txt").write_text('"target"\n1\n')
        words = "distances", "ring.wel", "--sources", "a.txt", "--targets", "b.txt"
        lines = said(capsys, *words, "--backend", "cpu").splitlines()
        assert [line.split("\t")[:2] for line in lines] == [["2", "1"], ["0", "1"]]
        Path("from.csv").write_text("source,target\nfrom,Bonn\n")  # a vertex of that name
        Path("a.txt").write_text("from\n")
        Path("b.txt").write_text("Bonn\n")
        words = "distances", "from.csv", "--labels", *words[2:]
        assert said(capsys, *words, "--backend", "cpu") == "from\tBonn\t1\n"

    def test_lists_of_names(self, capsys: Capture) -> None:
        Path("far.el").write_text("ann bob\nbob cid\n")
        words = "distances", "far.el", "--labels", "--backend", "cpu"
        Path("a.txt").write_text("id\nann\n")
        Path("b.txt").write_text("cid\n")
        lists = "--sources", "a.txt", "--targets", "b.txt"
        assert said(capsys, *words, *lists) == "ann\tcid\t2\n"
        Path("b.txt").write_text("")
        assert "b.txt: the file is empty; expected a vertex" in fails(capsys, *words, *lists)
        Path("b.txt").write_text("# none\n")
        assert "there is no vertex in the file" in fails(capsys, *words, *lists)
        assert "there is no pair in the file" in fails(capsys, *words, "b.txt")
        Path("c.el").write_text("# pairs\nann bob far\nann cit far\n")
        assert "c.el, line 3: expected two vertices on a line: " in fails(capsys, *words, "c.el")
        Path("c.csv").write_text("source,target,note,km\nann,cid,,1\n")  # only the ends are read
        assert said(capsys, *words, "c.csv") == "ann\tcid\t2\n"

    def test_pairs_are_no_graph(self, capsys: Capture) -> None:
        """The first pair is no heading, although its vertices are in no other pair."""
        Path("far.el").write_text("ann bob\nbob cid\ncid dan\ndan eve\neve fay\n")
        Path("some.el").write_text("ann bob\ncid dan\ncid eve\n")
        found = said(capsys, "distances", "far.el", "some.el", "--labels", "--backend", "cpu")
        assert found == "ann\tbob\t1\ncid\tdan\t1\ncid\teve\t2\n"

    def test_labels_in_and_out(self, capsys: Capture) -> None:
        Path("roads.csv").write_text(
            'source,target,weight\n"Bonn, am Rhein",Trier,140\nTrier,Metz,100\n'
        )
        Path("a.txt").write_text('"Bonn, am Rhein"\n')
        Path("b.txt").write_text("Metz\n")
        words = "roads.csv", "--labels", "--backend", "cpu", "--out", "t.csv", "--force"
        said(capsys, "distances", "--sources", "a.txt", "--targets", "b.txt", *words)
        head = 'source,target,distance\n"Bonn, am Rhein",Metz,240\n'
        assert Path("t.csv").read_text() == head
        assert main(["run", "bfs", "--source", "Trier", *words]) == 0
        assert Path("t.csv").read_text() == "vertex,level,parent\nMetz,1,Trier\nTrier,0,Trier\n"

    @pytest.mark.parametrize("ending", [".csv", ".parquet", ".npz"])
    def test_whole_results(
        self, ending: str, backend: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(run, "resolve", lambda which: backend)
        assert main(["run", "sssp", "ring.wel", "--source", "0", "--out", f"t{ending}"]) == 0
        distance, parent = lg.sssp(lg.read("ring.wel", backend="cpu"), 0)
        table = read_table(f"t{ending}")
        for name, vector in (("distance", distance), ("parent", parent)):
            index, values = vector.to_coo()
            assert table["vertex"].tolist() == index.tolist()
            assert table[name].tolist() == values.tolist()

    def test_values_alone(self, capsys: Capture) -> None:
        words = "ring.wel", "--backend", "cpu", "--out", "t.csv", "--force"
        assert main(["run", "density", *words]) == 0
        assert Path("t.csv").read_text() == "density\n0.4\n"
        assert main(["run", "shortest_path_between", "--source=0", "--target=2", *words]) == 0
        assert Path("t.csv").read_text() == "length,path\n8,0\n8,1\n8,2\n"

    def test_a_table_never_replaces_its_graph(self, capsys: Capture) -> None:
        Path("g.csv").write_text("0,1\n1,2\n")
        words = "run", "bfs", "g.csv", "--source", "0", "--backend", "cpu", "--out", "g.csv"
        assert "another file for --out" in fails(capsys, *words, "--force")
        assert Path("g.csv").read_text() == "0,1\n1,2\n"

    def test_bad_wishes(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("a.txt").write_text("0\n9\n")
        Path("b.txt").write_text("0\n")
        words = "distances", "ring.wel", "--sources", "a.txt", "--backend", "cpu"
        assert "both --sources and --targets" in fails(capsys, *words)
        assert "PAIRS" in fails(capsys, *words, "--targets", "b.txt", "ring.wel")
        assert "a.txt, line 2: " in fails(capsys, *words, "--targets", "b.txt")
        Path("a.txt").write_text("home\n")
        assert "line 1: " in fails(capsys, *words, "--targets", "b.txt")
        Path("a.txt").write_text("0,1\n")
        assert "a line: got 2 columns" in fails(capsys, *words, "--targets", "b.txt")
        Path("a.txt").write_text("0\nsource\n")  # a heading is the first line only
        assert "line 2: " in fails(capsys, *words, "--targets", "b.txt")
        assert "mean .parquet?" in fails(capsys, "run", "bfs", "ring.wel", "--out", "t.parket",
                                         "--source", "0")  # fmt: skip
        with monkeypatch.context() as early:  # before any work is done
            early.setattr(run, "load_graph", None)
            assert "no folder" in fails(capsys, "run", "density", "ring.wel", "--out", "deep/t.csv")
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        assert "[arrow]" in fails(capsys, "run", "density", "ring.wel", "--out", "t.parquet")


def read_table(name: str) -> dict[str, np.ndarray]:
    """The columns of a table, by pandas and NumPy."""
    if name.endswith(".npz"):
        with np.load(name) as arrays:
            return dict(arrays)
    if name.endswith(".parquet"):
        frame = pd.read_parquet(name)
    else:
        frame = pd.read_csv(name, sep="\t" if ".tsv" in name else ",")
    return {column: frame[column].to_numpy() for column in frame}


def test_warm(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every algorithm runs on one of the small graphs at least."""
    ran = set()

    def noting(name: str, function: Any) -> Any:
        @functools.wraps(function)
        def noted(*given: Any, **more: Any) -> None:
            function(*given, **more)
            ran.add(name)

        return noted

    known = {name: noting(name, function) for name, function in run.algorithms().items()}
    monkeypatch.setattr(warm, "algorithms", lambda: known)
    assert told(capsys, "warm", "--backend", "cpu")["algorithms"] == len(known)
    assert ran == set(known)


def test_names_are_told_as_they_are(capsys: Capture) -> None:
    assert "two  blanks.gr: there is no such file" in fails(capsys, "info", "two  blanks.gr")


def test_numbers_that_json_lacks() -> None:
    given = {1: (np.int64(3), float("nan")), "x": [np.bool_(True), None, np.float32("inf")]}
    assert json.dumps(plain(given)) == '{"1": [3, "nan"], "x": [true, null, "inf"]}'


def test_streams_that_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["info", "ring.gr", "--backend", "cpu"]) == 0
    assert main(["info", "absent.gr"]) == 2


def test_characters_that_the_encoding_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    monkeypatch.setattr(sys, "stdout", out)
    escape_what_stdout_lacks()
    assert guarded(lambda: print("Köln …") or 0) == 0
    assert out.buffer.getvalue() == rb"K\xf6ln \u2026" + b"\n"  # type: ignore[attr-defined]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="it has no device that is full")
def test_output_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = open("/dev/full", "w")  # noqa: SIM115 (its end fails)
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["info", "ring.gr", "--backend", "cpu"]) == 2
    said = "error: standard output cannot be written: No space left on device\n"
    assert capsys.readouterr().err == said
    with suppress(OSError):
        out.close()


def test_a_reader_of_a_file_that_goes_away() -> None:
    """A file that is /dev/stdout, say."""

    def write() -> int:
        try:
            raise BrokenPipeError
        except BrokenPipeError as problem:
            raise FormatError("cannot be written", Path("/dev/stdout")) from problem

    assert guarded(write) == 141


def test_ctrl_c_while_a_command_is_loaded(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def interrupted(name: str) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("lagraph_gpu.cli.command.import_module", interrupted)
    assert main(["run", "--list"]) == main(["ring.gr"]) == 130
    assert capsys.readouterr() == ("", "")


def test_as_a_command() -> None:
    """As a process: exit status, a clean stdout, a reader that goes away."""
    command = [sys.executable, "-m", "lagraph_gpu"]
    done = subprocess.run([*command, "info", "ring.gr", "--json", "--backend", "cpu"],
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0
    assert json.loads(done.stdout)["vertices"] == 5
    done = subprocess.run([*command, "info", "absent.gr"], capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="this system ends processes without a signal")
def test_a_process_that_is_told_to_end(place: Path) -> None:
    """Nothing half written stays behind."""
    lg.io.write_edges("large.el", EdgeList(*np.arange(10**6).reshape(2, -1), None, 10**6, 10**6))
    before = sorted(place.iterdir())
    command = [sys.executable, "-m", "lagraph_gpu", "convert", "large.el", "new.mtx.xz"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        while process.poll() is None and not any(p.stat().st_size for p in place.glob(".new*")):
            time.sleep(0.01)
        assert not Path("new.mtx.xz").exists()
        process.terminate()
        assert process.wait(60) == 143
    assert sorted(place.iterdir()) == before


def test_errors_advise_what_a_command_line_has(place: Path, capsys: Capture) -> None:
    Path("two.el").write_text("0 1\n2 3\n")
    for arguments, advice in (
        ("run bfs two.el --source Bonn", "the vertices have no labels, see --labels"),
        ("run diameter two.el", "say --undirected, or take a part: `run strongly_"),
        ("run diameter two.el --undirected", "take a component: `run connected_comp"),
    ):
        told = fails(capsys, *arguments.split())
        assert advice in told and "lg." not in told and "G." not in told


def test_pairs_of_vertices(capsys: Capture) -> None:
    """As in the help, as a list of Python, and what neither is."""
    Path("square.gr").write_text("p sp 4 4\na 1 2 1\na 2 3 1\na 3 4 1\na 4 1 1\n")
    asked = "run", "jaccard_coefficient", "square.gr", "--backend", "cpu", "--pairs"
    for pairs in ("1,3;2,4", "1,3; 2,4;", "[[1, 3], [2, 4]]"):
        found = told(capsys, *asked, pairs)
        assert found["arguments"]["pairs"] in ([[1, 3], [2, 4]], [(1, 3), (2, 4)])
    one, other = (said(capsys, *asked, word).splitlines()[1:] for word in ("1,3", "[(1, 3)]"))
    assert one == other
    for wrong in ("1", "1,2,3", "1,2;3", "[1, 2]"):
        assert "expected --pairs as U,V;U,V, such as" in fails(capsys, *asked, wrong)
    assert "[--pairs U,V;U,V]" in said(capsys, "run", "jaccard_coefficient", "--list")
