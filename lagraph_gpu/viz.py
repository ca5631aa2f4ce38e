"""Pictures of matrices under python-graphblas' names: `viz.draw` and `viz.spy`.

Graphs have pictures of their own, with values, groups and paths: see `lagraph_gpu.draw`. Pictures
need the extra `plot`: `pip install 'lagraph-gpu[plot]'`.
"""

from __future__ import annotations

import importlib
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.display import pyplot, value
from lagraph_gpu.draw import graph, spring_layout
from lagraph_gpu.errors import DimensionMismatch, spelt
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix
from lagraph_gpu.notation.checks import expect_kind
from lagraph_gpu.notation.expressions import Transposed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw", "spy"]

LOOP = -12
"""How far above its vertex the value of an entry on the diagonal stands, in points."""


@spelt
def draw(m: Any) -> None:
    """Draw a square matrix as a graph: an arrow with its value for each entry.

    The picture is shown, as a window or in the notebook. A symmetric matrix has lines instead of
    arrows. The value of an entry on the diagonal stands below its vertex.

    Parameters
    ----------
    m : Matrix
        The matrix, or a transpose. It should have a handful of rows.

    Raises
    ------
    MissingPackage
        Matplotlib is not installed.
    DimensionMismatch
        The matrix is not square.
    InvalidValue
        The matrix is too large for a layout.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> A = lg.Matrix.from_coo([0, 1, 2], [1, 2, 0], [5, 6, 7], backend="cpu")
    >>> lg.viz.draw(A)
    """
    expect_kind(m, (Matrix, Transposed), "a Matrix to draw")
    if m.shape[0] != m.shape[1]:
        raise DimensionMismatch(f"expected a square matrix to draw, got shape {m.shape}")
    plt = pyplot()
    row, column, held = m.to_coo()
    G = Graph(Matrix.from_coo(row, column, True, nrows=m.shape[0], ncols=m.shape[1]))
    ends = [*zip(row.tolist(), column.tolist())]
    value_of = dict(zip(ends, held.tolist()))
    symmetric = all(value_of.get((j, i)) == x for (i, j), x in value_of.items())
    xy = spring_layout(G)
    ax = graph(G, xy, labels=True, sizes=80.0)
    text: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": "center"}
    text |= {"fontsize": 8, "zorder": 6, "bbox": {"fc": "white", "ec": "none", "pad": 0.5}}
    for (i, j), x in zip(ends, held):
        if i == j:
            ax.annotate(value(x), xy[i], (0, LOOP), color="0.4", **text)
            continue
        if not symmetric:
            arrow = {"arrowstyle": "-|>", "color": "0.55", "shrinkA": 5, "shrinkB": 5}
            ax.annotate("", xy[j], xy[i], arrowprops=arrow, zorder=2)
        if i < j or not symmetric:
            along = 0.5 if symmetric else 0.62  # nearer to the head, as there may be an arrow back
            ax.annotate(value(x), xy[i] + (xy[j] - xy[i]) * along, (0, 0), **text)
    _show(plt)


def spy(
    M: Any,
    *,
    centered: bool = False,
    show: bool = True,
    figure: Any = None,
    axes: Any = None,
    figsize: Any = None,
    **kwargs: Any,
) -> Figure:
    """Draw where a matrix has entries.

    Parameters
    ----------
    M : Matrix
        The matrix, or a transpose.
    centered : bool, optional
        Whether ticks stand at the middle of the squares, instead of at their edges.
    show : bool, optional
        Whether the picture is shown, as a window or in the notebook.
    figure, axes : matplotlib.figure.Figure, matplotlib.axes.Axes, optional
        Where to draw. By default a new figure.
    figsize : pair of float, optional
        The size of a new figure, in inches.
    **kwargs : object
        Settings of the markers, which `matplotlib.axes.Axes.spy` takes. By default markers are as
        large as a position.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    MissingPackage
        Matplotlib is not installed.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> A = lg.Matrix.from_coo([0, 2], [1, 0], 1, nrows=3, ncols=3, backend="cpu")
    >>> lg.viz.spy(A, show=False).axes[0].lines[0].get_xydata().tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    expect_kind(M, (Matrix, Transposed), "a Matrix to draw")
    plt = pyplot()
    if axes is None:
        axes = (plt.figure(figsize=figsize) if figure is None else figure).subplots()
    row, column, _ = M.to_coo()
    sparse = importlib.import_module("scipy.sparse")
    pattern = sparse.coo_array((np.ones(row.size), (row, column)), shape=M.shape)
    if kwargs.get("markersize") is None:
        across = min(axes.bbox.width / max(M.shape[1], 1), axes.bbox.height / max(M.shape[0], 1))
        kwargs["markersize"] = max(0.002, across * 72 / axes.figure.dpi)
    axes.spy(pattern, **kwargs)
    if not centered:
        for axis, size in ((axes.xaxis, M.shape[1]), (axes.yaxis, M.shape[0])):
            at = [t for t in axis.get_ticklocs() if 0 <= t < size and t == int(t)]
            axis.set_ticks([t - 0.5 for t in at], labels=[str(int(t)) for t in at])
    if show:
        _show(plt)
    return axes.figure  # type: ignore[no-any-return]


def _show(plt: Any) -> None:
    """Show figures where there is a screen or a notebook; elsewhere nothing happens."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # "non-interactive, and thus cannot be shown"
        plt.show()
