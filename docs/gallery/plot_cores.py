"""
The cores of a network
======================

The k-core of a network is what remains when everyone with fewer than k neighbours is taken out,
again and again. :func:`lagraph_gpu.core_number` gives each vertex the largest k whose core holds
it. Here the innermost core is in the centre, and the outer ones are around it. If the shared data
are there, the network is ten people's friends on Facebook; otherwise it is a Kronecker graph.
"""

import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection

import lagraph_gpu as lg

# %%
# Core numbers
# ------------

friends = Path(os.environ.get("LAGRAPH_DATA", "../shared/data"), "snap", "facebook_combined.txt.gz")
if friends.exists():
    name, G = "Friends on Facebook", lg.read(friends, directed=False)
else:
    name, G = "A Kronecker graph", lg.kronecker(12, seed=1)
core = lg.core_number(G).to_dense()
k = int(core.max())
print(f"{name}: {G.n:,} vertices, {G.nedges:,} edges")
print(f"the innermost core has k = {k} and {(core == k).sum()} vertices")

# %%
# The picture
# -----------
# Radius: the farther out, the smaller the core number. Angle: vertices of one community (found by
# :func:`lagraph_gpu.louvain`) stand side by side, so that bundles of edges show.

community = lg.louvain(G, seed=1).to_dense()
_, of, size = np.unique(community, return_inverse=True, return_counts=True)
chance = np.random.default_rng(0).uniform(-0.02, 0.02, G.n)
order = np.lexsort((chance, of, -size[of]))
angle = np.empty(G.n)
angle[order] = np.linspace(0, 2 * np.pi, G.n, endpoint=False)
radius = 1.05 - core / k + np.random.default_rng(1).uniform(-0.02, 0.02, G.n)
xy = (radius * np.stack([np.cos(angle), np.sin(angle)])).T

u, v, _ = G.A.to_coo()
u, v = u[u < v], v[u < v]

fig, ax = plt.subplots(figsize=(8, 7), layout="constrained")
edges = LineCollection(xy[np.stack([u, v], axis=1)], colors="0.3", linewidths=0.2, alpha=0.05)
ax.add_collection(edges)
dots = ax.scatter(*xy.T, s=7, c=core, cmap="viridis", linewidths=0, zorder=3)
ax.set_aspect("equal")
ax.set_axis_off()
ax.margins(0.01)
ax.set_title(f"{name}: the highest cores inside", loc="left")
bar = fig.colorbar(dots, label="core number", shrink=0.6, aspect=28, pad=0)
bar.outline.set_visible(False)
plt.show()
