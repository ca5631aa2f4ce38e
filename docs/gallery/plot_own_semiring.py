"""
A semiring of one's own: the most reliable route, with few hops
===============================================================

A message crosses a network whose links work with some probability. The best route is the one that
works with the highest probability, and among equally good ones the one with the fewest links. This
needs no new algorithm, only a semiring; :func:`lagraph_gpu.closure` does the rest.
"""

from itertools import pairwise

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

import lagraph_gpu as lg
from semirings import binary, check_laws, monoid, semiring

# %%
# The semiring
# ------------
# Two numbers have to be compared, one after the other, and ⊕ compares one. So both go into one
# INT64: the upper bits hold the cost −ln(probability) in millionths, rounded to a whole number, and
# the lower 20 bits count links. Then *less cost, then fewer links* is the minimum, and one more
# link adds its cost above and a one below. Probabilities that differ by less than about a millionth
# for each link count as equal, and routes of 2²⁰ links or more do not fit.
#
# ``check_laws`` looks for counterexamples to what is claimed, among small and among nasty numbers.
# It can refute a law, never prove it; that min and + obey these is easily seen.

LINK = 1 << 20
fewest = monoid("min(x, y)", "highest")
link = binary(f"x + y * {LINK} + 1", domain=["INT64"])
route = semiring(fewest, link, distributive=True, ordered="y >= 0")
check_laws(route)

# %%
# The network
# -----------
# Fibre always holds, cable with 0.98, radio with 0.9: many routes are equally reliable.

near = nx.random_geometric_graph(160, 0.16, seed=8)
xy = np.array([near.nodes[v]["pos"] for v in near])
u, v = np.array(near.edges).T
holds = np.random.default_rng(5).choice([1.0, 0.98, 0.9], u.size, p=[0.25, 0.35, 0.4])
cost = np.rint(-1e6 * np.log(holds)).astype(np.int64)
G = lg.Graph.from_edges(u, v, cost, n=len(xy), directed=False)
start, goal = int(xy.sum(1).argmin()), int(xy.sum(1).argmax())
best = lg.closure(lg.Vector.from_coo([start], [0], size=G.n), G.A, route).to_dense(fill_value=-1)
print(f"it holds with {np.exp(-1e-6 * (best[goal] // LINK)):.3f}, over {best[goal] % LINK} links")

# %%
# Walking back
# ------------
# The link before v comes from a neighbour whose value, extended by the link, is that of v. As each
# link counts, values fall along the walk and it ends, also over links that never fail.

length = {(a, b): w for a, b, w in zip(*(part.tolist() for part in G.A.to_coo()))}
path = [goal]
while path[-1] != start:
    at = path[-1]
    path.append(next(a for a in near[at] if best[a] + length[a, at] * LINK + 1 == best[at]))

direct = lg.path_to(lg.bfs(G, start)[1], goal)
lost = sum(length[pair] for pair in pairwise(direct))
print(f"one of fewest links has {len(direct) - 1}, and holds with {np.exp(-1e-6 * lost):.3f}")

fig, ax = plt.subplots(figsize=(8, 6.6), layout="constrained")
for p, kind, colour in ((0.9, "radio", "#c7dcea"), (0.98, "cable", "#4a98c9"), (1, "fibre", "0.1")):
    ends = xy[np.stack([u, v])[:, holds == p]]
    lines = ax.plot(ends[..., 0], ends[..., 1], color=colour, linewidth=1.1)
    lines[0].set_label(f"{kind}, {p:.2f}")
ax.plot(*xy[direct].T, color="#e69f00", lw=6, alpha=0.55, label="fewest links")
ax.plot(*xy[path].T, color="#d55e00", lw=6, alpha=0.55, label="most reliable, then fewest links")
ax.scatter(*xy.T, s=18, color="white", edgecolor="0.3", zorder=3)
ax.scatter(*xy[[start, goal]].T, s=90, color="black", zorder=4)
ax.set_axis_off()
ax.legend(frameon=False, loc="upper center", ncols=5, bbox_to_anchor=(0.5, 0.02), fontsize=9)
plt.show()
