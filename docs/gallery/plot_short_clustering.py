"""
Short: clustering of a NetworkX graph
=====================================

One line converts a graph of NetworkX, with its names. The picture shows the
:func:`clustering <lagraph_gpu.clustering>` of each vertex: the share of the pairs of its neighbours
that are neighbours of each other.
"""

import matplotlib.pyplot as plt
import networkx as nx

import lagraph_gpu as lg

network = nx.karate_club_graph()
G = lg.Graph.from_networkx(network, weight=None)
share = lg.clustering(G)
print(f"clustering {share.mean():.3f}, of all triples {lg.transitivity(G):.3f}")
print("as NetworkX has it:", round(nx.average_clustering(network), 3))

G.plot(values=share, sizes=15 * G.degree().to_dense(), labels=[0, 33], title="A karate club")
plt.show()
