"""The frontier of a search, level by level, as a picture. It needs Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.files.atomic import replacing
from lagraph_gpu.planning.trace import Step

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {"push": "#4477aa", "pull": "#ee6677", "edge": "#ccbb44"}


def profile(profiles: Sequence[tuple[str, Sequence[Step]]]) -> Figure:
    """A figure with one panel for each (title, steps). Raises ImportError without Matplotlib.

    Bars show the vertices of the frontier, a line the edges that leave it, and another line the
    microseconds if all are known.
    """
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(8, 3.2 * len(profiles)), layout="constrained")
    for axes, (title, steps) in zip(figure.subplots(len(profiles), squeeze=False)[:, 0], profiles):
        level, few = range(len(steps)), len(steps) < 100
        (edges,) = axes.plot(level, [s.edges for s in steps], color="0.35", lw=1.2, marker=".",
                             ms=5 if few else 0, label="edges that leave it")  # fmt: skip
        lines, times = [edges], [s.microseconds for s in steps]
        if times and None not in times:
            lines += axes.plot(level, times, color="#228833", lw=1.2, ls="--", label="microseconds")
        axes.bar(level, [s.frontier for s in steps], color=[COLOURS[s.direction] for s in steps],
                 width=0.8 if few else 1.0)  # fmt: skip
        axes.set_yscale("symlog", linthresh=1)
        axes.set_ylim(bottom=0)
        axes.set_title(title, loc="left", fontsize=10)
        axes.set_xlabel("level")
        axes.set_ylabel("count")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.spines[["top", "right"]].set_visible(False)
        used = [d for d in COLOURS if any(s.direction == d for s in steps)]
        bars = [Patch(color=COLOURS[d], label=f"frontier, {d}") for d in used]
        axes.legend(handles=[*bars, *lines], fontsize=8, frameon=False)
    return figure


def save(figure: Figure, path: Path) -> None:
    """Save a figure; the file appears complete or not at all.

    Raises InvalidValue if the extension is not a format, and FormatError if the folder is missing
    or the file cannot be written.
    """
    kind, known = path.suffix[1:].lower(), figure.canvas.get_supported_filetypes()
    if kind not in known:
        endings = ", ".join(f".{end}" for end in known)
        raise InvalidValue(f"expected a picture's name to end in {endings}, got {str(path)!r}")
    with replacing(path) as out:
        figure.savefig(out, dpi=130, format=kind)
