"""
Communities of a novel
======================

Who belongs together in *Les Misérables*? Two characters are joined if they appear in one chapter,
with the number of chapters as weight (D. Knuth, *The Stanford GraphBase*, 1993).
:func:`lagraph_gpu.louvain` looks for groups with much weight inside and little between them, which
is what :func:`lagraph_gpu.modularity` measures; the size of a circle is a character's
:func:`lagraph_gpu.pagerank`.
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
from matplotlib.patheffects import withStroke

import lagraph_gpu as lg

# %%
# The groups
# ----------
# A community is named by the smallest vertex in it. Louvain visits vertices in an order that the
# seed draws, so another seed may find other groups of nearly the same modularity.

novel = nx.les_miserables_graph()
names = np.array(list(novel))
G = lg.Graph.from_networkx(novel, weight="weight")

label = lg.louvain(G, seed=1)
rank = lg.pagerank(G).to_dense()
print(f"{G.n} characters, {G.nedges} pairs; modularity {lg.modularity(G, label):.3f}")

groups = label.to_dense()
found, size = np.unique(groups, return_counts=True)
by_rank = rank.argsort()[::-1]
members = [by_rank[groups[by_rank] == g] for g in found[size.argsort()[::-1]]]  # largest first
for group in members:
    print(f"{group.size:3} around", ", ".join(names[group[:3]]))

# %%
# The picture
# -----------
# The layout knows nothing of the groups: it pulls characters together who meet often.

place = nx.kamada_kawai_layout(novel, weight=None)
xy = np.array([place[name] for name in novel])
u, v, meetings = G.A.to_coo()
colours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999"]
halo = [withStroke(linewidth=3, foreground="white")]

fig, ax = plt.subplots(figsize=(8, 6.2), layout="constrained")
for a, b, w in zip(u, v, meetings):
    if a < b and groups[a] != groups[b]:
        ax.plot(*xy[[a, b]].T, color="0.8", linewidth=0.5 + 0.1 * w, zorder=1)
for group, colour in zip(members, colours):
    for a, b, w in zip(u, v, meetings):
        if a < b and a in group and b in group:
            ax.plot(*xy[[a, b]].T, color=colour, linewidth=0.5 + 0.15 * w, alpha=0.6, zorder=2)
    ax.scatter(*xy[group].T, s=9000 * rank[group], color=colour, edgecolor="white", zorder=3)
    for i in group[:2]:
        ax.annotate(
            names[i],
            xy[i],
            (0, 9),
            textcoords="offset points",
            ha="center",
            path_effects=halo,
            zorder=4,
        )
ax.set_axis_off()
ax.set_title("Les Misérables: communities by modularity", loc="left")
plt.show()
