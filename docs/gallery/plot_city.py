"""
Every way from one crossing
===========================

Shortest paths from one crossing of a road network to all others: each street is coloured by how far
it is from the start, and the way to the farthest crossing is drawn on top. If the shared data are
there, the city is Seattle with 148,463 crossings; otherwise it is a lattice with streets missing.

All distances, and a tree that holds a shortest path to every crossing, come from one call of
:func:`lagraph_gpu.sssp`.
"""

import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection

import lagraph_gpu as lg

# %%
# The map
# -------
# The published coordinates are those of a drawing, stretched from west to east, and so are the
# lengths that follow from them. They are in no unit of length, so distances are shown as a share of
# the farthest.

osm = Path(os.environ.get("LAGRAPH_DATA", "../shared/data"), "osm")
if (osm / "seattle.gr.gz").exists():
    name = "Seattle"
    G = lg.read(osm / "seattle.gr.gz", directed=False)
    xy = lg.io.read_edges(osm / "seattle.gr.gz", coordinates=osm / "seattle.co.gz").coordinates
    xy = xy * [1, -1]  # the file counts y downwards
else:
    name, side = "A made city", 120
    G = lg.grid(side, side, removed=0.25, seed=3, weights="integer")
    xy = 100.0 * np.indices((side, side))[::-1].reshape(2, -1).T
    xy += np.random.default_rng(0).normal(0, 18, xy.shape)
print(f"{name}: {G.n:,} crossings, {G.nedges:,} streets")

# %%
# The search
# ----------
# A crossing that cannot be reached has no entry in ``distance``; those streets stay grey.

start = int(np.linalg.norm(xy - np.median(xy, axis=0), axis=1).argmin())
distance, parent = lg.sssp(G, start)
far = distance.to_dense(fill_value=-1)
goal = int(far.argmax())
path = lg.path_to(parent, goal)
print(f"{distance.nvals:,} can be reached")
print(f"the way to the farthest has {len(path) - 1:,} pieces")

# %%
# The picture
# -----------

u, v, _ = G.A.to_coo()
u, v = u[u < v], v[u < v]
streets, reached = xy[np.stack([u, v], axis=1)], far[u] >= 0
share = (far[u] + far[v]) / 2 / far[goal]

wide, tall = np.ptp(xy, axis=0)
fig, ax = plt.subplots(figsize=(6.4, 5.4 * tall / wide), layout="constrained")
ax.add_collection(LineCollection(streets[~reached], colors="0.8", linewidths=0.4))
lines = LineCollection(streets[reached], array=share[reached], cmap="viridis_r", linewidths=0.5)
lines.set_clim(0, 1)
ax.add_collection(lines)
for colour, width in (("white", 4), ("#d55e00", 2)):
    ax.plot(*xy[path].T, color=colour, linewidth=width, solid_capstyle="round")
ax.plot(*xy[start], "o", color="white", markeredgecolor="black", markersize=8)
ax.plot(*xy[goal], "s", color="#d55e00", markeredgecolor="black", markersize=8)
ax.set_aspect("equal")
ax.margins(0.01)
ax.set_axis_off()
ax.set_title(f"{name}: how far by road from the circle", loc="left")
bar = fig.colorbar(lines, shrink=0.45, aspect=28, pad=0, format="{x:.0%}", ticks=[0, 0.5, 1])
bar.set_label("of the farthest crossing's distance")
plt.show()
