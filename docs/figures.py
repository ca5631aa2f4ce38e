"""Draws the figures of the pages of explanation: ``python docs/figures.py [FOLDER]``.

Each shows what the library computes on a small graph, or what follows from that: the frontiers of a
search, the edges that a push and a pull look at, two rows merged and cut into even shares, and four
blocks with a barrier after each round or with queues of their own. The last is a model in which
looking at an edge takes one unit of time. The files are text, the same each time; what each figure
says in numbers is in its caption on the page, and `tests/test_docs.py` compares the two.
"""

from __future__ import annotations

import argparse
import heapq
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import lagraph_gpu as lg
from lagraph_gpu.planning.direction import Facts, choose

FOLDER = Path(__file__).resolve().parent / "explanation"
PAST, NOW, LATER, INK, HIT = "#9ecae1", "#d95f0e", "#f0f0f0", "#252525", "#b10026"
BLOCKS = ("#4477aa", "#ee6677", "#228833", "#aa3377")


def rows_of(G: lg.Graph) -> list[np.ndarray]:
    """The neighbours of each vertex."""
    indptr, column, _ = G.A.to_csr()
    return np.split(column, indptr[1:-1])


def figure(width: float, height: float, *shape: int) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), layout="constrained")
    return made, made.subplots(*shape)


def save(made: Any, path: Path) -> None:
    from matplotlib import rc_context

    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "figures"}):
        made.savefig(path, metadata={"Date": None})


# --- the frontier --------------------------------------------------------------------------------

SIDE = 9


