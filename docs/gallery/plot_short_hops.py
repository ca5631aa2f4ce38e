"""
Short: k hops by masks
======================

Which vertices are within three steps of a vertex? The neighbours of a frontier are a product over
the semiring ``any_pair``. The mask ``~hops.S`` keeps only new vertices in the next frontier.
"""

import matplotlib.pyplot as plt

import lagraph_gpu as lg
from semirings import any_pair

G = lg.grid(15, 15, removed=0.2, seed=4)
hops = lg.Vector.from_coo([112], [0], size=G.n)
frontier = hops.dup()
for k in range(1, 4):
    frontier(~hops.S, replace=True) << any_pair(frontier @ G.A)
    hops(frontier.S) << k
    print(f"{frontier.nvals} vertices are {k} steps away")

G.plot([(v % 15, v // 15) for v in range(G.n)], values=hops, sizes=40, title="Three steps")
plt.show()
