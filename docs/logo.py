"""Draws the logo: ``python docs/logo.py``. A lattice, and the shortest path through it."""

from __future__ import annotations

import argparse
from pathlib import Path

FILE = Path(__file__).resolve().parent / "_static" / "logo.svg"
SIDE, GAP, EDGE = 4, 16, 8
MISSING = {((1, 0), (2, 0)), ((2, 2), (2, 3)), ((0, 2), (1, 2)), ((3, 0), (3, 1))}
PATH = [(0, 0), (0, 1), (1, 1), (2, 1), (2, 2), (3, 2), (3, 3)]
BLUE, ORANGE = "#2f7fb8", "#e6692c"  # to be seen on white and on black


def place(cell: tuple[int, int]) -> tuple[int, int]:
    return EDGE + GAP * cell[0], EDGE + GAP * cell[1]


def drawn() -> str:
    cells = [(x, y) for x in range(SIDE) for y in range(SIDE)]
    ends = [(a, (a[0] + dx, a[1] + dy)) for a in cells for dx, dy in ((1, 0), (0, 1))]
    edges = [e for e in ends if max(e[1]) < SIDE and e not in MISSING]
    side = 2 * EDGE + GAP * (SIDE - 1)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}">']
    lines += [
        f'<path d="M{x1} {y1}L{x2} {y2}" stroke="{BLUE}" stroke-width="2"/>'
        for (x1, y1), (x2, y2) in ((place(a), place(b)) for a, b in edges)
    ]
    points = " ".join(f"{x},{y}" for x, y in map(place, PATH))
    lines.append(
        f'<polyline points="{points}" fill="none" stroke="{ORANGE}" stroke-width="5" '
        'stroke-linejoin="round"/>'
    )
    for cell in cells:
        x, y = place(cell)
        lines.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{ORANGE if cell in PATH else BLUE}"/>')
    return "\n".join([*lines, "</svg>"]) + "\n"


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    FILE.write_text(drawn(), encoding="utf-8")