def frontier(path: Path) -> dict[str, int]:
    """A lattice in four rounds of a search from a corner."""
    G = lg.grid(SIDE, SIDE, removed=0.1, seed=3, backend="cpu")
    level = lg.bfs(G, 0)[0].to_dense(fill_value=-1)
    rounds = [1, 4, 7, 10]
    made, panels = figure(9, 2.6, 1, len(rounds))
    for axes, now in zip(panels, rounds):
        for kind in (False, True):
            lines = [
                [(v % SIDE, v // SIDE), (w % SIDE, w // SIDE)]
                for v, row in enumerate(rows_of(G))
                for w in row[row > v]
                if ({level[v], level[w]} == {now - 1, now}) is kind
            ]
            apart = np.array([point for line in lines for point in (*line, (np.nan, np.nan))])
            axes.plot(*apart.T, color=NOW if kind else "#cccccc", linewidth=2 if kind else 0.8,
                      zorder=1)  # fmt: skip
        colour = [NOW if at == now else PAST if 0 <= at < now else LATER for at in level]
        axes.scatter(np.arange(G.n) % SIDE, np.arange(G.n) // SIDE, c=colour, s=30, zorder=2,
                     edgecolors=INK, linewidths=0.4)  # fmt: skip
        axes.set_title(f"round {now}: {np.count_nonzero(level == now)} vertices", fontsize=10)
        axes.set_aspect("equal")
        axes.invert_yaxis()
        axes.axis("off")
    save(made, path)
    return {f"round {now}": int(np.count_nonzero(level == now)) for now in rounds}


# --- push and pull -------------------------------------------------------------------------------


SEED = 10


def push_pull(path: Path) -> dict[str, int]:
    """One round of a search both ways: each edge that is looked at, and who writes."""
    G = lg.random_graph(14, 26, seed=SEED, backend="cpu")
    level = lg.bfs(G, 0)[0].to_dense(fill_value=9)
    rows, now = rows_of(G), 2
    front = np.flatnonzero(level == now)
    left = np.flatnonzero((level > now) & (G.out_degree.to_dense(fill_value=0) > 0))
    rest = np.flatnonzero(level < now)
    tall = front.size - 1
    place = {
        int(v): (x, -tall * (i + 0.5) / some.size)
        for x, some in ((-2.0, rest), (0.0, front), (2.0, left))
        for i, v in enumerate(some)
    }
    pushed = [(int(v), int(w)) for v in front for w in rows[v] if int(w) in place]
    pulled = []
    for w in left:
        for v in rows[w]:
            pulled.append((int(w), int(v)))
            if level[v] == now:
                break
    made, panels = figure(9, 3.4, 1, 2)
    told = (
        (panels[0], pushed, f"push: {len(pushed)} edges looked at"),
        (panels[1], pulled, f"pull: {len(pulled)} edges looked at"),
    )
    for axes, edges, title in told:
        ends = [b for _, b in edges]
        for a, b in edges:
            (x, y), (u, v) = place[a], place[b]
            push = axes is panels[0]
            clash = push and level[b] > now and ends.count(b) > 1
            vain = level[b] <= now if push else level[b] != now
            axes.annotate("", (u, v), (x, y), zorder=1, arrowprops={
                "arrowstyle": "->", "shrinkA": 8, "shrinkB": 8, "linewidth": 1.1,
                "connectionstyle": f"arc3,rad={0.4 if x == u else 0}",
                "linestyle": "dashed" if vain else "solid",
                "color": "#999999" if vain else HIT if clash else INK})  # fmt: skip
        for v, (x, y) in place.items():
            colour = NOW if level[v] == now else PAST if level[v] < now else LATER
            axes.scatter([x], [y], s=230, c=colour, edgecolors=INK, linewidths=0.8, zorder=2)
            axes.text(x, y, str(v), ha="center", va="center", fontsize=8, zorder=3)
        axes.set_title(title, fontsize=10)
        axes.set_xlim(-2.5, 2.5)
        axes.axis("off")
    for axes in panels:
        axes.text(-2, 0.4, "reached", ha="center", fontsize=9)
        axes.text(0, 0.4, "frontier", ha="center", fontsize=9)
        axes.text(2, 0.4, "not reached", ha="center", fontsize=9)
        axes.set_ylim(-tall - 0.2, 0.7)
    save(made, path)
    return {"push": len(pushed), "pull": len(pulled)}


def directions(path: Path) -> dict[str, int]:
    """What push and pull look at in each round, and what the planner takes."""
    G = lg.kronecker(14, seed=1, backend="cpu")
    degree = G.out_degree.to_dense(fill_value=0)
    source = int(np.flatnonzero(degree == 3)[0])
    level = lg.bfs(G, source)[0].to_dense(fill_value=G.n)
    indptr, column, _ = G.A.to_csr()
    vertex = np.repeat(np.arange(G.n), np.diff(indptr))
    at = np.arange(column.size) - indptr[vertex]
    rounds = range(int(level[level < G.n].max()) + 1)
    pushed, pulled, chosen = [], [], []
    for now in rounds:
        looks, found = np.diff(indptr).copy(), level[column] == now
        np.minimum.at(looks, vertex[found], at[found] + 1)
        pushed.append(int(degree[level == now].sum()))
        pulled.append(int(looks[level > now].sum()))
        facts = Facts(int((level == now).sum()), pushed[-1], G.n, column.size, early_exit=True)
        chosen.append(choose(facts).direction)
    made, axes = figure(7, 3.2)
    axes.plot(rounds, pushed, "o-", color=BLOCKS[0], label="push: edges that leave the frontier")
    axes.plot(rounds, pulled, "s-", color=BLOCKS[1], label="pull: edges until the first hit")
    best = [a if way == "push" else b for way, a, b in zip(chosen, pushed, pulled)]
    axes.plot(rounds, best, color="0.8", linewidth=8, zorder=0, label="what the planner chooses")
    for now, way in zip(rounds, chosen):
        axes.text(now, 1.6, way, ha="center", fontsize=9)
    axes.set_yscale("log")
    axes.set_ylim(1, None)
    axes.set_xlabel("round")
    axes.set_ylabel("edges looked at")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=8, frameon=False)
    save(made, path)
    return {"push alone": sum(pushed), "pull alone": sum(pulled), "chosen": sum(best)}


# --- merge path ----------------------------------------------------------------------------------


class Item(NamedTuple):
    """One step along the merged rows: the head of a row (side 0), or an entry of A (1) or B (2)."""

    row: int
    column: int
    side: int


def merged(A: lg.Matrix, B: lg.Matrix) -> list[Item]:
    """The items of `merge_path.cuh`: each row's head, then its entries in both by column."""
    items = [Item(row, -1, 0) for row in range(A.nrows + 1)]
    for side, matrix in ((1, A), (2, B)):
        rows, columns, _ = matrix.to_coo()
        items += [Item(int(r), int(c), side) for r, c in zip(rows, columns)]
    return sorted(items)


def shares(items: list[Item], parts: int) -> list[int]:
    """Where each share begins; a cut between two entries that meet stands one item later."""
    size = -(-len(items) // parts)
    cuts = []
    for cut in range(0, len(items), size):
        before, after = items[cut - 1], items[cut]
        meet = cut > 0 and before[:2] == after[:2] and (before.side, after.side) == (1, 2)
        cuts.append(cut + meet)
    return [*cuts, len(items)]


def merge_path(path: Path) -> dict[str, int]:
    """A + B: a path through the entries of both, cut into even shares."""
    heavy, light = [0] * 9 + [2, 3, 3, 5], [0, 0, 2, 2, 2, 2, 2, 4, 5, 5]
    rng = np.random.default_rng(5)

    def drawn(rows: list[int]) -> lg.Matrix:
        columns = [c for r in range(6) for c in sorted(rng.choice(12, rows.count(r), False))]
        return lg.Matrix.from_coo(rows, columns, 1, nrows=6, ncols=12, backend="cpu")

    A, B = drawn(heavy), drawn(light)
    items, parts = merged(A, B), 4
    cuts = shares(items, parts)
    steps = {0: (0, 0), 1: (1, 0), 2: (0, 1)}
    at = np.cumsum([(0, 0), *(steps[item.side] for item in items)], axis=0)
    made, axes = figure(6.4, 4.6)
    for number, (begin, end) in enumerate(pairwise(cuts)):
        part = at[begin : end + 1]
        axes.plot(part[:, 0], part[:, 1], color=BLOCKS[number], linewidth=4, zorder=2,
                  label=f"thread {number}: {end - begin} items")  # fmt: skip
        heads = [k for k in range(begin, end) if items[k].side == 0]
        axes.scatter(at[heads, 0], at[heads, 1], marker="D", s=40, c="white", zorder=3,
                     edgecolors=BLOCKS[number])  # fmt: skip
        if number:
            x, y = at[begin]
            axes.plot([x - 1, x + 1], [y + 1, y - 1], color=INK, linewidth=1.2, zorder=4)
    axes.scatter([], [], marker="D", s=40, c="white", edgecolors=INK, label="a row begins")
    axes.set_xticks(range(A.nvals + 1), [""] * (A.nvals + 1))
    axes.set_yticks(range(B.nvals + 1), [""] * (B.nvals + 1))
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_xlabel("entries of A, row after row")
    axes.set_ylabel("entries of B, row after row")
    axes.invert_yaxis()
    axes.set_aspect("equal")
    axes.legend(fontsize=8, frameon=False, loc="upper right")
    save(made, path)
    return {"items": len(items), "longest row": max(map(heavy.count, heavy))}


# --- block queues --------------------------------------------------------------------------------

BARRIER = 12
"""What a barrier of all blocks costs in the model, in looks at an edge."""


class Bar(NamedTuple):
    block: int
    begin: float
    end: float


def by_rounds(
    rows: list[np.ndarray], level: np.ndarray, blocks: int
) -> tuple[list[Bar], list[float]]:
    """Rounds with a barrier after each: the frontier is dealt out, all wait for the slowest."""
    time, bars, waits = 0.0, [], []
    for now in range(int(level.max()) + 1):
        front = np.flatnonzero(level == now)
        work = [sum(rows[v].size for v in front[block::blocks]) for block in range(blocks)]
        bars += [Bar(block, time, time + w) for block, w in enumerate(work) if w]
        time += max(work) + BARRIER
        waits.append(time)
    return bars, waits


def by_queues(
    rows: list[np.ndarray], level: np.ndarray, blocks: int, epoch: int
) -> tuple[list[Bar], list[float], np.ndarray]:
    """Each block follows what it finds itself for `epoch` looks; then all is dealt out anew.

    A vertex may be reached first by a longer way, and again by a shorter one. The levels at the
    end are right.
    """
    best = np.full(level.size, np.inf)
    best[0] = 0
    pending, time, bars, waits = [(0, 0)], 0.0, [], []
    while pending:
        queues: list[list[tuple[int, int]]] = [sorted(pending)[b::blocks] for b in range(blocks)]
        clock = [(0.0, block) for block in range(blocks)]
        while clock:
            spent, block = heapq.heappop(clock)
            if not queues[block] or spent >= epoch:
                if spent:
                    bars.append(Bar(block, time, time + spent))
                continue
            at, v = queues[block].pop(0)
            if at == best[v]:
                spent += rows[v].size
                for w in rows[v]:
                    if at + 1 < best[w]:
                        best[w] = at + 1
                        queues[block].append((at + 1, int(w)))
            heapq.heappush(clock, (spent, block))
        longest = max(bar.end for bar in bars if bar.begin == time)
        pending = [item for queue in queues for item in queue]
        time = longest + BARRIER
        waits.append(time)
    return bars, waits, best


def block_queues(path: Path) -> dict[str, int]:
    """Four blocks on a lattice, round by round and with queues of their own."""
    G = lg.grid(24, 24, removed=0.1, seed=3, backend="cpu")
    level = lg.bfs(G, 0)[0].to_dense(fill_value=0)
    rows = rows_of(G)
    first, waits = by_rounds(rows, level, 4)
    second, later, found = by_queues(rows, level, 4, 64)
    assert (np.where(np.isinf(found), 0, found) == level).all()
    made, panels = figure(9, 3.6, 2, 1)
    epochs = "queues of their own, a barrier after each epoch"
    told = (
        (panels[0], first, waits, "a barrier after each round"),
        (panels[1], second, later, epochs),
    )
    for axes, bars, ends, title in told:
        for bar in bars:
            axes.barh(bar.block, bar.end - bar.begin, left=bar.begin, color=BLOCKS[bar.block])
        for end in ends:
            axes.axvspan(end - BARRIER, end, color="#cccccc", linewidth=0)
        axes.set_title(
            f"{title}: {len(ends)} barriers, {ends[-1]:,.0f} units", loc="left", fontsize=10
        )
        axes.set_yticks(range(4), [f"block {b}" for b in range(4)], fontsize=8)
        axes.set_xlim(0, waits[-1])
        axes.invert_yaxis()
        axes.spines[["top", "right"]].set_visible(False)
    panels[1].set_xlabel("time, in looks at an edge; grey: the barrier")
    save(made, path)
    return {"barriers by rounds": len(waits), "barriers by queues": len(later),
            "time by rounds": int(waits[-1]), "time by queues": int(later[-1])}  # fmt: skip


FIGURES = {
    "frontier.svg": frontier,
    "push-pull.svg": push_pull,
    "directions.svg": directions,
    "merge-path.svg": merge_path,
    "block-queues.svg": block_queues,
}


def main(folder: Path = FOLDER) -> dict[str, dict[str, int]]:
    """Draws all; what each shows in numbers."""
    return {name: draw(folder / name) for name, draw in FIGURES.items()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, metavar="FOLDER")
    for name, numbers in main(parser.parse_args().folder).items():
        print(name, numbers)
