"""
Short: the ten highest ranks, with names
========================================

The edges are a data frame with names; the result is a data frame of the ten vertices with the
highest :func:`lagraph_gpu.pagerank`.
"""

import matplotlib.pyplot as plt
import networkx as nx

import lagraph_gpu as lg

edges = nx.to_pandas_edgelist(nx.les_miserables_graph())
print(edges.head(3))
G = lg.Graph.from_pandas(edges, weight="weight", directed=False)
rank = G.named(lg.pagerank(G, weight="weight")).rename("rank")
top = rank.nlargest(10).rename_axis("name").reset_index()
print(top)

G.plot(values=lg.pagerank(G), labels=top["name"], title="Les Misérables, by PageRank")
plt.show()
