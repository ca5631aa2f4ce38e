"""Writes the table of records on the page of decisions (``python docs/decision_numbers.py``)."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "decisions"
PAGE = FOLDER / "index.md"


def rows() -> list[str]:
    """A row for each record of the pages, by its number."""
    found = []
    for page in FOLDER.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        for head in re.findall(r"^### (\d{4} · .+)$", text, re.MULTILINE):
            number, _, title = head.split(" · ", 2)
            anchor = re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-")
            found.append(f"| {number} | [{title}]({page.name}#{anchor}) ({page.stem}) |")
    return sorted(found)


def written() -> str:
    """The page with these rows in place of its own."""
    text = PAGE.read_text(encoding="utf-8")
    before, rule, rest = text.partition("| number | record |\n| --- | --- |\n")
    return before + rule + "\n".join(rows()) + "\n" + rest[rest.index("\n\n") + 1 :]


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    PAGE.write_text(written(), encoding="utf-8")
