"""Pictures of a graph and of its degrees, by Matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from lagraph_gpu.display import pyplot
from lagraph_gpu.draw.given import checked, column, group_numbers, named, paths_of, ranked
from lagraph_gpu.draw.layouts import spectral_layout, spring_layout
from lagraph_gpu.errors import InvalidValue, WrongType, brief, spelt
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.checks import expect_at_least_0, expect_flag, expect_kind

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DOTS = 2_000
"""Larger graphs are drawn by their edges alone, unless sizes are given."""

PLACED = 20_000
"""Larger graphs need positions, or a layout by name."""

GREY, LIGHT, LINE = "0.55", "0.8", "0.3"
COLOURS = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#332288",
    "#aa4499", "#117733",
)  # fmt: skip
"""Colours of groups, the largest group first; smaller ones are grey. (Okabe and Ito, and Tol: told
apart also by those who see few colours.)
"""
WAYS = "#d55e00", "#0072b2", "#009e73", "#cc79a7"
"""Colours of paths."""

RING = 9.0
"""The diameter of the ring for a loop, in points."""

ARROWS = 200
"""So many edges of a directed graph have heads, if nobody says otherwise."""


@spelt
def graph(
    G: Graph,
    positions: Any = None,
    *,
    layout: Literal["spring", "spectral"] | None = None,
    values: Any = None,
    groups: Any = None,
    path: Any = None,
    labels: Any = None,
    sizes: Any = None,
    arrows: bool | None = None,
    title: str | None = None,
    ax: Any = None,
) -> Axes:
    """Draw a graph, with values or groups in colours, and with paths on top.

    Parameters
    ----------
    G : Graph
        The graph. Weights are not drawn.
    positions : array of shape (n, 2) or dict, optional
        Where each vertex is, as x and y; a dict names vertices by label where the graph has labels.
        By default the columns "x" and "y" of `G.vertex_data`, which graphs of OpenStreetMap have,
        and else the layout says.
    layout : {"spring", "spectral"}, optional
        How positions are found where none are given: see `lagraph_gpu.draw.spring_layout`, which is
        the default, and `lagraph_gpu.draw.spectral_layout`.
    values : Vector, array, dict or Series, optional
        A number for each vertex, shown as a colour with a bar beside the picture. What has no entry
        stays grey. A dict and a Series of pandas name vertices, as `G.named` returns them.
    groups : Vector, array, dict or Series, optional
        The group of each vertex, such as `lg.louvain` or `lg.connected_components` return, or as
        a name. Each of the ten largest groups has a colour, and the edges within it too.
    path : list, optional
        The vertices of a path, as `lg.path_to` returns them: by position; strings are labels. Or a
        list of several such paths.
    labels : bool or list, optional
        Whether to write what vertices are called, or at which vertices, given as for a method of
        the graph. By default a graph of up to 40 vertices that has labels shows them.
    sizes : number, Vector, array, dict or Series, optional
        The areas of the vertices in points², or one for all. By default a graph of more than 2,000
        vertices is drawn by its edges alone, which then have the colours.
    arrows : bool, optional
        Whether the edges of a directed graph have heads. By default up to 200 edges have.
    title : str, optional
        What stands above.
    ax : matplotlib.axes.Axes, optional
        Where to draw. By default a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The picture. `ax.figure.savefig("graph.png")` writes it.

    Raises
    ------
    MissingPackage
        Matplotlib is not installed.
    InvalidValue
        Positions are not finite or do not have two columns, the graph is too large for a layout
        that nobody asked for, both values and groups are given, or no edge leads from a vertex of
        a path to the next.
    DimensionMismatch
        Values, groups or sizes are not about n vertices.
    IndexOutOfBound
        A path or a label names what is not a vertex.
    WrongType
        `G` is not a graph.

    Notes
    -----
    O(n + m) on the host, and what the layout takes.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> G = lg.grid(4, 4, backend="cpu")
    >>> level, parent = lg.bfs(G, 0)
    >>> ax = lg.draw.graph(G, values=level, path=lg.path_to(parent, 15))
    >>> len(ax.collections), [line.get_label() for line in ax.lines if line.get_label() == "path"]
    (2, ['path'])
    """
    expect_kind(G, Graph, "a Graph")
    if values is not None and groups is not None:
        raise InvalidValue("expected values or groups, got both; draw two pictures")
    plt = pyplot()
    shade = None if values is None else column(G, values, "values")
    group = None
    if groups is not None:
        group = ranked(column(G, group_numbers(G, groups), "groups"), len(COLOURS))
    ways = paths_of(G, path)
    at, names = named(G, labels)
    xy = _placed(G, positions, layout)
    area = _areas(G, sizes)
    ax = _axes(plt, ax)
    dots = bool(np.any(np.asarray(area) > 0))
    u, v, _ = G.edges()
    _edges(ax, u, v, xy, shade, group, dots)
    radius = np.sqrt(np.broadcast_to(area, G.n)) / 2
    arrows = G.nedges <= ARROWS if arrows is None else expect_flag(arrows, "arrows")
    if G.directed and arrows:
        _heads(ax, u, v, xy, radius)
    if dots:
        _loops(ax, u[u == v], xy, radius)
        _vertices(ax, xy, area, shade, group)
    _paths(ax, xy, ways)
    above = 3 + radius
    for place, name in zip(at, names):
        _name(ax, str(name), xy[place], above[place])
    if shade is not None and np.isfinite(shade).any():
        bar = ax.figure.colorbar(ax.collections[-1], ax=ax, shrink=0.6, pad=0.02)
        if (shade[np.isfinite(shade)] % 1 == 0).all():
            bar.locator = plt.MaxNLocator(integer=True)
    ax.set_aspect("equal")
    ax.margins(0.03)
    ax.set_axis_off()
    if title is not None:
        ax.set_title(title, loc="left", pad=6 + (above[at].max() + 8 if len(at) else 0))
    return ax


@spelt
def degrees(G: Graph, *, ax: Any = None) -> Axes:
    """Draw how many vertices have each degree, on logarithmic axes.

    Parameters
    ----------
    G : Graph
        The graph. The degree of a vertex is the number of ends of edges at it: in a directed graph
        edges in and out both count.
    ax : matplotlib.axes.Axes, optional
        Where to draw. By default a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The picture: a point for each degree that occurs. Vertices without edges are counted in the
        title.

    Raises
    ------
    MissingPackage
        Matplotlib is not installed.
    WrongType
        `G` is not a graph.

    Notes
    -----
    O(n + m), where the graph is stored.

    Examples
    --------
    >>> import lagraph_gpu as lg
    >>> ax = lg.draw.degrees(lg.grid(3, 3, backend="cpu"))
    >>> ax.lines[0].get_xydata().tolist()
    [[2.0, 4.0], [3.0, 4.0], [4.0, 1.0]]
    """
    expect_kind(G, Graph, "a Graph")
    plt = pyplot()
    degree, count = np.unique(G.degree().to_dense(), return_counts=True)
    alone = int(count[degree == 0].sum())
    ax = _axes(plt, ax)
    ax.loglog(degree[degree > 0], count[degree > 0], ".", color=COLOURS[0], label="degrees")
    ax.set_xlabel("degree")
    ax.set_ylabel("vertices")
    ax.set_title(f"{G.n:,} vertices, {alone:,} without edges", loc="left", fontsize=10)
    return ax


# --- what is drawn -------------------------------------------------------------------------------
def _axes(plt: Any, ax: Any) -> Any:
    """The axes that are given, or those of a new figure."""
    if ax is None:
        return plt.subplots(layout="constrained")[1]
    if not hasattr(ax, "add_collection"):
        raise WrongType(
            "expected ax as axes of Matplotlib, as fig, ax = plt.subplots() gives them, got "
            f"{brief(ax)}"
        )
    return ax


def _edges(
    ax: Any,
    u: np.ndarray,
    v: np.ndarray,
    xy: np.ndarray,
    shade: np.ndarray | None,
    group: np.ndarray | None,
    dots: bool,
) -> None:
    """The edges as lines: grey, or where there are no dots in the colours of their ends."""
    from matplotlib.collections import LineCollection

    u, v = u[u != v], v[u != v]
    width = 0.5 if u.size > DOTS else 0.8
    colours: dict[str, Any] = {"colors": LIGHT if dots else GREY}
    if group is not None:
        inside = np.where(group[u] == group[v], group[u], len(COLOURS))
        colours = {"colors": np.array([*COLOURS, LIGHT])[inside]}
    elif shade is not None and not dots:
        colours = {"array": np.ma.masked_invalid((shade[u] + shade[v]) / 2), "cmap": _viridis()}
    ends = np.stack([xy[u], xy[v]], axis=1)
    lines = LineCollection([*ends], linewidths=width, zorder=1, **colours)
    lines.set_rasterized(u.size > DOTS)  # else a file of curves would be large
    ax.add_collection(lines)


def _loops(ax: Any, at: np.ndarray, xy: np.ndarray, radius: np.ndarray) -> None:
    """A ring beside the dot of each of these vertices, to its lower right."""
    from matplotlib.transforms import ScaledTranslation

    for dot in sorted({*radius[at].tolist()}):
        away = (dot + RING / 2) / np.sqrt(2) / 72  # in inches
        beside = ax.transData + ScaledTranslation(away, -away, ax.figure.dpi_scale_trans)
        here = at[radius[at] == dot]
        ax.scatter(
            *xy[here].T, s=RING**2, facecolors="none", edgecolors=LINE, linewidths=0.8, zorder=1,
            transform=beside, label="_loops",
        )  # fmt: skip


def _heads(ax: Any, u: np.ndarray, v: np.ndarray, xy: np.ndarray, radius: np.ndarray) -> None:
    """A head at the target of each edge, outside the dot there. Loops have none."""
    from matplotlib.patches import FancyArrowPatch

    for a, b in zip(u[u != v], v[u != v]):
        head = FancyArrowPatch(
            xy[a], xy[b], arrowstyle="-|>", mutation_scale=11, shrinkA=0, shrinkB=radius[b],
            lw=0, color=LINE, zorder=2, clip_on=False,
        )  # fmt: skip
        ax.add_patch(head)


def _vertices(
    ax: Any, xy: np.ndarray, area: Any, shade: np.ndarray | None, group: np.ndarray | None
) -> None:
    """The vertices as dots, in the colours of their values or groups."""
    colours: dict[str, Any] = {"color": COLOURS[0]}
    if group is not None:
        colours = {"color": np.array([*COLOURS, GREY])[group]}
    elif shade is not None:
        colours = {"c": shade, "cmap": _viridis(), "plotnonfinite": True}
    ax.scatter(
        *xy.T, s=area, linewidths=0.5, edgecolors="white", zorder=3, clip_on=False, **colours
    )


def _paths(ax: Any, xy: np.ndarray, ways: list[Any]) -> None:
    """Paths in colours of their own, from a dot to a square."""
    for k, way in enumerate(ways):
        colour = WAYS[k % len(WAYS)]
        for shown, wide, what in (("white", 4.0, "_halo"), (colour, 2.0, "path")):
            ax.plot(*xy[way].T, color=shown, lw=wide, solid_capstyle="round", label=what, zorder=4)
        ax.plot(*xy[way[:1]].T, "o", color="white", mec=colour, ms=7, label="_from", zorder=5)
        ax.plot(*xy[way[-1:]].T, "s", color=colour, mec="white", ms=7, label="_to", zorder=5)


def _name(ax: Any, name: str, at: np.ndarray, above: float) -> None:
    """A name so many points above a vertex."""
    ax.annotate(
        name, at, (0, above), textcoords="offset points", ha="center", fontsize=8, zorder=6,
        bbox={"boxstyle": "round,pad=0.1", "fc": "white", "ec": "none", "alpha": 0.7},
    )  # fmt: skip


def _areas(G: Graph, sizes: Any) -> Any:
    """The areas of the dots in points², one for all or one for each; without sizes the more there
    are the smaller, and of very many none."""
    if sizes is None:
        return 20.0 * min(1.0, 500 / max(G.n, 1)) + 4 if G.n <= DOTS else 0.0
    one = np.ndim(sizes) == 0 and not isinstance(sizes, Vector)
    areas = np.nan_to_num(expect_at_least_0(sizes, "sizes") if one else column(G, sizes, "sizes"))
    if np.any(areas < 0):
        raise InvalidValue(f"expected sizes of at least 0, got {np.min(areas)}")
    return areas


def _viridis() -> Any:
    """Colours of values, with grey for what has none."""
    from matplotlib import colormaps

    return colormaps["viridis_r"].with_extremes(bad=LIGHT)


def _placed(G: Graph, positions: Any, layout: str | None) -> np.ndarray:
    """The positions that are given, or those of the layout."""
    if positions is not None:
        if layout is not None:
            raise InvalidValue(f"expected positions or a layout, got both; leave {layout!r} out")
        if isinstance(positions, Mapping):
            places = [G.vertex(v, "vertex in positions") for v in positions]
            given = checked(list(positions.values()), [*positions])
            xy = np.full((G.n, 2), np.nan)
            xy[places] = given
            if (without := np.flatnonzero(np.isnan(xy).any(axis=1))).size:
                raise InvalidValue(
                    f"expected a position for each vertex, got none of vertex "
                    f"{brief(G.label(int(without[0])))}; add it, or draw a part, G.subgraph(…)"
                )
            return xy
        return checked(positions, G.label(np.arange(G.n)))
    if layout not in (None, "spring", "spectral"):
        raise InvalidValue(f"expected layout 'spring' or 'spectral', got {brief(layout)}")
    if layout is None and "x" in G.vertex_data and "y" in G.vertex_data:
        return checked(
            np.stack([G.vertex_data["x"], G.vertex_data["y"]], axis=1), G.label(np.arange(G.n))
        )
    if layout is None and G.n > PLACED:
        raise InvalidValue(
            f"expected positions for a graph of {G.n:,} vertices, got none; draw a part of it, "
            'G.subgraph(…), or ask for a layout: layout="spectral"'
        )
    return spectral_layout(G) if layout == "spectral" else spring_layout(G)
