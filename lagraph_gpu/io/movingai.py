"""Grid maps of the Moving AI Lab, `.map`: the standard benchmarks of path finding on grids.

::

    type octile
    height 2
    width 3
    map
    .G@                 . and G are ground, S swamp; @ O T W are closed
    .S.

Source: N. Sturtevant, Benchmarks for Grid-Based Pathfinding, 2012,
https://movingai.com/benchmarks/formats.html.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from lagraph_gpu.io.stream import Source, no_header, shown, vertex_count
from lagraph_gpu.memory import guarded

OPEN, CLOSED = b".GS", b"@OTW"


@guarded
def read_movingai(path: str | os.PathLike[str]) -> NDArray[np.bool_]:
    """Read a `.map` file, plain or compressed (`.gz`, `.bz2`, `.xz`).

    `grid_from_mask` makes a graph of it.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    array of bool
        Shape (height, width), row 0 on top: True for an open cell. Water (W) is closed here,
        although the format allows movement within water.

    Raises
    ------
    FormatError
        A row has the wrong length, a letter is unknown, or rows are missing. The message names the
        line.

    Notes
    -----
    O(cells).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "tiny.map")
    ...     _ = path.write_text("type octile\\nheight 2\\nwidth 3\\nmap\\n..@\\n@..\\n")
    ...     read_movingai(path).astype(int).tolist()
    [[1, 1, 0], [0, 1, 1]]
    """
    with Source(path, "a grid map") as source:
        _expect(source, b"type")
        height = vertex_count(source, _expect(source, b"height"), "the height")
        width = vertex_count(source, _expect(source, b"width"), "the width")
        _expect(source, b"map", 1)
        rows: list[bytes] = []
        while (line := source.next_line()) is not None:
            row = line.strip()
            if not row and len(rows) == height:
                continue
            if len(rows) == height:
                raise source.error(source.line, f"more than the {height} rows that 'height' says")
            if len(row) != width:
                raise source.error(source.line, f"expected {width} cells, came {len(row)}")
            if unknown := row.translate(None, OPEN + CLOSED):
                expected = (OPEN + CLOSED).decode()
                raise source.error(
                    source.line, f"unknown cell {shown(unknown[:1])}; expected one of {expected}"
                )
            rows.append(row)
        if len(rows) < height:
            raise source.error(
                source.line, f"expected {height} rows, the file ends after {len(rows)}: cut short?"
            )
    cells = np.frombuffer(b"".join(rows), np.uint8).reshape(height, width)
    return np.isin(cells, list(OPEN))


def _expect(source: Source, key: bytes, count: int = 2) -> bytes:
    line = source.next_line()
    if line is None:
        raise no_header(source, f"a line {shown(key)} of a movingai map")
    words = line.split()
    if len(words) != count or words[0] != key:
        raise source.error(
            source.line, f"expected a line {shown(key)} of a movingai map, came {shown(line)}"
        )
    return words[-1]
