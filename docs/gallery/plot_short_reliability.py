"""
Short: an algebra of your own
=============================

Each link works with some probability. A path works if all its links do, so ⊗ is the product. Of two
paths the more reliable one counts, so ⊕ is the maximum. This is a semiring, and
:func:`lagraph_gpu.closure` finds the best path to every vertex.
"""

import matplotlib.pyplot as plt

import lagraph_gpu as lg
from semirings import check_laws, semiring

reliable = semiring(lg.monoid.max, lg.binary.times, carrier="0 <= x")
check_laws(reliable)

links = [("a", "b", 0.9), ("b", "c", 0.9), ("a", "c", 0.7), ("c", "d", 0.5), ("b", "d", 0.6)]
G = lg.Graph.from_edgelist(links, directed=False)
best = lg.closure(G.point(G.position("a"), 1.0), G.A, reliable)
print({name: round(float(x), 3) for name, x in G.named(best).items()})

G.plot(values=best, sizes=200, title="How surely a message from a arrives")
plt.show()
