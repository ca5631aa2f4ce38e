"""
Short: a route on a road map
============================

The shortest path to the crossing that is farthest by road, on a map whose streets are coloured by
their distance. The map is Seattle if the shared data are there, and else a lattice with streets
missing.
"""

import os

import matplotlib.pyplot as plt

import lagraph_gpu as lg

osm = os.environ.get("LAGRAPH_DATA", "../shared/data") + "/osm/seattle"
if os.path.exists(osm + ".gr.gz"):
    G = lg.read(osm + ".gr.gz", directed=False)
    xy = lg.io.read_edges(osm + ".gr.gz", coordinates=osm + ".co.gz").coordinates * [1, -1]
else:
    G = lg.grid(60, 60, removed=0.25, seed=3, weights="integer")
    xy = [(v % 60, v // 60) for v in range(G.n)]
distance, parent = lg.sssp(G, 0)
goal = int(distance.to_dense(fill_value=-1).argmax())
print(f"{G.n:,} crossings; the farthest is {distance[goal].get():,} away by road")
G.plot(xy, values=distance, path=lg.path_to(parent, goal), title="To the farthest crossing")
plt.show()
