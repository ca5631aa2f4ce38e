"""
Traffic between 2³² addresses
=============================

A matrix of traffic has a row and a column for each address of the Internet, and an entry where
packets went. Memory is taken for entries alone. Windows of time are matrices, their sum is one, and
what stands out is found by reductions.
"""

import matplotlib.pyplot as plt
import numpy as np

import lagraph_gpu as lg
from lagraph_gpu import binary

N, PACKETS, WINDOWS = 2**32, 20_000, 16
rng = np.random.default_rng(7)

# %%
# Packets
# -------
# Addresses are anonymised by a permutation of the 2³² ids: equal ones stay equal. (For real data
# take a cipher with a secret key.) Sources are households, targets mostly servers, a few of which
# have most of the traffic; and one address tries others at random, in half of the windows.


def anonymous(address):
    mixed = address ^ address >> np.uint64(16)
    return mixed * np.uint64(0x9E3779B1) % np.uint64(N)


def window(number):
    source = rng.integers(0, 3000, PACKETS, np.uint64) * np.uint64(1009) + np.uint64(10 << 24)
    server = (800 * rng.random(PACKETS) ** 6).astype(np.uint64)
    target = np.uint64(192 << 24) + server
    if number % 2:
        scan = rng.random(PACKETS) < 0.03
        source[scan], target[scan] = 203 << 24, rng.integers(0, N, scan.sum(), np.uint64)
    return anonymous(source), anonymous(target)


# %%
# Sums of windows
# ---------------
# ``dup_op`` counts the packets of a window that have both addresses in common.

traffic, scanned = lg.Matrix("INT64", N, N), []
for number in range(WINDOWS):
    one = np.ones(PACKETS, np.int64)
    packets = lg.Matrix.from_coo(*window(number), one, nrows=N, ncols=N, dup_op="plus")
    traffic(accum=binary.plus) << packets
    scanned.append(packets.apply(binary.pair, 1).new().reduce_rowwise().new().max())
print(f"{traffic.sum():,} packets over {traffic.nvals:,} links of {N:,} × {N:,}")

# %%
# Fan-out and fan-in
# ------------------
# How many others an address sends to, and how many send to it: sums over a matrix of ones.

links = traffic.apply(binary.pair, 1).new()
fan_out, fan_in = links.reduce_rowwise().new(), links.reduce_columnwise().new()
(scanner,) = fan_out.select("==", fan_out.max()).new()
print(f"one of {fan_out.nvals:,} sources sent to {fan_out.max():,} targets")
print(f"it is the one that scans: {scanner == anonymous(np.uint64(203 << 24))}")

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for fan, what, colour in ((fan_out, "fan-out", "#d55e00"), (fan_in, "fan-in", "#0072b2")):
    times, count = np.unique(fan.to_coo()[1], return_counts=True)
    left.loglog(times, count, "o", ms=4, color=colour, alpha=0.6, label=what)
left.set(xlabel="addresses at the other end", ylabel="addresses")
left.legend(frameon=False)
right.bar(range(WINDOWS), scanned, color="#999999")
right.set(xlabel="window", ylabel="largest fan-out within it")
plt.show()
