"""Looks at the built site in a browser: nothing may be wider than the window.

    python docs/screenshots.py                 all pages, 1,280 and 400 pixels wide
    python docs/screenshots.py --out FOLDER    and writes pictures of some pages, light and dark
    python docs/screenshots.py PAGE ...        some pages, as paths within the site, with pictures

It needs `pip install playwright` and a Chromium: that of `playwright install chromium`, or one
whose path is given by ``--browser``. It names what is wider than its place, and then exits with 1.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

SITE = Path(__file__).resolve().parent / "_build" / "html"
WIDTHS = (1280, 400)
SHOWN = (
    "index.html",
    "how-to/read-and-write.html",
    "examples/plot_city.html",
    "examples/index.html",
    "reference/index.html",
    "performance.html",
)

# What a reader would have to scroll sideways to read. What the theme hides is not looked at.
WIDER = """() => {
  const found = [];
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth)
    found.push(`the page: ${page.scrollWidth} for ${page.clientWidth}`);
  const names = ["pre", "table", "dt", "div.pst-scrollable-table-container", "img"];
  for (const e of document.querySelectorAll(names.map(name => "article " + name).join(", "))) {
    if (e.offsetParent === null || e.scrollWidth <= e.clientWidth + 1) continue;
    const text = e.textContent.trim().slice(0, 50);
    found.push(`${e.tagName.toLowerCase()} ${e.scrollWidth} for ${e.clientWidth}: ${text}`);
  }
  return found;
}"""


def main() -> int:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--browser", default=None)
    given = parser.parse_args()
    out = given.out or (Path("screenshots") if given.pages else None)
    every = sorted(
        page.relative_to(SITE).as_posix()
        for page in SITE.rglob("*.html")
        if not {"_modules", "_static"} & set(page.relative_to(SITE).parts)
    )
    shown = given.pages or SHOWN
    wrong = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=given.browser, args=["--no-sandbox"])
        for width in WIDTHS:
            for scheme in ("light", "dark"):
                page = browser.new_page(
                    viewport={"width": width, "height": 900}, color_scheme=scheme
                )
                names = (given.pages or every) if scheme == "light" else shown if out else ()
                for name in names:
                    page.goto((SITE / name).as_uri())
                    for problem in page.evaluate(WIDER) if scheme == "light" else ():
                        print(f"{name} at {width}: {problem}")
                        wrong += 1
                    if out and name in shown:
                        to = (
                            out
                            / f"{name.removesuffix('.html').replace('/', '-')}-{width}-{scheme}.png"
                        )
                        page.screenshot(path=to, full_page=True)
                page.close()
        browser.close()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
