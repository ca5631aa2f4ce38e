"""
A way through a maze
====================

A maze without loops is a spanning tree of a grid of cells. Give every wall between two cells a
random height, take the lowest walls down by :func:`lagraph_gpu.minimum_spanning_tree`, and one way
remains between any two cells. :func:`lagraph_gpu.bfs` finds it, and also how many steps every cell
is from the entrance.

Another page, :doc:`a wire through a maze </gallery/maze-routing>`, shows such a search on a board
with obstacles.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection

import lagraph_gpu as lg

# %%
# Build it
# --------
# Cell ``r * side + c`` lies in row r and column c. Weights of the grid are random; an edge that the
# tree keeps is a passage.

side = 48
grid = lg.grid(side, side, weights="uniform", seed=7)
maze = lg.minimum_spanning_tree(grid)
print(f"{grid.nedges:,} walls, {maze.nedges:,} taken down")

# %%
# Walk it
# -------

level, parent = lg.bfs(maze, 0)
steps = level.to_dense()
exit_ = side * side - 1
path = lg.path_to(parent, exit_)
print(f"{len(path) - 1} steps from corner to corner; the deepest cell is {steps.max()} steps in")

# %%
# Draw it
# -------
# A wall stands between two neighbours that the tree does not join. It is half a cell away from
# both, at a right angle to the line between them.


def pairs(G):
    u, v, _ = G.A.to_coo()
    return {(a, b) for a, b in zip(u.tolist(), v.tolist()) if a < b}


def place(cells):
    return np.stack([np.asarray(cells) % side, np.asarray(cells) // side], axis=-1) + 0.5


ends = place(sorted(pairs(grid) - pairs(maze)))
centre, along = ends.mean(axis=1), ends[:, 1] - ends[:, 0]
across = along[:, ::-1] / 2
walls = np.stack([centre - across, centre + across], axis=1)

fig, ax = plt.subplots(figsize=(7.4, 6.4), layout="constrained")
shades = {"cmap": "viridis_r", "vmax": 1.6 * steps.max()}  # no shade so dark that it hides a wall
image = ax.imshow(steps.reshape(side, side), extent=(0, side, side, 0), **shades)
ax.add_collection(LineCollection(walls, colors="black", linewidths=1.1, capstyle="round"))
ax.add_patch(plt.Rectangle((0, 0), side, side, fill=False, linewidth=2, clip_on=False))
for colour, width in (("white", 4.5), ("#b2182b", 2.4)):
    ax.plot(*place(path).T, color=colour, linewidth=width, solid_joinstyle="round")
for cell, mark in ((0, "o"), (exit_, "s")):
    ax.plot(*place([cell]).T, mark, color="white", markeredgecolor="black", markersize=8)
ax.set_axis_off()
ax.set_title("One way from the circle to the square", loc="left")
bar = fig.colorbar(image, label="steps from the entrance", shrink=0.6, aspect=28, pad=0.02)
bar.ax.set_ylim(0, steps.max())
bar.outline.set_visible(False)
plt.show()
