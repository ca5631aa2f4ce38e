"""
Push, pull, and why both
========================

A breadth-first search can *push*: follow every edge that leaves the frontier. Or it can *pull*: let
each vertex that is not yet found look among its own neighbours for one of the frontier, and stop at
the first. On a network with hubs the frontier becomes very large after two or three levels. From
then on pulling looks at far fewer edges, and before that pushing does. The planner chooses again at
each level, and :func:`lagraph_gpu.explain` tells what it chose and why.
"""

import matplotlib.pyplot as plt
import numpy as np

import lagraph_gpu as lg

# %%
# What was chosen
# ---------------

G = lg.kronecker(16, seed=1)
source = int(np.flatnonzero(G.out_degree.to_dense(fill_value=0) == 3)[0])
with lg.explain() as report:
    level, parent = lg.bfs(G, source)
steps = report.steps
print(f"{G.n:,} vertices, {G.nedges:,} edges, {level.nvals:,} reached")
for choice in report.choices:
    print(f"{choice.what}: {choice.chosen}")
    print(f"    because {choice.because}")

# %%
# What either way would have looked at
# ------------------------------------
# A push looks at all edges that leave the frontier. For a pull we count by hand: a vertex that is
# not yet found looks along its row up to the first neighbour in the frontier, or to the end.

levels = level.to_dense(fill_value=G.n)
indptr, neighbour, _ = G.A.to_csr()
degree = np.diff(indptr)
vertex = np.repeat(np.arange(G.n), degree)
place = np.arange(neighbour.size) - indptr[vertex]

pushed, pulled = [s.edges for s in steps], []
for at in range(len(steps)):
    looks, found = degree.copy(), levels[neighbour] == at
    np.minimum.at(looks, vertex[found], place[found] + 1)
    pulled.append(int(looks[levels > at].sum()))
chosen = [a if s.direction == "push" else b for a, b, s in zip(pushed, pulled, steps)]
for way, looked in (("push alone", pushed), ("pull alone", pulled), ("as chosen", chosen)):
    print(f"{way}: {sum(looked):,} edges looked at")

# %%
# The picture
# -----------
# On the CPU the planner goes back to pushing a level early: it knows how many edges leave the
# frontier, not how soon a pull would stop. On a GPU it goes on pulling while many vertices change.

colours = {"push": "#4477aa", "pull": "#ee6677"}
fig, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4), sharex=True, layout="constrained")
bars = left.bar(
    range(len(steps)), [s.frontier for s in steps], color=[colours[s.direction] for s in steps]
)
left.bar_label(bars, [f"{s.direction}\n{s.frontier:,}" for s in steps], padding=2, fontsize=9)
left.set_ylim(0.7, 8 * max(s.frontier for s in steps))
left.set_title("vertices in the frontier, and what was chosen", loc="left", fontsize=11)
right.plot(chosen, color="0.85", linewidth=9, solid_capstyle="round", label="as chosen")
for way, looked in (("push", pushed), ("pull", pulled)):
    right.plot(looked, "o-", color=colours[way], label=f"{way} alone")
right.set_title("edges looked at", loc="left", fontsize=11)
right.legend(frameon=False, loc="lower center")
for ax in (left, right):
    ax.set_yscale("log")
    ax.set_xlabel("level")
    ax.spines[["top", "right"]].set_visible(False)
plt.show()
