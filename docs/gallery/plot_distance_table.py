"""
A table of distances
====================

How far is it from each of ten stations to every other? :func:`lagraph_gpu.csgraph.dijkstra`, by
SciPy's name and with SciPy's arrays, searches from all stations in one call. The table consists of
the columns that belong to stations. In a town of one-way streets the way there differs from the way
back, so the table is not symmetric.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse import coo_array

from lagraph_gpu.csgraph import dijkstra

# %%
# A town
# ------
# Streets lead east in even rows and west in odd ones, avenues north in even columns and south in
# odd ones. A block is 60 to 140 metres long.

side = 30
cell = np.arange(side * side).reshape(side, side)  # row 0 is the northernmost
even = np.arange(side) % 2 == 0
west, east = cell[:, :-1], cell[:, 1:]
north, south = cell[:-1], cell[1:]
begin = np.r_[np.where(even[:, None], west, east).ravel(), np.where(even, south, north).ravel()]
end = np.r_[np.where(even[:, None], east, west).ravel(), np.where(even, north, south).ravel()]
rng = np.random.default_rng(5871)
metres = rng.integers(60, 140, begin.size).astype(float)
town = coo_array((metres, (begin, end)), shape=(cell.size, cell.size)).tocsr()

# %%
# The table
# ---------

stations = np.sort(rng.choice(cell.size, 10, replace=False))
table = dijkstra(town, indices=stations)[:, stations]
print("from the first, in metres:", table[0].astype(int))
print("to the first:             ", table[:, 0].astype(int))
print(f"the way there and the way back differ by up to {(table - table.T).max():.0f} m")

# %%
# The picture
# -----------

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4.8), layout="constrained")
ends = np.stack([begin, end])
left.plot(ends % side, ends // side, color="0.82", linewidth=0.8)
for letter, station in zip("ABCDEFGHIJ", stations):
    at = station % side, station // side
    left.plot(*at, "o", color="#14507d", markersize=15)
    left.annotate(letter, at, ha="center", va="center", color="white")
left.invert_yaxis()
left.set_aspect("equal")
left.set_axis_off()
left.set_title("Ten stations", loc="left")

image = right.imshow(table / 1000, cmap="viridis_r")
for (i, j), value in np.ndenumerate(table / 1000):
    dark = value > 0.55 * table.max() / 1000
    right.annotate(
        f"{value:.1f}",
        (j, i),
        ha="center",
        va="center",
        fontsize=8,
        color="white" if dark else "black",
    )
right.set_xticks(range(10), "ABCDEFGHIJ")
right.set_yticks(range(10), "ABCDEFGHIJ")
right.tick_params(length=0, labeltop=True, labelbottom=False)
right.spines[:].set_visible(False)
right.set_ylabel("from")
right.set_title("Kilometres to", loc="left")
plt.show()
