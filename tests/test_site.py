"""The built site: its links lead somewhere, its examples have pictures, every public name is there.

`make docs` builds it; without it these tests are skipped, but not in CI, which builds it first.
"""

from __future__ import annotations

import os
import re
import runpy
import sys
import tomllib
import zlib
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "docs" / "_build" / "html"
EXAMPLES = sorted((ROOT / "docs" / "gallery").glob("plot_*.py"))
LINES = 80
SMALLEST_PICTURE = 20_000  # bytes: less is an empty figure


class Page(HTMLParser):
    """What a page names and what it offers to be named."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.ids: set[str] = set()
        self.tags: Counter[str] = Counter()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value for key, value in attrs if value}
        self.tags[tag] += 1
        self.ids |= {given[key] for key in ("id", "name") if key in given}
        self.targets += [given[key] for key in ("href", "src") if key in given]


@cache
def parsed(path: Path) -> Page:
    return Page(path)


def broken(page: Path) -> list[str]:
    """What the page names within the site and is not there."""
    missing = []
    for target in parsed(page).targets:
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            continue
        file = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        anchored = parts.fragment and file.suffix == ".html"
        if not file.exists() or (anchored and unquote(parts.fragment) not in parsed(file).ids):
            missing.append(target)
    return missing


@pytest.fixture(scope="module")
def site() -> Path:
    if not BUILT.is_dir():
        assert os.environ.get("CI", "").lower() != "true", f"CI has not built {BUILT}"
        pytest.skip(f"no site in {BUILT}; make docs builds it")
    return BUILT


def own(site: Path) -> list[Path]:
    """The pages that we wrote; the search page and the listings of source are Sphinx'."""
    made = [page for page in site.rglob("*.html") if "_modules" not in page.parts]
    return [page for page in made if "_static" not in page.parts]


def test_links(site: Path) -> None:
    pages = own(site)
    assert len(pages) > 80
    found = {page.relative_to(site).as_posix(): broken(page) for page in pages}
    assert not {page: targets for page, targets in found.items() if targets}


def test_headings(site: Path) -> None:
    """One title a page, and no page without."""
    assert not [page.name for page in own(site) if parsed(page).tags["h1"] != 1]


CLICKS = 3
SOUGHT = {
    "how-to/use-names.html": "a CSV file of named edges",
    "how-to/use-a-cluster.html": "GPU",
    "how-to/look-at-a-traversal.html": "schedule says how a search is carried out",
    "how-to/find-an-algorithm.html": "all functions of a graph",
}
"""What a stranger looks for, and words of the page that says it."""


def clicks(site: Path, start: str = "index.html") -> dict[str, int]:
    """How many links lead from the first page to each other one."""
    found, ahead = {start: 0}, [start]
    for name in ahead:
        for target in parsed(site / name).targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or not parts.path.endswith(".html"):
                continue
            page = (site / name).parent / unquote(parts.path)
            to = os.path.relpath(page.resolve(), site.resolve())
            if to not in found and page.is_file():
                found[to] = found[name] + 1
                ahead.append(to)
    return found


def test_what_is_sought_is_found_in_three_clicks(site: Path) -> None:
    away = clicks(site)
    for page, words in SOUGHT.items():
        assert away[page] <= CLICKS
        text = re.sub(r"<[^>]+>|\s+", " ", (site / page).read_text(encoding="utf-8"))
        assert words.lower() in re.sub(" +", " ", text).lower(), f"{page} does not say {words!r}"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example(example: Path, site: Path) -> None:
    page = site / "examples" / f"{example.stem}.html"
    text = page.read_text(encoding="utf-8")
    pictures = {Path(src).name for src in re.findall(r'<img src="([^"]+)"', text)}
    pictures.discard("logo.svg")
    assert pictures == {f"sphx_glr_{example.stem}_001.png"}, "one picture an example"
    assert (site / "_images" / pictures.pop()).stat().st_size > SMALLEST_PICTURE
    assert "sphx-glr-script-out" in text, "it prints nothing"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_is_short(example: Path) -> None:
    assert len(example.read_text(encoding="utf-8").splitlines()) <= LINES


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    import lagraph_gpu
    import semirings

    head = b"\n".join((site / "objects.inv").read_bytes().split(b"\n", 4)[:4])
    packed = (site / "objects.inv").read_bytes()[len(head) + 1 :]
    known = {line.split(" ")[0] for line in zlib.decompress(packed).decode().splitlines()}
    for package in (lagraph_gpu, semirings, lagraph_gpu.io):
        described = [n for n in package.__all__ if hasattr(getattr(package, n), "__qualname__")]
        assert len(described) > 5
        homes = {n: getattr(package, n).__module__ for n in described}
        assert not [
            f"{package.__name__}.{n}"
            for n in described
            if not {f"{package.__name__}.{n}", f"{homes[n]}.{n}", f"lagraph_gpu.errors.{n}"} & known
        ]


# --- the judge is judged -------------------------------------------------------------------------


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "other.html").write_text('<h1 id="there">x</h1>', encoding="utf-8")
    good = (
        '<a href="other.html#there"></a><a href="https://example.org"></a><a href="#own" id="own">'
    )
    bad = '<a href="gone.html"></a><img src="gone.png"><a href="other.html#gone"></a><a href="#no">'
    page = tmp_path / "page.html"
    page.write_text(good + bad, encoding="utf-8")
    assert broken(page) == ["gone.html", "gone.png", "other.html#gone", "#no"]


def test_clicks_are_counted(tmp_path: Path) -> None:
    for name, target in (("index", "a"), ("a", "b"), ("b", "c"), ("lost", "a")):
        (tmp_path / f"{name}.html").write_text(f'<a href="{target}.html#x"></a>', encoding="utf-8")
    assert clicks(tmp_path) == {"index.html": 0, "a.html": 1, "b.html": 2}


def test_names_in_a_text_lead_to_the_reference(site: Path) -> None:
    page = (site / "how-to" / "find-an-algorithm.html").read_text(encoding="utf-8")
    page, breaks = re.subn("<wbr>", "", page)  # where a narrow column may break a name
    assert breaks > 50
    names = re.findall(
        r'(<a [^>]*href="([^"#]*)#([\w.]+)"[^>]*>)?<code[^>]*><span class="pre">lg\.(\w+)<', page
    )
    assert len(names) > 50
    for _, target, place, name in names:
        assert target.startswith("../reference/") and place.endswith(f".{name}"), name


@pytest.mark.parametrize("repository", ["", "https://example.org/us/lagraph-gpu"])
def test_an_address_of_the_repository_gives_links(
    repository: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where `pyproject.toml` has one; without it nothing leads to a repository."""
    read = tomllib.loads

    def with_address(text: str) -> Any:
        found = read(text)
        found["project"]["urls"] = {"Repository": repository} if repository else {}
        return found

    monkeypatch.setattr(tomllib, "loads", with_address)
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.delenv("READTHEDOCS_GIT_CLONE_URL", raising=False)
    monkeypatch.setenv("LAGRAPH_DATA", os.environ.get("LAGRAPH_DATA", "none"))
    told = runpy.run_path(str(ROOT / "docs" / "conf.py"))
    options, context = told["html_theme_options"], told["html_context"]
    links = [link["url"] for link in options.get("icon_links", [])]
    assert links == ([repository] if repository else [])
    edit = context.get("edit_page_url_template", "")
    assert edit == (f"{repository}/edit/main/docs/{{{{ file_name }}}}" if repository else "")
    assert options.get("use_edit_page_button", False) == bool(repository)
