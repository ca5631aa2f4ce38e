"""
Short: a route on a road map
============================

The shortest way between two crossings, on the map that it leads through. With the shared data the
map is Seattle; without, a lattice with streets missing.
"""

import os

import matplotlib.pyplot as plt
import numpy as np

import lagraph_gpu as lg

osm = os.environ.get("LAGRAPH_DATA", "../shared/data") + "/osm/seattle"
if os.path.exists(osm + ".gr.gz"):
    G = lg.read(osm + ".gr.gz", directed=False)
    xy = lg.io.read_edges(osm + ".gr.gz", coordinates=osm + ".co.gz").coordinates * [1, -1]
else:
    G = lg.grid(60, 60, removed=0.25, seed=3, weights="integer")
    xy = np.indices((60, 60))[::-1].reshape(2, -1).T
start, goal = (int(abs(xy - np.quantile(xy, q, axis=0)).sum(axis=1).argmin()) for q in (0.1, 0.9))
length, route = lg.shortest_path_between(G, start, goal)
print(f"{G.n:,} crossings; the route has {len(route):,} of them")
G.plot(xy, path=route, title="From the circle to the square")
plt.show()
