"""The documentation: its examples run, its links lead somewhere, its reference is up to date."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("LAGRAPH_DATA", ROOT.parent / "shared" / "data"))
SECONDS = 10
LARGEST_PICTURE = 100_000


def script(name: str) -> ModuleType:
    """A script of docs/ as a module."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


run_pages = script("run_pages")
make_reference = script("make_reference")

WRITTEN = [*run_pages.pages(), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
RUNNABLE = [page for page in run_pages.pages() if any(run_pages.examples(page))]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """SuiteSparse's threads wait busily for each other; beside other tests that costs minutes."""
    import graphblas as gb

    before, gb.ss.config["nthreads"] = gb.ss.config["nthreads"], 1
    yield
    gb.ss.config["nthreads"] = before


@pytest.mark.parametrize("page", RUNNABLE, ids=name)
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LAGRAPH_DATA", raising=False)
    began = time.process_time()
    run_pages.run(page, tmp_path)
    assert time.process_time() - began < SECONDS, f"{name(page)} takes too long"
    for picture in run_pages.pictures(page):
        assert shape(tmp_path / picture.name) == shape(picture), (
            f"{picture.name} is not what {name(page)} draws; run python docs/run_pages.py"
        )


def shape(picture: Path) -> set[tuple[str, str | None]]:
    """What a drawing consists of; where ``any`` may choose, coordinates and counts may differ."""
    return {(part.tag, part.get("class")) for part in ET.parse(picture).iter()}


def test_the_tutorial_with_new_york(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not DATA.is_dir():
        assert os.environ.get("CI", "").lower() != "true", f"CI has no folder {DATA}"
        pytest.skip(f"no folder {DATA}; set LAGRAPH_DATA to where the shared graphs are")
    monkeypatch.setenv("LAGRAPH_DATA", str(DATA))
    page = ROOT / "docs" / "tutorial" / "road-network.md"
    names = run_pages.run(page, tmp_path, compare=False)
    assert names["G"].n == 264_346
    assert int(names["distance"].to_coo()[1].sum()) == 186_686_642_878  # as others published it


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_links(page: Path) -> None:
    assert not broken_links(page)


def broken_links(page: Path) -> list[str]:
    """The links of a page to files or headings that do not exist."""
    broken = []
    for target in re.findall(r"\]\(([^)]+)\)", without_code(page.read_text(encoding="utf-8"))):
        path, _, anchor = target.partition("#")
        other = page.parent / path if path else page
        if not re.match(r"https?://", target) and (
            not other.exists() or (anchor and anchor not in anchors(other))
        ):
            broken.append(target)
    return broken


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))


def anchors(page: Path) -> set[str]:
    """Headings as the usual Markdown renderers name them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}


def test_every_page_can_be_reached() -> None:
    seen, todo = set(), [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        text = without_code(page.read_text(encoding="utf-8"))
        targets = re.findall(r"\]\(([^):#]+\.md)[^)]*\)", text)
        todo += [(page.parent / target).resolve() for target in targets]
    assert set(run_pages.pages()) <= seen


def test_pictures_are_small_text() -> None:
    for file in (ROOT / "docs").rglob("*"):
        if file.is_file() and file.suffix not in (".md", ".py", ".pyc"):
            assert file.suffix == ".svg", f"{name(file)} is no text picture"
            assert file.stat().st_size < LARGEST_PICTURE, f"{name(file)} is too large"


def test_reference_is_up_to_date() -> None:
    folder = ROOT / "docs" / "reference"
    committed = {p.name: p.read_text(encoding="utf-8") for p in folder.glob("*.md")}
    made = make_reference.pages()
    again = "; run python docs/make_reference.py"
    assert sorted(committed) == sorted(made), f"other pages than the modules{again}"
    for page, text in made.items():
        assert not re.search(r" at 0x|/home/|/tmp/", text) and str(ROOT) not in text
        assert committed[page] == text, f"reference/{page} is not what the docstrings say{again}"


# --- the judge is judged ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("```python\nprint(1 + 1)\n```\n\n```text\n3\n```\n", "the page says:\n3"),
        ("```python\nprint('unannounced')\n```\n", "unannounced"),
        ("```python\n>>> 1 + 1\n3\n```\n", "Got:\n    2"),
        ("```python\nx = 1\n```\n\n```python\n>>> x\n2\n```\n", "Got:\n    1"),
    ],
)
def test_a_wrong_page_is_refused(
    text: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_pages, "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(run_pages.WrongOutput, match=re.escape(complaint)):
        run_pages.run(page, tmp_path)


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A heading, or `two`\n", encoding="utf-8")
    page = tmp_path / "page.md"
    good = "[a](other.md) [b](other.md#a-heading-or-two) [c](https://example.org) `[d](e)`\n"
    page.write_text(good + "[f](missing.md) [g](other.md#missing)\n", encoding="utf-8")
    assert broken_links(page) == ["missing.md", "other.md#missing"]
