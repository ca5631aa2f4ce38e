"""
PageRank on a small web
=======================

A visitor follows links at random, and now and then starts again on any page. How often is the
visitor on each page? That share is the page's :func:`lagraph_gpu.pagerank`. A page is important not
because many pages link to it, but because important ones do: *news* has a single link, from the
front page, and ranks above *forum*, which has four.
"""

import matplotlib.pyplot as plt
import numpy as np

import lagraph_gpu as lg

# %%
# A web
# -----

web = {
    "front": ["news", "shop"],
    "news": ["front"],
    "shop": ["front", "cart"],
    "cart": ["shop"],
    "docs": ["front", "forum"],
    "forum": ["docs", "front"],
    "ann": ["forum", "front"],
    "ben": ["forum"],
    "cleo": ["forum", "shop"],
}
pages = list(web)
links = [(pages.index(a), pages.index(b)) for a in web for b in web[a]]
G = lg.Graph.from_edges(*np.array(links).T, n=len(pages))

# %%
# The ranks
# ---------
# They sum to 1. ``alpha`` is the probability to follow a link rather than to start anew; the
# smaller it is, the more alike the pages.

rank = lg.pagerank(G, alpha=0.85, tol=1e-10).to_dense()
for i in rank.argsort()[::-1]:
    print(f"{pages[i]:6} {rank[i]:6.1%}  {G.in_degree.get(i, 0)} links to it")

# %%
# The picture
# -----------

xy = np.array(
    [
        (0, 0),
        (-1.7, 1.3),
        (1.9, 0.9),
        (3.4, 0.2),
        (-2.6, -0.5),
        (-1, -1.6),
        (0.7, -2),
        (-2.6, -2.4),
        (2, -1.5),
    ]
)
radius = 1.15 * np.sqrt(rank)

fig, ax = plt.subplots(figsize=(8.2, 6), layout="constrained")
for a, b in links:
    way = (xy[b] - xy[a]) / np.linalg.norm(xy[b] - xy[a])
    ends = xy[a] + way * (radius[a] + 0.03), xy[b] - way * (radius[b] + 0.05)
    arrow = {"arrowstyle": "-|>", "color": "0.45", "connectionstyle": "arc3,rad=0.13", "lw": 1.3}
    ax.annotate("", ends[1], ends[0], arrowprops=arrow | {"shrinkA": 0, "shrinkB": 0})
shade = plt.colormaps["viridis"](0.25 + 0.75 * rank / rank.max())
for i, page in enumerate(pages):
    ax.add_patch(plt.Circle(xy[i], radius[i], color=shade[i]))
    text = f"{page}\n{rank[i]:.0%}" if rank[i] > 0.04 else page
    ax.annotate(text, xy[i], ha="center", va="center", color="black" if rank[i] > 0.1 else "white")
ax.set_aspect("equal")
ax.autoscale_view()
ax.set_axis_off()
ax.set_title("Area: how often a random visitor is there", loc="left")
plt.show()
