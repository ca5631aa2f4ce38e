"""
Short: communities in colours
=============================

:func:`lagraph_gpu.louvain` finds groups with many edges inside and few between them, and
``G.plot(groups=…)`` gives each a colour.
"""

import matplotlib.pyplot as plt
import networkx as nx

import lagraph_gpu as lg

G = lg.Graph.from_networkx(nx.les_miserables_graph())
group = lg.louvain(G, seed=1)
print(f"modularity {lg.modularity(G, group):.3f}")
rank = lg.pagerank(G)
known = [str(name) for name in G.labels[rank.to_dense() > 0.03]]
print("best known:", ", ".join(known))

G.plot(groups=group, sizes=4000 * rank.to_dense(), labels=known, title="Les Misérables")
plt.show()
